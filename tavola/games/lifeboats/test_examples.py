"""The seven worked examples of the rulebook, step by step as told. P1 is red, P2 green, P3 violet, P4 yellow.

The rulebook's pictures are lost: the boats around each story are drawn so that everything it tells is true. To the log
the players are Ada, Bruno, Carla and Dario.
"""

import pytest

from tavola.core import IllegalAction, Match, NotYourTurn
from tavola.games.lifeboats.fixtures import (
    FULL,
    boat_of,
    drawing_of,
    legal_votes,
    lost_men,
    match_at,
    pending_choice,
    phase_of,
    vote,
)
from tavola.show.testing import english_say, events_after, refusal_text, views

P1, P2, P3, P4 = range(4)


def prompts(match: Match) -> list[str]:
    """Return what each seat is asked, and a spectator told."""
    return [view.game.words.prompt(view, english_say(view.game)) for view in views(match)]


def full_black_boat() -> Match:
    """Example 2 begins: the black boat, full, was voted to take a leak; P1 is the start player and not aboard."""
    match = match_at(FULL, starter=P1)
    full = events_after(match, "0 vote black", "1 vote black", "2 vote black", "3 vote black")
    assert full[-1] == "The black boat is full: Bruno, Carla and Dario vote who goes overboard. Officers count twice."
    return match


def test_example_1_the_majority() -> None:
    """R9, R14, R16: black, green, red, green: the green boat takes a leak on one of its two free seats."""
    match = match_at(FULL, starter=P1)
    assert "r" not in boat_of(match, "black").lower()  # "lui è proprio l'unico a non avere uomini su quella barca"
    assert boat_of(match, "green") == "ggYy.."
    assert events_after(match, "0 vote black", "1 vote green", "2 vote red") == []
    assert match.view(P4).document()["table"]["ballot"]["kind"] == "none"
    assert prompts(match)[P4] == "Play a card face down. Which boat takes the leak?"
    assert prompts(match)[P1] == prompts(match)[-1] == "Waiting for Dario to vote. Which boat takes the leak?"
    assert events_after(match, "3 vote green") == [
        "The cards are revealed: Ada votes black, Bruno votes green, Carla votes red and Dario votes green.",
        "The count: green 2, red 1 and black 1.",
        "The green boat takes a leak (men 4, leaks 1).",
    ]
    assert boat_of(match, "green") == "ggYy~."
    assert drawing_of(match).replace("~", ".") == drawing_of(match_at(FULL))
    assert phase_of(match) == "move ballot"


def test_example_2_the_start_player_breaks_a_tie_between_two_men() -> None:
    """R15, R17 to R21: four votes against yellow, three and one against green; P1 forgets his promise."""
    match = full_black_boat()
    assert (boat_of(match, "black"), match.to_act) == ("GggVvy", (P2, P3, P4))
    with pytest.raises(NotYourTurn):
        match.play("vote green", P1)
    assert refusal_text(match, P1, "vote green") == "Only those with a man aboard the black boat vote (R18)."
    assert events_after(match, "1 vote yellow", "2 vote green", "3 vote green") == [
        "The cards are revealed: Bruno votes yellow (4 votes), Carla votes green (3 votes) and Dario votes green.",
        "The count: green 4 and yellow 4.",
        "A tie between green and yellow: Ada, the start player, must choose.",
    ]
    assert match.view().table.ballot.weights == (0, 4, 3, 1, 0, 0)
    assert prompts(match)[P1] == "The votes are tied: you decide, as the start player. Who goes overboard?"
    assert refusal_text(match, P1, "choose violet") == "Only the tied may be chosen: green and yellow (R15)."
    assert pending_choice(match) == (P1, "green yellow")
    for colour in ("violet", "red", "black"):
        with pytest.raises(IllegalAction):
            match.play(f"choose {colour}", P1)
    assert events_after(match, "0 choose yellow") == [
        "Ada chooses yellow.",
        "Dario loses a sailor overboard; the leak takes his seat aboard the black boat (men 5, leaks 1).",
    ]
    assert (boat_of(match, "black"), lost_men(match)) == ("GggVv~", "y")


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
    assert pending_choice(match) == (P1, "violet yellow")
    for colour in ("red", "green", "black"):
        with pytest.raises(IllegalAction):
            match.play(f"choose {colour}", P1)
    assert events_after(match, "0 choose yellow") == [
        "Ada chooses the yellow boat for the move.",
        "The yellow boat moves: 2 moves to go.",
    ]
    assert drawing_of(match).split() == CHANGING.replace("4:0", "4:1").split()


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
    assert events_after(match, "0 leave officer yellow") == ["Ada takes an officer out: he leaves the yellow boat."]
    assert (match.to_act, "leave officer violet" in match.legal_codes()) == ((P2,), True)
    with pytest.raises(IllegalAction):
        match.play("leave sailor yellow", P2)
    assert refusal_text(match, P2, "leave sailor yellow") == (
        "The yellow boat was left by a man of Ada; only one may leave it (R27)."
    )
    match.play("leave officer violet", P2)
    assert [code.removeprefix("leave ") for code in match.legal_codes(P3)] == [
        "officer green",
        "officer black",
        "sailor red",
        "sailor green",
        "sailor black",
    ]
    assert events_after(match, "2 leave sailor green") == [
        "Carla takes a sailor out: he leaves the green boat.",
        "Dario has nobody who may leave: a man has already left each of their boats.",
    ]
    assert prompts(match)[P3] == "Your man has left the green boat: choose another boat for him."
    assert match.view().document()["table"]["behind"][:4] == ["yellow", "violet", "green", "none"]
    assert all("y" not in boat_of(match, colour).lower() for colour in ("red", "black"))
    assert (phase_of(match), match.to_act) == ("boarding", (P3,))  # P4 is not asked


