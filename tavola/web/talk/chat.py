"""The talk column: free text, gestures, and statements with their outcomes, in the reader's language."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from tavola.core.text import isolated
from tavola.live import ChatLine, Room
from tavola.live.bots.voices import line, remarks
from tavola.live.log.state import State
from tavola.live.state_sentences import KnownStatement, known_sentence, known_statements
from tavola.show.speech import Say, mark
from tavola.talk import Act, BadStatement, Conversation, Said, Statement, Status, Teller
from tavola.web.render import render_fragment
from tavola.web.table.player_panels import name_with_seal, with_seals
from tavola.web.talk.promises import VERDICTS, promise_of, ringed

GESTURE_WORDS: Mapping[str, str] = {
    "praise": mark("Well played"),
    "thanks": mark("Thank you"),
    "laugh": mark("Ha!"),
    "wonder": mark("Hmm…"),
    "sorry": mark("Sorry"),
    "remember": mark("I’ll remember that"),
}
"""Labels of the gestures that people make."""
TABLE_WORDS: Mapping[str, str] = {
    "aside": mark("A bot is playing for me"),
    "back": mark("I’m playing again"),
    "missed": mark("My time ran out: a bot decides this once"),
    "kept": mark("A bot has my seat until I’m back"),
    "undo": mark("I’d like to undo my last decision"),
    "denied": mark("I’d rather not undo it"),
    "undone": mark("I’ve undone my last decision"),
}
"""Lines for a seat whose player lets a bot decide, is late, decides again, or takes a decision back."""
ACT_GESTURES: Mapping[Act, str] = {Act.DECLINE: "refuses", Act.THANK: "thanks"}
"""Gestures with which statements are shown at the speaker's seat."""
SIGN = Markup('<svg class="gesture" viewBox="0 0 48 48" aria-hidden="true"><use href="#gesture-{}"/></svg>')
LINE = Markup('<li id="{}" data-speaker="{}" data-gesture="{}"><span class="speaker">{}</span> {}{}</li>')
VOICE = Markup('<em class="voice">{}</em>')
WATCHING = Markup('<span class="facts">({})</span> ')


def chat_markup(said: ChatLine, name: str, say: Say) -> Markup:
    """Return a line of chat; `name` is the element's id. Free text is shown as written, gestures in words."""
    watching = WATCHING.format(say("watching")) if said.seat is None else ""
    if said.gesture in TABLE_WORDS:
        words = say(TABLE_WORDS[said.gesture])
        return LINE.format(name, said.seat, "", name_with_seal(said.seat, said.name), "", words)
    shown = isolated(said.text)
    if said.gesture:
        shown = Markup("{} {}").format(SIGN.format(said.gesture), say(GESTURE_WORDS.get(said.gesture, said.gesture)))
    seat = "" if said.seat is None else said.seat
    return LINE.format(name, seat, said.gesture, name_with_seal(said.seat, said.name), watching, shown)


WHISPERING = Markup('<li id="{}" class="statement whispering">{}</li>')


class Whisper(NamedTuple):
    """A whisper that a reader has not heard: only the seats are known."""

    speaker: int
    to: int | None


COLUMN_LINES = 100
"""Maximum lines in the talk column."""
STATUS_WORDS: Mapping[Status, tuple[str, str]] = {
    Status.ACCEPTED: ("＋", mark("agreed")),
    Status.DECLINED: ("−", mark("declined")),
    Status.WITHDRAWN: ("↶", mark("withdrawn")),
    Status.KEPT: ("✓", mark("kept")),
    Status.BROKEN: ("✕", mark("broken")),
}
"""Sign and word for the outcome of a statement; other outcomes are not shown."""
ANSWERS: Mapping[Act, str] = {Act.ACCEPT: mark("Agree"), Act.DECLINE: mark("Decline"), Act.WITHDRAW: mark("Withdraw")}
"""Answers that a seat can give with one press."""


