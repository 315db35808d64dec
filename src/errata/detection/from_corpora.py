"""Cases from a corpus and systems: tokens, characters, edits, gaps between tokens or sentences.

By default, the reference of each sentence is chosen for every system.  Tokens are then the columns of a metric's alignment of source,
system and reference (default I-measure), so their counts are those of the metric.  Characters are aligned in the same way, against
the same reference, so two errors in one word are two cases.  Edits are those of a metric (MaxMatch); a text without errors has no
defined number of edits, so there are no true negatives.

Gaps and sentences, and tokens and characters if gold is the same for all systems (:mod:`errata.detection.judgments`), are positions of the
source (:mod:`errata.detection.positions`), so every system has the same cases.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from errata.corpus.annotators import DETECT, choose_missing, complete_as_found, complete_corpus, detect_missing
from errata.corpus.corpus import WHITESPACE_TOKENS, System, fit_system
from errata.corpus.references import MOST_TOKENS
from errata.detection.aligned_cases import (
    TIED,
    AlignedCase,
    add_types,
    align_characters,
    join_cases,
    list_typed_spans,
    turn_columns_into_cases,
    turn_edits_into_cases,
    turn_errors_into_cases,
    type_false_positives,
)
from errata.detection.case_settings import CaseSettings
from errata.detection.gap_sites import GapSites
from errata.detection.judged_edits import judge_errors, pool_annotators
from errata.detection.judged_positions import CorpusPositions, Opinion, PositionGold, make_opinion
from errata.detection.judgments import Judgments
from errata.detection.left_out import NOT_ANNOTATED, OTHER_TYPES, UNKNOWN_TYPES
from errata.detection.signatures import describe_corpus_cases
from errata.errors import RequestError, UsageError, suggest
from errata.metrics.strategies import SingleRow
from errata.metrics.views import ShowsAlignment, ShowsEdits
from errata.scoring import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Unpack

    from errata.corpus.annotators import Missing
    from errata.corpus.corpus import Corpus, Sentence
    from errata.detection.case_settings import CaseOptions, Granularity
    from errata.detection.cases import Cases
    from errata.metrics.base import Output

_METRICS: dict[Granularity, str] = {
    "token": "imeasure",
    "character": "imeasure",
    "edit": "maxmatch",
    "gap": "imeasure",
    "sentence": "imeasure",
}
"""The default metric whose alignment or edits are the cases, or that chooses references."""
_WHAT: dict[Granularity, str] = {
    "token": "tokens of source, system and reference, aligned as {} does",
    "character": "characters of source, system and reference, aligned as {} aligns tokens",
    "edit": "edits of system and gold, as {} finds them",
}
_ANY_TYPE = "False positives are changes of every type, because wrong changes have no type."


class CorpusCases:
    """A corpus, prepared to extract the cases of any number of systems.

    Its arguments are those of :class:`errata.detection.case_settings.CaseSettings`.
    """

    def __init__(self, corpus: Corpus, **options: Unpack[CaseOptions]) -> None:
        self._settings = settings = CaseSettings(**options)
        self.judgments = Judgments.of(corpus, settings.judgments, settings.annotator)
        _check_types(corpus, settings.types)
        self._given, self._case = corpus, settings.case
        self._missing = _find_policy(corpus, settings)
        self._corpus = complete_corpus(corpus, self._missing)
        self._alone: dict[str, CorpusCases] = {}
        """The same by the judgment of one annotator."""
        self._positions = self._find_positions()
        if self._positions is None or not self.judgments.is_fixed:
            _ = self._evaluate

    def _find_positions(self) -> CorpusPositions | None:
        """Find the positions of the corpus, if cases are positions."""
        corpus, settings = self._corpus, self._settings
        if settings.case == "edit" or (settings.case not in {"gap", "sentence"} and not self.judgments.is_fixed):
            return None
        if settings.tagger is None or not settings.sites:
            return CorpusPositions(corpus, settings.case, settings.confusion_set)
        tags = settings.tagger.tag([sentence.tokens for sentence in corpus])
        sites = GapSites(settings.sites)
        sites.check_tags(tags)
        return CorpusPositions(corpus, settings.case, settings.confusion_set, sites, tags)

    @cached_property
    def _evaluate(self) -> Evaluator:
        """The metric; annotators who judge positions need none."""
        evaluate = Evaluator(self._select_gold(), self._settings.metric or _METRICS[self._case], warn=None)
        shows, what = (ShowsEdits, "edits") if self._case == "edit" else (ShowsAlignment, "aligned words")
        if not isinstance(evaluate.prepare_from([], 0), shows):
            name = evaluate.metric.name
            raise UsageError(f"{self._case}s need a metric that shows {what}, such as {_METRICS[self._case]}; {name} does not")
        return evaluate

    def _select_gold(self) -> Corpus:
        """Select what the metric sees: all annotators, one, or all as one."""
        if not self.judgments.is_fixed:
            return self._corpus
        if self.judgments.annotator is None:
            return pool_annotators(self._corpus)
        own = (replace(sentence, annotations=tuple(self.judgments.find_annotations(sentence) or ())) for sentence in self._corpus)
        return replace(self._corpus, sentences=tuple(own))

    def of(self, system: System, progress: Callable[[int], None] | None = None) -> Cases:
        """Extract the cases of a system."""
        system = fit_system(self._corpus, system)
        if self._positions is not None:
            gold = self._gold if self.judgments.is_fixed else self._choose_gold(system)
            cases = gold.make_cases(system, progress, self._settings.typer)
        else:
            cases = self._extract(system, progress)
        if self._settings.confusion_set and not len(cases):
            raise RequestError(
                f"no position has one of the words {', '.join(sorted(self._settings.confusion_set)[:5])}, so there are no cases"
            )
        any_type = self._settings.types and not self._settings.confusion_set and self._settings.typer is None
        part = f", in {self._corpus.extent}" if self._corpus.part is not None else ""
        notes = (*cases.notes, *([_ANY_TYPE] if any_type else []))
        return replace(cases, what=f"{cases.what}{part}", notes=notes, data=f"{self._data}{_name_tokenisation(system)}")

    @cached_property
    def _data(self) -> str:
        """What the cases depend on."""
        uses_metric = self._positions is None or not self.judgments.is_fixed
        metric = self._evaluate.metric if uses_metric else None
        return describe_corpus_cases(self._settings, self.judgments, metric, self._given, self._missing)

    @cached_property
    def _gold(self) -> PositionGold:
        """What the annotators say about every position."""
        assert self._positions is not None  # noqa: S101 - only positions have it
        opinions = (
            _list_opinions(sentence, number, self.judgments) for number, sentence in zip(self._corpus.numbers, self._corpus, strict=True)
        )
        return PositionGold(self._positions, self.judgments, opinions, self._settings.types)

    def _choose_gold(self, system: System) -> PositionGold:
        """What the references chosen for a system say about every position."""
        assert self._positions is not None  # noqa: S101 - only positions have it
        output, chosen = self._prepare(system)
        opinions = []
        for index, row in enumerate(chosen):
            if isinstance(output, ShowsAlignment):
                alignment = output.alignment(index, row)
                reference = tuple(column.reference for column in alignment.columns if column.reference is not None)
                opinions.append([Opinion([reference], list_typed_spans(self._corpus[index], alignment))])
        return PositionGold(self._positions, self.judgments, opinions, self._settings.types)

    def _extract(self, system: System, progress: Callable[[int], None] | None) -> Cases:
        """Extract columns or edits."""
        left_out = Counter[str]()
        kept: list[AlignedCase] = []
        for own in self._sentences(system, left_out):
            kept += [case for case in own if not _leave_out(case, self._settings.types, left_out)]
            if progress is not None:
                progress(1)
        if self._settings.typer is not None:
            kept = type_false_positives(kept, self._corpus, system, self._settings.typer)
        found_by = self._evaluate.metric
        settings = str(found_by).removeprefix(found_by.name)
        what = _WHAT[self._case].format(f"{found_by.title}{settings}")
        tied = left_out.pop(TIED, 0)
        notes = (f"{self.judgments.describe(self._corpus, tied)}.",) if self.judgments.is_fixed else ()
        own_types = self._evaluate.metric.types_wrong_edits
        return replace(
            join_cases(self._corpus, system, what, kept, tuple(left_out.items()), negatives=self._case != "edit"),
            notes=notes,
            graded=self.judgments.name == "graded",
            wrong_types=None if own_types else tuple(self._settings.typer.order) if self._settings.typer is not None else (),
        )

    def _sentences(self, system: System, left_out: Counter[str]) -> Iterator[Iterator[AlignedCase]]:
        """Yield the cases of each sentence, against the reference chosen for it or what the annotators say."""
        output, chosen = self._prepare(system)
        for index, row in enumerate(chosen):
            if self.judgments.find_annotations(self._corpus[index]) is None:
                left_out[NOT_ANNOTATED] += 1
                yield iter(())
            elif isinstance(output, ShowsEdits) and self._case == "edit":
                edits, tokens = output.edits(index)[row], system.sentences[index]
                if self.judgments.is_fixed and self.judgments.annotator is None:
                    yield turn_errors_into_cases(index, judge_errors(self._corpus[index], edits, self.judgments), tokens, left_out)
                else:
                    yield turn_edits_into_cases(index, edits, tokens)
            elif isinstance(output, ShowsAlignment):
                alignment = output.alignment(index, row)
                columns = add_types(self._corpus[index], alignment) if self._case == "token" else align_characters(alignment, output)
                yield turn_columns_into_cases(index, columns, self._settings.confusion_set, left_out)

    def _prepare(self, system: System) -> tuple[Output, Sequence[int]]:
        """Prepare the output, and choose the row of each sentence; if there is only one, without scoring."""
        if isinstance(self._evaluate.metric.strategy, SingleRow):
            return self._evaluate.prepare(system), (0,) * len(system)
        score = self._evaluate(system)
        if score.evidence.chosen is None:
            raise UsageError(f"{score.metric.name} chooses no reference, so there are no cases")
        return score.output, score.evidence.chosen

    def judge_by_annotator(self, system: System) -> Iterator[tuple[str, Cases]]:
        """Yield the cases of a system as each annotator alone judges them."""
        for name in self._corpus.annotators:
            if name not in self._alone:
                self._alone[name] = self._with_judge(Judgments("vote", name))
            yield name, self._alone[name].of(system)

    def judge_annotators(self) -> Iterator[tuple[str, Cases]]:
        """Yield every pair of annotators: the first judges the corrections of the second, in the sentences that both annotated."""
        names = self._corpus.annotators
        for number, one in enumerate(names):
            for other in names[number + 1 :]:
                yield one, self._with_judge(Judgments("vote", one, beside=other)).of(self._as_system(other))

    @cached_property
    def _completed(self) -> Corpus:
        """The corpus for annotators alone, with the annotations that it is found to leave out."""
        return complete_as_found(self._given, self._settings.missing)

    def _as_system(self, annotator: str) -> System:
        alone = Judgments("vote", annotator)
        annotations = [alone.find_annotations(sentence) for sentence in self._completed]
        texts = [sentence.corrected(own[0]) if own else sentence.tokens for sentence, own in zip(self._completed, annotations, strict=True)]
        return System(annotator, tuple(texts))

    def _with_judge(self, judgments: Judgments) -> CorpusCases:
        """Judge the same cases otherwise."""
        _ = self._completed
        other = copy(self)
        for name in ("_gold", "_evaluate", "_data"):
            vars(other).pop(name, None)
        other._corpus = self._completed  # noqa: SLF001 - of the same class
        other.judgments, other._settings = judgments, replace(self._settings, typer=None)  # noqa: SLF001 - of the same class
        return other


def _name_tokenisation(system: System) -> str:
    return "" if system.tokenisation == WHITESPACE_TOKENS else f" | tokenised by {system.tokenisation}"


def extract_cases(corpus: Corpus, system: System, **options: Unpack[CaseOptions]) -> Cases:
    """Extract the cases of one system; for several, :class:`CorpusCases` prepares the gold once."""
    return CorpusCases(corpus, **options).of(system)


def _find_policy(corpus: Corpus, settings: CaseSettings) -> Missing:
    """Find what an annotator without a line is: by default absent, unless the only judge is found to be left out."""
    if settings.missing != DETECT:
        return choose_missing(corpus, settings.missing)
    return (settings.annotator is not None and detect_missing(corpus).policies.get(settings.annotator)) or "absent"


def _list_opinions(sentence: Sentence, number: int, judgments: Judgments) -> list[Opinion] | None:
    annotations = judgments.find_annotations(sentence)
    if annotations is None:
        return None
    texts = sum(1 + sum(len(edit.corrections) - 1 for edit in annotation.edits) for annotation in annotations)
    if texts * len(sentence.tokens) > MOST_TOKENS:
        raise RequestError(f"sentence {number:,}: its annotators accept texts of more than {MOST_TOKENS:,} tokens")
    return [make_opinion(sentence, annotation) for annotation in annotations] or [Opinion([sentence.tokens], [])]


def _check_types(corpus: Corpus, types: Collection[str]) -> None:
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(set(types) - known):
        raise UsageError(
            f"no edit of gold has the type {unknown[0]!r}; the types are {', '.join(sorted(known)) or 'none'}{suggest(unknown[0], known)}"
        )


def _leave_out(case: AlignedCase, types: Collection[str], left_out: Counter[str]) -> bool:
    if not types or not case.error or case.type in types:
        return False
    left_out[OTHER_TYPES if case.type else UNKNOWN_TYPES] += 1
    return True
