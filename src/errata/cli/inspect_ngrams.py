"""The view of ``errata inspect`` for n-grams: those that count for a system and against it, by each reference."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.cli.inspection import STYLES, Inspected
from errata.report.tables.edits import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errata.cli.inspection import Filters
    from errata.corpus.corpus import System
    from errata.corpus.texts import Tokens
    from errata.metrics.evidence import Evidence
    from errata.metrics.ratios import Row
    from errata.metrics.views import JudgedNgrams, NgramView, ShowsNgrams
    from errata.report.writers import Marked
    from errata.scoring import Score

_OUTCOMES = {"right": "right", "punished": "wrong", "wrong": "wrong", "missed": "missed"}
"""What becomes of the n-grams of each kind."""


def inspected_ngrams(
    score: Score, prepared: ShowsNgrams, system: System, numbers: list[int], filters: Filters, *, only_chosen: bool
) -> Iterator[Inspected]:
    """Yield the sentences that pass the filters."""
    evidence = score.evidence
    for number in numbers:
        place = evidence.index(number)
        if not filters.pass_text(evidence.corpus[place], system.sentences[place]):
            continue
        chosen = evidence.chosen[place] if evidence.chosen is not None else None
        views = {
            index: view for index, view in enumerate(prepared.ngrams(place)) if index == chosen or not (only_chosen and chosen is not None)
        }
        outcomes = _count_outcomes(view for index, view in views.items() if chosen in {None, index})
        matching = Counter({name: count for name, count in outcomes.items() if not filters.outcomes or name in filters.outcomes})
        if filters.outcomes and not matching:
            continue
        readings = [_Reading(evidence, place, index, view, chosen=index == chosen) for index, view in views.items()]
        text = " ".join(system.sentences[place])
        value = score.sentence(number).value
        record = {"sentence": number, "source": evidence.corpus[place].text, "system": text, "value": value}
        lines = _describe(number, evidence.corpus[place].text, text, f"{score.metric.label} {100 * value:.2f}", readings)
        yield Inspected({**record, "references": [reading.record for reading in readings]}, lines, outcomes, matching)


def _count_outcomes(views: Iterator[NgramView]) -> Counter[str]:
    found = Counter[str]()
    for view in views:
        for ngrams in view.orders:
            found.update(dict.fromkeys(MARKS, 0))
            for kind, listed in ngrams._asdict().items():
                found[_OUTCOMES[kind]] += len(listed)
    return +found


class _Reading:
    """The n-grams of a sentence by one reference, with its counts."""

    def __init__(self, evidence: Evidence, place: int, index: int, view: NgramView, *, chosen: bool) -> None:
        self.label, self.chosen, self.view = evidence.labels[place][index], chosen, view
        self.row: Row = evidence.rows[place][index]
        self.value = evidence.metric.sentence_value(self.row)
        self.measures: Mapping[str, object] = evidence.metric.parts(self.row)

    @property
    def record(self) -> dict[str, object]:
        """The record for programs."""
        orders = [{kind: [" ".join(ngram) for ngram in listed] for kind, listed in ngrams._asdict().items()} for ngrams in self.view.orders]
        text = None if self.view.reference is None else " ".join(self.view.reference)
        return {
            "annotator": self.label,
            "chosen": self.chosen,
            "reference": text,
            "value": self.value,
            "parts": self.measures,
            "ngrams": orders,
        }

    @property
    def lines(self) -> Iterator[Marked]:
        """The lines for people."""
        counts = "  ".join(
            f"{self.measures[f'numerator_{k}']:g}/{self.measures[f'denominator_{k}']}" for k in range(1, len(self.view.orders) + 1)
        )
        chosen = " (chosen)" if self.chosen else ""
        yield [(f"  annotator {self.label}{chosen}: {100 * self.value:.2f}, n-grams {counts}", "")]
        if self.view.reference is not None:
            yield [("    reference  ", "dim"), (" ".join(self.view.reference) or "(empty)", "")]
        for length, ngrams in enumerate(self.view.orders, start=1):
            yield from _list_lines(length, ngrams)


def _list_lines(length: int, ngrams: JudgedNgrams) -> Iterator[Marked]:
    for kind, listed in ngrams._asdict().items():
        if listed:
            outcome = _OUTCOMES[kind]
            yield [(f"    {MARKS[outcome]} {length} {kind:<9} {_join(listed)}", STYLES[outcome])]


def _join(ngrams: Sequence[Tokens]) -> str:
    return " | ".join(" ".join(ngram) for ngram in ngrams)


def _describe(number: int, source: str, system: str, value: str, readings: list[_Reading]) -> list[Marked]:
    return [
        [(f"sentence {number}", "bold"), (f"  {value}", "")],
        [("  source  ", "dim"), (source, "")],
        [("  system  ", "dim"), (system or "(empty)", "")],
        *(line for reading in readings for line in reading.lines),
        [],
    ]
