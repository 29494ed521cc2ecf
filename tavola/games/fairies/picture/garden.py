"""What lies in front of a seat: three fairies, their wands in halves, the sums, the shields, the backs of a hand."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies.components import (
    COLOURED,
    COLOURED_COUNT,
    FAIRIES,
    HALF_COUNT,
    JOKER_VALUES,
    OVER,
    PLACES_OF_HALVES,
    SHIELDS,
    VALUE,
    Garden,
    Seen,
)
from tavola.games.fairies.picture.places import (
    FAIRY_X,
    GARDEN_HEIGHT,
    GARDEN_WIDTH,
    HEAD_Y,
    SHIELD,
    SLOTS,
    STAR_Y,
    TILE,
    half_place,
)
from tavola.games.fairies.words.nouns import (
    FAIRY,
    HALF,
    SHIELD_RULE,
    attack,
    attack_of_three,
    covered,
    stars,
    wand_card,
)
from tavola.games.fairies.words.nouns import SHIELD as SHIELD_NAME
from tavola.show.kit import PAINTS
from tavola.show.kit import sign as seat_sign
from tavola.show.speech import Say
from tavola.show.svg import group, tag
from tavola.show.words import members_of

COLOUR = "gbrj"
DEEP = 3  # edges of covered cards that are drawn


def use(name: str, x: float, y: float, width: float, height: float, **attributes: object) -> Markup:
    """A shape from the definitions, fitted into a box."""
    return tag("use", href=f"#{name}", x=float(x), y=float(y), width=float(width), height=float(height), **attributes)


def text(words: str, x: float, y: float, class_: str) -> Markup:
    """Words on the board."""
    return tag("text", words, x=float(x), y=float(y), class_=f"tx {class_}")


def gardens(view: Seen, say: Say) -> dict[str, Markup]:
    """Every seat's garden, by id."""
    drawn: dict[str, Markup] = {}
    for seat in range(view.table.players):
        drawn |= {f"garden-{seat}": _plate(view, seat, say)}
        drawn |= {f"fairy-{seat}-{fairy}": _fairy(view, seat, fairy, say) for fairy in range(3)}
        drawn |= {f"half-{seat}-{half}": _half(view, seat, half, say) for half in reversed(range(HALF_COUNT))}
        drawn |= {f"sum-{seat}-{fairy}": _sum(view, seat, fairy, say) for fairy in range(3)}
        drawn |= _shields(view, seat, say)
    return drawn


def _plate(view: Seen, seat: int, say: Say) -> Markup:
    """The ground with whose it is, the points, the backs of the hand, and what all three and healing are worth."""
    t = view.table
    garden, slot = t.fairies[seat], SLOTS[t.players][seat]
    turn = t.phase != OVER and seat == t.seat
    ground = tag("rect", class_="vellum plate", width=GARDEN_WIDTH, height=GARDEN_HEIGHT, rx=8)
    rule = tag("rect", class_="turn" if turn else "rule", x=6, y=6, width=GARDEN_WIDTH - 12, height=GARDEN_HEIGHT - 12)
    first = tag("circle", class_="first", cx=27, cy=26, r=19) if t.begun and seat == t.first else Markup()
    paint = tag("circle", cx=27, cy=26, r=15, fill="var(--own)", stroke="var(--ink)", stroke_width=2)
    sign = tag("g", paint, seat_sign(PAINTS[seat], 27, 26), class_=PAINTS[seat])
    sums = (("triple", attack_of_three(garden) if garden.up == 7 else 0), ("heal", stars(garden)))
    worth = [
        Markup("{}{}").format(
            use(f"ic-{icon}", 194 + 66 * k, 15, 24, 24, class_="ico"),
            text(str(count) if count else "–", 221 + 66 * k, 36, "small tx-b"),
        )
        for k, (icon, count) in enumerate(sums)
    ]
    title = tag("title", _told(view, seat, say))
    name = text(_short(say.name(seat)), 50, 36, "name tx-b")
    points = text(str(garden.points), GARDEN_WIDTH - 16, 40, "points tx-b end")
    return group(
        f"garden-{seat}", title, ground, rule, first, sign, name, *worth, _backs(garden), points, x=slot.x, y=slot.y
    )


def _told(view: Seen, seat: int, say: Say) -> str:
    garden = view.table.fairies[seat]
    return say(
        "{name}: {points} points, {wands} wand cards and {kings} King's cards in hand; healing is worth {stars}.",
        name=say.name(seat),
        points=garden.points,
        wands=garden.wands,
        kings=garden.kings,
        stars=stars(garden),
    )


def _short(name: str) -> str:
    return name if len(name) <= 11 else f"{name[:10]}…"


def _backs(garden: Garden) -> Markup:
    """How many cards of either back the seat holds: everybody sees them."""
    counts = (("wand", garden.wands), ("king", garden.kings))
    return Markup("").join(
        use(f"back-{back}", 322 + 50 * k, 11, 20, 30) + text(str(count), 345 + 50 * k, 36, "small")
        for k, (back, count) in enumerate(counts)
    )


# Fairies and wands


def _fairy(view: Seen, seat: int, fairy: int, say: Say) -> Markup:
    t = view.table
    garden, slot = t.fairies[seat], SLOTS[t.players][seat]
    state = "on" if garden.up >> fairy & 1 else "veil" if fairy in covered(garden) else "off"
    codes = [f"cover {seat} {FAIRIES[fairy]}", *([f"green {seat}"] if fairy == 0 else [])]
    identifier = f"fairy-{seat}-{fairy}"
    return group(
        identifier,
        tag("title", _fairy_told(view, seat, fairy, state, say)),
        _figure(fairy, state),
        x=slot.x + FAIRY_X[fairy] - 56,
        y=slot.y + HEAD_Y,
        codes="|".join(codes),
        class_="fairy",
    )


