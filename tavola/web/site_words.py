"""The site's sentences outside templates: levels, options, and every refusal in the visitor's language."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from babel.dates import format_date, format_time
from babel.numbers import format_decimal

from tavola.bots import LEVELS
from tavola.core import Game, IllegalAction, Refusal
from tavola.core.errors import TranslatableRefusal
from tavola.core.options import Option
from tavola.live import Room
from tavola.live.log.room_settings import Settings
from tavola.live.room_refusals import StalePrompt
from tavola.show.cards import words_of
from tavola.show.speech import Say, capitalized, mark
from tavola.store import BadDatabase
from tavola.web.requests.visitor import Visitor

WEIGHT_NAMES = {"light": mark("Easy"), "medium": mark("Medium"), "heavy": mark("Complex")}
"""Complexity of a game's rules, for the catalogue."""
TEXT_TITLES = {"contact": mark("Contact"), "privacy": mark("Privacy"), "terms": mark("Terms of use")}
"""Names of the operator's own texts, which are also their addresses and options, and their titles."""
FIRST_LEVEL = "greedy"
"""Level of the bots in a quick match until the visitor has won one."""
PROVENANCE_WORDS = {
    "rulebook": mark("the rulebook"),
    "published": mark("the published game"),
    "inferred": mark("inferred from the rulebook"),
    "decided": mark("our ruling: the rulebook doesn’t say"),
    "ours": mark("our own addition"),
}
HEADINGS = {
    400: mark("That didn’t work"),
    403: mark("That’s not allowed"),
    **dict.fromkeys((404, 421), mark("Page not found")),
    409: mark("No longer possible"),
    413: mark("Too large"),
    **dict.fromkeys((429, 503), mark("Just a moment")),
    500: mark("Something went wrong"),
}
"""Headings of pages by their status; others have that of 400."""
UNSURE = mark("We can’t tell whether this was saved. Check the page before you try again.")
UNREACHABLE = mark("We can’t load this right now. Nothing is lost: try again in a moment.")
NOTHING_HERE = mark("This page doesn’t exist. The address may be mistyped.")
SERVER_FAULT = mark("Nothing in the match is lost. Go back and try again.")
TOO_SOON = mark("Too soon: no one can see and answer that fast. It counts as wrong.")
"""Shown to a player who has answered a race too fast; others see it when all answers are open."""


def race_sentences(early: Sequence[str], seconds: Sequence[tuple[str, float]], say: Say) -> list[str]:
    """Return what everyone sees of a finished race besides its outcome: how long each seat took, who was too fast."""
    told = [say("{name} answered faster than anyone can, so it counts as wrong.", name=name) for name in early]
    if seconds:
        written = ((name, format_decimal(taken, "0.00", locale=say.language)) for name, taken in seconds)
        times = [say("{name} {seconds} s", name=name, seconds=taken) for name, taken in written]
        told.insert(0, say.listing(times) + ".")
    return told


def effect_sentence(doer: str, other: str, points: int, say: Say, *, led: bool = False) -> str:
    """Return the sentence for the points that a decision gave another seat, cost it, or (`led`) helped it to win."""
    many = partial(say.many, doer=doer, other=other)
    if led:
        return many("{doer} set {other} up for {count} point.", "{doer} set {other} up for {count} points.", points)
    if points > 0:
        return many("{doer} earned {other} {count} point.", "{doer} earned {other} {count} points.", points)
    return many("{doer} cost {other} {count} point.", "{doer} cost {other} {count} points.", -points)


def level_names(say: Say, outside: Iterable[str] = ()) -> dict[str, str]:
    """Return the names of the bots' levels; outside bots have the names that the operator has given them."""
    others = {name: name for name in outside if name not in LEVELS}
    ranked = enumerate(LEVELS.items(), 1)
    return {name: say("{name} (level {rank})", name=say(one.label), rank=rank) for rank, (name, one) in ranked} | others


def time_words(settings: Settings, say: Say) -> str:
    """Return a room's time per decision in words."""
    if settings.days:
        days = say.many("{count} day", "{count} days", settings.days)
        if settings.bank_days:
            bank = say.many("{count} day", "{count} days", settings.bank_days)
            return say("{days} per decision, plus a time bank of {bank}, correspondence", days=days, bank=bank)
        return say("{days} per decision, correspondence", days=days)
    if settings.bank:
        seconds, minutes = settings.patience, format_decimal(settings.bank / 60, "0.##", locale=say.language)
        return say("{seconds} s per decision, plus a {minutes} min time bank", seconds=seconds, minutes=minutes)
    return say("{seconds} s per decision", seconds=settings.patience) if settings.patience else say("no limit")


def day_of(at: float, language: str) -> str:
    """Return the date of a time in seconds since 1970, in a language."""
    return str(format_date(datetime.fromtimestamp(at, UTC), "medium", locale=language))


def moment_of(at: float, language: str) -> str:
    """Return a time in seconds since 1970 as date and time in UTC, in a language."""
    told = datetime.fromtimestamp(at, UTC)
    return f"{format_date(told, 'medium', locale=language)}, {format_time(told, 'HH:mm', locale=language)} UTC"


def preferences_of(say: Say, preference: str, *, written_to: bool, notified: bool) -> list[tuple[str, str]]:
    """Return how a player can be notified of turns, as pairs of key and name; the present choice is always included.

    `written_to`: e-mails are possible; `notified`: notifications in a browser are.
    """
    alone = ("push", say("Every turn, no e-mails"))
    named = [("turn", say("Every turn")), ("day", say("Once a day")), alone, ("none", say("Never"))]
    offered = {"turn", "day", "none", preference} | ({"push"} if written_to and notified else set())
    return [each for each in named if each[0] in offered]


def refusal_words(refusal: Refusal, say: Say) -> tuple[str, str]:
    """Return a refusal in the visitor's language, and a detail in English or an empty string."""
    if isinstance(refusal, Disallowed):
        return refusal.reason, ""
    # Visitors must not see details of the site's own files.
    whole, told = isinstance(refusal, TranslatableRefusal | BadDatabase), say(refusal.message, **refusal.values)
    sentence = capitalized(told) + ("" if told.endswith((".", "!", "?", "…")) else ".")
    return sentence, "" if whole else str(refusal)


def refusal_sentence(refusal: Refusal, say: Say) -> str:
    """Return a refusal as one sentence."""
    return refusal_words(refusal, say)[0]


class Disallowed(IllegalAction):
    """An action that the rules do not allow, with the game's own reason in the player's language."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def explain_refusal(refusal: Refusal, room: Room, visitor: Visitor, code: str) -> Refusal:
    """Return the refusal; if the rules do not allow the action now, one with the game's reason."""
    asked = isinstance(refusal, IllegalAction | StalePrompt) and code in room.state.game.actions.codes
    if not asked or room.state.match is None:
        return refusal
    view = room.view(room.state.seat_of(visitor.id))
    say = Say.of(room.state.game, visitor.language, room.names)
    reason = words_of(room.state.game).refusal(view, room.state.game.actions.number(code), say)
    return Disallowed(reason) if reason else refusal


def option_words(option: Option, game: Game, game_say: Say, say: Say) -> dict[str, Any]:
    """Return an option as a form shows it: title, explanation, source, and its values in words."""
    title, explanation = words_of(game).option(option.name, game_say)
    values = map(option.write, option.values())
    return {
        "name": option.name,
        "title": title,
        "explanation": explanation,
        "provenance": say(PROVENANCE_WORDS[option.provenance]),
        "default": option.write(option.default) if option.letter == option.default else "",
        "options": [(word, words_of(game).value(option.name, word, game_say)) for word in values],
    }
