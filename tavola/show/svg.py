"""Pictures: a few words for writing SVG safely, and how a game's pieces become one drawing.

A game's `picture.py` has

    SIZE                     (width, height) of the picture's own units
    STYLE                    its palette and motion, light and dark: CSS, served as a file of its own
    background(view, say)    what never moves in a match, drawn once: one `<g>`, with the `<defs>` the pieces use
    pieces(view, say)        {id: markup}: everything that can change and that all may see, in the order of drawing
                             (the last lies on top), from the table alone. Each is one `<g id=… class="piece">` that
                             is sent alone when it changes
    own(view, say)           {id: markup}: what only the view's seat sees, drawn above the rest; empty for a spectator

The page puts both into one `<svg class="picture NAME" viewBox="0 0 WIDTH HEIGHT" role="img">`, the pieces as its
direct children, and afterwards adds, replaces and removes pieces by their id. What it can rely on:

*Clicks.* What a click on a part can mean it carries itself: `codes="vote green|choose green"`, written as
`data-codes`. Where one of those actions is legal the page gives the part the class `clickable`, so nothing in the
picture depends on whose turn it is; where several are, the page asks which. While a button with one of the codes is
pointed at, the part has the class `pointed`. A piece of the class `through` lets clicks pass to what lies under it
while it has no codes of its own.

*Sliding.* A strict content policy (`default-src 'self'`) drops style attributes, so a piece's place is its
`transform` attribute; in Chromium a change of it runs the CSS transition of `.piece` by itself, without any script.
For every engine `data-to` holds the same place as a CSS value, which a script may use where the markup may not:
`piece.animate([{ transform: before }, { transform: piece.dataset.to }], …)`, or `piece.style.transform`.

*One of many.* Where pieces cannot be told apart (five red sailors) their ids name their places, and `data-like` says
which are alike. A move then removes one id and adds another of the same `data-like`: a page that keeps the element,
gives it the new id and morphs it sees it slide; a page that replaces it sees it appear, which is right too.

*Moments.* What happens once (cards that turn) is a CSS animation on a piece whose id counts the occasion: it plays
when the element enters the page. Motion stops where the reader prefers reduced motion.

*Privacy.* The pieces are the same for every seat, byte for byte: a page draws them once for all who look.

*Themes.* Colours are custom properties: the system's preference, or `data-theme="light"` or `"dark"` on the root.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from tavola.core.view import View
    from tavola.show.speech import Say

MOTION = """
.piece{transition:transform .7s cubic-bezier(.3,.1,.2,1),opacity .5s}
.picture .clickable{cursor:pointer}
.piece.through:not([data-codes]){pointer-events:none}
@media (prefers-reduced-motion:reduce){.picture *{transition:none!important;animation:none!important}}
"""
"""What moves alike in every game; a game's STYLE begins with it."""


SPECIAL = {"class_": "class", "codes": "data-codes"}


def palette(name: str, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """CSS that gives the picture of the game `name` its colours as custom properties, `--sea` for the key `sea`.

    `dark` names only what differs. The system's preference decides unless the root has `data-theme`.
    """
    picture, chosen = f".picture.{name}", ":root[data-theme=dark]"
    unless = ":root:not([data-theme=light])"
    night = _properties(dark)
    return (
        f"{picture}{{{_properties(light)}}}\n"
        f"@media (prefers-color-scheme:dark){{{unless} {picture},{picture}{unless}{{{night}}}}}\n"
        f"{chosen} {picture},{picture}{chosen}{{{night}}}\n"
    )


def tag(name: str, *children: str, **attributes: object) -> Markup:
    """One element. Text is escaped; `class_` is class, `font_size` font-size, `codes` data-codes; None is left out."""
    written = [
        f' {_attribute(key)}="{escape(_number(value))}"' for key, value in attributes.items() if value is not None
    ]
    return Markup(f"<{name}{''.join(written)}>{''.join(map(escape, children))}</{name}>")


def group(
    identifier: str,
    *children: str,
    x: float = 0,
    y: float = 0,
    scale: float = 1,
    like: str | None = None,
    class_: str = "",
    **attributes: object,
) -> Markup:
    """A piece: a `<g>` with a stable id, drawn at (x, y) and `scale` times as large. It slides when its place changes.

    `like` names what it cannot be told apart from.
    """
    across, down, times = _number(float(x)), _number(float(y)), _number(float(scale))
    resized = "" if times == "1" else f" scale({times})"
    return tag(
        "g",
        *children,
        id=identifier,
        class_=f"piece {class_}".rstrip(),
        transform=f"translate({across} {down}){resized}",
        data_to=f"translate({across}px,{down}px){resized}",
        data_like=like,
        **attributes,
    )


def everything(view: "View", say: "Say") -> dict[str, Markup]:
    """All pieces that the view's seat sees, in the order of drawing."""
    picture = view.game.picture
    return {**picture.pieces(view, say), **picture.own(view, say)}


def drawing(view: "View", say: "Say") -> Markup:
    """The whole picture, standing alone: for notebooks, goldens and files."""
    picture = view.game.picture
    width, height = picture.SIZE
    return tag(
        "svg",
        tag("style", Markup(picture.STYLE)),
        picture.background(view, say),
        *everything(view, say).values(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=view.game.title,
        class_=f"picture {view.game.name}",
    )


def _properties(colours: Mapping[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in colours.items())


@cache
def _attribute(key: str) -> str:
    return SPECIAL.get(key, key.replace("_", "-"))


def _number(value: object) -> str:
    """Numbers as short as two decimals allow."""
    if isinstance(value, float):
        shortest = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if shortest == "-0" else shortest
    return str(value)
