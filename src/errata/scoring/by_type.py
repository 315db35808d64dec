"""Scores for each error type.

A gold edit has a type, and an edit of a system that matches it takes that type; a wrong edit gets one from parts of speech
(:mod:`errata.language.edit_types`), if there is a tagger.  Without a type a wrong edit counts only against the precision of the whole.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from errata.language.edit_types import MEMBERS, ORDER, check_order, edit_type
from errata.metrics.base import EditScorer, PrecisionRecall, TypeScorer

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from errata.corpus import System, Tokens
    from errata.language.tagging import Tagger, Tags
    from errata.metrics import JudgedEdit
    from errata.scoring import Evidence


class TypeCounts(NamedTuple):
    """What is found, proposed and wanted of a type."""

    type: str
    matched: int
    proposed: int | None
    """None where nothing says which edits of a system are of this type."""
    gold: int
    sentences: tuple[tuple[int, int, int, int], ...] = ()
    """The same for each sentence that has some of it: its number from 0, matched, proposed (0 where unknown), gold."""

    def measures(self, beta: float) -> tuple[float | None, float, float | None]:
        """Precision, recall and F, as far as they are known."""
        found = PrecisionRecall.of(self.matched, self.proposed if self.proposed is not None else 0, self.gold, beta)
        return (found.precision, found.recall, found.f) if self.proposed is not None else (None, found.recall, None)


_Tally = Counter[tuple[str, int]]
"""How many edits of a type a sentence has."""


def type_counts(
    evidence: Evidence, scorer: TypeScorer, system: System, tagger: Tagger | None = None, order: Sequence[str] = ORDER
) -> list[TypeCounts]:
    """Counts of every gold type, of types that only together have a precision, of edits without a type, and of all.

    The counts of gold types add up to those of all; so do the proposed ones with those of edits without a type.
    """
    check_order(order)
    matched: _Tally = Counter()
    gold: _Tally = Counter()
    for number, tokens in enumerate(system.sentences):
        for type_, found in scorer.gold_types(number, tokens, evidence.chosen[number]):
            matched[type_, number] += found
            gold[type_, number] += 1
    wrong = _wrong(evidence, scorer, system, tagger, order) if isinstance(scorer, EditScorer) and tagger is not None else None
    names = sorted({name for name, _ in gold})

    def of(name: str, members: Collection[str], mistaken: Collection[str] | None) -> TypeCounts:
        own = [_by_sentence(tally, types) for tally, types in ((matched, members), (gold, members), (wrong or Counter(), mistaken or ()))]
        return _summed(name, *own, proposed=mistaken is not None)

    result = [of(name, {name}, {name} if wrong is not None and name in order else None) for name in names]
    if wrong is None:
        return [*result, of("all", names, None)]
    mistaken = {name for name, _ in wrong}
    for name in order:
        members = MEMBERS.get(name, ())
        if members and any(member in names for member in members):
            result.append(of(name, members, {name}))
        elif name not in names and name in mistaken:
            result.append(of(name, (), {name}))
    return [*result, of("(no type)", (), {""}), of("all", names, mistaken)]


def _by_sentence(tally: _Tally, types: Collection[str]) -> Counter[int]:
    """How many edits of some types each sentence has."""
    found = Counter[int]()
    for (type_, number), count in tally.items():
        if type_ in types:
            found[number] += count
    return found


def _summed(name: str, matched: Counter[int], gold: Counter[int], wrong: Counter[int], *, proposed: bool) -> TypeCounts:
    sentences = tuple(
        (number, matched[number], matched[number] + wrong[number] if proposed else 0, gold[number])
        for number in sorted({*matched, *gold, *wrong})
    )
    return TypeCounts(name, matched.total(), matched.total() + wrong.total() if proposed else None, gold.total(), sentences)


def _wrong(evidence: Evidence, scorer: EditScorer, system: System, tagger: Tagger, order: Sequence[str]) -> _Tally:
    """Wrong edits by the type that parts of speech give them, '' if none."""
    corpus = evidence.corpus
    edits: list[tuple[int, JudgedEdit]] = []
    for number, tokens in enumerate(system.sentences):
        judged = scorer.judged_edits(number, tokens)[evidence.chosen[number]]
        edits += [(number, edit) for edit in judged if edit.outcome == "wrong"]
    numbers = sorted({number for number, _ in edits})
    sources = dict(zip(numbers, tagger.tag([corpus[number].tokens for number in numbers]), strict=True))
    outputs = dict(zip(numbers, tagger.tag([system.sentences[number] for number in numbers]), strict=True))
    counts: _Tally = Counter()
    for number, edit in edits:
        old = list(zip(corpus[number].tokens[edit.start : edit.end], sources[number][edit.start : edit.end], strict=True))
        counts[edit_type(old, _tagged(edit, system.sentences[number], outputs[number]), order) or "", number] += 1
    return counts


def _tagged(edit: JudgedEdit, tokens: Tokens, tags: Tags) -> list[tuple[str, str]]:
    """The words of a correction with the tags they have in the system's sentence."""
    words = edit.corrections[0].split()
    start = edit.target_start
    return list(zip(words, tags[start : start + len(words)], strict=True)) if tokens[start : start + len(words)] == tuple(words) else []
