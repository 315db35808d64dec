"""The compiled core: the same functions as errata.core.python."""

from collections.abc import Sequence
from typing import Any

import errata.core.edits


def __compiler__() -> str:
    """Name what compiled the core."""

class MaxMatchJudge:
    """MaxMatch counts of hypotheses against a corpus, which is read once."""

    def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], ...]]], max_unchanged: int, *, most_work: int = 300000000, most_searched: int = 4294967296, most_steps: int = 268435456, most_arcs: int = 250000) -> None: ...

    def counts(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[tuple[tuple[int, int, int], ...]]:
        """
        Count correct, proposed and gold edits of consecutive sentences from `first`, one row for each annotator.
        """

    def probe(self, sentence: int, hypothesis: tuple[str, ...]) -> tuple[list[bool], list[int]]:
        """
        Find which edits of the first annotator can match, and the positions of the source between which counts are independent.
        """

    def counts_of(self, sentence: int, hypothesis: tuple[str, ...], selections: list[tuple[int, ...]]) -> list[tuple[int, int, bool]]:
        """
        Count correct and proposed edits for each selection of edits of the first annotator, and whether the one pass proves them.
        """

    def edits(self, sentence: int, hypothesis: tuple[str, ...]) -> list[list[errata.core.edits.MatchedEdit]]:
        """
        List the edits found for each annotator, each with the gold edit that it matches.
        """

class TextGold:
    """
    MaxMatch counts of texts against references, whose edits are found once.
    """

    def __init__(self, source: Any, references: Sequence[Any], max_unchanged: int, first: int = 1, *, max_tokens: int = 4000, most_work: int = 300000000, most_searched: int = 4294967296, most_steps: int = 268435456, most_arcs: int = 250000) -> None: ...

    def counts(self, hypotheses: Any) -> Any:
        """
        Count correct, proposed and gold edits: one row for each sentence and reference.
        """

    def content(self, start: int, stop: int) -> bytes:
        """
        Write what a fingerprint is computed from, for the sentences from one index up to another.
        """

class MixedReferences:
    """All references that mix variants of text, scored without listing them."""

    def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...]]], gap: int, mismatch: int, realigned: bool, most_choices: int, *, most_cells: int = 134217728, most_bounds: int = 67108864, most_beginnings: int = 33554432, most_pairs: int = 134217728, most_aligned: int = 268435456) -> None: ...

    def blocks(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[list[tuple[int, int, list[tuple[tuple[int, ...], tuple[int, ...]]]]]]:
        """
        List the independent blocks of consecutive sentences from `first`: first site, site after the last, and the distinct counts with the first choice of variants that has them.  A sentence with too many of them or too many cells has no blocks.
        """

def list_blocks(source: tuple[str, ...], hypothesis: tuple[str, ...], sites: tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], gap: int, mismatch: int, realigned: bool, most_choices: int, *, most_cells: int = 134217728, most_bounds: int = 67108864, most_beginnings: int = 33554432, most_pairs: int = 134217728, most_aligned: int = 268435456) -> tuple[list[tuple[int, int, list[tuple[tuple[int, ...], tuple[int, ...]]]]], int]:
    """
    List the independent blocks of one sentence, as `MixedReferences` does; also the work.
    """

def count_three_way(source: tuple[str, ...], hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...], gap: int, mismatch: int, *, most_pairs: int = 134217728, most_aligned: int = 268435456, most_work: int = 268435456) -> tuple[list[tuple[int, ...]], int]:
    """
    Count the columns of alignments with references by class, for the hypothesis and the source, while work is left; also the work.
    """

def align_three_way(source: tuple[str, ...], hypothesis: tuple[str, ...], reference: tuple[str, ...], gap: int, mismatch: int, *, most_pairs: int = 134217728, most_aligned: int = 268435456) -> tuple[list[tuple[bool, bool, bool]], int, int]:
    """
    Find which of the three have a token in each column of an exact alignment; also the numbers of visited and of all cells.
    """

def find_best_matches(sets: Sequence[tuple[int, ...]], others: Sequence[tuple[int, ...]], aligned: Sequence[tuple[int, int]], by_share: bool, *, most_meetings: int = 1000000000, most_matches: int = 2000000) -> list[tuple[int, ...]]:
    """
    Find for each set of words all others that match it best, by F1 of the aligned words that both have, or by the share of their own.
    """

class NgramCounter:
    """
    N-grams of hypotheses, their sources and references, as GLEU counts them; a corpus is read once.
    """

    def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]], order: int, *, most_ngrams: int = 16777216) -> None: ...

    def counts(self, first: int, hypotheses: list[tuple[str, ...]], excess: bool) -> list[tuple[tuple[int, ...], ...]]:
        """
        Count consecutive sentences from `first`, a row for each reference: lengths, numerators and denominators.
        """

    def pooled_counts(self, first: int, hypotheses: list[tuple[str, ...]], excess: bool) -> list[tuple[tuple[int, ...], ...]]:
        """
        Count consecutive sentences from `first`, a row for all references: both lengths, then n-grams gained, right, lost and to gain, each for every order.
        """

def align(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """
    Find the fewest edits of a shortest alignment: source span and target span of each.
    """

def compute_edit_distances(one: Sequence[str], other: Sequence[str], *, most_steps: int = 2147483648) -> Any:
    """
    Compute the edit distance of every word of one list to every word of the other, a row for each word of the first.
    """

def align_parses(sentences: Sequence[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]], pairs: Sequence[tuple[int, int, int]], linguistic: bool, *, most_cells: int = 67108864, most_steps: int = 2147483648) -> list[list[tuple[int, int, int, int]]]:
    """
    Find the operations between sentences (forms, lemmas, parts of speech), for triples of number, source index and target index.
    """

def count_common_characters(one: str, other: str, *, most_steps: int = 2147483648) -> int:
    """Count the characters of a longest common subsequence of two words."""

def merge_by_rules(operations: Sequence[tuple[int, int, int, int]], source: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], target: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], *, most_operations: int = 2000) -> list[tuple[int, int, int, int]]:
    """
    Merge the operations of an alignment to edits, by the rules of ERRANT; a sentence is forms, parts of speech and tags.
    """

class ParseReader:
    """
    Reads the lines of parsed sentences that errata wrote; equal cells are one string.
    """

    def __init__(self) -> None: ...

    def read(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...], tuple[str, ...]] | None:
        """
        Split lines into forms, lemmas, parts of speech, tags, heads and dependencies; None if they are written in another way.
        """

def rechoose(rows: Any, starts: Any, picked: Any, optimal: bool) -> Any:
    """
    Count how often each row is chosen in each replicate; a replicate is an ordered list of sentences, -1 is none.
    """
