"""Scores for each error type, with their intervals.

A gold edit has a type, and an edit of a system that matches it gets the same type.  A wrong edit gets its type from the metric, from
a type system, or from parts of speech if there is a tagger (:mod:`errata.language.types`); the latter knows the types of NUCLE, so if
all types of gold are ERRANT's, it is not asked.  Without a type a wrong edit lowers only the precision of all edits.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.parses import Span
from errata.errors import RequestError, UsageError
from errata.language.types import MEMBERS, ORDER, ChangedWords, ChangeTyper, check_order, has_errant_types, shorten_type
from errata.metrics.ratios import UNDEFINED, make_edit_ratios
from errata.metrics.views import FindsTypes, ShowsEdits
from errata.scoring.edits import list_chosen_edits
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import Interval, make_interval
from errata.stats.resampling import resample_sums, sum_by_unit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.language.tagging import Tagger
    from errata.language.types import GivesTypes
    from errata.metrics.ratios import Ratio
    from errata.metrics.views import JudgedEdit
    from errata.scoring.scores import Score
    from errata.settings import Detail
    from errata.stats.bootstrap import Progress


class TypeCounts(NamedTuple):
    """The matched, proposed and gold edits of a type."""

    type: str
    matched: int
    proposed: int | None
    """None if the types of the system's edits are unknown."""
    gold: int
    sentences: tuple[tuple[int, int, int, int], ...] = ()
    """The counts of each sentence with edits of the type: index, matched, proposed (0 if unknown), gold."""

    def measures(self, beta: float) -> tuple[float | None, float, float | None]:
        """Compute precision, recall and F; None if unknown."""
        shares = make_edit_ratios(beta).of((self.matched, self.proposed or 0, self.gold))
        return (shares.precision, shares.recall, shares.f) if self.proposed is not None else (None, shares.recall, None)


_Tally = dict[str, Counter[int]]
"""For each type, the number of edits in each sentence."""


class _Edits(NamedTuple):
    """The edits of a system and of gold, against the reference chosen for each sentence."""

    matched: _Tally
    gold: _Tally
    wrong: list[tuple[int, JudgedEdit]] | None
    """With the indices of their sentences; None if the metric does not show edits."""


def has_types(score: Score) -> bool:
    """Whether a metric has gold edits, and so types."""
    return isinstance(score.output, (ShowsEdits, FindsTypes)) and score.evidence.chosen is not None


def takes_types(score: Score) -> bool:
    """Whether wrong edits have no type of the metric, and can be given one."""
    return isinstance(score.output, ShowsEdits) and not score.metric.types_wrong_edits


def takes_tagger(score: Score) -> bool:
    """Whether parts of speech can give wrong edits their types."""
    return takes_types(score) and not lacks_rules(score.evidence.corpus)


def lacks_rules(corpus: Corpus) -> bool:
    """Whether gold has edits, all with types of ERRANT, which no rule for parts of speech gives."""
    return any(item.edits for sentence in corpus for item in sentence.annotations) and has_errant_types(corpus)


def count_types(
    score: Score,
    tagger: Tagger | None = None,
    order: Sequence[str] = ORDER,
    detail: Detail = "full",
    system: GivesTypes | None = None,
    edits: Sequence[Sequence[JudgedEdit]] | None = None,
    wrong_types: Sequence[str] | None = None,
) -> list[TypeCounts]:
    """Count every gold type, types that have a precision only together, edits without a type, and all.

    The counts of gold types sum to those of all; the proposed ones sum to those of all with the edits without a type.
    Of ERRANT's types, ``detail`` says what is kept; ``system`` gives wrong edits types instead of a tagger.
    ``edits`` are those of :func:`errata.scoring.edits.list_chosen_edits`, and ``wrong_types`` those of
    :func:`find_wrong_types`, if the caller has them.
    """
    check_order(order)
    matched, gold, mistakes = _collect_edits(score, detail, edits)
    own_types = score.metric.types_wrong_edits or system is not None
    types = _find_types(score, mistakes, tagger, order, system) if wrong_types is None and mistakes is not None else wrong_types
    wrong: _Tally | None = None
    if mistakes is not None and types is not None:
        wrong = {}
        for name, (index, _) in zip(types, mistakes, strict=True):
            _add(wrong, shorten_type(name, detail), index)
    names = sorted(gold)

    def of(name: str, members: Collection[str], mistaken: Collection[str] | None) -> TypeCounts:
        own = [_count_by_sentence(tally, types) for tally, types in ((matched, members), (gold, members), (wrong or {}, mistaken or ()))]
        return _sum_counts(name, *own, proposed=mistaken is not None)

    if wrong is None:
        return [*(of(name, {name}, None) for name in names), of("all", names, None)]
    mistaken = set(wrong)
    if own_types:
        every = [of(name, {name}, {name}) for name in sorted({*names, *mistaken} - {""})]
        without = [of("(no type)", (), {""})] if "" in mistaken else []
        return [*every, *without, of("all", names, mistaken)]
    result = [of(name, {name}, {name} if name in order else None) for name in names]
    for name in order:
        members = MEMBERS.get(name, ())
        if members and any(member in names for member in members):
            result.append(of(name, members, {name}))
        elif name not in names and name in mistaken:
            result.append(of(name, (), {name}))
    return [*result, of("(no type)", (), {""}), of("all", names, mistaken)]


