"""The three phases of a round, the end and the score: one test or more for each of R16 to R32 of RULES.md."""

import pytest

from tavola.core import IllegalAction, NotYourTurn
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.fixtures import (
    FULL,
    boat_of,
    change_nothing,
    drawing_of,
    legal_votes,
    lost_men,
    match_at,
    one_move_from_shore,
    pending_choice,
    phase_of,
    vote,
)

# Phase 1: R16 to R22


def test_a_boat_with_a_free_seat_takes_the_leak() -> None:
    """R16."""
    match = match_at(FULL)
    vote(match, "green green green green")
    assert drawing_of(match).split() == FULL.replace("ggYy..", "ggYy~.").split()
    assert phase_of(match) == "move ballot"


def test_a_full_boat_first_loses_a_man() -> None:
    """R17: "allora i giocatori che hanno almeno un uomo sulla barca devono decidere, votando"."""
    match = match_at(FULL)
    vote(match, "black black black black")
    assert phase_of(match) == "overboard ballot"
    assert boat_of(match, "black") == "GggVvy"
    vote(match, "violet violet green")
    assert boat_of(match, "black") == "GggVy~"
    assert lost_men(match) == "v"


def test_a_boat_full_of_men_and_leaks_is_full() -> None:
    """R17: "perché sono tutti occupati da uomini o falle"."""
    drawing = FULL.replace("GggVvy", "GggVv~").replace("ggYy..", "ggYyy.").replace("black  5:0", "black  5:1")
    match = match_at(drawing, starter=1)
    vote(match, "black black black black")
    assert phase_of(match) == "overboard ballot"
    vote(match, "violet violet")
    assert boat_of(match, "black") == "GggV~~"


def test_only_those_aboard_vote() -> None:
    """R18."""
    match = match_at(FULL)
    vote(match, "black black black black")
    assert match.to_act == (1, 2, 3)
    with pytest.raises(NotYourTurn):
        match.play("vote green", 0)


def test_an_officer_has_two_votes_and_a_sailor_one() -> None:
    """R19: four against three and one, as in example 2."""
    match = match_at(FULL)
    vote(match, "black black black black")
    vote(match, "yellow green green")
    assert match.view().table.ballot.weights == (0, 4, 3, 1, 0, 0)
    assert pending_choice(match) == (0, "green yellow")


def test_one_officer_outvotes_a_sailor() -> None:
    """R19: elsewhere everybody has one vote."""
    match = match_at(FULL)
    vote(match, "yellow yellow yellow yellow")
    vote(match, "green green green red")  # r r, g and v, against Y y: 2 + 1 + 1 against 3
    assert match.view().table.ballot.weights == (2, 1, 1, 3, 0, 0)
    assert boat_of(match, "yellow") == "rrvYy~"


def test_colours_aboard_may_go_overboard_the_own_too() -> None:
    """R20."""
    match = match_at(FULL)
    vote(match, "black black black black")
    assert legal_votes(match, 1) == "green violet yellow captain"
    vote(match, "green green green")
    assert boat_of(match, "black") == "GgVvy~"


def test_a_sailor_goes_before_his_officer() -> None:
    """R21: "Il timoniere può essere scelto solo se il giocatore non ha più marinai sulla barca"."""
    match = match_at(FULL)
    vote(match, "red red red red")
    vote(match, "red red red")
    assert (boat_of(match, "red"), lost_men(match)) == ("RrrVy~", "r")
    match = match_at(FULL)
    vote(match, "red red red red")
    vote(match, "violet violet violet")
    assert (boat_of(match, "red"), lost_men(match)) == ("Rrrry~", "V")


SINKING = """
    red    1:3  ashore 1
    green  2:0  gv~~..
    violet 3:0  GGgVV.
    black  7:1  Rrggg.
"""


def test_a_boat_with_more_leaks_than_men_sinks_with_all_aboard() -> None:
    """R22: as many leaks as men still float."""
    match = match_at(SINKING, ashore={"left": "Rrrrvv"})
    before = lost_men(match)
    vote(match, "green green green")
    assert boat_of(match, "green") == "sunk"
    assert sorted(lost_men(match)) == sorted(before + "gv")
    assert legal_votes(match, 0) == "violet black captain"
    assert match.view().table.boats[1].leaks == 0


