"""Draw the pictures of link previews from the games' posters: `python -m scripts.previews [GAME]…`."""

import base64
import sys

from tavola import games
from tavola.show.testing import chromium
from tavola.web.pages.posters import PREVIEW, PREVIEW_SIZE, poster_file

PAGE = """<style>body {{ margin: 0; overflow: hidden }}
img {{ position: absolute; left: 50%; height: 100vh; translate: -50% }}
.behind {{ width: 100%; object-fit: cover; scale: 1.1; filter: blur(24px) brightness(.7) }}</style>
<img class="behind" src="{poster}"><img src="{poster}">"""
"""The whole poster, in front of a blurred one that fills the picture."""


def main() -> None:
    """Draw the pictures of the games named, or of all that have a poster."""
    width, height = PREVIEW_SIZE
    with chromium() as browser:
        for game in map(games.load, sys.argv[1:] or games.names()):
            if not (made := poster_file(game, "en")):
                continue
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
            page.set_content(PAGE.format(poster=f"data:image/svg+xml;base64,{base64.b64encode(made).decode()}"))
            page.screenshot(path=game.folder / PREVIEW, type="jpeg", quality=80)


if __name__ == "__main__":
    main()
