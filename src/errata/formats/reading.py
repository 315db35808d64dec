"""Read and write corpora and system outputs in any format."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from os import PathLike
from typing import IO, TYPE_CHECKING, Any

from errata.corpus.annotators import choose_missing, complete_annotations, explain_missing
from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus, Sentence, System, require_text, take_at_most
from errata.corpus.texts import DEFAULT_MAX_TOKENS, check_max_tokens, list_items
from errata.corpus.tokenisation import find_tokeniser, tokenise_system
from errata.corpus.unicode import AS_GIVEN, check_unicode_form
from errata.errors import FormatError, InputError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.lines import (
    GivenFile,
    check_path,
    display_path,
    get_file_name,
    open_bytes,
    read_lines,
    read_text,
    refuse_folder,
)
from errata.formats.problems import Problem, Problems, warn_in_python
from errata.formats.registry import (
    ESSAY_UNITS,
    FORMATS,
    MULTIGEC,
    PARALLEL,
    WITH_SOURCE,
    find_format,
    find_format_with_source,
    find_input_format,
    find_system_format,
    guess_format,
    name_systems,
)
from errata.formats.writing import write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.corpus.checks import OutputChecks
    from errata.corpus.tokenisation import Tokeniser
    from errata.corpus.unicode import UnicodeForm
    from errata.formats.registry import EssayUnit, SourceReaders


_Input = str | PathLike[str] | IO[str] | IO[bytes]
"""A path, an open file, or a text of M2."""


def read(  # noqa: PLR0913 - all but the first are given by name
    path: _Input,
    *,
    references: Iterable[_Input] = (),
    format: str | None = None,  # noqa: A002 - the word users know
    source: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    documents: str | PathLike[str] | None = None,
    unit: EssayUnit | None = None,
    unicode: UnicodeForm = AS_GIVEN,
    lenient: bool = False,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    r"""Read a corpus: M2, JSON Lines, XML with error lists, SGML with essays, HOO edits, or a source text with references.

    ``-`` is standard input; files compressed with gzip or zstd are decompressed.
    An open file is read to its end, as M2 unless its name or ``format`` says otherwise; a string with lines of M2 is the text itself.
    ``source`` has the texts that the edits of HOO documents are about: a file, a folder, or a list of them.
    ``documents`` is a file that names the document of every sentence, for formats without documents.
    ``unit`` says what is scored of essays in Markdown: each sentence (the default), paragraph or document.
    ``unicode`` says how texts are normalised (NFC or NFKC), and those of systems that are compared with them; by default they are not.
    With ``lenient``, edits with impossible offsets are skipped with a warning; the official scorer skips them too.

    >>> gold = read("examples/learner.m2")
    >>> len(gold), gold.annotators
    (72, ('0', '1'))
    >>> read("S He go home .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n")[0].annotations[0].edits[0].corrections
    ('goes',)
    """
    form = check_unicode_form(unicode)
    settings = {"references": references, "format": format, "source": source, "documents": documents, "unit": unit, "lenient": lenient}
    return _read(path, max_tokens=max_tokens, warn=warn, **settings).normalised(form)  # type: ignore[arg-type]


def _read(  # noqa: PLR0913 - as above
    path: _Input,
    *,
    references: Iterable[_Input],
    format: str | None,  # noqa: A002
    source: str | PathLike[str] | Iterable[str | PathLike[str]],
    documents: str | PathLike[str] | None,
    unit: EssayUnit | None,
    lenient: bool,
    max_tokens: int,
    warn: Callable[[Problem], None],
) -> Corpus:
    path = GivenFile.or_path(path)
    paths = [GivenFile.or_path(reference) for reference in list_items(references, "references must be a list of files")]
    if sources := _list_paths(source):
        kind = format or find_format_with_source(path)
        readers = _find_source_readers(kind, paths)
        if unit is not None:
            raise UsageError(f"a unit (--unit) needs essays in Markdown, but {display_path(path)} is read as {kind}")
        corpus: Corpus = FORMATS.run(kind, lambda: readers.read(path, sources, lenient, max_tokens, warn))
        return corpus if documents is None else _with_documents(corpus, check_path(documents))
    _check_format(format)
    if format in {None, PARALLEL} or not find_format(format).reads_folders:
        refuse_folder(path)
    check_max_tokens(max_tokens)
    if (essays := _read_essays(path, paths, format, unit, max_tokens, warn)) is not None:
        return essays if documents is None else _with_documents(essays, check_path(documents))
    given = format
    format = format or (PARALLEL if paths else find_input_format(path))  # noqa: A001
    problems = [Problems(display_path(name), lenient=lenient, warn=warn) for name in (path, *paths)]
    if paths and format != PARALLEL:
        raise UsageError(f"reference files need a source text, but {display_path(path)} is read as {format}")
    if paths and given is None and guess_format(path) != PARALLEL:
        raise UsageError(
            f"reference files need a source text, but {display_path(path)} has the extension of {guess_format(path)}; "
            'if it is a text, use --from parallel (format="parallel" in Python)'
        )
    if format != PARALLEL:
        reader = find_format(format)
        sentences = FORMATS.run(format, lambda: tuple(reader.read(path, problems[0], max_tokens)))
    elif paths:
        sentences = _read_parallel(path, paths, problems, max_tokens)
    else:
        raise InputError(f"{display_path(path)}: {_no_gold(path)}")
    corpus = Corpus(tuple(sentences), get_file_name(path), display_path(path))
    if not corpus.sentences:
        raise InputError(f"{display_path(path)}: no sentences found")
    return corpus if documents is None else _with_documents(corpus, check_path(documents))


def _check_format(format: object) -> None:  # noqa: A002
    if format is not None:
        require_text(format, "a format")


def _list_paths(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[str]:
    return [
        check_path(path)
        for path in ([paths] if isinstance(paths, (str, PathLike)) else list_items(paths, "source must be a list of paths"))
    ]


def _read_essays(
    path: str, references: list[str], given: str | None, unit: EssayUnit | None, max_tokens: int, warn: Callable[[Problem], None]
) -> Corpus | None:
    """Read a format whose references are files of the same format; None if this is another."""
    kind = given or find_input_format(path)
    readers = find_format(kind).with_references if kind != PARALLEL else None
    if readers is None:
        if unit is not None:
            raise UsageError(f"a unit (--unit) needs essays in Markdown, but {display_path(path)} is read as {kind}")
        return None
    if unit is not None and unit not in ESSAY_UNITS:
        raise UsageError(f"there is no unit {unit!r:.42}; choose from {', '.join(ESSAY_UNITS)}")
    if not references:
        raise UsageError(f"{display_path(path)} has essays, which need references: --reference FILE (references= in Python)")
    reader = readers
    corpus: Corpus = FORMATS.run(kind, lambda: reader.read(path, references, unit or "sentence", max_tokens, warn))
    return corpus


def _read_essay_system(
    path: str, name: str, gold: Corpus | None, tokeniser: Tokeniser, max_tokens: int, warn: Callable[[Problem], None]
) -> System:
    """Read the essays of a system, which are cut into the units of the gold."""
    readers = find_format(MULTIGEC).with_references
    if gold is None or readers is None:
        raise UsageError(f"{display_path(path)} has essays, which need the gold that they are cut by (gold=)")
    if tokeniser.name != WHITESPACE_TOKENS:
        raise UsageError(f"the tokeniser {tokeniser.name} cannot be combined with essays in Markdown, which have their own")
    return gold.fit(readers.read_system(path, name, gold.whole or gold, max_tokens, warn))


def _find_source_readers(kind: str, references: list[str]) -> SourceReaders:
    readers = find_format(kind).with_source if kind != PARALLEL else None
    if references or readers is None:
        what = "reference files" if references else f"the format {kind}"
        raise UsageError(f"source texts (--source) cannot be combined with {what}; they need edits without a text, as those of HOO")
    return readers


def _no_gold(path: str) -> str:
    """Explain why a file without a known extension is not gold."""
    with open_bytes(path) as file:
        beginning = file.readline(1000)
    if beginning.startswith(b"S "):
        return "this looks like M2, but its extension is not .m2; if it is M2, use --from m2"
    return (
        "this is a text by its extension, and a source text needs reference files (--reference); "
        "other gold has the extension .m2, .jsonl, .xml or .sgml"
    )


def read_system(
    path: _Input,
    *,
    name: str | None = None,
    gold: Corpus | None = None,
    source: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    tokenise: str | Tokeniser = WHITESPACE_TOKENS,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> System:
    """Read the output of a system: one corrected sentence per line, or M2 with its own edits, which one annotator made.

    With ``gold``, the system must have as many sentences, and one with more is refused without reading the rest; M2 must have the
    same source sentences.
    With ``source`` too, it has texts of HOO documents, which are cut into the sentences of the gold.
    If ``gold`` is a subset, the file has a line for every sentence of the whole corpus, and the same lines are kept.
    ``tokenise`` says how a text is tokenised (:data:`errata.corpus.TOKENISERS`); it needs ``gold``, unless it is whitespace.

    >>> len(read_system("examples/systems/cautious.txt"))
    72
    """
    path = GivenFile.or_path(path)
    check_max_tokens(max_tokens)
    if gold is not None and not isinstance(gold, Corpus):
        raise UsageError(f"the gold must be a Corpus, as returned by errata.read, found {type(gold).__name__}")
    if name is not None:
        require_text(name, "the name of a system")
    name = name or ("system" if isinstance(path, GivenFile) and not path.has_name else name_systems([path])[0])
    tokeniser = _find_tokeniser(tokenise, gold)
    if sources := _list_paths(source):
        readers = find_format(WITH_SOURCE).with_source
        if gold is None or readers is None:
            raise UsageError("the texts of a system need the gold that they are cut by (gold=)")
        if tokeniser.name != WHITESPACE_TOKENS:
            raise UsageError(f"the tokeniser {tokeniser.name} cannot be combined with source texts (--source), which have their own")
        if gold.part is not None:
            raise UsageError(f"the texts of a system are cut by the whole gold, found a subset: {gold.extent}")
        return readers.read_system(path, name, sources, gold, max_tokens, warn)
    kind = find_system_format(path)
    if kind == MULTIGEC:
        return _read_essay_system(path, name, gold, tokeniser, max_tokens, warn)
    if kind == "m2":
        from errata.formats.m2 import read_m2_system

        system = read_m2_system(path, name, gold, max_tokens, warn)
        return system if gold is None else gold.fit(system)
    sentences = read_text(path, Problems(display_path(path)), max_tokens)
    if gold is None:
        return System(name, tuple(sentences), display_path(path))
    most = len(gold) if gold.part is None else gold.part.whole
    whole = f"{pluralise(most, 'sentence')} of {gold.path or gold.name}"
    system = System(name, tuple(take_at_most(sentences, most, display_path(path), whole)), display_path(path))
    if len(system) < most:
        raise MismatchError(f"{system.path} has too few lines: {len(system):,} for the {whole}")
    return tokenise_system(gold.fit(system), gold, tokeniser, max_tokens)


def _find_tokeniser(tokenise: str | Tokeniser, gold: Corpus | None) -> Tokeniser:
    """Find the tokeniser of a text, which is compared with its gold."""
    tokeniser = find_tokeniser(tokenise, gold or ()) if isinstance(tokenise, str) else tokenise
    if gold is None and tokeniser.name != WHITESPACE_TOKENS:
        raise UsageError(f"the tokeniser {tokeniser.name} needs the gold that the text is compared with (gold=)")
    return tokeniser


def write(corpus: Corpus, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
    """Write a corpus, in full or not at all; parallel text becomes ``PATH.src``, ``PATH.ref0``, ``PATH.ref1``, ...."""
    if not isinstance(corpus, Corpus):
        raise UsageError(f"expected a Corpus to write, found {type(corpus).__name__}")
    path = check_path(path)
    _check_format(format)
    format = format or guess_format(path)  # noqa: A001
    if format == PARALLEL:
        if path == "-":
            raise UsageError("parallel text is several files, so it needs -o PREFIX")
        if not path:
            raise UsageError("parallel text needs a prefix for its file names")
        write_files({f"{path}.{extension}": lines for extension, lines in _make_parallel_columns(corpus).items()})
        return
    writer = find_format(format)
    if writer.lines is None:
        raise UsageError(f"{writer.name} can be read, but not written")
    lines = writer.lines
    write_files({path: FORMATS.run(format, lambda: lines(corpus))})


def list_losses(corpus: Corpus, format: str) -> list[str]:  # noqa: A002
    """List what a format cannot express of a corpus."""
    kind = find_format(format) if format != PARALLEL else None
    own = kind.losses(corpus) if kind is not None else _list_parallel_losses(corpus)
    documents = len({sentence.document for sentence in corpus})
    if documents > 1 and (kind is None or not kind.keeps_documents):
        own = [*own, f"the document names of the sentences are lost ({pluralise(documents, 'document')})"]
    return own


# Parallel text: a file of source sentences and files of references, line by line.
#
# Reading extracts edits by alignment: among the alignments with the fewest inserted, deleted and substituted tokens, one with the
# fewest edits, where an edit is a maximal run of changed tokens (``errata.core.align``).
# Edits get the type Missing, Unnecessary or Replacement; each file is an annotator: 0, 1, ....
# If a reference equals its source, the annotator found nothing wrong.
#
# Writing applies each annotator's edits to make one reference file per annotator.
# Parallel text has no types, statuses, comments or alternative corrections, and a line for every annotator; one who has none repeats the
# first one, or changes nothing if that is what the corpus follows (:mod:`errata.corpus.annotators`).  Losses are reported.

_MOST_REFERENCE_FILES = 1000


def _read_parallel(
    source: str, references: Sequence[str], problems: Sequence[Problems], max_tokens: int = DEFAULT_MAX_TOKENS
) -> Iterator[Sentence]:
    """Yield sentences with one annotator per reference file; ``problems`` has one item per file, the source first."""
    sources = list(read_text(source, problems[0], max_tokens))
    columns = []
    for path, own in zip(references, problems[1:], strict=True):
        whole = f"{len(sources):,} of {display_path(source)}"
        column = take_at_most(read_text(path, own, max_tokens), len(sources), display_path(path), whole)
        if len(column) < len(sources):
            raise MismatchError(f"{display_path(path)} has too few lines: {len(column):,} for the {whole}")
        columns.append(column)
    for tokens, *corrected in zip(sources, *columns, strict=True):
        yield Sentence.from_texts(tokens, corrected)


def _make_parallel_columns(corpus: Corpus) -> dict[str, list[str]]:
    """Make the lines of the source and of each annotator's reference, by extension."""
    if len(corpus.annotators) > _MOST_REFERENCE_FILES:
        raise RequestError(
            f"parallel text has one file per annotator; found {len(corpus.annotators):,} annotators, the limit is {_MOST_REFERENCE_FILES:,}"
        )
    columns: dict[str, list[str]] = {"src": [sentence.text for sentence in corpus]}
    columns |= {f"ref{number}": [] for number in range(len(corpus.annotators))}
    for sentence, own in zip(corpus, complete_annotations(corpus, choose_missing(corpus)), strict=True):
        for number, annotation in enumerate(own):
            columns[f"ref{number}"].append(" ".join(sentence.corrected(annotation)))
    return columns


