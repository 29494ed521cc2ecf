"""The decision on a command, by a person or by the server: the only source of new events.

A command is decided on the room's current state. The result is a list of events, empty if nothing has to change, or a
refusal. Deciding has no side effects and can be repeated: it depends on the log and on what is `given`.
"""

from collections.abc import Callable
from typing import Any

from tavola.core.text import mark
from tavola.live.correspondence.due_dates import update_deadlines
from tavola.live.log import server_commands
from tavola.live.log.ahead import answer_ahead, play_ahead
from tavola.live.log.ballot_window import close_window, end_talk, open_window
from tavola.live.log.budgets import require_log_space
from tavola.live.log.commands import (
    Adopt,
    Begin,
    CloseWindow,
    DecideForBots,
    Given,
    HandOver,
    HoldChance,
    OpenRematch,
    OpenWindow,
    PlayAhead,
    PlayOnly,
    ReleaseChance,
    RunOut,
    ServerCommand,
    SpeakForBot,
    TakeOver,
    TransferHost,
    UpdateDeadlines,
)
from tavola.live.log.events import NewEvent, begin_events, bot_event, bot_events, joined_event, ready_events
from tavola.live.log.people import ALL_SPEAKERS, Person, clean_name
from tavola.live.log.play import decide_come_back, decide_play, decide_sit_out
from tavola.live.log.rematch import decide_rematch, open_rematch
from tavola.live.log.require import (
    require_all_ready,
    require_free_seat,
    require_gathering,
    require_host,
    require_level,
    require_line,
    require_match,
    require_member,
    require_not_removed,
    require_room_for_others,
    require_seat,
    require_speaker,
)
from tavola.live.log.room_settings import SETTINGS
from tavola.live.log.speak import decide_gesture, decide_say, decide_speak, speak_for_bot
from tavola.live.log.state import State
from tavola.live.protocol import (
    AddBot,
    AnswerAhead,
    ComeBack,
    Command,
    Enough,
    Fill,
    Gesture,
    Join,
    Leave,
    Mute,
    Note,
    Play,
    Ready,
    Rematch,
    Remove,
    Report,
    Say,
    SetPace,
    SitOut,
    Speak,
    Start,
)
from tavola.live.room_refusals import BadSetting, FreeSeats, NotPlaying, NotSeated
from tavola.live.time.clocks import charge
from tavola.show.cards import words_of
from tavola.show.speech import Say as Sayer

LINES_REPORTED = 10
"""Maximum chat lines of a speaker in a report, the last ones."""


def decide(state: State, command: Command | ServerCommand, who: Person | None, given: Given) -> list[NewEvent]:
    """Return the events of a command, none if it has nothing to change; or raise a typed refusal.

    `who`: the sender, None for the server's own commands, and only for those.
    """
    return charge(_decide(state, command, who, given), given.bank_spent)


def _decide(state: State, command: Command | ServerCommand, who: Person | None, given: Given) -> list[NewEvent]:
    if isinstance(command, ServerCommand):
        assert who is None, "the server gives its own commands"
        return SERVER_HANDLERS[type(command)](state, command, given)
    assert who is not None, "somebody gives this command"
    return FOR_PEOPLE[type(command)](state, command, who, given)


# Seats


def _join(state: State, command: Join, who: Person, given: Given) -> list[NewEvent]:
    require_gathering(state)
    require_not_removed(state, who, given.now)
    own = state.seat_of(who.id)
    if own is not None and command.seat in (None, own):
        return []
    seat = require_free_seat(state, command.seat)
    if own is None:
        require_room_for_others(state, given)
    require_log_space(state, who, given.origin)
    sitting = joined_event(seat, Person(who.id, clean_name(who.name)), given.origin)
    # A player who moves leaves a seat free.
    return [sitting, *ready_events(state, seat, given.dice)] if state.is_rematch and own is None else [sitting]


def _leave(state: State, command: Leave, who: Person, given: Given) -> list[NewEvent]:
    if state.phase == "over":
        raise NotPlaying
    return [("left", {"seat": require_seat(state, who)})]


