"""``errata meta``: metrics judged against people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.cli.inputs import add_corpus_arguments, add_systems, corpus_from, systems_from
from errata.cli.judgment_inputs import check_names, choose_from, list_output_texts, number_sentences
from errata.cli.meta_output import draw_charts, print_evaluation, print_sweep
from errata.cli.printing import TABLE, print_warning
from errata.cli.scores import group_by_metric, list_inputs, metrics_from, score_on
from errata.cli.statistics_arguments import alpha_from
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, pluralise
from errata.names import RANKING_METHODS
from errata.studies.meta.systems import INTERVAL_METHODS

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.metrics import Metric
    from errata.studies.judgments import HumanJudgments
    from errata.studies.meta import HumanScores, JudgedSentences, MetaIntervals, MetricScores

_EXAMPLES = """\
examples:
  errata meta examples/learner.m2 examples/systems/*.txt \\
      --judgments examples/judgments/rankings.tsv -m maxmatch -m gleu
  errata meta examples/learner.m2 examples/systems/*.txt \\
      --judgments examples/judgments/rankings.tsv --ties loss \\
      --judged-pairs expanded --format json
  errata meta --human-scores examples/judgments/people.csv \\
      --scores examples/judgments/scores.csv --window 3

Systems are compared by the correlation of their scores by a metric and by
people, sentences by how often metric and judge prefer the same of two outputs.
Intervals are over sentences, which are resampled with their judgments; those
over systems say what other systems would give.
A table of --scores has the column system, a column of numbers for each metric,
or one column of numbers and columns of names, and perhaps sentence (from 1).
"""
_DEFAULT_REPLICATES = 1_000


class _Inputs(NamedTuple):
    """What was read: scores by people and by metrics, and the judgments with their sentences."""

    human: HumanScores
    metrics: list[MetricScores]
    judged: JudgedSentences | None
    judgments: HumanJudgments | None
    corpus: Corpus | None


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "meta",
        help="compare metrics with judgments of people",
        description="Compare the scores of metrics with judgments of people.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, optional=True)
    add_systems(parser, "; none if all scores come from --scores", "*")
    parser.set_defaults(takes_evidence=False)
    add_options(parser, "--judgments", "--first-sentence", "--judges", "--leave-out")
    add_options(parser, "--human-scores", "--scores", "--judged-only", "--unmatched")
    add_option(parser, "--metric", "; may be repeated (default maxmatch)", action="append")
    add_option(parser, "--ranking", choices=RANKING_METHODS)
    add_options(parser, "--runs", "--judged-pairs", "--ties", "--coefficient", "--without", "--window", "--sweep", "--opponents")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--confidence", " (here always, default 0.95)")
    add_option(parser, "--interval", "; of correlations here hierarchical, for few systems", choices=INTERVAL_METHODS)
    add_option(parser, "--replicates", f" (default {_DEFAULT_REPLICATES:,}; 100 or more, or 0 for none)", default=_DEFAULT_REPLICATES)
    add_option(parser, "--seed", default=0)
    add_options(parser, "--correction", "--alpha", "--by-judge")
    add_option(parser, "--chart", "; here scores by metrics against scores by people")
    add_options(parser, "--window-chart", "--heatmap")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, score, compare with people, print."""
    from errata.report.charts.parts import check_chart_path
    from errata.report.progress import ProgressBar
    from errata.studies.meta import MetaSettings, evaluate_metrics

    for path in (options.chart, options.window_chart, options.heatmap):
        if path is not None:
            check_chart_path(path)
    if options.window_chart is not None and not options.window:
        raise UsageError("--window-chart needs --window")
    _refuse_ignored(options)
    alpha = alpha_from(options)
    intervals = _intervals_from(options)
    if options.sweep is not None:
        return _sweep(options, intervals)
    inputs = _read(options, metrics_from(options) if options.gold is not None else [])
    settings = MetaSettings(
        intervals=intervals,
        level=options.confidence or 0.95,
        pairs=options.judged_pairs,
        ties=options.ties,
        coefficient=options.coefficient,
        correction=options.correction or "holm",
        alpha=alpha,
        without=tuple(options.without),
        windows=tuple(options.window or ()),
        by_judge=options.by_judge,
        opponents=options.opponents,
    )
    _report_unmatched(options, inputs)
    with ProgressBar("resampling", len(inputs.metrics) * (intervals.replicates if intervals else 0)) as bar:
        evaluation = evaluate_metrics(inputs.human, inputs.metrics, inputs.judged, settings, bar.advance)
    draw_charts(options, evaluation)
    print_evaluation(options, evaluation, inputs.corpus, inputs.judged, inputs.judgments)
    return 0


_OF_GOLD = ("metric", "sentences", "judged_only")
_OF_JUDGMENTS = ("judged_only", "by_judge", "first_sentence", "judges", "leave_out", "runs")
_NOT_SWEPT = ("without", "window", "by_judge", "chart", "window_chart", "heatmap", "scores")


def _refuse_ignored(options: argparse.Namespace) -> None:
    """Refuse options that would be ignored."""
    for names, ignored, needed in (
        (_OF_GOLD, options.gold is None, "needs GOLD and SYSTEM..."),
        (_OF_JUDGMENTS, not options.judgments, "needs --judgments"),
        (_NOT_SWEPT, options.sweep is not None, "cannot be combined with --sweep"),
    ):
        for name in names if ignored else ():
            if getattr(options, name):
                raise UsageError(f"--{name.replace('_', '-')} {needed}")
    if not options.replicates and options.interval is not None:
        raise UsageError("--interval needs replicates, found --replicates 0")


def _intervals_from(options: argparse.Namespace) -> MetaIntervals | None:
    from errata.studies.meta import MetaIntervals

    if not options.replicates:
        return None
    intervals = MetaIntervals(options.confidence or 0.95, options.replicates, options.seed, options.interval or "hierarchical")
    _ = intervals.bootstrap  # checks the numbers
    return intervals


def _read(options: argparse.Namespace, metrics: list[Metric]) -> _Inputs:
    """Read judgments, outputs and other scores, and score the outputs."""
    from errata.studies.judgments import read_judgments
    from errata.studies.meta import HumanScores, MetricScores, read_scores

    if bool(options.judgments) == (options.human_scores is not None):
        raise UsageError("give --judgments or --human-scores: the judgments of people, or their scores of systems")
    if options.gold is None and not options.scores:
        raise UsageError("there is nothing to compare with people: give GOLD and SYSTEM..., or --scores, or both")
    others = [MetricScores.from_elsewhere(scores) for scores in read_scores(options.scores)]
    judgments = read_judgments(options.judgments, warn=print_warning) if options.judgments else None
    corpus, systems, first = None, [], options.first_sentence
    if options.gold is not None:
        if not options.systems:
            raise UsageError("the following arguments are required: SYSTEM")
        corpus = corpus_from(options, also=list_inputs(options))
        systems = systems_from(options, options.systems, corpus)
        if judgments is not None:
            chosen = choose_from(options, judgments).systems
            left_out = set(judgments.systems).difference(chosen)
            given = [system.name for system in systems if system.name not in left_out]
            check_names(chosen, given, refuse=options.unmatched == "refuse")
            first = number_sentences(options, judgments, list_output_texts(corpus, systems)).first
    judgments = choose_from(options, judgments) if judgments is not None else None
    numbered = any(own.sentences is not None for own in others)
    judged = None if judgments is None else _place(options, judgments, corpus, first, numbered=numbered)
    if judged is not None and corpus is not None and options.judged_only:
        places = {number: index for index, number in enumerate(corpus.numbers)}
        corpus = corpus.subset(judged.judged_numbers)
        systems = [system.select([places[number] for number in corpus.numbers]) for system in systems]
        judged = replace(judged, numbers=tuple(corpus.numbers))
    if corpus is not None and corpus.part is not None:
        for scores in others:
            print_warning(f"{scores.name}: its scores of systems are as in their table, not of the {len(corpus):,} sentences alone")
    own = [] if corpus is None else _score(options, corpus, metrics, systems)
    if options.human_scores is not None:
        return _Inputs(HumanScores.from_elsewhere(_one_of(options.human_scores)), [*own, *others], None, None, corpus)
    assert judged is not None  # noqa: S101 - there are judgments
    return _Inputs(_score_by_people(options, judged), [*own, *others], judged, judgments, corpus)


def _one_of(argument: str) -> Any:
    from errata.studies.meta import read_scores

    found = read_scores([argument])
    if len(found) > 1:
        names = ", ".join(scores.name for scores in found)
        raise UsageError(f"--human-scores takes one list of scores, found {len(found)}; choose one with FILE:NAME from {names}")
    return found[0]


def _place(
    options: argparse.Namespace, judgments: HumanJudgments, corpus: Corpus | None, first: int | None, *, numbered: bool
) -> JudgedSentences:
    """Find the sentence of each item; without a corpus, the judged sentences are all there are.

    ``numbered`` says whether other scores have sentences, whose numbers matter.
    """
    from errata.studies.meta import JudgedSentences

    if corpus is None:
        if options.judged_only:
            raise UsageError("--judged-only needs GOLD")
        if first is None and numbered and 0 not in judgments.sentences:
            raise UsageError("judgments may count sentences from 0 or 1, and there are no outputs to show it; --first-sentence says it")
        start = 0 if first is None and 0 in judgments.sentences else 1 if first is None else first
        return JudgedSentences.of(judgments, [number - start + 1 for number in judgments.sentences], start)
    whole = corpus.part.whole if corpus.part is not None else len(corpus)
    judged = JudgedSentences.of(judgments, corpus.numbers, first or 0, whole)
    if left := len(judgments.items) - len(judged.items):
        print_warning(f"{pluralise(left, 'item')} left out: their sentences are not among those of --sentences")
    return judged


def _score(options: argparse.Namespace, corpus: Corpus, metrics: list[Metric], systems: list[System]) -> list[MetricScores]:
    from errata.studies.meta import MetricScores

    scores = score_on(corpus, options, metrics, systems=systems)
    return [MetricScores.of(group) for group in group_by_metric(scores, len(metrics))]


def _score_by_people(options: argparse.Namespace, judged: JudgedSentences) -> HumanScores:
    from errata.report.progress import ProgressBar
    from errata.studies.judgments import count_judged_pairs
    from errata.studies.meta import score_by_people

    runs = {} if options.runs is None else {"runs": options.runs}
    with ProgressBar("playing matches", count_judged_pairs(judged.items, "expanded").pairs + 1) as bar:
        return score_by_people(judged.items, judged.places, options.ranking, seed=options.seed, progress=bar.advance, **runs)


def _report_unmatched(options: argparse.Namespace, inputs: _Inputs) -> None:
    """List systems that people or a metric did not score; those of outputs and judgments were listed before."""
    from errata.studies.meta.evaluation import find_common_systems

    _, missing = find_common_systems(inputs.human, inputs.metrics)
    known = options.gold is not None and bool(options.judgments)
    told = {name for name, who in missing.items() if known and _is_told(who, inputs)}
    for name, who in missing.items():
        if name in told:
            continue
        message = f"{name} has no score by {', '.join(who)}"
        if options.unmatched == "refuse":
            raise MismatchError(message)
        print_warning(f"{message}, so it is left out")


def _is_told(who: list[str], inputs: _Inputs) -> bool:
    own = [metric.name for metric in inputs.metrics if metric.evidence is not None]
    return who in (["people"], own)


def _sweep(options: argparse.Namespace, intervals: MetaIntervals | None) -> int:
    """Try the values of a setting."""
    from errata.metrics import registry
    from errata.report.progress import ProgressBar
    from errata.studies.meta.evaluation import find_common_systems, parse_sweep, sweep_setting, write_variants
    from errata.studies.meta.scores import resample_scores

    setting, values = parse_sweep(options.sweep)
    if options.gold is None:
        raise UsageError("--sweep needs GOLD and SYSTEM..., which are scored with each value")
    given = metrics_from(options)
    if len(given) != 1:
        raise UsageError(f"--sweep takes one metric, found {len(given)}")
    variants = [registry.metric(text) for text in write_variants(given[0], setting, values)]
    extra = [] if given[0] in variants else given
    inputs = _read(options, [*variants, *extra])
    own = inputs.metrics[: len(variants)]
    as_given = inputs.metrics[variants.index(given[0])] if not extra else inputs.metrics[len(variants)]
    _report_unmatched(options, inputs)
    systems, _ = find_common_systems(inputs.human, inputs.metrics)
    replicates = None
    if intervals is not None and inputs.corpus is not None:
        with ProgressBar("resampling", len(own) * intervals.replicates) as bar:
            replicates = resample_scores(inputs.human, own, systems, len(inputs.corpus), intervals.bootstrap, progress=bar.advance)
    found = sweep_setting(
        inputs.human, own, values, systems, as_given, setting=setting, coefficient=options.coefficient, replicates=replicates
    )
    print_sweep(options, found, as_given.signature, len(systems), intervals)
    return 0
