from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from errata import _core
from errata.core import python as python_core


def test_the_committed_stub_is_what_the_core_says_of_itself(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "errata._core", "-O", str(tmp_path)], check=True)
    assert (tmp_path / "_core.pyi").read_text() == Path("src/errata/_core.pyi").read_text()


def test_the_twin_has_what_the_core_has() -> None:
    assert {name for name in vars(_core) if not name.startswith("_")} == set(python_core.__all__)
    for name in python_core.__all__:
        native, twin = getattr(_core, name), getattr(python_core, name)
        assert native.__doc__.endswith(twin.__doc__)
        if isinstance(twin, type):
            assert {key for key in vars(native) if key[0] != "_"} == {key for key in vars(twin) if key[0] != "_"}
