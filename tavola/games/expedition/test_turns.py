"""A turn, loops and vouchers, by paragraph, and the worked examples of the rulebook, arrow by arrow.

`ruling …` cites the close reading of the rulebook.
"""

import numpy as np
import pytest

from tavola.core import CHANCE, IllegalAction, Match
from tavola.games.expedition import GAME
from tavola.games.expedition.arrows import last_loop
from tavola.games.expedition.components import ARROWS, COLOURS
from tavola.games.expedition.fixtures import (
    explorer,
    head_spot,
    left_from,
    legal_arguments,
    legal_arrows,
    match_at,
    match_near_last_arrow,
    place_owners,
    play,
    table_fields,
)
from tavola.show.testing import random_match

ROUND_TASSILI = "lisbon tassili timbuktu canaries"
"""From Canaries, Lisbon is one arrow away: that arrow closes a loop."""


# A turn


def test_the_arrow_is_compulsory_if_one_can_be_laid():
    """R13, ruling 1."""
    match = match_at()
    assert "done" not in match.legal_codes(0)
    play(match, "red lis mont")
    assert "done" in match.legal_codes(0)
    assert not legal_arguments(match, "arrow")


def test_at_most_two_vouchers_before_or_after_the_arrow():
    """R13, ruling 23: even of those won in the turn."""
    match = play(
        match_at(red="lisbon tassili", vouchers=[1, 3]), "voucher", "red tassili timbuktu", "red timbuktu canaries"
    )
    assert explorer(match, 0).vouchers == 1, "won at Canaries"
    play(match, "voucher", "red canaries cape-verde", "done")
    assert table_fields(match, "used", "seat") == (0, 1), "no third one, and nothing else to do"


def test_an_arrow_goes_on_from_the_head_in_any_direction():
    """R14."""
    match = match_at(red="lisbon tassili")
    assert legal_arrows(match, "red") == {"tassili-to-pompeii", "tassili-to-timbuktu", "tassili-to-lake-chad"}
    with pytest.raises(IllegalAction):
        match.play("arrow red lisbon-to-mont-blanc", 0)


def test_a_green_station_gives_an_arrow_of_any_colour_that_may_be_declined():
    """R15, ruling 6: even one that begins an expedition."""
    match = play(match_at(vouchers=[0, 3]), "red lisbon azores")
    assert table_fields(match, "phase", "green") == ("green", 1)
    assert legal_arrows(match, "red") == {"azores-to-vinland", "azores-to-canaries"}
    assert legal_arrows(match, "blue")
    assert "done" in match.legal_codes(0)
    assert play(match, "done").to_act == (1,)


def test_a_red_station_gives_a_voucher_while_the_bank_has_one():
    """R15, ruling 18: used vouchers stay on the board until the turn ends."""
    assert explorer(play(match_at(), "red lisbon canaries"), 0).vouchers == 4
    match = play(match_at(red="lisbon tassili", vouchers=[16, 15]), "voucher", "blue lisbon canaries")
    assert explorer(match, 0).vouchers == 15


def test_a_new_colour_takes_a_line_of_start_without_any_arrow():
    """R16, rulings 2 and F16."""
    match = match_at(red="lisbon tassili")
    free = {f"lisbon-to-{name}" for name in ("stonehenge", "mont-blanc", "azores", "canaries", "faroes")}
    assert legal_arrows(match, "blue") == free
    match = match_at(red=f"{ROUND_TASSILI} lisbon / lisbon faroes")
    left = free - {"lisbon-to-canaries", "lisbon-to-faroes"}
    assert legal_arrows(match, "blue") == left, "an arrow into START counts"
    match = match_at(red="lisbon tassili", first_lines="shared")
    assert legal_arrows(match, "blue") == free | {"lisbon-to-tassili"}


def test_a_restart_from_start_needs_only_a_line_without_its_own_colour():
    """R16, F16."""
    match = play(match_at(red="lisbon canaries timbuktu tassili", blue="lisbon faroes"), "red tassili lisbon")
    assert match.document()["phase"] == "loop"
    assert "lisbon-to-faroes" in legal_arrows(match, "red")
    assert "lisbon-to-canaries" not in legal_arrows(match, "red")


