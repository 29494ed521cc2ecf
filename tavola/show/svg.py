"""Functions for writing SVG safely: elements and pieces. `tavola.show.board` describes pictures."""

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup, escape

MOTION = """
.piece{transition:transform .7s cubic-bezier(.3,.1,.2,1),opacity .5s}
.picture .clickable{cursor:pointer}
.piece.through:not([data-codes]){pointer-events:none}
@media (prefers-reduced-motion:reduce){.picture *{transition:none!important;animation:none!important}}
"""
"""Style of moving parts in every game; a game's style begins with it."""

ATTRIBUTE_NAMES = {"class_": "class", "codes": "data-codes"}


def tag(name: str, *children: str, **attributes: object) -> Markup:
    """Return an element. Text is escaped; `class_` is class, `codes` data-codes, and so on; None is left out."""
    written = "".join([_attribute(key, value) for key, value in attributes.items() if value is not None])
    # For speed, Markup is not created again at every level: whole boards are built by these lines.
    inside = "".join([child if type(child) is Markup else escape(child) for child in children])
    return str.__new__(Markup, f"<{name}{written}>{inside}</{name}>")


def fill_marks(kept: str, texts: Mapping[str, str]) -> Markup:
    """Return markup with marks replaced by escaped texts. Marks are characters that users cannot type."""
    for mark, text in texts.items():
        kept = str.replace(kept, mark, text if type(text) is Markup else escape(text))
    return str.__new__(Markup, kept)


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
    """Return a piece: a `<g>` with a stable id, at (x, y), scaled by `scale`. It slides when its place changes.

    `like` names a group of indistinguishable pieces.
    """
    transform, slides_to = _transform(float(x), float(y), float(scale))
    return tag(
        "g",
        *children,
        id=identifier,
        class_=f"piece {class_}".rstrip(),
        transform=transform,
        data_to=slides_to,
        data_like=like,
        **attributes,
    )


@lru_cache(maxsize=16_384, typed=True)
def _attribute(key: str, value: object) -> str:
    """Return an attribute; cached, since pictures use the same few thousand."""
    return f' {ATTRIBUTE_NAMES.get(key, key.replace("_", "-"))}="{escape(_format_number(value))}"'


@lru_cache(maxsize=16_384)
def _transform(x: float, y: float, scale: float) -> tuple[str, str]:
    across, down, times = _format_number(x), _format_number(y), _format_number(scale)
    resized = "" if times == "1" else f" scale({times})"
    return f"translate({across} {down}){resized}", f"translate({across}px,{down}px){resized}"


def _format_number(value: object) -> str:
    """Return a number with at most two decimals."""
    if isinstance(value, float):
        shortest = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if shortest == "-0" else shortest
    return str(value)
