"""The ground of a garden: its light's glass with name, points and what is counted, and for its owner the kerb in front.

On a phone the whole of another garden is drawn here, with larger figures, and is one target.
"""

from functools import lru_cache

from markupsafe import Markup

from tavola.core.text import shorten
from tavola.games.fairies import components
from tavola.games.fairies.components import HALF_COUNT, SHIELDS, Garden, Phase, Seen
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.garden import CACHE, COLOUR, Seats, half_codes, states_of
from tavola.games.fairies.picture.layout import COARSE, Light, edge, roundel, scroll, seal, sizes, words
from tavola.games.fairies.words import nouns
from tavola.show.kit import PAINTS, PieceItems, anonymous_say, fitted_shape, piece
from tavola.show.speech import Say, figure
from tavola.show.svg import tag
from tavola.show.words import members_of

LONGEST_NAME = 12  # characters of a name
COARSE_TILE = 66.0


def glasses(view: Seen) -> PieceItems:
    """Yield the glass of every light, below everything else."""
    players = view.table.players
    yield from (_glass(players, seat) for seat in range(players))


@piece("glass-{seat}", memory=16)
def _glass(identifier: str, players: int, seat: int) -> Markup:
    light = layout.light_of(players)
    glass = fitted_shape(light.shape, 0, 0, layout.LIGHT_WIDTH, light.high)
    return layout.garden_piece(identifier, "", glass, Markup(), players, seat, class_="through")


def grounds(view: Seen, say: Say) -> PieceItems:
    """Yield what is written and counted of every garden."""
    t, bare = view.table, anonymous_say(view.game, say.language)
    for seat in range(t.players):
        turn, first = t.phase != Phase.OVER and seat == t.seat, bool(t.begun and seat == t.first)
        yield _ground(t.players, seat, t.fairies[seat], turn, first, nouns.seats_beaten(t, seat, "cover"), say, bare)


@piece("garden-{seat}", memory=CACHE)
def _ground(
    identifier: str,
    players: int,
    seat: int,
    garden: Garden,
    turn: bool,
    starts: bool,
    beaten: Seats,
    say: Say,
    bare: Say,
) -> Markup:
    """`bare`: `say` without names. A change concerns few parts of a ground; the others are cached for all tables."""
    light, numbers, name = layout.light_of(players), _numbers(garden), say.name(seat)
    behind = edge(5, 5, layout.LIGHT_WIDTH - 10, light.high - 8, 20)
    behind += _banner(light, seat, shorten(name, LONGEST_NAME), garden.points, turn, starts)
    behind += sizes(_fine_foot(light, *numbers, garden.wands, garden.kings), _coarse_garden(light, garden))
    front = _kerb(*numbers, beaten, bare)
    if starts:
        front += _pennant(layout.WIDTH - 36, layout.SILL_Y + 2)
    parts = {"name": name, "stars": nouns.stars(garden), **nouns.counted(garden, say)}
    title = say("{name}: {points}, {wands} and {kings} in hand; healing scores {stars}.", **parts)
    codes = _codes_of_garden(seat, garden.shields)
    return layout.garden_piece(identifier, title, behind, front, players, seat, class_="ground", codes_of_light=codes)


@lru_cache(maxsize=CACHE)
def _banner(light: Light, seat: int, name: str, points: int, turn: bool, starts: bool) -> Markup:
    """Draw the name over a light: with a rim of gold in its turn, with a pennant if the seat begins the round."""
    y, high = light.banner, light.banner_high
    band, middle = scroll("turn" if turn else "", 9, y, layout.LIGHT_WIDTH - 18, high), y + high / 2
    crest = seal(seat, 25, middle, high * 0.42)
    if light is layout.TALL:  # the seal in the head of the light too
        centre = layout.LIGHT_WIDTH / 2
        crest = tag("circle", class_="nimbus", cx=centre, cy=42, r=24) + seal(seat, centre, 42, 20) + crest
    texts, right, room = [], layout.LIGHT_WIDTH - 18, 92 if starts else 124
    for size, larger in ((22, 26), (COARSE, 31)):
        named = words(name, 42, middle + size * 0.36, size, "tx-b printed", room)
        texts.append(named + words(figure(points), right, middle + larger * 0.35, larger, "tx-b printed end"))
    flag = _pennant(150, middle) if starts else Markup()
    return tag("g", band, crest, sizes(*texts), flag, class_=f"banner {PAINTS[seat]}")


