"""The promises of every game on its words: complete catalogues, sentences for every seat, lengths that fit phones.

All general tests of words are here; a game's own tests check examples of its sentences.
"""

import re
from collections.abc import Iterator

from tavola.contract.catalogues import TRANSLATIONS, problems, read, status
from tavola.contract.messages import template
from tavola.contract.samples import Sample, expect
from tavola.core.actions import PlayedAction
from tavola.core.game import CHANCE, Game
from tavola.core.view import View
from tavola.show.cards import words_of
from tavola.show.speech import KNOWN_LANGUAGES, Say
from tavola.show.words import WIDTH

SENTENCE_SHARE = 8
"""Sentences are tried at one position in this number, and at the end."""
WORD_LIMITS = {
    "prompt": 130,
    "argument_label": 24,
    "ask": 48,
    "phases": 18,
    "chapter": 32,
    "coach": 130,
    "lesson": 280,
    "consequence": 34,
    "consequence in full": 150,
}
"""Maximum characters in English for these words on a phone; translations may be a third longer."""
TABLE_LINES = 30
"""Maximum lines of the table as text."""
NAMES = ("Ada", "Bruno & Co", "<i>Carla</i>")
LONG_NAMES = tuple(f"{name} of the long, long name" for name in ("Ada", "Bruno", "Carla", "Dario", "Elsa", "Fritz"))


# Once a game


def translations_fit(game: Game) -> None:
    """Translations have the placeholders of their messages, and end in the same way."""
    for language in TRANSLATIONS:
        wrong = problems(game.folder, language)
        told = f"locale/{language}.po: {'; '.join(wrong[:5])}"
        expect(not wrong, f"{told}: expected translations that match their messages")


def catalogues_are_complete(game: Game) -> None:
    """Every message is translated into every language, and no translation is fuzzy."""
    wanted = template(game.folder)
    for language in TRANSLATIONS:
        left = status(read(game.folder, language), wanted).unfinished
        expect(not left, f"locale/{language}.po: {'; '.join(left[:5])}: expected a translation of every message")


def options_are_named(game: Game) -> None:
    """The game, its options, their values and its lesson have words in every language."""
    for say in (Say.of(game, language) for language in KNOWN_LANGUAGES):
        _check_line(words_of(game).about(say), "about")
        for option in game.options.all:
            title, explanation = words_of(game).option(option.name, say)
            _check_line(title, f"option {option.name}")
            _check_ending(explanation, f"option {option.name}")
            named = [words_of(game).value(option.name, option.write(value), say) for value in option.values()]
            for name in named:
                _check_line(name, f"value {option.name}")
            expect(len({*named}) == len(named), f"words.value of {option.name}: expected a name for each of {named}")
        lesson = words_of(game).lesson(say)
        told = f"words.lesson has {len(lesson)} sections"
        expect(len(lesson) == 6, f"{told}: expected 6, the first three for a first match")
        for title, text in lesson:
            _check_length(title, "chapter", say)
            _check_length(text, "lesson", say)


# At a position


