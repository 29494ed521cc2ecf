"""Boards: a game's drawings of a view as they stand on a page, and how a change is shown.

What a game draws stands on its card, `tavola.show.cards.Picture`.

A page shows a board as `<svg class="picture GAME" viewBox="0 0 WIDTH HEIGHT">` with its backdrop, its pieces and the
seat's own pieces as direct children, and afterwards adds, replaces and removes pieces by their id; ids are unique over
all boards. What a page can rely on:

*Bleed.* The viewBox is the safe area. Scenery goes on for 30 % past every side: the overflow is visible and the stage
around it clips, so one drawing fills a stage of any shape. The backdrop covers exactly the board with its bleed.

*Touching.* What a part can mean it carries itself: `codes="vote green|choose green"`, written as `data-codes`. Where
one of those actions is legal the page gives the part the class `clickable`, so nothing in the picture depends on whose
turn it is. While a button with one of the codes is pointed at, the part has the class `pointed`. A piece of the class
`through` lets touches pass to what lies under it while it has no codes of its own. Its `<title>` says what it is and
what it means now.

What one touch would play, and nobody can take back, is said first and played when it is touched again, or by *Play*; so
is whatever a finger touches. What a part with `data-confirm` does is played by *Play* alone: for what is easily touched
by who only wants to look. A part with `data-quick` acts as soon as it is pressed, even where choices have only just
appeared: for races.

*Plates.* What a choice does now stands on a plate beside the part that carries exactly its codes, where it hides least;
of a large part beside what bears `data-plate` in it. Print that must stay in sight bears `data-clear`.

Of what is lit the parts that mean an action of `Words.sensible` have the class `sensible`, and the page the class
`weighed` while there are any: a style lights the others thinly.

*Drafts.* Where the steps of a plan can be played in one order only, a part that is touched changes the plan, whatever
came before: `data-adds="give salt"` puts a step into it, in place of those of `data-instead="pay|charge"` (verbs, or
whole codes), and behind `data-first="offer all"` where the plan has no step of that verb yet; `data-removes` takes one
out. The page plans anew, in the order of the game's actions. Steps on a line are chosen by sliders: `Words.sliders`.

*Moving about.* A board with `zoom` is moved and enlarged by finger, wheel and keys. Its picture has the class `near`
while print of 14 units can be read, `whole` while not even 20 units can, and `--pixel` is a CSS pixel in units. A piece
with `data-find` is found by that name; those with `data-focus` are looked at in turn, on a phone at first the last; a
piece on another board with `data-look="id"` leads there when it is touched. While a piece with `data-glance` is there,
and not in sight, the page turns to it unless a hand has just moved the board, and back when nobody else decides; over
one with `data-glance="whole"` no button lies.
On a phone it turns to all that is lit when that changes, as near as can be read, to the `sensible` where not all have
room, and to a piece with `data-follow`, where a plan has come to, when nothing is lit any more. A piece with
`data-rim="shape"` that is out of sight stands at the rim as that shape, with an arrow that leads there.

*Lists.* Pieces with `data-row="0"`, one below the other at equal distances, may be more than there is room for: rows of
a list, several pieces a row. A piece with `data-rows="5"` and `data-window="left top width height"` is its window, with
room for so many, and holds a `thumb` as high as the window. A page shows rows with the least `data-rank` first, moves
them whole, and on a wide screen makes them smaller, in two columns at last. A row that others have moved is deaf for a
moment.

*Clocks.* Words that only a room's clocks can say the page writes: `data-clock` is the time that is left, `data-times`
how long each took in the race that is shown, pressed together where they would be wider than `data-most` units. Empty,
where there is nothing to say; styles may hide what stands round it.

*What is it?* A bubble tells the title of a part that was touched; with `data-shape="id"` it shows that shape, large.
What changes for many parts with every move one piece tells for all: `data-told="Red {red}, blue {blue}"`,
`data-keys="red blue"` and `data-numbers="3.1 4.0 …"`, a row for every part by its `data-number`.

*Sliding.* A strict content policy (`default-src 'self'`) drops style attributes, so a piece's place is its `transform`
attribute; in Chromium a change of it runs the CSS transition of `.piece` by itself, without any script. For every
engine `data-to` holds the same place as a CSS value, which a script may use where the markup may not.

*One of many.* Where pieces cannot be told apart (five red sailors) their ids name their places, and `data-like` says
which are alike. A move then removes one id and adds another of the same `data-like`: a page that keeps the element,
gives it the new id and morphs it sees it slide; a page that replaces it sees it appear, which is right too.

*Moments.* What happens once is a CSS animation on a piece whose id counts the occasion: it plays when the element
enters the page. Motion stops where the reader prefers reduced motion.

*Privacy.* The pieces and the scenes are the same for every seat, byte for byte: a page draws them once for all.

*Themes.* Colours are custom properties: the system's preference, or `data-theme="light"` or `"dark"` on the root. A
backdrop is an image, which follows the `color-scheme` of the page around it.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.show.svg import tag

BLEED = 0.3
"""The distance that scenery goes on past each side of a board, as a part of its width and height."""
PACES = {"calm": 1.0, "brisk": 0.56}
"""The time that a frame stays at each pace, as a part of its calm time."""
STEP_FACTOR = 0.5
"""The time that a frame of a further step of a turn stays, as a part of that of the first."""

CODES = re.compile(r'data-codes="([^"]*)"')
"""The codes that a part can mean, in its markup."""

Pieces = Mapping[str, Mapping[str, Markup]]
"""Markup by board and id, in the order of drawing."""
Box = tuple[float, float, float, float]
"""Left, top, width and height, in a board's own units."""


