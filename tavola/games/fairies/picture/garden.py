"""Fairies, the halves of their wands and the sums: in the glass of a light for others, in front for their own seat."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies import components
from tavola.games.fairies.components import FAIRIES, HALF_COUNT, PLACES_OF_HALVES, Fairy, Garden, Seen
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.layout import edge, roundel, scroll, seal, sizes, words
from tavola.games.fairies.words import nouns
from tavola.show.kit import PieceItem, PieceItems, anonymous_say, fitted_shape, piece
from tavola.show.speech import Say, mark
from tavola.show.svg import tag
from tavola.show.words import names_of

COLOUR = "gbrj"
Seats = tuple[int, ...]
CACHE = 2048
MOST_EDGES = 2  # edges of covered cards that are drawn at most
MOTION = {"on": "waking", "veil": "covering", "off": "folding"}
STATES = {"off": mark("asleep"), "veil": mark("covered")}


def gardens(view: Seen, say: Say) -> PieceItems:
    """Yield the fairies, halves and sums of every garden."""
    t, bare = view.table, anonymous_say(view.game, say.language)
    for seat in range(t.players):
        beaten = tuple(nouns.seats_beaten(t, seat, power) for power in FAIRIES)
        yield from _fairies_and_wands(t.players, seat, t.fairies[seat], beaten, say, bare)


@lru_cache(maxsize=CACHE)
def _fairies_and_wands(
    players: int, seat: int, garden: Garden, beaten: tuple[Seats, ...], say: Say, bare: Say
) -> tuple[PieceItem, ...]:
    """Return a garden's pieces without its ground; cached, as most gardens do not change. `bare` is without names."""
    strengths, states = [nouns.attack(garden, fairy) for fairy in range(3)], states_of(garden)
    sums = [strengths[fairy] if nouns.is_whole(garden, fairy) else None for fairy in range(3)]
    return (
        *(
            _fairy(players, seat, fairy, states[fairy], strengths[fairy], beaten[fairy], say, bare)
            for fairy in range(3)
        ),
        *(
            _half(players, seat, nouns.top_kind(garden, half), garden.halves[half].count, half, states[half // 2], say)
            for half in reversed(range(HALF_COUNT))
        ),
        *(_sum("sum", players, seat, fairy, sums[fairy], states[fairy]) for fairy in range(3)),
    )


def states_of(garden: Garden) -> list[str]:
    """Return whether each fairy is awake, covered or asleep, as in the names of shapes."""
    covered = nouns.covered_fairies(garden)
    return ["on" if garden.up >> fairy & 1 else "veil" if fairy in covered else "off" for fairy in range(3)]


@piece("fairy-{seat}-{fairy}", memory=CACHE)
def _fairy(
    identifier: str, players: int, seat: int, fairy: int, state: str, strength: int, beaten: Seats, say: Say, bare: Say
) -> Markup:
    codes = f"cover {seat} {FAIRIES[fairy]}" + (f"|green {seat}" if fairy == Fairy.GREEN else "")
    title = _fairy_title(seat, fairy, state, strength, beaten, say)
    drawn = _drawn_fairy(players, fairy, state, beaten, bare)
    return layout.garden_piece(identifier, title, *drawn, players, seat, codes=codes, class_="fairy")


@lru_cache(maxsize=CACHE)
def _drawn_fairy(players: int, fairy: int, state: str, beaten: Seats, say: Say) -> tuple[Markup, Markup]:
    light, shape = layout.light_of(players), f"fairy-{COLOUR[fairy]}-{state}"
    x, wide = layout.column_x(fairy) - light.fairy / 2, light.fairy
    behind = _winged(shape, state, x, light.fairy_y, wide) + edge(x + 2, light.fairy_y + 3, wide - 4, wide + 2)
    x, y, wide = layout.front_x(fairy), layout.FRONT_Y + 2, layout.FRONT_FAIRY
    front = _winged(shape, state, x, y, wide) + _power(fairy, state, x, say) + _note(state, beaten, x, say)
    return behind, front + edge(x + 4, y + 4, wide - 8, wide, 12)


def _winged(shape: str, state: str, x: float, y: float, wide: float) -> Markup:
    return tag("g", fitted_shape(shape, x, y, wide, wide * 130 / 120), class_=f"wings {MOTION[state]}")


def _power(fairy: int, state: str, x: float, say: Say) -> Markup:
    """Draw the ribbon with what a fairy can do: two words, or one where two do not fit."""
    y, wide, paint = layout.FRONT_Y + 130, layout.FRONT_FAIRY - 8, f"of-{COLOUR[fairy]}" if state == "on" else "of-none"
    two, one = say(nouns.POWER[fairy]), say(nouns.POWER_IN_A_WORD[fairy])
    fine = scroll(paint, x + 4, y, wide, 27) + fitted_shape(f"pw-{COLOUR[fairy]}", x + 11, y + 4, 19, 19, "inlaid")
    fine += words(two, x + 34, y + 19.5, 17, "tx-b inlaid", 97, one)
    coarse = scroll(paint, x + 4, y - 2, wide, 34)
    coarse += words(one, x + layout.FRONT_FAIRY / 2, y + 25, layout.COARSE, "tx-b inlaid mid", wide - 10)
    return sizes(fine, coarse)


def _note(state: str, beaten: Seats, x: float, say: Say) -> Markup:
    """Say below the ribbon whom a fairy beats, or why she does not fight."""
    y, middle = layout.FRONT_Y + 160, x + layout.FRONT_FAIRY / 2
    plate = layout.frame("note", x + 8, y, layout.FRONT_FAIRY - 16, 23, 0, 11)
    if beaten:
        text = words(say("beats"), x + 18, y + 16.5, 15.5, "", 46)
        fine = plate + text + _row_of_seals(beaten, x + 78, y + 11.5, 20.5, 9.5)
        return sizes(fine, _row_of_seals(beaten, middle - 17 * (len(beaten) - 1), y + 16, 34, 15))
    told = say("beats no one") if state == "on" else say(STATES[state])
    return sizes(plate + words(told, middle, y + 16.5, 15.5, "soft mid", layout.FRONT_FAIRY - 28), Markup())


def _row_of_seals(seats: Seats, x: float, y: float, apart: float, radius: float) -> Markup:
    return Markup("").join(seal(seat, x + apart * k, y, radius) for k, seat in enumerate(seats))


def _fairy_title(seat: int, fairy: int, state: str, strength: int, beaten: Seats, say: Say) -> str:
    parts = {"fairy": nouns.FAIRY(fairy, say), "name": say.name(seat), "sum": strength}
    if state == "on" and beaten:
        parts["names"] = names_of(beaten, say)
        return say("{name}’s {fairy:bare} is awake. Her wand is worth {sum}: more than that of {names}.", **parts)
    if state == "on":
        return say("{name}’s {fairy:bare} is awake. Her wand is worth {sum}.", **parts)
    if state == "veil":
        return say("{name}’s {fairy:bare} is covered. She can’t heal or fight until she is uncovered.", **parts)
    return say("{name}’s {fairy:bare} is asleep. A star and a tail wake her.", **parts)


def half_box(players: int, half: int) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return left, top and width of a half, in the light and in front."""
    light, tail = layout.light_of(players), half % 2
    behind = layout.column_x(half // 2) - light.tile / 2, light.wand_y + light.tile * 0.98 * tail, light.tile
    return behind, (layout.wand_x(half // 2), layout.FRONT_Y + (layout.FRONT_TILE - 1) * tail, layout.FRONT_TILE)


@piece("half-{seat}-{half}", memory=CACHE)
def _half(identifier: str, players: int, seat: int, kind: int, count: int, half: int, state: str, say: Say) -> Markup:
    """`kind`: of the visible one of `count` cards, -1 for none."""
    drawn = _drawn_half(players, kind, min(count - 1, MOST_EDGES), half, state == "on")
    title, codes = _half_title(count, kind, half, seat, say), half_codes(seat, half)
    return layout.garden_piece(identifier, title, *drawn, players, seat, codes=codes, class_="half")


@lru_cache(maxsize=CACHE)
def _drawn_half(players: int, kind: int, under: int, half: int, awake: bool) -> tuple[Markup, Markup]:
    boxes = half_box(players, half)
    behind, front = (
        _tile(half, kind, under, *box) + edge(box[0] + 2, box[1] + 1, box[2] - 4, box[2] - 2) for box in boxes
    )
    x, y, wide = boxes[1]
    front += tag("rect", class_="reach", x=x - 10, y=y if half % 2 else y - 14, width=wide + 20, height=wide + 14)
    if awake and not half % 2:  # the sign of a star that counts when its owner heals
        front += tag("circle", class_="sum", cx=x + wide - 16, cy=y + 15, r=12)
        front += fitted_shape("ic-heal", x + wide - 23.5, y + 7.5, 15, 15, "printed-dark")
    return behind, front


def planned_marks(before: Seen, after: Seen) -> PieceItems:
    """Yield dashes round every half on which a plan lays a card, and round the sums that change with it."""
    players = before.table.players
    for seat in range(players):
        was, now = before.table.fairies[seat], after.table.fairies[seat]
        laid = [half for half in range(HALF_COUNT) if was.halves[half] != now.halves[half]]
        yield from (_planned(players, seat, half) for half in laid)
        for fairy in sorted({half // 2 for half in laid}):
            if nouns.is_whole(now, fairy):
                yield _sum("planned-sum", players, seat, fairy, nouns.attack(now, fairy), "tried")


@piece("planned-{seat}-{half}", memory=128)
def _planned(identifier: str, players: int, seat: int, half: int) -> Markup:
    behind, front = (
        Markup("").join(layout.frame(class_, x, y, wide, wide, 1, 7) for class_ in ("planned-gold", "planned"))
        for x, y, wide in half_box(players, half)
    )
    return layout.garden_piece(identifier, "", behind, front, players, seat, class_="half through")


def _half_title(count: int, kind: int, half: int, seat: int, say: Say) -> str:
    parts = {"half": nouns.HALF(half, say), "name": say.name(seat)}
    if kind < 0:
        return say("{name}’s {half:bare} is missing.", **parts)
    return say.many(
        "{name}’s {half:bare}: {card}, the only card.",
        "{name}’s {half:bare}: {card} on top, {count} cards in all.",
        count,
        card=nouns.wand_card(kind, say),
        **parts,
    )


@lru_cache(maxsize=CACHE)
def half_codes(seat: int, half: int) -> str:
    lays = [f"lay {components.COLOURED[4 * half + value]} {seat}" for value in range(4)]
    jokers = [f"joker {value} {seat} {PLACES_OF_HALVES[half]}" for value in components.JOKER_VALUES]
    return "|".join([*lays, *jokers, f"blue {seat} {PLACES_OF_HALVES[half]}"])


def _tile(half: int, kind: int, under: int, x: float, y: float, wide: float) -> Markup:
    unit, star = wide / 64, half % 2 == 0
    which, colour = ("star", "tail")[half % 2], COLOUR[3 if kind >= components.COLOURED_COUNT else half // 2]
    if kind < 0:
        return fitted_shape(f"{which}-{colour}-empty", x, y, wide, wide)
    step, side = 2.6 * unit**0.5, -0.5 if star else 0.5
    edges = (
        layout.frame("under", x + 2 * unit + step * k, y + unit + step * k * side, 60 * unit, 62 * unit, 0, 5 * unit)
        for k in range(under, 0, -1)
    )
    value = words(str(components.VALUE[kind]), x + wide / 2, y + (39.6 if star else 33.1) * unit, 28 * unit, "num")
    return Markup("").join([*edges, fitted_shape(f"{which}-{colour}", x, y, wide, wide), value])


@piece("{name}-{seat}-{fairy}", memory=CACHE)
def _sum(identifier: str, name: str, players: int, seat: int, fairy: int, strength: int | None, state: str) -> Markup:
    """Draw the strength of a wand on its seam, in the light and in front; nothing for an incomplete one."""
    light, behind, front = layout.light_of(players), Markup(), Markup()
    if strength is not None:
        class_ = {"on": "sum", "tried": "sum tried"}.get(state, "sum still")
        x, seam = layout.column_x(fairy) + light.tile / 2, light.wand_y + light.tile * 0.985
        behind = roundel(x, seam, light.tile / 5, strength, class_)
        x, seam = layout.wand_x(fairy) + layout.FRONT_TILE - 1, layout.FRONT_Y + layout.FRONT_TILE
        front = roundel(x, seam, 21, strength, class_, layout.COARSE)
    return layout.garden_piece(identifier, "", behind, front, players, seat, class_="sum-of through")
