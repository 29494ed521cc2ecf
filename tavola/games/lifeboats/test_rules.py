"""Tests for each paragraph of RULES.md, written in drawings, unless a worked example or a ruling covers it."""

import pytest

from tavola.core import CHANCE, BadOption, IllegalAction, NotYourTurn
from tavola.core.match import Match
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import COLOURS
from tavola.games.lifeboats.fixtures import (
    FULL,
    boat_of,
    boats_placed,
    drawing_of,
    legal_votes,
    lost_men,
    match_at,
    one_move_from_shore,
    pending_choice,
    phase_of,
    play_first,
    vote,
)
from tavola.show.testing import play, present

# Components: R1 to R4


@pytest.mark.parametrize("players", [2, 7])
def test_three_to_six_play(players: int) -> None:
    """R1."""
    with pytest.raises(BadOption, match="option players: expected a whole number from 3 to 6"):
        Match(GAME, players=players)


@pytest.mark.parametrize(("players", "sailors"), [(3, 5), (4, 5), (5, 4), (6, 4)])
def test_what_is_in_the_box(players: int, sailors: int) -> None:
    """R1 to R4, ruling 11: boats and a black one, two officers, sailors, captains; moves, seats and lanes."""
    match, nobody = play(Match(GAME, players=players), "start 0"), 6 - players
    table = match.view().table
    assert table.unseated == ((2, sailors),) * players + ((0, 0),) * nobody
    assert table.captains == (3,) * players + (0,) * nobody
    assert (table.moves, table.seats) == (3, 6)
    assert match.legal_codes() == [f"lane {lane}" for lane in range(1, 8)]
    assert [line.split()[0] for line in drawing_of(boats_placed(players)).splitlines()] == [*COLOURS[:players], "black"]


def test_seven_colour_cards() -> None:
    """R3: ten cards each, with three captains."""
    assert GAME.actions.verb_by_name["vote"].codes() == [f"vote {colour}" for colour in COLOURS] + ["vote captain"]


@pytest.mark.parametrize(
    ("islands", "expected"),
    [
        ("2-2-3", "left left middle middle right right right"),
        ("2-3-2", "left left middle middle middle right right"),
        ("3-2-2", "left left left middle middle right right"),
    ],
)
def test_each_lane_leads_to_its_island(islands: str, expected: str) -> None:
    """R4, R24, R31: an officer and a sailor make 8 and 6 points on the left island, 6 and 4, or 7 and 5."""
    for lane, island in enumerate(expected.split(), 1):
        match = vote(one_move_from_shore(lane, islands), "red")
        assert match.view().document()["table"]["ashore"][0][island] == {"officer": 2, "sailor": 2}
        assert match.score().points == ({"left": 28, "middle": 20, "right": 24}[island], 0, 0)


# Lot and placing: R5 to R8


def test_the_lot_is_even_among_the_players() -> None:
    """R5: "Il Giocatore Iniziale è determinato a caso"."""
    match = Match(GAME, players=5)
    assert (match.to_act, match.chance_weights()) == ((CHANCE,), {f"start {seat}": 1 for seat in range(5)})


def test_boats_are_placed_clockwise_and_the_start_player_places_the_black_one() -> None:
    """R6, ruling F9: any free space; colours belong to seats, and the left one is the next.

    "In ogni spazio ci può stare soltanto una barca."
    """
    match = play(Match(GAME, players=4), "start 2")
    for seat, lane in ((2, 5), (3, 1), (0, 7), (1, 2)):
        match.play(f"lane {lane}", seat)
    assert (match.to_act, match.legal_codes()) == ((2,), ["lane 3", "lane 4", "lane 6"])
    with pytest.raises(IllegalAction, match="'lane 1' is not allowed now for seat 2: expected lane 3, lane 4, lane 6"):
        match.play("lane 1")
    match.play("lane 4")
    assert [boat.lane for boat in match.view().table.boats] == [7, 2, 5, 1, 0, 0, 4]
    assert not any(boat.row for boat in match.view().table.boats)


