"""The roll of shields below the window: each in its place, with the sign of who has laid it; the deck and the pile."""

from markupsafe import Markup

from tavola.games.fairies.components import EVERY_PIECE, SHIELDS, Seen
from tavola.games.fairies.picture.garden import seat_disc
from tavola.games.fairies.picture.layout import DECK, PILE_SPOT, TILE, board_text, edge, shield_spot
from tavola.games.fairies.picture.window import LAMP
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_RULE, shield_owner
from tavola.show.kit import PAINTS, PieceItems, Spot, fitted_shape, piece, titled_group
from tavola.show.speech import Say
from tavola.show.svg import tag

EMBLEMS = (*SHIELDS, "king")
PHASES_OF = (("power",), ("power",), ("energy",), ("energy",), ("heal",), ("heal",), LAMP[:3], ("energy",), ("heal",))
"""The signs of the phases in which each may be used (R20 to R27, R34)."""


def shields(view: Seen, say: Say) -> PieceItems:
    """The eight shields, the deck and the pile."""
    t = view.table
    for shield in range(len(SHIELDS)):
        seat = shield_owner(t, shield)
        yield _shield(shield, seat, bool(t.used >> shield & 1) and seat == t.seat, say)
    yield _deck(t.deck, say)
    yield _pile(t.pile, t.healed == EVERY_PIECE, say)


@piece("shield-{shield}")
def _shield(identifier: str, shield: int, seat: int | None, used: bool, say: Say) -> Markup:
    rule = f"{SHIELD(shield, say):The}. {say(SHIELD_RULE[shield])}"
    where = say("Nobody has laid it.") if seat is None else say("It lies in front of {name}.", name=say.name(seat))
    codes = None if seat is None else f"use {SHIELDS[shield]}|red {SHIELDS[shield]}"
    face = _face(shield, seat, used)
    return titled_group(identifier, f"{rule} {where}", face, at=shield_spot(shield), codes=codes)


def _face(shield: int, seat: int | None, used: bool) -> Markup:
    """An emblem on the paint of its owner; pale where nobody has laid it, or where it has been used in this turn."""
    ground = {"x": 4, "y": 4, "width": TILE - 8, "height": TILE - 8, "rx": 10}
    phases = [fitted_shape(f"ic-{sign}", 8 + 25 * k, TILE - 30, 22, 22) for k, sign in enumerate(PHASES_OF[shield])]
    drawn = fitted_shape(f"shield-{SHIELDS[shield]}", 17, 6, 76, 88) + tag("g", *phases, class_="ico")
    if seat is None:
        return tag("rect", class_="niche", **ground) + tag("g", drawn, class_="unlaid")
    laid = tag("g", tag("rect", class_="laid", **ground), class_=PAINTS[seat])
    emblem = tag("g", drawn, class_="faint" if used else None)
    return laid + emblem + seat_disc(seat, TILE - 20, TILE - 20) + edge(TILE, TILE, 10)


@piece("deck", memory=512)
def _deck(identifier: str, count: int, say: Say) -> Markup:
    title = say("The deck: {count} wand cards.", count=count)
    cards = [fitted_shape("back-wand", 3 * k, -2 * k, 24, 36) for k in range(min(4, count))]
    return titled_group(identifier, title, *cards, board_text(str(count), 42, 30, "name tx-b"), at=Spot(*DECK))


@piece("pile", memory=512)
def _pile(identifier: str, count: int, heals: bool, say: Say) -> Markup:
    """R31: with the picture whole, healing draws from here."""
    title = say("The pile: {count} of the King's cards.", count=count)
    cards = [fitted_shape("back-king", 8 + 4 * k, 8 - 2 * k, 66, 99) for k in range(min(4, count))]
    label = tag("circle", class_="seam", cx=88, cy=86, r=20), board_text(str(count), 88, 97, "name tx-b mid")
    parts, codes = (*cards, *label, edge(TILE, TILE, 10)), "heal" if heals else None
    return titled_group(identifier, title, *parts, at=shield_spot(PILE_SPOT), codes=codes)
