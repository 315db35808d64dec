"""A wheel of this checkout, in an environment that has errata's dependencies and nothing else of errata.

``make wheel-test`` does the same from the source distribution, with empty environments and every Python of the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

from errata.core import NAME

import contents

pytestmark = pytest.mark.slow


def build(folder: Path, project: str) -> Path:
    """Nothing is compiled if make has compiled it."""
    settings = ["--config-settings", "cmake.define.ERRATA_WARNINGS_ARE_ERRORS=ON"]
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", *settings, "--wheel-dir", str(folder), project]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


def check_as_indexes_do(wheel: Path) -> None:
    """``make wheel-test`` installs what checks it."""
    if find_spec("check_wheel_contents"):
        done = subprocess.run([sys.executable, "-m", "check_wheel_contents", str(wheel)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, f"{wheel}: OK\n")


def test_it_has_the_package_and_nothing_else_and_works(tmp_path: Path) -> None:
    """The environment finds the dependencies of this one through a path, where the checkout is not found."""
    if NAME != "native":
        pytest.skip("the core is not compiled here")
    wheel = build(tmp_path, ".")
    assert contents.check_wheel(wheel) == []
    assert f"-{'cp312-abi3' if sys.version_info >= (3, 12) else 'cp311-cp311'}-" in wheel.name
    check_as_indexes_do(wheel)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "empty")], check=True)
    programs = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True, check=True
    )
    (Path(own.stdout.strip()) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--ignore-installed", "--no-index", str(wheel)]
    subprocess.run(install, capture_output=True, check=True)
    environment = {**os.environ, "PATH": str(programs)}
    command = [python, "distribution/smoke_test.py", "."]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok ") == 7


def test_that_of_events_has_its_package_and_nothing_else(tmp_path: Path) -> None:
    wheel = build(tmp_path, "packages/errata-event")
    assert contents.check_wheel(wheel) == []
    assert wheel.name.startswith("errata_event-")
    check_as_indexes_do(wheel)
