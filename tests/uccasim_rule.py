"""UCCASIM as its definition has it, with nothing clever: every unit against every unit, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

from errata.language import Graph
from errata.language.word_alignment import align_in_order, align_words
from errata.metrics.meaning import normalise_category
from errata.studies import UccaSimSettings


def written_out(source: Graph, correction: Graph, settings: UccaSimSettings) -> tuple[int, ...]:
    """The counts as the definition has them, with nothing clever."""
    align = align_words if settings.word_alignment == "assignment" else align_in_order
    turned = source.tokens > correction.tokens
    found = align(correction.tokens, source.tokens) if turned else align(source.tokens, correction.tokens)
    words = {(other, one) for one, other in found} if turned else set(found)
    units = [unit for unit in source.counted if len(source.yields[unit]) >= settings.min_words]
    others = [unit for unit in correction.counted if len(correction.yields[unit]) >= settings.min_words]

    def weight(unit: int, other: int, *, turned: bool) -> Fraction:
        one, two = source.yields[unit], correction.yields[other]
        shared = sum((a, b) in words for a in one for b in two)
        whole = len(one) + len(two) if settings.partner == "f1" else len(one) if turned else len(two)
        return Fraction(shared, whole) if whole else Fraction(0)

    def tags(graph: Graph, unit: int) -> set[str]:
        return {normalise_category(label, settings.labels) for edge in graph.incoming[unit] for label in edge.labels}

    def best(turned: bool) -> set[tuple[int, int]]:  # noqa: FBT001
        pairs = set()
        for unit in units:
            for other in others:
                own = weight(unit, other, turned=turned)
                rivals = [(one, other) for one in units] if turned else [(unit, two) for two in others]
                if own > 0 and own == max(weight(*rival, turned=turned) for rival in rivals):
                    pairs.add((unit, other))
        return pairs

    def with_empty(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """Add pairs of units without words, from the top down, until there are no more."""
        tops = {
            (a, b)
            for a in range(len(source.units))
            for b in range(len(correction.units))
            if not source.incoming[a] and not correction.incoming[b]
        }
        while settings.implicit == "parents":
            near = pairs | tops
            more = {
                (unit, other)
                for unit in units
                for other in others
                if not source.yields[unit] and not correction.yields[other]
                if any((a.parent, b.parent) in near for a in source.incoming[unit] for b in correction.incoming[other])
            }
            if more <= pairs:
                break
            pairs = pairs | more
        return pairs

    ahead, back = ({(a, b) for a, b in with_empty(best(turned)) if tags(source, a) & tags(correction, b)} for turned in (False, True))
    return (
        len({unit for unit, _ in ahead}),
        len(units),
        len({other for _, other in back}),
        len(others),
        len({other for _, other in ahead}),
        len({unit for unit, _ in back}),
    )
