"""Corpora whose texts are normalised: all that is compared with them is normalised in the same way (:func:`errata.corpus.fit_system`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.unicode_forms import AS_GIVEN, check_unicode_form, normalise_tokens

if TYPE_CHECKING:
    from errata.corpus import Annotation, Corpus, Sentence
    from errata.unicode_forms import UnicodeForm


def normalise_corpus(corpus: Corpus, form: UnicodeForm) -> Corpus:
    r"""Normalise the sources and corrections of a corpus; types, comments and names stay.

    >>> from errata.corpus import Corpus, Edit, Sentence
    >>> corpus = Corpus((Sentence.of("a cafe\u0301 ?", [Edit(1, 2, ("cafe\u0301s",))]),))
    >>> normalise_corpus(corpus, "NFC")[0].annotations[0].edits[0].corrections
    ('cafés',)
    """
    if check_unicode_form(form) == AS_GIVEN:
        return corpus
    whole = normalise_corpus(corpus.whole, form) if corpus.whole is not None else None
    return replace(corpus, sentences=tuple(_normalise(sentence, form) for sentence in corpus), whole=whole, unicode=form)


def _normalise(sentence: Sentence, form: UnicodeForm) -> Sentence:
    annotations = tuple(_normalise_edits(annotation, form) for annotation in sentence.annotations)
    return replace(sentence, tokens=normalise_tokens(sentence.tokens, form), annotations=annotations)


def _normalise_edits(annotation: Annotation, form: UnicodeForm) -> Annotation:
    return replace(annotation, edits=tuple(edit.normalised(form) for edit in annotation.edits))
