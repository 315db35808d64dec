from __future__ import annotations

import ast
import re
from pathlib import Path

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