def test_men_are_seated_in_turn_until_all_sit() -> None:
    """R7: the start player first, one man a turn, officer or sailor, in any boat with a free seat."""
    match = boats_placed(players=3, start=1)
    boats = ("red", "green", "violet", "black")
    assert match.legal_codes() == [f"crew {rank} {boat}" for rank in ("officer", "sailor") for boat in boats]
    placed = len(match.history)
    play_first(match, "crew")
    assert ([seat for seat, _ in match.history[placed:]], phase_of(match)) == ([1, 2, 0] * 7, "leak ballot")
    assert not any(map(sum, match.view().table.unseated))


def test_a_seat_with_a_man_is_taken() -> None:
    """R7, R8: six men fill a boat; a seat without officers left seats sailors."""
    match = play(boats_placed(players=3), *["crew officer red"] * 6)
    assert match.legal_codes() == [f"crew sailor {boat}" for boat in ("green", "violet", "black")]


def test_a_seat_with_a_leak_is_taken_for_good() -> None:
    """R8, R16, ruling 6: "nessun marinaio o timoniere potrà essere piazzato lì"."""
    match = vote(match_at(FULL), "green", "red")
    assert boat_of(match, "green") == "ggYy~."
    play(match, "leave officer red", "leave officer violet", "leave sailor black", "leave officer green")
    assert match.legal_codes(3) == ["board red", "board violet", "board black"]
    play(match, "board red", "board green", "board green")
    assert (boat_of(match, "green"), match.legal_codes(0)) == ("Gggvy~", ["board violet", "board black"])


# Ballots: R9 to R15


def test_cards_lie_face_down_until_all_are_played() -> None:
    """R9: no seat sees the card, and other views only change by the mark that the seat has voted; in any order.

    "In nessun caso però è consentito riprendere in mano una carta già giocata. I giocatori poi riprendono in mano le
    loro carte."
    """
    match, other = match_at(FULL), match_at(FULL)
    before = legal_votes(match, 0)
    match.play("vote black", 3)
    other.play("vote green", 3)
    assert [match.view(seat) == other.view(seat) for seat in (None, 0, 1, 2, 3)] == [True] * 4 + [False]
    assert match.view(3).document()["hand"] == {"card": "black"}
    assert match.view().document()["table"]["voted"] == ["3"]
    for seat, card, left in ((0, "black", (1, 2)), (2, "red", (1,))):
        match.play(f"vote {card}", seat)
        assert match.to_act == left
    with pytest.raises(NotYourTurn, match="seat 2 has no decision to make now: expected seat 1"):
        match.play("vote green", 2)
    ballot = vote(match, "black").view().document()["table"]["ballot"]
    assert ballot["cards"] == ["black", "black", "red", "black", "none", "none"]
    assert (ballot["kind"], ballot["chosen"], ballot["weights"]) == ("leak", "black", [1, 1, 1, 1, 0, 0])
    assert before == "red green violet yellow black captain"
    assert legal_votes(vote(match_at(FULL), "green"), 0) == before


def test_boats_at_sea_and_captains_may_be_voted_for() -> None:
    """R10, ruling 1: no boat that has arrived or sunk, no colour without a seat; a captain while there is one."""
    drawing = """
        red    1:3  ashore 1
        green  2:1  GGggrr
        violet 3:0  sunk
        black  7:2  VVvrr~
    """
    match = match_at(drawing, captains=(0, 1, 3), ashore={"left": "RR"})
    votable = ["green black", "green black captain", "green black captain"]
    assert [legal_votes(match, seat) for seat in range(3)] == votable


def test_a_tie_below_the_most_is_none() -> None:
    """R15."""
    match = vote(play_first(boats_placed(players=6), "crew"), "red red green green black black")
    assert pending_choice(match) == (0, "red green black")
    match.undo()
    match.play("vote red", 5)
    assert pending_choice(match) is None


# The options, R33


