from __future__ import annotations

import ast
import re
from pathlib import Path

from errata.core import limits

PAGE = Path("docs/promises.md")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE.read_text(encoding="utf-8"))


def test_every_test_behind_a_promise_exists() -> None:
    assert len(NAMED) > 40
    for path, name in NAMED:
        assert Path(path).is_file(), path
        functions = {node.name for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)}
        assert not name or name in functions, f"{path}::{name}"


def test_every_promise_has_a_test() -> None:
    tables = re.findall(r"^\| Promise \| Test \|\n\| --- \| --- \|\n((?:\|.*\n)+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(tables) > 5
    for row in "".join(tables).splitlines():
        assert "tests/" in row, row


def test_the_limits_of_the_core_are_on_the_page() -> None:
    defaults = {name: value for name, value in vars(limits).items() if name.startswith("MOST_")}
    assert len(defaults) > 15
    table = PAGE.read_text(encoding="utf-8").partition("### One sentence of one system")[2].partition("\n## ")[0]
    shown = set(re.findall(r"\d+\^\d+|[\d,]*\d", table))
    for name, value in defaults.items():
        power = f"2^{value.bit_length() - 1}" if value.bit_count() == 1 else f"10^{len(str(value)) - 1}"
        assert {f"{value:,}", power} & shown, (name, value)
