"""What docs/hosting.md describes is run in fresh Debian systems: the container, the proxies, and a whole site."""

import contextlib
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import Limits
from tests.helpers import PATIENCE, ROOT, free_port, wait_for
from tests.helpers.postgres import running_postgres
from tests.helpers.site import TLS, Guest, open_socket, site_at
from tests.packaging.test_containers import COMPOSED

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="systems and containers are made as root")
pytestmark = [pytest.mark.soak, pytest.mark.process, needs_root]
AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"
CACHED = "find /var/cache/tavola -type f -printf '%p %T@\\n' | sort"
"""Command that lists the files of the cache and when each was written."""


def run(*command: object) -> str:
    """Return the output of a command, which must succeed. Compiling takes long, so only the soak's limit applies."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout[-10_000:]}{done.stderr[-10_000:]}"
    return done.stdout


@contextlib.contextmanager
def fresh_debian(*packages: str) -> Iterator[Path]:
    """Yield the folder of a new system with the smallest set of packages and some more; it is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="tavola-debian-") as folder:
        tree = Path(folder, "tree")
        included = ",".join(("ca-certificates", *packages))
        run("debootstrap", "--variant=minbase", f"--include={included}", "trixie", tree)
        _copy_settings(tree)
        yield tree


def _copy_settings(tree: Path) -> None:
    """Let apt and pip reach their sources as they do on this machine."""
    (tree / "etc/apt/apt.conf.d/00machine").write_text(run("apt-config", "dump", "Acquire"))
    (tree / AUTHORITIES).write_bytes(Path(ssl.get_default_verify_paths().cafile or f"/{AUTHORITIES}").read_bytes())
    listed = run(sys.executable, "-m", "pip", "config", "list").splitlines()
    given = dict(line.partition(".")[2].split("=", 1) for line in listed)
    settings = {"cert": f"/{AUTHORITIES}"}
    settings |= {name: given[name].strip("'") for name in ("index-url", "proxy", "default-timeout") if name in given}
    lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
    (tree / "etc/pip.conf").write_text(f"[global]\n{lines}")


def copy_checkout(into: Path) -> None:
    """Copy the files that git knows or does not ignore."""
    for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).exists():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            (into / name).write_bytes((ROOT / name).read_bytes())
            (into / name).chmod((ROOT / name).stat().st_mode)


