"""The texts of Expedition. `tavola.show.cards` describes the hooks."""

from tavola.games.expedition.components import VOUCHERS_A_TURN, Phase, Seen
from tavola.games.expedition.words import choices
from tavola.games.expedition.words.events import events
from tavola.games.expedition.words.help import LESSON, MINUTE, coach
from tavola.games.expedition.words.nouns import COLOUR, TALK, place_label
from tavola.games.expedition.words.refusals import refusal
from tavola.games.expedition.words.table import scoring, table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompts, lesson_of, victory_sentence


def _placing_prompt(view: Seen, say: Say) -> str:
    if not view.table.variant_b and len(view.legal) == 1:
        return say("None of your places can take a token.")
    return _placing_reminder(view, say)


def _placing_reminder(view: Seen, say: Say) -> str:
    t = view.table
    if t.variant_b:
        return say("Where do you place {name}’s token?", name=say.name((t.seat - 1) % t.players))
    return say("Which of your places gets a token?")


def _turn_prompt(view: Seen, say: Say) -> str:
    left = min(VOUCHERS_A_TURN - view.table.used, view.table.explorers[view.table.seat].vouchers)
    if not view.table.placed:
        if len(view.legal) == 1:
            return say("You can’t place an arrow.")
        if not left:
            return say("Place an arrow.")
        return say.many(
            "Place an arrow. You may also play {count} voucher.",
            "Place an arrow. You may also play up to {count} vouchers.",
            left,
        )
    return say.many(
        "Play {count} more voucher or end your turn.", "Play up to {count} vouchers or end your turn.", left
    )


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    t = view.table
    place, colour = place_label(max(0, t.arrived - 1), say), COLOUR(max(0, t.due - 1), say)
    return {"name": say.name(t.seat), "place": place, "colour": colour}


PLAYS = mark("It’s {name}’s turn.")
prompt = Prompts(
    over=victory_sentence,
    chance={
        Phase.DEAL: mark("The cards are being dealt."),
        Phase.REVEAL: mark("The public goals are revealed."),
        Phase.MEND: mark("{name} draws another card."),
        Phase.CLAIM: mark("Who has the {place} card?"),
        Phase.DRAW: mark("{name} draws two cards."),
        Phase.REFILL: mark("A new public goal is revealed."),
    },
    own={
        Phase.TOKENS: _placing_prompt,
        Phase.TURN: _turn_prompt,
        Phase.EXTRA: mark("Place your voucher’s arrow."),
        Phase.LOOP: mark("You closed a loop: lead {colour:the} on at once."),
        Phase.GREEN: mark("Green station: one more arrow, or none."),
        Phase.KEEP: mark("Which of the two cards do you keep?"),
    },
    others={
        Phase.TOKENS: mark("{name} places a token."),
        Phase.TURN: PLAYS,
        Phase.EXTRA: PLAYS,
        Phase.LOOP: mark("{name} leads {colour:the} out of its loop."),
        Phase.GREEN: mark("{name} may place one more arrow."),
        Phase.KEEP: mark("{name} chooses one of two cards."),
    },
    public={Phase.TOKENS: _placing_reminder},
    values=_prompt_values,
)

OPTION = {
    "players": marks(
        "Players", "Two to six. With fewer players your turn comes more often; with more, more places are wanted."
    ),
    "variant_a": marks(
        "Variant A",
        "Everyone places as many of their ten tokens as they like. An expedition can leave a loop only from a point of"
        " its last loop.",
    ),
    "variant_b": marks(
        "Variant B",
        "No cards: the player on your left places eight of your tokens, and the first to get all of their own tokens"
        " back wins. With variant A: tokens as here, loops as there.",
    ),
    "token_distance": marks(
        "Token distance from START",
        "The minimum distance between a token and START, in arrows: two in the rulebook, three in the new edition.",
    ),
    "first_lines": marks(
        "Lines from START",
        "In the rulebook, a new expedition needs a line from START with no arrow on it. In the new edition, colours"
        " share these lines like any other lines.",
    ),
    "goals_by_removal": marks(
        "Public goals by removal",
        "Whether you also take a public goal when you remove an arrow and the expedition is back on it. The rulebook"
        " only mentions placing arrows.",
    ),
    "last_round": marks(
        "The last round",
        "When a player plays their last card, either the round is finished, so that everyone has had the same number"
        " of turns, or everyone else gets one more turn.",
    ),
    "ties": marks(
        "A tie",
        "The rulebook doesn’t say who wins a tie. Either the win is shared or, as in the new edition, the player with"
        " more vouchers wins.",
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

WORDS = Words(
    action=choices.action,
    prompt=prompt,
    reminder=prompt.reminder,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=lambda say: say(
        "Three expeditions cross the world from Lisbon, and everyone steers them: one arrow a turn, towards the"
        " seventy-nine wonders on their secret cards. Make the most of what the others do, and reach your goals before"
        " the arrows run out."
    ),
    shelf=lambda say: Shelf(
        say("Three expeditions that everyone steers: lead them to your wonders."),
        (30, 60),
        "light",
        (26, 20, 14, 13, 12),
    ),
    minute=MINUTE,
    argument_label=choices.argument_label,
    ask=choices.ask,
    phases=choices.phases,
    chapter=choices.chapter,
    coach=coach,
    lesson=lesson_of(LESSON),
    verb_label=choices.verb_label,
    consequence=choices.consequence,
    sensible=choices.sensible,
    led_by=choices.led_by,
    won_points=choices.won_points,
    narrowing_questions=choices.narrowing_questions,
    talk=TALK,
)
