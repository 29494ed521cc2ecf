"""Text that people write: cleaned, counted, shortened, and inserted into sentences.

Results never depend on the Unicode version of the running Python, so all workers treat a text alike. The relevant
classes are declared here; Unicode's tables are not consulted for characters that Unicode 14 had not assigned.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib.resources import files

MARKS = 3
"""Maximum combining marks on a base character: more of them cover neighbouring lines."""
MARKS_IN_STACKS = 6
"""Maximum combining marks in scripts whose syllables are stacks of marks."""
STACKS = re.compile("[\u0f00-\u109f\u1780-\u17ff\u1a20-\u1aaf\ua9e0-\ua9ff\uaa60-\uaa7f]")
"""Tibetan, Burmese, Khmer and Tai Tham."""
MARK_BLOCKS = re.compile("[\u0300-\u036f\u0890-\u089f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""Blocks for combining marks: characters assigned there later are marks, too."""
SPACE = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, except tabs and line breaks
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # fillers, bidi and other formats
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"  # surrogates and private use
    "\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
"""Invisible characters that control or hide text, and characters without an agreed appearance."""
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
LOOSE = f"\u180b-\u180d\u180f\u200b-\u200d{SELECTORS}\U000e0020-\U000e007f"
"""Characters with a meaning only inside a sequence: joiners, variation selectors, tags."""
JOINING = (
    "\u0600-\u109f\u1700-\u18af\u1900-\u1aaf\u1b00-\u1c4f\ua800-\ua95f\ua980-\uabff\ufb50-\ufdcf\ufdf0-\ufdff"
    "\ufe70-\ufefc\U00010a00-\U00010fff\U00011000-\U00011fff\U0001e900-\U0001e95f"
)
"""Scripts whose characters join or form conjuncts: Arabic and related scripts, those of India and South East Asia."""
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1a20-\u1aaf\uaa60-\uaa7f"
"""Scripts without spaces between words: a keyboard may mark where one ends."""
VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
"""Signs after which a joiner decides the form of the consonant, also at the end of a word."""
PICTURES = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001faff\U0001fc00-\U0001fffd"
)
"""Blocks of pictographs, including code points reserved for future ones."""
PICTURE = f"[{PICTURES}][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
SIGN = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"  # the flag of a region
    "|[\U0001f1e6-\U0001f1ff]{2}"  # the flag of a country
    "|[0-9#*]\ufe0f?\u20e3"  # a key
    f"|{PICTURE}(?:\u200d{PICTURE}){{0,4}}"
    f"|[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff][{SELECTORS}]"
    "|[\u1800-\u18af][\u180b-\u180d\u180f]"
    f"|(?P<joiner>(?<=[{JOINING}])[\u200c\u200d](?=[{JOINING}])|(?<=[{VIRAMAS}])\u200d"
    f"|(?<=[{UNSPACED}])\u200b(?=[{UNSPACED}]))"
    f"|(?P<loose>[{LOOSE}])"
    "|.",
    re.DOTALL,
)
"""What a reader sees as one character, without the marks after it."""
IS_LOOSE = re.compile(f"[{LOOSE}]")
REPEATED = re.compile("([\u200b-\u200d])[\u200b-\u200d]+")
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
CONTEXT_END = "\x04"
"""Separator between the context of a message and its English in gettext catalogues."""
ISOLATE, POP = "\u2068", "\u2069"
ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE}{POP}]*{POP}")


def mark(message: str, *, context: str = "") -> str:
    """Return a message unchanged. The call marks it for translation, for messages in tables.

    `context` distinguishes two meanings of the same English, as in gettext: one or two words for translators. A message
    with a context is shown only through `say`, even in English.
    """
    return in_context(message, context)


def in_context(message: str, context: str) -> str:
    """Return the key of a message in a catalogue."""
    return f"{context}{CONTEXT_END}{message}" if context else message


@cache
def _unknown() -> re.Pattern[str]:
    table = (files("tavola.core") / "unassigned.txt").read_text(encoding="utf-8").splitlines()
    ranges = (line.split() for line in table if not line.startswith("#"))
    return re.compile("([" + "".join(f"\\U{first:0>8}-\\U{last:0>8}" for first, last in ranges) + "]+)")


def settled(text: str, change: Callable[[str], str]) -> str:
    """Return a text, with `change` applied to the characters that Unicode 14 had assigned."""
    if text.isascii():
        return change(text)
    parts = _unknown().split(text)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def composed(text: str) -> str:
    """Return a text in normalization form C."""
    return settled(text, lambda part: unicodedata.normalize("NFC", part))


def visible(text: str) -> str:
    """Return a text without invisible characters: controls, bidirectional formats, private characters, loose joiners.

    Joiners, variation selectors and tags stay inside the sequences in which they have a meaning. Tabs and line breaks
    stay. The result does not change when it is passed through again.
    """
    before, text = "", HIDDEN.sub("", text)
    while text != before and not text.isascii():
        before, text = text, REPEATED.sub(r"\1", "".join(_unstacked(composed(text))))
        text = "".join(sign[0] for sign in SIGN.finditer(text) if sign.lastgroup != "loose")
    return text


def clean(text: str) -> str:
    """Return the visible text on one line, with single spaces."""
    return SPACE.sub(" ", visible(SPACE.sub(" ", text))).strip(" ")


def _unstacked(text: str) -> Iterator[str]:
    marks, most = 0, MARKS
    for character in text:
        if is_mark(character):
            marks += 1
        elif not IS_LOOSE.match(character):
            marks, most = 0, MARKS_IN_STACKS if STACKS.match(character) else MARKS
        if marks <= most or not is_mark(character):
            yield character


@lru_cache(4096)
def is_mark(character: str) -> bool:
    """Return whether a character is a combining mark; variation selectors are not."""
    if MARK_BLOCKS.match(character) or IS_LOOSE.match(character) or _unknown().match(character):
        return MARK_BLOCKS.match(character) is not None
    return unicodedata.category(character)[0] == "M"


def signs(text: str) -> list[str]:
    """Return the characters of a text as a reader counts them: with their marks, emoji as a whole.

    All limits on the length of people's texts count these.
    """
    found: list[str] = []
    for sign in SIGN.finditer(text):
        if found and (sign.lastgroup or is_mark(sign[0][0])):
            found[-1] += sign[0]
        else:
            found.append(sign[0])
    return found


def shorten(text: str, most: int) -> str:
    """Return a text of at most `most` characters, as `signs` counts them; `…` replaces the rest."""
    if len(text) <= most or len(found := signs(text)) <= most:
        return text
    return "".join(found[: most - 1]) + "…"


def isolated(text: str) -> str:
    """Return a text for the middle of a sentence, isolated if right-to-left, so that it does not reorder the rest."""
    if text.isascii() or not RIGHT_TO_LEFT.search(ISOLATED.sub("", text)):
        return text
    return f"{ISOLATE}{text}{POP}"
