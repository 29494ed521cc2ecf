"""The layers: no circles of imports, and no file outside a game's folder names it. `lint-imports` checks directions."""

import ast
import re
from pathlib import Path

import grimp

import tavola

ROOT = Path(tavola.__file__).parent
ABOVE = ("core", "bots", "store", "live", "web", "lab", "rl", "mcp", "cli")


def test_no_module_is_in_a_circle_of_imports():
    """Imports for types and within functions count. All may import the package itself, which loads others later.

    A club's notices name the club, of which they are a part, as a type.
    """
    graph = grimp.build_graph("tavola")
    later = [("tavola", module) for module in graph.find_modules_directly_imported_by("tavola")]
    for importer, imported in (*later, ("tavola.club.notices", "tavola.club.club")):
        graph.remove_import(importer=importer, imported=imported)
    imports, below = graph.find_modules_directly_imported_by, graph.find_downstream_modules
    circles = {module: imports(module) & below(module) for module in graph.modules}
    assert len(circles) > 400
    assert {module: imported for module, imported in circles.items() if imported} == {}


def words_of(source: str) -> list[str]:
    """Return every name and every string of a Python source; docstrings may give examples."""
    tree = ast.parse(source)
    documented = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    starts = (node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and node.body)
    examples = {id(start.value) for start in starts if isinstance(start, ast.Expr)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in examples:
            found.append(node.value)
        found += [getattr(node, key) for key in ("id", "attr", "module", "name", "arg") if getattr(node, key, None)]
    return [word for word in found if isinstance(word, str)]


def test_code_above_games_names_no_game():
    word = re.compile(rf"\b({'|'.join(tavola.game_names())})\b", re.IGNORECASE)
    paths = (path for folder in ABOVE for path in sorted((ROOT / folder).rglob("*")) if "test_" not in path.name)
    sources = (path for path in paths if path.suffix in (".py", ".html", ".css", ".js"))
    texts = {path: text for path in sources if word.search(text := path.read_text(encoding="utf-8"))}
    naming = [path for path, text in texts.items() if path.suffix != ".py" or any(map(word.search, words_of(text)))]
    assert [str(path.relative_to(ROOT)) for path in naming] == []


def test_a_name_would_be_found():
    source = '"""Examples: lifeboats."""\nfrom tavola.games.lifeboats import rules\ngame = load("voyage")\n'
    assert [w for w in words_of(source) if "lifeboats" in w or "voyage" in w] == ["tavola.games.lifeboats", "voyage"]


def test_games_and_their_tests_do_not_import_the_tests_package():
    """So that a game can be its own package, including tests."""
    needing = re.compile(r"^\s*(?:from|import) tests\b", re.MULTILINE)
    games = sorted((ROOT / "games").rglob("*.py"))
    assert any(path.name.startswith("test_") for path in games)
    assert [str(path) for path in games if needing.search(path.read_text(encoding="utf-8"))] == []


def test_every_layer_is_named():
    layers = (ROOT.parent / "pyproject.toml").read_text(encoding="utf-8").split("layers = [", 1)[1].split("]", 1)[0]
    assert set(re.findall(r"tavola\.(\w+)", layers)) == {path.parent.name for path in ROOT.glob("*/__init__.py")}
