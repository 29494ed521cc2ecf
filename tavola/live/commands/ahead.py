"""Answers ahead: a player leaves an answer to a coming decision, and the server plays it when the decision opens.

Whether the answer still applies is checked then, only against what its own seat has heard since it was left. Other
seats never learn of it.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tavola.core import CHANCE, Game, Match
from tavola.core.actions import Verb
from tavola.core.text import mark
from tavola.live.commands.ballot_window import is_on, store_choice
from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.require import require_player
from tavola.live.log.budgets import require_log_space
from tavola.live.log.draft import Draft
from tavola.live.log.events import NewEvent, played_events
from tavola.live.log.people import Person
from tavola.live.log.state import AheadAnswer, State
from tavola.live.protocol import MOST_ANSWERS, AnswerAhead
from tavola.live.room_refusals import DecideFirst, NotAhead
from tavola.show.talk import Known
from tavola.talk.patterns import parse_pattern, pattern_text

MOST_CODES = 8
"""Maximum codes of one answer, and maximum patterns."""


def answer_ahead(state: State, command: AnswerAhead, who: Person, given: Given) -> list[NewEvent]:
    """Store a person's answer to a coming decision in its place; without codes, take it back."""
    seat, place = require_player(state, who), command.place
    known = state.ahead.get(seat, {}).get(place)
    if not command.codes:
        return [ahead_event(seat, place)] if known is not None or seat in state.ahead_ended else []
    if state.prompt_id(seat) is not None:
        raise DecideFirst
    if max(len(command.codes), len(command.unless), len(command.when)) > MOST_CODES:
        raise NotAhead(mark("an answer ahead can have up to {most} choices and as many conditions"), most=MOST_CODES)
    codes = tuple(_clean_code(state, code) for code in command.codes)
    unless, when = (tuple(_clean_pattern(state, text) for text in texts) for texts in (command.unless, command.when))
    events = [ahead_event(seat, at, [code]) for at, code in _run(state, seat, command)]
    if known != AheadAnswer(codes, unless, when, state.moments):
        events.insert(0, ahead_event(seat, place, codes, unless, when))
    if events:
        require_log_space(state, who)
    return events


def _run(state: State, seat: int, command: AnswerAhead) -> Iterator[tuple[int, str]]:
    """Return the places and codes of the decisions after the first."""
    free = [place for place in range(command.place + 1, MOST_ANSWERS + 1) if place not in state.ahead.get(seat, {})]
    if len(free) < len(command.then):
        raise NotAhead(mark("a seat can have up to {most} answers ahead"), most=MOST_ANSWERS)
    return zip(free, [_clean_code(state, code) for code in command.then], strict=False)


def ahead_event(
    seat: int, place: int, codes: Iterable[str] = (), unless: Iterable[str] = (), when: Iterable[str] = (), **more: Any
) -> NewEvent:
    """Return the event of an answer ahead; without codes, the event that empties its place."""
    lists = {"codes": list(codes), "unless": list(unless), "when": list(when)}
    return "ahead", {"seat": seat, "place": place, **lists, **more}


def _clean_code(state: State, text: str) -> str:
    game, verbs = state.game, answerable_verbs(state.game)
    number = game.actions.number(text)
    verb = game.actions.verb(number).name
    if verb not in verbs:
        expected = ", ".join(verbs) or "none in this game"
        raise NotAhead(mark("{verb} can’t be answered ahead (possible here: {verbs})"), verb=verb, verbs=expected)
    return game.actions.code(number)


def _clean_pattern(state: State, text: str) -> str:
    verbs = state.game.actions.verb_by_name
    pattern = parse_pattern(text, verbs)
    if pattern.negated:
        raise NotAhead(
            mark("an answer ahead waits for something to happen: leave out “not” before {verb}"), verb=pattern.verb
        )
    return pattern_text(pattern, verbs)


