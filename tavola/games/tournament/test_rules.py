"""One test for each paragraph of RULES.md and each ruling of the close reading, cited as rulings and as F."""

import re
from itertools import product

import pytest

from tavola.core import CHANCE, OPEN, BadOption, BadPosition, IllegalAction, Match, NotYourTurn, kernels
from tavola.games.tournament import GAME
from tavola.games.tournament.clock import clock
from tavola.games.tournament.components import CORNERS, DOTS, KINDS, PAIRS, SCHEDULE, TOKEN_FACES
from tavola.games.tournament.fixtures import (
    deck,
    fight,
    finish_trade,
    fought,
    held_values,
    match_at,
    offer,
    play,
    point,
    throw,
    trade,
)
from tavola.show.testing import present

ONE = "s1 h1 l1 a1"
TWO = "s2 h2 l2 a2"
THREE = "s3 h3 l3 a3"


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
    assert present(match.result()).points == (15, 15, 5)
    assert present(match.result()).ranks == (1, 1, 3)


def test_banner_a_is_seat_0():
    """R2, F1."""
    assert PAIRS[3, 0, 0].tolist() == [0, 1]
    assert PAIRS[6, 4, 1].tolist() == [1, 4]


@pytest.mark.parametrize(
    ("players", "values", "jokers", "each"), [(3, 6, 3, 9), (4, 9, 4, 10), (5, 12, 2, 10), (6, 15, 6, 11)]
)
def test_cards_by_the_number_of_players(players, values, jokers, each):
    """R3: each value once in each kind, and jokers."""
    match = Match(GAME, players=players)
    odds = match.chance_weights()
    assert odds["deal joker"] == jokers
    assert len(odds) == 4 * values + 1
    assert {odds[f"deal {kind}-{value}"] for kind in KINDS for value in range(1, values + 1)} == {1}
    assert Match(GAME, players=players, seed=1).document()["held"] == [each] * players + [0] * (6 - players)
    assert len(deck(players)) == players * each


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
    assert held_values(match, 0) == {"sword-1", "sword-2"}
    assert held_values(match, 2) == {"lance-6"}
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
    assert match.open
    assert match.to_act == (0, 1, 2, 3)
    play(match, "offer 1", seat=2)
    play(match, "offer all", seat=1)
    assert play(match, "done", seat=0).to_act == (1, 2, 3)
    with pytest.raises(NotYourTurn):
        play(match, "offer 1", seat=0)
    assert kernels.to_act_at(match._states, 0) >> OPEN & 1


def test_the_order_of_building():
    """R8, F4: addressee, cards given, cards asked, sous on one side, ascending; nothing else while building."""
    match = match_at(["s3 h1 h2 j j", TWO.replace("h2", "h3"), ""], purse=(4, 9, 17))
    offer(match, 1, 0, "give sword-2")
    assert legal_arguments(match, 0, "accept") == ["1 1"]
    play(match, "offer 1", seat=0)
    assert not legal_arguments(match, 0, "accept")
    assert not legal_arguments(match, 0, "publish")
    assert legal_arguments(match, 0, "give") == ["sword-3", "shield-1", "shield-2", "joker"]
    assert legal_arguments(match, 0, "pay") == ["1", "2", "3", "4"]
    assert legal_arguments(match, 0, "charge")[-1] == "9"
    play(match, "give shield-1", seat=0)
    assert legal_arguments(match, 0, "give") == ["shield-2", "joker"]
    play(match, "give joker", "give joker", seat=0)
    assert not legal_arguments(match, 0, "give")
    play(match, "ask lance-4", seat=0)
    assert legal_arguments(match, 0, "ask")[0] == "lance-4"
    play(match, "ask lance-4", "pay 2", seat=0)
    assert match.legal_codes(0) == ["publish", "done"]
    play(match, "done", seat=0)
    assert match.document()["hands"][0]["draft"]["to"] == "nobody"


def test_gifts_and_begging_and_the_richest_addressee():
    """R8, F4: something must be given or asked; for an offer to all, the richest purse limits the sous, at most 30."""
    match = match_at([ONE, "", TWO, ""], purse=(1, 35, 3, 1))
    offer(match, 0, 2, "give sword-1")
    offer(match, 2, "all", "charge 30")
    assert standing_offers(match, 2)["1"]["charge"] == 30
    assert legal_arguments(match, 1, "accept") == ["2 1"]
    play(match, "offer all", seat=3)
    assert legal_arguments(match, 3, "charge")[-1] == "30"
    assert "publish" not in match.legal_codes(3)


