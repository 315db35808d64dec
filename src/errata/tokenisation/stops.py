"""Full stops: one at the end of a word is a token of its own, unless it belongs to an abbreviation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from errata.texts import Tokens

_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_ABBREVIATIONS = frozenset(
    "adj. adv. al. approx. apr. assn. aug. ave. bros. ca. capt. cf. ch. chap. co. col. conf. corp. dec. dept. dr. ed. eds. eq. esp. est. "  # noqa: SIM905 - short
    "etc. feb. fig. figs. fr. fri. gen. gov. hon. inc. jan. jr. lt. ltd. maj. messrs. mr. mrs. ms. mt. nos. nov. oct. op. pp. ph.d. pres. "
    "prof. pt. rep. rev. sec. sen. sept. sep. sgt. sr. st. supt. thu. tue. univ. viz. vol. vols. vs. a.m. p.m. e.g. i.e.".split()
)
_CLOSING = frozenset("\"'”’»)]}>") | {"''"}


def is_abbreviation(word: str) -> bool:
    """Whether a word with a full stop at its end is an abbreviation.

    >>> [is_abbreviation(word) for word in ("Mr.", "U.S.", "etc.", "school.")]
    [True, True, True, False]
    """
    return word.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(word) is not None


def split_stops(tokens: Iterable[str], *, ends: bool, is_kept: Callable[[str], bool] = is_abbreviation) -> Tokens:
    """Split full stops off words; if a text ends here, the last one is a token even after an abbreviation, as in the Treebank.

    >>> split_stops(["left.", "Mr.", "etc.", '"'], ends=True)
    ('left', '.', 'Mr.', 'etc', '.', '"')
    """
    given = list(tokens)
    last = len(given) - 1 if ends else -1
    while last > 0 and given[last] in _CLOSING:
        last -= 1
    result: list[str] = []
    for index, token in enumerate(given):
        word = token.rstrip(".")
        if len(word) == len(token) or not word:
            result += split_ellipsis(token)
        elif index != last and is_kept(token):
            result.append(token)
        else:
            result += [word, *split_ellipsis(token[len(word) :])]
    return tuple(result)


def split_ellipsis(token: str) -> tuple[str, ...]:
    """Split two full stops; three or more are an ellipsis.

    >>> split_ellipsis(".."), split_ellipsis("...")
    (('.', '.'), ('...',))
    """
    return (".", ".") if len(token) == 2 and not token.strip(".") else (token,)  # noqa: PLR2004 - two
