"""Pieces in front of a seat: three fairies, their wands in halves, the sums, the backs of a hand."""

from functools import lru_cache

from markupsafe import Markup

from tavola.core.text import shorten
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
from tavola.games.fairies.picture import layout
from tavola.games.fairies.words.nouns import (
    FAIRY,
    HALF,
    POWER,
    attack,
    attack_of_three,
    counted,
    covered_fairies,
    is_whole,
    stars,
    wand_card,
)
from tavola.show.kit import PieceItem, PieceItems, fitted_shape, fitted_text, piece, titled_group
from tavola.show.kit import seat_disc as plain_disc
from tavola.show.speech import Say, figure
from tavola.show.svg import tag

COLOUR = "gbrj"
CACHE = 2048
MOST_EDGES = 3  # edges of covered cards that are drawn at most
MOTION = {"on": "waking", "veil": "covering", "off": "folding"}
LONGEST_NAME = 10  # characters of a name
ART_X = 5.0  # margin between the art of a tile and its edge
SEAM_X = 34  # distance of a wand's strength from the middle


def gardens(view: Seen, say: Say) -> PieceItems:
    """Yield the pieces of every garden: its ground first, then the fairies and their wands."""
    t = view.table
    for seat in range(t.players):
        garden = t.fairies[seat]
        turn, first = t.phase != Phase.OVER and seat == t.seat, bool(t.begun and seat == t.first)
        yield _plate(t.players, seat, garden, turn, first, say)
        yield _plaque(t.players, seat, garden, first, say)
        yield from _fairies_and_wands(t.players, seat, garden, say)


@lru_cache(maxsize=CACHE)
def _fairies_and_wands(players: int, seat: int, garden: Garden, say: Say) -> tuple[PieceItem, ...]:
    """Return a garden's pieces without its ground; cached, as most gardens do not change."""
    strengths, covered = [attack(garden, fairy) for fairy in range(3)], covered_fairies(garden)
    states = ["on" if garden.up >> fairy & 1 else "veil" if fairy in covered else "off" for fairy in range(3)]
    return (
        *(_fairy(players, seat, fairy, states[fairy], strengths[fairy], say) for fairy in range(3)),
        *(_half(players, seat, garden.halves[half], half, say) for half in reversed(range(HALF_COUNT))),
        *(_sum(players, seat, fairy, strengths[fairy] if is_whole(garden, fairy) else None) for fairy in range(3)),
    )


@piece("garden-{seat}", memory=CACHE)
def _plate(identifier: str, players: int, seat: int, garden: Garden, turn: bool, starts: bool, say: Say) -> Markup:
    """Draw the ground twice: as a wing with the player's name, and as the step, whose numbers are on the sill."""
    marked, name = "turn" if turn else "rule", shorten(say.name(seat), LONGEST_NAME)
    head = (
        _seat_mark(seat, 27, 23, starts),
        layout.board_text(name, 49, 34, "name tx-b"),
        layout.board_text(figure(garden.points), layout.GARDEN_WIDTH - 15, 36, "points tx-b end"),
        _garden_counts(garden),
    )
    step = _sheet(layout.step_left(players), layout.STEP_TOP, layout.STEP_WIDTH, layout.STEP_HEIGHT, marked)
    return layout.garden_piece(
        identifier,
        _garden_title(garden, seat, say),
        tag("g", *_sheet(0, 0, layout.GARDEN_WIDTH, layout.GARDEN_HEIGHT, marked), *head, class_="as-wing"),
        tag("g", *step, class_="as-step"),
        plot=layout.Plot(players, seat),
    )


def _sheet(x: float, y: float, width: float, height: float, marked: str) -> tuple[Markup, Markup]:
    box = x, y, width, height
    return layout.frame("vellum bound", *box, 2, 8), layout.frame(marked, *box, 6, 5)


@piece("sill-{seat}", memory=CACHE)
def _plaque(identifier: str, players: int, seat: int, garden: Garden, starts: bool, say: Say) -> Markup:
    parts = [
        tag("rect", class_="vellum bound", width=layout.GARDEN_WIDTH - 20, height=38, rx=8),
        _seat_mark(seat, 24, 19, starts),
        layout.board_text(figure(garden.points), 50, 32, "points tx-b"),
    ]
    for k, (icon, count) in enumerate(_sums(garden)):
        parts.append(fitted_shape(icon, 140 + 84 * k, 6, 24, 27, "ico"))
        parts.append(layout.board_text(count, 169 + 84 * k, 30, "name"))
    shown = f"sill {layout.garden_class(players, seat)}-sill through"
    return titled_group(identifier, _garden_title(garden, seat, say), *parts, at=layout.SILL, class_=shown)


def _seat_mark(seat: int, x: float, y: float, starts: bool) -> Markup:
    ring = tag("circle", class_="first", cx=x, cy=y, r=18) if starts else Markup()
    return seat_disc(seat, x, y) + ring


def seat_disc(seat: int, x: float, y: float) -> Markup:
    return plain_disc(seat, x, y, 15, stroke="var(--ink)", stroke_width=2)


def _sums(garden: Garden) -> tuple[tuple[str, str], tuple[str, str]]:
    three = attack_of_three(garden) if garden.up == ALL_UP else 0
    return ("ic-triple", str(three or "–")), ("ic-heal", str(stars(garden) or "–"))


