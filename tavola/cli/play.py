"""Matches in the terminal, in the game's own sentences: `tavola play GAME`, `tavola replay FILE`; `tavola games`."""

import secrets
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from tavola.bots.outside.player import hear_match
from tavola.cli.parameters import file_errors, game_argument, game_options, language_option, parse_entry, read_text
from tavola.core import CHANCE, Game, IllegalAction, Match, View, kernels, read_record, stream
from tavola.core.matchfile import check_output
from tavola.core.text import isolated
from tavola.games import load, names
from tavola.show.cards import words_of
from tavola.show.speech import Say

HELP_WORDS = ("?", "h", "help")
QUIT_WORDS = ("q", "quit")
RECORD = click.Path(dir_okay=False, path_type=Path)


@click.command(short_help="Play a match against bots in the terminal.")
@game_argument
@game_options
@click.option("--seed", type=int, help="Random seed, to repeat a match.")
@click.option("--bots", default="search", help="Bots to play against: random, greedy, search:200ms, exec:./bot …")
@click.option("--seat", type=click.IntRange(min=0), default=0, show_default=False, help="Your seat; 0 is the first.")
@click.option("--name", default="", show_default=False, help="Your name.")
@language_option
@click.option("--record", "file", type=RECORD, help="Save the match to this file, even if you quit.")
def command(
    game: Game, options: dict[str, Any], rules: str, seed: int | None, seat: int, file: Path | None, **sitter: str
) -> None:
    """Play a match of GAME against bots.

    Choose by number or by code; `?` shows what else you can type. Without a terminal, the choices are read from
    standard input, one per line.
    """
    seed = secrets.randbits(32) if seed is None else seed
    match = Match(game, rules=rules, **options)
    if seat >= match.players:
        raise click.BadParameter(f"--seat {seat}: expected 0 to {match.players - 1}")
    if file is not None:
        with file_errors(file, "a file that can be written"):
            file.absolute().parent.resolve(strict=True)  # no match is played and then lost
            check_output(file, "game: ")
    sitting = TerminalMatch(match, seat, seed, **sitter)
    try:
        sitting.play()
    finally:
        if file is not None:
            ending = "" if match.over else "; the match was left here, unfinished\n"
            with file_errors(file, "a file that can be written"):
                file.write_text(str(match.record(sitting.names)) + ending, encoding="utf-8")
            click.echo(sitting.say("The match is saved in {file}.", file=file))


def chance_action(match: Match, seed: int) -> int:
    """Return the action of chance that a match with this seed draws."""
    numbers, weights = match.legal_numbers(CHANCE), list(match.chance_weights().values())
    return numbers[int(kernels.weighted_index(stream(seed, len(match.history)), np.array(weights), len(weights)))]


