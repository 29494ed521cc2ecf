"""What is impossible about the pieces of Fairies, in words: for position documents, and for tests at every step."""

from collections import Counter
from collections.abc import Iterator

from tavola.core import layout
from tavola.games.fairies.components import (
    CHOOSE,
    COPIES,
    CROWNED,
    DEAL,
    DEALT,
    DISCARD,
    DRAW,
    ENERGY,
    EQUALS,
    EVERY_KING,
    EVERY_PIECE,
    EXCHANGE,
    GRID,
    KING_COUNT,
    LAST_PLAYS,
    LOT,
    OVER,
    PIECES,
    PILE,
    REFILL,
    SEATS,
    STEAL,
    WAND_COUNT,
    Garden,
    Hand,
    State,
    Table,
)


def faults(state: State) -> list[str]:
    """Every fault of a state given in named tuples; a state that a match can reach has none."""
    found = [*_seats(state), *_wands(state), *_kings(state), *_phase(state)]
    return found or [*_gardens(state.table), *_notes(state)]


def _seats(state: State) -> Iterator[str]:
    t = state.table
    for name in ("first", "seat", "victim", "ender"):
        if getattr(t, name) >= t.players:
            yield f"{name}: expected a seat from 0 to {t.players - 1}"
    if (t.covered | t.guarded | t.passed) >> t.players:
        yield f"covered, guarded, passed: expected seats from 0 to {t.players - 1}"
    for seat in range(t.players, SEATS):
        if any((*layout(Garden).integers(t.fairies[seat]), *layout(Hand).integers(state.hand[seat]))):
            yield f"fairies.{seat}: expected nothing where nobody sits"


def _wands(state: State) -> Iterator[str]:
    """R3: every wand card is in one place."""
    t = state.table
    found = Counter(t.aside - 1 for _ in range(t.aside > 0))
    for seat, garden in enumerate(t.fairies):
        for half in garden.halves:
            found.update(half.cards[: half.count])
            if any(half.cards[half.count :]):
                yield f"fairies.{seat}.halves: expected no card above the one that is seen"
        if sum(state.hand[seat].wands) != garden.wands:
            yield f"fairies.{seat}.wands: expected {sum(state.hand[seat].wands)}, the wand cards of the hand"
    for kind in range(WAND_COUNT):
        held = sum(hand.wands[kind] for hand in state.hand)
        if found[kind] + held + state.box.deck[kind] != COPIES[kind]:
            yield f"wand cards of kind {kind}: expected {COPIES[kind]} in all"
    if sum(state.box.deck) != t.deck:
        yield f"deck: expected {sum(state.box.deck)} cards"


def _kings(state: State) -> Iterator[str]:
    """R4: every King card is in one place, and as many face down as there must be."""
    t, box = state.table, state.box
    masks = [t.healed, box.kings, *(1 << card - 1 for card in box.grid if card)]
    masks += [(garden.shields | hand.kings) << PIECES for garden, hand in zip(t.fairies, state.hand, strict=True)]
    masks += [1 << KING_COUNT - 1] if t.ending == CROWNED else []
    if sum(masks) != EVERY_KING:
        yield "King cards: expected each of the eighteen once"
    taken = sum(garden.kings + garden.shields.bit_count() for garden in t.fairies) + (t.ending == CROWNED)
    if t.pile != PILE - taken:
        yield f"pile: expected {PILE - taken} cards, {taken} were taken"
    for seat, (garden, hand) in enumerate(zip(t.fairies, state.hand, strict=True)):
        if garden.kings != hand.kings.bit_count() or garden.shields & hand.kings:
            yield f"fairies.{seat}.kings: expected the number of King cards in the hand, none of them on the table"
    if any(t.healed >> place & 1 and box.grid[place] for place in range(GRID)):
        yield "box.grid: expected nothing under the picture"


def _phase(state: State) -> Iterator[str]:
    t = state.table
    if (t.phase in (LOT, DEAL)) != (t.begun == 0) or t.dealt > DEALT * t.players:
        yield "begun: expected 0 before everybody has four wand cards, and from 1 afterwards"
    if (t.phase in (DRAW, REFILL)) != (t.due > 0) or t.due > t.deck:
        yield "due: expected cards to draw in the phases draw and refill, no more than the deck has, and none elsewhere"
    if (t.phase in (ENERGY, EQUALS, STEAL, REFILL, EXCHANGE)) != (t.energy > 0):
        yield "energy: expected actions that are left in phase 2, and none elsewhere"
    if (t.phase == EXCHANGE) != (t.aside > 0):
        yield "aside: expected a card while it is exchanged, and none elsewhere"
    if t.phase == DISCARD and not sum(state.hand[t.seat].wands):
        yield "phase: expected a wand card in hand that can go back into the deck"
    if t.phase == CHOOSE and (not t.place or state.box.grid[t.place - 1] <= PIECES):
        yield "place: expected a shield that is looked at"
    if (t.phase in (LAST_PLAYS, OVER)) != (t.ending > 0) and t.phase != OVER:
        yield "ending: expected the King's shield on the picture while the last cards are played"
    if t.phase == LAST_PLAYS and (t.passed >> t.seat & 1 or not t.passed >> t.ender & 1):
        yield "passed: expected who laid the King's shield, and not who is asked"
    if t.ending == CROWNED and t.healed != EVERY_PIECE:
        yield "healed: expected the whole picture under the King's shield"


def _gardens(t: Table) -> Iterator[str]:
    """R9: a fairy is active only while her wand is whole."""
    for seat, garden in enumerate(t.fairies):
        for fairy in range(3):
            star, tail = garden.halves[2 * fairy : 2 * fairy + 2]
            if garden.up >> fairy & 1 and not (star.count and tail.count) and t.phase != EXCHANGE:
                yield f"fairies.{seat}.up: expected a whole wand under an active fairy"
        for half, cards in enumerate(garden.halves):
            if any(kind < 24 and kind // 4 != half for kind in cards.cards[: cards.count]):
                yield f"fairies.{seat}.halves: expected cards of that colour and half, or jokers"


def _notes(state: State) -> Iterator[str]:
    """R42: what a seat is sure of is so."""
    for seat, hand in enumerate(state.hand):
        if any(note and note != card for note, card in zip(hand.grid, state.box.grid, strict=True)):
            yield f"hands.{seat}.grid: expected notes of the cards that lie there"
        for other, note in enumerate(hand.known):
            held = state.hand[other]
            more = any(noted > count for noted, count in zip(note.wands, held.wands, strict=True))
            if more or note.kings & ~held.kings or (other == seat and (any(note.wands) or note.kings)):
                yield f"hands.{seat}.known.{other}: expected no more than that hand holds, and nothing of the own"
