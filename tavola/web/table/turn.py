"""Whose turn it is, the prompt, and its deadline: clocks, correspondence, bots that decide for a person, and undo."""

from collections.abc import Hashable
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from babel.dates import format_skeleton
from markupsafe import Markup

from tavola.core import View
from tavola.live import Room
from tavola.live.commands.waiting import is_nudged, nudgeable_at, voters
from tavola.live.correspondence.due_dates import next_due, open_dues
from tavola.live.correspondence.hours import DAY, HOUR
from tavola.live.log.undo import undoable
from tavola.live.state_sentences import bot_decision_lines
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.web.render import render_filled

MIDNIGHT_LATEST = 13.5 * HOUR
"""Seconds after which a midnight from Hawaii to New Zealand is the same day in UTC."""
MOST_AWAITED = 2
"""Maximum late players that the notice of a room names; for others, their panels say since when."""
LENGTHS = {"wide": 28, "long": 38, "longest": 88}
"""Numbers of characters beyond which a question is set smaller on a phone."""


class SeatClock(NamedTuple):
    """When a decision's own time ends, and its time bank if it has one: milliseconds since 1970, or 0."""

    until: int = 0
    bank: int = 0

    @property
    def texts(self) -> dict[str, str]:
        return {"until": str(self.until), "bank": str(self.bank)}


NO_CLOCK = SeatClock()


def seat_clock(room: Room, seat: int) -> SeatClock:
    """Return the clock of a seat's open decision."""
    begins, ends = room.caretaker.bank_begins(seat), room.caretaker.deadline(seat)
    if not ends:
        return NO_CLOCK
    return SeatClock(round(ends) * 1000) if begins is None else SeatClock(round(begins) * 1000, round(ends) * 1000)


def deadline(room: Room, view: View, *, mine: bool) -> SeatClock:
    """Return the clock of the seat that is asked, or the first to end among those that are awaited."""
    seats = (view.seat,) if mine else view.to_act
    clocks = [seat_clock(room, seat) for seat in seats if seat is not None]
    return min((one for one in clocks if one.until), key=lambda one: one.bank or one.until, default=NO_CLOCK)


def bank_clock(room: Room, seat: int) -> SeatClock:
    """Return the clock of a seat's open decision if it has a time bank: others see only such clocks."""
    clock = seat_clock(room, seat) if room.state.settings.bank else NO_CLOCK
    return clock if clock.bank else NO_CLOCK


def prompt_markup(language: str, sentence: str, *, clock: SeatClock = NO_CLOCK, absent: str = "", **more: bool) -> str:
    """Return the prompt, or the sentence that says who has to decide; `absent`: the name of one who is not looking."""
    asked = {"mine": False, "secret": False, "only": False, "watching": False, "banked": bool(clock.bank), **more}
    # `choices.js` sets the same classes for its own questions.
    size = " ".join(name for name, most in LENGTHS.items() if len(sentence) > most)
    filled = {"sentence": sentence, "absent": absent or None, **clock.texts}
    return render_filled("prompt.html", language, filled, **asked, timed=bool(clock.until), size=size)


def absent_name(room: Room) -> str:
    """Return the name of a person whom a live match waits for while no page of theirs is visible, or nothing."""
    if room.state.settings.days:
        return ""
    for number in sorted(room.state.open_decisions):
        seat = room.seat(number)
        if seat.person and not seat.taken_over and (seat.away or not seat.looking):
            return room.names[number]
    return ""


def post_values(room: Room, say: Say) -> dict[str, Any]:
    """Return the correspondence values of a room's header, empty in a live match.

    `began`, `until`: the match's start and its first deadline in milliseconds since 1970; `day`: the day of the match,
    from 1; `left`: the time left, in words.
    """
    state = room.state
    if not state.settings.days or state.phase != "playing":
        return {"began": 0, "day": 0, "until": 0, "left": ""}
    due, now = next_due(state), room.now
    left = time_left(due.until - now, say) if due is not None else ""
    until = round(due.until) * 1000 if due is not None else 0
    return {"began": round(state.created_at) * 1000, "day": match_day(room), "until": until, "left": left}


