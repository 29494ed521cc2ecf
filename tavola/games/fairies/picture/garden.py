"""What lies in front of a seat: three fairies, their wands in halves, the sums, the backs of a hand."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies.components import (
    ALL_UP,
    COLOURED,
    COLOURED_COUNT,
    FAIRIES,
    HALF_COUNT,
    JOKER_VALUES,
    PLACES_OF_HALVES,
    VALUE,
    Fairy,
    Garden,
    Half,
    Phase,
    Seen,
)
from tavola.games.fairies.picture.layout import (
    FAIRY_HEIGHT,
    FAIRY_X,
    GARDEN_CORNERS,
    GARDEN_HEIGHT,
    GARDEN_WIDTH,
    HEAD_Y,
    STAR_Y,
    TILE,
    half_spot,
)
from tavola.games.fairies.words.nouns import (
    FAIRY,
    HALF,
    attack,
    attack_of_three,
    covered_fairies,
    stars,
    wand_card,
)
from tavola.show.kit import fitted_shape
from tavola.show.kit import seat_disc as plain_disc
from tavola.show.speech import Say
from tavola.show.svg import group, tag
from tavola.show.words import shorten

COLOUR = "gbrj"
CACHE = 2048
MOST_EDGES = 3  # edges of covered cards that are drawn
MOTION = {"on": "waking", "veil": "covering", "off": "folding"}
LONGEST_NAME = 10  # letters of a name
ART_X = 5.0  # between the art of a tile and its edge
SEAM_X = 34  # of a wand's strength, from the middle


def board_text(words: str, x: float, y: float, class_: str) -> Markup:
    """Words on the board."""
    return tag("text", words, x=float(x), y=float(y), class_=f"tx {class_}")


def gardens(view: Seen, say: Say) -> dict[str, Markup]:
    """Every seat's garden, by id."""
    t = view.table
    drawn: dict[str, Markup] = {}
    for seat in range(t.players):
        turn, first = t.phase != Phase.OVER and seat == t.seat, bool(t.begun and seat == t.first)
        drawn[f"garden-{seat}"] = _plate(t.players, seat, t.fairies[seat], turn, first, say)
        drawn |= _fairies_and_wands(t.players, seat, t.fairies[seat], say)
    return drawn


@lru_cache(maxsize=CACHE)
def _plate(players: int, seat: int, garden: Garden, turn: bool, starts: bool, say: Say) -> Markup:
    """The ground with whose it is and the points; below them the backs of the hand, and what the wands are worth."""
    slot = GARDEN_CORNERS[players][seat]
    ground = tag("rect", class_="vellum plate", x=2, y=2, width=GARDEN_WIDTH - 4, height=GARDEN_HEIGHT - 4, rx=8)
    edge = {"x": 6, "y": 6, "width": GARDEN_WIDTH - 12, "height": GARDEN_HEIGHT - 12, "rx": 5}
    rule = tag("rect", class_="turn" if turn else "rule", **edge)
    first = tag("circle", class_="first", cx=27, cy=23, r=18) if starts else Markup()
    name = board_text(shorten(say.name(seat), LONGEST_NAME), 49, 34, "name tx-b")
    points = board_text(str(garden.points), GARDEN_WIDTH - 15, 36, "points tx-b end")
    parts = (
        tag("title", _garden_title(garden, seat, say)),
        ground,
        rule,
        seat_disc(seat, 27, 23),
        first,
        name,
        points,
        _garden_counts(garden),
    )
    return group(f"garden-{seat}", *parts, x=slot.x, y=slot.y)


def seat_disc(seat: int, x: float, y: float) -> Markup:
    """Draw a seat's sign on its paint."""
    return plain_disc(seat, x, y, 15, stroke="var(--ink)", stroke_width=2)


def _garden_counts(garden: Garden) -> Markup:
    """Draw the counts: cards of either back, what all three fairies bring against another's, what healing is worth."""
    counts = (
        ("back-wand", "", garden.wands),
        ("back-king", "", garden.kings),
        ("ic-triple", "ico", attack_of_three(garden) if garden.up == ALL_UP else 0),
        ("ic-heal", "ico", stars(garden) if garden.up else 0),
    )
    return Markup("").join(
        fitted_shape(icon, 14 + 78 * k, 40, 22, 25, class_)
        + board_text(str(count) if count or not class_ else "–", 41 + 78 * k, 63, "name")
        for k, (icon, class_, count) in enumerate(counts)
    )


def _garden_title(garden: Garden, seat: int, say: Say) -> str:
    return say(
        "{name}: {points} points, {wands} wand cards and {kings} King's cards in hand; healing is worth {stars}.",
        name=say.name(seat),
        points=garden.points,
        wands=garden.wands,
        kings=garden.kings,
        stars=stars(garden),
    )


# Fairies and wands