def _list_parallel_losses(corpus: Corpus) -> list[str]:
    """List what parallel text cannot express of a corpus."""
    annotations = [(sentence, annotation) for sentence in corpus for annotation in sentence.annotations]
    edits = {id(edit): edit for _, annotation in annotations for edit in annotation.edits}.values()  # those of a repeated annotation once
    counts = {
        "edits lose their type": len(edits),
        "alternative corrections are left out (the first is used)": sum(len(edit.corrections) - 1 for edit in edits),
        "edits are left out because they overlap another": sum(len(item.unapplied(annotation)) for item, annotation in annotations),
        "skipped lines are left out": sum(len(annotation.ignored) for _, annotation in annotations),
    }
    return [*(f"{what}: {count:,}" for what, count in counts.items() if count), *explain_missing(corpus, choose_missing(corpus))]


# The documents of sentences, for formats without them: a file with one name per line, in the order of the sentences.


def _with_documents(corpus: Corpus, path: str | PathLike[str]) -> Corpus:
    """Add to a corpus the documents that a file names."""
    path = str(path)
    whole = f"{pluralise(len(corpus), 'sentence')} of {corpus.path or corpus.name}"
    names: list[str] = []
    for line in take_at_most(read_lines(path, Problems(display_path(path))), len(corpus), display_path(path), whole):
        if not line.text.strip():
            raise FormatError(display_path(path), line.number, "expected the name of a document, found an empty line")
        names.append(line.text.strip())
    if len(names) < len(corpus):
        raise MismatchError(
            f"{display_path(path)} has too few lines: it names the documents of {pluralise(len(names), 'sentence')}, "
            f"but {corpus.path or corpus.name} has {len(corpus):,}"
        )
    sentences = tuple(replace(sentence, document=name) for sentence, name in zip(corpus, names, strict=True))
    return replace(corpus, sentences=sentences)


