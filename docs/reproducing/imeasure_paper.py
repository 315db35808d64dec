"""Felice and Briscoe 2015, *Towards a standard evaluation method for grammatical error detection and correction*: tables of systems."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import errata
from errata import Evaluator, list_unclear
from errata.metrics.imeasure import _compute_improvement, _Measures
from errata.stats import compare_with_source

from reproducing.blocks import Grid, Listing, Missing, Recordings, Section
from reproducing.figures import Absent, Cause, Claim, Figure, Recording, require
from reproducing.imeasure_examples import compare_examples
from reproducing.imeasure_printed import COLUMNS_11, TABLE_8, TABLE_10, TABLE_11
from reproducing.public_data import SYSTEMS_OF_2014

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata import Corpus, Score

    from reproducing.public_data import PublicData

_EXISTING = "imeasure(baseline=existing)"
_ROWS = {"BASELINE": "INPUT", **{name: name for name in SYSTEMS_OF_2014}}
"""Rows of Tables 10 and 11, and the outputs for them."""
_OTHER_SENTENCES = Cause(
    "not specified",
    "The paper scores 711 sentences and does not say which; these are the 697 of the [closest rule known](imeasure.md#unclear-sentences).",
)
_SIGNIFICANT = 0.01


def make_section(data: PublicData) -> Section:
    """Compare the figures of the paper."""
    hidden = [name for name in TABLE_11 if name not in _ROWS]
    teams = f"the outputs of {', '.join(hidden)}"
    missing = [
        Absent("Table 10", "P, R and F0.5 of five systems", 6 * len(hidden), teams),
        Absent("Table 11", "counts and measures of five systems", 12 * len(hidden), teams),
        Absent("Figures 2, 3", "curves of WAcc, scale of I", None, "no numbers in the text; [charts](imeasure.md#charts) draw both"),
    ]
    return Section(
        "I-measure: Felice and Briscoe (2015)",
        "*Towards a standard evaluation method for grammatical error detection and correction*; the metric is [`imeasure`](imeasure.md).",
        [
            Listing("Examples", list(compare_examples(data))),
            Grid("Table 8", ("System", "P", "R", "F0.5", "Acc", "WAcc"), list(_compare_table_8())),
            Grid("Table 10: MaxMatch", _COLUMNS_10, list(_compare_table_10(data)), _ORDER_10),
            Grid("Table 11: counts", ("System", *COLUMNS_11[:_COUNTS]), _compare_table_11(data, slice(_COUNTS)), _ALIGNED),
            Grid(
                "Table 11: measures",
                ("System", *COLUMNS_11[_COUNTS:]),
                _compare_table_11(data, slice(_COUNTS, None)),
                _describe_others(data),
            ),
            Listing("Section 3", list(_compare_text(data))),
            Recordings("Table 11 and the 697 sentences", [*_check_table_11(), _compare_recorded(data)], _CHECK_TEXT),
            Missing("Not recomputed of Felice and Briscoe", missing),
        ],
    )


_COLUMNS_10 = ("System", *(f"{name}, {what}" for what in ("original", "mixed") for name in ("P", "R", "F0.5")))
_COUNTS = 5
"""Columns of Table 11 that are counts."""
_ALIGNED = "The source is aligned as in the paper: `imeasure(baseline=existing)`."
_ORDER_10 = "*Mixed* is `maxmatch(references=mix)`."


@cache
def _read_clear(data: PublicData) -> Corpus:
    """Read the sentences of the gold with alternative answers whose edits can be grouped clearly."""
    whole = data.gold("alt")
    unclear = list_unclear(whole)
    return whole.subset([number for number in whole.numbers if number not in unclear])


@cache
def _score(data: PublicData, metric: str) -> dict[str, Score]:
    evaluate = Evaluator(_read_clear(data), metric)
    return {row: evaluate(data.system(name=output)) for row, output in _ROWS.items()}


def _compare_table_8() -> Iterator[tuple[str, list[Figure | None]]]:
    for name, ((tp, fp, tn, fn), printed) in TABLE_8.items():
        own = _Measures.of((tp, tn, fp, fn), Fraction(2), Fraction(1, 2))
        values = (own.precision, own.recall, own.f, own.accuracy, own.wacc)
        yield name, [Figure(text, float(value)) for text, value in zip(printed, values, strict=True)]


def _compare_table_10(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    single, mixed = (_score(data, metric) for metric in ("maxmatch", "maxmatch(references=mix)"))
    for name in (name for name in TABLE_10 if name in _ROWS):
        values = [100 * own for score in (single[name], mixed[name]) for own in (*_read_parts(score, "precision", "recall"), score.value)]
        yield name, [Figure(text, value, _OTHER_SENTENCES) for text, value in zip(TABLE_10[name], values, strict=True)]


def _read_parts(score: Score, *names: str) -> list[float]:
    return [score.parts[name] for name in names]


def _compare_table_11(data: PublicData, columns: slice) -> list[tuple[str, list[Figure | None]]]:
    rows: list[tuple[str, list[Figure | None]]] = []
    for name in (name for name in TABLE_11 if name in _ROWS):
        score = _score(data, _EXISTING)[name]
        own, base = score.parts["correction"], score.parts["baseline"]["correction"]
        measures = [own[key] for key in ("precision", "recall", "f", "accuracy", "wacc")]
        values = [own[key] for key in ("tp", "tn", "fp", "fn", "fpn")]
        values += [100 * value for value in (*measures, base["wacc"], score.value)]
        pairs = list(zip(TABLE_11[name], values, strict=True))[columns]
        rows.append((name, [Figure(text, value, _OTHER_SENTENCES) for text, value in pairs]))
    return rows


def _read_recorded(data: PublicData) -> dict[str, dict[str, str]]:
    rows = data.rows("published/imeasure_table11_compare.tsv")
    return {row["system"]: row for row in rows if row["set"] == "touching-effect"}


def _describe_others(data: PublicData) -> str:
    hidden = {name: row for name, row in _read_recorded(data).items() if name in TABLE_11 and name not in _ROWS}
    largest = max(abs(float(row["I"]) - float(TABLE_11[name][-1])) for name, row in hidden.items())
    return (
        "In %.\n"
        "For the five systems whose outputs are not here, another program found I on the same 697 sentences, "
        f"within {largest:.2f} of the paper."
    )


def _compare_recorded(data: PublicData) -> Recording:
    recorded, scores = _read_recorded(data), _score(data, _EXISTING)
    pairs: list[tuple[object, object]] = []
    for row, output in _ROWS.items():
        own = scores[row].parts["correction"]
        pairs += [(recorded[output][name], str(own[name.lower()])) for name in ("TP", "TN", "FP", "FN", "FPN")]
        pairs.append((recorded[output]["WAcc"], f"{100 * own['wacc']:.2f}"))
    return Recording.of("counts and WAcc of eight rows, recorded with another program", pairs)


_CHECK_TEXT = "The measures of all 13 rows, of hidden systems too, are computed from the printed counts, and I from both printed WAcc."


def _check_table_11() -> Iterator[Recording]:
    """Check the printed table against itself."""
    measures: list[tuple[object, object]] = []
    improvements: list[tuple[object, object]] = []
    for printed in TABLE_11.values():
        tp, tn, fp, fn, fpn = (int(text) for text in printed[:5])
        own = _Measures.of((tp, tn, fp, fn, fpn), Fraction(2), Fraction(1, 2))
        values = (own.precision, own.recall, own.f, own.accuracy, own.wacc)
        measures += [("equal", Figure(text, 100 * float(value)).verdict) for text, value in zip(printed[5:10], values, strict=True)]
        low, high = sorted(
            100 * float(_compute_improvement(*(Fraction(text) / 100 + move for text, move in zip(printed[9:11], moves, strict=True))))
            for moves in _MOVES
        )
        improvements.append((True, low - _HALF <= float(printed[11]) <= high + _HALF))
    yield Recording.of("Table 11: P, R, F0.5, Acc and WAcc follow from the counts", measures)
    yield Recording.of("Table 11: I lies in the range that rounded WAcc leave", improvements)


_HALF = 0.005
"""Half a unit of the last printed digit, in %."""
_MOVES = ((Fraction("-0.00005"), Fraction("0.00005")), (Fraction("0.00005"), Fraction("-0.00005")))


def _compare_text(data: PublicData) -> Iterator[tuple[str, str, Figure | Claim]]:
    yield "Section 3", "sentences scored", Figure("711", len(_read_clear(data)), _OTHER_SENTENCES)
    edits = [edit for sentence in data.gold("noalt") for annotation in sentence.annotations for edit in annotation.edits]
    yield (
        "Section 3",
        "tokens in a phrase: source tokens of an edit, both annotators",
        Figure("1.12", sum(e.end - e.start for e in edits) / len(edits)),
    )
    mixed = [float(TABLE_10[name][-1]) for name in TABLE_11]
    tokens, improvement = ([float(row[place]) for row in TABLE_11.values()] for place in (7, -1))
    both = errata.correlate(mixed, tokens)
    yield "Section 3", "Spearman, F0.5 of Table 10 (mixed) and of Table 11", Figure("0.9835", require(both.spearman))
    yield "Section 3", "its p-value", Claim("p < 0.01", f"{both.spearman_p:.2g}", require(both.spearman_p) < _SIGNIFICANT)
    yield "Section 3", "Spearman, F0.5 of Table 10 (mixed) and I", Figure("-0.5330", require(errata.correlate(mixed, improvement).spearman))
    yield "Section 3", "Pearson, F0.5 of Table 11 and I", Figure("-0.5942", require(errata.correlate(tokens, improvement).pearson))
    scores = _score(data, _EXISTING)
    better = [name for name, score in scores.items() if score.value > 0]
    yield "Section 3", "systems that beat the baseline, of the seven", Claim("only UFC", ", ".join(better), better == ["UFC"])
    yield from _compare_significance([score for name, score in scores.items() if name != "BASELINE"])
    yield "Tables 10, 11", "order of the seven systems by F0.5, mixed F0.5 and I", _compare_orders(data)


def _compare_orders(data: PublicData) -> Claim:
    own = (
        (TABLE_10, 2, "maxmatch"),
        (TABLE_10, 5, "maxmatch(references=mix)"),
        (TABLE_11, -1, _EXISTING),
    )
    equal = 0
    for table, place, metric in own:
        values = {name: score.value for name, score in _score(data, metric).items() if name != "BASELINE"}
        equal += sorted(values, key=lambda name: -float(table[name][place])) == sorted(values, key=values.__getitem__, reverse=True)
    return Claim("three orders", f"{equal} the same", equal == len(own))


def _compare_significance(scores: Sequence[Score]) -> Iterator[tuple[str, str, Claim]]:
    """Compare each system with the source, by the t test of the paper."""
    found = compare_with_source(scores, "t", "none")
    p_values = {score.system_name: own.t_p for score, own in zip(scores, found, strict=True)}
    not_significant = [f"{name} has p {p:.2g}" for name, p in p_values.items() if p is None or p >= _SIGNIFICANT]
    text = ", ".join(not_significant) or "all seven"
    yield "Table 11", "t test of system against source, all values of I", Claim("p < 0.01", text, not not_significant, _OTHER_SENTENCES)
