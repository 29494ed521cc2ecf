"""Statements at the table: who may make them, and the events they make."""

import logging

from tavola.core import Refusal
from tavola.live.log.commands import Given, SpeakForBot
from tavola.live.log.events import NewEvent
from tavola.live.log.people import Person
from tavola.live.log.require import require_line, require_log_space, require_match, require_seat
from tavola.live.log.state import State
from tavola.live.protocol import Speak
from tavola.live.refusals import NoTalk
from tavola.talk import NoWhispers, Statement, StatementTexts, read_statement

logger = logging.getLogger(__name__)


def decide_speak(state: State, command: Speak, who: Person, given: Given) -> list[NewEvent]:
    """A seat says something in its match: what everybody hears and sees decides whether it can be said."""
    require_match(state)
    seat = require_seat(state, who)
    require_talk(state)
    event = statement_event(state, seat, command.texts)
    require_log_space(state)
    require_line(given)
    return [event]


def speak_for_bot(state: State, command: SpeakForBot, given: Given) -> list[NewEvent]:
    """A bot says something; what it cannot say now is let fall."""
    bot_decides = state.phase == "playing" and state.occupants[command.seat].bot_decides
    try:
        require_talk(state)
        require_log_space(state)
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
        raise NoTalk("at this table nobody talks while a match is played")


def _require_aloud(state: State, statement: Statement) -> None:
    if state.settings.talk == "aloud" and statement.is_whispered:
        raise NoWhispers("at this table nobody whispers: expected aloud")
