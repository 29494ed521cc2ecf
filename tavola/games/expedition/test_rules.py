"""One test or more for each paragraph of RULES.md; `ruling …` cites the close reading, F what was found later."""

import re
from itertools import product
from pathlib import Path

import pytest

from tavola.core import CHANCE, BadOption, IllegalAction
from tavola.games.expedition import GAME
from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.by_hand import arrows, full, play, stands, table
from tavola.games.expedition.components import ARROWS, COLOURS, SEATS, VOUCHERS
from tavola.games.expedition.network import DISTANCE, FIRST, KIND, PLACES, SPOT_COUNT, SPOTS, TARGET
from tavola.show.testing import played

RULES = Path(__file__).with_name("RULES.md").read_text(encoding="utf-8")
NEAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] < 2]
NOT_FAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] < 3]
TO_TASSILI = "lisbon tassili"
ROUND_TASSILI = "lisbon tassili timbuktu canaries"
"""From Canaries, Lisbon is one arrow away: that closes a loop."""


def fields(match, *names):
    document = match.document()
    return tuple(document[name] for name in names)


def explorer(match, seat):
    return match.view().table.explorers[seat]


def laid(match):
    return {place: seat for place, seat in match.document()["laid"].items() if seat != "none"}


def dealt(players=2, **options):
    """A match in which chance has dealt, with a seed, up to the tokens."""
    match = GAME.match(players=players, **options)
    while match.to_act == (CHANCE,):
        match.play(match.legal(CHANCE)[-1], CHANCE)
    return match


def legal(match, verb):
    """The actions of a verb that are allowed now, without the verb."""
    codes = (code.partition(" ") for code in match.legal(match.to_act[0]))
    return {rest for first, _, rest in codes if first == verb}


def turned_up(match, place):
    match.play(f"reveal {full(place)}", CHANCE)
    return match


# What there is


def test_two_to_six_play_and_most_points_win():
    """R1."""
    assert GAME.players == (2, 6)
    with pytest.raises(BadOption, match="players"):
        GAME.match(players=7)
    match = table(["petra", "agra"], laid={"giza": 1, "marib": 1}, ending="turns", phase="over")
    assert match.result().points == (-1, 1)
    assert match.result().winners == (1,)


def test_arrows_cards_and_vouchers():
    """R2."""
    assert (ARROWS * len(COLOURS), len(PLACES), VOUCHERS) == (135, 79, 31)
    for players in range(2, SEATS + 1):
        match = GAME.match(players=players)
        assert [explorer(match, seat).vouchers for seat in range(players)] == [3] * players
        assert fields(match, "bank") == (31 - 3 * players,)


def test_what_lies_under_the_deck_comes_last_and_in_order():
    """R3, F1: undrawn cards come in any order, those beneath in theirs."""
    match = table(["petra", "agra"], beneath="giza fuji", deck="kizhi")
    match = play(match, "exchange petra")
    assert match.legal(CHANCE) == ["deal kizhi"]
    match.play("deal kizhi", CHANCE)
    assert match.legal(CHANCE) == ["deal giza"]


def test_who_knows_what_lies_under_the_deck():
    """R3, F1: all know a public card put there, of an exchange its owner alone."""
    match = GAME.match(players=2)
    near = [place for place in NOT_FAR if place != "petra"]
    for place in [place for place in PLACES if place not in near][:24]:
        match.play(f"deal {place}", CHANCE)
    turned_up(match, near[0])
    assert match.view().table.under[0] == PLACES.index(near[0]) + 1
    match = play(table(["petra", "agra"]), "exchange petra")
    known = [match.view(seat) for seat in (0, 1)]
    assert [SPOTS[card] for card in known[0].hand.under[:1]] == ["petra"]
    assert not any(known[1].hand.under)
    assert not any(known[1].table.under)


def test_the_map():
    """R4: the proofs are in test_atlas.py."""
    kinds = [point.kind for point in POINTS]
    assert [kinds.count(kind) for kind in ("start", "place", "green", "red", "border")] == [1, 79, 20, 20, 6]


def test_distances_are_those_of_the_shortest_ways():
    """R5."""
    assert (DISTANCE == DISTANCE.T).all()
    for one, way in product(range(SPOT_COUNT), range(FIRST[-1])):
        spot = next(spot for spot in range(SPOT_COUNT) if FIRST[spot] <= way < FIRST[spot + 1])
        assert abs(DISTANCE[one, spot] - DISTANCE[one, TARGET[way]]) <= 1
    assert all(DISTANCE[spot, spot] == 0 for spot in range(SPOT_COUNT))


