"""The roll of shields beside the step: each in its place, with the sign of who has laid it; the deck and the pile."""

from markupsafe import Markup

from tavola.games.fairies.components import SEATS, SHIELDS, Seen
from tavola.games.fairies.picture.garden import seat_disc
from tavola.games.fairies.picture.layout import (
    ROLL_HEIGHT,
    SHIELD_HEIGHT,
    TILE,
    board_text,
    deck_spot,
    edge,
    shield_spot,
)
from tavola.games.fairies.picture.window import LAMP
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_DOES, SHIELD_RULE, shield_owner
from tavola.show.kit import PAINTS, PieceItems, Spot, fitted_shape, fitted_text, piece, titled_group, two_lines
from tavola.show.speech import Say
from tavola.show.svg import tag

EMBLEMS = (*SHIELDS, "king")
PHASES_OF = (("power",), ("power",), ("energy",), ("energy",), ("heal",), ("heal",), LAMP[:3], ("energy",), ("heal",))
"""The signs of the phases in which each may be used (R20 to R27, R34)."""


CAPTION = 17
"""The size of the words that say what a shield does: a phone has no room for them."""


def shields(view: Seen, say: Say) -> PieceItems:
    """The eight shields, the deck and the pile."""
    t = view.table
    for shield in range(len(SHIELDS)):
        seat = shield_owner(t, shield)
        yield _shield(t.players, shield, seat, bool(t.used >> shield & 1) and seat == t.seat, say)
    yield _deck(t.players, t.deck, say)
    yield _pile(t.players, t.pile, say)


@piece("shield-{shield}")
def _shield(identifier: str, players: int, shield: int, seat: int | None, used: bool, say: Say) -> Markup:
    rule = f"{SHIELD(shield, say):The}. {say(SHIELD_RULE[shield])}"
    where = say("Nobody has laid it.") if seat is None else say("It lies in front of {name}.", name=say.name(seat))
    codes = None if seat is None else f"use {SHIELDS[shield]}|red {SHIELDS[shield]}"
    height = SHIELD_HEIGHT if players == SEATS else ROLL_HEIGHT
    told = what_it_does(shield, TILE / 2, 112, TILE - 12, say) if height > SHIELD_HEIGHT else Markup()
    face = _face(shield, seat, used, height, told)
    return titled_group(identifier, f"{rule} {where}", face, at=shield_spot(players, shield), codes=codes)


def what_it_does(shield: int, x: float, y: float, room: float, say: Say, size: float = CAPTION) -> Markup:
    """What a shield does, in two lines about the middle `x`, the first at `y`."""
    lines = two_lines(say(SHIELD_DOES[shield]))
    told = (fitted_text(line, x, y + (size + 1) * row, size, room, "tx mid") for row, line in enumerate(lines))
    return tag("g", *told, class_="big")


def _face(shield: int, seat: int | None, used: bool, height: int, told: Markup) -> Markup:
    """An emblem on the paint of its owner; pale where nobody has laid it, or where it has been used in this turn."""
    ground = {"x": 4, "y": 4, "width": TILE - 8, "height": height - 8, "rx": 10}
    phases = [fitted_shape(f"ic-{sign}", 8 + 22 * k, TILE - 30, 20, 20) for k, sign in enumerate(PHASES_OF[shield])]
    drawn = fitted_shape(f"shield-{SHIELDS[shield]}", 17, 6, 76, 88) + tag("g", *phases, class_="ico")
    if seat is None:
        return tag("rect", class_="niche", **ground) + tag("g", drawn, class_="unlaid") + told
    laid = tag("g", tag("rect", class_="laid", **ground), class_=PAINTS[seat])
    emblem = tag("g", drawn, class_="faint" if used else None)
    return laid + emblem + told + seat_disc(seat, TILE - 20, TILE - 26) + edge(TILE, height, 10)


@piece("deck", memory=512)
def _deck(identifier: str, players: int, count: int, say: Say) -> Markup:
    title = say("The deck: {count} wand cards.", count=count)
    cards = [fitted_shape("back-wand", 4 * k, 6 - 2 * k, 34, 51) for k in range(min(4, count))]
    number = board_text(str(count), 56, 44, "name tx-b")
    return titled_group(identifier, title, *cards, number, at=deck_spot(players))


@piece("pile", memory=512)
def _pile(identifier: str, players: int, count: int, say: Say) -> Markup:
    title = say("The pile: {count} of the King's cards.", count=count)
    cards = [fitted_shape("back-king", 4 * k, 6 - 2 * k, 34, 51) for k in range(min(4, count))]
    number = board_text(str(count), 56, 44, "name tx-b")
    spot = deck_spot(players)
    at = Spot(spot.x + 150, spot.y) if players == SEATS else Spot(spot.x, spot.y + 72)
    return titled_group(identifier, title, *cards, number, at=at)
