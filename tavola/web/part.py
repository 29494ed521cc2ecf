"""Screens as fragments: what has to be sent after a change is the difference between two parts, written once for all.

Two kinds of fragments: `prompt`, `actions` … are the inside of an element that the page has (`data-place`);
`pieces-main:boat-red`, `log:log-12-0` … are children, with an id of their own, of a list that the page has
(`data-list`), and `order` says which children a list has.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from json import dumps


class Part:
    """Fragments and lists that change together."""

    def __init__(self, places: Mapping[str, str], lists: Mapping[str, Mapping[str, str]]) -> None:
        items = {f"{name}:{child}": text for name, children in lists.items() for child, text in children.items()}
        self.fragments: dict[str, str] = {**places, **items}
        self.order = {name: tuple(children) for name, children in lists.items()}
        self._since: tuple[Part | None, tuple[str, str]] | None = None

    def since(self, before: "Part | None") -> tuple[str, str]:
        """What turns `before` into this, as the members of two JSON objects: fragments, and lists with their children.

        Almost everybody was sent the same before, so the last answer is kept.
        """
        if before is self:
            return "", ""
        if self._since is None or self._since[0] is not before:
            self._since = before, self._difference(before)
            if before is not None:  # nobody will be sent again what came before it, and it must not be held
                before._since = None
        return self._since[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and (self.fragments, self.order) == (other.fragments, other.order)

    __hash__ = object.__hash__

    def _difference(self, before: "Part | None") -> tuple[str, str]:
        known, lists = (before.fragments, before.order) if before is not None else ({}, {})
        changed = {name: text for name, text in self.fragments.items() if known.get(name) != text}
        order = {name: children for name, children in self.order.items() if lists.get(name) != children}
        return dumps(changed)[1:-1], dumps(order)[1:-1]


@dataclass(frozen=True)
class Screen:
    """All that is shown of a room to one seat in one language. `kind` names the page it belongs to."""

    kind: str
    shared: Part
    own: Part

    @classmethod
    def blank(cls, kind: str) -> "Screen":
        """A page of a kind that shows nothing yet."""
        return cls(kind, Part({}, {}), Part({}, {}))

    @property
    def fragments(self) -> dict[str, str]:
        """Every fragment."""
        return self.shared.fragments | self.own.fragments

    @property
    def order(self) -> dict[str, tuple[str, ...]]:
        """The children of every list."""
        return self.shared.order | self.own.order

    @property
    def own_places(self) -> dict[str, str]:
        """The seat's own fragments that are no child of a list."""
        lists = tuple(f"{name}:" for name in self.own.order)
        return {name: text for name, text in self.own.fragments.items() if not name.startswith(lists)}

    def children(self, name: str) -> list[str]:
        """The markup of a list's children, in order."""
        return [self.fragments[f"{name}:{child}"] for child in self.order[name]]

    def board(self, name: str) -> dict[str, list[str]]:
        """The pieces of a board, those of all and one's own, by the names of their lists."""
        return {f"{kind}-{name}": self.children(f"{kind}-{name}") for kind in ("pieces", "own")}

    @cached_property
    def digest(self) -> str:
        """A name for exactly this screen, which begins with that of its page."""
        shown = (self.shared.fragments, self.shared.order, self.own.fragments, self.own.order)
        return f"{_digest(self.kind)}.{_digest(repr(shown))}"

    def is_page_of(self, digest: str) -> bool:
        """Whether the screen with this digest belonged to the same page."""
        return digest.partition(".")[0] == _digest(self.kind)


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=12).hexdigest()
