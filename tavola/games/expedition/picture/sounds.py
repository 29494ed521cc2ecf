"""What is heard of Expedition: a pen for each way of travelling, a pin, a stamp. See `tavola.show.sound`."""

from tavola.show.sound import Palette, bell, breath, chord, house_moments, knock, tone

SOUNDS: Palette = {
    **house_moments(330, "triangle"),
    "route-0": (breath(3_600, 2_400, 420, rise=60, loudness=0.028), breath(2_600, 3_400, 240, after=400)),
    "route-1": tuple(breath(3_000, 2_400, 110, after=150 * k, rise=15, loudness=0.03) for k in range(4)),
    "route-2": tuple(part for k in range(5) for part in knock(520, after=110 * k, loudness=0.018)),
    "rubbed": tuple(breath(1_500, 2_100, 150, after=170 * k, rise=60, loudness=0.03) for k in range(3)),
    "pinned": (*knock(420), tone(880, 120, after=20)),
    "stamped": (breath(1_800, 900, 300, rise=200, loudness=0.02), *knock(110, after=850, loudness=0.08)),
    "home": (*chord(165, (1, 1.5), lasts=1_200, source="triangle"), *bell(660, 1_400)),
}
