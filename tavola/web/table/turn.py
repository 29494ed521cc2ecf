"""Whose turn it is, the prompt, and its deadline: clocks, correspondence, and bots that decide for a person."""

from collections.abc import Hashable
from typing import Any, NamedTuple

from tavola.live import Room
from tavola.live.correspondence.due_dates import next_due
from tavola.live.correspondence.hours import DAY, HOUR
from tavola.live.state_sentences import bot_decision_lines
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.show.svg import fill_marks
from tavola.web.render import render_cached

SENTENCE_SLOT, CLOCK_SLOT, BANK_SLOT = "\ue009", "\ue002", "\ue01b"
"""Placeholders in cached markup, which user input cannot contain: the prompt and the two ends of a clock."""

LENGTHS = {"wide": 28, "long": 38, "longest": 88}
"""Numbers of characters beyond which a question is set smaller on a phone."""


class SeatClock(NamedTuple):
    """When a decision's own time ends, and its time bank if it has one: milliseconds since 1970, or 0."""

    until: int = 0
    bank: int = 0

    @property
    def marks(self) -> dict[str, str]:
        return {CLOCK_SLOT: str(self.until), BANK_SLOT: str(self.bank)}


NO_CLOCK = SeatClock()


def seat_clock(room: Room, seat: int) -> SeatClock:
    """Return the clock of a seat's open decision."""
    begins, ends = room.caretaker.bank_begins(seat), room.caretaker.deadline(seat)
    if not ends:
        return NO_CLOCK
    return SeatClock(round(ends) * 1000) if begins is None else SeatClock(round(begins) * 1000, round(ends) * 1000)


def bank_clock(room: Room, seat: int) -> SeatClock:
    """Return the clock of a seat's open decision if it has a time bank: others see only such clocks."""
    clock = seat_clock(room, seat) if room.state.settings.bank else NO_CLOCK
    return clock if clock.bank else NO_CLOCK


def prompt_markup(language: str, sentence: str, *, clock: SeatClock = NO_CLOCK, **more: bool) -> str:
    """Return the prompt, or the sentence that says who has to decide."""
    asked = {"mine": False, "secret": False, "only": False, "watching": False, "timed": bool(clock.until), **more}
    # `choices.js` sets the same classes for its own questions.
    size = " ".join(name for name, most in LENGTHS.items() if len(sentence) > most)
    banked = bool(clock.bank)
    said = render_cached("prompt.html", language, sentence=SENTENCE_SLOT, size=size, banked=banked, **asked)
    return fill_marks(said, {SENTENCE_SLOT: sentence, **clock.marks})


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
    if state.occupants[seat].is_missed:
        return say("A bot has your seat, because your time ran out several times in a row.")
    if seat in state.bot_decisions:
        return say("Your time was up, so a bot decided for you. You play on.")
    return ""


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


def aside_values(room: Room, seat: int | None, say: Say) -> dict[str, Hashable]:
    """Return the notice's values about sitting out: whether a bot decides, how the match continues, why it is offered.

    It is offered to eliminated players; others find it in the header.
    """
    state = room.state
    if seat is None or state.phase != "playing":
        return {"taken_over": False, "aside": "", "hurries": "", "eliminated": "", "late": "", "told": ()}
    place = state.occupants[seat]
    why = "" if place.bot_decides else words_of(state.game).eliminated(room.view(seat), say)
    return {
        "taken_over": place.taken_over,
        "aside": place.sits_out,
        "hurries": state.haste,
        "eliminated": why,
        "late": late_words(room, seat, say),
        "told": tuple(bot_decision_lines(state, seat, seat, say)),
    }
