"""HOO edits as a corpus format: XML files whose texts are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from errata.errors import UsageError
from errata.formats.registry import CorpusFormat, SourceReaders
from errata.hoo.corpora import read_hoo
from errata.hoo.output_texts import read_hoo_system

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.formats.problems import Problem, Problems


def _read_alone(path: str, problems: Problems, max_tokens: int) -> NoReturn:  # noqa: ARG001 - as in other formats
    raise UsageError(f"{problems.path} has HOO edits, which need the texts that they are about: --source PATH (source= in Python)")


def _read_corpus(path: str, source: Sequence[str], lenient: bool, max_tokens: int, warn: Callable[[Problem], None]) -> Corpus:  # noqa: FBT001
    return read_hoo([path], source, lenient=lenient, max_tokens=max_tokens, warn=warn)


def _read_system(path: str, name: str, source: Sequence[str], gold: Corpus, max_tokens: int, warn: Callable[[Problem], None]) -> System:
    return read_hoo_system([path], source, gold, name=name, max_tokens=max_tokens, warn=warn)


HOO = CorpusFormat("hoo", _read_alone, with_source=SourceReaders(_read_corpus, _read_system))