def test_a_border_pair_is_one_point():
    """R6, ruling 17: red, left on both sides, and touched on both by a loop."""
    east = "lisbon tassili pompeii delphi giza petra babylon marib arabian-sea hampi agra everest dunhuang karakorum"
    match = table(["petra", "agra"], {"red": f"{east} great-wall fuji"}, vouchers=[0, 3], bank=28)
    play(match, "red fuji border-1-east")
    assert explorer(match, 0).vouchers == 1
    assert stands(match, "red") == "border-1"
    play(match, "done", "red border-1-west denali", "done")
    assert "border-1-east-to-klyuchevskaya" not in arrows(match, "red")
    match = table(["petra", "agra"], {"red": f"{east} great-wall fuji border-1-east"})
    assert arrows(match, "red") == {
        "border-1-west-to-denali",
        "border-1-west-to-mauna-kea",
        "border-1-east-to-klyuchevskaya",
    }
    match = table(["petra", "agra"], {"red": f"{east} great-wall fuji border-1-east klyuchevskaya"})
    assert arrows(match, "red") == {"klyuchevskaya-to-fuji", "klyuchevskaya-to-okhotsk"}


# Before the first turn


@pytest.mark.parametrize(("players", "each", "deck"), [(2, 12, 49), (3, 12, 37), (4, 9, 37), (5, 9, 28), (6, 9, 19)])
def test_cards_are_dealt_one_by_one_from_the_first_seat(players, each, deck):
    """R7, F1."""
    match = GAME.match(players=players)
    match.play("deal petra", CHANCE)
    assert match.view(0).hand.cards == 1 << PLACES.index("petra")
    match = dealt(players)
    assert [explorer(match, seat).cards for seat in range(players)] == [each] * players
    assert sum(fields(match, "deck", "beneath")) == deck


def test_public_goals_are_three_segments_away_or_more():
    """R8: the others go under the deck."""
    match = GAME.match(players=2)
    for place in [place for place in PLACES if place not in NOT_FAR][:24]:
        match.play(f"deal {place}", CHANCE)
    turned_up(match, NOT_FAR[0])
    assert match.document()["goals"][0] == "none"
    assert fields(match, "beneath", "deck", "phase") == (1, 79 - 25, "reveal")
    far = [place for place in PLACES if place not in NOT_FAR][24:30]
    for place in far:
        turned_up(match, place)
    assert match.document()["goals"] == far
    assert fields(match, "phase", "seat") == ("tokens", 0)


def mended(token_distance):
    """Nine cards each for four, most of the first seat's too near."""
    match = GAME.match(players=4, token_distance=token_distance)
    poor = [*NOT_FAR[:7], "fuji", "uluru"]
    rest = iter([place for place in PLACES if place not in poor])
    for number in range(36):
        match.play(f"deal {poor[number // 4] if number % 4 == 0 else next(rest)}", CHANCE)
    while match.document()["phase"] == "reveal":
        match.play(match.legal(CHANCE)[-1], CHANCE)
    return match, poor


def test_a_hand_that_cannot_place_its_tokens_is_mended():
    """R9, rulings 4 and F2: the first of the unfit cards goes under the deck, unseen, until four fit."""
    match, poor = mended(3)
    assert fields(match, "phase", "seat") == ("mend", 0)
    document = match.document()
    assert document["box"]["under"][document["beneath"] - 1] == min(poor, key=PLACES.index)
    assert match.view(1).table.under[document["beneath"] - 1] == 0
    draws = 0
    while match.to_act == (CHANCE,):
        match.play(match.legal(CHANCE)[-1], CHANCE)
        draws += 1
    assert draws >= 2
    assert match.to_act == (0,)
    assert len(legal(match, "token")) >= 4
    assert explorer(match, 0).cards == 9


@pytest.mark.parametrize("distance", [2, 3])
def test_how_near_tokens_may_lie(distance):
    """R10, ruling 3: two segments, three in the new edition."""
    hands = [f"stonehenge pompeii giza {PLACES[-1]}", ""]
    match = table(hands, phase="tokens", token_distance=distance)
    allowed = {place for place in legal(match, "token") if DISTANCE[0, PLACES.index(place) + 1] == 2}
    assert "stonehenge" not in legal(match, "token")
    assert allowed == ({"pompeii"} if distance == 2 else set())


def test_four_tokens_each_in_turn_on_places_of_the_own_cards():
    """R11, ruling 5: not twice on one place."""
    match = table(["pompeii giza petra agra fuji", "marib kizhi delphi benin"], phase="tokens")
    for step, (one, other) in enumerate(
        [("pompeii", "marib"), ("giza", "kizhi"), ("petra", "delphi"), ("agra", "benin")]
    ):
        assert match.to_act == (0,)
        assert len(legal(match, "token")) == 5 - step
        match.play(f"token {one}", 0)
        match.play(f"token {other}", 1)
    assert (explorer(match, 0).tokens, explorer(match, 1).tokens) == (4, 4)
    assert fields(match, "phase", "seat") == ("turn", 0)


def test_who_holds_no_card_that_fits_passes():
    """R11, F2: he may do nothing else, and is not asked again."""
    match = table(["stonehenge", "marib kizhi delphi benin"], phase="tokens")
    assert match.legal(0) == ["done"]
    play(match, "done", "token marib", "token kizhi")
    assert match.to_act == (1,)
    play(match, "token delphi", "token benin")
    assert fields(match, "phase", "seat") == ("turn", 0)


