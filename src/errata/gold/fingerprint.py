"""Fingerprints of corpora, so that a score identifies its gold."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.corpus import Corpus

DIGITS = 12
"""Length of a fingerprint."""
_KEPT = "kept_fingerprint"


def compute_fingerprint(corpus: Corpus) -> str:
    """Compute the first digits of the SHA-256 of all tokens and edits, once; file names and skipped lines do not count.

    >>> from errata import Sentence, Corpus
    >>> compute_fingerprint(Corpus((Sentence.of("A cat"),)))
    '446de031690c'
    """
    kept = vars(corpus).get(_KEPT)
    if kept is None:
        kept = vars(corpus)[_KEPT] = _hash_content(corpus)
    return str(kept)


def _hash_content(corpus: Corpus) -> str:
    digest = hashlib.sha256()
    for sentence in corpus:
        digest.update("\x1f".join(sentence.tokens).encode("utf-8", "surrogatepass"))
        for annotation in sentence.annotations:
            digest.update(f"\x1d{annotation.annotator}".encode("utf-8", "surrogatepass"))
            for edit in annotation.edits:
                fields = (str(edit.start), str(edit.end), edit.type, edit.status, *edit.corrections)
                if edit.error is not None:
                    fields += (f"\x1d{edit.error.id}", str(edit.error.required))
                digest.update(("\x1e" + "\x1f".join(fields)).encode("utf-8", "surrogatepass"))
        digest.update(b"\x1c")
    return digest.hexdigest()[:DIGITS]
