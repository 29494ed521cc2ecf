"""Positions of Lifeboats drawn as text, and ballots in one line, for the tests of this folder.

A boat is a line: its colour, `lane:row`, and its seats. `R` is a red officer, `r` a red sailor, `~` a leak, `.` free.

    red    1:0  RrrrVy
    black  5:2  GggV~.
    green  2:3  ashore 1
    violet 3:1  sunk
"""

from typing import Any

from tavola.core import Match
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import COLOURS, ISLANDS, At
from tavola.show.testing import play

LETTERS = "RGVYBW"

FULL = """
    red    1:0  RrrrVy
    green  2:0  ggYy..
    violet 3:0  RGvvvy
    yellow 4:0  rrgvYy
    black  5:0  GggVvy
"""
"""All men of four players aboard, with two seats free."""
LAST_TWO = """
    red    1:3  ashore 1
    green  2:2  sunk
    violet 3:1  RrGg..
    black  4:1  Rrrgg.
"""
LAST_ONE = """
    red    1:3  ashore 1
    green  2:2  sunk
    violet 3:2  sunk
    black  4:1  Rg~~..
"""
EMPTY = LAST_ONE.replace("Rg~~..", "......")
LANDED, LANDED_ONE = {"left": "Rrrrrr"}, {"left": "r"}
"""Men ashore at `LAST_ONE`, and at `LAST_TWO`."""


def match_at(
    drawing: str,
    phase: str = "leak ballot",
    starter: int = 0,
    captains: tuple[int, ...] = (),
    ashore: dict[str, str] | None = None,
    **options: Any,
) -> Match:
    """A match that begins at a drawing: at the leak ballot, at the move ballot, or at the start of leaving.

    Men neither drawn nor `ashore` are lost; the rounds follow from the rows.
    """
    boats = dict(_boat(line) for line in drawing.strip().splitlines())
    players = len(boats) - 1
    landed = {island: _crew((ashore or {}).get(island, "")) for island in ISLANDS}
    lost = _missing(players, [boat.get("crew", []) for boat in boats.values()], list(landed.values()))
    position = {
        "options": {"players": players},
        "phase": phase,
        "starter": starter,
        "turn": _first_to_leave(boats, starter, players) if phase == "leaving" else starter,
        "boats": boats,
        "ashore": [{island: landed[island][seat] for island in ISLANDS} for seat in range(players)],
        "unseated": [{"officer": 0, "sailor": 0}] * players,
        "lost": lost,
        "captains": list(captains) or [3] * players,
        "arrived": sum(boat["at"] == "ashore" for boat in boats.values()),
        "voters": [] if phase == "leaving" else [str(seat) for seat in range(players)],
        **_earlier_rounds(boats, phase, players, sum(sum(men.values()) for men in lost)),
    }
    return Match(GAME, position=position, **options)


def _boat(line: str) -> tuple[str, Any]:
    colour, place, seats = line.split(maxsplit=2)
    lane, row = map(int, place.split(":"))
    boat = {"lane": lane, "row": row}
    if seats == "sunk":
        return colour, {**boat, "at": "sunk"}
    if seats.startswith("ashore"):
        return colour, {**boat, "at": "ashore", "arrival": int(seats.split()[1])}
    return colour, {**boat, "at": "sea", "leaks": seats.count("~"), "crew": _crew(seats)}


def _crew(seats: str) -> list[dict[str, int]]:
    return [{"officer": seats.count(letter), "sailor": seats.count(letter.lower())} for letter in LETTERS]


def _missing(players: int, *places: list[Any]) -> list[dict[str, int]]:
    dues = {"officer": 2, "sailor": 5 if players <= 4 else 4}
    crews = [crew for part in places for crew in part if crew]
    return [
        {rank: due - sum(crew[seat][rank] for crew in crews) for rank, due in dues.items()} for seat in range(players)
    ]


def _first_to_leave(boats: Any, starter: int, players: int) -> int:
    order = [(starter + k) % players for k in range(players)]
    crews = [boat["crew"] for boat in boats.values() if boat["at"] == "sea"]
    return next(seat for seat in order if any(sum(crew[seat].values()) for crew in crews))


