"""What every game's sentences must satisfy, over whole matches: for the tests of words in the games' folders."""

import random
import re

from tavola.show.speech import Say

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elsa", "Fritz", "Gina")
PARAGRAPH = re.compile(r"\bR(\d+)\b")


def spoken(game, language):
    """A game's sentences in a language, with names at the table."""
    return Say.of(game, language, NAMES)


def english(game):
    return spoken(game, "en")


def views(match):
    """The views of all seats, and of a spectator."""
    return [*(match.view(seat) for seat in range(match.players)), match.view()]


def played(match, seed):
    """A whole match at random, chance by its weights: (views of all before, seat, action, spectator's view after)."""
    draw, steps = random.Random(seed), []
    while not match.over:
        before = views(match)
        seat = draw.choice(match.to_act)
        odds = match.odds() or dict.fromkeys(match.legal(seat), 1)
        number = match.game.actions.number(draw.choice([code for code, weight in odds.items() for _ in range(weight)]))
        match.play(number, seat)
        steps.append((before, seat, number, match.view()))
    return steps


def is_finished(sentence):
    return sentence == sentence.strip() and sentence and not set("{}") & set(sentence) and "  " not in sentence


def is_sentence(text):
    return is_finished(text) and text[-1] in ".?!"


# Checks


def check_what_is_said(match, steps, say, is_silent):
    """Every action is told and every prompt is a sentence; no two actions have the same label."""
    words = match.game.words
    for before, seat, number, after in steps:
        told = words.events(before[-1], after, match.game.heard(seat, number, None), say)
        assert bool(told) != is_silent(before[-1], after, number), match.game.actions.code(number)
        sentences = [*told, *(words.prompt(view, say) for view in before)]
        assert all(map(is_sentence, sentences)), sentences
        if seat < match.players:
            labels = [words.action(before[seat], legal, say) for legal in before[seat].legal]
            assert all(map(is_finished, labels))
            assert len(set(labels)) == len(labels), labels
    for seat in range(match.players):
        assert all(is_finished(line) for line, _ in words.scoring(match.view(), seat, say))


def check_refusals(game, seen, say):
    """In the given views every action of the game is allowed, or refused in a sentence that cites a paragraph."""
    for view in seen:
        legal = set(view.legal)
        for number in range(len(game.actions)):
            assert is_finished(game.words.action(view, number, say))
            reason = game.words.refusal(view, number, say)
            assert (reason == "") == (number in legal), (game.actions.code(number), reason)
            if reason:
                assert is_finished(reason)
                assert reason.endswith(").")
                assert PARAGRAPH.search(reason)


def check_table(game, seen, language):
    """The table fits a terminal, whatever the names."""
    say = Say.of(game, language, [f"{name} of the long, long name" for name in NAMES])
    for view in seen:
        lines = game.words.table(view, say)
        assert len(lines) <= 30
        assert max(map(len, lines)) <= 100, max(lines, key=len)
        assert "{" not in "".join(lines)


def check_options(game, say):
    """The shelf and every option and value have their words, and no two values of an option the same."""
    assert is_finished(game.words.about(say))
    for option in game.options.all:
        title, explanation = game.words.option(option.name, say)
        assert is_finished(title)
        assert is_sentence(explanation)
        named = [game.words.value(option.name, option.write(value), say) for value in option.values()]
        assert len(set(named)) == len(named)


def check_who_is_awaited(steps, game):
    """A spectator hears the names of all who owe a decision; who owes one hears something else."""
    say = english(game)
    for before, _, _, _ in steps:
        spectator = before[-1]
        for seat in spectator.to_act:
            if seat < len(before) - 1:
                assert say.name(seat) in game.words.prompt(spectator, say)
                assert game.words.prompt(before[seat], say) != game.words.prompt(spectator, say)


def everything(view):
    """All that is said of a view."""
    words, say, numbers = view.game.words, english(view.game), range(len(view.game.actions))
    refused = [words.refusal(view, number, say) for number in numbers]
    labels = [words.action(view, number, say) for number in numbers]
    scored = [words.scoring(view, seat, say) for seat in range(view.table.players)]
    return [
        *refused,
        *labels,
        *scored,
        words.prompt(view, say),
        *words.table(view, say),
        words.events(view, view, None, say),
    ]


def log(match, steps):
    """A whole match as it is told in English: each action, and beneath it what it brought; points, and the table."""
    words, say, lines = match.game.words, english(match.game), []
    for before, seat, number, after in steps:
        lines.append(f"{'*' if seat == 31 else seat} {match.game.actions.code(number)}")
        heard = match.game.heard(seat, number, None)
        lines += [f"    {sentence}" for sentence in words.events(before[-1], after, heard, say)]
    for seat in range(match.players):
        scored = words.scoring(match.view(), seat, say)
        lines += ["", say.name(seat), *(f"    {line}: {points}" for line, points in scored)]
    return "\n".join([*lines, "", *words.table(match.view(), say), ""])
