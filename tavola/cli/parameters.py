"""Parameters that several commands share: a game, its options, a seed, bots, a file."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

import tavola
from tavola.core import RULES, BadRecord, Game
from tavola.core.matchfile import decode_text
from tavola.core.registry import find
from tavola.show.speech import KNOWN_LANGUAGES

if TYPE_CHECKING:
    from rich.table import Table

    from tavola.lab import Entry

FILE = click.Path(dir_okay=False, path_type=Path)
WIDEST = 1_000
"""Maximum columns of a table that is not printed to a terminal."""
F = TypeVar("F", bound=Callable[..., Any])


class GameName(click.ParamType["Game"]):
    """The name of a game, or of an earlier version of its rules, `tournament@1`; the command gets the `Game`."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        return value if isinstance(value, Game) else find(value)


class OptionValue(click.ParamType[tuple[str, str]]):
    """An option of a game, `name=value`."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        name, equals, word = str(value).partition("=")
        if not equals or not name or not word:
            self.fail(f"{value!r}: expected name=value, for example players=4")
        return name.strip(), word.strip()


game_argument = click.argument("game", type=GameName())
rules_option = click.option(
    "--rules",
    type=click.Choice(RULES),
    default="recommended",
    help="Values of options that are not set: as recommended, or by the letter of the rulebook.",
)
language_option = click.option(
    "--language", type=click.Choice(list(KNOWN_LANGUAGES)), default="en", help="Language of the output."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")


def parameters(*added: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that adds these parameters to a command, in this order."""
    return lambda function: reduce(lambda command, add: add(command), reversed(added), function)


engine_options = parameters(
    click.option(
        "--on",
        metavar="ENGINE",
        help="Engine: process (this one), pool (processes on this machine), ray, or ray://HOST:PORT. Default: pool.",
    ),
    click.option("--processes", type=click.IntRange(1), help="Parallel processes; one per core by default."),
    click.option(
        "--results",
        metavar="FILE",
        type=FILE,
        help="Save results in FILE, one line per chunk; chunks already in it are not played again.",
    ),
    json_option,
)


def game_options(function: F) -> F:
    """Add `--players N --option name=value --rules letter …`; the command gets a dictionary `options`, and `rules`."""

    def join(ctx: click.Context, parameter: click.Parameter, pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
        players = ctx.params.pop("players", None)
        return dict(pairs) | ({} if players is None else {"players": str(players)})

    settings = click.option(
        "--option", "options", type=OptionValue(), multiple=True, callback=join, help="Set an option of the game."
    )
    players = click.option("--players", type=int, is_eager=True, help="Number of players.")
    return settings(players(rules_option(function)))


def contest_options(matches: int, repeatable: str) -> Callable[[F], F]:
    """Add the parameters of an arena or a ladder: GAME, BOTS, options, matches, seed, engine and results file.

    `matches`: the default minimum; `repeatable`: the help of the seed. The command gets them under the names that
    `tavola.lab.arena` and `ladder` use.
    """
    return parameters(
        game_argument,
        click.argument("bots", nargs=-1, required=True),
        game_options,
        click.option("--matches", type=click.IntRange(1), default=matches, help="Minimum number of matches."),
        click.option("--seed", type=int, default=0, help=repeatable),
        engine_options,
    )


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; call the yielded function with the work done and the total."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    left = TimeRemainingColumn(), TextColumn("left")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), *left
    shown = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    # Output of an engine about its workers does not belong to the results on standard output.
    with redirect_stdout(sys.stderr), shown as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def print_tables(tables: "Iterable[Table]") -> None:
    """Print tables in the width of the terminal; without a terminal in full width, so that no name is cut."""
    from rich.console import Console
    from rich.measure import Measurement

    console = Console()
    for table in tables:
        if console.is_terminal:
            console.print(table)
        else:
            wanted = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
            Console(width=max(console.width, wanted)).print(table)


@contextmanager
def file_errors(path: Path, expected: str) -> Iterator[None]:
    """Raise `click.FileError`, which says what was expected of a path, in place of errors of the system."""
    try:
        yield
    except OSError as error:
        raise click.FileError(str(path), f"expected {expected}, {error.strerror}") from error


def parse_entry(text: str) -> "Entry":
    """Return the bot for a text: `greedy`, `search:50ms`, `search:400` (iterations), `exec:command` …"""
    from tavola.lab import Entry

    return Entry.parse(text)


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input for `-`; raise `click.FileError` if it cannot be read."""
    try:
        return decode_text(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    except OSError as error:
        raise click.FileError(file, f"expected a text file that can be read, {error.strerror}") from error
    except BadRecord as refusal:
        raise click.FileError(file, str(refusal)) from refusal


def guide(name: str) -> str:
    """Return the path of a guide, `hosting` or `CONTRIBUTING`: beside the package in a checkout, in it in a wheel."""
    package = Path(tavola.__file__).parent
    places = (package.parent / "docs" / f"{name}.md", package.parent / f"{name}.md")
    return str(next((place for place in places if place.exists()), package / "guides" / f"{name}.md"))
