"""The contact sheet: every board of some games on one page, to look at.

    python -m tavola.contract.sheet FILE [GAME…]     write the page, of all games or of those that are named

The boards are those whose hashes are in `golden/boards.txt`. Each is a document in a frame of its own, so that no
game's style affects another's.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from markupsafe import Markup

from tavola.contract.golden import middle_view
from tavola.core.game import Game
from tavola.core.matchfile import check_output
from tavola.core.registry import load, names
from tavola.show.cards import picture_of
from tavola.show.pictures import drawing
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDEST = 720
"""Maximum width of a board in pixels."""
BEGINNING = '<!doctype html>\n<meta charset="utf-8"><title>Boards</title>'
STYLE = """
body { font: 16px/1.4 sans-serif; margin: 24px; background: light-dark(#fff, #1b1b1b); color-scheme: light dark }
section { display: flex; flex-wrap: wrap; gap: 20px; align-items: start }
figure { margin: 0 }
iframe { border: 1px solid #8888; display: block }
"""


def contact_sheet(games: Sequence[Game]) -> str:
    """Return an HTML page with all boards of `games`, in the middle of the match of their goldens."""
    body = Markup("").join(part for game in games for part in (tag("h1", game.title), tag("section", *_figures(game))))
    return f"{BEGINNING}{tag('style', Markup(STYLE))}\n{body}\n"


def write_sheet(path: Path, games: Sequence[Game]) -> None:
    """Write the page to a file. Raises `OSError`, or `ForeignFile` if another kind of file exists."""
    check_output(path, BEGINNING)
    path.write_text(contact_sheet(games), encoding="utf-8")


def _figures(game: Game) -> Iterator[Markup]:
    view = middle_view(game)
    for name, board in picture_of(game).boards.items():
        width = min(WIDEST, board.size[0])
        height = round(width * board.size[1] / board.size[0])
        page = f"<!doctype html><style>body {{ margin: 0 }}</style>{drawing(view, Say.of(game, 'en'), name)}"
        framed = tag("iframe", srcdoc=page, width=width, height=height, title=name)
        yield tag("figure", framed, tag("figcaption", f"{game.name}: {name}"))


if __name__ == "__main__":
    write_sheet(Path(sys.argv[1]), [load(name) for name in sys.argv[2:] or names()])
