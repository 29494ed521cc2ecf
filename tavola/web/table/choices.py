"""The actions allowed now, as a form shows them: every one a button with a whole sentence, and the short words and
questions by which a page narrows them down.
"""

from collections.abc import Sequence
from functools import lru_cache
from json import dumps
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Game, Verb, View
from tavola.live import Room
from tavola.show.speech import Say
from tavola.show.words import Consequence
from tavola.web.door.visitor import site_say
from tavola.web.render import render_cached, render_fragment

MOST_BUTTONS = 24
"""A verb with more actions than this is asked by a list instead of buttons."""
CODE_SLOT, PROMPT_SLOT, DOES_SLOT, SENSIBLE_SLOT, AHEAD_SLOT = "\ue003", "\ue004", "\ue00c", "\ue017", "\ue019"
"""Marks for a room's code, the number of a decision, what each choice does, which are sensible, and what may be chosen
ahead, in a form that is kept: nobody can write these."""
WORD_SEPARATOR = "›"
"""Between the words that lead to an argument and the one for its value."""


class Choice(NamedTuple):
    """One action: its code, its sentence, and a short word for its verb and each argument, separated by bars.

    An argument with very many values is come to by coarser words before it, as in `Africa›Timbuktu`.
    """

    code: str
    label: str
    words: str

    @property
    def button(self) -> Markup:
        """As it stands in a form: most tables ask the same."""
        return _button_markup(self)


Groups = tuple[tuple[Choice, ...], ...]
"""Actions by verb."""


class Choices(NamedTuple):
    """All that a form needs to know of what may be played: buttons and lists by verb, questions, verbs of plans.

    `open`: whoever comes first acts.
    """

    groups: Groups = ()
    lists: Groups = ()
    questions: str = "{}"
    planned_verbs: str = ""
    draft_verbs: str = ""
    open: bool = False
    shows_seat_colours: bool = False


NO_CHOICES = Choices()
"""Nothing may be played."""


def legal_choices(view: View, say: Say, *, tried: bool = False) -> Choices:
    """Return what the view's seat may play; `tried`: steps of a plan have led here."""
    groups, lists = group_choices(view, say, tried=tried)
    return Choices(
        groups,
        lists,
        questions_json(view, say),
        planned_verbs(view),
        draft_verbs(view),
        view.open,
        shows_seat_colours(view),
    )


def choices_key(view: View) -> object:
    """Return what the doors depend on besides language and names at the table; None where the game does not tell."""
    told = view.game.words.choices_key
    return None if told is None else (view.legal, view.open, told(view))


@lru_cache(maxsize=8192)
def _button_markup(door: Choice) -> Markup:
    written = '<button name="code" value="{}" class="button action" data-words="{}">{}</button>'
    return Markup(written).format(door.code, door.words, door.label)


def group_choices(view: View, say: Say, *, tried: bool = False) -> tuple[Groups, Groups]:
    """The legal actions by verb: those that fit on buttons, and those that need a list.

    `tried`: steps of a plan have led here, and a ballot is no part of one.
    """
    verbs: dict[str, list[int]] = {}
    for number in view.legal:
        verb = view.game.actions.verb(number)
        if not tried or may_be_in_plan(verb):
            verbs.setdefault(verb.name, []).append(number)
    groups = [_verb_choices(view, numbers, say) for numbers in verbs.values()]
    few, many = ([group for group in groups if (len(group) <= MOST_BUTTONS) is fits] for fits in (True, False))
    return tuple(few), tuple(many)


def _verb_choices(view: View, numbers: Sequence[int], say: Say) -> tuple[Choice, ...]:
    begin = verb_words(view, numbers[0], say)
    return tuple(_choice(view, number, begin, say) for number in numbers)


def _choice(view: View, number: int, begin: str, say: Say) -> Choice:
    actions, words = view.game.actions, view.game.words
    action = actions.action(number)
    parts = [begin]
    for step, argument in enumerate(actions.verb_by_name[action.verb].arguments):
        leading = [word for _, word in words.narrowing_questions(view, number, step, say)]
        parts.append(
            WORD_SEPARATOR.join(
                [*leading, words.argument_label(view, action.verb, argument, action.indices[step], say)]
            )
        )
    return Choice(actions.code(number), words.action(view, number, say), "|".join(parts))


def verb_words(view: View, number: int, say: Say) -> str:
    """Return the words for a verb where several are open: the game's word, its first question, or the whole action."""
    actions, words = view.game.actions, view.game.words
    verb = actions.action(number).verb
    first = next(iter(actions.verb_by_name[verb].arguments), None)
    if begin := words.verb_label(view, verb, say):
        return begin
    return words.ask(view, verb, first, (), say) if first else words.action(view, number, say)


def questions_json(view: View, say: Say) -> str:
    """The questions of a decision, as JSON: what is asked next after each beginning of a code, by that beginning.

    The words that lead to an argument are parts of a beginning like the names of those before it.
    """
    actions, words, found = view.game.actions, view.game.words, dict[str, str]()
    for number in view.legal:
        verb, places = actions.action(number)
        chosen, *names = actions.code(number).split(" ")
        for step, argument in enumerate(actions.verb_by_name[verb].arguments):
            for question, word in words.narrowing_questions(view, number, step, say):
                found.setdefault(chosen, question)
                chosen = f"{chosen} {word}"
            if chosen not in found:
                found[chosen] = words.ask(view, verb, argument, places[:step], say)
            chosen = f"{chosen} {names[step]}"
    return dumps(found, ensure_ascii=False)


