"""The settings of `tavola serve`: from a file, the environment and the command line; units for systemd."""

import getpass
import json
import shutil
import signal
import subprocess
from pathlib import Path

import httpx
import pytest
from click.testing import Result

from tavola.cli.serve import NOT_SETTINGS
from tavola.cli.serve import command as serve
from tests.cli import check_answer, run
from tests.cli.test_cli import started
from tests.helpers import PATIENCE, releases

SETTINGS = """
port = 8111
public = ["https://play.example", "https://games.example"]
proxy = "127.0.0.1"
people = 200
mail = "smtp://tavola@mail.example:587"
mail-from = "table@play.example"
mail-password = "secret"
scenes = false

[limit]
sockets = 20
rooms = [0.5, 30]
"""


def config(*arguments: str, file: Path | None = None, **environment: str) -> Result:
    given = () if file is None else ("--config", str(file))
    return run("config", *given, *arguments, **environment)


def check_refused(result: Result, reason: str) -> None:
    """Check that a command refuses something in one line."""
    assert (result.exit_code, result.output.count("\n"), reason in result.output) == (2, 1, True), result.output


def rows(result: Result) -> dict[str, list[str]]:
    """Return value and source of each setting of which one is known."""
    assert result.exit_code == 0, result.output
    table = result.output[: result.output.index(" limit ", result.output.index("largest"))]
    return {(words := line.split())[0]: words[1:] for line in table.splitlines()[1:] if line.strip()}


def test_the_limits_in_force_are_beside_the_usual_ones(file: Path):
    words = config(file=file).output.split()
    for line in ("sockets 20 12", "rooms 0.5 a second, 30 at", "body 32000 32000"):
        name, *values = line.split()
        at = words.index(name, words.index("limit", words.index("largest")))
        assert words[at + 1 : at + 1 + len(values)] == values


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tavola.toml"
    path.write_text(SETTINGS)
    path.chmod(0o600)
    return path


def test_the_command_line_precedes_the_environment_and_that_the_file(file: Path):
    found = rows(config("--largest", "77", "--port", "8113", file=file, TAVOLA_PORT="8112", TAVOLA_PEOPLE="300"))
    assert found["port"] == ["8113", "command", "line"]
    assert found["people"] == ["300", "environment"]
    assert found["public"] == ["https://play.example", "https://games.example", "file"]
    assert found["proxy"] == ["127.0.0.1", "file"]
    assert found["limit"] == ["sockets=20", "rooms=0.5,30", "file"]
    assert found["scenes"] == ["False", "file"]
    assert found["host"] == ["127.0.0.1", "default"]


def test_secrets_are_not_shown(file: Path):
    shown = config(file=file, TAVOLA_DATABASE="postgresql://tavola:hid:den@db/tavola?password=hidden&port=5433")
    assert rows(shown)["mail-password"] == ["(set)", "file"]
    masked = "postgresql://tavola:(set)@db/tavola?password=(set)&port=5433"
    assert rows(shown)["database"] == [masked, "environment"]
    assert not [word for word in ("secret", "hid") if word in shown.output]


def test_a_check_prints_only_what_is_wrong(file: Path, tmp_path: Path):
    given = ("--check", "--database", str(tmp_path / "t.sqlite"))
    checked = config(*given, file=file)
    assert (checked.exit_code, checked.output) == (0, "")
    for wrong in (("--limit", "sockets=many"), ("--proxy", "here"), ("--workers", "2")):
        check_refused(config(*given, *wrong, file=file), wrong[0])


def test_a_text_that_cannot_be_read_is_refused(tmp_path: Path):
    (tmp_path / "latin").write_bytes(b"\xe9")
    for name, reason in (("missing", "No such file"), ("latin", "expected UTF-8")):
        check_answer(2, reason, "config", "--privacy", tmp_path / name)


