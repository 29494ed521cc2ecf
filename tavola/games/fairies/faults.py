"""Faults of positions in Fairies, as text: for position documents, and for tests at every step."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from operator import or_

from tavola.core import Faults, layout
from tavola.games.fairies import components
from tavola.games.fairies.components import PIECES, Ending, Garden, Hand, Phase, State, Table

PEEKING = (Phase.LOOK, Phase.GLIMPSE, Phase.PICK)
"""Phases of the shield `peek` (R25)."""


def faults(state: State) -> list[str]:
    """Return every fault of a state given in named tuples; a state that a match can reach has none."""
    pieces = (_seats(state), _wands(state), _kings(state), _rounds(state.table), _phase(state), _looking(state))
    found = [fault for part in pieces for fault in part]
    return found or [*_gardens(state.table), *_marks(state), *_notes(state), *_answers(state)]


def history_faults(state: State) -> list[str]:
    """Return what no match leads to: a turn of the wrong seat, cards before they are dealt."""
    t = state.table
    found = [] if t.begun else [*_dealing(state)]
    if t.phase == Phase.LOT and t.first_player:
        found.append("phase: expected no draw, since the first player is agreed on")
    if t.begun and t.dealt != components.DEALT * t.players:
        found.append(f"dealt: expected {components.DEALT * t.players}, four wand cards per seat")
    if Phase.EMPOWER <= t.phase <= Phase.RESTORE and t.seat != (t.first + t.turns) % t.players:
        found.append(f"seat: expected {(t.first + t.turns) % t.players}, whose turn it is after {t.turns} turns")
    return found


def _dealing(state: State) -> Iterator[str]:
    t = state.table
    for seat, garden in enumerate(t.fairies[: t.players]):
        due = len(range(seat, t.dealt, t.players))
        if garden.wands != due or any(half.count for half in garden.halves):
            yield f"fairies.{seat}: expected {due} wand cards in hand and none on the table after {t.dealt} are dealt"
    if t.healed or t.looked or t.pile != components.PILE:
        yield "healed, looked, pile: expected the King's cards untouched until the wand cards are dealt"


def _seats(state: State) -> Iterator[str]:
    t = state.table
    for name in ("first", "seat", "victim", "ender"):
        if getattr(t, name) >= t.players:
            yield f"{name}: expected a seat from 0 to {t.players - 1}"
    if (t.covered | t.guarded | t.passed) >> t.players:
        yield f"covered, guarded, passed: expected seats from 0 to {t.players - 1}"
    for seat in range(t.players, components.SEATS):
        if any((*layout(Garden).integers(t.fairies[seat]), *layout(Hand).integers(state.hand[seat]))):
            yield f"fairies.{seat}: expected nothing for an empty seat"


def _wands(state: State) -> Iterator[str]:
    """R3: every wand card is in exactly one place."""
    t = state.table
    found = Counter([t.aside - 1] if t.aside else [])
    for seat, garden in enumerate(t.fairies):
        for half in garden.halves:
            found.update(half.cards[: half.count])
            if any(half.cards[half.count :]):
                yield f"fairies.{seat}.halves: expected no card above the visible one"
        if sum(state.hand[seat].wands) != garden.wands:
            yield f"fairies.{seat}.wands: expected {sum(state.hand[seat].wands)}, the number of wand cards in hand"
    for kind in range(components.WAND_COUNT):
        if found[kind] + sum(hand.wands[kind] for hand in state.hand) + state.box.deck[kind] != components.COPIES[kind]:
            yield f"wand cards of kind {kind}: expected {components.COPIES[kind]} in all"
    if sum(state.box.deck) != t.deck:
        yield f"deck: expected {sum(state.box.deck)} cards"


def _kings(state: State) -> Iterator[str]:
    """R4: every King card is in exactly one place, and the right number of them face down."""
    t, box = state.table, state.box
    masks = [t.healed, box.kings, *(1 << card - 1 for card in box.grid if card)]
    masks += [(garden.shields | hand.kings) << PIECES for garden, hand in zip(t.fairies, state.hand, strict=True)]
    masks += [1 << components.KING_COUNT - 1] if t.ending == Ending.CROWNED else []
    if reduce(or_, masks) != components.EVERY_KING or sum(mask.bit_count() for mask in masks) != components.KING_COUNT:
        yield "King cards: expected each of the eighteen once"
    taken = sum(garden.kings + garden.shields.bit_count() for garden in t.fairies) + (t.ending == Ending.CROWNED)
    if t.pile != components.PILE - taken:
        yield f"pile: expected {components.PILE - taken} cards, since {taken} were taken"
    for seat, (garden, hand) in enumerate(zip(t.fairies, state.hand, strict=True)):
        if garden.kings != hand.kings.bit_count() or garden.shields & hand.kings:
            yield f"fairies.{seat}.kings: expected the number of King cards in the hand, none of them on the table"
    if any(t.healed >> place & 1 and box.grid[place] for place in range(components.GRID)):
        yield "box.grid: expected nothing under the picture"


def _rounds(t: Table) -> Iterator[str]:
    """R5, R6, R41."""
    if (t.phase in (Phase.LOT, Phase.DEAL)) != (t.begun == 0):
        yield "begun: expected 0 before every seat has four wand cards, and from 1 afterwards"
    if t.rounds and t.begun > t.rounds:
        yield f"begun: expected at most {t.rounds}, the number of rounds in the match"
    most = components.DEALT * t.players - (t.phase == Phase.DEAL)
    if t.dealt > most or (t.phase == Phase.LOT and t.dealt):
        yield f"dealt: expected at most {most} wand cards, and none before the first player is drawn"
    if t.phase in (Phase.LOT, Phase.DEAL) and components.DECK - t.deck != t.dealt:
        yield f"deck: expected {components.DECK - t.dealt} cards after {t.dealt} are dealt"
    if t.turns > t.players or (t.turns == t.players) != (t.ending == Ending.ROUNDS):
        yield f"turns: expected fewer than {t.players}, and {t.players} when the rounds are over"


def _phase(state: State) -> Iterator[str]:
    t = state.table
    if (t.phase in (Phase.DRAW, Phase.REFILL)) != (t.due > 0) or t.due > t.deck:
        yield "due: expected cards to draw in the phases draw and refill, no more than in the deck, and none otherwise"
    if (t.phase in (Phase.ENERGY, Phase.EQUAL, Phase.STEAL, Phase.REFILL, Phase.EXCHANGE)) != (t.energy > 0):
        yield "energy: expected remaining actions in phase 2, and none otherwise"
    if (t.phase == Phase.EXCHANGE) != (t.aside > 0):
        yield "aside: expected a card while it is exchanged, and none otherwise"
    if t.phase in (Phase.STEAL, Phase.REFILL, Phase.EXCHANGE) and t.victim == t.seat:
        yield "victim: expected a seat other than the one whose turn it is"
    if t.phase == Phase.STEAL and not t.fairies[t.victim].wands + t.fairies[t.victim].kings:
        yield "victim: expected a hand with a card to steal"
    if t.phase == Phase.EXCHANGE and not t.fairies[t.seat].wands:
        yield "phase: expected a wand card in hand to exchange"
    if t.phase == Phase.DISCARD and not t.fairies[t.seat].wands:
        yield "phase: expected a wand card in hand that can go back into the deck"
    yield from _ending(t)


def _ending(t: Table) -> Iterator[str]:
    """R34 to R38."""
    last = t.phase == Phase.LAST_PLAYS
    if (last or t.phase == Phase.OVER) != (t.ending > 0) or (last and t.ending != Ending.CROWNED):
        yield "ending: expected the King's shield on the picture while the last cards are played"
    if last and (t.passed >> t.seat & 1 or not t.passed >> t.ender & 1):
        yield "passed: expected the seat that played the King's shield, but not the seat to act"
    for seat, garden in enumerate(t.fairies):
        if last and garden.last == components.LAST_CARDS and not t.passed >> seat & 1:
            yield f"passed: expected seat {seat}, which has played {components.LAST_CARDS} cards"
    if t.ending == Ending.CROWNED and t.healed != components.EVERY_PIECE:
        yield "healed: expected the whole picture under the King's shield"


def _looking(state: State) -> Iterator[str]:
    """R25, R29 to R31: which of the King's cards is turned up or being looked at."""
    t, grid, whole = state.table, state.box.grid, state.table.healed == components.EVERY_PIECE
    turned = t.phase in (Phase.CHOOSE, Phase.GLIMPSE, Phase.PICK) or (t.phase == Phase.REVEAL and not whole)
    if (t.place > 0) != turned:
        yield "place: expected one of the King's cards while it is looked at, and none otherwise"
    if t.phase == Phase.REVEAL and whole and not t.pile:
        yield "pile: expected a card to draw"
    if t.phase in PEEKING and PIECES - t.healed.bit_count() < 2:
        yield "healed: expected two face-down King's cards to look at"
    if (t.other and (t.phase not in PEEKING or t.other == t.place)) or (t.phase == Phase.PICK and not t.other):
        yield "other: expected the first of two cards looked at, other than place, and none otherwise"
    for name in ("place", "other"):
        if getattr(t, name) and t.healed >> getattr(t, name) - 1 & 1:
            yield f"{name}: expected a face-down King's card"
    if t.phase == Phase.CHOOSE and (not t.place or grid[t.place - 1] <= PIECES):
        yield "place: expected a shield that is being looked at"


