"""What each command makes happen, one function a command.

A deed is decided on the room's state as it is, and ends in the events it makes or in a refusal that changes nothing.
"""

import time
from collections.abc import Sequence
from functools import singledispatch
from math import ceil
from typing import TYPE_CHECKING

from tavola.bots import LEVELS
from tavola.core import IllegalAction, Match, View
from tavola.core.plan import make_plan
from tavola.live.log.cast import draw_member
from tavola.live.log.draft import Draft
from tavola.live.log.events import (
    NewEvent,
    bot_event,
    joined_event,
    played_events,
    returned_event,
    started_events,
    taken_event,
)
from tavola.live.log.lookalikes import looks
from tavola.live.log.people import Person, clean_name, clean_text
from tavola.live.protocol import (
    AddBot,
    ComeBack,
    Command,
    Fill,
    Join,
    Leave,
    Mute,
    Note,
    Play,
    Ready,
    Remove,
    Report,
    Say,
    Start,
)
from tavola.live.refusals import (
    BadSetting,
    Changed,
    FreeSeats,
    FullRoom,
    Gone,
    NotGathering,
    NotHost,
    NotPlaying,
    NotReady,
    NotSeated,
    NotWelcome,
    StalePrompt,
)
from tavola.live.time.race import Arrival
from tavola.show.speech import Say as Sayer

if TYPE_CHECKING:
    from tavola.live.room import Room

REMOVED_FOR = 600.0
"""Seconds that somebody whom the host removed does not sit down again."""
LINES_REPORTED = 10
"""A speaker's last lines that go with a report."""


@singledispatch
def decide(command: Command, room: "Room", person: Person) -> list[NewEvent]:
    """The events of a command; none where it has nothing to change."""
    raise NotImplementedError(type(command))


@decide.register(Join)
def _join(command: Join, room: "Room", person: Person) -> list[NewEvent]:
    require_gathering(room)
    require_not_removed(room, person)
    own = room.state.seat_of(person.id)
    if own is not None and command.seat in (None, own):
        return []
    seat = free_seat(room, command.seat)
    sitting = joined_event(seat, Person(person.id, clean_name(person.name)))
    # Who moves leaves a seat free behind him.
    return [sitting, *ready_events(room, seat)] if room.state.is_rematch and own is None else [sitting]


@decide.register(Leave)
def _leave(command: Leave, room: "Room", person: Person) -> list[NewEvent]:
    if room.state.phase == "over":
        raise NotPlaying("no match is being played here now")
    return [("left", {"seat": require_seat(room, person)})]


@decide.register(AddBot)
def _add_bot(command: AddBot, room: "Room", person: Person) -> list[NewEvent]:
    require_host(room, person)
    level = require_level(command.level)
    return bot_events(room, [free_seat(room, command.seat)], level)


@decide.register(Remove)
def _remove(command: Remove, room: "Room", person: Person) -> list[NewEvent]:
    require_host(room, person)
    places = room.state.occupants
    if not 0 <= command.seat < len(places) or places[command.seat].is_nobody:
        raise NotSeated("nobody sits there")
    return [("removed", {"seat": command.seat})]


@decide.register(Fill)
def _fill(command: Fill, room: "Room", person: Person) -> list[NewEvent]:
    require_host(room, person)
    level = require_level(command.level or room.hub.level)
    require_all_ready(room)
    free = [seat for seat, place in enumerate(room.state.occupants) if place.is_nobody]
    return [*bot_events(room, free, level), *begin_events(room)]


@decide.register(Start)
def _start(command: Start, room: "Room", person: Person) -> list[NewEvent]:
    require_host(room, person)
    free = sum(place.is_nobody for place in room.state.occupants)
    if free:
        raise FreeSeats("the match begins when every seat is taken: {free} free", free=free)
    require_all_ready(room)
    return begin_events(room)


@decide.register(Ready)
def _ready(command: Ready, room: "Room", person: Person) -> list[NewEvent]:
    require_gathering(room)
    seat = require_seat(room, person)
    if not room.state.is_rematch or seat in room.state.ready_seats:
        return []
    return ready_events(room, seat)


def decide_play(command: Play, room: "Room", person: Person, arrival: Arrival) -> list[NewEvent]:
    """The events of a decision that came in so."""
    match = require_match(room)
    seat = require_seat(room, person)
    asked, now, steps = require_prompt(room, seat, command.prompt_id), room.view(seat), command.steps
    if asked is not now:
        require_unchanged(asked, now, steps)
    draft = Draft(match, room.state.reactions)
    if len(steps) > 1:
        _require_plannable(now, steps)
    for code in steps:
        _play_step(draft, room, seat, code, arrival)
    decision, *following = played_events(draft)
    back = [returned_event(seat)] if room.state.occupants[seat].taken_over else []
    return [decision, *back, *following]