def test_the_first_seat_begins_and_then_clockwise():
    """R12."""
    match = table(["petra", "agra", "fuji"], vouchers=[0, 0, 0])
    play(match, "red lis mont")
    assert match.to_act == (1,)
    play(match, "red mont pomp")
    assert match.to_act == (2,)


# A turn


def test_the_arrow_is_compulsory_if_one_can_be_laid():
    """R13, ruling 1."""
    match = table(["petra", "agra"])
    assert "done" not in match.legal(0)
    play(match, "red lis mont")
    assert "done" in match.legal(0)
    assert not legal(match, "arrow")


def test_at_most_two_vouchers_before_or_after_the_arrow():
    """R13, ruling 23: also of those won in the turn."""
    match = table(["petra", "agra"], {"red": TO_TASSILI}, vouchers=[1, 3])
    play(match, "voucher", "red tassili timbuktu", "red timbuktu canaries")
    assert explorer(match, 0).vouchers == 1, "won at Canaries"
    play(match, "voucher", "red canaries cape-verde", "done")
    assert fields(match, "used", "seat") == (0, 1), "no third one, and nothing else to do"


def test_an_arrow_goes_on_from_the_head_in_any_direction():
    """R14."""
    match = table(["petra", "agra"], {"red": TO_TASSILI})
    assert arrows(match, "red") == {"tassili-to-pompeii", "tassili-to-timbuktu", "tassili-to-lake-chad"}
    with pytest.raises(IllegalAction):
        match.play("arrow red lisbon-to-mont-blanc", 0)


def test_a_green_station_gives_an_arrow_of_any_colour_that_may_be_declined():
    """R15, ruling 6: also one that begins an expedition."""
    match = table(["petra", "agra"], vouchers=[0, 3])
    play(match, "red lisbon azores")
    assert fields(match, "phase", "green") == ("green", 1)
    assert arrows(match, "red") == {"azores-to-vinland", "azores-to-canaries"}
    assert arrows(match, "blue")
    assert "done" in match.legal(0)
    play(match, "done")
    assert match.to_act == (1,)


def test_a_red_station_gives_a_voucher_while_the_bank_has_one():
    """R15, ruling 18: used vouchers lie on the field until the turn ends."""
    match = table(["petra", "agra"], vouchers=[3, 3])
    assert explorer(play(match, "red lisbon canaries"), 0).vouchers == 4
    match = table(["petra", "agra"], {"red": TO_TASSILI}, vouchers=[16, 15])
    play(match, "voucher", "blue lisbon canaries")
    assert explorer(match, 0).vouchers == 15


def test_a_new_colour_takes_a_line_of_start_without_any_arrow():
    """R16, rulings 2 and F16."""
    match = table(["petra", "agra"], {"red": TO_TASSILI})
    free = {f"lisbon-to-{name}" for name in ("stonehenge", "mont-blanc", "azores", "canaries", "faroes")}
    assert arrows(match, "blue") == free
    match = table(["petra", "agra"], {"red": f"{ROUND_TASSILI} lisbon / lisbon faroes"})
    assert arrows(match, "blue") == free - {"lisbon-to-canaries", "lisbon-to-faroes"}, "an arrow into START counts"
    match = table(["petra", "agra"], {"red": TO_TASSILI}, first_lines="shared")
    assert arrows(match, "blue") == free | {"lisbon-to-tassili"}


def test_a_restart_from_start_needs_only_a_line_without_its_own_colour():
    """R16, F16."""
    match = table(["petra", "agra"], {"red": "lisbon canaries timbuktu tassili", "blue": "lisbon faroes"})
    play(match, "red tassili lisbon")
    assert match.document()["phase"] == "loop"
    assert "lisbon-to-faroes" in arrows(match, "red")


def test_one_arrow_of_a_colour_on_a_line():
    """R17: other colours may share it, also against its direction."""
    match = table(["petra", "agra"], {"red": "lisbon tassili timbuktu", "blue": "lisbon canaries timbuktu"})
    assert "timbuktu-to-tassili" in arrows(match, "blue")
    assert "timbuktu-to-tassili" not in arrows(match, "red")


def test_a_colour_without_arrows_stays_until_one_is_taken_away():
    """R17, ruling 19."""
    match = almost(ARROWS, "red")
    seat = match.to_act[0]
    play(match, next(code for code in match.legal(seat) if code.startswith("arrow red")))
    while match.to_act == (CHANCE,) or match.document()["phase"] != "turn":
        match.play(match.legal(match.to_act[0])[-1], match.to_act[0])
    assert not arrows(match, "red")
    document = match.document()
    document["explorers"][match.to_act[0]]["vouchers"] += 1
    document["bank"] -= 1
    document |= {"looped": [], "placed": False}
    again = play(GAME.match(position=document, check="pieces"), "remove red")
    assert again.document()["expedition"]["red"]["count"] == ARROWS - 1
    while again.document()["phase"] != "turn":
        again.play(again.legal(again.to_act[0])[-1], again.to_act[0])
    assert arrows(again, "red")


