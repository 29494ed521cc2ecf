"""The variants and the end, by paragraph; `ruling …` cites the close reading of the rulebook."""

import random
from functools import cache

import pytest

from tavola.core import CHANCE, Match
from tavola.games.expedition import GAME
from tavola.games.expedition.fixtures import (
    explorer,
    left_from,
    legal_arguments,
    legal_arrows,
    match_at,
    match_near_last_arrow,
    play,
    table_fields,
)
from tavola.games.expedition.network import DISTANCE, PLACES, SPOTS
from tavola.show.testing import present

TO_LAKE_CHAD = "lisbon mont pompeii tassili timbuktu benin lake-chad"
ROUND = {"tassili", "timbuktu", "benin", "lake-chad"}
"""The circle that an arrow to Tassili closes."""
NEAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] < 2]


def test_variant_a_tokens():
    """R30, rulings 24 and F3: any number up to ten, in turn; a seat that passes is out."""
    many = "pompeii giza petra agra fuji marib kizhi delphi benin hampi everest"
    match = match_at([many, "uluru komodo"], phase="tokens", variant_a="on")
    assert "done" in match.legal_codes(0)
    play(match, "token pompeii", "token uluru", "token giza", "done")
    for place in many.split()[2:9]:
        assert match.to_act == (0,)
        match.play(f"token {place}", 0)
    assert match.to_act == (0,)
    assert explorer(match, 0).tokens == 9
    play(match, "token hampi")
    assert table_fields(match, "phase", "seat") == ("turn", 0), "ten are placed"
    assert (explorer(match, 0).tokens, explorer(match, 1).tokens) == (10, 1)


def test_in_variant_a_every_seat_is_asked_until_it_passes():
    """R30, F3: even if it can only pass; and hands are not mended."""
    match = match_at(["stonehenge", "pompeii"], phase="tokens", variant_a="on")
    assert match.to_act == (0,)
    assert match.legal_codes(0) == ["done"]
    assert play(match, "done", "token pompeii").to_act == (1,)
    assert match.legal_codes(1) == ["done"]


def test_variant_a_leaves_the_last_loop():
    """R31, ruling 26 and F10: from the smallest circle through the last arrow, and no other point."""
    match = play(match_at(red=TO_LAKE_CHAD, variant_a="on"), "red lake-chad tassili")
    assert left_from(match, "red") <= ROUND
    basic = play(match_at(red=TO_LAKE_CHAD), "red lake-chad tassili")
    assert legal_arrows(match, "red") < legal_arrows(basic, "red")


def test_variant_a_loop_by_taking_away():
    """R31, F10: the circle through the last arrow still there."""
    match = play(match_at(red=f"{TO_LAKE_CHAD} tassili / timbuktu cape-verde", variant_a="on"), "remove red")
    assert match.document()["phase"] == "loop"
    assert left_from(match, "red") <= ROUND


def test_variant_b_tokens_are_placed_by_the_left_neighbour():
    """R32, F11: the first player begins with those of the last; one on a place, two segments away, no passing."""
    match = Match(GAME, players=3, variant_b="on")
    assert match.to_act == (0,)
    assert "done" not in match.legal_codes(0)
    assert not set(NEAR) & legal_arguments(match, "token")
    play(match, "token giza", "token petra", "token agra")
    placed = {place: seat for place, seat in match.document()["token"].items() if seat != "none"}
    assert placed == {"giza": "2", "petra": "0", "agra": "1"}
    assert "giza" not in legal_arguments(match, "token")
    while match.document()["phase"] == "tokens":
        match.play(match.legal_codes(match.to_act[0])[0], match.to_act[0])
    assert [explorer(match, seat).tokens for seat in range(3)] == [8, 8, 8]
    assert match.to_act == (0,)


def test_variant_b_has_no_cards():
    """R32: a token goes to its owner, and vouchers are only for arrows and removals."""
    match = match_at(variant_b="on", tokens={"tassili": 1, "giza": 0}, blue="lisbon mont")
    assert {code.split()[0] for code in match.legal_codes(0)} == {"arrow", "voucher", "remove"}
    play(match, "red lisbon tassili")
    assert explorer(match, 1).collected == 1
    assert match.document()["token"]["tassili"] == "none"
    assert match.score().points == (0, 1)


def test_both_variants_together():
    """R33, F12: eight tokens by the neighbour, loops of variant A."""
    match = Match(GAME, players=2, variant_a="on", variant_b="on")
    assert "done" not in match.legal_codes(0)
    match = match_at(red=TO_LAKE_CHAD, variant_a="on", variant_b="on", tokens={"giza": 0, "petra": 1})
    play(match, "red lake-chad tassili")
    assert left_from(match, "red") <= ROUND


# The end


def test_the_last_card_ends_the_match_with_the_round():
    """R34, rulings 21, 22 and F18: seats that have not had their turn have it; the round begins with the first seat."""
    match = play(match_at(["petra", "tassili", "agra"], vouchers=[0, 0, 0]), "red lisbon tassili")
    assert table_fields(match, "ending", "left", "phase") == ("cards", 1, "turn")
    assert play(match, "red tassili pompeii").to_act == (2,)
    assert play(match, "red pompeii delphi").over
    assert present(match.result()).points == (-1, 1, -1)
    match = match_at(["petra", "agra", "tassili"], seat=2, vouchers=[0, 0, 0])
    assert play(match, "red lisbon tassili").over, "he is the last of the round"


def test_one_more_turn_for_all_others():
    """R34: an option."""
    match = match_at(["petra", "agra", "tassili"], seat=2, vouchers=[0, 0, 0], last_round="one-more")
    play(match, "red lisbon tassili", "blue lisbon mont")
    assert not match.over
    assert play(match, "blue mont pompeii").over


