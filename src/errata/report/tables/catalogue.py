"""Tables of what there is: data sets by name, metrics and their settings."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.report.table import Cell, Column, Table
from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.formats.datasets import DataSet, InstalledSet
    from errata.metrics.base import Metric


def data_sets_table(sets: Mapping[str, DataSet], installed: Mapping[str, InstalledSet], *, flat: bool = False) -> Table:
    """Make a table of data sets and where they are; with origin and licence if it is flat."""
    columns = [
        Column("Name", key="name"),
        Column("Data", key="data"),
        Column("Language", key="language"),
        Column("Sentences", "count", key="sentences"),
        Column("Annotators", "count", key="annotators"),
        Column("By", key="by"),
        Column("Here", key="here"),
    ]
    columns += [Column(name.capitalize(), key=name) for name in ("about", "licence", "home", "how", "fingerprint")] if flat else []
    rows: list[tuple[Cell, ...]] = []
    for name, item in sets.items():
        data = item.release.title if flat else f"{item.release.title.partition(',')[0]}: {item.about}"
        more = (item.about, item.release.licence, item.release.home, item.how, item.fingerprint or None) if flat else ()
        by = "get" if item.is_downloadable else "add"
        rows.append((name, data, item.language, item.sentences, item.annotators, by, _describe_presence(installed.get(name)), *more))
    notes = ("errata data show NAME tells where a data set comes from, and how to get it.",)
    return Table(tuple(columns), tuple(rows), notes=() if flat else notes)


def _describe_presence(installed: InstalledSet | None) -> str:
    if installed is None:
        return "no"
    return "yes" if installed.is_verified else "unverified"


class ListedSet(NamedTuple):
    """A data set, and where it is on this machine, if it is."""

    item: DataSet
    installed: InstalledSet | None

    def record(self) -> dict[str, Any]:
        """Make a record for JSON."""
        item, installed, release = self.item, self.installed, self.item.release
        return {
            "name": item.name,
            "title": release.title,
            "about": item.about,
            "language": item.language,
            "sentences": item.sentences,
            "annotators": item.annotators,
            "fingerprint": item.fingerprint or None,
            "home": release.home,
            "address": release.archive or release.files or None,
            "archive_sha256": release.archive_sha256 or None,
            "licence": release.licence,
            "how": item.how,
            "members": [{"path": member.path, "sha256": member.sha256 or None} for member in item.members],
            "bibtex": release.bibtex,
            "here": _describe_presence(installed),
            "paths": installed.paths if installed is not None else [],
            "doubts": list(installed.doubts) if installed is not None else [],
            "origin": installed.origin if installed is not None else None,
        }

    def lines(self) -> list[str]:
        """Write what is known of it as lines."""
        item, installed, release = self.item, self.installed, self.item.release
        facts = {
            "data": f"{release.title}: {item.about}",
            "language": item.language,
            "sentences": "not known" if item.sentences is None else f"{item.sentences:,}",
            "annotators": "not known" if item.annotators is None else f"{item.annotators:,}",
            "signature": f"sha256 {item.fingerprint}" if item.fingerprint else "not known",
            "licence": release.licence,
            "home": release.home,
            **({"address": release.archive or release.files} if item.is_downloadable else {}),
            "to get it": item.how,
            "here": _describe_presence(installed),
        }
        lines = [f"{name:<11} {value}" for name, value in facts.items()]
        for member in item.members:
            lines.append(f"{'file':<11} {member.path}")
            lines.append(f"{'':<11} SHA-256 {member.sha256 or 'not known'}")
        if release.archive_sha256:
            lines.append(f"{'archive':<11} SHA-256 {release.archive_sha256}")
        if installed is not None:
            lines += [f"{'path':<11} {path}" for path in installed.paths]
            lines += [f"{'doubt':<11} {doubt}" for doubt in installed.doubts]
        return [item.name, *(f"  {line}" for line in lines), "", release.bibtex]


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
