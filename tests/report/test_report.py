from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import get_args

import pytest

from errata.cli.inputs import _printing_safely
from errata.display import printable
from errata.formats.xml import _NOT_IN_XML
from errata.report import Column, Table, TableFormat, render
from errata.report.progress import ProgressBar
from errata.report.writers import make_csv_lines, render_json, width

NASTY = "<b>100% a_b & $x$ | `y` \\ {z} ~^#"
TABLE = Table(
    (Column("Name", key="name"), Column("n", "count"), Column("P", "percent", "precision")),
    ((NASTY, 1234, 0.5), ("\x1b[31mred\u202e", None, 1 / 3)),
    title="A title",
    notes=("a note",),
)


def test_plain_columns_line_up() -> None:
    lines = render(Table(TABLE.columns, (("誤り", 5, 0.25), ("abc", 1000, 1.0))), "table").splitlines()
    assert lines == ["Name      n       P", "────  ─────  ──────", "誤り      5   25.00", "abc   1,000  100.00"]


def test_undefined_numbers() -> None:
    table = Table((Column("a", "percent"), Column("b", "number")), ((float("nan"), None),))
    assert [render(table, name).splitlines()[-1].split() for name in ("table", "csv")] == [["–", "–"], [","]]
    assert json.loads(render_json({"a": [float("nan"), (float("inf"), 1.5)]})) == {"a": [None, [None, 1.5]]}


def test_latex_escapes() -> None:
    text = render(TABLE, "latex")
    assert r"\textless{}b\textgreater{}100\% a\_b \& \$x\$ | `y` \textbackslash{} \{z\} \textasciitilde{}\textasciicircum{}\#" in text
    assert r"1,234 & 50.00 \\" in text
    assert "% A title" in text


def test_latex_heads_and_guards() -> None:
    text = render(Table((Column("System"), Column("F0.5", "percent")), (("[1]", 0.5),)), "latex")
    assert r"  System & F$_{0.5}$ \\" in text
    assert r"  {}[1] & 50.00 \\" in text


def test_notes_in_markdown_are_paragraphs() -> None:
    table = Table((Column("a"),), (("b",),), notes=("One.", "Two."))
    assert render(table, "markdown") == "| a |\n| --- |\n| b |\n\nOne.\n\nTwo.\n"


def test_markdown_escapes() -> None:
    text = render(TABLE, "markdown")
    assert r"| \<b\>100% a\_b \& \$x\$ \| \`y\` \\ \{z\} \~^\# | 1,234 | 50.00 |" in text
    assert "<b>" not in text


@pytest.mark.parametrize(
    "name", ["[x](javascript:alert)", "<script>alert(1)</script>", "a|b", "`id`", "![i](u)", "$\\\\href{u}{x}$", "<!--"]
)
def test_markdown_has_no_markup_of_strangers(name: str) -> None:
    table = Table((Column(name), Column("n", "count")), ((name, 1),), title=name, notes=(name,))
    text = render(table, "markdown")
    assert re.findall(r"(?<!\\)(?:\\\\)*[`\[\]<>$!]", text) == []
    assert len(re.findall(r"(?<!\\)\|", text)) == 9


@pytest.mark.parametrize(
    "name", [r"\input{/etc/passwd}", r"\write18{id}", "%", "a & b \\\\ c", "^^5cinput", "$x$", "#1", "{", "[1ex] x", "* x", "~"]
)
def test_latex_has_no_commands_of_strangers(name: str) -> None:
    text = render(Table((Column(name), Column("n", "count")), ((name, 1),), title=f"{name}\n\\input{{x}}", notes=(name,)), "latex")
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    known = r"\\(begin|end)\{tabular\}|\\(top|mid|bottom)rule|\\\\$|\\text\w+\{\}|\\[{}$&#%_]"
    assert re.findall(r"[\\$#%~^]", re.sub(known, "", body, flags=re.MULTILINE)) == []
    assert body.count(" & ") == 2
    assert not re.search(r"^  [\[*]", body, re.MULTILINE)


def test_csv_keeps_everything() -> None:
    rows = list(csv.reader(io.StringIO(render(TABLE, "csv"))))
    assert rows[0] == ["name", "n", "precision"]
    assert rows[1] == [NASTY, "1234", "0.5"]
    assert list(csv.reader(io.StringIO(render(Table((Column("a"),), (("=1+1",), ("-x",))), "csv")))) == [["a"], ["'=1+1"], ["'-x"]]
    assert float(rows[2][2]) == 1 / 3
    assert rows[2][1] == ""


@pytest.mark.parametrize(
    "text", ["=1+1", "+x", "-x", "@SUM(A1)", " =1", "\u00a0=1", "\uff1d1", "\uff0bx", "\uff0dx", "\uff20x", "-2+3", "+1-cmd|x"]
)
def test_no_text_is_a_formula_in_csv(text: str) -> None:
    assert list(csv.reader(make_csv_lines([(text,)]))) == [[f"'{text}"]]


