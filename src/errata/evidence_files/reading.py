"""Read a folder of evidence: scores, intervals and tests need nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from errata.corpus.corpus import System
from errata.errors import InputError, RequestError, UsageError, pluralise, suggest
from errata.evidence_files.counting import fits_metric
from errata.evidence_files.layout import MANIFEST
from errata.evidence_files.manifest import WHOLE, describe_gold_of, has_parts, read_manifest_of
from errata.evidence_files.part_files import PartRows, check_content, decode_part
from errata.evidence_files.storage import FolderStorage
from errata.metrics import registry
from errata.metrics.base import Output
from errata.metrics.evidence import Evidence, LargeEvidence
from errata.metrics.strategies import Chosen
from errata.scoring.scores import Score, write_gold_signature
from errata.stats.resampling import MANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.evidence_files.manifest import GoldEntry, Manifest, SystemEntry
    from errata.evidence_files.storage import Storage
    from errata.listings import TableRow
    from errata.metrics.base import Metric, RowsOfSentences
    from errata.metrics.evidence import RowArrays
    from errata.metrics.maxmatch import EditLattice
    from errata.metrics.views import Alignment
    from errata.scoring.sentence_edits import SentenceEdits

ReadParts = Callable[[], Iterator[PartRows]]
"""Yields the rows of all sentences, part by part, whenever it is called."""


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

    def rows(self) -> list[TableRow]:
        """Refuse: there are no texts."""
        raise _refuse_texts()

    def edits(self, sentence: int, annotator: str | None = None) -> SentenceEdits:
        """Refuse: there are no texts."""
        del sentence, annotator
        raise _refuse_texts()

    def lattice(self, sentence: int, annotator: str | None = None) -> EditLattice:
        """Refuse: there are no texts."""
        del sentence, annotator
        raise _refuse_texts()

    def alignment(self, sentence: int) -> Alignment:
        """Refuse: there are no texts."""
        del sentence
        raise _refuse_texts()


def _refuse_texts() -> UsageError:
    return UsageError("evidence has no texts, so sentences, edits, lattices and alignments cannot be shown")


class StoredEvidence:
    """Evidence of one gold, with any number of metrics and systems."""

    def __init__(self, storage: Storage, manifest: Manifest) -> None:
        self._storage, self.manifest, shown = storage, manifest, storage.show()
        if not manifest.whole:
            raise RequestError(f"{shown}: it has the parts {manifest.share} only; errata evidence merge puts all of them together")
        if not manifest.entries:
            raise RequestError(f"{shown}: it has no evidence")
        gold = manifest.gold
        self.gold = StoredGold(gold.name, shown, gold.annotators, gold.fingerprint, gold.sentences)

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
            return f"{self.gold.path}: there is no evidence of {metric}; choose from {', '.join(metrics)}{suggest(metric, metrics)}"
        known = f"choose from {', '.join(systems)}{suggest(system, systems)}"
        return f"{self.gold.path}: there is no evidence of the system {system!r} with {metric}; {known}"

    def _score(self, entry: SystemEntry) -> StoredScore:
        metric = self.metrics[entry.metric]
        if tuple(metric.columns) != entry.columns:
            raise InputError(
                f"{self.gold.path}: expected the columns {', '.join(metric.columns)} of {metric}, found {', '.join(entry.columns)}"
            )
        if not fits_metric(entry.described, metric):
            raise InputError(f"{self.gold.path}: expected evidence of {metric.signature}, found {entry.described[:200]}")
        gold = write_gold_signature(self.gold.name, self.gold.extent, self.gold.annotators, self.gold.fingerprint)
        own = f" | {entry.system_data}" if entry.system_data else ""
        described = f"{entry.described}{own} | {gold} | errata {entry.version}"
        return score_parts(metric, self.gold, entry.system, _Parts(self._storage, self.manifest.gold, entry), described)


def score_parts(metric: Metric, gold: StoredGold, system_name: str, parts: ReadParts, described: str) -> StoredScore:
    """Score a system whose rows are read in parts whenever ``parts`` is called; ``described`` is the signature."""
    evidence = _load(metric, gold, system_name, parts)
    system = System(system_name, ())
    return StoredScore(metric, system_name, evidence.counts, evidence.value, evidence, system, _NoOutput(()), described=described)


def _load(metric: Metric, gold: StoredGold, system_name: str, parts: ReadParts) -> Evidence:
    corpus = cast("Corpus", gold)  # it has what statistics and tables use of one
    strategy = metric.strategy
    if gold.size > MANY and isinstance(strategy, Chosen) and strategy.in_order:
        return LargeEvidence(metric, corpus, system_name, (), (), parts=_Arrays(parts), sentences=gold.size)
    rows: list[tuple[tuple[int, ...], ...]] = []
    labels: list[tuple[str, ...]] = []
    for part in parts():
        listed, names, starts = part.arrays.counts.tolist(), part.labels.to_pylist(), part.arrays.starts.tolist()
        for first, last in pairwise(starts):
            rows.append(tuple(tuple(row) for row in listed[first:last]))
            labels.append(tuple(names[first:last]))
    return Evidence(metric, corpus, system_name, tuple(rows), tuple(labels))


def open_evidence(path: str) -> StoredEvidence:
    """Open a folder of evidence."""
    return StoredEvidence(FolderStorage(Path(path)), read_manifest_of(Path(path)))


@dataclass(frozen=True)
class _Arrays:
    """The counts of parts, without labels, whenever it is called."""

    parts: ReadParts

    def __call__(self) -> Iterator[RowArrays]:
        for part in self.parts():
            yield part.arrays


@dataclass(frozen=True)
class _Parts:
    """The rows of a system, read whenever it is called."""

    storage: Storage
    gold: GoldEntry
    entry: SystemEntry

    def __call__(self) -> Iterator[PartRows]:
        """Read all parts; raise unless each is whole and all are those that the manifest describes."""
        entry, infos = self.entry, []
        for part in entry.parts:
            shown = self.storage.show(entry.place, part.file)
            try:
                content = self.storage.read(entry.place, part.file)
                check_content(shown, part.file, content)
            except InputError as error:
                raise InputError(f"{error}; errata evidence with the same texts writes it again") from None
            place = {"system": entry.system, "first": part.first, "sentences": part.sentences, "input": part.input}
            about = {"metric": entry.described, "system_data": entry.system_data, "warnings": entry.warnings, "version": entry.version}
            info, rows = decode_part(shown, content, entry.columns, place | about)
            infos.append(info)
            yield rows
        if (found := describe_gold_of(self.gold.name, self.gold.sentences, infos, WHOLE)) != self.gold:
            shown = self.storage.show("", MANIFEST)
            raise InputError(f"{shown}: its parts are of another gold: sha256 {found.fingerprint}, found {self.gold.fingerprint}")
