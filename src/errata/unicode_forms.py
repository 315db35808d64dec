"""Unicode normalisation of texts: the same letters may be written with other characters."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import UsageError

if TYPE_CHECKING:
    from errata.texts import Tokens

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
