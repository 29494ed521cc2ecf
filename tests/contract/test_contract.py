"""Every game keeps every promise, and the contract finds broken games, each with the right message."""

import json
import os
import re
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest
from click.testing import CliRunner

import tavola
from tavola.cli import main
from tavola.cli.check import AFTER, BEFORE, ELSEWHERE, MAY_FOLLOW, Trial, bots_can_play, check, promise_name
from tavola.cli.new_game import new_game
from tavola.contract import processes
from tavola.contract.promises import EVERY_CHECK, RULES_CHECKS, SampleSettings, run_check, try_positions
from tavola.contract.redeals import notes_are_compared_with_the_hands
from tavola.contract.samples import Breach, random_legal_action, random_options, states_of
from tavola.core import Faults, Game, Match, read_record, stream
from tavola.core.compilation import interpret
from tavola.games._template import GAME as TEMPLATE
from tests.helpers import PATIENCE, ROOT, edit
from tests.helpers.drills import register_drills, write_package_metadata

GAMES = [TEMPLATE, *map(tavola.load, tavola.game_names())]
PROMISES = [promise for promise in (*BEFORE, *AFTER) if promise not in MAY_FOLLOW]
named = attrgetter("name")
FROM_MANY_MATCHES = 4


@pytest.mark.bulk
@pytest.mark.parametrize("game", GAMES, ids=named)
def test_random_matches_keep_every_promise_at_positions_of_many_matches(game):
    try_positions(game, 50, 1, EVERY_CHECK, SampleSettings(share=FROM_MANY_MATCHES))


@pytest.mark.parametrize("promise", PROMISES, ids=attrgetter("__name__"))
@pytest.mark.parametrize("game", GAMES, ids=named)
def test_the_game_keeps_the_promise(game, promise):
    run_check(promise, game)


@pytest.mark.process
@pytest.mark.parametrize("promise", ELSEWHERE, ids=attrgetter("__name__"))
def test_all_games_keep_the_promise_in_one_process(promise):
    run_check(promise, *GAMES)


@pytest.mark.soak
@pytest.mark.parametrize("tenth", range(10))
@pytest.mark.parametrize("game", GAMES, ids=named)
def test_a_hundred_thousand_positions_keep_every_promise_of_the_rules(game, tenth):
    try_positions(game, 10_000, 100 + tenth, RULES_CHECKS, SampleSettings(thorough=True))


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=named)
def test_ten_thousand_positions_of_many_matches_keep_every_promise(game):
    """Including words and pictures, which cost as much as all others."""
    try_positions(game, 10_000, 3, EVERY_CHECK, SampleSettings(share=FROM_MANY_MATCHES, thorough=True))


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_the_last_position_of_a_match_is_over_when_it_is_read(game):
    """It has the same result and no prompt, whatever the options."""
    for number in range(6):
        rng = stream(number)
        match = Match(game, random_options(game, rng))
        while not match.over:
            seat = match.actor(rng)
            match.play(random_legal_action(game, states_of(game, match.state_bytes()), seat, rng), seat)
        read = Match(game, position=json.loads(json.dumps(match.document())))
        assert (read.over, read.to_act, read.result()) == (True, (), match.result())


# Broken games by file: a name, the promise that must catch it with its words; original text, and replacement

