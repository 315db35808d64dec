"""The scores of systems by people and by metrics, computed here or elsewhere, and what they are in replicates."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.texts import write_ranges
from errata.errors import FormatError, InputError, MismatchError, RequestError, UsageError, pluralise, suggest
from errata.formats.lines import display_path
from errata.formats.problems import warn_in_python
from errata.formats.tables import find_repeated, find_table_format, list_columns, open_table
from errata.metrics.base import RatioMetric
from errata.metrics.strategies import Chosen
from errata.settings import DEFAULT_RUNS, RANKING_METHODS, RankingMethod
from errata.stats.bootstrap import split_into_chunks
from errata.studies.judgments.items import Opponents, compute_expected_wins, count_unit_wins, count_wins, number_sentences
from errata.studies.judgments.ranking import compute_true_skill, fit_strengths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from errata.corpus.corpus import Corpus, System
    from errata.metrics.evidence import Evidence
    from errata.metrics.ratios import Row
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap
    from errata.studies.judgments.items import HumanJudgments, RankingItem


@dataclass(frozen=True)
class JudgedSentences:
    """Ranking items, and the sentences of a corpus; those without an item are there too."""

    items: tuple[RankingItem, ...]
    numbers: tuple[int, ...]
    """The sentences of the corpus, counted from 1."""
    first: int
    """What judgments call the first sentence: 0 or 1."""

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The index of each sentence, by the number that judgments give it."""
        return {number - 1 + self.first: index for index, number in enumerate(self.numbers)}

    @cached_property
    def judged_numbers(self) -> tuple[int, ...]:
        """The sentences with an item, counted from 1."""
        return tuple(sorted({item.sentence - self.first + 1 for item in self.items}))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The names of the judges, sorted."""
        return tuple(sorted({item.judge for item in self.items}))

    @classmethod
    def of(cls, judgments: HumanJudgments, numbers: Sequence[int], first: int, whole: int | None = None) -> JudgedSentences:
        """Keep the items about some sentences; ``whole`` is the number of all sentences of the corpus, beyond which there is none."""
        last = max(numbers) if whole is None else whole
        for item in judgments.items:
            if not 1 <= item.sentence - first + 1 <= last:
                about = f"sentences are counted from {first}, and there are {pluralise(last, 'sentence')}"
                raise MismatchError(f"{item.path}:{item.line}: there is no sentence {item.sentence}: {about}")
        kept = set(numbers)
        items = tuple(item for item in judgments.items if item.sentence - first + 1 in kept)
        if not items:
            raise MismatchError(f"no sentence among {', '.join(write_ranges(tuple(numbers)))[:60]} was judged")
        return cls(items, tuple(numbers), first)

    @classmethod
    def of_outputs(  # noqa: PLR0913 - as the options of --judgments
        cls,
        judgments: HumanJudgments,
        corpus: Corpus,
        systems: Sequence[System],
        chosen: HumanJudgments | None = None,
        *,
        first: int | None = None,
        refuse_unmatched: bool = False,
        all_outputs: bool | None = None,
        warn: Callable[[str], None] = warn_in_python,
    ) -> JudgedSentences:
        """Find the sentence of each item from the outputs of systems: those that judgments join are equal.

        ``chosen`` are the judgments to keep, if these are not all; the others are as described for
        :func:`errata.studies.judgments.number_sentences`, but ``all_outputs`` is false by default for a part of a corpus.
        """
        whole = corpus.part.whole if corpus.part is not None else len(corpus)
        texts = {system.name: [f"\0{system.name}"] * whole for system in systems}  # sentences without an output are unlike all others
        for system in systems:
            for number, tokens in zip(corpus.numbers, system.sentences, strict=True):
                texts[system.name][number - 1] = " ".join(tokens)
        known = corpus.part is None if all_outputs is None else all_outputs
        numbering = number_sentences(judgments, texts, chosen, first=first, refuse_unmatched=refuse_unmatched, all_outputs=known, warn=warn)
        kept = chosen or judgments
        judged = cls.of(kept, corpus.numbers, numbering.first or 0, whole)
        if left := len(kept.items) - len(judged.items):
            warn(f"{pluralise(left, 'item')} left out: their sentences are not among those of --sentences")
        return judged

    @classmethod
    def without_outputs(cls, judgments: HumanJudgments, first: int | None = None, *, numbered: bool = False) -> JudgedSentences:
        """Take the judged sentences as all there are; ``numbered`` says whether other scores have sentences, whose numbers matter."""
        if first is None and numbered and 0 not in judgments.sentences:
            raise UsageError("judgments may count sentences from 0 or 1, and there are no outputs to show it; --first-sentence says it")
        start = 0 if first is None and 0 in judgments.sentences else 1 if first is None else first
        return cls.of(judgments, [number - start + 1 for number in judgments.sentences], start)

    def keep_judged(self, corpus: Corpus, systems: Sequence[System]) -> tuple[JudgedSentences, Corpus, list[System]]:
        """Keep only the sentences with an item, also of the corpus and of the outputs."""
        places = {number: index for index, number in enumerate(corpus.numbers)}
        kept = corpus.subset(self.judged_numbers)
        outputs = [system.select([places[number] for number in kept.numbers]) for system in systems]
        return replace(self, numbers=tuple(kept.numbers)), kept, outputs


# --- Scores that were computed elsewhere, as tables: of people, or of metrics that errata does not have.
#
# A table has the column ``system``, perhaps ``sentence`` (counted from 1), columns of numbers, which are scores, and columns of texts,
# which name them.  So it may be wide, with a column for each metric, or long, with the name of a metric in every row.

_SYSTEM, _SENTENCE = "system", "sentence"
_SHOWN = 40
_MOST_LISTED = 12


@dataclass(frozen=True)
class ExternalScores:
    """The scores of systems by one measure; those of sentences too, if the table has them."""

    name: str
    systems: Mapping[str, float]
    """The score of each system; the mean of its sentences if the table has no score of the whole."""
    sentences: Mapping[str, Mapping[int, float]] | None = field(repr=False)
    """The scores of sentences, counted from 1."""
    path: str

    @property
    def signature(self) -> str:
        """The name, the file, and a hash of the scores."""
        from hashlib import sha256

        whole = [f"{system}\t{value!r}" for system, value in sorted(self.systems.items())]
        parts = [
            f"{system}\t{number}\t{value!r}"
            for system, own in sorted((self.sentences or {}).items())
            for number, value in sorted(own.items())
        ]
        content = sha256("\n".join([*whole, *parts]).encode()).hexdigest()[:12]
        return f"{self.name} | scores of {len(self.systems)} systems from {self.path.rpartition('/')[2]}, sha256 {content}"


class _Row(NamedTuple):
    line: int
    cells: dict[str, str]


def _read_score_table(path: str, pattern: str = "*") -> list[ExternalScores]:
    """Read all scores of a table whose name fits a pattern, such as ``GJG15 *``."""
    shown = display_path(path)
    rows, header = _read_rows(path, shown)
    numeric = [name for name in header if name not in {_SYSTEM, _SENTENCE} and _is_numeric(rows, name)]
    texts = [name for name in header if name not in {_SYSTEM, _SENTENCE, *numeric}]
    for column in texts:
        _refuse_nearly_numeric(rows, column, shown)
    if not numeric:
        raise FormatError(shown, 1, f"expected a column of numbers beside {_SYSTEM}, found {list_columns(header)}")
    found: dict[str, dict[tuple[str, int], float]] = {}
    lines: dict[tuple[str, str, int], int] = {}
    for row in rows:
        key = (_read_system(row, shown), _read_sentence(row, shown))
        named = " ".join(row.cells[column].strip() for column in texts if row.cells[column].strip())
        for column in numeric:
            if not (cell := row.cells[column].strip()):
                continue
            name = " ".join(filter(None, (named, column if len(numeric) > 1 or not named else "")))
            if (before := lines.setdefault((name, *key), row.line)) != row.line:
                of_sentence = f", sentence {key[1]}" if key[1] else ""
                raise FormatError(shown, row.line, f"{name} of {key[0][:_SHOWN]!r}{of_sentence} has a score in line {before} already")
            found.setdefault(name, {})[key] = float(cell)
    kept = [pattern] if pattern in found else [name for name in found if fnmatchcase(name, pattern)]
    if not kept:
        known = ", ".join(list(found)[:_MOST_LISTED]) + (f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else "")
        raise UsageError(f"{shown}: no scores are named {pattern!r}; there are {known}{suggest(pattern, found)}")
    return [_make_scores(name, found[name], shown) for name in kept]


def _read_rows(path: str, shown: str) -> tuple[list[_Row], list[str]]:
    if (format_ := find_table_format(path)) is None:
        raise UsageError(f"a table of scores must have the extension .csv, .tsv, .jsonl or .parquet, found {shown!r}")
    with open_table(path, format_, quoted=format_ == "csv") as table:
        if (twice := find_repeated(table.header)) is not None:
            raise FormatError(shown, 1, f"two columns are named {twice[:_SHOWN]!r}")
        if _SYSTEM not in table.header:
            raise FormatError(
                shown, 1, f"expected the column {_SYSTEM}, found {list_columns(table.header)}{suggest(_SYSTEM, table.header)}"
            )
        rows = [
            _Row(chunk.lines.of(row), {name: _write(column[row]) for name, column in chunk.columns.items()})
            for chunk in table.chunks(table.header)
            for row in range(chunk.rows)
        ]
        if not rows:
            raise InputError(f"{shown}: there are no scores")
        return rows, table.header


def _write(value: object) -> str:
    return "" if value is None else str(value)


def _is_numeric(rows: Iterable[_Row], column: str) -> bool:
    """Whether all cells of a column that are not empty are finite numbers, and there are some."""
    cells = [cell for row in rows if (cell := row.cells[column].strip())]
    return bool(cells) and all(_is_number(cell) for cell in cells)


def _refuse_nearly_numeric(rows: Iterable[_Row], column: str, path: str) -> None:
    """Raise if most cells of a column are numbers: the others are probably missing scores."""
    cells = [(row.line, cell) for row in rows if (cell := row.cells[column].strip())]
    others = [(line, cell) for line, cell in cells if not _is_number(cell)]
    if others and 2 * len(others) < len(cells):
        line, cell = others[0]
        raise FormatError(path, line, f"{column}: expected a number, found {cell[:_SHOWN]!r}; an empty cell is no score")


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def _read_system(row: _Row, path: str) -> str:
    if not (name := row.cells[_SYSTEM].strip()):
        raise FormatError(path, row.line, "expected the name of a system, found nothing")
    return name


def _read_sentence(row: _Row, path: str) -> int:
    """Read the number of a sentence; 0 stands for the whole corpus."""
    text = row.cells.get(_SENTENCE, "").strip().removesuffix(".0")  # as frames write whole numbers in a column with gaps
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text)):  # noqa: PLR2004 - digits
        raise FormatError(path, row.line, f"expected the number of a sentence, counted from 1, found {text[:_SHOWN]!r}")
    return int(text)


def _make_scores(name: str, values: Mapping[tuple[str, int], float], path: str) -> ExternalScores:
    systems = list(dict.fromkeys(system for system, _ in values))
    of_sentences: dict[str, dict[int, float]] = {system: {} for system in systems}
    for (system, sentence), value in values.items():
        if sentence:
            of_sentences[system][sentence] = value
    whole = {system: values[system, 0] if (system, 0) in values else _mean(of_sentences[system].values()) for system in systems}
    return ExternalScores(name, whole, of_sentences if any(of_sentences.values()) else None, path)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)


def split_pattern(argument: str) -> tuple[str, str]:
    """Split ``FILE:PATTERN``; without a pattern, all scores of the file are meant.

    A file may have colons in its name if it is there; else the first colon ends it whose beginning is a file.

    >>> split_pattern("scores.tsv:GJG15 *"), split_pattern("scores.tsv")
    (('scores.tsv', 'GJG15 *'), ('scores.tsv', '*'))
    """
    parts = argument.split(":")
    beginnings = [":".join(parts[:count]) for count in range(1, len(parts) + 1)]
    for path in (argument, *beginnings):
        if path and os.path.isfile(path):  # noqa: PTH113 - never raises
            return path, argument[len(path) + 1 :] or "*"
    path, colon, pattern = argument.partition(":")
    return (path, pattern) if colon and path and pattern else (argument, "*")


def read_scores(arguments: Sequence[str]) -> list[ExternalScores]:
    """Read the scores of several arguments, each ``FILE`` or ``FILE:PATTERN``."""
    scores = [own for argument in arguments for own in _read_score_table(*split_pattern(argument))]
    if (twice := find_repeated(own.name for own in scores)) is not None:
        raise UsageError(f"two scores are named {twice!r}; FILE:NAME chooses one of a file")
    return scores


# --- The scores of systems by people, from judgments or from elsewhere, and what they are in replicates.

if TYPE_CHECKING:
    _Array = NDArray[np.float64]

_CUTOFF = 2.5
_NORMAL = 1.4826
"""What makes the median absolute deviation of normal values their standard deviation."""


@dataclass(frozen=True)
class HumanScores:
    """The scores of systems by people."""

    name: str
    values: Mapping[str, float]
    """The score of each system, over the judgments of all systems."""
    wins: Any = field(default=None, repr=False)
    """For each sentence (row) the wins of systems against each other; None if scores cannot be resampled."""
    opponents: Opponents = "decided"
    method: RankingMethod | None = field(default=None, repr=False)
    """How they were computed; None if they come from elsewhere."""

    @classmethod
    def from_elsewhere(cls, scores: ExternalScores) -> HumanScores:
        """Take scores of a table; they are the same in all replicates."""
        return cls(scores.name, scores.systems)

    @property
    def varies(self) -> bool:
        """Whether scores can be resampled."""
        return self.wins is not None

    def list_values(self, systems: Sequence[str]) -> _Array:
        """List the scores of systems."""
        import numpy as np

        return np.array([self.values[name] for name in systems], dtype=np.float64)

    def find_outliers(self, systems: Sequence[str]) -> list[str]:
        """Find systems far from the others: more than 2.5 deviations from the median, as in Mathur et al. (2020).

        The deviation is the median absolute deviation, scaled as for a normal distribution.

        >>> HumanScores("people", {"a": 0.5, "b": 0.52, "c": 0.48, "d": 0.51, "e": 0.1}).find_outliers("abcde")
        ['e']
        """
        import statistics

        scores = {name: self.values[name] for name in systems}
        middle = statistics.median(scores.values())
        deviation = _NORMAL * statistics.median(abs(score - middle) for score in scores.values())
        return [name for name, score in scores.items() if deviation > 0 and abs(score - middle) > _CUTOFF * deviation]

    def resample(self, systems: Sequence[str], weights: _Array) -> _Array:
        """Compute the scores of systems (columns) if sentences have these weights, one row for each replicate."""
        import numpy as np

        if self.wins is None:
            return np.tile(self.list_values(systems), (len(weights), 1))
        return self._score(np.asarray((self.wins.T @ weights.T).T), systems)

    def leave_out_each(self, systems: Sequence[str]) -> _Array:
        """Compute the scores of systems (columns) without each sentence (rows); a single row if scores cannot be resampled."""
        import numpy as np

        if self.wins is None:
            return self.list_values(systems)[None, :]
        return self._score(np.asarray(self.wins.sum(axis=0))[None, :] - self.wins.toarray(), systems)

    def _score(self, sums: _Array, systems: Sequence[str]) -> _Array:
        import numpy as np

        names = list(self.values)
        matrices = sums.reshape(-1, len(names), len(names))
        if self.method == "bradley-terry":
            scores = np.array([_fit(matrix, names) for matrix in matrices])
        else:
            scores = compute_expected_wins(matrices, self.opponents)
        return scores[:, [names.index(name) for name in systems]]


_NAMES: dict[RankingMethod, str] = {"expected-wins": "expected wins", "trueskill": "TrueSkill", "bradley-terry": "Bradley-Terry"}


def score_by_people(
    items: Sequence[RankingItem],
    places: Mapping[int, int],
    method: RankingMethod = "expected-wins",
    *,
    opponents: Opponents = "decided",
    runs: int = DEFAULT_RUNS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> HumanScores:
    """Score all judged systems; ``places`` has the row of each sentence, as the judgments number them, in replicates."""
    import numpy as np

    if method not in RANKING_METHODS:
        raise UsageError(f"unknown ranking {method!r}; choose from {', '.join(RANKING_METHODS)}")
    systems = tuple(sorted({name for item in items for output in item.outputs for name in output.systems}))
    counts = count_wins(items, systems)
    matrix = np.array(counts.wins, dtype=np.int64)
    if method == "trueskill":
        scores = compute_true_skill(counts, runs, seed, progress).mean(axis=0)
    elif method == "bradley-terry":
        scores = fit_strengths(matrix, systems)
    else:
        scores = compute_expected_wins(matrix.astype(float), opponents)
    values = dict(zip(systems, scores.tolist(), strict=True))
    if unknown := [name for name, score in values.items() if score != score]:  # noqa: PLR0124 - NaN
        raise RequestError(f"{', '.join(unknown)}: all pairs with other systems are ties, so there is no score by people")
    wins = None if method == "trueskill" else count_unit_wins(items, [places[item.sentence] for item in items], len(places), systems)
    return HumanScores(_NAMES[method], values, wins, opponents, method)


def _fit(wins: _Array, systems: Sequence[str]) -> _Array:
    """Fit strengths; not a number if they are not finite."""
    import numpy as np

    try:
        return fit_strengths(np.rint(wins).astype(np.int64), systems)
    except RequestError:
        return np.full(len(systems), np.nan)


@dataclass(frozen=True)
class MetricScores:
    """The scores of systems by one metric."""

    name: str
    values: Mapping[str, float]
    """The score of each system."""
    evidence: Mapping[str, Evidence] | None = field(default=None, repr=False)
    """The counts of each system; None if the scores come from elsewhere."""
    sentences: Mapping[str, Mapping[int, float]] | None = field(default=None, repr=False)
    """The scores of sentences, which are counted from 1, if scores from elsewhere have them."""
    signature: str = ""

    @classmethod
    def of(cls, scores: Sequence[Score], name: str = "") -> MetricScores:
        """Take the scores of systems by one metric on one corpus."""
        if not scores:
            raise UsageError("there are no scores")
        evidence = {score.system_name: score.evidence for score in scores}
        if len(evidence) < len(scores):
            raise UsageError("two scores have the same name of a system")
        from errata.scoring import join_signatures

        values = {score.system_name: float(score.value) for score in scores}
        return cls(name or str(scores[0].metric), values, evidence, signature=join_signatures(scores))

    @classmethod
    def from_elsewhere(cls, scores: ExternalScores) -> MetricScores:
        """Take scores of a table."""
        return cls(scores.name, scores.systems, None, scores.sentences, scores.signature)

    @property
    def varies(self) -> bool:
        """Whether scores can be resampled."""
        return self.evidence is not None

    @property
    def has_sentences(self) -> bool:
        """Whether single sentences have scores."""
        return self.evidence is not None or self.sentences is not None

    def list_values(self, systems: Sequence[str]) -> _Array:
        """List the scores of systems."""
        import numpy as np

        return np.array([self.values[name] for name in systems], dtype=np.float64)

    def resample(self, systems: Sequence[str], weights: _Array) -> _Array:
        """Compute the scores of systems (columns) if sentences have these weights, one row for each replicate."""
        import numpy as np

        if self.evidence is None:
            return np.tile(self.list_values(systems), (len(weights), 1))
        return np.column_stack([self.evidence[name].values(weights @ self.evidence[name].matrix) for name in systems])

    def leave_out_each(self, systems: Sequence[str]) -> _Array:
        """Compute the scores of systems (columns) without each sentence (rows); a single row if scores come from elsewhere."""
        import numpy as np

        if self.evidence is None:
            return self.list_values(systems)[None, :]
        matrices = [(self.evidence[name], self.evidence[name].matrix) for name in systems]
        return np.column_stack([item.values(matrix.sum(axis=0) - matrix) for item, matrix in matrices])

    def rank_sentences(self, systems: Sequence[str], sentences: Sequence[int]) -> NDArray[np.int64]:
        """Rank systems (rows) on each of some sentences (columns), which are counted from 1: a larger number is better."""
        if self.evidence is not None:
            places = {number: index for index, number in enumerate(next(iter(self.evidence.values())).corpus.numbers)}
            kept = [places[number] for number in sentences]
            lists = [_list_sentence_scores(self.evidence[name]) for name in systems]
            return _rank_sentence_scores([[scores[index] for index in kept] for scores in lists])
        if self.sentences is None:
            raise RequestError(f"{self.name} has no scores of single sentences")
        for name in systems:
            if missing := next((number for number in sentences if number not in self.sentences[name]), None):
                raise RequestError(f"{self.name} of {name} has no score of sentence {missing:,}, which was judged")
        return _rank_sentence_scores([[self.sentences[name][number] for number in sentences] for name in systems])


# The score of each output of a sentence by a metric, for comparing outputs of the same sentence.  A ratio, such as F, is that of the best
# reference of the sentence, whatever reference the corpus score chose, and it is compared as a fraction.  Other values are compared as
# numbers, and those that differ by rounding errors are equal.

_ROUNDING = 1e-12


def _list_sentence_scores(evidence: Evidence) -> list[Fraction | float]:
    """List the score of every sentence of a system."""
    metric, strategy = evidence.metric, evidence.strategy
    if not evidence.rows and evidence.size:
        return [float(value) for value in evidence.sentence_values]
    if isinstance(metric, RatioMetric) and isinstance(strategy, Chosen):
        known: dict[tuple[Row, ...], Fraction | float] = {}
        for rows in evidence.rows:
            if rows not in known:
                known[rows] = max(metric.ratio.exact(row) for row in rows)
        return [known[rows] for rows in evidence.rows]
    if isinstance(strategy, Chosen):
        picked = [(rows, (strategy.choose([rows]) or (0,))[0]) for rows in evidence.rows]
        return [metric.sentence_value(rows[index]) for rows, index in picked]
    return [strategy.sentence_value(metric, rows) for rows in evidence.rows]


def _rank_sentence_scores(systems: Sequence[Sequence[Fraction | float]]) -> NDArray[np.int64]:
    """Rank the scores of systems (rows) on each sentence (column) alone: a larger number is better, equal ones are ties.

    >>> _rank_sentence_scores([[0.5, 0.1], [0.25, 0.1 + 1e-17], [0.5, 0.0]]).tolist()
    [[1, 1], [0, 1], [1, 0]]
    """
    import numpy as np

    ranks = np.zeros((len(systems), len(systems[0])), dtype=np.int64)
    for index, scores in enumerate(zip(*systems, strict=True)):
        order = sorted(range(len(scores)), key=scores.__getitem__)
        rank = 0
        for before, after in pairwise(order):
            rank += _differ(scores[before], scores[after])
            ranks[after, index] = rank
    return ranks


def _differ(one: Fraction | float, other: Fraction | float) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return not abs(float(one) - float(other)) <= _ROUNDING
    return one != other


class _ResampledValues(NamedTuple):
    """The scores of systems (columns) in all replicates, and without each sentence (rows)."""

    values: _Array
    without_one: _Array


ScoreEnds = tuple[float, float]
"""The ends of the interval of a score."""


class ScoreIntervals(NamedTuple):
    """The intervals of systems by name; those of scores that cannot be resampled are missing."""

    human: Mapping[str, ScoreEnds]
    metrics: Mapping[str, Mapping[str, ScoreEnds]]
    """By the name of the metric."""


NO_INTERVALS = ScoreIntervals({}, {})


class Replicates(NamedTuple):
    """The replicates of people and of each metric: sentences are resampled, with their outputs and their judgments together."""

    human: _ResampledValues
    metrics: list[_ResampledValues]

    @classmethod
    def of(
        cls,
        human: HumanScores,
        metrics: Sequence[MetricScores],
        systems: Sequence[str],
        sentences: int,
        bootstrap: Bootstrap,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> Replicates:
        """Compute the scores of systems in all replicates; ``progress`` is told of replicates that were done, once for each metric."""
        import numpy as np

        everyone: list[HumanScores | MetricScores] = [human, *metrics]
        parts: list[list[_Array]] = [[] for _ in everyone]
        for weights in draw_weights(sentences, bootstrap):
            for own, scores in zip(parts, everyone, strict=True):
                own.append(scores.resample(systems, weights))
                if progress is not None and own is not parts[0]:
                    progress(len(weights))
        values = [np.concatenate(own) for own in parts]
        without = [np.broadcast_to(scores.leave_out_each(systems), (sentences, len(systems))) for scores in everyone]
        resampled = [_ResampledValues(*pair) for pair in zip(values, without, strict=True)]
        return cls(resampled[0], resampled[1:])

    def find_intervals(self, human: HumanScores, metrics: Sequence[MetricScores], systems: Sequence[str], level: float) -> ScoreIntervals:
        """Find the intervals of the scores of single systems: percentiles, without replicates in which a score is undefined."""
        of_metrics = zip(metrics, self.metrics, strict=True)
        return ScoreIntervals(
            _find_ends(self.human, systems, level) if human.varies else {},
            {metric.name: _find_ends(drawn, systems, level) if metric.varies else {} for metric, drawn in of_metrics},
        )


def draw_weights(sentences: int, bootstrap: Bootstrap) -> Iterator[_Array]:
    """Yield how often each sentence (column) is in each replicate (row), some replicates at a time."""
    import numpy as np

    random = np.random.default_rng(bootstrap.seed)
    for size in split_into_chunks(bootstrap.replicates, sentences):
        yield random.multinomial(sentences, np.full(sentences, 1 / sentences), size).astype(np.float64)


def _find_ends(drawn: _ResampledValues, systems: Sequence[str], level: float) -> dict[str, ScoreEnds]:
    import numpy as np

    outside = (1 - level) / 2
    found: dict[str, ScoreEnds] = {}
    for name, values in zip(systems, drawn.values.T, strict=True):
        known = values[np.isfinite(values)]
        if len(known):
            low, high = np.quantile(known, [outside, 1 - outside]).tolist()
            found[name] = low, high
    return found
