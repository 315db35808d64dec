"""``errata correlate``: whether metrics rank systems alike."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.cli.evidence_inputs import has_evidence, open_stored
from errata.cli.inputs import add_system_arguments, gold_record
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.scores import score_systems
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, suggest
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.report import Cell, Table
    from errata.report.table import Kind
    from errata.scoring import Score
    from errata.stats import Correlation

_EXAMPLES = """\
examples:
  errata correlate examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m imeasure
  errata correlate examples/learner.m2 examples/systems/*.txt \\
      -m imeasure:correction.f -m imeasure -m maxmatch --format json
  errata correlate examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch --scores examples/judgments/scores.csv

METRIC is written as for errata score.  METRIC:PART takes a part of the score
instead of its value, named as in its JSON: maxmatch:recall,
imeasure:correction.f, imeasure:detection.wacc.
A table of --scores has the column system, and a column of numbers for each
metric, or one column of numbers and columns of names.
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
    add_system_arguments(parser, or_evidence=True, optional=True)
    add_options(parser, "--scores", "--unmatched")
    add_option(parser, "--metric", "; METRIC:PART compares a part of the score; two or more, with those of --scores", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, rank, correlate."""
    from errata.formats.tables import find_repeated
    from errata.metrics import registry
    from errata.scoring import join_signatures
    from errata.stats import correlate
    from errata.studies.meta import read_scores

    others = read_scores(options.scores)
    if options.gold is None and options.metric:
        raise UsageError("-m needs GOLD and SYSTEM..., which it scores")
    if options.gold is not None and not options.metric and has_evidence(options):
        options.metric = list(open_stored(options).metrics)
    values = [_value(text) for text in options.metric]
    if repeated := find_repeated([*(value.text for value in values), *(own.name for own in others)]):
        raise UsageError(f"{repeated} is given twice; a metric is compared with another")
    if len(values) + len(others) < 2:  # noqa: PLR2004 - a pair
        raise UsageError("a correlation needs two metrics: give -m twice or more, such as -m maxmatch -m imeasure")
    metrics = {text: registry.metric(text) for text in dict.fromkeys(value.metric for value in values)}
    corpus, scores = score_systems(options, list(metrics.values())) if metrics else (None, [])
    count = len(scores) // max(1, len(metrics))
    by_metric = {text: scores[index * count : (index + 1) * count] for index, text in enumerate(metrics)}
    by_system: dict[str, dict[str, int | float]] = {
        value.text: {score.system_name: value.of(score) for score in by_metric[value.metric]} for value in values
    }
    by_system |= {own.name: dict(own.systems) for own in others}
    names = _find_common(by_system, options.unmatched)
    columns = {text: [own[name] for name in names] for text, own in by_system.items()}
    pairs = [(one, other, correlate(columns[one], columns[other])) for one, other in combinations(columns, 2)]
    signatures = (*(join_signatures(group) for group in by_metric.values()), *(own.signature for own in others))
    if options.format == "json":
        systems = [
            {"system": name, "values": {text: column[index] for text, column in columns.items()}} for index, name in enumerate(names)
        ]
        correlations = [{"metrics": [one, other], **vars(result)} for one, other, result in pairs]
        head = {"errata": __version__, **(gold_record(corpus) if corpus is not None else {})}
        print_json({**head, "systems": systems, "correlations": correlations, "signatures": signatures})
        return 0
    tables = [_pairs(pairs, signatures)]
    if options.format != "csv":
        tables.insert(0, _ranking(names, columns, {own.name for own in others}))
    print_tables(tables, options.format)
    return 0


def _find_common(scores: dict[str, dict[str, int | float]], unmatched: str) -> list[str]:
    """List the systems that all metrics scored; others are left out with a warning, or refused."""
    names = list(dict.fromkeys(name for own in scores.values() for name in own))
    for name in names:
        if missing := [text for text, own in scores.items() if name not in own]:
            message = f"{name} has no score by {', '.join(missing)}"
            if unmatched == "refuse":
                raise MismatchError(message)
            print_warning(f"{message}, so it is left out")
    return [name for name in names if all(name in own for own in scores.values())]


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


def _ranking(names: list[str], columns: dict[str, list[int | float]], others: set[str]) -> Table:
    """Make a table of values and ranks; those of ``others`` are shown as they are, not times 100."""
    from errata.report import Column, Table

    ranks_by_metric = {text: ranks(column) for text, column in columns.items()}
    headings = []
    for text, column in columns.items():
        kind: Kind = "number" if text in others else "count" if isinstance(column[0], int) else "percent"
        headings += [Column(text, kind), Column("Rank", "count")]
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
