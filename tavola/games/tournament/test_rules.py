"""One test for each paragraph of RULES.md and each ruling of the close reading, cited as rulings and as F."""

import re
from itertools import product

import pytest

from tavola.core import CHANCE, OPEN, BadOption, BadPosition, IllegalAction, Match, NotYourTurn, Result, kernels
from tavola.games.tournament import GAME
from tavola.games.tournament.components import CORNERS, DOTS, KINDS, PAIRS, SCHEDULE, TOKEN_FACES
from tavola.games.tournament.fixtures import (
    facts,
    fight,
    finish_trade,
    fought,
    held_values,
    match_at,
    offer,
    point,
    throw,
    trade,
)
from tavola.games.tournament.trading import clock
from tavola.show.testing import play, present

ONE, TWO, THREE = "s1 h1 l1 a1", "s2 h2 l2 a2", "s3 h3 l3 a3"


def purses(match):
    return match.document()["purse"][: match.players]


def standing_offers(match, seat):
    return {n: o for n, o in match.document()["offers"][seat].items() if o["to"] != "nobody"}


def legal_arguments(match, seat, verb):
    return [code.removeprefix(f"{verb} ") for code in match.legal_codes(seat) if code.split()[0] == verb]


# Components


def test_three_to_six_knights_and_the_richest_wins():
    """R1, R36, ruling 12: not the last armed knight; one who is out can win."""
    assert GAME.players == (3, 6)
    with pytest.raises(BadOption, match="players"):
        Match(GAME, players=2)
    match = finish_trade(match_at([ONE, "j", ""], purse=(10, 15, 5), out=["1", "2"]))
    assert match.result() == Result((15, 15, 5), (1, 1, 3))


@pytest.mark.parametrize(
    ("players", "values", "jokers", "each"), [(3, 6, 3, 9), (4, 9, 4, 10), (5, 12, 2, 10), (6, 15, 6, 11)]
)
def test_cards_by_the_number_of_players(players, values, jokers, each):
    """R3: each value once in each kind, and jokers."""
    odds = Match(GAME, players=players).chance_weights()
    assert odds["deal joker"] == jokers
    assert len(odds) == 4 * values + 1
    assert {odds[f"deal {kind}-{value}"] for kind in KINDS for value in range(1, values + 1)} == {1}
    assert Match(GAME, players=players, seed=1).document()["held"] == [each] * players + [0] * (6 - players)
    assert sum(odds.values()) == players * each


@pytest.mark.parametrize(
    ("hand", "full"),
    [(ONE, True), ("s1 h1 l1 j", True), ("s1 j j a2", True), ("s1 s2 h1 a2 l1", True), ("s1 s2 h1 l1", False)],
)
def test_a_full_set(hand, full):
    """R4, ruling 3: a joker replaces any card."""
    match = finish_trade(match_at([hand, THREE, ""], rest=2))
    assert (match.document()["phase"] == "ballot") == full
    assert match.document()["out"] == ([] if full else ["0"])


def test_dealt_one_each_in_turn_with_ten_sous():
    """R5, F1, ruling 14: the numbers of cards and sous are public."""
    match = Match(GAME, players=3)
    play(match, "deal sword-1", "deal joker", "deal lance-6", "deal sword-2", seat=CHANCE)
    assert [held_values(match, seat) for seat in (0, 2)] == [{"sword-1", "sword-2"}, {"lance-6"}]
    assert match.view(1).table.held[:3] == (2, 1, 1)
    assert purses(Match(GAME, players=3, seed=4)) == [10, 10, 10]


