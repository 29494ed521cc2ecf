"""Patches: how a text or a list that a page has been sent before becomes another, in fewer bytes than the whole."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby

from tavola.live.server_messages import Patch

Span = tuple[int, int, int, int]
"""`before[start:end]` is replaced by `after[begin:stop]`."""

MOST_SKIPPED = 12
"""Maximum entries between two that agree; beyond that, the rest is replaced as one."""
SHORT = 160
"""Characters up to which a text is always sent whole: a patch would save less than it costs to find."""
WORTHWHILE = 0.8
"""A patch is sent only if it is at most this share of the whole."""
TRIPLE = 12
"""About what the two positions and the punctuation of a triple take, in bytes."""
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
    start = max(0, before.rfind("<", 0, start))
    end = before.find("<", len(before) - kept)
    kept = len(before) - end if end >= 0 else 0
    (words, *old), (others, *new) = (text[start : len(text) - kept].split("<") for text in (before, after))
    if words != others:
        return None
    starts = list(accumulate(map(len, old), initial=start + len(words)))  # without the `<` of each tag
    patch, sent = Patch(), 0
    for first, last, begin, stop in _spans(old, new):
        gone, put = _joined(old[first:last]), _joined(new[begin:stop])
        skip, kept = _ends_alike(gone, put)
        part = put[skip : len(put) - kept]
        patch += [starts[first] + first + skip, starts[last] + last - kept, part]
        sent += TRIPLE + len(part)
    return patch if sent <= WORTHWHILE * len(after) else None


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
    """Return the lengths of what two texts begin with alike, and of what the rest of them ends with alike."""
    most, end, stop = min(len(before), len(after)), len(before), len(after)
    start = _longest(most, lambda least, more: before[least:more] == after[least:more])
    return start, _longest(
        most - start, lambda least, more: before[end - more : end - least] == after[stop - more : stop - least]
    )


def _longest(most: int, is_alike: Callable[[int, int], bool]) -> int:
    """Return the greatest length, at most `most`, that is alike; texts are compared fastest as halves of halves."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if is_alike(least, middle):
            least = middle
        else:
            most = middle - 1
    return least


def _spans(before: Sequence[str], after: Sequence[str]) -> Iterator[Span]:
    """Yield the spans in which two sequences differ, each up to the nearest entries that agree again.

    Most changes leave the number of entries and almost all of them as they are: those are compared place by place.
    """
    if len(before) == len(after):
        changed = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
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
        ahead, further = _nearest_agreement(before[at:end], after[to:stop])
        yield at, at + ahead, to, to + further
        at, to = at + ahead, to + further
    if at < end or to < stop:
        yield at, end, to, stop


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and one after the last of each run of ascending numbers without a gap."""
    for _, run in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
        (_, first), *more = run
        yield first, first + 1 + len(more)


def _nearest_agreement(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Return how many entries of each lie before the next pair that agrees; the lengths of both if none is near."""
    for skipped in range(1, MOST_SKIPPED + 1):
        for ahead in range(max(0, skipped - len(after) + 1), min(skipped, len(before) - 1) + 1):
            if before[ahead] == after[skipped - ahead]:
                return ahead, skipped - ahead
    return len(before), len(after)
