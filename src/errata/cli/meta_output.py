"""What ``errata meta`` prints and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.inputs import gold_record
from errata.cli.printing import print_json, print_tables
from errata.errors import pluralise
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.corpus.corpus import Corpus
    from errata.studies.judgments import HumanJudgments
    from errata.studies.meta import JudgedSentences, MetaEvaluation, MetaIntervals
    from errata.studies.meta.evaluation import Sweep


def print_evaluation(
    options: argparse.Namespace,
    evaluation: MetaEvaluation,
    corpus: Corpus | None,
    judged: JudgedSentences | None,
    judgments: HumanJudgments | None,
) -> None:
    """Print all tables, or one JSON object."""
    from errata.report.tables.people import describe_people, meta_tables

    signatures = [metric.signature for metric in evaluation.metrics]
    if options.format == "json":
        gold = gold_record(corpus) if corpus is not None else {}
        print_json({"errata": __version__, **gold, **_record(evaluation, judged, judgments)})
        return
    notes = [describe_people(evaluation, judged)]
    if judgments is not None and judgments.skipped + judgments.empty:
        notes.append(f"Left out: {pluralise(judgments.skipped, 'item')} that judges skipped, {judgments.empty:,} without a ranking.")
    fixed = [] if evaluation.human.varies else ["people"]
    fixed += [metric.name for metric in evaluation.metrics if not metric.varies]
    if fixed and evaluation.settings.intervals is not None and len(fixed) <= len(evaluation.metrics):
        notes.append(f"The same in all replicates: scores by {', '.join(fixed)}.")
    print_tables(meta_tables(evaluation, [*notes, *signatures]), options.format)


def _record(evaluation: MetaEvaluation, judged: JudgedSentences | None, judgments: HumanJudgments | None) -> dict[str, Any]:
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


def draw_charts(options: argparse.Namespace, evaluation: MetaEvaluation) -> None:
    """Draw what is asked for."""
    if not any((options.chart, options.window_chart, options.heatmap)):
        return
    from errata.report.charts.parts import save_chart
    from errata.report.charts.people import heatmap_chart, human_chart, window_chart

    for path, draw in ((options.chart, human_chart), (options.window_chart, window_chart), (options.heatmap, heatmap_chart)):
        if path is not None:
            save_chart(draw(evaluation), path)


def print_sweep(options: argparse.Namespace, sweep: Sweep, signature: str, systems: int, intervals: MetaIntervals | None) -> None:
    """Print the values of a setting, and what cross-validation says."""
    from errata.report.tables.people import sweep_table

    if options.format == "json":
        values = [value._asdict() for value in sweep.values]
        print_json({"errata": __version__, **sweep._asdict(), "values": values, "systems": systems, "signature": signature})
        return
    print_tables([sweep_table(sweep, systems, signature, intervals)], options.format)
