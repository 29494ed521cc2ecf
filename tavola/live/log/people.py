"""People, their names and what they write: cleaned once, here, before anything is kept."""

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
"""The name of who has been erased, in any language."""
CHAT_LINES, CHAT_WINDOW = 5, 10.0
"""Lines of chat that one person may write in so many seconds."""
GESTURES = ("praise", "thanks", "laugh", "wonder", "sorry", "remember")
"""What people show by one touch; pages have the words and the signs."""
GESTURE_PAUSE = 5.0
"""Seconds from a person's gesture to his next one."""
PAUSE_FACTORS = {"calm": 1.0, "brisk": 0.4}
"""The pause of bots at each pace, as a part of the calm one: with what is shown their turns take half the time."""
SHOWS = ("rounds", "end")
"""What somebody who sits out wants to be shown, where nobody decides himself any more: a scene a round, or the end."""
HASTE_FACTORS = {"": 1.0, "rounds": 0.5, "end": 0.0}
"""The times in which bots wait, as a part of what they are at a table where somebody decides himself."""
EVERYBODY = 0
"""The number that stands for all who speak: whoever mutes it reads no free text, and statements still."""
COMMAND_ID = re.compile(r"^[A-Za-z0-9_-]{1,64}\Z")


class Person(NamedTuple):
    """Somebody: `id` is secret to his browser or program, `name` is what others read."""

    id: str
    name: str


class ChatLine(NamedTuple):
    """A line of chat; `seat` is None for somebody who only watches, `at` seconds since 1970.

    `speaker` counts who has spoken in this room: lines of one person have the same, whatever his name. `gesture`: one
    of `GESTURES` instead of text.
    """

    name: str
    seat: int | None
    text: str
    at: float
    speaker: int = 0
    gesture: str = ""


def clean_name(name: str) -> str:
    """Return a name as others will read it; `BadName` for one that is too long, or of blanks alone."""
    cleaned = clean(name)
    if not looks(cleaned) or len(signs(cleaned)) > LONGEST_NAME:
        raise BadName(most=LONGEST_NAME)
    return cleaned


def clean_text(text: str) -> str:
    """Return a line of chat as others will read it; `BadText` for one that is too long, or of blanks alone."""
    cleaned = clean(text)
    if not looks(cleaned) or len(signs(cleaned)) > LONGEST_TEXT:
        raise BadText(most=LONGEST_TEXT)
    return cleaned


def command_key(person: Person, command_id: str) -> str:
    """The id of a command in the log. Ids are each person's own: nobody can use up another's."""
    if not COMMAND_ID.fullmatch(command_id):
        raise BadSetting(mark("a command's id has 1 to 64 letters, digits, - or _"))
    return f"{person.id}/{command_id}"


# Characters that readers take for each other, by the table of UTS 39: `confusables.md` names source and licence.


BLANK = re.compile(f"{HIDDEN.pattern}|{IS_LOOSE.pattern}|\u2800")
"""Characters that are drawn as nothing, though Unicode counts some of them among letters, marks and symbols."""


@cache
def prototypes() -> dict[int, str]:
    """Return the look of each confusable character: code point to text."""
    table = (files("tavola.live.log") / "confusables.txt").read_text(encoding="utf-8")
    rows = (line.split() for line in table.splitlines() if not line.startswith("#"))
    return {int(one, 16): "".join(chr(int(each, 16)) for each in likes) for one, *likes in rows}


def looks(text: str) -> frozenset[str]:
    """The texts that stand for how `text` looks, as written and in small letters; none when nothing is seen of it.

    Two texts may be taken for each other when they share one: "BiII" looks like "Bill" as written only, a capital I
    being a small l, while "КАТЯ" is "катя" in small letters only.
    """
    return frozenset({_fold(text), _fold(settled(text, lambda each: _decomposed(each).casefold()))} - {""})


def _fold(text: str) -> str:
    """One text for all that look the same: it folds to itself."""
    folded = ""
    while folded != text:
        folded, text = text, _fold_once(text)
    return folded.replace("rn", "m").replace("vv", "w")


def _fold_once(text: str) -> str:
    seen = BLANK.sub("", settled(text, _decomposed)).translate(prototypes())
    return " ".join(settled(seen, str.casefold).split())


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)
