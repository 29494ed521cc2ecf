"""The picture's words: what a piece is, for whoever rests the pointer on it, and the few that are printed."""

from tavola.games.voyage.components import CELLS, COAST, EMENDED, FOG, START
from tavola.games.voyage.words.nouns import COURSE as WAYS
from tavola.games.voyage.words.nouns import ROLE
from tavola.show.speech import Say, mark

COURSE = WAYS.forms["short"]
LETTER = (mark("N"), mark("E"), mark("S"), mark("W"))
WAY = (
    mark("5 for Avalon, 3 for at most 4 islands"),
    mark("1 for each island, 2 for Avalon"),
    mark("2 for each island with the cross, 1 for Avalon"),
    mark("5 if Avalon is not found, 3 for 5 islands or more"),
    mark("1 for 2 tiles of the border, 1 for a tile of fog, 3 for Avalon"),
    mark("2 for each tile of open sea"),
)
EMENDED_WAY = mark("1 for 2 tiles of open sea")
ENDING = (
    mark("The voyage goes on"),
    mark("Avalon is found!"),
    mark("Twenty turns are over"),
    mark("The route is lost"),
)


def role_way(role: int, sailor: int, say: Say) -> str:
    """Return how a role makes points, in a line."""
    emended = role == len(ROLE) - 1 and sailor == EMENDED
    return say(EMENDED_WAY if emended else WAY[role])


def tile_title(cell: int, kind: str, say: Say) -> str:
    """A tile that lies open: `d4: open sea`."""
    named = {
        "open": mark("open sea"),
        "cross": mark("island with the cross"),
        "plain": mark("island without a cross"),
        "avalon": mark("Avalon"),
        "coast": mark("coast"),
        "start": mark("the start"),
    }[kind]
    here = {"cell": CELLS[cell], "tile": say(named)}
    return say("{cell}: {tile}, in the fog", **here) if FOG >> cell & 1 else say("{cell}: {tile}", **here)


def back_title(cell: int, mark_on_back: str, say: Say) -> str:
    """A tile face down: what may be known of it."""
    named = {
        "cross": mark("an island with the cross, not reached yet"),
        "plain": mark("an island without a cross, not reached yet"),
        "coast": mark("coast, not reached yet"),
        "fog": mark("fog"),
        "open": mark("open sea, not reached yet"),
        "hidden": mark("not explored yet"),
    }[mark_on_back]
    return say("{cell}: {tile}", cell=CELLS[cell], tile=say(named))


def kind_of(cell: int, crosses: int, plains: int, avalon: int) -> str:
    """Return what the open tile of a cell shows."""
    if START >> cell & 1:
        return "start"
    if COAST >> cell & 1:
        return "coast"
    shown = {"avalon": avalon, "cross": crosses, "plain": plains}
    return next((kind for kind, cells in shown.items() if cells >> cell & 1), "open")


def course_title(course: int, losing: bool, say: Say) -> str:
    """A course that the captain may lay."""
    named = say(COURSE[course])
    return say("{course}: the route would be lost", course=named) if losing else named


def turn_title(number: int, sailed: int, preferred: int, captain: str, say: Say) -> str:
    """Return what happened in a turn that is over."""
    told = {"turn": number, "captain": captain, "course": say(COURSE[sailed - 1])}
    if sailed == preferred:
        return say("Turn {turn}, captain {captain}: {course}, the preferred course", **told)
    return say("Turn {turn}, captain {captain}: {course}, the alternative", **told)


def ending_text(ending: int, say: Say) -> str:
    """Return how the voyage ended."""
    return say(ENDING[ending])
