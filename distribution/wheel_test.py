"""Build and test the source distribution and the wheels of this commit: ``wheel_test.py FOLDER [PYTHON...]``.

Everything is built twice, in other folders, at other times and with other permissions of files, and must have the same bytes.
Each wheel is installed into an empty environment of every Python that can use it, without a compiler on the path.
Pythons are those that are named, or else all that are found on this machine.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import contents

CHECKOUT = contents.CHECKOUT
OLDEST, FIRST_WITH_STABLE_CORE = (3, 11), (3, 12)
"""The oldest Python has a wheel of its own; one wheel with the stable interface is for all later ones."""


class Interpreter(NamedTuple):
    """A Python of this machine."""

    version: tuple[int, int]
    program: str


def run(*command: str | Path, **variables: str) -> str:
    """Run a program, and stop with what it says if it fails."""
    environment = {**os.environ, **variables}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, check=False)  # noqa: S603 - our own commands
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def find_interpreters(named: list[str]) -> list[Interpreter]:
    """Find one Python of every minor version from the oldest on."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = named or [
        *(path for minor in range(OLDEST[1], 30) if (path := shutil.which(f"python3.{minor}"))),
        *map(str, sorted(pyenv.glob("*/bin/python3"))),
        sys.executable,
    ]
    found: dict[tuple[int, int], str] = {}
    for program in candidates:
        asked = [program, "-c", "import sys; print(*sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603 - a Python
        if done.returncode == 0:
            major, minor = map(int, done.stdout.split())
            found.setdefault((major, minor), program)
    return [Interpreter(version, program) for version, program in sorted(found.items()) if version >= OLDEST]


def choose_builders(interpreters: list[Interpreter]) -> list[Interpreter]:
    """Choose the Python of the oldest version, and the first whose wheel is for later ones too, as far as they are there."""
    oldest = [each for each in interpreters if each.version == OLDEST]
    stable = [each for each in interpreters if each.version >= FIRST_WITH_STABLE_CORE]
    return [*oldest, *stable[:1]]


def export(commit: str, folder: Path, mask: int, modified: float) -> Path:
    """Copy the files of the commit, with other permissions and times."""
    before = os.umask(mask)
    try:
        folder.mkdir(parents=True)
        archive = folder.parent / f"{folder.name}.tar"
        run("git", "-C", CHECKOUT, "archive", "--output", archive, commit)
        run("tar", "--extract", "--no-same-permissions", "--file", archive, "--directory", folder)
    finally:
        os.umask(before)
    for path in folder.rglob("*"):
        os.utime(path, (modified, modified))
    return folder


def build(source: Path, output: Path, builders: list[Interpreter], epoch: str, mask: int) -> None:
    """Build the source distributions, and from them a wheel of errata with each builder and one of errata-event."""
    before = os.umask(mask)
    try:
        for project in contents.PROJECTS.values():
            folder = source / project.relative_to(CHECKOUT)
            run(sys.executable, "-m", "build", "--sdist", "--outdir", output, folder, SOURCE_DATE_EPOCH=epoch)
        for package in contents.PROJECTS:
            (archive,) = output.glob(f"{package}-*.tar.gz")
            for _, program in builders if package == "errata" else builders[:1]:
                command = (program, "-m", "pip", "wheel", "--no-deps", "--no-cache-dir", "--wheel-dir", output, archive)
                run(*command, SOURCE_DATE_EPOCH=epoch, TMPDIR=str(source.parent))
    finally:
        os.umask(before)


def hash_files(folder: Path) -> dict[str, str]:
    """Compute the hashes of what was built."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def name_tag(interpreter: Interpreter) -> str:
    """Name the wheel that a Python builds or installs."""
    return "cp311-cp311" if interpreter.version == OLDEST else "cp312-abi3"


def find_wheel(folder: Path, interpreter: Interpreter) -> Path | None:
    """Find the wheel that a Python installs."""
    return next(folder.glob(f"errata-*-{name_tag(interpreter)}-*.whl"), None)


def try_wheel(wheel: Path, interpreter: Interpreter, folder: Path) -> None:
    """Install a wheel where there is nothing, not even a compiler, run the smoke test there, and again with errata-event."""
    environment = folder / f"environment-{interpreter.version[1]}"
    run(interpreter.program, "-m", "venv", environment)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    python = programs / "python"
    run(python, "-m", "pip", "install", "--quiet", "--only-binary=:all:", wheel, PATH=str(programs))
    print(run(python, CHECKOUT / "distribution" / "smoke_test.py", CHECKOUT, "alone", PATH=str(programs)), end="")
    (event,) = wheel.parent.glob("errata_event-*.whl")
    run(python, "-m", "pip", "install", "--quiet", "--only-binary=:all:", event, PATH=str(programs))
    print(run(python, CHECKOUT / "distribution" / "smoke_test.py", CHECKOUT, "event", PATH=str(programs)), end="")


def check_tools(folder: Path) -> None:
    """Ask the tools that know what package indexes and installers expect."""
    built = sorted(folder.iterdir())
    wheels = [path for path in built if path.suffix == ".whl"]
    run(sys.executable, "-m", "twine", "check", "--strict", *built)
    run(sys.executable, "-m", "check_wheel_contents", *wheels)
    for wheel in wheels:
        if "-abi3-" in wheel.name:
            run(sys.executable, "-m", "abi3audit", "--strict", wheel)
    print("ok twine check, check-wheel-contents, abi3audit")


def main(output: Path, named: list[str]) -> None:
    """Build, compare, check and try."""
    interpreters = find_interpreters(named)
    builders = choose_builders(interpreters)
    print("Pythons:", *(f"3.{each.version[1]}" for each in interpreters))
    commit, epoch = run("git", "-C", CHECKOUT, "log", "-1", "--format=%H %ct").split()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = [("first", 0o022, 1e9), ("a second place", 0o077, time.time())]
        for side, mask, modified in sides:
            started = time.perf_counter()
            build(export(commit, folder / side / "errata", mask, modified), folder / side / "dist", builders, epoch, mask)
            print(f"built in {time.perf_counter() - started:.0f} s: {side}", flush=True)
        first, second = (hash_files(folder / side / "dist") for side, *_ in sides)
        if first != second:
            different = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
            raise SystemExit(f"a second build has other bytes: {', '.join(different)}")
        if len(first) != len(builders) + 3 or not all(find_wheel(folder / "first" / "dist", builder) for builder in builders):
            wanted = ", ".join(name_tag(builder) for builder in builders)
            raise SystemExit(
                f"expected two source distributions, a wheel of errata-event and wheels of errata for {wanted}, found {', '.join(first)}"
            )
        print(*(f"{digest}  {name}" for name, digest in first.items()), sep="\n")
        shutil.copytree(folder / "first" / "dist", output, dirs_exist_ok=True)
        if faults := contents.check_all(folder / "first" / "dist"):
            raise SystemExit("\n".join(faults))
        print("ok contents")
        check_tools(folder / "first" / "dist")
        for interpreter in interpreters:
            wheel = find_wheel(folder / "first" / "dist", interpreter)
            if wheel is None:
                raise SystemExit(f"no wheel is for Python 3.{interpreter.version[1]}")
            print(f"Python 3.{interpreter.version[1]}: {wheel.name}", flush=True)
            try_wheel(wheel, interpreter, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