def _pennant(x: float, y: float) -> Markup:
    outline = f"M{x - 13:g} {y - 13:g}H{x + 15:g}L{x + 8:g} {y:g}L{x + 15:g} {y + 13:g}H{x - 13:g}Z"
    flag = tag("path", class_="pennant", d=outline)
    return flag + sizes(words("1", x - 2, y + 7, 20, "num"), words("1", x - 2, y + 10, COARSE, "num"))


def _numbers(garden: Garden) -> tuple[str, str]:
    """What a healing gives, and the sum of all three; a dash without enough awake fairies."""
    heals = nouns.stars(garden) if garden.up.bit_count() > 1 else 0
    return str(heals), str(nouns.attack_of_three(garden)) if garden.up == components.ALL_UP else "–"


@lru_cache(maxsize=CACHE)
def _fine_foot(light: Light, heals: str, three: str, wands: int, kings: int) -> Markup:
    if light is layout.HALF:
        band = layout.frame("band", 14, light.foot, layout.LIGHT_WIDTH - 28, 20, 0, 5)
        marks = ("ic-heal", heals, 20), ("pw-3", three, 62), ("back-wand", str(wands + kings), 106)
        return band + Markup("").join(_counted(*mark, light.foot + 3, 14, 17) for mark in marks)
    band = layout.frame("band", 16, light.foot, layout.LIGHT_WIDTH - 32, 27, 0, 6)
    sums = _counted("ic-heal", heals, 44, light.foot + 5, 17, 20) + _counted("pw-3", three, 136, light.foot + 5, 17, 20)
    return band + sums + _backs(wands, kings, 18, light.foot + 36)


def _counted(icon: str, count: str, x: float, y: float, size: float, text: float) -> Markup:
    wide = size * 0.72 if icon.startswith("back") else size
    return fitted_shape(icon, x, y, wide, size, "ico") + words(count, x + wide + 5, y + size * 0.88, text, "tx-b pale")


def _backs(wands: int, kings: int, x: float, y: float) -> Markup:
    """Draw the backs of a hand: green for wand cards, blue with a crown for King's cards."""
    backs = ["back-wand"] * wands + ["back-king"] * kings
    step = min(11, 56 / max(1, len(backs) - 1))
    drawn = (fitted_shape(back, x + step * k, y, 34, 51) for k, back in enumerate(backs))
    return Markup("").join(drawn) + words(str(len(backs)), x + step * (len(backs) - 1) + 40, y + 33, 21, "tx-b pale")


def _coarse_garden(light: Light, garden: Garden) -> Markup:
    parts = []
    for fairy, state in enumerate(states_of(garden)):
        star, tail = (nouns.top_kind(garden, 2 * fairy + half) for half in range(2))
        strength = nouns.attack(garden, fairy) if nouns.is_whole(garden, fairy) else None
        parts.append(_coarse_column(light, fairy, state, star, tail, strength))
    if light is layout.HALF:
        return Markup("").join(parts)
    hand = _counted("back-wand", str(garden.wands + garden.kings), 16, light.high - 52, 42, 30)
    owned, right = members_of(garden.shields), layout.LIGHT_WIDTH - 14
    step = min(46, 116 / max(1, len(owned)))
    held = (
        fitted_shape(f"shield-{SHIELDS[shield]}", right - step * (len(owned) - k), light.high - 54, 42, 49)
        for k, shield in enumerate(owned)
    )
    return Markup("").join([*parts, hand, *held])


