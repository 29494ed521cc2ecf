"""People, their names and their texts, cleaned here before they are stored."""

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tavola.core.text import HIDDEN, IS_LOOSE, clean, mark, settled, signs
from tavola.live.room_refusals import BadName, BadSetting, BadText

LONGEST_NAME = 24
LONGEST_TEXT = 300
"""Maximum characters as a reader counts them, `tavola.core.text.signs`."""
NOBODY = "N. N."
"""The name of an erased person, in any language."""
CHAT_LINES, CHAT_WINDOW = 5, 10.0
"""Maximum chat lines of one person per `CHAT_WINDOW` seconds."""
GESTURES = ("praise", "thanks", "laugh", "wonder", "sorry", "remember")
"""Gestures shown by one touch; pages have the words and the signs."""
GESTURE_PAUSE = 5.0
"""Minimum seconds between two gestures of one person."""
PAUSE_FACTORS = {"calm": 1.0, "brisk": 0.4}
"""Pauses of bots by pace, relative to calm; with scenes included, brisk turns take half the time."""
SHOWS = ("rounds", "end")
"""What players who sit out can choose to see when no person decides any longer: a scene per round, or the end."""
HASTE_FACTORS = {"": 1.0, "rounds": 0.5, "end": 0.0}
"""Waiting times of bots by `State.haste`, relative to a table where a person decides."""
ALL_SPEAKERS = 0
"""The number for all speakers: muting it hides free text, but not statements."""
COMMAND_ID = re.compile(r"^[A-Za-z0-9_-]{1,64}\Z")


class Person(NamedTuple):
    """A person: `id` is known only to their browser or program; `name` is public, and `face`, if they chose one."""

    id: str
    name: str
    face: str = ""


class ChatLine(NamedTuple):
    """A line of chat; `seat` is None for a spectator, `at` is in seconds since 1970.

    `speaker` is the person's number among the speakers of this room, the same under any name. `gesture`: one of
    `GESTURES` instead of text.
    """

    name: str
    seat: int | None
    text: str
    at: float
    speaker: int = 0
    gesture: str = ""


def clean_name(name: str) -> str:
    """Return a name cleaned for others to read; raise `BadName` if it is too long or blank."""
    cleaned = clean(name)
    if not looks(cleaned) or len(signs(cleaned)) > LONGEST_NAME:
        raise BadName(most=LONGEST_NAME)
    return cleaned


def clean_text(text: str) -> str:
    """Return a line of chat cleaned for others to read; raise `BadText` if it is too long or blank."""
    cleaned = clean(text)
    if not looks(cleaned) or len(signs(cleaned)) > LONGEST_TEXT:
        raise BadText(most=LONGEST_TEXT)
    return cleaned


def command_key(person: Person, command_id: str) -> str:
    """Return the id of a command in the log. It contains the person's id, so others cannot use it up."""
    if not COMMAND_ID.fullmatch(command_id):
        raise BadSetting(mark("a command’s ID needs 1 to 64 letters, digits, - or _"))
    return f"{person.id}/{command_id}"


# Characters that readers confuse, by the table of UTS 39: `confusables.md` names source and licence.


BLANK = re.compile(f"{HIDDEN.pattern}|{IS_LOOSE.pattern}|\u2800")
"""Characters that are invisible, although Unicode does not class all of them as blank."""


@cache
def prototypes() -> dict[int, str]:
    """Return the look of each confusable character: code point to text."""
    table = (files("tavola.live.log") / "confusables.txt").read_text(encoding="utf-8")
    rows = (line.split() for line in table.splitlines() if not line.startswith("#"))
    return {int(one, 16): "".join(chr(int(each, 16)) for each in likes) for one, *likes in rows}


def looks(text: str) -> frozenset[str]:
    """Return the normal forms of how `text` looks, as written and in lower case; empty if nothing is visible.

    Two texts may be confused if they share one: "BiII" looks like "Bill" only as written, since a capital I looks like
    a small l, while "КАТЯ" is "катя" only in lower case.
    """
    return frozenset({_fold(text), _fold(settled(text, lambda each: _decomposed(each).casefold()))} - {""})


def _fold(text: str) -> str:
    """Return one text for all that look the same, which folds to itself."""
    folded = ""
    while folded != text:
        folded = text
        seen = BLANK.sub("", settled(text, _decomposed)).translate(prototypes())
        text = " ".join(settled(seen, str.casefold).split())
    return folded.replace("rn", "m").replace("vv", "w")


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)
