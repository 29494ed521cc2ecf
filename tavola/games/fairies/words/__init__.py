"""Sentences of Fairies. `tavola.show.cards` describes the hooks."""

from tavola.games.fairies.components import LAST_CARDS, Phase, Seen
from tavola.games.fairies.words.choices import TALK, action, argument_label, ask, chapter, phases, refusal, verb_label
from tavola.games.fairies.words.consequences import consequence, sensible
from tavola.games.fairies.words.events import events
from tavola.games.fairies.words.help import LESSON, MINUTE, coach
from tavola.games.fairies.words.table import scoring, table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompt, Prompts, lesson_of, victory_sentence


def _prompt_if_any(some: str, none: str) -> Prompt:
    """Return the prompt `some`, or `none` if only one action is legal."""
    return lambda view, say: say(none if len(view.legal) == 1 else some)


def _empower_prompt(view: Seen, say: Say) -> str:
    if not (count := _cards_left(view)):
        return say("You’ve played all your wand cards for this turn.")
    if view.table.laid:
        return say("Play another card? {count} left.", count=count)
    return say("Play a card? {count} left.", count=count)


def _cards_left(view: Seen) -> int:
    """R7, R38: how many cards may still be played."""
    t = view.table
    return LAST_CARDS - t.fairies[t.seat].last if t.phase == Phase.LAST_PLAYS else (4 if t.used & 1 else 3) - t.laid


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    t = view.table
    return {"name": say.name(t.seat), "victim": say.name(t.victim), "count": _cards_left(view)}


ENERGY = mark("Use a power or a shield, or do nothing.")
HEAL = mark("Heal the King, use a shield or do nothing.")
prompt = Prompts(
    over=victory_sentence,
    chance={
        Phase.LOT: mark("The first player is chosen at random."),
        Phase.DEAL: mark("The wand cards are being dealt."),
        Phase.DRAW: mark("{name} is drawing wand cards."),
        Phase.STEAL: mark("{name} is stealing a card from {victim}."),
        Phase.REFILL: mark("{victim} is drawing a wand card."),
        Phase.REVEAL: mark("{name} is turning over one of the King’s cards."),
        Phase.GLIMPSE: mark("{name} is looking at one of the King’s cards."),
    },
    own={
        Phase.EMPOWER: _empower_prompt,
        Phase.DISCARD: mark("Which wand card goes back into the deck?"),
        Phase.ENERGY: _prompt_if_any(ENERGY, mark("You can’t use a power or a shield right now.")),
        Phase.EQUAL: mark("Which power do you use? Equal mana is enough."),
        Phase.EXCHANGE: mark("In exchange, place a card on one of {victim}’s wands."),
        Phase.HEAL: _prompt_if_any(HEAL, mark("You can’t heal the King now: you need two fairies awake.")),
        Phase.CHOOSE: mark("Take the shield or put it back?"),
        Phase.LOOK: mark("Which of the King’s cards do you look at?"),
        Phase.PICK: mark("Which of the two do you turn over?"),
        Phase.RESTORE: mark("Uncover your fairies?"),
        Phase.LAST_PLAYS: mark("Last plays: up to {count} cards, on awake fairies."),
    },
    others={
        **dict.fromkeys(Phase, mark("{name} is deciding.")),
        Phase.EMPOWER: mark("{name} is empowering wands."),
        Phase.ENERGY: mark("Powers and shields: {name} is deciding."),
        Phase.HEAL: mark("Healing: {name} is deciding."),
        Phase.LAST_PLAYS: mark("Last plays: {name} may play a card."),
    },
    public={Phase.ENERGY: ENERGY, Phase.HEAL: HEAL},
    values=_prompt_values,
)

OPTION = {
    "players": marks(
        "Players",
        "Two to four. With two, you watch a single opponent closely; with more, powers find a target more often.",
    ),
    "rounds": marks(
        "Maximum rounds",
        "By the rulebook, only the King’s shield ends the match, and a player who holds it may not want to end a match"
        " they’re losing. So here the match ends after this many rounds, and everyone counts their own wands once. 0"
        " means no limit, as in the rulebook.",
    ),
    "first_player": marks("First player", "The rulebook leaves this to you. Here: at random, or a seat you agree on."),
}

OPTIONS = OptionWords(
    OPTION,
    values={"first_player": {"random": mark("drawn by lot")}, "rounds": {"0": mark("no limit")}},
    seats=("first_player",),
)

WORDS = Words(
    action=action,
    prompt=prompt,
    reminder=prompt.reminder,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=lambda say: say(
        "You each have three fairies, and King Arthur lies wounded in a stained-glass window. Complete wands to wake"
        " your fairies, rob and cover everyone else’s, and heal the King piece by piece until he rises."
    ),
    shelf=lambda say: Shelf(say("Wake your fairies and heal a king of glass."), (30, 60), "medium", (21, 14, 17)),
    minute=MINUTE,
    argument_label=argument_label,
    ask=ask,
    phases=phases,
    chapter=chapter,
    coach=coach,
    lesson=lesson_of(LESSON),
    verb_label=verb_label,
    consequence=consequence,
    sensible=sensible,
    closing=("done",),
    unlogged=("lay", "joker", "turn"),
    talk=TALK,
)