def test_the_order_on_arrival():
    """R18, ruling 8: the loop is left before the arrow of the green station is laid."""
    match = table(["petra", "agra"], {"red": "lisbon azores canaries"})
    play(match, "red canaries lisbon")
    assert fields(match, "phase", "due") == ("loop", "red")


def test_a_loop_that_ends_at_a_green_station_gives_two_arrows():
    """R18, R19, ruling 8 and F7: first the one out of the loop, then the bonus, which may be declined."""
    match = table(["petra", "agra"], {"red": "lisbon azores vinland niagara bermuda cayenne cape-verde canaries"})
    play(match, "red canaries azores")
    assert fields(match, "phase", "due", "green") == ("loop", "red", 1)
    assert "done" not in match.legal(0)
    assert not arrows(match, "blue"), "out of the loop with the same colour"
    play(match, "red niagara winnipeg")
    assert fields(match, "phase", "green") == ("green", 2), "Winnipeg is green too"
    play(match, "done")
    assert fields(match, "phase", "green") == ("green", 1)
    assert arrows(match, "blue")
    play(match, "done")
    assert match.document()["phase"] == "turn"


# Loops


def test_a_loop_must_be_left_at_once():
    """R19, ruling 7: START is a point like others, and nothing else may be done."""
    match = play(table(["petra", "agra"], {"red": ROUND_TASSILI}), "red canaries lisbon")
    assert fields(match, "phase", "due") == ("loop", "red")
    assert {code.split()[0] for code in match.legal(0)} == {"arrow"}
    assert "arrow blue lisbon-to-faroes" not in match.legal(0)


def test_a_loop_is_left_from_any_point_of_the_expedition():
    """R20: also from those that are not on the circle."""
    match = table(["petra", "agra"], {"red": "lisbon mont pompeii tassili timbuktu benin lake-chad"})
    play(match, "red lake-chad tassili")
    away = {way.partition("-to-")[0] for way in arrows(match, "red")}
    assert {"lisbon", "mont-blanc", "pompeii", "timbuktu", "benin"} <= away
    play(match, "red lisbon faroes")
    assert stands(match, "red") == "faroes"


def test_visited_is_what_is_touched_now():
    """R20, F4: a point whose arrows were taken away counts no more."""
    match = table(["petra", "agra"], {"red": "lisbon tassili timbuktu"})
    play(match, "remove red", "red tassili lake-chad")
    assert "timbuktu" not in match.document()["expedition"]["red"]["visited"]


def test_a_voided_duty_leaves_the_loop_open():
    """R21, rulings 7 and F8: nothing is owed, and the next arrow of that colour may leave from any of its points."""
    routes = {"red": f"{ROUND_TASSILI} lisbon"}
    match = table(["petra", "agra"], routes)
    document = match.document()
    document["expedition"]["red"]["loose"] = True
    match = GAME.match(position=document, check="pieces")
    assert "timbuktu-to-benin" in arrows(match, "red")
    assert "lisbon-to-faroes" in arrows(match, "red")
    play(match, "red timbuktu benin")
    assert not match.document()["expedition"]["red"]["loose"]
    again = GAME.match(position=document, check="pieces")
    play(again, "remove red")
    assert not again.document()["expedition"]["red"]["loose"]
    assert "timbuktu-to-benin" not in arrows(again, "red"), "the removal settles it"


def test_a_second_loop_in_a_turn_is_not_allowed():
    """R22, rulings 9 and F5: an arrow that would close it, also out of the first."""
    match = table(["petra", "agra"], {"red": ROUND_TASSILI})
    play(match, "red canaries lisbon")
    assert "lisbon-to-stonehenge" in arrows(match, "red")
    assert not {way.partition("-to-")[2] for way in arrows(match, "red")} & {"lisbon", "tassili", "timbuktu"}
    play(match, "red timbuktu cape-verde")
    play(match, "done", "voucher")
    assert "cape-verde-to-canaries" not in arrows(match, "red")
    play(match, "blue lisbon faroes", "done")
    assert "cape-verde-to-canaries" in arrows(match, "red"), "the next player may"


# Vouchers


def test_what_a_voucher_does():
    """R23."""
    match = table(["petra", "agra"], {"red": TO_TASSILI})
    assert {"voucher", "remove red", "exchange petra"} <= set(match.legal(0))
    assert "remove blue" not in match.legal(0)


def test_a_voucher_for_an_arrow_must_be_used_for_one():
    """R23, F7."""
    match = play(table(["petra", "agra"]), "voucher")
    assert fields(match, "phase", "used") == ("extra", 1)
    assert {code.split()[0] for code in match.legal(0)} == {"arrow"}


def test_no_voucher_while_an_arrow_is_owed():
    """R23, F6."""
    match = play(table(["petra", "agra"]), "red lisbon azores")
    assert {code.split()[0] for code in match.legal(0)} == {"arrow", "done"}


