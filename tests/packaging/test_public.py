"""The public names can all be imported, shown, pickled and copied, have types, and every refusal is among them."""

import copy
import pickle
import re
import sys
import sysconfig
import venv
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import mypy.api
import pytest

import tavola
from tavola import bots, core, lab, rl, show
from tavola.bots.outside.programs import ProgramFault
from tavola.core.encoding import Encoder
from tavola.core.match import Match
from tavola.rl import gymnasium, pettingzoo
from tests.helpers import ROOT, run_python

PACKAGES = ("tavola", *(f"tavola.{name}" for name in ("bots", "contract", "core", "games", "lab", "rl", "show")))
OPTIONAL = ("tavola.rl.gymnasium", "tavola.rl.openspiel", "tavola.rl.pettingzoo", "tavola.rl.spaces")


def environments():
    one, batch = gymnasium.env("lifeboats", players=3), gymnasium.vector_env("lifeboats", num_envs=2)
    for environment in (one, batch, pettingzoo.env("lifeboats"), pettingzoo.parallel_env("lifeboats")):
        environment.reset(seed=1)
        yield environment


def public_objects():
    match = Match(tavola.load("lifeboats"), players=3, seed=1)
    seat = match.to_act[0]
    game, view, batch = match.game, match.view(seat), tavola.Batch("lifeboats", n=2, seed=1)
    yield from (game, match, match.record(), match.last_action(), match.moment, match.plan(seat, []))
    yield from (view, match.view(), view.standing, view.table, view.hand)
    yield from (game.options, *game.options.all, game.actions, *game.actions.verbs, game.heuristics)
    yield from (Encoder(game), batch, rl.Pool("greedy"), *bots.LEVELS.values())
    yield from (bots.bot("random"), bots.bot("greedy"), bots.bot("search", 7, iterations=20))
    outside = bots.Outside.parse("exec:./bot")
    yield from environments()
    yield from (outside, outside.player(1), lab.Entry.parse("search:10+bold"), show.Say.of(game, "de", ("Ada",)))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_is_there_and_every_refusal_among_them(name: str):
    package = import_module(name)
    assert package.__doc__
    assert "Public and stable" in package.__doc__ or name in ("tavola.games", "tavola.lab")
    assert len({*package.__all__}) == len(package.__all__)
    for public in package.__all__:
        assert getattr(package, public) is not None
    assert not {refusal.__name__ for refusal in refusals_of(name)} - set(package.__all__)


def refusals_of(package: str) -> set[type[core.Refusal]]:
    """Return the refusals declared by modules of a package; those for faults of programs are internal."""
    folder = import_module(package)
    modules = [] if package in ("tavola", "tavola.games") else walk_packages(folder.__path__, f"{package}.")
    found = [import_module(one.name) for one in modules if one.name not in OPTIONAL]
    declared = [kind for module in found for kind in vars(module).values() if isinstance(kind, type)]
    refusals = {kind for kind in declared if issubclass(kind, core.Refusal) and kind.__module__.startswith(package)}
    return {kind for kind in refusals if not issubclass(kind, ProgramFault) and kind.__name__ != "TranslatableRefusal"}


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "pickle"])
def test_every_public_object_is_shown_pickled_and_copied(again):
    for one in public_objects():
        assert " object at 0x" not in repr(one)
        assert repr(again(one)) == repr(one)
        assert type(again(one)) is type(one)


@pytest.mark.parametrize("name", tavola.game_names())
def test_pictures_and_talk_of_games_are_pickled(name: str):
    game = tavola.load(name)
    for one in (show.picture_of(game), show.words_of(game).talk):
        assert type(pickle.loads(pickle.dumps(one))) is type(one)


def test_former_names_warn_with_the_new_one_and_give_the_same():
    match, batch = Match(tavola.load("lifeboats"), players=3, seed=1), tavola.Batch("lifeboats", n=2, seed=1)
    with pytest.warns(DeprecationWarning, match="Match.legal is deprecated: use legal_codes"):
        assert match.legal(match.to_act[0]) == match.legal_codes(match.to_act[0])
    with pytest.warns(DeprecationWarning, match="Match.standing is deprecated: use score"):
        assert match.standing() == match.score()
    with pytest.warns(DeprecationWarning, match="Match.odds is deprecated: use chance_weights"):
        assert match.odds() == match.chance_weights()
    with pytest.warns(DeprecationWarning, match="Batch.to_act is deprecated: use seat_to_act"):
        assert batch.to_act is batch.seat_to_act
    with pytest.warns(DeprecationWarning, match=r"tavola\.names is deprecated: use tavola\.game_names"):
        former = tavola.names
    assert former is tavola.game_names


CONSUMER = """
import tavola
from tavola.contract import try_positions
from tavola.core import Options, PlayedAction, make_plan
from tavola.show import drawing, picture_of, words_of

game = tavola.load("lifeboats")
match = tavola.Match(game, players=4, seed=7)
view = match.view(0)
reveal_type(game)
reveal_type(match)
reveal_type(match.legal_codes())
reveal_type(match.last_action())
reveal_type(view.legal)
reveal_type(match.score().points)
reveal_type(match.record().actions)
reveal_type(tavola.game_names())
reveal_type(game.options)
reveal_type(words_of(game).about)
reveal_type(picture_of(game).boards)
reveal_type(drawing)
reveal_type(make_plan)
reveal_type(try_positions)
match.play(7.5)
"""


@pytest.mark.process
def test_a_consumer_s_strict_type_checker_sees_types(tmp_path, monkeypatch):
    """In an environment with the package installed as from a checkout, and with the dependencies of this one."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    site, interpreter = next(home.glob("lib/python*/site-packages")), home / "bin" / Path(sys.executable).name
    (site / "tavola.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    monkeypatch.chdir(tmp_path)  # otherwise it would find the sources beside it
    monkeypatch.delenv("MYPYPATH", raising=False)
    (tmp_path / "consumer.py").write_text(CONSUMER)
    told, _, _ = mypy.api.run(["--strict", "--python-executable", str(interpreter), "consumer.py"])
    revealed = re.findall(r'Revealed type is "(.*)"', told)
    assert len(revealed) == CONSUMER.count("reveal_type(")
    assert [kind for kind in revealed if kind == "Any"] == []
    errors = [line for line in told.splitlines() if ": error: " in line]
    assert len(errors) == 1, told
    assert 'Argument 1 to "play" of "Match" has incompatible type "float"' in errors[0]


@pytest.mark.process
def test_packages_are_there_when_they_are_asked_for():
    run_python("import tavola; tavola.bots.bot, tavola.contract.try_positions, tavola.lab.arena, tavola.rl.Batch")
