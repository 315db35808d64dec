"""``errata metrics``: which metrics there are, and what their settings mean."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.metrics import Metric
    from errata.settings import Setting

_EXAMPLES = """\
examples:
  errata metrics
  errata metrics maxmatch
  errata metrics imeasure --format markdown

Other packages can add metrics: a subclass of errata.Metric in the entry point
group errata.metrics.  If a plug-in cannot be loaded, a warning names it.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "metrics",
        help="list metrics and their settings",
        description="List all installed metrics, or the settings of one.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="a metric, whose settings are listed")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print all metrics, or one."""
    from errata.metrics import METRICS
    from errata.report.tables.catalogue import metrics_table, settings_lines, settings_table

    if options.name is not None:
        metric = METRICS.find(options.name.lower())
        if options.format == "json":
            print_json({"errata": __version__, **_record(metric)})
        elif options.format == "table":
            print("\n".join(settings_lines(metric, shutil.get_terminal_size((80, 24)).columns)))
        else:
            print_tables([settings_table(metric)], options.format)
        return 0
    metrics, reasons = METRICS.load_all()
    packages = {name: METRICS.package(name) for name in metrics}
    if options.format == "json":
        records = [{**_record(metric), "package": packages[name]} for name, metric in metrics.items()]
        print_json({"errata": __version__, "metrics": records, "not_loaded": list(reasons.values())})
    else:
        print_tables([metrics_table(metrics, packages, flat=options.format != "table")], options.format)
    for reason in reasons.values():
        print_warning(reason)
    return 0


def _record(metric: type[Metric]) -> dict[str, object]:
    from errata.settings import list_settings

    return {
        "name": metric.name,
        "title": metric.title,
        "summary": metric.summary,
        "paper": metric.paper,
        "default": metric().signature,
        "columns": list(metric().columns),
        "settings": [_setting(name, setting) for name, setting in list_settings(metric).items()],
    }


def _setting(name: str, setting: Setting) -> dict[str, object]:
    record: dict[str, object] = {"name": name, "default": setting.default, "expected": setting.expected, "help": setting.explained}
    return record | ({"values": list(setting.values)} if setting.values else {})