HELD = "if s.hand[seat].cards >> card & 1:"
RANKED = "    rank_seats(points, place, t.players)\n"
TURNED = "    for seat in range(t.players):\n        points[seat] = -points[seat]\n"
FAULTS: dict[str, dict[tuple[str, str], tuple[str, str]]] = {
    "test_rules.py": {
        ("a_paragraph_is_not_tested", "every paragraph is tested: no test cites R5: expected one for each paragraph"): (
            "def test_r5_r6_a_whole_match",
            "def test_a_whole_match",
        ),
    },
    "faults.py": {
        ("a_fault_expects_nothing", "nonsense is refused by name: an invalid value at "): (
            "    return [*_cards(state), *_phase(t), *bids]",
            '    return [fault.replace("expected", "no") for fault in (*_cards(state), *_phase(t), *bids)]',
        ),
        ("a_match_that_is_over_may_go_on", "positions lead to an end: the strict check accepts "): (
            "if (t.phase == Phase.OVER) != (t.rounds == t.cards):",
            "if t.phase == Phase.OVER and t.rounds < t.cards:",
        ),
    },
    "rules.py": {
        ("legal_reads_another_hand", "views are enough: legal reads more than the table and the seat's hand"): (
            HELD,
            "if (s.hand[seat].cards | s.hand[(seat + 1) % s.table.players].cards) >> card & 1:",
        ),
        ("to_act_reads_a_hand", "hidden parts are not read: to_act reads more than the table"): (
            "return np.int64(_everybody(t) & ~t.played)",
            "return np.int64(_everybody(t) & ~t.played & ~((s.hand[0].cards & 1) << 1) | (t.played == 0))",
        ),
        ("to_act_writes", "to_act changes the state"): (
            "    if t.phase == Phase.OVER:",
            "    t.shown[3] = 9\n    if t.phase == Phase.OVER:",
        ),
        ("score_writes", "asking changes nothing: score changes the state"): (RANKED, f"{RANKED}    t.rounds = 3\n"),
        ("legal_is_not_sorted", "legal actions are sorted: legal actions of seat"): (
            f"    for card in range(DECK):\n        {HELD}",
            f"    for card in range(DECK - 1, -1, -1):\n        {HELD}",
        ),
        ("legal_is_out_of_range", "matches end: legal writes ["): (
            "actions[count] = First.BID + card",
            "actions[count] = First.BID + card + DECK",
        ),
        ("legal_is_empty", "matches end: seat"): (f"        {HELD}", f"        {HELD[:-1]} and s.table.rounds < 1:"),
        ("a_weight_is_zero", "chance's weights are [2, 1, 0]"): ("PRIZES - prize\n", "PRIZES - 1 - prize\n"),
        ("a_seat_that_is_not_there_acts", "only seats at the table act: to_act names (0, 1, 2, 3)"): (
            "return np.int64(_everybody(t) & ~t.played)",
            "return np.int64(15 & ~t.played)",
        ),
        ("a_match_does_not_end", "matches end: match 0 of seed 1"): (
            "    s.table.phase = Phase.BID",
            "    s.table.phase = Phase.TOSS",
        ),
        ("a_card_is_lost", "pieces are conserved: faults: spent: expected"): (
            "        t.spent |= 1 << np.int64(t.shown[seat] - 1)\n",
            "",
        ),
        ("apply_throws_dice", "copies play alike: chance plays toss"): (
            "s.table.template_prize = prize + 1",
            "s.table.template_prize = np.random.randint(1, 4)",
        ),
        ("redeal_loses_a_card", "redeals agree with the view: after "): (
            "s.hand[other].cards |= 1 << card",
            "s.hand[other].cards = 1 << card",
        ),
        ("redeal_changes_the_own_hand", ": the seat's view has changed"): (
            "        if other != seat:\n            s.hand[other].cards = 0",
            "        if other >= 0:\n            s.hand[other].cards = 0",
        ),
        ("redeal_throws_its_own_dice", ": equal random streams give different states"): (
            "card = _random_unseen(s, rng)",
            "card = np.random.randint(0, DECK)",
        ),
        ("redeal_prefers_some_cards", "redeals are as likely as the worlds: after "): (
            "    return random_member(EVERY_CARD & ~_known_cards(s), rng)\n",
            "    unseen = EVERY_CARD & ~_known_cards(s)\n"
            "    return max(random_member(unseen, rng), random_member(unseen, rng))\n",
        ),
        ("a_ballot_is_open", "ballots are secret: seat"): (
            "    t.played |= 1 << seat",
            "    t.shown[seat] = card + 1\n    t.played |= 1 << seat",
        ),
        ("who_bids_first_matters", "their order changes the state"): (
            "    t.played |= 1 << seat",
            "    t.points[seat] += t.played == 0\n    t.played |= 1 << seat",
        ),
        ("places_begin_at_nought", "places follow points: places are"): (
            RANKED,
            f"{RANKED}    for seat in range(t.players):\n        place[seat] -= 1\n",
        ),
        ("fewer_points_win", "expected more points never to be worse"): (RANKED, f"{TURNED}{RANKED}{TURNED}"),
        ("rules_fail", "matches end: IndexError"): ("t.points[winner] +=", "t.points[winner + 4] +="),
    },
    "components.py": {
        ("an_open_verb_for_a_ballot", "what is heard is seen: seat"): (
            'verb("bid", secret=True, card',
            'verb("bid", card',
        ),
        ("everybody_hears_what_is_dealt", "what is heard is seen: "): (
            'verb("deal", secret=True, card',
            'verb("deal", card',
        ),
        ("a_field_is_too_small", "documents give the position back: BadPosition: dealt: expected"): (
            "dealt: int = number(0, 3 * SEATS)",
            "dealt: int = number(0, 3)",
        ),
    },
    "heuristics.py": {
        ("a_heuristic_prefers_a_seat", "policies are symmetric: with "): (
            "weights[k] = strong if",
            "weights[k] = strong + seat if",
        ),
    },
    "words.py": {
        ("a_sentence_is_not_filled_in", "sentences can be said: words.action says"): (
            'say("Bid the {card}", card=places[0] + 1)',
            'say("Bid the {card}")',
        ),
        ("points_do_not_add_up", "sentences can be said: words.scoring of seat"): (
            "view.table.points[seat])]",
            "view.table.points[seat] + 1)]",
        ),
        ("a_refusal_is_silent", "words.refusal says ''"): ('say("The match is over (R5).")', '""'),
        ("words_remember_what_they_saw", "hidden parts are not told: chapter of seat"): (
            'return say("Round {number}"',
            'view.game.__dict__["told"] = view.game.__dict__.get("told", 0) + 1\n'
            '    return str(view.game.__dict__["told"]) + say("Round {number}"',
        ),
        ("a_reminder_tells_a_hand", "hidden parts are not told: words.reminder asks seat"): (
            "    reminder=prompt,\n",
            "    reminder=lambda view, say: str(view.hand.cards),\n",
        ),
        ("a_prompt_names_nobody", "sentences can be said: words.prompt says 'Waiting.': expected"): (
            'say("Waiting for {names}.", names=names_of(view.to_act, say))',
            'say("Waiting.")',
        ),
        ("two_buttons_are_called_the_same", "words.action calls two actions"): (
            'say("Bid the {card}", card=places[0] + 1)',
            'say("Bid the {card}", card=1)',
        ),
        ("a_refusal_cites_no_rule", "expected the rule's paragraph"): (
            'say("The match is over (R5).")',
            'say("The match is over.")',
        ),
        ("a_button_is_too_long", "words.argument_label says 'The card that nobody else has', 29 characters"): (
            "VOCABULARY = Vocabulary()",
            'VOCABULARY = Vocabulary(card=lambda place, say: "the card that nobody else has")',
        ),
        ("a_refusal_of_what_is_allowed", "a legal action"): (
            "\nrefusal = Refusals(",
            "\n\ndef refusal(view, action, say):\n    return say('The match is over (R5).')\n\n\nunasked = Refusals(",
        ),
        ("an_option_has_no_name", "options are named: KeyError"): ('        "low_wins"', '        "low"'),
        ("a_sentence_is_in_no_catalogue", "catalogues are complete: locale/it.po: missing: 'Prizes collected'"): (
            'say("Prizes won")',
            'say("Prizes collected")',
        ),
        ("a_word_hangs_on_more", "choices are worded by their key: words.choices_key is 0 for [['Bid the"): (
            "    action=action,\n",
            """    action=lambda view, number, say: (
        say("Bid the {card}", card=number) if view.table.played else action(view, number, say)
    ),
    choices_key=lambda view: view.table.rounds,
""",
        ),
        ("who_waits_hears_his_own", "waiting seats see the same prompt: words.prompt says"): (
            'return say("Waiting for {names}.", names=names_of(view.to_act, say))',
            'return say("Waiting for {names}.", names=names_of((*view.to_act, view.seat or 0), say))',
        ),
        ("a_golden_tells_something_else", "goldens hold: golden/playthrough.txt, line"): (
            "bids=say.listing(bids)",
            "bids=say.listing(bids[::-1])",
        ),
    },
    "picture/__init__.py": {
        ("a_piece_for_all_tells_a_hand", "pictures can be drawn: the pieces seat"): (
            '    return {"main": drawn}',
            '    return {"main": drawn, **own_pieces(view, say)}',
        ),
        ("a_spectator_has_a_hand", "a spectator has private pieces"): ("is not None else []", "is not None else [1]"),
        ("a_picture_names_no_action", "pictures can be drawn: IllegalAction"): ('f"bid {card}"', 'f"bet {card}"'),
        ("an_action_cannot_be_touched", "has the code 'bid "): ('20, 13, f"bid {card}")', "20, 13)"),
        ("a_shape_is_not_there", "the picture uses ['cart']"): ('href="#card"', 'href="#cart"'),
        ("a_name_is_taken_for_markup", "the picture has an element 'i'"): (
            'tag("text", say.name(seat), class_="name", y=-16)',
            'tag("text", Markup(say.name(seat).replace("&", "")), class_="name", y=-16)',
        ),
        ("two_lessons_are_drawn_alike", "draws two sections alike"): (
            'f"lesson-{number}", 3 * number + 2',
            '"lesson", 2',
        ),
        ("a_picture_is_not_well_formed", "are drawn: ParseError"): ("front = tag(", 'front = Markup("<g>") + tag('),
        ("a_piece_is_not_well_formed", "pictures can be drawn: ParseError"): (
            "score = tag(",
            'score = Markup("<g>") + tag(',
        ),
        ("a_card_lies_before_nobody", "seats can be marked: picture.ballot_cards draws for seat"): (
            "lesson=lesson,",
            "lesson=lesson, ballot_cards=lambda view, say: {view.table.players: tag('title', 'A card')},",
        ),
        ("a_leader_is_known_by_nothing", "seats can be marked: picture.leader draws"): (
            "lesson=lesson,",
            "lesson=lesson, leader=lambda view, say: (0, tag('circle', r=9)),",
        ),
        ("a_picture_has_a_style", "has an attribute 'style'"): ('class_="card", codes', 'style="fill: red", codes'),
        ("a_golden_is_drawn_otherwise", "goldens hold: golden/boards.txt, line 2: expected 'main "): (
            "height=170, rx=12",
            "height=170, rx=13",
        ),
        ("a_golden_hand_is_drawn_apart", "goldens hold: golden/hand.svg, line"): (
            "100 * k + 20, 13, f",
            "100 * k + 21, 13, f",
        ),
    },
    "picture/picture.css": {
        ("a_style_is_fetched_elsewhere", "picture.style loads outside resources"): (
            "{",
            "{ background: url(felt.png);",
        ),
    },
    "RULES.md": {
        ("a_paragraph_is_missing", "the rules are written: RULES.md has the paragraphs"): ("**R4.**", "**4.**"),
        ("an_option_is_not_explained", "expected a description of the option `low_wins`"): ("`low_wins`", "low_wins"),
    },
    "locale/fr.po": {
        ("a_translation_is_missing", "catalogues are complete: locale/fr.po: missing: 'Prizes won'"): (
            'msgstr "Prix gagnés"',
            'msgstr ""',
        ),
    },
    "locale/de.po": {
        (
            "a_translation_fills_in_less",
            "translations fit: locale/de.po: placeholders: '{name} {name:wins|win} the prize.' and ",
        ): ("{name} {name:gewinnt|gewinnst} den Preis.", "Jemand gewinnt den Preis."),
    },
    "golden/actions.txt": {
        ("a_golden_is_old", "goldens hold: golden/actions.txt, line 2: expected 'deal 0 16"): (
            "deal 0 15",
            "deal 0 16",
        ),
    },
    "golden/perft.txt": {
        ("a_golden_is_missing", "goldens hold: golden/perft.txt is missing"): (None, None),
    },
}
BROKEN = {name: (file, *fault, said) for file, faults in FAULTS.items() for (name, said), fault in faults.items()}

