"""``errata meta`` and ``errata judgments``: people, and metrics judged against them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.cli.inputs import add_corpus_arguments, add_systems, corpus_from, gold_record, name_files, systems_from
from errata.cli.methods import alpha_from
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.score import group_by_metric, metrics_from, score_on
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, pluralise
from errata.settings import DEFAULT_RANKING_REPLICATES, INTERVAL_METHODS, JUDGED_UNITS, RANKING_METHODS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.metrics.base import Metric
    from errata.studies.judgments.items import (
        FittedJudgments,
        HumanAgreement,
        HumanJudgments,
        JudgeCorrelation,
        Numbering,
        WinCounts,
    )
    from errata.studies.judgments.ranking import Ranking
    from errata.studies.meta.evaluation import MetaEvaluation, Sweep
    from errata.studies.meta.scores import HumanScores, JudgedSentences, MetricScores
    from errata.studies.meta.systems import MetaIntervals


_META_EXAMPLES = """\
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


def _register_meta(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "meta",
        help="compare metrics with judgments of people",
        description="Compare the scores of metrics with judgments of people.",
        epilog=_META_EXAMPLES,
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
    parser.set_defaults(run=_run_meta)


def _run_meta(options: argparse.Namespace) -> int:
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
    _draw_charts(options, evaluation)
    _print_evaluation(options, evaluation, inputs.corpus, inputs.judged, inputs.judgments)
    return 0


_OF_GOLD = ("metric", "sentences", "judged_only")
_OF_JUDGMENTS = ("judged_only", "by_judge", "first_sentence", "judges", "leave_out", "runs")
_NOT_SWEPT = ("without", "window", "by_judge", "chart", "window_chart", "heatmap", "scores")


def _refuse_ignored(options: argparse.Namespace) -> None:
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
    from errata.studies.meta import HumanScores, JudgedSentences, MetricScores, read_scores

    if bool(options.judgments) == (options.human_scores is not None):
        raise UsageError("give --judgments or --human-scores: the judgments of people, or their scores of systems")
    if options.gold is None and not options.scores:
        raise UsageError("there is nothing to compare with people: give GOLD and SYSTEM..., or --scores, or both")
    others = [MetricScores.from_elsewhere(scores) for scores in read_scores(options.scores)]
    judgments = read_judgments(options.judgments, warn=print_warning) if options.judgments else None
    corpus, systems = None, []
    if options.gold is not None:
        if not options.systems:
            raise UsageError("the following arguments are required: SYSTEM")
        corpus = corpus_from(options)
        systems = systems_from(options, options.systems, corpus)
    judged = None
    if judgments is not None:
        chosen = _choose_from(options, judgments)
        if corpus is None:
            judged = _place_without_outputs(options, chosen, others)
        else:
            judged = JudgedSentences.of_outputs(
                judgments,
                corpus,
                systems,
                chosen,
                first=options.first_sentence,
                refuse_unmatched=options.unmatched == "refuse",
                all_outputs=not options.sentences,
                warn=print_warning,
            )
        judgments = chosen
    if judged is not None and corpus is not None and options.judged_only:
        judged, corpus, systems = judged.keep_judged(corpus, systems)
    if corpus is not None and corpus.part is not None:
        for scores in others:
            print_warning(f"{scores.name}: its scores of systems are as in their table, not of the {len(corpus):,} sentences alone")
    own = [] if corpus is None else _score(options, corpus, metrics, systems)
    if options.human_scores is not None:
        return _Inputs(HumanScores.from_elsewhere(_one_of(options.human_scores)), [*own, *others], None, None, corpus)
    assert judged is not None  # noqa: S101 - there are judgments
    return _Inputs(_score_by_people(options, judged), [*own, *others], judged, judgments, corpus)


def _choose_from(options: argparse.Namespace, judgments: HumanJudgments) -> HumanJudgments:
    """Keep the judgments that --judges and --leave-out say."""
    from errata.studies.judgments import choose_judgments

    judges, left_out = ([name.strip() for given in names for name in given.split(",")] for names in (options.judges, options.leave_out))
    return choose_judgments(judgments, judges, left_out) if judges or left_out else judgments


def _one_of(argument: str) -> Any:
    from errata.studies.meta import read_scores

    found = read_scores([argument])
    if len(found) > 1:
        names = ", ".join(scores.name for scores in found)
        raise UsageError(f"--human-scores takes one list of scores, found {len(found)}; choose one with FILE:NAME from {names}")
    return found[0]


def _place_without_outputs(options: argparse.Namespace, judgments: HumanJudgments, others: Sequence[MetricScores]) -> JudgedSentences:
    from errata.studies.meta import JudgedSentences

    if options.judged_only:
        raise UsageError("--judged-only needs GOLD")
    return JudgedSentences.without_outputs(judgments, options.first_sentence, numbered=any(own.sentences is not None for own in others))


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
    from errata.studies.meta.evaluation import SweptSetting, find_common_systems
    from errata.studies.meta.scores import Replicates

    setting = SweptSetting.parse(options.sweep)
    if options.gold is None:
        raise UsageError("--sweep needs GOLD and SYSTEM..., which are scored with each value")
    given = metrics_from(options)
    if len(given) != 1:
        raise UsageError(f"--sweep takes one metric, found {len(given)}")
    variants = [registry.metric(text) for text in setting.write_variants(given[0])]
    extra = [] if given[0] in variants else given
    inputs = _read(options, [*variants, *extra])
    own = inputs.metrics[: len(variants)]
    as_given = inputs.metrics[variants.index(given[0])] if not extra else inputs.metrics[len(variants)]
    _report_unmatched(options, inputs)
    systems, _ = find_common_systems(inputs.human, inputs.metrics)
    replicates = None
    if intervals is not None and inputs.corpus is not None:
        with ProgressBar("resampling", len(own) * intervals.replicates) as bar:
            replicates = Replicates.of(inputs.human, own, systems, len(inputs.corpus), intervals.bootstrap, progress=bar.advance)
    found = setting.compare(inputs.human, own, systems, as_given, coefficient=options.coefficient, replicates=replicates)
    _print_sweep(options, found, as_given.signature, len(systems), intervals)
    return 0


def _print_evaluation(
    options: argparse.Namespace,
    evaluation: MetaEvaluation,
    corpus: Corpus | None,
    judged: JudgedSentences | None,
    judgments: HumanJudgments | None,
) -> None:
    from errata.report.tables.people import meta_tables

    signatures = [metric.signature for metric in evaluation.metrics]
    if options.format == "json":
        gold = gold_record(corpus) if corpus is not None else {}
        print_json({"errata": __version__, **gold, **_record_meta(evaluation, judged, judgments)})
        return
    notes = []
    if judgments is not None and judgments.skipped + judgments.empty:
        notes.append(f"Left out: {pluralise(judgments.skipped, 'item')} that judges skipped, {judgments.empty:,} without a ranking.")
    fixed = [] if evaluation.human.varies else ["people"]
    fixed += [metric.name for metric in evaluation.metrics if not metric.varies]
    if fixed and evaluation.settings.intervals is not None and len(fixed) <= len(evaluation.metrics):
        notes.append(f"The same in all replicates: scores by {', '.join(fixed)}.")
    print_tables(meta_tables(evaluation, judged, [*notes, *signatures]), options.format)


def _record_meta(evaluation: MetaEvaluation, judged: JudgedSentences | None, judgments: HumanJudgments | None) -> dict[str, Any]:
    settings = evaluation.settings
    people: dict[str, Any] = {"scores": dict(evaluation.human.values), "how": evaluation.human.name}
    if judged is not None and judgments is not None:
        people |= {"items": len(judged.items), "sentences": len(judged.judged_numbers), "first_sentence": judged.first}
        people |= {"judges": judged.judges, "skipped": judgments.skipped, "empty": judgments.empty}
    return {
        "people": people,
        "systems": evaluation.systems,
        "sets": [{"name": own.name, "systems": own.systems} for own in evaluation.sets],
        "metrics": [{"metric": metric.name, "scores": dict(metric.values), "signature": metric.signature} for metric in evaluation.metrics],
        "settings": {
            "intervals": None if settings.intervals is None else settings.intervals._asdict(),
            "pairs": settings.pairs,
            "ties": settings.ties,
            "coefficient": settings.coefficient,
            "correction": settings.correction,
            "alpha": settings.alpha,
            "opponents": settings.opponents,
        },
        **{
            name: [row._asdict() for row in getattr(evaluation, name)]
            for name in ("correlations", "comparisons", "agreements", "agreement_comparisons", "windows", "judges")
        },
    }


def _draw_charts(options: argparse.Namespace, evaluation: MetaEvaluation) -> None:
    if not any((options.chart, options.window_chart, options.heatmap)):
        return
    from errata.report.charts.parts import save_chart
    from errata.report.charts.people import heatmap_chart, human_chart, window_chart

    for path, draw in ((options.chart, human_chart), (options.window_chart, window_chart), (options.heatmap, heatmap_chart)):
        if path is not None:
            save_chart(draw(evaluation), path)


def _print_sweep(options: argparse.Namespace, sweep: Sweep, signature: str, systems: int, intervals: MetaIntervals | None) -> None:
    """Print the values of a setting, and what cross-validation says."""
    from errata.report.tables.people import sweep_table

    if options.format == "json":
        values = [value._asdict() for value in sweep.values]
        print_json({"errata": __version__, **sweep._asdict(), "values": values, "systems": systems, "signature": signature})
        return
    print_tables([sweep_table(sweep, systems, signature, intervals)], options.format)


_NO_RANKING = "none"
_JUDGMENTS_EXAMPLES = """\
examples:
  errata judgments examples/judgments/rankings.tsv
  errata judgments examples/judgments/rankings.xml \\
      --outputs examples/systems/*.txt --head-to-head
  errata judgments examples/judgments/rankings.tsv --ranking bradley-terry \\
      --resample judge --format json

FILE is XML of Appraise, or a table (CSV or TSV) with an item in each row
(sentence, judge, ranking such as A,B=1 C=2) or a pair in each row (sentence,
judge, system1, rank1, system2, rank2, or the names of WMT).  Rank 1 is best.
Pairs are those of outputs, which several systems may share; pairs of systems
also count those that share an output, as ties.
Kappa is that of the three outcomes of a pair (better, tied, worse), with other
judges, or with the judge's own judgment of the same outputs; means leave out
pairs of judges with fewer than 50 comparisons.
"""


def _register_judgments(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "judgments",
        help="rank systems by judgments of people",
        description="Count judgments of people, compare judges, and rank systems.",
        epilog=_JUDGMENTS_EXAMPLES,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="judgments: XML, CSV or TSV, also compressed")
    add_options(parser, "--outputs", "--first-sentence", "--judges", "--leave-out")
    add_option(parser, "--ranking", ", or none")
    add_option(parser, "--runs")
    add_option(parser, "--confidence", " (default 0.95)")
    add_option(parser, "--replicates", f" of the ranking (default {DEFAULT_RANKING_REPLICATES:,})", default=None)
    add_option(parser, "--seed", default=0)
    add_option(parser, "--resample", " (default sentence: all items of a sentence together)", choices=JUDGED_UNITS)
    add_options(parser, "--opponents", "--head-to-head", "--by-judge-pair")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_judgments)


