"""Styles, scripts, fonts and icons: cached below addresses with the version, revalidated elsewhere."""

import re
from pathlib import Path

import pytest

from tavola.web.files import FOLDER, static_version
from tests.helpers.site import Guest

SCRIPTS = sorted(FOLDER.glob("js/**/*.js"))
SCRIPT_FOLDERS = ("site", "app", "board", "choices", "pages", "room")
"""From the lowest to the highest; `main.js` is above them all."""
FILES = sorted(str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*") if file.is_file())


def imports_of(script: Path) -> list[Path]:
    names = re.findall(r'^import (?:.* from )?"([^"]+)"', script.read_text(encoding="utf-8"), re.MULTILINE)
    return [(script.parent / name).resolve() for name in names]


def height_of(script: Path) -> int:
    folder = script.parent.name
    return SCRIPT_FOLDERS.index(folder) if folder in SCRIPT_FOLDERS else len(SCRIPT_FOLDERS)


def test_pages_link_below_the_version_and_scripts_stay_there(ada: Guest):
    page = ada.get("/").text
    links = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(links) > 10
    assert {link.split("/")[2] for link in links} == {static_version()}
    for script in SCRIPTS:
        assert not re.findall(r'(?:from|import|import\() ?"(?!\.\.?/)', script.read_text(encoding="utf-8")), script.name
        assert all(imported.is_relative_to(FOLDER / "js") for imported in imports_of(script)), script.name


def test_folders_of_scripts_import_only_those_below_them():
    folders = [script.relative_to(FOLDER / "js").parts[0] for script in SCRIPTS]
    assert {folder for folder in folders if not folder.endswith(".js")} == set(SCRIPT_FOLDERS)
    for script in SCRIPTS:
        for imported in imports_of(script):
            assert imported in SCRIPTS
            assert height_of(imported) <= height_of(script), f"{script.name} imports {imported.name}"


def test_only_one_script_uses_browser_storage():
    stores = re.compile(r"\b(?:local|session)Storage\b|\bindexedDB\b|\bdocument\.cookie\b")
    scripts = [*SCRIPTS, *FOLDER.parent.glob("templates/*.html")]
    touching = [script.name for script in scripts if stores.search(script.read_text(encoding="utf-8"))]
    assert touching == ["storage.js"]


@pytest.mark.parametrize("path", FILES)
def test_every_file_is_the_one_on_disk_packed_or_not(ada: Guest, path):
    body = (FOLDER / path).read_bytes()
    for packing in ("gzip", "identity"):
        kept = ada.get(f"/static/{static_version()}/{path}", headers={"Accept-Encoding": packing})
        assert kept.content == body
        assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert packing == "gzip" or "content-encoding" not in kept.headers
    fresh = ada.get(f"/static/{path}")
    assert (fresh.content, fresh.headers["cache-control"]) == (body, "no-cache")
    assert fresh.headers["content-type"] == kept.headers["content-type"]


def test_scripts_and_style_are_sent_packed(ada: Guest):
    packed = ada.get(f"/static/{static_version()}/js/room/room.js")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "Accept-Encoding"
    assert int(packed.headers["content-length"]) * 2 < len(packed.content)


def test_another_release_is_answered_as_it_is_now_and_not_kept(ada: Guest):
    other = ada.get(f"/static/{'0' * 16}/js/main.js")
    assert other.content == (FOLDER / "js" / "main.js").read_bytes()
    assert other.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["js/none.js", "js", "", "../app.py", "%2e%2e/app.py", "js/../../app.py"])
def test_what_is_not_there_is_not_found(ada: Guest, path):
    for version in ("", f"{static_version()}/", f"{'0' * 16}/"):
        assert ada.get(f"/static/{version}{path}").status_code == 404
