"""Boards: a game's drawings of a view on a page, and how changes are shown.

Games declare their drawings in `tavola.show.cards.Picture`.

A page shows a board as `<svg class="picture GAME" viewBox="0 0 WIDTH HEIGHT">` with its backdrop, its pieces and the
seat's own pieces as direct children. It then adds, replaces and removes pieces by their id; ids are unique over all
boards. A page can rely on the following.

*Bleed.* The viewBox is the safe area. Scenery extends 30 % beyond every side: the overflow is visible and the stage
around it clips, so one drawing fills a stage of any shape. The backdrop covers exactly the board with its bleed.

*Touching.* A part carries its possible meanings: `codes="vote green|choose green"`, written as `data-codes`. If one of
those actions is legal, the page gives the part the class `clickable`, so the picture does not depend on whose turn it
is. While a button with one of the codes is pointed at, the part has the class `pointed`. A piece of class `through`
without codes of its own lets touches pass to what is below it. The `<title>` of a part says what it is and what it
means now.

If a touch would play something that cannot be undone, it is announced first, and played when touched again or by
*Play*. The same holds for everything touched by a finger. A part with `data-confirm` is played by *Play* only, because
users may touch it just to look. A part with `data-quick` acts as soon as it is pressed, even if choices have just
appeared: for races.

*Plates.* The effect of a choice is shown on a plate beside the part that carries exactly its codes, where it hides
least; for a large part, beside its element with `data-plate`. Text that must stay visible has `data-clear`.

Lit parts that mean an action of `Words.sensible` have the class `sensible`. While there are any, the page has the class
`weighed`, so that a style can light the others faintly.

*Drafts.* If the steps of a plan can be played in one order only, touching a part changes the plan at any time.
`data-adds="give salt"` adds a step, in place of those of `data-instead="pay|charge"` (verbs or whole codes), and after
`data-first="offer all"` if the plan has no step of that verb yet; `data-removes` removes one. The page plans again, in
the order of the game's actions. Steps on a line are chosen by sliders: `Words.sliders`.

*Moving about.* A board with `zoom` is moved and enlarged by finger, wheel and keys. Its picture has the class `near`
while text of 14 units is legible, `whole` while not even 20 units are, and `--pixel` is a CSS pixel in units. A piece
with `data-find` is found by that name. Pieces with `data-focus` are visited in turn, on a phone the last one first.
Touching a piece on another board with `data-look="id"` leads there. While a piece with `data-glance` exists out of
sight, the page turns to it, unless the user has just moved the board, and back when no other seat decides; no button
covers one with `data-glance="whole"`. On a phone the page turns to all lit parts when they change, as near as is
legible; to the `sensible` ones if not all fit; and to a piece with `data-follow`, the end of a plan, when nothing is
lit any more. A piece with `data-rim="shape"` that is out of sight appears at the rim as that shape, with an arrow.

*Lists.* Pieces with `data-row="0"`, one below the other at equal distances, may be more than fit: rows of a list, with
several pieces in a row. A piece with `data-rows="5"` and `data-window="left top width height"` is their window, with
room for that number, and contains a `thumb` as high as the window. A page shows rows with the least `data-rank` first
and moves whole rows. On a wide screen it shrinks them, at last into two columns. A row that others have moved ignores
touches for a moment.

*Clocks.* The page writes texts that depend on a room's clocks: `data-clock` is the time left, `data-times` each seat's
time in the race that is shown, condensed if it is wider than `data-most` units. They are empty if there is nothing to
show; styles may hide what is around them.

*What is it?* A bubble shows the title of a touched part; with `data-shape="id"` also that shape, large. One piece can
have the text for many parts that change with every move: `data-told="Red {red}, blue {blue}"`, `data-keys="red blue"`
and `data-numbers="3.4.2 1.0.5"`, a row for every key with the number of each part at its `data-number`.

*Words.* A page measures each text with `data-room`, its maximum width in units, and condenses it if it is wider. If it
is much wider, the page shows its `data-short` instead.

*Sliding.* A strict content policy (`default-src 'self'`) drops style attributes, so a piece's place is its `transform`
attribute; in Chromium changing it runs the CSS transition of `.piece` without any script. For other engines `data-to`
has the same place as a CSS value, which a script can set although the markup cannot.

*One of many.* If pieces are indistinguishable (five red sailors), their ids name their places, and `data-like` says
which are alike. A move then removes one id and adds another of the same `data-like`. A page that keeps the element,
gives it the new id and morphs it shows it sliding; a page that replaces it shows it appearing, which is also correct.

*Moments.* Something that happens once is a CSS animation on a piece whose id counts the occasions: it plays when the
element enters the page. Motion stops if the reader prefers reduced motion.

*Privacy.* Pieces and scenes are the same for every seat, byte for byte: a page draws them once for all.

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
"""Distance that scenery extends beyond each side of a board, as a fraction of its width and height."""
PACES = {"calm": 1.0, "brisk": 0.56}
"""Duration of a frame at each pace, relative to calm."""
STEP_FACTOR = 0.5
"""Duration of a frame of a further step of a turn, relative to the first."""

CODES = re.compile(r'data-codes="([^"]*)"')
"""Matches the codes of a part in its markup."""

Pieces = Mapping[str, Mapping[str, Markup]]
"""Markup by board and id, in the order of drawing."""
Box = tuple[float, float, float, float]
"""Left, top, width and height, in units of a board."""


class Board(NamedTuple):
    """A drawing: its safe area, the part of it that a narrow screen shows, and the file with its scenery."""

    size: tuple[int, int]
    phone: Box | None = None
    backdrop: str = ""
    """A file in the game's folder `picture/`; empty for none."""
    zoom: bool = False
    """True if it is so large that a page lets users move and enlarge it."""
    tall: Box | None = None
    """The part that a wide screen shows if the stage is at most 1.15 times as wide as high; the picture then has the
    class `tall`."""
    phone_at_end: Box | None = None
    """The part that a narrow screen shows when the match is over."""
    rows: int = 1
    """Rows of choices for which a narrow screen reserves room below the main board, 1 or 2. If a second row is needed
    without room, the board shrinks when it comes, and stays so."""

    @property
    def broad(self) -> bool:
        """True if a page gives it more than a board's usual width, and the hand the full width."""
        return self.size[0] > 1.5 * self.size[1]

    @property
    def bleed(self) -> Box:
        """The box that the backdrop covers: the viewBox of its file."""
        width, height = self.size
        return -BLEED * width, -BLEED * height, (1 + 2 * BLEED) * width, (1 + 2 * BLEED) * height