@pytest.mark.parametrize(("players", "third"), [(3, 2), (5, 4)])
@pytest.mark.parametrize(
    ("deal", "packs"), [("kinds", [*KINDS, "joker"]), ("thirds", ["low", "middle", "high", "joker"])]
)
def test_packs_are_dealt_in_turn(players, third, deal, packs):
    """R6, F2, ruling 13."""
    match, found = Match(GAME, players=players, deal=deal), list[str]()
    while match.to_act == (CHANCE,):
        names = [code.split()[1] for code in match.chance_weights()]
        words = {name.split("-")[0] for name in names}
        if deal == "thirds" and words != {"joker"}:
            words = {packs[(int(name.rpartition("-")[2]) - 1) // third] for name in names}
        assert len(words) == 1
        found += words - {*found}
        play(match, f"deal {names[len(found) % len(names)]}", seat=CHANCE)
    assert found == packs


# The barter


def test_the_first_seat_to_act_acts():
    """R7, F3: at any time, even a seat that is out, but not one that is done."""
    match = match_at([ONE, TWO, "", ""], out=["2"])
    assert (match.open, match.to_act) == (True, (0, 1, 2, 3))
    play(match, "offer 1", seat=2)
    play(match, "offer all", seat=1)
    assert play(match, "done", seat=0).to_act == (1, 2, 3)
    with pytest.raises(NotYourTurn):
        play(match, "offer 1", seat=0)
    assert kernels.to_act_at(match._states, 0) >> OPEN & 1


def test_the_order_of_building():
    """R8, F4: addressee, cards given, cards asked, sous on one side, ascending; nothing else while building.

    R9, F5: in an offer to all, only kinds are asked.
    """
    match = match_at(["s3 h1 h2 j j", TWO.replace("h2", "h3"), ""], purse=(4, 9, 17))
    assert legal_arguments(offer(match, 1, 0, "give sword-2"), 0, "accept") == ["1 1"]
    play(match, "offer 1", seat=0)
    found = [legal_arguments(match, 0, verb) for verb in ("accept", "publish", "give", "pay")]
    assert found == [[], [], ["sword-3", "shield-1", "shield-2", "joker"], ["1", "2", "3", "4"]]
    assert legal_arguments(match, 0, "charge")[-1] == "9"
    assert legal_arguments(play(match, "give shield-1", seat=0), 0, "give") == ["shield-2", "joker"]
    assert not legal_arguments(play(match, "give joker", "give joker", seat=0), 0, "give")
    assert legal_arguments(play(match, "ask lance-4", seat=0), 0, "ask")[0] == "lance-4"
    assert play(match, "ask lance-4", "pay 2", seat=0).legal_codes(0) == ["publish", "done"]
    assert play(match, "done", seat=0).document()["hands"][0]["draft"]["to"] == "nobody"
    play(match, "offer all", seat=1)
    assert legal_arguments(match, 1, "ask") == ["sword-1", "shield-1", "lance-1", "armour-1", "joker"]
    play(match, "ask shield-1", seat=1)
    assert legal_arguments(match, 1, "ask") == ["shield-1", "lance-1", "armour-1", "joker"]


def test_gifts_and_begging_and_the_richest_addressee():
    """R8, F4: something must be given or asked; for an offer to all, the richest purse limits the sous, at most 30."""
    match = offer(match_at([ONE, "", TWO, ""], purse=(1, 35, 3, 1)), 0, 2, "give sword-1")
    assert standing_offers(offer(match, 2, "all", "charge 30"), 2)["1"]["charge"] == 30
    assert legal_arguments(match, 1, "accept") == ["2 1"]
    assert legal_arguments(play(match, "offer all", seat=3), 3, "charge")[-1] == "30"
    assert "publish" not in match.legal_codes(3)


def test_an_asked_card_means_this_or_a_higher_one():
    """R9, F5: the lowest card that answers; highest request first; a joker only for a joker."""
    match = trade(match_at(["s1 h1", "l2 l4 l6 j a1", ""]), 0, 1, "give sword-1", "ask lance-3", "ask lance-5")
    assert {"lance-4", "lance-6"} <= held_values(match, 0)
    assert not legal_arguments(offer(match, 0, 1, "give shield-1", "ask lance-3"), 1, "accept")
    assert held_values(trade(match, 0, 1, "ask lance-1", "ask armour-1", "ask joker"), 1) == {"sword-1"}
    assert match.document()["hands"][0]["jokers"] == 1
    # Any lance and a lance of five or more, from a five and a six
    match = trade(match_at(["s1", "l5 l6", ""]), 0, 1, "ask lance-1", "ask lance-5")
    assert held_values(match, 0) == {"sword-1", "lance-5", "lance-6"}


def test_only_a_named_seat_that_can_pay_accepts():
    """R9, R17, F5, rulings 2 and 12: the cards and the sous; also from a seat that is eliminated."""
    match = match_at([ONE, TWO, "l3 j", ""], purse=(10, 4, 10, 16), out=["0"])
    offer(match, 0, 1, "give sword-1", "charge 4")
    offer(match, 0, 2, "give sword-1", "ask armour-1")
    offer(match, 0, "all", "give sword-1", "ask lance-1", "charge 3")
    found = {seat: legal_arguments(match, seat, "accept") for seat in (1, 2, 3)}
    assert found == {1: ["0 1", "0 3"], 2: ["0 3"], 3: ["0 3"]}
    assert not legal_arguments(match, 0, "accept")


def test_what_is_seen_of_a_whisper_and_of_a_cry():
    """R10, F9: counts and sous of a whisper, kinds of an announced offer; the cards only for those who know them."""
    match = offer(match_at([ONE, TWO, "", ""]), 0, 1, "give sword-1", "give shield-1", "ask lance-2", "pay 3")
    offer(match, 0, "all", "give lance-1", "ask sword-1", "ask joker")
    whisper, cry = (match.view(3).table.offers[0][k] for k in range(2))
    assert (whisper.to, whisper.given, whisper.asked, whisper.pay) == (2, 2, 1, 3)
    assert not any((*whisper.gives, *whisper.asks))
    assert (cry.gives, cry.asks) == ((0, 0, 1, 0, 0), (1, 0, 0, 0, 1))
    knows = {seat: [any(match.view(seat).hand.terms[0][k].given) for k in range(2)] for seat in range(4)}
    assert knows == {0: [True, True], 1: [True, False], 2: [False, False], 3: [False, False]}
    assert match.view(1).hand.terms[0][0] == match.view(0).hand.terms[0][0]


def test_offers_are_numbered_and_counted():
    """R10, F8, F10: numbers are never reused, and a seat publishes `offer_limit` offers a round at most."""
    match = offer(match_at([ONE, TWO, ""], options={"offer_limit": 2}), 0, 1, "give sword-1")
    play(match, "withdraw 1", seat=0)
    assert list(standing_offers(offer(match, 0, 1, "give sword-1", "give shield-1"), 0)) == ["2"]
    assert match.legal_codes(0) == ["withdraw 2", "done"]
    assert legal_arguments(match, 1, "accept") == ["0 2"]


def test_a_deal_moves_everything_and_other_offers_lapse():
    """R11, F6, F10: the first to accept gets it; offers that can no longer be honoured lapse, on both sides."""
    match = offer(match_at([ONE, TWO, "", ""], purse=(10, 3, 10, 17)), 0, "all", "give sword-1", "charge 1")
    offer(match, 0, 2, "give sword-1", "give shield-1")
    offer(match, 0, 2, "give shield-1")
    offer(match, 1, 2, "give lance-2")
    offer(match, 1, 3, "give shield-2", "pay 3")
    offer(match, 1, 3, "give shield-2", "pay 2")
    play(match, "offer 3", "give armour-2", seat=1)
    with pytest.raises(IllegalAction, match="accept 0 1"):
        play(match, "accept 0 1", seat=1)  # seat 1 is building
    play(match, "offer all", "give armour-1", seat=0)
    assert "sword-1" in held_values(play(match, "accept 0 1", seat=2), 2)
    assert purses(match) == [11, 3, 9, 17]
    assert [[*standing_offers(match, seat)] for seat in (0, 1)] == [["3"], ["1", "2", "3"]]
    assert [hand["draft"]["to"] for hand in match.document()["hands"][:2]] == ["nobody", "3"]
    assert match.document()["published"] == [3, 3, 0, 0, 0, 0]
    with pytest.raises(IllegalAction, match="accept 0 1"):
        play(match, "accept 0 1", seat=3)
    # Sous as well as cards: seat 1 pays, and its first offer lapses.
    match = offer(match_at([ONE, TWO, ""], purse=(10, 3, 17)), 1, 2, "pay 3")
    offer(match, 1, 2, "pay 2")
    assert list(standing_offers(trade(match, 0, 1, "give sword-1", "charge 1"), 1)) == ["2"]


def test_the_last_deal_stays_in_sight():
    """R11, F9: the table keeps its public part."""
    match = trade(match_at([ONE, TWO, "", ""]), 0, 1, "give sword-1", "ask lance-2", "pay 2")
    sale = match.view(3).table.sale
    assert (sale.maker, sale.taker, sale.number) == (1, 2, 1)
    assert (sale.terms.given, sale.terms.asked, sale.terms.pay) == (1, 1, 2)
    assert trade(match, 0, 3, "give shield-1", "charge 1", cried=True).view(2).table.sales == 2
    assert match.view(2).table.sale.terms.gives == (0, 1, 0, 0, 0)


def test_done_and_undone():
    """R13, F7, F8: undone by an offer to the seat or to all, or if its own is accepted; not by withdrawal or lapse."""
    match = offer(match_at([ONE, TWO, "", ""]), 0, 1, "give sword-1", "charge 1")
    offer(match, 1, 3, "give sword-2")
    play(match, "offer 3", "give shield-2", "done", seat=1)
    assert play(match, "done", seat=0).to_act == (2, 3)
    assert match.document()["hands"][1]["draft"]["to"] == "nobody"
    assert list(standing_offers(match, 1)) == ["1"]
    assert play(match, "accept 1 1", seat=3).to_act == (1, 2, 3)  # an offer of seat 1 was accepted
    play(match, "done", seat=1)
    assert offer(match, 2, 0, "pay 1").to_act == (0, 2, 3)
    play(match, "withdraw 1", seat=2)
    play(match, "done", seat=0)
    assert offer(match, 3, "all", "pay 1").to_act == (0, 1, 2, 3)
    finish_trade(match)
    assert match.document()["begun"] == 2
    assert not any(standing_offers(match, seat) for seat in range(4))


# The duels


def test_the_schedule():
    """R2, R14, F1, F12, ruling 9: banner A is seat 0; every pair meets; with an odd number one seat rests."""
    assert [PAIRS[3, 0, 0].tolist(), PAIRS[6, 4, 1].tolist()] == [[0, 1], [1, 4]]
    for players, rounds in enumerate(SCHEDULE, 3):
        pairs = [pair for duels in rounds for pair in duels.split()]
        assert len(set(pairs)) == len(pairs) == players * (players - 1) // 2
        assert all(len(set(duels.replace(" ", ""))) == players // 2 * 2 for duels in rounds)
    assert finish_trade(match_at([ONE, TWO, THREE, ""], begun=5)).to_act == (0, 2)
    assert finish_trade(match_at([ONE, TWO, "", THREE, ""], begun=3)).to_act == (0, 3)


def test_a_seat_without_a_set_at_its_duel_is_eliminated():
    """R15, F13, F15, rulings 6, 7 and 8: without being asked, unless it rests; its next opponent rests, unpaid."""
    assert facts(finish_trade(match_at([ONE, "s2", THREE, "s4", ""])), "out", "begun") == (["1", "3"], 2)
    assert facts(finish_trade(match_at([ONE, "", "s5"], rest=1)), "out", "phase") == ([], "ballot")
    match = finish_trade(match_at([ONE, TWO, THREE, ""], out=["1"]))
    assert (match.to_act, purses(match)[0]) == ((2, 3), 10)


def test_fight_or_forfeit_in_secret():
    """R16, F13: it is public that a seat has chosen, but not what; both are revealed together."""
    match = finish_trade(match_at([ONE, TWO, ""]))
    assert (match.document()["phase"], match.to_act) == ("ballot", (0, 1))
    duel = play(match, "forfeit", seat=0).view(1).table.duel
    assert (duel.chosen, duel.wills) == (1, (0, 0))
    assert GAME.observe_action(0, GAME.actions.number("forfeit"), 1) is None
    assert play(match, "fight", seat=1).view(2).table.duel.wills == (2, 1)


def test_the_other_wins_a_walkover():
    """R17, F13, F15, ruling 6: the prize, no cards, no draw; if both forfeit, both are out without a prize."""
    match = play(finish_trade(match_at([ONE, TWO, ""], pile="s6")), "forfeit", "fight")
    assert facts(match, "out", "phase") == (["0"], "trade")
    assert purses(match) == [10, 15, 10]
    assert held_values(match, 0) == {"sword-1", "shield-1", "lance-1", "armour-1"}
    for both in (
        play(finish_trade(match_at([ONE, TWO, ""])), "forfeit", "forfeit"),
        finish_trade(match_at(["s1", "s2", THREE, ""])),
    ):
        assert (both.document()["out"], set(purses(both))) == (["0", "1"], {10})


def test_four_boxes_in_order():
    """R18, F13, ruling 3: in secret, a joker on any box, but never so that a later box cannot be filled."""
    match = play(finish_trade(match_at(["s1 s3 h1 l1 j", TWO, ""], rest=2)), "fight", "fight")
    assert match.legal_codes(0) == ["equip sword 1", "equip sword 3"]
    play(match, "equip sword 3", seat=0)
    duel = match.view(1).table.duel
    assert (match.to_act, duel.chosen, duel.boxes) == ((1,), 1, ((0,) * 4,) * 2)
    assert match.view(2).table.held[0] == 4
    assert play(match, "equip sword 2", "equip shield 1", "equip shield 2").legal_codes(0) == ["equip lance 1"]
    assert play(match, "equip lance 1", "equip lance 2").legal_codes(0) == ["equip armour joker"]
    match = play(finish_trade(match_at([f"{ONE} j", TWO, ""])), "fight", "fight")
    assert match.legal_codes(0) == ["equip sword joker", "equip sword 1"]
    assert play(match, "equip sword joker", "equip sword 2").legal_codes(0) == ["equip shield 1"]


def test_all_eight_turn_together():
    """R19: nothing before the last card is laid."""
    match = finish_trade(match_at(["s1 h3 l1 a1", TWO, ""]))
    play(fight(match, "s1 h3 l1", "s2 h2 l2"), "equip armour 1", seat=0)
    assert match.view(2).table.duel.boxes == ((0,) * 4,) * 2
    play(match, "equip armour 2", seat=1)
    assert match.view(2).table.duel.boxes[0][1] == GAME.actions.number("give shield-3") - GAME.actions.first["give"] + 1
    assert match.view(2).table.duel.points == (1, 3)


def test_two_jokers():
    """R20, rulings 1 and 3: no point, and both return to their hands; a joker loses to any card."""
    match = fought("j h3 l3 a3", "j h2 l2 j", "")
    assert match.view(2).table.duel.points == (3, 0)
    assert [hand["jokers"] for hand in match.document()["hands"][:2]] == [2, 1]
    assert held_values(match, 0) == {"shield-2", "lance-2"}


@pytest.mark.parametrize(
    ("first", "second", "points", "phase"),
    [
        ("s2 h2 l2 a2", "s1 h1 l1 a1", (4, 0), "purchase"),
        ("s2 h2 l2 a1", "s1 h1 l1 a2", (3, 1), "purchase"),
        ("s2 h2 l1 a1", "s1 h1 l2 a2", (2, 2), "throw"),
        ("s2 h2 l1 j", "s1 h1 l2 j", (2, 1), "throw"),
        ("s2 j j a2", "s1 j j a1", (2, 0), "throw"),
        ("s2 h2 l2 j", "s1 h1 l1 j", (3, 0), "purchase"),
    ],
)
def test_three_points_or_the_judgement(first, second, points, phase):
    """R21, ruling 2."""
    match = fought(first, second, "", "")
    assert (match.view(2).table.duel.points, match.document()["phase"]) == (points, phase)


# The judgement of God


def match_to_judge():
    return fought("s2 h2 l1 a1", "s1 h1 l2 a2", "")


def match_of_two_right():
    return point(throw(match_to_judge(), "crown chalice globe 1"), "all", "all")


def test_sixteen_equal_throws_by_a_seat_that_does_not_fight():
    """R22, F16: the one after the first of the pair, even if it is out."""
    match = match_to_judge()
    assert [*match.chance_weights().values()] == [1] * 16
    assert match.document()["duel"]["thrower"] == "2"
    assert TOKEN_FACES == (("crown", "chalice"), ("chalice", "globe"), ("globe", "crown"))
    match = finish_trade(match_at(["s2 h2 l1 a1", "", "s1 h1 l2 a2", ""], begun=2, out=["1"], rest=3))
    assert fight(match, "s2 h2 l1 a1", "s1 h1 l2 a2").document()["duel"]["thrower"] == "1"


@pytest.mark.parametrize(
    ("faces", "corner"),
    [
        ("crown chalice crown 1", "chalice"),
        ("crown chalice crown 2", "crown"),
        ("chalice chalice globe 1", "globe"),
        ("chalice chalice globe 2", "chalice"),
        ("crown globe globe 1", "crown"),
        ("crown globe globe 2", "globe"),
        ("crown chalice globe 1", "all"),
        ("crown chalice globe 2", "all"),
        ("chalice globe crown 2", "all"),
    ],
)
def test_the_right_corner(faces, corner):
    """R23: one dot, the single symbol; two dots, the double one; three different symbols, whatever the dots."""
    wrong = next(other for other in CORNERS if other != corner)
    for pointed, victor in (((corner, wrong), "0"), ((wrong, corner), "1")):
        assert point(throw(match_to_judge(), faces), *pointed).document()["duel"]["victor"] == victor


def test_pointing_is_secret_until_both_have():
    """R24, F16, ruling 10: one attempt."""
    match = throw(match_to_judge(), "crown chalice globe 1")
    assert (match.to_act, match.legal_codes(0)) == ((0, 1), [f"point {corner}" for corner in CORNERS])
    assert play(match, "point all", seat=0).to_act == (1,)
    assert match.view(1).table.duel.pointed == (0, 0)
    assert match.view(1).table.duel.chosen == 1
    with pytest.raises(NotYourTurn):
        play(match, "point crown", seat=0)


def test_chance_decides_the_first_if_both_are_right():
    """R25, F16, ruling 10: evenly, or as the clocks measured; only these can find a tie, which is thrown again."""
    match = match_of_two_right()
    assert match.chance_weights() == {"first 0": 1, "first 1": 1, "first none": 0}
    assert play(match, "first 1", seat=CHANCE).document()["duel"]["victor"] == "1"
    assert play(match_of_two_right(), "first none", seat=CHANCE).document()["phase"] == "throw"


def test_what_running_out_of_time_plays():
    """R13, R25, F11, F16: done, and a wrong corner for any throw; no limit on decisions about the seat's own duel."""
    assert clock(match_to_judge().view(0)) is None
    for faces in product(*TOKEN_FACES, DOTS):
        match = throw(match_to_judge(), " ".join(faces))
        told = present(clock(match.view(0)))
        assert play(match, told.code, told.code).document()["duel"]["wrong"] == 1
    assert present(clock(match_at([ONE, TWO, ""]).view(1)))[::2] == ("done", 1)


def test_both_wrong_three_times():
    """R25, F16: thrown again, until chance decides who was first."""
    match = match_to_judge()
    for _ in range(3):
        assert match.document()["phase"] == "throw"
        point(throw(match, "crown chalice globe 1"), "crown", "globe")
    assert match.chance_weights() == {"first 0": 1, "first 1": 1}
    assert play(match, "first 0", seat=CHANCE).document()["duel"]["victor"] == "0"


# Prize, cards, purchase


def test_the_prize_and_its_options():
    """R27, F15, F21, ruling 5: five sous, nothing by the letter, or rising."""
    for options, paid in (({}, 5), ({"prize": 0}, 0), ({"rising_prize": "on"}, 6)):
        match = finish_trade(match_at(["", TWO, ONE], options=options, begun=3, rest=0))
        assert purses(fight(match, TWO, ONE))[1] == 10 + paid
    assert Match(GAME, players=3, rules="letter", seed=1).document()["prize"] == 0
    assert fought(TWO, ONE, "", options={"rising_prize": "on"}).document()["duel"]["prize"] == 4


def test_winning_cards_leave_and_beaten_ones_go_to_the_winner_of_their_box():
    """R28, R29, rulings 3 and 4: box by box, even to the loser of the duel."""
    match = fought("s2 h2 l2 a1", "s1 h1 l1 a2", "")
    assert [held_values(match, seat) for seat in (0, 1)] == [{"sword-1", "shield-1", "lance-1"}, {"armour-1"}]
    assert set(match.document()["box"]["cards"]) == {"sword-2", "shield-2", "lance-2", "armour-2"}
    assert match.document()["pile"] == 4


def test_the_winner_buys_first_and_each_once():
    """R26, R30, F14, F17, ruling 4: for two sous, which the prize may pay; one that cannot pay, or no card: skipped."""
    match = fought(TWO, ONE, "", purse=(0, 2, 28))
    assert (purses(match), match.legal_codes(0)) == ([5, 2, 28], ["buy", "pass"])
    assert play(match, "buy", "draw sword-2").to_act == (1,)
    play(match, "buy", "draw lance-2")
    purse, spent, phase = facts(match, "purse", "spent", "phase")
    assert (purse[:2], spent[:2], phase) == ([3, 0], [2, 2], "trade")
    assert play(fought(TWO, ONE, "", purse=(10, 1, 19)), "pass").document()["phase"] == "trade"
    match = finish_trade(match_at(["s2 j j j", "s1 h1 l1 a1", "", ""], purse=(10, 10, 10, 10)))
    assert match.document()["phase"] in ("ballot", "arming")


def test_a_draw_is_the_buyers_secret():
    """R31, F17: the table keeps the cards that were discarded and not seen since."""
    match = play(fought(TWO, ONE, "", pile="s6"), "buy")
    drawn = ("sword-2", "sword-6", "shield-2", "lance-2", "armour-2")
    assert match.chance_weights() == {f"draw {name}": 1 for name in drawn}
    before, after = match.view(2).table, play(match, "draw sword-6", seat=CHANCE).view(2).table
    assert (after.discarded, after.pile) == (before.discarded, before.pile - 1)
    assert GAME.observe_action(CHANCE, GAME.actions.number("draw sword-6"), 0) is None
    assert "sword-6" in held_values(match, 0)


# The end


@pytest.mark.parametrize(
    ("hands", "codes", "ending", "points"),
    [
        ([ONE, "j", "", ""], [], "last-set", (15, 10, 10, 10)),
        (["s1", "j", ""], [], "no-set", (10, 10, 10)),
        ([ONE, TWO, ""], ["forfeit", "forfeit"], "all-out", (10, 10, 10)),
    ],
)
def test_endings_without_another_duel(hands, codes, ending, points):
    """R32, R33, F15, F18, rulings 11 and 12: the last full set wins a duel: the prize, without a fight or a draw.

    A seat that is out does not count; if all are out at the end of a round, they do not trade again.
    """
    match = play(finish_trade(match_at(hands, out=["2"], rest=2)), *codes)
    assert present(match.result()).points == points
    assert facts(match, "ending", "champion") == (ending, "0" if ending == "last-set" else "nobody")


@pytest.mark.parametrize("option", ["held", "skipped"])
def test_one_left_barters_once_more(option):
    """R33, R35, F18, F20: the seat then has a full set or not; this last barter is never skipped."""
    match = finish_trade(match_at([ONE, TWO, ""], out=["2"], options={"empty_rounds": option}))
    assert facts(play(match, "forfeit", "fight"), "phase", "begun") == ("trade", 2)
    assert finish_trade(match).document()["ending"] == "last-set"
    assert present(match.result()).points == (10, 20, 10)


def test_after_the_last_round_it_ends():
    """R34, F19: without a last victory."""
    match = finish_trade(match_at(["", TWO, ONE], begun=20, rest=0, options={"rounds": 20}))
    fight(match, "s6 h6 l6 a6", ONE)
    while not match.over:
        play(match, "pass")
    assert facts(match, "ending", "champion") == ("rounds", "nobody")


@pytest.mark.parametrize(("option", "begun"), [("held", 3), ("skipped", 5)])
def test_rounds_without_a_possible_duel(option, begun):
    """R35, F20: A and C are left of three; they meet in every third round."""
    match = finish_trade(match_at([TWO, "", ONE], begun=2, out=["1"], rest=1, options={"empty_rounds": option}))
    assert fight(match, TWO, ONE).to_act == (0,)
    while match.document()["phase"] == "purchase":
        play(match, "pass")
    assert match.document()["begun"] == begun


# Positions


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"purse": [10, 10, 11]}, "purse"),
        ({"held": [4, 4, 1]}, "held"),
        ({"done": ["0", "1", "2"]}, "done"),
        ({"phase": "throw"}, "duel.seats"),
        ({"phase": "ballot", "duel": {"seats": [0, 2]}}, "duel.seats"),
        ({"ending": "rounds"}, "ending"),
        ({"sales": 1}, "sale"),
    ],
)
def test_impossible_positions_are_refused(fields, said):
    document = {**match_at([ONE, TWO, ""]).document(), **fields}
    with pytest.raises(BadPosition, match=re.escape(said)):
        Match(GAME, position=document)


@pytest.mark.parametrize("fields", [{"pile": 3}, {"discarded": ["sword-1"]}])
def test_no_pile_lies_before_all_cards_are_dealt(fields):
    """R5, R28."""
    with pytest.raises(BadPosition, match="pile, discarded: expected no cards before all are dealt"):
        Match(GAME, position={**Match(GAME, players=3).document(), **fields})
