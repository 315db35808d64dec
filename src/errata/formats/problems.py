"""Problems of input files, and warnings about what they say."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.alternatives import group_errors
from errata.errors import FormatError, InputWarning, pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from errata.corpus.corpus import Edit, Sentence


# Readers report every problem here and continue if they can.
# Scoring stops at the first error; checking lists all problems.

_Severity = Literal["error", "warning"]

_MOST_OF_A_KIND = 1000
_COLUMN = re.compile(r"^column \d+: ")
_MOST_KINDS = 1000
_OTHERS = "other problems"
_PARTICULARS = re.compile(r"""'.*'|".*"|-?\d[\d,]*""")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (an error) or unusual but well defined (a warning) at a location in a file."""

    path: str
    line: int | None
    severity: _Severity
    message: str

    def __str__(self) -> str:
        location = f"{self.path}:{self.line}" if self.line else self.path
        return f"{location}: {self.message}"


def warn_in_python(problem: Problem | str) -> None:
    """Issue a Python warning."""
    warnings.warn(str(problem), InputWarning, stacklevel=2)


def ignore_problem(problem: Problem) -> None:
    """Say nothing."""
    del problem


class Problems:
    """Stops at the first error; with ``lenient``, edits with impossible offsets are skipped with a warning."""

    wants_warnings = False

    def __init__(self, path: str, *, lenient: bool = False, warn: Callable[[Problem], None] = warn_in_python) -> None:
        self.path = path
        self.lenient = lenient
        self.warn = warn

    def about(self, path: str) -> Problems:
        """Problems of another file that is read together with this one."""
        return Problems(path, lenient=self.lenient, warn=self.warn)

    def error(self, line: int | None, message: str) -> None:
        """Report something that cannot be read."""
        raise FormatError(self.path, line, message)

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Report an edit outside its sentence."""
        if not self.lenient:
            raise FormatError(self.path, line, f"{message} (--lenient skips such edits)")
        self.warn(Problem(self.path, line, "error", f"skipped: {message}"))

    def warning(self, line: int | None, message: str) -> None:
        """Report something unusual but well defined."""

    def skipped(self, line: int | None, message: str) -> None:
        """Report a part of the file that is not read; a warning unless a subclass decides otherwise."""
        self.warning(line, f"{message} is skipped")

    def odd_spacing(self, line: int) -> None:
        """Report a line whose tokens are not separated by single spaces; often this is true of every line."""


class WarnOnce(Problems):
    """Stops at errors; warns once about each kind of skipped content."""

    def __init__(self, path: str, warn: Callable[[Problem], None], *, lenient: bool | None = None) -> None:
        """``lenient`` is None if nobody can ask for it."""
        super().__init__(path, lenient=bool(lenient), warn=warn)
        self._can_be_lenient = lenient is not None
        self._told: set[str] = set()

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Report an edit with impossible offsets."""
        if self._can_be_lenient:
            super().bad_offsets(line, message)
        else:
            self.error(line, message)

    def skipped(self, line: int | None, message: str) -> None:
        """Warn of a part of the file that is not read, without its column."""
        what = _COLUMN.sub("", message)
        if what not in self._told:
            self._told.add(what)
            self.warn(Problem(self.path, line, "warning", f"{what} is skipped"))


class AllProblems(Problems):
    """Lists all problems; of one kind the first thousand and the number of the others."""

    wants_warnings = True

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._found: list[Problem] = []
        self._kinds: Counter[tuple[_Severity, str]] = Counter()
        self._odd_spacing = 0
        self._first_odd = 0

    def odd_spacing(self, line: int) -> None:
        """Remember the first line and count the others; one warning is about all of them."""
        self._first_odd = self._first_odd or line
        self._odd_spacing += 1

    @property
    def found(self) -> list[Problem]:
        """All problems in order of their lines."""
        if self._odd_spacing:
            lines, self._odd_spacing = self._odd_spacing, 0
            count = f"{pluralise(lines, 'line')}{', of which this is the first' if lines > 1 else ''}"
            self.warning(self._first_odd, f"tokens are not separated by single spaces in {count} (accepted)")
        more = [
            Problem(self.path, None, severity, f"{count - _MOST_OF_A_KIND:,} more like this: {kind}")
            for (severity, kind), count in self._kinds.items()
            if count > _MOST_OF_A_KIND
        ]
        return sorted(self._found, key=lambda problem: problem.line or 0) + more

    def error(self, line: int | None, message: str) -> None:
        """Add an error."""
        self._add("error", line, message)

    def bad_offsets(self, line: int | None, message: str) -> None:
        """Add an error."""
        self._add("error", line, message)

    def warning(self, line: int | None, message: str) -> None:
        """Add a warning."""
        self._add("warning", line, message)

    def _add(self, severity: _Severity, line: int | None, message: str) -> None:
        kind = (severity, _PARTICULARS.sub("…", message))
        if kind not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            kind = (severity, _OTHERS)
        self._kinds[kind] += 1
        if self._kinds[kind] <= _MOST_OF_A_KIND:
            self._found.append(Problem(self.path, line, severity, message))