def _require_plannable(view: View, steps: Sequence[str]) -> None:
    """Refuse steps that cannot be planned. The last may be any action, since nothing comes after it."""
    *before, last = steps
    planned, game = make_plan(view, before), view.game
    if planned.stop or game.actions.verb(game.actions.number(last)).planned:
        planned.with_step(last)


def _play_step(draft: Draft, room: "Room", seat: int, code: str, arrival: Arrival) -> None:
    """One action of a decision; all its steps are refused with the first that the rules do not allow."""
    number = draft.game.actions.number(code)
    if number not in draft.legal(seat):
        raise IllegalAction(_illegal_message(draft, seat, number))
    reaction = room.reaction(arrival) if draft.game.is_race_answer(number) else None
    timed = room.time_out(seat) if reaction is not None and reaction.too_soon else None
    if timed is None:
        draft.play(seat, number, reaction)
    else:  # nobody is so quick: it counts as if his time had run out
        draft.play(seat, draft.game.actions.number(timed.code), reaction, meant=number)


@decide.register(ComeBack)
def _come_back(command: ComeBack, room: "Room", person: Person) -> list[NewEvent]:
    require_match(room)
    seat = require_seat(room, person)
    return [returned_event(seat)] if room.state.occupants[seat].taken_over else []


@decide.register(Say)
def _say(command: Say, room: "Room", person: Person) -> list[NewEvent]:
    line = clean_text(command.text)
    seat = room.state.seat_of(person.id)
    name = distinct_name(clean_name(person.name), room.names) if seat is None else room.names[seat]
    room.spend_line(person.id)
    return [("said", {"id": person.id, "name": name, "seat": seat, "text": line})]


@decide.register(Mute)
def _mute(command: Mute, room: "Room", person: Person) -> list[NewEvent]:
    require_speaker(room, command.speaker)
    if (command.speaker in room.muted_speakers(person.id)) == command.muted:
        return []
    return [("muted", {"id": person.id, "speaker": command.speaker, "muted": command.muted})]


@decide.register(Report)
def _report(command: Report, room: "Room", person: Person) -> list[NewEvent]:
    require_speaker(room, command.speaker)
    said = [line for line in room.state.chat if line.speaker == command.speaker][-LINES_REPORTED:]
    room.spend_line(person.id)
    lines = [{"name": line.name, "text": line.text, "at": line.at} for line in said]
    muting = _mute(Mute(command.command_id, command.speaker), room, person)
    return [("reported", {"id": person.id, "speaker": command.speaker, "lines": lines}), *muting]


@decide.register(Note)
def _note(command: Note, room: "Room", person: Person) -> list[NewEvent]:
    require_match(room)
    seat, about, mark = require_seat(room, person), command.about, command.mark
    if about == seat or not 0 <= about < len(room.state.occupants):
        raise NotSeated("a guess is about another seat, 1 to {count}", count=len(room.state.occupants))
    marks = _allowed_marks(room, seat)
    if mark and mark not in marks:
        raise BadSetting("a guess is one of {marks}", marks=", ".join(marks) or "none in this game")
    return [("noted", {"seat": seat, "about": about, "mark": mark})]


# What several deeds share


def bot_events(room: "Room", seats: Sequence[int], level: str) -> list[NewEvent]:
    """Bots of a level sit down, no two of the cast alike."""
    names, happenings = list(room.names), []
    for seat in seats:
        member = draw_member(names)
        names.append(member.name)
        happenings.append(bot_event(seat, level, member))
    return happenings


def begin_events(room: "Room") -> list[NewEvent]:
    """The match begins; bots decide for those who were waited for in vain."""
    return [*started_events(room.state.game, room.state.options), *map(taken_event, room.state.unready_seats())]


def ready_events(room: "Room", seat: int) -> list[NewEvent]:
    """Somebody is ready for a rematch; when he was the last one, and all seats are taken, it begins."""
    places = room.state.occupants
    last = not any(place.is_nobody for other, place in enumerate(places) if other != seat)
    last = last and set(room.state.unready_seats()) <= {seat}
    return [("ready", {"seat": seat}), *(begin_events(room) if last else [])]


# What commands ask first


def require_all_ready(room: "Room") -> None:
    """Refuse while a rematch still waits for somebody."""
    awaited = room.state.unready_seats()
    if awaited and time.time() < room.ready_until:
        raise NotReady("waiting for {names}", names=", ".join(room.names[seat] for seat in awaited))


