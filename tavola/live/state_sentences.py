"""A room in sentences, in the game's own words: prompts, legal actions, what has happened since, and statements.

Everything that people, programs and pages receive about statements is made from `known_statements`. It leaves out what
a reader did not hear, so nothing made from it can leak a whisper.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from tavola.core import Match, Moment, View, kernels
from tavola.live.bots.voices import Voiced, line, voices
from tavola.live.log.state import State
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.talk import Said, Teller, statement_texts

START = Moment(0)
LINES_AT_FIRST = 20
"""Maximum log lines for a client that connects during a match."""


def sentences(state: State, seat: int | None, language: str, since: Moment = START) -> dict[str, Any]:
    """Return the prompt, table, legal actions, log lines since a moment and statements for a seat or a spectator."""
    if state.match is None:
        return {"prompt": "", "table": [], "legal": [], "told": [], "statements": []}
    say = Say.of(state.game, language, state.names)
    told = list(told_since(state.match, seat, say, since))
    return {
        **view_sentences(state.view(seat), say),
        "told": told if since > START else told[-LINES_AT_FIRST:],
        "statements": statement_sentences(state, seat, language),
    }


def _days(count: int) -> str:
    return f"{count} {'day' if count == 1 else 'days'}"


def decision_time(settings: Mapping[str, Any]) -> str:
    """Return in English the time limit of a decision, from the `settings` of a state."""
    days, seconds, bank = settings["days"], settings["patience"], settings["bank"]
    if days:
        bank = settings.get("bank_days")  # which servers of release 0.3 don't send
        return f"{_days(days)} per decision" + (f", plus a time bank of {_days(bank)}" if bank else "")
    if not seconds:
        return "no limit"
    return f"{seconds} s per decision" + (f", plus a {bank / 60:.3g} min time bank" if bank else "")


def view_sentences(view: View, say: Say) -> dict[str, Any]:
    """Return the prompt of a view's seat, the table as lines of text, and the legal actions."""
    words, code = words_of(view.game), view.game.actions.code
    return {
        "prompt": words.prompt(view, say),
        "table": words.table(view, say),
        "legal": [{"code": code(number), "text": words.action(view, number, say)} for number in view.legal],
    }


def told_since(match: Match, seat: int | None, say: Say, since: Moment, most: int | None = None) -> Iterator[str]:
    """Yield the log lines of each action since a moment, or of the first `most`, as a seat saw and heard them.

    They call the seat *you*; those of a spectator, whom `say` names.
    """
    game, states = match.game, match.states_at(since.actions)
    say = say if seat is None else say.to_reader(seat)
    before: View = View(game, states, seat)
    for actor, number in match.history[since.actions :][:most]:
        kernels.apply_at(states, 0, actor, number)
        after: View = View(game, states, seat)
        heard = game.observe_action(actor, number, seat)
        if heard is not None or after != before:  # others get no lines for unnoticed steps
            yield from words_of(game).events(before, after, heard, say)
        before = after


def bot_decision_lines(state: State, seat: int, reader: int | None, say: Say) -> list[str]:
    """Return log lines of the last decision that a bot made for a late person, as a seat or a spectator heard it.

    Empty if it is secret to the reader, or has not been made yet.
    """
    if (made := state.bot_decisions.get(seat)) is None or state.match is None:
        return []
    lines = list[str]()
    for place in made.actions:
        lines += told_since(state.match, reader, say, Moment(place), 1)
    return lines


def refusal_reason(state: State, seat: int | None, code: str, language: str) -> str:
    """Return why the rules forbid a code now, with the paragraph; empty if they are not the reason."""
    if state.match is None or code not in state.game.actions.codes:
        return ""
    say = Say.of(state.game, language, state.names)
    return str(words_of(state.game).refusal(state.view(seat), state.game.actions.number(code), say))


STATEMENTS_SENT = 20
"""Maximum settled statements in a state, besides those that can still change."""


class KnownStatement(NamedTuple):
    """A statement as far as a reader knows it; of an unheard whisper, only the two seats.

    `said`: the statement, or None if the reader did not hear it. `moments`: public actions before it. `at`: when it
    was made, in seconds since 1970. `voiced`: the bot's lines that go with it.
    """

    number: int
    speaker: int
    to: int | None
    moments: int
    at: float
    said: Said | None
    voiced: Voiced = Voiced()


def known_statements(state: State, seat: int | None) -> list[KnownStatement]:
    """Return all statements as a seat or a spectator knows them; after the match they are all public."""
    if state.talk is None:
        return []
    found, voiced = [], voices(state)
    for said, at in zip(state.talk.said, state.statement_times, strict=True):
        spoken, moments = said.statement, state.number_of(said.moment)
        outside = KnownStatement(said.number, spoken.speaker, spoken.to, moments, at, None)
        heard = state.phase == "over" or said.is_heard_by(seat)
        found.append(outside._replace(said=said, voiced=voiced.get(said.number, Voiced())) if heard else outside)
    return found


def statement_documents(state: State, seat: int | None) -> list[dict[str, Any]]:
    """Return the recent statements that a seat or a spectator knows, as `server_messages.StateStatement`."""
    return [_document(state, known) for known in _recent(state, seat)]


def statement_sentences(state: State, seat: int | None, language: str) -> list[dict[str, Any]]:
    """Return the same statements as sentences in a language, as `server_messages.SpokenStatement`."""
    if state.talk is None:
        return []
    say = Say.of(state.game, language, state.names)
    tell = Teller(state.talk.language, say)
    return [
        {
            "voice": line(known.voiced.said, say, known.said.statement.about if known.said is not None else None),
            "verdict_voice": line(known.voiced.judged, say),
            "number": known.number,
            "text": known_sentence(state, known, tell),
            "status": known.said and known.said.status,
        }
        for known in _recent(state, seat)
    ]


def known_sentence(state: State, known: KnownStatement, tell: Teller) -> str:
    """Return a statement as a sentence, or a sentence that one seat whispers to another."""
    if known.said is not None and state.talk is not None:
        return tell.statement(known.said, state.talk)
    assert known.to is not None, "a whisper goes to one seat"
    return tell.whisper(known.speaker, known.to)


def _recent(state: State, seat: int | None) -> list[KnownStatement]:
    found = known_statements(state, seat)
    first = len(found) - STATEMENTS_SENT
    return [known for known in found if known.number > first or (known.said is not None and known.said.is_standing)]


def _document(state: State, known: KnownStatement) -> dict[str, Any]:
    said, texts = known.said, dict[str, Any]()
    if said is not None and state.talk is not None:
        texts = msgspec.structs.asdict(statement_texts(said.statement, state.talk.language))
    return {
        "number": known.number,
        "speaker": known.speaker,
        "moment": known.moments,
        "whispered": said is None or said.statement.is_whispered,
        "act": texts.get("act"),
        "to": known.to,
        "deed": texts.get("deed", ""),
        "condition": texts.get("condition", ""),
        "fact": texts.get("fact", ""),
        "about": texts.get("about"),
        "answers": texts.get("answers"),
        "status": said and said.status,
        "voice": known.voiced.said,
        "verdict_voice": known.voiced.judged,
    }
