"""Positions as documents: those of matches are read back, and those that are none are refused by name."""

import random
from copy import deepcopy
from typing import Any

import pytest

from tavola.contract.positions import leads_to_an_end
from tavola.core import BadPosition, Match, kernels, stream
from tavola.games.fairies import GAME
from tavola.games.fairies.components import PHASES, TREASURES, WANDS
from tavola.games.fairies.fixtures import Document, match_at, play

THREE = "green:1/1 blue:1/1 red:1/1"
STRONG = "green:3/3 blue:3/3 red:2/2"
ENERGY = {"phase": "energy", "energy": 1}
GRID = [str(place) for place in range(1, 10)]


def same_position(match: Match, **fields: Any) -> Match:
    """The same position, but for some fields of the table."""
    return GAME.match(position={**match.document(), **fields})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_that_its_rounds_have_ended_can_be_read_back(players):
    """R41: when the last round is over everybody has had the turn."""
    match = GAME.match(players=players, rounds=1, seed=1)
    while not match.over:
        play(match, "done")
    document = match.document()
    assert document["turns"] == players
    assert GAME.match(position=document).state_bytes() == match.state_bytes()


@pytest.mark.parametrize(
    ("hands", "fields", "why"),
    [
        # Phases in which something must be done that cannot be
        (["gold-1", ""], {"phase": "steal", "energy": 1, "victim": 1}, "victim: expected a hand with a card to steal"),
        (["gold-1", "gold-2"], {"phase": "steal", "energy": 1, "victim": 0}, "victim: expected another seat"),
        (["", "gold-1"], {"phase": "refill", "energy": 1, "due": 1, "victim": 0}, "victim: expected another seat"),
        (["", "gold-1"], {"phase": "exchange", "energy": 1, "victim": 1, "aside": "gold-5"}, "a wand card in hand"),
        (["gold-1", ""], {"phase": "exchange", "energy": 1, "aside": "gold-5"}, "victim: expected another seat"),
        (["", ""], {"phase": "discard"}, "a wand card in hand that can go back"),
        (["", "gold-1"], {"phase": "draw", "due": 0}, "due: expected cards to draw"),
        (["", ""], {"phase": "look", "healed": "123456789"}, "healed: expected two of the King's cards face down"),
        (["", ""], {"phase": "look", "healed": "12345678"}, "healed: expected two of the King's cards face down"),
        (["", ""], {"phase": "glimpse", "healed": "12345678", "place": "9"}, "healed: expected two of the King's"),
        (["", ""], {"phase": "glimpse"}, "place: expected one of the King's cards while it is looked at"),
        (["", ""], {"phase": "glimpse", "healed": "1", "place": "1"}, "place: expected .* that lies face down"),
        (["", ""], {"phase": "glimpse", "place": "1", "other": "1"}, "other: expected the first of two"),
        (["", ""], {"phase": "pick"}, "place: expected one of the King's cards while it is looked at"),
        (["", ""], {"phase": "pick", "place": "1"}, "other: expected the first of two cards looked at"),
        (["", ""], {"phase": "pick", "place": "1", "other": "2"}, "expected the card of place 1, which is looked at"),
        (["", ""], {"phase": "reveal"}, "place: expected one of the King's cards while it is looked at"),
        (["", ""], {"phase": "reveal", "healed": "3", "place": "3"}, "place: expected .* that lies face down"),
        (["", ""], {"phase": "reveal", "healed": "123456789", "place": "3"}, "place: expected one of the King's"),
        ([" ".join(TREASURES), ""], {"phase": "reveal", "healed": "123456789"}, "pile: expected a card to draw"),
        (["", ""], {"phase": "choose", "place": "3"}, "place: expected a shield that is looked at"),
        (["", ""], {"phase": "heal", "healed": "123456789", "place": "3"}, "place: expected .* and none elsewhere"),
        (["", ""], {"phase": "heal", "other": "3"}, "other: expected .* and none elsewhere"),
        # Rounds and cards that never come to an end
        (["", ""], {"begun": 31}, "begun: expected at most 30"),
        (["", ""], {"turns": 2}, "turns: expected less than 2"),
        (["", ""], {"turns": 1, "seat": 1, "first": 1}, "seat: expected 0, whose turn it is when 1 are finished"),
        (["", ""], {"dealt": 3}, "dealt: expected 8, four wand cards for everybody"),
        (["", ""], {"phase": "over"}, "ending: expected the King's shield"),
        (["", ""], {"phase": "lot", "begun": 0, "first_player": "1", "dealt": 0}, "phase: expected no lot"),
        (["gold-1", ""], {"phase": "lot", "begun": 0, "dealt": 1}, "dealt: .* none before the first player is drawn"),
        (["gold-1", ""], {"phase": "lot", "begun": 0, "dealt": 0}, "deck: expected 80 cards when 0 are dealt"),
        (["", "gold-1"], {"phase": "deal", "begun": 0, "dealt": 1}, "fairies.0: expected 1 wand cards in hand"),
        (["", ""], {"phase": "deal", "begun": 0, "dealt": 0, "healed": "1"}, "expected nothing done with the King's"),
    ],
)
def test_a_position_that_is_none_is_refused_by_name(hands, fields, why):
    with pytest.raises(BadPosition, match=why):
        match_at(hands, ["", ""], **fields)


