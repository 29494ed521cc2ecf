"""The state that a picture of Lifeboats shows: a table, and where a scene stands."""

from typing import NamedTuple

from tavola.games.lifeboats.components import Table


class BoardState(NamedTuple):
    """A table as it is drawn. Without a scene every card of the last ballot lies open, small, at the edge."""

    table: Table
    open: tuple[int, ...]
    """The seats whose cards of the last ballot are turned."""
    staged: bool = False
    """True when the ballot is being revealed: its cards lie large before the sea."""
    counting: bool = False
    """True when votes arrive at the boats."""
    settled: bool = True
    """True when what the ballot chose has been done."""
    lit: int = 0
    """The boat that was chosen, from 1; 0 for none."""
    sinking: int = 0
    """The boats that go under now: a bit mask."""
    drowning: int = -1
    """The seat whose swimmer goes under now."""
    round: int = 0
    """The round that is being announced; 0 for none."""


def resting_state(table: Table) -> BoardState:
    """A table without a scene."""
    return BoardState(table, tuple(seat for seat, card in enumerate(table.ballot.cards) if card))