def sentences_can_be_said(w: Sample) -> None:
    """All words are whole sentences for a seat and for a spectator, in every language, and fit their limits."""
    if not w.is_due(SENTENCE_SHARE):
        return
    languages = list(KNOWN_LANGUAGES)
    say = Say.of(w.game, languages[(w.number + len(w.tried_indices) // SENTENCE_SHARE) % len(languages)], NAMES)
    for seat in (w.random_seat(), None):
        view = w.match.view(seat)
        _prompt(view, say)
        _actions(view, say)
        _steps(view, say)
        _refusals(view, say)
        _events(View(w.game, w.before, seat), view, w.match.last_action(seat), say.to_reader(seat))
        _table(view, Say.of(w.game, say.language, LONG_NAMES))
    if w.match.over:
        _points_are_explained(w, say)


def waiting_seats_see_the_same_prompt(w: Sample) -> None:
    """Except in an open decision, a seat that is not to act sees the same prompt as a spectator."""
    seat = len(w.past) % w.match.players
    view, say = w.match.view(seat), Say.of(w.game, "en", NAMES)
    if view.open or seat in view.to_act or w.match.over:
        return
    said, told_all = (words_of(w.game).prompt(seen, say) for seen in (view, w.match.view()))
    found = f"words.prompt says {said!r} to seat {seat}, which is waiting"
    expect(said == told_all, f"{found}: expected {told_all!r}, as to a spectator")


def choices_are_worded_by_their_key(w: Sample) -> None:
    """The words of choices in a match depend only on the legal actions and `words.choices_key`."""
    key, seats = words_of(w.game).choices_key, [seat for seat in w.match.to_act if seat != CHANCE]
    if key is None or not seats:
        return
    view, say = w.match.view(seats[w.number % len(seats)]), Say.of(w.game, "en", NAMES)
    action = words_of(w.game).action
    worded = [[action(view, number, say), *_choice_words(view, number, say)] for number in view.legal]
    known = w.choices.setdefault((view.legal, key(view)), worded)
    expect(worded == known, f"words.choices_key is {key(view)!r} for {worded} and for {known}")


def _choice_words(view: View, number: int, say: Say) -> Iterator[tuple[str, str]]:
    """Yield the words for choosing an action step by step, each after its kind."""
    words, (verb, places) = words_of(view.game), view.game.actions.action(number)
    for step, argument in enumerate(view.game.actions.verb_by_name[verb].arguments):
        yield "argument_label", words.argument_label(view, verb, argument, places[step], say)
        yield "ask", words.ask(view, verb, argument, places[:step], say)
        for question, word in words.narrowing_questions(view, number, step, say):
            yield "argument_label", word
            yield "ask", question
    if begin := words.verb_label(view, verb, say):
        yield "argument_label", begin


def _prompt(view: View, say: Say) -> None:
    """Check that a seat to act sees another prompt than those who wait, and that these see whom they wait for."""
    said = words_of(view.game).prompt(view, say)
    _check_ending(said, "prompt")
    _check_length(said, "prompt", say)
    waiting = words_of(view.game).prompt(view.public(), say)
    expect(not view.legal or said != waiting, f"words.prompt says {said!r} both to the seat to act and to a spectator")
    for seat in view.to_act:
        expect(seat == CHANCE or say.name(seat) in waiting, f"words.prompt says {waiting!r}: expected {say.name(seat)}")


def _actions(view: View, say: Say) -> None:
    called = [words_of(view.game).action(view, number, say) for number in view.legal]
    for name in called:
        _check_line(name, "action")
    twice = next((name for name in called if called.count(name) > 1), None)
    expect(twice is None, f"words.action calls two actions {twice!r}: expected a different name for each")


def _steps(view: View, say: Say) -> None:
    words = words_of(view.game)
    for number in view.legal:
        for kind, text in _choice_words(view, number, say):
            _check_length(text, kind, say)
        _consequences(view, number, say)
    _sliders(view, say)
    parts = words.phases(view, say)
    for label, _ in parts:
        _check_length(label, "phases", say)
    expect(sum(lit for _, lit in parts) <= 1, "words.phases highlights several parts of a round: expected at most one")
    _check_length(words.chapter(view, say), "chapter", say)
    thought = words.coach(view, say)
    due = bool(thought) == bool(view.legal)
    expect(due, f"words.coach says {thought!r}: expected a line for a seat to act, and none otherwise")
    if thought:
        _check_length(thought, "coach", say)


def _consequences(view: View, number: int, say: Say) -> None:
    for step in range(len(view.game.actions.code(number).split(" "))):
        if told := words_of(view.game).consequence(view, number, step, say):
            _check_length(told.brief, "consequence", say)
            if told.sentence:
                _check_ending(told.sentence, "consequence in full")
                _check_length(told.sentence, "consequence in full", say)


def _sliders(view: View, say: Say) -> None:
    for scale in words_of(view.game).sliders(view, say):
        codes, place = [code for code, _ in scale.stops], f"words.sliders puts {scale.name} at stop {scale.now}"
        expect(0 <= scale.now < len(codes), f"{place}: expected one of its {len(codes)} stops")
        expect(len({*codes}) == len(codes), f"words.sliders has two stops of {scale.name} with a code: {codes}")
        for code, label in scale.stops:
            _check_line(label, "argument_label")
            known = code in ("", *view.game.actions.codes)
            expect(known, f"words.sliders has {code!r} in {scale.name}: expected a code")


def _refusals(view: View, say: Say) -> None:
    for number in range(len(view.game.actions)):
        why, code = words_of(view.game).refusal(view, number, say), view.game.actions.code(number)
        if number in view.legal:
            expect(why == "", f"words.refusal says {why!r} for {code}, a legal action: expected an empty text")
        else:
            _check_line(why, "refusal")
            cited, said = re.search(r"\(.*\bR\d+\b.*\)\.$", why), f"words.refusal says {why!r} for {code}"
            expect(cited, f"{said}: expected the rule's paragraph at the end, such as (R1)")


def _events(before: View, after: View, played: PlayedAction | None, say: Say) -> None:
    told = words_of(after.game).events(before, after, played, say)
    for line in told:
        _check_ending(line, "events")
        name = "" if say.reader is None else str(say.name(say.reader))
        named = name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)
        expect(not named, f"words.events says {line!r} to {name}: expected *you*, from a name that `say` fills in")
    if played is not None and played.indices and played.verb not in words_of(after.game).unlogged:
        # A verb without arguments, such as passing, need not be logged, nor one whose effect the board shows.
        heard = not after.game.actions.verb_by_name[played.verb].secret
        said = f"words.events is empty for {played}: expected a line, since everyone heard the action"
        expect(told or not heard, said)
    public = words_of(after.game).events(before.public(), after.public(), played, say)
    if played is not None and played.verb in words_of(after.game).whispered:
        many = f"words.events has {len(told)} lines for seat {after.seat}"
        expect(len(told) == len(public), f"{many}: expected {len(public)}, as for everyone")
    else:
        shown = f"words.events shows seat {after.seat} lines that a spectator does not see"
        expect(told == public, f"{shown}: {told!r:.200}, expected the same or a verb in words.whispered")


def _table(view: View, say: Say) -> None:
    lines = words_of(view.game).table(view, say)
    for line in lines:
        _check_line(line, "table", empty=True)
    widest = max(lines, key=len)
    expect(len(widest) <= WIDTH, f"words.table has the line {widest!r}: expected at most {WIDTH} columns")
    expect(len(lines) <= TABLE_LINES, f"words.table has {len(lines)} lines: expected at most {TABLE_LINES}")


def _points_are_explained(w: Sample, say: Say) -> None:
    for seat in w.players:
        points = w.match.score().points[seat]
        for view in (w.match.view(seat), w.match.view()):
            lines = words_of(w.game).scoring(view, seat, say)
            total = sum(gained for _, gained in lines)
            expect(total == points, f"words.scoring of seat {seat} adds up to {total}: expected {points}")
            for sentence, _ in lines:
                _check_line(sentence, "scoring")


def all_words(view: View, say: Say) -> dict[str, object]:
    """Return all words of a view; equal views have equal words."""
    words = words_of(view.game)
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


# Sentences


def _check_line(text: object, what: str, empty: bool = False) -> None:
    good = isinstance(text, str) and (empty or text.strip()) and not re.search(r"[{}\n]", text)
    expect(good, f"words.{what} says {text!r}: expected one line of text with every placeholder filled in")


def _check_ending(text: str, what: str) -> None:
    _check_line(text, what)
    expect(text[-1] in ".?!", f"words.{what} says {text!r}: expected a sentence with final punctuation")


def _check_length(text: object, what: str, say: Say) -> None:
    _check_line(text, what)
    most = WORD_LIMITS[what] if say.language == "en" else WORD_LIMITS[what] * 4 // 3
    fits = len(str(text)) <= most
    expect(fits, f"words.{what} says {text!r}, {len(str(text))} characters: expected at most {most}")
