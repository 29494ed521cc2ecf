"""Names that a reader takes for each other, by Unicode's table."""

import unicodedata

import pytest

from tavola.live.log.lookalikes import BLANK, looks, prototypes


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
    assert len(prototypes()) == 2527
    assert prototypes()[ord("а")] == "a"


def test_what_a_character_looks_like_looks_like_it():
    """Of every character of the table, and its look folds no further."""
    for character in map(chr, prototypes()):
        for look in looks(character):
            assert looks(look) == {look}, (character, look)


def test_blanks_look_like_nothing():
    assert not looks("".join(BLANK) + " \u200b")
    assert all(unicodedata.category(blank) in ("Lo", "Mn", "So", "Cf", "Cn") for blank in BLANK)
