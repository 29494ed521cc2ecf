"""The last moments of a match in words and as a scene, as one seat saw them; made in processes beside the server."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from markupsafe import escape

from tavola.core import View
from tavola.show.board import Frame
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import scene
from tavola.show.speech import Say
from tavola.web.pages.chronicle import Chronicle, chronicle_of, keep, unpack
from tavola.web.table.fragments import FragmentSet, SceneFrame, frame_lists, make_scene, pieces_by_list

MOST_MOMENTS = 40
"""Maximum public actions that are shown again, the last ones."""
MOST_SCENES = 3
"""Maximum scenes that are announced one by one, the last ones."""
LONGEST = 60_000
"""Maximum milliseconds of everything together; if it is longer, it is shown faster."""
SHORTEST = 350
"""Minimum milliseconds of a frame, however much has happened."""
BEFORE, AFTER, ALONE = 1_200, 700, 1_700
"""Milliseconds for the table at first, for the table after a moment, and after one without frames."""
BEFORE_END, AFTER_END = 1_600, 3_200
"""Milliseconds for the table before and after what led to the end of a match."""


class Noticed(NamedTuple):
    """What a seat noticed of action `at`, from 0: its own and the public view afterwards, the frames, the sentences."""

    at: int
    own: View
    public: View
    frames: list[Frame]
    told: list[str]


def told_since(packed: bytes, language: str, first: int, seat: int | None, pace: str) -> bytes:
    """Return as JSON what a seat noticed of a match after its `first` public actions; nothing is drawn.

    `moments`: how many it noticed; `milliseconds`: how long they are shown; `lines`: sentences in order; `more`:
    whether earlier ones are left out. `scenes`: the last of them, each with `number`, `what` happened, `at` (seconds
    since 1970) and its length in `seconds`. `earlier`: the number of scenes before these.
    """
    chronicle = Chronicle(unpack(packed))
    seen = moments_since(chronicle, language, first, seat)
    lasts = sum(sum(durations(moment, pace)) for moment in seen)
    lines = [line for moment in seen for line in moment.told]
    told = {"moments": len(seen), "milliseconds": min(lasts + BEFORE, LONGEST), "lines": lines}
    scenes = [announced(chronicle, number, group, pace) for number, group in enumerate(scenes_of(seen))]
    shown = {"scenes": scenes[-MOST_SCENES:], "earlier": len(scenes[:-MOST_SCENES])}
    return json.dumps({**told, **shown, "more": first < len(chronicle.source.public) - MOST_MOMENTS}).encode()


def scenes_of(seen: Sequence[Noticed]) -> list[list[Noticed]]:
    """Return moments as scenes: each ends with a moment that has sentences, the last with the last moment."""
    scenes: list[list[Noticed]] = []
    for moment in seen:
        if not scenes or (scenes[-1][-1].told and moment.told):
            scenes.append([])
        scenes[-1].append(moment)
    return scenes


def announced(chronicle: Chronicle, number: int, group: Sequence[Noticed], pace: str) -> dict[str, Any]:
    """Return what is shown of a scene before it is played."""
    lasts = BEFORE + sum(sum(durations(moment, pace)) for moment in group)
    return {
        "number": number,
        "what": next((line for moment in group for line in moment.told), ""),
        "at": chronicle.source.times[group[-1].at],
        "seconds": max(1, round(min(lasts, LONGEST) / 1000)),
    }


def scene_since(
    packed: bytes, language: str, first: int, seat: int | None, pace: str, only: int | None = None
) -> bytes:
    """Return the same as a scene for the board: what everyone saw, and above it what only the seat saw.

    `only`: the number of the one scene to play, if it exists.
    """
    chronicle = Chronicle(unpack(packed))
    say, seen = chronicle.say(language), moments_since(chronicle, language, first, seat)
    left = earliest(chronicle, first)
    if only is not None:
        seen = (scenes_of(seen)[only : only + 1] or [seen])[0]
        left = seen[0].at if seen else left
    frames = [first_frame(chronicle, left, seat, say, BEFORE)]
    for moment in seen:
        frames += moment_frames(moment, say, pace)
    return message_of(hurried(frames))


def scene_again(packed: bytes, language: str, moment: int) -> bytes:
    """Return a scene of what led to a moment: the table before, what happened, the table afterwards."""
    chronicle = chronicle_of(packed)
    say = chronicle.say(language)
    first = first_frame(chronicle, moment - 1, None, say, BEFORE_END)
    *frames, last = moment_frames(noticed(chronicle, moment - 1, None, say), say, "calm")
    keep(packed, chronicle)
    return message_of([first, *frames, replace(last, milliseconds=AFTER_END)])


def first_frame(chronicle: Chronicle, at: int, seat: int | None, say: Say, lasts: int) -> SceneFrame:
    """Return the frame of the table before a scene."""
    public = chronicle.view(at, None)
    lists = lists_of(public, chronicle.view(at, seat), say)
    return SceneFrame(lists, lasts, told=escape(words_of(public.game).chapter(public, say)))


def message_of(frames: Sequence[SceneFrame]) -> bytes:
    """Return the message that shows frames on any page."""
    shown = make_scene(FragmentSet({}, {}), frames)
    assert shown is not None
    return shown.message().encode()


def earliest(chronicle: Chronicle, first: int) -> int:
    """Return how many actions, secret steps included, come before what is shown again."""
    public = chronicle.source.public
    told = public[max(first, len(public) - MOST_MOMENTS) :]
    return told[0] - 1 if told else chronicle.moments


def moments_since(chronicle: Chronicle, language: str, first: int, seat: int | None) -> list[Noticed]:
    """Return what a seat noticed after the first actions, without secret steps of other seats."""
    say, moments = chronicle.say(language), range(earliest(chronicle, first), chronicle.moments)
    found = (noticed(chronicle, at, seat, say, reader=seat) for at in moments)
    return [moment for moment in found if moment.frames or moment.told]


def noticed(chronicle: Chronicle, at: int, seat: int | None, say: Say, reader: int | None = None) -> Noticed:
    """Return what a seat noticed of action number `at`, counted from 0; `reader`: the seat that is *you*."""
    actor, number = chronicle.source.history[at]
    public, own = chronicle.view(at + 1, None), chronicle.view(at + 1, seat)
    heard, heard_alone = (chronicle.game.observe_action(actor, number, eyes) for eyes in (None, seat))
    frames = scene(chronicle.view(at, None), public, heard, say)
    told = words_of(own.game).events(chronicle.view(at, seat), own, heard_alone, say.to_reader(reader))
    return Noticed(at, own, public, frames, told)


def durations(moment: Noticed, pace: str) -> list[int]:
    """Return the milliseconds of each frame of a moment, and of the table after it."""
    return [*(frame.duration(pace) for frame in moment.frames), AFTER if moment.frames else ALONE]


def moment_frames(moment: Noticed, say: Say, pace: str) -> list[SceneFrame]:
    """Return the frames of a moment, each with the sentences so far, and the table after it."""
    *lengths, last = durations(moment, pace)
    frames = [
        SceneFrame(frame_lists(frame), lasts, told=escape(" ".join(moment.told[: frame.log_lines])), sound=frame.sound)
        for frame, lasts in zip(moment.frames, lengths, strict=True)
    ]
    after = lists_of(moment.public, moment.own, say)
    return [*frames, SceneFrame(after, last, told=escape(" ".join(moment.told)))]


def lists_of(public: View, own: View, say: Say) -> dict[str, Mapping[str, str]]:
    """Return the boards as everyone saw them, and above them what only a seat saw."""
    picture = picture_of(public.game)
    below = pieces_by_list("pieces", public, picture.pieces(public, say))
    return {**below, **pieces_by_list("own", own, picture.own_pieces(own, say))}


def hurried(frames: list[SceneFrame]) -> list[SceneFrame]:
    """Return the same frames, faster if they take longer than `LONGEST`."""
    whole = sum(frame.milliseconds for frame in frames)
    if whole <= LONGEST:
        return frames
    return [replace(frame, milliseconds=max(SHORTEST, frame.milliseconds * LONGEST // whole)) for frame in frames]
