"""The tables of a task as the texts of files: Markdown and LaTeX for people, CSV and JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.writers import render, render_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.task.tables import TaskTable


def write_tables(tables: Mapping[str, TaskTable]) -> dict[str, str]:
    """Write each table in each format; return the texts by the names of their files."""
    return {f"{name}.{ending}": text for name, table in tables.items() for ending, text in _write(table).items()}


def _write(table: TaskTable) -> dict[str, str]:
    flat = table.flat
    keys = [column.key or column.name for column in flat.columns]
    record = {"title": flat.title, "rows": [dict(zip(keys, row, strict=True)) for row in flat.rows], "notes": flat.notes}
    return {
        "md": render(table.shown, "markdown"),
        "tex": render(table.shown, "latex"),
        "csv": render(flat, "csv"),
        "json": render_json(record) + "\n",
    }