def test_options_say_where_they_come_from() -> None:
    """R33."""
    found = {option.name: (option.provenance, option.write(option.default)) for option in GAME.options.all}
    assert found == {
        "players": ("rulebook", "4"),
        "seats": ("published", "6"),
        "moves": ("published", "3"),
        "islands": ("published", "2-2-3"),
        "last_boat_stays": ("decided", "off"),
    }


@pytest.mark.parametrize("seats", [6, 7, 8])
def test_more_seats_a_boat(seats: int) -> None:
    """R33, R4: the option `seats`."""
    assert "crew sailor red" not in play(boats_placed(3, seats=seats), *["crew sailor red"] * seats).legal_codes()


@pytest.mark.parametrize("moves", [2, 3, 4, 5])
def test_longer_and_shorter_ways(moves: int) -> None:
    """R33, R4: the option `moves`."""
    leaks, more = "~" * min(moves - 1, 2), "~" * max(moves - 3, 0)
    drawing = f"""
        red    1:{moves - 1}  RRrr{leaks}
        green  2:0            {"GGggrr"[: 6 - len(more)]}{more}
        violet 3:0            VVvvvv
        black  4:0            rgggv~
    """
    assert boat_of(vote(match_at(drawing, phase="move ballot", moves=moves), "red"), "red") == "ashore 1"


# Phase 1: R16 to R22


def test_a_boat_full_of_men_and_leaks_is_full() -> None:
    """R17: "perché sono tutti occupati da uomini o falle"."""
    drawing = FULL.replace("GggVvy", "GggVv~").replace("ggYy..", "ggYyy.").replace("black  5:0", "black  5:1")
    assert boat_of(vote(match_at(drawing, starter=1), "black", "violet"), "black") == "GggV~~"


@pytest.mark.parametrize(("colour", "crew", "lost"), [("red", "RrrVy~", "r"), ("violet", "Rrrry~", "V")])
def test_a_sailor_goes_before_the_officer(colour: str, crew: str, lost: str) -> None:
    """R21: "Il timoniere può essere scelto solo se il giocatore non ha più marinai sulla barca"."""
    match = vote(match_at(FULL), "red", colour)
    assert (boat_of(match, "red"), lost_men(match)) == (crew, lost)


SINKING = """
    red    1:3  ashore 1
    green  2:0  gv~~..
    violet 3:0  GGgVV.
    black  7:1  Rrggg.
"""


def test_a_boat_with_more_leaks_than_men_sinks_with_all_aboard() -> None:
    """R22: a boat with as many leaks as men still floats."""
    match = match_at(SINKING, ashore={"left": "Rrrrvv"})
    before = lost_men(match)
    assert boat_of(vote(match, "green"), "green") == "sunk"
    assert sorted(lost_men(match)) == sorted(before + "gv")
    assert (legal_votes(match, 0), match.view().table.boats[1].leaks) == ("violet black captain", 0)


def test_a_boat_sinks_at_the_end_of_a_phase_only() -> None:
    """R22, ruling 12: a boat with one man and two leaks floats until the third phase ends, and can be saved."""
    for boards, fate in (("board green", "Vv~~.."), ("board black", "sunk")):
        match = match_at(SINKING.replace("violet 3:0", "violet 3:1"), phase="leaving", ashore={"left": "Rrrrvv"})
        play(match, "leave officer black", "leave sailor green", "leave officer violet")
        assert boat_of(match, "green") == "v~~..."
        play(match, boards, "board violet", "board violet")
        assert boat_of(match, "green") == fate


# Phase 2: R23 to R25

ARRIVING = """
    red    1:2  RRrr~.
    green  2:0  GGggrr
    violet 3:3  ashore 1
    black  6:2  rgVv~.
"""


