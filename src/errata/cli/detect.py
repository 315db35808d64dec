"""``errata detect``: how well systems detect errors, from any table of cases or from a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.arguments import (
    Once,
    Parser,
    add_corpus_arguments,
    add_output_format,
    corpus_from,
    print_json,
    print_tables,
    systems_from,
    whole_number,
)
from errata.errors import RequestError, UsageError
from errata.stats.bootstrap import MOST_REPLICATES, Bootstrap
from errata.stats.comparison import CORRECTIONS
from errata.stats.paired import TESTS
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.detection import Curve
    from errata.detection.statistics import DrawnBy, Judged
    from errata.stats import Comparison
    from errata.stats.comparison import Correction
    from errata.stats.paired import Test

_EXAMPLES = """\
examples:
  errata detect examples/prepositions.csv
  errata detect examples/prepositions.csv --confidence --measure f --beta 0.5
  errata detect examples/prepositions.csv --threshold 0.8 --format json
  errata detect examples/prepositions.csv --curves curves.csv --chart curves.svg
  errata detect examples/learner.m2 examples/systems/*.txt --unit token
  errata detect examples/learner.m2 examples/systems/eager.txt --types Prep --places prepositions
  errata detect examples/learner.m2 examples/systems/eager.txt --unit edit

CASES is a table (CSV, TSV, JSON Lines or Parquet) if no SYSTEM follows, else a corpus, as for errata score.
Columns of a table: written, annotated and system (what stands there, what should, what the system writes; empty is nothing), or
error and flagged (1 or 0); instead of flagged, or beside it, confidence (from 0 to 1).  With several judges: annotated_1,
annotated_2, ..., or error_1, error_2, ..., or error as the number of those who say error and judges as the number of all.
Also type, unit and document.
Several systems: system_a, system_b, with confidence_a, ....  Columns with other names: --column written=original.
Of several systems the table has the main measures; csv has all, json the tests of pairs too.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "detect",
        help="measure the detection of errors",
        description="Count what systems detect and correct, and say what that means: measures, what chance gets, curves.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, name="CASES", also="table of cases, or with systems a ")
    parser.add_argument("systems", metavar="SYSTEM", nargs="*", help="outputs of systems, if CASES is a corpus")
    table = parser.add_argument_group("tables of cases")
    table.add_argument("--column", action="append", default=[], metavar="ROLE=NAME", help="the column of a role that has another name")
    table.add_argument(
        "--table", choices=("csv", "tsv", "jsonl", "parquet"), help="format of the table (default: by the ending of its name)"
    )
    corpus = parser.add_argument_group("cases from a corpus")
    corpus.add_argument("--unit", choices=("token", "character", "edit"), help="what a case is (default token)")
    corpus.add_argument("--documents", metavar="FILE", help="the document of each sentence, a name a line, where GOLD does not say it")
    corpus.add_argument("--types", metavar="TYPES", help="only errors of these types, separated by commas")
    corpus.add_argument(
        "--places",
        metavar="WORDS",
        help="only places where one of these words is written, wanted or proposed: articles, commas, prepositions, or a list with commas",
    )
    corpus.add_argument("-m", "--metric", action=Once, metavar="METRIC", help="imeasure, or maxmatch for edits, with settings")
    measures = parser.add_argument_group("measures")
    measures.add_argument("--threshold", type=float, metavar="T", help="judge systems as if they flagged what they are this sure of")
    measures.add_argument(
        "--measure",
        metavar="NAME",
        help="to rank, to compare and to choose a threshold by (default kappa, or f where it is undefined for edits)",
    )
    measures.add_argument("--beta", type=float, default=1.0, metavar="B", help="weight of recall in F (default 1)")
    measures.add_argument(
        "--confidence",
        nargs="?",
        type=float,
        const=0.95,
        metavar="LEVEL",
        help="add intervals, of 95%% or of another level, and test systems",
    )
    measures.add_argument("--interval", choices=("bca", "percentile"), help="kind of interval (default bca)")
    measures.add_argument("--replicates", type=whole_number(0, MOST_REPLICATES), metavar="N", help="random draws (default 10,000)")
    measures.add_argument("--seed", type=whole_number(0, 10**18), metavar="N", help="seed of the draws (default 0)")
    measures.add_argument(
        "--by", choices=("case", "unit", "document"), help="what is drawn again (default: units, such as sentences, if known)"
    )
    measures.add_argument("--test", choices=TESTS, help="test of several systems (default randomisation)")
    measures.add_argument("--correction", choices=CORRECTIONS, help="for the number of pairs (default holm)")
    curves = parser.add_argument_group("curves over the threshold, for systems with confidences")
    curves.add_argument("--curves", metavar="FILE", help="write the points of all curves: .csv or .json")
    curves.add_argument("--points", type=whole_number(2, 10**9), metavar="N", help="about so many points of each curve (default all)")
    curves.add_argument("--chart", metavar="FILE", help="draw the curves: .svg, .png or .pdf")
    curves.add_argument("--panel", action="append", choices=("pr", "roc", "kappa", "bias"), help="draw this panel only; may be repeated")
    add_output_format(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Read, count, print."""
    from errata.cli.detect_output import Findings
    from errata.detection.evaluation import aspects_of, evaluate
    from errata.detection.measures import measure_of
    from errata.detection.statistics import drawn_by
    from errata.report.progress import ProgressBar

    options.measure = options.measure or ("f" if options.unit == "edit" else "kappa")
    measure_of(options.measure)
    _check(options)
    bootstrap = _bootstrap(options)
    judged = _from_corpus(options) if options.systems else _from_table(options)
    if options.threshold is not None:
        judged = [item._replace(answers=item.answers.at(options.threshold)) for item in judged]
    by = drawn_by(judged, options.by)
    wanted = [(item, aspect) for item in judged for aspect in aspects_of(item)]
    evaluations = []
    with ProgressBar("resampling" if bootstrap is not None else "counting", len(wanted)) as bar:
        for item, aspect in wanted:
            evaluations.append(evaluate(item, aspect, options.beta, bootstrap, by))
            bar.advance(1)
    curves = _curves(options, judged)
    compared = _compared(options, judged, bootstrap, by) if bootstrap is not None and len(judged) > 1 else []
    found = Findings(judged, evaluations, curves, compared, bootstrap, by, options.measure, options.beta, _test(options))
    if options.output == "json":
        print_json({"errata": __version__, "threshold": options.threshold, **found.record()})
    else:
        print_tables(found.tables() if options.output != "csv" else [found.flat_table()], options.output)
    if curves and options.output == "table":
        print(f"\n{found.plot()}", end="")
    return 0


def _check(options: argparse.Namespace) -> None:
    if not 0 < options.beta < float("inf"):
        raise UsageError(f"--beta is a number above 0, found {options.beta}")
    if options.threshold is not None and not 0 <= options.threshold <= 1:
        raise UsageError(f"--threshold lies between 0 and 1, found {options.threshold}")
    only_corpus = {
        "--types": options.types,
        "--places": options.places,
        "--metric": options.metric,
        "--unit": options.unit,
        "--documents": options.documents,
        "--reference": options.reference or None,
        "--from": options.format,
        "--lenient": options.lenient or None,
    }
    only_table = {"--column": options.column or None, "--table": options.table}
    for option, value in (only_table if options.systems else only_corpus).items():
        if value is not None:
            raise UsageError(f"{option} goes with {'a table of cases, without systems' if options.systems else 'a corpus and systems'}")
    if options.confidence is None:
        for name in ("interval", "replicates", "seed", "by", "test", "correction"):
            if getattr(options, name) is not None:
                raise UsageError(f"--{name} goes with --confidence, which adds intervals and tests")
    if options.curves:
        from errata.report.curve_files import check_curves_path

        check_curves_path(options.curves)
    if options.chart:
        from errata.report.charts.scores import check_chart_path

        check_chart_path(options.chart)
    for name in ("points", "panel"):
        if getattr(options, name) is not None and not (options.curves if name == "points" else options.chart):
            raise UsageError(f"--{name} goes with --{'curves' if name == 'points' else 'chart'}")


def _bootstrap(options: argparse.Namespace) -> Bootstrap | None:
    if options.confidence is None:
        return None
    given = {"method": options.interval, "replicates": options.replicates, "seed": options.seed}
    return Bootstrap(options.confidence, **{name: value for name, value in given.items() if value is not None})


def _from_table(options: argparse.Namespace) -> list[Judged]:
    from errata.detection.statistics import judged_of
    from errata.detection.tables import read_cases
    from errata.report.progress import ProgressBar

    columns: dict[Any, list[str]] = {}
    for item in options.column:
        role, equals, name = item.partition("=")
        if not equals or not name:
            raise UsageError(f"a column is given as ROLE=NAME, such as written=original, found {item!r}")
        columns.setdefault(role, []).append(name)
    ending = options.gold.lower().removesuffix(".gz").rpartition(".")[2]
    if options.table is None and ending in {"m2", "xml", "sgml"}:
        raise UsageError(f"{options.gold} is a corpus by its name, and cases of a corpus need systems: errata detect GOLD SYSTEM...")
    with ProgressBar("reading cases", None) as bar:
        return judged_of(read_cases(options.gold, columns=columns, format=options.table, progress=bar.advance))


def _from_corpus(options: argparse.Namespace) -> list[Judged]:
    from errata.corpus import check_same_length
    from errata.detection.from_corpora import CorpusCases, places_of
    from errata.detection.statistics import Judged
    from errata.report.progress import ProgressBar

    corpus = corpus_from(options, also=[*options.systems, *([options.documents] if options.documents else [])])
    systems = systems_from(options, options.systems)
    for system in systems:
        check_same_length(corpus, system)
    types = [name.strip() for name in options.types.split(",")] if options.types is not None else []
    places = places_of(options.places) if options.places is not None else frozenset()
    judged = []
    with ProgressBar("aligning", len(systems) * len(corpus), in_core=True) as bar:
        corpus_cases = CorpusCases(corpus, unit=options.unit or "token", types=types, places=places, metric=options.metric)
        for system in systems:
            cases = corpus_cases.of(system, bar.advance)
            judged.append(Judged(cases, cases.systems[0]))
    return judged


def _curves(options: argparse.Namespace, judged: Sequence[Judged]) -> list[Curve]:
    from errata.detection import curve_of

    curves = [curve_of(item.cases, item.answers) for item in judged if item.answers.confidence is not None]
    if (options.curves or options.chart) and not curves:
        raise RequestError("curves need a system that says how sure it is: a table with a column confidence")
    if options.chart:
        from errata.report.charts.detection import PANELS, curve_chart
        from errata.report.charts.scores import save_chart

        if reason := next((curve.areas.reason for curve in curves if curve.areas.reason), ""):
            raise RequestError(f"curves cannot be drawn: {reason}")
        save_chart(curve_chart(curves, options.beta, list(dict.fromkeys(options.panel or PANELS))), options.chart)
    if options.curves:
        from errata.report.curve_files import write_curves

        write_curves([curve.thinned(options.points) if options.points else curve for curve in curves], options.curves, options.beta)
    return curves


def _compared(options: argparse.Namespace, judged: Sequence[Judged], bootstrap: Bootstrap, by: DrawnBy) -> list[Comparison]:
    """All pairs of systems whose measure is defined; of the others the table says why it is not."""
    from errata.detection.evaluation import evaluate
    from errata.detection.measures import measure_of
    from errata.detection.statistics import compare_systems
    from errata.report.progress import ProgressBar

    known = [item for item in judged if evaluate(item, "detection", options.beta).value(options.measure) is not None]
    if len(known) < 2:  # noqa: PLR2004 - a pair
        return []
    test, correction = _test(options)
    with ProgressBar("testing pairs", bootstrap.replicates * (len(known) * (len(known) - 1) // 2)) as bar:
        return compare_systems(
            known,
            measure_of(options.measure),
            "detection",
            options.beta,
            bootstrap,
            by,
            test=test,
            correction=correction,
            progress=bar.advance,
        )


def _test(options: argparse.Namespace) -> tuple[Test, Correction]:
    return options.test or "randomisation", options.correction or "holm"
