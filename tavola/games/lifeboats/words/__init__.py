"""The sentences of Lifeboats. `tavola.show.speech` says what each public function is for.

Everything is said from views. Events and what others wait for are read from the table alone, so all hear the same.
"""

from collections.abc import Callable
from typing import Any

from tavola.core import View
from tavola.games.lifeboats.components import (
    BOARD,
    CAPTAIN,
    CREW,
    LEAK,
    LEAK_CHOICE,
    LEAVE,
    LOT,
    MOVE,
    MOVE_CHOICE,
    OFFICER,
    OVER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    PLACE,
    PLACE_BLACK,
)
from tavola.games.lifeboats.words.events import events
from tavola.games.lifeboats.words.help import coach, lesson
from tavola.games.lifeboats.words.phrases import (
    CHOICES,
    COLOUR,
    ON_ISLAND,
    POINTS,
    THE_ISLAND,
    Places,
    aboard,
    boat_in_question,
    island_of,
    names_of,
    owing_seats,
    reason_of,
    the_boat,
    winners_told,
)
from tavola.games.lifeboats.words.refusals import refusal
from tavola.games.lifeboats.words.steps import ask, chapter, part, phases
from tavola.games.lifeboats.words.table import table
from tavola.show.speech import Say, mark

__all__ = [
    "about",
    "action",
    "ask",
    "chapter",
    "coach",
    "events",
    "lesson",
    "option",
    "part",
    "phases",
    "prompt",
    "refusal",
    "scoring",
    "table",
    "value",
]

# Actions

SEAT_A_MAN = (mark("Seat an officer {aboard}"), mark("Seat a sailor {aboard}"))
TAKE_A_MAN = (mark("Take out an officer: leave {boat}"), mark("Take out a sailor: leave {boat}"))
VOTE_FOR = {
    LEAK: mark("Vote for a leak: {boat}"),
    MOVE: mark("Vote for a move: {boat}"),
}
CHOOSE_BOAT = {
    LEAK_CHOICE: mark("Give the leak: {boat}"),
    MOVE_CHOICE: mark("Move {boat}"),
}


def action(view: View, action: int, say: Say) -> str:
    """What a seat does by it, for a button."""
    verb, places = view.game.actions.action(action)
    return _ACTIONS[verb](view, places, say)


def _action_start(view: View, places: Places, say: Say) -> str:
    return say("The lot: {name} begins", name=say.name(places[0]))


def _action_lane(view: View, places: Places, say: Say) -> str:
    lane = places[0] + 1
    return say("Lane {lane}, to {island}", lane=lane, island=say(THE_ISLAND[island_of(view.table, lane)]))


def _action_crew(view: View, places: Places, say: Say) -> str:
    rank, boat = places
    return say(SEAT_A_MAN[rank], aboard=aboard(boat, say))


def _action_vote(view: View, places: Places, say: Say) -> str:
    t, colour = view.table, places[0]
    if colour == CAPTAIN - 1:
        left = 0 if view.seat is None else t.captains[view.seat]
        return say.many("Play a captain ({count} left)", "Play a captain ({count} left)", left)
    if t.phase in VOTE_FOR:
        return say(VOTE_FOR[t.phase], boat=the_boat(colour, say))
    if t.phase == OVERBOARD and colour == view.seat:
        return say("Vote against your own man ({colour})", colour=say(COLOUR[colour]))
    if t.phase == OVERBOARD and colour < t.players:
        return say("Vote against {name} ({colour})", name=say.name(colour), colour=say(COLOUR[colour]))
    return say("Vote {colour}", colour=say(COLOUR[colour]))


def _action_choose(view: View, places: Places, say: Say) -> str:
    t, colour = view.table, places[0]
    if t.phase in CHOOSE_BOAT:
        return say(CHOOSE_BOAT[t.phase], boat=the_boat(colour, say))
    if t.phase == OVERBOARD_CHOICE and colour < t.players:
        return say("Overboard: {name} loses a man ({colour})", name=say.name(colour), colour=say(COLOUR[colour]))
    return say("Choose {colour}", colour=say(COLOUR[colour]))


