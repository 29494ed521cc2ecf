"""The variants and the end, by paragraph; `ruling …` cites the close reading of the rulebook."""

import random
from functools import partial

import pytest

from tavola.core import Match
from tavola.games.expedition import GAME
from tavola.games.expedition.fixtures import CLOSED, after, at, check_scene, match_near_last_arrow, observed, play
from tavola.games.expedition.network import DISTANCE, PLACES
from tavola.games.expedition.reference_model import walks

TO_LAKE_CHAD = "lisbon mont pompeii tassili timbuktu benin lake-chad"
OUT_OF_ROUND = {
    *("timbuktu-to-cape-verde", "timbuktu-to-canaries"),
    *("benin-to-ruwenzori", "benin-to-luanda", "lake-chad-to-abu-simbel"),
}
"""Arrows out of the circle that an arrow from Lake Chad to Tassili closes."""
NEAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] < 2]
FAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] > 2]
MANY = "pompeii giza petra agra fuji marib kizhi delphi benin hampi everest"
WON = ["giza", "petra", "marib", "agra", "fuji", "kizhi", "delphi"]
ENDING = partial(at, variant_b="on", turns=999, placed=True, vouchers=[1, 1])
SCENES = {
    "R30, rulings 24 and F3: any number of tokens up to ten, in turn; a seat that passes is out": (
        at([MANY, "uluru komodo"], phase="tokens", variant_a="on"),
        after(legal=["done"]),
        after("token pompeii", "token uluru", "token giza", "done", to_act=(0,)),
        after(*[f"token {place}" for place in MANY.split()[2:9]], to_act=(0,), tokens=(9, 1)),
        after("token hampi", phase="turn", seat=0, tokens=(10, 1)),  # ten are placed
    ),
    "R30, F3: every seat is asked until it passes, even if it can only pass; and hands are not mended": (
        at(["stonehenge", "pompeii"], phase="tokens", variant_a="on"),
        after(to_act=(0,), codes=["done"]),
        after("done", "token pompeii", to_act=(1,), codes=["done"]),
    ),
    "R31, ruling 26 and F10: the last loop is left, from the smallest circle through the last arrow": (
        at(red=TO_LAKE_CHAD, variant_a="on"),
        after("red lake-chad tassili", red=OUT_OF_ROUND),
    ),
    "R31: in the basic game from other points too": (
        at(red=TO_LAKE_CHAD),
        after("red lake-chad tassili", legal=["red lisbon faroes", "red lake-chad abu-simbel"]),
    ),
    "R31, F10: a loop by taking away is the circle through the last arrow still there": (
        at(red=f"{TO_LAKE_CHAD} tassili / timbuktu cape-verde", variant_a="on"),
        after("remove red", phase="loop", red=OUT_OF_ROUND),
    ),
    "R32, F11: tokens are placed by the left neighbour, one on a place, two segments away, without passing": (
        partial(Match, GAME, players=3, variant_b="on"),
        after(to_act=(0,), illegal=["done", *(f"token {place}" for place in NEAR)]),
        # the first player begins with those of the last
        after("token giza", "token petra", "token agra", token={"giza": "2", "petra": "0", "agra": "1"}),
        after(illegal=["token giza"]),
        after(*[f"token {place}" for place in FAR if place not in WON][:21], phase="turn", tokens=(8, 8, 8)),
        after(to_act=(0,)),
    ),
    "R32: a token goes to its owner, and vouchers are only for arrows and removals, since there are no cards": (
        at(variant_b="on", tokens={"tassili": 1, "giza": 0}, blue="lisbon mont"),
        after(verbs={"arrow", "voucher", "remove"}),
        after("red lisbon tassili", collected=(0, 1), token={"giza": "0"}, points=(0, 1)),
    ),
    "R33, F12: both variants together have eight tokens placed by the neighbour": (
        partial(Match, GAME, players=2, variant_a="on", variant_b="on"),
        after(illegal=["done"]),
    ),
    "R33, F12: both variants together have loops of variant A": (
        at(red=TO_LAKE_CHAD, variant_a="on", variant_b="on", tokens={"giza": 0, "petra": 1}),
        after("red lake-chad tassili", red=OUT_OF_ROUND),
    ),
    "R34, rulings 21, 22 and F18: after the last card, seats that have not had their turn of the round have it": (
        at(["petra", "tassili", "agra"], vouchers=[0, 0, 0]),
        after("red lisbon tassili", ending="cards", left=1, phase="turn"),
        after("red tassili pompeii", to_act=(2,)),
        after("red pompeii delphi", over=True, points=(-1, 1, -1)),
    ),
    "R34, ruling 21: the round begins with the first seat": (
        at(["petra", "agra", "tassili"], seat=2, vouchers=[0, 0, 0]),
        after("red lisbon tassili", over=True),  # red is the last of the round
    ),
    "R34: one more turn for all others is an option": (
        at(["petra", "agra", "tassili"], seat=2, vouchers=[0, 0, 0], last_round="one-more"),
        after("red lisbon tassili", "blue lisbon mont", over=False),
        after("blue mont pompeii", over=True),
    ),
    "R34, F15: goals are not replaced after the last turn": (
        at(["petra", "tassili"], goals="giza stonehenge", seat=1, vouchers=[0, 1]),
        after("voucher", "red lisbon tassili", "blue lisbon stonehenge", over=True, goals=["giza", *["none"] * 5]),
    ),
    "R34, F18: an empty hand by an exchange is none": (at(), after("exchange petra", cards=(0, 1), ending="none")),
    "R35: points for goals and tokens, less those for cards in hand and tokens on the map": (
        at(
            ["petra fuji", "agra"],
            laid={"giza": 0, "marib": 0, "benin": 1},
            tokens={"petra": 0, "agra": 1},
            won=["giza"],
            explorers={0: {"own": 1, "public": 1}},
            phase="over",
            ending="arrows",
        ),
        after(points=(1 + 1 + 1 - 2 - 1, 1 - 1 - 1)),
    ),
    "R35: a tie is shared": (at(vouchers=[2, 3], phase="over", ending="turns"), after(ranks=(1, 1), points=(-1, -1))),
    "R35: with an option a tie is decided by the vouchers left": (
        at(vouchers=[2, 3], ties="vouchers", phase="over", ending="turns"),
        after(ranks=(2, 1), points=(-1, -1)),
    ),
    "R36, F18: variant B is won by the first seat with all tokens, at once, and before the last arrow": (
        at(
            variant_b="on",
            laid=dict.fromkeys(WON, 1),
            won=WON,
            tokens={"tassili": 1, "benin": 0},
            explorers={1: {"own": 0}},
        ),
        after("red lisbon tassili", over=True, ending="tokens", ranks=(2, 1)),
    ),
    "R36, rulings 25 and F13: a tie is broken by the fewest moves from the heads, START if none has begun": (
        ENDING(tokens={"giza": 0, "petra": 1}),
        after("done", ending="turns", walk=(4, 5), ranks=(1, 2)),
    ),
    "R36, F13: three walks, on the empty map": (
        ENDING(red="lisbon tassili", tokens={"timbuktu": 0, "pompeii": 0, "benin": 1}),
        after("done", ending="turns", walk=(3, 2), ranks=(2, 1)),
    ),
    "R36, F13: the same number of moves shares the place": (
        ENDING(red="lisbon tassili", blue="lisbon mont", tokens={"timbuktu": 0, "pompeii": 0, "benin": 1}),
        after("done", ending="turns", walk=(2, 2), ranks=(1, 1)),
    ),
    "R37, F14: a standstill of as many turns without arrow and voucher as there are players ends the match": (
        at(yellow=CLOSED, blue=CLOSED, red=CLOSED, vouchers=[0, 0]),
        after(codes=["done"]),
        after("done", over=False),
        after("done", over=True, ending="stuck"),
    ),
    "R37, F17: a thousand turns end the match": (
        at(turns=999, vouchers=[0, 0]),
        after("red lisbon tassili", over=True, ending="turns"),
    ),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_variants_and_endings(scene):
    check_scene(*scene)


def test_the_last_arrow_ends_the_match_at_once():
    """R34, ruling 20 and F18: after all 135; what it reaches counts, but no arrows follow."""
    match = match_near_last_arrow(135)
    play(match, next(code for code in match.legal_codes() if code.startswith("arrow")))
    assert [observed(match, name) for name in ("over", "ending", "green", "due")] == [True, "arrows", 0, "none"]


@pytest.mark.parametrize("seed", range(3))
def test_the_fewest_moves_are_those_of_trying_every_order(seed):
    """R36, F13: any head can go to any token next."""
    draw = random.Random(seed)
    mine, others = draw.sample(FAR[:40], 5), draw.sample(FAR[40:], 5)
    tokens = dict.fromkeys(mine, 0) | dict.fromkeys(others, 1)
    match = ENDING(red="lisbon tassili timbuktu benin", blue="lisbon azores vinland", tokens=tokens)()
    play(match, "done")
    heads = "benin", "lisbon", "vinland"
    assert observed(match, "walk") == (walks(heads, frozenset(mine)), walks(heads, frozenset(others)))
