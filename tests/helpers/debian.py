"""Fresh Debian systems in temporary folders, with this machine's settings of apt and pip: for the soak, as root."""

import contextlib
import os
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import ROOT

AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="systems and containers are made as root")


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
