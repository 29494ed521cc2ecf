"""Screens as fragments: what has to be sent after a change is the difference between two parts, written once for all.

Two kinds of fragments: `prompt`, `actions` … are the inside of an element that the page has (`data-place`);
`pieces-main:boat-red`, `log:log-12-0` … are children, with an id of their own, of a list that the page has
(`data-list`), and `order` says which children a list has.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from json import dumps

import msgspec

from tavola.core import View
from tavola.show.board import Frame, Pieces


class FragmentSet:
    """Fragments and lists that change together."""

    def __init__(self, places: Mapping[str, str], lists: Mapping[str, Mapping[str, str]]) -> None:
        self.slots, self.lists = places, lists
        self._last_changes: tuple[FragmentSet | None, tuple[str, str]] | None = None

    @property
    def fragments(self) -> dict[str, str]:
        items = {f"{name}:{child}": text for name, children in self.lists.items() for child, text in children.items()}
        return {**self.slots, **items}

    @property
    def order(self) -> dict[str, tuple[str, ...]]:
        return {name: tuple(children) for name, children in self.lists.items()}

    def changes_since(self, before: "FragmentSet | None") -> tuple[str, str]:
        """Return what turns `before` into this, as the members of two JSON objects: fragments, and lists with children.

        Almost everybody was sent the same before, so the last answer is kept.
        """
        if before is self:
            return "", ""
        if self._last_changes is None or self._last_changes[0] is not before:
            self._last_changes = before, self._difference(before)
            if before is not None:  # nobody will be sent again what came before it, and it must not be held
                before._last_changes = None
        return self._last_changes[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FragmentSet) and self.slots == other.slots and _same_lists(self.lists, other.lists)

    __hash__ = object.__hash__

    def _difference(self, before: "FragmentSet | None") -> tuple[str, str]:
        known = before if before is not None else FragmentSet({}, {})
        changed = {name: text for name, text in self.slots.items() if known.slots.get(name) != text}
        order = {}
        for name, children in self.lists.items():
            shown = known.lists.get(name, {})
            if children is not shown:
                changed |= {f"{name}:{child}": text for child, text in children.items() if shown.get(child) != text}
            if name not in known.lists or tuple(children) != tuple(shown):
                order[name] = tuple(children)
        return _json_members(changed), _json_members(order)


def reuse_equal(before: FragmentSet | None, after: FragmentSet) -> FragmentSet:
    """Return what is shown, as the part that stands for it already: who was shown the same is shown nothing new."""
    return before if before is not None and before == after else after


def _same_lists(lists: Mapping[str, Mapping[str, str]], others: Mapping[str, Mapping[str, str]]) -> bool:
    if lists.keys() != others.keys():
        return False
    pairs = ((children, others[name]) for name, children in lists.items())
    return all(some is more or (some == more and list(some) == list(more)) for some, more in pairs)


_encoder = msgspec.json.Encoder(enc_hook=str)  # markup is text to it


def _json_members(values: object) -> str:
    return _encoder.encode(values)[1:-1].decode()


@dataclass(frozen=True)
class Screen:
    """All that is shown of a room to one seat in one language. `kind` names the page it belongs to."""

    kind: str
    shared: FragmentSet
    own: FragmentSet
    public: FragmentSet | None = None
    """What all see, where a reader sees it otherwise; scenes lead from there."""

    @classmethod
    def blank(cls, kind: str) -> "Screen":
        """A page of a kind that shows nothing yet."""
        return cls(kind, FragmentSet({}, {}), FragmentSet({}, {}))

    @property
    def fragments(self) -> dict[str, str]:
        return self.shared.fragments | self.own.fragments

    @property
    def order(self) -> dict[str, tuple[str, ...]]:
        return self.shared.order | self.own.order

    def children(self, name: str) -> list[str]:
        return list((self.own if name in self.own.lists else self.shared).lists[name].values())

    def board(self, name: str) -> dict[str, list[str]]:
        """The pieces of a board, those of all and one's own, by the names of their lists."""
        return {f"{kind}-{name}": self.children(f"{kind}-{name}") for kind in ("pieces", "own")}

    @cached_property
    def digest(self) -> str:
        """A name for exactly this screen, which begins with that of its page."""
        shown = (self.shared.fragments, self.shared.order, self.own.fragments, self.own.order)
        return f"{_digest(self.kind)}.{_digest(repr(shown))}"

    def is_page_of(self, digest: str) -> bool:
        return digest.partition(".")[0] == _digest(self.kind)


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=12).hexdigest()


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
    return {f"{kind}-{board}": drawn.get(board, {}) for board in view.game.picture.boards}


def frame_lists(frame: Frame) -> dict[str, Mapping[str, str]]:
    """The lists of the boards that a frame draws: the others stay as they were."""
    return {f"pieces-{board}": pieces for board, pieces in frame.draw().items()}
