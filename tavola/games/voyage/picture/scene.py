"""The scenes: the reveal of a ballot, the ship that sails, the tile that turns, the endings, the roles."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from tavola.games.voyage.components import START_CELL, Ending, Phase, Pile, Seen, Table, Turn
from tavola.games.voyage.words.consequences import tile_ahead
from tavola.games.voyage.words.nouns import had_ballot
from tavola.show.board import Frame, Pieces
from tavola.show.sound import Palette, bell, breath, card, chord, common_sounds, knock, tone


class BoardState(NamedTuple):
    """The table, and what is only shown at its end or in a frame of a scene."""

    table: Table
    points: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    cards_open: int = -1
    """Number of open ballots in the row across the chart; -1 without a row."""
    verdict: bool = False
    """True if the row shows the result."""
    adrift: bool = False
    """True if the ship has left the chart."""
    roles_down: int = 0
    """Number of roles still face down at the end."""

    @classmethod
    def of(cls, view: Seen) -> "BoardState":
        table: Table = view.table
        last = table.turns[table.turn - 1] if table.turn else None
        result = view.standing if table.ending else None
        points, places = (result.points, result.ranks) if result else ((), ())
        return cls(table, points, places, adrift=bool(last and last.sailed and not last.reached))

    @property
    def turns(self) -> tuple[Turn, ...]:
        return self.table.turns[: self.table.turn]

    @property
    def stops(self) -> tuple[int, ...]:
        """Cells the ship has been on, in order."""
        return (START_CELL, *(turn.reached - 1 for turn in self.turns if turn.reached))

    @property
    def avalons(self) -> tuple[int, int]:
        """Tiles of Avalon still face down, and how many face-down fog tiles there are."""
        fog = self.table.piles[Pile.FOG]
        return fog[3], sum(fog)

    @property
    def last_ballot(self) -> int:
        """Number of the last turn with a vote; 0 if there is none."""
        return max((number for number, turn in enumerate(self.turns, 1) if voted_on(turn)), default=0)

    def goal(self, course: int) -> int:
        """R14: return the cell that a course leads to; -1 beyond the edge of the map."""
        tile = tile_ahead(self.table, course)
        return tile.cell if tile else -1

    @property
    def face_down_seats(self) -> set[int]:
        """Seats whose roles are still face down at the end: they turn up from the last place to the first."""
        players = self.table.players
        order = sorted(range(players), key=lambda seat: (-self.places[seat], seat))
        return set(order[players - self.roles_down :])

    def ballot_face(self, seat: int) -> str:
        """Return what is visible of a seat's ballot in the present turn: "", "back", "white" or "black"."""
        turn = self.turns[-1]
        if self.cards_open < 0:
            return "back" if self.table.phase == Phase.BALLOT and self.table.voted >> seat & 1 else ""
        order = (seat - turn.captain - 1) % self.table.players  # the captain's left turns first, the captain last
        return "back" if order >= self.cards_open else ballot_of(turn, seat)


def voted_on(turn: Turn) -> bool:
    """Return whether there was a ballot, and it is over: none if only one course could be sailed (R11)."""
    return bool(turn.sailed and had_ballot(turn))


def alternative_sailed(turn: Turn) -> bool:
    return bool(turn.sailed and turn.sailed != turn.preferred)


def ballot_of(turn: Turn, seat: int) -> str:
    return "black" if turn.black >> seat & 1 else "white"


LAID, BREATH, TURNED, VERDICT, SAIL, PAINT = 600, 800, 450, 2000, 1100, 800
PARTING, TEARING, ROLES_DOWN, ROLE = 2200, 1500, 900, 650
"""Milliseconds at a calm pace: a ballot of five seats and its effect take seven seconds."""
OPEN_AT_LEAST = 1500
"""Minimum milliseconds that all ballots are open, at any pace."""


class SceneStep(NamedTuple):
    """A state, its milliseconds, the log lines still to come, its minimum milliseconds, and the sound."""

    shown: BoardState
    stays: int
    untold: int = 0
    least: int = 0
    sound: str = ""