def late_words(room: Room, seat: int | None, say: Say) -> str:
    """Return what a late player reads: that their time is up, or what a bot does for them; else an empty string."""
    state = room.state
    if seat is None or state.phase != "playing":
        return ""
    due = state.dues.get(seat)
    if due is not None and due.reminded:
        return say("Your time is up. A bot decides in {left}.", left=time_left(due.until - room.now, say))
    if due is not None and due.banked:
        return say("Your time is up. Your time bank ends in {left}.", left=time_left(due.until - room.now, say))
    if state.occupants[seat].is_missed:
        return say("A bot has your seat, because your time ran out several times in a row.")
    if seat in state.bot_decisions:
        return say("Your time was up, so a bot decided for you. You play on.")
    return ""


class Awaited(NamedTuple):
    """A player of a correspondence match who has to decide, and what a waiting seat can do about it.

    `asked_at`: when they were asked, in UTC as ISO 8601 writes it; `holiday`: the day it ends, or empty;
    `left`: the time until a bot decides, or if `banked` until their time bank ends, in words, empty while they are not
    late. `nudged`: within a day; `can_nudge` and `can_vote`: the seat can nudge them now, or vote for a bot to go on;
    `votes` of `voters` people have done so.
    """

    seat: int
    name: str
    asked_at: str
    holiday: str
    left: str
    banked: bool
    nudged: bool
    can_nudge: bool
    can_vote: bool
    votes: int
    voters: int

    @property
    def is_told(self) -> bool:
        """Return whether there is more to say than that they have been asked."""
        return bool(self.holiday or self.left or self.nudged or self.can_nudge)


def awaited_players(room: Room, seat: int | None, say: Say) -> list[Awaited]:
    """Return the players who keep a seat waiting, the earliest deadline first; none if it has to decide itself."""
    state, dues = room.state, open_dues(room.state)
    if seat is None or seat in dues or state.phase != "playing" or state.occupants[seat].bot_decides:
        return []
    return [_awaited(room, seat, late, say) for late in sorted(dues, key=lambda one: dues[one].until)]


def _awaited(room: Room, seat: int, late: int, say: Say) -> Awaited:
    state, now, due = room.state, room.now, room.state.dues[late]
    holiday, votes = holiday_end(room, late, say.language), state.bot_votes.get(late, set())
    return Awaited(
        seat=late,
        name=room.names[late],
        asked_at=written_time(due.asked or due.since),
        holiday=holiday,
        left=time_left(due.until - now, say) if due.stage else "",
        banked=due.banked,
        nudged=is_nudged(state, late, now),
        can_nudge=not holiday and now >= nudgeable_at(state, late, due),
        can_vote=due.reminded and seat not in votes,
        votes=len(votes),
        voters=len(voters(state, late)),
    )