def _garden_counts(garden: Garden) -> Markup:
    backs = (("back-wand", "", str(garden.wands)), ("back-king", "", str(garden.kings)))
    sums = ((icon, "ico", count) for icon, count in _sums(garden))
    return Markup("").join(
        fitted_shape(icon, 14 + 78 * k, 40, 22, 25, class_) + layout.board_text(count, 41 + 78 * k, 63, "name")
        for k, (icon, class_, count) in enumerate((*backs, *sums))
    )


def _garden_title(garden: Garden, seat: int, say: Say) -> str:
    parts = {"name": say.name(seat), "stars": stars(garden), **counted(garden, say)}
    return say("{name}: {points}, {wands} and {kings} in hand; healing scores {stars}.", **parts)


# Fairies and wands


@piece("fairy-{seat}-{fairy}", memory=CACHE)
def _fairy(identifier: str, players: int, seat: int, fairy: int, state: str, strength: int, say: Say) -> Markup:
    codes = f"cover {seat} {FAIRIES[fairy]}" + (f"|green {seat}" if fairy == Fairy.GREEN else "")
    drawn = fitted_shape(f"fairy-{COLOUR[fairy]}-{state}", 6, 5, 98, 107)
    parts = (
        tag("g", drawn, class_=f"wings {MOTION[state]}"),
        _power(fairy, say) if state == "on" else Markup(),
        layout.edge(layout.TILE, layout.FAIRY_HEIGHT, 10),
    )
    title, at = _fairy_title(seat, fairy, state, strength, say), layout.fairy_plot(players, seat, fairy)
    return layout.garden_piece(identifier, title, *parts, plot=at, codes=codes, class_="fairy")


def _power(fairy: int, say: Say) -> Markup:
    ribbon = tag("path", class_="ribbon", d="M1 90H109L103 101L109 112H1L7 101z")
    return tag("g", ribbon, fitted_text(say(POWER[fairy]), layout.TILE / 2, 107, 17, 92, "tx mid tx-b"), class_="big")


def _fairy_title(seat: int, fairy: int, state: str, strength: int, say: Say) -> str:
    parts = {"fairy": FAIRY(fairy, say), "name": say.name(seat), "sum": strength}
    if state == "on":
        return say("{name}’s {fairy:bare} is awake. Her wand is worth {sum}.", **parts)
    if state == "veil":
        return say("{name}’s {fairy:bare} is covered. She can’t heal or fight until she is uncovered.", **parts)
    return say("{name}’s {fairy:bare} is asleep. A star and a tail wake her.", **parts)


@piece("half-{seat}-{half}", memory=CACHE)
def _half(identifier: str, players: int, seat: int, cards: Half, half: int, say: Say) -> Markup:
    kind = int(cards.cards[cards.count - 1]) if cards.count else -1
    parts = {"half": HALF(half, say), "name": say.name(seat)}
    if kind < 0:
        title = say("{name}’s {half:bare} is missing.", **parts)
    else:
        title = say.many(
            "{name}’s {half:bare}: {card}, the only card.",
            "{name}’s {half:bare}: {card} on top, {count} cards in all.",
            cards.count,
            card=wand_card(kind, say),
            **parts,
        )
    at = layout.Plot(players, seat, layout.TILE * (half // 2), layout.STAR_Y + layout.TILE * (half % 2))
    drawn = _half_tile(half, kind, min(cards.count - 1, MOST_EDGES))
    return layout.garden_piece(identifier, title, drawn, plot=at, codes=_codes(seat, half))


def _codes(seat: int, half: int) -> str:
    lays = [f"lay {COLOURED[4 * half + value]} {seat}" for value in range(4)]
    jokers = [f"joker {value} {seat} {PLACES_OF_HALVES[half]}" for value in JOKER_VALUES]
    return "|".join([*lays, *jokers, f"blue {seat} {PLACES_OF_HALVES[half]}"])


def _half_tile(half: int, kind: int, under: int) -> Markup:
    which, drop, base = (("star", -3, 66), ("tail", 3, 56))[half % 2]
    colour = COLOUR[3 if kind >= COLOURED_COUNT else half // 2]
    shape, width = f"{which}-{colour}" if kind >= 0 else f"{which}-{colour}-empty", layout.TILE - 2 * ART_X
    art = fitted_shape(shape, ART_X, 0, width, layout.TILE, preserveAspectRatio="none")
    edges = (layout.frame("under", ART_X + 3 * k, drop * k, width, layout.TILE, 2, 9) for k in range(under, 0, -1))
    value = tag("text", str(VALUE[kind]), x=layout.TILE / 2, y=base, class_="num value") if kind >= 0 else Markup()
    return Markup("").join([*edges, art, value, layout.edge(layout.TILE, layout.TILE, 10)])


@piece("sum-{seat}-{fairy}", memory=CACHE)
def _sum(identifier: str, players: int, seat: int, fairy: int, strength: int | None) -> Markup:
    shown = Markup()
    if strength is not None:
        shown = tag("circle", class_="seam", r=20) + layout.board_text(str(strength), 0, 11, "name tx-b mid")
    at = layout.Plot(players, seat, layout.FAIRY_X[fairy] + SEAM_X, layout.STAR_Y + layout.TILE)
    return layout.garden_piece(identifier, "", shown, plot=at, class_="through")
