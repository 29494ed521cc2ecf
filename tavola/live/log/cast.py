"""The cast: who the bots are. A room draws different ones; their name, face and temper are written into its log.

How well a bot plays is its level and has nothing to do with who it is.
"""

from typing import NamedTuple


class Member(NamedTuple):
    """One of the cast. `face` names its drawing, `temper` what it is known for."""

    name: str
    face: str
    temper: str


CAST = (
    Member("Orla", "orla", "bold"),
    Member("Bruno", "bruno", "careful"),
    Member("Amos", "amos", "faithful"),
    Member("Mara", "mara", "treacherous"),
    Member("Pia", "pia", "stubborn"),
    Member("Kit", "kit", "gambler"),
    Member("Ines", "ines", "reckoner"),
    Member("Ombra", "ombra", "silent"),
)
