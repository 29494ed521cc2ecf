"""What others have done to the seat since its turn: a strip of chips below the chapel, and labels on its wands."""

from collections.abc import Sequence

from markupsafe import Markup

from tavola.games.fairies.components import Seen
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.layout import seal, sizes, words
from tavola.games.fairies.words.deeds import deeds
from tavola.games.fairies.words.nouns import shown_value
from tavola.show.cards import Witnessed
from tavola.show.kit import PieceItems, fitted_shape, piece, titled_group
from tavola.show.speech import Say
from tavola.show.svg import tag

MOST = 3  # chips; more are a number
LEFT, RIGHT = 10, layout.WIDTH - 10
WIDEST = 250.0  # of a chip


def since(view: Seen, actions: Sequence[Witnessed], say: Say) -> PieceItems:
    """Yield the strip, its chips and the labels; nothing if nothing was done to the seat."""
    assert view.seat is not None
    if not (done := deeds(view.seat, actions)):
        return
    shown = done[-MOST:]
    yield _strip(len(done) - len(shown), say)
    for place, deed in enumerate(shown):
        yield _chip(place, len(shown), deed.seat, deed.sign, deed.told(say), say.name(deed.seat), say)
    for deed in done:
        if deed.half >= 0 and shown_value(view.table.fairies[view.seat], deed.half) == deed.value:
            yield _label(deed.half, deed.seat, deed.value, deed.told(say), say)


@piece("since", memory=64)
def _strip(identifier: str, more: int, say: Say) -> Markup:
    """`more`: deeds without a chip."""
    y, told = layout.STRIP_Y, say("Since your turn")
    fine = layout.frame("strip", LEFT, y, RIGHT - LEFT, 28, 0, 6)
    fine += words(told, LEFT + 12, y + 19.5, 16.5, "tx-b", 112)
    coarse = layout.frame("strip", 2, y + 1, layout.WIDTH - 4, 32, 0, 6)
    coarse += words(say("To you"), 10, y + 27, layout.COARSE, "tx-b", 92)
    counted = words(f"+{more}", RIGHT - 10, y + 20, 17, "tx-b end") if more else Markup()
    return titled_group(identifier, told, sizes(fine + counted, coarse), class_="since through")


@piece("since-{place}", memory=512)
def _chip(identifier: str, place: int, count: int, seat: int, sign: str, deed: str, name: str, say: Say) -> Markup:
    fine = _drawn_chip(seat, sign, deed, *_box(place, count, LEFT + 128, RIGHT - 36), layout.STRIP_Y + 3, 22, 15.5)
    coarse = _drawn_chip(
        seat, sign, deed, *_box(place, count, 104, layout.WIDTH - 8), layout.STRIP_Y + 2, 30, layout.COARSE
    )
    return titled_group(identifier, say("{name}: {deed}.", name=name, deed=deed), sizes(fine, coarse), class_="since")


def _box(place: int, count: int, left: float, right: float) -> tuple[float, float]:
    """Return left and width of a chip: chips share the strip equally."""
    wide = min(WIDEST, (right - left) / count)
    return left + wide * place, wide - 6


def _drawn_chip(seat: int, sign: str, told: str, x: float, wide: float, y: float, high: float, size: float) -> Markup:
    middle, radius = y + high / 2, high * 0.43
    drawn = tag("rect", class_="chip", x=x, y=y, width=wide, height=high, rx=high / 2)
    drawn += seal(seat, x + high / 2, middle, radius)
    drawn += fitted_shape(sign, x + high + 3, middle - radius * 0.8, radius * 1.6, radius * 1.6, "printed-dark")
    start = high + 6 + radius * 1.6
    return drawn + words(told, x + start, middle + size * 0.32, size, "printed-dark", wide - start - 8)


@piece("label-{half}", memory=256)
def _label(identifier: str, half: int, seat: int, value: int, title: str, say: Say) -> Markup:
    """A luggage label on a half that another player has changed."""
    x, y = layout.wand_x(half // 2) - 44, layout.FRONT_Y + (4 if half % 2 == 0 else layout.FRONT_TILE + 66)
    fine = _luggage(x, y, 78, 22) + seal(seat, x + 19, y + 11, 8.5)
    fine += words(say("now {value}", value=value), x + 31, y + 16, 15, "printed-dark tx-b", 44)
    coarse = _luggage(x, y, 66, 34) + seal(seat, x + 26, y + 17, 12)
    coarse += words(str(value), x + 42, y + 27, layout.COARSE, "printed-dark tx-b")
    return titled_group(identifier, title, sizes(fine, coarse), class_="since through")


def _luggage(x: float, y: float, wide: float, high: float) -> Markup:
    outline = f"M{x + 10:g} {y:g}H{x + wide:g}V{y + high:g}H{x + 10:g}L{x:g} {y + high / 2:g}Z"
    return tag("path", class_="luggage", d=outline)