def test_an_asked_card_means_this_or_a_higher_one():
    """R9, F5: the lowest card that answers; highest request first; a joker only for a joker."""
    match = match_at(["s1 h1", "l2 l4 l6 j a1", ""])
    trade(match, 0, 1, "give sword-1", "ask lance-3", "ask lance-5")
    assert {"lance-4", "lance-6"} <= held_values(match, 0)
    offer(match, 0, 1, "give shield-1", "ask lance-3")
    assert not legal_arguments(match, 1, "accept")
    trade(match, 0, 1, "ask lance-1", "ask armour-1", "ask joker")
    assert held_values(match, 1) == {"sword-1"}
    assert match.document()["hands"][0]["jokers"] == 1


def test_a_tight_request_leaves_the_lower_card():
    """R9, F5: any lance and a lance of five or more, from a five and a seven."""
    match = trade(match_at(["s1", "l5 l6", ""]), 0, 1, "ask lance-1", "ask lance-5")
    assert held_values(match, 0) == {"sword-1", "lance-5", "lance-6"}


def test_to_all_only_kinds_are_asked():
    """R9, F5."""
    match = match_at([ONE, TWO, ""])
    play(match, "offer all", seat=0)
    assert legal_arguments(match, 0, "ask") == ["sword-1", "shield-1", "lance-1", "armour-1", "joker"]
    play(match, "ask shield-1", seat=0)
    assert legal_arguments(match, 0, "ask") == ["shield-1", "lance-1", "armour-1", "joker"]


def test_only_a_named_seat_that_can_pay_accepts():
    """R9, F5: the cards and the sous."""
    match = match_at([ONE, TWO, "l3 j", ""], purse=(10, 4, 10, 16))
    offer(match, 0, 1, "give sword-1", "charge 4")
    offer(match, 0, 2, "give sword-1", "ask armour-1")
    offer(match, 0, "all", "give sword-1", "ask lance-1", "charge 3")
    found = {seat: legal_arguments(match, seat, "accept") for seat in (1, 2, 3)}
    assert found == {1: ["0 1", "0 3"], 2: ["0 3"], 3: ["0 3"]}
    assert not legal_arguments(match, 0, "accept")


def test_what_is_seen_of_a_whisper_and_of_a_cry():
    """R10, F9: counts and sous of a whisper, kinds of an announced offer; the cards only for those who know them."""
    match = match_at([ONE, TWO, "", ""])
    offer(match, 0, 1, "give sword-1", "give shield-1", "ask lance-2", "pay 3")
    offer(match, 0, "all", "give lance-1", "ask sword-1", "ask joker")
    whisper, cry = (match.view(3).table.offers[0][k] for k in range(2))
    assert (whisper.to, whisper.given, whisper.asked, whisper.pay) == (2, 2, 1, 3)
    assert not any((*whisper.gives, *whisper.asks))
    assert cry.gives == (0, 0, 1, 0, 0)
    assert cry.asks == (1, 0, 0, 0, 1)
    knows = {seat: [any(match.view(seat).hand.terms[0][k].given) for k in range(2)] for seat in range(4)}
    assert knows == {0: [True, True], 1: [True, False], 2: [False, False], 3: [False, False]}
    assert match.view(1).hand.terms[0][0] == match.view(0).hand.terms[0][0]


def test_offers_are_numbered_and_counted():
    """R10, F8, F10: numbers are never reused, and a seat publishes `offer_limit` offers a round at most."""
    match = match_at([ONE, TWO, ""], options={"offer_limit": 2})
    offer(match, 0, 1, "give sword-1")
    play(match, "withdraw 1", seat=0)
    offer(match, 0, 1, "give sword-1", "give shield-1")
    assert list(standing_offers(match, 0)) == ["2"]
    assert match.legal_codes(0) == ["withdraw 2", "done"]
    assert legal_arguments(match, 1, "accept") == ["0 2"]


