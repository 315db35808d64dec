"""Measures installations: ``make run`` in a fresh clone, a wheel with its dependencies, each dependency and each extra.

Times are of one installation each, wall clock and processor; sizes are of the whole environment, or of what a package adds to it.
Needs a package index.  The wheel is built first and is not part of the time.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

from measuring import Row, show

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEVELOPERS = {"dev", "docs", "release"}


class Measured(NamedTuple):
    """What one command took."""

    seconds: float
    processor: float


def measure(command: list[str], cache: Path, folder: Path = ROOT) -> Measured:
    """Run a command with a package cache of its own."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env={**os.environ, "PIP_CACHE_DIR": str(cache), "MAKEFLAGS": ""}, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Measured(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def megabytes(folder: Path) -> float:
    """The disk that a folder takes, as ``du`` counts it."""
    return sum(path.lstat().st_blocks * 512 for path in [folder, *folder.rglob("*")]) / 1e6


def run_from_clone(folder: Path) -> list[Row]:
    """``make run`` in a fresh clone, with an empty package cache and with what the first one left there."""
    rows: list[Row] = []
    for cache in ("empty", "warm"):
        clone = folder / f"clone with {cache} cache"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        took = measure(["make", "run", f"PYTHON={sys.executable}"], folder / "cache", clone)
        rows.append((f"make run, {cache} package cache", round(megabytes(clone / ".venv")), round(took.seconds), round(took.processor)))
    return rows


class Environment:
    """An environment, and what is installed into it step by step."""

    def __init__(self, folder: Path, cache: Path, like: Environment | None = None) -> None:
        if like is None:
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        else:
            shutil.copytree(like.folder, folder, symlinks=True)
        self.folder: Path = folder
        self.cache: Path = cache
        self.size: float = megabytes(folder)

    def install(self, *requirements: str) -> tuple[int, int, int]:
        """Megabytes added, seconds and seconds of processors."""
        python = str(self.folder / "bin" / "python")
        took = measure([python, "-m", "pip", "install", "--quiet", *requirements], self.cache)
        before, self.size = self.size, megabytes(self.folder)
        return round(self.size - before), round(took.seconds), round(took.processor)


def build_wheel(folder: Path) -> str:
    """Build the wheel of this checkout, from what make has compiled."""
    settings = ["--config-settings", "cmake.define.ERRATA_WARNINGS_ARE_ERRORS=ON", "--no-build-isolation", "--no-deps"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", *settings, "--wheel-dir", str(folder), str(ROOT)], check=True)
    return str(next(folder.glob("*.whl")))


def install_wheel(folder: Path, wheel: str, cache: Path) -> list[Row]:
    """The wheel with its dependencies, then each extra in an environment that has those."""
    plain = Environment(folder / "plain", cache)
    empty = round(plain.size)
    rows: list[Row] = [("an empty environment", empty, None, None), ("+ errata with its dependencies", *plain.install(wheel))]
    for extra in sorted(PROJECT["optional-dependencies"].keys() - DEVELOPERS):
        environment = Environment(folder / extra, cache, plain)
        rows.append((f"+ errata[{extra}] on top", *environment.install(f"{wheel}[{extra}]")))
    return rows


def install_dependencies(folder: Path, wheel: str, cache: Path) -> list[Row]:
    """Each dependency with those that it brings, one after the other, and errata itself at the end."""
    environment = Environment(folder / "dependencies", cache)
    rows: list[Row] = [(requirement, *environment.install(requirement)) for requirement in PROJECT["dependencies"]]
    return [*rows, ("errata itself", *environment.install(wheel))]


def main() -> None:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    load = os.getloadavg()[0]
    headings = ["Installation", "MB", "seconds", "seconds of processors"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        show(f"from a checkout ({machine}, load {load:.1f})", headings, run_from_clone(folder))
        wheel = build_wheel(folder / "wheel")
        show("from a wheel; what each step adds, packages downloaded before", headings, install_wheel(folder, wheel, folder / "cache"))
        show("dependencies, each with those it brings", headings, install_dependencies(folder, wheel, folder / "cache"))


if __name__ == "__main__":
    main()
