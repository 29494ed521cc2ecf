"""`tavola replay FILE`: a match that was written down, told again."""

from pathlib import Path

import click

from tavola.cli.parameters import language_option, read_text
from tavola.cli.play import show_result
from tavola.core import CHANCE, Match, read_record
from tavola.core.text import isolated
from tavola.show.cards import words_of
from tavola.show.speech import Say


@click.command(short_help="Tell a match again that was written down.")
@click.argument("file", type=click.Path(allow_dash=True))
@language_option
def command(file: str, language: str) -> None:
    """Print the match in FILE (`-` for what is piped in): every action, what happened, the table at the end."""
    record = read_record(read_text(file))
    record.match()
    match = Match(record.rules, record.options, None, record.position)
    speech, say = Say.of(match.game, language, record.names), Say(Path(__file__).parent, language)
    options = ", ".join(f"{name} {value}" for name, value in record.options.items())
    click.echo(click.style(f"{match.game.title} ({options})", bold=True))
    for place, (seat, code) in enumerate(record.actions, 1):
        before = match.view()
        match.play(code, seat)
        who = "*" if seat == CHANCE else isolated(speech.name(seat))
        click.echo(f"{place:4}. {who}: {code}")
        for line in words_of(match.game).events(before, match.view(), match.last_action(), speech):
            click.echo(f"      {line}")
    click.echo("")
    for line in words_of(match.game).table(match.view(), speech):
        click.echo(f"  {line}")
    show_result(match, speech, say)