def test_boats_arrive_in_order_and_their_crews_go_ashore() -> None:
    """R24: leaks leave with the boat. "La prima barca sul numero 1, la seconda sul 2 e così via"."""
    match = vote(match_at(ARRIVING, phase="move ballot", ashore={"middle": "Vvvvgg"}), "red red black")
    table = match.view().table
    assert (boat_of(match, "red"), table.ashore[0]) == ("ashore 2", ((2, 2), (0, 0), (0, 0)))
    assert (table.boats[0].leaks, table.arrived, phase_of(match)) == (0, 2, "leaving")
    assert "leave officer red" not in match.legal_codes()
    vote(play_first(match, "leaving", "boarding"), "black", "black")
    assert [boat_of(match, colour) for colour in ("violet", "red", "black")] == ["ashore 1", "ashore 2", "ashore 3"]


def test_no_boat_ever_changes_its_lane() -> None:
    """R25: no action changes it, and no lane moves in a whole match."""
    match = Match(GAME, players=4, seed=3)
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


def test_each_seat_leaves_a_boat_clockwise_and_boards_another_in_reverse_order() -> None:
    """R26, R28, ruling F11: any man, from any boat that no man has left, and never back to the same boat.

    A boat that another man has left can be boarded: two men can swap boats.
    """
    match = match_at(AFLOAT, phase="leaving", starter=1)
    assert match.legal_codes(1) == ["leave officer green", "leave sailor green", "leave sailor black"]
    for seat, code in ((1, "leave sailor green"), (2, "leave sailor violet"), (0, "leave sailor black")):
        match.play(code, seat)
    assert boat_of(match, "violet") == "VVv..."
    for seat, boats, chosen in ((0, "red green violet", "green"), (2, "red green black", "green")):
        assert (match.to_act, match.legal_codes()) == ((seat,), [f"board {boat}" for boat in boats.split()])
        match.play(f"board {chosen}")
    assert (match.to_act, match.legal_codes()) == ((1,), ["board red", "board violet", "board black"])
    match.play("board black")
    after = AFLOAT.replace("GGgg~.", "rGGgv~").replace("VVvv..", "VVv...").replace("rrrgv~", "rrggv~")
    assert drawing_of(match).split() == after.split()


# The end: R30 to R33

LAST = """
    red    1:3  ashore 1
    green  2:3  ashore 2
    violet 3:1  sunk
    black  7:2  gV~...
"""


def test_the_match_is_over_when_no_boat_is_at_sea() -> None:
    """R30: at once when every boat has arrived or sunk."""
    match = match_at(LAST, phase="move ballot", ashore={"left": "RRrrrGGggg"})
    assert match.result() is None
    vote(match, "black")
    assert (match.over, match.to_act, phase_of(match)) == (True, (), "over")
    result = present(match.result())
    assert (result.points, result.winners) == ((34, 39, 7), (1,))


@pytest.mark.parametrize(
    ("fates", "ashore", "points", "ranks"),
    [
        pytest.param(("ashore 2", "ashore 1", "ashore 3"), {"left": "rrggvv"}, (12, 12, 12), (2, 1, 3), id="first"),
        pytest.param(("sunk", "sunk", "ashore 1"), {"middle": "rgv"}, (4, 4, 4), (2, 2, 1), id="before a sunk one"),
        pytest.param(("sunk", "sunk", "ashore 1"), {"middle": "rrggv"}, (8, 8, 4), (1, 1, 3), id="all sank"),
        pytest.param(
            ("ashore 2", "sunk", "sunk", "ashore 1"), {"left": "rgvyyy"}, (6, 6, 6, 18), (2, 3, 3, 1), id="second"
        ),
    ],
)
def test_a_tie_goes_to_the_own_boat_that_arrived_first(
    fates: tuple[str, ...], ashore: dict[str, str], points: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    """R32, ruling F7: an arrived boat ranks above a sunk one; if both sank, "allora vincono tutti a pari merito"."""
    rows = [f"{COLOURS[k]} {k + 1}:{3 if fate != 'sunk' else 2} {fate}" for k, fate in enumerate(fates)]
    standing = match_at("\n".join([*rows, "black 5:0 R....."]), ashore=ashore).score()
    assert (standing.points, standing.ranks) == (points, ranks)
    assert standing.winners == tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
