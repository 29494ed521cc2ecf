"""`Containerfile` and `compose.yaml` agree with the settings of the site and the unit of systemd."""

import re

from tavola.cli.serve import command as serve
from tavola.cli.service import EACH_WORKER, SERVICE
from tests.cli import run
from tests.helpers import ROOT

IMAGE = (ROOT / "Containerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
FINAL_STAGE = IMAGE.rpartition("\nFROM ")[2]
COMPOSED = {
    name: re.sub(r"\$\{SITE:.*", "play.example", value).strip('"')
    for name, value in re.findall(r"\b(TAVOLA_\w+): (\S+)", COMPOSE)
}
"""Settings that compose gives to the site."""


def composed(name: str) -> str:
    """Return the value of a name that the file for compose has once."""
    (value,) = re.findall(rf"\b{re.escape(name)}: *([^,}}\n]+)", COMPOSE)
    return value.strip().strip('"')


def test_the_settings_of_the_containers_are_settings_of_the_site():
    """They are shown as from the environment, and together they are accepted."""
    given = dict(re.findall(r"\b(TAVOLA_\w+)=(\S+)", IMAGE)) | COMPOSED
    shown = run("config", **given)
    assert shown.exit_code == 0, shown.output
    from_environment = re.findall(r"^ (\S+) .* environment *$", shown.output, re.MULTILINE)
    settings = {name.removeprefix("TAVOLA_").lower() for name in given} - {"cache"}
    assert settings == set(from_environment) >= {"database", "host", "proxy", "public", "workers"}
    assert "https://play.example" in shown.output


def test_the_container_is_not_roots_and_says_whether_it_is_healthy():
    (port,) = (each.default for each in serve.params if each.name == "port")
    assert re.findall(r"^USER (\w+)$", FINAL_STAGE, re.MULTILINE) == ["tavola"]
    assert re.findall(r"^EXPOSE (\d+)$", FINAL_STAGE, re.MULTILINE) == [str(port)]
    assert f"http://127.0.0.1:{port}/health" in FINAL_STAGE[FINAL_STAGE.index("HEALTHCHECK") :]
    assert "command: postgres -c listen_addresses=\n" in COMPOSE, "its database trusts every process that reaches it"
    assert f"--to tavola:{port}\n" in COMPOSE


def test_the_service_of_compose_has_the_bounds_of_the_unit():
    workers = int(COMPOSED["TAVOLA_WORKERS"])
    assert composed("mem_limit") == f"{EACH_WORKER * (workers + 1)}m"
    assert f"LimitNOFILE={composed('nofile')}\n" in SERVICE
    seconds = re.search(r"TimeoutStopSec=(\d+)", SERVICE)[1]
    assert f"stop_grace_period: {seconds}s\n" in COMPOSE.partition("\n  postgres:")[0]


def test_only_the_proxy_is_reached_from_outside_and_trusted():
    assert composed("TAVOLA_PROXY") == composed("subnet").rstrip("]}")
    services = re.split(r"^  (\w+):\n", COMPOSE.partition("\nservices:")[2], flags=re.MULTILINE)[1:]
    assert [name for name, text in zip(services[::2], services[1::2], strict=True) if "ports:" in text] == ["caddy"]
