"""The kit: texts that fit, overlaps, pieces with an id and a memory, prompts, refusals."""

from dataclasses import replace

import pytest
from joust import GAME as JOUST
from markupsafe import Markup

from tavola.core import CHANCE, Match
from tavola.core.text import isolated
from tavola.games._template import GAME
from tavola.show.cards import reminder, words_of
from tavola.show.kit import PAINTS, PieceItem, fitted_text, piece, pitch
from tavola.show.seat_sheet import Column, Print, SeatSheet
from tavola.show.speech import SHARED_FOLDER, Say, mark
from tavola.show.svg import group, tag
from tavola.show.testing import english_say
from tavola.show.words import Prompts, Refusals, columns

SAY = english_say(GAME)
DEALING, TOSSING, BIDDING = range(3)


def test_cells_stand_under_one_another_by_the_room_that_they_take():
    rows = [["", "Player", "Points"], [">", "\u65e5\u672c", "12"], ["", "\u05e9\u05dc\u05d5\u05dd", "7"]]
    assert columns(rows) == ["   Player  Points", ">  \u65e5\u672c    12", f"   {isolated(rows[2][1])}    7"]


def test_a_text_is_pressed_together_only_where_it_is_too_long():
    assert fitted_text("Ada", 3, 4, 20, 100, "b") == '<text x="3" y="4" font-size="20" class="b">Ada</text>'
    assert fitted_text("A long, long name", 3, 4, 20, 100, "b", codes="bid 1") == (
        '<text x="3" y="4" font-size="20" class="b" data-codes="bid 1" textLength="100"'
        ' lengthAdjust="spacingAndGlyphs">A long, long name</text>'
    )


def test_things_lie_as_far_apart_as_they_may_and_overlap_where_they_must():
    assert [pitch(count, 90, 40) for count in (0, 1, 2, 3, 4, 10)] == [40, 40, 40, 40, 30, 10]


def test_a_piece_has_an_id_from_its_arguments_and_is_drawn_once():
    drawn = []

    @piece("buoy-{lane}-{paint}-{boat.name}", paint=PAINTS, lane=lambda lane: lane + 1)
    def buoy(identifier: str, lane: int, paint: int, boat: object, size: int = 2) -> Markup:
        """A buoy."""
        drawn.append(identifier)
        return group(identifier, x=lane, scale=size)

    boat = type("Boat", (), {"name": "ark"})
    found: PieceItem = buoy(3, 1, boat)
    assert found == ("buoy-4-green-ark", group("buoy-4-green-ark", x=3, scale=2))
    assert buoy(3, 1, boat) is found
    assert buoy(3, paint=2, boat=boat, size=1)[0] == "buoy-4-violet-ark"
    assert drawn == ["buoy-4-green-ark", "buoy-4-violet-ark"]
    assert buoy.__doc__ == "A buoy."


def test_a_piece_forgets():
    drawn = []

    @piece("lamp", memory=2)
    def lamp(identifier: str, phase: int) -> Markup:
        drawn.append(phase)
        return group(identifier)

    for phase in (0, 1, 0, 2, 1):
        lamp(phase)
    assert drawn == [0, 1, 2, 1]


@pytest.mark.parametrize(("pattern", "names"), [("boat-{lane}", {}), ("boat", {"lane": PAINTS}), ("{lane[0]}", {})])
def test_an_id_that_names_no_argument_is_refused_at_once(pattern, names):
    with pytest.raises(TypeError, match="names 'lane': expected one of its arguments, \\['place'\\]"):

        @piece(pattern, **names)
        def boat(identifier: str, place: int) -> Markup:
            return group(identifier)


PROMPTS = Prompts(
    over=lambda view, say: "It is over.",
    chance={DEALING: mark("Cards are dealt."), TOSSING: mark("{prize} is tossed.")},
    own={BIDDING: mark("Bid for {prize}.")},
    others={BIDDING: lambda view, say: f"{say.listing([say.name(seat) for seat in view.to_act])} bid."},
    values=lambda view, say: {"prize": view.table.template_prize},
)


def dealt():
    match = Match(GAME, players=2, cards=2)
    for code in (*(f"deal {card}" for card in (1, 2, 3, 4)), "toss 2"):
        match.play(code, CHANCE)
    return match


