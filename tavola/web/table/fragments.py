"""Screens as sets of fragments: an update is the difference between two sets, computed once for all viewers.

There are two kinds of fragments. `prompt`, `actions` … are the contents of an element of the page (`data-place`).
`pieces-main:boat-red`, `log:log-12-0` … are children, with an id of their own, of a list of the page (`data-list`);
`order` gives the children of each list.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple
from weakref import ref

from tavola.core import View
from tavola.live.server_messages import Patch, encode
from tavola.show.board import Frame, Pieces
from tavola.show.cards import picture_of
from tavola.web.table.patches import order_patch, text_patch

FragmentLists = Mapping[str, Mapping[str, str]]
PUBLIC = ("pieces-", "log")
"""Beginnings of the names of lists in which a new text is a patch of one like it.

Sizes of messages show how much alike the two are, so none of these may be secret.
"""


class FragmentSet:
    """Fragments and lists that change together.

    A set keeps what leads from it to the next: the `scene`, and the last difference. Both are freed with the set, when
    no viewer has it any more. `whispers`: some lines of its lists are read by few.
    """

    def __init__(self, places: Mapping[str, str], lists: FragmentLists, *, whispers: bool = False) -> None:
        self.slots, self.lists, self.whispers = places, lists, whispers
        self.scene: Scene | None = None
        self._difference_to: tuple[ref[FragmentSet], Difference] | None = None

    @property
    def fragments(self) -> dict[str, str]:
        items = {f"{name}:{child}": text for name, children in self.lists.items() for child, text in children.items()}
        return {**self.slots, **items}

    @property
    def order(self) -> dict[str, tuple[str, ...]]:
        return {name: tuple(children) for name, children in self.lists.items()}

    def changes_since(self, before: "FragmentSet | None") -> "Difference":
        """Return the difference from `before`, where the last is cached: almost all its viewers are shown the same."""
        if before is self:
            return NO_DIFFERENCE
        keeper = before if before is not None else self
        if (kept := keeper._difference_to) is None or kept[0]() is not self:
            kept = keeper._difference_to = ref(self), self._difference(before)
        return kept[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FragmentSet) and self.slots == other.slots and _same_lists(self.lists, other.lists)

    __hash__ = object.__hash__

    def _difference(self, before: "FragmentSet | None") -> "Difference":
        known = before if before is not None else FragmentSet({}, {})
        slots = {name: text for name, text in self.slots.items() if known.slots.get(name) != text}
        former = {name: known.slots[name] for name in slots if name in known.slots}
        changed, models = dict[str, str](), dict[str, Model]()
        order, former_order = dict[str, tuple[str, ...]](), dict[str, tuple[str, ...]]()
        for name, children in self.lists.items():
            shown = known.lists.get(name, {})
            if children is not shown:
                fresh = [child for child, text in children.items() if shown.get(child) != text]
                changed |= {f"{name}:{child}": children[child] for child in fresh}
                former |= {f"{name}:{child}": shown[child] for child in fresh if child in shown}
                if name.startswith(PUBLIC) and not (self.whispers or known.whispers):
                    models |= _models(name, children, shown, fresh)
            if name not in known.lists or tuple(children) != tuple(shown):
                order[name] = tuple(children)
                former_order |= {name: tuple(shown)} if name in known.lists else {}
        return Difference(changed | slots, former, models, order, former_order)


class Model(NamedTuple):
    """A text that a new one is like, and that a page has when it reads the new one.

    `child`: its id. `needed`: the name of the fragment that the page must have been sent before; empty if it is sent in
    the same message.
    """

    child: str
    text: str
    needed: str


def _models(
    name: str, children: Mapping[str, str], shown: Mapping[str, str], fresh: Sequence[str]
) -> Iterator[tuple[str, Model]]:
    """Yield the models of new texts: of those whose ids begin alike, the one of the nearest length.

    `fresh`: the children that are sent, in this order.
    """
    alike, sent = dict[str, dict[str, Model]](), dict[str, Model]()
    for child in fresh:
        family, text = child.partition("-")[0], children[child]
        if child not in shown:
            if family not in alike:
                others = [other for other in shown if other.startswith(family)]
                alike[family] = {
                    other: sent.get(other) or Model(other, shown[other], f"{name}:{other}") for other in others
                }
            if siblings := alike[family].values():
                yield f"{name}:{child}", min(siblings, key=lambda model: abs(len(model.text) - len(text)))
        sent[child] = Model(child, text, "")
        if family in alike:
            alike[family][child] = sent[child]


def _same_lists(lists: FragmentLists, others: FragmentLists) -> bool:
    """Return whether lists have the same children in the same order; most are the same objects and cost nothing."""
    if lists.keys() != others.keys():
        return False
    pairs = ((children, others[name]) for name, children in lists.items())
    return all(some is more or (some == more and list(some) == list(more)) for some, more in pairs)


def reuse_equal(before: FragmentSet | None, after: FragmentSet) -> FragmentSet:
    """Return `before` if it equals `after`: viewers of the same object are sent nothing."""
    return before if before is not None and before == after else after


Texts = set[str]
"""Names of the fragments and orders (`order of log`) that a page was sent whole, so that it can be sent patches."""


@dataclass(frozen=True)
class Difference:
    """What changes one set of fragments into another: new texts and orders, and what they were before if they were.

    `changed`: in the order in which a page reads it; `models`: what new texts are like.
    """

    changed: Mapping[str, str]
    former: Mapping[str, str]
    models: Mapping[str, Model]
    order: Mapping[str, tuple[str, ...]]
    former_order: Mapping[str, tuple[str, ...]]

    def members(self, known: Texts | None) -> tuple[str, str]:
        """Return the members of two JSON objects: fragments, and lists with their children.

        What a page was sent before is sent as a patch; `known` learns what it is sent now. None: it takes no patches.
        """
        if known is None:
            return self._whole
        if self._needed <= known:
            known |= self._names
            return self._patched
        patches = {name: patch for name, (patch, needed) in self._patches.items() if not needed or needed in known}
        known |= self._names
        return self._members(patches)

    @cached_property
    def _names(self) -> Texts:
        return {*self.changed, *map(_order_of, self.order)}

    @cached_property
    def _needed(self) -> Texts:
        return {needed for _, needed in self._patches.values() if needed}

    @cached_property
    def _patches(self) -> dict[str, tuple[Patch, str]]:
        """Return the patches of texts and orders, and what the page must have been sent for each, or nothing."""
        found = dict[str, tuple[Patch, str]]()
        for name, model in self.models.items():
            if patch := text_patch(model.text, self.changed[name]):
                found[name] = [model.child, *patch], model.needed
        for name, text in self.former.items():
            if patch := text_patch(text, self.changed[name]):
                found[name] = patch, name
        for name, ids in self.former_order.items():
            if patch := order_patch(ids, self.order[name]):
                found[_order_of(name)] = patch, _order_of(name)
        return found

    @cached_property
    def _whole(self) -> tuple[str, str]:
        return self._members({})

    @cached_property
    def _patched(self) -> tuple[str, str]:
        return self._members({name: patch for name, (patch, _) in self._patches.items()})

    def _members(self, patches: Mapping[str, Patch]) -> tuple[str, str]:
        texts = {name: patches.get(name, text) for name, text in self.changed.items()}
        orders = {name: patches.get(_order_of(name), children) for name, children in self.order.items()}
        return encode(texts)[1:-1], encode(orders)[1:-1]


NO_DIFFERENCE = Difference({}, {}, {}, {}, {})


def _order_of(name: str) -> str:
    return f"order of {name}"


@dataclass(frozen=True)
class Screen:
    """Everything that a room shows to one seat in one language. `kind` identifies the page that it belongs to."""

    kind: str
    shared: FragmentSet
    own: FragmentSet
    public: FragmentSet | None = None
    """The shared part as other viewers see it, if this viewer's differs; scenes start from it."""

    @classmethod
    def blank(cls, kind: str) -> "Screen":
        """Return a page's screen that shows nothing yet."""
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
        """Return the shared and own pieces of a board by the names of their lists."""
        return {f"{kind}-{name}": self.children(f"{kind}-{name}") for kind in ("pieces", "own")}

    @cached_property
    def digest(self) -> str:
        """Digest of this screen, with that of its page as a prefix."""
        shown = (self.shared.fragments, self.shared.order, self.own.fragments, self.own.order)
        return f"{_digest(self.kind)}.{_digest(repr(shown))}"

    def is_page_of(self, digest: str) -> bool:
        return digest.partition(".")[0] == _digest(self.kind)


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class SceneFrame:
    """One frame: the lists it shows (pieces by board, the log), its duration in milliseconds, and changed slots.

    `closed`: all cards are face down, which cannot be skipped; `told`: what happens, as markup, if no line of the log
    says it; `sound`: a name among the game's sounds.
    """

    lists: FragmentLists
    milliseconds: int
    slots: Mapping[str, str] = field(default_factory=dict)
    closed: bool = False
    told: str = ""
    sound: str = ""


