"""A corpus whose annotators are the mixtures of the annotators of another: one alternative of every error."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus import Annotation, ErrorGroup
from errata.gold.alternatives import group_errors, has_each_span_once
from errata.gold.sites import count_combinations

if TYPE_CHECKING:
    from errata.corpus import Corpus, Edit, Sentence

MOST_MIXTURES = 1024
"""The most mixtures of a sentence that are listed."""


class MixedCorpus(NamedTuple):
    """A corpus with mixtures as annotators, and the sentences that have too many, which keep their own annotators."""

    corpus: Corpus
    unmixed: list[int]
    """Their numbers, from 1."""


def mix_corpus(corpus: Corpus, most: int = MOST_MIXTURES) -> MixedCorpus:
    """List the mixtures of each sentence as annotators 0, 1, ...; those with the same edits once.

    >>> from errata import Corpus, Edit, Sentence
    >>> gold = Corpus((Sentence.of("This machines is", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))]),))
    >>> len(mix_corpus(gold).corpus[0].annotations), mix_corpus(gold, most=7).unmixed
    (8, [1])
    """
    sentences, unmixed = [], []
    for number, sentence in zip(corpus.numbers, corpus, strict=True):
        if count_combinations(group_errors(sentence)) > most:
            unmixed.append(number)
            sentences.append(sentence)
        else:
            sentences.append(_mix(sentence))
    return MixedCorpus(replace(corpus, sentences=tuple(sentences)), unmixed)


def _mix(sentence: Sentence) -> Sentence:
    found: dict[tuple[Edit, ...], None] = {}
    for choice in product(*group_errors(sentence)):
        if has_each_span_once(choice):
            edits = (replace(edit, error=None) for alternative in choice for edit in alternative.edits)
            found[tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))] = None
    mixtures = list(found)
    if any(edit.error is not None for annotation in sentence.annotations for edit in annotation.edits):
        # Errors are not found by overlap.  So that mixtures are not mixed again, each is an alternative of one error.
        whole = ErrorGroup("1", required=all(mixtures))
        mixtures = [tuple(replace(edit, error=whole) for edit in edits) for edits in mixtures]
    if not sentence.annotations or not mixtures:  # if every mixture has a span twice, annotators stay as they are
        return sentence
    return replace(sentence, annotations=tuple(Annotation(str(number), edits) for number, edits in enumerate(mixtures)))
