"""The picture's own words: the few that are printed, and what a card means now. Others are in `words.titles`."""

from tavola.games.voyage.picture.board_state import Leg
from tavola.games.voyage.words.titles import COURSE
from tavola.show.speech import Say

NUMERALS = tuple("I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split(" "))  # noqa: SIM905


def verdict_text(leg: Leg, players: int, say: Say) -> str:
    """Return what a ballot has come to: R13."""
    course = say(COURSE[leg.sailed - 1])
    if 2 * leg.black.bit_count() == players:
        return say("A tie, the captain decides: {course}", course=course)
    if leg.alternative_sailed:
        return say("The seal breaks: {course}", course=course)
    return say("As laid openly: {course}", course=course)


def open_title(course: int, say: Say) -> str:
    """The card that lies open."""
    return say("Laid openly: {course}. A white vote is for it.", course=say(COURSE[course]))


def sealed_title(opened: int, say: Say) -> str:
    """The card that lies sealed, or was opened (`opened` from 1)."""
    if opened:
        return say("Laid in secret, and sailed: {course}.", course=say(COURSE[opened - 1]))
    return say("Laid in secret: only the captain knows this course. A black vote is for it.")


def ballot_title(name: str, face: str, say: Say) -> str:
    """One seat's ballot."""
    told = {
        "": say("{name} has not voted yet", name=name),
        "back": say("{name} has voted", name=name),
        "white": say("{name}: white, for the open course", name=name),
        "black": say("{name}: black, for the sealed course", name=name),
    }
    return told[face]
