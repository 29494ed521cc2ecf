"""What is heard of Voyage: parchment, wax, canvas, a brush, glass. `tavola.show.sound` says what sounds are made of."""

from tavola.show.sound import Palette, bell, breath, card, chord, house_moments, knock, tone

SOUNDS: Palette = {
    **house_moments(220, "triangle"),
    "parchment": (breath(2_800, 1_500, 260, rise=90), *knock(200, after=200, loudness=0.03)),
    "sealed": (*knock(140), breath(1_200, 700, 160, after=60)),
    "ballot": card(),
    "verdict": (*knock(170), *knock(170, after=160)),
    "canvas": (breath(420, 1_100, 620, rise=240, loudness=0.05), breath(1_100, 520, 420, after=520, rise=120)),
    "brush": (breath(3_400, 2_200, 220, rise=80, loudness=0.022), breath(2_400, 3_200, 260, after=230, rise=90)),
    "avalon": (*bell(523, 1_600), *chord(523, (1.25, 1.5, 2), apart=220, lasts=1_000)),
    "torn": (breath(2_200, 5_200, 520, rise=200, loudness=0.05), tone(98, 900, after=320, to=55)),
    "role": chord(330, (1, 1.5), apart=110, source="triangle"),
}
