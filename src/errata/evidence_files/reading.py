"""Read a folder of evidence: scores, intervals and tests need nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from errata.corpus import System
from errata.errors import InputError, RequestError, UsageError
from errata.evidence import Evidence
from errata.evidence_files.layout import MANIFEST
from errata.evidence_files.manifest import has_parts, read_manifest
from errata.evidence_files.part_files import check_content, decode_part
from errata.large_evidence import LargeEvidence
from errata.metrics import registry
from errata.metrics.base import Output
from errata.metrics.strategy import Chosen
from errata.scoring.scores import Score, write_gold_signature
from errata.stats.units import MANY
from errata.suggestions import suggest
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus import Corpus
    from errata.evidence_files.manifest import GoldEntry, PartEntry, SystemEntry
    from errata.evidence_files.part_files import PartRows
    from errata.large_evidence import RowArrays
    from errata.metrics.base import Metric, RowsOfSentences


def is_evidence(path: str) -> bool:
    """Whether a path is a folder of evidence, finished or not."""
    return (Path(path) / MANIFEST).is_file() or has_parts(Path(path))


@dataclass(frozen=True)
class StoredGold:
    """What is known about a gold whose sentences are not there; it has the names of a corpus."""

    name: str
    path: str
    annotators: tuple[str, ...]
    fingerprint: str
    size: int
    part: None = None

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        raise RequestError(f"{self.path}: evidence has no sentences and no documents; use the gold itself")

    @property
    def numbers(self) -> range:
        """The number of each sentence."""
        return range(1, self.size + 1)

    @property
    def extent(self) -> str:
        """The number of sentences in words."""
        return pluralise(self.size, "sentence")


class _NoOutput(Output):
    """Stands for an output that is not there."""

    def rows(self, start: int, stop: int) -> RowsOfSentences:
        """Refuse: there is no text."""
        raise UsageError(f"evidence has no texts, so sentences {start} to {stop} cannot be shown")


@dataclass(frozen=True)
class StoredScore(Score):
    """A score from stored evidence."""

    described: str = field(kw_only=True, repr=False)

    @property
    def signature(self) -> str:
        """Everything that can change the number."""
        return self.described


class EvidenceFolder:
    """A folder of evidence of one gold, with any number of metrics and systems."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self.manifest = read_manifest(self._path)
        if not self.manifest.whole:
            raise RequestError(f"{path}: it has the parts {self.manifest.share} only; errata evidence merge puts all of them together")
        gold = self.manifest.gold
        self.gold = StoredGold(gold.name, path, gold.annotators, gold.fingerprint, gold.sentences)

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """The metrics, as on the command line."""
        return {entry.metric: registry.metric(entry.metric) for entry in self.manifest.entries}

    @property
    def systems(self) -> list[str]:
        """The names of all systems."""
        return list(dict.fromkeys(entry.system for entry in self.manifest.entries))

    def list_warnings(self, metrics: Sequence[Metric]) -> list[str]:
        """List what metrics say about the gold."""
        entries = {entry.metric: entry for entry in self.manifest.entries}
        own = ((metric, entries[str(metric)].warnings) for metric in metrics if str(metric) in entries)
        return [f"{self.gold.name}: {metric}: {warning}" for metric, warnings in own for warning in warnings]

    def score(
        self, metrics: Sequence[Metric] = (), systems: Sequence[str] = (), progress: Callable[[int], None] | None = None
    ) -> list[StoredScore]:
        """Score systems, by default all, with metrics, by default all: all systems with the first metric, and so on.

        ``progress`` is called with 1 whenever a system was scored.
        """
        wanted = [str(metric) for metric in metrics] or list(self.metrics)
        entries = {(entry.metric, entry.system): entry for entry in self.manifest.entries}
        names = list(systems) or self.systems
        scores = []
        for metric in wanted:
            for name in names:
                entry = entries.get((metric, name))
                if entry is None:
                    raise UsageError(self._explain(metric, name))
                scores.append(self._score(entry))
                if progress is not None:
                    progress(1)
        return scores

    def _explain(self, metric: str, system: str) -> str:
        metrics, systems = list(self.metrics), [entry.system for entry in self.manifest.entries if entry.metric == metric]
        if metric not in metrics:
            return f"{self._path}: there is no evidence of {metric}; choose from {', '.join(metrics)}{suggest(metric, metrics)}"
        known = f"choose from {', '.join(systems)}{suggest(system, systems)}"
        return f"{self._path}: there is no evidence of the system {system!r} with {metric}; {known}"

    def _score(self, entry: SystemEntry) -> StoredScore:
        metric = self.metrics[entry.metric]
        if tuple(metric.columns) != entry.columns:
            raise InputError(
                f"{self._path}: expected the columns {', '.join(metric.columns)} of {metric}, found {', '.join(entry.columns)}"
            )
        evidence = self._load(metric, entry)
        gold = write_gold_signature(self.gold.name, self.gold.extent, self.gold.annotators, self.gold.fingerprint)
        own = f" | {entry.system_data}" if entry.system_data else ""
        described = f"{entry.described}{own} | {gold} | errata {entry.version}"
        system = System(entry.system, ())
        return StoredScore(metric, entry.system, evidence.counts, evidence.value, evidence, system, _NoOutput(()), described=described)

    def _load(self, metric: Metric, entry: SystemEntry) -> Evidence:
        gold = cast("Corpus", self.gold)  # it has what statistics and tables use of one
        strategy = metric.strategy
        if self.gold.size > MANY and isinstance(strategy, Chosen) and strategy.in_order:
            parts = _Parts(self._path, self.manifest.gold, entry)
            return LargeEvidence(metric, gold, entry.system, (), (), parts=parts, sentences=self.gold.size)
        rows: list[tuple[tuple[int, ...], ...]] = []
        labels: list[tuple[str, ...]] = []
        for part in _iterate_parts(self._path, entry):
            listed, names, starts = part.arrays.counts.tolist(), part.labels.to_pylist(), part.arrays.starts.tolist()
            for first, last in pairwise(starts):
                rows.append(tuple(tuple(row) for row in listed[first:last]))
                labels.append(tuple(names[first:last]))
        return Evidence(metric, gold, entry.system, tuple(rows), tuple(labels))


@dataclass(frozen=True)
class _Parts:
    """The rows of a system, read from files whenever it is called."""

    folder: Path
    gold: GoldEntry
    entry: SystemEntry

    def __call__(self) -> Iterator[RowArrays]:
        for part in _iterate_parts(self.folder, self.entry):
            yield part.arrays


def _iterate_parts(folder: Path, entry: SystemEntry) -> Iterator[PartRows]:
    for part in entry.parts:
        yield read_part(folder, entry, part)


def read_part(folder: Path, entry: SystemEntry, part: PartEntry) -> PartRows:
    """Read a part; raise unless it is whole and the one that the manifest names."""
    path = entry.locate(folder) / part.file
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    check_content(path, content, part.number)
    wanted = {"metric": entry.described, "system": entry.system, "first": part.first, "sentences": part.sentences, "input": part.input}
    return decode_part(path, content, entry.columns, wanted)
