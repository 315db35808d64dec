"""The words that ERRANT does not take for spelling errors: a list in the package ``errant``, found without importing it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from errata.corpus.parses import INSTALL_ERRANT, shorten_hash
from errata.errors import RequestError
from errata.formats.lines import decode_text, display_path, open_bytes

if TYPE_CHECKING:
    from os import PathLike

_IN_PACKAGE = ("en", "resources", "en_GB-large.txt")


@dataclass(frozen=True)
class WordList:
    """Words, with the beginning of the hash of their file; ``word in words`` asks for a word as it is written."""

    words: frozenset[str] = field(repr=False)
    fingerprint: str

    def __contains__(self, word: object) -> bool:
        return word in self.words

    def __len__(self) -> int:
        return len(self.words)


def read_word_list(path: str | PathLike[str]) -> WordList:
    """Read a list with one word in each line."""
    with open_bytes(str(path)) as file:
        content = file.read()
    words = frozenset(map(str.strip, decode_text(content, display_path(str(path))).split("\n")))
    return WordList(words - {""}, shorten_hash(hashlib.sha256(content).hexdigest()))


@cache
def find_word_list() -> WordList:
    """Find the list of the installed package ``errant``; it is read once."""
    from importlib.util import find_spec

    spec = find_spec("errant")
    if spec is None or spec.origin is None:  # a mere folder of this name has no origin
        raise RequestError(f"error types need the word list of the package errant: {INSTALL_ERRANT}")
    path = Path(spec.origin).parent.joinpath(*_IN_PACKAGE)
    if not path.is_file():
        raise RequestError(f"error types need the word list of the package errant 3, but there is no {path}: {INSTALL_ERRANT}")
    return read_word_list(path)