def _collect_edits(score: Score, detail: Detail, known: Sequence[Sequence[JudgedEdit]] | None) -> _Edits:
    """Collect the edits of every sentence; ``known`` are those of a metric that shows edits."""
    output, chosen = score.output, score.evidence.chosen
    if chosen is None or not isinstance(output, (ShowsEdits, FindsTypes)):
        raise RequestError(f"{score.metric.name} does not show edits, so it has no scores by type")
    types: Iterable[list[tuple[str, bool]]]
    wrong: list[tuple[int, JudgedEdit]] | None = None
    if isinstance(output, ShowsEdits):
        edits = list_chosen_edits(score) if known is None else known
        types = ([(edit.type or "", edit.outcome == "right") for edit in own if edit.outcome != "wrong"] for own in edits)
        wrong = _list_wrong(edits)
    else:
        types = map(output.gold_types, range(len(chosen)), chosen)
    matched: _Tally = {}
    gold: _Tally = {}
    for index, (own, _) in enumerate(zip(types, chosen, strict=True)):
        for name, is_matched in own:
            type_ = shorten_type(name, detail)
            _add(gold, type_, index)
            if is_matched:
                _add(matched, type_, index)
    return _Edits(matched, gold, wrong)


def _add(tally: _Tally, name: str, index: int) -> None:
    """Count an edit of a type in a sentence."""
    tally.setdefault(name, Counter())[index] += 1


def _count_by_sentence(tally: _Tally, types: Collection[str]) -> Counter[int]:
    """Count the edits of some types in each sentence."""
    counts = Counter[int]()
    for name in types:
        counts.update(tally.get(name, {}))
    return counts


def _sum_counts(name: str, matched: Counter[int], gold: Counter[int], wrong: Counter[int], *, proposed: bool) -> TypeCounts:
    sentences = tuple(
        (index, matched[index], matched[index] + wrong[index] if proposed else 0, gold[index])
        for index in sorted({*matched, *gold, *wrong})
    )
    return TypeCounts(name, matched.total(), matched.total() + wrong.total() if proposed else None, gold.total(), sentences)


def find_wrong_types(
    score: Score,
    edits: Sequence[Sequence[JudgedEdit]],
    tagger: Tagger | None = None,
    order: Sequence[str] = ORDER,
    system: GivesTypes | None = None,
) -> list[str] | None:
    """Find the type of every wrong edit, in their order, '' for one without; None if nothing gives them types.

    ``edits`` are those of :func:`errata.scoring.edits.list_chosen_edits`.
    """
    return _find_types(score, _list_wrong(edits), tagger, order, system)


def _list_wrong(edits: Sequence[Sequence[JudgedEdit]]) -> list[tuple[int, JudgedEdit]]:
    """List the wrong edits, with the indices of their sentences."""
    return [(index, edit) for index, own in enumerate(edits) for edit in own if edit.outcome == "wrong"]


