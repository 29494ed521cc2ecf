"""Sounds: what is heard when a frame of a scene shows, declared by each game as data and synthesised by the page.

A sound is a few parts, each a tone or a band of noise that glides from one pitch to another and fades; a palette is a
game's sounds by name. `Picture.sounds` is a game's palette, `Frame.sound` names which of it a frame makes, and every
palette has the four moments of the house besides. Frames are alike for every seat, so nothing that is heard tells a
secret. A page makes no sound before somebody has asked for it.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

Source: TypeAlias = Literal["sine", "triangle", "sawtooth", "noise"]
MOMENTS = ("turn", "line", "talk", "end")
"""What every game sounds for: it is one's turn, something is told without a scene, somebody talks, a match is over."""
LOUDEST, LONGEST = 0.08, 2_000
"""The loudness of a part where 1 is all that a device can do, and the milliseconds after which a sound is over."""
LOWEST_PITCH, HIGHEST_PITCH = 30, 12_000
"""In hertz: what a small loudspeaker can do, and what is not shrill."""


class Part(NamedTuple):
    """A tone, or noise about a pitch, which is as loud as it gets after `rise` and has faded after `lasts`."""

    source: Source
    begins: float
    """The pitch at first, in hertz."""
    ends: float
    """The pitch at last, in hertz."""
    lasts: int
    """How long it is heard, in milliseconds."""
    loudness: float
    after: int = 0
    """How long after the sound began, in milliseconds."""
    rise: int = 12
    """How long it grows, in milliseconds."""
    sharpness: float = 0.8
    """The quality factor of the band of noise: the larger, the more it rings."""


Sound: TypeAlias = tuple[Part, ...]
Palette: TypeAlias = Mapping[str, Sound]


def check_palette(palette: Palette) -> None:
    """Refuse a palette without the moments of the house, or with a sound that is too loud, too long or unheard."""
    if not isinstance(palette, Mapping) or not set(MOMENTS) <= palette.keys():
        raise TypeError(f"Picture.sounds is {palette!r:.60}: expected {', '.join(MOMENTS)} among its sounds by name")
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


# What sounds are made of


def tone(pitch: float, lasts: int = 320, *, after: int = 0, source: Source = "sine", to: float = 0) -> Part:
    """A tone that fades; it glides to another pitch where one is given."""
    loudness = {"sine": 0.055, "triangle": 0.045, "sawtooth": 0.016, "noise": 0.03}[source]
    return Part(source, pitch, to or pitch, lasts, loudness, after)


def breath(pitch: float, to: float, lasts: int, *, after: int = 0, rise: int = 60, loudness: float = 0.035) -> Part:
    """Noise that swells and dies: wind, water, cloth, paper."""
    return Part("noise", pitch, to, lasts, loudness, after, rise)


def chord(root: float, parts: Sequence[float], *, apart: int = 0, lasts: int = 420, source: Source = "sine") -> Sound:
    """Tones by their parts of the root, each so many milliseconds after the one before."""
    return tuple(tone(root * part, lasts, after=apart * k, source=source) for k, part in enumerate(parts))


def bell(pitch: float, lasts: int = 900) -> Sound:
    """A small bell or a glass: a tone and the two above it by which one knows that it is struck."""
    overtones = ((1.0, 0.04, 1.0), (2.76, 0.016, 0.5), (5.4, 0.007, 0.25))
    return tuple(
        Part("sine", pitch * of, pitch * of, round(lasts * long), loud, rise=4) for of, loud, long in overtones
    )


def knock(pitch: float, *, after: int = 0, loudness: float = 0.06) -> Sound:
    """Wood or a fist on wood: a low tone that falls, and the touch itself."""
    return (
        Part("sine", pitch, pitch * 0.6, 140, loudness, after, 3),
        Part("noise", pitch * 7, pitch * 4, 60, loudness / 3, after, 3),
    )


def card() -> Sound:
    """A card that is turned: paper, then the table."""
    return breath(3_200, 1_800, 90, rise=25, loudness=0.025), *knock(240, after=70, loudness=0.025)


def coins(count: int) -> Sound:
    """So many coins, one on the other."""
    return tuple(
        Part("sine", pitch, pitch, 170, 0.022, 70 * k, 3) for k in range(count) for pitch in (2_350 + 130 * k, 3_890)
    )


def splash(depth: float) -> Sound:
    """Something heavy goes into water; the deeper, the longer: 1 for a man."""
    lasts = round(520 * depth)
    return (
        breath(900 / depth, 2_600, round(160 * depth), rise=8, loudness=0.05),
        breath(2_400, 420 / depth, lasts, after=round(90 * depth), rise=50),
        tone(210 / depth, lasts, after=40, to=90 / depth),
    )


def house_moments(root: float, source: Source = "sine") -> dict[str, Sound]:
    """The four moments of the house in a game's own voice."""
    return {
        "turn": chord(root, (2, 3), apart=120, source=source),
        "line": chord(root, (1,), lasts=200, source=source),
        "talk": chord(root, (2.5,), lasts=160, source=source),
        "end": chord(root, (1.5, 2, 2.25, 3), apart=140, lasts=600, source=source),
    }


WOOD: Palette = house_moments(262)
"""The sounds of a game that has none of its own."""
