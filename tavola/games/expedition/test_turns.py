"""A turn, loops and vouchers, by paragraph, and the worked examples of the rulebook, arrow by arrow.

`ruling …` cites the close reading of the rulebook.
"""

import numpy as np
import pytest

from tavola.core import Match
from tavola.games.expedition import GAME
from tavola.games.expedition.arrows import mark_last_loop
from tavola.games.expedition.components import ARROWS, COLOURS
from tavola.games.expedition.fixtures import CLOSED, after, at, check_scene, match_near_last_arrow, observed, play
from tavola.games.expedition.network import SPOT_COUNT
from tavola.show.testing import random_match

ROUND_TASSILI = "lisbon tassili timbuktu canaries"
"""From Canaries, Lisbon is one arrow away: that arrow closes a loop."""
NORTH = {f"lisbon-to-{name}" for name in ("stonehenge", "mont-blanc", "azores", "faroes")}
FROM_START = NORTH | {"lisbon-to-canaries", "lisbon-to-tassili"}
BESIDE = "lisbon canaries cape-verde cayenne bermuda niagara vinland"


def loose_loop() -> Match:
    """A loop at START that the last arrow could not leave."""
    document = at(red=f"{ROUND_TASSILI} lisbon")().document()
    document["expedition"]["red"]["loose"] = True
    return Match(GAME, position=document, check="pieces")


