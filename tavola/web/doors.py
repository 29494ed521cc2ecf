"""What may be played now, as a form shows it: every action a button with a whole sentence, and the short words and
questions by which a page narrows them down.
"""

from collections.abc import Sequence
from functools import lru_cache
from json import dumps
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Verb, View
from tavola.show.speech import Say

MOST_BUTTONS = 24
"""A verb with more actions than this is asked by a list instead of buttons."""
LEADS_TO = "›"
"""Between the words that lead to an argument and the one for its value."""


class Door(NamedTuple):
    """One action: its code, its sentence, and a short word for its verb and each argument, separated by bars.

    An argument with very many values is come to by coarser words before it, as in `Africa›Timbuktu`.
    """

    code: str
    label: str
    words: str

    @property
    def button(self) -> Markup:
        """As it stands in a form: most tables ask the same."""
        return _button(self)


Groups = tuple[tuple[Door, ...], ...]
"""Actions by verb."""


class Doors(NamedTuple):
    """All that a form needs to know of what may be played: buttons and lists by verb, questions, verbs of plans.

    `open`: whoever comes first acts.
    """

    groups: Groups = ()
    lists: Groups = ()
    asks: str = "{}"
    planned: str = ""
    drafted: str = ""
    open: bool = False
    painted: bool = False


SHUT = Doors()
"""Nothing may be played."""


def opened(view: View, say: Say, *, tried: bool = False) -> Doors:
    """What the view's seat may play; `tried`: steps of a plan have led here."""
    groups, lists = grouped(view, say, tried=tried)
    return Doors(groups, lists, asks(view, say), planned(view), drafted(view), view.open, painted(view))


def words_key(view: View) -> object:
    """What the doors depend on besides the language and the names at the table; None where the game does not tell."""
    told = getattr(view.game.words, "choices_key", None)
    return None if told is None else (view.legal, view.open, told(view))


@lru_cache(maxsize=8192)
def _button(door: Door) -> Markup:
    written = '<button name="code" value="{}" class="button action" data-words="{}">{}</button>'
    return Markup(written).format(door.code, door.words, door.label)


def grouped(view: View, say: Say, *, tried: bool = False) -> tuple[Groups, Groups]:
    """The legal actions by verb: those that fit on buttons, and those that need a list.

    `tried`: steps of a plan have led here, and a ballot is no part of one.
    """
    verbs: dict[str, list[int]] = {}
    for number in view.legal:
        verb = view.game.actions.verb(number)
        if not tried or in_plan(verb):
            verbs.setdefault(verb.name, []).append(number)
    groups = [_doors(view, numbers, say) for numbers in verbs.values()]
    few, many = ([group for group in groups if (len(group) <= MOST_BUTTONS) is fits] for fits in (True, False))
    return tuple(few), tuple(many)


def _doors(view: View, numbers: Sequence[int], say: Say) -> tuple[Door, ...]:
    """The actions of one verb as buttons."""
    begin = _verb(view, numbers[0], say)
    return tuple(_door(view, number, begin, say) for number in numbers)


def _door(view: View, number: int, begin: str, say: Say) -> Door:
    actions, words = view.game.actions, view.game.words
    action = actions.action(number)
    parts = [begin]
    for step, argument in enumerate(actions.named[action.verb].arguments):
        leading = [word for _, word in _leads(view, number, step, say)]
        parts.append(LEADS_TO.join([*leading, words.part(view, action.verb, argument, action.places[step], say)]))
    return Door(actions.code(number), words.action(view, number, say), "|".join(parts))


def _leads(view: View, number: int, step: int, say: Say) -> list[tuple[str, str]]:
    """The questions and words that lead to an argument of an action, where its game has too many values for one."""
    leads = getattr(view.game.words, "leads", None)
    return leads(view, number, step, say) if leads else []


def _verb(view: View, number: int, say: Say) -> str:
    """What stands for a verb where several are open: the game's word, its first question, or the whole action."""
    actions, words = view.game.actions, view.game.words
    verb = actions.action(number).verb
    first = next(iter(actions.named[verb].arguments), None)
    if hasattr(words, "begin") and (begin := words.begin(view, verb, say)):
        return begin  # type: ignore[no-any-return]
    return words.ask(view, verb, first, (), say) if first else words.action(view, number, say)  # type: ignore[no-any-return]


def asks(view: View, say: Say) -> str:
    """The questions of a decision, as JSON: what is asked next after each beginning of a code, by that beginning.

    The words that lead to an argument are parts of a beginning like the names of those before it.
    """
    actions, words, found = view.game.actions, view.game.words, dict[str, str]()
    for number in view.legal:
        verb, places = actions.action(number)
        chosen, *names = actions.code(number).split(" ")
        for step, argument in enumerate(actions.named[verb].arguments):
            for question, word in _leads(view, number, step, say):
                found.setdefault(chosen, question)
                chosen = f"{chosen} {word}"
            if chosen not in found:
                found[chosen] = words.ask(view, verb, argument, places[:step], say)
            chosen = f"{chosen} {names[step]}"
    return dumps(found, ensure_ascii=False)


def in_plan(verb: Verb) -> bool:
    """Whether an action may follow on the steps of a plan: it can be planned itself, or ends it openly."""
    return verb.planned or not verb.secret


def plan_goes_on(view: View) -> bool:
    """Whether the seat may do more in a plan that has come to this."""
    return any(map(in_plan, map(view.game.actions.verb, view.legal)))


def planned(view: View) -> str:
    """The verbs that are tried on one's own view before they are played."""
    return " ".join(verb.name for verb in view.game.actions.verbs if verb.planned)


def drafted(view: View) -> str:
    """The verbs of drafts, where whoever comes first acts: planned ones of which nobody hears.

    A plan of these alone is played by what ends it.
    """
    return " ".join(verb.name for verb in view.game.actions.verbs if verb.planned and verb.secret) if view.open else ""


def painted(view: View) -> bool:
    """Whether colours among the values are those of seats and their boats, and bear their signs."""
    verbs = {view.game.actions.verb(number).name: view.game.actions.verb(number) for number in view.legal}
    return any("red" in names for verb in verbs.values() for names in verb.arguments.values())


def secret(view: View) -> bool:
    """Whether a ballot is asked for, of which nobody else hears: a plan is laid on the table, in part at least."""
    verbs = map(view.game.actions.verb, view.legal)
    return any(verb.secret and not verb.planned for verb in verbs)
