"""Names and numbers that commands offer and functions take: methods, fills, sizes, and the types of ERRANT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus


# --- How many sentences of a long corpus belong together.

BLOCK_SIZE = 1024
"""Sentences that are hashed together."""
DEFAULT_MAX_FILES = 1_000
"""Maximum number of files that a task names."""
PART_SIZE = 16 * BLOCK_SIZE
"""Sentences of a part, unless the user says otherwise; always whole blocks."""


# --- The names of statistical methods: kinds of intervals, significance tests, and corrections of p-values.

Method = Literal["bca", "percentile", "exact"]
"""A kind of interval."""
METHODS: tuple[Method, ...] = get_args(Method)
Test = Literal["randomisation", "bootstrap", "t", "sign"]
"""A paired test of two systems."""
TESTS: tuple[Test, ...] = get_args(Test)
Correction = Literal["holm", "bh", "none"]
"""A correction of p-values for the number of pairs."""
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
FEWEST_REPLICATES, MOST_REPLICATES = 100, 1_000_000


# --- The names of ways to rank systems by judgments, and of what is resampled.

RankingMethod = Literal["expected-wins", "trueskill", "bradley-terry"]
"""How systems are ranked."""
RANKING_METHODS: tuple[RankingMethod, ...] = get_args(RankingMethod)
"""All values of :data:`RankingMethod`."""
JudgedUnit = Literal["sentence", "item", "judge"]
"""What is resampled: the items of a sentence together, single items, or the items of a judge together."""
JUDGED_UNITS: tuple[JudgedUnit, ...] = get_args(JudgedUnit)
"""All values of :data:`JudgedUnit`."""
DEFAULT_RANKING_REPLICATES = 1_000
DEFAULT_RUNS = 100
"""Runs of TrueSkill."""
PairKind = Literal["collapsed", "expanded"]
"""What a judged pair is: two outputs (collapsed), or two systems, those of the same output included (expanded)."""
PAIR_KINDS: tuple[PairKind, ...] = get_args(PairKind)
"""All values of :data:`PairKind`."""


# --- The names of ways to compare metrics with people.

TieRule = Literal["neither", "drop", "loss", "loss-given"]
"""What a tie of a metric is, if people have a preference."""
TIE_RULES: dict[TieRule, str] = {
    "neither": "it is a pair that neither agrees nor disagrees",
    "drop": "the pair is left out, so metrics with many ties look better",
    "loss": "the system whose name is first in the alphabet loses, as in the script of SEEDA",
    "loss-given": "the system that is given first loses, as in gec-metrics",
}
"""All values of :data:`TieRule`, with what they mean."""
Coefficient = Literal["pearson", "spearman", "kendall"]
"""A coefficient of correlation."""
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
"""All values of :data:`Coefficient`."""
IntervalMethod = Literal["hierarchical", "bca", "percentile"]
"""How intervals of correlations are computed."""
INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
"""All kinds of intervals."""


# --- What stands for a line that an output does not have.

Fill = Literal["empty", "source"]
"""What stands for a missing line: an empty line, or the line of the source."""
FILLS: tuple[Fill, ...] = get_args(Fill)
"""All values of :data:`Fill`."""


# --- The names of ERRANT's types: an operation, a colon and a category (Bryant et al. 2017, section 3).

UNKNOWN_TYPE = "UNK"
"""The type of an edit that changes nothing, or of an error that was marked but not corrected."""
_OPERATIONS = {"M": "missing", "R": "replacement", "U": "unnecessary"}
_ONE_SIDED = {
    "ADJ": "adjective",
    "ADV": "adverb",
    "CONJ": "conjunction",
    "CONTR": "contraction",
    "DET": "determiner",
    "NOUN": "noun",
    "NOUN:POSS": "possessive of a noun",
    "OTHER": "other errors",
    "PART": "particle",
    "PREP": "preposition",
    "PRON": "pronoun",
    "PUNCT": "punctuation",
    "VERB": "verb",
    "VERB:FORM": "verb form",
    "VERB:TENSE": "verb tense",
}
_TWO_SIDED = {
    "ADJ:FORM": "form of an adjective",
    "MORPH": "word form",
    "NOUN:INFL": "inflection of a noun",
    "NOUN:NUM": "number of a noun",
    "ORTH": "capitals or spaces",
    "SPELL": "spelling",
    "VERB:INFL": "inflection of a verb",
    "VERB:SVA": "agreement of subject and verb",
    "WO": "word order",
}
_TYPE_CATEGORIES = {**_ONE_SIDED, **_TWO_SIDED}
"""All categories, with what they mean."""
ERRANT_TYPES = frozenset(
    [*(f"{letter}:{name}" for letter in _OPERATIONS for name in _ONE_SIDED), *(f"R:{name}" for name in _TWO_SIDED), UNKNOWN_TYPE],
)
"""All types."""

Detail = Literal["operation", "category", "full"]
DETAILS: tuple[Detail, ...] = ("operation", "category", "full")
"""How much of a type is shown: ``M``, ``DET`` or ``M:DET``."""


_KEPT = "kept_has_errant_types"


def is_errant_type(name: str) -> bool:
    """Whether a type is written as ERRANT writes types."""
    return name == UNKNOWN_TYPE or (name[:1] in _OPERATIONS and name[1:2] == ":" and len(name) > len("M:"))


def list_types() -> list[str]:
    """List all types, in order.

    >>> list_types()[:2], len(list_types())
    (['M:ADJ', 'M:ADV'], 55)
    """
    return sorted(ERRANT_TYPES)


def explain_errant_type(name: str) -> str:
    """Explain a type, an operation or a category; empty if it is none of them.

    >>> explain_errant_type("M:DET"), explain_errant_type("DET"), explain_errant_type("U"), explain_errant_type("Prep")
    ('determiner (missing)', 'determiner', 'unnecessary', '')
    """
    if name in _OPERATIONS:
        return _OPERATIONS[name]
    operation, _, category = name.partition(":")
    if operation in _OPERATIONS and category in _TYPE_CATEGORIES:
        return f"{_TYPE_CATEGORIES[category]} ({_OPERATIONS[operation]})"
    if name == UNKNOWN_TYPE:
        return "marked as an error, but not corrected"
    return _TYPE_CATEGORIES.get(name, "")


def has_errant_types(corpus: Corpus) -> bool:
    """Whether the types of all edits are ERRANT's; it is found out once."""
    kept: bool | None = vars(corpus).get(_KEPT)
    if kept is None:
        types = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
        kept = vars(corpus)[_KEPT] = all(map(is_errant_type, types))
    return kept


