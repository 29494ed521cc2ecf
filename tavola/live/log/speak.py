"""What is said at the table, in words, gestures and statements: who may say it, and the events it makes."""

import logging
from typing import Any

from tavola.core import Refusal
from tavola.core.text import mark
from tavola.live.log.budgets import require_log_space
from tavola.live.log.commands import Given, SpeakForBot
from tavola.live.log.events import NewEvent
from tavola.live.log.occupants import distinct_name
from tavola.live.log.people import GESTURE_PAUSE, GESTURES, Person, clean_name, clean_text
from tavola.live.log.require import require_line, require_match, require_seat
from tavola.live.log.state import State
from tavola.live.protocol import Gesture, Say, Speak
from tavola.live.room_refusals import BadSetting, NoTalk, TooFast
from tavola.talk import NoWhispers, Statement, StatementTexts, read_statement

logger = logging.getLogger(__name__)


def decide_say(state: State, command: Say, who: Person, given: Given) -> list[NewEvent]:
    """Somebody at the table, or who watches, says a line in his own words."""
    line = clean_text(command.text)
    require_talk(state)
    require_log_space(state, who)
    require_line(given)
    return [("said", {**_speaking(state, who), "text": line})]


def decide_gesture(state: State, command: Gesture, who: Person, given: Given) -> list[NewEvent]:
    """Somebody shows one of the gestures: it is no free text, and who reads none of that sees it still."""
    if command.gesture not in GESTURES:
        raise BadSetting(mark("a gesture is one of {gestures}"), gestures=", ".join(GESTURES))
    require_talk(state)
    require_log_space(state, who)
    speaker = state.speakers.get(who.id)
    shown = (line.at for line in reversed(state.chat_log) if line.speaker == speaker and line.gesture)
    if 0 <= given.now - next(shown, -GESTURE_PAUSE) < GESTURE_PAUSE:  # below 0 the clock has been set
        raise TooFast(mark("one gesture in {seconds} seconds"), seconds=int(GESTURE_PAUSE))
    require_line(given)
    return [("gestured", {**_speaking(state, who), "gesture": command.gesture})]


def _speaking(state: State, who: Person) -> dict[str, Any]:
    """Return who says something, as others read it: nobody who watches has the name of a seat."""
    seat = state.seat_of(who.id)
    name = distinct_name(clean_name(who.name), state.names) if seat is None else state.names[seat]
    return {"id": who.id, "name": name, "seat": seat}


def decide_speak(state: State, command: Speak, who: Person, given: Given) -> list[NewEvent]:
    """A seat says something in its match: what everybody hears and sees decides whether it can be said."""
    require_match(state)
    seat = require_seat(state, who)
    require_talk(state)
    event = statement_event(state, seat, command.texts)
    require_log_space(state, who)
    require_line(given)
    return [event]


def speak_for_bot(state: State, command: SpeakForBot, given: Given) -> list[NewEvent]:
    """A bot says something; what it cannot say now is let fall."""
    bot_decides = state.phase == "playing" and state.occupants[command.seat].bot_decides
    try:
        require_talk(state)
        require_log_space(state, None)
        return [statement_event(state, command.seat, command.texts)] if bot_decides else []
    except Refusal as refusal:
        logger.info("a bot could not speak: %s", refusal)
        return []


def statement_event(state: State, seat: int, texts: StatementTexts) -> NewEvent:
    """Return the event of a statement that a seat makes; `BadStatement` says why it cannot be made."""
    talk = state.conversation()
    statement = read_statement(seat, texts, talk.language)
    _require_aloud(state, statement)
    talk.require(statement, state.view(None))
    return "spoke", {"seat": seat, **texts.without_defaults()}


def require_talk(state: State) -> None:
    """Refuse talk while a match is played at a table without it."""
    if state.settings.talk == "silent" and state.phase == "playing":
        raise NoTalk


def _require_aloud(state: State, statement: Statement) -> None:
    if state.settings.talk == "aloud" and statement.is_whispered:
        raise NoWhispers