def _run_judgments(options: argparse.Namespace) -> int:
    from errata.report.tables.people import judgment_tables
    from errata.studies.judgments import correlate_judges, count_wins, measure_human_agreement, read_judgments

    judgments = read_judgments(options.files, warn=print_warning)
    numbering, fitted = _fit_outputs(options, judgments)
    if fitted is not None:
        judgments = fitted.judgments
    judgments = _choose_from(options, judgments)
    agreement = measure_human_agreement(judgments.items)
    for judge in agreement.outliers:
        print_warning(f"{judge} agrees with no other judge better than chance")
    wins = count_wins(judgments.items, judgments.systems)
    ranking = None if options.ranking == _NO_RANKING else _rank(options, judgments)
    correlations = correlate_judges(judgments, options.opponents)
    if options.format == "json":
        print_json({**_record_judgments(judgments, agreement, wins, ranking, numbering, fitted), **_correlations_record(correlations)})
        return 0
    notes = _list_notes(judgments, agreement, numbering, fitted)
    paired = correlations if options.by_judge_pair else None
    tables = judgment_tables(judgments.items, agreement, notes, paired, ranking, wins if options.head_to_head else None)
    print_tables(tables, options.format)
    return 0


def _rank(options: argparse.Namespace, judgments: HumanJudgments) -> Ranking:
    from errata.report.progress import ProgressBar
    from errata.studies.judgments import RankingReplicates, count_judged_pairs, rank_by_judgments

    given = {name: getattr(options, name) for name in ("replicates", "resample", "seed", "runs") if getattr(options, name) is not None}
    settings = RankingReplicates(level=options.confidence or 0.95, **given)
    with ProgressBar("playing matches", count_judged_pairs(judgments.items, "expanded").pairs + 1) as bar:
        return rank_by_judgments(judgments, options.ranking, settings, bar.advance)


