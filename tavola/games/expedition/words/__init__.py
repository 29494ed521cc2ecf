"""The sentences of Expedition. `tavola.show.cards` says what each hook is for."""

from tavola.games.expedition.components import VOUCHERS_A_TURN, Phase, Seen
from tavola.games.expedition.words import choices
from tavola.games.expedition.words.events import events
from tavola.games.expedition.words.help import MINUTE, coach, lesson
from tavola.games.expedition.words.nouns import COLOUR, TALK, place_label
from tavola.games.expedition.words.refusals import refusal
from tavola.games.expedition.words.table import scoring, table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompts, victory_sentence


def _placing_prompt(view: Seen, say: Say) -> str:
    t = view.table
    if t.variant_b:
        return say("Where does a token of {name} go?", name=say.name((t.seat - 1) % t.players))
    if len(view.legal) == 1:
        return say("None of your cards can take a token.")
    return say("Which of your places gets a token?")


def _turn_prompt(view: Seen, say: Say) -> str:
    left = min(VOUCHERS_A_TURN - view.table.used, view.table.explorers[view.table.seat].vouchers)
    if not view.table.placed:
        if len(view.legal) == 1:
            return say("No arrow can be laid.")
        return say.many(
            "Lay an arrow; you may play {count} voucher.", "Lay an arrow; you may play {count} vouchers.", left
        )
    return say.many(
        "Play {count} more voucher, or end the turn.",
        "Play up to {count} vouchers, or end the turn.",
        left,
    )


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    t = view.table
    place, colour = place_label(max(0, t.arrived - 1), say), COLOUR(max(0, t.due - 1), say)
    return {"name": say.name(t.seat), "place": place, "colour": colour}


PLAYS = mark("{name} plays.")
prompt = Prompts(
    over=victory_sentence,
    chance={
        Phase.DEAL: mark("The cards are being dealt."),
        Phase.REVEAL: mark("Public goals are turned up."),
        Phase.MEND: mark("{name} draws another card."),
        Phase.CLAIM: mark("Who has the card of {place}?"),
        Phase.DRAW: mark("{name} draws two cards."),
        Phase.REFILL: mark("A new public goal is turned up."),
    },
    own={
        Phase.TOKENS: _placing_prompt,
        Phase.TURN: _turn_prompt,
        Phase.EXTRA: mark("The voucher: lay one more arrow."),
        Phase.LOOP: mark("{colour:The} has closed a loop: lead it on at once."),
        Phase.GREEN: mark("Green station: one more arrow, or none."),
        Phase.KEEP: mark("Which of the two cards do you keep?"),
    },
    others={
        Phase.TOKENS: mark("{name} places a token."),
        Phase.TURN: PLAYS,
        Phase.EXTRA: PLAYS,
        Phase.LOOP: mark("{name} leads {colour:the} out of its loop."),
        Phase.GREEN: mark("{name} may lay one more arrow."),
        Phase.KEEP: mark("{name} keeps one of two cards."),
    },
    values=_prompt_values,
)

OPTION = {
    "players": marks(
        "Players",
        "Two to six. The fewer you are, the more often it is your turn; the more, the more places are wanted.",
    ),
    "variant_a": marks(
        "Variant A",
        "Everybody places as many of ten tokens as he likes, and a loop is left from the last circle alone.",
    ),
    "variant_b": marks(
        "Variant B",
        "Without cards: your neighbour places eight tokens of yours, and who has all of them back first wins. "
        "With variant A: tokens as here, loops as there.",
    ),
    "token_distance": marks(
        "Tokens from START",
        "How many arrows from START a token must lie at least: two in the rulebook, three in the new edition.",
    ),
    "first_lines": marks(
        "Lines of START",
        "In the rulebook a new expedition takes a line of START without any arrow; in the new edition colours "
        "share these lines like all others.",
    ),
    "goals_by_removal": marks(
        "Public goals by taking away",
        "Whether a public goal is also taken when an arrow is taken away and the expedition stands on it again. "
        "The rulebook speaks of laying an arrow.",
    ),
    "last_round": marks(
        "The last round",
        "When somebody has laid his last card: either the round is finished, so that all have had as many turns, "
        "or everybody else has one turn more.",
    ),
    "ties": marks(
        "A tie",
        "The rulebook does not say who wins a tie: it is shared, or as in the new edition more vouchers win.",
    ),
}
OPTIONS = OptionWords(
    OPTION,
    values={
        "first_lines": {"free": mark("one expedition each"), "shared": mark("shared")},
        "last_round": {"finish": mark("finish the round"), "one-more": mark("one more turn each")},
        "ties": {"shared": mark("shared"), "vouchers": mark("more vouchers")},
    },
)


def about(say: Say) -> str:
    return say(
        "Three expeditions cross the world from Lisbon, and everybody steers them: one arrow a turn, towards the "
        "seventy-nine wonders on secret cards. Use what the others do, and reach your goals before the arrows run out."
    )


def shelf(say: Say) -> Shelf:
    return Shelf(say("Three routes that all may steer: lead them to your wonders."), (30, 60), "light")


WORDS = Words(
    action=choices.action,
    prompt=prompt,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=about,
    shelf=shelf,
    minute=MINUTE,
    argument_label=choices.argument_label,
    ask=choices.ask,
    phases=choices.phases,
    chapter=choices.chapter,
    coach=coach,
    lesson=lesson,
    verb_label=choices.verb_label,
    consequence=choices.consequence,
    sensible=choices.sensible,
    led_by=choices.led_by,
    won_points=choices.won_points,
    narrowing_questions=choices.narrowing_questions,
    talk=TALK,
)