@dataclass(frozen=True)
class Scene:
    """The frames from one shared part, which keeps it, to the `last`: what each changes, and the rest as JSON."""

    last: FragmentSet
    frames: Sequence[tuple[Difference, str]]

    def message(self, known: Texts | None = None) -> str:
        """Return the message that shows the scene; `known` as in `Difference.members`."""
        told = []
        for difference, rest in self.frames:
            fragments, order = difference.members(known)
            told.append(f'{{"fragments":{{{fragments}}},"order":{{{order}}},{rest}')
        return f'{{"type":"scene","frames":[{",".join(told)}]}}'

    def message_to(self, screen: Screen, known: Texts | None) -> str:
        """Return the message for a viewer of `screen`; one whose shared part differs has other texts to patch."""
        if known is None or screen.public is None:
            return self.message(known)
        sent = Texts()
        message = self.message(sent)
        known |= sent
        return message

    def leads_from(self, screen: Screen) -> bool:
        """Return whether a viewer of `screen` has seen the state before the scene, in whatever version."""
        return (screen.public or screen.shared).scene is self

    def staged(self, screen: Screen) -> Screen:
        """Return the screen of a viewer who was shown `screen` and then the whole scene."""
        before = screen.public or screen.shared
        shown = {name: items for name, items in self.last.lists.items() if items is not before.lists.get(name)}
        if screen.public:  # what no frame has changed is still as this viewer reads it
            shown = {name: self._as_read(name, children, screen) for name, children in shown.items()}
        slots = {name: text for name, text in self.last.slots.items() if text != before.slots.get(name)}
        lists, whispers = {**screen.shared.lists, **shown}, screen.shared.whispers
        last = FragmentSet({**screen.shared.slots, **slots}, lists, whispers=whispers)
        return replace(screen, shared=last, public=self.last) if screen.public else replace(screen, shared=self.last)

    def _as_read(self, name: str, children: Mapping[str, str], screen: Screen) -> Mapping[str, str]:
        read, changed = screen.shared.lists.get(name, {}), self._changed
        return {
            child: text if f"{name}:{child}" in changed else read.get(child, text) for child, text in children.items()
        }

    @cached_property
    def _changed(self) -> Texts:
        return {name for difference, _ in self.frames for name in difference.changed}


