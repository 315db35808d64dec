"""What a checkout says where errata cannot be built or run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

needs_sh = pytest.mark.skipif(shutil.which("sh") is None, reason="no sh, which make needs")


def program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def check(python: str | Path, folder: Path, **variables: str) -> tuple[int, str]:
    """With nothing on the path but what the check itself needs, and what is in the folder."""
    for name in ("sed", "tr", "dirname", "sh"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    environment = {"PATH": str(folder), **variables}
    sh = shutil.which("sh")
    assert sh is not None
    done = subprocess.run([sh, ".ci/check_machine.sh", str(python)], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


@needs_sh
def test_too_old_a_python_is_refused(tmp_path: Path) -> None:
    """One that answers as Python 3.10 does."""
    real = f'exec {sys.executable} -c "import sys; sys.version_info = (3, 10, 13); exec(sys.argv[1])" "$2"'
    old = program(tmp_path, "old", real)
    expected = (
        f"errata: error: errata needs Python 3.11 or later, and {old} is Python 3.10.13; name another, as in: make run PYTHON=python3.11\n"
    )
    assert check(old, tmp_path) == (1, expected)


@needs_sh
def test_a_python_that_is_missing_or_broken_is_refused(tmp_path: Path) -> None:
    assert check("nothing", tmp_path)[1].startswith("errata: error: errata needs Python 3.11 or later, and nothing was not found; ")
    broken = tmp_path / "other"
    broken.mkdir()
    assert "does not run; name another" in check(program(tmp_path, "broken", "exit 127"), broken)[1]


@needs_sh
def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    start = "errata: error: the core of errata is compiled from C++, and a compiler was not found; "
    advice = "install one, such as g++ or clang++, or name it: make run CXX=clang++\n"
    assert check(sys.executable, tmp_path) == (1, start + advice)


@needs_sh
@pytest.mark.parametrize("variables", [{}, {"CXX": "clang++ -m64"}])
def test_a_compiler_is_enough(tmp_path: Path, variables: dict[str, str]) -> None:
    program(tmp_path, "clang++", "exit 0")
    assert check(sys.executable, tmp_path, **variables) == (0, "")


@needs_sh
def test_only_the_compiler_that_is_named_counts(tmp_path: Path) -> None:
    program(tmp_path, "g++", "exit 0")
    status, message = check(sys.executable, tmp_path, CXX="none -O2")
    assert status == 1
    assert "and none -O2 was not found" in message


IMPORT = "import sys; sys.version_info = (3, 10, 13); sys.path.insert(0, 'src'); import errata"


def test_the_package_refuses_an_old_python_too() -> None:
    """The oldest Python is written in three places, which agree."""
    done = subprocess.run([sys.executable, "-S", "-c", IMPORT], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("ImportError: errata needs Python 3.11 or later, found 3.10.13\n")
    needed = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert needed == ">=3.11"
    assert re.search(r"find_package\(Python ([\d.]+)", Path("CMakeLists.txt").read_text())[1] == "3.11"  # type: ignore[index]


@pytest.mark.skipif(os.name == "nt" or shutil.which("python3.10") is None, reason="no Python 3.10")
def test_an_old_python_that_runs_a_checkout_is_told_so() -> None:
    old = shutil.which("python3.10") or ""
    if subprocess.run([old, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip("this Python 3.10 does not run")
    done = subprocess.run([old, "-m", "errata"], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": "src"})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "errata needs Python 3.11 or later, found 3.10." in done.stderr


BUILD = """
import sys
from scikit_build_core.build.wheel import _build_wheel_impl  # imports everything
from scikit_build_core.build import build_wheel
sys.version_info = (3, 10, 13, "final", 0)
build_wheel(sys.argv[1])
"""


def test_an_installer_learns_at_once_that_a_python_is_too_old(tmp_path: Path) -> None:
    """pip compares versions once it has the metadata, and for a checkout it has them from a wheel: nothing is compiled for that one."""
    environment = {**os.environ, "CXX": "/bin/false"}
    subprocess.run([sys.executable, "-c", BUILD, str(tmp_path)], check=True, capture_output=True, env=environment)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        (metadata,) = (file.read(name).decode() for name in file.namelist() if name.endswith("/METADATA"))
    assert "\nRequires-Python: >=3.11\n" in metadata
