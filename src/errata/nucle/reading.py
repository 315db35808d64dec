"""Read SGML files into a corpus."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Corpus
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import InputError, UsageError, pluralise
from errata.formats.lines import display_path, get_file_name
from errata.formats.problems import Problem, Problems, warn_in_python
from errata.formats.summaries import Summary, Wording
from errata.nucle.conll import read_conll
from errata.nucle.conversion import OFFICIAL, Note, SourceFile, to_corpus
from errata.nucle.essays import read_essays
from errata.nucle.placing import GivenTokens
from errata.nucle.types import OLD_TYPES, TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from os import PathLike

    from errata.corpus.texts import Tokens
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


class MistakeCounts(NamedTuple):
    """What SGML files contain before and after their conversion."""

    essays: int
    written: Counter[str]
    """Mistakes by type, as they are written."""
    dropped: Counter[str]
    """Those of them that become no edit: they cross a sentence boundary, or change nothing."""

    @property
    def kept(self) -> Counter[str]:
        """Mistakes that become edits."""
        return self.written - self.dropped


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
    known = set().union(*(_count_written(file) for file in (*files, *others)))
    if types is not None and (unknown := sorted(set(types) - known - set(TYPES))):
        raise UsageError(f"no mistake has the type {unknown[0]!r}; there are {', '.join(sorted(known)) or 'no mistakes'}")
    given = GivenTokens(read_tokens(str(tokens), max_tokens), display_path(str(tokens))) if tokens is not None else None
    notes = _Notes(warn, list_all=list_all)
    corpus = to_corpus(files, others, profile=profile, types=types, tokens=given, language=language, max_tokens=max_tokens, report=notes)
    return notes.finish(corpus, files, others)


def read_with_mistakes(
    path: str,
    *,
    profile: ProfileName = "conll14",
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> tuple[Corpus, MistakeCounts]:
    """Read the essays of one SGML file, and count its mistakes as they are written and those that become edits."""
    file = read_essay_file(path, max_tokens)
    notes = _Notes(warn)
    corpus = notes.finish(to_corpus([file], profile=profile, max_tokens=max_tokens, report=notes), [file])
    return corpus, MistakeCounts(len(file.essays), _count_written(file), notes.dropped)


class _Notes:
    """Warns of mistakes that were dropped or changed, one by one or in a summary."""

    def __init__(self, warn: Callable[[Problem], None], *, list_all: bool = False) -> None:
        self._warn, self._list_all = warn, list_all
        self._summary = Summary(MISTAKE_WORDINGS)
        self.dropped = Counter[str]()
        """Mistakes that become no edit, by type."""

    def __call__(self, note: Note) -> None:
        if note.what == "dropped":
            self.dropped[note.type] += 1
        if self._list_all:
            self._warn(Problem(note.path, note.line, "warning", f"{note.what}: {note.reason}"))
        else:
            self._summary.add(note.path, note.kind)

    def finish(self, corpus: Corpus, files: Sequence[SourceFile], others: Sequence[SourceFile] = ()) -> Corpus:
        """Warn of what concerns whole files, and name the corpus."""
        if not corpus.sentences:
            raise InputError(f"{files[0].path}: no sentences found")
        self._summary.report(self._warn)
        for type_, count in count_unknown_types((*files, *others)).items():
            what = f"{pluralise(count, 'mistake')} of type {type_!r}, which is not in NUCLE (kept)"
            self._warn(Problem(files[0].path, None, "warning", what))
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
        for type_, count in _count_written(file).items():
            if type_ not in known:
                counts[type_] = counts.get(type_, 0) + count
    return counts


def _count_written(file: SourceFile) -> Counter[str]:
    """Count the mistakes of a file by type, as they are written."""
    return Counter(mistake.type for essay in file.essays for annotation in essay.annotations for mistake in annotation.mistakes)


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
