"""``errata compare``, ``errata gate`` and ``errata correlate``: which differences between systems and metrics are real."""

from __future__ import annotations

import sys
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.cli.inputs import EVIDENCE, SYSTEM, add_corpus_arguments, add_system_arguments, gold_record
from errata.cli.methods import add_bootstrap_arguments, alpha_from, bootstrap_from
from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.score import DEFAULT_METRIC, count_systems, evidence_from, group_by_metric, metrics_from, score_systems
from errata.cli.vocabulary import TOP_EDITS, add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.metrics.base import Metric
    from errata.report.table import Cell, Kind, Table
    from errata.scoring.edits import EditChanges
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Comparison
    from errata.stats.correlation import Correlation
    from errata.stats.intervals import Interval

    _Pairs = Sequence[tuple[Score, Score]]
    """Baseline and new output, by each metric."""

_COMPARE_EXAMPLES = """\
examples:
  errata compare examples/learner.m2 examples/systems/*.txt
  errata compare examples/learner.m2 examples/systems/*.txt \\
      -m imeasure --test bootstrap --correction bh
  errata compare examples/learner.m2 examples/systems/*.txt -o pairs.csv
  errata compare examples/learner.m2 examples/systems/*.txt \\
      -m imeasure --against-source

Tests: randomisation (outputs of the two systems are swapped at random),
bootstrap (sentences are resampled), t (paired t test of sentence scores),
sign (exact sign test of sentence scores).
p is corrected for the number of pairs: holm, bh (Benjamini and Hochberg) or
none.
A system begins a new rank if it is significantly different from every system
of the previous rank.
Needed: estimated number of sentences for 80% power, before p-value
correction.
"""


def _register_compare(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "compare",
        help="test which differences between systems are significant",
        description="Compare systems in pairs on the same sentences.",
        epilog=_COMPARE_EXAMPLES,
    )
    add_system_arguments(parser, or_evidence=True)
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)' (default maxmatch)", default=None)
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--against-source")
    add_option(parser, "--test", " (default randomisation)", default="randomisation")
    add_option(parser, "--correction", default="holm")
    add_option(parser, "--alpha")
    add_bootstrap_arguments(parser)
    add_option(parser, "--columns", "; tables without one of them are not printed")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_compare)


def _run_compare(options: argparse.Namespace) -> int:
    from errata.report.progress import ProgressBar
    from errata.report.tables.comparisons import comparison_tables, flat_pairs_table
    from errata.stats import compare, compute_intervals, rank_systems, resample
    from errata.stats.comparison import check_replicates, check_replicates_of

    settings = bootstrap_from(options, 1 - alpha_from(options))
    if options.against_source:
        check_replicates_of(count_systems(options), "system", options.test, options.correction, settings, options.alpha)
        return _print_against_source(options, settings)
    check_replicates(count_systems(options), options.test, options.correction, settings, options.alpha)
    corpus, scores = score_systems(options, [_one_metric_from(options)])
    evidence = [score.evidence for score in scores]
    pairs = len(evidence) * (len(evidence) - 1) // 2
    with ProgressBar("resampling", settings.replicates * len(evidence)) as bar:
        resampled = resample(evidence, settings, bar.advance) if settings.method != "exact" else None
    with ProgressBar("testing pairs", settings.replicates * pairs) as bar:
        comparisons = compare(evidence, options.test, options.correction, settings, resampled, bar.advance)
    intervals = compute_intervals(evidence, settings, resampled)
    ranks = rank_systems([(score.system_name, score.value) for score in scores], comparisons, options.alpha)
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {settings}"
    if options.format == "json":
        print_json({"errata": __version__, **gold_record(corpus), **_record(scores, ranks, intervals, comparisons, how, settings)})
    elif options.format == "csv":
        print_tables([flat_pairs_table(scores, comparisons, how)], options.format, columns=options.columns)
    else:
        tables = comparison_tables(scores, ranks, intervals, comparisons, settings, options.test, how)
        print_tables(tables, options.format, columns=options.columns)
    return 0


