"""The components, the preparations and the goals; `ruling …` cites the close reading of the rulebook."""

from functools import partial

import pytest

from tavola.core import CHANCE, BadOption, Match
from tavola.games.expedition import GAME
from tavola.games.expedition.components import ARROWS, COLOURS, SEATS, VOUCHERS
from tavola.games.expedition.fixtures import after, at, check_scene, match_at, observed, play
from tavola.games.expedition.network import DISTANCE, PLACES, SPOTS

NOT_FAR = [place for spot, place in enumerate(PLACES, 1) if DISTANCE[0, spot] < 3]
FAR = [place for place in PLACES if place not in NOT_FAR]


def play_chance(match):
    """Let chance play until a seat is to act; return the number of its actions."""
    before = len(match.history)
    while match.to_act == (CHANCE,):
        match.play(match.legal_codes(CHANCE)[-1], CHANCE)
    return len(match.history) - before


EAST = "lisbon faroes north-cape novaya-zemlya taymyr lena-pillars lake-baikal karakorum great-wall fuji"
SIX = "tassili fuji giza kizhi benin marib"
TIMBUKTU = "lisbon tassili timbuktu"
SCENES = {
    "R1: most points win": (
        at(laid={"giza": 1, "marib": 1}, ending="turns", phase="over"),
        after(points=(-1, 1), ranks=(2, 1)),
    ),
    "R3, F1: shuffled cards are drawn in any order, then those under the deck in theirs": (
        at(beneath="giza fuji", deck="kizhi"),
        after("exchange petra", codes=["deal kizhi"]),
        after("deal kizhi", codes=["deal giza"]),
    ),
    "R6, ruling 17: a border pair is one point, which gives a voucher": (
        at(red=EAST, vouchers=[0, 3], bank=28),
        after("red fuji border-1-east", vouchers=(1, 3), red_head="border-1"),
        after("done", "red border-1-west denali", "done", illegal=["red border-1-east klyuchevskaya"]),
    ),
    "R6, ruling 17: a border pair is left on both sides": (
        at(red=f"{EAST} border-1-east"),
        after(red={"border-1-west-to-denali", "border-1-west-to-mauna-kea", "border-1-east-to-klyuchevskaya"}),
    ),
    "R6: a line to a border point is taken like any other": (
        at(red=f"{EAST} border-1-east klyuchevskaya"),
        after(red={"klyuchevskaya-to-fuji", "klyuchevskaya-to-okhotsk"}),
    ),
    "R8: public goals are three segments away or more, and the others go under the deck": (
        partial(Match, GAME, players=2),
        after(*[f"deal {place}" for place in FAR[:24]], f"reveal {NOT_FAR[0]}", goals=["none"] * 6),
        after(beneath=1, deck=79 - 25, phase="reveal"),
        after(*[f"reveal {place}" for place in FAR[24:30]], goals=FAR[24:30], phase="tokens", seat=0),
    ),
    "R10, ruling 3: tokens lie two segments from START or further": (
        at([f"stonehenge pompeii giza {PLACES[-1]}", "agra"], phase="tokens"),
        after(codes=["token pompeii", "token giza", f"token {PLACES[-1]}"]),
    ),
    "R10, ruling 3: three segments in the new edition": (
        at([f"stonehenge pompeii giza {PLACES[-1]}", "agra"], phase="tokens", token_distance=3),
        after(codes=["token giza", f"token {PLACES[-1]}"]),
    ),
    "R11, ruling 5: four tokens each in turn on places of the own cards, not twice on one place": (
        at(["pompeii giza petra agra fuji", "marib kizhi delphi benin"], phase="tokens"),
        after(codes=[f"token {place}" for place in ("pompeii", "giza", "petra", "agra", "fuji")]),
        after("token pompeii", "token marib", codes=[f"token {place}" for place in ("giza", "petra", "agra", "fuji")]),
        after("token giza", "token kizhi", codes=[f"token {place}" for place in ("petra", "agra", "fuji")]),
        after("token petra", "token delphi", codes=["token agra", "token fuji"]),
        after("token agra", "token benin", tokens=(4, 4), phase="turn", seat=0),
    ),
    "R11, F2: a seat without a fitting card can only pass, and is skipped from then on": (
        at(["stonehenge", "marib kizhi delphi benin"], phase="tokens"),
        after(codes=["done"]),
        after("done", "token marib", "token kizhi", to_act=(1,)),
        after("token delphi", "token benin", phase="turn", seat=0),
    ),
    "R12: the first seat begins, and then clockwise": (
        at(["petra", "agra", "fuji"], vouchers=[0, 0, 0]),
        after("red lis mont", to_act=(1,)),
        after("red mont pomp", to_act=(2,)),
    ),
    "R26, ruling 13: a private goal is laid by its holder at once, and the owner's token goes on the card": (
        at(["petra", "tassili agra"], tokens={"tassili": 1}),
        after("red lisbon tassili", laid={"tassili": "1"}, cards=(1, 1), own=(0, 1), points=(-1, 2 - 1)),
        after(tokens=(0, 0), collected=(0, 1)),
    ),
    "R26, rulings 12 and 14: a card that comes late waits for an arrow to its place, or for a removal back to it": (
        at(red=TIMBUKTU),
        after("exchange petra", "deal timbuktu", "deal tassili", "keep timbuktu", laid={}),  # it stands there already
        after("red timbuktu benin", "remove red", laid={"timbuktu": "0"}),
    ),
    "R26, F19: laid cards stay": (
        at(["tassili agra", "petra"]),
        after("red lisbon tassili", "remove red", laid={"tassili": "0"}),
    ),
    "R27: public goals are taken by the player at turn with an arrow": (
        at(goals="tassili fuji"),
        after("red lisbon tassili", laid={"tassili": "0"}, goals=["none", "fuji", *["none"] * 4]),
        after(public=(1, 0), own=(0, 0)),
    ),
    "R27, ruling 12: a public goal is not taken by a removal": (
        at(red=TIMBUKTU, goals="tassili"),
        after("remove red", laid={}),
    ),
    "R27: a public goal is taken by a removal with an option": (
        at(red=TIMBUKTU, goals="tassili", goals_by_removal="on"),
        after("remove red", laid={"tassili": "0"}),
    ),
    "R27, F9: the taker's own token on a public goal is collected too": (
        at(goals="tassili", tokens={"tassili": 0}),
        after("red lisbon tassili", collected=(1, 0), tokens=(0, 0), won=["tassili"]),
    ),
    "R27, F9: another's token on a public goal stays": (
        at(goals="tassili", tokens={"tassili": 1}),
        after("red lisbon tassili", collected=(0, 0), tokens=(0, 1), won=[]),
    ),
    "R28: an exchanged card goes under the deck, two are drawn, one is kept, the other goes under the deck": (
        at(),
        after("exchange petra", phase="draw"),
        after("deal fuji", "deal giza", codes=["keep giza", "keep fuji"]),
        after("keep giza", hands=[["giza"], ["agra"]], under_deck=["petra", "fuji"], cards=(1, 1), swaps=(1, 0)),
    ),
    "R28, ruling 16: with one card in the deck the seat's own is drawn second": (
        at(goals="", deck="fuji"),
        after("exchange petra", "deal fuji", codes=["deal petra"]),
        after("deal petra", codes=["keep petra", "keep fuji"]),
    ),
    "R28, ruling 16: without cards in the deck there is no exchange": (
        at(goals="", deck=""),
        after(verbs={"arrow", "voucher"}),
    ),
    "R28, ruling 15: the token of a card that is given away stays, and costs its point at the end": (
        at(["petra fuji", "agra"], tokens={"petra": 0}),
        after("exchange petra", "deal giza", "deal kizhi", "keep giza", tokens=(1, 0), points=(-2 - 1, -1)),
    ),
    "R29, F20: goals are replaced from the left when the turn ends, at any distance": (
        at(goals=SIX),
        after("red lisbon tassili", goals=["none", *SIX.split()[1:]]),  # not before the end
        after("done", phase="refill", seat=0),
        after("reveal stonehenge", goals=["stonehenge", *SIX.split()[1:]], to_act=(1,)),
    ),
    "R29, F20: goals stay empty when the deck is": (
        at(goals="tassili fuji", deck=""),
        after("red lisbon tassili", "done", goals=["none", "fuji", *["none"] * 4], to_act=(1,)),
    ),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_preparations_and_goals(scene):
    check_scene(*scene)


def test_two_to_six_play():
    """R1."""
    assert GAME.players == (2, 6)
    with pytest.raises(BadOption, match="players"):
        Match(GAME, players=7)


def test_arrows_cards_and_vouchers():
    """R2."""
    assert (ARROWS * len(COLOURS), len(PLACES), VOUCHERS) == (135, 79, 31)
    for players in range(2, SEATS + 1):
        match = Match(GAME, players=players)
        assert (observed(match, "vouchers"), observed(match, "bank")) == ((3,) * players, 31 - 3 * players)


def test_knowledge_of_cards_under_the_deck():
    """R3, F1: a public card put there is known to all seats, an exchanged one only to its owner."""
    match = Match(GAME, players=2)
    near = [place for place in NOT_FAR if place != "petra"]
    play(match, *[f"deal {place}" for place in PLACES if place not in near][:24], f"reveal {near[0]}")
    assert match.view().table.under[0] == PLACES.index(near[0]) + 1
    match = play(match_at(), "exchange petra")
    known = [match.view(seat) for seat in (0, 1)]
    assert SPOTS[known[0].hand.under[0]] == "petra"
    assert not any(known[1].hand.under)
    assert not any(known[1].table.under)


@pytest.mark.parametrize(("players", "each", "deck"), [(2, 12, 49), (3, 12, 37), (4, 9, 37), (5, 9, 28), (6, 9, 19)])
def test_cards_are_dealt_one_by_one_from_the_first_seat(players, each, deck):
    """R7, F1."""
    match = Match(GAME, players=players)
    match.play("deal petra", CHANCE)
    assert match.view(0).hand.cards == 1 << PLACES.index("petra")
    play_chance(match)
    assert observed(match, "cards") == (each,) * players
    assert observed(match, "deck") + observed(match, "beneath") == deck


def test_a_hand_that_cannot_place_its_tokens_is_mended():
    """R9, rulings 4 and F2: the first of the unfit cards goes under the deck, unseen, until four fit."""
    match = Match(GAME, players=4, token_distance=3)
    poor = [*NOT_FAR[:7], "fuji", "uluru"]  # nine cards each for four, with most of the first seat's too near
    rest = iter([place for place in PLACES if place not in poor])
    for card in poor:
        play(match, f"deal {card}", *[f"deal {next(rest)}" for _ in range(3)])
    while observed(match, "phase") == "reveal":
        match.play(match.legal_codes(CHANCE)[-1], CHANCE)
    assert (observed(match, "phase"), observed(match, "seat")) == ("mend", 0)
    assert observed(match, "under_deck")[-1] == min(poor, key=PLACES.index)
    assert match.view(1).table.under[observed(match, "beneath") - 1] == 0
    assert play_chance(match) >= 2
    assert match.to_act == (0,)
    assert len(match.legal_codes(0)) >= 4
    assert observed(match, "cards")[0] == 9


@pytest.mark.parametrize(
    ("hands", "claim", "laid"),
    [(["petra", "tassili agra"], "claim 1", {"tassili": "1"}), (["petra", "agra"], "claim nobody", {})],
)
def test_chance_tells_who_has_the_card_of_a_place(hands, claim, laid):
    """R26: a card without a holder is not claimed."""
    match = match_at(hands)
    match.play("arrow red lisbon-to-tassili", 0)
    assert (match.to_act, match.legal_codes(CHANCE)) == ((CHANCE,), [claim])
    match.play(claim, CHANCE)
    assert observed(match, "laid") == laid
