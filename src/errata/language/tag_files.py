"""Part-of-speech tags from files."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from errata.corpus.references import DIGITS
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import MismatchError, pluralise
from errata.formats.conll import read_conll
from errata.formats.lines import SharedTexts, display_path, get_file_name, read_lines
from errata.formats.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.texts import Tokens
    from errata.language.tagging import Tags

_COLUMNS = 2


class FileTagger:
    """Tags of sentences in files: ``.conll``, or one token, tab and tag per line, with empty lines between sentences."""

    def __init__(self, paths: Iterable[str], max_tokens: int = DEFAULT_MAX_TOKENS) -> None:
        self._tags: dict[Tokens, Tags] = {}
        names = []
        for path in paths:
            names.append(get_file_name(path))
            for tokens, tags in _read(path, max_tokens):
                self._tags.setdefault(tokens, tags)
        self.name = f"file {', '.join(names)}"

    @property
    def fingerprint(self) -> str:
        """The first digits of the SHA-256 of all tags, for signatures."""
        lines = ("\x1e".join("\x1f".join(own) for own in item) for item in self._tags.items())
        return hashlib.sha256("\x1d".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """Tag sentences; raise if a sentence is in no file."""
        for tokens in sentences:
            if tokens not in self._tags:
                raise MismatchError(f"no file has tags for the sentence {' '.join(tokens)[:80]!r}")
        return [self._tags[tokens] for tokens in sentences]


def _read(path: str, max_tokens: int) -> Iterator[tuple[Tokens, Tags]]:
    problems = Problems(display_path(path))
    if get_file_name(path).endswith(".conll"):
        yield from ((sentence.tokens, sentence.tags) for sentence in read_conll(path, problems, max_tokens))
        return
    share = SharedTexts()
    tokens: list[str] = []
    tags: list[str] = []
    for line in read_lines(path, problems, max_tokens):
        if not line.text.strip():
            if tokens:
                yield share(tokens), share(tags)
            tokens, tags = [], []
            continue
        row = line.text.split("\t")
        if len(row) != _COLUMNS:
            problems.error(line.number, f"a line must have a token, a tab and a tag, found {pluralise(len(row), 'column')}")
        if len(tokens) == max_tokens:
            problems.error(line.number, f"more than {max_tokens:,} tokens in a sentence; {RAISE_LIMIT}")
        tokens.append(row[0])
        tags.append(row[1])
    if tokens:
        yield share(tokens), share(tags)
