"""`tavola new-game NAME`: copy a complete small game as a start for your own."""

import keyword
import os
import re
import shlex
from pathlib import Path

import click

import tavola
from tavola.cli.parameters import guide
from tavola.core.errors import Refusal
from tavola.games import names

TEMPLATE = Path(tavola.__file__).parent / "games" / "_template"
SUFFIXES = (".py", ".md", ".po", ".txt", ".svg", ".css")
PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "0.1.0"
dependencies = ["tavola"]

[project.entry-points."tavola.games"]
{name} = "{name}"

[tool.setuptools.packages.find]
include = ["{name}", "{name}.*"]

[tool.setuptools.package-data]
{name} = ["**/*.md", "**/*.po", "**/*.txt", "**/*.svg", "**/*.css"]

[tool.ruff]
line-length = 120

[tool.ruff.lint.isort]
known-first-party = ["tavola"]
"""
IMPORT = r"from (?:tavola|{package})\b.* import (?:\([^)]*\)|.*)\n"
"""Pattern of an import of Tavola or of the game's package, which are sorted together."""


class BadName(Refusal):
    """A name that is not valid for a game, or is taken."""


@click.command(short_help="Create a game from a small, complete template.")
@click.argument("name")
@click.option("--to", type=click.Path(file_okay=False), help="Create a separate package in this folder.")
def command(name: str, to: str | None) -> None:
    """Copy the template game under NAME.

    In a checkout of Tavola, the copy is the folder `tavola/games/NAME`. Elsewhere, or with --to, it is a separate
    package that declares the game, to be installed with pip.
    """
    ours = (TEMPLATE.parents[2] / "pyproject.toml").exists()
    package = None if ours and to is None else Path(to or name)
    folder = new_game(name, package)
    click.echo(f"Created {folder}. Next, as {guide('CONTRIBUTING')} describes:\n")
    if package is not None:
        click.echo(f"  pip install -e {shlex.quote(str(package))}")
    click.echo(f"  tavola check {name}\n  tavola play {name} --bots greedy")


def new_game(name: str, package: Path | None = None) -> Path:
    """Copy the template as `name`, to the built-in games or to a separate `package`; return the game's folder."""
    _check_name(name)
    home = TEMPLATE.parent if package is None else package
    folder = home / name
    if os.path.lexists(folder):
        raise BadName(f"{folder} already exists: expected another name")
    for path in sorted(TEMPLATE.rglob("*")):
        if path.suffix in SUFFIXES:
            copy = folder / path.relative_to(TEMPLATE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(_rename_template(path.read_text(encoding="utf-8"), name, package is None), encoding="utf-8")
    if package is not None and not os.path.lexists(package / "pyproject.toml"):
        (package / "pyproject.toml").write_text(PROJECT.format(name=name), encoding="utf-8")
    return folder


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,29}[a-z0-9]", name) or keyword.iskeyword(name):
        raise BadName(f"{name[:60]!r} is not a valid name: expected 2 to 31 lowercase letters, digits and underscores")
    if name in (*names(), "tavola", "template"):
        raise BadName(f"{name!r} is taken: expected a name other than {', '.join(names())}")


def _rename_template(text: str, name: str, ours: bool) -> str:
    module = f"tavola.games.{name}" if ours else name
    title = name.replace("_", " ").capitalize()
    text = text.replace("tavola.games._template", module).replace("template", name).replace("Template", title)
    statement = IMPORT.format(package=name)
    return re.sub(f"(?:{statement})+", lambda found: "".join(sorted(re.findall(statement, found[0]))), text)
