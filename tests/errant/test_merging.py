"""Which operations of an alignment are one edit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.core import python as python_core
from errata.corpus.parses import Parse, Span
from errata.errors import RequestError, UsageError
from errata.language.errant import MergeName, align_pair, merge_operations

from errant_merging_rule import list_edits
from errant_strategies import parsed_pairs
from linguistic_alignment_rule import list_operations
from thoroughness import often

STRATEGIES: list[MergeName] = ["rules", "all-split", "all-merge", "all-equal"]


def parse_of(words: str) -> Parse:
    """Words with their part of speech and perhaps their tag: ``cat/NOUN 's/PART/POS``."""
    rows = [[*word.split("/"), "X"][:3] for word in words.split()]
    forms, pos, tags = (tuple(row[index] for row in rows) for index in range(3))
    return Parse(forms, tuple(map(str.lower, forms)), pos, tags, (0,) * len(rows), ("dep",) * len(rows))


def edits_of(operations: str, source: str, target: str) -> str:
    """The lengths of edits, such as ``2>1`` for two words that become one, from operations as letters."""
    spans, end, target_end = [], 0, 0
    for letter in operations:
        start, target_start = end, target_end
        end, target_end = end + (letter != "I"), target_end + (letter != "D")
        if letter != "M":
            spans.append(Span(start, end, target_start, target_end))
    one, other = parse_of(source), parse_of(target)
    assert (end, target_end) == (len(one.forms), len(other.forms))
    merged = merge_operations(spans, one, other)
    assert python_core.merge_by_rules(spans, *((side.forms, side.pos, side.tags) for side in (one, other))) == merged
    return " ".join(f"{span.end - span.start}>{span.target_end - span.target_start}" for span in merged)


@pytest.mark.parametrize(
    ("operations", "source", "target", "expected"),
    [
        pytest.param("DD", "a/DET b/X", "", "2>0", id="only deletions"),
        pytest.param("III", "", "a/DET b/X c/X", "0>3", id="only insertions"),
        pytest.param("DMS", "a/DET b/X c/X", "b/X d/X", "1>0 1>1", id="a match between them"),
        pytest.param("SSI", "'s/PART/POS cat/NOUN", "is/AUX dog/NOUN big/ADJ", "1>1 1>2", id="a possessive at the beginning"),
        pytest.param("SI", "friends/NOUN", "friend/NOUN 's/PART/POS", "1>2", id="a possessive at the end"),
        pytest.param("ISI", "cat/X", "the/X dog/X 's/PART/POS", "0>1 1>2", id="the last two operations with a possessive"),
        pytest.param("IS", "We/PRON", "Then/ADV we/PRON", "1>2", id="a capital at the beginning"),
        pytest.param("DS", "Then/ADV we/PRON", "We/PRON", "2>1", id="a capital that moves to the next word"),
        pytest.param("IS", "we/PRON", "then/ADV We/PRON", "1>2", id="no capital at the beginning, but a word with content"),
        pytest.param("SSS", "a/X ,/PUNCT We/PRON", "b/X ./PUNCT we/PRON", "1>1 2>2", id="a capital after punctuation"),
        pytest.param("SSS", "a/X ()/X We/PRON", "b/X x/X we/PRON", "1>1 2>2", id="brackets are punctuation by their characters"),
        pytest.param("SSS", "a/X .../X We/PRON", "b/X x/X we/PRON", "1>1 1>1 1>1", id="dots that are no part of the list are not"),
        pytest.param("SD", "re-/X run/NOUN", "Rerun/X", "2>1", id="the same text but for spaces, hyphens and apostrophes"),
        pytest.param("SI", "fast/ADV", "very/ADV quickly/ADV", "1>2", id="one part of speech"),
        pytest.param("SI", "eat/VERB", "has/AUX eaten/VERB", "1>2", id="verbs"),
        pytest.param("SID", "a/X b/PRON", "c/ADP d/SYM", "1>1 0>1 1>0", id="nothing in common and no content"),
        pytest.param("SID", "a/NOUN b/PRON", "c/ADP d/SYM", "2>2", id="nothing in common, with content"),
        pytest.param("SS", "a/NOUN b/X", "c/X d/X", "1>1 1>1", id="two words for two"),
        pytest.param("SI", "cats/NOUN", "cat/NOUN of/ADP", "1>1 0>1", id="the first word is similar"),
        pytest.param("IS", "cats/NOUN", "of/ADP cat/NOUN", "0>1 1>1", id="the last word is similar"),
        pytest.param("SI", "ab/NOUN", "ac/NOUN of/ADP", "1>2", id="a word that is less similar"),
        pytest.param("SD", "of/ADP the/DET", "in/NOUN", "1>1 1>0", id="a determiner at the end of the source"),
        pytest.param("SI", "of/ADP", "in/NOUN the/DET", "1>1 0>1", id="a determiner at the end of the target"),
        pytest.param("SDS", "q/ADP x/ADP the/DET", "y/NOUN z/X", "2>1 1>1", id="a replaced determiner at the end"),
    ],
)
def test_each_rule(operations: str, source: str, target: str, expected: str) -> None:
    assert edits_of(operations, source, target) == expected