def test_every_option_is_a_setting(tmp_path: Path):
    names = {each.opts[0].removeprefix("--") for each in serve.params if each.name not in NOT_SETTINGS}
    assert set(rows(config())) == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port = ", "expected TOML: Invalid value (at end of document)"),
        ("prot = 1", "expected settings out of host, port,"),
        ("prot = 1", "found 'prot'"),
        ("port = [1]", "port: expected one value"),
        ("public = 1", "public: expected a list of texts"),
        ('port = "many"', "'many' is not a valid integer"),
        ("[limit]\nrooms = 1", "rooms: expected two numbers, per second and at once: 0.5,30; found '1'"),
        ('[limit]\nsockets = "nan"', "sockets: expected a number such as 12; found 'nan'"),
        ("[limit]\nsocket = 1", "expected a limit, one of work_an_address"),
        ('mail-password = "secret"', "only its owner can read: chmod 600"),
        ('database = "postgresql://tavola:secret@db/tavola"', "only its owner can read: chmod 600"),
        ('database = "postgresql://db/tavola?user=tavola&password=secret"', "only its owner can read: chmod 600"),
        ('mail-ca = "/nosuch"\nmail = "smtp://here"\nmail-from = "a@b.example"\npublic = "x.example"', "PEM"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_a_sentence(tmp_path: Path, text: str, expected: str):
    path = tmp_path / "tavola.toml"
    path.write_text(text)
    check_refused(config(file=path), expected)


def test_a_password_on_the_command_line_is_refused():
    assert "expected it as TAVOLA_MAIL_PASSWORD or in a settings file" in config("--mail-password", "secret").output


@pytest.mark.parametrize(
    "address", ["postgresql://tavola:secret@db/tavola", "postgres://db/tavola?user=tavola&password=secret"]
)
@pytest.mark.parametrize("command", ["serve", "config", "doctor", "admin", "backup f", "restore f", "prune", "running"])
def test_the_password_of_a_database_on_the_command_line_is_refused(command: str, address: str):
    reason = "--database: expected its password in TAVOLA_DATABASE or ~/.pgpass"
    assert "secret" not in check_answer(2, reason, *command.split(), "--database", address)


def test_a_move_takes_no_password_from_the_command_line(tmp_path: Path):
    address = "postgresql://tavola:secret@db/tavola"
    for words, name in (((address, tmp_path / "t"), "FROM"), ((tmp_path / "t", address), "TO")):
        check_answer(2, f"{name}: expected its password in ~/.pgpass", "move", *words)


def test_the_password_of_a_database_can_be_in_the_file_of_its_owner(file: Path):
    file.write_text('database = "postgresql://tavola:secret@db/tavola"')
    assert rows(config(file=file))["database"] == ["postgresql://tavola:(set)@db/tavola", "file"]


def test_every_command_finds_its_database_in_the_environment(tmp_path: Path):
    missing = str(tmp_path / "t.sqlite")
    for command in ("admin", "reports", "running", "prune"):
        refused = run(command, TAVOLA_DATABASE=missing)
        assert (refused.exit_code, f"{missing}: expected a Tavola database, found none" in refused.output) == (2, True)


def test_administration_without_a_database_says_what_to_do(tmp_path: Path):
    refused = run("admin", "--database", tmp_path / "t.sqlite")
    assert refused.output.endswith("found none: give the site's --config or --database, or start the site first\n")


@pytest.mark.process
def test_a_single_process_starts_anew_on_sighup_and_keeps_its_rooms(tmp_path: Path):
    arguments = ("serve", "--port", "0", "--database", str(tmp_path / "t.sqlite"), "--no-scenes")
    with started(*arguments, module="tests.helpers.one_game") as server, httpx.Client(timeout=PATIENCE) as web:
        try:
            assert server.stdout is not None
            first = next(line for line in server.stdout if "http" in line).split()[-1]
            made = web.post(f"{first}rooms", data={"game": "lifeboats", "name": "Ada"}, follow_redirects=True)
            path = made.url.path.removeprefix("/")
            server.send_signal(signal.SIGHUP)
            second = next(line for line in server.stdout if "http" in line).split()[-1]
            assert web.get(second + path).status_code == 200
        finally:
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate(timeout=PATIENCE)
    assert (server.returncode, errors) == (0, "")


@pytest.mark.process
def test_a_migration_is_logged_in_the_form_of_the_log(tmp_path: Path):
    path = tmp_path / "t.sqlite"
    releases.listed("sqlite")[0].install(path)
    arguments = ("serve", "--port", "0", "--database", str(path), "--log-format", "json")
    with started(*arguments, module="tests.helpers.one_game") as server:
        assert server.stdout is not None
        assert any("http" in line for line in server.stdout)
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=PATIENCE)
    logged = [json.loads(line) for line in errors.splitlines()]
    migrated = [each for each in logged if "migrated from version" in each["message"]]
    assert [each["level"] for each in migrated] == ["warning"]


