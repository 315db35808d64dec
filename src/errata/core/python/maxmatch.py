"""MaxMatch in plain Python; twin of ``native/maxmatch.hpp`` and of the class in ``native/bindings/maxmatch.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.core.edits import MatchedEdit
from errata.core.python.gold_arcs import GoldArcs, GoldEdit, Work, find_gold_arcs
from errata.core.python.levenshtein import Lattice
from errata.core.python.limits import MOST_ARCS, MOST_SEARCHED, MOST_STEPS, MOST_WORK, name_sentence
from errata.core.python.literal import search_literally
from errata.core.python.one_pass import Path, PathEdit, count_states, search_in_one_pass
from errata.core.python.stored_arcs import list_stored_arcs

if TYPE_CHECKING:
    from collections.abc import Sequence

GoldSentence = tuple[tuple[str, ...], tuple[tuple[GoldEdit, ...], ...]]


class MaxMatchSettings(NamedTuple):
    """How many unchanged tokens an edit may have, and the limits."""

    max_unchanged: int
    most_work: int
    most_searched: int
    most_steps: int
    most_arcs: int


class MaxMatchJudge:
    """MaxMatch counts of hypotheses against a corpus, which is read once."""

    def __init__(
        self,
        sentences: list[GoldSentence],
        max_unchanged: int,
        *,
        most_work: int = MOST_WORK,
        most_searched: int = MOST_SEARCHED,
        most_steps: int = MOST_STEPS,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        if max_unchanged < 0:
            message = "max_unchanged must not be negative"
            raise ValueError(message)
        for source, annotators in sentences:
            for edits in annotators:
                for start, end, _ in edits:
                    if not 0 <= start <= end <= len(source):
                        message = "an edit lies outside its sentence"
                        raise ValueError(message)
        self._sentences = sentences
        self._settings = MaxMatchSettings(max_unchanged, most_work, most_searched, most_steps, most_arcs)

    def counts(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[tuple[tuple[int, int, int], ...]]:
        """Count correct, proposed and gold edits of consecutive sentences from `first`, one row for each annotator."""
        self._check_range(first, len(hypotheses))
        result = []
        for k, hypothesis in enumerate(hypotheses, start=first):
            with name_sentence(k + 1):
                result.append(count_matches(self._sentences[k], hypothesis, self._settings))
        return result

    def probe(self, sentence: int, hypothesis: tuple[str, ...]) -> tuple[list[bool], list[int]]:
        """Find which edits of the first annotator can match, and the positions of the source between which counts are independent."""
        source, pool = self._sentence_with_pool(sentence)
        if source == hypothesis:
            return [False] * len(pool), []
        lattice = Lattice(source, hypothesis)
        search = _Search(lattice, self._settings)
        with name_sentence(sentence + 1):
            return [search.can_match(edit) for edit in pool], _find_cuts(lattice, self._settings.max_unchanged)

    def counts_of(self, sentence: int, hypothesis: tuple[str, ...], selections: list[tuple[int, ...]]) -> list[tuple[int, int, bool]]:
        """Count correct and proposed edits for each selection of edits of the first annotator, and whether the one pass proves them."""
        source, pool = self._sentence_with_pool(sentence)
        if any(not 0 <= edit < len(pool) for selection in selections for edit in selection):
            message = "a selection has an edit that does not exist"
            raise IndexError(message)
        if source == hypothesis:
            return [(0, 0, True)] * len(selections)
        search = _Search(Lattice(source, hypothesis), self._settings)
        result = []
        with name_sentence(sentence + 1):
            for selection in selections:
                gold = [pool[edit] for edit in selection]
                edits = _match(search.find_quickly(gold), gold, hypothesis)
                result.append((sum(edit.gold >= 0 for edit in edits), len(edits), search.proven))
        return result

    def _sentence_with_pool(self, sentence: int) -> tuple[tuple[str, ...], tuple[GoldEdit, ...]]:
        self._check_range(sentence, 1)
        source, annotators = self._sentences[sentence]
        if not annotators:
            message = "the sentence has no edits to select from"
            raise ValueError(message)
        return source, annotators[0]

    def edits(self, sentence: int, hypothesis: tuple[str, ...]) -> list[list[MatchedEdit]]:
        """List the edits found for each annotator, each with the gold edit that it matches."""
        self._check_range(sentence, 1)
        with name_sentence(sentence + 1):
            return _find(self._sentences[sentence], hypothesis, self._settings, the_very_edits=True)

    def _check_range(self, first: int, count: int) -> None:
        if not 0 <= first <= len(self._sentences) - count:
            message = "more hypotheses than sentences"
            raise IndexError(message)


def count_matches(sentence: GoldSentence, hypothesis: tuple[str, ...], settings: MaxMatchSettings) -> tuple[tuple[int, int, int], ...]:
    """Count correct, proposed and gold edits of a sentence, one row for each annotator."""
    by_annotator = _find(sentence, hypothesis, settings, the_very_edits=False)
    rows = zip(by_annotator, sentence[1], strict=True)
    return tuple((sum(edit.gold >= 0 for edit in edits), len(edits), len(gold)) for edits, gold in rows)


def _find(
    sentence: GoldSentence, hypothesis: tuple[str, ...], settings: MaxMatchSettings, *, the_very_edits: bool
) -> list[list[MatchedEdit]]:
    source, annotators = sentence
    if source == hypothesis:
        return [[] for _ in annotators]
    search = _Search(Lattice(source, hypothesis), settings)
    best = [search.find_very_edits(gold) if the_very_edits else search.find_quickly(gold) for gold in annotators]
    return [_match(edits, gold, hypothesis) for edits, gold in zip(best, annotators, strict=True)]


class _Search:
    """The search for the best edits of one sentence, for all its annotators."""

    def __init__(self, lattice: Lattice, settings: MaxMatchSettings) -> None:
        self._lattice = lattice
        self._settings = settings
        self._work = Work(settings.most_work)
        self._searched = 0
        self._plain: list[PathEdit] | None = None
        """The edits of annotators without a match, which are all the same."""
        self._plain_proven = False
        self.proven = True
        """Whether the one pass proved the last edits, so that their counts are sums over the parts between cuts."""

    def find_very_edits(self, gold: Sequence[GoldEdit]) -> list[PathEdit]:
        """Find the same edits as the official scorer, not only the same number."""
        arcs = self._find_arcs(gold)
        followed = self._search_literally(arcs)
        return self._search_in_one_pass(arcs).edits if followed is None else followed

    def find_quickly(self, gold: Sequence[GoldEdit]) -> list[PathEdit]:
        """Find edits with the same counts as those of the official scorer."""
        arcs = self._find_arcs(gold)
        if arcs.arcs or arcs.contested:
            return self._quickest(arcs)
        if self._plain is None:
            self._plain = self._quickest(arcs)
            self._plain_proven = self.proven
        self.proven = self._plain_proven
        return self._plain

    def can_match(self, edit: GoldEdit) -> bool:
        """Whether a gold edit can match any edit of the hypothesis."""
        arcs = self._find_arcs([edit])
        return bool(arcs.arcs) or arcs.contested

    def _find_arcs(self, gold: Sequence[GoldEdit]) -> GoldArcs:
        return find_gold_arcs(self._lattice, gold, self._settings.max_unchanged, self._work)

    def _quickest(self, arcs: GoldArcs) -> list[PathEdit]:
        path = self._search_in_one_pass(arcs)
        most = self._settings.max_unchanged
        stored = all(_stored_as_found(self._lattice, edit, most) for edit in path.edits)
        self.proven = stored and not path.ambiguous and not arcs.contested
        followed = None if self.proven else self._search_literally(arcs)
        return path.edits if followed is None else followed

    def _search_in_one_pass(self, arcs: GoldArcs) -> Path:
        self._add(self._lattice.slots * count_states(self._lattice, self._settings.max_unchanged))
        return search_in_one_pass(self._lattice, arcs, self._settings.max_unchanged, self._settings.most_steps)

    def _search_literally(self, arcs: GoldArcs) -> list[PathEdit] | None:
        followed, visited = search_literally(self._lattice, arcs, self._settings.max_unchanged, self._settings.most_arcs)
        self._add(visited)
        return followed

    def _add(self, units: int) -> None:
        self._searched += units
        if self._searched > self._settings.most_searched:
            raise OverflowError(
                "it takes too long to be searched, with its length, its annotators and max_unchanged; cut the sentence, or leave some out"
            )


def _find_cuts(lattice: Lattice, max_unchanged: int) -> list[int]:
    """Find the positions of the source that no edit needs to reach over, unless it is gold.

    All paths keep the same token before and after them, and keep so many tokens around them that no edit has changes on both sides.
    """
    found: list[int] = []
    first = 0
    for i in range(len(lattice.source) + 1):
        if i < len(lattice.source) and _only_kept(lattice, i):
            continue
        if i - first > max_unchanged:
            found += range(first + 1, i)
        first = i + 1
    return found


def _only_kept(lattice: Lattice, i: int) -> bool:
    """Whether all paths lead through one vertex of this row and one of the next, and keep the token between them."""
    here, following = lattice.row(i), lattice.row(i + 1)
    return len(here) == len(following) == 1 and following[0] == here[0] + 1 and lattice.keeps(i + 1, following[0])


def _stored_as_found(lattice: Lattice, edit: PathEdit, max_unchanged: int) -> bool:
    """Whether the official scorer has this edit with the same weight as in the one pass."""
    if edit.gold or edit.units == 1:
        return True
    end = (edit.end, edit.target_end)
    arc = list_stored_arcs(lattice, (edit.start, edit.target_start), end, max_unchanged).get(end)
    return arc is not None and arc.copies == 1 and arc.units == edit.units


def _match(path: list[PathEdit], gold: Sequence[GoldEdit], hypothesis: tuple[str, ...]) -> list[MatchedEdit]:
    """Match edits in order; each takes the first gold edit in the file that it equals and that is still free."""
    free = dict(enumerate(gold))
    matched = []
    for edit in path:
        text = hypothesis[edit.target_start : edit.target_end]
        hit = next((g for g, (start, end, texts) in free.items() if (start, end) == (edit.start, edit.end) and text in texts), -1)
        free.pop(hit, None)
        matched.append(MatchedEdit(edit.start, edit.end, edit.target_start, edit.target_end, hit))
    return matched
