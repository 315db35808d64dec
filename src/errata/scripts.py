"""Scripts: those without spaces between words, corpora whose tokens are characters, and texts from right to left."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.texts import Tokens

_LETTERS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Chinese characters and kana
)
_WIDE_MARKS = "\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\uff00-\uff65"
_MARKS = "\u2014\u2018\u2019\u201c\u201d\u2026"
UNSPACED_LETTER = re.compile(f"[{_LETTERS}]")
"""A letter of a script without spaces between words."""
_UNSPACED = re.compile(f"[{_LETTERS}{_WIDE_MARKS}{_MARKS}]+")
SENTENCE_MARKS = "。！？｡؟۔।॥։።፧។။"
"""Marks of other scripts that end a sentence, also without a space after them."""
_SEPARATE = re.compile(f"[{_LETTERS}{_WIDE_MARKS}{SENTENCE_MARKS}،؛՝՞՜¿¡\u037e]")
"""Characters that are tokens of their own, whatever is next to them; the last mark is the Greek question mark."""
_LEAST_SHARE = 0.5
_LEAST_SINGLE = 0.95
_MOST_SENTENCES = 1_000
"""Sentences that are looked at; of more, an even sample."""


_RIGHT_TO_LEFT = frozenset({"R", "AL"})


def find_direction(text: str) -> Literal["rtl"] | None:
    """Find the direction of a text in which its first letter decides, if it is not from left to right.

    >>> find_direction("לבית"), find_direction("(1) السلام"), find_direction("a لبيت")
    ('rtl', 'rtl', None)
    """
    if text.isascii():
        return None
    first = next((character for character in text if character.isalpha()), "")
    return "rtl" if first and unicodedata.bidirectional(first) in _RIGHT_TO_LEFT else None


def is_unspaced(sentences: Sequence[Tokens]) -> bool:
    """Whether most letters of sentences are of scripts without spaces."""
    text = "".join(token for tokens in _sample(sentences) for token in tokens)
    letters = sum(map(str.isalpha, text))
    return bool(letters) and len(UNSPACED_LETTER.findall(text)) >= _LEAST_SHARE * letters


def has_characters(sentences: Sequence[Tokens]) -> bool:
    """Whether the tokens of sentences are characters: most letters are of such scripts, and nearly all tokens with them have one.

    >>> has_characters([("我", "喜", "欢", "GPS", "。")]), has_characters([("我", "喜欢", "GPS", "。")])
    (True, False)
    """
    tokens = [token for own in _sample(sentences) for token in own if UNSPACED_LETTER.search(token)]
    return bool(tokens) and sum(len(token) == 1 for token in tokens) >= _LEAST_SINGLE * len(tokens) and is_unspaced(sentences)


def _sample(sentences: Sequence[Tokens]) -> Sequence[Tokens]:
    return sentences[:: max(1, len(sentences) // _MOST_SENTENCES)]


def separate_characters(text: str) -> str:
    """Put spaces around letters of scripts without spaces, and around the marks of other scripts.

    >>> separate_characters("我喜欢GPS。").split(), separate_characters("¿Qué?").split()
    (['我', '喜', '欢', 'GPS', '。'], ['¿', 'Qué?'])
    """
    return text if text.isascii() else _SEPARATE.sub(r" \g<0> ", text)


def join_characters(tokens: Iterable[str]) -> str:
    """Write tokens without spaces between characters of scripts that have none.

    >>> join_characters(("我", "有", "GPS", "和", "two", "cats", "。"))
    '我有GPS和two cats。'
    """
    text, spaced = "", True
    for token in tokens:
        own = _UNSPACED.fullmatch(token) is None
        text += f" {token}" if text and spaced and own else token
        spaced = own
    return text