TURNS = {
    "R13, ruling 1: the arrow is compulsory if one can be laid": (
        at(),
        after(illegal=["done"]),
        after("red lis mont", legal=["done"], verbs={"voucher", "remove", "exchange", "done"}),
    ),
    "R13, ruling 23: at most two vouchers before or after the arrow, even of those won in the turn": (
        at(red="lisbon tassili", vouchers=[1, 3]),
        after("voucher", "red tassili timbuktu", "red timbuktu canaries", vouchers=(1, 3)),  # won at Canaries
        after("voucher", "red canaries cape-verde", "done", used=0, seat=1),  # no third one, and nothing else to do
    ),
    "R14: an arrow goes on from the head in any direction": (
        at(red="lisbon tassili"),
        after(red={"tassili-to-pompeii", "tassili-to-timbuktu", "tassili-to-lake-chad"}),
    ),
    "R15, ruling 6: a green station gives an arrow of any colour, which may begin an expedition or be declined": (
        at(vouchers=[0, 3]),
        after("red lisbon azores", phase="green", green=1, red={"azores-to-vinland", "azores-to-canaries"}),
        after(legal=["blue lisbon faroes", "done"]),
        after("done", to_act=(1,)),
    ),
    "R15: a red station gives a voucher": (at(), after("red lisbon canaries", vouchers=(4, 3))),
    "R15, ruling 18: the bank has none while used vouchers are on the board": (
        at(red="lisbon tassili", vouchers=[16, 15]),
        after("voucher", "blue lisbon canaries", vouchers=(15, 15)),
    ),
    "R16, ruling 2: a new colour takes a line of START without any arrow": (
        at(red="lisbon tassili"),
        after(blue=FROM_START - {"lisbon-to-tassili"}),
    ),
    "R16, F16: an arrow into START counts": (
        at(red=f"{ROUND_TASSILI} lisbon / lisbon faroes"),
        after(blue=NORTH - {"lisbon-to-faroes"}),
    ),
    "R16, F16: colours share the lines of START with an option": (
        at(red="lisbon tassili", first_lines="shared"),
        after(blue=FROM_START),
    ),
    "R16, F16: a restart from START needs only a line without its own colour": (
        at(red="lisbon canaries timbuktu tassili", blue="lisbon faroes"),
        after("red tassili lisbon", phase="loop", legal=["red lisbon faroes"], illegal=["red lisbon canaries"]),
    ),
    "R17: one arrow of a colour on a line, which others can share, even in the other direction": (
        at(red="lisbon tassili timbuktu", blue="lisbon canaries timbuktu"),
        after(legal=["blue timbuktu tassili"], illegal=["red timbuktu tassili"]),
    ),
    "R18, ruling 8: the loop is left before the arrow of the green station is laid": (
        at(red="lisbon azores canaries"),
        after("red canaries lisbon", phase="loop", due="red"),
    ),
    "R15, R18, R19, ruling 8, F7: a loop that ends at a green station gives two arrows": (
        at(red="lisbon azores vinland niagara bermuda cayenne cape-verde canaries"),
        after("red canaries azores", phase="loop", due="red", green=1, illegal=["done"], blue=set()),
        after("red niagara winnipeg", phase="green", green=2),  # Winnipeg is green too
        after("done", phase="green", green=1, legal=["blue lisbon faroes"]),
        after("done", phase="turn"),
    ),
    "R19, ruling 7: a loop must be left at once, at START too, and nothing else is legal": (
        at(red=ROUND_TASSILI),
        after("red canaries lisbon", phase="loop", due="red", verbs={"arrow"}, illegal=["blue lisbon faroes"]),
    ),
    "R20: a loop is left from any point of the expedition, even from those that are not on the circle": (
        at(red="lisbon mont pompeii tassili timbuktu benin lake-chad"),
        after("red lake-chad tassili", legal=["red mont vienna", "red pompeii delphi", "red timbuktu canaries"]),
        after(legal=["red lisbon faroes", "red benin ruwenzori"]),
        after("red lisbon faroes", red_head="faroes"),
    ),
    "R20, F4: a point does not count as visited any more once its arrows are removed": (
        at(red="lisbon tassili timbuktu"),
        after("remove red", "red tassili lake-chad", red_visited=["lisbon", "tassili", "lake-chad"]),
    ),
    "R21, rulings 7 and F8: a voided duty leaves the loop open for the next arrow of that colour": (
        loose_loop,
        after(legal=["red timbuktu benin", "red lisbon faroes"]),
        after("red timbuktu benin", red_loose=False),
    ),
    "R21, F8: a removal settles an open loop": (
        loose_loop,
        after("remove red", red_loose=False, illegal=["red timbuktu benin"]),
    ),
    "R22, rulings 9 and F5: no arrow closes a second loop in a turn, not even one out of the first": (
        at(red=ROUND_TASSILI),
        after("red canaries lisbon", legal=["red lisbon stonehenge"], illegal=["red lisbon tassili"]),
        after("red timbuktu cape-verde", "done", "voucher", illegal=["red cape-verde canaries"]),
        after("blue lisbon faroes", "done", legal=["red cape-verde canaries"]),  # the next player may
    ),
    "R23: what a voucher does": (
        at(red="lisbon tassili"),
        after(legal=["voucher", "remove red", "exchange petra"], illegal=["remove blue"]),
    ),
    "R23, F7: a voucher for an arrow must be used for one": (
        at(),
        after("voucher", phase="extra", used=1, verbs={"arrow"}),
    ),
    "R15, R23, F7: what a green station owes lapses where no arrow can be laid, nor is there a voucher for one": (
        at(yellow=CLOSED, blue=CLOSED, red=BESIDE, looped=["red"]),
        after("red vinland azores", phase="turn", green=0),  # from Azores it could close a second loop alone
        after(legal=["remove red", "done"], illegal=["voucher"]),
    ),
    "R23, F6: no voucher while an arrow is owed": (at(), after("red lisbon azores", verbs={"arrow", "done"})),
    "R23: used vouchers return when the turn ends": (
        at(),
        after("voucher", "red lisbon tassili", "blue lisbon mont", used=1, bank=25),
        after("done", used=0, bank=26),
    ),
    "R24, F19: the origin of an arrow that is taken away gives its voucher to the seat that removes it": (
        at(red="lisbon canaries timbuktu"),
        after("remove red", vouchers=(3, 3), red_head="canaries"),  # one used, one won at Canaries
    ),
    "R24, ruling 11: or the arrow of a green station, which may be the same again": (
        at(red="lisbon azores vinland"),
        after("remove red", phase="green", green=1, legal=["red azores vinland"]),
    ),
    "R24, ruling 12 and F19: taking away gives a claim to the holder of a private goal": (
        at(["petra", "tassili"], red="lisbon tassili timbuktu"),
        after("remove red", laid={"tassili": "1"}),
    ),
    "R24, ruling 10: without its first arrow an expedition has not begun, so it is not in a loop": (
        at(red="lisbon tassili"),
        after("remove red", red_count=0, red_head="lisbon", red_visited=[], red=FROM_START),
    ),
    "R25, rulings 10 and 11: a loop by taking away must be left, and counts as the turn's loop": (
        at(red=f"{ROUND_TASSILI} lisbon / timbuktu benin"),
        after("remove red", phase="loop", due="red", looped=["red"]),
        after(legal=["red timbuktu benin", "red lisbon faroes", "red lisbon azores"]),
    ),
    "R25, ruling 10: START is in a loop after a restart from START": (
        at(red=f"{ROUND_TASSILI} lisbon / lisbon faroes"),
        after("remove red", phase="loop", due="red"),
    ),
    "R25, F5: no second loop by taking away": (
        at(red=ROUND_TASSILI),
        after("red canaries lisbon", "red timbuktu benin", illegal=["remove red"]),
    ),
    "R25, F5: taking away does not give the turn's arrow back": (
        at(red="lisbon tassili"),
        after("red tassili pompeii", "remove red", verbs={"voucher", "remove", "exchange", "done"}),
    ),
}
TO_MARIB = "lisbon tassili lake-chad abu-simbel lalibela marib"
TO_BOROBUDUR = f"{TO_MARIB} arabian-sea indian-ocean equator andamans borobudur"
EXAMPLES = {
    "One more arrow by vouchers and green stations: «Una spedizione è a Marib»": (
        at(["borobudur fuji", "agra"], red=TO_MARIB, vouchers=[0, 3]),
        after("red marib arabian-sea", vouchers=(1, 3)),  # «Quindi riceve un buono viaggio»
        # «la stazione verde che è più a sud»
        after("voucher", "red arabian-sea indian-ocean", phase="green", green=1, used=1),
        after("red indian-ocean equator", vouchers=(1, 3)),  # «prende un altro buono viaggio dalla banca»
        after("voucher", "red equator andamans", phase="green", green=1, used=2),
        after("red andamans borobudur", red_head="borobudur", red_count=10),  # «giungendo così a Borobudur»
        after(to_act=(1,), bank=31 - 3, laid={"borobudur": "0"}),  # «Il suo turno ora finisce»: used ones are returned
    ),
    "An arrow is taken away: «La spedizione si trova a Borobudur»": (
        at(["fuji", "angkor agra"], red=TO_BOROBUDUR, goals="tschangan"),
        # «ha diritto di prendere una freccia addizionale»
        after("remove red", red_head="andamans", phase="green", green=1, used=1),
        after("red andamans angkor", laid={"angkor": "1"}),  # before its owner, though it is another seat’s turn
        after("red angkor tschangan", laid={"angkor": "1", "tschangan": "0"}),
        after(phase="turn", legal=["voucher"]),  # «Sebbene può giocare un altro buono viaggio»
        after("done", red_count=11, bank=31 - 6 + 1),
    ),
}