def test_example_5_boarding_in_reverse_order() -> None:
    """R28, R29: P3 to violet, P2 to green, and P1's officer finds every other boat full."""
    match = third_phase()
    leave(match)
    assert match.legal_codes(P3) == ["board violet", "board yellow"]
    assert events_after(match, "2 board violet") == ["Carla brings a sailor aboard the violet boat."]
    assert (match.to_act, match.legal_codes()) == ((P2,), ["board green", "board yellow"])
    assert events_after(match, "1 board green") == [
        "Bruno brings an officer aboard the green boat.",
        "No other boat has a free seat: Ada loses an officer.",
        "Round 2 begins: Bruno is the start player.",
    ]
    assert lost_men(match) == "R"
    assert drawing_of(match).split() == (
        CHANGING.replace("4:0  RgvYy.", "4:1  gvYy..").replace("rGgYyy", "rgvYyy").replace("gVvyy~", "GgVyy~").split()
    )
    table = match.view().table
    assert (phase_of(match), table.starter, table.rounds) == ("leak ballot", P2, 2)


def test_example_6_one_captain() -> None:
    """R11, R12, R21: P4 alone played a captain, chooses violet, and P3 loses a sailor, not his officer."""
    match = full_black_boat()
    assert events_after(match, "1 vote yellow", "2 vote green", "3 vote captain")[1:] == [
        "Only Dario played a captain, decides alone, and has 2 captains left."
    ]
    assert prompts(match)[P4] == "Your captain decides. Who goes overboard?"
    assert prompts(match)[P1] == "The captain of Dario decides. Who goes overboard?"
    assert pending_choice(match) == (P4, "green violet yellow")
    assert match.view(P1).table.captains[:4] == (3, 3, 3, 2)  # spent, face up, for all to see
    assert events_after(match, "3 choose violet")[0] == "Dario chooses violet."
    assert (boat_of(match, "black"), lost_men(match)) == ("GggVy~", "v")
    assert match.view().table.captains[P4] == 2


def test_example_7_two_captains_cancel() -> None:
    """R12, R14, R15: a red and a green card are left, and P1, the start player, cannot choose black."""
    match = match_at(FULL, starter=P1)
    assert events_after(match, "0 vote captain", "1 vote captain", "2 vote red", "3 vote green") == [
        "The cards are revealed: Ada plays a captain, Bruno plays a captain, Carla votes red and Dario votes green.",
        "The captains of Ada and Bruno cancel each other and are spent.",
        "The count: red 1 and green 1.",
        "A tie between red and green: Ada, the start player, must choose.",
    ]
    assert refusal_text(match, P1, "choose black") == "Only the tied may be chosen: red and green (R15)."
    assert pending_choice(match) == (P1, "red green")
    with pytest.raises(IllegalAction, match="'choose black' is not allowed now for seat 0"):
        match.play("choose black", P1)
    match.play("choose green", P1)
    assert boat_of(match, "green") == "ggYy~."
    assert match.view().table.captains[:4] == (2, 2, 3, 3)
    assert legal_votes(match, P1).endswith("captain")


def test_nothing_but_captains() -> None:
    """R13, in words."""
    match = match_at(FULL, starter=P1)
    assert events_after(match, "0 vote captain", "1 vote captain", "2 vote captain", "3 vote captain")[1:] == [
        "Every card is a captain, all are spent: Ada, the start player, decides."
    ]
    assert prompts(match)[P1] == "All played captains: you decide, as the start player. Which boat takes the leak?"
