"""The best mixtures of annotators' edits for a hypothesis, found without listing all mixtures.

A mixture has one alternative of every error, chosen independently of the others (:mod:`errata.corpus.alternatives`); no span may occur
twice in it.  MaxMatch scores a hypothesis against each mixture as if it were one annotator.

Three observations make this fast:

- A gold edit that equals no edit of the hypothesis only counts as gold.  So of the alternatives of an error with the same edits that
  can match, the one with the fewest edits is the best, and most errors have one alternative left.
- Between positions where all sequences of edits can be cut, counts are independent, so they are sums over the parts of the sentence.
  Errors in different parts are tried separately.
- Of the mixtures with the same number of correct edits, only the one with the fewest proposed and gold edits, weighted as in F, can be
  chosen.

Counts are sums only where the one pass of MaxMatch proves them.  If it does not, all mixtures are tried.  If there are too many, the
best that was found is used, and it is not certified.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.alternatives import group_errors, has_each_span_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from errata.corpus.alternatives import Alternative, Alternatives
    from errata.corpus.corpus import Edit, Sentence
    from errata.ratios import Ratio

MOST_TRIED_MIXTURES = 4096
"""The most mixtures of one part of a sentence, or of a whole sentence, that are all tried."""

_SEARCHED = 4
"""Where a part has too many mixtures, a search tries the limit divided by this."""

Selection = tuple[int, ...]
"""Indices of edits in a pool, in order."""

Count = Callable[[list[Selection]], list[tuple[int, int, bool]]]
"""Counts correct and proposed edits for each selection, and says whether the one pass proves them."""


class Mixture(NamedTuple):
    """A mixture and its counts."""

    correct: int
    proposed: int
    gold: int
    edits: Selection


class MixedSentence:
    """The alternatives of a sentence: each is a selection from the pool of all edits."""

    def __init__(self, sentence: Sentence, most: int = MOST_TRIED_MIXTURES) -> None:
        errors = group_errors(sentence)
        entries = [
            (edit, error, alternative)
            for error, alternatives in enumerate(errors)
            for alternative, item in enumerate(alternatives)
            for edit in item.edits
        ]
        order = {id(edit): place for annotation in sentence.annotations for place, edit in enumerate(annotation.edits)}
        entries.sort(key=lambda entry: (entry[0].start, entry[0].end, order[id(entry[0])]))  # those with the same span in file order
        self.pool: tuple[Edit, ...] = tuple(edit for edit, _, _ in entries)
        chosen: dict[tuple[int, int], list[int]] = {}
        for index, (_, error, alternative) in enumerate(entries):
            chosen.setdefault((error, alternative), []).append(index)
        own = [[tuple(chosen.get((error, number), ())) for number in range(len(items))] for error, items in enumerate(errors)]
        self.certain = True
        """Whether the alternatives are all that exist."""
        self.errors: list[list[Selection]] = []
        for group in _link_errors(errors):
            self.errors.append(own[group[0]] if len(group) == 1 else self._join(errors, own, group, most))
        numbers: dict[object, int] = {}
        self.values = [numbers.setdefault((edit.start, edit.end, edit.corrections), len(numbers)) for edit in self.pool]
        """Numbers that are the same for equal edits."""

    def _join(self, errors: list[Alternatives], own: list[list[Selection]], group: list[int], most: int) -> list[Selection]:
        """List the choices of several errors in which no span occurs twice; if there are none, each annotator's own choice."""
        annotators = dict.fromkeys(item.annotator for error in group for item in errors[error])
        of_annotators = [tuple(_position_of(annotator, errors[error]) for error in group) for annotator in annotators]
        choices: list[tuple[int, ...]] = of_annotators
        if prod(len(errors[error]) for error in group) <= most:
            choices = list(product(*(range(len(errors[error])) for error in group)))
        else:
            self.certain = False
        valid = [
            choice for choice in choices if has_each_span_once([errors[error][number] for error, number in zip(group, choice, strict=True)])
        ]
        return [
            tuple(sorted(index for error, number in zip(group, choice, strict=True) for index in own[error][number]))
            for choice in valid or of_annotators
        ]


