"""SGML essays as a corpus format, with the rules of the latest shared task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import UsageError, pluralise
from errata.formats.registry import CorpusFormat
from errata.nucle.conversion import to_corpus
from errata.nucle.essays import format_essays, list_sgml_losses, make_essays
from errata.nucle.reading import count_unknown_types, read_essay_file, read_nucle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.corpus.corpus import Corpus, Sentence
    from errata.formats.problems import Problems

NOT_LENIENT = (
    "--lenient (lenient=True in Python) cannot be combined with essays (SGML): a mistake with impossible offsets is always an error"
)


def read_sgml(path: str, problems: Problems, max_tokens: int) -> Iterable[Sentence]:
    """Read the sentences of essays."""
    if problems.lenient:
        raise UsageError(f"{problems.path}: {NOT_LENIENT}")
    return read_nucle([path], max_tokens=max_tokens, warn=problems.warn)


def format_sgml(corpus: Corpus) -> Iterable[str]:
    """Write a corpus as an essay with one sentence per paragraph."""
    return format_essays(make_essays(corpus))


def check_sgml(path: str, problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of essays; dropped mistakes and unknown types are warnings.

    A file of alternative answers has no text, so it has no sentences.
    """
    file = read_essay_file(path, max_tokens, problems)
    for type_, count in count_unknown_types([file]).items():
        problems.warning(None, f"{pluralise(count, 'mistake')} of type {type_!r}, which is not in NUCLE")
    if file.essays and all(essay.paragraphs is None for essay in file.essays):
        problems.warning(None, "no document has a <TEXT>: these are alternative answers, which can be checked only with their essays")
    elif file.essays:
        yield from to_corpus([file], max_tokens=max_tokens, report=lambda note: problems.warning(note.line, f"{note.what}: {note.reason}"))


SGML = CorpusFormat("sgml", read_sgml, format_sgml, list_sgml_losses, check=check_sgml)