class Board(NamedTuple):
    """One drawing: its safe area, the part of it that a narrow screen shows, and the file with its scenery."""

    size: tuple[int, int]
    phone: Box | None = None
    backdrop: str = ""
    """A file in the game's folder `picture/`; empty where there is none."""
    zoom: bool = False
    """True when it is so large that a page lets one move and enlarge it."""
    tall: Box | None = None
    """The part that a wide screen shows where the stage is no wider than 1.15 times its height; its picture then has
    the class `tall`."""
    phone_at_end: Box | None = None
    """The part that a narrow screen shows when the match is over."""
    rows: int = 1
    """Of the main board: for how many rows of choices a narrow screen leaves room below it, 1 or 2. Where a second row
    is needed and there is none yet, the board shrinks when it comes, and stays so."""

    @property
    def broad(self) -> bool:
        """True when it is so wide that a page gives it more than a board's usual width, and the hand all the width."""
        return self.size[0] > 1.5 * self.size[1]

    @property
    def bleed(self) -> Box:
        """Return the box that the backdrop covers: the viewBox of its file."""
        width, height = self.size
        return -BLEED * width, -BLEED * height, (1 + 2 * BLEED) * width, (1 + 2 * BLEED) * height


class Frame(NamedTuple):
    """One picture of a scene."""

    draw: Callable[[], Pieces]
    """All public pieces at that moment, drawn when asked for; a board that is left out stays as it was."""
    milliseconds: int
    """The time that it stays at a calm pace, in milliseconds."""
    minimum: int = 0
    """The least time that it stays, in milliseconds, at any pace: 1,500 where all faces of a ballot are open."""
    log_lines: int = 0
    """The number of the action's lines in the log that have been told when it shows."""
    begins: bool = False
    """True when it announces what comes next: the strip of phases is already that of it."""
    closed: bool = False
    """True while all cards of a ballot lie face down: nobody skips that."""
    sound: str = ""
    """What is heard when it shows: a name in `Picture.sounds`."""

    def duration(self, pace: str, *, follows: bool = False) -> int:
        """Return the time that it stays, in milliseconds; `follows`: it shows one more step of the same turn."""
        factor = PACES[pace] * (STEP_FACTOR if follows else 1)
        return max(self.minimum, round(self.milliseconds * factor))


def scenery(board: Board, address: str) -> Markup:
    """The backdrop of a board, in its place."""
    x, y, width, height = board.bleed
    return tag("image", href=address, x=x, y=y, width=width, height=height, preserveAspectRatio="none")


def used_shapes(shapes: str, markup: str) -> Markup:
    """Of a game's shapes those that the markup uses, and those that they use."""
    known, wanted = _shapes_by_name(shapes), _shape_names(markup)
    found: set[str] = set()
    while wanted := (wanted & known.keys()) - found:
        found |= wanted
        wanted = {name for shape in wanted for name in _shape_names(known[shape])}
    return Markup("\n".join(known[name] for name in known if name in found))


@lru_cache(maxsize=32)
def _shapes_by_name(shapes: str) -> dict[str, str]:
    """Each shape by its name; a shape begins on a line of its own."""
    starts = [*re.finditer(r'^<\w+ id="([^"]+)"', shapes, re.MULTILINE)]
    ends = [start.start() for start in starts[1:]] + [len(shapes)] * bool(starts)
    return {start[1]: shapes[start.start() : end].strip() for start, end in zip(starts, ends, strict=True)}


def _shape_names(markup: str) -> set[str]:
    return set(re.findall(r'(?:href="#|url\(#)([\w-]+)', markup))