def scene(
    was: BoardState, now: BoardState, log: Callable[[], list[str]], draw: Callable[[BoardState], Pieces]
) -> list[Frame]:
    """Return the frames between two public tables one action apart; none if nothing is revealed.

    `log` returns the log lines; it is only called if there is a frame.
    """
    steps = list(_steps(was, now))
    told = len(log()) if steps else 0
    return [
        Frame(partial(draw, shown), stays, least, max(told - untold, 0), closed=shown.cards_open == 0, sound=sound)
        for shown, stays, untold, least, sound in steps
    ]


def _steps(was: BoardState, now: BoardState) -> Iterator[SceneStep]:
    before, after = was.table, now.table
    if before.phase == Phase.COURSES and after.phase == Phase.BALLOT:
        # The open card is laid first, then the hidden one beside it.
        turn = now.turns[-1]
        yield SceneStep(_with_last_turn(now, turn._replace(courses=1 << (turn.preferred - 1))), LAID, sound="parchment")
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
        # R19: the ending is shown, then the roles turn up, the last place first.
        for down in range(after.players, 0, -1):
            stays = ROLES_DOWN if down == after.players else ROLE
            yield SceneStep(now._replace(roles_down=down), stays, 2, sound="role")


def _with_last_turn(shown: BoardState, turn: Turn) -> BoardState:
    return shown._replace(table=shown.table._replace(turns=(*shown.turns[:-1], turn)))


def _ballot_steps(was: BoardState, now: BoardState) -> Iterator[SceneStep]:
    players, number = was.table.players, was.table.turn
    turn, untold = now.turns[number - 1]._replace(reached=0), _lines_after(now, number)
    voted = was._replace(table=was.table._replace(voted=(1 << players) - 1), cards_open=0)
    down = _with_last_turn(voted, turn._replace(sailed=0))
    yield SceneStep(down, BREATH, untold + 2, sound="sealed")
    interval = min(TURNED + 100, max(TURNED - 90, TURNED * 5 // players))  # many turn a little faster than few
    for cards in range(1, players + 1):
        yield SceneStep(down._replace(cards_open=cards), interval, untold + 2, sound="ballot")
    decided = _with_last_turn(down, turn)._replace(cards_open=players, verdict=True)
    yield SceneStep(decided, VERDICT, untold, OPEN_AT_LEAST, "verdict")


def _lines_after(now: BoardState, number: int) -> int:
    """How many log lines follow the verdict of a turn: the course, the tile, later turns, the end."""
    lines = 2 * (now.table.phase == Phase.OVER)
    for later, turn in enumerate(now.turns[number - 1 :], number):
        turned = bool(turn.reached and now.table.explored >> (turn.reached - 1) & 1)
        opened = 0 if later == number else 2 if turn.sailed else 1
        lines += bool(turn.sailed) + turned + opened + (not turn.courses)
    return lines


def _leg_steps(now: BoardState, number: int, turn: Turn, already: bool) -> Iterator[SceneStep]:
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
    t, turn = now.table, now.turns[number - 1]
    unseen = {later.reached - 1 for later in now.turns[number if painted else number - 1 :] if later.reached}
    shown = ~sum(1 << cell for cell in unseen)
    seen = {name: getattr(t, name) & shown for name in ("explored", "crosses", "plains", "avalon")}
    ship = turn.reached - 1 if turn.reached else t.ship
    in_turn = {"phase": Phase.TILE, "turn": number, "captain": turn.captain, "ship": ship, "ending": ending}
    return now._replace(table=t._replace(**in_turn, **seen), adrift=False)


SOUNDS: Palette = {
    **common_sounds(220, "triangle"),
    "parchment": (breath(2_800, 1_500, 260, rise=90), *knock(200, after=200, loudness=0.03)),
    "sealed": (*knock(140), breath(1_200, 700, 160, after=60)),
    "ballot": card(),
    "verdict": (*knock(170), *knock(170, after=160)),
    "canvas": (breath(420, 1_100, 620, rise=240, loudness=0.05), breath(1_100, 520, 420, after=520, rise=120)),
    "brush": (breath(3_400, 2_200, 220, rise=80, loudness=0.022), breath(2_400, 3_200, 260, after=230, rise=90)),
    "avalon": (*bell(523, 1_600), *chord(523, (1.25, 1.5, 2), apart=220, lasts=1_000)),
    "torn": (breath(2_200, 5_200, 520, rise=200, loudness=0.05), tone(98, 900, after=320, to=55)),
    "role": chord(330, (1, 1.5), apart=110, source="triangle"),
}