class PlayAhead(ServerCommand, frozen=True):
    """The play of a seat's answer ahead, if the seat still owes the decision `prompt_id`.

    It plays the first legal choice of the first answer that fits, and ends those before it that no longer apply.
    Answers to decisions of another kind stay, and those whose `when` has not happened. Without an answer that fits, the
    decision is left to its player.
    """

    seat: int
    prompt_id: int

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        seat, match = self.seat, state.match
        owed = match is not None and not match.open and state.prompt_id(seat) == self.prompt_id
        if match is None or not owed or state.occupants[seat].bot_decides:
            return []
        draft, ended = Draft(match, given.dice, state.reactions), list[NewEvent]()
        legal = draft.legal(seat)
        for place, answer in sorted(state.ahead.get(seat, {}).items()):
            waits = answer.when and not has_heard(state, seat, answer, answer.when)
            if waits or not answer.is_of_kind(state.game, legal):
                continue
            chosen = next((number for number in map(state.game.actions.number, answer.codes) if number in legal), None)
            if has_heard(state, seat, answer, answer.unless):
                ended.append(ahead_event(seat, place, ended="happened"))
            elif chosen is None:
                ended.append(ahead_event(seat, place, ended="illegal"))
            else:
                return ended + _played(state, seat, place, chosen, draft, given)
        return ended


def _played(state: State, seat: int, place: int, chosen: int, draft: Draft, given: Given) -> list[NewEvent]:
    if is_on(state):
        return store_choice(state, seat, [state.game.actions.code(chosen)], given, ahead=place)
    draft.extra_fields[len(draft.actions)] = {"ahead": place}
    draft.play(seat, chosen)
    return played_events(draft)


def has_heard(state: State, seat: int, answer: AheadAnswer, texts: Iterable[str]) -> bool:
    """Return whether the seat has heard others, or chance, do what one of the patterns describes, since the answer."""
    patterns = [parse_pattern(text, state.game.actions.verb_by_name) for text in texts]
    heard = (state.heard_action(at, seat) for at in range(answer.moments + 1, state.moments + 1 if patterns else 0))
    known = (Known(each.verb, each.indices) for each in heard if each is not None and each.seat != seat)
    return any(pattern.fits([each]) for each in known for pattern in patterns)


def ahead_document(state: State, seat: int | None) -> dict[str, Any] | None:
    """Return a seat's answer ahead as `protocol.StateAhead`, only for that seat; None if it has none."""
    if seat is None or (seat not in state.ahead and seat not in state.ahead_ended):
        return None
    answers = [
        {"place": place, "codes": answer.codes, "unless": answer.unless, "when": answer.when}
        for place, answer in sorted(state.ahead.get(seat, {}).items())
    ]
    return {"answers": answers, "ended": state.ahead_ended.get(seat, "")}


SAMPLES = 4
"""Random matches played to find the actions that seats are asked for."""


def answerable_verbs(game: Game) -> dict[str, Verb]:
    """Return the verbs that can be answered ahead: not steps of a plan, nor anything held or raced."""
    held = {*game.suspense, *game.races, *game.races.values()}
    return {verb.name: verb for verb in game.actions.verbs if not verb.planned and verb.name not in held}


def common_answers(game: Game, options: Mapping[str, str]) -> tuple[int, ...]:
    """Return the actions that can be answered ahead in matches with these options, as far as samples show."""
    return _sampled(game, tuple(sorted(options.items())))


@lru_cache(64)
def _sampled(game: Game, options: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    dice, verbs, found = random.Random(1), answerable_verbs(game), set[int]()
    for _ in range(SAMPLES if verbs else 0):
        match = Match(game, dict(options))
        while not match.over:
            seat = dice.choice(match.to_act)
            legal = match.legal_numbers(seat)
            if seat != CHANCE and not match.open:
                found.update(number for number in legal if game.actions.verb(number).name in verbs)
            match.play(dice.choice(legal), seat)
    return tuple(sorted(found))