LATE = {
    name: [promise]
    for name, (*_, said) in BROKEN.items()
    for promise in map(promise_name, AFTER)
    if said.startswith(f"{promise}: ")
}
"""Broken games whose positions are all good, and the promises that are tested after them."""
CHILD = f"""
import json, sys
import numpy
from importlib import import_module
from tavola.cli.check import Trial, check
from tavola.contract import promises
from tavola.contract.samples import Breach

promises.MOST_ACTIONS = 1_000
for name in sys.argv[1:]:
    numpy.random.seed(1)  # what a broken game does with dice of its own is the same every time
    try:
        check(import_module(name).GAME, Trial(60, 1, only={LATE}.get(name, ())))
        said = "nothing"
    except Breach as breach:
        said = f"{{breach.check}}: {{breach.message}}"
    print(json.dumps([name, said]))
"""


def broken(name: str, folder: Path) -> Path:
    game = new_game(name, folder)
    file, good, bad, _ = BROKEN[name]
    if good is None:
        (game / file).unlink()
    else:
        edit(game / file, good.replace("template", name), bad.replace("template", name))
    return game


def run(*command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command that also finds the games in `folder`."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", **environment}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.process
@pytest.mark.parametrize("part", [0, 1])
def test_every_broken_game_is_caught_with_the_right_words(part, tmp_path: Path, subtests):
    names = sorted(BROKEN)[part::2]
    for name in names:
        broken(name, tmp_path)
    done = run("-c", CHILD, *names, folder=tmp_path, NUMBA_DISABLE_JIT="1")
    caught = dict(map(json.loads, done.stdout.splitlines()))
    assert list(caught) == names, done.stderr[-3000:]
    for name in names:
        with subtests.test(name):
            assert BROKEN[name][3] in caught[name]


