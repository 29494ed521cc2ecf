"""Former names of the public API. Each works as before and warns with the new name (docs/api-changes.md)."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tavola.core import Encoder, Game, Match, View
from tavola.core.errors import warn_renamed


def _moved(old: str, new: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method of an old name, which calls `function` with the object as first argument."""

    def renamed(self: Any, *arguments: Any, **named: Any) -> Any:
        warn_renamed(old, new)
        return function(self, *arguments, **named)

    renamed.__doc__ = f"Deprecated: use `{new}`."
    return renamed


def _new_match(game: Game, seed: Any = None, position: Any = None, *rest: str, **named: Any) -> Match:
    return Match(game, None, seed, position, *rest, **named)


def _shown(name: str) -> Callable[[Game], Any]:
    """Return a function of `tavola.show`, which the core does not need."""
    return lambda game: getattr(import_module("tavola.show"), name)(game)


def add_old_names() -> None:
    """Add the former methods and properties to classes of the core."""
    methods: dict[str, object] = {
        "match": _moved("Game.match", "tavola.Match(game, …)", _new_match),
        "encoder": _moved("Game.encoder", "tavola.core.Encoder(game, …)", Encoder),
        "words": property(_moved("Game.words", "tavola.show.words_of(game)", _shown("words_of"))),
        "picture": property(_moved("Game.picture", "tavola.show.picture_of(game)", _shown("picture_of"))),
    }
    for name, method in methods.items():
        setattr(Game, name, method)
    setattr(View, "redeal", _moved("View.redeal", "tavola.Match.from_view(view, seed)", Match.from_view))  # noqa: B010