def talk_column(room: Room, before: Mapping[str, str], say: Say, log_say: Say) -> dict[str, str | Whisper]:
    """Return the last public lines of talk in order, by id; lines of chat in `before` are not rendered again."""
    lines: dict[str, tuple[float, str | Whisper]] = {
        _line_id(one): (one.at, _line(room.state, one, say, log_say) if one.said else Whisper(one.speaker, one.to))
        for one in known_statements(room.state, None)
    }
    for one in remarks(room.state):
        name = f"remark-{one.number}"
        speaker, words = name_with_seal(one.seat, log_say.name(one.seat)), VOICE.format(line(one.key, say))
        lines[name] = one.at, before.get(name) or LINE.format(name, one.seat, "", speaker, "", words)
    for said in room.state.chat_for(())[-COLUMN_LINES:]:
        name = chat_line_id(said)
        lines[name] = said.at, before.get(name) or chat_markup(said, name, say)
    latest = sorted(lines.items(), key=lambda named: named[1][0])[-COLUMN_LINES:]
    return {name: written for name, (_, written) in latest}


def folded(column: Mapping[str, str | Whisper], say: Say, log_say: Say) -> dict[str, str]:
    """Return a column in which whispers that follow one another are one line, by the id of the first of them."""
    lines, pairs, first = dict[str, str](), list[Whisper](), ""
    for name, said in column.items():
        if isinstance(said, str):
            lines[name], pairs = said, []
            continue
        first = first if pairs else name
        pairs.append(said)
        seats = dict.fromkeys(seat for pair in pairs for seat in (pair.speaker, pair.to) if seat is not None)
        told = say("{names} are whispering.", names=log_say.listing([log_say.name(seat) for seat in seats]))
        lines[first] = WHISPERING.format(first, with_seals(told))
    return lines


def own_statements(room: Room, say: Say, log_say: Say, seat: int | None) -> dict[str, str]:
    """Return the lines that a seat reads differently, by id: whispers to it, and statements that it can answer."""
    if room.state.talk is None or seat is None:
        return {}
    lines = {}
    for known in known_statements(room.state, seat):
        answers = Markup().join(_answers(room, known.said, say, seat)) if known.said is not None else Markup()
        if known.said is not None and (answers or known.said.statement.is_whispered):
            lines[_line_id(known)] = _line(room.state, known, say, log_say, answers)
    return lines


def _line_id(known: KnownStatement) -> str:
    return f"statement-{known.number}"


def _line(state: State, known: KnownStatement, say: Say, log_say: Say, answers: str = "") -> str:
    assert state.talk is not None
    sentence = with_seals(known_sentence(state, known, Teller(state.talk.language, log_say)))
    voiced, about = known.voiced, known.said.statement.about if known.said is not None else None
    voices: dict[str, object] = {"voice": line(voiced.said, log_say, about), "verdict_voice": line(voiced.judged, say)}
    voices |= {"reply": "", "replier": ""}
    if (answer := voiced.reply) is not None:
        voices["reply"] = line(answer.key, log_say, known.speaker)
        voices["replier"] = name_with_seal(answer.seat, log_say.name(answer.seat))
    values = {"id": _line_id(known), "speaker": known.speaker, "sentence": sentence, "answers": answers, **voices}
    return render_fragment("statement.html", **values, **_fate(known.said, state.talk, say))


def _fate(said: Said | None, talk: Conversation, say: Say) -> dict[str, object]:
    """Return the token and the outcome of a statement; empty values if the reader did not hear it."""
    if said is None:
        return {"token": Markup(), "gesture": "", "status": "", "sign": "", "word": ""}
    sign, word = STATUS_WORDS.get(said.status, ("", "")) if said.status is not None else ("", "")
    return {
        "token": _token(said, talk),
        "gesture": ACT_GESTURES.get(said.statement.act, ""),
        "status": said.status or "",
        "sign": sign,
        "word": word and say(word),
    }


def _token(said: Said, talk: Conversation) -> Markup:
    word = promise_of(said, talk) or (said.statement if said.statement.answers is None else None)
    state = said.status if said.status in (*VERDICTS, Status.VOID) else ""
    return ringed(word, talk.language, str(state or "")) if word is not None else Markup()


def _answers(room: Room, said: Said, say: Say, seat: int) -> Iterator[Markup]:
    talk = room.state.talk
    if talk is None or room.state.phase != "playing" or said.status not in (Status.OPEN, Status.ACCEPTED):
        return
    for act, label in ANSWERS.items():
        try:
            talk.require(Statement(seat, act, answers=said.number), room.view(None))
        except BadStatement:
            continue
        values = {"code": room.id, "act": act, "number": said.number, "label": say(label)}
        yield Markup(render_fragment("answer.html", **values))


def chat_line_id(said: ChatLine) -> str:
    """Return the id of a line of chat. It is made from the time: positions change when old lines are dropped."""
    return f"chat-{said.at * 1e6:.0f}"
