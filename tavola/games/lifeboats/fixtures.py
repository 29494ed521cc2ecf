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
from tavola.games.lifeboats.components import COLOURS, ISLANDS, RANKS, SEATS, At

LETTERS = "RGVYBW"
LEAK, FREE = "~", "."


FULL = """
    red    1:0  RrrrVy
    green  2:0  ggYy..
    violet 3:0  RGvvvy
    yellow 4:0  rrgvYy
    black  5:0  GggVvy
"""
"""All men of four players aboard, with two seats free."""


def match_at(
    drawing: str,
    phase: str = "leak ballot",
    starter: int = 0,
    captains: tuple[int, ...] = (),
    ashore: dict[str, str] | None = None,
    **options: Any,
) -> Match:
    """A match that begins at a drawing. Men neither drawn nor `ashore` are lost; the rounds follow from the rows."""
    return Match(GAME, position=position(drawing, phase, starter, captains, ashore or {}), **options)


def position(drawing: str, phase: str, starter: int, captains: tuple[int, ...], ashore: dict[str, str]) -> Any:
    """The document of a drawing: at the leak ballot, at the move ballot, or at the start of leaving."""
    boats = dict(_boat(line) for line in drawing.strip().splitlines())
    players = len(boats) - 1
    landed = {island: _crew(ashore.get(island, "")) for island in ISLANDS}
    lost = _missing(players, [boat.get("crew", []) for boat in boats.values()], list(landed.values()))
    return {
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


def _boat(line: str) -> tuple[str, Any]:
    colour, place, seats = line.split(maxsplit=2)
    lane, row = map(int, place.split(":"))
    boat = {"lane": lane, "row": row}
    if seats == "sunk":
        return colour, {**boat, "at": "sunk"}
    if seats.startswith("ashore"):
        return colour, {**boat, "at": "ashore", "arrival": int(seats.split()[1])}
    return colour, {**boat, "at": "sea", "leaks": seats.count(LEAK), "crew": _crew(seats)}


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
    rounds = moved + (phase != "leaving")
    past = {"rounds": rounds, "ballots": leaked + moved + min(lost, leaked)}
    if not past["ballots"]:
        return past
    last = "leak" if phase == "move ballot" else "move"
    done = (lambda boat: boat["at"] == "sunk" or boat.get("leaks")) if last == "leak" else (lambda boat: boat["row"])
    chosen = next(colour for colour, boat in boats.items() if done(boat))
    ballot = {"kind": last, "cards": [chosen] * players, "weights": [1] * players, "chosen": chosen}
    return {**past, "ballot": ballot}


def drawing_of(match: Match) -> str:
    table = match.view().table
    lines = [
        f"{COLOURS[place]:6} {boat.lane}:{boat.row}  {_seats(table, boat)}"
        for place, boat in enumerate(table.boats)
        if boat.at != At.ASIDE
    ]
    return "\n".join(lines)


def _seats(table: Any, boat: Any) -> str:
    if boat.at != At.SEA:
        return f"ashore {boat.arrival}" if boat.at == At.ASHORE else "sunk"
    men = "".join(
        LETTERS[seat] * boat.crew[seat][0] + LETTERS[seat].lower() * boat.crew[seat][1] for seat in range(SEATS)
    )
    return f"{men}{LEAK * boat.leaks}".ljust(table.seats, FREE)


def boat_of(match: Match, colour: str) -> str:
    table = match.view().table
    return _seats(table, table.boats[COLOURS.index(colour)])


def phase_of(match: Match) -> str:
    return str(match.view().document()["table"]["phase"])


def vote(match: Match, cards: str) -> None:
    """Play a card for each seat that owes one, in the order of seats: `vote(match, "black captain red green")`."""
    voters, words = match.to_act, cards.split()
    assert len(voters) == len(words), f"{len(words)} cards for the voters {voters}"
    for seat, card in zip(voters, words, strict=True):
        match.play(f"vote {card}", seat)


def pending_choice(match: Match) -> tuple[int, str] | None:
    """Return the seat that has to choose and its choices, `(0, "red green")`; None if no seat has to."""
    if not phase_of(match).endswith("choice"):
        return None
    (seat,) = match.to_act
    return seat, " ".join(code.removeprefix("choose ") for code in match.legal_codes(seat))


def legal_votes(match: Match, seat: int) -> str:
    return " ".join(code.removeprefix("vote ") for code in match.legal_codes(seat))


def men_of_field(match: Match, field: str) -> str:
    """The men of a field such as `lost`, in the characters of a drawing."""
    value = getattr(match.view().table, field)
    return "".join(
        letter if rank == "officer" else letter.lower()
        for seat, letter in enumerate(LETTERS)
        for place, rank in enumerate(RANKS)
        for _ in range(value[seat][place])
    )


def lost_men(match: Match) -> str:
    return men_of_field(match, "lost")


def boats_placed(players: int = 4, start: int = 0, **options: Any) -> Match:
    """A match after the boats are placed in lanes 1, 2, 3, …"""
    match = Match(GAME, players=players, **options)
    match.play(f"start {start}")
    for lane in range(1, players + 2):
        match.play(f"lane {lane}")
    return match


def change_nothing(match: Match) -> None:
    """Play the first legal action until the third phase ends."""
    while phase_of(match) in ("leaving", "boarding"):
        match.play(match.legal_codes()[0])


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