@lru_cache(maxsize=16)
def _figure(fairy: int, state: str) -> Markup:
    """A fairy in her arch, and the edge that glows where she can be chosen."""
    edge = tag("rect", class_="edge", x=-18, y=-2, width=148, height=96, rx=10)
    drawn = use(f"fairy-{COLOUR[fairy]}-{state}", 13, 0, 86, 93)
    return edge + tag("g", drawn, class_=f"wings {'waking' if state == 'on' else ''}".rstrip())


def _fairy_told(view: Seen, seat: int, fairy: int, state: str, say: Say) -> str:
    parts = {"fairy": FAIRY(fairy, say), "name": say.name(seat), "sum": attack(view.table.fairies[seat], fairy)}
    if state == "on":
        return say("{fairy:The} of {name} is active; her wand is worth {sum}.", **parts)
    if state == "veil":
        return say("{fairy:The} of {name} is covered: she neither heals nor fights until she is turned up.", **parts)
    return say("{fairy:The} of {name} is asleep: a star and a tail wake her.", **parts)


def _half(view: Seen, seat: int, half: int, say: Say) -> Markup:
    t = view.table
    cards = t.fairies[seat].halves[half]
    x, y = half_place(t.players, seat, half)
    kind = int(cards.cards[cards.count - 1]) if cards.count else -1
    parts = {"half": HALF(half, say), "name": say.name(seat)}
    if kind < 0:
        told = say("{half:The} of {name} is missing.", **parts)
    else:
        told = say.many(
            "{half:The} of {name}: {card}, {count} card in all.",
            "{half:The} of {name}: {card}, on top of {count} cards in all.",
            cards.count,
            card=wand_card(kind, say),
            **parts,
        )
    drawn = _tile(half, kind, min(cards.count - 1, DEEP))
    return group(f"half-{seat}-{half}", tag("title", told), drawn, x=x, y=y, codes=_codes(seat, half))


@lru_cache(maxsize=256)
def _codes(seat: int, half: int) -> str:
    """What touching a half can mean: every card that fits there, and the blue fairy's grasp."""
    lays = [f"lay {COLOURED[4 * half + value]} {seat}" for value in range(4)]
    jokers = [f"joker {value} {seat} {PLACES_OF_HALVES[half]}" for value in JOKER_VALUES]
    return "|".join([*lays, *jokers, f"blue {seat} {PLACES_OF_HALVES[half]}"])


@lru_cache(maxsize=1024)
def _tile(half: int, kind: int, under: int) -> Markup:
    """The card that is seen on a half, the edges of those below it, or the hole where one is missing."""
    which = ("star", "tail")[half % 2]
    if kind < 0:
        shown = use(f"{which}-{COLOUR[half // 2]}-empty", 0, 0, TILE, TILE)
        return shown + _edge()
    drop = -4 if half % 2 == 0 else 4
    size = {"width": TILE - 6, "height": TILE - 4, "rx": 9}
    edges = Markup("").join(
        tag("rect", class_="under", x=3 + 5 * k, y=2 + drop * k, **size) for k in range(under, 0, -1)
    )
    colour = COLOUR[3 if kind >= COLOURED_COUNT else half // 2]
    value = tag("text", str(VALUE[kind]), x=TILE / 2, y=68 if half % 2 == 0 else 57, class_="num value")
    return edges + use(f"{which}-{colour}", 0, 0, TILE, TILE) + value + _edge()


@lru_cache(maxsize=1)
def _edge() -> Markup:
    return tag("rect", class_="edge", x=2, y=1, width=TILE - 4, height=TILE - 2, rx=10)


def _sum(view: Seen, seat: int, fairy: int, say: Say) -> Markup:
    """The strength of a whole wand, at the seam of its halves."""
    t = view.table
    garden, slot = t.fairies[seat], SLOTS[t.players][seat]
    whole = garden.halves[2 * fairy].count and garden.halves[2 * fairy + 1].count
    shown = (
        tag("circle", class_="seam", r=19) + text(str(attack(garden, fairy)), 0, 9, "name tx-b mid") if whole else ""
    )
    return group(
        f"sum-{seat}-{fairy}", shown, x=slot.x + FAIRY_X[fairy] + 58, y=slot.y + STAR_Y + TILE, class_="through"
    )


# Shields on the table


def _shields(view: Seen, seat: int, say: Say) -> dict[str, Markup]:
    t = view.table
    laid = members_of(t.fairies[seat].shields)
    step = min(SHIELD + 8, 226 / max(1, len(laid) - 1)) if len(laid) > 1 else 0
    slot = SLOTS[t.players][seat]
    drawn = {}
    for k, shield in enumerate(laid):
        used = t.used >> shield & 1 and seat == t.seat
        drawn[f"shield-{shield}"] = group(
            f"shield-{shield}",
            tag("title", f"{SHIELD_NAME(shield, say):The}. {say(SHIELD_RULE[shield])}"),
            tag("rect", class_="edge", x=-3, y=-3, width=SHIELD + 6, height=SHIELD * 1.16 + 6, rx=12),
            use(f"shield-{SHIELDS[shield]}", 0, 0, SHIELD, SHIELD * 1.16, class_="faint" if used else None),
            x=slot.shields_x + step * k,
            y=slot.shields_y,
            codes=f"use {SHIELDS[shield]}|red {SHIELDS[shield]}",
        )
    return drawn