def shorten_type(name: str, detail: Detail) -> str:
    """Keep a part of a type of ERRANT; other types stay as they are, and so does UNK.

    >>> [shorten_type(name, "category") for name in ("R:VERB:SVA", "UNK", "ArtOrDet")], shorten_type("R:VERB:SVA", "operation")
    (['VERB:SVA', 'UNK', 'ArtOrDet'], 'R')
    """
    if detail == "full" or name == UNKNOWN_TYPE or not is_errant_type(name):
        return name
    return name[0] if detail == "operation" else name[2:]


# --- Which measure a table of types and systems shows.

PivotMeasure = Literal["f", "precision", "recall"]
"""A measure of a type."""
PIVOT_MEASURES: tuple[PivotMeasure, ...] = get_args(PivotMeasure)
"""All measures of a type."""
AUTO = "auto"
"""On the command line: F, or recall if some types have no F."""


# --- Which sentences are in a page: all, those that are asked for, or an even sample if there are too many.

MOST_SENTENCES = 100_000
"""Sentences that are in a page if no others are asked for; with more it would be slow to open."""


def sample_evenly(size: int, most: int = MOST_SENTENCES) -> Sequence[int]:
    """Choose indices at equal distances; all if there are not too many.

    >>> list(sample_evenly(3, 5)), list(sample_evenly(10, 4))
    ([0, 1, 2], [0, 2, 5, 7])
    """
    return range(size) if size <= most else [number * size // most for number in range(most)]


def describe_sample(shown: int, size: int) -> str:
    """Say that not all sentences are in a page, and which are."""
    return f"Sentences: an even sample of {shown:,} of {size:,}. All numbers are of all sentences."


def describe_choice(shown: int, size: int, written: str) -> str:
    """Say which sentences were asked for."""
    return f"Sentences: only those asked for are listed, {shown:,} of {size:,} ({written}). All numbers are of all sentences."
