"""The decision on a command, by a person or by the server: the only source of new events.

A command is decided on the room's current state. The result is a list of events, empty if nothing has to change, or a
refusal. Deciding has no side effects and can be repeated: it depends on the log and on what is `given`.
"""

from collections.abc import Callable
from typing import Any

from tavola.core.text import mark
from tavola.live import protocol
from tavola.live.commands.ahead import answer_ahead
from tavola.live.commands.ballot_window import end_talk
from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.play import decide_come_back, decide_play, decide_sit_out
from tavola.live.commands.rematch import decide_rematch
from tavola.live.commands.require import (
    require_all_ready,
    require_free_seat,
    require_gathering,
    require_host,
    require_level,
    require_line,
    require_not_removed,
    require_player,
    require_seat,
    require_speaker,
)
from tavola.live.commands.speak import decide_gesture, decide_say, decide_speak
from tavola.live.commands.undo import answer_undo, decide_undo
from tavola.live.commands.waiting import decide_go_on, decide_nudge
from tavola.live.correspondence.due_dates import bank_used
from tavola.live.log.budgets import require_log_space
from tavola.live.log.events import NewEvent, begin_events, bot_event, bot_events, joined_event, ready_events
from tavola.live.log.occupants import CAST, Occupant
from tavola.live.log.people import ALL_SPEAKERS, Person, clean_name
from tavola.live.log.room_settings import SETTINGS
from tavola.live.log.state import State
from tavola.live.protocol import Command
from tavola.live.room_refusals import BadSetting, FreeSeats, NotPlaying, NotSeated, OneSeat, RoomShut
from tavola.live.time.clocks import charge
from tavola.show.cards import words_of
from tavola.show.speech import Say

LINES_REPORTED = 10
"""Maximum chat lines of a speaker in a report, the last ones."""


def decide(state: State, command: Command | ServerCommand, who: Person | None, given: Given) -> list[NewEvent]:
    """Return the events of a command, none if it has nothing to change; or raise a typed refusal.

    `who`: the sender, None for the server's own commands, and only for those.
    """
    if isinstance(command, ServerCommand):
        assert who is None, "server commands have no sender"
        new_events = [] if state.shut else command.decide(state, given)
    else:
        assert who is not None, "this command needs a sender"
        if state.shut:
            raise RoomShut
        new_events = FOR_PEOPLE[type(command)](state, command, who, given)
    return charge(new_events, bank_used(state, given.now) if state.settings.days else given.bank_spent)


# Seats


def _join(state: State, command: protocol.Join, who: Person, given: Given) -> list[NewEvent]:
    require_gathering(state)
    require_not_removed(state, who, given.now)
    own = state.seat_of(who.id)
    if own is not None and command.seat in (None, own):
        return _change_face(state, own, who)
    seat = require_free_seat(state, command.seat)
    if own is None and state.settings.public and given.crowds:
        raise OneSeat
    require_log_space(state, who, given.origin)
    sitting = joined_event(seat, who._replace(name=clean_name(who.name)), given.origin)
    # A player who moves leaves a seat free.
    return [sitting, *ready_events(state, seat, given.dice)] if state.is_rematch and own is None else [sitting]


def _change_face(state: State, seat: int, who: Person) -> list[NewEvent]:
    place = state.occupants[seat]
    if place.person is None or who.face in ("", place.person.face):
        return []
    again = [("ready", {"seat": seat})] if seat in state.ready_seats else []
    return [joined_event(seat, place.person._replace(face=who.face), place.origin), *again]


def _leave(state: State, command: protocol.Leave, who: Person, given: Given) -> list[NewEvent]:
    if state.phase == "over":
        raise NotPlaying
    return [("left", {"seat": require_seat(state, who)})]