def _one_metric_from(options: argparse.Namespace) -> Metric:
    """The metric that is asked for, by default maxmatch, or the one of the evidence."""
    from errata.metrics import registry

    if options.metric is None and (stored := evidence_from(options)) is not None:
        known = list(stored.metrics.values())
        if len(known) != 1:
            raise UsageError(f"{options.gold}: there are {len(known)} metrics; choose one with -m from {', '.join(map(str, known))}")
        return known[0]
    return registry.metric(options.metric or DEFAULT_METRIC)


def _record(
    scores: list[Score], ranks: list[int], intervals: Sequence[Interval], comparisons: Sequence[Comparison], how: str, settings: Bootstrap
) -> dict[str, Any]:
    from dataclasses import asdict

    from errata.scoring import join_signatures

    systems = [
        {"system": score.system_name, "rank": rank, "value": score.value, "low": interval.low, "high": interval.high}
        for score, rank, interval in zip(scores, ranks, intervals, strict=True)
    ]
    return {
        "metric": str(scores[0].metric),
        "how": how,
        "bootstrap": asdict(settings),
        "systems": systems,
        "pairs": [item.to_record() for item in comparisons],
        "signature": join_signatures(scores),
    }


def _print_against_source(options: argparse.Namespace, settings: Bootstrap) -> int:
    from dataclasses import asdict

    from errata.report.progress import ProgressBar
    from errata.report.tables.comparisons import SourceResult
    from errata.stats import compare_with_source

    corpus, scores = score_systems(options, [_one_metric_from(options)])
    with ProgressBar("testing systems", settings.replicates * len(scores)) as bar:
        comparisons = compare_with_source(scores, options.test, options.correction, settings, bar.advance)
    how = f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {settings}"
    found = SourceResult(scores, comparisons, settings, options.test, how)
    if options.format == "json":
        head = {"errata": __version__, **gold_record(corpus), "metric": str(scores[0].metric), "against": "source"}
        print_json(
            {
                **head,
                "measure": comparisons[0].measure,
                "how": how,
                "bootstrap": asdict(settings),
                "systems": found.records(),
                "signature": scores[0].signature,
            }
        )
    elif options.format == "csv":
        print_tables([found.flat_table()], options.format, columns=options.columns)
    else:
        print_tables([found.table()], options.format, columns=options.columns)
    return 0


_DOES_NOT_HOLD = 3
"""The exit status of a gate that does not hold."""
_GATE_EXAMPLES = """\
examples:
  errata gate examples/learner.m2 examples/systems/cautious.txt \\
      examples/systems/eager.txt
  errata gate examples/learner.m2 examples/systems/rewriter.txt \\
      examples/systems/eager.txt -m maxmatch -m gleu --drop 0.5 -o gate.md

Without --drop, the gate holds unless NEW is significantly worse: p of the
randomisation test is at most --alpha, and the difference is below 0.
Of pairs without a difference, at most half of --alpha are false alarms.
With --drop D, the gate holds if the interval of the difference, of the level
1 - alpha, lies above -D: a drop of D or more must be excluded.
Every metric must hold; p is corrected for their number (Holm).
The exit status is 0 if the gate holds, 3 if it does not.
"""


def _register_gate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "gate",
        help="fail if a new output is worse than a baseline",
        description="Fail if a new output is worse than a baseline, or may be, by a margin.",
        epilog=_GATE_EXAMPLES,
    )
    _add_pair_arguments(parser)
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)'; every one must hold (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs", "--drop", "--alpha")
    add_bootstrap_arguments(parser, of_differences=True)
    add_option(parser, "--top")
    add_format(parser, ("markdown", "table", "json"))
    parser.set_defaults(run=_run_gate)


def _add_pair_arguments(parser: Parser) -> None:
    """Add the arguments that say which two outputs are compared."""
    add_corpus_arguments(parser, also=EVIDENCE)
    parser.add_argument("baseline", metavar="BASELINE", help=f"{SYSTEM}; of evidence, the name of a system")
    parser.add_argument("new", metavar="NEW", help="output that may replace it, likewise")
    add_options(parser, "--tokenise", "--strict")
    parser.set_defaults(takes_evidence=True)


