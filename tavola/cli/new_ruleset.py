"""`tavola new-ruleset GAME MODULE.NAME...`: keep the present rules before a fix, so that open matches can continue."""

import ast
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import click

from tavola.cli.parameters import game_argument
from tavola.contract.rulesets import ends_alike, kept_file, kept_text, whole_match
from tavola.core import Game
from tavola.core.errors import Refusal
from tavola.core.rulesets import RULESETS_FOLDER, kept_versions

LINE = 120
"""Maximum characters of a written line."""
Definition = ast.FunctionDef | ast.Assign | ast.AnnAssign


class NothingKept(Refusal):
    """A ruleset that cannot be kept: the game lacks a name, a file is in the way, or nothing has changed since."""


@click.command(short_help="Keep the present rules and texts before you fix them.")
@game_argument
@click.argument("names", nargs=-1, required=True, metavar="MODULE.NAME...")
def command(game: Game, names: tuple[str, ...]) -> None:
    """Keep functions or constants of GAME that you are about to fix, and start a new version of its rules.

    List what you will change, such as `rules.score` and `words.scoring`. Matches that have begun use what is kept:
    their results, words and rulebook do not change.
    """
    written = new_ruleset(game, names)
    click.echo(f"Kept version {game.version} of {game.name}; its rules are now version {game.version + 1}:\n")
    for path in written:
        click.echo(f"  {path.relative_to(game.folder)}")
    click.echo(f"\nFix {', '.join(names)}, RULES.md and its translations in {game.folder}, then run:\n")
    click.echo(f"  tavola check {game.name} --write-golden")


def new_ruleset(game: Game, names: Iterable[str]) -> list[Path]:
    """Keep the present version of a game and return the files written; on `NothingKept` no file has changed."""
    _check_due(game)
    folder, version = game.folder / RULESETS_FOLDER, game.version
    made = {
        folder / f"v{version}.py": ruleset_source(game, list(dict.fromkeys(names))),
        **{
            folder / f"v{version}{path.name.removeprefix('RULES')}": path.read_text(encoding="utf-8")
            for path in sorted(game.folder.glob("RULES*.md"))
        },
        kept_file(game, version): kept_text(whole_match(game, 0)),
    }
    for path in made:
        if os.path.lexists(path):
            raise NothingKept(f"{path} already exists: expected no file of version {version}; move it elsewhere")
    changed = {game.folder / "__init__.py": _next_version(game)}
    golden = game.folder / "golden" / "playthrough.txt"
    if golden.exists():
        text = golden.read_text(encoding="utf-8")
        changed[golden] = text.replace(f"version: {version}\n", f"version: {version + 1}\n", 1)
    if not (folder / "__init__.py").exists():
        made[folder / "__init__.py"] = ""
    _write_all({**made, **changed})
    return [*made, *changed]


def _check_due(game: Game) -> None:
    if game.ruleset is not None:
        raise NothingKept(f"version {game.version} of {game.name} is already kept: expected its present rules")
    last = game.version - 1
    if last in kept_versions(game.folder) and ends_alike(game, last):
        raise NothingKept(
            f"version {last} of {game.name} is already kept and no rule has changed since: fix a rule first"
        )


def _next_version(game: Game) -> str:
    """Return the source of the game's `__init__.py` with the next version."""
    path = game.folder / "__init__.py"
    source = path.read_text(encoding="utf-8")
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    named = [part.value for call in calls for part in call.keywords if part.arg == "version"]
    if len(named) != 1 or not isinstance(named[0], ast.Constant) or named[0].value != game.version:
        raise NothingKept(f"{path}: expected GAME = Game(…, version={game.version}, …) exactly once")
    lines, where = source.encode().splitlines(keepends=True), named[0]
    line = lines[where.lineno - 1]
    lines[where.lineno - 1] = b"%b%d%b" % (line[: where.col_offset], game.version + 1, line[where.end_col_offset :])
    return b"".join(lines).decode()


def _write_all(files: Mapping[Path, str]) -> None:
    """Write all files or none: first to `.part` files, so that a full disk does no harm."""
    parts = {path: path.with_name(f"{path.name}.part") for path in files}
    folders = {path.parent for path in files if not path.parent.exists()}
    try:
        for path, text in files.items():
            path.parent.mkdir(exist_ok=True)
            parts[path].write_text(text, encoding="utf-8")
    except OSError as error:
        for part in parts.values():
            part.unlink(missing_ok=True)
        for folder in folders:
            folder.rmdir()
        raise NothingKept(f"{path}: expected a file that can be written: {error.strerror}") from error
    for path, part in parts.items():
        part.replace(path)


# The source of a ruleset


