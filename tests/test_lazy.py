"""Names that are loaded when they are used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import errata
from errata import _list_names

from fill_tables import docstring
from thoroughness import THOROUGH, often

PACKAGES = sorted(".".join(path.relative_to("src").parent.parts) for path in Path("src").rglob("__init__.pyi"))
_ALONE = """
import json, sys
from importlib import import_module

def forget():
    for name in [name for name in sys.modules if name.split(".")[0] == "errata" and name != "errata._core"]:
        del sys.modules[name]

loaded = {}
for package, names in json.loads(sys.argv[1]).items():
    for name in names:
        forget()
        value = getattr(import_module(package), name)
        assert value is getattr(sys.modules[package], name)
        loaded[f"{package}.{name}"] = sorted(sys.modules)
print(json.dumps(loaded))
"""


def run(code: str, *arguments: str) -> str:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True).stdout.strip()


ASKED_FOR = {"Edit", "read", "Bootstrap", "read_graphs", "score", "compare", "METRICS"}


def choose_names(package: str) -> list[str]:
    """All names, or those that a test asks for and one of each module: the others of a module load the same."""
    modules = _list_names(package)
    firsts = {module: name for name, module in reversed(modules.items())}
    return [name for name, module in modules.items() if THOROUGH or name in ASKED_FOR or firsts[module] == name]


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """What is loaded after a name, of any package with a stub, is used before all others."""
    everything: dict[str, Any] = json.loads(run(_ALONE, json.dumps({package: choose_names(package) for package in PACKAGES})))
    return {name: set(modules) for name, modules in everything.items()}


def test_every_name_can_be_the_first_and_loads_nothing_heavy(loaded: dict[str, set[str]]) -> None:
    assert len(loaded) > often(150, 100)
    heavy = {"numpy", "scipy", "rich", "altair", "spacy", "textblob", "pyarrow", "argparse"}
    assert {name: modules & heavy for name, modules in loaded.items() if modules & heavy} == {}


def test_a_use_loads_no_other_room(loaded: dict[str, set[str]]) -> None:
    own = {name: {module for module in modules if module.startswith("errata.")} - {"errata._core"} for name, modules in loaded.items()}
    assert "errata.metrics" not in own["errata.read"] | own["errata.Bootstrap"] | own["errata.read_graphs"]
    assert "errata.metrics.maxmatch" not in own["errata.score"] | own["errata.compare"] | own["errata.METRICS"]
    assert not any(module.startswith("errata.cli") for modules in own.values() for module in modules)


def test_packages_list_what_they_offer_once() -> None:
    assert len(PACKAGES) > 10
    for package in PACKAGES:
        names = list(_list_names(package))
        assert len(set(names)) == len(names)
        module = sys.modules[package] if package in sys.modules else __import__(package, fromlist=["__all__"])
        assert module.__all__ == names
        assert {"__name__", "__all__", *names} <= set(dir(module))
        lines = Path("src", *package.split("."), "__init__.pyi").read_text().splitlines()
        assert sum(line.startswith("from errata") for line in lines) == len(names) - (package == "errata"), package


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_explained(package: str) -> None:
    assert [name for name, module in _list_names(package).items() if not docstring(module, name)] == []
    pages = Path("docs/python.md").read_text() + Path("docs/reference.md").read_text()
    assert f"<!-- names of {package} -->" in pages


def test_packages_and_their_modules_are_found_too() -> None:
    assert run("import errata; print(errata.language.find_parser.__name__, errata.stats.bootstrap.__name__)") == (
        "find_parser errata.stats.bootstrap"
    )
    assert run("from errata import *; print(MaxMatch().name)") == "maxmatch"


def test_many_threads_may_be_the_first() -> None:
    code = (
        "import sys; sys.setswitchinterval(1e-6)\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from threading import Barrier\n"
        "import errata\n"
        "names = errata.__all__[-12:]\n"
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