def _run_gate(options: argparse.Namespace) -> int:
    from errata.report.progress import ProgressBar
    from errata.report.tables.comparisons import GateResult
    from errata.stats import gate
    from errata.stats.comparison import check_replicates_of

    settings = bootstrap_from(options, 1 - alpha_from(options))
    both = [options.baseline, options.new]
    options.systems = both[:1] if both[0] == both[1] != "-" else both  # a file that is both is scored once
    metrics = metrics_from(options)
    check_replicates_of(len(metrics), "metric", "randomisation", "holm", settings, options.alpha)
    corpus, scores = score_systems(options, metrics)
    pairs = [(own[0], own[-1]) for own in group_by_metric(scores, len(metrics))]
    with ProgressBar("testing metrics", settings.replicates * len(pairs)) as bar:
        found = gate([pair[0] for pair in pairs], [pair[1] for pair in pairs], drop=options.drop, bootstrap=settings, progress=bar.advance)
    changes, notes = _list_changes(options, corpus, pairs)
    result = GateResult(found, pairs, changes, notes)
    if options.format == "json":
        print_json({"errata": __version__, **gold_record(corpus), **result.record()})
    elif options.format == "table":
        print_tables(result.tables(), "table")
    else:
        flush_warnings()
        sys.stdout.write(result.markdown(corpus))
    return 0 if found.holds else _DOES_NOT_HOLD


def _list_changes(options: argparse.Namespace, corpus: Corpus, pairs: _Pairs) -> tuple[EditChanges | None, list[str]]:
    """The edits that changed, by the first metric that shows edits, and what should be known about them."""
    from errata.corpus.corpus import Corpus as WithSentences
    from errata.metrics import ShowsEdits
    from errata.scoring import Evaluator, list_edit_changes

    if not isinstance(corpus, WithSentences):
        return None, ["Edits are not listed, because evidence has no texts."]
    baseline, new = (score.system for score in pairs[0])
    if (baseline.sentences, baseline.edits) == (new.sentences, new.edits):
        return None, ["Both outputs are identical, so no edit has changed."]
    showing = next((pair for pair in pairs if isinstance(pair[0].output, ShowsEdits) and pair[0].evidence.chosen is not None), None)
    notes = []
    if showing is None:
        evaluate = Evaluator(corpus, warn=None)
        showing = (evaluate(baseline), evaluate(new))
        notes.append("Edits are those of maxmatch, because the metric does not show edits.")
    top = options.top if options.top is not None or options.format == "json" else TOP_EDITS
    changes = list_edit_changes(*showing, top)
    notes.insert(0, f"The outputs differ in {changes.sentences:,} of {len(corpus):,} sentences.")
    if changes.rejudged:
        why = "another reference was chosen" if baseline.edits is None and new.edits is None else "the outputs have their own edits"
        notes.append(f"In {len(changes.rejudged):,} of the others, edits changed because {why}.")
    return changes, notes


_CORRELATE_EXAMPLES = """\
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


def _register_correlate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "correlate",
        help="compare the rankings that metrics give",
        description="Correlate the values and rankings of systems by two or more metrics.",
        epilog=_CORRELATE_EXAMPLES,
    )
    add_system_arguments(parser, or_evidence=True, optional=True)
    add_options(parser, "--scores", "--unmatched")
    add_option(parser, "--metric", "; METRIC:PART compares a part of the score; two or more, with those of --scores", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_correlate)


def _run_correlate(options: argparse.Namespace) -> int:
    from errata.formats.tables import find_repeated
    from errata.metrics import registry
    from errata.scoring import join_signatures
    from errata.stats import correlate
    from errata.studies.meta import read_scores

    others = read_scores(options.scores)
    if options.gold is None and options.metric:
        raise UsageError("-m needs GOLD and SYSTEM..., which it scores")
    if options.gold is not None and not options.metric and (stored := evidence_from(options)) is not None:
        options.metric = list(stored.metrics)
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


def _ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, the largest first; equal ones share the mean of their ranks.

    >>> _ranks([0.5, 0.9, 0.5])
    [2.5, 1.0, 2.5]
    """
    return [sum(other > value for other in values) + (values.count(value) + 1) / 2 for value in values]


def _ranking(names: list[str], columns: dict[str, list[int | float]], others: set[str]) -> Table:
    """Make a table of values and ranks; those of ``others`` are shown as they are, not times 100."""
    from errata.report import Column, Table

    ranks_by_metric = {text: _ranks(column) for text, column in columns.items()}
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


COMMANDS = {"compare": _register_compare, "gate": _register_gate, "correlate": _register_correlate}
