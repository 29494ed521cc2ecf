"""Faults that positions of several games can have, as sentences for their `faults`. Plain Python."""

from collections.abc import Iterator, Sequence


def ballot_faults(
    voted: int, voters: int, cards: Sequence[int], done: str = "voted", card: str = "card"
) -> Iterator[str]:
    """Yield the faults of a secret ballot.

    `voted` and `voters` are bit masks of seats; `voters` is 0 without a ballot. `cards[seat]` is the seat's face-down
    card, 0 for none. `done` and `card` are the names of the fields of the table and of a hand.
    """
    if voted & ~voters or (voters and voted == voters):
        yield f"{done}: expected only voters, and not all of them"
    for seat, held in enumerate(cards):
        if (held > 0) != (voted >> seat & 1):
            yield f"hands.{seat}.{card}: expected a card if the seat has {done}, and none otherwise"
