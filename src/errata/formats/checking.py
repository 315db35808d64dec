"""Check input files: list all their problems."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from errata.corpus.checks import OutputChecks
from errata.corpus.corpus import Sentence, System
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.corpus.tokenisation import tokenise_system
from errata.errors import FormatError, InputError, UsageError, pluralise
from errata.formats.lines import display_path, get_file_name, read_text, refuse_folder
from errata.formats.m2 import list_losses_of_text, list_m2_sentences
from errata.formats.problems import AllProblems, Problem
from errata.formats.reading import list_output_problems, read_system
from errata.formats.registry import FORMATS, PARALLEL, find_first_element, find_input_format, find_system_format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.graphs import Graph
    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import Tokeniser
    from errata.formats.problems import Problems

_TEXT = "text"
_GRAPHS = {"ucca", "mrp", "conllu"}
_HOO, _HOO_TEXT = "hoo", "hoo-text"
_KINDS_OF_XML = {b"root": "ucca", b"passages": "ucca", b"corpus": "ucca", b"HOO": _HOO_TEXT}
"""What XML contains, by its first element; else error lists."""


def check_file(
    path: str,
    format: str | None = None,  # noqa: A002 - the word users know
    max_tokens: int = DEFAULT_MAX_TOKENS,
    most: int | None = None,
    source: Sequence[str] = (),
    gold: Corpus | None = None,
) -> tuple[list[Tokens], list[Problem]]:
    """Read a file, up to its first ``most`` sentences; return those that can be read, and all problems in order of their lines.

    ``source`` has the texts that the edits of a HOO document are about; without it, only the edits are read.
    With ``gold``, sentences that can be read are also checked as the output of a system for it.
    """
    problems = AllProblems(display_path(path))
    kind = format or guess_kind(path)
    if source and kind != _HOO:
        raise UsageError(f"source texts (--source) need HOO edits, but {display_path(path)} is read as {kind}")
    read = islice(_read_sentences(path, problems, max_tokens, kind, source), most)
    sentences: list[Tokens] = []
    try:
        if kind not in FORMATS or not FORMATS[kind].reads_folders:
            refuse_folder(path)
        sentences += (item if isinstance(item, tuple) else item.tokens for item in read)  # type: ignore[attr-defined]  # a text yields tokens
    except FormatError as error:
        problems.error(*((error.line, error.message) if error.path == problems.path else (None, str(error))))
    except InputError as error:
        problems.error(None, str(error).removeprefix(f"{problems.path}: "))
    if not sentences and not problems.found and kind not in {_TEXT, "sgml", _HOO}:
        problems.error(None, "no sentences found")
    found = problems.found
    if gold is not None and not any(problem.severity == "error" for problem in found):
        found += _compare(System(problems.path, tuple(sentences), problems.path), gold)
    return sentences, found


def _read_sentences(path: str, problems: Problems, max_tokens: int, kind: str, source: Sequence[str] = ()) -> Iterable[object]:
    if source or kind in {_HOO, _HOO_TEXT}:
        from errata.formats.hoo import check_hoo

        return check_hoo(path, source, problems, max_tokens, is_text=kind == _HOO_TEXT)
    if kind in _GRAPHS:
        return _read_graphs(path, problems, kind, max_tokens)
    if kind == _TEXT:
        return read_text(path, problems, max_tokens)
    reader = FORMATS.find(kind, also=[*_GRAPHS, _TEXT, _HOO, _HOO_TEXT])
    read = reader.check or reader.read
    if FORMATS.is_own(kind):
        return read(path, problems, max_tokens)
    return list(FORMATS.run(kind, lambda: list(read(path, problems, max_tokens))))


def guess_kind(path: str) -> str:
    """Guess the format of a file by its extension; XML is opened, because it may contain graphs."""
    name = get_file_name(path).lower()
    if name.endswith((".mrp", ".conllu")):
        return name.rpartition(".")[2]
    guessed = find_input_format(path)
    if guessed == "xml" and path != "-":
        return _KINDS_OF_XML.get(find_first_element(path), guessed)
    return _TEXT if guessed == PARALLEL else guessed


def _read_graphs(path: str, problems: Problems, kind: str, max_tokens: int) -> Iterator[Graph]:
    """Yield the graphs of a file; two graphs with the same id are an error, and so are graphs that are too deep to be compared."""
    from errata.formats.graphs import GRAPH_READERS

    locations: dict[str, str] = {}
    for graph in GRAPH_READERS[kind](path, problems, max_tokens):
        line = int(graph.location.rpartition(":")[2])
        if graph.id in locations:
            problems.error(line, f"the graph in {locations[graph.id]} has the same id {graph.id[:40]!r}")
        locations[graph.id] = graph.location
        try:
            _ = graph.yields
        except InputError as error:
            problems.error(line, str(error).removeprefix(f"{graph.location}: "))
        yield graph


def check_output(  # noqa: PLR0913 - all but the first two are given by name
    path: str,
    gold: Corpus,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    format: str | None = None,  # noqa: A002 - the word users know
    tokeniser: Tokeniser | None = None,
    *,
    strict: bool = False,
    checks: OutputChecks | None = None,
    source: Sequence[str] = (),
) -> tuple[System, list[Problem]]:
    """Read a file as the output of a system, text or M2; return what can be read of it, and all problems.

    ``tokeniser`` tokenises a text.  With ``strict``, that an output does not look like corrections is an error.
    ``checks`` are those of the gold, which need not be prepared again.
    With ``source``, the texts of HOO documents, the file has texts that are cut into the sentences of the gold.
    """
    if source:
        return _check_texts(path, source, gold, max_tokens)
    name = display_path(path)
    problems = AllProblems(name)
    is_m2 = (format or find_system_format(path)) == "m2"
    read: list[Sentence] = []
    ended = True
    try:
        if is_m2:
            read += list_m2_sentences(path, problems, gold, max_tokens)
        else:
            read += map(Sentence, islice(read_text(path, problems, max_tokens), len(gold) + 1))
    except FormatError as error:
        problems.error(error.line, error.message)
        ended = False
    except InputError as error:
        problems.error(None, str(error).removeprefix(f"{name}: "))
        ended = False
    found = problems.found
    if is_m2:
        edits = tuple(sentence.annotations[0].edits if sentence.annotations else () for sentence in read)
        system = System.of_source(name, tuple(sentence.tokens for sentence in read), edits, name)
        found += [Problem(name, None, "warning", message) for message in list_losses_of_text(system)]
        ended = ended and not any(problem.severity == "error" for problem in found)
    else:
        system = System(name, tuple(sentence.tokens for sentence in read), name)
    system = system.normalised(gold.unicode)
    if not ended or not read:
        return system, found
    if tokeniser is not None and len(system) == len(gold):
        try:
            system = tokenise_system(system, gold, tokeniser, max_tokens)
        except FormatError as error:
            return system, [*found, Problem(name, error.line, "error", error.message)]
    return system, [*found, *_compare(system, gold, checks, strict=strict)]


def _check_texts(path: str, source: Sequence[str], gold: Corpus, max_tokens: int) -> tuple[System, list[Problem]]:
    """Return the sentences, and all warnings and the first error."""
    found: list[Problem] = []
    name = display_path(path)
    nothing = System(name, (), name)
    try:
        system = read_system(path, gold=gold, source=source, max_tokens=max_tokens, warn=found.append)
    except FormatError as error:
        return nothing, [*found, Problem(error.path, error.line, "error", error.message)]
    except InputError as error:
        return nothing, [*found, Problem(name, None, "error", str(error).removeprefix(f"{name}: "))]
    system = System(name, system.sentences, name)
    return system, found if any(problem.severity == "error" for problem in found) else [*found, *_compare(system, gold)]


def _compare(system: System, gold: Corpus, checks: OutputChecks | None = None, *, strict: bool = False) -> list[Problem]:
    """List what is wrong with an output for its gold: another number of sentences, or that it does not look like corrections."""
    if len(system) > len(gold):
        return [Problem(system.path, None, "error", f"more sentences than the {len(gold):,} of {gold.path}; the rest is not read")]
    if len(system) < len(gold):
        return [Problem(system.path, None, "error", f"{pluralise(len(system), 'sentence')}, but {gold.path} has {len(gold):,}")]
    checks = checks or OutputChecks(gold)
    refused = list_output_problems(checks, system) if strict else []
    return [replace(problem, severity="error") for problem in refused] or list_output_problems(checks, system, every=True)
