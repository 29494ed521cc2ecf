"""One test or more for each paragraph of RULES.md (R1 to R33), told in drawings; the rulings are in test_rulings.py."""

import pytest

from tavola.core import CHANCE, BadOption, IllegalAction, Match, NotYourTurn
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import COLOURS
from tavola.games.lifeboats.fixtures import (
    FULL,
    boat_of,
    change_nothing,
    drawing_of,
    legal_votes,
    match_at,
    men_of_field,
    one_move_from_shore,
    pending_choice,
    phase_of,
    vote,
)


def boats_placed(players: int = 4, start: int = 0) -> Match:
    """A match whose boats are on the board, in the lanes 1, 2, 3, …"""
    match = GAME.match(players=players)
    match.play(f"start {start}")
    for lane in range(1, players + 2):
        match.play(f"lane {lane}")
    return match


# Components: R1 to R4


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_everybody_has_a_boat_and_one_more_is_black(players: int) -> None:
    """R1."""
    match = boats_placed(players)
    boats = [line.split()[0] for line in drawing_of(match).splitlines()]
    assert boats == [*COLOURS[:players], "black"]


@pytest.mark.parametrize("players", [2, 7])
def test_three_to_six_play(players: int) -> None:
    """R1."""
    with pytest.raises(BadOption, match="option players: expected a whole number from 3 to 6"):
        GAME.match(players=players)


@pytest.mark.parametrize(("players", "sailors"), [(3, 5), (4, 5), (5, 4), (6, 4)])
def test_two_officers_and_five_or_four_sailors(players: int, sailors: int) -> None:
    """R2."""
    unseated = GAME.match(players=players).view().table.unseated
    assert unseated == ((2, sailors),) * players + ((0, 0),) * (6 - players)


def test_seven_colour_cards_and_three_captains() -> None:
    """R3: ten cards each."""
    verb = next(verb for verb in GAME.actions.verbs if verb.name == "vote")
    assert verb.codes() == [f"vote {colour}" for colour in COLOURS] + ["vote captain"]
    assert GAME.match(players=4).view().table.captains == (3, 3, 3, 3, 0, 0)


def test_seven_lanes_three_moves_six_seats() -> None:
    """R4, ruling 11."""
    match = GAME.match(players=4)
    match.play("start 0")
    assert match.legal_codes() == [f"lane {lane}" for lane in range(1, 8)]
    table = match.view().table
    assert (table.moves, table.seats) == (3, 6)


@pytest.mark.parametrize(
    ("islands", "expected"),
    [
        ("2-2-3", "left left middle middle right right right"),
        ("2-3-2", "left left middle middle middle right right"),
        ("3-2-2", "left left left middle middle right right"),
    ],
)
def test_each_lane_leads_to_its_island(islands: str, expected: str) -> None:
    """R4, R24: by default lanes 1 and 2 to the left island, 3 and 4 to the middle one, 5 to 7 to the right one."""
    found = []
    for lane in range(1, 8):
        match = one_move_from_shore(lane, islands)
        vote(match, "red red red")
        ashore = match.view().document()["table"]["ashore"][0]
        found += [island for island, men in ashore.items() if any(men.values())]
    assert " ".join(found) == expected


# Lot and placing: R5 to R8


def test_the_lot_is_even_among_the_players() -> None:
    """R5: "Il Giocatore Iniziale è determinato a caso"."""
    match = GAME.match(players=5)
    assert match.to_act == (CHANCE,)
    assert match.chance_weights() == {f"start {seat}": 1 for seat in range(5)}


def test_boats_are_placed_clockwise_and_the_start_player_places_the_black_one() -> None:
    """R6: one boat a space, any free space."""
    match = GAME.match(players=4)
    match.play("start 2")
    for seat, lane in ((2, 5), (3, 1), (0, 7), (1, 2)):
        assert match.to_act == (seat,)
        match.play(f"lane {lane}")
    assert match.to_act == (2,)
    assert match.legal_codes() == ["lane 3", "lane 4", "lane 6"]
    match.play("lane 4")
    assert [line.split()[:2] for line in drawing_of(match).splitlines()] == [
        ["red", "7:0"],
        ["green", "2:0"],
        ["violet", "5:0"],
        ["yellow", "1:0"],
        ["black", "4:0"],
    ]


