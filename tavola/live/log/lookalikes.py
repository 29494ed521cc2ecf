"""Characters that readers take for each other, by the table of UTS 39: `confusables.md` names source and licence."""

import re
import unicodedata
from functools import cache
from importlib.resources import files

from tavola.core.text import HIDDEN, IS_LOOSE, settled

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
    return frozenset({_fold(text), _fold(settled(text, _in_small_letters))} - {""})


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


def _in_small_letters(text: str) -> str:
    return _decomposed(text).casefold()
