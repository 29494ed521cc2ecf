"""The components, the preparations and the goals; `ruling …` cites the close reading of the rulebook."""

import pytest

from tavola.core import CHANCE, BadOption, Match
from tavola.games.expedition import GAME
from tavola.games.expedition.components import ARROWS, COLOURS, SEATS, VOUCHERS
from tavola.games.expedition.fixtures import (
    explorer,
    head_spot,
    legal_arguments,
    legal_arrows,
    match_at,
    place_owners,
    play,
    table_fields,
)
from tavola.games.expedition.network import DISTANCE, PLACES, SPOTS
from tavola.show.testing import present

NOT_FAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] < 3]


def play_chance(match):
    """Let chance play until a seat is to act; return the number of its actions."""
    before = len(match.history)
    while match.to_act == (CHANCE,):
        match.play(match.legal_codes(CHANCE)[-1], CHANCE)
    return len(match.history) - before


# Components


def test_two_to_six_play_and_most_points_win():
    """R1."""
    assert GAME.players == (2, 6)
    with pytest.raises(BadOption, match="players"):
        Match(GAME, players=7)
    match = match_at(laid={"giza": 1, "marib": 1}, ending="turns", phase="over")
    assert present(match.result()).points == (-1, 1)
    assert present(match.result()).winners == (1,)


def test_arrows_cards_and_vouchers():
    """R2."""
    assert (ARROWS * len(COLOURS), len(PLACES), VOUCHERS) == (135, 79, 31)
    for players in range(2, SEATS + 1):
        match = Match(GAME, players=players)
        assert [explorer(match, seat).vouchers for seat in range(players)] == [3] * players
        assert table_fields(match, "bank") == (31 - 3 * players,)


def test_what_lies_under_the_deck_comes_last_and_in_order():
    """R3, F1: shuffled cards are drawn in any order, those under the deck in theirs."""
    match = play(match_at(beneath="giza fuji", deck="kizhi"), "exchange petra")
    assert match.legal_codes(CHANCE) == ["deal kizhi"]
    assert play(match, "deal kizhi").legal_codes(CHANCE) == ["deal giza"]


def test_knowledge_of_cards_under_the_deck():
    """R3, F1: a public card put there is known to all seats, an exchanged one only to its owner."""
    match = Match(GAME, players=2)
    near = [place for place in NOT_FAR if place != "petra"]
    play(match, *[f"deal {place}" for place in PLACES if place not in near][:24], f"reveal {near[0]}")
    assert match.view().table.under[0] == PLACES.index(near[0]) + 1
    match = play(match_at(), "exchange petra")
    known = [match.view(seat) for seat in (0, 1)]
    assert SPOTS[known[0].hand.under[0]] == "petra"
    assert not any(known[1].hand.under)
    assert not any(known[1].table.under)


def test_a_border_pair_is_one_point():
    """R6, ruling 17: red, left on both sides, and touched on both by a loop."""
    east = "lisbon faroes north-cape novaya-zemlya taymyr lena-pillars lake-baikal karakorum great-wall fuji"
    match = play(match_at(red=east, vouchers=[0, 3], bank=28), "red fuji border-1-east")
    assert explorer(match, 0).vouchers == 1
    assert head_spot(match, "red") == "border-1"
    play(match, "done", "red border-1-west denali", "done")
    assert "border-1-east-to-klyuchevskaya" not in legal_arrows(match, "red")
    match = match_at(red=f"{east} border-1-east")
    away = {"border-1-west-to-denali", "border-1-west-to-mauna-kea", "border-1-east-to-klyuchevskaya"}
    assert legal_arrows(match, "red") == away
    match = match_at(red=f"{east} border-1-east klyuchevskaya")
    assert legal_arrows(match, "red") == {"klyuchevskaya-to-fuji", "klyuchevskaya-to-okhotsk"}


# The preparations


@pytest.mark.parametrize(("players", "each", "deck"), [(2, 12, 49), (3, 12, 37), (4, 9, 37), (5, 9, 28), (6, 9, 19)])
def test_cards_are_dealt_one_by_one_from_the_first_seat(players, each, deck):
    """R7, F1."""
    match = Match(GAME, players=players)
    match.play("deal petra", CHANCE)
    assert match.view(0).hand.cards == 1 << PLACES.index("petra")
    play_chance(match)
    assert [explorer(match, seat).cards for seat in range(players)] == [each] * players
    assert sum(table_fields(match, "deck", "beneath")) == deck


