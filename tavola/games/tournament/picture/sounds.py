"""What is heard of Tournament: coins, steel, hooves, trumpets. `tavola.show.sound` says what sounds are made of."""

from tavola.show.sound import Palette, bell, breath, card, chord, coins, house_moments, knock, tone

SOUNDS: Palette = {
    **house_moments(262, "sawtooth"),
    "deal": (*knock(260, loudness=0.03), *coins(3)),
    "hooves": tuple(
        part for k, after in enumerate((0, 150, 400, 550, 760)) for part in knock(95 + k % 2 * 20, after=after)
    ),
    "steel": (*bell(1_245, 420), *bell(1_760, 300), breath(5_200, 2_600, 90, rise=4)),
    "judged": chord(392, (1, 1, 1.5), apart=150, lasts=360, source="sawtooth"),
    "prize": (*chord(262, (1.5, 2, 3), apart=130, lasts=420, source="sawtooth"), *coins(4)),
    "out": (*knock(70, loudness=0.08), *knock(70, after=260, loudness=0.08)),
    "gauntlet": (*knock(120), breath(2_400, 1_200, 120, after=10, rise=5)),
    "first": chord(523, (1, 1.5), apart=90, lasts=300, source="sawtooth"),
    "paid": coins(2),
    "card": (*card(), tone(392, 140, after=90)),
}
