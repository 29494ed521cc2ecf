"""The picture kit: what the pictures of several games are made of."""

import re
from pathlib import Path

from markupsafe import Markup

from tavola.show.svg import MOTION


def art(module: str) -> tuple[str, Markup]:
    """The style and the shapes of a picture: `picture.css` and `shapes.svg` beside the module that asks (`__file__`).

    In `shapes.svg` every shape begins on a line of its own, with its id first.
    """
    folder = Path(module).parent
    drawn = (folder / "shapes.svg").read_text(encoding="utf-8")
    shapes = re.sub(r"\A.*?<svg[^>]*>\s*|\s*</svg>\s*\Z", "", drawn, flags=re.DOTALL)
    return MOTION + (folder / "picture.css").read_text(encoding="utf-8"), Markup(shapes)
