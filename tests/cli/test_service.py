"""Units for systemd: `systemd-analyze` reads them where it is installed; what they say follows from the settings."""

import getpass
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavola.cli import main
from tests.helpers import PATIENCE

SETTINGS = 'database = "/srv/games/t.sqlite"\npublic = ["https://play.example"]\n'
MOST_EXPOSED = 30
"""Ten times the exposure that `systemd-analyze security` may find, of 100."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "tavola.toml"
    path.write_text(SETTINGS)
    return path


def install(config: Path, *more: str) -> Result:
    folder = str(config.parent / "units")
    arguments = ["install-service", "--config", str(config), "--folder", folder, "--user", getpass.getuser(), *more]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def unit(config: Path, name: str) -> str:
    return (config.parent / "units" / name).read_text()


def test_units_follow_from_the_settings(config: Path):
    done = install(config)
    assert done.exit_code == 0, done.output
    assert "systemctl enable --now tavola.service tavola-backup.timer" in done.output
    service, backup = unit(config, "tavola.service"), unit(config, "tavola-backup.service")
    assert f"TAVOLA_CONFIG={config} " in service
    assert "serve --database /srv/games/t.sqlite\n" in service
    assert "MemoryMax=2000M" in service
    assert "backup --keep 14 --database /srv/games/t.sqlite /var/lib/tavola/backups/tavola\n" in backup
    for text in (service, backup):
        assert "ReadWritePaths=/srv/games\n" in text
        assert f"User={getpass.getuser()}\n" in text


def test_workers_get_memory_each(config: Path):
    config.write_text('database = "postgresql://tavola@/tavola"\nworkers = 4\n')
    assert install(config).exit_code == 0
    assert "MemoryMax=3000M" in unit(config, "tavola.service")
    assert "ReadWritePaths" not in unit(config, "tavola.service")


def test_changed_units_are_replaced_only_when_asked(config: Path):
    install(config)
    assert install(config).exit_code == 0, "equal ones are written again"
    config.write_text(SETTINGS.replace("/srv", "/mnt"))
    refused = install(config)
    assert refused.exit_code == 2
    assert "expected --replace, because tavola.service, tavola-backup.service would change" in refused.output
    assert "/srv/games" in unit(config, "tavola.service")
    assert install(config, "--replace").exit_code == 0
    assert "/mnt/games" in unit(config, "tavola.service")


@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [
        ('database = "t.sqlite"', (), "expected the absolute path of a database"),
        ('database = "postgresql://tavola:secret@db/tavola"', (), "expected a database without a password"),
        (SETTINGS + "prot = 1", (), "found 'prot'"),
        (SETTINGS, ("--user", "no-such-user"), "useradd --system --home /var/lib/tavola no-such-user"),
    ],
)
def test_what_a_unit_cannot_say_is_refused(config: Path, text: str, more: tuple[str, ...], expected: str):
    config.write_text(text)
    refused = install(config, *more)
    assert refused.exit_code == 2
    assert expected in refused.output
    assert not (config.parent / "units").exists()


@pytest.mark.process
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_and_little_exposed(config: Path):
    install(config)
    units = sorted(map(str, (config.parent / "units").iterdir()))
    verified = analyze("verify", *units)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    exposed = analyze("security", "--offline=true", f"--threshold={MOST_EXPOSED}", units[-1])
    assert exposed.returncode == 0, exposed.stdout


def analyze(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
