"""Pictures: a few words for writing SVG safely, and how a game's pieces become one drawing.

A game's `picture.py` has

    SIZE                     (width, height) of the picture's own units
    STYLE                    its palette and transitions, light and dark: CSS
    background(view, say)    what never moves in a match, drawn once
    pieces(view, say)        {id: markup}: everything that can change. Each is a `<g id=…>` that is sent alone
                             when it changes; its transform slides

What a click on a part can mean it carries itself: `codes="vote green|choose green"`. Where one of those actions is
legal the page makes the part clickable, so nothing in the picture depends on whose turn it is.
"""

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from tavola.core.speech import Say
    from tavola.core.view import View


def tag(name: str, *children: str, **attributes: object) -> Markup:
    """One element. Text is escaped; `class_` is class, `font_size` is font-size, `codes` is data-codes."""
    written = Markup("").join(
        Markup(' {}="{}"').format(_attribute(key), _number(value))
        for key, value in attributes.items()
        if value is not None
    )
    inner = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), written, inner)


def group(identifier: str, *children: str, x: float = 0, y: float = 0, **attributes: object) -> Markup:
    """A `<g>` with a stable id, moved to (x, y): when the place changes, it slides there.

    The place is an attribute, not a style: pages forbid inline styles.
    """
    return tag("g", *children, id=identifier, transform=f"translate({_number(x)} {_number(y)})", **attributes)


def drawing(view: "View", say: "Say") -> Markup:
    """The whole picture, standing alone: for notebooks, goldens and files."""
    picture = view.game.picture
    width, height = picture.SIZE
    return tag(
        "svg",
        tag("style", Markup(picture.STYLE)),
        picture.background(view, say),
        *picture.pieces(view, say).values(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=view.game.title,
        class_=f"picture {view.game.name}",
    )


def _attribute(key: str) -> str:
    special = {"class_": "class", "codes": "data-codes", "viewBox": "viewBox"}
    return special.get(key, key.replace("_", "-"))


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
