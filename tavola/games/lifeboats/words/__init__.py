"""The sentences of Lifeboats. `tavola.show.cards` says what each hook is for.

Everything is said from views. Events and what others wait for are read from the table alone, so all hear the same.
"""

from functools import partial

from tavola.games.lifeboats.components import BALLOTS, CHOICES, Phase, Seen
from tavola.games.lifeboats.words.choices import (
    QUESTION,
    TALK,
    action,
    argument_label,
    ask,
    chapter,
    choices_key,
    phases,
    refusal,
)
from tavola.games.lifeboats.words.consequences import consequence
from tavola.games.lifeboats.words.events import events
from tavola.games.lifeboats.words.help import LESSON, MINUTE, coach
from tavola.games.lifeboats.words.nouns import BOAT, ISLAND, POINTS, boat_in_question, choice_reason, result_text
from tavola.games.lifeboats.words.table import table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, mark_many, marks
from tavola.show.words import OptionWords, Prompt, Prompts, names_of, say_lesson, tied_seats

# Prompts


def _asking(*messages: str) -> Prompt:
    def prompt(view: Seen, say: Say) -> str:
        message = messages[choice_reason(view.table.ballot) if len(messages) > 1 else 0]
        told = say(message, names=names_of(view.to_act, say), **_prompt_values(view, say))
        return f"{told} {say(QUESTION[view.table.phase])}"

    return prompt


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    return {"boat": BOAT(boat_in_question(view.table), say)}


OWN_CHOICE = marks(
    "Your captain decides.",
    "All played captains: you decide, as the start player.",
    "The votes are tied: you decide, as the start player.",
)
OTHERS_CHOICE = marks(
    "The captain of {names} decides.",
    "All played captains: {names} decides, as the start player.",
    "The votes are tied: {names} decides, as the start player.",
)
prompt = Prompts(
    over=result_text,
    chance={Phase.LOT: mark("The lot decides who begins.")},
    own={
        **dict.fromkeys(CHOICES, _asking(*OWN_CHOICE)),
        **dict.fromkeys(BALLOTS, _asking(mark("Play a card face down."))),
        Phase.OVERBOARD_BALLOT: _asking(mark("{boat:The} is full, and officers vote twice.")),
        Phase.BOATS: mark("Choose a lane for your boat, {boat}."),
        Phase.BLACK_BOAT: mark("Choose a lane for {boat}: as the start player you place it."),
        Phase.CREW: mark("Seat one of your men in any boat with a free seat."),
        Phase.LEAVING: mark("Take one of your men out of a boat that nobody has left yet."),
        Phase.BOARDING: mark("Your man has left {boat}: choose another boat for him."),
    },
    others={
        **dict.fromkeys(CHOICES, _asking(*OTHERS_CHOICE)),
        **dict.fromkeys(BALLOTS, _asking(mark("Waiting for {names} to vote."))),
        Phase.OVERBOARD_BALLOT: _asking(mark("{boat:The} is full. Waiting for {names} to vote.")),
        Phase.BOATS: mark("Waiting for {names} to place a boat."),
        Phase.BLACK_BOAT: mark("Waiting for {names}, the start player, to place {boat}."),
        Phase.CREW: mark("Waiting for {names} to seat a man."),
        Phase.LEAVING: mark("Waiting for {names} to take a man out of a boat."),
        Phase.BOARDING: mark("Waiting for {names} to board another boat than {boat}."),
    },
    values=_prompt_values,
)


# Scoring

SCORE = (
    mark_many("{count} officer {island:on} for {points}", "{count} officers {island:on} for {points} each"),
    mark_many("{count} sailor {island:on} for {points}", "{count} sailors {island:on} for {points} each"),
)


def scoring(view: Seen, seat: int, say: Say) -> list[tuple[str, int]]:
    """Return how each point of a seat was made: R31; and at the end, what a tie came to: R32, worth 0 points."""
    lines = [
        (say.many(*SCORE[rank], count, island=ISLAND(island, say), points=worth), count * worth)
        for island, ranks in enumerate(view.table.ashore[seat])
        for rank, (count, worth) in enumerate(zip(ranks, POINTS[island], strict=True))
        if count
    ]
    tie = _tie_line(view, seat, say) if view.table.phase == Phase.OVER else None
    return [*(lines or [(say("No man reached an island"), 0)]), *([(tie, 0)] if tie else [])]


def _tie_line(view: Seen, seat: int, say: Say) -> str | None:
    equal = tied_seats(view, seat)
    if not equal:
        return None
    names, boat, arrival = names_of(equal, say), BOAT(seat, say), view.table.boats[seat].arrival
    if arrival:
        return say("Level with {names}; {boat} arrived as number {number}", names=names, boat=boat, number=arrival)
    return say("Level with {names}; {boat} sank", names=names, boat=boat)


# Options, and the shelf

OPTIONS = OptionWords(
    {
        "players": (mark("Players"), mark("Three to six.")),
        "seats": marks(
            "Seats in a boat",
            "Six in the published game. More seats make room for leaks, and fewer men drown.",
        ),
        "moves": marks(
            "Moves to the islands",
            "Three in the published game. More moves, more rounds, more leaks.",
        ),
        "islands": marks(
            "Lanes of the islands",
            "How many lanes lead to the left, the middle and the right island: 2, 2 and 3 in the published game.",
        ),
        "last_boat_stays": marks(
            "The last boat stays together",
            "By the rulebook a man must leave even the last boat, and drowns, for there is no other. "
            "Switched on, nobody leaves while a single boat is at sea.",
        ),
    },
    {"islands": {"2-2-3": mark("2, 2, 3 lanes"), "2-3-2": mark("2, 3, 2 lanes"), "3-2-2": mark("3, 2, 2 lanes")}},
)


def eliminated(view: Seen, say: Say) -> str:
    """Who has no man at sea votes on for the men of others: his own points stand."""
    t, seat = view.table, view.seat
    if seat is None or t.phase in (Phase.LOT, Phase.OVER) or any(t.unseated[seat]) or t.behind[seat]:
        return ""
    at_sea = any(any(boat.crew[seat]) for boat in t.boats)
    return "" if at_sea else say("None of your men is at sea any more.")


WORDS = Words(
    action=action,
    prompt=prompt,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=lambda say: say(
        "The ship is lost, the boats are leaking. In secret ballots you decide together which boat takes a leak, "
        "who goes overboard and which boat rows on to the islands: promise what you like, and keep your captains."
    ),
    shelf=lambda say: Shelf(say("Promise everybody a place, then vote in secret."), (35, 60), "light"),
    minute=MINUTE,
    argument_label=argument_label,
    ask=ask,
    phases=phases,
    chapter=chapter,
    coach=coach,
    lesson=partial(say_lesson, LESSON),
    choices_key=choices_key,
    consequence=consequence,
    eliminated=eliminated,
    talk=TALK,
)
