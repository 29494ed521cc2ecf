"""Wheels hold the guides, and nothing that only a checkout needs; all else is told by pyproject.toml."""

from pathlib import Path, PurePath
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
GUIDES = (
    "CONTRIBUTING.md",
    *(f"docs/{name}.md" for name in ("abuse", "arenas", "glossary", "hosting", "learning", "programs", "workers")),
    "docs/grafana.json",
    "docs/maintenance.html",
)
"""The guides that `--help` names, and the files that they mention: in a wheel they are in `tavola/guides`."""


def is_shipped(path: str) -> bool:
    """False for tests and goldens, but for those of the template: `tavola new-game` copies them."""
    parts, name = PurePath(path).parts, PurePath(path).name
    tries = name.startswith("test_") or name in ("fixtures.py", "reference_model.py") or "golden" in parts
    return "_template" in parts or not tries


class BuildPackage(build_py):  # type: ignore[misc]
    """Copies modules, data and guides that are shipped."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for guide in GUIDES:
                copy = Path(self.build_lib, "tavola", "guides", PurePath(guide).name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(ROOT / guide), str(copy))

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        return [module for module in super().find_package_modules(package, package_dir) if is_shipped(module[2])]

    def find_data_files(self, package: str, src_dir: str) -> list[Any]:
        return [path for path in super().find_data_files(package, src_dir) if is_shipped(path)]


setup(cmdclass={"build_py": BuildPackage})
