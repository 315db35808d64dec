"""ERRANT prepared for one corpus: the keys of gold, and the counts and edits of systems."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from errata.corpus.corpus import FIRST_ANNOTATOR
from errata.errors import RequestError, UsageError, suggest
from errata.language.errant import Extractor, Keyed, PairError, ScoredEdit, make_keys, prepare_gold
from errata.metrics.base import Output
from errata.metrics.views import JudgedEdit
from errata.names import ERRANT_TYPES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.corpus.texts import Tokens
    from errata.language.errant import AlignmentName, MergeName
    from errata.metrics.errant import Errant
    from errata.metrics.views import EditOutcome
    from errata.ratios import Row


MOST_TOKENS_OF_EDITS = 20_000_000
"""Tokens of the edits of gold, or of a system, if each of them counts; about 0.5 GB."""


class ErrantScorer:
    """The gold of a corpus, prepared by a policy."""

    def __init__(self, metric: Errant, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.policy = metric.find_policy(corpus)
        wanted, unwanted = metric.listed_types
        self._wanted, self._unwanted = frozenset(wanted), frozenset(unwanted)
        self._repeats = metric.repeated == "official"
        self._gold = self._prepare(typed=metric.uses_types)
        self._check_types()
        self.check_tokens(edits for own in self._gold for edits in own)
        self.keys = [tuple(map(self.make_keys, own)) for own in self._gold]
        """For each sentence, the keys of each annotator."""
        self._unchanged: list[tuple[Row, ...]] = [tuple((0, 0, self.count(keyed.values())) for keyed in own) for own in self.keys]
        """The rows of each sentence if nothing is proposed."""

    @cached_property
    def typed_keys(self) -> list[tuple[Keyed, ...]]:
        """The same, with the types of all edits."""
        if self.policy == "raw" or self.metric.uses_types:
            return self.keys
        return [tuple(map(self.make_keys, own)) for own in self._prepare(typed=True)]

    def _prepare(self, *, typed: bool) -> list[list[list[ScoredEdit]]]:
        """List the edits of each annotator of each sentence; a sentence without annotators is correct."""
        gold = self.corpus
        if self.policy != "raw":
            with self.explain_parser():
                gold = prepare_gold(self.corpus, self.policy, self.make_extractor("linguistic", "rules"), typed=typed)
        self._labels = [tuple(annotation.annotator for annotation in sentence.annotations) or (FIRST_ANNOTATOR,) for sentence in gold]
        return [[[ScoredEdit.of(edit) for edit in annotation.edits] for annotation in sentence.annotations] or [[]] for sentence in gold]

    def make_extractor(self, alignment: AlignmentName, merge: MergeName) -> Extractor:
        """Make an extractor of edits."""
        return Extractor(self.metric.bank, alignment, merge)

    @contextmanager
    def explain_parser(self) -> Iterator[None]:
        """Say what needs no parser, if there is none."""
        try:
            yield
        except RequestError as error:
            try:
                _ = self.metric.bank.name
            except RequestError:
                how = "no parser is needed if the system is M2 and the gold has ERRANT's types, or with gold=raw"
                raise RequestError(f"{error}; {how}") from None
            raise

    def _check_types(self) -> None:
        """Raise if the settings name a type that neither ERRANT nor the gold has."""
        listed = self._wanted | self._unwanted
        if not listed <= ERRANT_TYPES:
            known = ERRANT_TYPES | {change.type for own in self._gold for changes in own for change in changes}
            if unknown := sorted(listed - known):
                raise UsageError(
                    f"{self.metric.name} setting types: neither ERRANT nor {self.corpus.path or self.corpus.name} has the type "
                    f"{unknown[0]!r}{suggest(unknown[0], known)}"
                )

    def check_tokens(self, edits: Iterable[Sequence[ScoredEdit]]) -> None:
        """Raise if every token of edits counts, and they have too many."""
        if self.metric.level == "dt":
            tokens = sum(edit.end - edit.start for own in edits for edit in own)
            if tokens > MOST_TOKENS_OF_EDITS:
                raise RequestError(
                    f"{self.metric}: the edits of gold or system have {tokens:,} tokens, more than {MOST_TOKENS_OF_EDITS:,}; use level=ds"
                )

    def make_keys(self, changes: Iterable[ScoredEdit]) -> Keyed:
        """Make the keys of the edits that count."""
        if self._wanted:
            changes = [change for change in changes if change.type in self._wanted]
        elif self._unwanted:
            changes = [change for change in changes if change.type not in self._unwanted]
        if self.metric.lengths != "all":
            wanted = self.metric.lengths == "multi"
            changes = [change for change in changes if change.is_long == wanted]
        return make_keys(changes, self.metric.level)

    def count(self, repeated: Collection[Sequence[ScoredEdit]]) -> int:
        """Count the edits behind some keys."""
        return sum(map(len, repeated)) if self._repeats else len(repeated)

    def count_rows(self, index: int, proposed: Keyed) -> tuple[Row, ...]:
        """Count true positives, false positives and false negatives of a sentence, one row for each annotator."""
        if not proposed:
            return self._unchanged[index]
        rows: list[Row] = []
        wrong = self.count(proposed.values())
        for keyed, (_, _, total) in zip(self.keys[index], self._unchanged[index], strict=True):
            if keyed.keys().isdisjoint(proposed):
                rows.append((0, wrong, total))
                continue
            common = [key for key in keyed if key in proposed]
            found = self.count([keyed[key] for key in common])
            rows.append((found, wrong - self.count([proposed[key] for key in common]), total - found))
        return tuple(rows)

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> ErrantOutput:
        """Extract the edits of texts."""
        return ExtractedOutput(self, hypotheses, first)

    def prepare_edits(self, system: System) -> ErrantOutput:
        """Take a system's own edits as they are."""
        return OwnOutput(self, system)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Name the annotators."""
        del rows
        return self._labels[index]


class ErrantOutput(Output):
    """The edits of a system."""

    def __init__(self, scorer: ErrantScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._keys = self._make_keys(typed=scorer.metric.uses_types)

    @abstractmethod
    def _list_changes(self, *, typed: bool) -> Iterable[Sequence[ScoredEdit]]:
        """List the edits of every sentence."""

    def _make_keys(self, *, typed: bool) -> list[Keyed]:
        make_keys, edits = self._scorer.make_keys, list(self._list_changes(typed=typed))
        self._scorer.check_tokens(edits)
        return [make_keys(own) if own else {} for own in edits]

    @cached_property
    def _typed_keys(self) -> list[Keyed]:
        return self._keys if self._scorer.metric.uses_types else self._make_keys(typed=True)

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count true positives, false positives and false negatives, one row for each annotator."""
        count_rows, first = self._scorer.count_rows, self.first
        return [count_rows(index, self._keys[index - first]) for index in range(start, stop)]

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """List right, wrong and missed edits of the sentence at an index, in order, for each annotator.

        They are those that are counted, so an edit occurs for each of its tokens if these are counted, and an edit that matches
        one that gold repeats occurs as often.
        """
        self.hypothesis(index)
        return [self._judge(index, keyed) for keyed in self._scorer.typed_keys[index]]

    def _judge(self, index: int, gold: Keyed) -> list[JudgedEdit]:
        proposed = self._typed_keys[index - self.first]
        judged: list[JudgedEdit] = []

        def add(outcome: EditOutcome, key: tuple[int | str, ...], edits: Sequence[ScoredEdit], correction: str | None = None) -> None:
            once = self._scorer.metric.repeated == "once"
            for change in edits[:1] if once else edits:
                start, end = change.start, change.end
                if self._scorer.metric.level == "dt" and start < end:
                    start, end = int(key[0]), int(key[1])
                original = " ".join(self._scorer.corpus[index].tokens[start:end])
                judged.append(
                    JudgedEdit(outcome, start, end, original, (change.correction if correction is None else correction,), change.type)
                )

        for key, own in proposed.items():
            if key in gold:
                add("right", key, gold[key], own[0].correction)
            else:
                add("wrong", key, own)
        for key, own in gold.items():
            if key not in proposed:
                add("missed", key, own)
        return sorted(judged, key=lambda edit: (edit.start, edit.end))


