"""Matches dealt and sailed by hand, for the tests of this folder."""

from collections.abc import Iterator

import tavola
from tavola.core import CHANCE, Match
from tavola.games.voyage.components import CELLS, COURSES

GAME = tavola.load("voyage")
SIX = ("admiral", "cabin-boy", "merchant", "traitor", "explorer", "sailor")


def cells(names: str) -> int:
    """The set of the cells named in a text such as "a1 b1"."""
    return sum(1 << CELLS.index(name) for name in names.split())


def cell_names(mask: int) -> str:
    return " ".join(name for cell, name in enumerate(CELLS) if mask >> cell & 1)


def first_turn(*roles: str, captain: int = 0, islands: str = "", **options: object) -> Match:
    """A match by the printed rules up to its first turn: the roles by seat, the islands of the random layout."""
    layout = "random" if islands else "chart"
    given = {"layout": layout, "players": len(roles), "first_captain": captain, **options}
    match = Match(GAME, given, rules="letter")
    for cell in islands.split():
        match.play(f"island {cell}", CHANCE)
    for role in roles:
        match.play(f"role {role}", CHANCE)
    return match


def offer(match: Match, preferred: str, alternative: str = "") -> None:
    """Lay the captain's courses; without `alternative`, any one."""
    (captain,) = match.to_act
    legal = [code for code in match.legal_codes(captain) if code.startswith(f"courses {preferred} {alternative}")]
    match.play(
        legal[0]
        if legal
        else f"courses {preferred} {alternative or next(name for name in COURSES if name != preferred)}",
        captain,
    )


def vote(match: Match, votes: str = "") -> None:
    """Vote for each seat, in order: `w` or `b`; all vote white by default."""
    for seat, letter in enumerate(votes or "w" * match.players):
        match.play({"w": "vote white", "b": "vote black"}[letter], seat)


def sail(match: Match, route: str, *faces: str) -> Match:
    """Sail courses in turn, with all votes white; `faces` are the tiles that chance turns up on the way."""
    left: Iterator[str] = iter(faces)
    for course in route.split():
        offer(match, course)
        vote(match)
        if match.to_act == (CHANCE,):
            match.play(f"tile {next(left)}", CHANCE)
    assert not list(left), "every face was asked for"
    return match


def ship_cell(match: Match) -> str:
    return CELLS[int(match.view().table.ship)]


def open_courses(match: Match) -> set[str]:
    return {code.split()[1] for code in match.legal_codes()}


def courses_of(route: str) -> str:
    """Return the courses of these initials: "esw" is "east south west"."""
    return " ".join(next(name for name in COURSES if name[0] == letter) for letter in route)
