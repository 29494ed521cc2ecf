"""Statements as programs and people get them: what one seat has heard, and what became of it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tavola.live.log.state import State
from tavola.live.voices import Voiced, line, voices
from tavola.show.speech import Say
from tavola.talk import Conversation, Said, Teller, statement_texts

STATEMENTS_SENT = 20
"""The last statements in a state, beside those of which something can still become."""


def statement_documents(state: State, seat: int | None) -> list[dict[str, Any]]:
    """Return the statements of late as a seat, or a spectator, heard them: see `protocol.StateStatement`."""
    voiced = voices(state)
    return [_document(said, talk, heard, _voiced(voiced, said, heard)) for said, talk, heard in _recent(state, seat)]


def statement_sentences(state: State, seat: int | None, language: str) -> list[dict[str, Any]]:
    """Return the same in sentences of a language: see `protocol.SpokenStatement`."""
    if state.talk is None:
        return []
    say = Say.of(state.game, language, state.names)
    tell, voiced = Teller(state.talk.language, say), voices(state)
    return [
        {
            "voice": line(_voiced(voiced, said, heard).said, say),
            "verdict_voice": line(_voiced(voiced, said, heard).judged, say),
            "number": said.number,
            "text": tell.statement(said, talk, seat, heard=heard),
            "status": said.status if heard else None,
        }
        for said, talk, heard in _recent(state, seat)
    ]


def _recent(state: State, seat: int | None) -> Iterator[tuple[Said, Conversation, bool]]:
    """Yield what was said of late, or stands, each with whether the seat knows what it was."""
    if state.talk is None:
        return
    heard = state.heard_statements(seat)
    first = len(state.talk.said) - STATEMENTS_SENT
    for said in state.talk.said:
        if said.number > first or (said.is_standing and heard[said.number]):
            yield said, state.talk, heard[said.number]


def _voiced(voiced: Mapping[int, Voiced], said: Said, heard: bool) -> Voiced:
    """Return the lines beside a statement, as far as it was heard."""
    return voiced.get(said.number, Voiced()) if heard else Voiced()


def _document(said: Said, talk: Conversation, heard: bool, voiced: Voiced) -> dict[str, Any]:
    spoken = said.statement
    texts = (
        msgspec.structs.asdict(statement_texts(spoken, talk.language))
        if heard
        else dict.fromkeys(("deed", "condition", "fact"), "")
    )
    return {
        "number": said.number,
        "speaker": spoken.speaker,
        "moment": said.moment,
        "whispered": spoken.is_whispered,
        "act": texts.get("act"),
        "to": spoken.to,
        "deed": texts["deed"],
        "condition": texts["condition"],
        "fact": texts["fact"],
        "about": texts.get("about"),
        "answers": texts.get("answers"),
        "status": said.status if heard else None,
        "voice": voiced.said,
        "verdict_voice": voiced.judged,
    }
