"""One test for each paragraph of RULES.md and for each ruling it lists."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tavola.core import CHANCE, BadOption, IllegalAction, Match, NotYourTurn, kernels
from tavola.core import RULES as SETS
from tavola.core.view import Buffers
from tavola.games.voyage import chart, components
from tavola.games.voyage.components import CELL_COUNT, CELLS, COAST, FOG, SEA, START
from tavola.games.voyage.fixtures import (
    FULL_TOUR,
    GAME,
    ISLANDS,
    SIX,
    TRIO,
    cell_names,
    cells,
    decide,
    first_turn,
    offer,
    sail,
    ship_cell,
    vote,
)
from tavola.show.testing import present, views

RULES = Path(__file__).with_name("RULES.md").read_text(encoding="utf-8")


# Components


def test_three_to_seven_play():
    """R1."""
    assert GAME.players == (3, 7)
    for players in (2, 8):
        with pytest.raises(BadOption, match="players"):
            Match(GAME, players=players)


def test_the_map_has_63_tiles_of_which_the_start_lies_open():
    """R2, ruling 2."""
    sizes = [mask.bit_count() for mask in (SEA, FOG, COAST, START)]
    assert sizes == [47, 9, 6, 1]
    assert (components.WIDTH, components.HEIGHT, sum(sizes)) == (9, 7, CELL_COUNT)
    assert components.TILES.tolist() == [[37, 5, 5, 0], [4, 1, 1, 3]]
    assert cell_names(Match(GAME).view().table.explored) == "h2"


def test_the_chart_in_the_rules_is_the_chart_that_is_played():
    """R3, ruling 1, F1: fog in the south-west corner, the coast around the start in the north-east."""
    assert re.findall(r"^ +[1-7] ((?:\S ){8}\S)", RULES, re.MULTILINE) == components.CHART.split("\n")[1:-1]
    assert (cell_names(FOG), cell_names(COAST)) == ("a5 b5 c5 a6 b6 c6 a7 b7 c7", "f1 g1 h1 i1 i2 i3")
    assert cell_names(components.CHART_CROSSES) == "d2 a3 h4 e5 i7"
    assert cell_names(components.CHART_ISLANDS & ~components.CHART_CROSSES) == "b1 f3 c4 g6 d7"


def test_on_the_recommended_layout_sea_and_coast_are_turned_without_chance():
    """R3, R16, F1."""
    match = sail(first_turn(), "esws")
    assert (ship_cell(match), cell_names(match.view().table.crosses)) == ("h4", "h4")
    assert [seat for seat, _ in match.history].count(CHANCE) == 3, "three roles, and no tile"


def test_the_random_layout_deals_ten_islands_that_do_not_touch():
    """R4, F3, ruling 7: each uniform among the cells of the sea that are still free."""
    match = Match(GAME, layout="random", first_captain=0)
    for laid, cell in enumerate(ISLANDS.split()):
        taken = cells(" ".join(ISLANDS.split()[:laid]))
        free = [c for c in range(CELL_COUNT) if SEA >> c & 1 and not int(components.BESIDE[c]) & taken]
        assert match.chance_weights() == {f"island {CELLS[c]}": 1 for c in free}
        match.play(f"island {cell}", CHANCE)
    assert match.chance_weights()["role admiral"] == 2


def test_the_random_layout_never_gets_stuck():
    """R4, F3: nine islands and their neighbours are 45 cells at most, and the sea has 47."""
    assert max(int(beside).bit_count() for beside in components.BESIDE) == 5
    assert SEA.bit_count() > 9 * 5


def test_islands_of_the_random_layout_are_in_nobodys_view():
    """R4, R16, F3: chance acts for every unknown tile, so the seat to act reveals nothing."""
    island, none = first_turn(islands=ISLANDS), first_turn(islands=ISLANDS.replace("g4", "h3"))
    for match in (island, none):
        offer(sail(match, "es"), "west", "south")
    assert views(island) == views(none)
    assert vote(island).view() == vote(none).view(), "before the tile is turned"
    assert island.to_act == none.to_act == (CHANCE,)
    assert (island.chance_weights(), none.chance_weights()) == ({"tile open": 1}, {"tile cross": 5, "tile plain": 5})
    none.play("tile cross", CHANCE)
    assert none.view().table.piles[0] == (37, 4, 5, 0)


def test_an_island_in_the_fog_may_lie_beside_one_at_sea():
    """R4: the fog is shuffled blind."""
    match = sail(first_turn(), "swwwww")
    assert ship_cell(match) == "c3"
    table = sail(match, "ss", "cross").view().table
    assert cell_names(table.crosses | table.plains) == "f3 c4 c5"


def test_the_fog_is_a_pile_of_counts():
    """R5, R16, F2: tiles are drawn from those left, and their counts are public."""
    match = decide(sail(first_turn(), "swwwwws"), "south")
    assert match.chance_weights() == {"tile open": 4, "tile cross": 1, "tile plain": 1, "tile avalon": 3}
    match.play("tile cross", CHANCE)
    assert match.view().table.piles[1] == (4, 0, 1, 3)
    assert decide(match, "south").chance_weights() == {"tile open": 4, "tile plain": 1, "tile avalon": 3}


def test_two_of_each_role_are_dealt_one_to_each_seat():
    """R6, F4: the rest are in no view."""
    match, left = Match(GAME, players=3, first_captain=0, rules="letter"), dict.fromkeys(SIX, 2)
    for role in ("traitor", "traitor", "sailor"):
        assert match.chance_weights() == {f"role {role}": count for role, count in left.items() if count}
        match.play(f"role {role}", CHANCE)
        left[role] -= 1
    assert [match.view(seat).hand.role for seat in range(3)] == [4, 4, 6]
    other = first_turn("traitor", "traitor", "explorer")
    assert (match.view(0), match.view()) == (other.view(0), other.view())
    assert match.document()["box"]["roles"]["traitor"] == 0


def test_the_first_captain_is_drawn_or_agreed_on():
    """R7."""
    match = Match(GAME, players=5)
    assert match.chance_weights() == {f"captain {seat}": 1 for seat in range(5)}
    for code in ("captain 3", *(f"role {role}" for role in SIX[:5])):
        match.play(code, CHANCE)
    assert match.to_act == (3,)
    assert first_turn(captain=2).to_act == (2,)
    expected = "option first_captain: expected random or 0 or 1 or 2 with 3 players, found '3'"
    with pytest.raises(BadOption, match=expected):
        Match(GAME, players=3, first_captain=3)


# A turn


def test_the_captain_lays_two_different_courses_one_of_them_in_secret():
    """R8, ruling 6, F7: one action for both."""
    match = first_turn()
    assert len(match.legal_codes()) == 12
    with pytest.raises(IllegalAction):
        match.play("courses north north")
    twin = first_turn()
    match.play("courses west south")
    twin.play("courses west east")
    assert match.document()["turns"][0]["preferred"] == "west"
    assert [one == other for one, other in zip(views(match), views(twin), strict=True)] == [False, True, True, True]
    assert (match.view(0).hand.alternatives[0], match.view(1).hand.alternatives) == (3, (0,) * 20)


def test_the_rulebooks_example_of_the_courses():
    """R9, ruling 3, 4: exactly as printed; coast, face down, may be reached, and left again, but not crossed."""
    match = first_turn()
    assert [ship_cell(sail(match, course)) for course in "esw"] == ["i2", "i3", "h3"]
    turn = match.view().table.turns[3]
    assert (turn.courses, turn.losing) == (0b1101, 0), "behind the coast in the east lies the edge: no lost route"
    with pytest.raises(IllegalAction):
        match.play("courses east north")
    for course, cell in (("w", "g3"), ("s", "h4"), ("n", "h1")):
        assert ship_cell(sail(first_turn(), "esw" + course)) == cell


def test_courses_that_lose_the_route_may_be_laid_both_of_them_too():
    """R10, F7."""
    match = sail(first_turn(), "ewne")
    assert (ship_cell(match), match.view().table.turns[4].losing) == ("h1", 0b0001)
    assert {"courses north east", "courses east north", "courses south north"} <= {*match.legal_codes()}
    assert ship_cell(sail(match, "e")) == "i1"
    assert match.legal_codes() == ["courses north east", "courses east north"], "both lose, nothing else may be laid"


def test_a_safe_course_forbids_two_that_lose_the_route():
    """R10, F7: if any course keeps it."""
    free, safe = (sail(first_turn(safe_course=on), "ssssse") for on in ("off", "on"))
    assert ship_cell(safe) == "i7"
    assert {"courses east south", "courses south east"} == {*free.legal_codes()} - {*safe.legal_codes()}
    assert "courses east north" in safe.legal_codes()
    assert len(sail(first_turn(safe_course="on"), "ewnee").legal_codes()) == 2, "no course keeps the route: any two"


NARROWS = """
from tavola.games.voyage import chart
from tavola.games.voyage.fixtures import cells, first_turn, sail
for coast in map(cells, ("b3 c2 c4", "b3 c2 c4 d3")):
    match = sail(first_turn(captaincy="alternative"), "swwww")
    chart.COAST = coast
    match._states["table"]["explored"] |= coast
    sail(match, "w")
    t = match.view().table
    print(t.ship, t.turn, t.phase, t.captain, t.ending)
    print(tuple(t.turns[6]))