def test_a_deal_moves_everything_and_other_offers_lapse():
    """R11, F6, F10: the first to accept gets it; offers that can no longer be honoured lapse, on both sides."""
    match = match_at([ONE, TWO, "", ""], purse=(10, 3, 10, 17))
    offer(match, 0, "all", "give sword-1", "charge 1")
    offer(match, 0, 2, "give sword-1", "give shield-1")
    offer(match, 0, 2, "give shield-1")
    offer(match, 1, 2, "give lance-2")
    offer(match, 1, 3, "give shield-2", "pay 3")
    offer(match, 1, 3, "give shield-2", "pay 2")
    play(match, "offer 3", "give armour-2", seat=1)
    with pytest.raises(IllegalAction, match="accept 0 1"):
        play(match, "accept 0 1", seat=1)  # seat 1 is building
    before = match.document()["published"][1]
    play(match, "offer all", "give armour-1", seat=0)
    play(match, "accept 0 1", seat=2)
    assert held_values(match, 2) >= {"sword-1"}
    assert (purses(match)[0], purses(match)[2]) == (11, 9)
    assert list(standing_offers(match, 0)) == ["3"]
    assert list(standing_offers(match, 1)) == ["1", "2", "3"]
    assert match.document()["hands"][0]["draft"]["to"] == "nobody"
    assert match.document()["hands"][1]["draft"]["to"] == "3"
    assert match.document()["published"] == [3, before, 0, 0, 0, 0]
    with pytest.raises(IllegalAction, match="accept 0 1"):
        play(match, "accept 0 1", seat=3)


def test_a_partner_that_paid_can_no_longer_pay():
    """R11, F6: sous as well as cards."""
    match = match_at([ONE, TWO, ""], purse=(10, 3, 17))
    offer(match, 1, 2, "pay 3")
    offer(match, 1, 2, "pay 2")
    trade(match, 0, 1, "give sword-1", "charge 1")
    assert list(standing_offers(match, 1)) == ["2"]


def test_the_last_deal_stays_in_sight():
    """R11, F9: the table keeps its public part."""
    match = trade(match_at([ONE, TWO, "", ""]), 0, 1, "give sword-1", "ask lance-2", "pay 2")
    sale = match.view(3).table.sale
    assert (sale.maker, sale.taker, sale.number) == (1, 2, 1)
    assert (sale.terms.given, sale.terms.asked, sale.terms.pay) == (1, 1, 2)
    trade(match, 0, 3, "give shield-1", "charge 1", cried=True)
    assert match.view(2).table.sales == 2
    assert match.view(2).table.sale.terms.gives == (0, 1, 0, 0, 0)


def known_cards(match, seat, other):
    note = match.document()["hands"][seat]["known"][other]
    return {*note["cards"], *["joker"] * bool(note["jokers"])}


def match_after_barter():
    """Return a match in which seat 0 has given seat 1 a sword, a shield and a joker, and seat 2 has not seen them."""
    match = match_at([f"{ONE} j", TWO, ""])
    return trade(match, 0, 1, "give sword-1", "give shield-1", "give joker", "ask lance-2")


def test_partners_note_what_they_gave():
    """R12, F9."""
    match = match_after_barter()
    assert known_cards(match, 0, 1) == {"sword-1", "shield-1", "joker"}
    assert known_cards(match, 1, 0) == {"lance-2"}
    assert known_cards(match, 2, 0) == known_cards(match, 2, 1) == set()


def test_a_whisper_of_others_ends_every_note_a_cry_those_of_its_kinds():
    """R12, F9: every note that may be about a card that left is removed."""
    match = trade(match_after_barter(), 1, 2, "give shield-2")
    assert known_cards(match, 0, 1) == set()
    match = trade(match_after_barter(), 1, 2, "give shield-2", "ask armour-1", cried=True)
    assert known_cards(match, 0, 1) == {"sword-1", "joker"}


def test_cards_seen_come_off_by_themselves():
    """R12, F9: in the seat's own deal, and in a duel when the eight cards turn, not before."""
    match = trade(match_after_barter(), 1, 0, "give sword-1")
    assert known_cards(match, 0, 1) == {"shield-1", "joker"}
    match = match_at([f"{ONE} s2 h2 l2 a2", "h3 l3 a3 s3", ""])
    trade(match, 0, 1, "give sword-1", "ask shield-3")
    trade(match, 0, 1, "give shield-1")
    assert known_cards(match, 0, 1) == {"sword-1", "shield-1"}
    fight(finish_trade(match), "s2 h2 l2", "s1 h1 l3")
    assert known_cards(match, 0, 1) == {"sword-1", "shield-1"}
    play(match, "equip armour 2", "equip armour 3")
    assert known_cards(match, 0, 1) == set()


