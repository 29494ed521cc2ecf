"""What is heard of Lifeboats: oars, water, wood, a ship's bell. `tavola.show.sound` says what sounds are made of."""

from tavola.show.sound import Palette, bell, breath, card, house_moments, knock, splash, tone

SOUNDS: Palette = {
    **house_moments(196),
    "cards": knock(180),
    "card": card(),
    "chosen": (*knock(150), *knock(150, after=130)),
    "leak": (breath(2_600, 900, 180, rise=20), breath(1_400, 500, 500, after=120), tone(620, 240, after=260, to=260)),
    "oars": (
        *knock(130, loudness=0.03),
        breath(500, 950, 420, after=40, rise=160),
        *knock(130, after=520, loudness=0.03),
        breath(500, 950, 420, after=560, rise=160),
    ),
    "landing": (breath(700, 300, 620, rise=200, loudness=0.05), *knock(95, after=420)),
    "splash": splash(1),
    "drowning": (breath(900, 240, 800, rise=120), tone(330, 620, after=160, to=120)),
    "sinking": (*splash(1.6), tone(130, 1_100, after=200, to=52)),
    "round": bell(880, 1_200),
}
