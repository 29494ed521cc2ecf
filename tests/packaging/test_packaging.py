"""The wheel: pure Python, with every page, picture, catalogue and rulebook; it serves the site on its own.

Tests and goldens are left out, except those of the template, which `tavola new-game` copies.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Any

import httpx
import pytest

import tavola
from scripts import distributions
from tests.helpers import PATIENCE, ROOT

pytestmark = pytest.mark.process
MOMENT = 1_790_000_000
PROMISES = ("goldens", "paragraph", "rules are written", "legal actions")
ONLY = ("--worlds", "5", *(word for promise in PROMISES for word in ("--only", promise)))
# Sources in another place would be compiled again, which is not tested here.
PLAIN = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"NUMBA_DISABLE_JIT": "1"}


def tree() -> list[str]:
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "tavola", cwd=ROOT)
    return [name for name in listed.splitlines() if (ROOT / name).exists()]


def is_left_out(name: str) -> bool:
    tries = re.search(r"/(test_[^/]*|fixtures|reference_model)\.py$|/golden/", name)
    return bool(tries) and "/_template/" not in name


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder shared by all workers of a run: one of them makes it, the others wait."""
    shared = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    folder, made = shared / name, shared / f"{name}.made"
    with (shared / f"{name}.lock").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        if not made.exists():
            make(folder)
            made.touch()
    return folder


def run(*command: str, **settings: Any) -> str:
    """Return what a command prints on both streams; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory):
    return next(made_once(tmp_path_factory, "wheel", build).glob("*.whl"))


def build(folder: Path) -> None:
    source = folder / "source"
    # From a copy, so that the build leaves no traces in the checkout.
    documents = [str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.*")]
    pages = ("CHANGELOG.md", "MANIFEST.in", "CONTRIBUTING.md", "LICENSE", "constraints.txt")
    for name in [*tree(), "pyproject.toml", "setup.py", *pages, *documents]:
        copy = source / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    distributions.build(source, folder, MOMENT)


@pytest.mark.soak
def test_the_same_sources_give_the_same_bytes(wheel: Path, tmp_path: Path):
    """Whatever the times and modes of their files; the wheel is built from the source distribution."""
    source, again = wheel.parent / "source", tmp_path / "source"
    shutil.copytree(source, again, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*.egg-info"))
    (again / "setup.py").chmod(0o777)
    made = {path.name: path.read_bytes() for path in distributions.build(again, tmp_path, MOMENT)}
    assert made == {name: (wheel.parent / name).read_bytes() for name in made}
    assert sorted(made) == [f"tavola-{tavola.__version__}-py3-none-any.whl", f"tavola-{tavola.__version__}.tar.gz"]


def test_the_wheel_is_pure_and_carries_everything(wheel: Path):
    assert wheel.name == f"tavola-{tavola.__version__}-py3-none-any.whl"
    held = set(zipfile.ZipFile(wheel).namelist())
    expected = {name for name in tree() if not is_left_out(name)}
    assert (expected - held, {name for name in held if is_left_out(name)}) == (set(), set())
    assert len(expected) < len(tree())
    assert [name for name in held if not name.startswith(("tavola/", "tavola-"))] == []
    assert {".py", ".md", ".po", ".html", ".css", ".js", ".svg", ".txt"} <= {Path(name).suffix for name in held}


def test_an_image_gets_the_guides_of_the_wheel(wheel: Path):
    """A build without one of them would fail."""
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"]
    guides = [PurePath(path).name for path in zipfile.ZipFile(wheel).namelist() if "/guides/" in path]
    paths = [name if (ROOT / name).exists() else f"docs/{name}" for name in guides]
    assert paths
    assert [path for path in paths if not any(fnmatch(path, pattern) for pattern in kept)] == []


def test_the_wheel_says_what_it_is(wheel: Path):
    archive = zipfile.ZipFile(wheel)
    information = f"tavola-{tavola.__version__}.dist-info"
    metadata = archive.read(f"{information}/METADATA").decode()
    version = f"Version: {tavola.__version__}"
    for line in ("Name: tavola", version, "License-Expression: MIT", "Requires-Python: >=3.11"):
        assert re.search(rf"^{re.escape(line)}$", metadata, re.MULTILINE)
    assert "The Tavola authors" in archive.read(f"{information}/licenses/LICENSE").decode()
    assert "Author: The Tavola authors" in metadata
    assert metadata.count("Classifier: ") > 10
    text = metadata.partition("\n\n")[2]
    assert len(text) > 500
    assert re.findall(r"\]\((?!https://)[^)]*\)", text) == [], "links of an index page lead to whole addresses"
    assert "tavola = tavola.cli:main" in archive.read(f"{information}/entry_points.txt").decode()


def test_the_pages_install_this_release_from_a_file():
    """Not from an index, where the name may be another program's."""
    pages = [*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages if page.name != "CHANGELOG.md"}
    versions = [version for text in texts.values() for version in re.findall(r"tavola-(\d[\d.]*\d)", text)]
    assert set(versions) == {tavola.__version__, "20260131"}
    assert [name for name, text in texts.items() if re.search(r"pip install.* '?tavola\b(?!-)", text)] == []
    releases = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert releases[0] == "Next"
    assert re.fullmatch(rf"{re.escape(tavola.__version__)} · \d{{4}}-\d\d-\d\d", releases[1])


