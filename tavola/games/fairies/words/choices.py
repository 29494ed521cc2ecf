"""What a seat does by an action, and how it is chosen a step at a time."""

from collections.abc import Callable

from tavola.games.fairies.components import COLOURED_COUNT, PIECES, TURN_PHASES, Phase, Seen
from tavola.games.fairies.words.nouns import FAIRY, HALF, SHIELD, VOCABULARY, any_card, king_card, top_card, wand_card
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Part, phase_strip

DONE_LABELS: dict[int, str] = {
    **dict.fromkeys(Phase, mark("Do not heal")),
    Phase.EMPOWER: mark("No more cards"),
    Phase.ENERGY: mark("Do nothing"),
    Phase.RESTORE: mark("Leave the rest covered"),
    Phase.LAST_PLAYS: mark("Pass"),
}


def action(view: Seen, action: int, say: Say) -> str:
    """Name what a seat does by an action."""
    verb, places = view.game.actions.action(action)
    return _ACTIONS[verb](view, places, say)


def _lay(view: Seen, places: Indices, say: Say) -> str:
    card, owner = wand_card(places[0], say), places[1]
    if owner == view.seat:
        return say("{card} on your own wand", card=card)
    return say("{card} on the wand of {name}", card=card, name=say.name(owner))


def _joker(view: Seen, places: Indices, say: Say) -> str:
    parts = {"card": wand_card(COLOURED_COUNT + places[0], say), "half": HALF(places[2], say)}
    if places[1] == view.seat:
        return say("{card} on your own wand: {half}", **parts)
    return say("{card} on the wand of {name}: {half}", name=say.name(places[1]), **parts)


def _blue(view: Seen, places: Indices, say: Say) -> str:
    owner, half = places
    kind = top_card(view.table, owner, half)
    parts = {"card": wand_card(kind, say) if kind >= 0 else HALF(half, say), "name": say.name(owner)}
    if kind >= COLOURED_COUNT:
        return say("Blue fairy: take {card} from {name}: {half}", half=HALF(half, say), **parts)
    return say("Blue fairy: take {card} from {name}", **parts)


def _cover(view: Seen, places: Indices, say: Say) -> str:
    owner, fairy = places
    return say("All three: cover {fairy} of {name}", fairy=FAIRY(fairy, say), name=say.name(owner))


def _take(view: Seen, places: Indices, say: Say) -> str:
    """R30: the seat alone knows which shield it looks at."""
    card = view.hand.grid[view.table.place - 1] if view.hand and view.table.place else 0
    return say("Take {shield}", shield=SHIELD(card - 1 - PIECES, say)) if card > PIECES else say("Take the shield")


_ACTIONS: dict[str, Callable[[Seen, Indices, Say], str]] = {
    "first": lambda view, places, say: say("The lot: {name} begins", name=say.name(places[0])),
    "deal": lambda view, places, say: say("Deal {card}", card=wand_card(places[0], say)),
    "steal": lambda view, places, say: say("Steal {card}", card=any_card(places[0], say)),
    "king": lambda view, places, say: say("The card is {card}", card=king_card(places[0], say)),
    "done": lambda view, places, say: say(DONE_LABELS[view.table.phase]),
    "lay": _lay,
    "joker": _joker,
    "return": lambda view, places, say: say("Shuffle {card} back", card=wand_card(places[0], say)),
    "green": lambda view, places, say: say("Green fairy: steal a card from {name}", name=say.name(places[0])),
    "blue": _blue,
    "red": lambda view, places, say: say("Red fairy: take {shield}", shield=SHIELD(places[0], say)),
    "cover": _cover,
    "use": lambda view, places, say: say("Use {shield}", shield=SHIELD(places[0], say)),
    "wake": lambda view, places, say: say("Turn up {fairy}", fairy=FAIRY(places[0], say)),
    "turn": lambda view, places, say: say("Turn up the King's card {place}", place=places[0] + 1),
    "look": lambda view, places, say: say("Look at the King's card {place}", place=places[0] + 1),
    "heal": lambda view, places, say: say("Heal the King") if not view.table.pile else say("Heal, and draw a card"),
    "take": _take,
    "leave": lambda view, places, say: say("Put it back"),
    "crown": lambda view, places, say: say("Lay the King's shield: the King rises"),
}

# A step at a time

VERB_LABELS = {
    "lay": mark("Play a card"),
    "joker": mark("Play a joker"),
    "green": mark("Steal a card"),
    "blue": mark("Exchange a card"),
    "red": mark("Take a shield"),
    "cover": mark("Cover a fairy"),
    "use": mark("Use a shield"),
    "wake": mark("Turn up a fairy"),
    "turn": mark("Turn up a card"),
    "crown": mark("King's shield"),
}
"""What stands for a verb beside others."""
FIRST_QUESTIONS = {
    "green": mark("Green power: against whom?"),
    "blue": mark("Blue power: against whom?"),
    "red": mark("Red power: which shield?"),
    "cover": mark("All three: against whom?"),
    "use": mark("Use a shield: which?"),
    "wake": mark("Turn up a covered fairy: which?"),
    "return": mark("Which wand card goes back into the deck?"),
}
"""What is asked first after a verb."""
ASK = {
    "seat": mark("Whose wand?"),
    "half": mark("On which half?"),
    "fairy": mark("Which fairy?"),
    "place": mark("Which of the King's cards?"),
    "card": mark("Which card?"),
    "wand": mark("Which card?"),
    "value": mark("Which card?"),
}


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    """One value of an argument, for a button."""
    if argument == "seat" and place == view.seat:
        return say("Your own")
    return VOCABULARY.value_label(view, verb, argument, place, say)


def verb_label(view: Seen, verb: str, say: Say) -> str:
    """Name a verb where several are open; empty for one that is told whole."""
    return say(VERB_LABELS[verb]) if verb in VERB_LABELS else ""


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    """The question for the next argument of a verb."""
    if not chosen and verb in FIRST_QUESTIONS:
        return say(FIRST_QUESTIONS[verb])
    if verb == "first":
        return say("Who begins?")
    if argument == "half" and verb == "blue":
        return say("Which card do you take?")
    return say(ASK[argument])


BEFORE = (Part(mark("Lot"), (Phase.LOT,)), Part(mark("Dealing"), (Phase.DEAL,)))
TURN_PARTS = tuple(map(Part, (mark("Empower"), mark("Energy"), mark("Heal"), mark("Wake")), TURN_PHASES))
END = (Part(mark("Last plays"), (Phase.LAST_PLAYS,)), Part(mark("The end"), (Phase.OVER,)))


def phases(view: Seen, say: Say) -> list[tuple[str, bool]]:
    """The parts of a turn, or of what comes before the first and after the last."""
    phase = view.table.phase
    parts = BEFORE if phase <= Phase.DEAL else END if phase >= Phase.LAST_PLAYS else TURN_PARTS
    return phase_strip(parts, phase, say)


def chapter(view: Seen, say: Say) -> str:
    """The heading under which the log groups what is done now."""
    t = view.table
    if t.phase >= Phase.LAST_PLAYS:
        return say("The end")
    return say("Round {round}", round=t.begun) if t.begun else say("Before the first round")