def test_one_arrow_of_a_colour_on_a_line():
    """R17: other colours can share it, even in the other direction."""
    match = match_at(red="lisbon tassili timbuktu", blue="lisbon canaries timbuktu")
    assert "timbuktu-to-tassili" in legal_arrows(match, "blue")
    assert "timbuktu-to-tassili" not in legal_arrows(match, "red")


def test_a_colour_without_arrows_stays_until_one_is_taken_away():
    """R17, ruling 19."""
    match = match_near_last_arrow(ARROWS, "red")
    seat = match.to_act[0]
    play(match, next(code for code in match.legal_codes(seat) if code.startswith("arrow red")))
    while match.to_act == (CHANCE,) or match.document()["phase"] != "turn":
        match.play(match.legal_codes(match.to_act[0])[-1], match.to_act[0])
    assert not legal_arrows(match, "red")
    document = match.document()
    document["explorers"][match.to_act[0]]["vouchers"] += 1
    document["bank"] -= 1
    document |= {"looped": [], "placed": False}
    again = play(Match(GAME, position=document, check="pieces"), "remove red")
    assert again.document()["expedition"]["red"]["count"] == ARROWS - 1
    while again.document()["phase"] != "turn":
        again.play(again.legal_codes(again.to_act[0])[-1], again.to_act[0])
    assert legal_arrows(again, "red")


def test_the_order_on_arrival():
    """R18, ruling 8: the loop is left before the arrow of the green station is laid."""
    match = play(match_at(red="lisbon azores canaries"), "red canaries lisbon")
    assert table_fields(match, "phase", "due") == ("loop", "red")


def test_a_loop_that_ends_at_a_green_station_gives_two_arrows():
    """R15, R18, R19, ruling 8 and F7: first the one out of the loop, then the bonus, which can be declined."""
    match = match_at(red="lisbon azores vinland niagara bermuda cayenne cape-verde canaries")
    play(match, "red canaries azores")
    assert table_fields(match, "phase", "due", "green") == ("loop", "red", 1)
    assert "done" not in match.legal_codes(0)
    assert not legal_arrows(match, "blue"), "out of the loop with the same colour"
    play(match, "red niagara winnipeg")
    assert table_fields(match, "phase", "green") == ("green", 2), "Winnipeg is green too"
    play(match, "done")
    assert table_fields(match, "phase", "green") == ("green", 1)
    assert legal_arrows(match, "blue")
    play(match, "done")
    assert match.document()["phase"] == "turn"


# Loops


def test_a_loop_must_be_left_at_once():
    """R19, ruling 7: START is like any other point, and nothing else is legal."""
    match = play(match_at(red=ROUND_TASSILI), "red canaries lisbon")
    assert table_fields(match, "phase", "due") == ("loop", "red")
    assert {code.split()[0] for code in match.legal_codes(0)} == {"arrow"}
    assert "arrow blue lisbon-to-faroes" not in match.legal_codes(0)


def test_a_loop_is_left_from_any_point_of_the_expedition():
    """R20: even from those that are not on the circle."""
    match = play(match_at(red="lisbon mont pompeii tassili timbuktu benin lake-chad"), "red lake-chad tassili")
    assert {"lisbon", "mont-blanc", "pompeii", "timbuktu", "benin"} <= left_from(match, "red")
    assert head_spot(play(match, "red lisbon faroes"), "red") == "faroes"


def test_visited_is_what_is_touched_now():
    """R20, F4: a point does not count any more once its arrows are removed."""
    match = play(match_at(red="lisbon tassili timbuktu"), "remove red", "red tassili lake-chad")
    assert "timbuktu" not in match.document()["expedition"]["red"]["visited"]


def test_a_voided_duty_leaves_the_loop_open():
    """R21, rulings 7 and F8: nothing is owed, and the next arrow of that colour can leave from any of its points."""
    document = match_at(red=f"{ROUND_TASSILI} lisbon").document()
    document["expedition"]["red"]["loose"] = True
    match = Match(GAME, position=document, check="pieces")
    assert "timbuktu-to-benin" in legal_arrows(match, "red")
    assert "lisbon-to-faroes" in legal_arrows(match, "red")
    play(match, "red timbuktu benin")
    assert not match.document()["expedition"]["red"]["loose"]
    again = play(Match(GAME, position=document, check="pieces"), "remove red")
    assert not again.document()["expedition"]["red"]["loose"]
    assert "timbuktu-to-benin" not in legal_arrows(again, "red"), "the removal settles it"


