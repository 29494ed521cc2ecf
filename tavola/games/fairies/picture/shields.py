"""The fairy shields: at their owners, and at a table of two, where a light is free, those that are not laid yet."""

from markupsafe import Markup

from tavola.games.fairies.components import SHIELDS, Seen
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.layout import edge, sizes, words
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_DOES, SHIELD_RULE, shield_owner
from tavola.show.kit import PieceItems, Spot, fitted_shape, fitted_text, piece, titled_group, two_lines
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.show.words import members_of

EMBLEMS = (*SHIELDS, "king")
PHASES_OF = tuple(
    signs.split()
    for signs in ("power", "power", "energy", "energy", "heal", "heal", "power energy heal", "energy", "heal")
)
"""Signs of the phases in which each shield can be used (R20 to R27, R34)."""
KERB_X, KERB_ROOM = 274, 350
"""Left edge of one's own shields on the kerb, and the room for them."""


def shields(view: Seen, say: Say) -> PieceItems:
    t = view.table
    hidden = [shield for shield in range(len(SHIELDS)) if shield_owner(t, shield) is None]
    for shield in range(len(SHIELDS)):
        if (seat := shield_owner(t, shield)) is not None:
            owned = members_of(t.fairies[seat].shields)
            used = bool(t.used >> shield & 1) and seat == t.seat
            yield _laid(t.players, shield, seat, owned.index(shield), len(owned), used, say)
        elif t.players == min(layout.TREASURY):
            yield _hidden(shield, hidden.index(shield), say)


@piece("shield-{shield}")
def _laid(
    identifier: str, players: int, shield: int, seat: int, place: int, count: int, used: bool, say: Say
) -> Markup:
    """`place`: of the owner's `count` shields, from 0."""
    light = layout.light_of(players)
    wide, foot = (40.0, light.foot + 38) if light is layout.TALL else (26.0, light.foot - 5)
    step = min(wide + 2, (116 if light is layout.TALL else 78) / count)
    x = layout.LIGHT_WIDTH - 14 - step * (count - place)
    behind = fitted_shape(f"shield-{SHIELDS[shield]}", x, foot, wide, wide * 1.16, "faint" if used else "")
    behind += edge(x, foot, wide, wide * 1.16, 6)
    front = _on_the_kerb(shield, place, count, used, say)
    title = f"{_rule(shield, say)} {say('It’s in front of {name}.', name=say.name(seat))}"
    codes = f"use {SHIELDS[shield]}|red {SHIELDS[shield]}"
    return layout.garden_piece(identifier, title, behind, front, players, seat, codes=codes, class_="laid")


def _rule(shield: int, say: Say) -> str:
    return f"{SHIELD(shield, say):The}. {say(SHIELD_RULE[shield])}"


def _on_the_kerb(shield: int, place: int, count: int, used: bool, say: Say) -> Markup:
    """Draw an own shield, on a wide screen with its name and effect while there is room for them."""
    step, faint = min(172, KERB_ROOM / count), "faint" if used else ""
    x, y, name = KERB_X + step * place, layout.KERB_Y + 12, f"shield-{SHIELDS[shield]}"
    fine = fitted_shape(name, x + 2, y + 2, 54, 62.6, faint)
    if step > 120:
        fine += words(str(f"{SHIELD(shield, say):short}"), x + 63, y + 22, 17, "tx-b", step - 68)
        for line, text in enumerate(two_lines(say(SHIELD_DOES[shield]))):
            fine += words(text, x + 63, y + 41 + 18 * line, 15, "", step - 68)
    apart = min(98, KERB_ROOM / count)
    coarse_x = KERB_X - 4 + apart * place
    coarse = fitted_shape(name, coarse_x + 11, layout.KERB_Y + 4, 76, 88, faint)
    glow = edge(x, y, 58, 66), edge(coarse_x, layout.KERB_Y - 3, max(apart, 92), 98)
    return sizes(fine + glow[0], coarse + glow[1])


@piece("shield-{shield}")
def _hidden(identifier: str, shield: int, place: int, say: Say) -> Markup:
    slot = layout.TREASURY[2]
    at = Spot(slot.x + 19 + 50 * (place % 4), slot.y + 250 + 64 * (place // 4))
    drawn = tag("g", fitted_shape(f"shield-{SHIELDS[shield]}", 0, 0, 44, 51), class_="unlaid")
    return titled_group(identifier, f"{_rule(shield, say)} {say('No one has played it yet.')}", drawn, at=at)


def what_it_does(shield: int, x: float, y: float, room: float, say: Say, size: float) -> Markup:
    """Return a shield's effect in two lines centred on `x`, the first at `y`."""
    lines = two_lines(say(SHIELD_DOES[shield]))
    told = (fitted_text(line, x, y + (size + 1) * row, size, room, "tx mid") for row, line in enumerate(lines))
    return tag("g", *told, class_="big")