"""
"""What the table shows after the ship reached c3 between tiles of coast, from d3, which is coast the second time.

The map has no such coast, so the script changes the coast and runs uncompiled in a process of its own.
"""


def test_on_this_map_two_courses_can_always_be_laid():
    """R11, ruling 5, F6: from any cell, with any coast explored."""
    for cell in range(CELL_COUNT):
        ends = [chart.destination(COAST | START | 1 << cell, cell, course) for course in range(4)]
        assert sum(end != chart.BARRED for end in ends) >= 2


def test_majority_and_ties():
    """R13: the majority, or the captain's own vote."""
    won = {"wwb": "west", "wbb": "south", "bbb": "south", "www": "west"}
    tied = {"wwbb": "south", "bbww": "west", "wbwb": "west", "bwbw": "south"}
    for votes, sailed in {**won, **tied}.items():
        match = decide(first_turn(*SIX[: len(votes)], captain=2), "west", "south", votes)
        assert match.document()["turns"][0]["sailed"] == sailed, f"captain 2 in {votes}"


def test_a_ballot_is_secret_until_all_have_voted():
    """R12, F9: that a seat has voted is public, its card is not; a vote cannot be taken back; the cards return."""
    white, black = first_turn(), first_turn()
    for match, card in ((white, "white"), (black, "black")):
        offer(match, "west", "south")
        assert ([*match.to_act], match.legal_codes(1)) == ([0, 1, 2], ["vote white", "vote black"])
        match.play(f"vote {card}", 1)
        assert match.to_act == (0, 2)
        with pytest.raises(NotYourTurn):
            match.play("vote white", 1)
    assert white.document()["voted"] == ["1"]
    assert [one == other for one, other in zip(views(white), views(black), strict=True)] == [True, False, True, True]
    for seat in (2, 0):
        black.play("vote white", seat)
    assert black.view().table.turns[0].black == 0b010
    assert all(black.view(seat).hand.card == 0 for seat in range(3))