@lru_cache(maxsize=CACHE)
def _coarse_column(light: Light, fairy: int, state: str, star: int, tail: int, strength: int | None) -> Markup:
    """`star`, `tail`: the kinds of the visible cards, -1 for none. `strength`: None unless the wand is whole."""
    x, tall = layout.column_x(fairy), light is layout.TALL
    wide, tile, wand_y = (70, COARSE_TILE, light.fairy_y + 76) if tall else (52, 50.0, light.fairy_y + 58)
    drawn = [fitted_shape(f"fairy-{COLOUR[fairy]}-{state}", x - wide / 2, light.fairy_y - 2, wide, wide * 1.08)]
    for kind, half, y in ((tail, 2 * fairy + 1, wand_y + tile * 0.93), (star, 2 * fairy, wand_y)):
        drawn.append(_mini(kind, half, x - tile / 2, y, tile))
    if strength is not None:
        at = (x, wand_y + tile * 1.95 + 24, 21) if tall else (x + 26, wand_y + tile * 0.96, 17)
        drawn.append(roundel(*at, strength, "sum" if state == "on" else "sum still", COARSE))
    return Markup("").join(drawn)


def _mini(kind: int, half: int, x: float, y: float, size: float) -> Markup:
    which = ("star", "tail")[half % 2]
    if kind < 0:
        return fitted_shape(f"{which}-{COLOUR[half // 2]}-empty", x, y, size, size)
    colour, down = COLOUR[3 if kind >= components.COLOURED_COUNT else half // 2], (0.5, 0.44)[half % 2]
    value = words(str(components.VALUE[kind]), x + size / 2, y + size * (down + 0.185), max(COARSE, size * 0.56), "num")
    return fitted_shape(f"mini-{which}-{colour}", x, y, size, size) + value


@lru_cache(maxsize=CACHE)
def _kerb(heals: str, three: str, beaten: Seats, say: Say) -> Markup:
    return sizes(_fine_kerb(heals, three, beaten, say), _coarse_kerb(heals, three, beaten))


def _fine_kerb(heals: str, three: str, beaten: Seats, say: Say) -> Markup:
    y = layout.KERB_Y + 10
    told = say("beats") if beaten else say("beats no one") if three != "–" else say("needs all three")
    return Markup("").join(
        (
            layout.frame("plaque", 10, y, 154, 72, 0, 8),
            fitted_shape("pw-3", 20, y + 9, 22, 22, "sign-of"),
            words(say("Cover fairy"), 47, y + 26, 17, "tx-b", 84, say("Cover")),
            words(three, 155, y + 27, 22, "tx-b end"),
            words(told, 20, y + 57, 15, "" if beaten else "soft", 62 if beaten else 136),
            *(seal(seat, 92 + 24 * k, y + 52, 10) for k, seat in enumerate(beaten)),
            layout.frame("plaque", 172, y, 92, 72, 0, 8),
            fitted_shape("ic-heal", 181, y + 10, 20, 20, "sign-of"),
            words(say("Heals"), 206, y + 26, 17, "tx-b", 52),
            words(figure(int(heals), signed=True), 218, y + 60, 28, "tx-b mid"),
        )
    )


def _coarse_kerb(heals: str, three: str, beaten: Seats) -> Markup:
    y = layout.KERB_Y + 6
    return Markup("").join(
        (
            layout.frame("plaque", 8, y, 150, 82, 0, 10),
            fitted_shape("pw-3", 18, y + 8, 34, 34, "sign-of"),
            words(three, 146, y + 36, 36, "tx-b end"),
            *(seal(seat, 32 + 36 * k, y + 62, 15) for k, seat in enumerate(beaten)),
            layout.frame("plaque", 166, y, 92, 82, 0, 10),
            fitted_shape("ic-heal", 195, y + 7, 34, 34, "sign-of"),
            words(figure(int(heals), signed=True), 212, y + 74, 36, "tx-b mid"),
        )
    )


@lru_cache(maxsize=CACHE)
def _codes_of_garden(seat: int, shields: int) -> str:
    """Everything that a touch on a garden can mean: on a phone, another player's garden is one target."""
    red = (f"red {SHIELDS[shield]}" for shield in members_of(shields))
    covers = (f"cover {seat} {fairy}" for fairy in components.FAIRIES)
    return "|".join([*(half_codes(seat, half) for half in range(HALF_COUNT)), f"green {seat}", *covers, *red])
