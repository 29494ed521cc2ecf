"""The table as text, for the terminal: readable without colour, at most 100 columns wide."""

from collections.abc import Sequence

from tavola.core.text import isolated, shorten
from tavola.games.lifeboats.components import CAPTAIN, LANES, OFFICER, SAILOR, At, Ballot, Boat, Phase, Seen, Table
from tavola.games.lifeboats.words import nouns
from tavola.games.lifeboats.words.nouns import BOAT, COLOUR, ISLAND, POINTS, island_of
from tavola.show.speech import Say, marks
from tavola.show.words import columns, wrap_notes

PHASE = marks(
    "drawing lots",
    "placing the boats",
    "placing the black boat",
    "seating the men",
    "vote on the leak",
    "choosing the boat for the leak",
    "vote on who goes overboard ({boat})",
    "choosing who goes overboard ({boat})",
    "vote on the move",
    "choosing the boat that moves",
    "leaving the boats",
    "boarding the boats",
    "the end",
)
LAST_BALLOT = marks(
    "Last vote (leak): {votes}. Chosen: {colour}.",
    "Last vote (overboard): {votes}. Chosen: {colour}.",
    "Last vote (move): {votes}. Chosen: {colour}.",
)
OPEN_BALLOT = marks(
    "Last vote (leak): {votes}. Not decided yet.",
    "Last vote (overboard): {votes}. Not decided yet.",
    "Last vote (move): {votes}. Not decided yet.",
)
LETTER = marks("O", "s")
LONGEST_NAME = 12


def table(view: Seen, say: Say) -> list[str]:
    t = view.table
    head = [say("Lane"), say("Route"), say("Island"), say("Boat"), say("Seats")]
    lanes = columns([head, *(_lane_row(t, lane, say) for lane in range(1, LANES + 1))])
    lines = [_headline(t, say), "", *lanes, "", *columns(_player_rows(view, say)), ""]
    parts = {"officer": say(LETTER[OFFICER]), "sailor": say(LETTER[SAILOR])}
    notes = [say("{officer} officer, {sailor} sailor, # leak, . free seat, * start player, > to play", **parts)]
    if t.ballots:
        notes.append(_last_ballot(t.ballot, say))
    if view.seat is not None:
        notes.append(say("You’re player {number} ({colour}).", number=view.seat + 1, colour=say(COLOUR[view.seat])))
    if view.hand and view.hand.card == CAPTAIN:
        notes.append(say("Your face-down card: a captain."))
    elif view.hand and view.hand.card:
        notes.append(say("Your face-down card: {colour}.", colour=say(COLOUR[view.hand.card - 1])))
    return [*lines, *wrap_notes(notes)]


def _headline(t: Table, say: Say) -> str:
    phase = say(PHASE[t.phase], boat=BOAT(nouns.boat_in_question(t), say))
    if not t.rounds:
        return say("Before the first round: {phase}", phase=phase)
    return say("Round {round}: {phase}", round=t.rounds, phase=phase)


def _lane_row(t: Table, lane: int, say: Say) -> list[str]:
    island = island_of(t, lane)
    officer, sailor = POINTS[island]
    letters = [say(letter) for letter in LETTER]
    values = f"{officer}{letters[OFFICER]} {sailor}{letters[SAILOR]}"
    name = f"{ISLAND(island, say):short} {values}"
    for place, boat in enumerate(t.boats):
        if boat.lane == lane:
            return [str(lane), _lane_text(t, boat), name, say(COLOUR[place]), _seats(t, boat, letters, say)]
    return [str(lane), _lane_text(t, None), name, "", ""]


def _lane_text(t: Table, boat: Boat | None) -> str:
    waves = ["~"] * t.moves + [" "]
    if boat:
        waves[boat.row] = "x" if boat.at == At.SUNK else ">"
    return f"{' '.join(waves[:-1])} [{waves[-1]}]"


def _seats(t: Table, boat: Boat, letters: list[str], say: Say) -> str:
    if boat.at == At.ASHORE:
        return say("arrival no. {number}", number=boat.arrival)
    if boat.at == At.SUNK:
        return say("sunk")
    men = [f"{seat + 1}{letters[rank]}" for seat, rank in nouns.men_aboard(boat)]
    free = t.seats - len(men) - boat.leaks
    return " ".join([*men, *["#"] * boat.leaks, *["."] * free])


def _player_rows(view: Seen, say: Say) -> list[list[str]]:
    t, points = view.table, view.standing.points
    islands = [say(island) for island in ISLAND.forms["short"]]
    head = ["", say("Player"), say("Boat"), say("Captains"), _heading(t, say), *islands, say("Lost"), say("Points")]
    return [head, *(_player_row(t, seat, seat in view.to_act, points[seat], say) for seat in range(t.players))]


def _heading(t: Table, say: Say) -> str:
    if t.phase <= Phase.CREW:
        return say("To seat")
    return say("In water") if t.phase in (Phase.LEAVING, Phase.BOARDING) else say("Ballot")


def _player_row(t: Table, seat: int, owing: bool, points: int, say: Say) -> list[str]:
    letters = [say(letter) for letter in LETTER]
    starts = " *" if seat == t.starter and t.phase != Phase.LOT else ""
    name = f"{seat + 1} {isolated(shorten(say.name(seat), LONGEST_NAME))}{starts}"
    men = [_letters(ranks, letters) for ranks in (*t.ashore[seat], t.lost[seat])]
    now = _phase_cell(t, seat, letters, say)
    return [">" if owing else " ", name, say(COLOUR[seat]), str(t.captains[seat]), now, *men, str(points)]


def _phase_cell(t: Table, seat: int, letters: list[str], say: Say) -> str:
    if t.phase <= Phase.CREW:
        return _letters(t.unseated[seat], letters)
    if t.behind[seat]:
        return f"{letters[t.behind_rank[seat]]} ({say(COLOUR[t.behind[seat] - 1])})"
    return say("voted") if t.voted >> seat & 1 else ""


def _letters(ranks: Sequence[int], letters: list[str]) -> str:
    return "".join(map(str.__mul__, letters, ranks))


def _last_ballot(ballot: Ballot, say: Say) -> str:
    messages = LAST_BALLOT if ballot.chosen else OPEN_BALLOT
    parts = {"votes": nouns.votes_text(ballot, say), "colour": say(COLOUR[ballot.chosen - 1])}
    return say(messages[ballot.kind - 1], **parts)
