"""Titles of pieces in the picture, shown when they are pointed at, and the few texts printed on it."""

from tavola.games.voyage.components import CELLS, COAST, FACES, FOG, START, Table
from tavola.games.voyage.words.nouns import COURSE as WAYS
from tavola.games.voyage.words.nouns import face_of
from tavola.show.speech import Say, mark, marks

COURSE = WAYS.forms["short"]
LETTER = marks("N", "E", "S", "W")
WAY = marks(
    "5 for Avalon, 3 for 4 islands or fewer",
    "1 for each island, 2 for Avalon",
    "2 for each island with a cross, 1 for Avalon",
    "5 if Avalon isn’t found, 3 for 5 islands or more",
    "1 for every 2 border tiles, 1 for each fog tile, 3 for Avalon",
)
SAILOR_WAY = marks("2 for each tile of open sea", "1 for every 2 tiles of open sea")
ENDING = marks("The voyage goes on", "Avalon is found!", "Twenty turns are over", "The route is lost")
TILE = {
    "open": mark("open sea"),
    "cross": mark("island with a cross"),
    "plain": mark("island without a cross"),
    "avalon": mark("Avalon"),
    "coast": mark("coast"),
    "start": mark("the start"),
}
CHARTED = {
    "cross": mark("an island with a cross, not reached yet"),
    "plain": mark("an island without a cross, not reached yet"),
}
BALLOT = {
    "": mark("{name} hasn’t voted yet"),
    "back": mark("{name} has voted"),
    "white": mark("{name}: white, for the open course"),
    "black": mark("{name}: black, for the hidden course"),
}


def tile_title(cell: int, kind: str, say: Say) -> str:
    """Return the title of a face-up tile: `d4: open sea`."""
    tile = say(TILE[kind])
    return say.labelled(CELLS[cell], say("{tile}, in the fog", tile=tile) if FOG >> cell & 1 else tile)


def ballot_title(name: str, face: str, say: Say) -> str:
    return say(BALLOT[face], name=name)


def kind_of(t: Table, cell: int) -> str:
    if START >> cell & 1:
        return "start"
    return "coast" if COAST >> cell & 1 else FACES[face_of(t, cell)]


def course_title(course: int, losing: bool, say: Say) -> str:
    named = say(COURSE[course])
    return say("{course}: the route would be lost", course=named) if losing else named


def turn_title(number: int, sailed: int, preferred: int, captain: str, say: Say) -> str:
    told = {"turn": number, "captain": captain, "course": say(COURSE[sailed - 1])}
    if sailed == preferred:
        return say("Turn {turn}, captain {captain}: {course} (open)", **told)
    return say("Turn {turn}, captain {captain}: {course} (hidden)", **told)


def verdict_text(sailed: int, preferred: int, tie: bool, say: Say) -> str:
    """R13: return the result of a ballot."""
    course = say(COURSE[sailed - 1])
    if tie:
        return say("A tie, the captain decides: {course}", course=course)
    if sailed != preferred:
        return say("Hidden course: {course}", course=course)
    return say("Open course: {course}", course=course)
