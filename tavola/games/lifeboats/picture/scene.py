"""The scenes: a ballot is turned card by card, then what it chose happens, then boats sink and men drown.

Scenes are made from public tables only: what a frame shows is between two positions, and its duration does not depend
on anything hidden.
"""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, NamedTuple

from tavola.core import PlayedAction
from tavola.games.lifeboats.components import OFFICER, SAILOR, At, Ballot, BallotKind, Phase, Seen, Table
from tavola.games.lifeboats.words.nouns import BY_TIE, captain_players, choice_reason
from tavola.show import words_of
from tavola.show.board import Frame, Pieces
from tavola.show.sound import Palette, bell, breath, card, common_sounds, knock, splash, tone
from tavola.show.speech import Say


class BoardState(NamedTuple):
    """A table as it is drawn. Without a scene every card of the last ballot is open, small, at the edge."""

    table: Table
    open: tuple[int, ...]  # seats whose cards of the last ballot are turned
    staged: bool = False  # while the ballot is being revealed: its cards are large and in front of the sea
    counting: bool = False  # while votes arrive at the boats
    settled: bool = True  # once the effect of the ballot is done
    lit: int = 0  # the chosen boat, from 1; 0 for none
    sinking: int = 0  # boats that are sinking, as a bit mask
    drowning: int = -1  # the seat whose swimmer is drowning; -1 for none
    round: int = 0  # the round that is being announced; 0 for none


def voters_of(ballot: Ballot) -> list[int]:
    return [seat for seat, card in enumerate(ballot.cards) if card]


def resting_state(table: Table) -> BoardState:
    return BoardState(table, tuple(voters_of(table.ballot)))


BREATH, VERDICT, LIT, FALLS, MOVES = 1000, 1500, 900, 1250, 1100
LANDS, SINKS, OVERBOARD_FOR, DROWNS, ROUND = 1000, 1800, 800, 1100, 1100
"""Milliseconds that each picture stays at a calm pace."""
OPEN_AT_LEAST = 1500
"""Minimum milliseconds that all cards of a ballot stay open, at any pace."""

NOTHING, CARDS, EFFECT, SINKINGS, ALL = range(5)
"""How far the log is shown with a picture."""

SceneStep = tuple[BoardState, int, int, int, str]
"""A state, its milliseconds, its minimum milliseconds, how far the log is shown, and the sound."""


def frames(
    before: Seen, after: Seen, played: PlayedAction | None, say: Say, draw: Callable[[BoardState], Pieces]
) -> list[Frame]:
    old, new = before.table, after.table
    steps = list(_steps(old, new, played))
    if not steps:
        return []
    lines = len(words_of(before.game).events(before, after, played, say))
    stages = _lines_by_stage(old, new, lines)
    told = [stages[far] for _, _, _, far, _ in steps]
    told[-1] = lines
    return [
        Frame(partial(draw, shown), stays, least, known, shown.round > 0, shown.counting and not shown.open, sound)
        for (shown, stays, least, _, sound), known in zip(steps, told, strict=True)
    ]


def _lines_by_stage(old: Table, new: Table, lines: int) -> tuple[int, ...]:
    """How many log lines are shown at each stage; what sank and the end of the round or match come last.

    Before its effect a ballot has a line for the cards, one for captains that cancel and one for the count.
    """
    no_changes = old.phase in (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE) and new.phase == Phase.LEAK_BALLOT
    ends = (new.rounds > old.rounds) + (new.phase == Phase.OVER) + no_changes
    sunk = sum(boat.at == At.SUNK != known.at for boat, known in zip(new.boats, old.boats, strict=True))
    by_count = new.ballots > old.ballots and choice_reason(new.ballot) == BY_TIE
    cards = 1 + by_count + bool(by_count and captain_players(new.ballot))
    return 0, min(cards, lines - ends - sunk), lines - ends - sunk, lines - ends, lines


