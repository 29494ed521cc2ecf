"""Answers ahead: a player leaves an answer to a coming decision, and the server plays it when the decision opens.

Whether the answer still applies is checked then, only against what its own seat has heard since it was left. Other
seats never learn of it.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tavola.core import CHANCE, Game, Match
from tavola.core.actions import Verb
from tavola.core.text import mark
from tavola.live.commands.ballot_window import is_on, store_choice
from tavola.live.commands.commands import Given, PlayAhead
from tavola.live.commands.require import require_match, require_seat
from tavola.live.log.budgets import require_log_space
from tavola.live.log.draft import Draft
from tavola.live.log.events import NewEvent, played_events
from tavola.live.log.people import Person
from tavola.live.log.state import AheadAnswer, State
from tavola.live.protocol import AnswerAhead
from tavola.live.room_refusals import DecideFirst, NotAhead
from tavola.show.talk import Known
from tavola.talk.patterns import parse_pattern, pattern_text

MOST_CODES = 8
"""Maximum codes of one answer, and maximum patterns."""


def answer_ahead(state: State, command: AnswerAhead, who: Person, given: Given) -> list[NewEvent]:
    """Store a person's answer to a coming decision in place of the one before; without codes, take it back."""
    require_match(state)
    seat = require_seat(state, who)
    if not command.codes:
        return [ahead_event(seat)] if seat in state.ahead or seat in state.ahead_ended else []
    if state.prompt_id(seat) is not None:
        raise DecideFirst
    if max(len(command.codes), len(command.unless)) > MOST_CODES:
        raise NotAhead(mark("an answer ahead can have up to {most} choices and as many conditions"), most=MOST_CODES)
    codes = [_clean_code(state, code) for code in command.codes]
    unless = [_clean_pattern(state, text) for text in command.unless]
    known = state.ahead.get(seat)
    if known is not None and (list(known.codes), list(known.unless), known.moments) == (codes, unless, state.moments):
        return []
    require_log_space(state, who)
    return [ahead_event(seat, codes, unless)]


def ahead_event(seat: int, codes: Iterable[str] = (), unless: Iterable[str] = (), **more: Any) -> NewEvent:
    """Return the event of an answer ahead; without codes, the event that removes it."""
    return "ahead", {"seat": seat, "codes": list(codes), "unless": list(unless), **more}


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


def play_ahead(state: State, command: PlayAhead, given: Given) -> list[NewEvent]:
    """Play the first legal choice; end the answer if there is none, or if it no longer applies.

    A decision of another kind is left to its player, and the answer stays.
    """
    seat, answer, match = command.seat, state.ahead.get(command.seat), state.match
    owed = match is not None and not match.open and state.prompt_id(seat) == command.prompt_id
    if answer is None or match is None or not owed or state.occupants[seat].bot_decides:
        return []
    draft, numbers = Draft(match, given.dice, state.reactions), map(state.game.actions.number, answer.codes)
    legal = draft.legal(seat)
    if not answer.is_of_kind(state.game, legal):
        return []
    chosen = next((number for number in numbers if number in legal), None)
    if has_happened(state, seat, answer):
        return [ahead_event(seat, ended="happened")]
    if chosen is None:
        return [ahead_event(seat, ended="illegal")]
    if is_on(state):
        return [*store_choice(state, seat, [state.game.actions.code(chosen)], given), ahead_event(seat, ended="played")]
    draft.extra_fields[len(draft.actions)] = {"ahead": True}
    draft.play(seat, chosen)
    return played_events(draft)


def has_happened(state: State, seat: int, answer: AheadAnswer) -> bool:
    """Return whether the seat has heard others, or chance, do something that the answer excludes since it was left."""
    patterns = [parse_pattern(text, state.game.actions.verb_by_name) for text in answer.unless]
    for at in range(answer.moments + 1, state.moments + 1 if patterns else 0):
        heard = state.heard_action(at, seat)
        if heard is not None and heard.seat != seat:
            known = [Known(heard.verb, heard.indices)]
            if any(pattern.fits(known) for pattern in patterns):
                return True
    return False


def ahead_document(state: State, seat: int | None) -> dict[str, Any] | None:
    """Return a seat's answer ahead as `protocol.StateAhead`, only for that seat; None if it has none."""
    if seat is None or (seat not in state.ahead and seat not in state.ahead_ended):
        return None
    answer = state.ahead.get(seat, AheadAnswer((), (), 0))
    return {"codes": answer.codes, "unless": answer.unless, "ended": state.ahead_ended.get(seat, "")}


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