def test_used_vouchers_return_when_the_turn_ends():
    """R23."""
    match = play(table(["petra", "agra"]), "voucher", "red lisbon tassili", "blue lisbon mont")
    assert fields(match, "used", "bank") == (1, 25)
    play(match, "done")
    assert fields(match, "used", "bank") == (0, 26)


def test_an_arrow_is_taken_away_and_its_origin_gives_again():
    """R24, F19: a voucher to who takes it away, an arrow of a green station."""
    match = table(["petra", "agra"], {"red": "lisbon canaries timbuktu"})
    play(match, "remove red")
    assert explorer(match, 0).vouchers == 3, "one used, one won at Canaries"
    assert stands(match, "red") == "canaries"
    match = play(table(["petra", "agra"], {"red": "lisbon azores vinland"}), "remove red")
    assert fields(match, "phase", "green") == ("green", 1)
    assert "azores-to-vinland" in arrows(match, "red"), "ruling 11: the arrow may be laid again"


def test_taking_away_gives_a_claim_to_the_holder():
    """R24, ruling 12 and F19: of a private goal."""
    match = table(["petra", "tassili"], {"red": "lisbon tassili timbuktu"})
    play(match, "remove red")
    assert laid(match) == {"tassili": "1"}


def test_the_first_arrow_taken_away():
    """R24, ruling 10: the expedition has not begun, and that is no loop."""
    match = play(table(["petra", "agra"], {"red": TO_TASSILI}), "remove red")
    document = match.document()["expedition"]["red"]
    assert (document["count"], document["head"], document["visited"]) == (0, "lisbon", [])
    assert len(arrows(match, "red")) == 6


def test_a_loop_by_taking_away():
    """R25, ruling 10: the head stands where another arrow leads on; it must be left, and counts as the turn's loop."""
    match = table(["petra", "agra"], {"red": f"{ROUND_TASSILI} lisbon / timbuktu benin"})
    play(match, "remove red")
    assert fields(match, "phase", "due", "looped") == ("loop", "red", ["red"])
    assert "timbuktu-to-benin" in arrows(match, "red"), "ruling 11"
    assert "lisbon-to-faroes" in arrows(match, "red")
    assert "lisbon-to-azores" in arrows(match, "red")
    match = table(["petra", "agra"], {"red": f"{ROUND_TASSILI} lisbon / lisbon faroes"})
    assert fields(play(match, "remove red"), "phase", "due") == ("loop", "red"), "START after a restart from START"


def test_no_second_loop_by_taking_away_and_nothing_is_given_back():
    """R25, F5."""
    match = table(["petra", "agra"], {"red": ROUND_TASSILI})
    play(match, "red canaries lisbon", "red timbuktu benin")
    assert "remove red" not in match.legal(0), "it would stand in a loop for the second time"
    match = table(["petra", "agra"], {"red": TO_TASSILI})
    play(match, "red tassili pompeii", "remove red")
    assert not legal(match, "arrow"), "the turn's arrow is used"


# Goals


def test_private_goals_are_laid_by_whoever_holds_them():
    """R26, ruling 13: at once, and his token goes on the card."""
    match = table(["petra", "tassili agra"], tokens={"tassili": 1})
    match.play("arrow red lisbon-to-tassili", 0)
    assert match.to_act == (CHANCE,)
    assert match.legal(CHANCE) == ["claim 1"]
    match.play("claim 1", CHANCE)
    assert laid(match) == {"tassili": "1"}
    one = explorer(match, 1)
    assert (one.cards, one.own, one.tokens, one.collected) == (1, 1, 0, 1)
    assert match.standing().points == (-1, 2 - 1)


def test_nobody_has_the_card():
    """R26."""
    match = table(["petra", "agra"])
    match.play("arrow red lisbon-to-tassili", 0)
    assert match.legal(CHANCE) == ["claim nobody"]
    match.play("claim nobody", CHANCE)
    assert laid(match) == {}


def test_a_card_that_comes_late_waits():
    """R26, rulings 12 and 14: for an arrow to its place, or for a removal back to it."""
    match = table(["petra", "agra"], {"red": f"{TO_TASSILI} timbuktu"}, vouchers=[3, 3])
    play(match, "exchange petra")
    match.play("deal timbuktu", CHANCE)
    match.play("deal tassili", CHANCE)
    match.play("keep timbuktu", 0)
    assert laid(match) == {}, "the expedition stands there already"
    play(match, "red timbuktu benin", "remove red")
    assert laid(match) == {"timbuktu": "0"}, "now it came back"


def test_laid_cards_stay():
    """R26, F19."""
    match = play(table(["tassili agra", "petra"]), "red lisbon tassili", "remove red")
    assert laid(match) == {"tassili": "0"}


def test_public_goals_are_taken_by_the_player_at_turn_with_an_arrow():
    """R27."""
    match = table(["petra", "agra"], goals="tassili fuji")
    play(match, "red lisbon tassili")
    assert laid(match) == {"tassili": "0"}
    assert match.document()["goals"][:2] == ["none", "fuji"]
    assert (explorer(match, 0).public, explorer(match, 0).own) == (1, 0)


