"""By which sources a run plays: a word that is the same on every machine, and changes with any rule or bot."""

import hashlib
from pathlib import Path

import tavola.bargain
import tavola.talk
from tavola import __version__
from tavola.core import Game
from tavola.core.compilation import HASH_DIGITS, compiled_sources


def source_hash(game: Game) -> str:
    """Return hexadecimal digits over all that decides the matches of a game: its rules, the core and the bots."""
    digest = hashlib.sha256()
    for path in compiled_sources(game.source_folder):
        digest.update(f"{path.parent.name}/{path.name}".encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_DIGITS]


def talk_hash() -> str:
    """Return hexadecimal digits over all that decides what bots say to each other."""
    digest = hashlib.sha256()
    for package in (tavola.bargain, tavola.talk):
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            digest.update(f"{path.parent.name}/{path.name}".encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_DIGITS]


def results_header(kind: str, game: Game, options: object, seed: int) -> dict[str, object]:
    """Return the head of any file of results: the run that they belong to, and the sources it played by."""
    return {
        "results": kind,
        "tavola": __version__,
        "game": game.name,
        "version": game.version,
        "sources": source_hash(game),
        "options": options,
        "seed": seed,
    }
