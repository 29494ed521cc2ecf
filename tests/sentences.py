"""Whole matches at random as they are told: for the tests of words in the games' folders."""

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