def test_public_goals_are_three_segments_away_or_more():
    """R8: the others go under the deck."""
    far = [place for place in PLACES if place not in NOT_FAR]
    match = play(Match(GAME, players=2), *[f"deal {place}" for place in far[:24]], f"reveal {NOT_FAR[0]}")
    assert match.document()["goals"][0] == "none"
    assert table_fields(match, "beneath", "deck", "phase") == (1, 79 - 25, "reveal")
    play(match, *[f"reveal {place}" for place in far[24:30]])
    assert match.document()["goals"] == far[24:30]
    assert table_fields(match, "phase", "seat") == ("tokens", 0)


def test_a_hand_that_cannot_place_its_tokens_is_mended():
    """R9, rulings 4 and F2: the first of the unfit cards goes under the deck, unseen, until four fit."""
    match = Match(GAME, players=4, token_distance=3)
    poor = [*NOT_FAR[:7], "fuji", "uluru"]  # nine cards each for four, with most of the first seat's too near
    rest = iter([place for place in PLACES if place not in poor])
    for card in poor:
        play(match, f"deal {card}", *[f"deal {next(rest)}" for _ in range(3)])
    while match.document()["phase"] == "reveal":
        match.play(match.legal_codes(CHANCE)[-1], CHANCE)
    assert table_fields(match, "phase", "seat") == ("mend", 0)
    document = match.document()
    assert document["box"]["under"][document["beneath"] - 1] == min(poor, key=PLACES.index)
    assert match.view(1).table.under[document["beneath"] - 1] == 0
    assert play_chance(match) >= 2
    assert match.to_act == (0,)
    assert len(legal_arguments(match, "token")) >= 4
    assert explorer(match, 0).cards == 9


@pytest.mark.parametrize("distance", [2, 3])
def test_how_near_tokens_may_lie(distance):
    """R10, ruling 3: two segments, three in the new edition."""
    hands = [f"stonehenge pompeii giza {PLACES[-1]}", "agra"]
    match = match_at(hands, phase="tokens", token_distance=distance)
    allowed = {place for place in legal_arguments(match, "token") if DISTANCE[0, PLACES.index(place) + 1] == 2}
    assert "stonehenge" not in legal_arguments(match, "token")
    assert allowed == ({"pompeii"} if distance == 2 else set())


def test_four_tokens_each_in_turn_on_places_of_the_own_cards():
    """R11, ruling 5: not twice on one place."""
    match = match_at(["pompeii giza petra agra fuji", "marib kizhi delphi benin"], phase="tokens")
    places = [("pompeii", "marib"), ("giza", "kizhi"), ("petra", "delphi"), ("agra", "benin")]
    for step, (one, other) in enumerate(places):
        assert match.to_act == (0,)
        assert len(legal_arguments(match, "token")) == 5 - step
        match.play(f"token {one}", 0)
        match.play(f"token {other}", 1)
    assert (explorer(match, 0).tokens, explorer(match, 1).tokens) == (4, 4)
    assert table_fields(match, "phase", "seat") == ("turn", 0)


def test_a_seat_without_a_fitting_card_passes():
    """R11, F2: passing is the only action, and the seat is skipped from then on."""
    match = match_at(["stonehenge", "marib kizhi delphi benin"], phase="tokens")
    assert match.legal_codes(0) == ["done"]
    play(match, "done", "token marib", "token kizhi")
    assert match.to_act == (1,)
    play(match, "token delphi", "token benin")
    assert table_fields(match, "phase", "seat") == ("turn", 0)


def test_the_first_seat_begins_and_then_clockwise():
    """R12."""
    match = play(match_at(["petra", "agra", "fuji"], vouchers=[0, 0, 0]), "red lis mont")
    assert match.to_act == (1,)
    assert play(match, "red mont pomp").to_act == (2,)


# Goals


def test_private_goals_are_laid_by_their_holder():
    """R26, ruling 13: at once, and the owner's token goes on the card."""
    match = match_at(["petra", "tassili agra"], tokens={"tassili": 1})
    match.play("arrow red lisbon-to-tassili", 0)
    assert match.to_act == (CHANCE,)
    assert match.legal_codes(CHANCE) == ["claim 1"]
    match.play("claim 1", CHANCE)
    assert place_owners(match) == {"tassili": "1"}
    one = explorer(match, 1)
    assert (one.cards, one.own, one.tokens, one.collected) == (1, 1, 0, 1)
    assert match.score().points == (-1, 2 - 1)


