"""How a change is shown: a ballot is turned card by card, then what it chose happens, then whoever sinks goes under.

Made of public tables alone: what a frame shows lies between two positions, and how long it stays depends on nothing
that anybody hides.
"""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any

from tavola.core import Played
from tavola.games.lifeboats.components import (
    ASHORE,
    LEAK,
    MOVE,
    MOVE_CHOICE,
    OFFICER,
    OVER,
    SAILOR,
    SEA,
    SUNK,
    Ballot,
    Seen,
    Table,
)
from tavola.games.lifeboats.picture.shown import LEAK_BALLOT, MOVE_BALLOT, OVERBOARD_BALLOT, Shown, at_rest
from tavola.games.lifeboats.words.vocabulary import BY_TIE, captains_in, reason_of
from tavola.show.board import Frame, Pieces
from tavola.show.speech import Say

BREATH, VERDICT, LIT, FALLS, MOVES, LANDS, SINKS, OVERBOARD_FOR, DROWNS, ROUND = (
    1000,
    1500,
    900,
    1250,
    1100,
    1000,
    1800,
    800,
    1100,
    1100,
)
"""How long each picture stays at a calm pace, in milliseconds."""
MOVING = (MOVE, MOVE_CHOICE)
OPEN_AT_LEAST = 1500
"""All faces of a ballot stay open at least so long, at any pace."""

NOTHING, CARDS, EFFECT, SINKINGS, ALL = range(5)
"""How far the log has told what happens when a picture shows."""

Step = tuple[Shown, int, int, int]
"""What is shown, for how long, for how long at least, and how far it is told."""


def frames(before: Seen, after: Seen, played: Played | None, say: Say, draw: Callable[[Shown], Pieces]) -> list[Frame]:
    """The pictures between two public views."""
    old, new = before.table, after.table
    steps = list(_steps(old, new, played))
    if not steps:
        return []
    lines = len(before.game.words.events(before, after, played, say))
    stages = _told(old, new, lines)
    told = [stages[far] for _, _, _, far in steps]
    told[-1] = lines
    return [
        Frame(partial(draw, shown), stays, least, known, begins=shown.round > 0)
        for (shown, stays, least, _), known in zip(steps, told, strict=True)
    ]


def _told(old: Table, new: Table, lines: int) -> tuple[int, ...]:
    """How many lines are told at each stage: what sank and how the round or the match ends comes last."""
    ends = (new.rounds > old.rounds) + (new.phase == OVER) + (old.phase in MOVING and new.phase == LEAK)
    sunk = sum(boat.at == SUNK != known.at for boat, known in zip(new.boats, old.boats, strict=True))
    cards = _counted(new.ballot) if new.ballots > old.ballots else 1
    return 0, min(cards, lines - ends - sunk), lines - ends - sunk, lines - ends, lines


def _counted(ballot: Ballot) -> int:
    """How many lines tell of a ballot before what it chose happens: the cards, captains that cancel, the count."""
    by_count = reason_of(ballot) == BY_TIE
    return 1 + by_count + bool(by_count and captains_in(ballot))


def _steps(old: Table, new: Table, played: Played | None) -> Iterator[Step]:
    now = old
    if new.ballots > old.ballots:
        now = old._replace(ballot=new.ballot, ballots=new.ballots, captains=new.captains, voted=0, voters=0)
        yield from _reveal(now)
    elif played and played.verb == "choose":
        now = old._replace(ballot=new.ballot)
        yield _staged(now, lit=_boat_lit(now)), LIT, 0, CARDS
    if new.ballot.chosen and now is not old:
        now = yield from _effect(now, new)
    elif played and played.verb in ("leave", "board"):
        now = _changed(old, played)
    yield from _ends(now, new, played)
    if new.rounds > old.rounds:
        yield at_rest(new)._replace(round=new.rounds), ROUND, 0, ALL


def _staged(table: Table, **more: Any) -> Shown:
    return Shown(table, tuple(voters_of(table.ballot)), staged=True, settled=False)._replace(**more)


def voters_of(ballot: Ballot) -> list[int]:
    """Who played a card in a ballot that was revealed."""
    return [seat for seat, card in enumerate(ballot.cards) if card]


def _boat_lit(t: Table) -> int:
    """The boat that the ballot has chosen; overboard it is the one that is full."""
    return int(t.ballot.boat if t.ballot.kind == OVERBOARD_BALLOT else t.ballot.chosen)


