"""The terminal: whole matches, every command, and one line for each error."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import tavola
from tavola.cli import COMMANDS
from tavola.cli.bench import signature_of
from tavola.show.speech import KNOWN_LANGUAGES, figure
from tests.cli import run
from tests.helpers import PATIENCE, ROOT, run_python

GAME = tavola.game_names()[0]
FIRST = "1\n" * 2000
AGAINST_GREEDY = ("play", GAME, "--players", "3", "--bots", "greedy", "--seed", "4")
AGAINST_RANDOM = ("play", GAME, "--players", "3", "--bots", "random", "--seed", "9")


def started(*arguments: str, module: str = "tavola", **more: str) -> subprocess.Popen[str]:
    command, environment = [sys.executable, "-m", module, *arguments], {**os.environ, **more}
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # A shell that runs the tests in the background makes its children ignore Ctrl-C.
    pipes["preexec_fn"] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **pipes)


@pytest.mark.process
def test_importing_the_commands_imports_nothing_heavy():
    heavy = ("starlette", "uvicorn", "rich", "jinja2", "tavola.web", "tavola.live", "tavola.bots", "tavola.lab")
    assert run_python(f"import sys, tavola.cli; print([name for name in {heavy} if name in sys.modules])") == "[]"


def test_help_lists_every_command_and_every_command_has_help():
    listed = run()
    assert listed.exit_code == 0
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", listed.output, re.MULTILINE)
        shown = run(name, "--help")
        assert (shown.exit_code, shown.output.startswith(f"Usage: main {name}")) == (0, True)


def test_the_version_is_the_package_s():
    assert run("--version").output == f"tavola, version {tavola.__version__}\n"


def test_games_lists_all_with_their_options():
    output = run("games", "--language", "it").output
    for name in tavola.game_names():
        game = tavola.load(name)
        assert f"{name}  {game.title}, {game.players[0]}–{game.players[1]}" in output
        assert all(f"--option {option.name}=" in output for option in game.options.all[1:])


SERVE = ["serve", "--port", "0", "--database", "/nosuch/matches.sqlite"]
PUBLIC = [*SERVE, "--public", "https://play.example"]
WRONG: dict[str, Any] = {
    "no_command": (["nosuch"], "unknown command 'nosuch': expected one of play, replay"),
    "no_option": (["play", GAME, "--nosuch"], "No such option '--nosuch'"),
    "no_game": (["play", "nosuch"], "unknown game 'nosuch': expected one of"),
    "game_missing": (["play"], "Missing argument 'GAME'"),
    "too_many_players": (["play", GAME, "--players", "99"], "option players: expected a whole number from"),
    "players_no_number": (["play", GAME, "--players", "many"], "'many' is not a valid integer"),
    "option_unknown": (["play", GAME, "--option", "nosuch=1"], "option 'nosuch': expected one of players"),
    "option_malformed": (["play", GAME, "--option", "nosuch"], "'nosuch': expected name=value"),
    "seat": (["play", GAME, "--seat", "77"], "--seat 77: expected 0 to"),
    "bots": (["play", GAME, "--bots", "genius"], "unknown level 'genius': expected one of random, greedy, search"),
    "budget": (["play", GAME, "--bots", "search:soon"], "expected a level"),
    "language": (["play", GAME, "--language", "la"], f"'la' is not one of {', '.join(map(repr, KNOWN_LANGUAGES))}"),
    "record_nowhere": (["play", GAME, "--record", "/no/such"], "expected a file that can be written, No such file"),
    "record_missing": (["replay", "/nosuch"], "expected a text file that can be read, No such file"),
    "record_is_a_folder": (["replay", "/"], "expected a text file that can be read"),
    "record_foreign": (["replay", "-"], "expected", "[Event 'chess']\n1. e4 e5\n"),
    "record_of_no_game": (["replay", "-"], "unknown game 'nosuch'", "game: nosuch\nversion: 1\n"),
    "record_of_another_version": (["replay", "-"], "version 99", f"game: {GAME}\nversion: 99\n"),
    "record_illegal": (["replay", "-"], "expected", f"game: {GAME}\nversion: 1\n\n0 fly away\n"),
    "record_empty": (["replay", "-"], "expected", ""),
    "record_no_text": (["replay", "-"], "save it as UTF-8", b"\x89PNG\xff\xfe\x00"),
    "position_no_json": (["perft", GAME, "--position", "-"], "the position: expected a JSON document"),
    "depth": (["perft", GAME, "--depth", "-1"], "-1 is not in the range"),
    "arena_seats": (["arena", GAME, "greedy"], "option players: expected"),
    "engine": (["simulate", GAME, "--on", "cloud"], "engine 'cloud': expected process, pool, ray or ray://HOST:PORT"),
    "until_what": (["simulate", GAME, "--until", "soon"], "'soon': expected a percentage, for example 0.5%"),
    "until_wide": (["simulate", GAME, "--until", "nan"], "until nan%: expected more than 0 % and less than 50 %"),
    "vary": (["simulate", GAME, "--vary", "nosuch"], "vary 'nosuch': expected one of players, "),
    "play": (["simulate", GAME, "--play", "clever"], "play 'clever': expected random or prior"),
    "results": (["simulate", GAME, "--results", "/no/such"], "/no/such: expected a file that can be written, No such"),
    "port": (["serve", "--port", "70000"], "70000 is not in the range"),
    "host": (["serve", "--host", "256.1.1.1"], "256.1.1.1 port 8000: expected an address that is free to listen on"),
    "mail_without_sender": ([*SERVE, "--mail", "smtp://mail.example"], "together"),
    "mail_without_public": ([*SERVE, "--mail", "smtp://mail.example", "--mail-from", "t@play.example"], "--public"),
    "mail_server": ([*PUBLIC, "--mail", "mail.example", "--mail-from", "t@play.example"], "smtp://"),
    "mail_sender": ([*PUBLIC, "--mail", "smtp://mail.example", "--mail-from", "t"], "can’t be used"),
    "name": (["new-game", "9lives"], "'9lives' is not a valid name: expected 2 to 31 lowercase letters"),
    "name_taken": (["new-game", GAME], f"'{GAME}' is taken"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_line_and_status_2(case):
    arguments, said, *given = WRONG[case]
    done = run(*arguments, input=given[0] if given else "}")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("tavola: ")
    assert said in done.stderr


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_a_record_is_read_in_any_unicode_that_says_which_it_is(encoding, tmp_path: Path):
    path, text = tmp_path / "match.txt", "game: lifeboats\nversion: 1\nnames: Adèle\n"
    path.write_bytes((b"\xff\xfe" if encoding == "utf-16-le" else b"") + text.encode(encoding))
    done = run("replay", str(path))
    assert done.exit_code == 0, done.stderr
    path.write_bytes(text.encode("cp1252"))
    done = run("replay", str(path))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "byte 37: expected text in UTF-8; save it as UTF-8 and try again" in done.stderr


@pytest.mark.process
def test_there_is_no_traceback_in_a_real_process():
    process = started("play", "nosuch")
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output, errors.count("\n")) == (2, "", 1)


def test_a_whole_match_against_bots_is_played_saved_and_replayed(tmp_path: Path):
    path = tmp_path / "match.txt"
    words = (*AGAINST_GREEDY, "--name", "Ada")
    played = run(*words, "--record", path, input=FIRST)
    record = tavola.read_record(path.read_text(encoding="utf-8"))
    match = record.match()
    assert (played.exit_code, record.names, match.over) == (0, ("Ada", "P2", "P3"), True)
    for seat, (place, points) in enumerate(zip(match.result().ranks, match.result().points, strict=True)):
        assert f"{place}. {record.names[seat]}: points {figure(points)}" in played.stdout
    told = run("replay", path)
    assert (told.exit_code, told.stdout.splitlines()[-4:]) == (0, played.stdout.splitlines()[-5:-1])
    assert f"{len(record.actions)}. " in told.stdout
    assert run("replay", "-", input=str(record)).stdout == told.stdout
    assert run(*words, input=FIRST).stdout in played.stdout


def test_a_match_with_a_seed_draws_what_the_same_seed_draws_from_python(tmp_path: Path):
    path = tmp_path / "match.txt"
    run(*AGAINST_RANDOM, "--record", path, input=FIRST)
    record = tavola.read_record(path.read_text(encoding="utf-8"))
    again = tavola.Match(tavola.load(GAME), record.options, 9)
    for seat, code in record.actions:
        if seat != tavola.CHANCE:
            again.play(code, seat)
    assert str(again.record()).split("\n\n")[1] == str(record).split("\n\n")[1]


def test_a_match_in_another_language():
    english = run(*AGAINST_GREEDY, input=FIRST).stdout.splitlines()
    for language, word in (("it", "punti"), ("fr", "points"), ("de", "Punkte")):
        played = run(*AGAINST_GREEDY, "--language", language, input=FIRST)
        assert played.exit_code == 0
        assert re.search(rf"^1\. P\d\s?: {word} \d+$", played.stdout, re.MULTILINE)
        shared = set(played.stdout.splitlines()) & set(english)
        assert not [line for line in shared if re.search(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}", line)]


def test_help_why_not_and_mistakes_at_the_prompt():
    match = tavola.Match(tavola.load(GAME), seed=4, players=3)
    while 0 not in match.to_act:
        match.play(match.legal_numbers(match.to_act[0])[0], match.to_act[0])
    legal = match.legal_codes(0)
    illegal = next(code for code in match.game.actions.codes if code not in legal)
    answers = ["?", f"? {illegal}", f"? {legal[0]}", illegal, "77777", "0", "fly away", "", "t", "quit"]
    done = run("play", GAME, "--players", "3", "--bots", "random", "--seed", "4", input="\n".join(answers))
    assert done.exit_code == 0
    for said in ("Type a number or a code.", "That’s allowed now.", "'fly away' is not an action of this game"):
        assert said in done.stdout
    assert len(re.findall(r"\(R\d+.*\)", done.stdout)) >= 2
    assert [done.stdout.count(text) for text in ("Type a number from 1 to", "   1  ")] == [2, 2]


def test_a_choice_by_code_is_the_choice_by_number(tmp_path: Path):
    path = tmp_path / "match.txt"
    words = (*AGAINST_GREEDY, "--record", path)
    legal = re.search(r"^   1  .*\[(.*)\]$", run(*words, input="quit\n").stdout, re.MULTILINE)[1]
    records = []
    for choice in ("1", legal.upper()):
        run(*words, input=f"{choice}\nquit\n")
        records.append(path.read_text(encoding="utf-8"))
    assert records[0] == records[1]
    assert f"0 {legal}" in records[0]
    assert "unfinished" in records[0].splitlines()[-1]
    assert not tavola.read_record(records[0]).match().over


def test_an_input_that_ends_too_early_is_said_and_the_record_is_kept(tmp_path: Path):
    path = tmp_path / "match.txt"
    done = run("play", GAME, "--bots", "random", "--seed", "1", "--record", str(path), input="1\n")
    assert (done.exit_code, "the input ended before the match did" in done.stderr) == (2, True)
    assert tavola.read_record(path.read_text(encoding="utf-8")).match().history


@pytest.mark.process
def test_control_c_is_quiet():
    process = started("play", GAME, "--bots", "random", "--seed", "4", NUMBA_DISABLE_JIT="1")
    while not process.stdout.readline().startswith("   1  "):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors.strip()) == (130, "")


@pytest.mark.process
def test_closing_the_output_early_prints_no_error(tmp_path: Path):
    path = str(tmp_path / "match.txt")
    run(*AGAINST_RANDOM, "--record", path, input=FIRST)
    process = started("replay", path, NUMBA_DISABLE_JIT="1")
    process.stdout.close()
    assert (process.wait(PATIENCE), process.stderr.read()) == (1, "")
    process.stderr.close()
    process.stdin.close()


def test_perft_counts_from_the_start_and_from_a_position():
    match = tavola.Match(tavola.load(GAME), players=3)
    ways = [int(line.split()[1].replace(",", "")) for line in run("perft", GAME, "--players", "3").stdout.splitlines()]
    assert (len(ways), ways[0]) == (3, len(match.chance_weights()))
    match.play(next(iter(match.chance_weights())))
    later = run("perft", GAME, "--depth", "1", "--position", "-", input=json.dumps(match.document())).stdout.split()
    assert int(later[1].replace(",", "")) == len(match.legal_codes())


def test_bench_prints_a_signature_that_only_the_rules_move():
    lines = run("bench", GAME, "--seconds", "0").stdout.splitlines()
    assert lines[0] == "rules: letter"
    assert lines[2].split()[:2] == [GAME, signature_of(tavola.load(GAME))]
    assert re.fullmatch(r"signature [0-9a-f]{16}", lines[-1])
    assert run("bench", GAME, "--seconds", "0").stdout.splitlines()[-1] == lines[-1]
    assert signature_of(tavola.load(GAME), 3) != signature_of(tavola.load(GAME), 4)


def test_the_arena_compares_bots():
    options = ["--matches", "6", "--seed", "1", "--processes", "1"]
    done = run("arena", GAME, "search:20", "greedy", "random", *options)
    assert done.exit_code == 0
    assert all(text in done.stdout for text in ("6 matches, seed 1", "search", "greedy", "random")), done.stdout


def test_warm_has_nothing_to_do_the_second_time(monkeypatch: pytest.MonkeyPatch):
    assert run("warm").exit_code == 0
    monkeypatch.setattr("tavola.cli.warm.compile_all", lambda missing: pytest.fail("it compiles again"))
    assert run("warm").stdout == f"compiled: {', '.join(tavola.game_names())}\n"


@pytest.mark.process
def test_serve_opens_the_site_says_that_its_database_is_in_use_and_leaves_nothing_when_ended(tmp_path: Path):
    database = tmp_path / "new" / "matches.sqlite"
    words = ("serve", "--port", "0", "--database", str(database))
    with started(*words, module="tests.helpers.one_game") as process, contextlib.ExitStack() as stopped:
        stopped.callback(process.kill)
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        assert "Tavola" in httpx.get(address, trust_env=False, follow_redirects=True, timeout=PATIENCE).text
        assert database.exists()
        done = run(*words)
        assert (done.exit_code, done.stderr.count("\n"), "matches.sqlite" in done.stderr) == (2, 1, True), done.stderr
        httpx.get(f"{address}games/lifeboats/rules", trust_env=False, timeout=PATIENCE)  # drawn by a separate process
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")


def test_a_port_in_use_is_said(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", port, "--database", tmp_path / "matches.sqlite")
    reason = f"port {port}: expected an address that is free to listen on"
    assert (done.exit_code, done.stderr.count("\n"), reason in done.stderr) == (2, 1, True), done.stderr
