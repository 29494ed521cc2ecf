"""Splitting of messages between workers, whose length is limited."""

import json
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def split_by_size(items: Iterable[T], most: int) -> list[list[T]]:
    """Return items in as few parts as possible, in order, each at most `most` bytes of JSON; at least one part."""
    parts, length = list[list[T]]([[]]), 2
    for item in items:
        size = len(json.dumps(item)) + 2
        if parts[-1] and length + size > most:
            parts.append([])
            length = 2
        parts[-1].append(item)
        length += size
    return parts