def test_a_prompt_describes_chance_the_own_decision_that_of_others_or_the_end():
    assert PROMPTS(Match(GAME, players=2, cards=2).view(0), SAY) == "Cards are dealt."
    match = dealt()
    assert [PROMPTS(match.view(seat), SAY) for seat in (0, None)] == ["Bid for 2.", "Ada and Bruno bid."]
    for seat, code in ((0, "bid 1"), (1, "bid 2"), (CHANCE, "toss 1"), (0, "bid 3"), (1, "bid 4")):
        match.play(code, seat)
    assert PROMPTS(match.view(0), SAY) == "It is over."


def test_a_reminder_asks_the_public_question_where_there_is_one():
    assert PROMPTS.reminder(dealt().view(0), SAY) == "Bid for 2."
    public = replace(PROMPTS, public={BIDDING: lambda view, say: f"Bid, {say.name(view.seat)}."})
    assert [ask(dealt().view(0), SAY) for ask in (public.reminder, public)] == ["Bid, Ada.", "Bid for 2."]


def test_a_message_tells_what_spectators_are_told_if_a_game_has_no_reminder():
    match = Match(JOUST, seed=1)
    view = match.view(match.to_act[0])
    assert reminder(view, SAY) == words_of(view.game).prompt(match.view(), SAY) != words_of(view.game).prompt(view, SAY)


def test_a_prompt_names_the_seats_to_act():
    prompts = Prompts(over=PROMPTS.over, chance={}, own={}, others={BIDDING: mark("Waiting for {names}.")})
    assert prompts(dealt().view(), SAY) == "Waiting for Ada and Bruno."


def refused(why, view):
    """Return why a bid is not allowed."""
    when = {"bid": ((BIDDING,), mark("Later (R3)."))}
    refusal = Refusals(chance={}, over=PROMPTS.over, over_phase=3, when=when, why={"bid": why})
    return refusal(view, GAME.actions.number("bid 9"), SAY)


def test_the_reason_of_a_refusal_is_given_the_table_the_seat_and_its_hand():
    seen = []

    def not_held(*told):
        seen.append(told[:4])
        return "You do not hold it (R3)."

    view = dealt().view(1)
    assert refused(not_held, view) == "You do not hold it (R3)."
    assert seen == [(view.table, 1, view.hand, (8,))]


def test_the_reason_of_a_refusal_may_be_a_message():
    assert refused(mark("Not that (R3)."), dealt().view(1)) == "Not that (R3)."


SIGN = tag("circle", r=4)
SHEET = SeatSheet(Print(42, 32, "row"), 5, (Column(Print(222, 28, "end")), Column(Print(292, 28, "end"), SIGN)))
NAME = '<text x="42" y="32" class="row">Carl…</text>'


def test_a_row_has_the_sign_the_shortened_name_and_the_numbers_in_their_columns():
    numbers = f'<text x="222" y="28" class="end">3</text>{SIGN}<text x="292" y="28" class="end">−2</text>'
    assert SHEET.row(SIGN, "Carlotta", (3, -2)) == f"{SIGN}{NAME}{numbers}"
    assert SHEET.row(SIGN, "Carlotta", (None, None)) == f"{SIGN}{NAME}", "a column without a number is empty"


def test_a_name_is_marked_and_pressed_into_its_room():
    pressed = SHEET._replace(name=Print(32, 0, "b", size=15, room=20)).row(SIGN, "Carlotta", (None, None), "gone")
    assert 'font-size="15" class="b gone"' in pressed
    assert 'textLength="20"' in pressed


@pytest.mark.parametrize("name", ["דנה", "محمد", "ދިވެހި", "Ada ש"])
def test_a_name_from_right_to_left_is_isolated_once(name):
    said = Say(SHARED_FOLDER, "en")("{name} says {words}", name=name, words="3 or 4?")
    assert said == f"\u2068{name}\u2069 says 3 or 4?"
    assert isolated(said) == said
    assert Say(SHARED_FOLDER, "de").listing([name, "Ada"]) == f"\u2068{name}\u2069 und Ada"
    assert Say(SHARED_FOLDER, "fr").many("{name}", "{name}", 2, name=name) == f"\u2068{name}\u2069"


@pytest.mark.parametrize("name", ["Ada", "Zoë", "Ольга", "李雷", "🩷", "3"])
def test_other_names_stand_as_they_are(name):
    assert isolated(name) == name