@pytest.mark.parametrize(
    ("looked", "shielded", "why"),
    [
        (["4"], [], "looked: expected place 4 only where somebody knows the face-down card"),
        (["5"], [], "looked: expected place 5 only where somebody knows the face-down card"),
        (["6"], ["6"], "shielded: expected place 6 only where a shield was looked at"),
        ([], ["7"], "shielded: expected place 7 only where a shield was looked at"),
    ],
)
def test_marks_are_on_cards_that_somebody_knows(looked, shielded, why):
    """R42, F16: place 5 is healed, of places 4 and 8 nobody knows anything."""
    match = match_at(["", ""], healed="5", looked={6: "piece-1", 7: "four"})
    assert same_position(match, looked=["6", "7"], shielded=["7"]).legal_codes()
    with pytest.raises(BadPosition, match=why):
        same_position(match, looked=looked, shielded=shielded)


def test_the_last_plays_are_three_cards():
    """R37."""
    match = play(match_at(["crown", "gold-1"], [STRONG, THREE], phase="heal", healed="123456789"), "crown")
    gardens = match.document()["fairies"]
    gardens[1]["last"] = 3
    with pytest.raises(BadPosition, match="passed: expected seat 1, who has played 3 cards"):
        same_position(match, fairies=gardens)


def test_the_shield_of_equals_needs_a_power():
    """R22: one of four, against somebody who is not stronger, not spared, and has what it takes."""
    used: dict[str, Any] = {"phase": "equal", "energy": 1, "used": ["equal"]}
    for hands, own, theirs in (
        (["", "gold-1"], "green:1/1 +equal", "green:1/1"),
        (["gold-1", ""], "blue:1/1 +equal", "blue:1/1"),
        (["", ""], "red:1/1 +equal", "red:1/1 +four"),
        (["", ""], f"{THREE} +equal", THREE),
    ):
        assert match_at(hands, [own, theirs], **used).legal_codes()
    for hands, own, theirs, fields in (
        (["gold-1", "gold-1"], "green:1/1 blue:1/1 red:1/1 +equal", STRONG, {}),
        (["gold-1", ""], "green:1/1 +equal", "green:1/1", {}),
        (["", "gold-1"], "blue:1/1 +equal", "blue:1/1", {}),
        (["", ""], "red:1/1 +equal +four", "red:1/1", {}),
        (["", ""], f"{THREE} +equal", THREE, {"covered": ["1"]}),
        (["", ""], f"{THREE} +equal", THREE, {"guarded": ["1"]}),
    ):
        with pytest.raises(BadPosition, match="phase: expected a power for which as much mana is enough"):
            match_at(hands, [own, theirs], **(used | fields))


def test_who_looks_at_cards_knows_them():
    match = play(match_at(["peek", ""], [THREE, ""], phase="heal"), "use peek", "look 4", "king piece-2")
    hands = match.document()["hands"]
    hands[0]["grid"][3] = "none"
    with pytest.raises(BadPosition, match=r"hands\.0\.grid: expected the card of place 4, which is looked at"):
        same_position(match, hands=hands)


