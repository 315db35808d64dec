"""Where the compiled core is missing, plain Python gives the same numbers."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

WITHOUT_CORE = "import sys; sys.modules['errata._core'] = None; from errata.cli import main; sys.exit(main())"


def output(*arguments: str, without_core: bool) -> str:
    command = [sys.executable, "-c", WITHOUT_CORE] if without_core else [sys.executable, "-m", "errata"]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=True).stdout


def test_version_names_the_core() -> None:
    assert "(python core)" in output("--version", without_core=True)
    assert "(native core)" in output("--version", without_core=False)


@pytest.mark.parametrize("metric", ["maxmatch", "maxmatch(ignore_case_and_space=true)"])
def test_scores_are_the_same(metric: str) -> None:
    arguments = ("score", "examples/learner.m2", "examples/systems/eager.txt", "-m", metric, "--per-sentence", "--format", "json")
    assert json.loads(output(*arguments, without_core=True)) == json.loads(output(*arguments, without_core=False))


def test_a_core_that_cannot_be_loaded_is_not_hidden() -> None:
    """Only a core that was never built is replaced; one that is there and broken is an error."""
    code = (
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'errata._core': raise ImportError('undefined symbol')\n"
        "sys.meta_path.insert(0, Broken())\n"
        "import errata\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "undefined symbol" in done.stderr
