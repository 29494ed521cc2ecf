"""Texts for points: of one seat, of all roles, and of the winner.

A role is read from the seat's own hand, or from the table once it is turned up; a view has no other roles.
"""

from collections.abc import Callable
from typing import NamedTuple

from tavola.games.voyage.components import ROLES, Ending, Phase, Seen, Table
from tavola.games.voyage.words.nouns import CREW, ROLE, Visited, count_visited
from tavola.show.speech import Say, mark, mark_many, marks
from tavola.show.words import names_of, tied_seats, victory_sentence

Line = tuple[str, int]

# The roles: R22 to R28

RULE = (
    mark("5 points if Avalon is found; 3 points if you visit 4 islands at most, whether or not Avalon is found."),
    mark("1 point for each island visited; 2 points if Avalon is found."),
    mark("2 points for each island with a cross visited; 1 point if Avalon is found."),
    mark(
        "5 points if Avalon isn’t found, after twenty turns or because the route is lost; 3 points if at least 5"
        " islands are visited."
    ),
    mark(
        "1 point for every 2 border tiles visited, including the start; 1 point for each fog tile visited; 3 points if"
        " Avalon is found."
    ),
)
SAILOR_RULE = marks("2 points for each tile of open sea visited.", "1 point for every 2 tiles of open sea visited.")


def role_of(view: Seen, seat: int) -> int:
    """Return the role of a seat as the view shows it, from 1; 0 if it is secret."""
    return int(view.hand.role if view.hand and view.seat == seat else view.table.roles[seat])


def role_rules(say: Say, sailor: int = 0) -> list[tuple[str, str]]:
    """Return every role and how it makes points; `sailor` is the value of the option."""
    return list(zip(map(say, ROLE), map(say, (*RULE, SAILOR_RULE[sailor])), strict=True))


def summary_card(view: Seen, say: Say) -> list[tuple[str, list[tuple[str, str]]]]:
    doubles = say("Doubles"), say("If two players have the same role, each of them loses a point.")
    scored = role_rules(say, view.table.sailor)
    blocks = [(say("All roles"), [*scored, doubles])]
    if view.seat is None or not role_of(view, view.seat):
        return blocks
    return [_own_role(view, view.seat, scored[role_of(view, view.seat) - 1], say), *blocks]


def _own_role(view: Seen, seat: int, role: tuple[str, str], say: Say) -> tuple[str, list[tuple[str, str]]]:
    lines = _score_lines(view, seat, say)
    counted = [(line, _points(points, say)) for line, points in lines]
    total = _points(sum(points for _, points in lines), say)
    heading = say("Final score") if view.table.phase == Phase.OVER else say("If the voyage ended now")
    return say("Your role: {role}", role=role[0]), [(say("How it scores"), role[1]), *counted, (heading, total)]


def _points(points: int, say: Say) -> str:
    return say.many("{count} point", "{count} points", points)


def guess_labels(view: Seen, say: Say) -> list[tuple[str, str]]:
    return list(zip(ROLES, map(say, ROLE), strict=True))


def scoring(view: Seen, seat: int, say: Say) -> list[Line]:
    """Return each point of a seat with its reason, as if the voyage ended now; nothing if the role is secret."""
    role = role_of(view, seat)
    if not role:
        return [(say("The role stays secret until the end"), 0)]
    lines = [(say("Role: {role}", role=say(ROLE[role - 1])), 0), *_score_lines(view, seat, say)]
    equal = tied_seats(view, seat) if view.table.phase == Phase.OVER else []  # R29
    level = say("Tied with {names}: the place is shared", names=names_of(equal, say))
    return [*lines, *([(level, 0)] if equal else [])]


def _score_lines(view: Seen, seat: int, say: Say) -> list[Line]:
    t, role = view.table, role_of(view, seat)
    lines = [part.line(t, count_visited(t), say) for part in sources(t, role)]
    same = [s for s in range(t.players) if s != seat and t.roles[s] == role]
    return [*lines, *[(say("{name} had the same role", name=say.name(s)), -1) for s in same]]


