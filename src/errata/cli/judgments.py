"""``errata judgments``: rankings by people, how far judges agree, and what they say about systems."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from errata.cli.inputs import name_files
from errata.cli.judgment_inputs import check_names, choose_from, number_sentences
from errata.cli.printing import TABLE, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, pluralise
from errata.names import DEFAULT_RANKING_REPLICATES, JUDGED_UNITS
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from errata.cli.parser import Parser
    from errata.studies.judgments import (
        FittedJudgments,
        HumanAgreement,
        HumanJudgments,
        JudgeCorrelation,
        Numbering,
        Ranking,
        WinCounts,
    )

_NO_RANKING = "none"
_EXAMPLES = """\
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


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "judgments",
        help="rank systems by judgments of people",
        description="Count judgments of people, compare judges, and rank systems.",
        epilog=_EXAMPLES,
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
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, count, rank, print."""
    from errata.report.tables.people import head_to_head_table, human_ranking_table, judge_pairs_table, judges_table
    from errata.studies.judgments import correlate_judges, count_wins, measure_human_agreement, read_judgments

    judgments = read_judgments(options.files, warn=print_warning)
    numbering, fitted = _fit_outputs(options, judgments)
    if fitted is not None:
        judgments = fitted.judgments
    judgments = choose_from(options, judgments)
    agreement = measure_human_agreement(judgments.items)
    for judge in agreement.outliers:
        print_warning(f"{judge} agrees with no other judge better than chance")
    wins = count_wins(judgments.items, judgments.systems)
    ranking = None if options.ranking == _NO_RANKING else _rank(options, judgments)
    correlations = correlate_judges(judgments, options.opponents)
    if options.format == "json":
        print_json({**_record(judgments, agreement, wins, ranking, numbering, fitted), **_correlations_record(correlations)})
        return 0
    notes = _list_notes(judgments, agreement, numbering, fitted)
    tables = [judges_table(judgments.items, agreement, notes)]
    if options.by_judge_pair:
        tables.append(judge_pairs_table(agreement, correlations))
    if ranking is not None:
        tables.append(human_ranking_table(ranking))
    if options.head_to_head:
        tables.append(head_to_head_table(wins, [row.system for row in ranking] if ranking is not None else judgments.systems))
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
    from errata.studies.judgments import join_identical

    if not options.outputs:
        return None, None
    outputs = _read_outputs(options)
    check_names(judgments.systems, list(outputs))
    numbering = number_sentences(options, judgments, outputs)
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


def _record(
    judgments: HumanJudgments,
    agreement: HumanAgreement,
    wins: WinCounts,
    ranking: Ranking | None,
    numbering: Numbering | None,
    fitted: FittedJudgments | None,
) -> dict[str, Any]:
    from errata.studies.judgments import count_judged_pairs
    from errata.studies.judgments.items import PAIR_KINDS

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
