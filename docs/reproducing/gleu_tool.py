"""GLEU: the authors' scripts, the package of PyPI, gec-metrics, JFLEG and SEEDA."""

from __future__ import annotations

from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING

import errata
from errata import Evaluator

from reproducing.blocks import Grid, Listing, Missing, Recordings, Section
from reproducing.figures import Absent, Cause, Figure, Recording
from reproducing.public_data import MODERN_SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata import Corpus, Score

    from reproducing.public_data import PublicData

_COLUMNS = {
    "official_py2": "gleu",
    "official_py3": "gleu(variant=official_py3)",
    "pypi_fixed": "gleu",
    "gecmetrics_gleuofficial": "gleu(variant=gleuofficial)",
    "gecmetrics_gleu": "gleu(variant=corrected)",
    "official_2016may_py2": "gleu(variant=official_2016may)",
    "original_2016mar_l0": "gleu(variant=original_2016mar)",
    "original_2016mar_l0.1": "gleu(variant=original_2016mar,weight=0.1)",
    "original_2016mar_l0.2": "gleu(variant=original_2016mar,weight=0.2)",
    "original_2016mar_l1": "gleu(variant=original_2016mar,weight=1)",
    "original_2015jun_l0": "gleu(variant=original_2015jun)",
    "original_2015jun_l0.1": "gleu(variant=original_2015jun,weight=0.1)",
    "combined_m2_refs_official_py2": "gleu(missing=noop)",
    "combined_m2_refs_gecmetrics_gleu": "gleu(variant=corrected,missing=noop)",
    "pypi_max": "gleu(variant=best_reference)",
}
"""Columns that tools printed, and the metric for each."""
_WHAT = {
    "official_py2": "the script since 2017, Python 2",
    "official_py3": "the script since 2017, Python 3",
    "pypi_fixed": "package of PyPI, `-f`",
    "pypi_max": "package of PyPI, `-m`",
    "gecmetrics_gleuofficial": "gec-metrics `gleuofficial`",
    "gecmetrics_gleu": "gec-metrics `gleu`",
    "official_2016may_py2": "the script of May 2016",
    "combined_m2_refs_official_py2": "the script, uncorrected references for absent annotators",
    "combined_m2_refs_gecmetrics_gleu": "gec-metrics `gleu`, uncorrected references for absent annotators",
}
_RANKS = Cause("unknown", "How the package ranks references whose value is 0 is not known; errata ranks them by their smoothed values.")
_SEEDA = Cause("unknown", "With the draws of Python 3 REF-F has the published score, but then the others have not.")


def make_section(data: PublicData) -> Section:
    """Compare published scores and recorded values."""
    published = {row["system"]: row["score"] for row in data.rows("expected/metaevaluation/published_scores.tsv") if _is_seeda(row)}
    seeda = [
        (name, [Figure(published[name], 100 * data.score("noalt", name, "gleu").value, _SEEDA)]) for name in ("INPUT", *MODERN_SYSTEMS)
    ]
    missing = [
        Absent("PyPI, README", "CAMB, 59.2553", 1, "its output"),
        Absent("JFLEG, README", "source and references of the test set", 2, "the test set"),
        Absent("SEEDA", "GLEU of the other systems", len(published) - len(seeda), "their outputs"),
        Absent(
            "Napoles et al. 2015, 2016", "GLEU of 12 systems, and rankings by GLEU", None, "the outputs of five systems, and the papers"
        ),
    ]
    return Section(
        "GLEU",
        "Many scripts compute GLEU; the metric is [`gleu`](gleu.md), and its [variants](gleu.md#variants) name them.\n"
        "The second reference of CoNLL-2014 is the text of annotator 1 in all sentences.",
        [
            Listing("Published scores", list(_compare_published(data))),
            Grid("GLEU in SEEDA (Kobayashi et al. 2024)", ("System", "GLEU"), seeda, "`gleu` on all 1,312 sentences."),
            Recordings("Recorded values", [_compare_counts(data), *_compare_columns(data), *_compare_jfleg(data)], _RECORDED_TEXT),
            Missing("Not recomputed of GLEU", missing),
        ],
    )


_RECORDED_TEXT = "Scores of 12 outputs of CoNLL-2014, and of two systems and the source of JFLEG dev, to the sixth digit after the point."


def _is_seeda(row: dict[str, str]) -> bool:
    return (row["benchmark"], row["metric"]) == ("SEEDA", "GLEU")


@cache
def _read_jfleg(data: PublicData) -> Corpus:
    folder = data.folder / "jfleg"
    return errata.read(folder / "dev.src", references=[folder / f"dev.ref{number}" for number in range(4)])


@cache
def _make_evaluator(data: PublicData, metric: str) -> Evaluator:
    return Evaluator(_read_jfleg(data), metric)


def _score_jfleg(data: PublicData, name: str, metric: str) -> Score:
    path = data.folder / "jfleg" / ("dev.src" if name == "dev.src" else f"systems/{name}.txt")
    return _make_evaluator(data, metric)(errata.read_system(path))


def _compare_published(data: PublicData) -> Iterator[tuple[str, str, Figure]]:
    for name, text in (("AMU", "58.3256"), ("INPUT", "56.6048")):
        yield "PyPI, README", name, Figure(text, 100 * data.score("noalt", name, "gleu").value)
    yield "JFLEG, README", "source of dev", Figure("38.21", 100 * _score_jfleg(data, "dev.src", "gleu").value)
    yield "JFLEG, README", "references of dev, each against the other three", Figure("55.26", 100 * fmean(_score_references(data)))


def _score_references(data: PublicData) -> Iterator[float]:
    folder = data.folder / "jfleg"
    paths = [folder / f"dev.ref{number}" for number in range(4)]
    for path in paths:
        gold = errata.read(folder / "dev.src", references=[other for other in paths if other != path])
        yield errata.score(gold, errata.read_system(path), "gleu").value


def _compare_counts(data: PublicData) -> Recording:
    pairs: list[tuple[object, object]] = []
    for row in data.rows("expected/gleu/conll14.counts.tsv.gz"):
        evidence = data.score("noalt", row["system"], "gleu").evidence
        own = evidence.rows[int(row["sentence"])][int(row["reference"])]
        recorded = (*(int(row[name]) for name in ("hyp_len", "ref_len", "n1", "n2", "n3", "n4")), f"{float(row['smoothed']):.6f}")
        pairs.append((recorded, (*own[:6], f"{evidence.metric.sentence_value(own):.6f}")))
    return Recording.of("the official script: lengths and numerators of sentences and references, smoothed values", pairs)


def _compare_columns(data: PublicData) -> Iterator[Recording]:
    rows = data.rows("expected/gleu/conll14.tsv")
    for column, metric in _COLUMNS.items():
        pairs = [(row[column], f"{data.score('noalt', row['system'], metric).value:.6f}") for row in rows]
        what = _WHAT.get(column) or f"the original of {'March 2016' if 'mar' in column else 'June 2015'}, λ = {column.rpartition('_l')[2]}"
        yield Recording.of(f"{what}: `{metric}`", pairs, _RANKS if column == "pypi_max" else None)


def _compare_jfleg(data: PublicData) -> Iterator[Recording]:
    rows = data.rows("expected/gleu/jfleg-dev.tsv")
    for column in ("official_py2", "official_py3"):
        pairs = [(row[column], f"{_score_jfleg(data, row['system'], _COLUMNS[column]).value:.6f}") for row in rows]
        yield Recording.of(f"JFLEG dev, {_WHAT[column]}: `{_COLUMNS[column]}`", pairs)
