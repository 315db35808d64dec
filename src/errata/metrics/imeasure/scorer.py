"""I-measure prepared for one corpus: the choice of the reference of each sentence."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from errata import core
from errata.core.limits import MOST_ALIGNMENT_WORK
from errata.corpus.alternatives import Alternative, Site, apply, find_sites, group_errors, list_single_references
from errata.corpus.references import MOST_TOKENS
from errata.errors import RequestError, UsageError
from errata.metrics.base import Output, refuse
from errata.metrics.imeasure.block_choice import add_rows
from errata.metrics.imeasure.measures import PER_SYSTEM
from errata.metrics.imeasure.search import search
from errata.metrics.imeasure.selection import select_best, select_rows
from errata.metrics.imeasure.window_search import Solved, search_windows
from errata.metrics.views import Alignment, AlignmentColumn, MixedCorrection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.alternatives import Alternatives
    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.metrics.imeasure.block_choice import Blocks
    from errata.metrics.imeasure.metric import IMeasure
    from errata.metrics.imeasure.window_search import CoreSites
    from errata.ratios import Row

MOST_SITE_CHOICES = 4096
"""The most choices of alternatives of errors that share a site; with more a search is used."""

MOST_WINDOW_CELLS = 1 << 24
"""The most work, of each kind, for a few sites of a sentence that is searched."""

MOST_BLOCK_ROWS = 1 << 16
"""The most distinct rows of one block of a sentence; with more a search is used."""

_CoreBlock = tuple[int, int, list[tuple[tuple[int, ...], "Row"]]]


class _Mixture(NamedTuple):
    """A reference and its alternatives."""

    tokens: Tokens
    alternatives: list[Alternative]
    certified: bool


class IMeasureScorer:
    """I-measure prepared for one corpus."""

    def __init__(self, metric: IMeasure, corpus: Corpus) -> None:
        self.corpus = corpus
        self.metric = metric
        self._errors: list[list[Alternatives]] = []
        self._sites: list[list[Site] | None] = []
        for number, sentence in zip(corpus.numbers, corpus, strict=True):
            if metric.references == "mix":
                self._errors.append(group_errors(sentence))
                self._sites.append(find_sites(sentence.tokens, self._errors[-1], MOST_SITE_CHOICES))
            else:
                if (tokens := len(sentence.annotations) * len(sentence.tokens)) > MOST_TOKENS:
                    what = f"the texts of its annotators have {tokens:,} tokens, more than {MOST_TOKENS:,}"
                    raise RequestError(f"{corpus.path or corpus.name}: sentence {number:,} cannot be scored: {what}")
                own = list_single_references(sentence)
                self._sites.append([Site(0, len(sentence.tokens), tuple(own), tuple(own.values()))])
        _ = self.mixed

    @cached_property
    def mixed(self) -> core.MixedReferences:
        """All references in the core."""
        single = (len(sites[0].variants) for sites in self._sites if sites)
        most = MOST_BLOCK_ROWS if self.metric.references == "mix" else max(single, default=1)
        sentences = [
            (sentence.tokens, tuple(site.in_core for site in sites or ())) for sentence, sites in zip(self.corpus, self._sites, strict=True)
        ]
        with self._in_words():
            return core.MixedReferences(sentences, self.metric.gap, self.metric.mismatch, self.metric.baseline == "realigned", most)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "mixed"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> IMeasureOutput:
        """Keep the hypotheses; they are aligned later."""
        return IMeasureOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Return the setting of references for every row."""
        del index
        return (self.metric.references,) * rows

    def rows(self, first: int, hypotheses: list[Tokens]) -> list[tuple[Row, ...]]:
        """Count each sentence against its best reference; with per=corpus against all that may be the best."""
        with self._in_words():
            by_sentence = self.mixed.blocks(first, hypotheses)
        return [self._rows(first + offset, hypotheses[offset], blocks) for offset, blocks in enumerate(by_sentence)]

    def align(self, source: Tokens, hypothesis: Tokens, reference: Tokens) -> list[AlignmentColumn]:
        """Align any three texts in the same way as sentences."""
        with self._in_words():
            flags, _, _ = core.align_three_way(source, hypothesis, reference, self.metric.gap, self.metric.mismatch)
        texts = [iter(source), iter(hypothesis), iter(reference)]
        return [AlignmentColumn(*(next(text) if taken else None for text, taken in zip(texts, column, strict=True))) for column in flags]

    def alignment(self, index: int, hypothesis: Tokens, row: int | None = None) -> Alignment:
        """Show the alignment behind a row of the sentence at an index, and the corrections in its reference.

        With ``per=corpus`` a sentence may have several rows; ``evidence.chosen`` is the index of one.
        """
        source, mixture = self.corpus[index].tokens, self._mixture(index, hypothesis, row)
        columns = self.align(source, hypothesis, mixture.tokens)
        corrections = []
        for alternative in mixture.alternatives:
            names = self._who_offers(index, alternative)
            corrections += [MixedCorrection(names, start, end, " ".join(text)) for start, end, text in alternative.replacements]
        if mixture.tokens == source:
            corrections = []  # those that would leave no token were skipped
        mixed = self.metric.references == "mix"
        left_alone = sum(not alternative.edits for alternative in mixture.alternatives) if mixed else 0
        return Alignment(columns, sorted(corrections, key=lambda item: (item.start, item.end)), left_alone, mixture.certified)

    def _who_offers(self, index: int, alternative: Alternative) -> tuple[str, ...]:
        """List all annotators with the same correction of an error."""
        if self.metric.references == "single":
            offers = [Alternative(item.annotator, item.edits) for item in self.corpus[index].annotations]
        else:
            offers = next((error for error in self._errors[index] if any(item is alternative for item in error)), [])
        wanted = alternative.replacements
        return tuple(item.annotator for item in offers if item.annotator is not None and item.replacements == wanted)

    def _mixture(self, index: int, hypothesis: Tokens, row: int | None) -> _Mixture:
        with self._in_words():
            (blocks,) = self.mixed.blocks(index, [hypothesis])
        tokens, sites = self.corpus[index].tokens, self._sites[index]
        if self.metric.references == "single" and sites is not None and not blocks:
            _, position, certified = self._every_single(index, hypothesis, sites[0])
            return _Mixture(sites[0].variants[position], list(sites[0].choices[position]), certified)
        if sites is None or not blocks:
            _, alternatives = self._searched(index, hypothesis)
            return _Mixture(apply(tokens, alternatives) or tokens, alternatives, certified=False)
        candidates = select_rows(self.metric, _rows_of(blocks))
        if row is None and len(candidates) > 1:
            raise UsageError(
                f"sentence {self.corpus.numbers[index]:,} has {len(candidates)} rows; choose one with row=score.evidence.chosen[{index}]"
            )
        chosen, certified = candidates[row or 0]
        result: list[str] = []
        mixed: list[Alternative] = []
        done = 0
        for site, variant in zip(sites, _list_variants(blocks, chosen), strict=True):
            result += (*tokens[done : site.start], *site.variants[variant])
            done = site.end
            mixed += site.choices[variant]
        return _Mixture((*result, *tokens[done:]), mixed, certified and all(site.possible for site in sites))

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Add the name of the corpus to errors of the core."""
        try:
            yield
        except OverflowError as error:
            raise refuse(self.corpus, error) from None

    def _rows(self, index: int, hypothesis: Tokens, blocks: list[_CoreBlock]) -> tuple[Row, ...]:
        sites = self._sites[index]
        if self.metric.references == "single" and sites is not None and not blocks:
            row, _, certified = self._every_single(index, hypothesis, sites[0])
            return ((*row, int(certified), 1),)
        if sites is None or not blocks:
            return ((*self._searched(index, hypothesis)[0], 0, 1),)
        possible = all(site.possible for site in sites)
        return tuple(
            (*add_rows(chosen), int(certified and possible), 1) for chosen, certified in select_rows(self.metric, _rows_of(blocks))
        )

    def _every_single(self, index: int, hypothesis: Tokens, site: Site) -> tuple[Row, int, bool]:
        """Find the best annotator's reference one by one, if they are too long for the core to compare together.

        Also returns whether all of them could be compared.
        """
        rows = _ReferenceCounter(self.metric, self.corpus, index, hypothesis)(site.variants)
        position = max(range(len(rows)), key=lambda item: (self.metric.key(rows[item]), -item))
        return rows[position], position, len(rows) == len(site.variants)

    def _searched(self, index: int, hypothesis: Tokens) -> tuple[Row, list[Alternative]]:
        """Find a good reference by a search, at least as good as each annotator's."""
        sentence, sites = self.corpus[index], self._sites[index] or []
        windows = search_windows(sentence.tokens, sites, partial(self._solve, index, hypothesis), self._better, MOST_ALIGNMENT_WORK)
        annotators = [annotation.annotator for annotation in sentence.annotations]
        counter = _ReferenceCounter(self.metric, self.corpus, index, hypothesis)
        found = search(sentence.tokens, self._errors[index], annotators, counter, self._better, improve=windows is None)
        if windows is None or self._better(found[0], windows[0]):
            return found
        row, variants = windows
        return row, [alternative for site, variant in zip(sites, variants, strict=True) for alternative in site.choices[variant]]

    def _solve(self, index: int, hypothesis: Tokens, sites: CoreSites, most_work: int) -> Solved:
        """Find the best row of a sentence for some variants of its sites."""
        metric = self.metric
        most = min(most_work, MOST_WINDOW_CELLS)
        blocks, work = core.list_blocks(
            self.corpus[index].tokens,
            hypothesis,
            sites,
            metric.gap,
            metric.mismatch,
            metric.baseline == "realigned",
            MOST_BLOCK_ROWS,
            most_cells=most,
            most_bounds=most,
            most_beginnings=most,
        )
        if not blocks:
            return Solved(None, (), work)
        chosen, _ = select_best(metric, _rows_of(blocks))
        return Solved(add_rows(chosen), _list_variants(blocks, chosen), work)

    def _better(self, one: Row, other: Row) -> bool:
        return self.metric.key(one) > self.metric.key(other)


