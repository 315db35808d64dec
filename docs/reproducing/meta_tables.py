"""Metrics against people: Grundkiewicz et al. 2015, SEEDA, Napoles et al. 2015, and gec-metrics."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import errata
from errata.meta import HumanScores, JudgedSentences, MetaSettings, MetricScores, SystemSet, evaluate_metrics, read_scores, score_by_people
from errata.meta.system_level import correlate_with_people
from errata.meta.windows import correlate_windows
from errata.ratios import make_edit_ratios

from reproducing.blocks import Grid, Missing, Recordings, Section
from reproducing.errant_tool import score_edits
from reproducing.figures import Absent, Cause, Figure, Recording, require
from reproducing.imeasure_printed import TABLE_11
from reproducing.judgment_figures import list_judgment_blocks, rate, read
from reproducing.public_data import MODERN_SYSTEMS, SYSTEMS_OF_2014

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.meta.tie_rules import TieRule

    from reproducing.public_data import PublicData

_FOLDER = "expected/metaevaluation"
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
_LEFT_OUT = {
    "base": {"INPUT", "REF-F", "GPT-3.5"},
    "+INPUT": {"REF-F", "GPT-3.5"},
    "+fluency": {"INPUT"},
    "all": set[str](),
    "all13": set[str](),
}
_OLD_SCORER = Cause(
    "not specified",
    "The authors' scores of MaxMatch differ from those of release 3.2 in the third digit; their release and texts are not known.",
)
_SIX = 5e-7
"""Half a unit of the sixth digit."""
_QUOTED = Cause(
    "unknown",
    "The figures are quoted from other papers. "
    "errata has them from SEEDA's published scores of metrics, on all 1,312 sentences, and of people; SEEDA scored the 391 judged sentences. "
    "Two of the Spearman correlations (.764, .897) cannot occur for 12 systems without ties.",
)
_NAPOLES = {"M²": ("0.358", "0.429"), "I-measure": ("-0.051", "-0.005")}
"""Pearson and Spearman of 2016."""
_OTHER_PEOPLE = Cause("unknown", "The authors' ranking of systems by people is another one from the fourth place on.")
_TIES: dict[TieRule, str] = {"loss": "seeda", "neither": "neither", "drop": "drop"}


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
            Recordings("Recorded correlations and agreement", [*_compare_recorded(data), *_compare_agreement(data)], _RECORDED_TEXT),
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
        row["system"]: row for row in data.rows(f"{_FOLDER}/published_scores.tsv") if (row["benchmark"], row["metric"]) == ("GJG15", "M2")
    }
    for name in ("INPUT", *SYSTEMS_OF_2014):
        score = data.score("noalt", name)
        values = (score.value, score.parts["precision"], score.parts["recall"])
        printed = (published[name][column] for column in ("score", "precision", "recall"))
        yield name, [Figure(text, value, _OLD_SCORER) for text, value in zip(printed, values, strict=True)]


@cache
def _read_people(data: PublicData, name: str) -> HumanScores:
    (scores,) = read_scores([f"{data.folder}/{_FOLDER}/human.tsv:{name}"])
    return HumanScores.from_elsewhere(scores)


@cache
def _read_metrics(data: PublicData, benchmark: str) -> dict[str, MetricScores]:
    path = data.folder / _FOLDER / "published_scores.tsv"
    return {scores.name: MetricScores.from_elsewhere(scores) for scores in read_scores([f"{path}:{benchmark} *"])}


def _score_from_shares(data: PublicData, beta: str) -> MetricScores:
    """Compute F from the published P and R."""
    known = _read_metrics(data, "GJG15")
    precision, recall = (known[f"GJG15 M2 {name}"].values for name in ("precision", "recall"))
    ratios = make_edit_ratios(float(beta))
    (above, _, _), (_, wrong, missed) = ratios.f.numerator, ratios.f.denominator
    values = {}
    for name, p in precision.items():
        below = missed * p + wrong * recall[name]
        values[name] = above * p * recall[name] / below if below else 0.0
    return MetricScores("M2", values)


def _correlate(people: HumanScores, metric: MetricScores, left_out: set[str]) -> tuple[float, float]:
    """Compute Pearson's r and Spearman's rho."""
    systems = tuple(name for name in people.values if name not in left_out)
    found = {own.coefficient: own.value for own in correlate_with_people(people, [metric], SystemSet("", systems))}
    return require(found["pearson"]), require(found["spearman"])


def _compare_correlations(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    people = _read_people(data, "GJG15 EW published")
    metrics = [(f"M², F{beta}", _score_from_shares(data, beta), spearman, pearson) for beta, (spearman, pearson) in _BETAS.items()]
    known = _read_metrics(data, "GJG15")
    metrics += [(name, known[f"GJG15 {key} score"], spearman, pearson) for key, (name, spearman, pearson) in _OTHERS.items()]
    for name, metric, spearman, pearson in metrics:
        r, rho = _correlate(people, metric, set())
        yield name, [Figure(spearman, rho), Figure(pearson, r)]


def _compare_seeda(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    for name, printed in _SEEDA.items():
        row: list[Figure | None] = []
        for which, texts in zip(("edit", "sent"), printed, strict=True):
            people = _read_people(data, f"SEEDA TS_{which} published")
            values = _correlate(people, _read_metrics(data, "SEEDA")[f"SEEDA {name} score"], _LEFT_OUT["base"])
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


def _compare_recorded(data: PublicData) -> Iterator[Recording]:
    for benchmark in ("GJG15", "SEEDA"):
        pairs: list[tuple[object, object]] = []
        for row in data.rows(f"{_FOLDER}/correlations.tsv"):
            if row["benchmark"] == benchmark:
                found = _correlate(*_find_scores(data, row), _LEFT_OUT[row["systems"]])
                pairs += _pair(found, (row["pearson"], row["spearman"]))
        yield Recording.of(f"{benchmark}: Pearson and Spearman", pairs)
    windows = {}
    for measure in ("EW_edit", "EW_sent", "TS_edit", "TS_sent"):
        people = _read_people(data, f"SEEDA {measure} published")
        systems = [name for name in people.values if name not in _LEFT_OUT["base"]]
        for name in ("M2", "ERRANT", "GLEU"):
            for own in correlate_windows(people, [_read_metrics(data, "SEEDA")[f"SEEDA {name} score"]], systems, [4, 8]):
                windows[measure, f"{name} published", own.size, own.first_rank, own.last_rank] = (
                    require(own.pearson),
                    require(own.spearman),
                )
    pairs = []
    for row in data.rows(f"{_FOLDER}/windows.tsv"):
        key = (row["human"], row["metric"], int(row["size"]), int(row["from_rank"]), int(row["to_rank"]))
        pairs += _pair(windows[key], (row["pearson"], row["spearman"]))
    yield Recording.of("SEEDA: Pearson and Spearman of windows of 4 and 8 systems", pairs)


def _pair(found: Sequence[float], recorded: Sequence[str]) -> list[tuple[object, object]]:
    """Compare to the six digits that were recorded."""
    return [(True, abs(value - float(text)) <= _SIX * 1.001) for value, text in zip(found, recorded, strict=True)]


def _find_scores(data: PublicData, row: dict[str, str]) -> tuple[HumanScores, MetricScores]:
    benchmark = row["benchmark"]
    people = _read_people(data, f"GJG15 {row['human']}" if benchmark == "GJG15" else f"SEEDA {row['human']} published")
    if row["metric"].endswith("from published P, R"):
        return people, _score_from_shares(data, row["metric"].split()[1][1:])
    return people, _read_metrics(data, benchmark)[f"{benchmark} {row['metric'].split()[0]} score"]


def _compare_agreement(data: PublicData) -> Iterator[Recording]:
    rows = data.rows(f"{_FOLDER}/agreement.tsv")
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
