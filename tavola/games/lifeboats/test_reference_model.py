"""A slow and obvious twin of the ballots and of the third phase, written from the rulebook alone, against the rules.

Sentences of the rulebook stand beside what they became.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tavola.core import Match
from tavola.games.lifeboats.components import COLOURS
from tavola.games.lifeboats.fixtures import LETTERS, match_at, pending_choice, phase_of, vote

MOVES = 5
"""The longest ways, so that there were rounds enough for whatever was lost."""
MANY = settings(max_examples=3 * settings().max_examples, deadline=None)


def outcome(
    cards: dict[int, str], weights: dict[int, int], options: list[str], starter: int
) -> tuple[int | None, list[str]]:
    """Return who decides among what; nobody, and the one colour, where the majority does."""
    captains = [seat for seat, card in cards.items() if card == "captain"]
    # "Se solo un giocatore ha scelto la Carta Capitano, egli decide l'esito finale della votazione a suo piacimento"
    if len(captains) == 1:
        return captains[0], options
    # "Se tutti i giocatori hanno giocato la Carta Capitano in una votazione, è il Giocatore Iniziale a decidere"
    if len(captains) == len(cards):
        return starter, options
    # "queste si annullano fra di loro e valgono le regole normali delle votazioni"
    count: Counter[str] = Counter()
    for seat, card in cards.items():
        if card != "captain":
            count[card] += weights[seat]
    most = max(count.values())
    winners = [colour for colour in options if count[colour] == most]
    # "In caso di parità, sarà il Giocatore Iniziale a decidere quale colore scegliere tra quelli con più voti"
    return (starter, winners) if len(winners) > 1 else (None, winners)


@st.composite
def ballots(draw: st.DrawFn, phase: str) -> tuple[Match, list[str], int]:
    """A match at a ballot over boats, some of them gone, with a start player, and a card for each seat."""
    players = draw(st.integers(3, 6))
    colours = [*COLOURS[:players], "black"]
    afloat = draw(st.lists(st.sampled_from(colours), min_size=1, max_size=min(players, 4), unique=True))
    boats, arrived = [], 0
    for place, colour in enumerate(colours):
        fate = f"{place + 1}:2 {LETTERS[place % players]}~...." if colour in afloat else f"{place + 1}:4 sunk"
        if colour not in afloat and draw(st.booleans()):
            arrived += 1
            fate = f"{place + 1}:5 ashore {arrived}"
        boats.append(f"{colour} {fate}")
    captains = tuple(draw(st.integers(0, 3)) for _ in range(players))
    starter = draw(st.integers(0, players - 1))
    ashore = _ashore(boats, players)
    match = match_at("\n".join(boats), phase, starter, captains, ashore, moves=MOVES)
    return match, _cards(draw, match), starter


def _ashore(boats: list[str], players: int) -> dict[str, str]:
    """Full crews, so that few men are lost without a reason."""
    crews = iter(LETTERS[seat].lower() * 4 for seat in range(players))
    found: dict[str, str] = {}
    for boat in boats:
        lane = int(boat.split()[1].split(":")[0])
        island = "left" if lane <= 2 else "middle" if lane <= 4 else "right"
        if "ashore" in boat:
            found[island] = found.get(island, "") + next(crews, "")
    return found


def _cards(draw: Any, match: Match) -> list[str]:
    """A card for each voter; captains come often enough to meet."""
    cards = []
    for seat in match.to_act:
        legal = [code.removeprefix("vote ") for code in match.legal_codes(seat)]
        captain = legal[-1] == "captain" and draw(st.booleans())
        cards.append("captain" if captain else draw(st.sampled_from(legal)))
    return cards


def check_verdict(
    match: Match, cards: dict[int, str], weights: dict[int, int], options: list[str], starter: int
) -> None:
    """The match came to the same verdict."""
    decider, winners = outcome(cards, weights, options, starter)
    event("nobody decides" if decider is None else "a tie" if winners != options else "a free choice")
    if decider is None:
        assert pending_choice(match) is None
        assert COLOURS[match.view().table.ballot.chosen - 1] == winners[0]
    else:
        assert pending_choice(match) == (decider, " ".join(winners))


@pytest.mark.bulk
@MANY
@given(st.data(), st.sampled_from(["leak ballot", "move ballot"]))
def test_ballots_over_boats(data: st.DataObject, phase: str) -> None:
    """R9 to R15, ruling F3: one vote each, among the boats at sea."""
    match, cards, starter = data.draw(ballots(phase))
    table = match.view().table
    options = [colour for colour, boat in zip(COLOURS, table.boats, strict=True) if boat.at == 1]
    before = table.captains
    vote(match, " ".join(cards))
    played = dict(enumerate(cards))
    check_verdict(match, played, dict.fromkeys(played, 1), options, starter)
    spent = [card == "captain" for card in cards] + [False] * (6 - len(cards))
    assert match.view().table.captains == tuple(had - used for had, used in zip(before, spent, strict=True))


@st.composite
def full_boats(draw: st.DrawFn) -> tuple[str, int, tuple[int, ...], int]:
    """Six men or fewer above leaks: their seats as drawn, a start player, captains and the number of players."""
    players = draw(st.integers(3, 6))
    leaks = draw(st.integers(0, 3))
    men: list[str] = []
    for _ in range(6 - leaks):
        free = [letter for letter in LETTERS[:players] if men.count(letter) < 2]
        free += [letter.lower() for letter in LETTERS[:players] if men.count(letter.lower()) < 4]
        men.append(draw(st.sampled_from(free)))
    captains = tuple(draw(st.integers(0, 3)) for _ in range(players))
    return "".join(men) + "~" * leaks, draw(st.integers(0, players - 1)), captains, players


@pytest.mark.bulk
@MANY
@given(full_boats(), st.data())
def test_ballots_overboard(boat: tuple[str, int, tuple[int, ...], int], data: st.DataObject) -> None:
    """R17 to R21, rulings F2 to F4: those aboard vote by weight, a sailor goes before his officer."""
    seats, starter, captains, players = boat
    # "ogni timoniere che è sulla barca conta per due voti mentre ogni marinaio conta per solo un voto"
    aboard = [seat for seat in range(players) if LETTERS[seat] in seats or LETTERS[seat].lower() in seats]
    weights = {seat: 2 * seats.count(LETTERS[seat]) + seats.count(LETTERS[seat].lower()) for seat in aboard}
    match = match_at(_drawing(seats, players), "leak ballot", starter, captains, moves=MOVES)
    _vote_for_black(match)
    assert (phase_of(match), match.to_act) == ("overboard ballot", tuple(aboard))
    cards = _cards(data.draw, match)
    vote(match, " ".join(cards))
    options = [COLOURS[seat] for seat in aboard]
    decider, winners = outcome(dict(zip(aboard, cards, strict=True)), weights, options, starter)
    if decider is not None:
        assert pending_choice(match) == (decider, " ".join(winners))
        winners = [data.draw(st.sampled_from(winners))]
        match.play(f"choose {winners[0]}", decider)
    _one_man_less(match, seats, LETTERS[COLOURS.index(winners[0])])


def _drawing(black: str, players: int) -> str:
    """Every other boat sank late enough to explain every loss."""
    sunk = [f"{colour} {place + 1}:4 sunk" for place, colour in enumerate(COLOURS[: players - 1])]
    last = f"{COLOURS[players - 1]} {players}:1 ......"
    return "\n".join([*sunk, last, f"black 7:2 {black}"])


def _vote_for_black(match: Match) -> None:
    for seat in match.to_act:
        match.play("vote black", seat)


def _one_man_less(match: Match, seats: str, letter: str) -> None:
    """ "dovrà scegliere un marinaio, perché il timoniere è di grado più alto"; then the leak may sink the boat."""
    gone = letter.lower() if letter.lower() in seats else letter
    left = seats.replace(gone, "", 1) + "~"
    boat = match.view().table.boats[6]
    leaks = left.count("~")
    if leaks > len(left) - leaks:
        assert boat.at == 3
        return
    drawn = [(left.count(officer), left.count(officer.lower())) for officer in LETTERS]
    assert (list(boat.crew), boat.leaks) == (drawn, leaks)


# The third phase


@dataclass
class Sea:
    """Boats as lists of men ("R", "r", …), with a number of free seats; men behind boats, in the order they left."""

    crews: dict[str, list[str]]
    free: dict[str, int]
    starter: int
    players: int
    behind: list[tuple[int, str, str]] = field(default_factory=list)
    drowned: list[str] = field(default_factory=list)

    def may_leave(self, seat: int) -> list[tuple[str, str]]:
        """ "solo una pedina per ogni barca può essere rimossa"."""
        left = [boat for _, _, boat in self.behind]
        own = (LETTERS[seat], LETTERS[seat].lower())
        return [(man, boat) for man in own for boat in COLOURS if boat not in left and man in self.crews.get(boat, [])]

    def leave(self, seat: int, man: str, boat: str) -> None:
        self.crews[boat].remove(man)
        self.free[boat] += 1
        self.behind.append((seat, man, boat))

    def may_board(self) -> list[str]:
        """ "ognuno mette la pedina che ha rimosso dentro un'altra barca a sua scelta"."""
        return [boat for boat in COLOURS if boat != self.behind[-1][2] and self.free.get(boat, 0) > 0]

    def board(self, boat: str) -> None:
        _, man, _ = self.behind.pop()
        self.crews[boat].append(man)
        self.free[boat] -= 1


@st.composite
def crowded(draw: st.DrawFn) -> tuple[str, int, int]:
    """Boats at the start of the third phase, nearly full most of the time."""
    players = draw(st.integers(3, 6))
    men = [letter for seat in LETTERS[:players] for letter in (seat, seat, *seat.lower() * 4)]
    drawing, wreck = [], draw(st.integers(0, players))
    for place, colour in enumerate((*COLOURS[:players], "black")):
        if place == wreck or draw(st.integers(0, 3)) == 0:
            drawing.append(f"{colour} {place + 1}:4 sunk")
            continue
        leaks = draw(st.integers(0, 1))
        crew = [
            men.pop(draw(st.integers(0, len(men) - 1))) for _ in range(min(len(men), draw(st.integers(2, 6 - leaks))))
        ]
        free = 6 - leaks - len(crew)
        drawing.append(f"{colour} {place + 1}:2 {''.join(crew)}{'~' * min(leaks, len(crew))}{'.' * free}")
    return "\n".join(drawing), draw(st.integers(0, players - 1)), players


@pytest.mark.bulk
@MANY
@given(crowded(), st.data())
def test_the_third_phase(layout: tuple[str, int, int], data: st.DataObject) -> None:
    """R26 to R29, ruling F11: who is asked, what is offered, who drowns."""
    drawing, starter, players = layout
    match = _begin(drawing, starter)
    if match is None:
        return
    boats = {line.split()[0]: line.split()[2] for line in drawing.splitlines() if "sunk" not in line}
    crews = {colour: [seat for seat in seats if seat.isalpha()] for colour, seats in boats.items()}
    sea = Sea(crews, {colour: seats.count(".") for colour, seats in boats.items()}, starter, players)
    _leave_in_turn(match, sea, data)
    _board_in_turn(match, sea, data)
    assert len(sea.drowned) <= 1
    assert phase_of(match) in ("leak ballot", "over")


def _begin(drawing: str, starter: int) -> Match | None:
    able = any(seat.isalpha() for line in drawing.splitlines() for seat in line.split()[2] if "sunk" not in line)
    return match_at(drawing, "leaving", starter, moves=MOVES) if able else None


def _leave_in_turn(match: Match, sea: Sea, data: st.DataObject) -> None:
    """ "Dapprima il Giocatore Iniziale, e poi secondo il senso orario"."""
    for seat in [(sea.starter + place) % sea.players for place in range(sea.players)]:
        may = sea.may_leave(seat)
        if may:
            assert match.to_act == (seat,)
            codes = [f"leave {'officer' if man.isupper() else 'sailor'} {boat}" for man, boat in may]
            assert match.legal_codes() == codes
            place = data.draw(st.integers(0, len(may) - 1))
            sea.leave(seat, *may[place])
            match.play(codes[place])


def _board_in_turn(match: Match, sea: Sea, data: st.DataObject) -> None:
    """ "in ordine inverso, iniziando dal giocatore che ha rimosso per ultimo la pedina"."""
    while sea.behind:
        may = sea.may_board()
        if not may:
            assert len(sea.behind) == 1  # the first to have left
            event("drowned")
            sea.drowned.append(sea.behind.pop()[1])
            continue
        assert (phase_of(match), match.to_act) == ("boarding", (sea.behind[-1][0],))
        assert match.legal_codes() == [f"board {boat}" for boat in may]
        boat = data.draw(st.sampled_from(may))
        sea.board(boat)
        match.play(f"board {boat}")


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("captain captain captain", (1, ["red", "green"])),
        ("red captain green", (1, ["red", "green"])),
        ("captain captain green", (None, ["green"])),
        ("red green captain", (2, ["red", "green"])),
    ],
)
def test_the_twin_itself(cards: str, expected: tuple[int | None, list[str]]) -> None:
    played = dict(enumerate(cards.split()))
    assert outcome(played, dict.fromkeys(played, 1), ["red", "green"], 1) == expected