class _ReferenceCounter:
    """Counts a sentence against whole references, as long as there is work left for it."""

    def __init__(self, metric: IMeasure, corpus: Corpus, index: int, hypothesis: Tokens) -> None:
        self._metric, self._corpus, self._index, self._hypothesis = metric, corpus, index, hypothesis
        self._left = self._left_for_baseline = MOST_ALIGNMENT_WORK
        self._counted = False

    def __call__(self, references: tuple[Tokens, ...]) -> list[Row]:
        """Count references, or the first of them if the others would take too much work; at least one."""
        rows, work = self._count(self._hypothesis, references, self._left)
        self._left -= work
        if self._metric.baseline == "realigned":
            baseline, work = self._count(self._corpus[self._index].tokens, references[: len(rows)], self._left_for_baseline)
            self._left_for_baseline -= work
            rows = [own[:PER_SYSTEM] + unchanged[:PER_SYSTEM] for own, unchanged in zip(rows, baseline, strict=False)]
        if references and not rows and not self._counted:
            self._refuse("it takes too long to be aligned with a reference in seconds; cut the sentence")
        self._counted |= bool(rows)
        return rows

    def _count(self, hypothesis: Tokens, references: tuple[Tokens, ...], most_work: int) -> tuple[list[Row], int]:
        metric, source = self._metric, self._corpus[self._index].tokens
        try:
            return core.count_three_way(source, hypothesis, references, metric.gap, metric.mismatch, most_work=most_work)
        except OverflowError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> NoReturn:
        raise refuse(self._corpus, OverflowError(f"sentence {self._index + 1} cannot be scored: {reason}")) from None


class IMeasureOutput(Output):
    """The output of a system, scored by I-measure."""

    def __init__(self, scorer: IMeasureScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count the classes of system and baseline, one row for each reference that may be the best."""
        return self._scorer.rows(start, self.between(start, stop))

    def alignment(self, index: int, row: int | None = None) -> Alignment:
        """Show the alignment behind a row of the sentence at an index."""
        return self._scorer.alignment(index, self.hypothesis(index), row)

    def align(self, source: Tokens, hypothesis: Tokens, reference: Tokens) -> list[AlignmentColumn]:
        """Align any three texts in the same way as sentences."""
        return self._scorer.align(source, hypothesis, reference)


def _rows_of(blocks: list[_CoreBlock]) -> Blocks:
    """List the counts of every choice in each block."""
    return [[counts for _, counts in block] for _, _, block in blocks]


def _list_variants(blocks: list[_CoreBlock], chosen: tuple[Row, ...]) -> list[int]:
    """List the index of the chosen variant of each site."""
    choices = (next(choice for choice, counts in rows if counts == row) for (_, _, rows), row in zip(blocks, chosen, strict=True))
    return [variant for choice in choices for variant in choice]
