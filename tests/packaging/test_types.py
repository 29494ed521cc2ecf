"""Users of the package get its types: a type checker finds them where it is installed, not `Any`."""

import re
import sys
import sysconfig
import venv
from pathlib import Path

import mypy.api
import pytest

from tests.helpers import ROOT, run_python

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


@pytest.fixture(scope="module")
def interpreter(tmp_path_factory):
    """An environment with the package installed as from a checkout, and with the dependencies of this one."""
    home = tmp_path_factory.mktemp("typed") / "venv"
    venv.create(home, with_pip=False)
    site = next(home.glob("lib/python*/site-packages"))
    (site / "tavola.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    return home / "bin" / Path(sys.executable).name


@pytest.mark.process
def test_a_consumer_s_strict_type_checker_sees_types(interpreter, tmp_path, monkeypatch):
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
