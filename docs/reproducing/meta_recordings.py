"""Recorded correlations of metrics with people, and recorded agreement on sentences."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.studies.meta import (
    HumanScores,
    JudgedSentences,
    MetaSettings,
    MetricScores,
    evaluate_metrics,
    score_by_people,
)
from errata.studies.meta.systems import _correlate_windows

from reproducing.errant_tool import score_edits
from reproducing.figures import Recording, require
from reproducing.judgment_figures import read
from reproducing.public_data import MODERN_SYSTEMS, SYSTEMS_OF_2014
from reproducing.published_scores import FOLDER, LEFT_OUT, correlate, read_metrics, read_people, score_from_shares

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.settings import TieRule

    from reproducing.public_data import PublicData

_SIX = 5e-7
"""Half a unit of the sixth digit."""
_TIES: dict[TieRule, str] = {"loss": "seeda", "neither": "neither", "drop": "drop"}
"""Rules for ties, and their names in the recording."""


def compare_correlations(data: PublicData) -> Iterator[Recording]:
    """Compare correlations over systems, and over windows of them."""
    for benchmark in ("GJG15", "SEEDA"):
        pairs: list[tuple[object, object]] = []
        for row in data.rows(f"{FOLDER}/correlations.tsv"):
            if row["benchmark"] == benchmark:
                found = correlate(*_find_scores(data, row), LEFT_OUT[row["systems"]])
                pairs += _pair(found, (row["pearson"], row["spearman"]))
        yield Recording.of(f"{benchmark}: Pearson and Spearman", pairs)
    windows = {}
    for measure in ("EW_edit", "EW_sent", "TS_edit", "TS_sent"):
        people = read_people(data, f"SEEDA {measure} published")
        systems = [name for name in people.values if name not in LEFT_OUT["base"]]
        for name in ("M2", "ERRANT", "GLEU"):
            for own in _correlate_windows(people, [read_metrics(data, "SEEDA")[f"SEEDA {name} score"]], systems, [4, 8]):
                windows[measure, f"{name} published", own.size, own.first_rank, own.last_rank] = (
                    require(own.pearson),
                    require(own.spearman),
                )
    pairs = []
    for row in data.rows(f"{FOLDER}/windows.tsv"):
        key = (row["human"], row["metric"], int(row["size"]), int(row["from_rank"]), int(row["to_rank"]))
        pairs += _pair(windows[key], (row["pearson"], row["spearman"]))
    yield Recording.of("SEEDA: Pearson and Spearman of windows of 4 and 8 systems", pairs)


def _pair(found: Sequence[float], recorded: Sequence[str]) -> list[tuple[object, object]]:
    """Compare to the six digits that were recorded."""
    return [(True, abs(value - float(text)) <= _SIX * 1.001) for value, text in zip(found, recorded, strict=True)]


def _find_scores(data: PublicData, row: dict[str, str]) -> tuple[HumanScores, MetricScores]:
    benchmark = row["benchmark"]
    people = read_people(data, f"GJG15 {row['human']}" if benchmark == "GJG15" else f"SEEDA {row['human']} published")
    if row["metric"].endswith("from published P, R"):
        return people, score_from_shares(data, row["metric"].split()[1][1:])
    return people, read_metrics(data, benchmark)[f"{benchmark} {row['metric'].split()[0]} score"]


def compare_agreement(data: PublicData) -> Iterator[Recording]:
    """Compare agreement on sentences, on the systems whose outputs are here."""
    rows = data.rows(f"{FOLDER}/agreement.tsv")
    for metric in ("maxmatch", "errant(gold=auto)", "errant(gold=text)", "gleu"):
        pairs: list[tuple[object, object]] = []
        for row in (row for row in rows if row["metric"].replace("(official)", "") == metric):
            names = ("INPUT", *SYSTEMS_OF_2014) if row["benchmark"] == "GJG15" else ("INPUT", *MODERN_SYSTEMS)
            judged, people = _judge(data, row["benchmark"])
            for rule, written in _TIES.items():
                kind = "expanded" if row["pairs"] == "systems" else "collapsed"
                settings = MetaSettings(intervals=None, pairs=kind, ties=rule)  # type: ignore[arg-type]
                (found,) = evaluate_metrics(people, [_score(data, metric, names)], judged, settings).agreements
                counts = ("agree", "disagree", "metric_tie_first_better", "metric_tie_first_worse", "human_tie")
                pairs.append((tuple(int(row[key]) for key in counts), tuple(found[2:7])))
                pairs += _pair((require(found.accuracy), require(found.tau)), (row[f"acc_{written}"], row[f"tau_{written}"]))
        yield Recording.of(f"agreement on sentences, `{metric}`: counts, accuracy and tau", pairs)


@cache
def _judge(data: PublicData, benchmark: str) -> tuple[JudgedSentences, HumanScores]:
    judged = JudgedSentences.of(read(data, benchmark), range(1, len(data.gold("noalt")) + 1), 0)
    return judged, score_by_people(judged.items, judged.places)


@cache
def _score(data: PublicData, metric: str, names: tuple[str, ...]) -> MetricScores:
    if metric.startswith("errant"):
        policy = metric.removeprefix("errant(gold=").removesuffix(")")
        return MetricScores.of([score_edits(data, name, policy, "level=cs") for name in names])
    return MetricScores.of([data.score("noalt", name, metric) for name in names])