def _gardens(t: Table) -> Iterator[str]:
    """R9: a fairy is awake only while her wand is complete."""
    for seat, garden in enumerate(t.fairies):
        broken = t.phase == Phase.EXCHANGE and seat == t.victim  # R15: judged after the exchange
        for fairy in range(3):
            star, tail = garden.halves[2 * fairy : 2 * fairy + 2]
            if garden.up >> fairy & 1 and not (star.count and tail.count) and not broken:
                yield f"fairies.{seat}.up: expected a whole wand under an active fairy"
        for half, cards in enumerate(garden.halves):
            if any(kind < 24 and kind // 4 != half for kind in cards.cards[: cards.count]):
                yield f"fairies.{seat}.halves: expected cards of that colour and half, or jokers"


def _marks(state: State) -> Iterator[str]:
    """R42: public knowledge about face-down King cards."""
    t = state.table
    for place, card in enumerate(state.box.grid):
        looked, shield = t.looked >> place & 1, t.shielded >> place & 1
        if looked and not card:
            yield f"looked: expected place {place + 1} only if a seat knows its face-down card"
        if shield and not (looked and card > PIECES):
            yield f"shielded: expected place {place + 1} only if its shield was looked at"
    for name, phases in (("place", (Phase.CHOOSE, Phase.PICK)), ("other", PEEKING)):
        place = getattr(t, name)
        if place and t.phase in phases and not state.hand[t.seat].grid[place - 1]:
            yield f"hands.{t.seat}.grid: expected the card of place {place}, which is looked at"
        if place and t.phase != Phase.CHOOSE and t.phase in phases and not t.looked >> place - 1 & 1:
            yield f"looked: expected place {place}, which is looked at"


def _notes(state: State) -> Iterator[str]:
    """R42: what a seat has noted as certain is true."""
    for seat, hand in enumerate(state.hand):
        if any(note and note != card for note, card in zip(hand.grid, state.box.grid, strict=True)):
            yield f"hands.{seat}.grid: expected notes that match the cards there"
        for other, note in enumerate(hand.known):
            held = state.hand[other]
            more = any(noted > count for noted, count in zip(note.wands, held.wands, strict=True))
            if more or note.kings & ~held.kings or (other == seat and (any(note.wands) or note.kings)):
                yield f"hands.{seat}.known.{other}: expected at most what that hand has, and nothing for the own hand"


def _answers(state: State) -> Iterator[str]:
    """R22: the shield of equals is used only if it makes a power possible."""
    t = state.table
    if t.phase == Phase.EQUAL and not any(_can_be_used(t, victim) for victim in range(t.players) if victim != t.seat):
        yield "phase: expected a power that equal mana is enough for"


def _can_be_used(t: Table, victim: int) -> bool:
    own, theirs = t.fairies[t.seat], t.fairies[victim]
    green, blue, red = ((own.up & theirs.up) >> k & 1 and _mana(own, k) >= _mana(theirs, k) for k in range(3))
    if (green and theirs.wands + theirs.kings) or (blue and own.wands) or (red and theirs.shields):
        return True
    spared = (t.covered | t.guarded) >> victim & 1
    sums = [sum(_mana(garden, fairy) for fairy in range(3)) for garden in (own, theirs)]
    return own.up == theirs.up == components.ALL_UP and not spared and sums[0] >= sums[1]


def _mana(garden: Garden, fairy: int) -> int:
    halves = garden.halves[2 * fairy : 2 * fairy + 2]
    return sum(int(components.VALUE[half.cards[half.count - 1]]) for half in halves if half.count)


FAULTS = Faults(pieces=faults, history=history_faults)
