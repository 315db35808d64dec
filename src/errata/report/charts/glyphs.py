"""Characters that no font of this machine has: a picture would show boxes for them.

The program that draws takes fonts of the system, and for a character that the chosen font lacks any other that has it.  Whether one has
it is seen from a drawing: a character without a glyph looks like a code point that will never be a character.
"""

from __future__ import annotations

import unicodedata
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

from errata.errors import InputWarning, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_CHARACTER = "\U000effff"
_LATIN = "\u0250"
"""The first character that fonts for Western languages may lack."""
_MOST = 500
"""Characters that are looked at; of more, an even sample, because each takes milliseconds."""
_SHOWN = 10
_PACKAGES = {"CJK": "fonts-noto-cjk", "HIRAGANA": "fonts-noto-cjk", "KATAKANA": "fonts-noto-cjk", "HANGUL": "fonts-noto-cjk"}
"""Debian's packages of fonts by script."""
_OTHER_PACKAGE = "fonts-noto-core"


def warn_of_missing_glyphs(specification: Any, family: str) -> None:
    """Warn if a chart has characters that no font of this machine has."""
    characters = sorted({character for text in _list_texts(specification) for character in text if _may_be_missing(character)})
    sample = characters[:: max(1, -(-len(characters) // _MOST))]
    missing = [character for character in sample if _draw(character, family) == _draw(_NO_CHARACTER, family)]
    if not missing:
        return
    packages = sorted({_PACKAGES.get(unicodedata.name(character, "").partition(" ")[0], _OTHER_PACKAGE) for character in missing})
    shown = "".join(missing[:_SHOWN]) + ("..." if len(missing) > _SHOWN else "")
    count = f"{'at least ' if len(sample) < len(characters) else ''}{pluralise(len(missing), 'character')}"
    warnings.warn(
        f"no font of this machine has {count} of the chart ({shown}), so the picture has boxes instead: "
        f"install such a font (Debian: {' '.join(packages)}), or write .svg, which viewers show with their own fonts",
        InputWarning,
        stacklevel=3,
    )


def _may_be_missing(character: str) -> bool:
    """Whether a character is drawn, and is none that every font has; combining marks and joiners are parts of others."""
    return character >= _LATIN and unicodedata.category(character)[0] in "LNPS"


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for own in value.values():
            yield from _list_texts(own)
    elif isinstance(value, list):
        for own in value:
            yield from _list_texts(own)


@cache
def _draw(character: str, family: str) -> bytes:
    import vl_convert

    text = f'<text x="4" y="24" font-size="20" font-family="{family}">{character}</text>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36">{text}</svg>'
    drawn: bytes = vl_convert.svg_to_png(svg)
    return drawn