class ExtractedOutput(ErrantOutput):
    """A text whose edits are extracted; their types only if they are needed."""

    def __init__(self, scorer: ErrantScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        corpus, metric = scorer.corpus, scorer.metric
        self._pairs = [(corpus[index].tokens, tokens) for index, tokens in enumerate(hypotheses, first)]
        self._extractor = scorer.make_extractor(metric.alignment, metric.merge)
        with scorer.explain_parser():
            try:
                self._spans = self._extractor.spans(self._pairs)
            except PairError as error:
                raise error.in_corpus(corpus, first) from None
        super().__init__(scorer, hypotheses, first)

    def _list_changes(self, *, typed: bool) -> Iterable[Sequence[ScoredEdit]]:
        with self._scorer.explain_parser():
            types = self._extractor.types(self._pairs, self._spans) if typed else [("",) * len(own) for own in self._spans]
        for (_, target), spans, own in zip(self._pairs, self._spans, types, strict=True):
            yield [
                ScoredEdit(span.start, span.end, " ".join(target[span.target_start : span.target_end]), name)
                for span, name in zip(spans, own, strict=True)
            ]


class OwnOutput(ErrantOutput):
    """A system with its own edits."""

    def __init__(self, scorer: ErrantScorer, system: System) -> None:
        self._own = system.edits or ()
        metric = scorer.metric
        for name, default in (("alignment", "linguistic"), ("merge", "rules")):
            if getattr(metric, name) != default:
                raise UsageError(
                    f"{metric} cannot be combined with M2 of a system, whose edits are its own: {system.path or system.name}; "
                    "give its text, or leave the setting out"
                )
        super().__init__(scorer, system.sentences)

    def _list_changes(self, *, typed: bool) -> Iterable[Sequence[ScoredEdit]]:
        del typed
        return ([ScoredEdit.of(edit) for edit in edits] for edits in self._own)