# Empty outputs: a sentence without tokens is allowed, but many may be sentences that a system failed to write.

_MANY = 0.02
"""A larger share of empty sentences in an output is seldom meant."""
_LAST_SPACE = 0x3000


def describe_empty(path: str, empty: int, sentences: int) -> str | None:
    """Write a warning if many sentences of an output are empty although their sources are not; None if they are not many.

    >>> describe_empty("run7.txt", 3, 100)
    'run7.txt: 3 of 100 sentences are empty, although their sources are not'
    >>> describe_empty("run7.txt", 2, 100)
    """
    if empty <= _MANY * sentences:
        return None
    are, theirs = ("is", "its source is") if empty == 1 else ("are", "their sources are")
    return f"{path}: {empty:,} of {pluralise(sentences, 'sentence')} {are} empty, although {theirs} not"


def count_empty(outputs: Any, source: Any) -> int:
    """Count the texts without tokens, in an Arrow array of strings, whose source has some."""
    empty = _find_empty(outputs)
    return int((empty & ~_find_empty(source)).sum()) if empty.any() else 0


def _find_empty(texts: Any) -> NDArray[np.bool_]:
    """Find texts of nothing but white space; only those that begin with such a byte are looked at."""
    import numpy as np

    from errata.formats.columns import get_offsets

    offsets = get_offsets(texts)
    starts = offsets[:-1]
    empty: NDArray[np.bool_] = np.diff(offsets) == 0
    content = texts.buffers()[2]
    if content is not None and not empty.all():
        candidates = np.flatnonzero(~empty)
        first = np.frombuffer(content, np.uint8)[starts[candidates]]
        candidates = candidates[_list_first_bytes()[first]]
        empty[candidates] = [text.isspace() for text in texts.take(candidates).to_pylist()]
    return empty


@cache
def _list_first_bytes() -> NDArray[np.bool_]:
    """List for each byte whether white space may begin with it."""
    import numpy as np

    found = np.zeros(256, np.bool_)
    found[[character.encode("utf-8")[0] for character in map(chr, range(_LAST_SPACE + 1)) if character.isspace()]] = True
    return found


def list_output_problems(checks: OutputChecks, system: System, *, every: bool = False) -> list[Problem]:
    """List what is found about an output; ``every`` lists single lines too."""
    name = system.path or system.name
    return [Problem(name, finding.line, "warning", finding.message) for finding in checks.find(system, every=every)]


def report_output_problems(problems: Sequence[Problem], warn: Callable[[Problem], None], *, strict: bool) -> None:
    """Warn of problems; raise the first if they are to be errors."""
    if strict and problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise MismatchError(f"{problems[0]}{more}")
    for problem in problems:
        warn(problem)
