"""Scenes: what happened is shown in order. Made once a room and language, and sent once.

A scene is a chain of parts, each with how long it stays; the fragments that follow turn the last of them into what is
shown now. Only who was shown what came right before it is sent the scene: who comes late gets the last picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from json import dumps

from tavola.core import View
from tavola.show.board import Frame, Pieces
from tavola.show.cards import picture_of
from tavola.web.table.fragments import FragmentSet, Screen

FragmentLists = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class SceneFrame:
    """One frame: the lists it shows (pieces by board, the log), how long it stays, in milliseconds, and new places.

    `closed`: all cards lie face down, which nothing skips; `told`: what happens, where no line of the log says it;
    `sound`: what is heard of it, by its name among the game's sounds.
    """

    lists: FragmentLists
    milliseconds: int
    slots: Mapping[str, str] = field(default_factory=dict)
    closed: bool = False
    told: str = ""
    sound: str = ""


@dataclass(frozen=True)
class Scene:
    """The way from one shared part to the last of its pictures, and the message that shows it."""

    before: FragmentSet
    last: FragmentSet
    message: str

    def leads_from(self, screen: Screen) -> bool:
        """True when somebody was shown what came right before it, however he reads it."""
        return self.before is (screen.public or screen.shared)

    def staged(self, screen: Screen) -> Screen:
        """Return what somebody sees who was shown a screen, and then all of the scene."""
        known = self.before.lists
        shown = {name: children for name, children in self.last.lists.items() if children is not known.get(name)}
        slots = {name: text for name, text in self.last.slots.items() if text != self.before.slots.get(name)}
        last = FragmentSet({**screen.shared.slots, **slots}, {**screen.shared.lists, **shown})
        return replace(screen, shared=last, public=self.last) if screen.public else replace(screen, shared=self.last)


def make_scene(before: FragmentSet, pictures: Sequence[SceneFrame]) -> Scene | None:
    """The scene of these pictures for who was shown `before`; None where there is nothing to show."""
    if not pictures:
        return None
    last, frames = before, []
    for picture, part in zip(pictures, _frame_fragments(before, pictures), strict=True):
        fragments, order = part.changes_since(last)
        said = {"closed": picture.closed, "told": picture.told, "sound": picture.sound}
        rest = dumps({"milliseconds": picture.milliseconds, **said})[1:]
        frames.append(f'{{"fragments":{{{fragments}}},"order":{{{order}}},{rest}')
        last = part
    return Scene(before, last, f'{{"type":"scene","frames":[{",".join(frames)}]}}')


def _frame_fragments(before: FragmentSet, pictures: Sequence[SceneFrame]) -> Iterator[FragmentSet]:
    """Each picture as a part: what a frame does not show stays as it was."""
    for picture in pictures:
        before = FragmentSet({**before.slots, **picture.slots}, {**before.lists, **picture.lists})
        yield before


def pieces_by_list(kind: str, view: View, drawn: Pieces) -> dict[str, Mapping[str, str]]:
    """The pieces of every board as a list of the page: `pieces-main`, `own-hand`."""
    return {f"{kind}-{board}": drawn.get(board, {}) for board in picture_of(view.game).boards}


def frame_lists(frame: Frame) -> dict[str, Mapping[str, str]]:
    """The lists of the boards that a frame draws: the others stay as they were."""
    return {f"pieces-{board}": pieces for board, pieces in frame.draw().items()}