def test_a_loop_closed_by_the_last_arrow_of_its_colour_need_not_be_left():
    """R21, rulings 7 and F8: no arrow remains, nothing is owed."""
    matches = (match for seed in range(30) for match in random_match(GAME, seed, players=2))
    match = next(one for one in matches if any(route.loose for route in one.view().table.expedition))
    routes = match.document()["expedition"]
    colour = next(colour for colour in COLOURS if routes[colour]["loose"])
    assert routes[colour]["count"] == ARROWS
    assert match.document()["due"] == "none"
    assert not legal_arrows(match, colour)


def test_a_second_loop_in_a_turn_is_not_allowed():
    """R22, rulings 9 and F5: an arrow that would close it, including one out of the first."""
    match = play(match_at(red=ROUND_TASSILI), "red canaries lisbon")
    assert "lisbon-to-stonehenge" in legal_arrows(match, "red")
    assert not {way.partition("-to-")[2] for way in legal_arrows(match, "red")} & {"lisbon", "tassili", "timbuktu"}
    play(match, "red timbuktu cape-verde", "done", "voucher")
    assert "cape-verde-to-canaries" not in legal_arrows(match, "red")
    play(match, "blue lisbon faroes", "done")
    assert "cape-verde-to-canaries" in legal_arrows(match, "red"), "the next player may"


# Vouchers


def test_what_a_voucher_does():
    """R23."""
    match = match_at(red="lisbon tassili")
    assert {"voucher", "remove red", "exchange petra"} <= set(match.legal_codes(0))
    assert "remove blue" not in match.legal_codes(0)


def test_a_voucher_for_an_arrow_must_be_used_for_one():
    """R23, F7."""
    match = play(match_at(), "voucher")
    assert table_fields(match, "phase", "used") == ("extra", 1)
    assert {code.split()[0] for code in match.legal_codes(0)} == {"arrow"}


def test_what_a_green_station_owes_lapses_where_no_arrow_can_be_laid():
    """R15, R23, F7: nor is there a voucher for an arrow then."""
    closed = "lisbon azores vinland niagara winnipeg churchill beechey ilulissat vinland"
    beside = "lisbon canaries cape-verde cayenne bermuda niagara vinland"
    match = play(match_at(yellow=closed, blue=closed, red=beside, looped=["red"]), "red vinland azores")
    assert table_fields(match, "phase", "green") == ("turn", 0), "from Azores it could close a second loop alone"
    assert "voucher" not in match.legal_codes(0)
    assert {"remove red", "done"} <= set(match.legal_codes(0))


def test_no_voucher_while_an_arrow_is_owed():
    """R23, F6."""
    match = play(match_at(), "red lisbon azores")
    assert {code.split()[0] for code in match.legal_codes(0)} == {"arrow", "done"}


def test_used_vouchers_return_when_the_turn_ends():
    """R23."""
    match = play(match_at(), "voucher", "red lisbon tassili", "blue lisbon mont")
    assert table_fields(match, "used", "bank") == (1, 25)
    play(match, "done")
    assert table_fields(match, "used", "bank") == (0, 26)


def test_an_arrow_is_taken_away_and_its_origin_gives_again():
    """R24, F19: a voucher for the seat that removes it, or an arrow of a green station."""
    match = play(match_at(red="lisbon canaries timbuktu"), "remove red")
    assert explorer(match, 0).vouchers == 3, "one used, one won at Canaries"
    assert head_spot(match, "red") == "canaries"
    match = play(match_at(red="lisbon azores vinland"), "remove red")
    assert table_fields(match, "phase", "green") == ("green", 1)
    assert "azores-to-vinland" in legal_arrows(match, "red"), "ruling 11: the arrow may be laid again"


def test_taking_away_gives_a_claim_to_the_holder():
    """R24, ruling 12 and F19: of a private goal."""
    match = play(match_at(["petra", "tassili"], red="lisbon tassili timbuktu"), "remove red")
    assert place_owners(match) == {"tassili": "1"}