def _action_leave(view: View, places: Places, say: Say) -> str:
    rank, boat = places
    return say(TAKE_A_MAN[rank], boat=the_boat(boat, say))


def _action_board(view: View, places: Places, say: Say) -> str:
    return say("Board {boat}", boat=the_boat(places[0], say))


_ACTIONS: dict[str, Callable[[View, Places, Say], str]] = {
    "start": _action_start,
    "lane": _action_lane,
    "crew": _action_crew,
    "vote": _action_vote,
    "choose": _action_choose,
    "leave": _action_leave,
    "board": _action_board,
}

# Prompts

ASKED = {
    PLACE: mark("Choose a lane for your boat, {boat}."),
    PLACE_BLACK: mark("Choose a lane for {boat}: as the start player you place it."),
    CREW: mark("Seat one of your men in any boat with a free seat."),
    LEAK: mark("Play a card face down: which boat takes the leak?"),
    MOVE: mark("Play a card face down: which boat moves?"),
    OVERBOARD: mark("Play a card face down: who must go overboard? There is no free seat {aboard}."),
    LEAVE: mark("Take one of your men out of a boat that nobody has left yet in this phase."),
}
ASKED_TO_BOARD = (
    mark("Your officer has left {boat}: choose another boat for him."),
    mark("Your sailor has left {boat}: choose another boat for him."),
)
ASKED_TO_CHOOSE = {
    LEAK_CHOICE: (
        mark("Your captain decides: choose the boat that takes the leak."),
        mark("Everybody played a captain: as the start player, choose the boat that takes the leak."),
        mark("The votes are tied: as the start player, choose the boat that takes the leak."),
    ),
    OVERBOARD_CHOICE: (
        mark("Your captain decides: choose the colour that loses a man {aboard}."),
        mark("Every vote was a captain: as the start player, choose the colour that loses a man {aboard}."),
        mark("The votes are tied: as the start player, choose the colour that loses a man {aboard}."),
    ),
    MOVE_CHOICE: (
        mark("Your captain decides: choose the boat that moves."),
        mark("Everybody played a captain: as the start player, choose the boat that moves."),
        mark("The votes are tied: as the start player, choose the boat that moves."),
    ),
}
AWAITED = {
    PLACE: mark("Waiting for {names} to place a boat."),
    PLACE_BLACK: mark("Waiting for {names}, the start player, to place {boat}."),
    CREW: mark("Waiting for {names} to seat a man."),
    LEAK: mark("Waiting for {names} to vote: which boat takes the leak?"),
    MOVE: mark("Waiting for {names} to vote: which boat moves?"),
    OVERBOARD: mark("Waiting for {names} to vote: who must go overboard? There is no free seat {aboard}."),
    LEAVE: mark("Waiting for {names} to take a man out of a boat."),
    BOARD: mark("Waiting for {names} to board another boat than {boat}."),
}
AWAITED_TO_CHOOSE = {
    LEAK_CHOICE: (
        mark("Waiting for {names}, whose captain decides which boat takes the leak."),
        mark("Everybody played a captain. Waiting for {names}, the start player, to choose the boat for the leak."),
        mark("The votes are tied. Waiting for {names}, the start player, to choose the boat for the leak."),
    ),
    OVERBOARD_CHOICE: (
        mark("Waiting for {names}, whose captain decides who loses a man {aboard}."),
        mark("Every vote was a captain. Waiting for {names}, the start player, to choose who loses a man {aboard}."),
        mark("The votes are tied. Waiting for {names}, the start player, to choose who loses a man {aboard}."),
    ),
    MOVE_CHOICE: (
        mark("Waiting for {names}, whose captain decides which boat moves."),
        mark("Everybody played a captain. Waiting for {names}, the start player, to choose the boat that moves."),
        mark("The votes are tied. Waiting for {names}, the start player, to choose the boat that moves."),
    ),
}