class TerminalMatch:
    """A match of one person at a terminal, with bots on the other seats."""

    def __init__(self, match: Match, seat: int, seed: int, bots: str, name: str, language: str) -> None:
        self.match, self.seat, self.seed, self.words = match, seat, seed, words_of(match.game)
        self.names = [(name if p == seat else "") or f"P{p + 1}" for p in range(match.players)]
        self.speech = Say.of(match.game, language, self.names)
        self.say = Say(Path(__file__).parent, language, self.names)
        self.bots = {p: parse_entry(bots).bot(seed + p) for p in range(match.players) if p != seat}

    def play(self) -> None:
        """Play to the end. Seats that decide at the same time see the table as it was before their decisions."""
        while not self.match.over:
            # In an open decision, one seat is drawn by lot.
            first = self.match.actor(stream(self.seed, len(self.match.history)))
            asked = (first,) if self.match.open else self.match.to_act
            views = {p: None if p == CHANCE else self.match.view(p) for p in asked}
            chosen = {p: self._choose(p, view) for p, view in views.items()}
            for p, number in chosen.items():
                before = self.match.view(self.seat)
                self.match.play(number, p)
                after, played = self.match.view(self.seat), self.match.last_action(self.seat)
                for line in self.words.events(before, after, played, self.speech.to_reader(self.seat)):
                    click.echo(f"  {line}")
        show_result(self.match, self.speech, self.say)

    def _choose(self, seat: int, view: View | None) -> int:
        if view is None:
            return chance_action(self.match, self.seed)
        if seat == self.seat:
            return self._ask(view)
        hear_match(self.bots[seat], self.match, seat)
        return int(self.bots[seat].choose(view))

    def _ask(self, view: View) -> int:
        self._show(view)
        while True:
            click.echo("> ", nl=False)
            if not (line := sys.stdin.readline()):
                raise click.UsageError("the input ended before the match did: expected a choice, or `quit`")
            if (number := self._read_answer(view, line.strip())) is not None:
                return number

    def _show(self, view: View) -> None:
        show_table(view, self.speech)
        click.echo(click.style(self.words.prompt(view, self.speech), bold=True))
        for place, number in enumerate(view.legal, 1):
            code = click.style(f"[{self.match.game.actions.code(number)}]", dim=True)
            click.echo(f"{place:4}  {self.words.action(view, number, self.speech)}  {code}")

    def _read_answer(self, view: View, line: str) -> int | None:
        """Return the action that a line chooses; None if it was another request, which has been answered."""
        if line.lower() in QUIT_WORDS:
            raise click.exceptions.Exit(0)
        if line.lower() in HELP_WORDS:
            click.echo(self.say("Type a number or a code."))
            click.echo(self.say("`? CODE` explains why something isn’t allowed, `t` shows the table, `q` quits."))
        elif line.lower() == "t":
            self._show(view)
        elif line.startswith("?"):
            if self._choice_by_code(view, line[1:]) is not None:
                click.echo(self.say("That’s allowed now."))
        elif line.isascii() and line.isdecimal():
            if 1 <= int(line) <= len(view.legal):
                return view.legal[int(line) - 1]
            click.echo(self.say("Type a number from 1 to {count}, a code, or `?` for help.", count=len(view.legal)))
        elif line:
            return self._choice_by_code(view, line)
        return None

    def _choice_by_code(self, view: View, code: str) -> int | None:
        try:
            number = self.match.game.actions.number(code)
        except IllegalAction as refusal:
            click.echo(str(refusal))
            return None
        if number in view.legal:
            return number
        click.echo(self.words.refusal(view, number, self.speech))
        return None


def show_table(view: View, speech: Say) -> None:
    """Print what a seat sees, after an empty line."""
    click.echo("")
    for line in words_of(view.game).table(view, speech):
        click.echo(f"  {line}")


def show_result(match: Match, speech: Say, say: Say) -> None:
    """Print the ranking, with the scoring of each seat."""
    result = match.score()
    click.echo("")
    for seat in sorted(range(match.players), key=lambda p: (result.ranks[p], p)):
        values = {"place": result.ranks[seat], "name": speech.name(seat), "points": result.points[seat]}
        click.echo(click.style(say("{place}. {name}: points {points}", **values), bold=True))
        for sentence, points in words_of(match.game).scoring(match.view(seat), seat, speech):
            click.echo(f"     {points:3}  {sentence}")


@click.command(short_help="Print a recorded match, action by action.")
@click.argument("file", type=click.Path(allow_dash=True))
@language_option
def replay_command(file: str, language: str) -> None:
    """Print the match in FILE (`-` for standard input): every action, its effects, and the table at the end."""
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
    show_table(match.view(), speech)
    show_result(match, speech, say)


@click.command(short_help="List the games and their options.")
@language_option
def games_command(language: str) -> None:
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
            recommended, letter = option.write(option.default), option.write(option.letter)
            default = recommended if recommended == letter else f"{recommended}; --rules letter: {letter}"
            click.echo(f"  --option {option.name}={values}  {title} ({default})")