def consequences_json(view: View, say: Say) -> str:
    """What each choice does now, as JSON: by each beginning of a code the brief words, the sentence and the tone."""
    actions, tell, found = view.game.actions, view.game.words.consequence, dict[str, Consequence]()
    for number in view.legal:
        words = actions.code(number).split(" ")
        for step in range(len(words)):
            chosen = " ".join(words[: step + 1])
            if chosen not in found and (told := tell(view, number, step, say)):
                found[chosen] = told
    return dumps(found, ensure_ascii=False) if found else ""


def sensible_codes(view: View) -> str:
    """The codes of the actions that are lit strongly, separated by bars."""
    return "|".join(view.game.actions.code(number) for number in view.game.words.sensible(view))


def ahead_json(view: View, say: Say) -> str:
    """The ballots that the seat may choose for before they are asked, as JSON; empty where there are no such."""
    foreseen = view.game.words.foreseen(view)
    if foreseen is None:
        return ""
    actions, words, asks = view.game.actions, view.game.words, dict[str, str]()
    ballots = []
    for ballot in foreseen.ballots:
        cards = []
        for number, piece in ballot.items():
            verb, places = actions.action(number)
            told = _choice(view, number, verb_words(view, number, say), say)
            chosen = told.code.split(" ")
            for step, argument in enumerate(actions.verb_by_name[verb].arguments):
                asks[" ".join(chosen[: step + 1])] = words.ask(view, verb, argument, places[:step], say)
            cards.append({"code": told.code, "label": told.label, "words": told.words.split("|"), "piece": piece})
        ballots.append(cards)
    return dumps({"ballots": ballots, "pieces": dict(foreseen.pieces), "asks": asks}, ensure_ascii=False)


def may_be_in_plan(verb: Verb) -> bool:
    """True when an action may follow on the steps of a plan: it can be planned itself, or ends it openly."""
    return verb.planned or not verb.secret


def may_continue_plan(view: View) -> bool:
    """True when the seat may do more in a plan that has come to this."""
    return any(map(may_be_in_plan, map(view.game.actions.verb, view.legal)))


def planned_verbs(view: View) -> str:
    """The verbs that are tried on one's own view before they are played."""
    return " ".join(verb.name for verb in view.game.actions.verbs if verb.planned)


def draft_verbs(view: View) -> str:
    """The verbs of drafts, where whoever comes first acts: planned ones of which nobody hears.

    A plan of these alone is played by what ends it.
    """
    return " ".join(verb.name for verb in view.game.actions.verbs if verb.planned and verb.secret) if view.open else ""


def shows_seat_colours(view: View) -> bool:
    """True when colours among the values are those of seats and their boats, and bear their signs."""
    verbs = {view.game.actions.verb(number).name: view.game.actions.verb(number) for number in view.legal}
    return any("red" in names for verb in verbs.values() for names in verb.arguments.values())


def is_secret_ballot(view: View) -> bool:
    """True when a ballot is asked for, of which nobody else hears: a plan is laid on the table, in part at least."""
    verbs = map(view.game.actions.verb, view.legal)
    return any(verb.secret and not verb.planned for verb in verbs)


@lru_cache(maxsize=1024)
def form_markup(language: str, doors: Choices, steps: str) -> Markup:
    """The form of what may be played: most tables ask the same."""
    return render_fragment(
        "actions.html",
        say=site_say(language),
        code=CODE_SLOT,
        prompt_id=PROMPT_SLOT,
        does=DOES_SLOT,
        sensible=SENSIBLE_SLOT,
        ahead=AHEAD_SLOT,
        steps=steps,
        **doors._asdict(),
    )


@lru_cache(maxsize=4096)
def verb_names(game: Game, numbers: tuple[int, ...]) -> str:
    """The verbs among actions."""
    return " ".join(sorted({game.actions.verb(number).name for number in numbers}))


class Guess(NamedTuple):
    """A player's guess about another: `mark` is the key of a guess, or empty."""

    seat: int
    name: str
    mark: str


def guess_labels(view: View, say: Say) -> list[tuple[str, str]]:
    """Return what may be guessed, pairs of key and label; empty in most games and for who only watches."""
    return view.game.words.guess_labels(view, say) if view.seat is not None else []


def guesses_of_seat(room: Room, seat: int) -> list[Guess]:
    """Return what a seat thinks of every other."""
    noted = room.state.guesses_of(seat)
    return [Guess(other, name, noted.get(other, "")) for other, name in enumerate(room.names) if other != seat]


def guess_editor(room: Room, view: View, say: Say) -> str:
    """The fragment in which a seat notes its guesses; empty where there is nothing to guess."""
    may_be = guess_labels(view, say)
    if not may_be or room.state.phase != "playing" or view.seat is None:
        return ""
    others = tuple(guesses_of_seat(room, view.seat))
    return render_cached("notes.html", say.language, code=room.id, marks=tuple(may_be), others=others)
