"""A wheel of this checkout, in an environment that has errata's dependencies and nothing else of errata.

``make wheel-test`` does the same from the source distribution, with empty environments and every Python of the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from errata.core import NAME

import contents

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing is compiled if make has compiled it."""
    if NAME != "native":
        pytest.skip("the core is not compiled here")
    folder = tmp_path_factory.mktemp("wheel")
    settings = ["--config-settings", "cmake.define.ERRATA_WARNINGS_ARE_ERRORS=ON"]
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", *settings, "--wheel-dir", str(folder), "."]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_it_has_the_package_and_nothing_else(wheel: Path) -> None:
    assert contents.check_wheel(wheel) == []
    tag = "cp312-abi3" if sys.version_info >= (3, 12) else "cp311-cp311"
    assert f"-{tag}-" in wheel.name


def test_it_is_what_check_wheel_contents_expects(wheel: Path) -> None:
    pytest.importorskip("check_wheel_contents", reason="check-wheel-contents is not installed; make wheel-test installs it")
    done = subprocess.run([sys.executable, "-m", "check_wheel_contents", str(wheel)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{wheel}: OK\n")


def test_it_works_once_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    """The environment finds the dependencies of this one through a path, where the checkout is not found."""
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
