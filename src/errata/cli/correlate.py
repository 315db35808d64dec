"""``errata correlate``: whether metrics rank systems alike."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.cli.evidence_inputs import has_evidence, open_stored
from errata.cli.inputs import add_system_arguments, gold_record
from errata.cli.printing import TABLE, print_json, print_tables
from errata.cli.scores import score_systems
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import UsageError
from errata.suggestions import suggest
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.report import Cell, Table
    from errata.scoring import Score
    from errata.stats import Correlation

_EXAMPLES = """\
examples:
  errata correlate examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m imeasure
  errata correlate examples/learner.m2 examples/systems/*.txt \\
      -m imeasure:correction.f -m imeasure -m maxmatch --format json

METRIC is written as for errata score.  METRIC:PART takes a part of the score
instead of its value, named as in its JSON: maxmatch:recall,
imeasure:correction.f, imeasure:detection.wacc.
Rank 1 is the largest value.
Spearman's rho compares rankings, Pearson's r compares values.
p is two-sided: over all permutations for up to 8 systems, from the t
distribution for more.
"""


class _Value(NamedTuple):
    """What is compared: the value of a metric, or a part of it."""

    text: str
    metric: str
    part: str

    def of(self, score: Score) -> int | float:
        """The number of a score: a count, or a measure."""
        value: object = score.parts if self.part else score.value
        for key in self.part.split(".") if self.part else ():
            if not isinstance(value, dict) or key not in value:
                known = list(value) if isinstance(value, dict) else []
                raise UsageError(f"{self.metric} has no part {self.part!r}; choose from {', '.join(known) or 'none'}{suggest(key, known)}")
            value = value[key]
        if not isinstance(value, int | float):
            raise UsageError(f"the part {self.part!r} of {self.metric} is not a number; it has {', '.join(value)}")  # type: ignore[arg-type]
        return value


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "correlate",
        help="compare the rankings that metrics give",
        description="Correlate the values and rankings of systems by two or more metrics.",
        epilog=_EXAMPLES,
    )
    add_system_arguments(parser, or_evidence=True)
    add_option(parser, "--metric", "; two or more; METRIC:PART compares a part of the score", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, rank, correlate."""
    from errata.metrics import registry
    from errata.scoring import join_signatures
    from errata.stats import correlate

    if not options.metric and has_evidence(options):
        options.metric = list(open_stored(options).metrics)
    values = [_value(text) for text in options.metric]
    if repeated := next((value.text for index, value in enumerate(values) if value in values[:index]), None):
        raise UsageError(f"{repeated} is given twice; a metric is compared with another")
    if len(values) < 2:  # noqa: PLR2004 - a pair
        raise UsageError("a correlation needs two metrics: give -m twice or more, such as -m maxmatch -m imeasure")
    metrics = {text: registry.metric(text) for text in dict.fromkeys(value.metric for value in values)}
    corpus, scores = score_systems(options, list(metrics.values()))
    count = len(scores) // len(metrics)
    by_metric = {text: scores[index * count : (index + 1) * count] for index, text in enumerate(metrics)}
    columns = {value.text: [value.of(score) for score in by_metric[value.metric]] for value in values}
    names = [score.system_name for score in scores[:count]]
    pairs = [(one, other, correlate(columns[one], columns[other])) for one, other in combinations(columns, 2)]
    signatures = tuple(join_signatures(group) for group in by_metric.values())
    if options.format == "json":
        systems = [
            {"system": name, "values": {text: column[index] for text, column in columns.items()}} for index, name in enumerate(names)
        ]
        correlations = [{"metrics": [one, other], **vars(result)} for one, other, result in pairs]
        head = {"errata": __version__, **gold_record(corpus)}
        print_json({**head, "systems": systems, "correlations": correlations, "signatures": signatures})
        return 0
    tables = [_pairs(pairs, signatures)]
    if options.format != "csv":
        tables.insert(0, _ranking(names, columns))
    print_tables(tables, options.format)
    return 0


def _value(text: str) -> _Value:
    metric, colon, part = text.rpartition(":") if ":" in text else (text, "", "")
    if colon and not part:
        raise UsageError(f"which part? METRIC:PART names one, such as maxmatch:recall, found {text!r}")
    return _Value(text, metric, part)


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, the largest first; equal ones share the mean of their ranks.

    >>> ranks([0.5, 0.9, 0.5])
    [2.5, 1.0, 2.5]
    """
    return [sum(other > value for other in values) + (values.count(value) + 1) / 2 for value in values]


def _ranking(names: list[str], columns: dict[str, list[int | float]]) -> Table:
    from errata.report import Column, Table

    ranks_by_metric = {text: ranks(column) for text, column in columns.items()}
    headings = []
    for text, column in columns.items():
        headings += [Column(text, "count" if isinstance(column[0], int) else "percent"), Column("Rank", "count")]
    first = next(iter(columns.values()))
    order = sorted(range(len(names)), key=lambda index: (-first[index], names[index]))
    rows: list[tuple[Cell, ...]] = []
    for index in order:
        cells = [cell for text, column in columns.items() for cell in (column[index], f"{ranks_by_metric[text][index]:g}")]
        rows.append((names[index], *cells))
    return Table((Column("System"), *headings), tuple(rows))


def _pairs(pairs: list[tuple[str, str, Correlation]], signatures: tuple[str, ...]) -> Table:
    from errata.report import Column, Table

    columns = (
        Column("Metric", key="metric"),
        Column("Other metric", key="other"),
        Column("Systems", "count", "systems"),
        Column("Spearman", "number", "spearman"),
        Column("p", "p", "spearman_p"),
        Column("Pearson", "number", "pearson"),
        Column("p", "p", "pearson_p"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one, other, result.systems, result.spearman, result.spearman_p, result.pearson, result.pearson_p) for one, other, result in pairs
    )
    constant = "–: all systems have the same value" if any(result.spearman is None for _, _, result in pairs) else ""
    return Table(columns, rows, notes=tuple(note for note in (constant, *signatures) if note))