@pytest.mark.parametrize("start", ["\t", "\r", "\n", "\r\n", "\v", "\x00", "\ufeff"])
def test_control_characters_hide_no_formula_in_csv(start: str) -> None:
    ((cell,),) = csv.reader(make_csv_lines([(f"{start}=1+1",)]))
    assert cell.startswith("\\")  # shown as an escape


def test_numbers_stay_numbers_in_csv() -> None:
    assert list(make_csv_lines([(-1, -0.5, 1e-300, "-5", "+3.2", "-1e-5", "-.5", None)])) == ["-1,-0.5,1e-300,-5,+3.2,-1e-5,-.5,"]


def test_all_csv_is_written_by_one_function() -> None:
    users = {path.name for path in Path("src").rglob("*.py") if re.search(r"csv\.(Dict)?[wW]riter|to_csv|write_csv", path.read_text())}
    assert users == {"writers.py"}


@pytest.mark.parametrize("format_", get_args(TableFormat))
def test_no_control_character_reaches_a_reader(format_: TableFormat) -> None:
    text = render(TABLE, format_)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_rows_must_fit() -> None:
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table((Column("a"),), (("x", "y"),))


def test_printable_and_width() -> None:
    assert printable("naïve café ✓") == "naïve café ✓"
    assert printable("a\tb\n") == "a\\tb\\n"
    assert width("e\u0301") == 1


def test_every_character_that_is_shown_is_harmless() -> None:
    shown = [chr(code) for code in range(0x110000) if printable(chr(code)) == chr(code)]
    assert {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"} == set()
    assert [character for character in shown if unicodedata.category(character) == "Cf"] == ["\u200c", "\u200d"]
    assert _NOT_IN_XML.search("".join(shown)) is None
    assert printable("a\ufffe\x9b\U000e0041") == "a\\ufffe\\x9b\\U000e0041"
    assert printable("a\tb\r\n\x1b", lines=True) == "a\tb\\r\n\\x1b"


def test_whatever_is_printed_is_made_printable(capsys: pytest.CaptureFixture[str]) -> None:
    with _printing_safely():
        print("a\x1b[2J\tb")
        print("\u202ec", file=sys.stderr)
        sys.stdout.writelines(["\x07\n"])
    assert capsys.readouterr() == ("a\\x1b[2J\tb\n\\x07\n", "\\u202ec\n")


def test_progress_bar_appears_on_a_terminal_when_work_is_long(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("errata.report.progress._PATIENCE", -1.0)
    with ProgressBar("scoring", 2) as bar:
        bar.advance(1)
        assert bar._bar is None  # standard error is no terminal here
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ProgressBar("scoring", 2) as bar:
        bar.advance(1)
        assert bar._bar is not None
        assert bar._bar.tasks[0].completed == 1
    assert capsys.readouterr().out == ""


def test_long_work_tells_its_rate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = 100.0
    monkeypatch.setattr("errata.report.progress.time.monotonic", lambda: clock)
    with ProgressBar("counting", 1000, counted="sentences") as bar, ProgressBar("other work", 1000) as other:
        for _ in range(5):
            clock += 50
            bar.advance(100)
            other.advance(100)
    assert capsys.readouterr().err.splitlines() == [
        "errata: counting: 100 of 1,000 sentences, 2 a second, 8 min left",
        "errata: counting: 300 of 1,000 sentences, 2 a second, 6 min left",
        "errata: counting: 500 of 1,000 sentences, 2 a second, 4 min left",
    ]
    assert ProgressBar("counting", None, counted="sentences").describe(3) == "0 sentences, 0 a second"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ProgressBar("counting", 1000, counted="sentences") as bar:
        clock += 50
        bar.advance(100)
        assert bar._bar is not None
        assert bar._bar.tasks[0].fields["rate"] == "2 sentences/s"
    assert "2 sentences/s" in capsys.readouterr().err


def test_the_bar_of_work_inside_other_work_replaces_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.report.progress._PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ProgressBar("scoring", 3) as outer:
        outer.advance(1)
        with ProgressBar("parsing", 2) as inner:
            inner.advance(1)
            assert (outer._bar, inner._bar is None) == (None, False)
        assert inner._bar is None
        outer.advance(1)
        assert outer._bar is not None
        assert outer._bar.tasks[0].completed == 2
    assert outer._bar is None


def test_a_progress_bar_has_no_colours_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.report.progress._PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    with ProgressBar("scoring", 2) as bar:
        bar.advance(1)
        assert bar._bar is not None
        assert bar._bar.console.color_system is None
    monkeypatch.setenv("TERM", "dumb")
    with ProgressBar("scoring", 2) as bar:
        bar.advance(1)
        assert bar._bar is None


def test_latex_has_minus_signs_in_every_number() -> None:
    columns = (Column("-1 name"), Column("Diff.", "count"), Column("95% interval", "count"), Column("d", "number"))
    text = render(Table(columns, (("-x-1", "+2.50", "[-0.05, -0.01]", -0.5), ("y", "≤0.007", "1e-05", None))), "latex")
    assert r"  -x-1 & $+$2.50 & [$-$0.05, $-$0.01] & $-$0.5000 \\" in text
    assert r"  y & $\leq$0.007 & 1e$-$05 & -- \\" in text
