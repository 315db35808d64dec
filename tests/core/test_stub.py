from __future__ import annotations

import ast
import re
from pathlib import Path

from errata import _core
from errata.core import python as python_core


def test_the_stub_names_what_the_core_has() -> None:
    stub = ast.parse(Path("src/errata/_core.pyi").read_text(encoding="utf-8"))
    named = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in named if name != "__compiler__"} == {name for name in vars(_core) if not name.startswith("_")}
    for name, node in named.items():
        if isinstance(node, ast.ClassDef):
            methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            assert methods - {"__init__"} == {key for key in vars(getattr(_core, name)) if key[0] != "_"}


def test_the_twin_has_what_the_core_has() -> None:
    assert {name for name in vars(_core) if not name.startswith("_")} == set(python_core.__all__)
    for name in python_core.__all__:
        native, twin = getattr(_core, name), getattr(python_core, name)
        assert native.__doc__.endswith(twin.__doc__)
        if isinstance(twin, type):
            assert {key for key in vars(native) if key[0] != "_"} == {key for key in vars(twin) if key[0] != "_"}


def test_every_header_is_in_the_reading_order_and_has_a_twin() -> None:
    headers = {path.stem for path in Path("native").glob("*.hpp")}
    rows = re.findall(r"^\| .*? \| (`.*`) \|$", Path("native/README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(headers)
    assert all(path.read_text(encoding="utf-8").startswith("// ") for path in Path("native").glob("*.hpp"))
    twins = "".join(path.read_text(encoding="utf-8") for path in Path("src/errata/core").rglob("*.py"))
    # Python's whole numbers need none, it notices interrupts itself, and its words need no numbers.
    assert {name for name in headers if f"native/{name}.hpp" not in twins} == {"wide_products", "interrupt", "tokens", "word_numbers"}
