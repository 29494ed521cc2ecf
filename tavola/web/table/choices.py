"""Legal actions in a form: a button with a whole sentence for each, and the words by which a page narrows them down.

In a correspondence match, a waiting player answers ahead: they choose what to play at their next decisions.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Game, Verb, View
from tavola.live import Room
from tavola.live.commands.ahead import common_answers
from tavola.live.protocol import MOST_ANSWERS
from tavola.live.server_messages import encode
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.show.svg import fill_marks
from tavola.show.words import Consequence
from tavola.web.render import SLOTS, render_cached, render_filled, render_fragment
from tavola.web.requests.visitor import site_say

MOST_BUTTONS = 24
"""Maximum actions of a verb that are shown as buttons; a verb with more is shown as a list."""
PROMPT_SLOT, *OTHER_SLOTS = SLOTS
FORM_SLOTS = dict(zip(("code", "does", "sensible", "ahead"), OTHER_SLOTS, strict=False))
"""Placeholders in a cached form: the number of a decision; and a room's code, the consequences of each choice, the
sensible choices, and the choices ahead."""
LONG_LINE = 90
"""Characters beyond which a coach's line is set smaller."""
WORD_SEPARATOR = "›"
"""Separator between the words that lead to an argument and the word for its value."""


class Choice(NamedTuple):
    """One action: its code, its sentence, and short words for its verb and each argument, separated by bars.

    An argument with very many values is reached by coarser words before it, as in `Africa›Timbuktu`.
    """

    code: str
    label: str
    words: str

    @property
    def button(self) -> Markup:
        """Button in a form; cached, because most tables offer the same choices."""
        return _button_markup(self)


Groups = tuple[tuple[Choice, ...], ...]
"""Actions by verb."""


class Choices(NamedTuple):
    """Contents of a form of legal actions: buttons and lists by verb, and questions.

    `planned_verbs`: those that are tried on the seat's own view before they are played, separated by spaces.

    `draft_verbs`: in an open decision, the planned ones that other seats do not see. A plan with only these is played
    by the action that ends it. `open`: the first seat to act is heard. `closing_verbs`: the game's `Words.closing`.
    """

    groups: Groups = ()
    lists: Groups = ()
    questions: str = "{}"
    planned_verbs: str = ""
    draft_verbs: str = ""
    closing_verbs: str = ""
    open: bool = False
    shows_seat_colours: bool = False


NO_CHOICES = Choices()
"""Choices of a seat that cannot act."""


def legal_choices(view: View, say: Say, *, tried: bool = False) -> Choices:
    """Return the choices of the view's seat; `tried`: the view is the result of a plan's steps."""
    groups, lists = group_choices(view, say, tried=tried)
    planned = [verb for verb in view.game.actions.verbs if verb.planned]
    drafts = [verb for verb in planned if verb.secret and view.open]
    tried_verbs, draft_verbs = (" ".join(verb.name for verb in verbs) for verbs in (planned, drafts))
    questions, closing = questions_json(view, say), " ".join(words_of(view.game).closing)
    return Choices(groups, lists, questions, tried_verbs, draft_verbs, closing, view.open, shows_seat_colours(view))


def choices_key(view: View) -> object:
    """Return what the choices depend on besides language and names; None if the game does not say."""
    told = words_of(view.game).choices_key
    return None if told is None else (view.legal, view.open, told(view))


@lru_cache(maxsize=8192)
def _button_markup(door: Choice) -> Markup:
    written = '<button name="code" value="{}" class="button action" data-words="{}">{}</button>'
    return Markup(written).format(door.code, door.words, door.label)


def group_choices(view: View, say: Say, *, tried: bool = False) -> tuple[Groups, Groups]:
    """Return the legal actions by verb: groups for buttons, and groups that need a list.

    `tried`: the view is the result of a plan's steps; ballots, which cannot be in a plan, are left out.
    """
    verbs: dict[str, list[int]] = {}
    for number in view.legal:
        verb = view.game.actions.verb(number)
        if not tried or may_be_in_plan(verb):
            verbs.setdefault(verb.name, []).append(number)
    groups = []
    for numbers in verbs.values():
        begin = verb_words(view, numbers[0], say)
        groups.append(tuple(_choice(view, number, begin, say) for number in numbers))
    few, many = ([group for group in groups if (len(group) <= MOST_BUTTONS) is fits] for fits in (True, False))
    return tuple(few), tuple(many)


def _choice(view: View, number: int, begin: str, say: Say) -> Choice:
    actions, words = view.game.actions, words_of(view.game)
    action = actions.action(number)
    parts = [begin]
    for step, argument in enumerate(actions.verb_by_name[action.verb].arguments):
        leading = [word for _, word in words.narrowing_questions(view, number, step, say)]
        label = words.argument_label(view, action.verb, argument, action.indices[step], say)
        parts.append(WORD_SEPARATOR.join([*leading, label]))
    return Choice(actions.code(number), words.action(view, number, say), "|".join(parts))