def test_goals_are_not_replaced_after_the_last_turn():
    """R34, F15."""
    match = match_at(["petra", "tassili"], goals="giza stonehenge", seat=1, vouchers=[0, 1])
    play(match, "voucher", "red lisbon tassili", "blue lisbon stonehenge")
    assert match.over
    assert match.document()["goals"][1] == "none"


def test_an_empty_hand_by_an_exchange_is_none():
    """R34, F18."""
    match = play(match_at(), "exchange petra")
    assert explorer(match, 0).cards == 0
    assert match.document()["ending"] == "none"


def test_the_last_arrow_ends_the_match_at_once():
    """R34, ruling 20 and F18: after all 135; what it reaches counts, but no arrows follow."""
    match = match_near_last_arrow(135)
    seat = match.to_act[0]
    match.play(next(code for code in match.legal_codes(seat) if code.startswith("arrow")), seat)
    while match.to_act == (CHANCE,):
        match.play(match.legal_codes(CHANCE)[0], CHANCE)
    assert match.over
    assert table_fields(match, "ending", "green", "due") == ("arrows", 0, "none")


def test_points():
    """R35."""
    match = match_at(
        ["petra fuji", "agra"],
        laid={"giza": 0, "marib": 0, "benin": 1},
        tokens={"petra": 0, "agra": 1},
        won=["giza"],
        explorers={0: {"own": 1, "public": 1}},
        phase="over",
        ending="arrows",
    )
    assert present(match.result()).points == (1 + 1 + 1 - 2 - 1, 1 - 1 - 1)


@pytest.mark.parametrize(("ties", "places"), [("shared", (1, 1)), ("vouchers", (2, 1))])
def test_a_tie(ties, places):
    """R35: shared, or with an option decided by the vouchers left."""
    match = match_at(vouchers=[2, 3], ties=ties, phase="over", ending="turns")
    assert present(match.result()).ranks == places
    assert present(match.result()).points == (-1, -1)


def test_variant_b_is_won_by_the_first_seat_with_all_tokens():
    """R36, F18: at once, and before the last arrow."""
    won = ["giza", "petra", "marib", "agra", "fuji", "kizhi", "delphi"]
    match = match_at(
        variant_b="on",
        laid=dict.fromkeys(won, 1),
        won=won,
        tokens={"tassili": 1, "benin": 0},
        explorers={1: {"own": 0}},
    )
    assert play(match, "red lisbon tassili").over
    assert match.document()["ending"] == "tokens"
    assert present(match.result()).ranks == (2, 1)


@pytest.mark.parametrize(
    ("routes", "tokens", "walks"),
    [
        ({}, {"giza": 0, "petra": 1}, None),
        ({"red": "lisbon tassili"}, {"timbuktu": 0, "pompeii": 0, "benin": 1}, (3, 2)),
        ({"red": "lisbon tassili", "blue": "lisbon mont"}, {"timbuktu": 0, "pompeii": 0, "benin": 1}, (2, 2)),
    ],
)
def test_variant_b_breaks_a_tie_by_the_fewest_moves(routes, tokens, walks):
    """R36, rulings 25 and F13: three walks from the three heads, START if one has not begun, on the empty map."""
    match = play(match_at(**routes, variant_b="on", tokens=tokens, turns=999, placed=True, vouchers=[1, 1]), "done")
    assert match.document()["ending"] == "turns"
    found = tuple(explorer(match, seat).walk for seat in (0, 1))
    if walks is None:
        walks = tuple(int(DISTANCE[0, PLACES.index(place) + 1]) for place in ("giza", "petra"))
    assert found == walks
    assert present(match.result()).ranks == tuple(1 if mine <= min(walks) else 2 for mine in walks)


@pytest.mark.parametrize("seed", range(3))
def test_the_fewest_moves_are_those_of_trying_every_order(seed):
    """R36, F13: any head can go to any token next."""
    draw = random.Random(seed)
    far = [place for place in PLACES if DISTANCE[0, PLACES.index(place) + 1] > 2]
    mine, others = draw.sample(far[:40], 5), draw.sample(far[40:], 5)
    match = match_at(
        red="lisbon tassili timbuktu benin",
        blue="lisbon azores vinland",
        variant_b="on",
        tokens=dict.fromkeys(mine, 0) | dict.fromkeys(others, 1),
        turns=999,
        placed=True,
        vouchers=[1, 1],
    )
    play(match, "done")
    heads = tuple(SPOTS.index(name) for name in ("benin", "lisbon", "vinland"))
    for seat, own in enumerate((mine, others)):
        assert explorer(match, seat).walk == fewest_moves(heads, frozenset(SPOTS.index(name) for name in own))


@cache
def fewest_moves(heads: tuple[int, ...], left: frozenset[int]) -> int:
    if not left:
        return 0
    return min(
        int(DISTANCE[head, token]) + fewest_moves((*heads[:k], token, *heads[k + 1 :]), left - {token})
        for k, head in enumerate(heads)
        for token in left
    )


def test_a_standstill_ends_the_match():
    """R37, F14: after as many turns without arrow and voucher as there are players."""
    closed = "lisbon azores vinland niagara winnipeg churchill beechey ilulissat vinland"  # all its lines are used
    match = match_at(yellow=closed, blue=closed, red=closed, vouchers=[0, 0])
    assert match.legal_codes(0) == ["done"]
    assert not play(match, "done").over
    assert play(match, "done").over
    assert match.document()["ending"] == "stuck"


def test_a_thousand_turns_end_the_match():
    """R37, F17."""
    match = play(match_at(turns=999, vouchers=[0, 0]), "red lisbon tassili")
    assert match.over
    assert match.document()["ending"] == "turns"
