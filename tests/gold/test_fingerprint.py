"""Fingerprints of corpora."""

import hashlib

import errata
from errata.corpus import references
from errata.settings import BLOCK_SIZE


def make_corpus(count: int) -> errata.Corpus:
    sentences = (errata.Sentence.of(f"I likes cake {number} .", [errata.Edit(1, 2, ("like",), "SVA")], []) for number in range(count))
    return errata.Corpus(tuple(sentences))


def test_a_short_corpus_is_hashed_as_one_text() -> None:
    corpus = make_corpus(2)
    text = "".join(
        f"I\x1flikes\x1fcake\x1f{number}\x1f.\x1d0\x1e1\x1f2\x1fSVA\x1fREQUIRED\x1flike\x1d1\x1c" for number in range(len(corpus))
    )
    assert corpus.fingerprint == hashlib.sha256(text.encode()).hexdigest()[:12]


def test_a_long_corpus_can_be_hashed_in_parts() -> None:
    corpus = make_corpus(2 * BLOCK_SIZE + 1)
    cut = BLOCK_SIZE
    blocks = [*references.hash_blocks(corpus.sentences[:cut]), *references.hash_blocks(corpus.sentences[cut:])]
    assert len(blocks) == 3
    assert references.combine_blocks(blocks) == corpus.fingerprint
    assert references.combine_blocks(blocks) != references.combine_blocks([*blocks[:2], blocks[0]])


def test_a_corpus_without_sentences_has_a_fingerprint() -> None:
    assert errata.Corpus(()).fingerprint == hashlib.sha256(b"").hexdigest()[:12]
