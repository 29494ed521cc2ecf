"""What is asked, and until when: the seconds of a decision, and the bank that goes on where they end."""

from typing import NamedTuple

from tavola.live import Room
from tavola.show.svg import fill_marks
from tavola.web.render import render_cached

SENTENCE_SLOT, CLOCK_SLOT, BANK_SLOT = "\ue009", "\ue002", "\ue01b"
"""Marks for what is asked and for the two ends of a clock, in what is kept: nobody can write these."""

LENGTHS = {"wide": 28, "long": 38, "longest": 88}
"""Characters beyond which a question is set smaller on a phone."""


class SeatClock(NamedTuple):
    """When a decision's seconds end, and when its bank is used up, if it has one: milliseconds since 1970, or 0."""

    until: int = 0
    bank: int = 0

    @property
    def marks(self) -> dict[str, str]:
        """Return what stands in the place of its marks."""
        return {CLOCK_SLOT: str(self.until), BANK_SLOT: str(self.bank)}


NO_CLOCK = SeatClock()


def seat_clock(room: Room, seat: int) -> SeatClock:
    """Return the clock of what a seat owes."""
    begins, ends = room.caretaker.bank_begins(seat), room.caretaker.deadline(seat)
    if not ends:
        return NO_CLOCK
    return SeatClock(round(ends) * 1000) if begins is None else SeatClock(round(begins) * 1000, round(ends) * 1000)


def bank_clock(room: Room, seat: int) -> SeatClock:
    """Return the clock of what a seat owes where that has a bank: others see no more of it."""
    clock = seat_clock(room, seat) if room.state.settings.bank else NO_CLOCK
    return clock if clock.bank else NO_CLOCK


def sentence_size(sentence: str) -> str:
    """Return the classes of a sentence by its length, as `choices.js` sets them for what it asks itself."""
    return " ".join(name for name, most in LENGTHS.items() if len(sentence) > most)


def prompt_markup(language: str, sentence: str, *, clock: SeatClock = NO_CLOCK, **more: bool) -> str:
    """Return what is asked, or whom everybody waits for."""
    asked = {"mine": False, "secret": False, "only": False, "watching": False, "timed": bool(clock.until), **more}
    size, banked = sentence_size(sentence), bool(clock.bank)
    said = render_cached("prompt.html", language, sentence=SENTENCE_SLOT, size=size, banked=banked, **asked)
    return fill_marks(said, {SENTENCE_SLOT: sentence, **clock.marks})