class Avalon(NamedTuple):
    """The points of a role if Avalon is found, and if it is not."""

    found: int
    missed: int = 0

    def halves(self, visited: Visited, found: bool) -> int:
        return 2 * (self.found if found else self.missed)

    def line(self, t: Table, visited: Visited, say: Say) -> Line:
        if t.ending == Ending.AVALON:
            return say("Avalon found"), self.found
        return (say("Avalon not found") if t.phase == Phase.OVER else say("Avalon not found yet")), self.missed


class Tiles(NamedTuple):
    """The tiles that a role counts, and their half points; `otherwise` is the text for a count without points."""

    told: tuple[str, str]
    kind: str
    scored: Callable[[int], int]
    otherwise: tuple[str, str] | None = None

    def halves(self, visited: Visited, found: bool) -> int:
        return self.scored(getattr(visited, self.kind))

    def line(self, t: Table, visited: Visited, say: Say) -> Line:
        count, points = getattr(visited, self.kind), self.halves(visited, False) // 2
        return say.many(*(self.told if points or self.otherwise is None else self.otherwise), count), points


FEW = mark_many("{count} island visited (at most 4)", "{count} islands visited (at most 4)")
TOO_MANY = mark_many("{count} island visited (more than 4)", "{count} islands visited (more than 4)")
ENOUGH = mark_many("{count} island visited (at least 5)", "{count} islands visited (at least 5)")
TOO_FEW = mark_many("{count} island visited (fewer than 5)", "{count} islands visited (fewer than 5)")
EACH_ISLAND = mark_many("{count} island visited: 1 point", "{count} islands visited: 1 point each")
EACH_CROSS = mark_many(
    "{count} island with a cross visited: 2 points", "{count} islands with a cross visited: 2 points each"
)
BORDER_TILES = mark_many(
    "{count} border tile, start included: 1 point for every 2",
    "{count} border tiles, start included: 1 point for every 2",
)
FOG_TILES = mark_many("{count} fog tile visited: 1 point", "{count} fog tiles visited: 1 point each")
SEA_TILES = mark_many("{count} open sea tile visited: 2 points", "{count} open sea tiles visited: 2 points each")
SEA_PAIRS = mark_many(
    "{count} open sea tile visited: 1 point for every 2", "{count} open sea tiles visited: 1 point for every 2"
)
SCORED: tuple[tuple[Avalon | Tiles, ...], ...] = (
    (Avalon(5), Tiles(FEW, "islands", lambda count: 6 * (count <= 4), TOO_MANY)),
    (Tiles(EACH_ISLAND, "islands", lambda count: 2 * count), Avalon(2)),
    (Tiles(EACH_CROSS, "crosses", lambda count: 4 * count), Avalon(1)),
    (Avalon(0, missed=5), Tiles(ENOUGH, "islands", lambda count: 6 * (count >= 5), TOO_FEW)),
    (Tiles(BORDER_TILES, "border", lambda count: count), Tiles(FOG_TILES, "fog", lambda count: 2 * count), Avalon(3)),
)
"""Sources of each role's points, in the order of its lines; the Sailor's depend on the option."""
SAILOR_SCORED = (
    (Tiles(SEA_TILES, "sea", lambda count: 4 * count),),
    (Tiles(SEA_PAIRS, "sea", lambda count: count),),
)


def sources(t: Table, role: int) -> tuple[Avalon | Tiles, ...]:
    """Return the sources of a role's points; `role` counts from 1."""
    return (*SCORED, SAILOR_SCORED[t.sailor])[role - 1]


ENDING_TEXTS: dict[int, str] = {
    Ending.AVALON: mark("Avalon has been found."),
    Ending.TURN_20: mark("Avalon wasn’t found in twenty turns."),
    Ending.ROUTE_LOST: mark("The route is lost."),
}


def roles_text(t: Table, say: Say) -> str:
    """R19: return `Ada was the Admiral and Bruno was the Sailor`."""
    crew = [(say.name(seat), CREW(t.roles[seat] - 1, say)) for seat in range(t.players)]
    return say.listing([say("{name:*|you} {name:was|were} {role:the}", name=name, role=role) for name, role in crew])


def result_text(view: Seen, say: Say) -> str:
    """R17, R29: return the result of a match, and its reason."""
    return f"{say(ENDING_TEXTS[view.table.ending])} {victory_sentence(view, say)}"