def test_the_ship_runs_over_explored_tiles_to_the_first_unexplored_one():
    """R14, F5: the start is passed too."""
    match = sail(first_turn(), "wwe")
    assert [turn["reached"] for turn in match.document()["turns"][:5]] == ["g2", "f2", "i2", "nowhere", "nowhere"]


def test_a_lost_route_leaves_ship_captain_and_counter_where_they_were():
    """R15, ruling 15, F5, F8: lost over the start; the course sailed is public, although it was the alternative."""
    match = decide(sail(first_turn(), "n"), "west", "north", "bbw")
    t = match.document()
    assert match.over
    assert (t["ending"], t["ship"], t["captain"], t["turn"]) == ("route lost", "h1", 1, 2)
    assert t["turns"][1] == {
        "captain": 1,
        "courses": ["north", "east", "south", "west"],
        "losing": ["north"],
        "preferred": "west",
        "black": ["0", "1"],
        "sailed": "north",
        "reached": "nowhere",
    }


@pytest.mark.parametrize(
    ("route", "faces", "ending", "points"),
    [
        pytest.param("swwwwwss", ["avalon"], ("avalon", 8), (8, 0, 10), id="Avalon"),
        pytest.param(FULL_TOUR, [], ("turn 20", 20), (3, 5, 30), id="twenty turns"),
        pytest.param("eswwswswwnnwnnwwssss", ["avalon"], ("avalon", 20), (8, 0, 28), id="Avalon on the twentieth"),
        pytest.param(FULL_TOUR[:-1] + "n", [], ("route lost", 20), (3, 5, 30), id="lost on the twentieth"),
    ],
)
def test_the_voyage_ends_at_once(route, faces, ending, points):
    """R17, R31, ruling 16, F8: "è sufficiente contare quante caselle sono state esplorate".

    The captain does not change any more.
    """
    match = first_turn()
    for played, course in enumerate(route, 1):
        t = match.view().table
        assert (match.over, t.turn, t.explored.bit_count()) == (False, played, played), "a new tile each turn"
        sail(match, course, *faces[len(route) - played :])
    t = match.document()
    assert (match.over, t["ending"], t["turn"], t["captain"]) == (True, *ending, (len(route) - 1) % 3)
    assert (t["avalon"], match.score().points) == ([t["ship"]] * len(faces), points)