CHANGES_NOTHING = "an edit that changes nothing"


def list_warnings(sentence: Sentence, line: int, problems: Problems, lines: Mapping[str, Sequence[int]] | None = None) -> None:
    """Report what is unusual in a sentence at ``line``; ``lines`` has the line of every edit by annotator, if edits have lines."""
    if not sentence.tokens:
        problems.warning(line, "a sentence without tokens")
    starts = [0, *accumulate(len(token) + 1 for token in sentence.tokens)]
    for annotation in sentence.annotations:
        own = lines[annotation.annotator] if lines else [line] * len(annotation.edits)
        numbered = list(zip(annotation.edits, own, strict=True))
        for edit, here in numbered:
            # Texts of the same length are compared, so that many edits of long spans take no longer than the file is long.
            length = max(0, starts[edit.end] - starts[edit.start] - 1)
            if length in map(len, edit.corrections) and sentence.original(edit) in edit.corrections:
                problems.warning(here, CHANGES_NOTHING)
            if edit.status not in {"REQUIRED", "OPTIONAL"}:
                problems.warning(here, f"unusual status {edit.status!r}, expected REQUIRED or OPTIONAL")
            if any(text != " ".join(text.split()) for text in edit.corrections):
                problems.warning(here, "a correction whose tokens are not separated by single spaces, so no output can match it")
        _list_overlaps(numbered, problems)
    _list_overlapping_errors(sentence, line, problems)


def _list_overlaps(numbered: list[tuple[Edit, int]], problems: Problems) -> None:
    """Report each edit that overlaps or repeats another, in one sweep."""
    lines: dict[tuple[int, int, tuple[str, ...]], int] = {}
    reaching: tuple[Edit, int] | None = None  # the edit with the last end so far
    for edit, line in sorted(numbered, key=lambda item: (item[0].start, item[0].end, item[1])):
        content = (edit.start, edit.end, edit.corrections)
        if content in lines:
            problems.warning(line, f"repeats {_describe(edit, lines[content], line)}")
        elif reaching is not None and edit.overlaps(reaching[0]):
            later, earlier = sorted([(line, edit), (reaching[1], reaching[0])], key=lambda item: -item[0])
            problems.warning(later[0], f"overlaps {_describe(earlier[1], earlier[0], later[0])}")
        lines.setdefault(content, line)
        if reaching is None or edit.end > reaching[0].end:
            reaching = (edit, line)


def _list_overlapping_errors(sentence: Sentence, line: int, problems: Problems) -> None:
    """Report errors that overlap; each of them is corrected independently."""
    edits = [(edit, number) for number, error in enumerate(group_errors(sentence)) for item in error for edit in item.edits]
    reaching: dict[int, Edit] = {}  # the two errors with the last ends so far, each with its last edit
    reported: set[tuple[int, int]] = set()
    for edit, number in sorted(edits, key=lambda item: (item[0].start, item[0].end)):
        for other, earlier in reaching.items():
            pair = (min(number, other), max(number, other))
            same_position = edit.start == edit.end == earlier.start == earlier.end
            if number != other and pair not in reported and (same_position or edit.overlaps(earlier)):
                reported.add(pair)
                spans = f"{earlier.start} to {earlier.end} and {edit.start} to {edit.end}"
                problems.warning(line, f"two errors overlap, at {spans}: mixed references correct both")
        if number not in reaching or edit.end > reaching[number].end:
            reaching[number] = edit
        reaching = dict(sorted(reaching.items(), key=lambda item: -item[1].end)[:2])


def _describe(edit: Edit, line: int, here: int) -> str:
    return f"the edit of line {line}" if line != here else f"the edit of {edit.start} to {edit.end}"


class Wording(NamedTuple):
    """What is said of one thing, and of several, after their number."""

    one: str
    several: str


class Summary:
    """Counts what is dropped or changed, by file and kind."""

    def __init__(self, wordings: Mapping[str, Wording]) -> None:
        self._wordings = wordings
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, path: str, kind: str) -> None:
        """Count one thing of a file."""
        self._counts[path, kind] = self._counts.get((path, kind), 0) + 1

    def report(self, warn: Callable[[Problem], None]) -> None:
        """Warn once of each file and kind, kinds in the order of their wordings."""
        kinds = list(self._wordings)
        for (path, kind), count in sorted(self._counts.items(), key=lambda item: kinds.index(item[0][1])):
            wording = self._wordings[kind]
            what, them = (f"1 {wording.one}", "it") if count == 1 else (f"{count:,} {wording.several}", "them")
            warn(Problem(path, None, "warning", f"{what} (errata convert --list lists {them})"))