def test_every_requirement_is_pinned():
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in pins if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9A-Za-z.]*", line) for line in lines)
    pinned = {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in lines}
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("bench = ")[0]
    named = re.findall(r'^    "([A-Za-z0-9_.-]+)[\[>=]', declared, re.MULTILINE)
    needed = {re.sub(r"[-_.]+", "-", name).lower() for name in named}
    assert len(needed) > 20
    assert needed - pinned == set()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory):
    """The command of a new environment with the wheel and the dependencies of this one."""
    home = made_once(tmp_path_factory, "venv", lambda home: install(wheel, home))
    return home / "bin" / "tavola"


def install(wheel: Path, home: Path) -> None:
    venv.create(home, with_pip=False)
    site = next(home.glob("lib/python*/site-packages"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed"]
    run(*command, "--prefix", str(home), str(wheel))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    script = home / "bin" / "tavola"
    script.write_text(re.sub(r"^#!.*", f"#!{home / 'bin' / 'python'}", script.read_text()))


@pytest.mark.parametrize(("command", "names"), [("serve", ("hosting", "workers")), ("arena", ("programs",))])
def test_the_guides_that_help_names_are_in_the_wheel(installed: Path, tmp_path: Path, command: str, names):
    said = "".join(run(str(installed), command, "--help", cwd=tmp_path, env=PLAIN).split())
    for name in names:
        guide = next(installed.parents[1].glob(f"lib/python*/site-packages/tavola/guides/{name}.md"))
        assert str(guide) in said
        assert guide.read_text(encoding="utf-8") == (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        assert guide.with_name("grafana.json").exists()


def test_an_installed_wheel_checks_its_games_and_makes_new_ones(installed: Path, tmp_path: Path):
    said = run(str(installed), "check", "lifeboats", *ONLY, cwd=tmp_path, env=PLAIN)
    assert "lifeboats keeps the selected promises" in said
    assert "not tested: its golden files" in said
    said = run(str(installed), "new-game", "harbour", cwd=tmp_path, env=PLAIN)
    assert re.search(r"/tavola/guides/CONTRIBUTING\.md describes", said)
    for name in ("test_rules.py", "golden/perft.txt"):
        assert (tmp_path / "harbour" / "harbour" / name).exists()


def test_the_wheel_serves_the_site_outside_the_checkout(installed: Path, tmp_path: Path):
    where = [str(installed.parent / "python"), "-c", "import tavola; print(tavola.__file__)"]
    assert str(installed.parents[1]) in subprocess.check_output(where, cwd=tmp_path, env=PLAIN, text=True)
    command = [str(installed), "serve", "--port", "0", "--database", str(tmp_path / "matches.sqlite")]
    process = subprocess.Popen(command, cwd=tmp_path, env=PLAIN, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        page = httpx.get(address, trust_env=False, follow_redirects=True, timeout=PATIENCE)
        assert page.status_code == 200
        assert tavola.load(tavola.game_names()[0]).title in page.text
        for link in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text):
            assert httpx.get(address.rstrip("/") + link, trust_env=False, timeout=PATIENCE).status_code == 200
    finally:
        process.kill()
        process.communicate()
