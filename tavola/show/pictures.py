"""Drawings of a view by its game's picture: pieces, scenes, marks at seats, and whole boards."""

import base64
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.core.game import Game
from tavola.core.view import View
from tavola.show.board import CODES, Frame, scenery, used_shapes
from tavola.show.cards import picture_of
from tavola.show.kit import anonymous_say
from tavola.show.speech import Say
from tavola.show.svg import tag


def all_pieces(view: View, say: Say) -> dict[str, dict[str, Markup]]:
    """Return all pieces that the view's seat sees, by board and id, in the order of drawing."""
    picture = picture_of(view.game)
    drawn, alone = picture.pieces(view, say), picture.own_pieces(view, say)
    return {name: {**drawn.get(name, {}), **alone.get(name, {})} for name in picture.boards}


def touchable_codes(view: View, say: Say) -> frozenset[str]:
    """Return the codes that parts of the boards can mean for the view's seat, legal now or not."""
    drawn = (markup for pieces in all_pieces(view, say).values() for markup in pieces.values())
    return frozenset(code for markup in drawn for codes in CODES.findall(markup) for code in codes.split("|"))


def scene(before: View, after: View, played: PlayedAction | None, say: Say) -> list[Frame]:
    """Return the frames between two views one action apart, without the last position; empty for most actions.

    `played` is the action and its seat, or None if it is secret to other seats.
    """
    return picture_of(before.game).scene(before.public(), after.public(), played, say)


def ballot_cards(view: View, say: Say) -> Mapping[int, Markup]:
    """Return the open card of the last ballot before each seat; empty if the game has none."""
    return picture_of(view.game).ballot_cards(view.public(), say)


def leader(view: View, say: Say) -> tuple[int, Markup] | None:
    """Return the leading seat and its badge; None if no seat leads."""
    return picture_of(view.game).leader(view.public(), say)


def seat_badges(view: View, say: Say) -> Mapping[int, Markup]:
    """Return public badges of seats; empty if the game draws none."""
    return picture_of(view.game).seat_badges(view.public(), say)


def scene_length(before: View, after: View, played: PlayedAction | None, pace: str, *, follows: bool = False) -> int:
    """Return the length of the scene at a pace, in milliseconds, without drawing it.

    `follows`: it shows one more step of the same turn.
    """
    frames = scene(before, after, played, anonymous_say(before.game, "en"))
    return sum(frame.duration(pace, follows=follows) for frame in frames)


def drawing(view: View, say: Say, board: str = "main", backdrop: str | None = None) -> Markup:
    """Return a board as a whole SVG document, for notebooks, goldens and files.

    `backdrop` is the address of the scenery; by default the scenery is embedded.
    """
    game, picture = view.game, picture_of(view.game)
    shown = picture.boards[board]
    inside = Markup("").join(all_pieces(view, say)[board].values())
    return tag(
        "svg",
        tag("style", Markup(picture.style)),
        tag("defs", used_shapes(picture.shapes, inside)),
        scenery(shown, backdrop or data_url(game.folder / "picture" / shown.backdrop)) if shown.backdrop else Markup(),
        inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {shown.size[0]} {shown.size[1]}",
        role="img",
        aria_label=game.title,
        class_=f"picture {game.name} board-{board}",
    )


def data_url(path: Path) -> str:
    """Return an SVG file as a data URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"


def backdrops(game: Game) -> dict[str, Path]:
    """Return the files with a game's scenery, by name."""
    names = {board.backdrop for board in picture_of(game).boards.values()} - {""}
    return {name: game.folder / "picture" / name for name in sorted(names)}
