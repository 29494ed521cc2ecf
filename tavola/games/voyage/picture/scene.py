"""Show a change: the reveal of a ballot, the ship that sails, the tile that turns, the ends, the roles."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from tavola.games.voyage.components import Ending, Phase, Turn
from tavola.games.voyage.picture.board_state import BoardState
from tavola.show.board import Frame, Pieces

LAID, BREATH, TURNED, VERDICT, SAIL, PAINT = 600, 800, 450, 2000, 1100, 800
PARTING, TEARING, ROLES_DOWN, ROLE = 2200, 1500, 900, 650
"""Milliseconds at a calm pace: a ballot of five lasts seven seconds with what it leads to."""
OPEN_AT_LEAST = 1500
"""Milliseconds, at any pace, for which all faces of a ballot are open."""


class SceneStep(NamedTuple):
    """A state that shows, how long it stays, how many lines are still to be told, how long it stays at least, and what
    is heard.
    """

    shown: BoardState
    stays: int
    untold: int = 0
    least: int = 0
    sound: str = ""


def scene(
    was: BoardState, now: BoardState, log: Callable[[], list[str]], draw: Callable[[BoardState], Pieces]
) -> list[Frame]:
    """The frames between two public tables one action apart; none where nothing is revealed.

    `log` says the lines of the log: they are counted where there is a frame.
    """
    steps = list(_steps(was, now))
    told = len(log()) if steps else 0
    return [
        Frame(
            partial(draw, step.shown),
            step.stays,
            step.least,
            max(told - step.untold, 0),
            closed=step.shown.cards_open == 0,
            sound=step.sound,
        )
        for step in steps
    ]


def _steps(was: BoardState, now: BoardState) -> Iterator[SceneStep]:
    before, after = was.table, now.table
    if before.phase == Phase.COURSES and after.phase == Phase.BALLOT:
        yield _open_card_step(now)
        return
    if before.phase not in (Phase.BALLOT, Phase.TILE) or after.phase == Phase.BALLOT or was == now:
        return
    if before.phase == Phase.BALLOT:
        yield from _ballot_steps(was, now)
    for number, turn in enumerate(now.turns[before.turn - 1 :], before.turn):
        if turn.sailed:
            already = number == before.turn and before.phase == Phase.TILE
            yield from _leg_steps(now, number, turn, already)
    if after.phase == Phase.OVER:
        for down in range(
            after.players, 0, -1
        ):  # R19: the ending is told, then the roles turn up, the last place first
            stays = ROLES_DOWN if down == after.players else ROLE
            yield SceneStep(now._replace(roles_down=down), stays, 2, sound="role")


def _with_last_turn(shown: BoardState, turn: Turn) -> BoardState:
    return shown._replace(table=shown.table._replace(turns=(*shown.turns[:-1], turn)))


def _open_card_step(now: BoardState) -> SceneStep:
    """The open card is laid first, the sealed one beside it after."""
    turn = now.turns[-1]
    return SceneStep(_with_last_turn(now, turn._replace(courses=1 << (turn.preferred - 1))), LAID, sound="parchment")


def _ballot_steps(was: BoardState, now: BoardState) -> Iterator[SceneStep]:
    """All cards down, a breath; each turned, from the captain's left; what it comes to."""
    players, number = was.table.players, was.table.turn
    turn, untold = now.turns[number - 1]._replace(reached=0), _lines_after(now, number)
    voted = was._replace(table=was.table._replace(voted=(1 << players) - 1), cards_open=0)
    down = _with_last_turn(voted, turn._replace(sailed=0))
    yield SceneStep(down, BREATH, untold + 2, sound="sealed")
    for cards in range(1, players + 1):
        yield SceneStep(down._replace(cards_open=cards), _turning_interval(players), untold + 2, sound="ballot")
    decided = _with_last_turn(down, turn)._replace(cards_open=players, verdict=True)
    yield SceneStep(decided, VERDICT, untold, OPEN_AT_LEAST, "verdict")


def _turning_interval(players: int) -> int:
    """Many ballots turn a little faster than few."""
    return min(TURNED + 100, max(TURNED - 90, TURNED * 5 // players))


def _lines_after(now: BoardState, number: int) -> int:
    """Return how many lines of the log come after the verdict of a turn: the course, the tile, later turns, the end."""
    lines = 2 * (now.table.phase == Phase.OVER)
    for later, turn in enumerate(now.turns[number - 1 :], number):
        turned = bool(turn.reached and now.table.explored >> (turn.reached - 1) & 1)
        opened = 0 if later == number else 2 if turn.sailed else 1
        lines += bool(turn.sailed) + turned + opened + (not turn.courses)
    return lines


def _leg_steps(now: BoardState, number: int, turn: Turn, already: bool) -> Iterator[SceneStep]:
    """The ship sails, and the tile it has reached is turned up and painted; or it sails off the chart."""
    later = _lines_after(now, number) - 1
    sailing = _state_in_turn(now, number, Ending.NONE, painted=False)
    if not turn.reached:
        adrift = sailing._replace(adrift=True)
        yield SceneStep(adrift, SAIL, later, sound="canvas")
        lost = adrift.table._replace(ending=Ending.ROUTE_LOST)
        yield SceneStep(adrift._replace(table=lost), TEARING, later, sound="torn")
        return
    if not already:
        yield SceneStep(sailing, SAIL, later, sound="canvas")
    if now.table.explored >> (turn.reached - 1) & 1:
        found = bool(now.table.avalon) and number == now.table.turn
        painted = _state_in_turn(now, number, Ending.AVALON if found else Ending.NONE, painted=True)
        stays, sound = (PARTING, "avalon") if found else (PAINT, "brush")
        yield SceneStep(painted, stays, later - 1, sound=sound)


def _state_in_turn(now: BoardState, number: int, ending: Ending, painted: bool) -> BoardState:
    """The table in the turn of this number, once the ship has sailed; its tile turned up or not yet."""
    t, turn = now.table, now.turns[number - 1]
    unseen = {later.reached - 1 for later in now.turns[number if painted else number - 1 :] if later.reached}
    shown = ~sum(1 << cell for cell in unseen)
    seen = {name: getattr(t, name) & shown for name in ("explored", "crosses", "plains", "avalon")}
    ship = turn.reached - 1 if turn.reached else t.ship
    in_turn = {"phase": Phase.TILE, "turn": number, "captain": turn.captain, "ship": ship, "ending": ending}
    return now._replace(table=t._replace(**in_turn, **seen), adrift=False)
