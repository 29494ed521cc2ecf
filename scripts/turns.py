"""Count how often a player decides in a match, for the facts of a game beside its poster (`Shelf.turns`).

python -m scripts.turns GAME… [--matches N] [--option NAME=VALUE…]

The players are greedy bots. A decision with one legal answer does not count. Decisions that a player makes in a row
count once, because a match over days waits for none of them; in a barter, which everyone acts in, each one counts.
"""

import argparse
from collections.abc import Mapping, Sequence

import tavola

MATCHES = 12


def turns_of(
    game: tavola.Game, players: int, matches: int = MATCHES, options: Mapping[str, str] | None = None
) -> float:
    """Return how often a player decides in a match on average."""
    counts = [count_turns(game, players, seed, options or {}) for seed in range(1, matches + 1)]
    return sum(counts) / (players * matches)


def count_turns(game: tavola.Game, players: int, seed: int, options: Mapping[str, str]) -> int:
    """Return how often all players of a match decide."""
    match = tavola.Match(game, dict(options), seed, players=players)
    bots = [tavola.bots.bot("greedy", seed=10 * seed + seat) for seat in range(players)]
    count, last = 0, None
    while not match.over:
        seat = match.to_act[0]
        if len(match.legal_numbers(seat)) > 1:
            count += seat != last or match.open
            last = seat
        match.play(bots[seat].choose(match.view(seat)), seat)
    return count


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each game: how often a player decides, for each number of players."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in given.option)
    for name in given.games:
        game = tavola.load(name)
        fewest, most = game.players
        counts = [round(turns_of(game, players, given.matches, options)) for players in range(fewest, most + 1)]
        print(name, ", ".join(map(str, counts)))


if __name__ == "__main__":
    main()
