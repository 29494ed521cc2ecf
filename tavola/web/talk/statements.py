"""Statements in the column of talk: each a sentence in the reader's language, with what became of it."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from tavola.live import ChatLine, Room
from tavola.live.voices import Voiced, line, voices
from tavola.show.speech import Say, mark
from tavola.talk import Act, BadStatement, Conversation, Said, Statement, Status, Teller
from tavola.web.render import render_fragment
from tavola.web.table.player_panels import with_seals
from tavola.web.talk.gestures import ACT_GESTURES, chat_markup
from tavola.web.talk.words_given import VERDICTS, ringed, word_of

COLUMN_LINES = 100
"""Lines that the column of talk has at most."""
STATUS_WORDS: Mapping[Status, tuple[str, str]] = {
    Status.ACCEPTED: ("＋", mark("agreed")),
    Status.DECLINED: ("−", mark("declined")),
    Status.WITHDRAWN: ("↶", mark("taken back")),
    Status.KEPT: ("✓", mark("kept")),
    Status.BROKEN: ("✕", mark("broken")),
}
"""What became of a statement: a sign and a word; of others nothing is told."""
ANSWERS: Mapping[Act, str] = {
    Act.ACCEPT: mark("Agree"),
    Act.DECLINE: mark("Decline"),
    Act.WITHDRAW: mark("Take back"),
}
"""The answers that a seat may give by one touch."""


def talk_column(room: Room, known: Mapping[str, str], say: Say, log_say: Say) -> dict[str, str]:
    """Return the last lines of talk that everybody reads, by id and in order; what is `known` is not written anew."""
    lines = public_statements(room, say, log_say)
    for said in room.state.chat[-COLUMN_LINES:]:
        name = chat_line_id(said)
        lines[name] = said.at, known.get(name) or chat_markup(said, name, say)
    latest = sorted(lines.items(), key=lambda named: named[1][0])[-COLUMN_LINES:]
    return {name: written for name, (_, written) in latest}


def public_statements(room: Room, say: Say, log_say: Say) -> dict[str, tuple[float, str]]:
    """Return the lines that everybody reads of all statements, by id, each with when it was made."""
    talk, state = room.state.talk, room.state
    if talk is None:
        return {}
    tell, heard, voiced = Teller(talk.language, log_say), state.heard_statements(None), voices(state)
    return {
        f"statement-{said.number}": (
            at,
            _line(said, talk, tell, say, voiced.get(said.number), heard=heard[said.number], answers=Markup()),
        )
        for said, at in zip(talk.said, state.statement_times, strict=True)
    }


def own_statements(room: Room, say: Say, log_say: Say, seat: int | None) -> dict[str, str]:
    """Return the lines that read otherwise for a seat, by id: what was whispered to it, and what it may answer."""
    talk = room.state.talk
    if talk is None or seat is None:
        return {}
    tell, voiced, lines = Teller(talk.language, log_say), voices(room.state), {}
    for said in talk.said:
        answers = Markup().join(_answers(room, talk, said, say, seat))
        if said.is_heard_by(seat) and (answers or said.statement.is_whispered):
            lines[f"statement-{said.number}"] = _line(
                said, talk, tell, say, voiced.get(said.number), heard=True, answers=answers
            )
    return lines


def _line(
    said: Said, talk: Conversation, tell: Teller, say: Say, voiced: Voiced | None, *, heard: bool, answers: Markup
) -> str:
    spoken, character = said.statement, (voiced or Voiced()) if heard else Voiced()
    sentence = with_seals(tell.statement(said, talk, spoken.speaker if heard else None, heard=heard))
    sign, word = STATUS_WORDS.get(said.status, ("", "")) if heard and said.status is not None else ("", "")
    values = {
        "number": said.number,
        "speaker": spoken.speaker,
        "sentence": sentence,
        "token": _token(said, talk) if heard else Markup(),
        "sign": sign,
        "word": word and say(word),
        "voice": line(character.said, say),
        "verdict_voice": line(character.judged, say),
        "gesture": ACT_GESTURES.get(spoken.act, "") if heard else "",
    }
    return render_fragment("statement.html", **values, status=said.status or "", answers=answers)


def _token(said: Said, talk: Conversation) -> Markup:
    """Return the token of what is said or agreed to, with what has become of it, as it lies at the seat."""
    word = word_of(said, talk) or (said.statement if said.statement.answers is None else None)
    state = said.status if said.status in (*VERDICTS, Status.VOID) else ""
    return ringed(word, talk.language, str(state or "")) if word is not None else Markup()


def _answers(room: Room, talk: Conversation, said: Said, say: Say, seat: int) -> Iterator[Markup]:
    """Yield a form for each answer that a seat may give to a statement now."""
    if room.state.phase != "playing" or said.status not in (Status.OPEN, Status.ACCEPTED):
        return
    for act, label in ANSWERS.items():
        try:
            talk.require(Statement(seat, act, answers=said.number), room.view(None))
        except BadStatement:
            continue
        values = {"code": room.id, "act": act, "number": said.number, "label": say(label)}
        yield Markup(render_fragment("answer.html", **values))


def chat_line_id(said: ChatLine) -> str:
    """The name of a line of chat: places move when old lines are forgotten, times do not."""
    return f"chat-{said.at * 1e6:.0f}"
