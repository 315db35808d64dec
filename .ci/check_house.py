"""Counts what makes a house hard to hold, and fails above limits: ``python .ci/check_house.py``, as ``make lint`` does.

- public functions of modules, and the share of them that no other file calls and no documentation names,
- modules of errata, and large packages of others, that ``errata --help`` and ``errata score`` load: one careless import at the top
  of a file slows down every start.

Lower a limit when you can.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FUNCTIONS = 670
MOST_UNUSED = 0.03
MOST_MODULES = {"--help": 44, "score examples/learner.m2 examples/systems/eager.txt": 58}
"""Commands, and how many modules of errata they load at most."""
NOT_AT_START = ("altair", "importlib.metadata", "numpy", "pandas", "pyarrow", "rich", "scipy", "spacy", "starlette", "textblob")
"""What ``errata --help`` never loads."""
SOURCES = (Path("src"), Path("packages/errata-event/src"))
DOCUMENTS = ("README.md", "docs/*.md", "packages/*/README.md", "pyproject.toml", "packages/*/pyproject.toml", "examples/**/*.py")


def read_modules() -> dict[str, ast.Module]:
    """Parse every module of the packages."""
    found = {}
    for source in SOURCES:
        for path in source.rglob("*.py"):
            parts = path.relative_to(source).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def list_offered() -> dict[tuple[str, str], tuple[str, str]]:
    """The names that packages offer, as their stubs list them, with their homes."""
    offered = {}
    for source in SOURCES:
        for path in source.rglob("__init__.pyi"):
            package = ".".join(path.parent.relative_to(source).parts)
            for home, name in re.findall(r"^from (\S+) import (\w+) as \2$", path.read_text(encoding="utf-8"), re.MULTILINE):
                offered[package, name] = (home, name)
    return offered


def list_uses(tree: ast.Module, modules: dict[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """What a file takes from others: names that it imports, and attributes of modules that it imports."""
    aliases = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias.name
                if f"{node.module}.{alias.name}" in modules:
                    aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            yield aliases[node.value.id], node.attr


def count_callers() -> dict[tuple[str, str], int]:
    """Every public function of a module, with the number of other files that use it; -1 if only documentation names it."""
    modules, offered = read_modules(), list_offered()
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, tree in modules.items():
        for use in list_uses(tree, modules):
            home = offered.get(use, use)
            if home[0] != module:
                users[home].add(module)
    text = "\n".join(path.read_text(encoding="utf-8") for pattern in DOCUMENTS for path in sorted(Path().glob(pattern)))
    documented = {*offered.values(), *re.findall(r"\b(errata[\w.]*)[.:](\w+)", text)}
    documented |= {
        (module, name) for module, names in re.findall(r"from (errata[\w.]*) import ([\w, ]+)", text) for name in re.split(", *", names)
    }
    return {
        (module, node.name): len(users[module, node.name]) or (-1 if (module, node.name) in documented else 0)
        for module, tree in modules.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    }


def list_loaded(command: str) -> list[str]:
    """The modules that a command loads."""
    code = "import sys; from errata.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *command.split()], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return done.stderr.split()


def find_faults() -> Iterator[str]:
    """Print the counts, and say which of them are above their limits."""
    callers = count_callers()
    unused = sorted(f"{module}.{name}" for (module, name), count in callers.items() if count == 0)
    one = sum(count == 1 for count in callers.values())
    print(f"public functions: {len(callers)}; with one file that calls them: {one}; with none, and in no documentation: {len(unused)}")
    if len(callers) > MOST_FUNCTIONS:
        yield f"expected at most {MOST_FUNCTIONS} public functions, found {len(callers)}: begin names with _ that no other file uses"
    if len(unused) > MOST_UNUSED * len(callers):
        yield f"expected at most {MOST_UNUSED:.0%} of them without a caller, found {', '.join(unused)}"
    for command, most in MOST_MODULES.items():
        loaded = list_loaded(command)
        own = sum(name.partition(".")[0] == "errata" for name in loaded)
        print(f"errata {command} loads {own} modules of errata, {len(loaded)} in all")
        if own > most:
            yield f"expected at most {most} modules of errata for {command}, found {own}"
        if command == "--help" and (heavy := sorted(set(NOT_AT_START) & set(loaded))):
            yield f"errata {command} loads {', '.join(heavy)}"


if __name__ == "__main__":
    if faults := list(find_faults()):
        sys.exit("\n".join(faults))