NO_SCENE = Scene(FragmentSet({}, {}), ())


def make_scene(before: FragmentSet, pictures: Sequence[SceneFrame]) -> Scene | None:
    """Return the scene of these frames, which `before` then keeps for its viewers; None if there are none."""
    before.scene = None
    if not pictures:
        return None
    last, frames = before, []
    for picture in pictures:
        # What a frame does not show is unchanged.
        part = FragmentSet({**last.slots, **picture.slots}, {**last.lists, **picture.lists})
        said = {"closed": picture.closed, "told": picture.told, "sound": picture.sound}
        rest = {"milliseconds": picture.milliseconds, **{name: value for name, value in said.items() if value}}
        frames.append((part.changes_since(last), encode(rest)[1:]))
        last = part
    before.scene = Scene(last, frames)
    return before.scene


def pieces_by_list(kind: str, view: View, drawn: Pieces) -> dict[str, Mapping[str, str]]:
    """Return the pieces of every board by lists of the page, such as `pieces-main` and `own-hand`."""
    return {f"{kind}-{board}": drawn.get(board, {}) for board in picture_of(view.game).boards}


def merged_pieces(*layers: Pieces) -> Pieces:
    """Return all pieces of several layers, by board, the lowest first."""
    if len(drawn := [layer for layer in layers if layer]) == 1:
        return drawn[0]
    boards = dict.fromkeys(board for layer in drawn for board in layer)
    return {board: {name: piece for layer in drawn for name, piece in layer.get(board, {}).items()} for board in boards}


def frame_lists(frame: Frame) -> dict[str, Mapping[str, str]]:
    """Return the lists of the boards that a frame draws; the others are unchanged."""
    return {f"pieces-{board}": pieces for board, pieces in frame.draw().items()}
