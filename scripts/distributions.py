"""Build the wheel and the source distribution of the last commit, in `dist`: `make dist`.

The same commit with the same setuptools and Python gives the same bytes: every time is that of the commit. The wheel is
built from the source distribution, so that this is complete.
"""

import gzip
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Build both, and print their checksums."""
    into = ROOT / "dist"
    moment = int(_git("log", "-1", "--format=%ct"))
    if _git("status", "--porcelain"):
        print("Only what is committed is built: there are other changes", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(_git("archive", "HEAD"))) as archive:
            archive.extractall(folder, filter="data")
        for path in build(Path(folder), into, moment):
            print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT)}")


def build(source: Path, into: Path, moment: int) -> list[Path]:
    """Build the source distribution of a tree, and the wheel from that, dated `moment`; return both."""
    with tempfile.TemporaryDirectory() as folder:
        made = _run_build("--sdist", source, Path(folder) / "sdist", moment)
        into.mkdir(parents=True, exist_ok=True)
        packed = into / made.name
        packed.write_bytes(normalised(made, moment))
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        unpacked = Path(folder, made.name.removesuffix(".tar.gz"))
        return [packed, _run_build("--wheel", unpacked, into, moment)]


def normalised(path: Path, moment: int) -> bytes:
    """Return an archive with its files in order, without the times, modes and owners of the machine that made it."""
    plain = io.BytesIO()
    with tarfile.open(path) as old, tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new:
        for file in sorted((each for each in old if each.isfile()), key=lambda each: each.name):
            entry = tarfile.TarInfo(file.name)
            entry.size, entry.mtime, entry.mode = file.size, moment, 0o644
            new.addfile(entry, old.extractfile(file))
    return gzip.compress(plain.getvalue(), mtime=moment)


def _run_build(kind: str, source: Path, into: Path, moment: int) -> Path:
    command = [sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", str(into), str(source)]
    dated = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
    done = subprocess.run(command, env=dated, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return next(into.glob("*.whl" if kind == "--wheel" else "*.tar.gz"))


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S603, S607


if __name__ == "__main__":
    main()
