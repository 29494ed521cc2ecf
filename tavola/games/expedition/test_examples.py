"""The worked examples of the rulebook, arrow by arrow."""

import numpy as np
import pytest

from tavola.games.expedition.arrows import last_loop
from tavola.games.expedition.components import ARROWS
from tavola.games.expedition.fixtures import head_spot, match_at, play

TO_MARIB = "lisbon tassili lake-chad abu-simbel lalibela marib"
TO_BOROBUDUR = f"{TO_MARIB} arabian-sea indian-ocean equator andamans borobudur"


def vouchers(match, seat=0):
    return match.view().table.explorers[seat].vouchers


def turn_fields(match):
    document = match.document()
    return document["phase"], document["green"], document["used"]


def test_one_more_arrow_by_vouchers_and_green_stations():
    """«Una spedizione è a Marib»: red, a voucher, green, red, a voucher, green, Borobudur; the turn ends."""
    match = match_at(["borobudur fuji", "agra"], {"red": TO_MARIB}, vouchers=[0, 3])
    play(match, "red marib arabian-sea")
    assert vouchers(match) == 1, "«Quindi riceve un buono viaggio»"
    play(match, "voucher", "red arabian-sea indian-ocean")
    assert turn_fields(match) == ("green", 1, 1), "«la stazione verde che è più a sud»"
    play(match, "red indian-ocean equator")
    assert vouchers(match) == 1, "«prende un altro buono viaggio dalla banca»"
    play(match, "voucher", "red equator andamans")
    assert turn_fields(match) == ("green", 1, 2)
    play(match, "red andamans borobudur")
    assert head_spot(match, "red") == "borobudur", "«giungendo così a Borobudur»"
    assert match.to_act == (1,), "«Il suo turno ora finisce»"
    assert match.document()["expedition"]["red"]["count"] == 10
    assert match.document()["bank"] == 31 - 3, "what was used is back in the bank"
    assert match.document()["laid"]["borobudur"] == "0"


def test_an_arrow_is_taken_away():
    """«La spedizione si trova a Borobudur»: back to green, Angkor, the own arrow to Tschangan, and no more."""
    match = match_at(["fuji", "angkor agra"], {"red": TO_BOROBUDUR}, goals="tschangan")
    play(match, "remove red")
    assert head_spot(match, "red") == "andamans"
    assert turn_fields(match) == ("green", 1, 1), "«ha diritto di prendere una freccia addizionale»"
    play(match, "red andamans angkor")
    assert match.document()["laid"]["angkor"] == "1", "its card lies before its owner, though it is not his turn"
    play(match, "red angkor tschangan")
    assert match.document()["laid"]["tschangan"] == "0"
    assert match.document()["phase"] == "turn", "«Sebbene può giocare un altro buono viaggio»"
    assert "voucher" in match.legal_codes(0)
    play(match, "done")
    assert match.document()["expedition"]["red"]["count"] == 11
    assert match.document()["bank"] == 31 - 6 + 1


# Variant A: points numbered in the order of their first visit

FIRST_FIGURE = "1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-3 3-9 9-10 10-2"
SECOND_FIGURE = f"{FIRST_FIGURE} 2-11 11-12 12-13 13-14 14-7"
THIRD_FIGURE = f"{SECOND_FIGURE} 9-15 15-16 16-10"


@pytest.mark.parametrize(
    ("arrows", "loop"),
    [
        (FIRST_FIGURE, {2, 3, 9, 10}),
        (SECOND_FIGURE, {14, 7, 8, 3, 9, 10, 2, 11, 12, 13}),
        (THIRD_FIGURE, {16, 10, 2, 3, 9, 15}),  # ruling 26: the text omits 15, which lies on the circle
    ],
)
def test_the_last_loop_in_the_three_figures(arrows, loop):
    """Rulings 26 and F10: the smallest directed circle through the last arrow."""
    away, to = np.zeros(ARROWS, np.int64), np.zeros(ARROWS, np.int64)
    pairs = [pair.split("-") for pair in arrows.split()]
    for k, (one, other) in enumerate(pairs):
        away[k], to[k] = int(one), int(other)
    assert set(np.flatnonzero(last_loop(away, to, len(pairs)))) == loop


def test_of_equal_circles_any():
    """Ruling F10: 1-2-3-4 and 1-2-5-4 are as long; the origins are those of both."""
    away, to = np.zeros(ARROWS, np.int64), np.zeros(ARROWS, np.int64)
    for k, (one, other) in enumerate([(1, 2), (2, 3), (3, 4), (2, 5), (5, 4), (4, 1)]):
        away[k], to[k] = one, other
    assert set(np.flatnonzero(last_loop(away, to, 6))) == {1, 2, 3, 4, 5}