@pytest.mark.parametrize("option", ["off", "on"])
def test_a_public_goal_by_a_removal(option):
    """R27, ruling 12: not by the letter."""
    match = table(["petra", "agra"], {"red": f"{TO_TASSILI} timbuktu"}, goals="tassili", goals_by_removal=option)
    play(match, "remove red")
    assert laid(match) == ({"tassili": "0"} if option == "on" else {})


def test_a_public_goal_with_a_token():
    """R27, F9: the taker's own comes too, another's stays."""
    for owner, collected in ((0, 1), (1, 0)):
        match = table(["petra", "agra"], goals="tassili", tokens={"tassili": owner})
        play(match, "red lisbon tassili")
        assert (explorer(match, 0).collected, explorer(match, 1).tokens) == (collected, owner)
        assert match.document()["won"] == (["tassili"] if collected else [])


def test_exchanging_a_card():
    """R28: one's own under the deck, two drawn, one kept, the other under the deck."""
    match = play(table(["petra", "agra"]), "exchange petra")
    assert match.document()["phase"] == "draw"
    match.play("deal fuji", CHANCE)
    match.play("deal giza", CHANCE)
    assert match.legal(0) == ["keep giza", "keep fuji"]
    match.play("keep giza", 0)
    document = match.document()
    assert document["hands"][0]["cards"] == ["giza"]
    assert document["box"]["under"][: document["beneath"]] == ["petra", "fuji"]
    assert (explorer(match, 0).cards, explorer(match, 0).swaps) == (1, 1)


def test_exchanging_when_the_deck_is_empty_or_almost():
    """R28, ruling 16: with one card the own comes back as the second; with none it is not allowed."""
    match = table(["petra", "agra"], goals="", deck="fuji")
    play(match, "exchange petra")
    match.play("deal fuji", CHANCE)
    assert match.legal(CHANCE) == ["deal petra"]
    match.play("deal petra", CHANCE)
    assert match.legal(0) == ["keep petra", "keep fuji"]
    match = table(["petra", "agra"], goals="", deck="")
    assert not legal(match, "exchange")


def test_the_token_of_a_card_that_is_given_away_stays():
    """R28, ruling 15: it costs its point at the end."""
    match = play(table(["petra fuji", "agra"], tokens={"petra": 0}), "exchange petra")
    match.play("deal giza", CHANCE)
    match.play("deal kizhi", CHANCE)
    match.play("keep giza", 0)
    assert explorer(match, 0).tokens == 1
    assert match.standing().points[0] == -2 - 1


def test_goals_are_replaced_from_the_left_when_the_turn_ends():
    """R29, F20: at any distance."""
    match = table(["petra", "agra"], goals="tassili fuji giza kizhi benin marib", vouchers=[3, 3])
    play(match, "red lisbon tassili")
    assert match.document()["goals"][0] == "none", "not before the end"
    play(match, "done")
    assert fields(match, "phase", "seat") == ("refill", 0)
    turned_up(match, "stonehenge")
    assert match.document()["goals"] == ["stonehenge", "fuji", "giza", "kizhi", "benin", "marib"]
    assert match.to_act == (1,)


def test_goals_stay_empty_when_the_deck_is():
    """R29, F20."""
    match = table(["petra", "agra"], goals="tassili fuji", deck="")
    play(match, "red lisbon tassili", "done")
    assert match.document()["goals"][:2] == ["none", "fuji"]
    assert match.to_act == (1,)


# Variants


def test_variant_a_tokens():
    """R30, rulings 24 and F3: as many as one likes, in turn; who passes is out; up to ten."""
    many = "pompeii giza petra agra fuji marib kizhi delphi benin hampi everest"
    match = table([many, "uluru komodo"], phase="tokens", variant_a="on")
    assert "done" in match.legal(0)
    play(match, "token pompeii", "token uluru", "token giza", "done")
    for place in many.split()[2:9]:
        assert match.to_act == (0,)
        match.play(f"token {place}", 0)
    assert match.to_act == (0,)
    assert explorer(match, 0).tokens == 9
    play(match, "token hampi")
    assert fields(match, "phase", "seat") == ("turn", 0), "ten are placed"
    assert (explorer(match, 0).tokens, explorer(match, 1).tokens) == (10, 1)


def test_in_variant_a_everybody_is_asked_until_he_passes():
    """R30, F3: also who can only pass; and no hand is mended."""
    match = table(["stonehenge", "pompeii"], phase="tokens", variant_a="on")
    assert match.to_act == (0,)
    assert match.legal(0) == ["done"]
    play(match, "done", "token pompeii")
    assert match.to_act == (1,)
    assert match.legal(1) == ["done"]


