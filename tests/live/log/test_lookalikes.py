"""Names that readers confuse, by Unicode's table of confusables."""

import sys
import unicodedata

import pytest

from tavola.live.log.people import BLANK, looks, prototypes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bill", "BiII"),
        ("Ada", "АDА"),
        ("Катя", "КАТЯ"),
        ("Íris", "íris"),
        ("Modern", "Modem"),
        ("Zoé", "Zoe\u0301"),
        ("Walter", "VValter"),
        ("Ｐａｕｌ", "paul"),
        ("Oscar", "0sсar"),
    ],
)
def test_these_look_alike(one, other):
    assert looks(one) & looks(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Eva", "Ena"), ("Mac", "Mao"), ("Zoe", "Zoé"), ("Ada", "Ida"), ("李", "雷")]
)
def test_these_do_not(one, other):
    assert not looks(one) & looks(other)


def test_the_table_is_whole():
    assert (len(prototypes()), prototypes()[ord("а")]) == (2527, "a")


def test_what_a_character_looks_like_looks_like_it():
    """For every character of the table; the look of a look is itself."""
    for character in map(chr, prototypes()):
        for look in looks(character):
            assert looks(look) == {look}, (character, look)


def test_blanks_look_like_nothing():
    blanks = "".join(character for character in map(chr, range(sys.maxunicode)) if BLANK.match(character))
    assert not looks(f"{blanks} ")
    assert {"\u034f", "\u115f", "\u2800", "\u3164", "\u200b", "\ufe0f", "\U000e0067"} <= set(blanks)
    assert not {unicodedata.category(blank) for blank in blanks} & {"Ll", "Lu", "Nd", "Po", "Zs"}
