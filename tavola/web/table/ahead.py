"""An answer ahead on the screen: who waits in a match over days chooses what is played when he is asked next."""

from typing import NamedTuple

from markupsafe import Markup

from tavola.core import View
from tavola.live import Room
from tavola.live.log.ahead import common_answers
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.web.render import render_cached
from tavola.web.table.choices import verb_words

RANKS = 3
"""Choices that the form has: the first, and those in case it is not allowed."""
MOST_OF_A_VERB = 40
"""Actions of one verb that are offered; a game with more of them is answered when it asks."""


class Kind(NamedTuple):
    """What may be answered to one question: pairs of code and sentence; `secret`: others do not hear of it."""

    question: str
    answers: tuple[tuple[str, str], ...]
    secret: bool


def ahead_markup(room: Room, view: View, site_say: Say, say: Say) -> str:
    """The fragment in which a seat that waits leaves an answer, or reads what became of the last one.

    Empty in live matches, for who only watches or has a bot decide, and where nothing can be answered ahead.
    """
    state, seat = room.state, view.seat
    if seat is None or not state.settings.days or state.phase != "playing" or state.occupants[seat].bot_decides:
        return ""
    left, ended, asked = state.ahead.get(seat), state.ahead_ended.get(seat, ""), room.prompt_id(seat) is not None
    if asked:
        heard = ended if ended in ("illegal", "happened") else ""
        return render_cached("ahead.html", site_say.language, code=room.id, asked=True, ended=heard) if heard else ""
    kinds = answer_kinds(room, view, say)
    if not kinds:
        return ""
    named = {code: sentence for kind in kinds for code, sentence in kind.answers}
    chosen = tuple(named.get(code, code) for code in left.codes) if left is not None else ()
    unless = tuple(named.get(text, text) for text in left.unless) if left is not None else ()
    return render_cached(
        "ahead.html",
        site_say.language,
        code=room.id,
        asked=False,
        ended=ended,
        kinds=kinds,
        chosen=chosen,
        unless=unless,
        ranks=RANKS,
    )


def answer_kinds(room: Room, view: View, say: Say) -> tuple[Kind, ...]:
    """Return what a seat may be asked in this match, question by question."""
    game, by_verb = room.state.game, dict[str, list[int]]()
    for number in common_answers(game, room.state.options):
        by_verb.setdefault(game.actions.verb(number).name, []).append(number)
    return tuple(_kind(view, numbers, say) for numbers in by_verb.values() if len(numbers) <= MOST_OF_A_VERB)


def _kind(view: View, numbers: list[int], say: Say) -> Kind:
    game, words, question = view.game, words_of(view.game), verb_words(view, numbers[0], say)
    answers = tuple((game.actions.code(number), _plain(words.action(view, number, say))) for number in numbers)
    return Kind(_plain(question), answers, game.actions.verb(numbers[0]).secret)


def _plain(words: str) -> str:
    """Words without the signs that a page draws in them."""
    return str(Markup(words).striptags())