@pytest.mark.parametrize(("gives", "asks"), [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("cried", [False, True], ids=["whispered", "announced"])
def test_after_a_trade_of_jokers_each_partner_knows_the_joker_it_gave(gives, asks, cried):
    """R12, F9: cards that leave are removed before those that enter are noted; for both partners."""
    match = match_at(["j j", "j j", "", ""])
    trade(match, 0, 1, *["give joker"] * gives, *["ask joker"] * asks, cried=cried)
    hands = match.document()["hands"]
    assert hands[0]["known"][1]["jokers"] == gives
    assert hands[1]["known"][0]["jokers"] == asks
    trade(match, 1, 0, *["give joker"] * gives, "ask joker")
    hands = match.document()["hands"]
    assert hands[0]["known"][1]["jokers"] == 1  # `gives` less `gives`, and the one that is given now
    assert hands[1]["known"][0]["jokers"] == max(0, asks - 1) + gives


def test_cards_seen_by_all_to_enter_a_hand_are_not_noted():
    """R12, F9: beaten cards."""
    match = fought(ONE, TWO, "")
    assert held_values(match, 1) == {"sword-1", "shield-1", "lance-1", "armour-1"}
    assert known_cards(match, 0, 1) == known_cards(match, 2, 1) == set()


def test_done_and_undone():
    """R13, F7, F8: undone by an offer to the seat or to all, or if its own is accepted; not by withdrawal or lapse."""
    match = match_at([ONE, TWO, "", ""])
    offer(match, 0, 1, "give sword-1", "charge 1")
    offer(match, 1, 3, "give sword-2")
    play(match, "offer 3", "give shield-2", "done", seat=1)
    play(match, "done", seat=0)
    assert match.to_act == (2, 3)
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
    """R14, F12, ruling 9: every pair meets; with an odd number one seat rests."""
    for players, rounds in enumerate(SCHEDULE, 3):
        pairs = [pair for duels in rounds for pair in duels.split()]
        assert len(set(pairs)) == len(pairs) == players * (players - 1) // 2
        assert all(len(set(duels.replace(" ", ""))) == players // 2 * 2 for duels in rounds)
    match = match_at([ONE, TWO, THREE, ""], begun=5)
    assert finish_trade(match).to_act == (0, 2)
    match = match_at([ONE, TWO, "", THREE, ""], begun=3)
    assert finish_trade(match).to_act == (0, 3)


def test_a_seat_without_a_set_at_its_duel_is_eliminated():
    """R15, F13, rulings 7 and 8: without being asked, unless the seat rests; later barter does not bring it back."""
    match = finish_trade(match_at([ONE, "s2", THREE, "s4", ""], begun=1))
    assert match.document()["out"] == ["1", "3"]
    assert match.document()["begun"] == 2
    match = finish_trade(match_at([ONE, "", "s5"], rest=1))
    assert match.document()["out"] == []
    assert match.to_act == (0, 1)


def test_the_opponent_of_an_eliminated_seat_rests_without_a_prize():
    """R15, F15, ruling 6."""
    match = finish_trade(match_at([ONE, TWO, "", ""], out=["1"]))
    assert match.to_act == (2, 3) or match.document()["out"] == ["1", "2"]
    assert purses(match)[0] == 10


def test_fight_or_forfeit_in_secret():
    """R16, F13: it is public that a seat has chosen, but not what; both are revealed together."""
    match = finish_trade(match_at([ONE, TWO, ""]))
    assert (match.document()["phase"], match.to_act) == ("ballot", (0, 1))
    play(match, "forfeit", seat=0)
    assert match.view(1).table.duel.chosen == 1
    assert match.view(1).table.duel.wills == (0, 0)
    assert GAME.observe_action(0, GAME.actions.number("forfeit"), 1) is None
    play(match, "fight", seat=1)
    assert match.view(2).table.duel.wills == (2, 1)


def test_the_other_wins_a_walkover():
    """R17, F13, F15, ruling 6: the prize, no cards, no draw; if both forfeit, both are out without a prize."""
    match = play(finish_trade(match_at([ONE, TWO, ""], pile="s6")), "forfeit", "fight")
    assert match.document()["out"] == ["0"]
    assert purses(match) == [10, 15, 10]
    assert held_values(match, 0) == {"sword-1", "shield-1", "lance-1", "armour-1"}
    assert match.document()["phase"] == "trade"
    match = play(finish_trade(match_at([ONE, TWO, ""])), "forfeit", "forfeit")
    assert match.document()["out"] == ["0", "1"]
    assert purses(match) == [10, 10, 10]
    match = finish_trade(match_at(["s1", "s2", THREE, ""], begun=1))
    assert set(match.document()["out"]) == {"0", "1"}
    assert purses(match) == [10, 10, 10, 10]


def test_an_eliminated_seat_still_barters():
    """R17, rulings 2 and 12: and others can sell to it."""
    match = offer(match_at([ONE, TWO, "s3", ""], out=["2"]), 2, 0, "give sword-3", "charge 2")
    assert legal_arguments(match, 0, "accept") == ["2 1"]


def test_four_boxes_in_order():
    """R18, F13: in secret, and never so that a later box cannot be filled."""
    match = play(finish_trade(match_at(["s1 s3 h1 l1 j", TWO, ""], rest=2)), "fight", "fight")
    assert match.legal_codes(0) == ["equip sword 1", "equip sword 3"]
    play(match, "equip sword 3", seat=0)
    assert match.to_act == (1,)
    assert match.view(1).table.duel.chosen == 1
    assert match.view(2).table.held[0] == 4
    assert match.view(1).table.duel.boxes == ((0,) * 4,) * 2
    play(match, "equip sword 2", seat=1)
    play(match, "equip shield 1", seat=0)
    play(match, "equip shield 2", seat=1)
    assert match.legal_codes(0) == ["equip lance 1"]
    play(match, "equip lance 1", "equip lance 2")
    assert match.legal_codes(0) == ["equip armour joker"]


def test_a_joker_on_any_box():
    """R18, ruling 3: if no later box needs it."""
    match = play(finish_trade(match_at([f"{ONE} j", TWO, ""])), "fight", "fight")
    assert match.legal_codes(0) == ["equip sword joker", "equip sword 1"]
    play(match, "equip sword joker", "equip sword 2")
    assert match.legal_codes(0) == ["equip shield 1"]


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
    hands = match.document()["hands"]
    assert (hands[0]["jokers"], hands[1]["jokers"]) == (2, 1)
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
    assert match.view(2).table.duel.points == points
    assert match.document()["phase"] == phase


# The judgement of God


def match_to_judge():
    return fought("s2 h2 l1 a1", "s1 h1 l2 a2", "")


def match_of_two_right():
    return point(throw(match_to_judge(), "crown chalice globe 1"), "all", "all")


def test_sixteen_equal_throws_by_a_seat_that_does_not_fight():
    """R22, F16."""
    match = match_to_judge()
    assert len(match.chance_weights()) == 16
    assert set(match.chance_weights().values()) == {1}
    assert match.document()["duel"]["thrower"] == "2"
    assert TOKEN_FACES == (("crown", "chalice"), ("chalice", "globe"), ("globe", "crown"))


def test_the_thrower_comes_after_the_first_of_the_pair():
    """R22, F16: A and C fight; B throws, although out."""
    match = finish_trade(match_at(["s2 h2 l1 a1", "", "s1 h1 l2 a2", ""], begun=2, out=["1"], rest=3))
    fight(match, "s2 h2 l1 a1", "s1 h1 l2 a2")
    assert match.document()["duel"]["thrower"] == "1"


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
        match = point(throw(match_to_judge(), faces), *pointed)
        assert match.document()["duel"]["victor"] == victor


def test_pointing_is_secret_until_both_have():
    """R24, F16, ruling 10: one attempt."""
    match = throw(match_to_judge(), "crown chalice globe 1")
    assert match.to_act == (0, 1)
    assert match.legal_codes(0) == [f"point {corner}" for corner in CORNERS]
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
        play(match, told.code, told.code)
        assert match.document()["duel"]["wrong"] == 1
    assert present(clock(match_at([ONE, TWO, ""]).view(1)))[::2] == ("done", 1)


def test_both_wrong_three_times():
    """R25, F16: thrown again, until chance decides who was first."""
    match = match_to_judge()
    for _ in range(3):
        assert match.document()["phase"] == "throw"
        point(throw(match, "crown chalice globe 1"), "crown", "globe")
    assert match.chance_weights() == {"first 0": 1, "first 1": 1}
    play(match, "first 0", seat=CHANCE)
    assert match.document()["duel"]["victor"] == "0"


# Prize, cards, purchase


def test_the_prize_may_pay_for_the_draw():
    """R26, F14: prize, cards, purchase."""
    match = fought(TWO, ONE, "", purse=(0, 0, 30))
    assert match.document()["phase"] == "purchase"
    assert purses(match) == [5, 0, 30]
    assert match.to_act == (0,)


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
    assert held_values(match, 0) == {"sword-1", "shield-1", "lance-1"}
    assert held_values(match, 1) == {"armour-1"}
    assert set(match.document()["box"]["cards"]) == {"sword-2", "shield-2", "lance-2", "armour-2"}
    assert match.document()["pile"] == 4


def test_the_winner_buys_first_and_each_once():
    """R30, ruling 4: for two sous, if the seat can pay and there is a card."""
    match = fought(TWO, ONE, "", purse=(0, 2, 28))
    assert match.legal_codes(0) == ["buy", "pass"]
    play(match, "buy", "draw sword-2")
    assert purses(match)[0] == 3
    assert match.to_act == (1,)
    play(match, "buy", "draw lance-2")
    assert purses(match)[1] == 0
    assert match.document()["phase"] == "trade"
    assert match.document()["spent"][:2] == [2, 2]


def test_a_seat_that_cannot_pay_or_finds_no_card_is_skipped():
    """R30, F17."""
    match = play(fought(TWO, ONE, "", purse=(10, 1, 19)), "pass")
    assert match.document()["phase"] == "trade"
    match = finish_trade(match_at(["s2 j j j", "s1 h1 l1 a1", "", ""], purse=(10, 10, 10, 10)))
    assert match.document()["phase"] in ("ballot", "arming")


def test_a_draw_is_the_buyers_secret():
    """R31, F17: the table keeps the cards that were discarded and not seen since."""
    match = play(fought(TWO, ONE, "", pile="s6"), "buy")
    assert match.chance_weights() == {
        f"draw {name}": 1 for name in ("sword-2", "sword-6", "shield-2", "lance-2", "armour-2")
    }
    before = match.view(2)
    play(match, "draw sword-6", seat=CHANCE)
    assert match.view(2).table.discarded == before.table.discarded
    assert match.view(2).table.pile == before.table.pile - 1
    assert GAME.observe_action(CHANCE, GAME.actions.number("draw sword-6"), 0) is None
    assert "sword-6" in held_values(match, 0)


# The end


def test_the_last_full_set_wins_a_duel():
    """R32, F15, ruling 12: the prize, without a fight or a draw; a seat that is out does not count."""
    match = finish_trade(match_at([ONE, "j", "", ""], out=["2"], rest=2))
    assert present(match.result()).points == (15, 10, 10, 10)
    assert (match.document()["ending"], match.document()["champion"]) == ("last-set", "0")


def test_no_full_set_at_all():
    """R32, ruling 11."""
    match = finish_trade(match_at(["s1", "j", ""], out=["2"]))
    assert present(match.result()).points == (10, 10, 10)
    assert match.document()["ending"] == "no-set"


def test_all_out_at_the_end_of_a_round():
    """R33, F18: without further trade."""
    match = play(finish_trade(match_at([ONE, TWO, ""], out=["2"])), "forfeit", "forfeit")
    assert match.document()["ending"] == "all-out"


@pytest.mark.parametrize("option", ["held", "skipped"])
def test_one_left_barters_once_more(option):
    """R33, R35, F18, F20: the seat then has a full set or not; this last barter is never skipped."""
    match = finish_trade(match_at([ONE, TWO, ""], out=["2"], options={"empty_rounds": option}))
    play(match, "forfeit", "fight")
    assert (match.document()["phase"], match.document()["begun"]) == ("trade", 2)
    assert finish_trade(match).document()["ending"] == "last-set"
    assert present(match.result()).points == (10, 20, 10)


def test_after_the_last_round_it_ends():
    """R34, F19: without a last victory."""
    match = finish_trade(match_at(["", TWO, ONE], begun=20, rest=0, options={"rounds": 20}))
    fight(match, "s6 h6 l6 a6", ONE)
    while not match.over:
        play(match, "pass")
    assert match.document()["ending"] == "rounds"
    assert match.document()["champion"] == "nobody"


@pytest.mark.parametrize(("option", "begun"), [("held", 3), ("skipped", 5)])
def test_rounds_without_a_possible_duel(option, begun):
    """R35, F20: A and C are left of three; they meet in every third round."""
    match = finish_trade(match_at([TWO, "", ONE], begun=2, out=["1"], rest=1, options={"empty_rounds": option}))
    fight(match, TWO, ONE)
    assert match.to_act == (0,)
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
