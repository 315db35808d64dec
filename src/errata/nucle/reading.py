"""Read SGML files into a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus import Corpus
from errata.errors import InputError, UsageError
from errata.formats.lines import DEFAULT_MAX_TOKENS, display_path, get_file_name
from errata.formats.problems import Problem, Problems, warn_in_python
from errata.formats.summaries import Summary, Wording
from errata.nucle.conll import read_conll
from errata.nucle.conversion import OFFICIAL, Note, SourceFile, to_corpus
from errata.nucle.essays import read_essays
from errata.nucle.placing import GivenTokens
from errata.nucle.types import OLD_TYPES, TYPES
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from os import PathLike

    from errata.corpus import Tokens
    from errata.nucle.conversion import ProfileName
    from errata.nucle.token_edits import Language


MISTAKE_WORDINGS: dict[str, Wording] = {
    "outside": Wording(
        "mistake was dropped: it does not lie inside a single sentence", "mistakes were dropped: they do not lie inside a single sentence"
    ),
    "empty": Wording("mistake was dropped: it changes nothing", "mistakes were dropped: they change nothing"),
    "repeated": Wording(
        "mistake is repeated: it lies in several sentences with the same text",
        "mistakes are repeated: they lie in several sentences with the same text",
    ),
    "trimmed": Wording("correction was trimmed: it repeats words of the text", "corrections were trimmed: they repeat words of the text"),
}
"""What is said of mistakes that were dropped or changed."""


def read_nucle(  # noqa: PLR0913 - all but the first are given by name
    paths: Iterable[str | PathLike[str]],
    *,
    alternatives: Iterable[str | PathLike[str]] = (),
    profile: ProfileName = "conll14",
    types: Collection[str] | None = None,
    tokens: str | PathLike[str] | None = None,
    language: Language = OFFICIAL,
    list_all: bool = False,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Corpus:
    """Read essays: one SGML file per annotator, and files of alternative answers.

    Sentences and tokens follow the rules of the shared tasks, another ``language``, or a file (``.conll``, ``.m2`` or text).
    ``types`` keeps only mistakes of these types.  ``warn`` takes the number of mistakes that are dropped, repeated or trimmed, one
    line for each kind; with ``list_all``, each of them.
    """
    files = [read_essay_file(str(path), max_tokens) for path in paths]
    others = [read_essay_file(str(path), max_tokens) for path in alternatives]
    if not files:
        raise UsageError("expected one or more SGML files")
    known = {mistake.type for file in (*files, *others) for essay in file.essays for item in essay.annotations for mistake in item.mistakes}
    if types is not None and (unknown := sorted(set(types) - known - set(TYPES))):
        raise UsageError(f"no mistake has the type {unknown[0]!r}; there are {', '.join(sorted(known)) or 'no mistakes'}")
    given = GivenTokens(read_tokens(str(tokens), max_tokens), display_path(str(tokens))) if tokens is not None else None

    summary = Summary(MISTAKE_WORDINGS)

    def report(note: Note) -> None:
        if list_all:
            warn(Problem(note.path, note.line, "warning", f"{note.what}: {note.reason}"))
        else:
            summary.add(note.path, note.kind)

    corpus = to_corpus(files, others, profile=profile, types=types, tokens=given, language=language, max_tokens=max_tokens, report=report)
    if not corpus.sentences:
        raise InputError(f"{files[0].path}: no sentences found")
    summary.report(warn)
    for type_, count in count_unknown_types((*files, *others)).items():
        warn(Problem(files[0].path, None, "warning", f"{pluralise(count, 'mistake')} of type {type_!r}, which is not in NUCLE (kept)"))
    return Corpus(corpus.sentences, get_file_name(str(files[0].path)), files[0].path)


def read_essay_file(path: str, max_tokens: int = DEFAULT_MAX_TOKENS, problems: Problems | None = None) -> SourceFile:
    """Read the essays of an SGML file."""
    problems = problems or Problems(display_path(path))
    essays = tuple(read_essays(path, problems, max_tokens))
    if not essays:
        problems.error(None, "no <DOC> found")
    return SourceFile(problems.path, essays)


def count_unknown_types(files: Iterable[SourceFile]) -> dict[str, int]:
    """Count the mistakes of each type that NUCLE does not define."""
    known = {*TYPES, *OLD_TYPES, "noop"}
    counts: dict[str, int] = {}
    for file in files:
        for essay in file.essays:
            for annotation in essay.annotations:
                for mistake in annotation.mistakes:
                    if mistake.type not in known:
                        counts[mistake.type] = counts.get(mistake.type, 0) + 1
    return counts


def read_tokens(path: str, max_tokens: int = DEFAULT_MAX_TOKENS) -> Sequence[Tokens]:
    """Read the tokens of a ``.conll``, ``.m2`` or text file, by sentence."""
    from errata.formats import read
    from errata.formats.text import read_text

    problems = Problems(display_path(path))
    name = get_file_name(path).lower()
    if name.endswith(".conll"):
        return [sentence.tokens for sentence in read_conll(path, problems, max_tokens)]
    if name.endswith((".m2", ".jsonl", ".ndjson")):
        return [sentence.tokens for sentence in read(path, max_tokens=max_tokens)]
    return list(read_text(path, problems, max_tokens))
