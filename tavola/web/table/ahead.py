"""Answers ahead: in a correspondence match, a waiting player chooses what to play at their next decisions."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import View
from tavola.live import Room
from tavola.live.commands.ahead import common_answers
from tavola.live.protocol import MOST_ANSWERS
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.web.render import render_cached
from tavola.web.table.choices import verb_words

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

    left = tuple(
        Left(place, said(answer.codes), said(answer.unless), said(answer.when))
        for place, answer in sorted(answers.items())
    )
    title = site_say.many("Your advance answer is set", "Your {count} advance answers are set", len(left))
    free = next((place for place in range(1, MOST_ANSWERS + 1) if place not in answers), None)
    return render_cached(
        "ahead.html",
        site_say.language,
        code=room.id,
        asked=False,
        ended=ended,
        kinds=kinds,
        left=left,
        title=title,
        free=free,
        after=MOST_ANSWERS - len(left) - 1,
        ranks=RANKS,
    )


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
