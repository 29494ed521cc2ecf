"""Print figures of checkouts as a table: lines of Python by part and game, modules, import cycles, longest functions.

    python scripts/figures.py [FOLDER…]

There is one column for each checkout, for a table before and after. Tests beside a game are not counted in its lines;
other test material (a reference model, positions to start from) is. A cycle is a set of modules that import each other,
directly or indirectly. Imports inside functions and for types are included.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

PARTS = ("core", "show", "bots", "contract", "store", "live", "web", "lab", "cli")
LONGEST = 5


def modules(root: Path) -> dict[str, Path]:
    """Return the modules of the package without tests, by dotted name."""
    files = [path for path in sorted((root / "tavola").rglob("*.py")) if not path.name.startswith("test_")]
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def lines(paths: Iterator[Path]) -> int:
    """Return the number of lines of all these files."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def imports(name: str, path: Path, known: Mapping[str, Path]) -> set[str]:
    """Return the known modules that a module imports; packages count only if they define something."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {each if each in known else node.module for each in names}
    return (found & known.keys()) - {name}


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the sets of more than one module that reach each other, the largest first."""
    reached = {name: _reach(graph, name) for name in graph}
    found = {tuple(sorted(o for o in reached[name] if name in reached[o])) for name in graph if name in reached[name]}
    return sorted((list(circle) for circle in found if len(circle) > 1), key=lambda circle: (-len(circle), circle))


def _reach(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph[name]
    return seen


def functions(known: Mapping[str, Path]) -> list[tuple[int, str]]:
    """Return the number of lines and the name of every function, the longest first."""
    found = []
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.append(((node.end_lineno or node.lineno) - node.lineno + 1, f"{name}.{node.name}"))
    return sorted(found, reverse=True)


def figures(root: Path) -> dict[str, str]:
    """Return the figures of a checkout by name."""
    known = modules(root)
    rows = {f"lines of `{part}`": _lines_below(known, f"tavola.{part}") for part in PARTS}
    for game in sorted({name.split(".")[2] for name in known if name.startswith("tavola.games.")}):
        rows |= game_figures(known, game)
    folders = Counter(str(p.parent.relative_to(root / "tavola")) for p in known.values() if p.name != "__init__.py")
    rows |= {f"modules in `{folder}`": str(n) for folder, n in sorted(folders.items()) if folder not in (".", "games")}
    rows = {what: value for what, value in rows.items() if not what.startswith("modules in `games")}
    sizes = [len(circle) for circle in circles({name: imports(name, path, known) for name, path in known.items()})]
    longest = functions(known)
    rows["import cycles, modules in each"] = ", ".join(map(str, sizes)) or "none"
    rows["functions"] = f"{len(longest):,}"
    rows["lines per function: median, 90th percentile"] = f"{_at(longest, 0.5)}, {_at(longest, 0.1)}"
    rows["functions of more than 30 lines"] = str(sum(size > 30 for size, _ in longest))
    rows["longest functions"] = ", ".join(f"`{name.split('.', 1)[1]}` {size}" for size, name in longest[:LONGEST])
    return rows


def game_figures(known: Mapping[str, Path], game: str) -> dict[str, str]:
    """Return the lines of a game: all, its words, its picture."""
    whole = f"tavola.games.{game}"
    parts = {f"lines of `{game}`": whole, f"… its words, `{game}`": f"{whole}.words"}
    return {
        what: _lines_below(known, name)
        for what, name in {**parts, f"… its picture, `{game}`": f"{whole}.picture"}.items()
    }


def _lines_below(known: Mapping[str, Path], name: str) -> str:
    return f"{lines(path for each, path in known.items() if f'{each}.'.startswith(f'{name}.')):,}"


def _at(longest: list[tuple[int, str]], share: float) -> int:
    return longest[int(len(longest) * share)][0]


def main(roots: list[Path]) -> None:
    """Print the table with a column for each checkout."""
    columns = [figures(root) for root in roots]
    for what in dict.fromkeys(what for column in columns for what in column):
        print("|", " | ".join([what, *(column.get(what, "–") for column in columns)]), "|")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:] or ["."]])
