"""Faults of positions in the magpie."""

from typing import Any

from magpie.rules import CARDS, COPIES, Phase
from tavola.core import Faults


def history_faults(state: Any) -> list[str]:
    """List what no match can reach: a card is known only if one was stolen."""
    if not state.table.played and any(n for hand in state.hand for cards in hand.knows for n in cards):
        return ["hands: expected no known cards before the first theft"]
    return []


def faults(state: Any) -> list[str]:
    t, players, found = state.table, range(state.table.players), []
    for kind, card in enumerate(CARDS):
        held = sum(state.hand[p].cards[kind] for p in players)
        count = held + state.box.cards[kind] + (state.box.nest == kind + 1)
        if count != COPIES:
            found.append(f"{card}: expected {COPIES} cards, found {count}")
    if (t.nest and t.nest != state.box.nest) or bool(state.box.nest) == (t.phase == Phase.NEST):
        found.append("nest: expected one card in it except in the nest phase, and any shown card to be that one")
    for p in players:
        if t.held[p] != sum(state.hand[p].cards):
            found.append(f"held.{p}: expected {sum(state.hand[p].cards)}, found {t.held[p]}")
        for q in players:
            known, held = state.hand[p].knows[q], state.hand[q].cards
            if any(n > m for n, m in zip(known, held, strict=True)) or (p == q and any(known)):
                found.append(f"hands.{p}.knows.{q}: expected only cards that seat {q} holds")
    return found


FAULTS = Faults(pieces=faults, history=history_faults)
