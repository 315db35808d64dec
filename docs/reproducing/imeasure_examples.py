"""Felice and Briscoe 2015: the small examples of Tables 1 to 9 and 12."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import errata
from errata import Corpus, Edit, Sentence
from errata.core import count_three_way
from errata.corpus.alternatives import group_errors
from errata.corpus.corpus import ErrorGroup
from errata.metrics.imeasure import _compute_improvement
from errata.metrics.ratios import make_edit_ratios

from reproducing.figures import Cause, Claim, Figure
from reproducing.imeasure_printed import TABLE_7, TABLE_12

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproducing.public_data import PublicData

Row = tuple[str, str, Figure | Claim]
_TABLE_1 = Sentence.of(
    "This machines is designed for help people .",
    [Edit(0, 1, ("These",)), Edit(2, 3, ("are",)), Edit(5, 6, ("helping",))],
    [Edit(1, 2, ("machine",)), Edit(4, 5, ("to",))],
)
_LISTING_1 = (
    "These machines are designed for helping people .",
    "These machines are designed to help people .",
    "This machine is designed for helping people .",
    "This machine is designed to help people .",
)
_TABLE_2 = Sentence.of("Machine is design to help people .", [Edit(0, 1, ("Machines",)), Edit(1, 3, ("are designed",))])
_TABLE_3 = Sentence.of("Machine is design to help people .", [Edit(0, 1, ("Machines",)), Edit(1, 2, ("are",)), Edit(2, 3, ("designed",))])
_EXAMPLES = (
    ("Table 1", _TABLE_1, "These machines are designed to help people .", ("0.67", "0.67", "0.67")),
    ("Table 2", _TABLE_2, "Machine is designed to help people .", ("0.00", "0.00", "0.00")),
    ("Table 3, first", _TABLE_3, "The machine is designed for helping people .", ("0.33", "0.33", "0.33")),
    ("Table 3, second", _TABLE_3, "Machines is a design on the helping of the people .", ("0.50", "0.33", "0.45")),
)
"""Where, gold, hypothesis, and P, R and F0.5 of MaxMatch."""
_TN, _FN, _FP, _TP = (0, 1, 0, 0, 0), (0, 0, 0, 1, 0), (0, 0, 1, 0, 0), (1, 0, 0, 0, 0)
_WRONG = (0, 0, 1, 1, 1)
_TABLE_6 = {
    "aaa": (_TN, _TN),
    "aab": (_FN, _FN),
    "aa-": (_FN, _FN),
    "aba": (_FP, _FP),
    "abb": (_TP, _TP),
    "abc": (_TP, _WRONG),
    "ab-": (_TP, _WRONG),
    "a-a": (_FP, _FP),
    "a-b": (_TP, _WRONG),
    "a--": (_TP, _TP),
    "-aa": (_TP, _TP),
    "-ab": (_TP, _WRONG),
    "-a-": (_FP, _FP),
    "--a": (_FN, _FN),
}
"""Source, hypothesis and reference of a column, and TP, TN, FP, FN and FPN of detection and correction."""
_EXCHANGED = Cause(
    "unknown",
    "For the first pair errata finds the opposite: b matches a gold edit and has the higher F0.5, and a the higher I. "
    "Its b lacks the word *treatment*, and the paper says that I agrees with intuition, "
    "so the crosses of this pair may be exchanged, in print or in the text that we have.",
)


def compare_examples(data: PublicData) -> Iterator[Row]:
    """Compare all examples."""
    for where, gold, text, printed in _EXAMPLES:
        score = errata.score(Corpus((gold,)), [text])
        values = (score.parts["precision"], score.parts["recall"], score.value)
        yield from ((where, f"{name} of MaxMatch", Figure(*own)) for name, *own in zip(("P", "R", "F0.5"), printed, values, strict=True))
    yield "Listing 1", "mixtures of both annotators", _compare_listing_1()
    yield from _compare_alignments()
    yield "Table 6", "classes of 14 columns, for detection and correction", _compare_classes()
    for (p, r, f), name in zip(TABLE_7, ("S1 on 1.2, 2.1, 3.1", "S2 on the same", "S1 on 1.1, 2.1, 3.2", "S2 on the same"), strict=True):
        counts = (10**6, round(10**6 / float(p)), round(10**6 / float(r)))
        yield "Table 7", f"F0.5 from P and R, {name}", Figure(f, make_edit_ratios(0.5).of(counts).f)
    half = Fraction(1, 2)
    for name, wacc, value in (("all correct", Fraction(1), "1"), ("no change", half, "0"), ("all wrong", Fraction(0), "-1")):
        yield "Table 9", f"I, {name}", Figure(value, float(_compute_improvement(wacc, half)))
    yield from _compare_hypotheses(data)


def _compare_listing_1() -> Claim:
    """All references are right, and there are no others."""
    agreement, form = ErrorGroup("1", True), ErrorGroup("2", True)
    sentence = Sentence.of(
        _TABLE_1.text,
        [Edit(0, 1, ("These",), error=agreement), Edit(2, 3, ("are",), error=agreement), Edit(5, 6, ("helping",), error=form)],
        [Edit(1, 2, ("machine",), error=agreement), Edit(4, 5, ("to",), error=form)],
    )
    right = sum(errata.score(Corpus((sentence,)), [text], "imeasure").value == 1 for text in _LISTING_1)
    mixtures = prod(len(alternatives) for alternatives in group_errors(sentence))
    return Claim("4 references", f"{right} right of {mixtures}", right == mixtures == len(_LISTING_1))


def _compare_alignments() -> Iterator[Row]:
    initial = count_three_way(("A",), ("B", "C"), (("A",),), 2, 3)[0][0][:4]
    text = "TP {}, TN {}, FP {}, FN {}".format(*initial)
    yield "Table 4", "A, BC, A: gaps stay together", Claim("desired alignment: B against A, C against gaps", text, initial == (0, 0, 2, 0))
    source, corrected = "Their is wide spread usage of technology .", "There is widespread use of technology ."
    tokens = tuple(corrected.split())
    counts = count_three_way(tuple(source.split()), tokens, (tokens,), 2, 3)[0][0][:4]
    yield (
        "Table 5",
        "two alignments with the same result",
        Claim("4 TP, 4 TN", "{} TP, {} TN, {} FP, {} FN".format(*counts), counts == (4, 4, 0, 0)),
    )


def _compare_classes() -> Claim:
    equal = 0
    for column, (detection, correction) in _TABLE_6.items():
        source, hypothesis, reference = ((letter,) if letter != "-" else () for letter in column)
        found = count_three_way(source, hypothesis, (reference,), 2, 3)[0][0]
        equal += (*found[:4], *found[4:9]) == (*detection[:4], *correction)
    return Claim(f"{len(_TABLE_6)} rows", f"{equal} rows equal", equal == len(_TABLE_6))


def _compare_hypotheses(data: PublicData) -> Iterator[Row]:
    """Compare which hypothesis of Table 12 each metric prefers, against the gold with alternative answers."""
    gold = data.gold("alt")
    for number, pair in enumerate(TABLE_12, start=1):
        place = _find_source(gold, pair)
        for metric, best in (("maxmatch", "a"), ("imeasure", "b")):
            values = [errata.score(Corpus((gold[place],)), [text], metric).value for text in pair]
            holds = (values[0] > values[1]) == (best == "a")
            name = "F0.5" if metric == "maxmatch" else "I"
            written = f"a {100 * values[0]:.1f}, b {100 * values[1]:.1f}"
            yield "Table 12", f"pair {number}: higher {name}", Claim(best, written, holds, _EXCHANGED)


def _find_source(gold: Corpus, pair: tuple[str, str]) -> int:
    """Find the sentence that shares most words with the pair."""
    words = {word for text in pair for word in text.split()}
    return max(range(len(gold)), key=lambda place: len(words & set(gold[place].tokens)) - len(set(gold[place].tokens) - words))