@pytest.fixture
def broken_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that registers a broken game in this process, as plain Python."""

    def put(name: str) -> Game:
        broken(name, tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        register_drills(monkeypatch, name)
        game = tavola.load(name)
        interpret(game.source_folder)
        return game

    return put


def test_check_prints_the_seed_and_a_record_that_can_be_replayed_and_fails(broken_here):
    broken_here("a_card_is_lost")
    done = CliRunner().invoke(main, ["check", "a_card_is_lost", "--worlds", "60", "--only", "pieces are"])
    assert done.exit_code == 1
    said = r"^a_card_is_lost: pieces are conserved: faults: spent: expected \d cards, found 0$"
    assert re.search(said, done.stderr, re.MULTILINE)
    assert re.search(r"^match 0 of seed 1:$", done.stderr, re.MULTILINE)
    record = read_record("game:" + done.stderr.split("\ngame:", 1)[1])
    assert (record.game, record.actions[-1][1].split()[0]) == ("a_card_is_lost", "bid")


@pytest.mark.parametrize(("strict", "status"), [((), 0), (("--strict",), 1)])
def test_translations_may_follow_unless_they_are_demanded(strict, status, broken_here):
    broken_here(name := "a_translation_is_missing")
    done = CliRunner().invoke(main, ["check", name, "--only", "catalogues are complete", *strict])
    assert done.exit_code == status, done.stderr
    assert "expected a translation of" in done.stderr
    assert (f"{name} keeps the selected promises except for translations" in done.stdout) == (status == 0)


def test_a_heuristic_that_fails_is_caught(broken_here):
    name = "a_heuristic_fails"
    BROKEN[name] = ("heuristics.py", "    for k in range(count):", "    for k in range(count + 99):", "")
    with pytest.raises(Breach, match="bots can play: IndexError"):
        run_check(bots_can_play, broken_here(name))


COMPILED = {
    "zero_division": (
        "t.points[winner] += t.template_prize",
        "t.points[winner] += t.template_prize + 0 * (1 // t.rounds)",
        "compiled and uncompiled agree: zero_division: another process, uncompiled, plays different matches",
    ),
    "mutual_recursion": (
        "    return random_member(EVERY_CARD & ~_known_cards(s), rng)\n",
        "    return _free(s, random_member(EVERY_CARD, rng))\n\n\n"
        "@compiled\ndef _free(s, card):\n    return _after(s, card) if _known_cards(s) >> card & 1 else card\n\n\n"
        "@compiled\ndef _after(s, card):\n    return _free(s, (card + 1) % DECK)\n",
        "compiled and uncompiled agree: mutual_recursion: another process, compiled, plays different matches",
    ),
}


@pytest.mark.process
@pytest.mark.soak
@pytest.mark.parametrize("name", COMPILED)
def test_what_only_compiled_code_does_is_caught(name, tmp_path: Path):
    good, bad, said = COMPILED[name]
    BROKEN[name] = ("rules.py", good, bad, said)
    write_package_metadata(broken(name, tmp_path))
    code = (
        "from tavola.contract.processes import *; from tavola.contract.promises import *; "
        f"from {name} import GAME; run_check(compiled_and_uncompiled_agree, GAME)"
    )
    assert said in run("-c", code, folder=tmp_path, TAVOLA_CACHE=str(tmp_path / "cache")).stderr


@pytest.mark.process
def test_another_process_that_plays_differently_is_caught(monkeypatch: pytest.MonkeyPatch):
    """What only compiled code does is rare, and takes long to compile: `make soak`."""
    monkeypatch.setattr(processes, "digest", lambda game: "0" * 64)
    said = "another process, uncompiled, plays different matches: expected 000000000000, found [0-9a-f]{64}$"
    with pytest.raises(Breach, match=f"^compiled and uncompiled agree: template: {said}"):
        run_check(processes.compiled_and_uncompiled_agree, TEMPLATE)


def test_promises_of_every_kind_are_tested_and_named(monkeypatch: pytest.MonkeyPatch, capsys):
    elsewhere = {TEMPLATE.package: processes.digest(TEMPLATE)}
    monkeypatch.setattr(processes, "_digests_elsewhere", lambda games, disabled: (elsewhere, ""))
    check(TEMPLATE, Trial(5, 1, only=("matches end", "legal actions", "goldens hold", "compiled and")))
    said = capsys.readouterr().err
    for name in ("matches end", "random matches", "compiled and uncompiled agree"):
        assert name in said


def test_faults_that_do_not_compare_notes_with_the_hands_are_caught(monkeypatch: pytest.MonkeyPatch):
    """A redeal could then ignore what its seat knows of other hands, and no promise would notice."""
    fairies = tavola.load("fairies")
    monkeypatch.setitem(fairies._cards, Faults, Faults(pieces=lambda state: []))
    said = "notes are compared with the hands: .* expected faults to compare known, grid with the hands"
    with pytest.raises(Breach, match=said):
        try_positions(fairies, 1, 1, [notes_are_compared_with_the_hands])


def test_a_breach_says_all_that_is_needed_to_see_it_again():
    breach = Breach("it broke", "the promise", 7, 3, "game: x\n")
    assert str(breach) == "the promise: it broke\nmatch 3 of seed 7:\n\ngame: x\n"
    assert str(Breach("it broke", "the promise")) == "the promise: it broke"


def test_a_page_that_fails_is_caught(broken_here):
    """The rules never read this declaration; only the waiting room shows it."""
    name = "an_option_has_no_reason"
    BROKEN[name] = ("words.py", '        "low_wins"', '        "low"', "")
    broken_here(name)
    done = CliRunner().invoke(main, ["check", name, "--only", "pages can be"])
    assert re.search(rf"^{name}: pages can be shown: GET /\S+ in \w+ fails: KeyError", done.stderr, re.MULTILINE)
