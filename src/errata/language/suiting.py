"""Taggers and the language of a corpus: parts of speech give types of English, so a corpus in another language has none by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.unicode import warn_of_english
from errata.language.tagging import find_tagger

if TYPE_CHECKING:
    from errata.corpus.corpus import Corpus
    from errata.language.tagging import Tagger

AUTO_TAGGER = "auto"
"""The default tagger if the sentences are English, and none if they are not."""
_CHOOSE = "--types NAME gives types of a plug-in, --tagger textblob those of English"


def find_suited(name: str | None, corpus: Corpus) -> Tagger | None:
    """Find a tagger for a corpus by its name, which may be ``auto``; None for none."""
    if name is None:
        return None
    return suit(find_tagger("textblob" if name == AUTO_TAGGER else name), corpus, asked=name != AUTO_TAGGER)


def suit(tagger: Tagger | None, corpus: Corpus, *, asked: bool) -> Tagger | None:
    """Return a tagger if the sentences of a corpus are English, or if it was asked for; warn if they are not."""
    if tagger is None:
        return None
    tokens = [sentence.tokens for sentence in corpus.whole or corpus]
    if asked:
        warn_of_english(tokens, f"types by {tagger.name} are for English")
        return tagger
    return (
        None
        if warn_of_english(tokens, f"wrong edits have no type, because rules for parts of speech are for English; {_CHOOSE}")
        else tagger
    )
