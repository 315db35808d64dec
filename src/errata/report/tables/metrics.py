"""Metrics and their settings as tables."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from errata.report.table import Cell, Column, Table
from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.metrics import Metric


def metrics_table(metrics: Mapping[str, type[Metric]], packages: Mapping[str, str], *, flat: bool = False) -> Table:
    """Make a table of all metrics; with their packages if it is flat or if there are plug-ins."""
    several = flat or len(set(packages.values())) > 1
    columns = [Column("Metric", key="metric"), Column("What it measures", key="summary")]
    columns += [Column("Title", key="title"), Column("Paper", key="paper")] if flat else []
    columns += [Column("Package", key="package")] if several else []
    rows: list[tuple[Cell, ...]] = []
    for name, metric in metrics.items():
        more = (metric.title, metric.paper) if flat else ()
        rows.append((name, metric.summary, *more, *((packages[name],) if several else ())))
    return Table(tuple(columns), tuple(rows), notes=("errata metrics NAME lists the settings of a metric.",))


def settings_table(metric: type[Metric]) -> Table:
    """Make a table of the settings of a metric."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, write_value(setting.default), setting.explained) for name, setting in list_settings(metric).items()
    )
    columns = tuple(Column(name, key=name.lower()) for name in ("Setting", "Default", "Meaning"))
    paper = f" ({metric.paper})" if metric.paper else ""
    return Table(columns, rows, f"{metric.name}: {metric.summary}{paper}")


def settings_lines(metric: type[Metric], width: int) -> list[str]:
    """Write the settings of a metric as lines for a terminal."""
    paper = f" ({metric.paper})" if metric.paper else ""
    lines = [*wrap(f"{metric.name}: {metric.summary}{paper}", width), ""]
    for name, setting in list_settings(metric).items():
        lines.append(f"  {name}={write_value(setting.default)}")
        about = setting.help if setting.meanings else setting.explained
        lines += wrap(about, width, initial_indent="      ", subsequent_indent="      ")
        for value, meaning in zip(setting.values, setting.meanings, strict=False):
            lines += wrap(f"{value}: {meaning}", width, initial_indent="        ", subsequent_indent="          ")
    return lines if list_settings(metric) else [*lines, "  It has no settings."]
