"""Patches: how a text or a list that a page has been sent before becomes another, in fewer bytes than the whole.

A text that the page has not been sent yet may be a patch of another that it is like.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, compress, count
from operator import ne

from tavola.live.server_messages import Patch

Span = tuple[int, int, int, int]
"""`before[start:end]` is replaced by `after[begin:stop]`."""

MOST_SKIPPED = 40
"""Maximum entries between two that agree; beyond that, all of these are replaced as one."""
SHORT = 100
"""Characters up to which a text is always sent whole: a patch would save less than it costs to find."""
WORTHWHILE = 0.8
"""A patch is sent only if it is at most this share of the whole."""
TRIPLE = 12
"""About what the two positions and the punctuation of a triple take, in bytes."""
ATTRIBUTES = re.compile(r'[<"&][^<"&]*')
"""Matches the parts of tags: their names, names and values of attributes, and words in values that are JSON."""
ONE_SPAN = 2 * TRIPLE
"""Characters up to which what differs is replaced as one, even if some of it is alike."""


@lru_cache(maxsize=1024)
def text_patch(before: str, after: str) -> Patch | None:
    """Return a patch from one text to another, or None if it is not worthwhile.

    Scripts count characters beyond U+FFFF as two, so texts with any are never patched. Results are cached, because
    panels and pieces change back and forth.
    """
    if len(after) <= SHORT or len(before) < (1 - WORTHWHILE) * len(after):  # too much of it would be new
        return None
    if not (_counts_like_scripts(before) and _counts_like_scripts(after)):
        return None
    before, after = str(before), str(after)  # every part of markup would be made markup, which takes long
    start, kept = _ends_alike(before, after)
    if len(after) - start - kept <= ONE_SPAN:
        return [start, len(before) - kept, after[start : len(after) - kept]]
    return _tags_patch(before, after, max(0, before.rfind("<", 0, start)), before.find("<", len(before) - kept))


def _tags_patch(before: str, after: str, start: int, end: int) -> Patch | None:
    """Return the same for texts that are alike before the tag at `start` and from the one at `end`, -1 without one."""
    kept = len(before) - end if end >= 0 else 0
    (words, *old), (others, *new) = (text[start : len(text) - kept].split("<") for text in (before, after))
    if words != others:
        return None
    starts = list(accumulate(map(len, old), initial=start + len(words)))  # without the `<` of each tag
    patch, sent = Patch(), 0
    for first, last, begin, stop in _spans(old, new):
        for skip, rest, part in _parts(_joined(old[first:last]), _joined(new[begin:stop])):
            patch += [starts[first] + first + skip, starts[first] + first + rest, part]
            sent += TRIPLE + len(part)
    return patch if sent <= WORTHWHILE * len(after) else None


def _parts(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """Yield what replaces which characters of the first text, which consists of tags.

    If much of it changes and the number of attributes stays, they are compared one by one.
    """
    skip, kept = _ends_alike(before, after)
    if len(after) - skip - kept > ONE_SPAN:
        old, new = ATTRIBUTES.findall(before), ATTRIBUTES.findall(after)
        if len(old) == len(new) > 1:
            yield from _attribute_parts(old, new)
            return
    yield skip, len(before) - kept, after[skip : len(after) - kept]


def _attribute_parts(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    at = 0
    for gone, put in _alternating(old, new):
        if gone != put:
            skip, kept = _ends_alike(gone, put)
            yield at + skip, at + len(gone) - kept, put[skip : len(put) - kept]
        at += len(gone)


def _alternating(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield two texts in parts that differ and parts that are equal, in turns.

    What is alike but takes less than a triple belongs to the parts that differ.
    """
    gone, put, alike = "", "", ""
    for was, now in zip(old, new, strict=True):
        if was == now:
            alike += was
            continue
        if len(alike) > TRIPLE or not gone + put:
            yield gone, put
            yield alike, alike
            gone, put, alike = "", "", ""
        gone, put, alike = gone + alike + was, put + alike + now, ""
    yield gone, put
    yield alike, alike


def order_patch(before: Sequence[str], after: Sequence[str]) -> Patch | None:
    """Return a patch from one list to another, or None if it is not worthwhile."""
    patch, sent = Patch(), 0
    for start, end, begin, stop in _spans(before, after):
        patch += [start, end, tuple(after[begin:stop])]
        sent += 1 + stop - begin
    return patch if sent <= WORTHWHILE * len(after) else None


def _counts_like_scripts(text: str) -> bool:
    return text.isascii() or len(text.encode("utf-16-le")) == 2 * len(text)


def _joined(tags: Sequence[str]) -> str:
    return "".join([f"<{tag}" for tag in tags])


def _ends_alike(before: str, after: str) -> tuple[int, int]:
    """Return the lengths of what two texts begin with alike, and of what the rest of them ends with alike.

    Texts are compared fastest as halves of halves.
    """
    most, end, stop = min(len(before), len(after)), len(before), len(after)
    start, differs = 0, most + 1
    while differs - start > 1:
        middle = (start + differs) // 2
        if before[start:middle] == after[start:middle]:
            start = middle
        else:
            differs = middle
    kept, differs = 0, most - start + 1
    while differs - kept > 1:
        middle = (kept + differs) // 2
        if before[end - middle : end - kept] == after[stop - middle : stop - kept]:
            kept = middle
        else:
            differs = middle
    return start, kept


def _spans(before: Sequence[str], after: Sequence[str]) -> Iterator[Span]:
    """Yield the spans in which two sequences differ, each up to the nearest entries that agree again.

    Most changes leave the number of entries and almost all of them as they are: those are compared place by place.
    """
    if len(before) == len(after):
        changed = [*compress(count(), map(ne, before, after))]
        if len(changed) <= len(after) // 2:
            yield from ((first, last, first, last) for first, last in _runs(changed))
            return
    end, stop = len(before), len(after)
    while end and stop and before[end - 1] == after[stop - 1]:
        end, stop = end - 1, stop - 1
    at = to = 0
    while at < end and to < stop:
        if before[at] == after[to]:
            at, to = at + 1, to + 1
            continue
        seen, sent = before[at : min(end, at + MOST_SKIPPED)], after[to : min(stop, to + MOST_SKIPPED)]
        ahead, further = _nearest_agreement(seen, sent)
        yield at, at + ahead, to, to + further
        at, to = at + ahead, to + further
    if at < end or to < stop:
        yield at, end, to, stop


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and one after the last of each run of ascending numbers without a gap."""
    first = last = -1
    for place in places:
        if place > last:
            if last > first:
                yield first, last
            first = place
        last = place + 1
    if last > first:
        yield first, last


def _nearest_agreement(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Return how many entries of each lie before the next pair that agrees; the lengths of both if there is none.

    That tags are closed alike says nothing about what is between them.
    """
    places = dict[str, int]()
    for place, entry in enumerate(after):
        places.setdefault(entry, place)
    agreed = [(ahead, places[entry]) for ahead, entry in enumerate(before) if entry in places and entry[:1] != "/"]
    return min(agreed, key=sum, default=(len(before), len(after)))