def _add_bot(state: State, command: AddBot, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    level, seat = require_level(command.level, given.outside), require_free_seat(state, command.seat)
    require_log_space(state, who)
    if not command.member:
        return bot_events(state, [seat], level, given.dice)
    member = require_member(command.member)
    sitting = {occupant.member for occupant in state.occupants}
    return [] if member in sitting else [bot_event(seat, level, member)]


def _remove(state: State, command: Remove, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    if not 0 <= command.seat < len(state.occupants) or command.seat in state.free_seats:
        raise NotSeated(mark("that seat is empty"))
    return [("removed", {"seat": command.seat})]


def _fill(state: State, command: Fill, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    level = require_level(command.level or given.level, given.outside)
    require_all_ready(state, given.now)
    return [*bot_events(state, state.free_seats, level, given.dice), *begin_events(state, given.dice)]


def _start(state: State, command: Start, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    free = len(state.free_seats)
    if free:
        raise FreeSeats(free=free)
    require_all_ready(state, given.now)
    return begin_events(state, given.dice)


def _ready(state: State, command: Ready, who: Person, given: Given) -> list[NewEvent]:
    require_gathering(state)
    seat = require_seat(state, who)
    if not state.is_rematch or seat in state.ready_seats:
        return []
    return ready_events(state, seat, given.dice)


# Talk


def _mute(state: State, command: Mute, who: Person, given: Given) -> list[NewEvent]:
    if command.speaker != ALL_SPEAKERS:
        require_speaker(state, command.speaker)
    if (command.speaker in state.muted_by(who.id)) == command.muted:
        return []
    require_log_space(state, who)
    return [("muted", {"id": who.id, "speaker": command.speaker, "muted": command.muted})]


def _report(state: State, command: Report, who: Person, given: Given) -> list[NewEvent]:
    require_speaker(state, command.speaker)
    require_log_space(state, who)
    require_line(given)
    said = [line for line in state.chat_log if line.speaker == command.speaker and line.text][-LINES_REPORTED:]
    lines = [{"name": line.name, "text": line.text, "at": line.at} for line in said]
    muting = _mute(state, Mute(command.command_id, command.speaker), who, given)
    return [("reported", {"id": who.id, "speaker": command.speaker, "lines": lines}), *muting]


def _set_pace(state: State, command: SetPace, who: Person, given: Given) -> list[NewEvent]:
    seat = require_seat(state, who)
    SETTINGS["pace"].require("pace", command.pace)
    if command.pace == state.settings.pace and state.settings.pace_chosen:
        return []
    require_log_space(state, who)
    return [("pace", {"seat": seat, "pace": command.pace})]


def _note(state: State, command: Note, who: Person, given: Given) -> list[NewEvent]:
    require_match(state)
    seat, about, guess = require_seat(state, who), command.about, command.mark
    if about == seat or not 0 <= about < len(state.occupants):
        raise NotSeated(mark("guess about another seat, 1 to {count}"), count=len(state.occupants))
    marks = _allowed_marks(state, seat)
    if guess and guess not in marks:
        raise BadSetting(mark("possible guesses: {marks}"), marks=", ".join(marks) or "none in this game")
    if state.guesses_of(seat).get(about, "") == guess:
        return []
    require_log_space(state, who)
    return [("noted", {"seat": seat, "about": about, "mark": guess})]


def _allowed_marks(state: State, seat: int) -> list[str]:
    game = state.game
    return [key for key, _ in words_of(game).guess_labels(state.view(seat), Sayer.of(game, "en"))]


FOR_PEOPLE: dict[type[Command], Callable[[State, Any, Person, Given], list[NewEvent]]] = {
    Join: _join,
    Leave: _leave,
    AddBot: _add_bot,
    Remove: _remove,
    Fill: _fill,
    Start: _start,
    Ready: _ready,
    Play: decide_play,
    AnswerAhead: answer_ahead,
    ComeBack: decide_come_back,
    SitOut: decide_sit_out,
    Say: decide_say,
    Gesture: decide_gesture,
    Speak: decide_speak,
    Mute: _mute,
    Report: _report,
    Note: _note,
    Rematch: decide_rematch,
    SetPace: _set_pace,
    Enough: end_talk,
}
"""The functions that decide people's commands."""
SERVER_HANDLERS: dict[type[ServerCommand], Callable[[State, Any, Given], list[NewEvent]]] = {
    DecideForBots: server_commands.decide_for_bots,
    HoldChance: server_commands.hold_chance,
    SpeakForBot: speak_for_bot,
    ReleaseChance: server_commands.release_chance,
    RunOut: server_commands.run_out,
    TakeOver: server_commands.take_over,
    PlayAhead: play_ahead,
    PlayOnly: server_commands.play_only,
    Begin: server_commands.begin,
    Adopt: server_commands.adopt,
    TransferHost: server_commands.transfer_host,
    HandOver: server_commands.hand_over,
    OpenRematch: open_rematch,
    OpenWindow: open_window,
    CloseWindow: close_window,
    UpdateDeadlines: update_deadlines,
}
"""The functions that decide the server's commands."""
