"""Show a change: the reveal of a ballot, the ship that sails, the tile that turns, the ends, the roles."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from tavola.games.voyage.components import Ending, Phase
from tavola.games.voyage.picture.board_state import BoardState, Leg
from tavola.show.board import Frame, Pieces

LAID, BREATH, TURNED, VERDICT, SAIL, PAINT = 600, 800, 450, 2000, 1100, 800
PARTING, TEARING, ROLES_DOWN, ROLE = 2200, 1500, 900, 650
"""Milliseconds at a calm pace: a ballot of five lasts seven seconds with what it leads to."""
OPEN_AT_LEAST = 1500
"""Milliseconds, at any pace, for which all faces of a ballot are open."""


class SceneStep(NamedTuple):
    """A state that shows, how long it stays and stays at least, and how many lines are still to be told."""

    shown: BoardState
    stays: int
    least: int
    untold: int


def scene(
    was: BoardState, now: BoardState, lines: Callable[[], int], draw: Callable[[BoardState], Pieces]
) -> list[Frame]:
    """The frames between two public tables one action apart; none where nothing is revealed.

    `lines` counts those of the log, where they matter.
    """
    moments = list(_steps(was, now))
    told = lines() if moments else 0
    return [
        Frame(
            partial(draw, moment.shown),
            moment.stays,
            moment.least,
            max(told - moment.untold, 0),
            closed=moment.shown.cards_open == 0,
        )
        for moment in moments
    ]


def _steps(was: BoardState, now: BoardState) -> Iterator[SceneStep]:
    if was.phase == Phase.COURSES and now.phase == Phase.BALLOT:
        yield _open_card_step(now)
        return
    if was.phase not in (Phase.BALLOT, Phase.TILE) or now.phase == Phase.BALLOT or was == now:
        return
    first = was.turn
    if was.phase == Phase.BALLOT:
        yield from _ballot_steps(was, now)
    for number in range(first, now.turn + 1):
        leg = now.turns[number - 1]
        if leg.sailed:
            yield from _leg_steps(now, number, leg, already=number == first and was.phase == Phase.TILE)
    if now.phase == Phase.OVER:
        yield from _role_steps(now)


def _open_card_step(now: BoardState) -> SceneStep:
    """The open card is laid first, the sealed one beside it after."""
    leg = now.turns[-1]
    alone = leg._replace(courses=1 << (leg.preferred - 1))
    return SceneStep(now._replace(turns=(*now.turns[:-1], alone)), LAID, 0, 0)


def _ballot_steps(was: BoardState, now: BoardState) -> Iterator[SceneStep]:
    """All cards down, a breath; each turned, from the captain's left; what it comes to."""
    leg = now.turns[was.turn - 1]
    unsailed = leg._replace(sailed=0, reached=0)
    down = was._replace(turns=(*was.turns[:-1], unsailed), voted=(1 << was.players) - 1, cards_open=0)
    untold = _lines_after(now, was.turn)
    yield SceneStep(down, BREATH, 0, untold + 2)
    for cards in range(1, was.players + 1):
        yield SceneStep(down._replace(cards_open=cards), _turning_interval(was.players), 0, untold + 2)
    decided = leg._replace(reached=0)
    verdict = down._replace(turns=(*was.turns[:-1], decided), cards_open=was.players, verdict=True)
    yield SceneStep(verdict, VERDICT, OPEN_AT_LEAST, untold)


def _turning_interval(players: int) -> int:
    """Many ballots turn a little faster than few."""
    return min(TURNED + 100, max(TURNED - 90, TURNED * 5 // players))


def _lines_after(now: BoardState, number: int) -> int:
    """Return how many lines of the log come after the verdict of a turn: the course, the tile, later turns, the end."""
    lines = 2 * (now.phase == Phase.OVER)
    for later in range(number, now.turn + 1):
        leg = now.turns[later - 1]
        turned = bool(leg.reached and now.explored >> (leg.reached - 1) & 1)
        opened = 0 if later == number else 2 if leg.sailed else 1
        lines += bool(leg.sailed) + turned + opened + (not leg.courses)
    return lines


def _leg_steps(now: BoardState, number: int, leg: Leg, already: bool) -> Iterator[SceneStep]:
    """The ship sails, and the tile it has reached is turned up and painted; or it sails off the chart."""
    later = _lines_after(now, number) - 1
    sailing = _state_in_turn(now, number, painted=False)
    if not leg.reached:
        adrift = sailing._replace(adrift=True)
        yield SceneStep(adrift, SAIL, 0, later)
        yield SceneStep(adrift._replace(ending=Ending.ROUTE_LOST), TEARING, 0, later)
        return
    if not already:
        yield SceneStep(sailing, SAIL, 0, later)
    if now.explored >> (leg.reached - 1) & 1:
        found = bool(now.avalon) and number == now.turn
        painted = _state_in_turn(now, number, painted=True)._replace(ending=Ending.AVALON if found else 0)
        yield SceneStep(painted, PARTING if found else PAINT, 0, later - 1)


def _state_in_turn(now: BoardState, number: int, painted: bool) -> BoardState:
    """The table in the turn of this number, once the ship has sailed; its tile turned up or not yet."""
    turns = now.turns[:number]
    unseen = {leg.reached - 1 for leg in now.turns[number:] if leg.reached}
    if not painted:
        unseen.add(turns[-1].reached - 1)
    hidden = sum(1 << cell for cell in unseen if cell >= 0)
    return now._replace(
        phase=Phase.TILE,
        turn=number,
        captain=turns[-1].captain,
        ship=now.ship if turns[-1].reached == 0 else turns[-1].reached - 1,
        explored=now.explored & ~hidden,
        crosses=now.crosses & ~hidden,
        plains=now.plains & ~hidden,
        avalon=now.avalon & ~hidden,
        ending=0,
        adrift=False,
        turns=turns,
    )


def _role_steps(now: BoardState) -> Iterator[SceneStep]:
    """R19: the ending is told, then the roles turn up one by one, the last place first."""
    for down in range(now.players, 0, -1):
        stays = ROLES_DOWN if down == now.players else ROLE
        yield SceneStep(now._replace(roles_down=down), stays, 0, 2)