@pytest.mark.slow
@given(parsed_pairs(longest=9), st.booleans())
@settings(max_examples=often(300, 100))
def test_the_rules_read_literally(pair: tuple[Parse, Parse], linguistic: bool) -> None:  # noqa: FBT001
    operations = list_operations(*pair, linguistic=linguistic)
    spans = [Span(*operation[1:]) for operation in operations if operation[0] != "M"]
    assert merge_operations(spans, *pair) == list_edits(operations, *pair)


@given(parsed_pairs(longest=12), st.sampled_from(STRATEGIES), st.booleans())
@settings(max_examples=often(100, 30))
def test_edits_have_every_operation_once(pair: tuple[Parse, Parse], strategy: MergeName, linguistic: bool) -> None:  # noqa: FBT001
    """Edits are operations in a row, in their order, and turn the source into the target."""
    operations = align_pair(*pair, "linguistic" if linguistic else "lev")
    edits = merge_operations(operations, *pair, strategy)
    left = list(operations)
    text: list[str] = []
    kept = 0
    for edit in edits:
        assert (left[0].start, left[0].target_start) == (edit.start, edit.target_start)
        while left and left[0].end <= edit.end and left[0].target_end <= edit.target_end:
            last = left.pop(0)
        assert (last.end, last.target_end) == (edit.end, edit.target_end)
        text += [*pair[0].forms[kept : edit.start], *pair[1].forms[edit.target_start : edit.target_end]]
        kept = edit.end
    assert left == []
    assert (*text, *pair[0].forms[kept:]) == pair[1].forms


def test_other_strategies() -> None:
    transposed = Span(3, 5, 3, 5)
    operations = [Span(0, 1, 0, 1), Span(1, 2, 1, 2), Span(2, 3, 2, 2), Span(3, 5, 2, 4), Span(5, 8, 4, 7), Span(9, 9, 8, 9)]
    assert merge_operations(operations, None, None, "all-split") == operations
    assert merge_operations(operations, None, None, "all-merge") == [(0, 8, 0, 7), (9, 9, 8, 9)]
    assert merge_operations(operations, None, None, "all-equal") == [(0, 2, 0, 2), (2, 3, 2, 2), (3, 5, 2, 4), (5, 8, 4, 7), (9, 9, 8, 9)]
    assert merge_operations([transposed], None, None, "all-equal") == [transposed]
    with pytest.raises(UsageError, match="merge=rules needs the parses"):
        merge_operations(operations, None, None, "rules")


def test_long_runs() -> None:
    """The time grows with the square of the operations, and more than a limit are refused."""
    source, target = (parse_of(" ".join(f"{letter}{index}/NOUN" for index in range(400))) for letter in "ab")
    operations = [Span(index, index + 1, index, index + 1) for index in range(400)]
    assert merge_operations(operations, source, target) == operations
    many, source = [Span(index, index + 1, 0, 0) for index in range(2_001)], parse_of("a/X " * 2_001)
    with pytest.raises(RequestError, match=r"^2,001 operations in a row, from token 0 on, are too many to be merged in seconds"):
        merge_operations(many, source, target)