class Frame(NamedTuple):
    """A picture of a scene."""

    draw: Callable[[], Pieces]
    """Draws all public pieces at that moment; a board that is left out stays as it was."""
    milliseconds: int
    """Duration at a calm pace, in milliseconds."""
    minimum: int = 0
    """Minimum duration at any pace, in milliseconds: 1,500 when all cards of a ballot are open."""
    log_lines: int = 0
    """Number of the action's log lines that are visible when it is shown."""
    begins: bool = False
    """True if it announces what comes next: the strip of phases already shows that."""
    closed: bool = False
    """True while all cards of a ballot are face down: this cannot be skipped."""
    sound: str = ""
    """Sound when it is shown: a name in `Picture.sounds`."""

    def duration(self, pace: str, *, follows: bool = False) -> int:
        """Return its duration in milliseconds; `follows`: it shows one more step of the same turn."""
        factor = PACES[pace] * (STEP_FACTOR if follows else 1)
        return max(self.minimum, round(self.milliseconds * factor))


def scenery(board: Board, address: str) -> Markup:
    """Return the backdrop of a board, in its place."""
    x, y, width, height = board.bleed
    return tag("image", href=address, x=x, y=y, width=width, height=height, preserveAspectRatio="none")


def used_shapes(shapes: str, markup: str) -> Markup:
    """Return the shapes that the markup uses, and those that they use."""
    known, wanted = _shapes_by_name(shapes), _shape_names(markup)
    found: set[str] = set()
    while wanted := (wanted & known.keys()) - found:
        found |= wanted
        wanted = {name for shape in wanted for name in _shape_names(known[shape])}
    return Markup("\n".join(known[name] for name in known if name in found))


@lru_cache(maxsize=32)
def _shapes_by_name(shapes: str) -> dict[str, str]:
    """Return each shape by its name; a shape begins on a line of its own."""
    starts = [*re.finditer(r'^<\w+ id="([^"]+)"', shapes, re.MULTILINE)]
    ends = [start.start() for start in starts[1:]] + [len(shapes)] * bool(starts)
    return {start[1]: shapes[start.start() : end].strip() for start, end in zip(starts, ends, strict=True)}


def _shape_names(markup: str) -> set[str]:
    return set(re.findall(r'(?:href="#|url\(#)([\w-]+)', markup))
