"""The picture of a match for sharing, as a self-contained file: its last board, the curve of points and one line."""

from collections.abc import Sequence

from markupsafe import Markup

from tavola.core import View
from tavola.show.board import used_shapes
from tavola.show.cards import picture_of, words_of
from tavola.show.kit import SEAT_STYLE, fitted_text
from tavola.show.pictures import drawing
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.web.render import game_title, seal_symbols
from tavola.web.requests.visitor import WEB_FOLDER
from tavola.web.table.story import HEIGHT as CURVE_HEIGHT
from tavola.web.table.story import WIDTH as CURVE_WIDTH
from tavola.web.table.story import Story, curve

WIDTH, HEIGHT = 1200, 630
"""Size in pixels that other sites expect of a page's preview picture."""
BOARD = 660
"""Width of the board's part; title, result and curve use the rest."""
MARGIN = 36
STYLE = (WEB_FOLDER / "static" / "css" / "story.css").read_text(encoding="utf-8")
PAPER = """
:root { color-scheme: light; --ink: #241f1c; --ink-2: #5a4e42; --line: #d9c9aa; --print: #241f1c; --alarm: #a5331a }
svg { --serif: Alegreya, Georgia, serif } text { font-family: var(--serif) }
.paper { fill: #f3e9d4 } .frame { fill: #e7d8ba } .rule { fill: #241f1c }
.head { font-weight: 700; fill: #5a4e42 } .said { font-weight: 700; fill: #241f1c }
.house { font-size: 22px; fill: #5a4e42 }
* { animation: none !important; transition: none !important }
"""


def shared_picture(
    last: View, story: Story, names: Sequence[str], settled: str, say: Say, site: Say, font: str
) -> Markup:
    """Draw the picture: `last` is the public view at the end, `settled` the part that settled it, `font` a style."""
    game = last.game
    seals, room = seal_symbols(game), WIDTH - BOARD - 2 * MARGIN
    drawn = curve(story, names, site("The points of all"), settled)
    tall = room * CURVE_HEIGHT / CURVE_WIDTH
    return tag(
        "svg",
        tag("style", Markup(font + PAPER + SEAT_STYLE + STYLE)),
        tag("defs", seals, used_shapes(picture_of(game).shapes, seals)),
        tag("rect", width=WIDTH, height=HEIGHT, class_="paper"),
        tag("rect", width=BOARD, height=HEIGHT, class_="frame"),
        _placed(drawing(last, say), 0, 0, BOARD, HEIGHT),
        tag("rect", x=BOARD, width=3, height=HEIGHT, class_="rule"),
        fitted_text(game_title(game, site.language), BOARD + MARGIN, 74, 30, room, "head"),
        *_wrapped(words_of(game).prompt(last, say), BOARD + MARGIN, 136, room),
        _placed(drawn, BOARD + MARGIN, HEIGHT - tall - 90, room, tall),
        tag("text", "Tavola", x=BOARD + MARGIN, y=HEIGHT - 36, class_="house"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )


def _placed(svg: Markup, x: float, y: float, width: float, height: float) -> Markup:
    box = f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return Markup(str(svg).replace("<svg", box, 1))


def _wrapped(sentence: str, x: float, y: float, room: float) -> list[Markup]:
    letters, lines = int(room / 19), [""]
    for word in sentence.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > letters and len(lines) < 3:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [fitted_text(line, x, y + 48 * number, 40, room, "said") for number, line in enumerate(lines)]