def prompt(view: View, say: Say) -> str:
    """What is asked of the seat now, or whom everybody waits for."""
    t = view.table
    if t.phase == OVER:
        return winners_told(view, say)
    if t.phase == LOT:
        return say("The lot decides who begins.")
    owing = owing_seats(t)
    boat = boat_in_question(t)
    parts = {"boat": the_boat(boat, say), "aboard": aboard(boat, say)}
    if view.seat in owing:
        return say(_asked(t), **parts)
    awaited = AWAITED_TO_CHOOSE[t.phase][reason_of(t.ballot)] if t.phase in CHOICES else AWAITED[t.phase]
    return say(awaited, names=names_of(owing, say), **parts)


def _asked(t: Any) -> str:
    if t.phase in CHOICES:
        return ASKED_TO_CHOOSE[t.phase][reason_of(t.ballot)]
    return ASKED_TO_BOARD[t.behind_rank[t.turn]] if t.phase == BOARD else ASKED[t.phase]


# Scoring


def scoring(view: View, seat: int, say: Say) -> list[tuple[str, int]]:
    """How each point of a seat was made: R31; and at the end, what a tie came to: R32, worth 0 points."""
    lines = [
        (_score_line(island, rank, count, say), count * POINTS[island][rank])
        for island, ranks in enumerate(view.table.ashore[seat])
        for rank, count in enumerate(ranks)
        if count
    ]
    tie = _tie_line(view, seat, say) if view.table.phase == OVER else None
    return [*(lines or [(say("No man reached an island"), 0)]), *([(tie, 0)] if tie else [])]


def _score_line(island: int, rank: int, count: int, say: Say) -> str:
    parts = {"where": say(ON_ISLAND[island]), "points": POINTS[island][rank]}
    if rank == OFFICER:
        return say.many(
            "{count} officer {where} for {points}", "{count} officers {where} for {points} each", count, **parts
        )
    return say.many("{count} sailor {where} for {points}", "{count} sailors {where} for {points} each", count, **parts)


def _tie_line(view: View, seat: int, say: Say) -> str | None:
    points = view.standing.points
    equal = [other for other in range(view.table.players) if other != seat and points[other] == points[seat]]
    if not equal:
        return None
    names, arrival = names_of(equal, say), view.table.boats[seat].arrival
    boat = the_boat(seat, say)
    if arrival:
        return say("Level with {names}; {boat} arrived as number {number}", names=names, boat=boat, number=arrival)
    return say("Level with {names}; {boat} sank", names=names, boat=boat)


# Options, and the shelf

OPTION = {
    "players": (mark("Players"), mark("Three to six.")),
    "seats": (
        mark("Seats in a boat"),
        mark("Six in the published game. More seats make room for leaks, and fewer men drown."),
    ),
    "moves": (mark("Moves to the islands"), mark("Three in the published game. More moves, more rounds, more leaks.")),
    "islands": (
        mark("Lanes of the islands"),
        mark("How many lanes lead to the left, the middle and the right island: 2, 2 and 3 in the published game."),
    ),
    "last_boat_stays": (
        mark("The last boat stays together"),
        mark(
            "By the rulebook a man must leave even the last boat, and drowns, for there is no other. "
            "Switched on, nobody leaves while a single boat is at sea."
        ),
    ),
}
VALUE = {
    "2-2-3": mark("2, 2, 3 lanes"),
    "2-3-2": mark("2, 3, 2 lanes"),
    "3-2-2": mark("3, 2, 2 lanes"),
    "off": mark("off"),
    "on": mark("on"),
}


def option(name: str, say: Say) -> tuple[str, str]:
    """The title of an option, and what it changes."""
    title, explanation = OPTION[name]
    return say(title), say(explanation)


def value(name: str, word: str, say: Say) -> str:
    """The name of one value of an option."""
    return say(VALUE[word]) if word in VALUE else word


def about(say: Say) -> str:
    """The game in a sentence or two."""
    return say(
        "The ship is lost, the boats are leaking. In secret ballots you decide together which boat takes a leak, "
        "who goes overboard and which boat rows on to the islands: promise what you like, and keep your captains."
    )
