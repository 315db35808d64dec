"""``errata detect``: how well systems detect errors, from any table of cases, from a corpus or from labelled tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.combinations import list_needing
from errata.cli.detect_corpus import judge_corpus
from errata.cli.inputs import add_corpus_arguments, gold_record, name_files
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_one_metric, add_option, add_options
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import FormatError, RequestError, UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.names import Correction, Test
    from errata.stats import Bootstrap, Comparison
    from errata.studies.detection import Curve
    from errata.studies.detection.measures import AnnotatorEvaluations, JudgedSystem, ResampleCasesBy

_LABELS = "labels"
"""The format of labelled tokens, for --from."""
_EXAMPLES = """\
examples:
  errata detect examples/prepositions.csv
  errata detect examples/prepositions.csv --confidence --measure f --beta 0.5
  errata detect examples/prepositions.csv --threshold 0.8 --format json
  errata detect examples/prepositions.csv --curves curves.csv --chart curves.svg
  errata detect examples/counts.csv
  errata detect examples/learner.m2 examples/systems/*.txt
  errata detect examples/learner.m2 examples/systems/eager.txt \\
      --types Prep --confusion-set prepositions
  errata detect examples/learner.m2 examples/systems/eager.txt --case edit
  errata detect examples/learner.m2 examples/systems/*.txt --judged-by graded
  errata detect examples/learner.m2 examples/systems/eager.txt --case gap \\
      --confusion-set articles --sites noun-phrases
  errata detect examples/labels/gold.tsv examples/labels/careful.tsv

CASES is a table (CSV, TSV, JSON Lines or Parquet) if no SYSTEM follows, else a
corpus, as for errata score, or labelled tokens (--from labels): a token and c
or i (correct or incorrect) on each line, and an empty line between sentences.
Columns of a table:
  written, annotated, system   the original text, the correct text, the text of
                               the system; an empty cell means no text
  error, flagged               1 or 0, instead of annotated and system
  confidence                   of the system, from 0 to 1, with flagged or alone
  annotated_1, annotated_2, ...; error_1, error_2, ...   several annotators
  error, judges                number of annotators who say error, and of all
  system_a, confidence_a, ...  several systems
  type, unit, document         error type, sentence and document of the case
  count                        number of cases that the row stands for
  tp, fp, fn, tn               counts or proportions instead of cases, with one
                               row for each system and type
Other names are given with --column written=original.
The table of several systems shows the main measures; csv has all of them, json
also the tests of pairs.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "detect",
        help="measure the detection of errors",
        description="Measure how well systems detect and correct errors, and compare with chance.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, name="CASES", also="table of cases; or, with SYSTEM, ")
    parser.add_argument(
        "systems", metavar="SYSTEM", nargs="*", help="outputs of systems, if CASES is a corpus or labelled tokens; NAME=FILE names one"
    )
    add_options(parser, "--tokenise", "--strict")
    add_options(
        parser, "--table", "--column", "--documents", "--case", "--judged-by", "--annotator", "--sites", "--types", "--confusion-set"
    )
    add_option(parser, "--missing", " (default: absent; for one annotator alone and for pairs what GOLD is found to follow)")
    add_option(parser, "--by-type", "; false positives get types from parts of speech")
    add_options(parser, "--tagger", "--pos-tags", "--type-order")
    add_one_metric(parser, None, "; imeasure for tokens (default), maxmatch for edits")
    add_options(parser, "--beta", "--threshold", "--measure", "--curves", "--points", "--panel")
    add_option(parser, "--confidence", ", and tests of systems")
    add_option(parser, "--interval", choices=("bca", "percentile"))
    add_option(parser, "--replicates", " (default 10,000)")
    add_option(parser, "--seed")
    add_option(parser, "--resample", " (default sentence, if sentences are known; else case)", choices=("sentence", "document", "case"))
    add_option(parser, "--test", " (default randomisation)")
    add_options(parser, "--correction", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, count, print."""
    from errata.cli.detect_output import Findings
    from errata.report.progress import ProgressBar
    from errata.studies.detection.measures import choose_resampling, evaluate_detection, find_measure, list_aspects

    options.measure = options.measure or ("f" if options.case == "edit" else "kappa")
    find_measure(options.measure)
    _check(options)
    bootstrap = _bootstrap(options)
    judged, annotators, corpus = _judge(options)
    if options.threshold is not None:
        judged = [item._replace(answers=item.answers.at(options.threshold)) for item in judged]
    by = choose_resampling(judged, options.resample)
    wanted = [(item, aspect) for item in judged for aspect in list_aspects(item)]
    evaluations = []
    with ProgressBar("resampling" if bootstrap is not None else "counting", len(wanted)) as bar:
        for item, aspect in wanted:
            evaluations.append(evaluate_detection(item, aspect, options.beta, bootstrap, by))
            bar.advance(1)
    curves = _curves(options, judged)
    compared = _compared(options, judged, bootstrap, by) if bootstrap is not None and len(judged) > 1 else []
    findings = Findings(judged, evaluations, curves, compared, bootstrap, by, options.measure, options.beta, _test(options))
    findings = findings._replace(annotators=annotators, by_type=options.by_type, threshold=options.threshold)
    if options.format == "json":
        gold = gold_record(corpus) if corpus is not None else {}
        head = {"errata": __version__, **gold, "threshold": options.threshold}
        print_json({**head, **findings.record(), "signature": findings.signature})
    else:
        print_tables(findings.tables() if options.format != "csv" else [findings.flat_table()], options.format)
    if curves and options.format == "table":
        print(f"\n{findings.plot()}", end="")
    return 0


def _judge(options: argparse.Namespace) -> tuple[list[JudgedSystem], AnnotatorEvaluations | None, Corpus | None]:
    """Read the cases of all systems; those of a corpus come with it, and may have evaluations by annotator too."""
    if not options.systems:
        return _from_table(options), None, None
    return (_from_labels(options), None, None) if _has_labels(options) else judge_corpus(options)


def _check(options: argparse.Namespace) -> None:
    if not 0 < options.beta < float("inf"):
        raise UsageError(f"--beta must be a number above 0, found {options.beta}")
    if options.threshold is not None and not 0 <= options.threshold <= 1:
        raise UsageError(f"--threshold must lie between 0 and 1, found {options.threshold}")
    if options.curves:
        from errata.report.tables.detection import check_curves_path

        check_curves_path(options.curves)
    if options.chart:
        from errata.report.charts.parts import check_chart_path

        check_chart_path(options.chart)


def _bootstrap(options: argparse.Namespace) -> Bootstrap | None:
    """How cases are resampled; what a case belongs to is known only when they are read."""
    from errata.stats import Bootstrap

    if options.confidence is None:
        return None
    given = {"method": options.interval, "replicates": options.replicates, "seed": options.seed}
    return Bootstrap(options.confidence, **{name: value for name, value in given.items() if value is not None})


def _from_table(options: argparse.Namespace) -> list[JudgedSystem]:
    from errata.formats.labelled_tokens import is_labelled_tokens
    from errata.formats.lines import without_compression
    from errata.report.progress import ProgressBar
    from errata.studies.detection.tables import read_judged_systems

    columns: dict[Any, list[str]] = {}
    for item in options.column:
        role, equals, name = item.partition("=")
        if not equals or not name:
            raise UsageError(f"a column is given as ROLE=NAME, such as written=original, found {item!r}")
        columns.setdefault(role, []).append(name)
    ending = without_compression(options.gold.lower()).rpartition(".")[2]
    if options.table is None and ending in {"m2", "xml", "sgml"}:
        raise UsageError(f"{options.gold} looks like a corpus, and cases of a corpus need systems: errata detect GOLD SYSTEM...")
    try:
        with ProgressBar("reading cases", None) as bar:
            return read_judged_systems(options.gold, columns=columns, format=options.table, progress=bar.advance, warn=print_warning)
    except (FormatError, UsageError):
        if not columns and options.table is None and is_labelled_tokens(options.gold):
            raise UsageError(
                f"{options.gold} looks like labelled tokens, which need those of a system: errata detect GOLD SYSTEM..."
            ) from None
        raise


def _has_labels(options: argparse.Namespace) -> bool:
    """Whether the files are labelled tokens: the user says so, or the first contains them and is no corpus by its extension."""
    from errata.formats.labelled_tokens import is_labelled_tokens
    from errata.formats.registry import PARALLEL, guess_format

    if options.input_format is not None or options.reference:
        return bool(options.input_format == _LABELS)
    return guess_format(options.gold) == PARALLEL and is_labelled_tokens(options.gold)


def _from_labels(options: argparse.Namespace) -> list[JudgedSystem]:
    from errata.report.progress import ProgressBar
    from errata.studies.detection.measures import judge_systems
    from errata.studies.detection.tables import read_labelled_cases

    for option in list_needing("detect", "SYSTEM"):
        if option != "--from" and getattr(options, option[2:].replace("-", "_")) not in (
            None,
            [],
            False,
            DEFAULT_MAX_TOKENS,
            WHITESPACE_TOKENS,
        ):
            raise UsageError(f"{option} cannot be combined with labelled tokens")
    files = name_files(options.systems)
    if [options.gold, *files.values()].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    with ProgressBar("reading labels", None) as bar:
        return judge_systems(read_labelled_cases(options.gold, files, progress=bar.advance, warn=print_warning))


def _curves(options: argparse.Namespace, judged: Sequence[JudgedSystem]) -> list[Curve]:
    from errata.studies.detection import make_curve

    curves = [make_curve(item.cases, item.answers) for item in judged if item.answers.confidence is not None]
    if (options.curves or options.chart) and not curves:
        raise RequestError("curves need a system with confidences: a table with a column confidence")
    if options.chart:
        from errata.report.charts.detection import PANELS, curve_chart
        from errata.report.charts.parts import save_chart

        if reason := next((curve.areas.reason for curve in curves if curve.areas.reason), ""):
            raise RequestError(f"curves cannot be drawn: {reason}")
        save_chart(curve_chart(curves, options.beta, list(dict.fromkeys(options.panel or PANELS))), options.chart)
    if options.curves:
        from errata.report.tables.detection import write_curves

        write_curves([curve.thinned(options.points) if options.points else curve for curve in curves], options.curves, options.beta)
    return curves


def _compared(options: argparse.Namespace, judged: Sequence[JudgedSystem], bootstrap: Bootstrap, by: ResampleCasesBy) -> list[Comparison]:
    """All pairs of systems whose measure is defined; of the others the table says why it is not."""
    from errata.report.progress import ProgressBar
    from errata.studies.detection.measures import compare_detectors, evaluate_detection, explain_untested, find_measure

    if (reason := explain_untested(judged)) and (options.test is not None or options.correction is not None):
        raise RequestError(reason)
    known = [item for item in judged if evaluate_detection(item, "detection", options.beta).value(options.measure) is not None]
    if len(known) < 2 or reason:  # noqa: PLR2004 - a pair
        return []
    test, correction = _test(options)
    with ProgressBar("testing pairs", bootstrap.replicates * (len(known) * (len(known) - 1) // 2)) as bar:
        return compare_detectors(
            known,
            find_measure(options.measure),
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
