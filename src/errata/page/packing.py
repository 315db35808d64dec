"""Data inside a page: compressed and written in ASCII, so that it takes little space and no text of it is markup."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import TYPE_CHECKING

from errata.html import Html

if TYPE_CHECKING:
    from collections.abc import Iterable

_GZIP = 31
"""The window of zlib that writes the header of gzip, without a time."""
_LEVEL = 6


def pack(content: bytes) -> str:
    """Compress bytes, and write them in Base64."""
    compressor = zlib.compressobj(_LEVEL, wbits=_GZIP)
    return b64encode(compressor.compress(content) + compressor.flush()).decode("ascii")


def pack_json(value: object) -> str:
    """Compress a value as JSON; half of a surrogate pair becomes an escape."""
    return pack(write_json(value).encode("utf-8", "backslashreplace"))


def write_json(value: object) -> str:
    """Write JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def hold(kind: str, content: str, **names: str) -> Html:
    """Make an element that holds data for the script; the data have no ``<``."""
    attributes = "".join(f' {key.rstrip("_")}="{value}"' for key, value in names.items())
    return Html(f'<script type="{kind}"{attributes}>{content}</script>')


def hold_json(value: object, **names: str) -> Html:
    r"""Make an element that holds JSON.

    >>> hold_json(["</script>"], id="summary")
    '<script type="application/json" id="summary">["\\u003c/script>"]</script>'
    """
    return hold("application/json", json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"), **names)


def hold_packed(packed: Iterable[str], name: str) -> list[Html]:
    """Make an element for each part of data, with a numbered name."""
    return [hold("text/plain", part, class_=name, id=f"{name}-{number}") for number, part in enumerate(packed)]
