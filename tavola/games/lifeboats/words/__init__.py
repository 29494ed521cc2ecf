"""The texts of Lifeboats. `tavola.show.cards` describes the hooks.

All texts are made from views. Events and waiting lines are made from the table only, so all viewers get the same.
"""

from tavola.games.lifeboats.components import BALLOTS, CHOICES, Phase, Seen
from tavola.games.lifeboats.words import choices, nouns
from tavola.games.lifeboats.words.consequences import consequence
from tavola.games.lifeboats.words.events import events
from tavola.games.lifeboats.words.help import LESSON, MINUTE, coach
from tavola.games.lifeboats.words.table import table
from tavola.show.cards import Shelf, Shorter, Words
from tavola.show.speech import Say, mark, mark_many, marks
from tavola.show.words import OptionWords, Prompt, Prompts, lesson_of, names_of, tied_seats


def _asking(*messages: str) -> Prompt:
    def prompt(view: Seen, say: Say) -> str:
        message = messages[nouns.choice_reason(view.table.ballot) if len(messages) > 1 else 0]
        told = say(message, names=names_of(view.to_act, say), **_prompt_values(view, say))
        return f"{told} {say(choices.QUESTION[view.table.phase])}"

    return prompt


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    return {"boat": nouns.BOAT(nouns.boat_in_question(view.table), say)}


OWN_CHOICE = marks(
    "Your captain decides.",
    "Only captains were played. As start player, you decide.",
    "It’s a tie. As start player, you decide.",
)
OTHERS_CHOICE = marks(
    "{names}’s captain decides.",
    "Only captains were played. {names} decides as start player.",
    "It’s a tie. {names} decides as start player.",
)
prompt = Prompts(
    over=nouns.result_text,
    chance={Phase.LOT: mark("The start player is chosen at random.")},
    own={
        **dict.fromkeys(CHOICES, _asking(*OWN_CHOICE)),
        **dict.fromkeys(BALLOTS, _asking(mark("Play a card face down."))),
        Phase.OVERBOARD_BALLOT: _asking(mark("{boat:The} is full. Officers count double.")),
        Phase.BOATS: mark("Choose a lane for your {boat:colour} boat."),
        Phase.BLACK_BOAT: mark("As start player, choose a lane for {boat}."),
        Phase.CREW: mark("Put one of your men in any boat with a free seat."),
        Phase.LEAVING: mark("Take one of your men off a boat that no one has left yet."),
        Phase.BOARDING: mark("Your man has left {boat}. Choose another boat for him."),
    },
    others={
        **dict.fromkeys(CHOICES, _asking(*OTHERS_CHOICE)),
        **dict.fromkeys(BALLOTS, _asking(mark("Waiting for {names} to vote."))),
        Phase.OVERBOARD_BALLOT: _asking(mark("{boat:The} is full. Waiting for {names} to vote.")),
        Phase.BOATS: mark("Waiting for {names} to place a boat."),
        Phase.BLACK_BOAT: mark("Waiting for {names}, the start player, to place {boat}."),
        Phase.CREW: mark("Waiting for {names} to put a man in a boat."),
        Phase.LEAVING: mark("Waiting for {names} to take a man off a boat."),
        Phase.BOARDING: mark("Waiting for {names} to board a boat other than {boat}."),
    },
    values=_prompt_values,
)
SCORE = (
    mark_many("{count} officer {island:on}: {points}", "{count} officers {island:on}: {points} each"),
    mark_many("{count} sailor {island:on}: {points}", "{count} sailors {island:on}: {points} each"),
)


def scoring(view: Seen, seat: int, say: Say) -> list[tuple[str, int]]:
    """R31: return how each point of a seat was made; at the end, R32: how a tie was decided, worth 0 points."""
    lines = [
        (say.many(*SCORE[rank], count, island=nouns.ISLAND(island, say), points=worth), count * worth)
        for island, ranks in enumerate(view.table.ashore[seat])
        for rank, (count, worth) in enumerate(zip(ranks, nouns.POINTS[island], strict=True))
        if count
    ] or [(say("No men reached an island"), 0)]
    if view.table.phase == Phase.OVER and (tied := tied_seats(view, seat)):
        arrival = view.table.boats[seat].arrival
        parts = {"names": names_of(tied, say), "boat": nouns.BOAT(seat, say), "number": arrival}
        landed = say("Tied with {names}; {boat} was arrival no. {number}", **parts)
        lines.append((landed if arrival else say("Tied with {names}; {boat} sank", **parts), 0))
    return lines


OPTIONS = OptionWords(
    {
        "players": (mark("Players"), mark("Three to six.")),
        "seats": marks(
            "Seats per boat",
            "Six in the published game. With more seats, boats have more room for leaks and fewer men drown.",
        ),
        "moves": marks(
            "Moves to the islands", "Three in the published game. More moves mean more rounds and more leaks."
        ),
        "islands": marks(
            "Lanes per island",
            "How many lanes lead to the left, middle and right islands. The published game has 2, 2 and 3.",
        ),
        "last_boat_stays": marks(
            "No one leaves the last boat",
            "By the rulebook, a man must leave even the last boat at sea. There’s no other boat for him, so he drowns."
            " If this is on, no one leaves the last boat.",
        ),
    },
    {"islands": {"2-2-3": mark("2, 2, 3 lanes"), "2-3-2": mark("2, 3, 2 lanes"), "3-2-2": mark("3, 2, 2 lanes")}},
)


def eliminated(view: Seen, say: Say) -> str:
    """Return a text if the seat has no men at sea: it still votes on the others' men, but its own points are final."""
    t, seat = view.table, view.seat
    if seat is None or t.phase in (Phase.LOT, Phase.OVER) or any(t.unseated[seat]) or t.behind[seat]:
        return ""
    return "" if nouns.boats_of(t, seat) else say("You have no men left at sea.")


WORDS = Words(
    action=choices.action,
    prompt=prompt,
    reminder=prompt.reminder,
    events=events,
    refusal=choices.refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=lambda say: say(
        "The ship is lost and the lifeboats are leaking. In secret votes you all decide which boat springs a leak, who"
        " goes overboard and which boat moves towards the islands. Promise what you like, and save your captains."
    ),
    shelf=lambda say: Shelf(
        say("Promise everyone a seat, then vote in secret."),
        (35, 60),
        "light",
        (34, 41, 46, 54),
        Shorter("moves", "2", 35),
    ),
    minute=MINUTE,
    argument_label=choices.argument_label,
    ask=choices.ask,
    phases=choices.phases,
    chapter=choices.chapter,
    coach=coach,
    lesson=lesson_of(LESSON),
    choices_key=choices.choices_key,
    consequence=consequence,
    eliminated=eliminated,
    talk=choices.TALK,
)
