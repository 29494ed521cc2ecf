"""What every game promises of its words: catalogues that are complete, sentences for every seat, short ones for phones.

All checks of words are here, for all games; a game's own tests of words hold its sentences to their examples.
"""

import re
from collections.abc import Iterator, Sequence

from tavola.contract.catalogues import TRANSLATIONS, problems
from tavola.contract.worlds import World, expect
from tavola.core.actions import Played
from tavola.core.game import CHANCE, Game
from tavola.core.view import View
from tavola.show.speech import LANGUAGES, Say
from tavola.show.words import WIDTH

EVERY = 8
"""Sentences are tried at every eighth position, and at the end."""
LONGEST = {"prompt": 130, "part": 24, "ask": 48, "phases": 18, "chapter": 32, "coach": 130, "lesson": 280}
"""Characters that fit where these words stand on a phone."""
HIGHEST = 30
"""Lines of the table as text."""
NAMES = ("Ada", "Bruno & Co", "<i>Carla</i>")
LONG_NAMES = tuple(f"{name} of the long, long name" for name in ("Ada", "Bruno", "Carla", "Dario", "Elsa", "Fritz"))


# Once a game


def catalogues_are_complete(game: Game) -> None:
    """Every message of the sources is in every catalogue, with the same parts to fill in, and nothing else is."""
    for language in TRANSLATIONS:
        path = game.folder / "locale" / f"{language}.po"
        expect(path.exists(), f"locale/{path.name} is missing from the folder of the game")
        wrong = problems(game.folder, language)
        expect(not wrong, f"locale/{path.name}: {'; '.join(wrong[:5])}: expected a translation of every message")


def options_are_named(game: Game) -> None:
    """The game, its options, their values and its lesson have their words in every language."""
    for say in (Say.of(game, language) for language in LANGUAGES):
        _sentence(game.words.about(say), "about")
        for option in game.options.all:
            title, explanation = game.words.option(option.name, say)
            _sentence(title, f"option {option.name}")
            _ended(explanation, f"option {option.name}")
            named = [game.words.value(option.name, option.write(value), say) for value in option.values()]
            for name in named:
                _sentence(name, f"value {option.name}")
            expect(len({*named}) == len(named), f"words.value of {option.name}: expected a name for each of {named}")
        _lesson_is_short(game.words.lesson(say))


def _lesson_is_short(lesson: Sequence[tuple[str, str]]) -> None:
    expect(len(lesson) == 6, f"words.lesson has {len(lesson)} sections: expected 6, the first three for a first match")
    for title, text in lesson:
        _short(title, "chapter")
        _short(text, "lesson")


# At a position