def test_a_card_of_the_king_is_not_in_three_places():
    """R4: three times the first piece are, as sums of bits, the first and the second."""
    match = match_at(["", ""], looked={2: "piece-3", 3: "piece-4"}, healed="1")
    box = match.document()["box"]
    box["kings"] = [king for king in [*box["kings"], "piece-3", "piece-4"] if king != "piece-2"]
    box["grid"][1:3] = ["piece-1", "piece-1"]
    with pytest.raises(BadPosition, match="each of the eighteen once"):
        same_position(match, box=box)


# Any position that is accepted


LOOKED_AT = ("reveal", "choose", "glimpse", "pick")
IN_ENERGY = ("energy", "equal", "steal", "refill", "exchange")


def change_phase(document: Document, draw: random.Random) -> Document:
    """A position with another phase, and whatever may go with it: most are none, some could be."""
    document, seats = deepcopy(document), range(int(document["options"]["players"]))
    phase = draw.choice(PHASES[2:])
    document |= {"phase": phase, "energy": draw.randrange(1, 4) if phase in IN_ENERGY else 0}
    document |= {"due": int(phase in ("draw", "refill")), "other": "none"}
    document["place"] = draw.choice(GRID) if phase in LOOKED_AT else "none"
    others = {
        "other": draw.choice(GRID),
        "victim": draw.choice(seats),
        "due": draw.randrange(4),
        "used": draw.choice([[], ["four"], ["equal"], ["lone"], ["extra"]]),
        "covered": [str(draw.choice(seats))],
        "spare": draw.random() < 0.5,
        "laid": draw.randrange(5),
    }
    document |= {name: others[name] for name in draw.sample(sorted(others), draw.randrange(4))}
    if draw.random() < 0.2:
        _disarm(document, draw.choice(seats))
    if phase == "exchange":
        _lift(document, draw)
    return document


def _disarm(document: Document, seat: int) -> None:
    """The wand cards of a hand go into the deck."""
    hands, deck = document["hands"], document["box"]["deck"]
    for card in WANDS:
        deck[card] += hands[seat]["wands"][card]
        hands[seat]["wands"][card] = 0
    for hand in hands:
        hand["known"][seat]["wands"] = dict.fromkeys(WANDS, 0)
    document["fairies"][seat]["wands"] = 0
    document["deck"] = sum(deck.values())


def _lift(document: Document, draw: random.Random) -> None:
    """A card of the deck lies aside."""
    deck = document["box"]["deck"]
    if document["aside"] == "none" and document["deck"]:
        document["aside"] = draw.choice([card for card in WANDS if deck[card]])
        deck[document["aside"]] -= 1
        document["deck"] -= 1


def some_positions(seed: int, apart: int):
    """Documents of a random match, so many actions apart."""
    draw = random.Random(seed)
    match = GAME.match(players=draw.choice([2, 3, 4]), rounds=draw.choice([3, 8]))
    while not match.over:
        for _ in range(draw.randrange(1, apart)):
            if not match.over:
                odds = match.chance_weights() or dict.fromkeys(match.legal_codes(), 1)
                match.play(draw.choices(list(odds), list(odds.values()))[0], match.to_act[0])
        yield match.document()


def try_positions(seeds: range, apart: int, tries: int) -> dict[str, int]:
    """Count the altered positions that were accepted, and played to an end, by phase."""
    accepted = dict.fromkeys(PHASES, 0)
    for seed in seeds:
        draw, rng = random.Random(seed), stream(seed)
        for document in some_positions(seed, apart):
            for _ in range(tries):
                altered = change_phase(document, draw)
                accepted[altered["phase"]] += leads_to_an_end(GAME, altered, rng)
    return accepted


@pytest.mark.bulk
def test_whatever_position_is_accepted_goes_on_to_an_end():
    accepted = try_positions(range(2), 40, 12)
    assert sum(count > 0 for count in accepted.values()) > 9, accepted


@pytest.mark.soak
def test_many_positions_that_are_accepted_go_on_to_an_end():
    accepted = try_positions(range(10, 60), 20, 60)
    assert sum(count > 0 for count in accepted.values()) > 12, accepted


def test_a_terminal_position_asks_nobody():
    match = GAME.match(players=4, rounds=1, seed=1)
    while not match.over:
        play(match, "done")
    assert kernels.to_act_at(GAME.match(position=match.document())._states, 0) == 0
