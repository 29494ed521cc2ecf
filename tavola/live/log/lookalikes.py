"""Characters that readers take for each other, by the table of UTS 39: `confusables.md` names source and licence."""

import unicodedata
from functools import cache
from importlib.resources import files

BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""Characters that are drawn as nothing though Unicode counts them among letters, marks and symbols."""


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
    return frozenset({_fold(text), _fold(unicodedata.normalize("NFKD", text).casefold())} - {""})


def _fold(text: str) -> str:
    """One text for all that look the same: it folds to itself."""
    folded = ""
    while folded != text:
        folded, text = text, _fold_once(text)
    return folded.replace("rn", "m").replace("vv", "w")


def _fold_once(text: str) -> str:
    seen = (c for c in unicodedata.normalize("NFKD", text) if c not in BLANK and unicodedata.category(c) != "Cf")
    return " ".join("".join(seen).translate(prototypes()).casefold().split())
