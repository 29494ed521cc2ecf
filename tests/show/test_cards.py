"""Words and pictures of games: a missing, misspelt or wrongly typed hook is an error at import and in mypy."""

import re
from dataclasses import MISSING, fields
from pathlib import Path

import mypy.api
import pytest

from scripts.turns import turns_of
from tavola.core import Faults, Heuristics, Match
from tavola.games import load, names
from tavola.games._template import GAME, faults, heuristics, picture, words
from tavola.show import Picture, Words
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import ballot_cards, leader, scene, seat_badges
from tavola.show.sound import WOOD
from tavola.show.testing import english_say
from tests.core.test_fields import AS_CHECKED, STRICT

HOOKS = {Words: vars(words_of(GAME)), Picture: vars(picture_of(GAME))}
SAY = english_say(GAME)


@pytest.mark.parametrize(
    ("card", "given", "hook"),
    [
        *((Words, HOOKS[Words], hook.name) for hook in fields(Words) if hook.name not in vars(Words)),
        *((Picture, HOOKS[Picture], hook) for hook in ("boards", "style", "shapes", "pieces", "own_pieces", "lesson")),
        (Heuristics, {"priors": print}, "likelihood"),
        (Heuristics, {"likelihood": print}, "priors"),
        (Faults, {"history": print}, "pieces"),
    ],
)
def test_a_card_without_a_hook_is_refused_when_it_is_imported(card, given, hook):
    with pytest.raises(TypeError, match=f"missing 1 required keyword-only argument: '{hook}'"):
        card(**{name: value for name, value in given.items() if name != hook})


def test_an_unknown_hook_is_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'couch'"):
        Words(**HOOKS[Words], couch=words.coach)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'scenes'"):
        Picture(**HOOKS[Picture], scenes=lambda before, after, played, say: [])  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("card", "given", "message"),
    [
        (Words, {"about": "A game."}, "Words.about is 'A game.': expected a function"),
        (Words, {"coach": None}, "Words.coach is None: expected a function"),
        (Words, {"verb_label": None}, "Words.verb_label is None: expected a function"),
        (Picture, {"lesson": ()}, "Picture.lesson is \\(\\): expected a function"),
        (Picture, {"boards": {"side": None}}, "Picture.boards has \\['side'\\]: expected a board named 'main'"),
        (Picture, {"sounds": "drum"}, "Picture.sounds is 'drum': expected a mapping with the sounds turn, line, talk"),
    ],
)
def test_a_hook_of_another_kind_is_refused(card, given, message):
    with pytest.raises(TypeError, match=message):
        card(**{**HOOKS[card], **given})


@pytest.mark.parametrize(
    ("module", "card"), [(words, Words), (picture, Picture), (heuristics, Heuristics), (faults, Faults)]
)
def test_a_module_without_a_card_is_refused(module, card, monkeypatch):
    name = card.__name__.lower()
    monkeypatch.delattr(module, name.upper())
    monkeypatch.delitem(GAME._cards, card, raising=False)
    expected = f"{name} has no card: expected {name.upper()} = {name.title()}\\(...\\) at its"
    with pytest.raises(TypeError, match=expected):
        GAME.card(card)


def test_what_a_game_leaves_out_is_nothing():
    view = Match(GAME, players=2, seed=1).view(0)
    assert scene(view, view, None, SAY) == []
    assert (ballot_cards(view, SAY), seat_badges(view, SAY), leader(view, SAY)) == ({}, {}, None)
    said, drawn = words_of(GAME), picture_of(GAME)
    assert said.verb_label(view, "bid", SAY) == ""
    assert said.narrowing_questions(view, 0, 0, SAY) == said.guess_labels(view, SAY) == []
    assert (said.sliders(view, SAY), said.choices_key, said.summary_card) == ([], None, None)
    assert drawn.plan_pieces(view, view, SAY) == drawn.guess_pieces(view, {}, SAY) == {}
    assert (drawn.sounds, drawn.seals, GAME.history_faults(None)) == (WOOD, (), [])
    assert GAME.heuristics.evaluate is GAME.heuristics.playout_priors is None


