"""Bytes to corpus and back, one file a format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from errata.corpus import Corpus, System
from errata.errors import InputError, UsageError
from errata.formats.jsonl import jsonl_lines, read_jsonl
from errata.formats.lines import DEFAULT_MAX_TOKENS, display_path, file_name, written_whole
from errata.formats.m2 import m2_lines, read_m2
from errata.formats.parallel import extract_edits, parallel_columns, parallel_losses, read_parallel
from errata.formats.problems import AllProblems, Problem, Problems, warn_in_python
from errata.formats.text import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike

__all__ = [
    "DEFAULT_MAX_TOKENS",
    "AllProblems",
    "Format",
    "Problem",
    "Problems",
    "display_path",
    "extract_edits",
    "file_name",
    "guess_format",
    "parallel_losses",
    "read",
    "read_system",
    "system_names",
    "write",
]

Format = Literal["m2", "jsonl", "parallel"]
FORMATS: tuple[Format, ...] = get_args(Format)


def guess_format(path: str) -> Format:
    """The format of a corpus by the ending of its file; what is neither M2 nor JSON Lines is text.

    >>> guess_format("gold.m2.gz"), guess_format("dev.jsonl"), guess_format("dev.src")
    ('m2', 'jsonl', 'parallel')
    """
    name = file_name(path)
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    return "m2" if name.endswith(".m2") or path == "-" else "parallel"


def read(
    path: str | PathLike[str],
    *,
    references: Iterable[str | PathLike[str]] = (),
    format: Format | None = None,  # noqa: A002 - the word users know
    lenient: bool = False,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read a corpus: M2, JSON Lines, or a source text with reference texts.

    ``-`` is standard input and ``.gz`` is unpacked.
    With ``lenient``, edits whose offsets are impossible are ignored with a warning, as the official scorer ignores them.

    >>> gold = read("examples/learner.m2")
    >>> len(gold), gold.annotators
    (72, ('0', '1'))
    """
    path = str(path)
    paths = [str(reference) for reference in references]
    format = format or ("parallel" if paths else guess_format(path))  # noqa: A001
    problems = [Problems(display_path(name), lenient=lenient, warn=warn) for name in (path, *paths)]
    if paths and format != "parallel":
        raise UsageError(f"reference files go with a source text, but {display_path(path)} is read as {format}")
    if format == "parallel":
        if not paths:
            raise InputError(
                f"{display_path(path)} is read as a source text, which needs reference files (--reference FILE); "
                "if it is a gold file of another format, say which (--from m2 or jsonl)"
            )
        sentences = read_parallel(path, paths, problems, max_tokens)
    elif format == "m2":
        sentences = read_m2(path, problems[0], max_tokens)
    elif format == "jsonl":
        sentences = read_jsonl(path, problems[0], max_tokens)
    else:
        raise UsageError(f"unknown format {format!r}; known are {', '.join(FORMATS)}")
    corpus = Corpus(tuple(sentences), file_name(path), display_path(path))
    if not corpus.sentences:
        raise InputError(f"{display_path(path)}: no sentences found")
    return corpus


def read_system(path: str | PathLike[str], *, name: str | None = None, max_tokens: int = DEFAULT_MAX_TOKENS) -> System:
    """Read the output of a system: one corrected sentence a line.

    >>> len(read_system("examples/systems/cautious.txt"))
    72
    """
    path = str(path)
    sentences = tuple(read_text(path, Problems(display_path(path)), max_tokens))
    return System(name or system_names([path])[0], sentences, display_path(path))


def system_names(paths: Sequence[str]) -> list[str]:
    """Names of systems: the stems of their files, with as many folders before them as it takes to tell them apart.

    >>> system_names(["out/AMU.txt", "out/CUUI.txt"]), system_names(["a/out.txt", "b/out.txt"])
    (['AMU', 'CUUI'], ['a/out', 'b/out'])
    """
    parts = []
    for path in paths:
        name = file_name(path)
        stem = name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name
        parts.append([*([] if path == "-" else display_path(path).split("/")[:-1]), stem])
    names = ["/".join(part[-1:]) for part in parts]
    for depth in range(2, max(len(part) for part in parts) + 1 if parts else 0):
        if len(set(names)) == len(names):
            break
        names = ["/".join(part[-depth:]) if names.count(name) > 1 else name for part, name in zip(parts, names, strict=True)]
    return names


def write(corpus: Corpus, path: str | PathLike[str], format: Format | None = None) -> None:  # noqa: A002
    """Write a corpus, whole or not at all; parallel text becomes ``PATH.src``, ``PATH.ref0``, ``PATH.ref1``, ...."""
    path = str(path)
    format = format or guess_format(path)  # noqa: A001
    if format == "parallel":
        if path == "-":
            raise UsageError("parallel text is several files, so it needs -o PREFIX")
        outputs: dict[str, Iterable[str]] = {f"{path}.{ending}": lines for ending, lines in parallel_columns(corpus).items()}
    else:
        outputs = {path: m2_lines(corpus) if format == "m2" else jsonl_lines(corpus)}
    for name, lines in outputs.items():
        with written_whole(name) as file:
            file.writelines(f"{line}\n" for line in lines)
