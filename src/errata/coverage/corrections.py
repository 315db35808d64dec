"""Answers of many people for each sentence: from a table, or from the references of a corpus."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.corpus.annotators import DETECT, complete_as_found
from errata.corpus.references import DIGITS, NORMALISATIONS, Normalisation, make_normaliser
from errata.coverage.unseen import count_frequencies
from errata.errors import FormatError, InputError, RequestError, UsageError
from errata.formats.lines import display_path
from errata.formats.problems import warn_in_python
from errata.formats.tables import find_repeated, guess_table_format, list_columns, open_table, warn_of_misspelt
from errata.metrics.exact import Accuracy, IndexMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from os import PathLike

    from errata.corpus.corpus import Corpus
    from errata.formats.problems import Problem
    from errata.metrics import Metric
    from errata.metrics.exact import Positions

Match = Literal["exact", "index"]
MATCHES: tuple[Match, ...] = get_args(Match)


@dataclass(frozen=True, slots=True)
class CorrectedSentence:
    """A sentence, and how often each correction of it was given."""

    name: str
    source: str
    """Empty if unknown."""
    corrections: Mapping[str, int]

    @property
    def answers(self) -> int:
        """The number of answers."""
        return sum(self.corrections.values())

    def grouped(self, same: Sameness) -> dict[Hashable, int]:
        """Count how often each correction was given; answers that match are the same correction."""
        key = same.key(self)
        counts: Counter[Hashable] = Counter()
        for text, times in self.corrections.items():
            counts[key(text)] += times
        return dict(counts)

    def tokenised(self, tokenise: Callable[[str], Sequence[str]]) -> CorrectedSentence:
        """Tokenise all corrections; the source is kept."""
        counts: Counter[str] = Counter()
        for text, times in self.corrections.items():
            counts[" ".join(tokenise(text))] += times
        return CorrectedSentence(self.name, self.source, dict(counts))

    def count_frequencies(self, same: Sameness) -> tuple[int, ...]:
        """Count how many corrections were given once, twice, ...."""
        return count_frequencies(self.grouped(same).values())


@dataclass(frozen=True)
class Sameness:
    """When two corrections of a sentence are the same.

    ``exact`` compares texts, ``index`` the words of the source that they change (:class:`errata.IndexMatch`).
    """

    match: Match = "exact"
    normalise: Normalisation = "words"
    positions: Positions = "published"

    def __post_init__(self) -> None:
        if self.match not in MATCHES:
            raise UsageError(f"match must be 'exact' or 'index', found {self.match!r}")
        if self.normalise not in NORMALISATIONS:
            raise UsageError(f"unknown normalisation {self.normalise!r}; choose from {', '.join(NORMALISATIONS)}")

    def __str__(self) -> str:
        positions = f",positions={self.positions}" if self.match == "index" else ""
        return f"{self.match} match, normalise={self.normalise}{positions}"

    def key(self, sentence: CorrectedSentence) -> Callable[[str], Hashable]:
        """Return a function whose value is equal for corrections that match."""
        if self.match == "exact":
            return make_normaliser(self.normalise)
        if not sentence.source:
            raise RequestError(f"{sentence.name}: match=index needs the source of the sentence")
        metric = IndexMatch(positions=self.positions, normalise=self.normalise)
        return lambda text: metric.changes(sentence.source, text)

    def unchanged(self, sentence: CorrectedSentence) -> int:
        """Count the answers that leave the sentence unchanged."""
        if not sentence.source:
            return 0
        return sentence.grouped(self).get(self.key(sentence)(sentence.source), 0)


def find_sameness(metric: Metric) -> Sameness | None:
    """Find when two corrections of a sentence are the same for a metric that only matches sentences; None for other metrics."""
    if type(metric) is Accuracy and metric.references == "single":
        return Sameness("exact", metric.normalise)
    if type(metric) is IndexMatch:
        return Sameness("index", metric.normalise, metric.positions)
    return None


_MOST_DIGITS = 9
_COLUMNS = {"sentence": ("sentence", "sentence_id", "id"), "correction": ("correction",), "count": ("count",), "source": ("source",)}


def read_corrections(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    warn: Callable[[Problem], None] = warn_in_python,
) -> list[CorrectedSentence]:
    r"""Read a table with the columns sentence, correction, count and optionally source: TSV, CSV, JSON Lines or Parquet.

    Without a count every row is one answer.  In TSV nothing is quoted, and ``\n``, ``\t`` and ``\\`` mean a line end, a tab and a
    backslash.  ``warn`` takes warnings about columns that are probably misspelt.
    """
    path = str(path)
    chosen = format or guess_table_format(path)
    shown = display_path(path)
    sources: dict[str, str] = {}
    counts: dict[str, dict[str, int]] = {}
    with open_table(path, chosen, quoted=chosen != "tsv") as table:
        columns = _columns(table.header, shown)
        warn_of_misspelt(table.header, list(columns.values()), _COLUMNS, shown, warn)
        for chunk in table.chunks(list(columns.values())):
            for row in range(chunk.rows):
                values = {role: chunk.columns[name][row] for role, name in columns.items()}
                line = chunk.lines.of(row)
                name, text = (_text(values[role], role, shown, line, chosen) for role in ("sentence", "correction"))
                texts = counts.setdefault(name, {})
                texts[text] = texts.get(text, 0) + _count(values.get("count", 1), shown, line)
                if "source" in values:
                    source = _text(values["source"], "source", shown, line, chosen)
                    if sources.setdefault(name, source) != source:
                        raise FormatError(
                            shown, line, f"the sentence {name[:40]!r} has two sources, {sources[name][:40]!r} and {source[:40]!r}"
                        )
    if not counts:
        raise FormatError(shown, None, "the table has no corrections")
    return [CorrectedSentence(name, sources.get(name, ""), texts) for name, texts in counts.items()]


def _columns(header: Sequence[str], path: str) -> dict[str, str]:
    if (twice := find_repeated(header)) is not None:
        raise FormatError(path, 1, f"two columns are named {twice[:40]!r}")
    columns = {}
    for role, names in _COLUMNS.items():
        if (name := next((name for name in names if name in header), None)) is not None:
            columns[role] = name
        elif role in {"sentence", "correction"}:
            raise FormatError(path, 1, f"expected a column {role}, found {list_columns(header)}")
    return columns


def _text(value: Any, role: str, path: str, line: int, format_: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise FormatError(path, line, f"{role}: expected a text, found {value!r:.60}")
    text = str(value)
    if format_ == "tsv" and "\\" in text:
        text = text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
    return text


def _count(value: Any, path: str, line: int) -> int:
    text = str(value)
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else 0
    if number < 1 or isinstance(value, bool):
        raise FormatError(path, line, f"count: expected a whole number from 1, found {value!r:.60}")
    return number


def collect_corrections(corpus: Corpus, missing: str = DETECT) -> list[CorrectedSentence]:
    """Collect the references of a corpus: one correction of each annotator, with the first of alternatives.

    ``missing`` says what an annotator without a line is (:mod:`errata.corpus.annotators`); by default, what the corpus is found to leave out.
    """
    sentences = []
    for number, sentence in zip(corpus.numbers, complete_as_found(corpus, missing), strict=True):
        texts = Counter(" ".join(sentence.corrected(annotation)) for annotation in sentence.annotations)
        sentences.append(CorrectedSentence(str(number), sentence.text, dict(texts or {sentence.text: 1})))
    if not sentences:
        raise InputError("there are no sentences")
    return sentences


def fingerprint_corrections(sentences: Sequence[CorrectedSentence]) -> str:
    """Compute the first digits of the SHA-256 of all sources, corrections and counts, in their order; names do not count."""
    digest = hashlib.sha256()
    for sentence in sentences:
        fields = [sentence.source, *(f"{times}\x1f{text}" for text, times in sentence.corrections.items())]
        digest.update(("\x1e".join(fields) + "\x1c").encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:DIGITS]
