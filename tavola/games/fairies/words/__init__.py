"""The sentences of Fairies. `tavola.show.cards` says what each hook is for."""

from functools import partial

from tavola.games.fairies.components import LAST_CARDS, Phase, Seen
from tavola.games.fairies.words.choices import TALK, action, argument_label, ask, chapter, phases, refusal, verb_label
from tavola.games.fairies.words.consequences import consequence, sensible
from tavola.games.fairies.words.events import events
from tavola.games.fairies.words.help import LESSON, MINUTE, coach
from tavola.games.fairies.words.table import scoring, table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompt, Prompts, say_lesson, victory_sentence


def _prompt_if_any(some: str, none: str) -> Prompt:
    """Ask `some` where there is a choice, tell `none` where one action alone is open."""
    return lambda view, say: say(none if len(view.legal) == 1 else some)


def _empower_prompt(view: Seen, say: Say) -> str:
    count = _cards_left(view)
    if not count:
        return say("You have played as many wand cards as a turn has.")
    return say("Play wand cards, on your wands or on others': {count} left.", count=count)


def _cards_left(view: Seen) -> int:
    """R7, R38: how many cards may still be played."""
    t = view.table
    return LAST_CARDS - t.fairies[t.seat].last if t.phase == Phase.LAST_PLAYS else (4 if t.used & 1 else 3) - t.laid


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    t = view.table
    return {"name": say.name(t.seat), "victim": say.name(t.victim), "count": _cards_left(view)}


prompt = Prompts(
    over=victory_sentence,
    chance={
        Phase.LOT: mark("The lot decides who begins."),
        Phase.DEAL: mark("The wand cards are being dealt."),
        Phase.DRAW: mark("{name} draws wand cards."),
        Phase.STEAL: mark("{name} steals a card from {victim}."),
        Phase.REFILL: mark("{victim} draws a wand card."),
        Phase.REVEAL: mark("{name} turns up one of the King's cards."),
        Phase.GLIMPSE: mark("{name} looks at one of the King's cards."),
    },
    own={
        Phase.EMPOWER: _empower_prompt,
        Phase.DISCARD: mark("Which wand card goes back into the deck?"),
        Phase.ENERGY: _prompt_if_any(
            mark("Use a power or a shield, or do nothing."), mark("No power and no shield can be used now.")
        ),
        Phase.EQUAL: mark("Which power do you use? As much mana is enough."),
        Phase.EXCHANGE: mark("Lay a card on a wand of {victim} in exchange."),
        Phase.HEAL: _prompt_if_any(
            mark("Heal the King, use a shield, or do nothing."),
            mark("The King cannot be healed now: that needs two active fairies."),
        ),
        Phase.CHOOSE: mark("Take the shield, or put it back?"),
        Phase.LOOK: mark("Which of the King's cards do you look at?"),
        Phase.PICK: mark("Which of the two do you turn up?"),
        Phase.RESTORE: mark("Turn up your covered fairies?"),
        Phase.LAST_PLAYS: mark("The last plays: {count} cards at most, on active fairies."),
    },
    others={
        **dict.fromkeys(Phase, mark("{name} decides.")),
        Phase.EMPOWER: mark("{name} empowers wands."),
        Phase.ENERGY: mark("{name} thinks about powers and shields."),
        Phase.HEAL: mark("{name} thinks about healing."),
        Phase.LAST_PLAYS: mark("The last plays: {name} may play a card."),
    },
    values=_prompt_values,
)


OPTION = {
    "players": marks(
        "Players",
        "Two to four. With two you watch one opponent closely; with more, powers find a victim more often.",
    ),
    "rounds": marks(
        "Rounds at most",
        "The rulebook has no other end than the King's shield, and who holds it may not want to end a lost "
        "match. Decided here: after so many rounds everybody counts the own wands once, and the match is over. "
        "0 is the letter of the rulebook.",
    ),
    "first_player": marks(
        "First player",
        "The rulebook lets you choose; decided here: the lot, or a seat you agree on.",
    ),
}


OPTIONS = OptionWords(
    OPTION,
    values={"first_player": {"random": mark("drawn by lot")}, "rounds": {"0": mark("without end")}},
    seats=("first_player",),
)


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
        "Three fairies each, and King Arthur wounded in a window of glass. Complete their wands to wake them, rob and "
        "cover the fairies of the others, and heal the King piece by piece, until he rises."
    ),
    shelf=lambda say: Shelf(say("Wake your fairies and heal a king of glass."), (30, 60), "medium"),
    minute=MINUTE,
    argument_label=argument_label,
    ask=ask,
    phases=phases,
    chapter=chapter,
    coach=coach,
    lesson=partial(say_lesson, LESSON),
    verb_label=verb_label,
    consequence=consequence,
    sensible=sensible,
    talk=TALK,
)
