"""The operations that turn a source into a target, by the alignment of ERRANT (Felice et al. 2016) or by Levenshtein's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from errata.core import align_parses
from errata.corpus.parses import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.parses import Parse
    from errata.corpus.texts import Tokens

AlignmentName = Literal["linguistic", "lev"]


def align_pair(source: Parse, target: Parse, alignment: AlignmentName = "linguistic") -> list[Span]:
    """Find the operations between two parsed sentences; tokens that match are none.

    A deletion has an empty target, an insertion an empty source, a substitution one token on each side, and a transposition the same
    tokens in another order, two or more on each side.
    """
    sentences = [(parse.forms, parse.lemmas, parse.pos) for parse in (source, target)]
    return align_sentences(sentences, [(1, 0, 1)], alignment)[0]


def align_texts(source: Tokens, target: Tokens) -> list[Span]:
    """Find the operations of Levenshtein's alignment, which needs no parse.

    >>> align_texts(("a", "a", "b"), ("a", "b"))
    [Span(start=0, end=1, target_start=0, target_end=0)]
    """
    return align_sentences([(source, (), ()), (target, (), ())], [(1, 0, 1)], "lev")[0]


def align_sentences(
    sentences: Sequence[tuple[Tokens, Tokens, Tokens]], pairs: Iterable[tuple[int, int, int]], alignment: AlignmentName
) -> list[list[Span]]:
    """Find the operations of many pairs of sentences: forms, lemmas and parts of speech, of which ``lev`` needs the forms only.

    A pair has a number, for messages, and the indices of its source and target.
    """
    found = align_parses(sentences, list(pairs), alignment == "linguistic")
    return [list(map(Span._make, operations)) for operations in found]
