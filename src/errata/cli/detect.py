"""``errata detect`` and ``errata chance``: how well systems detect errors, and what chance gives."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.cli.inputs import add_corpus_arguments, corpus_from, gold_record, name_files, systems_from
from errata.cli.methods import suit_tagger, tagger_from, type_order_from
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options, list_needing
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.display import printable
from errata.errors import FormatError, RequestError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.report.table import Table
    from errata.report.tables.detection import DetectionTables
    from errata.settings import Correction, Test
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Comparison
    from errata.studies.detection.cases import Cases
    from errata.studies.detection.measures import (
        AnnotatorEvaluations,
        Curve,
        Evaluation,
        JudgedSystem,
        ResampleCasesBy,
    )


_LABELS = "labels"
"""The format of labelled tokens, for --from."""
_DETECT_EXAMPLES = """\
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


def _register_detect(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "detect",
        help="measure the detection of errors",
        description="Measure how well systems detect and correct errors, and compare with chance.",
        epilog=_DETECT_EXAMPLES,
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
    add_option(parser, "--metric", "; imeasure for tokens (default), maxmatch for edits", default=None)
    add_options(parser, "--beta", "--threshold", "--measure", "--curves", "--points", "--panel")
    add_option(parser, "--confidence", ", and tests of systems")
    add_option(parser, "--interval", choices=("bca", "percentile"))
    add_option(parser, "--replicates", " (default 10,000)")
    add_option(parser, "--seed")
    add_option(parser, "--resample", " (default sentence, if sentences are known; else case)", choices=("sentence", "document", "case"))
    add_option(parser, "--test", " (default randomisation)")
    add_options(parser, "--correction", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_detect)


def _run_detect(options: argparse.Namespace) -> int:
    from errata.report.progress import ProgressBar
    from errata.studies.detection.measures import Measure, choose_resampling, evaluate_detection

    options.measure = options.measure or ("f" if options.case == "edit" else "kappa")
    Measure.named(options.measure)
    _check(options)
    bootstrap = _bootstrap(options)
    judged, annotators, corpus = _judge(options)
    if options.threshold is not None:
        judged = [item._replace(answers=item.answers.at(options.threshold)) for item in judged]
    by = choose_resampling(judged, options.resample)
    wanted = [(item, aspect) for item in judged for aspect in item.aspects]
    evaluations = []
    with ProgressBar("resampling" if bootstrap is not None else "counting", len(wanted)) as bar:
        for item, aspect in wanted:
            evaluations.append(evaluate_detection(item, aspect, options.beta, bootstrap, by))
            bar.advance(1)
    curves = _curves(options, judged)
    compared = _compared(options, judged, bootstrap, by) if bootstrap is not None and len(judged) > 1 else []
    findings = _Findings(judged, evaluations, curves, compared, bootstrap, by, options.measure, options.beta, _test(options))
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
    return (_from_labels(options), None, None) if _has_labels(options) else _judge_corpus(options)


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
    from errata.studies.detection.measures import Measure, compare_detectors, evaluate_detection, explain_untested

    if (reason := explain_untested(judged)) and (options.test is not None or options.correction is not None):
        raise RequestError(reason)
    known = [item for item in judged if evaluate_detection(item, "detection", options.beta).value(options.measure) is not None]
    if len(known) < 2 or reason:  # noqa: PLR2004 - a pair
        return []
    test, correction = _test(options)
    with ProgressBar("testing pairs", bootstrap.replicates * (len(known) * (len(known) - 1) // 2)) as bar:
        return compare_detectors(
            known,
            Measure.named(options.measure),
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


class _CorpusResult(NamedTuple):
    """The systems with their cases, the annotators if they judge together, and the gold."""

    judged: list[JudgedSystem]
    annotators: AnnotatorEvaluations | None
    corpus: Corpus


def _judge_corpus(options: argparse.Namespace) -> _CorpusResult:
    """Read a corpus and systems, and extract their cases."""
    from errata.corpus.annotators import DETECT, explain_missing
    from errata.language.types import ChangeTyper
    from errata.report.progress import ProgressBar
    from errata.scoring.by_type import lacks_rules
    from errata.studies.detection.cases import find_confusion_set
    from errata.studies.detection.from_corpora import CorpusCases
    from errata.studies.detection.measures import MOST_ANNOTATORS, AnnotatorEvaluations, JudgedSystem

    order = type_order_from(options)
    tagger = tagger_from(options) if options.by_type or options.sites else None
    if options.sites and tagger is None:
        raise UsageError("--sites needs parts of speech, found --tagger none")
    corpus = corpus_from(options)
    systems = systems_from(options, options.systems, corpus)
    if not options.sites:
        tagger = suit_tagger(tagger, options, corpus)
    by_rules = options.by_type and tagger is not None
    if by_rules and lacks_rules(corpus):
        why = "gold has types of ERRANT, which the rules for parts of speech do not know"
        print_warning(f"{corpus.path}: false positives have no type: {why}")
        by_rules = False
    judged = []
    with ProgressBar("aligning", len(systems) * len(corpus), in_core=True) as bar:
        corpus_cases = CorpusCases(
            corpus,
            case=options.case or "token",
            types=[name.strip() for name in options.types.split(",")] if options.types is not None else [],
            confusion_set=find_confusion_set(options.confusion_set) if options.confusion_set is not None else frozenset(),
            metric=options.metric,
            judgments=options.judged_by or "chosen",
            annotator=options.annotator,
            missing=options.missing or DETECT,
            sites=options.sites,
            tagger=tagger,
            typer=ChangeTyper(tagger, order) if by_rules and tagger is not None else None,
        )
        for system in systems:
            cases = corpus_cases.of(system, bar.advance)
            judged.append(JudgedSystem(cases, cases.systems[0]))
    count = len(corpus.annotators)
    if options.annotator is not None or options.judged_by not in {None, "chosen"} or options.missing is not None:
        for warning in explain_missing(corpus, options.missing or DETECT):
            print_warning(f"{corpus.path}: {warning}")
    if options.judged_by in {None, "chosen"} or count == 1:
        return _CorpusResult(judged, None, corpus)
    if count > MOST_ANNOTATORS:
        print_warning(f"annotators are not compared with each other: there are {count:,}, more than {MOST_ANNOTATORS}")
    pairs = count * (count - 1) // 2 if count <= MOST_ANNOTATORS else 0
    with ProgressBar("comparing annotators", len(systems) * count + pairs) as bar:
        return _CorpusResult(judged, AnnotatorEvaluations.of(corpus_cases, systems, count, options.beta, bar.advance), corpus)


_PLOTTED = 500
"""Points of a curve; a terminal has fewer columns."""


class _Findings(NamedTuple):
    """All results, for every output format."""

    judged: Sequence[JudgedSystem]
    evaluations: Sequence[Evaluation]
    curves: Sequence[Curve]
    compared: Sequence[Comparison]
    bootstrap: Bootstrap | None
    by: ResampleCasesBy
    measure: str
    beta: float
    test: tuple[Test, Correction]
    annotators: AnnotatorEvaluations | None = None
    by_type: bool = False
    threshold: float | None = None

    @property
    def signature(self) -> str:
        """Everything that can change a number; all systems have the same gold and settings."""
        from errata.studies.detection.measures import make_detection_signature

        return make_detection_signature(self.judged[0].cases, self.beta, self.threshold)

    @property
    def cases(self) -> dict[str, Cases]:
        """The cases of each system."""
        return {item.answers.name: item.cases for item in self.judged}

    @property
    def untested(self) -> str:
        """Why systems are not tested in pairs, if that was to be expected."""
        from errata.studies.detection.measures import explain_untested

        return explain_untested(self.judged) if self.bootstrap is not None and len(self.judged) > 1 else ""

    def of(self, item: JudgedSystem) -> list[Evaluation]:
        """The evaluations of a system: detection, and correction if it is known."""
        return [evaluation for evaluation in self.evaluations if evaluation.system_name == item.answers.name]

    def types(self, item: JudgedSystem) -> dict[str, Evaluation]:
        """Evaluate detection for every type, if cases have types."""
        from errata.studies.detection.measures import evaluate_types

        return evaluate_types(item, "detection", self.beta)

    def _tables_of(self, typed: Sequence[JudgedSystem]) -> DetectionTables:
        """Say what tables show, with the types of some systems."""
        from errata.report.tables.detection import DetectionTables

        types = {item.answers.name: self.types(item) for item in typed}
        return DetectionTables(self.evaluations, self.cases, types, self.curves, self.measure, self.bootstrap, self.by, self.annotators)

    def tables(self) -> list[Table]:
        """Make tables for people: one system in full, or several side by side."""
        from errata.report.tables.comparisons import pairs_table

        tables = self._tables_of(self.judged if self.by_type or len(self.judged) == 1 else []).tables()
        if self.compared and self.bootstrap is not None:
            tables.append(pairs_table(self.compared, self.bootstrap, self.test[0], f"{self.by}s", "number"))
        untested = [f"{self.untested.capitalize()}."] if self.untested else []
        tables[0] = replace(tables[0], notes=(*tables[0].notes, *untested, self.signature))
        return tables

    def flat_table(self) -> Table:
        """Make a table for programs: a row for every number, except those of pairs."""
        from errata.report.table import Column

        table = self._tables_of(self.judged).flat_table()
        signature = self.signature
        rows = tuple((*row, signature) for row in table.rows)
        return replace(table, columns=(*table.columns, Column("signature")), rows=rows)

    def plot(self) -> str:
        """Plot the measures of the first system over the threshold."""
        from errata.report.charts.detection import plot

        curve = self.curves[0].thinned(_PLOTTED)
        bias = curve.values("bias").tolist()
        names = (("P", "precision", "precision"), ("R", "recall", "recall"), ("F", f"F{self.beta:g}", "f"), ("K", "kappa", "kappa"))
        series = [(letter, label, list(zip(bias, curve.values(name, self.beta).tolist(), strict=True))) for letter, label, name in names]
        return f"{printable(curve.system_name)}: measures by the share of cases that are flagged\n\n{plot(series, 'bias')}"

    def record(self) -> dict[str, Any]:
        """Make a record of everything, for programs."""
        result: dict[str, Any] = {"beta": self.beta, "systems": [self._system(item) for item in self.judged]}
        if self.bootstrap is not None:
            result["bootstrap"] = {**asdict(self.bootstrap), "by": self.by}
        if self.annotators is not None:
            result["annotators"] = {
                "systems": [
                    {"system": item.evaluation.system_name, "annotator": item.annotator, **self._aspect(item.evaluation)}
                    for item in self.annotators.systems
                ],
                "agreement": [
                    {"annotator": item.annotator, "other": item.evaluation.system_name, **self._aspect(item.evaluation)}
                    for item in self.annotators.pairs
                ],
                "skipped": self.annotators.skipped,
            }
        if self.compared:
            how = {"measure": self.measure, "test": self.test[0], "correction": self.test[1]}
            result["comparison"] = {**how, "pairs": [pair.to_record() for pair in self.compared]}
        if self.untested:
            result["untested"] = self.untested
        return result

    def _system(self, item: JudgedSystem) -> dict[str, Any]:
        record: dict[str, Any] = {
            "system": item.answers.name,
            "cases": item.cases.total,
            "what": item.cases.what,
            "graded": item.cases.graded,
            "left_out": dict(item.cases.left_out),
            "notes": list(item.cases.notes),
            "aspects": [self._aspect(evaluation) for evaluation in self.of(item)],
        }
        if types := self.types(item):
            record["types"] = {name: self._aspect(record) for name, record in types.items()}
        for curve in self.curves:
            if curve.system_name == item.answers.name:
                best = curve.best(self.measure, self.beta)
                record["areas"] = asdict(curve.areas)
                record["best_threshold"] = {"measure": self.measure, "threshold": best[0], "value": best[1]} if best else None
        return record

    def _aspect(self, item: Evaluation) -> dict[str, Any]:
        counts = {name: None if math.isnan(number) else number for name, number in item.counts._asdict().items()}
        record: dict[str, Any] = {"aspect": item.aspect, "counts": counts, "measures": item.values, "undefined": item.reasons}
        if self.bootstrap is not None and item.intervals:
            record["intervals"] = {name: [own.low, own.high] if own is not None else None for name, own in item.intervals.items()}
        return record


_CHANCE_EXAMPLES = """\
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


def _register_chance(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "chance",
        help="show how a random system scores",
        description="Show how systems that flag cases at random score on every measure.",
        epilog=_CHANCE_EXAMPLES,
    )
    add_option(parser, "--prevalence", f" (default {_PREVALENCES})", default=_PREVALENCES)
    add_option(parser, "--bias", f" (default {_BIASES})", default=_BIASES)
    add_options(parser, "--beta", "--chart")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_chance)


def _run_chance(options: argparse.Namespace) -> int:
    from errata.report import Cell, Column, Table
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
    columns += [Column(MEASURES[name].label_with(options.beta), "number", name) for name in _SHOWN]
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


COMMANDS = {"detect": _register_detect, "chance": _register_chance}
