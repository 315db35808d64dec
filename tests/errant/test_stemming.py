"""The Lancaster stemmer."""

from __future__ import annotations

import pytest

from errata.language.errant_types import _stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # From the documentation of NLTK, and its stems of other words.
        ("maximum", "maxim"),
        ("presumably", "presum"),
        ("multiply", "multiply"),
        ("provision", "provid"),
        ("owed", "ow"),
        ("ear", "ear"),
        ("saying", "say"),
        ("crying", "cry"),
        ("string", "string"),
        ("meant", "meant"),
        ("cement", "cem"),
        ("happiness", "happy"),
        ("happily", "happy"),
        ("relational", "rel"),
        ("analysis", "analys"),
        ("guidance", "guid"),
        ("Technologies", "technolog"),
        ("applied", "apply"),
        ("bass", "bass"),
        ("us", "us"),
        ("", ""),
        ("a", "a"),
        ("'s", "'s"),
        ("abc123s", "abc123s"),
        ("cats-dogs", "cats-dog"),
        ("éclairs", "éclairs"),
    ],
)
def test_known_stems(word: str, expected: str) -> None:
    assert _stem(word) == expected


def test_rules_for_whole_words_only() -> None:
    """The ending -um is removed from a whole word, but not after another ending."""
    assert _stem("datum") == "dat"
    assert _stem("datums") == "datum"
