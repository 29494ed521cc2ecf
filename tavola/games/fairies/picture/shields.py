"""The roll of shields below the window: each in its place, with the sign of who has laid it; the deck and the pile."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies.components import EVERY_PIECE, SHIELDS, Seen
from tavola.games.fairies.picture.garden import board_text, seat_disc
from tavola.games.fairies.picture.layout import DECK, PILE_SPOT, TILE, shield_spot
from tavola.games.fairies.picture.window import LAMP
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_RULE, shield_owner
from tavola.show.kit import PAINTS, fitted_shape
from tavola.show.speech import Say
from tavola.show.svg import group, tag

EMBLEMS = (*SHIELDS, "king")
PHASES_OF = (("power",), ("power",), ("energy",), ("energy",), ("heal",), ("heal",), LAMP[:3], ("energy",), ("heal",))
"""The signs of the phases in which each may be used (R20 to R27, R34)."""


def shields(view: Seen, say: Say) -> dict[str, Markup]:
    """The eight shields, the deck and the pile, by id."""
    t = view.table
    drawn = {}
    for shield in range(len(SHIELDS)):
        seat = shield_owner(t, shield)
        drawn[f"shield-{shield}"] = _shield(shield, seat, bool(t.used >> shield & 1) and seat == t.seat, say)
    return {**drawn, "deck": _deck(t.deck, say), "pile": _pile(t.pile, t.healed == EVERY_PIECE, say)}


@lru_cache(maxsize=1024)
def _shield(shield: int, seat: int | None, used: bool, say: Say) -> Markup:
    x, y = shield_spot(shield)
    rule = f"{SHIELD(shield, say):The}. {say(SHIELD_RULE[shield])}"
    where = say("Nobody has laid it.") if seat is None else say("It lies in front of {name}.", name=say.name(seat))
    codes = None if seat is None else f"use {SHIELDS[shield]}|red {SHIELDS[shield]}"
    parts = tag("title", f"{rule} {where}"), _face(shield, seat, used)
    return group(f"shield-{shield}", *parts, x=x, y=y, codes=codes)


@lru_cache(maxsize=128)
def _face(shield: int, seat: int | None, used: bool) -> Markup:
    """An emblem on the paint of its owner; pale where nobody has laid it, or where it has been used in this turn."""
    ground = {"x": 4, "y": 4, "width": TILE - 8, "height": TILE - 8, "rx": 10}
    phases = [fitted_shape(f"ic-{sign}", 8 + 25 * k, TILE - 30, 22, 22) for k, sign in enumerate(PHASES_OF[shield])]
    drawn = fitted_shape(f"shield-{SHIELDS[shield]}", 17, 6, 76, 88) + tag("g", *phases, class_="ico")
    if seat is None:
        return tag("rect", class_="niche", **ground) + tag("g", drawn, class_="unlaid")
    laid = tag("g", tag("rect", class_="laid", **ground), class_=PAINTS[seat])
    emblem = tag("g", drawn, class_="faint" if used else None)
    edge = tag("rect", class_="edge", width=TILE, height=TILE, rx=10)
    return laid + emblem + seat_disc(seat, TILE - 20, TILE - 20) + edge


@lru_cache(maxsize=512)
def _deck(count: int, say: Say) -> Markup:
    told = tag("title", say("The deck: {count} wand cards.", count=count))
    cards = [fitted_shape("back-wand", 3 * k, -2 * k, 24, 36) for k in range(min(4, count))]
    return group("deck", told, *cards, board_text(str(count), 42, 30, "name tx-b"), x=DECK[0], y=DECK[1])


@lru_cache(maxsize=512)
def _pile(count: int, heals: bool, say: Say) -> Markup:
    """R31: with the picture whole, healing draws from here."""
    told = tag("title", say("The pile: {count} of the King's cards.", count=count))
    cards = [fitted_shape("back-king", 8 + 4 * k, 8 - 2 * k, 66, 99) for k in range(min(4, count))]
    edge = tag("rect", class_="edge", width=TILE, height=TILE, rx=10)
    label = tag("circle", class_="seam", cx=88, cy=86, r=20), board_text(str(count), 88, 97, "name tx-b mid")
    x, y = shield_spot(PILE_SPOT)
    codes = "heal" if heals else None
    return group("pile", told, *cards, *label, edge, x=x, y=y, codes=codes)