def written_time(at: float) -> str:
    """Return a time in seconds since 1970 as ISO 8601 writes it in UTC, for scripts."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def holiday_end(room: Room, seat: int, language: str) -> str:
    """Return the day on which the holiday of a seat's player ends, in words; empty if they are not away now.

    It ends at a midnight of their own zone, which older logs do not name. `MIDNIGHT_LATEST` later, it is that day in
    UTC almost everywhere.
    """
    until = room.state.away_until(seat, room.now)
    if until is None:
        return ""
    day = room.state.away[seat].day
    return day_words(date.fromisoformat(day) if day else datetime.fromtimestamp(until + MIDNIGHT_LATEST, UTC), language)


def day_words(day: date, language: str) -> str:
    """Return a day of this year or the next as a language writes it, such as "3 January"."""
    return str(format_skeleton("MMMMd", day, locale="en_GB" if language == "en" else language))


def time_key(room: Room) -> Hashable:
    """Return what time alone changes in a correspondence match: the seats away, and the seats that can be nudged."""
    state, now = room.state, room.now
    if not state.settings.days or state.phase != "playing":
        return ()
    away = frozenset(seat for seat in state.away if state.away_until(seat, now) is not None)
    return away, frozenset(seat for seat, due in open_dues(state).items() if now >= nudgeable_at(state, seat, due))


def match_day(room: Room) -> int:
    """Return the day of the match, counted from 1."""
    return int((room.now - room.state.created_at) // DAY) + 1


def time_left(seconds: float, say: Say) -> str:
    """Return a time in words: in days and hours, in hours, or as less than an hour."""
    days, hours = divmod(int(max(seconds, 0.0) // HOUR), 24)
    if not days and not hours:
        return say("less than an hour")
    parts = [say.many("{count} day", "{count} days", days)] if days else []
    return " ".join([*parts, *([say.many("{count} hour", "{count} hours", hours)] if hours else [])])


def asked_seat(room: Room, seat: int | None) -> int | None:
    """Return the seat if it can be asked anything: None for a spectator and for a player who sits out."""
    sits_out = seat is not None and room.state.phase == "playing" and room.state.occupants[seat].sits_out
    return None if sits_out else seat


def must_decide(room: Room, person_id: str) -> bool:
    """Return whether a person has to decide in this room now."""
    seat = asked_seat(room, room.state.seat_of(person_id))
    return seat is not None and room.prompt_id(seat) is not None


def plays_alone(room: Room, seat: int | None) -> bool:
    """Return whether bots decide for all other seats."""
    others = (place for other, place in enumerate(room.state.occupants) if other != seat)
    return seat is not None and all(place.bot_decides for place in others)


def aside_values(room: Room, seat: int | None, say: Say, words_say: Say) -> dict[str, Hashable]:
    """Return the notice's values: about sitting out, late players, and an open request to undo.

    It is offered to eliminated players; others find it in the header. `say` is the site's, `words_say` the game's.
    """
    state = room.state
    if seat is None or state.phase != "playing":
        nothing = dict.fromkeys(("aside", "hurries", "eliminated", "late"), "")
        return {"taken_over": False, **nothing, "told": (), "awaited": (), "undo": None}
    place = state.occupants[seat]
    why = "" if place.bot_decides else words_of(state.game).eliminated(room.view(seat), words_say)
    return {
        "taken_over": place.taken_over,
        "aside": place.sits_out,
        "hurries": state.haste,
        "eliminated": why,
        "late": late_words(room, seat, say),
        "told": tuple(bot_decision_lines(state, seat, seat, words_say)),
        "awaited": tuple(player for player in awaited_players(room, seat, say) if player.is_told)[:MOST_AWAITED],
        "undo": undo_notice(room, seat),
    }


class UndoNotice(NamedTuple):
    """An open request to undo as a seat sees it: the name, seat and decision of the player who asks.

    `mine`: it is the seat's own; `allowed` of `voters` people have agreed.
    """

    name: str
    seat: int
    prompt_id: int
    mine: bool
    allowed: int
    voters: int


def undo_markup(room: Room, seat: int | None, language: str) -> Markup:
    """Return the button with which a seat takes back its last decision; empty if it cannot."""
    state = room.state
    made = undoable(state, seat)
    if seat is None or made is None or state.undo_request is not None or state.occupants[seat].bot_decides:
        return Markup()
    asks = bool(voters(state, seat))
    if asks and state.undo_denied == made:
        return Markup()
    return render_filled("undo.html", language, {"code": room.id, "prompt_id": str(made.prompt_id)}, asks=asks)


def undo_notice(room: Room, seat: int | None) -> UndoNotice | None:
    """Return the request that a seat is asked to answer, or its own; None if there is none."""
    state, asked = room.state, room.state.undo_request
    if asked is None or seat is None:
        return None
    asker, people = asked.made.seat, voters(state, asked.made.seat)
    if seat != asker and (seat not in people or seat in asked.allowed):
        return None
    agreed = len(asked.allowed & people)
    return UndoNotice(room.names[asker], asker, asked.made.prompt_id, seat == asker, agreed, len(people))
