"""Answers ahead: who waits leaves an answer to a coming decision, and the house gives it when he is asked.

It is his decision, made before. Whether it still holds is settled when he is asked, by what his own seat has heard
since he left it; of all that nobody else hears.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tavola.core import CHANCE, Game, Match
from tavola.core.actions import Verb
from tavola.core.text import mark
from tavola.live.log.ballot_window import is_on, lay_ready
from tavola.live.log.budgets import require_log_space
from tavola.live.log.commands import Given, PlayAhead
from tavola.live.log.draft import Draft
from tavola.live.log.events import NewEvent, played_events
from tavola.live.log.people import Person
from tavola.live.log.require import require_match, require_seat
from tavola.live.log.state import AheadAnswer, State
from tavola.live.protocol import AnswerAhead
from tavola.live.room_refusals import DecideFirst, NotAhead
from tavola.show.talk import Known
from tavola.talk.patterns import parse_pattern, pattern_text

MOST_CODES = 8
"""Codes and patterns of one answer."""


def answer_ahead(state: State, command: AnswerAhead, who: Person, given: Given) -> list[NewEvent]:
    """Somebody leaves an answer to a coming decision in place of the one before, or takes it back."""
    require_match(state)
    seat = require_seat(state, who)
    if not command.codes:
        return [ahead_event(seat)] if seat in state.ahead or seat in state.ahead_ended else []
    if state.prompt_id(seat) is not None:
        raise DecideFirst
    if max(len(command.codes), len(command.unless)) > MOST_CODES:
        raise NotAhead(mark("an answer ahead has at most {most} choices, and names as much"), most=MOST_CODES)
    codes = [_clean_code(state, code) for code in command.codes]
    unless = [_clean_pattern(state, text) for text in command.unless]
    known = state.ahead.get(seat)
    if known is not None and (list(known.codes), list(known.unless), known.moments) == (codes, unless, state.moments):
        return []
    require_log_space(state, who)
    return [ahead_event(seat, codes, unless)]


def ahead_event(seat: int, codes: Iterable[str] = (), unless: Iterable[str] = (), **more: Any) -> NewEvent:
    """The word of an answer ahead; without codes there is none any more."""
    return "ahead", {"seat": seat, "codes": list(codes), "unless": list(unless), **more}


def _clean_code(state: State, text: str) -> str:
    game, verbs = state.game, answerable_verbs(state.game)
    number = game.actions.number(text)
    verb = game.actions.verb(number).name
    if verb not in verbs:
        expected = ", ".join(verbs) or "none in this game"
        raise NotAhead(mark("{verb} cannot be answered ahead: expected one of {verbs}"), verb=verb, verbs=expected)
    return game.actions.code(number)


def _clean_pattern(state: State, text: str) -> str:
    verbs = state.game.actions.verb_by_name
    pattern = parse_pattern(text, verbs)
    if pattern.negated:
        raise NotAhead(
            mark("an answer ahead waits for something that is done: expected no “not” before {verb}"), verb=pattern.verb
        )
    return pattern_text(pattern, verbs)


def play_ahead(state: State, command: PlayAhead, given: Given) -> list[NewEvent]:
    """Play the first choice that is allowed; the answer comes to nothing where none is, or it does not hold any more.

    A decision of another kind is left to its person, and the answer goes on waiting.
    """
    seat, answer, match = command.seat, state.ahead.get(command.seat), state.match
    owed = match is not None and not match.open and state.prompt_id(seat) == command.prompt_id
    if answer is None or match is None or not owed or state.occupants[seat].bot_decides:
        return []
    draft, numbers = Draft(match, given.dice, state.reactions), map(state.game.actions.number, answer.codes)
    legal = draft.legal(seat)
    if not is_of_kind(state.game, answer.codes, legal):
        return []
    chosen = next((number for number in numbers if number in legal), None)
    if has_happened(state, seat, answer):
        return [ahead_event(seat, ended="happened")]
    if chosen is None:
        return [ahead_event(seat, ended="illegal")]
    if is_on(state):
        return [*lay_ready(state, seat, [state.game.actions.code(chosen)], given), ahead_event(seat, ended="played")]
    draft.extra_fields[len(draft.actions)] = {"ahead": True}
    draft.play(seat, chosen)
    return played_events(draft)


def has_happened(state: State, seat: int, answer: AheadAnswer) -> bool:
    """True when others, or chance, have done something that an answer names since it was left, as its seat heard."""
    patterns = [parse_pattern(text, state.game.actions.verb_by_name) for text in answer.unless]
    for at in range(answer.moments + 1, state.moments + 1 if patterns else 0):
        heard = state.heard_action(at, seat)
        if heard is not None and heard.seat != seat:
            known = [Known(heard.verb, heard.indices)]
            if any(pattern.fits(known) for pattern in patterns):
                return True
    return False


def ahead_document(state: State, seat: int | None) -> dict[str, Any] | None:
    """Return a seat's answer to a coming decision for its own eyes, as `protocol.StateAhead`; None without one."""
    if seat is None or (seat not in state.ahead and seat not in state.ahead_ended):
        return None
    answer = state.ahead.get(seat, AheadAnswer((), (), 0))
    return {"codes": answer.codes, "unless": answer.unless, "ended": state.ahead_ended.get(seat, "")}


# Kinds of decisions: those with the same verbs, as far as they can be answered before they are asked.


SAMPLES = 4
"""Matches played at random to see what seats are asked."""


def answerable_verbs(game: Game) -> dict[str, Verb]:
    """Return the verbs that may be answered ahead: steps of a plan are no answer by themselves, and races are run."""
    held = {*game.suspense, *game.races, *game.races.values()}
    return {verb.name: verb for verb in game.actions.verbs if not verb.planned and verb.name not in held}


def is_of_kind(game: Game, codes: Iterable[str], numbers: Iterable[int]) -> bool:
    """True when some of these numbers are of a verb of the codes."""
    verbs = {game.actions.verb(game.actions.number(code)).name for code in codes}
    return any(game.actions.verb(number).name in verbs for number in numbers)


def common_answers(game: Game, options: Mapping[str, str]) -> tuple[int, ...]:
    """Return what seats are asked in matches with these options and can be answered ahead, as far as samples show."""
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