def _steps(old: Table, new: Table, played: PlayedAction | None) -> Iterator[SceneStep]:
    now = old
    if new.ballots > old.ballots:
        now = old._replace(ballot=new.ballot, ballots=new.ballots, captains=new.captains, voted=0, voters=0)
        yield from _reveal_steps(now, forced=_is_forced(old))
    elif played and played.verb == "choose":
        now = old._replace(ballot=new.ballot)
        yield _staged_state(now, lit=_lit_boat(now)), LIT, 0, CARDS, "chosen"
    if new.ballot.chosen and now is not old:
        now = yield from _effect_steps(now, new)
    elif played and played.verb in ("leave", "board"):
        now = _with_change(old, played)
    yield from _end_steps(now, new, played)
    if new.rounds > old.rounds:
        yield resting_state(new)._replace(round=new.rounds), ROUND, 0, ALL, "round"


def _staged_state(table: Table, **more: Any) -> BoardState:
    return resting_state(table)._replace(**{"staged": True, "settled": False, **more})


def _lit_boat(t: Table) -> int:
    """The boat that the ballot chose; in an overboard ballot, the full one."""
    return int(t.ballot.boat if t.ballot.kind == BallotKind.OVERBOARD else t.ballot.chosen)


def _is_forced(old: Table) -> bool:
    """Return whether no one has a choice in a ballot: about the last boat, without a captain in any hand."""
    return sum(boat.at == At.SEA for boat in old.boats) == 1 and not old.target and not any(old.captains)


def _reveal_steps(t: Table, *, forced: bool) -> Iterator[SceneStep]:
    """R9: all cards down, a pause, each turned from the start player's on, and all open to be read.

    `forced`: each voter had only one card, so they are open at once.
    """
    hidden = t._replace(ballot=t.ballot._replace(chosen=0))
    voters = sorted(voters_of(t.ballot), key=lambda seat: (seat - t.starter) % t.players)
    counted = _staged_state(t, counting=True, lit=_lit_boat(t) if t.ballot.chosen else 0)
    if forced or len(voters) == 1:  # the only voter aboard loses a man, whatever the card
        yield counted, VERDICT, OPEN_AT_LEAST, CARDS, "card"
        return
    interval = round(max(430, min(650, 2600 / len(voters))))
    for turned in range(len(voters) + 1):
        shown = BoardState(hidden, tuple(voters[:turned]), staged=True, counting=True, settled=False)
        yield shown, interval if turned else BREATH, 0, NOTHING, "card" if turned else "cards"
    yield counted, VERDICT, OPEN_AT_LEAST, CARDS, "chosen"


def _effect_steps(t: Table, new: Table) -> Generator[SceneStep, None, Table]:
    """Yield the effect of the ballot; return the table after it, before anything sinks."""
    ballot, chosen = new.ballot, new.ballot.chosen - 1
    if ballot.kind == BallotKind.LEAK:
        if new.target:
            yield _staged_state(t._replace(target=new.target), lit=0), LIT, 0, EFFECT, ""
            return t
        t = _with_boat(t, chosen, leaks=t.boats[chosen].leaks + 1)
        yield _staged_state(t), FALLS, 0, EFFECT, "leak"
    elif ballot.kind == BallotKind.OVERBOARD:
        t = yield from _overboard_steps(t, ballot.boat - 1, chosen)
    elif ballot.kind == BallotKind.MOVE:
        t = yield from _move_steps(t, new, chosen)
    return t


def _overboard_steps(t: Table, boat: int, seat: int) -> Generator[SceneStep, None, Table]:
    """R21: a sailor before an officer goes into the water, and the leak takes the seat."""
    rank = SAILOR if t.boats[boat].crew[seat][SAILOR] else OFFICER
    t = _with_man(t, boat, seat, rank, -1)
    swims = _with_swimmer(t, boat, seat, rank)
    if len(voters_of(t.ballot)) > 1:
        yield _staged_state(swims), OVERBOARD_FOR, 0, CARDS, "splash"
    yield _staged_state(swims, drowning=seat), DROWNS, 0, CARDS, "drowning"
    t = _with_boat(_with_lost_man(t, seat, rank), boat, leaks=t.boats[boat].leaks + 1)._replace(target=0)
    yield _staged_state(t), FALLS, 0, EFFECT, "leak"
    return t