def _fit_outputs(options: argparse.Namespace, judgments: HumanJudgments) -> tuple[Numbering | None, FittedJudgments | None]:
    """Find out how sentences are numbered, and join identical outputs; nothing of both without outputs."""
    from errata.studies.judgments import join_identical, number_sentences

    if not options.outputs:
        return None, None
    outputs = _read_outputs(options)
    numbering = number_sentences(judgments, outputs, first=options.first_sentence, warn=print_warning)
    return numbering, join_identical(judgments, outputs, numbering.first or 0)


def _read_outputs(options: argparse.Namespace) -> Mapping[str, list[str]]:
    from errata.formats.lines import read_text
    from errata.formats.problems import WarnOnce

    outputs = {
        name: [" ".join(tokens) for tokens in read_text(path, WarnOnce(path, print_warning))]
        for name, path in name_files(options.outputs).items()
    }
    lengths: dict[int, str] = {}
    for name, texts in outputs.items():
        lengths.setdefault(len(texts), name)
    if len(lengths) > 1:
        found = ", ".join(f"{pluralise(length, 'sentence')} of {name}" for length, name in lengths.items())
        raise MismatchError(f"outputs must have the same number of sentences, found {found}")
    return outputs


def _list_notes(
    judgments: HumanJudgments, agreement: HumanAgreement, numbering: Numbering | None, fitted: FittedJudgments | None
) -> list[str]:
    about = f"{pluralise(len(judgments.sentences), 'sentence')}, {pluralise(len(judgments.systems), 'system')}"
    left_out = f"{pluralise(judgments.skipped, 'item')} skipped, {judgments.empty:,} empty, {judgments.single:,} with a single output"
    notes = [f"{about}; {left_out}."]
    if any(item.seconds is not None for item in judgments.items):
        notes.append("Minutes: the time of all items, with breaks; Seconds: the median of an item.")
    if agreement.alpha_nominal is not None and agreement.alpha_interval is not None:
        alphas = f"{agreement.alpha_nominal:.4f} (nominal), {agreement.alpha_interval:.4f} (interval)"
        notes.append(f"Krippendorff's alpha: {alphas}.")
    if numbering is not None and fitted is not None:
        equal = f"{numbering.equal[numbering.first or 0]:,} of {numbering.compared:,} joined outputs are equal"
        notes.append(f"Sentences are counted from {numbering.first}: {equal}.")
        notes.append(
            f"Identical outputs: {fitted.joined:,} joined; {fitted.contradicting:,} have different ranks and stay apart; "
            f"{fitted.different:,} that the file joins differ."
        )
    return notes


