"""Names that are loaded when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import errata
import errata.graphs


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_nothing_is_loaded_before_it_is_used() -> None:
    assert run("import errata, sys; print('errata.metrics' in sys.modules, 'numpy' in sys.modules)") == "False False"


def test_a_use_loads_that_name_alone() -> None:
    loaded = "'errata.formats' in sys.modules, 'errata.graphs' in sys.modules, 'errata.metrics.maxmatch' in sys.modules"
    assert run(f"import errata, sys; errata.read; print({loaded})") == "True False False"
    assert run("import errata, sys; errata.Edit; print('errata.formats' in sys.modules)") == "False"
    assert run("import errata; print(errata.graphs.find_parser.__name__, errata.stats.intervals.__name__)") == "find_parser intervals"
    assert run("from errata import *; print(MaxMatch().name)") == "maxmatch"


@pytest.mark.slow
@pytest.mark.parametrize("name", errata.__all__)
def test_every_name_can_be_the_first(name: str) -> None:
    assert run(f"import errata; print(errata.{name} is errata.{name})") == "True"


def test_many_threads_may_be_the_first() -> None:
    code = (
        "import sys; sys.setswitchinterval(1e-6)\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from threading import Barrier\n"
        "import errata\n"
        "names = errata.__all__[:12]\n"
        "ready = Barrier(len(names))\n"
        "def use(name):\n    ready.wait()\n    return getattr(errata, name)\n"
        "with ThreadPoolExecutor(len(names)) as pool: print(len(list(pool.map(use, names))))"
    )
    assert [run(code) for _ in range(5)] == ["12"] * 5


def test_what_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'errata' has no attribute 'scoree'"):
        _ = errata.scoree  # type: ignore[attr-defined]
    with pytest.raises(ImportError):
        from errata import Nothing  # type: ignore[attr-defined]  # noqa: F401


@pytest.mark.parametrize("package", [errata, errata.graphs])
def test_everything_is_listed_and_there(package: object) -> None:
    names = package.__all__  # type: ignore[attr-defined]
    assert set(names) <= set(dir(package))
    assert {"__name__", "__all__"} <= set(dir(package))
    assert all(getattr(package, name) is not None for name in names)