def test_a_card_without_a_holder_is_not_claimed():
    """R26."""
    match = match_at()
    match.play("arrow red lisbon-to-tassili", 0)
    assert match.legal_codes(CHANCE) == ["claim nobody"]
    assert place_owners(play(match, "claim nobody")) == {}


def test_a_card_that_comes_late_waits():
    """R26, rulings 12 and 14: for an arrow to its place, or for a removal back to it."""
    match = play(match_at(red="lisbon tassili timbuktu"), "exchange petra")
    play(match, "deal timbuktu", "deal tassili", "keep timbuktu")
    assert place_owners(match) == {}, "the expedition stands there already"
    play(match, "red timbuktu benin", "remove red")
    assert place_owners(match) == {"timbuktu": "0"}, "now it came back"


def test_laid_cards_stay():
    """R26, F19."""
    match = play(match_at(["tassili agra", "petra"]), "red lisbon tassili", "remove red")
    assert place_owners(match) == {"tassili": "0"}


def test_public_goals_are_taken_by_the_player_at_turn_with_an_arrow():
    """R27."""
    match = play(match_at(goals="tassili fuji"), "red lisbon tassili")
    assert place_owners(match) == {"tassili": "0"}
    assert match.document()["goals"][:2] == ["none", "fuji"]
    assert (explorer(match, 0).public, explorer(match, 0).own) == (1, 0)


@pytest.mark.parametrize("option", ["off", "on"])
def test_a_public_goal_by_a_removal(option):
    """R27, ruling 12: not by the printed rules."""
    match = play(match_at(red="lisbon tassili timbuktu", goals="tassili", goals_by_removal=option), "remove red")
    assert place_owners(match) == ({"tassili": "0"} if option == "on" else {})


def test_a_public_goal_with_a_token():
    """R27, F9: the taker's own token is collected too, another's stays."""
    for owner, collected in ((0, 1), (1, 0)):
        match = play(match_at(goals="tassili", tokens={"tassili": owner}), "red lisbon tassili")
        assert (explorer(match, 0).collected, explorer(match, 1).tokens) == (collected, owner)
        assert match.document()["won"] == (["tassili"] if collected else [])


def test_exchanging_a_card():
    """R28: the seat's own under the deck, two drawn, one kept, the other under the deck."""
    match = play(match_at(), "exchange petra")
    assert match.document()["phase"] == "draw"
    play(match, "deal fuji", "deal giza")
    assert match.legal_codes(0) == ["keep giza", "keep fuji"]
    document = play(match, "keep giza").document()
    assert document["hands"][0]["cards"] == ["giza"]
    assert document["box"]["under"][: document["beneath"]] == ["petra", "fuji"]
    assert (explorer(match, 0).cards, explorer(match, 0).swaps) == (1, 1)


def test_exchanging_when_the_deck_is_empty_or_almost():
    """R28, ruling 16: with one card in the deck the seat's own is drawn second; with none it is not allowed."""
    match = play(match_at(goals="", deck="fuji"), "exchange petra")
    assert play(match, "deal fuji").legal_codes(CHANCE) == ["deal petra"]
    assert play(match, "deal petra").legal_codes(0) == ["keep petra", "keep fuji"]
    assert not legal_arguments(match_at(goals="", deck=""), "exchange")


def test_the_token_of_a_card_that_is_given_away_stays():
    """R28, ruling 15: it costs its point at the end."""
    match = play(match_at(["petra fuji", "agra"], tokens={"petra": 0}), "exchange petra")
    play(match, "deal giza", "deal kizhi", "keep giza")
    assert explorer(match, 0).tokens == 1
    assert match.score().points[0] == -2 - 1


def test_goals_are_replaced_from_the_left_when_the_turn_ends():
    """R29, F20: at any distance."""
    match = play(match_at(goals="tassili fuji giza kizhi benin marib"), "red lisbon tassili")
    assert match.document()["goals"][0] == "none", "not before the end"
    play(match, "done")
    assert table_fields(match, "phase", "seat") == ("refill", 0)
    play(match, "reveal stonehenge")
    assert match.document()["goals"] == ["stonehenge", "fuji", "giza", "kizhi", "benin", "marib"]
    assert match.to_act == (1,)


def test_goals_stay_empty_when_the_deck_is():
    """R29, F20."""
    match = play(match_at(goals="tassili fuji", deck=""), "red lisbon tassili", "done")
    assert match.document()["goals"][:2] == ["none", "fuji"]
    assert match.to_act == (1,)
