"""The picture's words: what a piece is, for whoever rests the pointer on it, and the few that are printed."""

from tavola.games.voyage.components import CELLS, COAST, FACES, FOG, START, Table
from tavola.games.voyage.words.nouns import COURSE as WAYS
from tavola.games.voyage.words.nouns import face_of
from tavola.show.speech import Say, mark, marks

COURSE = WAYS.forms["short"]
LETTER = marks("N", "E", "S", "W")
WAY = marks(
    "5 for Avalon, 3 for at most 4 islands",
    "1 for each island, 2 for Avalon",
    "2 for each island with the cross, 1 for Avalon",
    "5 if Avalon is not found, 3 for 5 islands or more",
    "1 for 2 tiles of the border, 1 for a tile of fog, 3 for Avalon",
)
SAILOR_WAY = marks("2 for each tile of open sea", "1 for 2 tiles of open sea")
ENDING = marks("The voyage goes on", "Avalon is found!", "Twenty turns are over", "The route is lost")
TILE = {
    "open": mark("open sea"),
    "cross": mark("island with the cross"),
    "plain": mark("island without a cross"),
    "avalon": mark("Avalon"),
    "coast": mark("coast"),
    "start": mark("the start"),
}
CHARTED = {
    "cross": mark("an island with the cross, not reached yet"),
    "plain": mark("an island without a cross, not reached yet"),
}
BALLOT = {
    "": mark("{name} has not voted yet"),
    "back": mark("{name} has voted"),
    "white": mark("{name}: white, for the open course"),
    "black": mark("{name}: black, for the sealed course"),
}


def role_way(role: int, sailor: int, say: Say) -> str:
    """Return how a role makes points, in a line."""
    return say((*WAY, SAILOR_WAY[sailor])[role])


def tile_title(cell: int, kind: str, say: Say) -> str:
    """A tile that lies open: `d4: open sea`."""
    here = {"cell": CELLS[cell], "tile": say(TILE[kind])}
    return say("{cell}: {tile}, in the fog", **here) if FOG >> cell & 1 else say("{cell}: {tile}", **here)


def charted_title(cell: int, kind: str, say: Say) -> str:
    """An island that the chart tells of, its tile still face down."""
    return say("{cell}: {tile}", cell=CELLS[cell], tile=say(CHARTED[kind]))


def ballot_title(name: str, face: str, say: Say) -> str:
    """One seat's ballot."""
    return say(BALLOT[face], name=name)


def kind_of(t: Table, cell: int) -> str:
    """Return what the open tile of a cell shows."""
    if START >> cell & 1:
        return "start"
    return "coast" if COAST >> cell & 1 else FACES[face_of(t, cell)]


def course_title(course: int, losing: bool, say: Say) -> str:
    """A course that the captain may lay."""
    named = say(COURSE[course])
    return say("{course}: the route would be lost", course=named) if losing else named


def turn_title(number: int, sailed: int, preferred: int, captain: str, say: Say) -> str:
    """Return what happened in a turn that is over."""
    told = {"turn": number, "captain": captain, "course": say(COURSE[sailed - 1])}
    if sailed == preferred:
        return say("Turn {turn}, captain {captain}: {course}, laid openly", **told)
    return say("Turn {turn}, captain {captain}: {course}, laid in secret", **told)


def verdict_text(sailed: int, preferred: int, tie: bool, say: Say) -> str:
    """Return what a ballot has come to: R13."""
    course = say(COURSE[sailed - 1])
    if tie:
        return say("A tie, the captain decides: {course}", course=course)
    if sailed != preferred:
        return say("The seal breaks: {course}", course=course)
    return say("As laid openly: {course}", course=course)
