"""Sounds of frames, declared by each game as data and synthesised by the page.

A sound consists of parts, each a tone or a band of noise that glides from one pitch to another and fades. A palette
maps names to sounds. `Picture.sounds` is a game's palette; `Frame.sound` names the sound of a frame. Every palette also
has the four common moments. Frames are the same for every seat, so sounds reveal no secrets. A page is silent until the
user turns sounds on.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

Source: TypeAlias = Literal["sine", "triangle", "sawtooth", "noise"]
MOMENTS = ("turn", "line", "talk", "end")
"""Moments with a sound in every game: a turn begins, a log line without a scene, a statement, the end of a match."""
LOUDEST, LONGEST = 0.08, 2_000
"""Maximum loudness of a part (1 is full scale), and maximum length of a sound in milliseconds."""
LOWEST_PITCH, HIGHEST_PITCH = 30, 12_000
"""Pitch limits in hertz: audible on a small loudspeaker, and not shrill."""


class Part(NamedTuple):
    """A tone, or noise around a pitch, that is loudest after `rise` and has faded out after `lasts`."""

    source: Source
    begins: float
    """Initial pitch in hertz."""
    ends: float
    """Final pitch in hertz."""
    lasts: int
    """Duration in milliseconds."""
    loudness: float
    after: int = 0
    """Delay after the beginning of the sound, in milliseconds."""
    rise: int = 12
    """Attack time in milliseconds."""
    sharpness: float = 0.8
    """Quality factor of the band of noise: the larger, the more it rings."""


Sound: TypeAlias = tuple[Part, ...]
Palette: TypeAlias = Mapping[str, Sound]


def check_palette(palette: Palette) -> None:
    """Raise `TypeError` for a palette without the four moments, or with a too loud, too long or inaudible sound."""
    if not isinstance(palette, Mapping) or not set(MOMENTS) <= palette.keys():
        raise TypeError(f"Picture.sounds is {palette!r:.60}: expected a mapping with the sounds {', '.join(MOMENTS)}")
    for name, sound in palette.items():
        wrong = [fault for part in sound for fault in _faults(part)] or ([] if sound else ["a part"])
        if wrong:
            raise TypeError(f"Picture.sounds has {name!r}: expected {wrong[0]}")


def _faults(part: Part) -> list[str]:
    pitches = min(part.begins, part.ends) >= LOWEST_PITCH and max(part.begins, part.ends) <= HIGHEST_PITCH
    expected = {
        f"a source among {', '.join(get_args(Source))}": part.source in get_args(Source),
        f"pitches from {LOWEST_PITCH} to {HIGHEST_PITCH} hertz": pitches,
        f"a loudness up to {LOUDEST}": 0 < part.loudness <= LOUDEST,
        f"an end before {LONGEST} ms": part.after >= 0 and 0 < part.rise < part.lasts <= LONGEST - part.after,
    }
    return [what for what, holds in expected.items() if not holds]


# Building blocks of sounds


def tone(pitch: float, lasts: int = 320, *, after: int = 0, source: Source = "sine", to: float = 0) -> Part:
    """Return a tone that fades; it glides to the pitch `to` if given."""
    loudness = {"sine": 0.055, "triangle": 0.045, "sawtooth": 0.016, "noise": 0.03}[source]
    return Part(source, pitch, to or pitch, lasts, loudness, after)


def breath(pitch: float, to: float, lasts: int, *, after: int = 0, rise: int = 60, loudness: float = 0.035) -> Part:
    """Return noise that swells and dies: wind, water, cloth, paper."""
    return Part("noise", pitch, to, lasts, loudness, after, rise)


def chord(root: float, parts: Sequence[float], *, apart: int = 0, lasts: int = 420, source: Source = "sine") -> Sound:
    """Return tones at multiples of a root, each `apart` milliseconds after the one before."""
    return tuple(tone(root * part, lasts, after=apart * k, source=source) for k, part in enumerate(parts))


def bell(pitch: float, lasts: int = 900) -> Sound:
    """Return a small bell or a glass: a tone with two overtones of a struck body."""
    partials = ((1.0, 0.04, 1.0), (2.76, 0.016, 0.5), (5.4, 0.007, 0.25))
    return tuple(Part("sine", pitch * of, pitch * of, round(lasts * long), loud, rise=4) for of, loud, long in partials)


def knock(pitch: float, *, after: int = 0, loudness: float = 0.06) -> Sound:
    """Return a knock on wood: a low falling tone, and the impact."""
    return (
        Part("sine", pitch, pitch * 0.6, 140, loudness, after, 3),
        Part("noise", pitch * 7, pitch * 4, 60, loudness / 3, after, 3),
    )


def card() -> Sound:
    """Return the sound of a card that is turned over: paper, then the table."""
    return breath(3_200, 1_800, 90, rise=25, loudness=0.025), *knock(240, after=70, loudness=0.025)


def coins(count: int) -> Sound:
    """Return the sound of `count` coins, one after the other."""
    return tuple(
        Part("sine", pitch, pitch, 170, 0.022, 70 * k, 3) for k in range(count) for pitch in (2_350 + 130 * k, 3_890)
    )


def splash(depth: float) -> Sound:
    """Return a splash in water; a larger `depth` lasts longer, 1 is a man."""
    lasts = round(520 * depth)
    return (
        breath(900 / depth, 2_600, round(160 * depth), rise=8, loudness=0.05),
        breath(2_400, 420 / depth, lasts, after=round(90 * depth), rise=50),
        tone(210 / depth, lasts, after=40, to=90 / depth),
    )


def common_sounds(root: float, source: Source = "sine") -> dict[str, Sound]:
    """Return the four common moments in a game's own pitch and timbre."""
    return {
        "turn": chord(root, (2, 3), apart=120, source=source),
        "line": chord(root, (1,), lasts=200, source=source),
        "talk": chord(root, (2.5,), lasts=160, source=source),
        "end": chord(root, (1.5, 2, 2.25, 3), apart=140, lasts=600, source=source),
    }


WOOD: Palette = common_sounds(262)
"""Sounds of a game without its own."""
