"""Print a match of bots that negotiate: what they say, and what becomes of it.

python -m scripts.talk lifeboats 7          game and seed; then the language: en, it, fr or de
"""

import sys
from collections.abc import Iterator, Sequence

from tavola.bargain import Bargainer
from tavola.core import Match
from tavola.core.rng import stream
from tavola.games import load
from tavola.lab.matches import mix_seed
from tavola.lab.talking import Talk
from tavola.live.log.occupants import CAST
from tavola.show.speech import Say
from tavola.talk import Status, Teller, language_of

SEATED = ("Amos", "Mara", "Bruno", "Orla", "Ines")
PLAYERS = {"lifeboats": 4, "voyage": 5}


def play_talking(talk: Talk, seed: int) -> Iterator[None]:
    """Play a match between bots that talk; yield in each decision after they have spoken, and at the end."""
    match = talk.match
    while match.to_act:
        talk.open_decision(stream(seed, len(match.history)))
        yield
        first = match.actor(stream(seed + 1, len(match.history)))
        chosen = {seat: talk.choose(seat) for seat in ((first,) if match.open else match.to_act)}
        for seat, number in chosen.items():
            talk.play(number, seat)
    yield


def seated(game: str, seed: int, tempers: Sequence[str], level: str, iterations: int | None) -> Talk:
    """Return a match that has not begun, with a bot of each temper."""
    seeds = (mix_seed(seed, seat) for seat in range(len(tempers)))
    bots = [Bargainer(level, temper, own, iterations=iterations) for temper, own in zip(tempers, seeds, strict=True)]
    return Talk(Match(load(game), seed=seed, players=len(tempers)), bots)


def main(game: str = "lifeboats", seed: str = "7", language: str = "en") -> None:
    """Play a match and print its talk."""
    card, names = load(game), SEATED[: PLAYERS.get(game, 3)]
    tempers = {member.name: member.temper for member in CAST}
    talk = seated(game, int(seed), [tempers[name] for name in names], "search", 200)
    match, tell = talk.match, Teller(language_of(card), Say.of(card, language, names))
    before: list[Status | None] = []
    for _ in play_talking(talk, int(seed)):
        for said, status in zip(talk.talk.said, before, strict=False):
            if said.status is not status and (verdict := tell.verdict(said, talk.talk)):
                print(f"{len(match.history):9} {verdict}")
        for said in talk.talk.said[len(before) :]:
            print(f"{said.moment.actions:4} {tell.statement(said, talk.talk)}")
        before = [said.status for said in talk.talk.said]
    print(*zip(names, match.score().points, match.score().ranks, strict=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