@pytest.mark.parametrize("scene", [*TURNS.values(), *EXAMPLES.values()], ids=[*TURNS, *EXAMPLES])
def test_a_turn(scene):
    check_scene(*scene)


def test_a_colour_without_arrows_stays_until_one_is_taken_away():
    """R17, ruling 19."""
    match = match_near_last_arrow(ARROWS, "red")
    play(match, next(code for code in match.legal_codes(match.to_act[0]) if code.startswith("arrow red")))
    while observed(match, "phase") != "turn":
        match.play(match.legal_codes(match.to_act[0])[-1], match.to_act[0])
    assert observed(match, "red") == set()
    document = match.document()
    document["explorers"][match.to_act[0]]["vouchers"] += 1
    document["bank"] -= 1
    document |= {"looped": [], "placed": False}
    again = play(Match(GAME, position=document, check="pieces"), "remove red")
    assert observed(again, "red_count") == ARROWS - 1
    while observed(again, "phase") != "turn":
        again.play(again.legal_codes(again.to_act[0])[-1], again.to_act[0])
    assert observed(again, "red")


def test_a_loop_closed_by_the_last_arrow_of_its_colour_need_not_be_left():
    """R21, rulings 7 and F8: no arrow remains, nothing is owed."""
    matches = (match for seed in range(30) for match in random_match(GAME, seed, players=2))
    match = next(one for one in matches if one.view().states["table"]["expedition"]["loose"].any())
    colour = next(colour for colour in COLOURS if observed(match, f"{colour}_loose"))
    assert [observed(match, name) for name in (f"{colour}_count", "due", colour)] == [ARROWS, "none", set()]


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
    circle = np.zeros(SPOT_COUNT, np.int8)
    mark_last_loop(away, to, len(pairs), circle)
    assert set(np.flatnonzero(circle)) == loop