def sentences_can_be_said(w: World) -> None:
    """All words are whole sentences for a seat and for a spectator, in any language, and short where they must be."""
    if not w.is_turn(EVERY):
        return
    say = Say.of(w.game, list(LANGUAGES)[(w.number + len(w.trials) // EVERY) % len(LANGUAGES)], NAMES)
    for seat in (w.a_seat(), None):
        view = w.match.view(seat)
        _prompt(view, say)
        _actions(view, say)
        _steps(view, say)
        _refusals(view, say)
        _events(View(w.game, w.before, seat), view, w.match.heard(seat), say)
        _table(view, Say.of(w.game, say.language, LONG_NAMES))
    if w.match.over:
        _points_are_explained(w, say)


def all_who_wait_are_told_the_same(w: World) -> None:
    """Unless whoever comes first acts, a seat that owes nothing is told what a spectator is told."""
    seat = len(w.past) % w.match.players
    view, say = w.match.view(seat), Say.of(w.game, "en", NAMES)
    if view.open or seat in view.to_act or w.match.over:
        return
    said, told_all = (w.game.words.prompt(seen, say) for seen in (view, w.match.view()))
    expect(
        said == told_all, f"words.prompt says {said!r} to seat {seat}, which waits: expected {told_all!r}, as to all"
    )


def choices_are_worded_by_their_key(w: World) -> None:
    """What is legal and `words.choices_key` alone decide the words of choices in a match."""
    key, seats = getattr(w.game.words, "choices_key", None), [seat for seat in w.match.to_act if seat != CHANCE]
    if key is None or not seats:
        return
    view, say = w.match.view(seats[w.number % len(seats)]), Say.of(w.game, "en", NAMES)
    action = w.game.words.action
    worded = [[action(view, number, say), *_worded(view, number, say)] for number in view.legal]
    known = w.choices.setdefault((view.legal, key(view)), worded)
    expect(worded == known, f"words.choices_key is {key(view)!r} for {worded} and for {known}")


def _worded(view: View, number: int, say: Say) -> Iterator[tuple[str, str]]:
    """The words by which an action is chosen a step at a time, each with what it is."""
    words, (verb, places) = view.game.words, view.game.actions.action(number)
    for step, argument in enumerate(view.game.actions.named[verb].arguments):
        yield "part", words.part(view, verb, argument, places[step], say)
        yield "ask", words.ask(view, verb, argument, places[:step], say)
        for question, word in words.leads(view, number, step, say) if hasattr(words, "leads") else ():
            yield "part", word
            yield "ask", question
    if hasattr(words, "begin") and (begin := words.begin(view, verb, say)):
        yield "part", begin


def _prompt(view: View, say: Say) -> None:
    """Who is asked hears something else than who waits, and who waits hears for whom."""
    said = view.game.words.prompt(view, say)
    _ended(said, "prompt")
    _short(said, "prompt")
    waiting = view.game.words.prompt(view.public(), say)
    expect(not view.legal or said != waiting, f"words.prompt says {said!r} to who is asked and to who waits")
    for seat in view.to_act:
        expect(seat == CHANCE or say.name(seat) in waiting, f"words.prompt says {waiting!r}: expected {say.name(seat)}")


def _actions(view: View, say: Say) -> None:
    """No two actions that can be chosen between are called the same."""
    called = [view.game.words.action(view, number, say) for number in view.legal]
    for name in called:
        _sentence(name, "action")
    twice = next((name for name in called if called.count(name) > 1), None)
    expect(twice is None, f"words.action calls two actions {twice!r}: expected a name for each")


def _steps(view: View, say: Say) -> None:
    """An action can be chosen a step at a time, in words as short as a phone's; and there is help with it."""
    words = view.game.words
    for number in view.legal:
        for kind, text in _worded(view, number, say):
            _short(text, kind)
    parts = words.phases(view, say)
    for label, _ in parts:
        _short(label, "phases")
    expect(sum(lit for _, lit in parts) <= 1, "words.phases lights two parts of a round: expected one at most")
    _short(words.chapter(view, say), "chapter")
    thought = words.coach(view, say)
    expect(bool(thought) == bool(view.legal), f"words.coach says {thought!r}: expected a line where the seat decides")
    if thought:
        _short(thought, "coach")


def _refusals(view: View, say: Say) -> None:
    """Every action of the game is allowed, or refused with the rule's paragraph."""
    for number in range(len(view.game.actions)):
        why, code = view.game.words.refusal(view, number, say), view.game.actions.code(number)
        if number in view.legal:
            expect(
                why == "", f"words.refusal says {why!r} of {code}, an action that is allowed: expected an empty text"
            )
        else:
            _sentence(why, "refusal")
            cited = re.search(r"\(.*\bR\d+\b.*\)\.$", why)
            expect(cited, f"words.refusal says {why!r} of {code}: expected the rule's paragraph, (R1), at the end")


def _events(before: View, after: View, played: Played | None, say: Say) -> None:
    told = after.game.words.events(before, after, played, say)
    for line in told:
        _ended(line, "events")
    # Whoever merely goes on, by a verb without arguments, may go unmentioned.
    public = played is not None and played.places and not after.game.actions.named[played.verb].secret
    expect(told or not public, f"words.events tells nothing of {played}: expected a line for what all heard")
    same = told == after.game.words.events(before.public(), after.public(), played, say)
    expect(same, f"words.events tells seat {after.seat} what a spectator is not told: {told!r:.200}")


def _table(view: View, say: Say) -> None:
    """The table fits a terminal, whatever the names."""
    lines = view.game.words.table(view, say)
    for line in lines:
        _sentence(line, "table", empty=True)
    widest = max(lines, key=len)
    expect(len(widest) <= WIDTH, f"words.table has the line {widest!r}: expected {WIDTH} columns at most")
    expect(len(lines) <= HIGHEST, f"words.table has {len(lines)} lines: expected {HIGHEST} at most")


def _points_are_explained(w: World, say: Say) -> None:
    """The lines of a seat's scoring add up to its points."""
    for seat in w.players:
        for view in (w.match.view(seat), w.match.view()):
            lines = w.game.words.scoring(view, seat, say)
            points = w.match.standing().points[seat]
            total = sum(points for _, points in lines)
            expect(total == points, f"words.scoring of seat {seat} adds up to {total}: expected {points}")
            for sentence, _ in lines:
                _sentence(sentence, "scoring")


def told(view: View, say: Say) -> dict[str, object]:
    """All that is said of a view: two that are equal are told the same."""
    words = view.game.words
    return {
        "prompt": words.prompt(view, say),
        "table": words.table(view, say),
        "actions": [words.action(view, number, say) for number in view.legal],
        "refusals": [words.refusal(view, number, say) for number in range(len(view.game.actions))],
        "scoring": [words.scoring(view, seat, say) for seat in range(view.table.players)],
        "phases": words.phases(view, say),
        "chapter": words.chapter(view, say),
        "coach": words.coach(view, say),
    }


# What a sentence is


def _sentence(text: object, what: str, empty: bool = False) -> None:
    good = isinstance(text, str) and (empty or text.strip()) and not re.search(r"[{}\n]", text)
    expect(good, f"words.{what} says {text!r}: expected one line of text with every part filled in")


def _ended(text: str, what: str) -> None:
    _sentence(text, what)
    expect(text[-1] in ".?!", f"words.{what} says {text!r}: expected a sentence that ends")


def _short(text: object, what: str) -> None:
    _sentence(text, what)
    fits = len(str(text)) <= LONGEST[what]
    expect(fits, f"words.{what} says {text!r}, {len(str(text))} characters: expected {LONGEST[what]} at most")