def test_the_first_arrow_taken_away():
    """R24, ruling 10: the expedition has not begun, so it is not in a loop."""
    match = play(match_at(red="lisbon tassili"), "remove red")
    document = match.document()["expedition"]["red"]
    assert (document["count"], document["head"], document["visited"]) == (0, "lisbon", [])
    assert len(legal_arrows(match, "red")) == 6


def test_a_loop_by_taking_away():
    """R25, ruling 10: another arrow leaves the head; it must be left, and counts as the turn's loop."""
    match = play(match_at(red=f"{ROUND_TASSILI} lisbon / timbuktu benin"), "remove red")
    assert table_fields(match, "phase", "due", "looped") == ("loop", "red", ["red"])
    assert {"timbuktu-to-benin", "lisbon-to-faroes", "lisbon-to-azores"} <= legal_arrows(match, "red"), "ruling 11"
    restarted = play(match_at(red=f"{ROUND_TASSILI} lisbon / lisbon faroes"), "remove red")
    assert table_fields(restarted, "phase", "due") == ("loop", "red"), "START after a restart from START"


def test_no_second_loop_by_taking_away_and_nothing_is_given_back():
    """R25, F5."""
    match = play(match_at(red=ROUND_TASSILI), "red canaries lisbon", "red timbuktu benin")
    assert "remove red" not in match.legal_codes(0), "it would stand in a loop for the second time"
    match = play(match_at(red="lisbon tassili"), "red tassili pompeii", "remove red")
    assert not legal_arguments(match, "arrow"), "the turn's arrow is used"


# The worked examples

TO_MARIB = "lisbon tassili lake-chad abu-simbel lalibela marib"
TO_BOROBUDUR = f"{TO_MARIB} arabian-sea indian-ocean equator andamans borobudur"


def test_one_more_arrow_by_vouchers_and_green_stations():
    """«Una spedizione è a Marib»: red, a voucher, green, red, a voucher, green, Borobudur; the turn ends."""
    match = play(match_at(["borobudur fuji", "agra"], red=TO_MARIB, vouchers=[0, 3]), "red marib arabian-sea")
    assert explorer(match, 0).vouchers == 1, "«Quindi riceve un buono viaggio»"
    play(match, "voucher", "red arabian-sea indian-ocean")
    assert table_fields(match, "phase", "green", "used") == ("green", 1, 1), "«la stazione verde che è più a sud»"
    play(match, "red indian-ocean equator")
    assert explorer(match, 0).vouchers == 1, "«prende un altro buono viaggio dalla banca»"
    play(match, "voucher", "red equator andamans")
    assert table_fields(match, "phase", "green", "used") == ("green", 1, 2)
    play(match, "red andamans borobudur")
    assert head_spot(match, "red") == "borobudur", "«giungendo così a Borobudur»"
    assert match.to_act == (1,), "«Il suo turno ora finisce»"
    assert match.document()["expedition"]["red"]["count"] == 10
    assert match.document()["bank"] == 31 - 3, "what was used is back in the bank"
    assert match.document()["laid"]["borobudur"] == "0"


def test_an_arrow_is_taken_away():
    """«La spedizione si trova a Borobudur»: back to green, Angkor, the turn's arrow to Tschangan, and the end."""
    match = play(match_at(["fuji", "angkor agra"], red=TO_BOROBUDUR, goals="tschangan"), "remove red")
    assert head_spot(match, "red") == "andamans"
    assert table_fields(match, "phase", "green", "used") == ("green", 1, 1), (
        "«ha diritto di prendere una freccia addizionale»"
    )
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
        (THIRD_FIGURE, {16, 10, 2, 3, 9, 15}),  # ruling 26: the text omits 15, which is on the circle
        ("1-2 2-3 3-4 2-5 5-4 4-1", {1, 2, 3, 4, 5}),  # 1-2-3-4 and 1-2-5-4 are equally long: the points of both
    ],
)
def test_the_last_loop_in_the_three_figures_and_of_equal_circles(arrows, loop):
    """Rulings 26 and F10: the smallest directed circle through the last arrow."""
    pairs = np.array([pair.split("-") for pair in arrows.split()], np.int64)
    away, to = np.zeros((2, ARROWS), np.int64)
    away[: len(pairs)], to[: len(pairs)] = pairs.T
    assert set(np.flatnonzero(last_loop(away, to, len(pairs)))) == loop
