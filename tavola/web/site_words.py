"""The site's sentences that stand in no template: levels, options, and every refusal in the visitor's language."""

from collections.abc import Iterable, Sequence
from typing import Any

from babel.numbers import format_decimal

from tavola.bots import LEVELS
from tavola.core import Game, IllegalAction, Refusal
from tavola.core.errors import TranslatableRefusal
from tavola.core.options import Option
from tavola.live import Room
from tavola.live.log.room_settings import SETTINGS, Settings
from tavola.live.room_refusals import StalePrompt
from tavola.show.cards import words_of
from tavola.show.speech import Say, mark
from tavola.store import BadDatabase
from tavola.web.door.visitor import Visitor

WEIGHT_NAMES = {"light": mark("Easy"), "medium": mark("Medium"), "heavy": mark("Demanding")}
"""The effort that a game's rules take, for the shelf."""
FIRST_LEVEL = "greedy"
"""The level that a quick match begins with, until one has won."""
PROVENANCE_WORDS = {
    "rulebook": mark("the rulebook"),
    "published": mark("the published game"),
    "inferred": mark("inferred from the rulebook"),
    "decided": mark("decided here: the rulebook is silent"),
    "ours": mark("our invention"),
}
HEADINGS = {
    400: mark("That did not work"),
    403: mark("That is not allowed"),
    404: mark("There is nothing here"),
    405: mark("That did not work"),
    409: mark("Not any more"),
    413: mark("Too large"),
    421: mark("There is nothing here"),
    429: mark("One moment"),
    500: mark("Something went wrong"),
    503: mark("One moment"),
}
UNSURE = mark("It is not known whether this was written down. Look at the page again before you repeat it.")
UNREACHABLE = mark("What is kept cannot be read just now. Nothing is lost: try again in a moment.")
NOTHING_HERE = mark("This page does not exist. Perhaps the address was mistyped.")
SERVER_FAULT = mark("Nothing of the match is lost. Go back and try again.")


TOO_SOON = mark("That was too soon: nobody can see and answer so quickly. It counts as wrong.")
"""To who has answered a race so; the others hear it when all answers are open."""


def race_sentences(early: Sequence[str], seconds: Sequence[tuple[str, float]], say: Say) -> list[str]:
    """Return what everybody hears of a race that has ended beside its outcome: how long each took, who was too soon."""
    told = [say("{name} answered more quickly than anybody can: that counts as wrong.", name=name) for name in early]
    if seconds:
        written = ((name, format_decimal(taken, "0.00", locale=say.language)) for name, taken in seconds)
        times = [say("{name} {seconds} s", name=name, seconds=taken) for name, taken in written]
        told.insert(0, say.listing(times) + ".")
    return told


def effect_sentence(doer: str, other: str, points: int, say: Say, *, led: bool = False) -> str:
    """Return the sentence for the points that what somebody decided brought another, or cost him, or led him to."""
    names = {"doer": doer, "other": other}
    if led:
        return say.many(
            "{doer} led the way to {count} point of {other}.",
            "{doer} led the way to {count} points of {other}.",
            points,
            **names,
        )
    if points > 0:
        return say.many(
            "{doer} brought {other} {count} point.", "{doer} brought {other} {count} points.", points, **names
        )
    return say.many("{doer} cost {other} {count} point.", "{doer} cost {other} {count} points.", -points, **names)


def level_names(say: Say, outside: Iterable[str] = ()) -> dict[str, str]:
    """Return the names of the bots' levels; bots from outside are called what whoever runs the site called them."""
    return {name: say(level.label) for name, level in LEVELS.items()} | {
        name: name for name in outside if name not in LEVELS
    }


def level_words(level: str, say: Say) -> tuple[str, str, str]:
    """Return a level's key, what it is called, and what it does."""
    return level, say(LEVELS[level].label), say(LEVELS[level].description)


def time_words(settings: Settings, say: Say) -> str:
    """Return how long a decision may take in a room."""
    if settings.days:
        days = say.many("{count} day", "{count} days", settings.days)
        return say("{days} a decision, by post", days=days)
    if settings.bank:
        seconds, minutes = settings.patience, format_decimal(settings.bank / 60, "0.##", locale=say.language)
        return say("{seconds} s a decision, and a bank of {minutes} min", seconds=seconds, minutes=minutes)
    return say("{seconds} s a decision", seconds=settings.patience) if settings.patience else say("no limit")


def manners_of(say: Say, manner: str, *, written_to: bool, notified: bool) -> list[tuple[str, str]]:
    """Return how somebody may hear of his turns, each with its name; the one that he has is among them.

    `written_to`: by letters; `notified`: by notices in a browser.
    """
    alone = ("push", say("At each turn, no letters"))
    named = [("turn", say("At each turn")), ("day", say("Once a day")), alone, ("none", say("Never"))]
    offered = {"turn", "day", "none", manner} | ({"push"} if written_to and notified else set())
    return [each for each in named if each[0] in offered]


def pace_names(say: Say) -> list[tuple[str, str]]:
    """Return the paces at which what happens may be shown, by their names."""
    pace = SETTINGS["pace"]
    return [(each, pace.words(each, say)[0]) for each in pace.choices]


def refusal_words(refusal: Refusal, say: Say) -> tuple[str, str]:
    """A refusal in the visitor's language, and a detail in English where there is one."""
    if isinstance(refusal, Disallowed):
        return refusal.reason, ""
    # Of our own files a visitor is told nothing.
    whole = isinstance(refusal, TranslatableRefusal | BadDatabase)
    return as_sentence(say(refusal.message, **refusal.values)), "" if whole else str(refusal)


def refusal_sentence(refusal: Refusal, say: Say) -> str:
    """A refusal in one sentence."""
    return refusal_words(refusal, say)[0]


class Disallowed(IllegalAction):
    """An action that the rules do not allow, with the game's own reason in the language of who tried it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def explain_refusal(refusal: Refusal, room: Room, visitor: Visitor, code: str) -> Refusal:
    """The same refusal; an action that the rules do not allow now with the game's reason."""
    asked = isinstance(refusal, IllegalAction | StalePrompt) and code in room.state.game.actions.codes
    if not asked or room.state.match is None:
        return refusal
    view = room.view(room.state.seat_of(visitor.id))
    say = Say.of(room.state.game, visitor.language, room.names)
    reason = words_of(room.state.game).refusal(view, room.state.game.actions.number(code), say)
    return Disallowed(reason) if reason else refusal


def as_sentence(text: str) -> str:
    """A message as a sentence of its own."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


def option_words(option: Option, game: Game, game_say: Say, say: Say) -> dict[str, Any]:
    """An option as a form shows it: title, explanation, where it comes from, and its values in words."""
    title, explanation = words_of(game).option(option.name, game_say)
    return {
        "name": option.name,
        "title": title,
        "explanation": explanation,
        "provenance": say(PROVENANCE_WORDS[option.provenance]),
        "default": option.write(option.default) if option.letter == option.default else "",
        "options": [
            (word, words_of(game).value(option.name, word, game_say)) for word in map(option.write, option.values())
        ],
    }


def rules_names(say: Say) -> dict[str, str]:
    """The two named sets of options."""
    return {
        "recommended": say("Recommended"),
        "letter": say("By the letter of the rulebook"),
    }