SERVED = 'database = "/srv/games/t.sqlite"\npublic = ["https://play.example"]\n'
MOST_EXPOSED = 30
"""Ten times the exposure that `systemd-analyze security` may find, of 100."""


@pytest.fixture
def toml(file: Path) -> Path:
    file.write_text(SERVED)
    return file


def install(toml: Path, *more: str) -> Result:
    folder = toml.parent / "units"
    return run("install-service", "--config", toml, "--folder", folder, "--user", getpass.getuser(), *more)


def unit(toml: Path, name: str) -> str:
    return (toml.parent / "units" / name).read_text()


def test_units_follow_from_the_settings(toml: Path):
    done = install(toml)
    assert done.exit_code == 0, done.output
    assert "systemctl enable --now tavola.service tavola-backup.timer" in done.output
    service, backup = unit(toml, "tavola.service"), unit(toml, "tavola-backup.service")
    assert f"TAVOLA_CONFIG={toml} " in service
    assert "serve --database /srv/games/t.sqlite\n" in service
    assert "MemoryMax=2000M" in service
    assert "backup --keep 14 --database /srv/games/t.sqlite /var/lib/tavola/backups/tavola\n" in backup
    for text in (service, backup):
        assert "ReadWritePaths=/srv/games\n" in text
        assert f"User={getpass.getuser()}\n" in text


def test_workers_get_memory_each(toml: Path):
    toml.write_text('database = "postgresql://tavola@/tavola"\nworkers = 4\n')
    assert install(toml).exit_code == 0
    assert "MemoryMax=3000M" in unit(toml, "tavola.service")
    assert "ReadWritePaths" not in unit(toml, "tavola.service")


def test_changed_units_are_replaced_only_when_asked(toml: Path):
    install(toml)
    assert install(toml).exit_code == 0, "equal ones are written again"
    toml.write_text(SERVED.replace("/srv", "/mnt"))
    refused = install(toml)
    reason = "expected --replace, because tavola.service, tavola-backup.service would change"
    assert (refused.exit_code, reason in refused.output) == (2, True), refused.output
    assert "/srv/games" in unit(toml, "tavola.service")
    assert install(toml, "--replace").exit_code == 0
    assert "/mnt/games" in unit(toml, "tavola.service")


@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [
        ("people = 200", (), "expected the absolute path of a database"),
        ('database = "t.sqlite"', (), "expected the absolute path of a database"),
        ('database = "/root/t.sqlite"', (), "expected a database outside /home, /root, /run/user"),
        ('database = "/srv/my games/t.sqlite"', (), "expected no spaces, quotes, backslashes or $"),
        ('database = "/srv/$games/t.sqlite"', (), "expected no spaces, quotes, backslashes or $"),
        ('database = "postgresql://tavola:secret@db/tavola"', (), "expected a database without a password"),
        ('database = "postgresql://db/tavola?password=secret"', (), "expected a database without a password"),
        (SERVED + "workers = 2", (), "a file allows only one worker"),
        (SERVED + "prot = 1", (), "found 'prot'"),
        (SERVED, ("--user", "no-such-user"), "useradd --system --home /var/lib/tavola no-such-user"),
        (SERVED, ("--folder", "/dev/null/units"), "expected a folder where this user can write units"),
    ],
)
def test_what_a_unit_cannot_say_is_refused(toml: Path, text: str, more: tuple[str, ...], expected: str):
    toml.write_text(text)
    refused = install(toml, *more)
    assert (refused.exit_code, expected in refused.output) == (2, True), refused.output
    assert not (toml.parent / "units").exists()


@pytest.mark.process
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_and_little_exposed(toml: Path):
    toml.write_text(SERVED.replace("games", "50%zgames"))
    install(toml)
    assert unit(toml, "tavola.service").count("/srv/50%%zgames") == 2
    units = sorted(map(str, (toml.parent / "units").iterdir()))
    verified = analyze("verify", *units)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    exposed = analyze("security", "--offline=true", f"--threshold={MOST_EXPOSED}", units[-1])
    assert exposed.returncode == 0, exposed.stdout


def analyze(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
