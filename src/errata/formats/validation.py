"""Reading a file only to see what is wrong with it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from errata.corpus import Corpus, Sentence, Tokens
from errata.errors import FormatError, InputError
from errata.formats.error_lists import read_error_lists
from errata.formats.jsonl import read_jsonl
from errata.formats.lines import DEFAULT_MAX_TOKENS, display_path
from errata.formats.m2 import read_m2
from errata.formats.names import guess_format
from errata.formats.problems import AllProblems, Problem
from errata.formats.text import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from errata.formats.problems import Problems

FileFormat = Literal["m2", "jsonl", "xml", "sgml", "text"]

_LITTLE_IN_COMMON = 0.25
_MANY_UNSPLIT = 0.01


def check_file(
    path: str,
    format: FileFormat | None = None,  # noqa: A002 - the word users know
    max_tokens: int = DEFAULT_MAX_TOKENS,
) -> tuple[list[Tokens], list[Problem]]:
    """The sentences that could be read, and all problems in order of their lines."""
    problems = AllProblems(display_path(path))
    readers: dict[str, Callable[[str, Problems, int], Iterable[object]]] = {
        "m2": read_m2,
        "jsonl": read_jsonl,
        "xml": read_error_lists,
        "sgml": _read_sgml,
        "text": read_text,
    }
    guessed = guess_format(path)
    kind = format or ("text" if guessed == "parallel" else guessed)
    found = readers[kind](path, problems, max_tokens)
    sentences: list[Tokens] = []
    try:
        sentences += (item.tokens if isinstance(item, Sentence) else item for item in found)  # type: ignore[misc]  # a text yields tokens
    except FormatError as error:
        problems.error(error.line, error.message)
    except InputError as error:
        problems.error(None, str(error).removeprefix(f"{problems.path}: "))
    if not sentences and not problems.found and kind in {"m2", "jsonl", "xml"}:
        problems.error(None, "no sentences found")
    return sentences, problems.found


def _read_sgml(path: str, problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """The sentences of essays; what is dropped on the way, and types that nobody knows, are oddities.

    A file of alternative answers has no texts, so it has no sentences of its own.
    """
    from errata.nucle.conversion import to_corpus
    from errata.nucle.reading import essays_in, unknown_types

    file = essays_in(path, max_tokens, problems)
    for type_, count in unknown_types([file]).items():
        problems.oddity(None, f"{count:,} mistakes of the type {type_!r}, which NUCLE does not have")
    if file.essays and all(essay.paragraphs is None for essay in file.essays):
        problems.oddity(None, "no document has a <TEXT>: these are alternative answers, which are checked with their essays only")
    elif file.essays:
        yield from to_corpus([file], report=lambda note: problems.oddity(note.line, f"{note.what}: {note.reason}"))


def compare(path: str, sentences: list[Tokens], gold: Corpus) -> list[Problem]:
    """What is wrong or odd about sentences as the output of a system on the source of a corpus."""
    name = display_path(path)
    if len(sentences) != len(gold):
        return [Problem(name, None, "error", f"{len(sentences):,} sentences, but {gold.path} has {len(gold):,}")]
    found = []
    strange = [
        number
        for number, (output, sentence) in enumerate(zip(sentences, gold, strict=True), start=1)
        if output and _in_common(output, sentence.tokens) < _LITTLE_IN_COMMON
    ]
    if strange:
        what = f"{len(strange):,} of {len(gold):,} sentences share less than a quarter of their tokens with their source, this is the first"
        found.append(Problem(name, strange[0], "oddity", f"{what}; is a line missing or too many?"))
    known = {token for sentence in gold for token in sentence.tokens}
    tokens = [token for output in sentences for token in output]
    unsplit = sum(len(token) > 1 and token[-1] in ".,;:!?" and token not in known for token in tokens)
    if unsplit > _MANY_UNSPLIT * len(tokens):
        found.append(
            Problem(name, None, "oddity", f"{unsplit:,} of {len(tokens):,} tokens end in punctuation; is it tokenised like {gold.path}?")
        )
    return found


def _in_common(one: Tokens, other: Tokens) -> float:
    return (Counter(one) & Counter(other)).total() / max(len(one), len(other), 1)