@lru_cache(maxsize=CACHE)
def _fairies_and_wands(players: int, seat: int, garden: Garden, say: Say) -> dict[str, Markup]:
    """All of a garden but its ground, by id."""
    drawn = {f"fairy-{seat}-{fairy}": _fairy(players, seat, garden, fairy, say) for fairy in range(3)}
    for half in reversed(range(HALF_COUNT)):
        drawn[f"half-{seat}-{half}"] = _half(players, seat, garden.halves[half], half, say)
    return drawn | {f"sum-{seat}-{fairy}": _sum(players, seat, garden, fairy) for fairy in range(3)}


def _fairy(players: int, seat: int, garden: Garden, fairy: int, say: Say) -> Markup:
    slot = GARDEN_CORNERS[players][seat]
    state = "on" if garden.up >> fairy & 1 else "veil" if fairy in covered_fairies(garden) else "off"
    codes = [f"cover {seat} {FAIRIES[fairy]}", *([f"green {seat}"] if fairy == Fairy.GREEN else [])]
    identifier = f"fairy-{seat}-{fairy}"
    return group(
        identifier,
        tag("title", _fairy_title(garden, seat, fairy, state, say)),
        _figure(fairy, state),
        x=slot.x + FAIRY_X[fairy] - TILE / 2,
        y=slot.y + HEAD_Y,
        codes="|".join(codes),
        class_="fairy",
    )


@lru_cache(maxsize=16)
def _figure(fairy: int, state: str) -> Markup:
    """A fairy in her arch, and the edge that glows where she can be chosen."""
    drawn = fitted_shape(f"fairy-{COLOUR[fairy]}-{state}", 6, 5, 98, 107)
    wings = tag("g", drawn, class_=f"wings {MOTION[state]}")
    return wings + tag("rect", class_="edge", width=TILE, height=FAIRY_HEIGHT, rx=10)


def _fairy_title(garden: Garden, seat: int, fairy: int, state: str, say: Say) -> str:
    parts = {"fairy": FAIRY(fairy, say), "name": say.name(seat), "sum": attack(garden, fairy)}
    if state == "on":
        return say("{fairy:The} of {name} is active; her wand is worth {sum}.", **parts)
    if state == "veil":
        return say("{fairy:The} of {name} is covered: she neither heals nor fights until she is turned up.", **parts)
    return say("{fairy:The} of {name} is asleep: a star and a tail wake her.", **parts)


@lru_cache(maxsize=CACHE)
def _half(players: int, seat: int, cards: Half, half: int, say: Say) -> Markup:
    x, y = half_spot(players, seat, half)
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
    drawn = half_tile(half, kind, min(cards.count - 1, MOST_EDGES))
    return group(f"half-{seat}-{half}", tag("title", told), drawn, x=x, y=y, codes=_codes(seat, half))


@lru_cache(maxsize=256)
def _codes(seat: int, half: int) -> str:
    """Return the actions that touching a half can mean: every card that fits there, and the blue fairy's grasp."""
    lays = [f"lay {COLOURED[4 * half + value]} {seat}" for value in range(4)]
    jokers = [f"joker {value} {seat} {PLACES_OF_HALVES[half]}" for value in JOKER_VALUES]
    return "|".join([*lays, *jokers, f"blue {seat} {PLACES_OF_HALVES[half]}"])


@lru_cache(maxsize=1024)
def half_tile(half: int, kind: int, under: int) -> Markup:
    """The card that is seen on a half, the edges of those below it, or the hole where one is missing."""
    which = ("star", "tail")[half % 2]
    place = {"x": ART_X, "y": 0.0, "width": TILE - 2 * ART_X, "height": float(TILE), "preserveAspectRatio": "none"}
    edge = tag("rect", class_="edge", width=TILE, height=TILE, rx=10)
    if kind < 0:
        return tag("use", href=f"#{which}-{COLOUR[half // 2]}-empty", **place) + edge
    drop = -3 if half % 2 == 0 else 3
    size = {"width": TILE - 2 * ART_X - 4, "height": TILE - 4, "rx": 9}
    edges = Markup("").join(
        tag("rect", class_="under", x=ART_X + 2 + 3 * k, y=2 + drop * k, **size) for k in range(under, 0, -1)
    )
    colour = COLOUR[3 if kind >= COLOURED_COUNT else half // 2]
    value = tag("text", str(VALUE[kind]), x=TILE / 2, y=66 if half % 2 == 0 else 56, class_="num value")
    return edges + tag("use", href=f"#{which}-{colour}", **place) + value + edge


def _sum(players: int, seat: int, garden: Garden, fairy: int) -> Markup:
    """The strength of a whole wand, at the seam of its halves."""
    slot = GARDEN_CORNERS[players][seat]
    whole = garden.halves[2 * fairy].count and garden.halves[2 * fairy + 1].count
    shown = (
        tag("circle", class_="seam", r=20) + board_text(str(attack(garden, fairy)), 0, 11, "name tx-b mid")
        if whole
        else ""
    )
    x, y = slot.x + FAIRY_X[fairy] + SEAM_X, slot.y + STAR_Y + TILE
    return group(f"sum-{seat}-{fairy}", shown, x=x, y=y, class_="through")