def test_variant_a_leaves_the_last_loop():
    """R31, ruling 26 and F10: from the smallest circle through the last arrow, and no other point."""
    walked = "lisbon mont pompeii tassili timbuktu benin lake-chad"
    match = play(table(["petra", "agra"], {"red": walked}, variant_a="on"), "red lake-chad tassili")
    assert {way.partition("-to-")[0] for way in arrows(match, "red")} <= {"tassili", "timbuktu", "benin", "lake-chad"}
    basic = play(table(["petra", "agra"], {"red": walked}), "red lake-chad tassili")
    assert arrows(match, "red") < arrows(basic, "red")


def test_variant_a_loop_by_taking_away():
    """R31, F10: the circle through the last arrow that still lies there."""
    walked = "lisbon mont pompeii tassili timbuktu benin lake-chad tassili / timbuktu cape-verde"
    match = play(table(["petra", "agra"], {"red": walked}, variant_a="on"), "remove red")
    assert match.document()["phase"] == "loop"
    assert {way.partition("-to-")[0] for way in arrows(match, "red")} <= {"tassili", "timbuktu", "benin", "lake-chad"}


def test_variant_b_tokens_are_placed_by_the_left_neighbour():
    """R32, F11: the first player begins with those of the last; one on a place, two segments away, nobody passes."""
    match = GAME.match(players=3, variant_b="on")
    assert match.to_act == (0,)
    assert "done" not in match.legal(0)
    assert not set(NEAR) & legal(match, "token")
    play(match, "token giza", "token petra", "token agra")
    assert {place: seat for place, seat in match.document()["token"].items() if seat != "none"} == {
        "giza": "2",
        "petra": "0",
        "agra": "1",
    }
    assert "giza" not in legal(match, "token")
    while match.document()["phase"] == "tokens":
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    assert [explorer(match, seat).tokens for seat in range(3)] == [8, 8, 8]
    assert match.to_act == (0,)


def test_variant_b_has_no_cards():
    """R32: a token goes to its owner, and vouchers are for arrows and removals."""
    match = table(["", ""], variant_b="on", tokens={"tassili": 1, "giza": 0}, routes={"blue": "lisbon mont"})
    assert {code.split()[0] for code in match.legal(0)} == {"arrow", "voucher", "remove"}
    play(match, "red lisbon tassili")
    assert explorer(match, 1).collected == 1
    assert match.document()["token"]["tassili"] == "none"
    assert match.standing().points == (0, 1)


def test_both_variants_together():
    """R33, F12: eight tokens by the neighbour, loops of variant A."""
    match = GAME.match(players=2, variant_a="on", variant_b="on")
    assert "done" not in match.legal(0)
    walked = "lisbon mont pompeii tassili timbuktu benin lake-chad"
    match = table(["", ""], {"red": walked}, variant_a="on", variant_b="on", tokens={"giza": 0, "petra": 1})
    play(match, "red lake-chad tassili")
    assert {way.partition("-to-")[0] for way in arrows(match, "red")} <= {"tassili", "timbuktu", "benin", "lake-chad"}


# The end


def test_the_last_card_ends_the_match_with_the_round():
    """R34, rulings 21, 22 and F18: those who have not had their turn have it; the round begins with the first seat."""
    match = table(["petra", "tassili", "agra"], vouchers=[0, 0, 0])
    play(match, "red lisbon tassili")
    assert fields(match, "ending", "left", "phase") == ("cards", 1, "turn")
    play(match, "red tassili pompeii")
    assert match.to_act == (2,)
    play(match, "red pompeii delphi")
    assert match.over
    assert match.result().points == (-1, 1, -1)
    match = table(["petra", "agra", "tassili"], seat=2, vouchers=[0, 0, 0])
    assert play(match, "red lisbon tassili").over, "he is the last of the round"


def test_one_more_turn_for_all_others():
    """R34: an option."""
    match = table(["petra", "agra", "tassili"], seat=2, vouchers=[0, 0, 0], last_round="one-more")
    play(match, "red lisbon tassili", "blue lisbon mont")
    assert not match.over
    assert play(match, "blue mont pompeii").over


def test_goals_are_not_replaced_after_the_last_turn():
    """R34, F15."""
    match = table(["petra", "tassili"], goals="giza stonehenge", seat=1, vouchers=[0, 1])
    play(match, "voucher", "red lisbon tassili", "blue lisbon stonehenge")
    assert match.over
    assert match.document()["goals"][1] == "none"


def test_an_empty_hand_by_an_exchange_is_none():
    """R34, F18."""
    match = play(table(["petra", "agra"]), "exchange petra")
    assert explorer(match, 0).cards == 0
    assert match.document()["ending"] == "none"


def almost(arrows, colour=None):
    """A random match shortly before so many arrows lie on the map, of a colour or in all."""
    for match in (match for seed in range(20) for match in played(GAME, seed, players=2)):
        counts = {name: one["count"] for name, one in match.document()["expedition"].items()}
        laying = match.to_act and any(code.startswith(f"arrow {colour or ''}") for code in match.legal(match.to_act[0]))
        if laying and (counts[colour] if colour else sum(counts.values())) == arrows - 1:
            return match
    return None


