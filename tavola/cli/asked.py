"""What several commands ask for in the same way: a game, its options, a seed, bots, a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tavola.core import RULES, Game
from tavola.games import load
from tavola.show.speech import LANGUAGES

if TYPE_CHECKING:
    from tavola.lab import Entry

F = TypeVar("F", bound=Callable[..., Any])


class GameName(click.ParamType["Game"]):
    """The name of a game; the command gets its card."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        return value if isinstance(value, Game) else load(value)


class Setting(click.ParamType[tuple[str, str]]):
    """One option of a game, `name=value`."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        name, equals, word = str(value).partition("=")
        if not equals or not name or not word:
            self.fail(f"{value!r}: expected name=value, for example players=4")
        return name.strip(), word.strip()


game_argument = click.argument("game", type=GameName())
seed_option = click.option("--seed", type=int, help="Makes everything repeatable.")
rules_option = click.option(
    "--rules",
    type=click.Choice(RULES),
    default="recommended",
    show_default=True,
    help="The options that are not set: as recommended, or by the letter of the rulebook.",
)
language_option = click.option(
    "--language", type=click.Choice(list(LANGUAGES)), default="en", show_default=True, help="The language of sentences."
)


def options_of(function: F) -> F:
    """`--players N --option name=value --rules letter …`: the command gets a dictionary `options` and `rules`."""

    def join(ctx: click.Context, parameter: click.Parameter, pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
        players = ctx.params.pop("players", None)
        return dict(pairs) | ({} if players is None else {"players": str(players)})

    settings = click.option("--option", "options", type=Setting(), multiple=True, callback=join, help="Set an option.")
    players = click.option("--players", type=int, is_eager=True, help="How many sit at the table.")
    return settings(players(rules_option(function)))


def entry_of(text: str) -> "Entry":
    """A bot as it is written: `greedy`, `search`, `search:50ms`, `search:400` (iterations)."""
    from tavola.lab import Entry

    return Entry.parse(text.replace(":", "@"))


def text_of(file: str) -> str:
    """The text of a file, `-` is what is piped in; refused in one line when it cannot be read."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text in UTF-8"
        raise click.FileError(file, f"expected a text file that can be read, {reason}") from error
