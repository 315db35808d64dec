"""Metrics against people: Grundkiewicz et al. 2015, SEEDA, Napoles et al. 2015, and gec-metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import errata

from reproducing.blocks import Grid, Missing, Recordings, Section
from reproducing.figures import Absent, Cause, Figure, require
from reproducing.imeasure_printed import TABLE_11
from reproducing.judgment_figures import list_judgment_blocks, rate
from reproducing.meta_recordings import compare_agreement, compare_correlations
from reproducing.public_data import SYSTEMS_OF_2014
from reproducing.published_scores import FOLDER, LEFT_OUT, correlate, read_metrics, read_people, score_from_shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproducing.public_data import PublicData

_BETAS = {
    "1": ("0.648", "0.610"),
    "0.5": ("0.692", "0.627"),
    "0.25": ("0.720", "0.680"),
    "0.18": ("0.758", "0.701"),
    "0.1": ("0.670", "0.652"),
}
_OTHERS = {"iwacc": ("I-measure", "-0.154", "-0.098"), "bleu": ("BLEU", "-0.346", "-0.240"), "meteor": ("METEOR", "-0.374", "-0.241")}
"""Spearman and Pearson with expected wins, as printed."""
_SEEDA = {
    "M2": (("0.791", "0.764"), (None, None)),
    "ERRANT": (("0.697", "0.671"), ("0.557", "0.406")),
    "GLEU": (("0.911", "0.897"), (None, None)),
}
"""Pearson and Spearman with TrueSkill, base, SEEDA-E and SEEDA-S, as other papers quote them."""
_OLD_SCORER = Cause(
    "not specified",
    "The authors' scores of MaxMatch differ a little from those of release 3.2; their release and texts are not known.",
)
_QUOTED = Cause(
    "unknown",
    "The figures are quoted from other papers. "
    "errata has them from SEEDA's published scores of people, and of metrics on all 1,312 sentences; SEEDA scored the 391 judged ones. "
    "Two of the Spearman correlations (.764, .897) cannot occur for 12 systems without ties.",
)
_NAPOLES = {"M²": ("0.358", "0.429"), "I-measure": ("-0.051", "-0.005")}
"""Pearson and Spearman of 2016."""
_OTHER_PEOPLE = Cause("unknown", "The authors' ranking of systems by people is another one from the fourth system on.")


def make_section(data: PublicData) -> Section:
    """Compare judgments and correlations."""
    missing = [
        Absent("GJG15", "MaxMatch scores of CAMB, NTHU, POST, SJTU, UMC", 15, "their outputs"),
        Absent(
            "SEEDA",
            "correlations of metrics that errata does not have (BERTScore, SOME, IMPARA, ...) and of the judged sentences",
            None,
            "outputs of ten systems",
        ),
        Absent(
            "gec-metrics, README",
            "correlations of GLEU and ERRANT with SEEDA, system and sentence level",
            18,
            "outputs of ten systems; its second reference is wrong in 88 sentences",
        ),
        Absent("SEEDA", "agreement on sentences of M², ERRANT and GLEU, as other papers quote it", 6, "outputs of ten systems"),
        Absent("GJG15, Tables 2 and 7", "cells of single judges", None, "the printed numbers, which we do not have"),
        Absent(
            "Napoles et al. 2015, 2016",
            "correlations of GLEU and BLEU with TrueSkill",
            6,
            "the authors' metric scores, or outputs of five systems",
        ),
    ]
    return Section(
        "Metrics against people",
        "Grundkiewicz et al. (2015, GJG15), Kobayashi et al. (2024, SEEDA) and Napoles et al. (2017, JFLEG); "
        "the commands are [`errata judgments`](judgments.md) and [`errata meta`](meta.md).",
        [
            *list_judgment_blocks(data),
            Grid("GJG15: scores of MaxMatch", ("System", "F0.5", "P", "R"), list(_compare_scores(data))),
            Grid(
                "GJG15: correlations with expected wins",
                ("Metric", "Spearman", "Pearson"),
                list(_compare_correlations(data)),
                _CORRELATIONS_TEXT,
            ),
            Grid("SEEDA: correlations with TrueSkill, 12 systems", _SEEDA_COLUMNS, list(_compare_seeda(data))),
            Grid(
                "Napoles et al. (2015): correlations with TrueSkill",
                ("Metric", "Pearson", "Spearman"),
                list(_compare_napoles(data)),
                _NAPOLES_TEXT,
            ),
            Recordings("Recorded correlations and agreement", [*compare_correlations(data), *compare_agreement(data)], _RECORDED_TEXT),
            Missing("Not recomputed of meta-evaluation", missing),
        ],
    )


_CORRELATIONS_TEXT = "All 13 systems. Scores of metrics are the published ones; for M², F is computed from the published P and R."
_NAPOLES_TEXT = """\
Twelve systems, all judges.
Scores of metrics are published ones: F0.5 of the shared task with alternative answers, and I of Table 11 of Felice and Briscoe."""
_SEEDA_COLUMNS = ("Metric", *(f"{name}, {which}" for which in ("SEEDA-E", "SEEDA-S") for name in ("Pearson", "Spearman")))
_RECORDED_TEXT = """\
Correlations are computed from published scores of metrics and people, to the sixth digit.
Agreement on sentences is that of the systems whose outputs are here: pairs that agree, disagree and are tied, by three rules for ties."""


def _compare_scores(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    published = {
        row["system"]: row for row in data.rows(f"{FOLDER}/published_scores.tsv") if (row["benchmark"], row["metric"]) == ("GJG15", "M2")
    }
    for name in ("INPUT", *SYSTEMS_OF_2014):
        score = data.score("noalt", name)
        values = (score.value, score.parts["precision"], score.parts["recall"])
        printed = (published[name][column] for column in ("score", "precision", "recall"))
        yield name, [Figure(text, value, _OLD_SCORER) for text, value in zip(printed, values, strict=True)]


def _compare_correlations(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    people = read_people(data, "GJG15 EW published")
    metrics = [(f"M², F{beta}", score_from_shares(data, beta), spearman, pearson) for beta, (spearman, pearson) in _BETAS.items()]
    known = read_metrics(data, "GJG15")
    metrics += [(name, known[f"GJG15 {key} score"], spearman, pearson) for key, (name, spearman, pearson) in _OTHERS.items()]
    for name, metric, spearman, pearson in metrics:
        r, rho = correlate(people, metric, set())
        yield name, [Figure(spearman, rho), Figure(pearson, r)]


def _compare_seeda(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    for name, printed in _SEEDA.items():
        row: list[Figure | None] = []
        for which, texts in zip(("edit", "sent"), printed, strict=True):
            people = read_people(data, f"SEEDA TS_{which} published")
            values = correlate(people, read_metrics(data, "SEEDA")[f"SEEDA {name} score"], LEFT_OUT["base"])
            row += [None if text is None else Figure(text, value, _QUOTED) for text, value in zip(texts, values, strict=True)]
        yield name, row


def _compare_napoles(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    people = rate(data, "Napoles15")
    f = {row["team"]: float(row["F05_alt"]) for row in data.rows("published/conll2014_results.tsv") if row["team"] in people}
    improvement = {name: float(row[-1]) for name, row in TABLE_11.items() if name in people}
    for metric, scores in (("M²", f), ("I-measure", improvement)):
        found = errata.correlate(list(scores.values()), [people[name] for name in scores])
        yield (
            metric,
            [
                Figure(text, require(value), _OTHER_PEOPLE)
                for text, value in zip(_NAPOLES[metric], (found.pearson, found.spearman), strict=True)
            ],
        )
