"""The Lancaster stemmer (Paice 1990), without prefixes: ERRANT's types use it to find words of one family.

A rule is written as in the paper: an ending backwards, ``*`` if it applies to whole words only, the number of characters to remove,
what to append, and ``>`` to go on or ``.`` to stop.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_RULES = """
    ai*2.    a*1.
    bb1.
    city3s.  ci2>     cn1t>
    dd1.     dei3y>   deec2ss. dee1.    de2>     dooh4>
    e1>
    feil1v.  fi2>
    gni3>    gai3y.   ga2>     gg1.
    ht*2.    hsiug5ct. hsi3>
    i*1.     i1y>
    ji1d.    juf1s.   ju1d.    jo1d.    jeh1r.   jrev1t.  jsim2t.  jn1d.    j1s.
    lbaifi6. lbai4y.  lba3>    lbi3.    lib2l>   lc1.     lufi4y.  luf3>    lu2.     lai3>    lau3>    la2>     ll1.
    mui3.    mu*2.    msi3>    mm1.
    nois4j>  noix4ct. noi3>    nai3>    na2>     nee0.    ne2>     nn1.
    pihs4>   pp1.
    re2>     rae0.    ra2.     ro2>     ru2>     rr1.     rt1>     rei3y>
    sei3y>   sis2.    si2>     ssen4>   ss0.     suo3>    su*2.    s*1>     s0.
    tacilp4y. ta2>    tnem4>   tne3>    tna3>    tpir2b.  tpro2b.  tcud1.   tpmus2.  tpec2iv. tulo2v.  tsis0.   tsi3>    tt1.
    uqi3.    ugo1.
    vis3j>   vie0.    vi2>
    ylb1>    yli3y>   ylp0.    yl2>     ygo1.    yhp1.    ymo1.    ypo1.    yti3>    yte3>    ytl2.    yrtsi5.  yra3>    yro3>
    yfi3.    ycn2t>   yca3>
    zi2>     zy1s.
"""
_VOWELS = frozenset("aeiouy")


class _Rule(NamedTuple):
    ending: str
    whole: bool
    """Whether the word must still be whole."""
    removed: int
    appended: str
    goes_on: bool


def _read_rules() -> dict[str, list[_Rule]]:
    """Read the rules, by the last letter of their endings."""
    rules: dict[str, list[_Rule]] = {}
    for backwards, star, removed, appended, then in re.findall(r"([a-z]+)(\*?)(\d)([a-z]*)([>.])", _RULES):
        rules.setdefault(backwards[0], []).append(_Rule(backwards[::-1], bool(star), int(removed), appended, then == ">"))
    return rules


_BY_LETTER = _read_rules()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word.

    >>> stem("maximum"), stem("presumably"), stem("multiply"), stem("owed")
    ('maxim', 'presum', 'multiply', 'ow')
    """
    whole = current = word.lower()
    while rule := _find_rule(current, is_whole=current == whole):
        current = current[: len(current) - rule.removed] + rule.appended
        if not rule.goes_on:
            break
    return current


def _find_rule(word: str, *, is_whole: bool) -> _Rule | None:
    """Find the first rule that applies; rules are listed under the last letter before anything that is no letter."""
    letters = next((index for index, character in enumerate(word) if not character.isalpha()), len(word))
    for rule in _BY_LETTER.get(word[letters - 1], ()) if letters else ():
        if word.endswith(rule.ending) and (is_whole or not rule.whole) and _leaves_a_stem(word, len(word) - rule.removed):
            return rule
    return None


def _leaves_a_stem(word: str, length: int) -> bool:
    """Tell whether enough is left: two characters after a vowel, else three with a vowel among the second and the third."""
    if word[0] in _VOWELS:
        return length >= 2  # noqa: PLR2004 - as the docstring says
    return length >= 3 and not _VOWELS.isdisjoint(word[1:3])  # noqa: PLR2004
