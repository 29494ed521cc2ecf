"""Faults of positions in the bazaar."""

from typing import Any

from bazaar.rules import GOODS, Phase
from tavola.core import Faults


def faults(state: Any) -> list[str]:
    t, players = state.table, range(state.table.players)
    found = []
    for kind, good in enumerate(GOODS):
        count = state.box.goods[kind] + sum(state.hand[p].goods[kind] for p in players)
        if count != t.players:
            found.append(f"{good}: expected {t.players} pieces, found {count}")
    for p in players:
        hand, offer = state.hand[p], t.offers[p]
        if t.held[p] != sum(hand.goods):
            found.append(f"held.{p}: expected {sum(hand.goods)}, found {t.held[p]}")
        if any(n > m for part in (hand.laid, offer.goods) for n, m in zip(part, hand.goods, strict=True)):
            found.append(f"hands.{p}: expected only goods from the hand to be laid out or offered")
        if bool(offer.wanted) != bool(sum(offer.goods)) or (offer.wanted and sum(hand.laid)):
            found.append(f"offers.{p}: expected goods offered for a wanted good, and nothing laid out besides")
        if t.phase != Phase.TRADE and (sum(hand.laid) or offer.wanted):
            found.append(f"hands.{p}: expected nothing laid out or offered outside the trading phase")
    return found


FAULTS = Faults(pieces=faults)
