"""Chodorow et al. 2012, *Problems in Evaluating Grammatical Error Detection Systems*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata import Corpus, Edit, Sentence, System
from errata.language.tagging import find_tagger
from errata.studies.detection import MEASURES, Counts, compute_chance_counts, count_cases, extract_cases, find_confusion_set

from reproducing.blocks import Grid, Listing, Missing, Section
from reproducing.figures import Absent, Cause, Claim, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.studies.detection import Cases

    from reproducing.public_data import PublicData

Row = tuple[str, str, Figure | Claim]
_COLUMNS = ("Prevalence", "Bias", "E(A)", "A", "Kappa", "R", "P", "F1")
_NAMES = ("prevalence", "bias", "expected", "accuracy", "kappa", "recall", "precision", "f")
_FIGURES = {
    "Figure 5": ((0.04, 0.16, 0.16, 0.64), (".20", ".20", ".68", ".68", ".00", ".20", ".20", ".20")),
    "Figure 7": ((0.10, 0.10, 0.10, 0.70), (".20", ".20", ".68", ".80", ".38", None, None, None)),
    "Figure 8": ((0.12, 0.18, 0.28, 0.42), (".40", ".30", None, ".54", ".00", ".30", ".40", ".34")),
    "Figure 9": ((12, 18, 28, 42), (".40", ".30", None, ".54", ".00", None, None, None)),
    "Figure 10": ((12, 18, 28, 142), (".20", ".15", None, ".77", ".21", None, None, None)),
}
"""TP, FP, FN and TN, and what the figure or the text prints."""
_WAS = (("XXX", "TN", "TN"), ("XXY", "FP", "FP"), ("XYX", "FN", "FN"), ("XYY", "TP", "TP"), ("XYZ", "TP", "FP, FN"))
_COMMAS = ("TN", "TP", "FN", "FP", "FP", "FN", "TP", "TN")
"""Figure 3, row by row: annotated with a comma or without, written with a comma or without, system with a comma, then without."""
_SLIP = Cause("error in the paper", "Section 3.6 says that Figure 9 is the same as Figure 5; its cells are those of Figure 8.")


def make_section(data: PublicData) -> Section:  # noqa: ARG001 - needs no data
    """Compare the figures of the paper."""
    missing = [
        Absent(
            "Section 3.5.2", "75% agreement of two annotators, P that differs by 10%", 2, "the judgments of Tetreault and Chodorow (2008)"
        ),
        Absent("Section 3.3", "prevalence of preposition errors, 13%", 1, "the essays of Han et al. (2006)"),
    ]
    return Section(
        "Detection: Chodorow et al. (2012)",
        "*Problems in Evaluating Grammatical Error Detection Systems*; the command is [`errata detect`](detection.md).",
        [
            Grid("Tables of hypothetical systems", ("", *_COLUMNS), list(_compare_figures())),
            Listing("Classes, negatives and grades", [*_compare_text(), *_compare_classes(), *_compare_positions()]),
            Missing("Not recomputed of Chodorow et al.", missing),
        ],
    )


def _measure(name: str, counts: Counts) -> float:
    value = MEASURES[name].value(counts)
    return float("nan") if value is None else value


def _compare_figures() -> Iterator[tuple[str, list[Figure | None]]]:
    for where, (cells, printed) in _FIGURES.items():
        values = [_measure(name, Counts(*cells)) for name in _NAMES]
        yield where, [None if text is None else Figure(text, value) for text, value in zip(printed, values, strict=True)]


def _compare_text() -> Iterator[Row]:
    chance = compute_chance_counts(0.2, 0.2)
    for name, text in (("tp", ".04"), ("fp", ".16"), ("fn", ".16"), ("tn", ".64")):
        yield "Figure 5", f"{name.upper()} expected by chance", Figure(text, getattr(chance, name))
    ninth, tenth = (Counts(*_FIGURES[where][0]) for where in ("Figure 9", "Figure 10"))
    for where, counts, printed in (("Figure 9", ninth, (".12", ".18", ".28", ".42")), ("Figure 10", tenth, (".06", ".09", ".14", ".71"))):
        for name, text in zip(("tp", "fp", "fn", "tn"), printed, strict=True):
            yield where, f"{name.upper()} as a proportion", Figure(text, getattr(counts, name) / counts.n)
    fifth = tuple(100 * share for share in _FIGURES["Figure 5"][0])
    yield "Section 3.6", "cells of Figure 9", Claim("the same as Figure 5", "those of Figure 8", tuple(ninth[:4]) == fifth, _SLIP)
    more = [_measure(name, tenth) > _measure(name, ninth) for name in ("accuracy", "kappa")]
    same = [_measure(name, tenth) == _measure(name, ninth) for name in ("recall", "precision", "f")]
    text = "A and kappa are higher, R, P and F1 the same" if all(more + same) else "not so"
    yield "Section 3.6", "100 more true negatives", Claim("A and kappa rise, R, P and F1 do not change", text, all(more + same))
    yield (
        "Section 3.3",
        "A of a system that never says error, prevalence .13",
        Figure(".87", _measure("accuracy", Counts(0, 0, 0.13, 0.87))),
    )


def _count(cases: Cases, aspect: str = "detection") -> Counts:
    return Counts(*(float(number) for number in count_cases(cases, cases.systems[0], aspect)[0]))  # type: ignore[arg-type]


def _name_classes(counts: Counts, without: int = 0) -> str:
    """Name the classes that have a case; ``without`` cases are negatives of no interest."""
    own = counts._replace(tn=counts.tn - without)
    return ", ".join(name.upper() for name in ("tp", "fp", "fn", "tn") if getattr(own, name))


def _compare_classes() -> Iterator[Row]:
    for case, *printed in _WAS:
        written, annotated, produced = tuple(case)
        edits = [Edit(0, 1, (annotated,))] if annotated != written else []
        cases = extract_cases(Corpus((Sentence.of(written, edits),)), System.of("s", [produced]), case="token")
        for aspect, text in zip(("detection", "correction"), printed, strict=True):
            found = _name_classes(_count(cases, aspect))
            yield "Figure 4", f"{' '.join(case)}, {aspect}", Claim(text, found, found == text)
    commas = tuple(_list_comma_classes())
    yield "Figure 3", "8 cases of a comma", Claim(" ".join(_COMMAS), " ".join(commas), commas == _COMMAS)
    five = Corpus((Sentence.of("He relies in her .", *([Edit(2, 3, ("on",))] for _ in range(4)), []),))
    for output, grades in (("on", {"tp": ".80", "fp": ".20"}), ("in", {"fn": ".80", "tn": ".20"})):
        counts = _count(extract_cases(five, System.of("s", [f"He relies {output} her ."]), judgments="graded"))
        for name, text in grades.items():
            what = "Error" if output == "on" else "Non-error"
            value = getattr(counts, name) - (4 if name == "tn" else 0)  # the other four tokens
            yield "Section 3.5.2", f"80% of judges say Error, the system {what}: {name.upper()}", Figure(text, value)


def _list_comma_classes() -> Iterator[str]:
    for produced in (True, False):
        for annotated in (True, False):
            for written in (True, False):
                edits = [] if written == annotated else [Edit(2, 2, (",",)) if annotated else Edit(2, 3, ("",))]
                corpus = Corpus((Sentence.of(_write_comma(comma=written), edits),))
                output = System.of("s", [_write_comma(comma=produced)])
                yield _name_classes(_count(extract_cases(corpus, output, case="gap", confusion_set={","})), without=4)


def _write_comma(*, comma: bool) -> str:
    return "We came , he left" if comma else "We came he left"


def _compare_positions() -> Iterator[Row]:
    edits = [Edit(0, 1, ("A book",)), Edit(1, 2, ("in",)), Edit(4, 5, ("inspired",)), Edit(5, 6, ("",))]
    book = Corpus((Sentence.of("Book of my class inpired to me .", edits),))
    beer = Corpus((Sentence.of("He is fond beer .", [Edit(3, 3, ("of",))]),))
    tagger = find_tagger("textblob")
    for where, corpus, words, sites, text in (
        ("Section 3.6, (1a)", book, "articles", ["_ *"], "7"),
        ("Section 3.6, (4)", beer, "prepositions", ["_ *"], "4"),
        ("Section 3.6, (4)", beer, "prepositions", ["JJ _ NN*"], "0"),
    ):
        output = System.of("s", [corpus[0].text])
        cases = extract_cases(corpus, output, case="gap", confusion_set=find_confusion_set(words), sites=sites, tagger=tagger)
        yield where, f"negatives for {words}, `--sites '{sites[0]}'`", Figure(text, _count(cases).tn)
