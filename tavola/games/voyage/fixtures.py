"""Matches dealt and sailed by hand, for the tests of this folder."""

import re

import tavola
from tavola.core import CHANCE, Match
from tavola.games.voyage.components import CELLS

GAME = tavola.load("voyage")
TRIO = ("admiral", "traitor", "sailor")
FULL_TOUR = "eswwswswwnnwnneesene"
"""Twenty courses that keep the route and stay out of the fog."""
SIX = ("admiral", "cabin-boy", "merchant", "traitor", "explorer", "sailor")
ISLANDS = "b1 d1 a2 c2 e2 d3 f3 c4 e4 g4"
"""Ten islands of the random layout."""
VOTES = {"w": "vote white", "b": "vote black"}


def cells(names: str) -> int:
    """The set of the cells named in a text such as "a1 b1"."""
    return sum(1 << CELLS.index(name) for name in names.split())


def cell_names(mask: int) -> str:
    return " ".join(name for cell, name in enumerate(CELLS) if mask >> cell & 1)


def first_turn(*roles: str, captain: int = 0, islands: str = "", **options: object) -> Match:
    """A match by the printed rules up to its first turn: the roles by seat, the islands of the random layout.

    Without roles they are those of `TRIO`.
    """
    roles = roles or TRIO
    given = {"layout": "random" if islands else "chart", "players": len(roles), "first_captain": captain, **options}
    match = Match(GAME, given, rules="letter")
    for cell in islands.split():
        match.play(f"island {cell}", CHANCE)
    for role in roles:
        match.play(f"role {role}", CHANCE)
    return match


def offer(match: Match, preferred: str, alternative: str = "") -> Match:
    """Lay the captain's courses, by their names or initials; without `alternative`, any one."""
    (captain,) = match.to_act
    wanted = re.compile(rf"courses {preferred}\w* {alternative}")
    match.play(next(filter(wanted.match, match.legal_codes(captain))), captain)
    return match


def vote(match: Match, votes: str = "") -> Match:
    """Vote for each seat, in order: `w` or `b`; all vote white by default."""
    for seat, letter in enumerate(votes or "w" * match.players):
        match.play(VOTES[letter], seat)
    return match


def decide(match: Match, preferred: str, alternative: str = "", votes: str = "") -> Match:
    """Play a turn up to its tile: the captain's offer, and the votes."""
    return vote(offer(match, preferred, alternative), votes)


def sail(match: Match, route: str, *faces: str) -> Match:
    """Sail courses by their initials, with all votes white; `faces` are the tiles that chance turns up on the way."""
    left = iter(faces)
    for course in route:
        decide(match, course)
        if match.to_act == (CHANCE,):
            match.play(f"tile {next(left)}", CHANCE)
    assert not list(left), "every face was asked for"
    return match


def ship_cell(match: Match) -> str:
    return CELLS[int(match.view().table.ship)]
