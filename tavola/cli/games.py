"""`tavola games`: the list of games."""

import click

from tavola.cli.parameters import language_option
from tavola.core import Option
from tavola.games import load, names
from tavola.show.cards import words_of
from tavola.show.speech import Say


@click.command(short_help="List the games and their options.")
@language_option
def command(language: str) -> None:
    """List the games, their numbers of players and their options."""
    for name in names():
        game = load(name)
        say = Say.of(game, language)
        few, many = game.players
        click.echo(f"{click.style(name, bold=True)}  {game.title}, {few}–{many}, version {game.version}")
        click.echo(f"  {words_of(game).about(say)}")
        for option in game.options.all[1:]:
            values = "|".join(option.names) or f"{option.low}–{option.high}"
            title = words_of(game).option(option.name, say)[0]
            click.echo(f"  --option {option.name}={values}  {title} ({_default_words(option)})")


def _default_words(option: Option) -> str:
    """Return the default of an option: the recommended value, and that of the printed rules if it differs."""
    recommended, letter = option.write(option.default), option.write(option.letter)
    return recommended if recommended == letter else f"{recommended}; --rules letter: {letter}"
