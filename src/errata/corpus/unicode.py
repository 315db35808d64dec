"""Letters: Unicode normalisation, scripts, and whether sentences are English."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import InputWarning, UsageError, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.texts import Tokens


UnicodeForm = Literal["none", "NFC", "NFKC"]
UNICODE_FORMS: tuple[UnicodeForm, ...] = get_args(UnicodeForm)
"""How gold and outputs are normalised: not at all, by canonical equivalence, or by compatibility too (full-width letters, ligatures)."""
AS_GIVEN: Literal["none"] = "none"
"""The default, as in the official tools."""


def check_unicode_form(form: object) -> UnicodeForm:
    """Return a form if there is one."""
    if form not in UNICODE_FORMS:
        raise UsageError(f"there is no Unicode normalisation {form!r:.40}; choose from {', '.join(UNICODE_FORMS)}")
    return form


def normalise_text(text: str, form: UnicodeForm) -> str:
    r"""Normalise a text.

    >>> normalise_text("cafe\u0301", "NFC"), normalise_text("ＡＢＣ", "NFC"), normalise_text("ＡＢＣ", "NFKC")
    ('café', 'ＡＢＣ', 'ABC')
    """
    return text if form == AS_GIVEN or text.isascii() else unicodedata.normalize(form, text)


def normalise_tokens(tokens: Tokens, form: UnicodeForm) -> Tokens:
    """Normalise tokens, which stay tokens: a space that NFKC makes, as of a spacing accent, is left out."""
    if form == AS_GIVEN or "".join(tokens).isascii():
        return tokens
    return tuple("".join(normalise_text(token, form).split()) or token for token in tokens)


_LETTERS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Chinese characters and kana
)
_WIDE_MARKS = "\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\uff00-\uff65"
_MARKS = "\u2014\u2018\u2019\u201c\u201d\u2026"
_UNSPACED_LETTER = re.compile(f"[{_LETTERS}]")
"""A letter of a script without spaces between words."""
_UNSPACED = re.compile(f"[{_LETTERS}{_WIDE_MARKS}{_MARKS}]+")
SENTENCE_MARKS = "。！？｡؟۔।॥։።፧។။"
"""Marks of other scripts that end a sentence, also without a space after them."""
_SEPARATE = re.compile(f"[{_LETTERS}{_WIDE_MARKS}{SENTENCE_MARKS}،؛՝՞՜¿¡\u037e]")
"""Characters that are tokens of their own, whatever is next to them; the last mark is the Greek question mark."""
_LEAST_SCRIPT_SHARE = 0.5
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
    return bool(letters) and len(_UNSPACED_LETTER.findall(text)) >= _LEAST_SCRIPT_SHARE * letters


def has_characters(sentences: Sequence[Tokens]) -> bool:
    """Whether the tokens of sentences are characters: most letters are of such scripts, and nearly all tokens with them have one.

    >>> has_characters([("我", "喜", "欢", "GPS", "。")]), has_characters([("我", "喜欢", "GPS", "。")])
    (True, False)
    """
    tokens = [token for own in _sample(sentences) for token in own if _UNSPACED_LETTER.search(token)]
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


# Whether sentences are English: what is made for English must not be used on other languages in silence.
# Sentences are not English if most of their letters are not Latin, or if fewer than a tenth of their words are frequent words of English.
# Of learners' English about 30% are, of other languages with Latin letters less than 5%.  Few words show nothing, so they count as
# English.

_FREQUENT_WORDS = frozenset(
    "the and that it with this have are but from they which there been when who what about than into them can other could these then any "  # noqa: SIM905 - short
    "such after also many must before because you she his their would should how n't 's does to of not for people more some "
    "my very our your were 'm".split()
)
"""Frequent words of English; those that are frequent in another language with Latin letters too are few."""
_FIRST_PERSON = "I"
"""As frequent in simple English, but only as a capital: a small one is a word of many languages."""
_LEAST_ENGLISH_SHARE = 0.1
_LEAST_WORDS = 20
_LATIN = "LATIN"


def _find_other_language(sentences: Sequence[Tokens]) -> str:
    """Say why sentences are not English; empty if they seem to be, or if they show nothing.

    >>> _find_other_language([tuple("Він прийшов додому .".split())])
    '100% of their letters are Cyrillic'
    >>> _find_other_language([tuple("He goed home and the dog was there .".split())])
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
    frequent = sum(word == _FIRST_PERSON or word.lower() in _FREQUENT_WORDS for word in words)
    if len(words) < _LEAST_WORDS or frequent >= _LEAST_ENGLISH_SHARE * len(words):
        return ""
    return f"only {frequent:,} of {pluralise(len(words), 'word')} are frequent words of English"


def warn_of_english(sentences: Sequence[Tokens], what: str) -> bool:
    """Warn if sentences are not English, but something made for English is used; tell whether they are not."""
    if why := _find_other_language(sentences):
        warnings.warn(f"the sentences do not look English ({why}): {what}", InputWarning, stacklevel=3)
    return bool(why)


def _find_script(letter: str) -> str:
    """Find the script of a letter: the first word of its name in Unicode; letters of other widths and styles are those of their script."""
    plain = letter if letter.isascii() else unicodedata.normalize("NFKC", letter)[0]
    return _LATIN if plain.isascii() else unicodedata.name(plain, "OTHER").partition(" ")[0]


def _name_script(script: str) -> str:
    """Write the name of a script as usual."""
    return "Chinese characters" if script == "CJK" else script.capitalize()
