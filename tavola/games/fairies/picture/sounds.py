"""What is heard of Fairies: glass, wings, small bells. `tavola.show.sound` says what sounds are made of."""

from tavola.show.sound import Palette, bell, breath, card, chord, house_moments, knock, tone

SOUNDS: Palette = {
    **house_moments(262),
    "clash": (*bell(392, 700), *bell(415, 700), breath(3_800, 900, 240, rise=10)),
    "theft": (breath(700, 2_600, 260, rise=140), tone(784, 220, after=60, to=1_175)),
    "gone": (*card(), tone(1_175, 260, after=60, to=587)),
    "shield": (*knock(220), *bell(1_047, 900)),
    "lifted": (breath(2_600, 3_600, 200, rise=110, loudness=0.022), *bell(1_568, 260)),
    "pane": (*bell(1_319, 800), tone(659, 500, after=120)),
    "mended": bell(988, 420),
    "crowned": (*chord(523, (1, 1.25, 1.5, 2), apart=150, lasts=1_100), *bell(2_093, 1_400)),
    "counted": bell(1_175, 320),
}
