"""Whether sentences are English: what is made for English must not be used on other languages in silence.

Sentences are not English if most of their letters are not Latin, or if fewer than a tenth of their words are frequent words of English.
Of learners' English about 30% are, of other languages with Latin letters less than 5%.  Few words show nothing, so they count as English.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections import Counter
from typing import TYPE_CHECKING

from errata.errors import InputWarning, pluralise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.texts import Tokens

FREQUENT_WORDS = frozenset(
    "the and that it with this have are but from they which there been when who what about than into them can other could these then any "  # noqa: SIM905 - short
    "such after also many must before because you she his their would should how n't 's does to of not for people more some "
    "my very our your were 'm".split()
)
"""Frequent words of English; those that are frequent in another language with Latin letters too are few."""
_FIRST_PERSON = "I"
"""As frequent in simple English, but only as a capital: a small one is a word of many languages."""
_LEAST_SHARE = 0.1
_LEAST_WORDS = 20
_MOST_SENTENCES = 1_000
"""Sentences that are looked at; of more, an even sample."""
_LATIN = "LATIN"


def find_other_language(sentences: Sequence[Tokens]) -> str:
    """Say why sentences are not English; empty if they seem to be, or if they show nothing.

    >>> find_other_language([tuple("Він прийшов додому .".split())])
    '100% of their letters are Cyrillic'
    >>> find_other_language([tuple("He goed home and the dog was there .".split())])
    ''
    """
    step = max(1, len(sentences) // _MOST_SENTENCES)
    words = [word for tokens in sentences[::step] for word in tokens if not word.isascii() or any(map(str.isalpha, word))]
    scripts = Counter(_find_script(letter) for word in words for letter in word if letter.isalpha())
    if not scripts:
        return ""
    script, letters = scripts.most_common(1)[0]
    if script != _LATIN:
        return f"{letters / scripts.total():.0%} of their letters are {_name_script(script)}"
    frequent = sum(word == _FIRST_PERSON or word.lower() in FREQUENT_WORDS for word in words)
    if len(words) < _LEAST_WORDS or frequent >= _LEAST_SHARE * len(words):
        return ""
    return f"only {frequent:,} of {pluralise(len(words), 'word')} are frequent words of English"


def warn_of_english(sentences: Sequence[Tokens], what: str) -> bool:
    """Warn if sentences are not English, but something made for English is used; tell whether they are not."""
    if why := find_other_language(sentences):
        warnings.warn(f"the sentences do not look English ({why}): {what}", InputWarning, stacklevel=3)
    return bool(why)


def _find_script(letter: str) -> str:
    """Find the script of a letter: the first word of its name in Unicode; letters of other widths and styles are those of their script."""
    plain = letter if letter.isascii() else unicodedata.normalize("NFKC", letter)[0]
    return _LATIN if plain.isascii() else unicodedata.name(plain, "OTHER").partition(" ")[0]


def _name_script(script: str) -> str:
    """Write the name of a script as usual."""
    return "Chinese characters" if script == "CJK" else script.capitalize()