def test_a_boat_sinks_at_the_end_of_a_phase_only() -> None:
    """R22, ruling 12: one man above two leaks floats until the third phase ends, and may be saved."""
    drawing = SINKING.replace("violet 3:0", "violet 3:1")
    for boards, fate in (("board green", "Vv~~.."), ("board black", "sunk")):
        match = match_at(drawing, phase="leaving", ashore={"left": "Rrrrvv"})
        match.play("leave officer black", 0)
        match.play("leave sailor green", 1)
        match.play("leave officer violet", 2)
        assert boat_of(match, "green") == "v~~..."
        match.play(boards, 2)
        match.play("board violet", 1)
        match.play("board violet", 0)
        assert boat_of(match, "green") == fate


# Phase 2: R23 to R25


def test_the_chosen_boat_moves_one_row() -> None:
    """R23, R25: in its own lane."""
    match = match_at(FULL)
    vote(match, "green green green green")
    vote(match, "violet violet red violet")
    assert drawing_of(match).split() == FULL.replace("3:0", "3:1").replace("ggYy..", "ggYy~.").split()


ARRIVING = """
    red    1:2  RRrr~.
    green  2:0  GGggrr
    violet 3:3  ashore 1
    black  6:2  rgVv~.
"""


def test_a_boat_arrives_and_its_crew_goes_ashore() -> None:
    """R24: the first free number of arrival; leaks leave with the boat."""
    match = match_at(ARRIVING, phase="move ballot", ashore={"middle": "Vvvvgg"})
    vote(match, "red red black")
    table = match.view().table
    assert boat_of(match, "red") == "ashore 2"
    assert table.ashore[0] == ((2, 2), (0, 0), (0, 0))
    assert (table.boats[0].leaks, table.arrived, phase_of(match)) == (0, 2, "leaving")
    assert "leave officer red" not in match.legal_codes()


def test_boats_arrive_in_order() -> None:
    """R24: "La prima barca sul numero 1, la seconda sul 2 e così via"."""
    match = match_at(ARRIVING, phase="move ballot", ashore={"middle": "Vvvvgg"})
    vote(match, "black black black")
    change_nothing(match)
    vote(match, "red red red")
    vote(match, "red red red")
    assert [boat_of(match, colour) for colour in ("violet", "black", "red")] == ["ashore 1", "ashore 2", "ashore 3"]


def test_no_boat_ever_changes_its_lane() -> None:
    """R25: there is no action for it, and no lane moves in a whole match."""
    match = GAME.match(players=4, seed=3)
    lanes: dict[int, int] = {}
    while not match.over:
        match.play(match.legal_codes(match.to_act[0])[-1], match.to_act[0])
        for place, boat in enumerate(match.view().table.boats):
            assert not boat.lane or lanes.setdefault(place, boat.lane) == boat.lane


# Phase 3: R26 to R29

AFLOAT = """
    red    1:1  RRrr~.
    green  2:0  GGgg~.
    violet 3:0  VVvv..
    black  4:2  rrrgv~
"""


def test_who_can_must_leave_a_boat_from_the_start_player_clockwise() -> None:
    """R26: any own man, any rank, from any boat that nobody has left."""
    match = match_at(AFLOAT, phase="leaving", starter=1)
    assert match.to_act == (1,)
    assert match.legal_codes() == ["leave officer green", "leave sailor green", "leave sailor black"]
    match.play("leave sailor black")
    assert match.to_act == (2,)
    match.play("leave officer violet")
    assert match.to_act == (0,)
    assert boat_of(match, "violet") == "Vvv..."


def test_who_cannot_leave_is_passed_over() -> None:
    """R26, R27: "Può succedere che un giocatore non possa rimuovere alcuna pedina"."""
    drawing = """
        red    1:1  RrrrG.
        green  2:0  GgggVV
        violet 3:0  sunk
        black  4:2  rrgg~.
    """
    match = match_at(drawing, phase="leaving")
    match.play("leave officer red", 0)
    match.play("leave officer green", 1)
    assert (phase_of(match), match.to_act) == ("boarding", (1,))
    assert match.view().document()["table"]["behind"] == ["red", "green", "none", "none", "none", "none"]


def test_each_boat_is_left_by_one_man_at_most() -> None:
    """R27: "solo una pedina per ogni barca può essere rimossa"."""
    match = match_at(AFLOAT, phase="leaving")
    match.play("leave sailor black")
    assert match.legal_codes(1) == ["leave officer green", "leave sailor green"]
    with pytest.raises(IllegalAction):
        match.play("leave sailor black", 1)