def require_gathering(room: "Room") -> None:
    """Refuse once the match has begun."""
    if room.state.phase != "gathering":
        raise NotGathering("the match has begun")


def require_not_removed(room: "Room", person: Person) -> None:
    """Refuse who has just been taken off this table."""
    left = room.state.removed_at.get(person.id, 0.0) + REMOVED_FOR - time.time()
    if left > 0:
        raise NotWelcome(
            "the host took you off this table: in {minutes} minutes you may sit down again", minutes=ceil(left / 60)
        )


def require_host(room: "Room", person: Person) -> None:
    """Refuse anybody but the host, and anything once the match has begun."""
    if person.id != room.state.host.id:
        raise NotHost("only the host, {host}, may do this", host=room.state.host.name)
    require_gathering(room)


def require_speaker(room: "Room", speaker: int) -> None:
    """Refuse what concerns a speaker whom nobody has heard here."""
    if not 1 <= speaker <= len(room.state.speakers):
        raise NotSeated("nobody of that number has spoken here")


def require_match(room: "Room") -> Match:
    """The match, which must be going on."""
    if room.state.match is None or room.state.phase != "playing":
        raise NotPlaying("no match is being played here now")
    return room.state.match


def require_prompt(room: "Room", seat: int, prompt_id: int) -> View:
    """What the seat saw when it was asked the decision `prompt_id`; refuse one that it may not answer any more.

    It may answer the one it owes. Where whoever comes first acts, also what it was asked before in the same spell of
    the game's clock, since it last acted itself: what others did since then it may not have seen yet.
    """
    owed, earlier = room.prompt_id(seat), room.state.earlier_moments.get(seat, [])
    if owed is not None and owed - len(earlier) <= prompt_id <= owed:
        now = room.view(seat)
        then = now if prompt_id == owed else room.view(seat, earlier[prompt_id - owed])
        if _spell(then) == _spell(now):
            return then
    raise StalePrompt("this decision is not yours to make any more")


def _spell(view: View) -> int | None:
    clock = view.game.clock
    timed = clock(view) if clock is not None else None
    return timed.period if timed is not None else None


def require_unchanged(then: View, now: View, steps: Sequence[str]) -> None:
    """Refuse an answer to what a seat saw `then` that does not mean the same, step by step, on what it sees `now`."""
    game = now.game
    if game.unchanged is None:
        raise StalePrompt("somebody was faster: look again and choose")
    before, after = make_plan(then, ()), make_plan(now, ())
    for place, number in enumerate(map(game.actions.number, steps)):
        if place:
            before, after = (planned.with_step(steps[place - 1]) for planned in (before, after))
        known, legal = number in before.view.legal, number in after.view.legal
        if known and not legal:
            raise Gone("what you chose is gone: others have acted meanwhile")
        if legal and not (known and game.unchanged(before.view, after.view, number)):
            raise Changed("this is no longer what you saw: look again and choose")


def require_seat(room: "Room", person: Person) -> int:
    """The seat of a person, who must have one."""
    seat = room.state.seat_of(person.id)
    if seat is None:
        raise NotSeated("you have no seat here")
    return seat


def require_level(level: str) -> str:
    """A level of bots, or `BadSetting`."""
    if level not in LEVELS:
        raise BadSetting("a bot's level is one of {levels}", levels=", ".join(LEVELS))
    return level


def free_seat(room: "Room", seat: int | None) -> int:
    """The seat asked for, or the first free one."""
    places = room.state.occupants
    if seat is None:
        free = next((place for place, taken in enumerate(places) if taken.is_nobody), None)
        if free is None:
            raise FullRoom("all {count} seats are taken", count=len(places))
        return free
    if not 0 <= seat < len(places):
        raise NotSeated("there are seats 1 to {count}", count=len(places))
    if not places[seat].is_nobody:
        raise FullRoom("seat {seat} is taken", seat=seat + 1)
    return seat


def _allowed_marks(room: "Room", seat: int) -> list[str]:
    """What may be guessed in this game: most have nothing to guess."""
    game = room.state.game
    return [key for key, _ in game.words.guess_labels(room.view(seat), Sayer.of(game, "en"))]


def _illegal_message(draft: Draft, seat: int, number: int) -> str:
    code = draft.game.actions.code
    legal = [code(each) for each in draft.legal(seat)]
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    return f"{code(number)!r} is not allowed now: expected {', '.join(legal[:12]) or 'no action'}{more}"


def distinct_name(name: str, others: Sequence[str]) -> str:
    """The name, with a number behind it where others have the same, or one that looks the same."""
    taken = frozenset().union(*map(looks, others))
    number, unlike = 1, name
    while looks(unlike) & taken:
        number += 1
        unlike = f"{name} {number}"
    return unlike
