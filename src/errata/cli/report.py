"""``errata report`` and ``errata chart``: everything about systems as one page, and pictures for papers."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.cli.inputs import add_corpus_arguments, add_system_arguments, add_systems, numbers_from, split_name, whole_corpus_from
from errata.cli.methods import (
    add_bootstrap_arguments,
    alpha_from,
    bootstrap_from,
    suit_tagger,
    tagger_from,
    type_order_from,
    type_system_name,
)
from errata.cli.printing import flush_warnings, print_warning, warnings_so_far
from errata.cli.score import GivenTypes, given_types_from, group_by_metric, intervals_of, metrics_from, score_on, score_systems
from errata.cli.vocabulary import PICTURE_ENDINGS, add_option, add_options
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.report.charts.drawing import Drawing
    from errata.report.page.evaluation import JudgedSystems, Report, TypeEdits
    from errata.report.tables.scores import TypedScore
    from errata.scoring.scores import Score
    from errata.settings import Detail


def _type_by_rules(rules: GivenTypes, given: Corpus, detail: Detail) -> TypeEdits:
    """Give wrong edits the types of a system; ``given`` is the gold as it was given."""

    def type_edits(judged: JudgedSystems) -> tuple[JudgedSystems, list[TypedScore]]:
        edits = list(zip(judged.scores, judged.edits, strict=True))
        wrong = [rules.find_wrong_types(score, own) for score, own in edits]
        typed = [rules.type_score(score, given, detail, own, types) for (score, own), types in zip(edits, wrong, strict=True)]
        return judged.with_types(wrong, detail), typed

    return type_edits


def choose_sentences(options: argparse.Namespace, size: int) -> tuple[Sequence[int], str]:
    """Choose the sentences of the page, and say why these if they are not all."""
    from errata.corpus.texts import write_ranges
    from errata.report.page.data import describe_sample, sample_evenly
    from errata.settings import MOST_SENTENCES

    if options.sentences is not None and not options.as_subset:
        numbers = sorted(set(numbers_from(options, size)))
        return [number - 1 for number in numbers], describe_sample(len(numbers), size, ",".join(write_ranges(numbers)))
    shown = sample_evenly(size, getattr(options, "max_sentences", None) or MOST_SENTENCES)
    return shown, describe_sample(len(shown), size) if len(shown) < size else ""


@contextmanager
def watch(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show progress."""
    from errata.report.progress import ProgressBar

    with ProgressBar(what, total, in_core=True) as bar:
        yield bar.advance


def describe_run(options: argparse.Namespace) -> tuple[str, list[str]]:
    """The command as it was given, without the file that it writes, and what was warned of; both with files without their folders.

    A page is sent to others, who have other folders.
    """
    words, lines = [], warnings_so_far()
    given = iter(options.given)
    for word in given:
        if word in {"-o", "--output"}:
            next(given, None)
        elif not word.startswith(("-o", "--output=")):
            name, equals, path = word.rpartition("=")
            words.append(f"{name}{equals}{os.path.basename(path)}" if os.path.exists(path) and os.sep in path else word)  # noqa: PTH110, PTH119
    for path in filter(lambda word: os.sep in word, (split_name(word)[1] for word in options.given)):
        lines = [line.replace(path, os.path.basename(path)) for line in lines]  # noqa: PTH119
    return shlex.join(["errata", *words]), lines


def _write_page(report: Report, path: str) -> None:
    """Write a page, in full or not at all."""
    from errata.formats.writing import write_bytes
    from errata.report.page.document import make_page

    flush_warnings()
    write_bytes(path, make_page(report, watch).encode("utf-8", "backslashreplace"))


