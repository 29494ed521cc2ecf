"""Talk at the table, by chat, gestures and statements: permissions, and events."""

import logging
from typing import Any

from tavola.core import Refusal
from tavola.core.text import mark
from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.require import require_line, require_player
from tavola.live.log.budgets import require_log_space
from tavola.live.log.events import NewEvent
from tavola.live.log.occupants import distinct_name
from tavola.live.log.people import GESTURE_PAUSE, GESTURES, Person, clean_name, clean_text
from tavola.live.log.state import State
from tavola.live.protocol import Gesture, Say, Speak
from tavola.live.room_refusals import BadSetting, NoTalk, TooFast
from tavola.talk import NoWhispers, StatementTexts, read_statement

logger = logging.getLogger(__name__)


def decide_say(state: State, command: Say, who: Person, given: Given) -> list[NewEvent]:
    """Return the event of a line of chat, by a person at the table or a spectator."""
    line = clean_text(command.text)
    require_talk(state)
    require_log_space(state, who)
    require_line(given)
    return [("said", {**_speaking(state, who), "text": line})]


def decide_gesture(state: State, command: Gesture, who: Person, given: Given) -> list[NewEvent]:
    """Return the event of a gesture. It is not free text, so people who mute that still see it."""
    if command.gesture not in GESTURES:
        raise BadSetting(mark("choose one of these gestures: {gestures}"), gestures=", ".join(GESTURES))
    require_talk(state)
    require_log_space(state, who)
    speaker = state.speakers.get(who.id)
    shown = (line.at for line in reversed(state.chat_log) if line.speaker == speaker and line.gesture)
    if 0 <= given.now - next(shown, -GESTURE_PAUSE) < GESTURE_PAUSE:  # below 0 if the clock was set back
        raise TooFast(mark("only one gesture every {seconds} seconds"), seconds=int(GESTURE_PAUSE))
    require_line(given)
    return [("gestured", {**_speaking(state, who), "gesture": command.gesture})]


def _speaking(state: State, who: Person) -> dict[str, Any]:
    """Return the speaker's fields as others read them; a spectator never has the name of a seat."""
    seat = state.seat_of(who.id)
    name = distinct_name(clean_name(who.name), state.names) if seat is None else state.names[seat]
    return {"id": who.id, "name": name, "seat": seat}


def decide_speak(state: State, command: Speak, who: Person, given: Given) -> list[NewEvent]:
    """Return the event of a seat's statement; it must be possible from what everyone hears and sees."""
    seat = require_player(state, who)
    require_talk(state)
    event = statement_event(state, seat, command.texts)
    require_log_space(state, who)
    require_line(given)
    return [event]


class SpeakForBot(ServerCommand, frozen=True):
    """A bot's statement, dropped if it cannot be made now."""

    seat: int
    texts: StatementTexts

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        bot_decides = state.phase == "playing" and state.occupants[self.seat].bot_decides
        try:
            require_talk(state)
            require_log_space(state, None)
            return [statement_event(state, self.seat, self.texts)] if bot_decides else []
        except Refusal as refusal:
            logger.info("a bot's statement was refused: %s", refusal)
            return []


def statement_event(state: State, seat: int, texts: StatementTexts) -> NewEvent:
    """Return the event of a seat's statement; raise `BadStatement` if it cannot be made."""
    talk = state.conversation()
    statement = read_statement(seat, texts, talk.language)
    if state.settings.talk == "aloud" and statement.is_whispered:
        raise NoWhispers
    talk.require(statement, state.view(None))
    return "spoke", {"seat": seat, **texts.without_defaults()}


def require_talk(state: State) -> None:
    """Refuse talk during a match at a silent table."""
    if state.settings.talk == "silent" and state.phase == "playing":
        raise NoTalk
