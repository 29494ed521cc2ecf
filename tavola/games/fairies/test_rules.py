"""One test for each paragraph of RULES.md and for each ruling it lists."""

import pytest

from tavola.core import CHANCE, BadOption, IllegalAction, Match
from tavola.games.fairies import GAME
from tavola.games.fairies.components import COPIES, DECK, FAIRIES, KINGS, PLACES_OF_HALVES, SHIELDS, WANDS
from tavola.games.fairies.fixtures import STRONG, THREE, legal_codes, match_at, points, steal, wands_text
from tavola.show.testing import play, present

EVERY_OTHER_CARD = " ".join(kind for kind, n in zip(WANDS, COPIES, strict=True) for _ in range(n) if kind != "gold-5")
"""All wand cards except the two jokers of 5."""


# Components


def test_two_to_four_play_and_most_points_win():
    """R1."""
    assert GAME.players == (2, 4)
    with pytest.raises(BadOption, match="players"):
        Match(GAME, players=5)
    match = match_at(["", ""], [STRONG, THREE], phase="heal", begun=30, turns=1, seat=0, rounds=30)
    result = present(play(match, "done").result())
    assert (result.points, result.winners) == ((16, 6), (0,))


def test_eighty_wand_cards_and_eighteen_king_cards_with_distinguishable_backs():
    """R3, R4, F14."""
    assert COPIES.sum() == DECK == 80
    copies = {
        name: [int(count) for kind, count in zip(WANDS, COPIES, strict=True) if kind.startswith(name)]
        for name in ("green", "red-tail", "gold")
    }
    assert copies == {"green": [3, 3, 3, 2, 3, 3, 3, 2], "red-tail": [3, 3, 3, 2], "gold": [3, 3, 3, 3, 2]}
    assert len(KINGS) == 18
    garden = match_at(["gold-5 four crown", "gold-1"]).view(1).table.fairies[0]
    assert (garden.wands, garden.kings) == (1, 2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_three_fairies_face_down_four_cards_each_and_two_heaps_of_king_cards(players):
    """R2, R5, F4."""
    document = Match(GAME, players=players, seed=1).document()
    assert (document["deck"], document["pile"], len(document["box"]["kings"])) == (DECK - 4 * players, 9, 18)
    assert [garden["wands"] for garden in document["fairies"]] == [4] * players + [0] * (4 - players)
    assert all(garden["up"] == [] for garden in document["fairies"])


def test_the_first_player_is_drawn_or_agreed_on():
    """R5, F4."""
    assert Match(GAME, players=3).chance_weights() == {"first 0": 1, "first 1": 1, "first 2": 1}
    assert Match(GAME, players=3, first_player="2", seed=5).to_act == (2,)
    with pytest.raises(BadOption, match="option first_player: expected random or 0 or 1 with 2 players, found '3'"):
        Match(GAME, players=2, first_player="3")


# A turn


@pytest.mark.parametrize(
    ("players", "turns"), [(2, [0, 1, 0, 1]), (3, [0, 1, 2, 1, 2, 0, 2, 0, 1]), (4, [0, 1, 2, 3, 1, 2, 3, 0])]
)
def test_the_first_player_passes_to_the_left_with_three_and_four(players, turns):
    """R6."""
    match = match_at([""] * players)
    for seat in turns:
        assert match.to_act == (seat,)
        play(match, "done")


def test_phases_in_which_nothing_can_be_done_are_passed_over():
    """R6, ruling 1, F6."""
    match = play(match_at(["", ""], ["", "green:1/1 blue:2/2~"]), "done")
    assert match.to_act == (1,)  # seat 0 is not asked about energy, healing or waking
    for phase in ("empower", "energy", "heal", "restore"):
        assert match.document()["phase"] == phase
        play(match, "done")
    assert match.to_act == (0,)


def test_up_to_three_cards_and_the_end_is_said():
    """R7, F13."""
    match = match_at(["gold-0 gold-1 gold-2 gold-3", ""])
    play(match, *(f"joker {value} 0 green-star" for value in (0, 1, 2)))
    assert match.legal_codes() == match_at(["", ""]).legal_codes() == ["done"]


def test_a_card_fits_its_colour_and_half_in_front_of_any_player():
    """R8, F15: two equal cards are the same action."""
    match = match_at(["red-tail-2 gold-3", "", ""], ["", "red:0/1 green:1/1~"])
    assert legal_codes(match, "lay") == ["lay red-tail-2 0", "lay red-tail-2 1", "lay red-tail-2 2"]
    assert len(legal_codes(match, "joker 3 ")) == 3 * 6
    play(match, "lay red-tail-2 1")
    assert wands_text(match, 1) == "green:1/1~ blue:-/-~ red:0/2"
    assert match.document()["fairies"][1]["halves"]["red-tail"]["cards"][:2] == ["red-tail-1", "red-tail-2"]
    match = match_at(["gold-1 gold-1", ""])
    assert match.legal_codes().count("joker 1 0 green-star") == 1
    with pytest.raises(IllegalAction):
        match.play("joker 1 0 nothing")


def test_a_whole_wand_wakes_its_fairy_also_an_opponents():
    """R9, rulings 10 and 11: a covered fairy stays covered."""
    match = match_at(["green-star-1 gold-2", ""], ["green:-/3", "red:2/-"])
    play(match, "lay green-star-1 0", "joker 2 1 red-tail")
    assert wands_text(match, 0).startswith("green:1/3 ")
    assert wands_text(match, 1).endswith("red:2/g2")
    match = play(match_at(["green-star-3", ""], ["green:1/3~", ""]), "lay green-star-3 0")
    assert wands_text(match, 0).startswith("green:3/3~")


def test_as_many_are_drawn_as_were_played():
    """R10, ruling 14."""
    match = match_at(["gold-0 gold-1 red-star-1", ""])
    play(match, "joker 0 0 red-tail", "joker 1 1 red-tail", "done")
    assert match.to_act == (CHANCE,)
    play(match, "deal blue-star-0", "deal blue-star-1")
    hand = match.view(0).hand
    assert {WANDS[k] for k, n in enumerate(hand.wands) if n} == {"red-star-1", "blue-star-0", "blue-star-1"}


def test_covered_cards_become_the_deck():
    """R11, F5, ruling 15."""
    match = match_at(["gold-0 gold-1", ""], ["green:2.3/1", THREE], deck=["red-star-3"])
    play(match, "joker 0 0 green-tail", "joker 1 0 green-star", "done")
    document = match.document()
    star = document["fairies"][0]["halves"]["green-star"]
    assert (star["cards"][:2], star["count"]) == (["gold-1", "green-star-0"], 1)
    assert document["box"]["deck"]["green-star-3"] == 2
    assert (document["due"], document["deck"]) == (2, 80 - 8)  # all but the visible: two halves here, six there
    # There is only one card under another, and two were played: where nothing is left, fewer are drawn.
    match = match_at([EVERY_OTHER_CARD, ""], ["green:g5/-~", ""], deck=["gold-5"])
    play(match, "joker 0 0 green-star", "joker 1 0 green-tail", "joker 2 0 blue-star", "done")
    assert match.document()["due"] == 2


def test_only_the_same_fairy_when_stronger_and_active():
    """R12, R13, ruling 7: energy is one thing or nothing."""
    for own, theirs, powers in (
        ("green:2/1", "green:1/1", ["green 1", "green 2"]),
        ("green:1/1", "green:1/1", []),
        ("green:3/3", "green:0/0~", []),
        ("green:3/3~ red:3/3", "green:0/0", []),
        ("green:3/3", "red:0/0", []),
    ):
        match = match_at(["gold-0", "gold-1", "gold-1"], [own, theirs, theirs], phase="energy")
        assert (match.legal_codes()[0], legal_codes(match, "green")) == ("done", powers)
    match = match_at(["gold-0", "gold-1"], [STRONG, THREE], phase="energy")
    assert steal(match, 1, "gold-1").document()["phase"] == "heal"


def test_green_steals_any_card_and_the_victim_draws():
    """R14, F8, ruling 9: only the two know what was stolen."""
    match = match_at(["", "gold-1 gold-1 four crown"], ["green:2/2", "green:0/0"], phase="energy")
    play(match, "green 1")
    assert match.chance_weights() == {"steal gold-1": 2, "steal four": 1, "steal crown": 1}
    play(match, "steal crown")
    assert match.to_act == (CHANCE,)
    play(match, "deal red-star-0")
    thief, victim, *_ = match.document()["hands"]
    assert (thief["kings"], victim["kings"], victim["wands"]["red-star-0"]) == (["crown"], ["four"], 1)
    assert not legal_codes(match_at(["gold-1", ""], ["green:2/2", "green:0/0"], phase="energy"), "green")  # empty hand
    views = []
    for card in ("gold-1", "gold-2"):
        match = steal(match_at(["", "gold-1 gold-2", ""], ["green:2/2", "green:0/0"], phase="energy"), 1, card)
        views.append([match.view(seat) for seat in (0, 1, 2, None)])
    assert [one == other for one, other in zip(*views, strict=True)] == [False, False, True, True]


def test_blue_exchanges_a_card():
    """R15, F7, F3, ruling 8: faces are judged after the exchange: a wand that stays complete keeps its fairy's face."""
    match = play(match_at(["gold-0", ""], ["blue:2/2", "blue:1/1 red:3/2"], phase="energy"), "blue 1 red-star")
    assert match.legal_codes() == [f"joker 0 1 {half}" for half in PLACES_OF_HALVES]
    document = play(match, "joker 0 1 red-tail").document()
    assert wands_text(match, 1) == "green:-/-~ blue:1/1 red:-/g0~"  # no longer whole
    assert (document["hands"][0]["wands"]["red-star-3"], document["covered"]) == (1, [])
    for card, theirs, taken, laid, after in (
        ("red-star-0", "blue:1/1 red:3/2~", "red-star", "lay red-star-0 1", "green:-/-~ blue:1/1 red:0/2~"),
        # a newly complete one turns it up
        ("gold-0", "blue:1/1 red:3/- green:1/1", "green-star", "joker 0 1 red-tail", "green:-/1~ blue:1/1 red:3/g0"),
        # what lay under the card is shown
        ("gold-0", "blue:3.1/1", "blue-star", "joker 0 1 green-star", "green:g0/-~ blue:3/1 red:-/-~"),
    ):
        match = play(match_at([card, ""], ["blue:2/2", theirs], phase="energy"), f"blue 1 {taken}", laid)
        assert wands_text(match, 1) == after
    assert not legal_codes(match_at(["", ""], ["blue:2/2", "blue:1/1"], phase="energy"), "blue")  # it needs a card


def test_red_takes_a_shield_from_the_table():
    """R16."""
    match = match_at(["", "peek"], ["red:2/2", "red:1/1 +four"], phase="energy")
    assert legal_codes(match, "red") == ["red four"]
    document = play(match, "red four").document()
    assert (document["hands"][0]["kings"], document["fairies"][1]["shields"]) == (["four"], [])


def test_three_together_cover_one_of_three():
    """R17, R18, rulings 5 and 6, F12: each seat suffers one a round."""
    match = match_at(["", ""], [STRONG, THREE], phase="energy")
    assert legal_codes(match, "cover") == ["cover 1 green", "cover 1 blue", "cover 1 red"]
    play(match, "cover 1 blue")
    assert wands_text(match, 1) == "green:1/1 blue:1/1~ red:1/1"
    for own, theirs in ((THREE, THREE), (STRONG, "green:1/1 blue:1/1"), ("green:3/3 blue:3/3", THREE)):
        assert not legal_codes(match_at(["", ""], [own, theirs], phase="energy"), "cover")
    assert not legal_codes(match_at(["", "", ""], [STRONG, STRONG, THREE], phase="energy", covered=["2"]), "cover 2")
    later = match_at(["", ""], [STRONG, THREE], phase="heal", covered=["1"], turns=1, seat=0)
    assert play(later, "done").document()["covered"] == []


def test_shields_are_used_from_the_hand_or_the_table_once_a_turn():
    """R19, F1, ruling 16."""
    match = match_at(["four extra", ""], ["green:1/1 +wake blue:0/0~", ""])
    assert legal_codes(match, "use", "wake") == ["use four", "use extra", "wake blue"]
    play(match, "use four")
    assert match.document()["fairies"][0]["shields"] == ["four", "wake"]
    assert "use four" not in match.legal_codes()
    assert "use four" not in match_at(["four", ""], ["green:1/1~", ""]).legal_codes()


def test_four():
    """R20, F1."""
    match = match_at(["gold-0 gold-1 gold-2 gold-3 gold-5 four", ""], ["green:1/1", ""])
    play(match, "use four", *(f"joker {value} 0 green-star" for value in (0, 1, 2, 3)))
    assert match.legal_codes() == ["done"]
    assert play(match, "done").document()["due"] == 4


def test_extra():
    """R21, F1: one more card, unless none is left to come."""
    match = play(match_at(["gold-0 extra", ""], ["green:1/1", ""]), "use extra", "done", "deal red-star-3")
    assert match.legal_codes() == ["return red-star-3", "return gold-0"]
    before, after = match.document(), play(match, "return gold-0").document()
    assert (after["deck"], after["phase"]) == (before["deck"] + 1, "energy")
    empty = match_at([f"extra {EVERY_OTHER_CARD}", ""], ["green:g5/g5", ""], deck=[])
    assert play(empty, "use extra", "done").document()["phase"] == "energy"


def test_equal():
    """R22, F1."""
    match = play(match_at(["equal", "gold-0"], ["green:1/1", "green:1/1"], phase="energy"), "use equal")
    assert match.legal_codes() == ["green 1"]
    assert steal(match, 1, "gold-0").document()["phase"] == "heal"
    assert "use equal" not in match_at(["equal", "gold-0"], ["green:1/0", "green:1/1"], phase="energy").legal_codes()


def test_again():
    """R23, F1: the same power twice."""
    match = match_at(["again", "gold-0 gold-1 gold-2"], ["green:2/1", "green:1/1"], phase="energy")
    play(match, "use again")
    steal(match, 1, "gold-0")
    assert steal(match, 1, "gold-1").document()["phase"] == "heal"


def test_lone():
    """R24, F1."""
    match = match_at(["lone crown", ""], ["green:2/1", ""], phase="heal")
    assert match.legal_codes() == ["done", "use lone"]
    play(match, "use lone")
    assert "turn 1" in match.legal_codes()
    whole = match_at(["crown", ""], ["green:2/1 +lone", ""], phase="heal", healed="123456789", used=["lone"])
    assert whole.legal_codes() == ["done", "heal"]


def test_peek():
    """R25, F1, F10."""
    match = match_at(["peek", ""], [THREE, ""], phase="heal")
    play(match, "use peek", "look 4", "king piece-2", "look 7", "king again")
    assert match.legal_codes() == ["turn 4", "turn 7"]
    document = play(match, "turn 4").document()
    assert (document["healed"], document["hands"][0]["grid"][6]) == (["2"], "again")
    assert "use peek" not in match_at(["peek", ""], [THREE, ""], phase="heal", healed="12345678").legal_codes()


def test_wake():
    """R26, F1: free in phases 1 and 3, the only action of phase 2; it needs another fairy awake."""
    for phase, then in (("empower", "empower"), ("energy", "heal"), ("heal", "heal")):
        match = play(match_at(["wake", ""], ["green:2/1 blue:1/1~", ""], phase=phase), "wake blue")
        assert wands_text(match, 0).startswith("green:2/1 blue:1/1 ")
        assert match.document()["phase"] == then
    assert "wake blue" not in match_at(["wake", ""], ["blue:1/1~", ""]).legal_codes()


def test_guard():
    """R27, F1: until the owner's next turn, while it is on the table."""
    match = match_at(["", "guard"], [STRONG, STRONG], phase="energy", seat=1)
    assert play(match, "use guard", "done", "done", "done").document()["guarded"] == ["1"]
    for guarded, covered in ((["1"], []), ([], ["cover 1 green", "cover 1 blue", "cover 1 red"])):
        one = match_at(["", ""], [STRONG, f"{THREE} +guard"], phase="energy", guarded=guarded)
        assert legal_codes(one, "cover") == covered
    robbed = match_at(["", ""], [STRONG, f"{THREE} +guard"], phase="energy", guarded=["1"])
    assert play(robbed, "red guard").document()["guarded"] == []


# Healing


def test_two_active_fairies_may_heal():
    """R28, ruling 2."""
    assert match_at(["", ""], ["green:1/1", ""], phase="heal").legal_codes() == ["done"]
    two = match_at(["", ""], ["green:1/1 red:1/1", ""], phase="heal")
    assert two.legal_codes() == ["done", *(f"turn {place}" for place in range(1, 10))]


def test_a_piece_goes_to_its_place_and_the_card_there_fills_the_hole():
    """R29, F10, ruling 3: the player who put a shield back still knows where it is."""
    match = play(match_at(["", ""], [STRONG, ""], phase="heal", looked={5: "peek"}), "turn 2", "king piece-5")
    document = match.document()
    assert (document["healed"], document["box"]["grid"][1]) == (["5"], "peek")
    assert "turn 2" not in match.legal_codes()
    match = play(match_at(["", ""], [STRONG, STRONG], phase="heal"), "turn 5", "king peek", "leave")
    assert match.document()["hands"][0]["grid"][4] == "peek"
    grid = play(match, "done", "done", "turn 2", "king piece-5").document()["hands"][0]["grid"]
    assert (grid[1], grid[4]) == ("peek", "none")


def test_a_shield_is_taken_unseen_or_put_back():
    """R30, ruling 4."""
    match = play(match_at(["", ""], [STRONG, THREE], phase="heal"), "turn 5", "king crown")
    assert match.legal_codes() == ["take", "leave"]
    document = play(match, "take").document()
    assert (document["hands"][0]["kings"], document["pile"], document["box"]["grid"][4]) == (["crown"], 8, "none")
    views = []
    for shield in ("four", "crown"):
        other = play(match_at(["", ""], [STRONG, THREE], phase="heal"), "turn 5", f"king {shield}", "take")
        views.append([other.view(1), other.view(None), other.view(0)])
    assert [one == two for one, two in zip(*views, strict=True)] == [True, True, False]


def test_the_whole_picture_draws_from_the_pile():
    """R31, R32, F9: without a pile, healing gives only points."""
    match = play(match_at(["", ""], [STRONG, ""], phase="heal", healed="123456789"), "heal")
    assert sorted(match.chance_weights()) == sorted(f"king {card}" for card in (*SHIELDS, "crown"))
    document = play(match, "king again").document()
    assert (document["hands"][0]["kings"], document["pile"]) == (["again"], 8)
    match = match_at([" ".join(SHIELDS), "crown"], [STRONG, ""], phase="heal", healed="123456789")
    assert points(play(match, "heal")) == (8, 0)


@pytest.mark.parametrize(
    "codes", [("turn 1", "king piece-3"), ("turn 1", "king four", "take"), ("turn 1", "king four", "leave")]
)
def test_stars_of_active_fairies_are_the_points(codes):
    """R33, ruling 3."""
    assert points(play(match_at(["", ""], ["green:2/3 blue:g5/3 red:3/3~", ""], phase="heal"), *codes)) == (7, 0)


def test_the_kings_shield_on_the_whole_picture():
    """R34."""
    match = match_at(["crown", ""], [STRONG, ""], phase="heal", healed="123456789")
    assert match.legal_codes() == ["done", "heal", "crown"]
    for own, healed in ((STRONG, "12345678"), ("green:1/1", "123456789")):
        assert "crown" not in match_at(["crown", ""], [own, ""], phase="heal", healed=healed).legal_codes()


def test_covered_fairies_are_turned_up_at_the_end_of_the_own_turn():
    """R35, ruling 17, F3."""
    match = play(match_at(["", ""], ["green:1/1~ blue:1/1~ red:1/-", ""]), "done")
    assert match.legal_codes() == ["done", "wake green", "wake blue"]
    play(match, "wake green", "wake blue")
    assert (wands_text(match, 0), match.to_act) == ("green:1/1 blue:1/1 red:1/-~", (1,))


# The end


def crowned_match(hands, gardens, **fields):
    match = match_at([f"crown {hands[0]}", *hands[1:]], gardens, phase="heal", healed="123456789", **fields)
    return play(match, "crown")


def test_last_plays():
    """R37, R38, rulings 12 and 13, F11: with two, only on one's own awake fairies.

    With more, on any awake fairies: in turn, one card each; a pass is final, and no cards are drawn.
    """
    match = crowned_match(["", "gold-0 gold-1 gold-2 gold-3 red-star-3"], [STRONG, "green:1/1 red:1/1~"])
    assert match.to_act == (1,)
    assert {code.split()[-1] for code in match.legal_codes()} == {"done", "green-star", "green-tail"}
    play(match, "joker 3 1 green-star", "joker 2 1 green-tail", "joker 0 1 green-tail")
    assert present(match.result()).points == (32, 3)
    match = crowned_match(["", "gold-0 gold-1", "gold-3", "gold-2"], [STRONG, THREE, THREE, THREE])
    assert play(match, "joker 0 0 green-star").to_act == (2,)
    assert points(match)[0] == 32  # seat 0's points are already counted
    play(match, "done", "joker 2 3 red-star", "joker 1 2 red-star", "done", "done")
    assert present(match.result()).points == (32, 6, 6, 7)


def test_the_end_counts_twice_for_who_ends_the_match_and_shields_cost_two_points_each():
    """R36, R39."""
    assert points(crowned_match(["", ""], ["green:2/3 blue:g5/1 red:3/3~", ""]))[0] == 22
    match = crowned_match(["four", "peek wake"], [f"{STRONG} +again", f"{THREE} +guard"])
    assert present(play(match, "done").result()).points == (32 - 4, 6 - 6)


def test_ties_go_to_fewer_shields_on_the_table_then_are_shared():
    """R40."""
    gardens = ["green:3/1 +again", "green:2/2 +wake +guard", "green:1/3 +lone"]
    match = match_at(["four", "", "peek"], gardens, phase="heal", begun=30, turns=2, seat=2, rounds=30)
    result = present(play(match, "done").result())
    assert (result.points, result.ranks) == ((0, 0, 0), (1, 3, 1))


def test_a_match_may_end_after_some_rounds():
    """R41, F2."""
    match = match_at(["crown", "four"], [STRONG, THREE], phase="heal", begun=7, turns=1, seat=1, rounds=7)
    play(match, "done")
    assert (present(match.result()).points, match.document()["ending"]) == ((16, 4), "rounds")
    assert not play(match_at(["", ""], [STRONG, THREE], phase="heal", begun=60, turns=1, seat=1, rounds=0), "done").over


def test_the_rulebooks_long_example():
    """The example that ends the rulebook, number by number."""
    gardens = ["green:0/3 blue:g2/1 red:3/g5 +guard", "green:2/2 blue:1/1 red:1/1", "green:1/1 blue:1/3 red:2/1"]
    hands = ["gold-5 green-star-0 blue-tail-1 red-tail-0 four", "", ""]
    match, again = (match_at(hands, gardens, healed="12345") for _ in range(2))
    # "il suo jolly con valore 5 sopra la carta con la stella verde con valore 0"; "la stella verde 0 sopra la stella
    # verde di un avversario"; "la coda blu 1 sulla coda blu di un altro avversario"; "per poi ripescare le tre carte"
    play(again, "joker 5 0 green-star", "lay green-star-0 1", "lay blue-tail-1 2", "done")
    after = ["green:g5/3 blue:g2/1 red:3/g5", "green:0/2 blue:1/1 red:1/1", "green:1/1 blue:1/1 red:2/1"]
    assert ([wands_text(again, seat) for seat in range(3)], again.document()["due"]) == (after, 3)
    # "il potere delle tre fate insieme (tot. 14)": green 3, blue 3, red 8
    play(match, "done")
    assert legal_codes(match, "cover") == [f"cover {seat} {fairy}" for seat in (1, 2) for fairy in FAIRIES]
    play(match, "done")
    # "scoprire una delle quattro carte ancora coperte … segnarsi 5 punti mana"
    assert legal_codes(match, "turn") == ["turn 6", "turn 7", "turn 8", "turn 9"]
    play(match, "turn 6", "king piece-9")
    assert points(match)[0] == 5
