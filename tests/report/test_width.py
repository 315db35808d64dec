"""The columns that texts take in a terminal, and tables and edits with texts of all scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from errata.cli import main
from errata.report.table import Column, Table
from errata.report.writers import render, width

TEXTS = [
    "plain",
    "系统",
    "か\u3099",
    "é",
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "ﾊﾝ",
    "각",
    "ᄀ\u1161",
    "न\u094d",
    "☂\ufe0f",
    "😀",
    "ก\u0e47",
    "ذهب",
    "Система",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_as_wide_as_rich_says(text: str) -> None:
    assert width(text) == cell_len(text)


def test_columns_of_a_table_are_aligned() -> None:
    table = Table((Column("System", key="system"), Column("F", "count", "f")), tuple((text, 7) for text in TEXTS))
    lines = render(table, "table").splitlines()
    assert {cell_len(line) for line in lines if line.endswith("7")} == {cell_len(lines[1])}


GOLD = "S 我 喜 欢 吃 平 果 。\nA 4 5|||别字|||苹|||REQUIRED|||-NONE-|||0\nA 6 6|||missing|||吗|||REQUIRED|||-NONE-|||0\n"


def test_characters_are_shown_without_spaces_and_aligned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, raw = tmp_path / "gold.m2", tmp_path / "raw.txt"
    gold.write_text(GOLD, encoding="utf-8")
    raw.write_text("我喜欢吃苹果。\n", encoding="utf-8")
    arguments = ["inspect", str(gold), str(raw), "--tokenise", "characters"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "  source  我喜欢吃平果。\n  system  我喜欢吃苹果。\n" in out
    assert "    我喜欢吃 [+ 平→苹] 果 [- →吗] 。\n" in out
    places = [cell_len(line[: max(line.find("平 →"), line.find("∅ →"))]) for line in out.splitlines() if " → " in line]
    assert len(places) == 2
    assert len(set(places)) == 1
    assert main([*arguments, "--spaces", "all"]) == 0
    assert "  source  我 喜 欢 吃 平 果 。\n" in capsys.readouterr().out
    assert main([*arguments, "--format", "json"]) == 0
    assert '"source": "\\u6211 \\u559c' in capsys.readouterr().out


def test_words_of_such_a_script_keep_their_spaces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, output = tmp_path / "gold.m2", tmp_path / "output.txt"
    gold.write_text("S 我 喜欢 吃 平果 。\nA 3 4|||别字|||苹果|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    output.write_text("我 喜欢 吃 苹果 。\n", encoding="utf-8")
    assert main(["inspect", str(gold), str(output)]) == 0
    assert "source  我 喜欢 吃 平果 。" in capsys.readouterr().out


def test_direction_marks_of_strangers_are_shown_as_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, output = tmp_path / "gold.m2", tmp_path / "output.txt"
    gold.write_text("S ذهبت \u202eامس\u202c .\n", encoding="utf-8")
    output.write_text("ذهبت \u2067أمس\u2069 .\n", encoding="utf-8")
    assert main(["inspect", str(gold), str(output)]) == 0
    out = capsys.readouterr().out
    assert "\\u202eامس\\u202c" in out
    assert "\\u2067أمس\\u2069" in out
    assert not set("\u202e\u202c\u2067\u2069") & set(out)
