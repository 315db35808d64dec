"""ERRANT 3.0.2: counts that it prints for CoNLL-2014, and scores that SEEDA published."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import errata
from errata import Evaluator, ParseBank, Sentence, System
from errata.scoring.by_type import count_types

from reproducing.blocks import Grid, Missing, Recordings, Section, Supplement
from reproducing.figures import Absent, Cause, Figure, Recording
from reproducing.public_data import ALL_OUTPUTS, MODERN_SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata import Corpus, Score

    from reproducing.public_data import PublicData

_POLICIES = ("raw", "auto", "gold", "text")
_LEVELS = ("cs", "ds", "dt", "cse")
_COUNTS = ("tp", "fp", "fn")
_OPTIONS = {
    "beta=1": "beta=1",
    "beta=0.25": "beta=0.25",
    "single": "lengths=single",
    "multi": "lengths=multi",
    "filt R:OTHER R:SPELL M:PUNCT": "types=not:R:OTHER+R:SPELL+M:PUNCT",
    "ds single": "level=ds,lengths=single",
    "dt multi": "level=dt,lengths=multi",
}
_EXTRACTION = {
    "hypothesis -lev": "alignment=lev",
    "hypothesis -merge all-split": "merge=all-split",
    "hypothesis -merge all-merge": "merge=all-merge",
    "hypothesis -merge all-equal": "merge=all-equal",
}
_POLICY = Cause(
    "not specified",
    "SEEDA does not say how gold was made, or with which release of ERRANT and spaCy; no policy gives its scores exactly.",
)


def make_section(data: PublicData) -> Section:
    """Compare published scores and recorded counts."""
    published = {row["system"]: row["score"] for row in data.rows("expected/metaevaluation/published_scores.tsv") if _is_seeda(row)}
    rows = [
        (name, [Figure(published[name], 100 * score_edits(data, name, "text", "level=cs").value, _POLICY)])
        for name in ("INPUT", *MODERN_SYSTEMS)
    ]
    policies = [(f"`gold={policy}`", *_list_f(data, policy)) for policy in _POLICIES]
    recorded = [_compare_totals(data), _compare_sentences(data), _compare_categories(data), _compare_options(data), *_compare_texts(data)]
    missing = [
        Absent("SEEDA", "F0.5 of the other systems", len(published) - len(rows), "their outputs"),
        Absent("Bryant et al. (2017)", "tables of the paper", None, "the paper, and the outputs of five systems"),
    ]
    return Section(
        "ERRANT",
        "Release 3.0.2 with spaCy 3.8 and `en_core_web_sm` 3.8.0; the metric is [`errant`](errant.md).\n"
        "Parses are those that ERRANT had, so that this page needs no parser.",
        [
            Grid("ERRANT in SEEDA (Kobayashi et al. 2024)", ("System", "F0.5"), rows, "`errant(gold=text)` on all 1,312 sentences."),
            Supplement("F0.5 with other policies", ("", *MODERN_SYSTEMS), policies),
            Recordings("Counts of ERRANT", recorded, _RECORDED_TEXT),
            Missing("Not recomputed of ERRANT", missing),
        ],
    )


_RECORDED_TEXT = """\
Twelve outputs, four policies of gold (`raw`, `auto`, `gold`, `text`) and four levels (`cs`, `ds`, `dt`, `cse`).
The first four rows use the edits and types that ERRANT extracted.
In the others errata extracts the edits of the outputs, from the parses that ERRANT had."""


def _list_f(data: PublicData, policy: str) -> list[str]:
    return [f"{100 * score_edits(data, name, policy, 'level=cs').value:.2f}" for name in MODERN_SYSTEMS]


def _is_seeda(row: dict[str, str]) -> bool:
    return (row["benchmark"], row["metric"]) == ("SEEDA", "ERRANT")


@cache
def _read_gold(data: PublicData, policy: str) -> Corpus:
    return data.gold("noalt") if policy == "raw" else errata.read(data.folder / f"expected/errant/m2/gold.{policy}.m2.gz")


@cache
def _read_system(data: PublicData, name: str) -> System:
    if name == "INPUT":
        return System.of_edits(name, [Sentence(sentence.tokens) for sentence in data.gold("noalt")])
    return errata.read_system(data.folder / f"expected/errant/m2/{name}.m2.gz", gold=data.gold("noalt"))


@cache
def _make_evaluator(data: PublicData, policy: str, settings: str) -> Evaluator:
    return Evaluator(_read_gold(data, policy), f"errant(gold=raw,{settings})")


@cache
def score_edits(data: PublicData, name: str, policy: str, settings: str) -> Score:
    """Score the edits that ERRANT extracted, with gold of a policy."""
    return _make_evaluator(data, policy, settings)(_read_system(data, name))


def _read_counts(row: dict[str, str], before: str = "") -> tuple[int, ...]:
    return tuple(int(row[before + name]) for name in _COUNTS)


def _compare_totals(data: PublicData) -> Recording:
    pairs: list[tuple[object, object]] = []
    for row in data.rows("expected/errant/totals.tsv"):
        score = score_edits(data, row["system"], row["gold"], f"level={row['mode']}")
        values = (score.parts["precision"], score.parts["recall"], score.value)
        pairs += zip(_read_counts(row), score.counts, strict=True)
        pairs += zip((float(row[name]) for name in ("p", "r", "f0.5")), (round(value, 4) for value in values), strict=True)
    return Recording.of("totals: TP, FP, FN, P, R and F0.5", pairs)


def _compare_sentences(data: PublicData) -> Recording:
    pairs: list[tuple[object, object]] = []
    for name in ALL_OUTPUTS:
        recorded: dict[str, list[dict[str, str]]] = {}
        for row in data.rows(f"expected/errant/counts/{name}.tsv.gz"):
            recorded.setdefault(row["gold"], []).append(row)
        for policy in _POLICIES:
            for level in _LEVELS:
                pairs += zip(_list_recorded(recorded[policy], level), _list_own(data, name, policy, level), strict=True)
    return Recording.of("sentences and annotators: TP, FP, FN and the annotator chosen", pairs)


def _list_recorded(rows: list[dict[str, str]], level: str) -> list[tuple[object, ...]]:
    return [(int(row["sentence"]), row["annotator"], _read_counts(row, f"{level}_"), row[f"{level}_chosen"] == "1") for row in rows]


def _list_own(data: PublicData, name: str, policy: str, level: str) -> Iterator[tuple[object, ...]]:
    evidence = score_edits(data, name, policy, f"level={level}").evidence
    chosen = evidence.chosen or ()
    for number, (rows, labels) in enumerate(zip(evidence.rows, evidence.labels, strict=True)):
        for place, (counts, label) in enumerate(zip(rows, labels, strict=True)):
            yield number, label, counts, place == chosen[number]


def _compare_categories(data: PublicData) -> Recording:
    recorded: dict[tuple[str, str, str], dict[str, tuple[int, ...]]] = {}
    for row in data.rows("expected/errant/categories.tsv"):
        recorded.setdefault((row["system"], row["gold"], row["mode"]), {})[row["category"]] = _read_counts(row)
    pairs: list[tuple[object, object]] = []
    for (name, policy, level), wanted in recorded.items():
        found = {
            item.type: (item.matched, (item.proposed or 0) - item.matched, item.gold - item.matched)
            for item in count_types(score_edits(data, name, policy, f"level={level}"))
        }
        pairs += [(counts, found.get(category)) for category, counts in wanted.items()]
    return Recording.of("error types (`-cat 3`): TP, FP and FN", pairs)


def _compare_options(data: PublicData) -> Recording:
    pairs: list[tuple[object, object]] = []
    for row in data.rows("expected/errant/options.tsv"):
        if row["option"] in _OPTIONS:
            score = score_edits(data, row["system"], "auto", _OPTIONS[row["option"]])
            pairs.append(((*_read_counts(row), float(row["f"])), (*score.counts, round(score.value, 4))))
    return Recording.of("options (`-beta`, `-single`, `-multi`, `-filt`): TP, FP, FN and F", pairs)


def _compare_texts(data: PublicData) -> Iterator[Recording]:
    """Compare the counts of edits that errata extracts, with the parses that ERRANT had."""
    parses = ParseBank(files=[data.folder / "expected/errant/parses.tsv.gz"])
    evaluate = Evaluator(data.gold("noalt"), errata.metric("errant").with_data(parses=parses))
    totals = [row for row in data.rows("expected/errant/totals.tsv") if (row["gold"], row["mode"]) == ("auto", "cs")]
    pairs: list[tuple[object, object]] = [(_read_counts(row), evaluate(_fit(data, row["system"])).counts) for row in totals]
    yield Recording.of("edits from texts, `auto`, `cs`: TP, FP and FN", pairs)
    pairs = []
    for option, settings in _EXTRACTION.items():
        evaluate = Evaluator(_read_gold(data, "auto"), errata.metric(f"errant({settings})").with_data(parses=parses))
        rows = [row for row in data.rows("expected/errant/options.tsv") if row["option"] == option]
        pairs += [((*_read_counts(row), float(row["f"])), _round(evaluate(_fit(data, row["system"])))) for row in rows]
    yield Recording.of("edits from texts, other alignment and merging (`-lev`, `-merge`): TP, FP, FN and F", pairs)


def _fit(data: PublicData, name: str) -> System:
    return data.gold("noalt").fit(data.system(name=name))


def _round(score: Score) -> tuple[float, ...]:
    return (*score.counts, round(score.value, 4))