@pytest.mark.parametrize(
    ("captaincy", "captains"),
    [("every-turn", [0, 1, 2, 3]), ("alternative", [0, 0, 1, 1]), ("alternative-or-tie", [0, 0, 1, 2])],
)
def test_the_next_captain(captaincy, captains):
    """R18, ruling 14: a majority for white, one for black, a tie broken for the alternative."""
    match = first_turn(*SIX[:4], captaincy=captaincy)
    for votes in ("wwwb", "bbbw", "wwbb"):
        tie = ("bwwb", "wbwb", "wwbb")[match.to_act[0]]
        decide(match, "south", "west", tie if votes == "wwbb" else votes)
    t = match.view().table
    assert ([turn.sailed for turn in t.turns[:3]], [turn.captain for turn in t.turns[:4]]) == ([3, 4, 4], captains)


@pytest.mark.process
def test_one_course_is_sailed_unasked_and_without_any_the_route_is_lost():
    """R11, R18, F6, ruling 5: one course brings the ship back east; the captain of the variant stays."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", NARROWS], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"{CELLS.index('i3')} 8 3 0 0",
        str((0, 0b0010, 0, 2, 0, 2, 1 + CELLS.index("i3"))),
        f"{CELLS.index('c3')} 7 6 0 3",
        str((0, 0, 0, 0, 0, 0, 0)),
    ]


def test_at_the_end_only_the_roles_turn_up():
    """R19, F9."""
    match = sail(first_turn(), "n")
    assert match.view().table.roles == (0,) * 7
    assert sail(match, "n").document()["roles"][:3] == list(TRIO)
    twin = sail(decide(first_turn(), "north", "east"), "n")
    assert match.view(2) == twin.view(2), "what the first captain laid face down stays hidden"


def test_what_is_public_and_what_a_captain_remembers():
    """R20, F9."""
    match = first_turn()
    for alternative, votes in (("east", "wwb"), ("south", "bbw"), ("west", "wbw")):
        decide(match, "north" if alternative == "east" else "east", alternative, votes)
    known = [(turn.captain, turn.preferred, turn.black, turn.sailed) for turn in match.view().table.turns[:4]]
    assert known == [(0, 1, 0b100, 1), (1, 2, 0b011, 3), (2, 2, 0b010, 2), (0, 0, 0, 0)]
    assert [match.view(seat).hand.alternatives[:3] for seat in range(3)] == [(2, 0, 0), (0, 3, 0), (0, 0, 4)]


# Points


def table_points(roles, explored="", crosses="", plains="", avalon="", ending=0, **options):
    """The points of seats with these roles after a voyage over some cells and the start."""
    match = first_turn(*roles, **options)
    t = match._states["table"]
    t["explored"] |= cells(f"{explored} {crosses} {plains} {avalon}")
    t["crosses"], t["plains"], t["avalon"] = cells(crosses), cells(plains), cells(avalon)
    t["ending"] = 1 if avalon else ending
    return match.score().points


FOUR = {"crosses": "d2 a3", "plains": "b1 f3"}
FIVE = {"crosses": "d2 a3 h4", "plains": "b1 f3"}
WITH_FOG = {"crosses": "d2 a3 a5", "plains": "b1 f3"}
SAILED = "g2 g3 a5"


@pytest.mark.parametrize(
    ("role", "voyage", "expected"),
    [
        # R21, ruling 8, 9: islands in the fog count, and Avalon is none.
        ("cabin-boy", {"crosses": "a5", "plains": "b6"}, 2),
        ("cabin-boy", {"crosses": "a5", "plains": "b6", "avalon": "c7"}, 2 + 2),
        ("merchant", {"crosses": "a5"}, 2),
        ("admiral", WITH_FOG, 0),
        ("traitor", {**WITH_FOG, "ending": 2}, 5 + 3),
        # R22: the Admiral
        ("admiral", {**FOUR, "avalon": "a5"}, 5 + 3),
        ("admiral", {**FIVE, "avalon": "a5"}, 5),
        ("admiral", {**FOUR, "ending": 3}, 3),
        ("admiral", {**FIVE, "ending": 2}, 0),
        # R23: the Cabin boy
        ("cabin-boy", {**FIVE, "ending": 3}, 5),
        ("cabin-boy", {**FIVE, "avalon": "a5"}, 5 + 2),
        # R24: the Merchant
        ("merchant", {**FIVE, "ending": 2}, 6),
        ("merchant", {**FIVE, "avalon": "a5"}, 6 + 1),
        # R25, ruling 16: the Traitor has five points once, after twenty turns or a lost route.
        ("traitor", {**FOUR, "avalon": "a5"}, 0),
        ("traitor", {**FIVE, "avalon": "a5"}, 3),
        ("traitor", {**FOUR, "ending": 2}, 5),
        ("traitor", {**FOUR, "ending": 3}, 5),
        ("traitor", {**FIVE, "ending": 3}, 5 + 3),
        # R26, ruling 10, 11, 13, F5: to the Explorer the start counts with the border; an odd tile does not count.
        ("explorer", {}, 0),
        ("explorer", {"explored": "i2"}, 1),
        ("explorer", {"explored": "i2 i3"}, 1),
        ("explorer", {"explored": "i2 i3 h1"}, 2),
        ("explorer", {"explored": "g2 g3 g4"}, 0),
        ("explorer", {"explored": "b6"}, 1),
        ("explorer", {"explored": "a6"}, 1 + 1),
        ("explorer", {"avalon": "b6"}, 3),
        ("explorer", {"avalon": "a6"}, 3 + 1),
        # R27, ruling 10, 12, F11: to the Sailor open sea in the fog counts, coast and start do not.
        ("sailor", {"explored": SAILED, **FIVE}, 6),
        ("sailor", {"explored": "i2 h1 g2", "avalon": "b6"}, 2),
        ("sailor", {"explored": SAILED, "sailor": "emended"}, 1),
        ("sailor", {"explored": f"{SAILED} a6", "sailor": "emended"}, 2),
    ],
)
def test_a_role_scores(role, voyage, expected):
    """No other seat has the role."""
    assert table_points([role, *[other for other in SIX if other != role][:2]], **voyage)[0] == expected


def test_the_border_is_the_edge_of_the_map():
    """R26."""
    edge = [cell for cell in range(CELL_COUNT) if cell // 9 in (0, 6) or cell % 9 in (0, 8)]
    assert cell_names(components.BORDER) == " ".join(CELLS[cell] for cell in edge)


def test_two_of_one_role_lose_a_point_each():
    """R28."""
    assert table_points(("cabin-boy", "merchant", "cabin-boy"), **FIVE, ending=2) == (4, 6, 4)
    assert table_points(("explorer", "merchant", "explorer"), ending=3) == (-1, 0, -1)


def test_equal_points_share_their_place():
    """R29, F10."""
    result = present(sail(first_turn("traitor", "traitor", "explorer", "admiral"), "nn").result())
    assert (result.points, result.ranks, result.winners) == ((4, 4, 1, 3), (1, 1, 4, 3), (0, 1))


def test_options_say_where_they_come_from():
    """R30, F13."""
    recommended, letter = (GAME.options.to_words(GAME.options.array({}, rules)) for rules in SETS)
    assert [(o.name, o.provenance, recommended[o.name], letter[o.name]) for o in GAME.options.all[1:]] == [
        ("layout", "rulebook", "chart", "chart"),
        ("captaincy", "rulebook", "every-turn", "every-turn"),
        ("sailor", "inferred", "emended", "literal"),
        ("first_captain", "decided", "random", "random"),
        ("safe_course", "decided", "on", "off"),
    ]
    assert [GAME.options.rules_of(words) for words in (recommended, letter)] == list(SETS)
    with pytest.raises(BadOption, match="layout: expected chart or random"):
        Match(GAME, layout="round")


def test_the_literal_sailor_is_out_of_all_proportion():
    """R27, F12: even in random play it gives a multiple of the emended rule's points."""
    totals = {}
    for scale in ("literal", "emended"):
        scratch, states = Buffers(GAME), GAME.states(2)
        score, place, lengths = np.zeros((2000, 5), np.int64), np.zeros((2000, 5), np.int64), np.zeros(2000, np.int64)
        options = GAME.options.array({"players": 5, "sailor": scale})
        kernels.play_batch(states, options, 3, 0, score, place, lengths, scratch.actions, scratch.weights)
        totals[scale] = score.mean()
    assert totals["literal"] > 1.5 * totals["emended"]
