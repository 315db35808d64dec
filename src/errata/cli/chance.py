"""``errata chance``: what measures say of systems that flag cases at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.printing import TABLE, print_json, print_tables
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser

_EXAMPLES = """\
examples:
  errata chance
  errata chance --prevalence 0.2,0.4 --bias 0.2,0.3
  errata chance --chart chance.svg

Prevalence is the share of cases that are errors, bias the share that a system
flags.  At chance, precision is the prevalence and recall is the bias, whatever
they are; kappa is 0.
"""
_PREVALENCES, _BIASES = "0.05,0.13,0.2,0.4", "0.05,0.2,0.5,0.8"
_SHOWN = ("accuracy", "precision", "recall", "f", "tnr", "kappa", "mcc", "informedness", "ac1")


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "chance",
        help="show how a random system scores",
        description="Show how systems that flag cases at random score on every measure.",
        epilog=_EXAMPLES,
    )
    add_option(parser, "--prevalence", f" (default {_PREVALENCES})", default=_PREVALENCES)
    add_option(parser, "--bias", f" (default {_BIASES})", default=_BIASES)
    add_options(parser, "--beta", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compute and print."""
    from errata.report import Cell, Column, Table
    from errata.report.tables.detection import label_of
    from errata.studies.detection.measures import MEASURES, compute_chance_counts

    prevalences, biases = _shares(options.prevalence, "--prevalence"), _shares(options.bias, "--bias")
    if not 0 < options.beta < float("inf"):
        raise UsageError(f"--beta must be a number above 0, found {options.beta}")
    results = [
        (prevalence, bias, {name: MEASURES[name].value(compute_chance_counts(prevalence, bias), options.beta) for name in _SHOWN})
        for prevalence in prevalences
        for bias in biases
    ]
    if options.chart:
        from errata.report.charts.detection import chance_chart
        from errata.report.charts.parts import check_chart_path, save_chart

        check_chart_path(options.chart)
        save_chart(chance_chart(prevalences, [step / 50 for step in range(51)], options.beta), options.chart)
    if options.format == "json":
        print_json(
            {"errata": __version__, "chance": [{"prevalence": one, "bias": other, "measures": values} for one, other, values in results]}
        )
        return 0
    columns = [Column("Prevalence", "number", "prevalence"), Column("Bias", "number", "bias")]
    columns += [Column(label_of(name, options.beta), "number", name) for name in _SHOWN]
    rows: tuple[tuple[Cell, ...], ...] = tuple((prevalence, bias, *values.values()) for prevalence, bias, values in results)
    notes = ("Systems that flag at random.  Precision is the prevalence, recall the bias; kappa, correlation and informedness stay at 0.",)
    print_tables([Table(tuple(columns), rows, notes=notes)], options.format)
    return 0


def _shares(text: str, option: str) -> list[float]:
    shares = []
    for part in text.split(","):
        try:
            share = float(part)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise UsageError(f"{option} must be a list of shares from 0 to 1, such as 0.1,0.2, found {part.strip()[:40]!r}")
        shares.append(share)
    return shares
