"""Judgments of people: Grundkiewicz et al. 2015 (GJG15), Kobayashi et al. 2024 (SEEDA) and Napoles et al. 2017 (JFLEG)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from errata.studies.judgments import (
    compute_expected_wins,
    compute_true_skill,
    correlate_judges,
    count_judged_pairs,
    count_wins,
    measure_human_agreement,
    read_judgments,
)
from errata.studies.judgments.items import average_correlations

from progress import tell
from reproducing.blocks import Grid, Listing, Supplement
from reproducing.figures import Cause, Claim, Figure, require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.studies.judgments import HumanJudgments

    from reproducing.blocks import Block
    from reproducing.public_data import PublicData

Row = tuple[str, str, Figure | Claim]
_FILES = {
    "GJG15": "gjg15.tsv.gz",
    "SEEDA-E": "seeda-edit.tsv.gz",
    "SEEDA-S": "seeda-sent.tsv.gz",
    "JFLEG": "jfleg-pairs.tsv",
    "Napoles15": "napoles15.tsv.gz",
}
RUNS = {"GJG15": 6, "SEEDA-E": 20, "SEEDA-S": 20, "JFLEG": 100, "Napoles15": 10}
"""Runs of TrueSkill, of which the mean is taken."""
_TABLE_1 = (
    ("18,400", "10,166"),
    ("13,657", "8,429"),
    ("18,912", "9,684"),
    ("9,478", "5,539"),
    ("17,107", "8,972"),
    ("19,313", "9,209"),
    ("3,383", "1,593"),
    ("8,848", "5,525"),
)
"""Pairs of systems and ties of the eight judges."""
_JFLEG = {"turk": "2.60", "NMT": "0.21", "NUS": "-0.20", "AMU": "-0.46", "CAMB": "-0.51", "orig": "-1.64"}
_RESAMPLED = Cause("random numbers", "Published expected wins are means of 1,000 bootstrap samples; errata computes them from all pairs.")
_RUNS = Cause("random numbers", "TrueSkill draws pairs at random; published are means of 1,000 runs, here of {}.")


def list_judgment_blocks(data: PublicData) -> list[Block]:
    """Compare numbers of pairs, agreement of judges, and scores of systems by people."""
    return [
        Grid("GJG15, Table 1: pairs of systems", ("Judge", "Pairs", "Ties"), list(_compare_judges(data))),
        Listing("GJG15: pairs, agreement and judges", list(_compare_text(data))),
        Supplement("Pairs and agreement of all campaigns", ("", *_AGREEMENT_COLUMNS), [_describe_judges(data, name) for name in _FILES]),
        Grid("GJG15: systems by people", ("System", *_COLUMNS), _compare_scores(data, "GJG15", ("EW", "TS"))),
        Grid(
            "SEEDA: systems by people",
            ("System", *(f"{column}, {which}" for which in ("E", "S") for column in _COLUMNS)),
            [
                (name, [*one, *other])
                for (name, one), (_, other) in zip(
                    _compare_scores(data, "SEEDA-E", ("EW_edit", "TS_edit")),
                    _compare_scores(data, "SEEDA-S", ("EW_sent", "TS_sent")),
                    strict=True,
                )
            ],
        ),
        Grid("JFLEG: systems by people", ("System", "TrueSkill"), _compare_jfleg(data)),
    ]


_COLUMNS = ("Expected wins", "TrueSkill")
_AGREEMENT_COLUMNS = (
    "Pairs of outputs (ties)",
    "Pairs of systems (ties)",
    "Kappa between judges",
    "within judges",
    "Alpha, nominal",
    "interval",
)


@cache
def read(data: PublicData, name: str) -> HumanJudgments:
    """Read the judgments of a campaign."""
    return read_judgments(data.folder / "judgments" / _FILES[name])


@cache
def rate(data: PublicData, name: str) -> dict[str, float]:
    """Rate systems by TrueSkill."""
    judgments = read(data, name)
    tell(f"TrueSkill of {name}: {RUNS[name]} runs")
    mu = compute_true_skill(count_wins(judgments.items, judgments.systems), runs=RUNS[name]).mean(axis=0)
    return dict(zip(judgments.systems, mu.tolist(), strict=True))


@cache
def count_expected_wins(data: PublicData, name: str) -> dict[str, float]:
    """Compute expected wins of systems."""
    judgments = read(data, name)
    wins = np.array(count_wins(judgments.items, judgments.systems).wins, float)
    return dict(zip(judgments.systems, compute_expected_wins(wins).tolist(), strict=True))


def _compare_judges(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    judgments = read(data, "GJG15")
    for number, (judge, printed) in enumerate(zip(judgments.judges, _TABLE_1, strict=True), start=1):
        found = count_judged_pairs([item for item in judgments.items if item.judge == judge], "expanded")
        yield str(number), [Figure(text, value) for text, value in zip(printed, found, strict=True)]


def _compare_text(data: PublicData) -> Iterator[Row]:
    judgments = read(data, "GJG15")
    yield "Table 1", "ranking items, with skipped ones", Figure("2,319", len(judgments.items) + judgments.skipped)
    outputs, systems = (count_judged_pairs(judgments.items, kind) for kind in ("collapsed", "expanded"))
    for what, printed, counts in (("outputs", ("20,516", "5,694"), outputs), ("systems", ("109,098", "59,117"), systems)):
        for name, text, count in zip((f"pairs of {what}", "ties of them"), printed, counts, strict=True):
            yield "Table 1", name, Figure(text, count)
    agreement = measure_human_agreement(judgments.items)
    yield "Table 2", "kappa between judges", Figure("0.29", require(agreement.between))
    yield "Table 2", "kappa of judges with themselves", Figure("0.46", require(agreement.within))
    rows = correlate_judges(judgments, "won")
    first = next(row for row in rows if (row.judge, row.other) == (judgments.judges[0], judgments.judges[1]))
    spearman, pearson = average_correlations(rows)
    for name, text, value in (
        ("judges 1 and 2, Spearman", "0.70", first.spearman),
        ("judges 1 and 2, Pearson", "0.72", first.pearson),
        ("weighted mean, Spearman", "0.72", spearman),
        ("weighted mean, Pearson", "0.80", pearson),
    ):
        yield "Table 6", name, Figure(text, require(value))


def _describe_judges(data: PublicData, name: str) -> tuple[str, ...]:
    """Count pairs, and measure how far judges agree."""
    items = read(data, name).items
    outputs, systems = (count_judged_pairs(items, kind) for kind in ("collapsed", "expanded"))
    own = measure_human_agreement(items)
    shares = (own.between, own.within, own.alpha_nominal, own.alpha_interval)
    counts = (f"{pairs.pairs:,} ({pairs.ties:,})" for pairs in (outputs, systems))
    return (name, *counts, *("–" if share is None else f"{share:.3f}" for share in shares))


def _compare_scores(data: PublicData, name: str, measures: tuple[str, str]) -> list[tuple[str, list[Figure | None]]]:
    """Compare published scores of systems, best first by expected wins."""
    wins, skill = (
        {row["system"]: row["published"] for row in data.rows("expected/metaevaluation/human.tsv") if row["measure"] == measure}
        for measure in measures
    )
    own_wins, own_skill = count_expected_wins(data, name), rate(data, name)
    noise = _RUNS._replace(text=_RUNS.text.format(RUNS[name]))
    order = sorted(wins) if name.startswith("SEEDA") else sorted(wins, key=own_wins.__getitem__, reverse=True)
    return [
        (system, [Figure(wins[system], own_wins[system], _RESAMPLED), Figure(_shorten(skill[system]), own_skill[system], noise)])
        for system in order
    ]


def _shorten(text: str) -> str:
    """Keep two digits of a TrueSkill score, because single runs differ in the second one."""
    return f"{round(float(text), 2) + 0:.2f}"


def _compare_jfleg(data: PublicData) -> list[tuple[str, list[Figure | None]]]:
    own = rate(data, "JFLEG")
    noise = _RUNS._replace(text=_RUNS.text.format(RUNS["JFLEG"]))
    return [(system, [Figure(text, own[system], noise)]) for system, text in _JFLEG.items()]
