"""Score sheet: what each seat has gained, and what it would have if the match ended now."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies.components import FAIRY_SHIELDS, SEATS, Garden, Phase, Seen
from tavola.games.fairies.picture.layout import seal, words
from tavola.games.fairies.words.nouns import mana
from tavola.show.kit import anonymous_say, fitted_shape, titled
from tavola.show.seat_sheet import Column, Print, SeatSheet
from tavola.show.speech import LANGUAGES, Say
from tavola.show.svg import group, tag

WIDTH, ROW = 440, 48
HEIGHT = ROW * (SEATS + 1) + 8
HEALED, WANDS, LAID, SUM = 222, 292, 362, 430
"""Right edges of the columns."""
SHEET = SeatSheet(
    Print(42, 32, "tx row"), 10, tuple(Column(Print(x, 28, "tx row end tx-b")) for x in (HEALED, WANDS, LAID, SUM))
)


def score_sheet(view: Seen, say: Say) -> dict[str, Markup]:
    over, gardens = view.table.phase == Phase.OVER, enumerate(view.table.fairies[: view.table.players])
    rows = {f"sheet-{seat}": _row(seat, _numbers(over, garden), say.name(seat)) for seat, garden in gardens}
    return {"sheet": _head(anonymous_say(view.game, say.language)), **rows}


def own_shields(view: Seen, say: Say) -> dict[str, Markup]:
    """Return what only the seat itself can count: the shields in its hand."""
    assert view.hand is not None
    assert view.seat is not None
    if not (count := (view.hand.kings & FAIRY_SHIELDS).bit_count()) or view.table.phase == Phase.OVER:
        return {}
    told = tag("title", say("The shields in your hand cost {count} more at the end.", count=2 * count))
    shown = [words(f"−{2 * count}", x, 44, 18, "soft end") for x in (LAID, SUM)]
    return {"sheet-hand": group("sheet-hand", told, *shown, y=ROW * (view.seat + 1), class_="through")}


@lru_cache(maxsize=len(LANGUAGES))
def _head(say: Say) -> Markup:
    columns = (
        (HEALED, "ic-heal", say("Points from healing and the King’s shield")),
        (WANDS, "ic-power", say("Stars and tails of awake fairies, which count at the end")),
        (LAID, "shield-four", say("Fairy shields on the table: each costs 2 at the end")),
    )
    icons = [titled(told, fitted_shape(icon, x - 26, 10, 26, 28), class_="ic-head") for x, icon, told in columns]
    return group("sheet", *icons, titled(say("If the match ended now"), words("=", SUM, 34, 24, "tx-b end")))


@lru_cache(maxsize=1024)
def _row(seat: int, counted: tuple[int, int, int, int], name: str) -> Markup:
    line = tag("path", class_="rule", d=f"M4 0H{WIDTH - 4}")
    return group(f"sheet-{seat}", line, SHEET.row(seal(seat, 20, 24, 15), name, counted), y=ROW * (seat + 1))


def _numbers(over: bool, garden: Garden) -> tuple[int, int, int, int]:
    """Return points for healing, wands and shields, and their sum; at the end, shields in hand count too (R36, R39)."""
    gained, shields = garden.healing + garden.crowned, -2 * garden.shields.bit_count()
    worth = 0 if garden.crowned else mana(garden)
    if over:
        shields = garden.points - gained - worth
    return gained, worth, shields, gained + worth + shields