@contextlib.contextmanager
def ended(process: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    """End a process at the end of a block."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Builder:
    """Buildah with a store of its own, which needs neither a daemon nor namespaces."""

    def __init__(self, folder: Path) -> None:
        self._command = ("buildah", "--root", folder / "store", "--runroot", folder / "run", "--storage-driver", "vfs")

    def __call__(self, word: str, *more: object) -> str:
        return run(*self._command, word, *more).strip()

    def import_base(self, tree: Path) -> None:
        """Let a system be the image on which `Containerfile` is based."""
        archive = tree.parent / "base.tar"
        run("tar", "-C", tree, "-cf", archive, ".")
        container = self("from", "scratch")
        self("add", "--quiet", container, archive, "/")
        base = re.search(r"^FROM (\S+)", (ROOT / "Containerfile").read_text(), re.MULTILINE)[1]
        self("commit", "--quiet", container, f"docker.io/library/{base}")
        archive.unlink()

    def start(self, container: str, *options: str, command: list[str]) -> "subprocess.Popen[str]":
        words = (*self._command, "run", "--isolation", "chroot", *options, container, "--", *command)
        return subprocess.Popen([str(word) for word in words], text=True)

    def execute(self, container: str, *command: str) -> str:
        return self("run", "--isolation", "chroot", container, "--", *command)


def test_the_container_is_built_and_its_first_match_needs_no_compiler():
    with fresh_debian() as tree:
        build = Builder(tree.parent)
        build.import_base(tree)
        build("bud", "--isolation", "chroot", "--pull-never", "--format", "docker", "--tag", "tavola", ROOT)
        image = json.loads(build("inspect", "--type", "image", "tavola"))["Docker"]["config"]
        container, port = build("from", "--pull-never", "localhost/tavola"), free_port()
        assert build.execute(container, "id", "--user", "--name") == "tavola"
        cached = build.execute(container, "sh", "-c", CACHED)
        with running_postgres() as server:
            with psycopg.connect(server.address("postgres"), autocommit=True) as connection:
                connection.execute("CREATE DATABASE tavola")
            settings = {**COMPOSED, "TAVOLA_PORT": str(port), "TAVOLA_PUBLIC": "", "TAVOLA_PROXY": ""}
            given = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]
            command = image["Entrypoint"] + image["Cmd"]
            shared = ("--volume", f"{server.folder}:/run/postgresql")
            with ended(build.start(container, *shared, *given, command=command)) as serving:
                url = f"http://127.0.0.1:{port}"
                wait_for(lambda: serving.poll() is not None or answer(f"{url}/ready") == "ok")
                _begin_a_match(url)
                healthy = [word.replace("8000", str(port)) for word in image["Healthcheck"]["Test"][1:]]
                build.execute(container, *healthy)
        assert build.execute(container, "sh", "-c", CACHED) == cached


def _begin_a_match(url: str) -> None:
    """Play the first move against a searching bot on a site whose games are compiled."""
    with Guest(url, "en", {}) as guest:
        code = guest.quick("search")
        wait_for(lambda: guest.choices(code)[1])
        prompt, choices = guest.choices(code)
        assert guest.play(code, prompt, choices[0]).status_code == 200
    assert answer(f"{url}/health") == "ok", "nothing is being compiled"


def answer(url: str) -> str:
    """Return the text of a page, empty while the site does not answer."""
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(url, timeout=PATIENCE, verify=TLS).text
    return ""


SEVERAL = {"server 10.0.0.11:8000;": "", "10.0.0.11:8000 ": "", "10.0.0.12:8000": "127.0.0.1:8000"}
"""One machine in place of two."""
ROOM = {"game": "lifeboats", "name": "Ada"}


def block(guide: str, kind: str) -> str:
    """Return the configuration of a proxy in a guide."""
    text = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    first = {"nginx": "(?:server|upstream tavola) {", "caddy": "play.example {"}[kind]
    (found,) = re.findall(rf"^```\n({first}[^`]*)^```", text, re.MULTILINE)
    return found


def configuration(guide: str, kind: str) -> str:
    """Return what a guide says, with its server where the block is only about several machines."""
    text = block(guide, kind)
    if guide == "hosting":
        return text
    for machine, here in SEVERAL.items():
        text = text.replace(machine, here)
    one = block("hosting", kind).replace("http://127.0.0.1:8000", "http://tavola")
    return text + one if kind == "nginx" else text


@contextlib.contextmanager
def nginx(tree: Path, text: str, port: int) -> Iterator[Path]:
    """Run nginx with a certificate of its own where the guide expects it; yield the certificate."""
    folder = tree / "etc/letsencrypt/live/localhost"
    folder.mkdir(parents=True, exist_ok=True)
    named = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *named, "-keyout", key, "-out", certificate)
    (tree / "etc/nginx/sites-enabled/default").unlink(missing_ok=True)
    (tree / "etc/nginx/conf.d/tavola.conf").write_text(text.replace("listen 443", f"listen 127.0.0.1:{port}"))
    with ended(subprocess.Popen(["chroot", str(tree), "nginx", "-g", "daemon off;"], text=True)):
        yield certificate


@contextlib.contextmanager
def caddy(tree: Path, text: str, port: int) -> Iterator[Path]:
    """Run Caddy with an authority of its own instead of a public one; yield its certificate."""
    ports = f"https_port {port}\nhttp_port {free_port()}"
    (tree / "Caddyfile").write_text(f"{{\nlocal_certs\nskip_install_trust\nadmin off\n{ports}\n}}\n{text}")
    command = ["chroot", str(tree), "env", "HOME=/root", "caddy", "run", "--config", "/Caddyfile"]
    with ended(subprocess.Popen(command, text=True)):
        authority = tree / "root/.local/share/caddy/pki/authorities/local/root.crt"
        wait_for(authority.exists)
        yield authority


@pytest.fixture(scope="module")
def proxies():
    with fresh_debian("caddy", "nginx") as tree:
        page = tree / "var/www/tavola/maintenance.html"
        page.parent.mkdir(parents=True)
        page.write_bytes((ROOT / "docs/maintenance.html").read_bytes())
        yield tree


@pytest.mark.parametrize(("guide", "below"), [("hosting", ""), ("hosting", "/games"), ("workers", "")])
@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_proxies_of_the_guides_forward_names_addresses_and_sockets(proxy, guide, below, proxies: Path, path: Path):
    port = free_port()
    url = f"https://localhost:{port}{below}"
    limits, names = Limits(rooms_an_address=(0.0, 2)), HostNames.parse([url])
    with site_at(path, limits, proxies=("127.0.0.1",), names=names) as site:
        text = configuration(guide, proxy.__name__).replace("play.example", "localhost")
        if below:
            text = text.replace("location / {", f"location {below}/ {{")
            text = text.replace("reverse_proxy ", f"reverse_proxy {below}/* ")
        here = site.url.removeprefix("http://").removesuffix(below)
        with proxy(proxies, text.replace("127.0.0.1:8000", here), port) as authority:
            TLS.load_verify_locations(authority)
            wait_for(lambda: answer(f"{url}/health") == "ok")
            with Guest(url, "en", {}, source="127.0.0.2") as ada:
                assert "secure" in ada.get("/").headers["set-cookie"].lower()
                code = ada.create()
                with open_socket(url, ada, code, "json", ssl=TLS) as line:
                    assert json.loads(line.recv(PATIENCE))["is_host"]
                assert ada.get("/metrics").status_code == 403
                assert ada.get("/start").url.path == f"{below}/", "redirects lead below the path"
                forged = ({"X-Forwarded-For": f"198.51.100.{number}"} for number in (7, 8))
                opened = [ada.post("/rooms", data=ROOM, headers=headers).status_code for headers in forged]
                assert opened == [200, 429], "a forged header does not lift the limit"
            with Guest(url, "en", {}, source="127.0.0.3") as bruno:
                assert bruno.create(), "each address has its own limit"
            site.close()
            if guide == "hosting":
                assert "All matches are saved" in answer(f"{url}/")


def first_process(parent: int) -> str:
    """Return the id of the first process of a system that was started by another, empty if it has not begun."""
    for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        with contextlib.suppress(OSError):
            if Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                return child
    return ""


def test_a_stranger_sets_up_a_site_on_a_fresh_debian():
    """`scripts/fresh_site` in a booted system: its services run as on a machine of their own."""
    with fresh_debian("dbus", "systemd-sysv") as tree:
        copy_checkout(tree / "root/tavola")
        # The older kind of cgroups, if this machine has only that.
        allowed = "--setenv=SYSTEMD_PROC_CMDLINE=SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1"
        options = ("--register=no", "--keep-unit", "--resolv-conf=bind-host", "--console=pipe", allowed)
        command = ["systemd-nspawn", "--quiet", *options, "--boot", "--directory", str(tree)]
        with ended(subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True)) as machine:
            wait_for(lambda: first_process(machine.pid))
            first = first_process(machine.pid)
            inside = ("nsenter", "--target", first, "--mount", "--uts", "--ipc", "--pid")
            run(*inside, "sh", "-c", "until systemctl is-active --quiet multi-user.target; do sleep 1; done")
            print(run(*inside, "env", "-i", "HOME=/root", "PATH=/usr/sbin:/usr/bin", "/root/tavola/scripts/fresh_site"))
