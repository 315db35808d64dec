"""Tables that fit a width, with every cell in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.display import printable
from errata.report import Column, Table, render
from errata.report.writers import _LEAST_WIDTH, _fold, _fold_marked, _table_lines, print_table, width

TEXTS = st.text(st.sampled_from("ab-_(, é誤\u0301"), max_size=60)
CELLS = st.one_of(TEXTS, st.integers(0, 10**9), st.floats(-1, 1), st.none())
COLUMNS = st.builds(Column, TEXTS, st.sampled_from(["text", "count", "percent", "number", "p"]))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.lists(COLUMNS, min_size=1, max_size=14))
    rows = draw(st.lists(st.tuples(*([CELLS] * len(columns))), max_size=4))
    return Table(tuple(columns), tuple(rows), draw(TEXTS), tuple(draw(st.lists(TEXTS, max_size=2))))


def text_of(table: Table, space: int | None) -> list[str]:
    return ["".join(text for text, _ in line) for line in _table_lines(table, space)]


@given(tables(), st.integers(_LEAST_WIDTH, 120))
def test_no_line_is_wider_and_no_character_is_lost(table: Table, space: int) -> None:
    lines = text_of(table, space)
    assert all(width(line) <= space for line in lines)
    shown = [printable(column.shown(cell)) for row in table.rows for column, cell in zip(table.columns, row, strict=True)]
    told = [*shown, *(column.name for column in table.columns), table.title, *table.notes]
    for character in set("ab-_(,é誤0123456789"):
        assert sum(line.count(character) for line in lines) >= sum(text.count(character) for text in told)


@given(tables())
def test_a_table_that_fits_is_as_in_a_file(table: Table) -> None:
    whole = text_of(table, None)
    assert text_of(table, max(_LEAST_WIDTH, *map(width, whole))) == whole
    assert "".join(f"{line}\n" for line in whole) == render(table, "table")


@given(TEXTS, st.integers(2, 30))
def test_folding_keeps_every_character_but_blanks(text: str, space: int) -> None:
    lines = _fold(text, space)
    assert all(width(line) <= space for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.lists(st.tuples(TEXTS, st.sampled_from(["bold", ""])), min_size=1, max_size=4), st.integers(_LEAST_WIDTH, 80))
def test_styled_lines_keep_their_styles(line: list[tuple[str, str]], space: int) -> None:
    lines = _fold_marked(line, space)
    assert all(width("".join(text for text, _ in part)) <= space for part in lines)

    def letters(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(character, style) for text, style in pieces for character in text if not character.isspace()]

    assert letters([piece for part in lines for piece in part]) == letters(line)


def test_blocks_repeat_what_tells_rows_apart() -> None:
    columns = (Column("System"), Column("Type"), *(Column(f"measure{number}", "percent") for number in range(8)))
    table = Table(columns, tuple((system, type_, *[0.5] * 8) for system in ("a", "b") for type_ in ("X", "Y")))
    lines = text_of(table, 60)
    headings = [line.split() for line in lines if line.startswith("System")]
    assert headings == [["System", "Type", *(f"measure{k}" for k in range(4))], ["System", "Type", *(f"measure{k}" for k in range(4, 8))]]
    assert lines[-1] == "Shown in 2 blocks to fit 60 characters."


def test_headings_are_folded_before_columns_are_moved() -> None:
    table = Table((Column("Text"), *(Column("Sentences changed", "count") for _ in range(3))), (("a", 12, 3, 4567),))
    assert text_of(table, 40) == [
        "      Sentences  Sentences  Sentences",
        "Text    changed    changed    changed",
        "────  ─────────  ─────────  ─────────",
        "a            12          3      4,567",
    ]


def test_a_long_name_is_folded_and_whole() -> None:
    name = "a-system-with-a-very-long-name-of-a-stranger"
    lines = text_of(Table((Column("System"), Column("Proposed", "count")), ((name, 123456789),)), _LEAST_WIDTH)
    assert "123,456,789" in lines[2]
    assert "".join(line.split()[0] for line in lines[2:]) == name


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_escapes_where_they_are_not_wanted(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table((Column("System"),), (("a",),), notes=("a note",))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_table(table)
    styled = capsys.readouterr().out
    assert "\x1b[1m" in styled
    monkeypatch.setenv(name, value)
    print_table(table)
    assert capsys.readouterr().out == re.sub(r"\x1b\[[0-9;]*m", "", styled) == render(table, "table")
