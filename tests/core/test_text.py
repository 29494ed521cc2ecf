"""Text that people write: what arrives, how it is counted, and how it fits into sentences, on any Python."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.core.text import HIDDEN, LOOSE, clean, is_mark, shorten, signs, visible
from tavola.live.log.people import looks

ARRIVE = {
    "an emoji of Unicode 15": "\U0001fa77",
    "an emoji of Unicode 16": "\U0001fae9",
    "an emoji of tomorrow": "\U0001faff",
    "a family": "👨‍👩‍👧",
    "a couple in two skins": "👩🏽‍❤️‍💋‍👨🏿",
    "a mended heart": "❤️‍🩹",
    "the flag of a region": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "the flag of a country": "🇮🇹",
    "a key": "1️⃣",
    "a letter of Unicode 16": "\U00010d50",
    "Persian with a non-joiner": "می‌خواهم",
    "Devanagari with a joiner": "क्‍ष",
    "a vowel behind a joiner": "क्ष\u200dा",
    "an old chillu at the end of a word": "അവന്‍",
    "Burmese with four marks": "မြို့",
    "Khmer with a marked end of a word": "ភាសា\u200bខ្មែរ",
    "a variant of an ideograph": "葛\U000e0100",
    "a number sign of Arabic": "\u0600٣",
}
REMOVED = {
    "a loose joiner": ("Ada\u200d", "Ada"),
    "a joiner between Latin letters": ("A\u200dd\u200ca", "Ada"),
    "a joiner before a family": ("\u200d👨‍👩‍👧\u200d", "👨‍👩‍👧"),
    "a non-joiner at either end": ("\u200cمی‌خواهم\u200c", "می‌خواهم"),
    "two joiners": ("می\u200c\u200cخواهم", "می\u200cخواهم"),
    "two joiners in a family": ("👨\u200d\u200d👩", "👨\u200d👩"),
    "tags without a flag": ("Ada\U000e0067\U000e0062\U000e007f", "Ada"),
    "a flag whose tags have no end": ("🏴\U000e0067\U000e0062\U000e0065", "🏴"),
    "two selectors": ("❤\ufe0f\ufe0f", "❤\ufe0f"),
    "a selector behind a letter": ("A\ufe0fda", "Ada"),
    "bidirectional controls": ("\u202eevil\u2066x\u2069\u200f", "evilx"),
    "soft hyphens": ("a\xad\xadb", "ab"),
    "private characters and noncharacters": ("a\ue000\U000f0000\ufdd0\U0002ffffb", "ab"),
    "controls": ("a\x00\x1b\x85b", "a b"),
    "a fourth mark": ("a\u0300\u0301\u0302\u0303\u0304", "à\u0301\u0302\u0303"),
    "marks of all blocks": ("Z" + "\u1dc4\u20d0\u1ab0\u0489\ufe20\u1acf", "Z\u1dc4\u20d0\u1ab0"),
    "marks parted by joiners": ("क" + "\u0301\u200d" * 9, "क\u0301\u0301\u0301"),
    "a joiner that parts a letter from its mark": ("e\u200d\u0301", "é"),
}


@pytest.mark.parametrize("text", ARRIVE.values(), ids=ARRIVE)
def test_what_keyboards_write_arrives_as_it_was_written(text):
    assert clean(text) == text
    assert clean(f"Ada {text} Bruno") == f"Ada {text} Bruno"
    assert looks(text)


@pytest.mark.parametrize(("text", "read"), REMOVED.values(), ids=REMOVED)
def test_invisible_and_overlapping_characters_are_removed(text, read):
    assert clean(text) == read


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(f"{LOOSE}aé👨🏴❤ाक्سा\u0301")), max_size=30))
def test_what_is_visible_once_stays_as_it_is(text):
    cleaned = visible(text)
    assert visible(cleaned) == cleaned
    assert not HIDDEN.search(cleaned)
    assert clean(clean(text)) == clean(text)
    assert "".join(signs(cleaned)) == cleaned


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Ada", 3),
        ("👨‍👩‍👧👨‍👩‍👧", 2),
        ("🇮🇹🇮🇹", 2),
        ("می‌خواهم", 7),
        ("မြို့", 1),
        ("1️⃣2️⃣", 2),
        ("e\u0324\u0308", 1),
        ("क्‍ष", 2),
    ],
)
def test_signs_are_counted_as_a_reader_does(text, count):
    assert len(signs(text)) == count


def test_a_text_is_shortened_between_signs():
    assert [shorten(text, most) for text, most in (("", 2), ("Ada", 3), ("Adalbert", 4))] == ["", "Ada", "Ada…"]
    assert [shorten("👨‍👩‍👧" * count, 3) for count in (3, 4)] == ["👨‍👩‍👧" * 3, "👨‍👩‍👧" * 2 + "…"]


NEW = ("\U0001fa77", "\U00010d50", "\U000105c9")
"""An emoji, a capital and a composed character that Unicode 14 had not assigned."""


def test_the_running_python_is_not_asked_about_new_characters(monkeypatch):
    def treated():
        is_mark.cache_clear()
        return [(visible(f"a{text}"), is_mark(text), looks(text)) for text in NEW]

    def know(function, answer):
        """Simulate a Python that knows them, with the most surprising answer."""
        return lambda *asked: answer if set(asked[-1]) & set(NEW) else function(*asked)

    before = treated()
    monkeypatch.setattr(unicodedata, "category", know(unicodedata.category, "Mn"))
    monkeypatch.setattr(unicodedata, "normalize", know(unicodedata.normalize, "?"))
    assert treated() == before