def test_they_board_another_boat_in_reverse_order() -> None:
    """R28, ruling F11: never the boat that was left, but one that another has left; two men may swap boats."""
    match = match_at(AFLOAT, phase="leaving", starter=1)
    for seat, code in ((1, "leave sailor green"), (2, "leave sailor violet"), (0, "leave sailor black")):
        match.play(code, seat)
    assert (match.to_act, match.legal_codes()) == ((0,), ["board red", "board green", "board violet"])
    match.play("board green")
    assert (match.to_act, match.legal_codes()) == ((2,), ["board red", "board green", "board black"])
    match.play("board green")
    assert (match.to_act, match.legal_codes()) == ((1,), ["board red", "board violet", "board black"])
    match.play("board black")
    assert (
        drawing_of(match).split()
        == AFLOAT.replace("GGgg~.", "rGGgv~").replace("VVvv..", "VVv...").replace("rrrgv~", "rrggv~").split()
    )


def test_a_man_without_a_seat_elsewhere_is_lost() -> None:
    """R29: "Se non ci sono posti liberi in nessuna delle altre scialuppe, allora la pedina viene rimossa dal gioco"."""
    drawing = """
        red    1:3  ashore 1
        green  2:2  sunk
        violet 3:1  RrG...
        black  4:2  sunk
    """
    match = match_at(drawing, phase="leaving", starter=1, ashore={"left": "Rrrrr"})
    before = lost_men(match)
    match.play("leave officer violet", 1)
    assert sorted(lost_men(match)) == sorted(before + "G")
    assert boat_of(match, "violet") == "Rr...."
    assert phase_of(match) == "leak ballot"


# The end: R30 to R33


def test_the_marker_passes_clockwise_after_the_third_phase() -> None:
    """R34, R35: after the three phases it goes to the left, and a new round begins."""
    match = match_at(AFLOAT, phase="leaving", starter=2)
    rounds = match.view().table.rounds
    change_nothing(match)
    table = match.view().table
    assert (table.starter, table.rounds, phase_of(match)) == (0, rounds + 1, "leak ballot")


LAST = """
    red    1:3  ashore 1
    green  2:3  ashore 2
    violet 3:1  sunk
    black  7:2  gV~...
"""


def test_the_match_is_over_when_no_boat_is_at_sea() -> None:
    """R30: when every boat has arrived or sunk, at once."""
    match = match_at(LAST, phase="move ballot", ashore={"left": "RRrrrGGggg"})
    assert match.result() is None
    vote(match, "black black black")
    assert match.over
    assert (match.to_act, phase_of(match)) == ((), "over")
    result = match.result()
    assert result is not None
    assert (result.points, result.winners) == ((34, 39, 7), (1,))


@pytest.mark.parametrize(
    ("lane", "officer", "sailor"), [(1, 8, 6), (2, 8, 6), (3, 6, 4), (4, 6, 4), (5, 7, 5), (6, 7, 5), (7, 7, 5)]
)
def test_points_by_island_and_rank(lane: int, officer: int, sailor: int) -> None:
    """R31: left 6 and 8, middle 4 and 6, right 5 and 7 for a sailor and an officer."""
    match = one_move_from_shore(lane, "2-2-3")
    vote(match, "red red red")
    assert match.score().points == (2 * officer + 2 * sailor, 0, 0)


def test_the_own_boat_that_arrived_first_breaks_a_tie() -> None:
    """R32."""
    drawing = """
        red    1:3  ashore 2
        green  2:3  ashore 1
        violet 3:3  ashore 3
        black  5:0  R.....
    """
    standing = match_at(drawing, ashore={"left": "rrggvv"}).score()
    assert (standing.points, standing.ranks) == ((12, 12, 12), (2, 1, 3))


def test_an_arrived_boat_is_before_a_sunk_one() -> None:
    """R32."""
    drawing = """
        red    1:2  sunk
        green  2:2  sunk
        violet 3:3  ashore 1
        black  5:0  R.....
    """
    standing = match_at(drawing, ashore={"middle": "rgv"}).score()
    assert (standing.points, standing.ranks) == ((4, 4, 4), (2, 2, 1))


def test_if_all_the_tied_boats_sank_all_win() -> None:
    """R32: "allora vincono tutti a pari merito"."""
    drawing = """
        red    1:2  sunk
        green  2:2  sunk
        violet 3:3  ashore 1
        black  5:0  R.....
    """
    standing = match_at(drawing, ashore={"middle": "rrggv"}).score()
    assert (standing.points, standing.ranks, standing.winners) == ((8, 8, 4), (1, 1, 3), (0, 1))