def test_the_last_arrow_ends_the_match_at_once():
    """R34, ruling 20 and F18: of all 135; what it reaches counts, more arrows do not follow."""
    match = almost(135)
    seat = match.to_act[0]
    match.play(next(code for code in match.legal(seat) if code.startswith("arrow")), seat)
    while match.to_act == (CHANCE,):
        match.play(match.legal(CHANCE)[0], CHANCE)
    assert match.over
    assert fields(match, "ending", "green", "due") == ("arrows", 0, "none")


def test_points():
    """R35."""
    match = table(
        ["petra fuji", "agra"],
        laid={"giza": 0, "marib": 0, "benin": 1},
        tokens={"petra": 0, "agra": 1},
        won=["giza"],
        explorers={0: {"own": 1, "public": 1}},
        phase="over",
        ending="arrows",
    )
    assert match.result().points == (1 + 1 + 1 - 2 - 1, 1 - 1 - 1)


@pytest.mark.parametrize(("ties", "places"), [("shared", (1, 1)), ("vouchers", (2, 1))])
def test_a_tie(ties, places):
    """R35: shared, or by an option decided by the vouchers that are left."""
    match = table(["petra", "agra"], vouchers=[2, 3], ties=ties, phase="over", ending="turns")
    assert match.result().places == places
    assert match.result().points == (-1, -1)


def test_variant_b_is_won_by_who_has_all_tokens_first():
    """R36, F18: at once, and before the last arrow."""
    won = ["giza", "petra", "marib", "agra", "fuji", "kizhi", "delphi"]
    match = table(
        ["", ""],
        variant_b="on",
        laid=dict.fromkeys(won, 1),
        won=won,
        tokens={"tassili": 1, "benin": 0},
        explorers={1: {"own": 0}},
    )
    play(match, "red lisbon tassili")
    assert match.over
    assert match.document()["ending"] == "tokens"
    assert match.result().places == (2, 1)


def level(routes, tokens, **fields):
    """Variant B at a standstill in the last turn: who has to act passes, and the tie is broken."""
    return table(["", ""], routes, variant_b="on", tokens=tokens, **fields)


@pytest.mark.parametrize(
    ("routes", "tokens", "walks"),
    [
        ({}, {"giza": 0, "petra": 1}, None),
        ({"red": "lisbon tassili"}, {"timbuktu": 0, "pompeii": 0, "benin": 1}, (3, 2)),
        ({"red": "lisbon tassili", "blue": "lisbon mont"}, {"timbuktu": 0, "pompeii": 0, "benin": 1}, (2, 2)),
    ],
)
def test_variant_b_breaks_a_tie_by_the_fewest_moves(routes, tokens, walks):
    """R36, rulings 25 and F13: three walks from the three heads, START where one has not begun, on the bare map."""
    match = level(routes, tokens, turns=999, placed=True, used=0, vouchers=[1, 1])
    play(match, "done")
    assert match.document()["ending"] == "turns"
    found = tuple(explorer(match, seat).walk for seat in (0, 1))
    if walks is None:
        walks = tuple(int(DISTANCE[0, PLACES.index(place) + 1]) for place in ("giza", "petra"))
    assert found == walks
    assert match.result().places == tuple(1 if mine <= min(walks) else 2 for mine in walks)


def test_a_standstill_ends_the_match():
    """R37, F14: as many turns without arrow and voucher as there are players."""
    closed = (
        "lisbon azores vinland niagara winnipeg churchill beechey ilulissat vinland"  # whose three lines it has used
    )
    match = table(["petra", "agra"], dict.fromkeys(COLOURS, closed), vouchers=[0, 0])
    assert match.legal(0) == ["done"]
    play(match, "done")
    assert not match.over
    play(match, "done")
    assert match.over
    assert match.document()["ending"] == "stuck"


def test_a_thousand_turns_end_the_match():
    """R37, F17."""
    match = table(["petra", "agra"], turns=999, vouchers=[0, 0])
    play(match, "red lisbon tassili")
    assert match.over
    assert match.document()["ending"] == "turns"


# The text


def test_every_paragraph_and_every_ruling_has_its_test():
    numbered = set(re.findall(r"^\*\*(R\d+)\b", RULES, re.MULTILINE))
    folder = Path(__file__).parent
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in ("test_rules.py", "test_examples.py"))
    docstrings = " ".join(re.findall(r'"""(.*?)"""', text, re.DOTALL))
    assert numbered <= set(re.findall(r"\bR\d+\b", docstrings))
    assert {f"F{number}" for number in range(1, 21)} <= set(re.findall(r"\bF\d+\b", docstrings))
    rulings = {
        int(number)
        for cited in re.findall(r"rulings? ((?:F?\d+(?:, | and )?)+)", text)
        for number in re.findall(r"(?<!F)\b\d+", cited)
    }
    assert set(range(1, 27)) <= rulings, set(range(1, 27)) - rulings


def test_stations_are_where_the_atlas_says():
    assert [int(KIND[SPOTS.index(name)]) for name in ("lisbon", "petra", "azores", "canaries", "border-2")] == [
        0,
        1,
        2,
        3,
        4,
    ]