def _correlations_record(correlations: Sequence[JudgeCorrelation]) -> dict[str, Any]:
    from errata.studies.judgments.items import average_correlations

    spearman, pearson = average_correlations(correlations)
    rows = [row._asdict() for row in correlations]
    return {"judge_correlations": {"spearman": spearman, "pearson": pearson, "pairs": rows}}


def _ranking_record(ranking: Ranking) -> dict[str, Any]:
    return {"method": ranking.method, "how": ranking.how, "undefined": ranking.undefined, "systems": ranking.rows()}


def _measure_time(seconds: Sequence[float]) -> dict[str, float | None]:
    from statistics import median

    return {"seconds": sum(seconds), "median_seconds": median(seconds)} if seconds else {"seconds": None, "median_seconds": None}


def _record_judgments(
    judgments: HumanJudgments,
    agreement: HumanAgreement,
    wins: WinCounts,
    ranking: Ranking | None,
    numbering: Numbering | None,
    fitted: FittedJudgments | None,
) -> dict[str, Any]:
    from errata.settings import PAIR_KINDS
    from errata.studies.judgments import count_judged_pairs

    def count(judge: str | None) -> dict[str, Any]:
        own = [item for item in judgments.items if judge in {None, item.judge}]
        seconds = [item.seconds for item in own if item.seconds is not None]
        pairs: dict[str, Any] = {kind: count_judged_pairs(own, kind)._asdict() for kind in PAIR_KINDS}
        return {"items": len(own), **pairs, **_measure_time(seconds)}

    counts = {name: getattr(judgments, name) for name in ("skipped", "empty", "single")}
    return {
        "errata": __version__,
        **count(None),
        **counts,
        "sentences": len(judgments.sentences),
        "systems": judgments.systems,
        "judges": [{"judge": judge, **count(judge), "kappa": agreement.with_others(judge)} for judge in judgments.judges],
        "agreement": {
            "between": agreement.between,
            "within": agreement.within,
            "alpha_nominal": agreement.alpha_nominal,
            "alpha_interval": agreement.alpha_interval,
            "outliers": agreement.outliers,
            "pairs": [pair._asdict() for pair in agreement.pairs],
        },
        "wins": wins.wins,
        "ties": wins.ties,
        "cycles": wins.list_cycles(),
        "ranking": None if ranking is None else _ranking_record(ranking),
        "numbering": None if numbering is None else numbering._asdict(),
        "identical": None if fitted is None else {name: value for name, value in asdict(fitted).items() if name != "judgments"},
    }


COMMANDS = {"meta": _register_meta, "judgments": _register_judgments}