def _earlier_rounds(boats: Any, phase: str, players: int, lost: int) -> Any:
    """The number of rounds that the rows imply, and a unanimous last ballot."""
    moved = sum(boat["row"] for boat in boats.values())
    leaked = moved + (phase == "move ballot")
    past = {"rounds": moved + (phase != "leaving"), "ballots": leaked + moved + min(lost, leaked)}
    if not past["ballots"]:
        return past
    last = "leak" if phase == "move ballot" else "move"
    done = (lambda boat: boat["at"] == "sunk" or boat.get("leaks")) if last == "leak" else (lambda boat: boat["row"])
    chosen = next(colour for colour, boat in boats.items() if done(boat))
    return {**past, "ballot": {"kind": last, "cards": [chosen] * players, "weights": [1] * players, "chosen": chosen}}


def drawing_of(match: Match) -> str:
    table = match.view().table
    boats = [(colour, boat) for colour, boat in zip(COLOURS, table.boats, strict=True) if boat.at != At.ASIDE]
    return "\n".join(f"{colour:6} {boat.lane}:{boat.row}  {_seats(table, boat)}" for colour, boat in boats)


def _seats(table: Any, boat: Any) -> str:
    if boat.at != At.SEA:
        return f"ashore {boat.arrival}" if boat.at == At.ASHORE else "sunk"
    return f"{_men(boat.crew)}{'~' * boat.leaks}".ljust(table.seats, ".")


def boat_of(match: Match, colour: str) -> str:
    table = match.view().table
    return _seats(table, table.boats[COLOURS.index(colour)])


def phase_of(match: Match) -> str:
    return str(match.view().document()["table"]["phase"])


def vote(match: Match, *ballots: str) -> Match:
    """Play a card for each seat that owes one, in the order of seats, ballot after ballot.

    `vote(match, "black captain red green")`; a single card is played by all: `vote(match, "black")`.
    """
    for ballot in ballots:
        voters, cards = match.to_act, ballot.split()
        cards = cards * len(voters) if len(cards) == 1 else cards
        for seat, card in zip(voters, cards, strict=True):
            match.play(f"vote {card}", seat)
    return match


def pending_choice(match: Match) -> tuple[int, str] | None:
    """Return the seat that has to choose and its choices, `(0, "red green")`; None if no seat has to."""
    if not phase_of(match).endswith("choice"):
        return None
    (seat,) = match.to_act
    return seat, " ".join(code.removeprefix("choose ") for code in match.legal_codes(seat))


def legal_votes(match: Match, seat: int) -> str:
    return " ".join(code.removeprefix("vote ") for code in match.legal_codes(seat))


def lost_men(match: Match) -> str:
    return _men(match.view().table.lost)


def _men(crews: Any) -> str:
    """Men by seat and rank, in the characters of a drawing."""
    return "".join(
        letter * officers + letter.lower() * sailors for letter, (officers, sailors) in zip(LETTERS, crews, strict=True)
    )


def boats_placed(players: int = 4, start: int = 0, **options: Any) -> Match:
    """A match after the boats are placed in lanes 1, 2, 3, …"""
    lanes = (f"lane {lane}" for lane in range(1, players + 2))
    return play(Match(GAME, players=players, **options), f"start {start}", *lanes)


def play_first(match: Match, *phases: str) -> Match:
    """Play the first legal action while the match is in one of `phases`."""
    while phase_of(match) in phases:
        match.play(match.legal_codes()[0])
    return match


def one_move_from_shore(lane: int, islands: str) -> Match:
    """A ballot on moving, with the red boat one step from its island."""
    first, second, third = [other for other in range(1, 8) if other != lane][:3]
    drawing = f"""
        red    {lane}:2   RRrr~~
        green  {first}:0  GGggrr
        violet {second}:0 VVvvvv
        black  {third}:0  rgggv~
    """
    return match_at(drawing, phase="move ballot", islands=islands)