_REPORT_EXAMPLES = """\
examples:
  errata report examples/learner.m2 examples/systems/*.txt -o report.html
  errata report examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m imeasure -m gleu -o report.html
  errata report examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m gleu --judgments examples/judgments/rankings.tsv \\
      -o report.html
  errata report examples/errant/gold.m2 examples/errant/eager.m2 -m errant \\
      -o report.html

The page is one file: open it in a browser, mail it, print it or put it on a
web server.  It needs no network, and loads and sends nothing.
It has a leaderboard with intervals, paired tests, scores by error type, the
most frequent edits, charts, and every sentence with the edits of every system.
With --judgments it also says how far the metrics agree with people.
Edits are judged by the first metric that shows edits, or by maxmatch if none
does.
Tests are by default those of the bootstrap, which take the replicates of the
intervals; --test randomisation is the default of errata compare.
A page has at most 100,000 sentences: of a larger corpus an even sample, or
those that --sentences names.  All numbers are of all sentences.
"""


def _register_report(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "report",
        help="write a page with scores, differences, types, edits and sentences",
        description="Write a page (HTML) with everything about systems, to look at in a browser.",
        epilog=_REPORT_EXAMPLES,
    )
    add_corpus_arguments(parser, subset="; all are scored, and the page lists these")
    add_systems(parser)
    add_options(parser, "--as-subset", "--max-sentences", "--judgments", "--first-sentence")
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)'; may be repeated (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--types", type=type_system_name)
    add_options(parser, "--type-detail", "--tagger", "--pos-tags", "--type-order")
    add_option(parser, "--test", " (default bootstrap)", default="bootstrap")
    add_option(parser, "--correction", default="holm")
    add_option(parser, "--alpha")
    add_bootstrap_arguments(parser)
    add_options(parser, "--title")
    add_option(parser, "--output", ": .html", required=True)
    parser.set_defaults(run=_run_report, prints=lambda _: False)


