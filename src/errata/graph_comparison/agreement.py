"""Agreement of two graphs of one text: the DAG F-score (Choshen and Abend, section 4.3).

Two graphs agree on a span of words if both have it with a common category.  Units of punctuation marks, edges to them and units
without words do not count, and spans exclude punctuation marks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import MismatchError, UsageError, pluralise
from errata.metrics.meaning import NOTHING, AgreementMatching, MatchCounts, check_same_framework, normalise_category

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus.graphs import Graph

Edges = Literal["primary", "remote"]
Spans = dict[tuple[int, ...], frozenset[str]]
"""The spans of a graph with their categories."""
_UNCOUNTED = "U"


@dataclass(frozen=True)
class Agreement:
    """The agreement of two graphs, or of many pairs."""

    primary: MatchCounts = NOTHING
    remote: MatchCounts = NOTHING
    categories: tuple[tuple[str, MatchCounts], ...] = ()
    """By category of primary edges, in alphabetical order; a span with several categories counts for each."""

    @property
    def pooled(self) -> MatchCounts:
        """Primary and remote edges together."""
        return self.primary.plus(self.remote)

    @classmethod
    def pool(cls, agreements: Iterable[Agreement]) -> Agreement:
        """Add up the agreement of many pairs."""
        primary = remote = NOTHING
        categories: dict[str, MatchCounts] = {}
        for item in agreements:
            primary, remote = primary.plus(item.primary), remote.plus(item.remote)
            for name, counts in item.categories:
                categories[name] = categories.get(name, NOTHING).plus(counts)
        return Agreement(primary, remote, tuple(sorted(categories.items())))


def list_spans(graph: Graph, edges: Edges = "primary") -> Spans:
    """List the spans of a graph without punctuation marks, with the categories of the edges to their units."""
    spans: dict[tuple[int, ...], set[str]] = {}
    for unit in graph.counted:
        labels = {
            label for edge in graph.incoming[unit] if edge.remote == (edges == "remote") for label in edge.labels if label != _UNCOUNTED
        }
        positions = tuple(position for position in graph.yields[unit] if position not in graph.punctuation)
        if labels and positions:
            spans.setdefault(positions, set()).update(labels)
    return {positions: frozenset(labels) for positions, labels in spans.items()}


def measure_agreement(expected: Graph, guessed: Graph, labels: AgreementMatching = "weak") -> Agreement:
    """Compare two graphs of one text.

    ``labels`` are compared ``weak`` (categories that are hard to distinguish count as equal), ``strict``, or not (``unlabelled``).
    """
    if labels not in get_args(AgreementMatching):
        raise UsageError(f"labels must be weak, strict or unlabelled, found {labels!r}")
    check_same_words(expected, guessed)
    check_same_framework(expected, guessed)
    own, other = list_spans(guessed), list_spans(expected)
    primary = _count(own, other, labels)
    remote = _count(list_spans(guessed, "remote"), list_spans(expected, "remote"), labels)
    return Agreement(primary, remote, _count_by_category(own, other, labels))


def check_same_words(one: Graph, other: Graph) -> None:
    """Raise with the first difference if two graphs have different words."""
    if one.tokens == other.tokens:
        return
    position = next((position for position, (a, b) in enumerate(zip(one.tokens, other.tokens, strict=False)) if a != b), None)
    if position is None:
        difference = f"the first has {pluralise(len(one.tokens), 'word')}, the second {len(other.tokens):,}"
    else:
        difference = f"word {position + 1} is {one.tokens[position]!r} in the first and {other.tokens[position]!r} in the second"
    raise MismatchError(f"{one.name} and {other.name} have different texts: {difference}")


def _count(own: Spans, other: Spans, matching: AgreementMatching) -> MatchCounts:
    agreed = sum(_meet(labels, other.get(indices), matching) for indices, labels in own.items())
    return MatchCounts(agreed, len(own), agreed, len(other))


def _meet(labels: frozenset[str], others: frozenset[str] | None, matching: AgreementMatching) -> bool:
    if others is None:
        return False
    return not {normalise_category(label, matching) for label in labels}.isdisjoint(normalise_category(label, matching) for label in others)


def _count_by_category(own: Spans, other: Spans, matching: AgreementMatching) -> tuple[tuple[str, MatchCounts], ...]:
    """Count the spans of each category, and those with an equal category in the other graph."""
    (precise, guessed), (recalled, expected) = _count_found(own, other, matching), _count_found(other, own, matching)
    names = sorted(guessed | expected)
    return tuple((name, MatchCounts(precise[name], guessed[name], recalled[name], expected[name])) for name in names)


def _count_found(own: Spans, other: Spans, matching: AgreementMatching) -> tuple[Counter[str], Counter[str]]:
    found, counted = Counter[str](), Counter[str]()
    for indices, labels in own.items():
        counted.update(labels)
        found.update(label for label in labels if _meet(frozenset([label]), other.get(indices), matching))
    return found, counted