def _find_types(
    score: Score, wrong: Sequence[tuple[int, JudgedEdit]], tagger: Tagger | None, order: Sequence[str], system: GivesTypes | None
) -> list[str] | None:
    corpus, outputs = score.evidence.corpus, score.system.sentences
    if score.metric.types_wrong_edits:
        return [edit.type or "" for _, edit in wrong]
    if system is not None:
        return _classify(wrong, corpus, outputs, system)
    if tagger is None:
        return None
    if lacks_rules(corpus):
        return [""] * len(wrong)
    changes = [find_words_of_edit(index, edit, outputs[index]) for index, edit in wrong]
    return ChangeTyper(tagger, order).classify(changes, [sentence.tokens for sentence in corpus], outputs)


def _classify(wrong: Sequence[tuple[int, JudgedEdit]], corpus: Corpus, sentences: Sequence[Tokens], system: GivesTypes) -> list[str]:
    """Give wrong edits types, '' if it is not known where the correction is; only their sentences are given to the system."""
    types = [""] * len(wrong)
    spans: dict[int, list[tuple[int, Span]]] = {}
    for number, (index, edit) in enumerate(wrong):
        new = find_words_of_edit(index, edit, sentences[index]).new
        if isinstance(new, range):
            spans.setdefault(index, []).append((number, Span(edit.start, edit.end, new.start, new.stop)))
    pairs = [(corpus[index].tokens, sentences[index]) for index in spans]
    found = system.types(pairs, [[span for _, span in own] for own in spans.values()])
    for own, names in zip(spans.values(), found, strict=True):
        for (number, _), name in zip(own, names, strict=True):
            types[number] = name
    return types


def find_words_of_edit(index: int, edit: JudgedEdit, tokens: Tokens) -> ChangedWords:
    """Find the tokens that an edit changes in a sentence of the source, and in the system's sentence."""
    words, start = edit.corrections[0].split(), edit.target_start
    known = start is not None and tokens[start : start + len(words)] == tuple(words)
    return ChangedWords(index, range(edit.start, edit.end), range(start, start + len(words)) if known and start is not None else ())


_MOST_SUMS = 16_000_000
"""Sums of counts that are in memory together; 128 MB."""


class TypeIntervals(NamedTuple):
    """Intervals of precision, recall and F.

    None if the value is defined for fewer than two sentences, or documents, or is the same in all of them.
    """

    precision: Interval | None
    recall: Interval | None
    f: Interval | None


def compute_type_intervals(
    counts: Sequence[TypeCounts], corpus: Corpus, beta: float, bootstrap: Bootstrap | None = None, progress: Progress | None = None
) -> list[TypeIntervals]:
    """Compute the intervals of all types of one system.

    A replicate without an edit of a type is left out for that type.
    ``progress`` is called with the number of replicates that were just done.
    """
    import numpy as np

    settings = bootstrap or Bootstrap()
    if settings.choice == "again" or settings.method == "exact":
        raise UsageError("intervals by type must be bca or percentile, and cannot be combined with --rechoose")
    matrices = []
    for item in counts:
        matrix = np.zeros((len(corpus), 3))
        for number, *row in item.sentences:
            matrix[number] = row
        matrices.append(sum_by_unit(matrix, corpus, settings.by))
    if matrices and len(matrices[0]) < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two {settings.by}s or more, found {len(matrices[0])}")
    intervals: list[TypeIntervals] = []
    most = max(1, _MOST_SUMS // (3 * settings.replicates))
    for first in range(0, len(counts), most):  # the sums of all types may not fit into memory; each group has the same replicates
        group = slice(first, first + most)
        resampled = resample_sums(matrices[group], settings, progress if first == 0 else None)
        for item, matrix, sums in zip(counts[group], matrices[group], resampled, strict=True):
            known = item.proposed is not None
            precision, recall, f = (_compute_interval(measure, matrix, sums, settings) for measure in make_edit_ratios(beta))
            intervals.append(TypeIntervals(precision if known else None, recall, f if known and item.gold else None))
    return intervals


def _compute_interval(ratio: Ratio, matrix: Any, sums: Any, settings: Bootstrap) -> Interval | None:
    import numpy as np

    of_units = ratio.values(matrix, UNDEFINED)
    known = of_units[~np.isnan(of_units)]
    if len(known) < 2 or np.ptp(known) == 0:  # noqa: PLR2004 - one has no variance
        return None
    return make_interval(lambda counts: ratio.values(counts, UNDEFINED), matrix, ratio.values(sums, UNDEFINED), settings)