def verb_words(view: View, number: int, say: Say) -> str:
    """Return the words for one of several verbs: the game's label, its first question, or the whole action."""
    actions, words = view.game.actions, words_of(view.game)
    verb = actions.action(number).verb
    first = next(iter(actions.verb_by_name[verb].arguments), None)
    if begin := words.verb_label(view, verb, say):
        return begin
    return words.ask(view, verb, first, (), say) if first else words.action(view, number, say)


def questions_json(view: View, say: Say) -> str:
    """Return the questions of a decision as JSON in markup: for each beginning of a code, the question that follows it.

    The words that lead to an argument are parts of a beginning, like the names of the arguments before it.
    """
    actions, words, found = view.game.actions, words_of(view.game), dict[str, str]()
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
    return json_attribute(found)


def json_attribute(document: object) -> Markup:
    """Return a document as JSON in markup, for an attribute in single quotes, so that its own quotes stay short."""
    return Markup(encode(document).replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;"))


@lru_cache(maxsize=16_384)
def _beginnings(code: str) -> Sequence[tuple[str, str]]:
    """Return the beginnings of a code, the shortest first, each after the one before it: `("crew", "crew sailor")`."""
    return tuple(pairwise(["", *accumulate(code.split(" "), "{} {}".format)]))


def consequences_json(view: View, say: Say) -> str:
    """Return the consequences of choices as JSON in markup: brief words, sentence and tone for beginnings of codes.

    If all choices of a step have the same one, it is left out.
    """
    actions, tell, found = view.game.actions, words_of(view.game).consequence, dict[str, Consequence]()
    choices = dict[str, dict[str, Consequence | None]]()
    for number in view.legal:
        for step, (before, chosen) in enumerate(_beginnings(actions.code(number))):
            options = choices.setdefault(before, {})
            if chosen not in options:
                options[chosen] = tell(view, number, step, say)
    for options in choices.values():
        if len({*options.values()}) > 1 or len(options) == 1:
            found |= {chosen: told for chosen, told in options.items() if told}
    return json_attribute({chosen: _shortened(told) for chosen, told in found.items()}) if found else ""


def _shortened(told: Consequence) -> Sequence[str]:
    """Return a consequence without what the page assumes: no sentence, and a plain tone."""
    shown = told if told.tone != "plain" else told[:2]
    return shown if any(shown[1:]) else shown[:1]


def ahead_json(view: View, say: Say) -> str:
    """Return the ballots for which the seat can choose in advance, as JSON in markup; empty if there are none."""
    foreseen = words_of(view.game).foreseen(view)
    if foreseen is None:
        return ""
    actions, words, asks = view.game.actions, words_of(view.game), dict[str, str]()
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
    return json_attribute({"ballots": ballots, "pieces": dict(foreseen.pieces), "asks": asks})


def may_be_in_plan(verb: Verb) -> bool:
    """Return whether an action can follow the steps of a plan: it can be planned itself, or ends the plan openly."""
    return verb.planned or not verb.secret


def may_continue_plan(view: View) -> bool:
    """Return whether the seat can do more after the steps that have led to this view."""
    return any(map(may_be_in_plan, map(view.game.actions.verb, view.legal)))


def shows_seat_colours(view: View) -> bool:
    """Return whether colours among the values are those of seats and their boats, and are shown with their signs."""
    actions = view.game.actions
    verbs = {actions.verb(number).name: actions.verb(number) for number in view.legal}
    return any("red" in names for verb in verbs.values() for names in verb.arguments.values())


def is_secret_ballot(view: View) -> bool:
    """Return whether a secret ballot is asked. Plans are not: others see at least part of them."""
    verbs = map(view.game.actions.verb, view.legal)
    return any(verb.secret and not verb.planned for verb in verbs)


@lru_cache(maxsize=1024)
def form_markup(language: str, doors: Choices, steps: str) -> Markup:
    """Return the form of choices; cached, because most tables offer the same ones."""
    slots = {"prompt_id": PROMPT_SLOT, **FORM_SLOTS}
    return render_fragment("actions.html", say=site_say(language), steps=steps, **slots, **doors._asdict())


def coach_markup(view: View, say: Say) -> str:
    """Return the coach's line. Players dismiss it by kind of decision: the game, the verbs and the phase."""
    line, kind = words_of(view.game).coach(view, say), f"{view.game.name} {verb_names(view.game, view.legal)}"
    values = {"kind": f"{kind} {view.table.phase}", "long": len(line) > LONG_LINE}
    return render_filled("coach.html", say.language, {"line": line or None}, **values)


def scales_markup(view: View, say: Say) -> Markup:
    """Return the sliders of a plan, empty if the game has none."""
    found = words_of(view.game).sliders(view, say)
    return render_cached("scales.html", say.language, scales=tuple(found)) if found else Markup()


def with_prompt(form: str, prompt_id: int | None) -> Markup:
    """Return a form for a decision by its number."""
    return fill_marks(form, {PROMPT_SLOT: str(prompt_id)})


@lru_cache(maxsize=4096)
def verb_names(game: Game, numbers: tuple[int, ...]) -> str:
    """Return the verbs of actions, sorted and separated by spaces."""
    return " ".join(sorted({game.actions.verb(number).name for number in numbers}))


def guess_labels(view: View, say: Say) -> list[tuple[str, str]]:
    """Return possible guesses as pairs of key and label; empty in most games and for spectators."""
    return words_of(view.game).guess_labels(view, say) if view.seat is not None else []


def guess_editor(room: Room, view: View, say: Say) -> str:
    """Return the fragment in which a seat notes its guesses; empty if there is nothing to guess."""
    may_be = guess_labels(view, say)
    if not may_be or room.state.phase != "playing" or view.seat is None:
        return ""
    noted = room.state.guesses_of(view.seat)
    others = tuple((seat, name, noted.get(seat, "")) for seat, name in enumerate(room.names) if seat != view.seat)
    return render_cached("notes.html", say.language, code=room.id, marks=tuple(may_be), others=others)


RANKS = 3
"""Number of choices in the form: the first, and alternatives in case it is not allowed."""
MOST_OF_A_VERB = 40
"""Maximum actions of a verb that are offered ahead; a verb with more is left out."""


class Left(NamedTuple):
    """An answer that waits: its place, and in sentences its choices and what must or must not happen first."""

    place: int
    chosen: tuple[str, ...]
    unless: tuple[str, ...]
    when: tuple[str, ...]


class Kind(NamedTuple):
    """Possible answers to one question, as pairs of code and sentence; `secret`: other seats do not see the answer."""

    question: str
    answers: tuple[tuple[str, str], ...]
    secret: bool


def ahead_markup(room: Room, view: View, site_say: Say, say: Say) -> str:
    """Return the fragment in which a waiting seat leaves an answer, or reads what became of the last one.

    Empty in live matches, for spectators and seats for which a bot decides, and if nothing can be answered ahead.
    """
    state, seat = room.state, view.seat
    if seat is None or not state.settings.days or state.phase != "playing" or state.occupants[seat].bot_decides:
        return ""
    answers, ended, asked = state.ahead.get(seat, {}), state.ahead_ended.get(seat, ""), room.prompt_id(seat) is not None
    if asked:
        heard = ended if ended in ("illegal", "happened") else ""
        return render_cached("ahead.html", site_say.language, code=room.id, asked=True, ended=heard) if heard else ""
    kinds = answer_kinds(room, view, say)
    if not kinds:
        return ""
    named = {code: sentence for kind in kinds for code, sentence in kind.answers}

    def said(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(named.get(text, text) for text in texts)

    waiting = sorted(answers.items())
    left = tuple(Left(place, said(each.codes), said(each.unless), said(each.when)) for place, each in waiting)
    title = site_say.many("Your advance answer is set", "Your {count} advance answers are set", len(left))
    free = next((place for place in range(1, MOST_ANSWERS + 1) if place not in answers), None)
    values = {"asked": False, "ended": ended, "kinds": kinds, "left": left, "title": title, "free": free}
    after = MOST_ANSWERS - len(left) - 1
    return render_cached("ahead.html", site_say.language, code=room.id, ranks=RANKS, after=after, **values)


def answer_kinds(room: Room, view: View, say: Say) -> tuple[Kind, ...]:
    """Return the questions that a seat can be asked in this match, with their answers."""
    game, by_verb = room.state.game, dict[str, list[int]]()
    for number in common_answers(game, room.state.options):
        by_verb.setdefault(game.actions.verb(number).name, []).append(number)
    return tuple(_kind(view, numbers, say) for numbers in by_verb.values() if len(numbers) <= MOST_OF_A_VERB)


def _kind(view: View, numbers: list[int], say: Say) -> Kind:
    game, words, question = view.game, words_of(view.game), verb_words(view, numbers[0], say)
    answers = tuple((game.actions.code(number), _plain(words.action(view, number, say))) for number in numbers)
    return Kind(_plain(question), answers, game.actions.verb(numbers[0]).secret)


def _plain(words: str) -> str:
    return str(Markup(words).striptags())
