"""The rules of Template: one test for each paragraph of RULES.md."""

from typing import Any

import pytest

from tavola.contract.samples import redealt
from tavola.core import CHANCE, BadPosition, IllegalAction, Match, NotYourTurn, stream
from tavola.games._template import GAME
from tavola.show.cards import words_of
from tavola.show.testing import english_say, events_after, present, refusal_text


def match_of(*codes: str, players: int = 2, **options: Any) -> Match:
    """A match after these actions; a code is played by chance, or by a seat if it begins with `seat:`."""
    match = Match(GAME, players=players, **options)
    for code in codes:
        seat, colon, rest = code.partition(":")
        match.play(rest if colon else code, int(seat) if colon else CHANCE)
    return match


DEALT = ("deal 3", "deal 8", "deal 14", "deal 9", "deal 1", "deal 15")


def test_r1_cards_are_dealt_round_the_table_and_seen_by_their_owner_only():
    match = match_of(*DEALT)
    assert match.document()["hands"] == [{"cards": ["1", "3", "14"], "bid": 0}, {"cards": ["8", "9", "15"], "bid": 0}]
    assert match.view(0).hand.cards == 1 << 0 | 1 << 2 | 1 << 13
    assert match.view(0).states["hand"][0, 1]["cards"] == 0


def test_r1_no_card_is_dealt_twice():
    match = match_of("deal 3")
    assert "deal 3" not in match.chance_weights()
    assert len(match.chance_weights()) == 14


def test_r1_the_option_makes_it_two_cards():
    assert match_of(*DEALT[:4], cards=2).chance_weights() == {"toss 1": 3, "toss 2": 2, "toss 3": 1}


def test_r2_the_prize_is_tossed_by_its_odds():
    match = match_of(*DEALT)
    assert match.chance_weights() == {"toss 1": 3, "toss 2": 2, "toss 3": 1}
    match.play("toss 2")
    assert match.view().table.template_prize == 2


def test_r3_bids_lie_face_down_until_all_have_bid():
    match = match_of(*DEALT, "toss 2", "1:bid 9")
    assert match.to_act == (0,)
    assert match.view(1).hand.bid == 9
    assert match.view(0).table.shown == (0, 0, 0, 0)
    match.play("bid 14", 0)
    assert match.view(0).table.shown == (14, 9, 0, 0)


def test_r3_only_held_cards_and_only_once():
    match = match_of(*DEALT, "toss 2", "1:bid 9")
    with pytest.raises(NotYourTurn):
        match.play("bid 8", 1)
    with pytest.raises(IllegalAction, match="expected bid 1, bid 3, bid 14"):
        match.play("bid 2", 0)


@pytest.mark.parametrize(("low_wins", "points"), [("off", (2, 0)), ("on", (0, 2))])
def test_r4_the_highest_card_takes_the_prize_or_the_lowest(low_wins, points):
    assert match_of(*DEALT, "toss 2", "1:bid 9", "0:bid 14", low_wins=low_wins).score().points == points
    assert "bid 14" not in match_of(*DEALT, "toss 2", "1:bid 9", "0:bid 14", "toss 1").legal_codes(0)


def test_r5_r6_a_whole_match():
    match = match_of(*DEALT[:4], "toss 2", "0:bid 14", "1:bid 8", "toss 2", "0:bid 3", "1:bid 9", cards=2)
    result = present(match.result())
    assert (match.over, result.points, result.ranks, result.winners) == (True, (2, 2), (1, 1), (0, 1))


def test_redeal_gives_every_hand_that_may_be():
    match, seen = match_of(*DEALT[:4], "toss 1", "1:bid 9", cards=2), set()
    for number in range(2000):
        hand = redealt(match.view(0), stream(1, number))["hand"][0, 1]
        seen.add((int(hand["bid"]), int(hand["cards"]).bit_length()))
    unseen = set(range(1, 16)) - {3, 14}
    assert seen == {(bid, card) for bid in unseen for card in unseen - {bid}}


def test_the_sentences_of_a_round():
    match = match_of(*DEALT)
    assert events_after(match, f"{CHANCE} toss 2") == ["The prize is 2 points."]
    assert events_after(match, "1 bid 9") == []
    assert words_of(GAME).prompt(match.view(1), english_say(GAME)) == "Waiting for Ada."
    assert words_of(GAME).prompt(match.view(0), english_say(GAME)) == "Bid for 2 points."
    assert refusal_text(match, 0, "bid 2") == "You don’t have the 2 (R3)."
    assert events_after(match, "0 bid 14") == ["Revealed: Ada bids the 14 and Bruno bids the 9.", "Ada wins the prize."]


def test_impossible_positions_are_refused():
    document = match_of(*DEALT, "toss 2").document()
    document["hands"][0]["cards"] = ["1", "3", "15"]
    with pytest.raises(BadPosition, match="each card in only one place"):
        Match(GAME, position=document)
