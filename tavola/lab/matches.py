"""Matches of arenas and ladders: every deal is played from every seat, many matches side by side."""

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from tavola.bots.outside.player import OutsidePlayer, finish_match, hear_match
from tavola.core import Game, Match, View, stream
from tavola.games import load
from tavola.lab.entries import BadEntry, Entry
from tavola.lab.talking import Talk, TalkCounts

FIRST_ACTOR_STREAM = 30
"""The stream of a deal's seed that draws the first actor in open decisions."""
TALK_STREAM = 31
"""The stream of a deal's seed that draws the first speaker."""


class MatchResult(msgspec.Struct, frozen=True):
    """One match, by seat: index of its entry, share of the win, place, decisions, and seconds for deciding.

    `reasons`: by seat, the number of replaced decisions of external bots by reason. `talk`: what each seat said, if
    bots talk.
    """

    entries: tuple[int, ...]
    wins: tuple[float, ...]
    places: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    reasons: tuple[dict[str, int], ...]
    talk: tuple[TalkCounts, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """An action from a batch, and its share of the batch's seconds."""

    number: int
    seconds: float


Asked = dict[int, tuple[Entry, View]]
"""By seat, the entry whose batch bot must decide, and what the seat sees."""
Running = Generator[Asked, dict[int, Answer] | None, MatchResult]


def play_deals(
    game: str,
    entries: Sequence[Entry],
    seed: int,
    options: Mapping[str, str],
    deals: Sequence[int],
    *,
    talk: bool = False,
) -> list[MatchResult]:
    """Play deals once per seat, each time with the bots moved by one seat."""
    card, count = load(game), len(entries)
    turns = [tuple((seat + turn) % count for seat in range(count)) for turn in range(count)]
    running = [play_match(card, entries, turn, seed, deal, options, talk=talk) for deal in deals for turn in turns]
    return play_together(running, mix_seed(seed, *deals[:1]))


def play_together(matches: Sequence[Running], seed: int) -> list[MatchResult]:
    """Play matches side by side, to batch the decisions of bots that accept many; return them in order."""
    results, bots = dict[int, MatchResult](), dict[Entry, Any]()
    waiting: dict[int, Asked] = {number: {} for number in range(len(matches))}
    while waiting:
        asked, waiting = waiting, {}
        answers = _ask_all(asked, bots, seed)
        for number in asked:
            try:
                waiting[number] = matches[number].send(answers.get(number))  # None at the beginning
            except StopIteration as over:
                results[number] = over.value
    return [results[number] for number in range(len(matches))]


def _ask_all(asked: Mapping[int, Asked], bots: dict[Entry, Any], seed: int) -> dict[int, dict[int, Answer]]:
    views: dict[Entry, list[tuple[int, int, View]]] = defaultdict(list)
    for number, seats in asked.items():
        for seat, (entry, view) in seats.items():
            views[entry].append((number, seat, view))
    answers: dict[int, dict[int, Answer]] = defaultdict(dict)
    for entry, places in views.items():
        bot = bots.get(entry) or bots.setdefault(entry, entry.bot(seed))
        begun = perf_counter()
        chosen = _choose_many(entry, bot, [view for _, _, view in places])
        part = (perf_counter() - begun) / len(places)
        for (number, seat, _), action in zip(places, chosen, strict=True):
            answers[number][seat] = Answer(action, part)
    return answers


def _choose_many(entry: Entry, bot: Any, views: list[View]) -> list[int]:
    try:
        chosen = [int(number) for number in bot.choose_many(views)]
    except Exception as error:
        raise BadEntry(f"{entry}: expected actions for {len(views)} views, {type(error).__name__}: {error}") from error
    for view, number in zip(views, chosen, strict=False):
        if number not in view.legal:
            raise BadEntry(f"{entry}: expected one of {view.legal[:12]} for seat {view.seat}, found {number}")
    if len(chosen) != len(views):
        raise BadEntry(f"{entry}: expected actions for {len(views)} views, found {len(chosen)}")
    return chosen


def play_match(
    game: Game,
    entries: Sequence[Entry],
    seated: tuple[int, ...],
    seed: int,
    deal: int,
    options: Mapping[str, str],
    *,
    talk: bool = False,
) -> Running:
    """Play one match; `seated` is the entry of each seat. Simultaneous decisions all see the state before any of them.

    In open decisions the first actor is drawn by lot. With `talk`, bots talk before they decide. Yields the seats that
    batch bots must decide for, and receives their answers.
    """
    match = Match(game, options, mix_seed(seed, deal))
    bots: list[Any] = [
        None if entries[entry].target else entries[entry].bot(mix_seed(seed, deal, seat, entry))
        for seat, entry in enumerate(seated)
    ]
    decisions, seconds = [0] * len(seated), [0.0] * len(seated)
    table = Talk(match, bots) if talk else None
    play = match.play if table is None else table.play
    while match.to_act:
        if table is not None:
            table.open_decision(stream(mix_seed(seed, deal, TALK_STREAM), len(match.history)))
        first = match.actor(stream(mix_seed(seed, deal, FIRST_ACTOR_STREAM), len(match.history)))
        views = {seat: match.view(seat) for seat in ((first,) if match.open else match.to_act)}
        answers = dict[int, Answer]()
        if asked := {seat: (entries[seated[seat]], view) for seat, view in views.items() if bots[seat] is None}:
            answers.update((yield asked) or {})
        for seat in views.keys() - asked.keys():
            hear_match(bots[seat], match, seat)
        for seat, view in views.items():
            if seat not in asked:
                begun = perf_counter()
                number = bots[seat].choose(view) if table is None else table.choose(seat)
                answers[seat] = Answer(number, perf_counter() - begun)
        for seat in views:
            seconds[seat] += answers[seat].seconds
            decisions[seat] += 1
            play(answers[seat].number, seat)
    return _result(match, seated, bots, decisions, seconds, table)


def _result(
    match: Match, seated: tuple[int, ...], bots: Sequence[Any], decisions: list[int], seconds: list[float], table: Any
) -> MatchResult:
    for seat, played in enumerate(bots):
        finish_match(played, match, seat)
    result = match.score()
    return MatchResult(
        entries=seated,
        wins=tuple((place == 1) / len(result.winners) for place in result.ranks),
        places=result.ranks,
        decisions=tuple(decisions),
        seconds=tuple(seconds),
        reasons=tuple(dict(played.reasons) if isinstance(played, OutsidePlayer) else {} for played in bots),
        talk=() if table is None else table.counts(),
    )


def mix_seed(*numbers: int) -> int:
    """Return a seed mixed from several numbers by NumPy's `SeedSequence`."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0]) & 0x7FFFFFFFFFFFFFFF