def _add_bot(state: State, command: protocol.AddBot, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    level, seat = require_level(command.level, given.outside), require_free_seat(state, command.seat)
    require_log_space(state, who)
    if not command.member:
        return bot_events(state, [seat], level, given.dice)
    member = next((member for member in CAST if member.name == command.member), None)
    if member is None:
        raise BadSetting(mark("the site’s bots are {names}"), names=", ".join(member.name for member in CAST))
    return [] if member in {place.member for place in state.occupants} else [bot_event(seat, level, member)]


def _remove(state: State, command: protocol.Remove, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    if not 0 <= command.seat < len(state.occupants) or command.seat in state.free_seats:
        raise NotSeated(mark("that seat is empty"))
    return [("removed", {"seat": command.seat})]


def _swap(state: State, command: protocol.Swap, who: Person, given: Given) -> list[NewEvent]:
    """Return the events of two people, or of a person and a bot, who sit down on each other's seats.

    The host sits down first, and people before bots: no one sits down twice, and the host stays the host.
    """
    require_host(state, who)
    seats = (command.seat, command.other)
    if not all(0 <= seat < len(state.occupants) for seat in seats) or set(seats) & set(state.free_seats):
        raise NotSeated(mark("that seat is empty"))
    if state.is_rematch or command.seat == command.other:
        return []
    require_log_space(state, who)
    moves = [(state.occupants[seat], to) for seat, to in (seats, seats[::-1])]
    moves.sort(key=lambda move: (move[0].person is None, move[0].person != state.host))
    return [_sitting_event(place, seat) for place, seat in moves]


def _sitting_event(place: Occupant, seat: int) -> NewEvent:
    if place.person is not None:
        return joined_event(seat, place.person, place.origin)
    assert place.level is not None
    return bot_event(seat, place.level, place.member) if place.member else ("bot", {"seat": seat, "level": place.level})


def _fill(state: State, command: protocol.Fill, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    level = require_level(command.level or given.level, given.outside)
    require_all_ready(state, given.now)
    return [*bot_events(state, state.free_seats, level, given.dice), *begin_events(state, given.dice)]


def _start(state: State, command: protocol.Start, who: Person, given: Given) -> list[NewEvent]:
    require_host(state, who)
    if free := len(state.free_seats):
        raise FreeSeats(free=free)
    require_all_ready(state, given.now)
    return begin_events(state, given.dice)


def _ready(state: State, command: protocol.Ready, who: Person, given: Given) -> list[NewEvent]:
    require_gathering(state)
    seat = require_seat(state, who)
    return ready_events(state, seat, given.dice) if state.is_rematch and seat not in state.ready_seats else []


# Talk


def _mute(state: State, command: protocol.Mute, who: Person, given: Given) -> list[NewEvent]:
    if command.speaker != ALL_SPEAKERS:
        require_speaker(state, command.speaker)
    if (command.speaker in state.muted_by(who.id)) == command.muted:
        return []
    require_log_space(state, who)
    return [("muted", {"id": who.id, "speaker": command.speaker, "muted": command.muted})]


def _report(state: State, command: protocol.Report, who: Person, given: Given) -> list[NewEvent]:
    require_speaker(state, command.speaker)
    require_log_space(state, who)
    require_line(given)
    said = [line for line in state.chat_log if line.speaker == command.speaker and line.text][-LINES_REPORTED:]
    lines = [{"name": line.name, "text": line.text, "at": line.at} for line in said]
    muting = _mute(state, protocol.Mute(command.command_id, command.speaker), who, given)
    return [("reported", {"id": who.id, "speaker": command.speaker, "lines": lines}), *muting]


def _set_pace(state: State, command: protocol.SetPace, who: Person, given: Given) -> list[NewEvent]:
    seat = require_seat(state, who)
    SETTINGS["pace"].require("pace", command.pace)
    if command.pace == state.settings.pace and state.settings.pace_chosen:
        return []
    require_log_space(state, who)
    return [("pace", {"seat": seat, "pace": command.pace})]


def _note(state: State, command: protocol.Note, who: Person, given: Given) -> list[NewEvent]:
    seat, about, guess = require_player(state, who), command.about, command.mark
    if about == seat or not 0 <= about < len(state.occupants):
        raise NotSeated(mark("guess about another seat, 1 to {count}"), count=len(state.occupants))
    marks = [key for key, _ in words_of(state.game).guess_labels(state.view(seat), Say.of(state.game, "en"))]
    if guess and guess not in marks:
        raise BadSetting(mark("possible guesses: {marks}"), marks=", ".join(marks) or "none in this game")
    if state.guesses_of(seat).get(about, "") == guess:
        return []
    require_log_space(state, who)
    return [("noted", {"seat": seat, "about": about, "mark": guess})]


FOR_PEOPLE: dict[type[Command], Callable[[State, Any, Person, Given], list[NewEvent]]] = {
    protocol.Join: _join,
    protocol.Leave: _leave,
    protocol.AddBot: _add_bot,
    protocol.Remove: _remove,
    protocol.Swap: _swap,
    protocol.Fill: _fill,
    protocol.Start: _start,
    protocol.Ready: _ready,
    protocol.Play: decide_play,
    protocol.AnswerAhead: answer_ahead,
    protocol.ComeBack: decide_come_back,
    protocol.SitOut: decide_sit_out,
    protocol.Undo: decide_undo,
    protocol.AllowUndo: answer_undo,
    protocol.Nudge: decide_nudge,
    protocol.GoOn: decide_go_on,
    protocol.Say: decide_say,
    protocol.Gesture: decide_gesture,
    protocol.Speak: decide_speak,
    protocol.Mute: _mute,
    protocol.Report: _report,
    protocol.Note: _note,
    protocol.Rematch: decide_rematch,
    protocol.SetPace: _set_pace,
    protocol.Enough: end_talk,
}
"""The functions that decide people's commands."""
