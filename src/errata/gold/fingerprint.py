"""Fingerprints of corpora, so that a score identifies its gold.

A corpus is hashed in blocks of sentences, so that the fingerprint of a long one can be put together from its parts.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import TYPE_CHECKING

from errata.names import BLOCK_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus import Corpus, Sentence

DIGITS = 12
"""Length of a fingerprint."""
_KEPT = "kept_fingerprint"


def compute_fingerprint(corpus: Corpus) -> str:
    """Compute the first digits of a hash of all tokens and edits, once; file names and skipped lines do not count.

    >>> from errata import Corpus, Sentence
    >>> compute_fingerprint(Corpus((Sentence.of("A cat"),)))
    '446de031690c'
    """
    kept = vars(corpus).get(_KEPT)
    if kept is None:
        kept = vars(corpus)[_KEPT] = combine_blocks(hash_blocks(corpus.sentences))
    return str(kept)


def hash_blocks(sentences: Iterable[Sentence]) -> list[bytes]:
    """Compute the SHA-256 of each block of sentences."""
    waiting = iter(sentences)
    digests = []
    while block := list(islice(waiting, BLOCK_SIZE)):
        digests.append(hashlib.sha256(b"".join(map(_describe, block))).digest())
    return digests


def combine_blocks(digests: Sequence[bytes]) -> str:
    """Make a fingerprint of the hashes of all blocks: that of a single block, or the SHA-256 of those of several."""
    whole = digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()
    return whole.hex()[:DIGITS]


def _describe(sentence: Sentence) -> bytes:
    return "".join(_list_pieces(sentence)).encode("utf-8", "surrogatepass")


def _list_pieces(sentence: Sentence) -> Iterator[str]:
    """Yield tokens and edits, with control characters between them."""
    yield "\x1f".join(sentence.tokens)
    for annotation in sentence.annotations:
        yield f"\x1d{annotation.annotator}"
        for edit in annotation.edits:
            fields = (str(edit.start), str(edit.end), edit.type, edit.status, *edit.corrections)
            if edit.error is not None:
                fields += (f"\x1d{edit.error.id}", str(edit.error.required))
            yield "\x1e" + "\x1f".join(fields)
    yield "\x1c"