COACH, LESSON = "    coach=coach,\n", "    lesson=lesson,\n"
WRONG = {
    "a_hook_is_forgotten": (words, COACH, "", 'WORDS = Words( > Missing named argument "coach" for "Words"'),
    "a_hook_is_misspelt": (words, COACH, "    couch=coach,\n", 'WORDS = Words( > Unexpected keyword argument "couch"'),
    "a_hook_is_another": (words, COACH, "    coach=scoring,\n", 'coach=scoring, > Argument "coach" to "Words" has'),
    "a_hook_is_asked_otherwise": (
        words,
        "seat: int, say: Say) -> list",
        "say: Say, seat: int) -> list",
        'scoring=scoring, > Argument "scoring" to "Words" has',
    ),
    "a_drawing_is_forgotten": (picture, LESSON, "", 'PICTURE = Picture( > Missing named argument "lesson"'),
    "a_sound_is_unknown": (picture, LESSON, LESSON + "    sounds='drum',\n", "sounds='drum', > Argument \"sounds\" to"),
    "words_are_right": (words, COACH, COACH, ""),
    "a_picture_is_right": (picture, LESSON, LESSON, ""),
}
"""Modules of the template with one text replaced, and the error expected after its line of source."""
ASKS = """
import tavola
from tavola.show import Say, picture_of, words_of

game = tavola.load("x")
view = tavola.Match(game).view(0)
words_of(game).promt(view, Say.of(game, "en"))
reveal_type(words_of(game).coach)
reveal_type(picture_of(game).boards)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return mypy's errors for all of them by module: lines of source, each with its message."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "asks.py").write_text(STRICT + ASKS)
    for name, (module, old, new, _) in WRONG.items():
        source = Path(module.__file__).read_text(encoding="utf-8")
        assert source.count(old) == 1
        (folder / f"{name}.py").write_text(STRICT + source.replace(old, new), encoding="utf-8")
    found, _, _ = mypy.api.run([*AS_CHECKED, *map(str, sorted(folder.glob("*.py")))])
    # After an earlier run, mypy names the folder of that run.
    by_module: dict[str, list[str]] = {path.stem: [] for path in folder.glob("*.py")}
    for path, number, _, message in (line.split(":", 3) for line in found.splitlines() if line.count(":") >= 3):
        source = (folder / Path(path).name).read_text(encoding="utf-8").splitlines()[int(number) - 1]
        by_module[Path(path).stem].append(f"{source.strip()} >{message}")
    return by_module


@pytest.mark.process
@pytest.mark.parametrize("name", WRONG)
def test_a_type_checker_reports_a_wrong_hook_on_its_line(told, name):
    error = WRONG[name][3]
    assert any(line.startswith(error) for line in told[name]) if error else told[name] == [], told[name]


@pytest.mark.process
def test_a_type_checker_knows_the_words_of_any_game(told):
    misspelt, coach, boards = told["asks"]
    assert misspelt.endswith('"Words" has no attribute "promt"; maybe "prompt"?  [attr-defined]')
    assert "tavola.core.view.View[Any, Any], tavola.show.speech.Say) -> " in coach
    assert "tavola.show.board.Board" in boards


@pytest.mark.parametrize("name", names())
def test_a_game_says_how_often_a_player_decides(name):
    game = load(name)
    shelf = words_of(game).shelf
    declared = shelf(english_say(game)).turns if shelf is not None else ()
    assert len(declared) == game.players[1] - game.players[0] + 1
    assert turns_of(game, game.players[0], matches=6) == pytest.approx(declared[0], rel=0.35), "roughly: few matches"


def test_the_guide_to_adding_a_game_names_every_optional_hook():
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    hooks = [(card, hook) for card in (Words, Picture) for hook in fields(card)]
    optional = [hook.name for card, hook in hooks if hook.name in vars(card) or hook.default_factory is not MISSING]
    assert [name for name in optional if not re.search(rf"\b{name}\b", guide)] == []