def ruleset_source(game: Game, names: list[str]) -> str:
    """Return the source of `rulesets/vN.py`: the named definitions as they are now, with what they need."""
    modules = {name: _Module(game, name.rpartition(".")[0]) for name in names}
    kept = {name: modules[name].definition(name.rpartition(".")[2]) for name in names}
    called = [name.rpartition(".")[2] for name in names]
    if len({*called}) < len(called):
        raise NothingKept(f"{', '.join(names)}: expected a different name after each module")
    imports, constants = dict[str, str](), dict[str, str]()
    for name, node in kept.items():
        for needed in modules[name].needs(node):
            if (needed, modules[name].name) in {(own.rpartition(".")[2], own.rpartition(".")[0]) for own in names}:
                continue
            literal = modules[name].literal(needed)
            found = constants if literal else imports
            statement = literal or modules[name].import_of(needed)
            if needed in called or found.setdefault(needed, statement) != statement:
                raise NothingKept(f"{needed} has two meanings in {', '.join(names)}: expected one; rename one of them")
    imports["Ruleset"] = "from tavola.core import Ruleset"
    sources = [modules[name].source(node) for name, node in kept.items()]
    head = [
        f'"""What version {game.version} had that version {game.version + 1} changed."""',
        *_comments(called, sources),
    ]
    text = "\n".join([*head, "", *_import_lines(imports.values())])
    for block in ["\n".join(constants.values()), *sources, _declaration(names)]:
        apart = "\n\n\n" if "def " in text or "def " in block else "\n\n"
        text += f"{apart}{block}" if block else ""
    return f"{text}\n"


def _comments(called: list[str], sources: list[str]) -> list[str]:
    """Return comments for the checks of annotations, which compiled functions do not have."""
    compiled = [name for name, source in zip(called, sources, strict=True) if "@compiled" in source]
    if not compiled:
        return []
    missing = {"ANN202" if name.startswith("_") else "ANN201" for name in compiled}
    return ["# mypy: no-check-untyped-defs", f"# ruff: noqa: {', '.join(['ANN001', *sorted(missing)])}"]


def _declaration(names: list[str]) -> str:
    pairs = [f'"{name}": {name.rpartition(".")[2]}' for name in names]
    line = f"RULESET = Ruleset(__file__, {{{', '.join(pairs)}}})"
    if len(line) <= LINE:
        return line
    return "\n".join(["RULESET = Ruleset(", "    __file__,", "    {", *(f"        {p}," for p in pairs), "    },", ")"])


def _import_lines(statements: Iterable[str]) -> Iterator[str]:
    """Yield sorted lines: Python's modules, others, Tavola's; in each part, `import` first, then a `from` a module."""
    parts = groupby(sorted({*statements}, key=_part), _part)
    for place, (_, lines) in enumerate(parts):
        yield from [""] if place else []
        yield from _sorted_part([*lines])


def _part(statement: str) -> int:
    package = re.split(r"[ .]", statement)[1]
    return 0 if package in sys.stdlib_module_names else 2 if package == "tavola" else 1


def _sorted_part(statements: list[str]) -> Iterator[str]:
    by_module = defaultdict[str, set[str]](set)
    for line in (line for line in statements if line.startswith("from ")):
        module, _, name = line.removeprefix("from ").partition(" import ")
        by_module[module].add(name)
    yield from sorted(line for line in statements if line.startswith("import "))
    for module, named in sorted(by_module.items()):
        # Ruff's order: constants, then classes, then the rest.
        ordered = sorted(named, key=lambda name: (not (name.isupper() and len(name) > 1), not name[:1].isupper(), name))
        line = f"from {module} import {', '.join(ordered)}"
        if len(line) <= LINE:
            yield line
        else:
            yield from (f"from {module} import (", *(f"    {name}," for name in ordered), ")")


class _Module:
    """The source of one module of a game."""

    def __init__(self, game: Game, name: str) -> None:
        self.name, self.package = name, f"{game.package}.{name}"
        place = game.folder.joinpath(*name.split("."))
        path = next((found for found in (place.with_suffix(".py"), place / "__init__.py") if found.exists()), None)
        if not name or path is None:
            missing = f"{name} is not a module of {game.name}" if name else "the module is missing"
            raise NothingKept(f"{missing}: expected MODULE.NAME, such as rules.score")
        self._text = path.read_text(encoding="utf-8")
        self._imports: dict[str, str] = {}
        self._own: dict[str, ast.stmt] = {}
        for node in ast.parse(self._text).body:
            self._note(node)

    def _note(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            start = f"from {node.module} import" if isinstance(node, ast.ImportFrom) else "import"
            for alias in node.names:
                renamed = f" as {alias.asname}" if alias.asname else ""
                self._imports[alias.asname or alias.name.partition(".")[0]] = f"{start} {alias.name}{renamed}"
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            self._own[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = (part for target in targets for part in ast.walk(target))
            self._own |= {part.id: node for part in parts if isinstance(part, ast.Name)}

    def definition(self, name: str) -> Definition:
        """Return the function or constant of this name that the module itself defines."""
        node = self._own.get(name)
        if not isinstance(node, Definition):
            where = f": {self._imports[name]}" if name in self._imports else ""
            raise NothingKept(f"{self.name}.{name}: expected a function or constant that {self.name} defines{where}")
        return node

    def needs(self, node: ast.AST) -> list[str]:
        """Return the names of the module that a definition uses, without its own."""
        own = getattr(node, "name", None)
        used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        return sorted(name for name in used if name != own and (name in self._own or name in self._imports))

    def literal(self, name: str) -> str:
        """Return the source of a constant if it is a literal, else an empty string."""
        node = self._own.get(name)
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            return ""
        try:
            ast.literal_eval(node.value)
        except ValueError:
            return ""
        return self.source(node)

    def import_of(self, name: str) -> str:
        return self._imports.get(name) or f"from {self.package} import {name}"

    def source(self, node: ast.stmt) -> str:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(part.lineno for part in decorators)])
        return "\n".join(self._text.splitlines()[first - 1 : node.end_lineno])
