"""Faults that positions of several games can have, in words: for their `faults`, in plain Python."""

from collections.abc import Iterator, Sequence


def ballot_faults(
    voted: int, voters: int, cards: Sequence[int], done: str = "voted", card: str = "card"
) -> Iterator[str]:
    """Yield what cannot be of a secret ballot.

    `voted` and `voters` are masks of seats, no voters where there is no ballot; `cards`: by seat what lies face down in
    its hand, 0 for nothing. `done` and `card` are what the fields of the table and of a hand are called.
    """
    if voted & ~voters or (voters and voted == voters):
        yield f"{done}: expected some of the voters, not all"
    for seat, held in enumerate(cards):
        if (held > 0) != (voted >> seat & 1):
            yield f"hands.{seat}.{card}: expected a card where the seat has {done} and none elsewhere"