def _move_steps(t: Table, new: Table, boat: int) -> Generator[SceneStep, None, Table]:
    """R23, R24: the boat moves on; where it lands, its men walk ashore."""
    lands = new.boats[boat].at == At.ASHORE
    moved = _with_boat(t, boat, row=t.boats[boat].row + (0.7 if lands else 1))
    yield _staged_state(moved, settled=True), MOVES, 0, CARDS if lands else EFFECT, "oars"
    if not lands:
        return moved
    landed = t._replace(boats=_replace_at(t.boats, boat, new.boats[boat]), ashore=new.ashore, arrived=new.arrived)
    yield _staged_state(landed, settled=True), LANDS, 0, EFFECT, "landing"
    return landed


def _with_change(t: Table, played: PlayedAction) -> Table:
    """R26, R28: the table after a man has left a boat, or boarded one, and before any effect."""
    seat = played.seat
    if played.verb == "leave":
        rank, boat = played.indices
        return _with_swimmer(_with_man(t, boat, seat, rank, -1), boat, seat, rank)
    (boat,) = played.indices
    return _with_man(t, boat, seat, t.behind_rank[seat], 1)._replace(behind=_replace_at(t.behind, seat, 0))


def _end_steps(t: Table, new: Table, played: PlayedAction | None) -> Iterator[SceneStep]:
    """R29: men who found no seat are lost. R22: boats with more leaks than men sink."""
    for seat in range(t.players):
        if t.behind[seat] and not new.behind[seat]:
            yield resting_state(t)._replace(drowning=seat), DROWNS, 0, EFFECT, "drowning"
            t = _with_lost_man(t, seat, t.behind_rank[seat])._replace(behind=_replace_at(t.behind, seat, 0))
    sinking = sum(1 << k for k, boat in enumerate(new.boats) if boat.at == At.SUNK and t.boats[k].at == At.SEA)
    if sinking:
        yield resting_state(t)._replace(sinking=sinking), SINKS, 0, SINKINGS, "sinking"


def _replace_at(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _with_boat(t: Table, boat: int, **changes: Any) -> Table:
    return t._replace(boats=_replace_at(t.boats, boat, t.boats[boat]._replace(**changes)))


def _with_man(t: Table, boat: int, seat: int, rank: int, more: int) -> Table:
    crew = t.boats[boat].crew
    ranks = _replace_at(crew[seat], rank, crew[seat][rank] + more)
    return _with_boat(t, boat, crew=_replace_at(crew, seat, ranks))


def _with_swimmer(t: Table, boat: int, seat: int, rank: int) -> Table:
    return t._replace(behind=_replace_at(t.behind, seat, boat + 1), behind_rank=_replace_at(t.behind_rank, seat, rank))


def _with_lost_man(t: Table, seat: int, rank: int) -> Table:
    return t._replace(lost=_replace_at(t.lost, seat, _replace_at(t.lost[seat], rank, t.lost[seat][rank] + 1)))


SOUNDS: Palette = {
    **common_sounds(196),
    "cards": knock(180),
    "card": card(),
    "chosen": (*knock(150), *knock(150, after=130)),
    "leak": (breath(2_600, 900, 180, rise=20), breath(1_400, 500, 500, after=120), tone(620, 240, after=260, to=260)),
    "oars": (
        *knock(130, loudness=0.03),
        breath(500, 950, 420, after=40, rise=160),
        *knock(130, after=520, loudness=0.03),
        breath(500, 950, 420, after=560, rise=160),
    ),
    "landing": (breath(700, 300, 620, rise=200, loudness=0.05), *knock(95, after=420)),
    "splash": splash(1),
    "drowning": (breath(900, 240, 800, rise=120), tone(330, 620, after=160, to=120)),
    "sinking": (*splash(1.6), tone(130, 1_100, after=200, to=52)),
    "round": bell(880, 1_200),
}