def _position_of(annotator: str | None, alternatives: Alternatives) -> int:
    """Find the alternative of an annotator, or the last."""
    return next((number for number, item in enumerate(alternatives) if item.annotator == annotator), len(alternatives) - 1)


def _list_spans(alternative: Alternative) -> set[tuple[int, int]]:
    return {(edit.start, edit.end) for edit in alternative.edits}


def _link_errors(errors: list[Alternatives]) -> list[list[int]]:
    """Group errors with alternatives that have the same span, so that some of their choices exclude each other."""
    groups = _Groups(len(errors))
    first: dict[tuple[int, int], int] = {}
    for number, alternatives in enumerate(errors):
        for span in {span for alternative in alternatives for span in _list_spans(alternative)}:
            groups.join(first.setdefault(span, number), number)
    return groups.list()


class _Groups:
    """Numbers that belong together."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def find(self, number: int) -> int:
        while self._parents[number] != number:
            self._parents[number] = number = self._parents[self._parents[number]]
        return number

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first

    def list(self) -> list[list[int]]:
        """List the groups in the order of their first numbers."""
        result: dict[int, list[int]] = {}
        for number in range(len(self._parents)):
            result.setdefault(self.find(number), []).append(number)
        return list(result.values())


def find_mixtures(
    sentence: MixedSentence, probe: tuple[list[bool], list[int]], count: Count, ratio: Ratio, most: int = MOST_TRIED_MIXTURES
) -> tuple[list[Mixture], bool]:
    """Find the mixtures that can be chosen, by falling number of correct edits, and whether no better ones exist.

    ``probe`` says which edits of the pool can match, and at which positions the sentence can be cut.  At most ``most`` mixtures of a
    part are all tried.
    """
    matching, cuts = probe
    errors = [_reduce(options, matching, sentence.values) for options in sentence.errors]
    parts = _find_parts(sentence.pool, errors, matching, cuts)
    trial = _Trial(errors, matching, count, ratio)
    tables = [trial.try_all(part) if trial.size(part) <= most else trial.climb(part, most // _SEARCHED or 1) for part in parts]
    certified = all(trial.size(part) <= most for part in parts) and (trial.proven or len(parts) <= 1)
    everything = [error for part in parts for error in part]
    if not certified and trial.size(everything) <= most:
        tables, certified = [trial.try_all(everything)], True
    return trial.add(tables, again=not certified), certified and sentence.certain


def _reduce(options: list[Selection], matching: list[bool], values: list[int]) -> list[Selection]:
    """Keep of the alternatives with the same edits that can match the first with the fewest edits."""
    best: dict[tuple[int, ...], Selection] = {}
    for option in options:
        key = tuple(values[edit] for edit in option if matching[edit])
        if key not in best or len(option) < len(best[key]):
            best[key] = option
    return list(best.values())


def _find_parts(pool: Sequence[Edit], errors: list[list[Selection]], matching: list[bool], cuts: list[int]) -> list[list[int]]:
    """Group the errors with several alternatives that lie between the same cuts."""
    edits = [{edit for option in options for edit in option if matching[edit]} for options in errors]
    spans = _merge_spans((pool[edit].start, pool[edit].end) for own in edits for edit in own)
    ends = [end for _, end in spans]
    free = [cut for cut in cuts if (at := bisect_right(ends, cut)) == len(spans) or cut <= spans[at][0]]
    groups = _Groups(len(errors))
    first: dict[int, int] = {}
    for number, own in enumerate(edits):
        if len(errors[number]) > 1:
            for edit in own:
                groups.join(first.setdefault(bisect_right(free, pool[edit].start), number), number)
    return [group for group in groups.list() if len(errors[group[0]]) > 1]


def _merge_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge spans that share a token; insertions are left out."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


_Choice = tuple[tuple[int, int], ...]
"""Errors, each with the index of an alternative."""


class _Counted(NamedTuple):
    """A choice and its counts, or how much they differ from those of the first alternatives."""

    correct: int
    proposed: int
    gold: int
    choice: _Choice


class _Trial:
    """Counts mixtures; errors that a choice leaves out have their first alternatives."""

    def __init__(self, errors: list[list[Selection]], matching: list[bool], count: Count, ratio: Ratio) -> None:
        self._errors, self._ratio, self._counter = errors, ratio, count
        self._matching = [[tuple(edit for edit in option if matching[edit]) for option in options] for options in errors]
        self.proven = True
        """Whether the one pass proved all counts."""
        self._gold = sum(len(options[0]) for options in errors)
        (self._first,) = self._count([()])

    def size(self, part: Sequence[int]) -> int:
        """Count the choices of a part."""
        return prod(len(self._errors[error]) for error in part)

    def try_all(self, part: list[int]) -> list[_Counted]:
        """Count all choices of a part."""
        choices = product(*(range(len(self._errors[error])) for error in part))
        return self._differences([tuple(zip(part, choice, strict=True)) for choice in choices])

    def climb(self, part: list[int], most: int) -> list[_Counted]:
        """Count choices of a part, changing one error at a time while the score improves, at most ``most``.

        The first choice has the alternatives with the most edits that can match.
        """
        starts = [max(range(len(own)), key=lambda number: len(own[number])) for own in (self._matching[error] for error in part)]
        (best,) = self._differences([tuple(zip(part, starts, strict=True))])
        table, improved = [best], True
        while improved and len(table) < most:
            improved = False
            for at, error in enumerate(part):
                others = [number for number in range(len(self._errors[error])) if number != best.choice[at][1]]
                choices = [(*best.choice[:at], (error, number), *best.choice[at + 1 :]) for number in others]
                counted = self._differences(choices[: most - len(table)])
                table += counted
                following = max((best, *counted), key=self._quality)
                improved |= following is not best
                best = following
        return table

    def add(self, tables: list[list[_Counted]], *, again: bool) -> list[Mixture]:
        """List the best sums of one row from each table, counted again if they may not be sums."""
        best = [self._first]
        for table in tables:
            rows = self._prune(table)
            best = self._prune([_add(one, other) for one in best for other in rows])
        if again:
            best = self._prune(self._count([row.choice for row in best]))
        return [Mixture(row.correct, row.proposed, row.gold, self._select(row.choice)) for row in best]

    def _prune(self, table: list[_Counted]) -> list[_Counted]:
        """Keep the rows that can be chosen: none has as many correct edits and fewer others."""
        cost = [self._ratio.of(row[:3])[1] for row in table]
        kept: list[_Counted] = []
        least = None
        for index in sorted(range(len(table)), key=lambda index: (-table[index].correct, cost[index], table[index].proposed)):
            if least is None or cost[index] < least:
                kept.append(table[index])
                least = cost[index]
        return kept

    def _quality(self, row: _Counted) -> tuple[Fraction, int]:
        whole = _add(self._first, row)
        return self._ratio.exact(whole[:3]), whole.correct

    def _differences(self, choices: list[_Choice]) -> list[_Counted]:
        first = self._first
        return [
            _Counted(row.correct - first.correct, row.proposed - first.proposed, row.gold - first.gold, row.choice)
            for row in self._count(choices)
        ]

    def _count(self, choices: list[_Choice]) -> list[_Counted]:
        if not choices:
            return []
        changed = {error for error, _ in choices[0]}  # all choices are of the same errors
        others = [edit for error, options in enumerate(self._matching) if error not in changed for edit in options[0]]
        selections = [(*others, *(edit for error, number in choice for edit in self._matching[error][number])) for choice in choices]
        counted = self._counter(selections)
        self.proven &= all(proven for _, _, proven in counted)
        return [
            _Counted(correct, proposed, self._gold + self._added(choice), choice)
            for choice, (correct, proposed, _) in zip(choices, counted, strict=True)
        ]

    def _added(self, choice: _Choice) -> int:
        """Count how many more edits a choice has than the first alternatives."""
        return sum(len(self._errors[error][number]) - len(self._errors[error][0]) for error, number in choice)

    def _select(self, choice: _Choice) -> Selection:
        numbers = dict(choice)
        return tuple(sorted(edit for error, options in enumerate(self._errors) for edit in options[numbers.get(error, 0)]))


def _add(one: _Counted, other: _Counted) -> _Counted:
    return _Counted(one.correct + other.correct, one.proposed + other.proposed, one.gold + other.gold, one.choice + other.choice)