def _reveal(t: Table) -> Iterator[Step]:
    """R9: all cards down, a breath, each turned from the start player's on, and all open to be read."""
    hidden = t._replace(ballot=t.ballot._replace(chosen=0))
    voters = sorted(voters_of(t.ballot), key=lambda seat: (seat - t.starter) % t.players)
    interval = round(max(430, min(650, 2600 / len(voters))))
    yield Shown(hidden, (), staged=True, counting=True, settled=False), BREATH, 0, NOTHING
    for turned in range(1, len(voters) + 1):
        yield Shown(hidden, tuple(voters[:turned]), staged=True, counting=True, settled=False), interval, 0, NOTHING
    yield _staged(t, counting=True, lit=_boat_lit(t) if t.ballot.chosen else 0), VERDICT, OPEN_AT_LEAST, CARDS


def _effect(t: Table, new: Table) -> Generator[Step, None, Table]:
    """What the ballot chose; returns the table after it, before anything sinks."""
    ballot, chosen = new.ballot, new.ballot.chosen - 1
    if ballot.kind == LEAK_BALLOT:
        if new.target:
            yield _staged(t._replace(target=new.target), lit=0), LIT, 0, EFFECT
            return t
        t = _with_boat(t, chosen, leaks=t.boats[chosen].leaks + 1)
        yield _staged(t), FALLS, 0, EFFECT
    elif ballot.kind == OVERBOARD_BALLOT:
        t = yield from _overboard(t, ballot.boat - 1, chosen)
    elif ballot.kind == MOVE_BALLOT:
        t = yield from _move(t, new, chosen)
    return t


def _overboard(t: Table, boat: int, seat: int) -> Generator[Step, None, Table]:
    """R21: a sailor before an officer goes into the water, and the leak takes his place."""
    rank = SAILOR if t.boats[boat].crew[seat][SAILOR] else OFFICER
    t = _with_man(t, boat, seat, rank, -1)
    swims = t._replace(behind=_put(t.behind, seat, boat + 1), behind_rank=_put(t.behind_rank, seat, rank))
    yield _staged(swims), OVERBOARD_FOR, 0, CARDS
    yield _staged(swims, drowning=seat), DROWNS, 0, CARDS
    t = _with_boat(_lose(t, seat, rank), boat, leaks=t.boats[boat].leaks + 1)._replace(target=0)
    yield _staged(t), FALLS, 0, EFFECT
    return t


def _move(t: Table, new: Table, boat: int) -> Generator[Step, None, Table]:
    """R23, R24: the boat moves on; where she lands her men walk ashore."""
    lands = new.boats[boat].at == ASHORE
    moved = _with_boat(t, boat, row=t.boats[boat].row + (0.7 if lands else 1))
    yield _staged(moved, settled=True), MOVES, 0, CARDS if lands else EFFECT
    if not lands:
        return moved
    boats, arrived = _put(t.boats, boat, new.boats[boat]), new.arrived
    landed = t._replace(boats=boats, ashore=new.ashore, arrived=arrived)
    yield _staged(landed, settled=True), LANDS, 0, EFFECT
    return landed


def _changed(t: Table, played: Played) -> Table:
    """R26, R28: a man has left a boat, or boarded one, and nothing else has happened yet."""
    seat = played.seat
    if played.verb == "leave":
        rank, boat = played.places
        t = _with_man(t, boat, seat, rank, -1)
        return t._replace(behind=_put(t.behind, seat, boat + 1), behind_rank=_put(t.behind_rank, seat, rank))
    (boat,) = played.places
    return _with_man(t, boat, seat, t.behind_rank[seat], 1)._replace(behind=_put(t.behind, seat, 0))


def _ends(t: Table, new: Table, played: Played | None) -> Iterator[Step]:
    """R29: who found no seat is lost. R22: boats with more leaks than men sink."""
    for seat in range(t.players):
        if t.behind[seat] and not new.behind[seat]:
            yield at_rest(t)._replace(drowning=seat), DROWNS, 0, EFFECT
            t = _lose(t, seat, t.behind_rank[seat])._replace(behind=_put(t.behind, seat, 0))
    sinking = sum(1 << k for k, boat in enumerate(new.boats) if boat.at == SUNK and t.boats[k].at == SEA)
    if sinking:
        yield at_rest(t)._replace(sinking=sinking), SINKS, 0, SINKINGS


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _with_boat(t: Table, boat: int, **changes: Any) -> Table:
    return t._replace(boats=_put(t.boats, boat, t.boats[boat]._replace(**changes)))


def _with_man(t: Table, boat: int, seat: int, rank: int, more: int) -> Table:
    crew = t.boats[boat].crew
    ranks = _put(crew[seat], rank, crew[seat][rank] + more)
    return _with_boat(t, boat, crew=_put(crew, seat, ranks))


def _lose(t: Table, seat: int, rank: int) -> Table:
    return t._replace(lost=_put(t.lost, seat, _put(t.lost[seat], rank, t.lost[seat][rank] + 1)))