def test_a_taken_lane_is_refused() -> None:
    """R6: "In ogni spazio ci può stare soltanto una barca"."""
    match = GAME.match(players=3)
    match.play("start 0")
    match.play("lane 3")
    with pytest.raises(IllegalAction, match="'lane 3' is not allowed now for seat 1: expected lane 1, lane 2, lane 4"):
        match.play("lane 3")


def test_men_are_seated_in_turn_until_all_sit() -> None:
    """R7: the start player first, one man a turn, officer or sailor, in any boat with a free seat."""
    match = boats_placed(players=3, start=1)
    boats = ("red", "green", "violet", "black")
    assert match.legal_codes() == [f"crew {rank} {boat}" for rank in ("officer", "sailor") for boat in boats]
    order = []
    while phase_of(match) == "crew":
        order.append(match.to_act[0])
        match.play(match.legal_codes()[-1])
    assert order == [1, 2, 0] * 7
    assert phase_of(match) == "leak ballot"
    assert men_of_field(match, "unseated") == ""


def test_who_has_no_officer_left_seats_sailors() -> None:
    """R7."""
    match = boats_placed(players=3)
    for _ in range(6):
        match.play("crew officer red")
    assert {code.split()[1] for code in match.legal_codes()} == {"sailor"}


def test_a_seat_with_a_man_is_taken() -> None:
    """R8: six men fill a boat."""
    match = boats_placed(players=3)
    for _ in range(6):
        match.play("crew sailor black")
    assert [code for code in match.legal_codes() if code.endswith("black")] == []
    with pytest.raises(IllegalAction):
        match.play("crew sailor black")


def test_a_seat_with_a_leak_is_taken_for_good() -> None:
    """R8, R16: "nessun marinaio o timoniere potrà essere piazzato lì"."""
    match = match_at(FULL)
    vote(match, "green green green green")
    assert boat_of(match, "green") == "ggYy~."
    vote(match, "red red red red")
    match.play("leave officer red", 0)
    match.play("leave officer violet", 1)
    match.play("leave sailor black", 2)
    match.play("leave officer green", 3)
    assert match.legal_codes(3) == ["board red", "board violet", "board black"]
    match.play("board red", 3)
    match.play("board green", 2)
    match.play("board green", 1)
    assert boat_of(match, "green") == "Gggvy~"
    assert match.legal_codes(0) == ["board violet", "board black"]


# Ballots: R9 to R15


def test_cards_lie_face_down_until_all_are_played() -> None:
    """R9: nobody sees a card, nor does anybody else's view change but for who has voted."""
    red, green = match_at(FULL), match_at(FULL)
    red.play("vote red", 2)
    green.play("vote green", 2)
    for seat in (None, 0, 1, 3):
        assert red.view(seat) == green.view(seat)
    assert red.view(2) != green.view(2)
    assert red.view(2).document()["hand"] == {"card": "red"}
    assert red.view().document()["table"]["voted"] == ["2"]


def test_cards_are_revealed_together() -> None:
    """R9."""
    match = match_at(FULL)
    vote(match, "black green red green")
    ballot = match.view().document()["table"]["ballot"]
    assert ballot["cards"] == ["black", "green", "red", "green", "none", "none"]
    assert (ballot["kind"], ballot["chosen"], ballot["weights"]) == ("leak", "green", [1, 1, 1, 1, 0, 0])


def test_a_card_played_stays_played() -> None:
    """R9: "In nessun caso però è consentito riprendere in mano una carta già giocata"."""
    match = match_at(FULL)
    match.play("vote red", 2)
    with pytest.raises(NotYourTurn, match="seat 2 owes no decision now: expected seat 0 or seat 1 or seat 3"):
        match.play("vote green", 2)


def test_everybody_votes_in_any_order() -> None:
    """R9."""
    match = match_at(FULL)
    for seat, left in ((3, (0, 1, 2)), (0, (1, 2)), (2, (1,))):
        match.play("vote black", seat)
        assert match.to_act == left


def test_colour_cards_return_to_the_hand() -> None:
    """R9: "I giocatori poi riprendono in mano le loro carte"."""
    match = match_at(FULL)
    before = legal_votes(match, 0)
    vote(match, "green green green green")
    assert legal_votes(match, 0) == before == "red green violet yellow black captain"


