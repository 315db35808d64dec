"""Where the compiled core is missing, plain Python gives the same numbers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
WITHOUT_CORE = "import sys; sys.modules['errata._core'] = None; from errata.cli import main; sys.exit(main())"


def run(core: str, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ERRATA_CORE": core}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, env=environment)


def output(*arguments: str, without_core: bool) -> str:
    done = run("python" if without_core else "native", "-m", "errata", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_version_names_the_core() -> None:
    assert "(python core)" in output("--version", without_core=True)
    assert "(native core)" in output("--version", without_core=False)
    assert "(native core)" in run("", "-m", "errata", "--version").stdout


def test_a_missing_core_is_replaced_unless_it_is_asked_for() -> None:
    assert "(python core)" in run("", "-c", WITHOUT_CORE, "--version").stdout
    refused = run("native", "-c", WITHOUT_CORE, "--version")
    assert (refused.returncode, refused.stderr) == (2, "errata: error: ERRATA_CORE=native, but the compiled core is not installed\n")


def test_an_unknown_core_is_refused() -> None:
    refused = run("fast", "-m", "errata", "--version")
    assert (refused.returncode, refused.stderr) == (
        2,
        "errata: error: the environment variable ERRATA_CORE must be native or python, found 'fast'\n",
    )


@pytest.mark.parametrize("metric", ["maxmatch", "maxmatch(ignore_case_and_space=true)", "imeasure", "imeasure(references=single)"])
def test_scores_are_the_same(metric: str) -> None:
    arguments = ("score", "examples/learner.m2", "examples/systems/eager.txt", "-m", metric, "--per-sentence", "--format", "json")
    assert json.loads(output(*arguments, without_core=True)) == json.loads(output(*arguments, without_core=False))


def test_who_waits_for_the_slow_core_is_told_so() -> None:
    """Once, on standard error, and only if it takes long."""
    patient = "from errata.report import progress; progress._LONG = 0.0; import time\n"
    bar = "with progress.ProgressBar('scoring', 1, in_core=True): time.sleep(0.2)\n"
    without = "import sys; sys.modules['errata._core'] = None\n"
    told = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
        for code in (without + patient + bar, patient + bar, without + patient.replace("0.0", "60.0") + bar)
    ]
    assert told[0] == ("errata: the core in plain Python is in use; it gives the same numbers as the compiled one but takes much longer\n")
    assert told[1:] == ["", ""]


def test_faithfulness_is_the_same() -> None:
    arguments = ("faithfulness", "examples/graphs/source.mrp", "examples/graphs/bold.mrp", "--inspect", "--format", "json")
    assert json.loads(output(*arguments, without_core=True)) == json.loads(output(*arguments, without_core=False))


def test_a_core_that_cannot_be_loaded_is_not_hidden() -> None:
    """Only a missing core is replaced; a broken one is an error."""
    code = (
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'errata._core': raise ImportError('undefined symbol')\n"
        "sys.meta_path.insert(0, Broken())\n"
        "from errata.core import align\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "undefined symbol" in done.stderr


BUILD = """
import sys
from scikit_build_core.build import build_sdist, build_wheel
{call}
"""


def build(call: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Build without a working compiler."""
    environment = {**os.environ, "CXX": "/bin/false", "SKBUILD_BUILD_DIR": str(folder / "build")}
    environment.pop("CMAKE_ARGS", None)
    code = BUILD.format(call=call)
    return subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def source_distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    checkout = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", BUILD.format(call=f"build_sdist({str(folder)!r})")],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    (unpacked,) = (path for path in folder.iterdir() if path.is_dir())
    return unpacked


def test_a_source_distribution_without_a_compiler_becomes_plain_python(source_distribution: Path, tmp_path: Path) -> None:
    done = build(f"build_wheel({str(tmp_path)!r})", source_distribution)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    assert "errata/core/python/maxmatch.py" in names
    assert "errata/py.typed" in names
    assert not [name for name in names if name.endswith((".so", ".pyd"))]


def test_a_checkout_without_a_compiler_fails_loudly(source_distribution: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(source_distribution, checkout)
    (checkout / "PKG-INFO").unlink()  # what tells a source distribution from a checkout
    done = build(f"build_wheel({str(tmp_path)!r})", checkout)
    assert done.returncode != 0
    assert not list(tmp_path.glob("*.whl"))
