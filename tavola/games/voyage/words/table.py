"""The table as text, for the terminal: readable without colour, at most 100 columns wide."""

from itertools import zip_longest

from tavola.core.text import isolated, shorten
from tavola.games.voyage import components
from tavola.games.voyage.components import RANDOM, WIDTH, Phase, Seen, Table, Turn
from tavola.games.voyage.words.nouns import COURSE, ROLE, VOTE, face_of, had_ballot, voters
from tavola.games.voyage.words.scoring import role_of
from tavola.show.speech import Say, marks
from tavola.show.words import columns, wrap_notes

PHASE = marks(
    "placing the islands",
    "drawing the first captain",
    "dealing the roles",
    "the captain chooses the courses",
    "the vote",
    "revealing the tile",
    "the end",
)
CHART_MARKS = components.CHART.split()
SIGNS = ".+oA"
LONGEST_NAME, LONGEST_CAPTAIN = 12, 9


def table(view: Seen, say: Say) -> list[str]:
    """Return the table as text: at most 100 columns and 30 lines."""
    left = [*_map(view.table), "", *columns(_player_rows(view, say))]
    head = [say("Turn"), say("Captain"), say("Open"), say("Hidden"), say("Black"), say("Sailed"), say("Tile")]
    right = columns([head, *(_turn_row(view, index, say) for index in range(view.table.turn))])
    beside = columns(list(zip_longest(left, right, fillvalue="")))
    return [_headline(view.table, say), "", *beside, "", *wrap_notes(_notes(view, say))]


def _headline(t: Table, say: Say) -> str:
    phase = say(PHASE[t.phase])
    if not t.turn:
        return say("Before the first turn: {phase}", phase=phase)
    return say("Turn {turn} of {turns}: {phase}", turn=t.turn, turns=components.TURNS, phase=phase)


def _map(t: Table) -> list[str]:
    cells = [_cell(t, cell) for cell in range(components.CELL_COUNT)]
    rows = [f"{row + 1}  {''.join(cells[row * WIDTH : (row + 1) * WIDTH])}" for row in range(components.HEIGHT)]
    return ["   " + "".join(f" {cell[0]} " for cell in components.CELLS[:WIDTH]), *rows]


def _cell(t: Table, cell: int) -> str:
    sign = _sign(t, cell)
    if cell == t.ship:
        return f">{sign}<"
    return f"[{sign}]" if t.explored >> cell & 1 else f" {sign} "


def _sign(t: Table, cell: int) -> str:
    """R3, R4, R16: the public mark of a cell."""
    if (components.START | components.COAST) >> cell & 1:
        return CHART_MARKS[cell]
    if t.explored >> cell & 1:
        return SIGNS[face_of(t, cell)]
    return "?" if t.layout == RANDOM and components.SEA >> cell & 1 else CHART_MARKS[cell]


def _player_rows(view: Seen, say: Say) -> list[list[str]]:
    t = view.table
    points = view.standing.points if t.phase == Phase.OVER else None
    head = ["", say("Player"), say("Ballot") if points is None else say("Points"), say("Role")]
    rows = []
    for seat in range(t.players):
        role = role_of(view, seat)
        leads = " *" if t.turn and seat == t.captain else ""
        name = f"{seat + 1} {isolated(shorten(say.name(seat), LONGEST_NAME))}{leads}"
        now = str(points[seat]) if points else (say("voted", context="in a column") if t.voted >> seat & 1 else "")
        rows.append([">" if seat in view.to_act else " ", name, now, say(ROLE[role - 1]) if role else "?"])
    return [head, *rows]


def _turn_row(view: Seen, index: int, say: Say) -> list[str]:
    t, turn = view.table, view.table.turns[index]
    row = [str(index + 1), isolated(shorten(say.name(turn.captain), LONGEST_CAPTAIN))]
    if not turn.preferred:
        return [*row, "", "", "", "", ""]
    row += [str(COURSE(turn.preferred - 1, say)), _secret(view, index, say)]
    if not turn.sailed:
        return [*row, "", "", ""]
    black = "".join(str(seat + 1) for seat in voters(t, turn)[1]) if had_ballot(turn) else ""
    return [*row, black or "-", str(COURSE(turn.sailed - 1, say)), _reached(t, turn, say)]


def _secret(view: Seen, index: int, say: Say) -> str:
    """R20: the alternative is public if it was sailed, else known only to the captain who laid it."""
    turn = view.table.turns[index]
    if not had_ballot(turn):
        return "-"
    if turn.sailed not in (0, turn.preferred):
        return str(COURSE(turn.sailed - 1, say))
    own = view.hand.alternatives[index] if view.hand else 0
    return str(COURSE(own - 1, say)) if own else "?"


def _reached(t: Table, turn: Turn, say: Say) -> str:
    if not turn.reached:
        return say("lost")
    sign = _sign(t, turn.reached - 1) if t.explored >> (turn.reached - 1) & 1 else "?"
    return f"{components.CELLS[turn.reached - 1]} {sign}"


def _notes(view: Seen, say: Say) -> list[str]:
    t = view.table
    legend = say(
        "S start, c coast, . open sea, + island with a cross, o island without, ~ fog, A Avalon, ? unknown, [ ]"
        " explored, > < the ship; * captain, > to play."
    )
    sea, fog = (dict(zip(components.FACES, pile, strict=True)) for pile in t.piles)
    notes = [legend, say("Face down in the fog: A {avalon}, + {cross}, o {plain}, . {open}.", **fog)]
    if t.layout == RANDOM:
        notes.append(say("Face down at sea: + {cross}, o {plain}, . {open}.", **sea))
    if view.hand and view.hand.card:
        notes.append(say("Your secret vote: {card}.", card=VOTE(view.hand.card - 1, say)))
    return notes
