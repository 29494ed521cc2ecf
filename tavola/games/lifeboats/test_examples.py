"""The seven worked examples of the rulebook, step by step as told. P1 is red, P2 green, P3 violet, P4 yellow.

The rulebook's pictures are lost: the boats around each story are drawn so that everything it tells is true.
"""

import pytest

from tavola.core import IllegalAction, Match, NotYourTurn
from tavola.games.lifeboats.test_drawing import FULL, asked, boat_of, drawn, lost, match_at, phase_of, vote, votes

P1, P2, P3, P4 = range(4)


def full_black_boat() -> Match:
    """Example 2 begins: the black boat, full, was voted to take a leak; P1 is the start player and not aboard."""
    match = match_at(FULL, starter=P1)
    vote(match, "black black black black")
    return match


def test_example_1_the_majority() -> None:
    """R9, R14, R16: black, green, red, green: the green boat takes a leak on one of its two free seats."""
    match = match_at(FULL, starter=P1)
    assert "r" not in boat_of(match, "black").lower()  # "lui è proprio l'unico a non avere uomini su quella barca"
    assert boat_of(match, "green") == "ggYy.."
    match.play("vote black", P1)
    match.play("vote green", P2)
    match.play("vote red", P3)
    assert match.view(P4).document()["table"]["ballot"]["kind"] == "none"
    match.play("vote green", P4)
    assert boat_of(match, "green") == "ggYy~."
    assert drawn(match).replace("~", ".") == drawn(match_at(FULL))
    assert phase_of(match) == "move ballot"


def test_example_2_the_start_player_breaks_a_tie_between_two_men() -> None:
    """R15, R17 to R21: four votes against yellow, three and one against green; P1 forgets his promise."""
    match = full_black_boat()
    assert (boat_of(match, "black"), match.to_act) == ("GggVvy", (P2, P3, P4))
    with pytest.raises(NotYourTurn):
        match.play("vote green", P1)
    match.play("vote yellow", P2)
    match.play("vote green", P3)
    match.play("vote green", P4)
    assert match.view().table.ballot.weights == (0, 4, 3, 1, 0, 0)
    assert asked(match) == (P1, "green yellow")
    for colour in ("violet", "red", "black"):
        with pytest.raises(IllegalAction):
            match.play(f"choose {colour}", P1)
    match.play("choose yellow", P1)
    assert (boat_of(match, "black"), lost(match)) == ("GggVv~", "y")


CHANGING = """
    red    1:0  RrrrGv
    green  2:0  gVvyy~
    violet 3:0  rGgYyy
    yellow 4:0  RgvYy.
    black  5:0  rggVvv
"""


def third_phase() -> Match:
    """Examples 3 to 5 are one story: a leak lies in the green boat, the yellow boat alone has a free seat."""
    return match_at(CHANGING, phase="move ballot", starter=P1)


def test_example_3_the_start_player_chooses_the_boat_that_moves() -> None:
    """R15, R23: yellow and violet have two votes each."""
    match = third_phase()
    vote(match, "yellow violet yellow violet")
    assert asked(match) == (P1, "violet yellow")
    for colour in ("red", "green", "black"):
        with pytest.raises(IllegalAction):
            match.play(f"choose {colour}", P1)
    match.play("choose yellow", P1)
    assert drawn(match).split() == CHANGING.replace("4:0", "4:1").split()


def leave(match: Match) -> None:
    """Example 4 in short."""
    vote(match, "yellow violet yellow violet")
    match.play("choose yellow", P1)
    match.play("leave officer yellow", P1)
    match.play("leave officer violet", P2)
    match.play("leave sailor green", P3)


def test_example_4_each_boat_is_left_by_one() -> None:
    """R26, R27: P4 has men in the boats already left only, none in the black and the red boat."""
    match = third_phase()
    vote(match, "yellow violet yellow violet")
    match.play("choose yellow", P1)
    match.play("leave officer yellow", P1)
    assert (match.to_act, "leave officer violet" in match.legal()) == ((P2,), True)
    with pytest.raises(IllegalAction):
        match.play("leave sailor yellow", P2)
    match.play("leave officer violet", P2)
    assert [code.removeprefix("leave ") for code in match.legal(P3)] == [
        "officer green",
        "officer black",
        "sailor red",
        "sailor green",
        "sailor black",
    ]
    match.play("leave sailor green", P3)
    assert match.view().document()["table"]["behind"][:4] == ["yellow", "violet", "green", "none"]
    assert all("y" not in boat_of(match, colour).lower() for colour in ("red", "black"))
    assert (phase_of(match), match.to_act) == ("boarding", (P3,))  # P4 is not asked


def test_example_5_boarding_in_reverse_order() -> None:
    """R28, R29: P3 to violet, P2 to green, and P1's officer finds every other boat full."""
    match = third_phase()
    leave(match)
    assert match.legal(P3) == ["board violet", "board yellow"]
    match.play("board violet", P3)
    assert (match.to_act, match.legal()) == ((P2,), ["board green", "board yellow"])
    match.play("board green", P2)
    assert lost(match) == "R"
    assert drawn(match).split() == (
        CHANGING.replace("4:0  RgvYy.", "4:1  gvYy..").replace("rGgYyy", "rgvYyy").replace("gVvyy~", "GgVyy~").split()
    )
    table = match.view().table
    assert (phase_of(match), table.starter, table.rounds) == ("leak ballot", P2, 2)


def test_example_6_one_captain() -> None:
    """R11, R12, R21: P4 alone played a captain, chooses violet, and P3 loses a sailor, not his officer."""
    match = full_black_boat()
    vote(match, "yellow green captain")
    assert asked(match) == (P4, "green violet yellow")
    assert match.view(P1).table.captains[:4] == (3, 3, 3, 2)  # spent, face up, for all to see
    match.play("choose violet", P4)
    assert (boat_of(match, "black"), lost(match)) == ("GggVy~", "v")
    assert match.view().table.captains[P4] == 2


def test_example_7_two_captains_cancel() -> None:
    """R12, R14, R15: a red and a green card are left, and P1, the start player, cannot choose black."""
    match = match_at(FULL, starter=P1)
    vote(match, "captain captain red green")
    assert asked(match) == (P1, "red green")
    with pytest.raises(IllegalAction, match="'choose black' is not allowed now for seat 0"):
        match.play("choose black", P1)
    match.play("choose green", P1)
    assert boat_of(match, "green") == "ggYy~."
    assert match.view().table.captains[:4] == (2, 2, 3, 3)
    assert votes(match, P1).endswith("captain")
