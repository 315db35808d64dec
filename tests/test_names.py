"""One name, one thing: what a module of the package defines for others is defined in no other module."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PROTOCOLS = {"register", "run"}
"""Every command has these."""


def defined(tree: ast.Module) -> Iterator[str]:
    """The classes, functions, constants and type aliases at the top of a module; what is defined on a condition is an alternative."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield target.id


def test_a_public_name_is_defined_in_one_module() -> None:
    modules: dict[str, list[str]] = defaultdict(list)
    for path in sorted(Path("src/errata").rglob("*.py")):
        for name in defined(ast.parse(path.read_text(encoding="utf-8"))):
            if not name.startswith("_") and name not in PROTOCOLS:
                modules[name].append(str(path))
    assert len(modules) > 400
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}