def _run_report(options: argparse.Namespace) -> int:
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.evaluation import Testing, build_report, type_by_tagger
    from errata.stats.comparison import check_replicates

    if options.output != "-" and not options.output.lower().endswith((".html", ".htm")):
        raise UsageError(f"a page is HTML, so its name ends in .html, found {options.output!r}")
    bootstrap = bootstrap_from(options, 1 - alpha_from(options))
    testing = Testing(options.test, options.correction, options.alpha)
    check_replicates(len(options.systems), testing.test, testing.correction, bootstrap, testing.alpha)
    with DrawingProcess() as drawer:  # it starts while systems are scored
        metrics = metrics_from(options)
        corpus = whole_corpus_from(options)
        if options.as_subset:
            corpus = corpus.subset(numbers_from(options, len(corpus)))
        shown, sampled = choose_sentences(options, len(corpus))
        rules = given_types_from(options)
        scores = score_on(corpus, options, metrics, rules.type_gold if rules is not None else None)
        systems = [score.system for score in scores[: len(scores) // len(metrics)]]
        judged = None
        if options.judgments:
            from errata.studies.judgments import read_judgments
            from errata.studies.meta import JudgedSentences

            given = read_judgments(options.judgments, warn=print_warning)
            first, everything = options.first_sentence, not options.sentences
            judged = JudgedSentences.of_outputs(given, corpus, systems, first=first, all_outputs=everything, warn=print_warning)
        detail: Detail = options.type_detail or "full"
        type_edits = (
            _type_by_rules(rules, corpus, detail)
            if rules
            else type_by_tagger(suit_tagger(tagger_from(options), options, corpus), type_order_from(options), detail)
        )
        command, warnings = describe_run(options)
        report = replace(
            build_report(group_by_metric(scores, len(metrics)), type_edits, bootstrap, testing, drawer, watch, judged),
            shown=shown,
            sampled=sampled,
            title=options.title,
            command=command,
            warnings=warnings,
        )
        _write_page(report, options.output)
    return 0


_CHART_EXAMPLES = """\
examples:
  errata chart precision-recall examples/learner.m2 examples/systems/*.txt \\
      -o precision-recall.svg
  errata chart length examples/learner.m2 examples/systems/*.txt -o length.svg
  errata chart metrics examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m gleu -o metrics.svg
  errata chart improvement examples/learner.m2 examples/systems/*.txt \\
      -o improvement.svg
  errata chart wacc examples/learner.m2 examples/systems/*.txt -o weights.png
  errata chart intervals examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -o intervals.svg

precision-recall: precision against recall, with lines of equal F.
length: the score against sentence length: sentences in groups by the tokens of
the source, with about as many in each; the value is that of the whole group.
metrics: one metric against another, with a point for each system, and lines for
its intervals if --confidence asks for them.
improvement: I-measure of every system, from -100 (nothing is right) over 0 (as
good as the source) to 100 (a correct text).
wacc: weighted accuracy against the weight w; the source is a thin line for each
system, or a grey band if there are more than 6 systems.
intervals: the score of every system by any metric, with its interval (95%, or
another level by --confidence).
Scores are times 100, as in tables.
The extension of the file chooses SVG, PNG or PDF.
"""
_KINDS = ("improvement", "wacc", "intervals", "precision-recall", "length", "metrics")
_IMPROVEMENT, _WACC, _INTERVALS, _PRECISION, _LENGTH, _METRICS = _KINDS


def _register_chart(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "chart", help="draw scores of systems", description="Draw scores of systems as SVG, PNG or PDF.", epilog=_CHART_EXAMPLES
    )
    parser.add_argument("kind", choices=_KINDS, metavar="KIND", help=f"{', '.join(_KINDS[:-1])} or {_KINDS[-1]}")
    add_system_arguments(parser)
    note = "; imeasure for improvement and wacc, two for metrics (default imeasure; maxmatch for precision-recall and length)"
    add_option(parser, "--metric", note, action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--confidence", "; for intervals, where they are always drawn, and metrics")
    add_option(parser, "--output", f": {PICTURE_ENDINGS}", required=True)
    parser.set_defaults(run=_run_chart, prints=lambda _: False)


def _run_chart(options: argparse.Namespace) -> int:
    from errata.metrics import registry
    from errata.metrics.imeasure import IMeasure
    from errata.report.charts.parts import check_chart_path, save_chart

    check_chart_path(options.output)
    if options.confidence is not None and options.kind not in {_INTERVALS, _METRICS}:
        raise UsageError(f"--confidence needs errata chart intervals or metrics, found {options.kind}")
    metrics = [registry.metric(name) for name in _names_of_metrics(options.kind, options.metric)]
    if options.kind in {_IMPROVEMENT, _WACC} and not isinstance(metrics[0], IMeasure):
        raise UsageError(f"errata chart {options.kind} draws imeasure, found {metrics[0].name}")
    _, scores = score_systems(options, metrics)
    save_chart(_draw(options.kind, scores, options.confidence).draw(), options.output)
    return 0


def _names_of_metrics(kind: str, given: list[str] | None) -> list[str]:
    """The metrics that are drawn; the default depends on the kind."""
    default = [] if kind == _METRICS else ["maxmatch" if kind in {_PRECISION, _LENGTH} else "imeasure"]
    names = given or default
    if kind != _METRICS and len(names) > 1:
        raise UsageError("-m is given twice, but only one is used here")
    if kind == _METRICS and len(names) != 2:  # noqa: PLR2004 - two axes
        raise UsageError(f"errata chart metrics needs two metrics, such as -m maxmatch -m imeasure, found {len(names)}")
    if len(set(names)) < len(names):
        raise UsageError(f"{names[0]} is given twice; a metric is drawn against another")
    return names


def _draw(kind: str, scores: list[Score], level: float | None) -> Drawing:
    from errata.report.charts.scores import make_drawing
    from errata.stats import Bootstrap

    if kind == _INTERVALS and (undefined := next((score for score in scores if score.value != score.value), None)):
        raise RequestError(f"{undefined.metric} of {undefined.system_name} is undefined, so it cannot be drawn")
    bootstrap = Bootstrap(level) if level is not None else Bootstrap() if kind == _INTERVALS else None
    return make_drawing(kind, scores, intervals_of(scores, bootstrap))


COMMANDS = {"report": _register_report, "chart": _register_chart}