def test_boats_at_sea_and_captains_may_be_voted_for() -> None:
    """R10, ruling 1: no boat that has arrived or sunk, no colour that nobody has; a captain while there is one."""
    drawing = """
        red    1:3  ashore 1
        green  2:1  GGggrr
        violet 3:0  sunk
        black  7:2  VVvrr~
    """
    match = match_at(drawing, captains=(0, 1, 3), ashore={"left": "RR"})
    assert [legal_votes(match, seat) for seat in range(3)] == [
        "green black",
        "green black captain",
        "green black captain",
    ]
    for card in ("red", "violet", "white"):
        with pytest.raises(IllegalAction):
            match.play(f"vote {card}", 1)


def test_one_captain_decides_alone() -> None:
    """R11: "scegliendo un colore qualunque anche se non è stato votato da nessuno dei giocatori"."""
    match = match_at(FULL)
    vote(match, "red red captain red")
    assert pending_choice(match) == (2, "red green violet yellow black")
    match.play("choose green")
    assert boat_of(match, "green") == "ggYy~."


def test_a_captain_played_is_spent() -> None:
    """R12: whether it decides or is cancelled; three a match."""
    match = match_at(FULL)
    vote(match, "red captain captain green")
    assert match.view().table.captains[:4] == (3, 2, 2, 3)
    match.play("choose green")
    vote(match, "captain red red red")
    assert match.view().table.captains[:4] == (2, 2, 2, 3)


def test_without_a_captain_left_none_can_be_played() -> None:
    """R12: "Quindi ogni giocatore ha solo tre possibilità di usarla"."""
    drawing = FULL.replace("red    1:0", "red    1:1").replace("ggYy..", "ggYy~.")
    match = match_at(drawing, starter=1, captains=(2, 3, 2, 2))
    vote(match, "captain green green green")
    match.play("choose green")
    vote(match, "captain captain captain captain")
    assert match.view().table.captains[:4] == (0, 2, 1, 1)
    match.play("choose red")
    change_nothing(match)
    assert "captain" not in legal_votes(match, 0)
    with pytest.raises(IllegalAction):
        match.play("vote captain", 0)


def test_if_all_play_captains_the_start_player_decides() -> None:
    """R13."""
    match = match_at(FULL, starter=3)
    vote(match, "captain captain captain captain")
    assert pending_choice(match) == (3, "red green violet yellow black")
    match.play("choose green")
    assert boat_of(match, "green") == "ggYy~."
    assert match.view().table.captains[:4] == (2, 2, 2, 2)


def test_most_votes_win() -> None:
    """R14."""
    match = match_at(FULL)
    vote(match, "red green yellow green")
    assert pending_choice(match) is None
    assert boat_of(match, "green") == "ggYy~."


def test_cancelled_captains_do_not_count() -> None:
    """R14: several captains cancel each other, the rest is counted as ever."""
    match = match_at(FULL)
    vote(match, "captain captain green captain")
    assert pending_choice(match) is None
    assert boat_of(match, "green") == "ggYy~."


def test_among_the_tied_the_start_player_chooses() -> None:
    """R15: among those with most votes, and none else."""
    match = match_at(FULL, starter=3)
    vote(match, "red green red green")
    assert pending_choice(match) == (3, "red green")
    with pytest.raises(
        IllegalAction, match="'choose black' is not allowed now for seat 3: expected choose red, choose green"
    ):
        match.play("choose black")
    with pytest.raises(NotYourTurn):
        match.play("choose red", 0)


def test_a_tie_below_the_most_is_none() -> None:
    """R15."""
    match = boats_placed(players=6, start=0)
    while phase_of(match) == "crew":
        match.play(match.legal_codes()[0])
    vote(match, "red red green green black black")
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
    match = GAME.match(players=3, seats=seats)
    match.play("start 0")
    for lane in range(1, 5):
        match.play(f"lane {lane}")
    for _ in range(seats):
        assert "crew sailor red" in match.legal_codes()
        match.play("crew sailor red")
    assert "crew sailor red" not in match.legal_codes()


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
    match = match_at(drawing, phase="move ballot", moves=moves)
    vote(match, "red red red")
    assert boat_of(match, "red") == "ashore 1"
