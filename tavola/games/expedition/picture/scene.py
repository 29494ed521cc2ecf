"""Show a change: an arrow that is laid or lifted, one after the other, and a goal that is reached."""

from collections.abc import Callable, Mapping
from functools import partial

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import COLOUR_COUNT, Phase, Seen, Table
from tavola.games.expedition.gazetteer import place_name, region_name
from tavola.games.expedition.network import PLACE_COUNT
from tavola.games.expedition.picture.elements import code_of, scallop
from tavola.games.expedition.picture.geometry import HEIGHT, SPOTS, WIDTH
from tavola.games.expedition.picture.hand import postmark
from tavola.games.expedition.picture.routes import head_spot
from tavola.show.board import Frame, Pieces
from tavola.show.cards import words_of
from tavola.show.kit import fitted_shape, fitted_text, seat_disc, use
from tavola.show.speech import Say
from tavola.show.svg import group, tag

LAID, LIFTED, PLACED = 1_000, 800, 500
CLAIMED, CLAIMED_AT_LEAST = 2_600, 2_400  # 850 pass until it is stamped, then it can be read
THE_END, THE_END_AT_LEAST = 2_400, 1_500
"""Milliseconds."""
Draw = Callable[[Seen, Mapping[str, Markup]], Pieces]


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say, bare: Say, draw: Draw) -> list[Frame]:
    """The pictures between two public views one action apart."""
    reached, lines = reached_goals(before.table, after.table), _count_lines(before, after, played, say)
    frames = []
    colour = _moved_colour(before.table, after.table)
    if colour is not None:
        laid = before.table.expedition[colour].count < after.table.expedition[colour].count
        shown = {"moved": head_glance(after.table, colour)}
        sound = f"route-{colour}" if laid else "rubbed"
        frames.append(Frame(partial(draw, after, shown), LAID if laid else LIFTED, 0, min(lines, 1), sound=sound))
    elif before.table.phase == Phase.TOKENS and before.table.token != after.table.token:
        frames.append(Frame(partial(draw, after, {}), PLACED, 0, min(lines, 1), sound="pinned"))
    for place, seat in reached:
        shown = {"claim": claim(place, seat, say.name(seat), bare)}
        frames.append(Frame(partial(draw, after, shown), CLAIMED, CLAIMED_AT_LEAST, lines, sound="stamped"))
    if after.table.phase == Phase.OVER != before.table.phase:
        frames.append(Frame(partial(draw, after, {}), THE_END, THE_END_AT_LEAST, lines, sound="home"))
    return frames


def _count_lines(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> int:
    """Return how many lines of the log the action brings."""
    return len(words_of(before.game).events(before, after, played, say))


def _moved_colour(before: Table, after: Table) -> int | None:
    """The expedition that got an arrow or lost one; None where nothing moved."""
    counts = ((before.expedition[colour].count, after.expedition[colour].count) for colour in range(COLOUR_COUNT))
    return next((colour for colour, (was, now) in enumerate(counts) if was != now), None)


def head_glance(table: Table, colour: int) -> Markup:
    """Return where an expedition has come to: to be looked at wherever the map is on a small screen."""
    x, y = SPOTS[head_spot(table, colour)]
    seen = tag("rect", x=-80, y=-100, width=160, height=150, fill="none", data_glance="")
    return group("moved", seen, x=x, y=y, class_="through")


def reached_goals(before: Table, after: Table) -> list[tuple[int, int]]:
    """The goals that were reached between two positions: the place, and the seat."""
    return [
        (place, after.laid[place] - 1)
        for place in range(PLACE_COUNT)
        if after.laid[place] and not before.laid[place] and after.phase > Phase.TOKENS
    ]


def claim(place: int, seat: int, name: str, say: Say) -> Markup:
    """A large postcard beside its place, with the postmark coming down and who has reached it."""
    x, y = SPOTS[place + 1]
    left = min(max(x + (60 if x < WIDTH / 2 else -320), 60), WIDTH - 320)
    top = min(max(y - 150, 60), HEIGHT - 330)
    region = POINTS[place + 1].region
    edge = scallop(260, 268, 5)
    stamp = tag("g", postmark(place, 27, say), transform="scale(1.7) rotate(-12)")
    card = (
        tag("path", d=edge, class_="cast", transform="translate(5 7)"),
        tag("path", d=edge, class_="sheet"),
        tag("path", d="M14 14H246V170H14z", fill=f"var(--{region}-land)"),
        fitted_shape(f"place-{code_of(place)}", 52, 18, 150, 150),
        tag("path", d="M14 14H246V170H14z", class_="frame"),
        use(f"point-{region}", 36, 36, 1.7),
        fitted_text(place_name(place + 1, say), 130, 202, 31, 228, "b mid"),
        fitted_text(region_name(region, say), 130, 224, 20, 220, "i mid soft"),
        tag("g", _claimer(seat, name), transform="translate(18 250)"),
        tag("g", stamp, class_="stamping", transform="translate(200 62)"),
    )
    told = say("{name} has reached {place}.", name=name, place=place_name(place + 1, say))
    rising = tag("g", *card, class_="rising")
    pointer = tag("path", d=f"M{x - left:g} {y - top:g}L{60 if x < left else 200} 134", class_="pointer")
    seen = tag("rect", width=265, height=275, fill="none", data_glance="whole")
    return group("claim", tag("title", told), pointer, rising, seen, x=left, y=top, class_="through")


def _claimer(seat: int, name: str) -> Markup:
    return seat_disc(seat, 10, -7, 14, 0.85, class_="edged") + fitted_text(name, 32, 0, 22, 190, "b")
