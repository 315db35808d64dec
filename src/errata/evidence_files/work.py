"""The evidence of one part, from its texts alone, so that any process of any machine makes the same bytes."""

from __future__ import annotations

import hashlib
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus import Annotation, Corpus, Part, Sentence, System
from errata.errors import FormatError, RequestError
from errata.evidence_files.part_files import PartInfo, encode_part, need_pyarrow
from errata.formats.lines import RAISE_LIMIT
from errata.formats.parallel import extract_edits
from errata.gold.fingerprint import hash_blocks
from errata.large_evidence import RowArrays
from errata.part_sizes import BLOCK_SIZE
from errata.scoring.evaluator import Evaluator
from errata.scoring.scores import describe_metric, name_package

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.corpus import Tokens
    from errata.metrics.base import Metric, Output, TextScorer

EvidenceKey = tuple[str, str]
"""A metric, as on the command line, and the name of a system."""


class MadePart(NamedTuple):
    """The evidence of a part with one metric and system; without content if the one that is there already fits."""

    key: EvidenceKey
    number: int
    info: PartInfo | None
    content: bytes | None
    sentences: int


class TextTask(NamedTuple):
    """The texts of a part: those of the gold, and those of some systems."""

    number: int
    first: int
    """The number of the first sentence, from 1."""
    source: Any
    references: list[Any]
    outputs: dict[str, Any]
    known: dict[EvidenceKey, str]
    """The inputs of parts that are there already."""


class TextWork(NamedTuple):
    """What all parts of texts share."""

    metrics: tuple[Metric, ...]
    path: str
    paths: dict[str, str]
    """The files of systems."""
    max_tokens: int


def count_texts(work: TextWork, task: TextTask) -> list[MadePart]:
    """Make the evidence of a part of texts, for every metric and system."""
    gold = _hash_texts(task.source, *task.references)
    inputs = {name: _hash(gold, _hash_texts(texts)) for name, texts in task.outputs.items()}
    made, wanted = _sort_out(work.metrics, inputs, task.known, task.number, len(task.source))
    if not wanted:
        return made
    annotators = tuple(str(number) for number in range(len(task.references)))
    pieces = _GoldPieces(work, task)
    for metric, name in wanted:
        scorer = pieces.find_text_scorer(metric)
        if scorer is not None:
            counts = scorer.counts(task.outputs[name])
            arrays, labels = _arrange(counts, annotators, len(task.source))
            about = _About(f"{metric.signature}{name_package(metric)}", "", ())
        else:
            evaluate = pieces.find_evaluator(metric)
            outputs = _split(task.outputs[name], work.paths[name], task.first, work.max_tokens)
            arrays, labels = _count(evaluate, evaluate.prepare_from(outputs, 0), 0, len(outputs))
            about = _describe(metric, evaluate.corpus, System(name, ()))
        blocks = pieces.find_blocks()
        place = (name, task.first, len(task.source), inputs[name], annotators, blocks)
        info = PartInfo(about.metric, *place, about.system, about.warnings)
        content = encode_part(info, metric.columns, arrays, labels)
        made.append(MadePart((str(metric), name), task.number, info, content, info.sentences))
    return made


class _GoldPieces:
    """The gold of a part, prepared for metrics when they need it."""

    def __init__(self, work: TextWork, task: TextTask) -> None:
        self._work, self._task = work, task
        self._scorers: dict[str, TextScorer | None] = {}
        self._evaluators: dict[str, Evaluator] = {}
        self._corpus: Corpus | None = None
        self._blocks: tuple[str, ...] = ()

    def find_text_scorer(self, metric: Metric) -> TextScorer | None:
        """Find the metric prepared for texts; None if it cannot."""
        if (key := str(metric)) not in self._scorers:
            task = self._task
            self._scorers[key] = metric.text_scorer(task.source, task.references, task.first, self._work.max_tokens)
        return self._scorers[key]

    def find_evaluator(self, metric: Metric) -> Evaluator:
        """Find the metric prepared for a corpus."""
        if (key := str(metric)) not in self._evaluators:
            self._evaluators[key] = Evaluator(self._make_corpus(), metric)
        return self._evaluators[key]

    def _make_corpus(self) -> Corpus:
        if self._corpus is None:
            task, size = self._task, len(self._task.source)
            split = partial(_split, path=self._work.path, first=task.first, max_tokens=self._work.max_tokens)
            columns = [split(texts) for texts in (task.source, *task.references)]
            sentences = tuple(
                Sentence(tokens, tuple(Annotation(str(number), extract_edits(tokens, target)) for number, target in enumerate(corrected)))
                for tokens, *corrected in zip(*columns, strict=True)
            )
            numbers = Part(tuple(range(task.first, task.first + size)), task.first + size - 1)
            self._corpus = Corpus(sentences, path=self._work.path, part=numbers)
        return self._corpus

    def find_blocks(self) -> tuple[str, ...]:
        """Compute the hashes of the blocks of the gold."""
        if not self._blocks:
            scorer = next((scorer for scorer in self._scorers.values() if scorer is not None), None)
            size = len(self._task.source)
            if scorer is None:
                self._blocks = tuple(digest.hex() for digest in hash_blocks(self._make_corpus().sentences))
            else:
                contents = (scorer.content(first, min(first + BLOCK_SIZE, size)) for first in range(0, size, BLOCK_SIZE))
                self._blocks = tuple(hashlib.sha256(content).hexdigest() for content in contents)
        return self._blocks


class CorpusTask(NamedTuple):
    """A part of a corpus that all workers have: the sentences from index ``start`` to before ``stop``, and one system."""

    number: int
    start: int
    stop: int
    system: str
    known: dict[EvidenceKey, str]


class CorpusWork:
    """A corpus and systems in memory, which every process prepares once for each metric."""

    def __init__(self, metrics: tuple[Metric, ...], corpus: Corpus, systems: Sequence[System]) -> None:
        self.metrics, self.corpus, self.systems = metrics, corpus, {system.name: system for system in systems}
        self.blocks = [digest.hex() for digest in hash_blocks(corpus.sentences)]
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._evaluators: dict[str, Evaluator] = {}
        self._outputs: dict[EvidenceKey, Output] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what every process prepares."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin()

    def prepare(self, metric: Metric, name: str) -> tuple[Evaluator, Output]:
        """Prepare a metric for the corpus, and the output of a system."""
        key = (str(metric), name)
        with self._lock:
            if str(metric) not in self._evaluators:
                self._evaluators[str(metric)] = Evaluator(self.corpus, metric)
            evaluate = self._evaluators[str(metric)]
            if key not in self._outputs:
                self._outputs[key] = evaluate.prepare(self.systems[name])
            return evaluate, self._outputs[key]


def count_corpus(work: CorpusWork, task: CorpusTask) -> list[MadePart]:
    """Make the evidence of a part of a corpus and a system, for every metric."""
    start, stop = task.start, task.stop
    blocks = tuple(work.blocks[start // BLOCK_SIZE : -(-stop // BLOCK_SIZE)])
    gold = list(map(bytes.fromhex, blocks))
    inputs = {task.system: _hash(*gold, *_hash_output(work.systems[task.system], start, stop))}
    made, wanted = _sort_out(work.metrics, inputs, task.known, task.number, stop - start)
    annotators = Corpus(work.corpus.sentences[start:stop]).annotators if wanted else ()
    for metric, name in wanted:
        evaluate, output = work.prepare(metric, name)
        arrays, labels = _count(evaluate, output, start, stop)
        about = _describe(metric, work.corpus, work.systems[name])
        place = (name, start + 1, stop - start, inputs[name], annotators, blocks)
        info = PartInfo(about.metric, *place, about.system, about.warnings)
        content = encode_part(info, metric.columns, arrays, labels)
        made.append(MadePart((str(metric), name), task.number, info, content, info.sentences))
    return made


class _About(NamedTuple):
    """What signatures and warnings say about a metric, a gold and a system."""

    metric: str
    system: str
    warnings: tuple[str, ...]


def _describe(metric: Metric, corpus: Corpus, system: System) -> _About:
    return _About(describe_metric(metric, corpus), metric.system_data(system, corpus), tuple(metric.gold_warnings(corpus)))


def _sort_out(
    metrics: Sequence[Metric], inputs: Mapping[str, str], known: Mapping[EvidenceKey, str], number: int, sentences: int
) -> tuple[list[MadePart], list[tuple[Metric, str]]]:
    """List the parts that are there already, and those to be made."""
    made, wanted = [], []
    for metric in metrics:
        for name, digest in inputs.items():
            key = (str(metric), name)
            if key not in known:
                wanted.append((metric, name))
            elif known[key] == digest:
                made.append(MadePart(key, number, None, None, sentences))
            else:
                raise RequestError(
                    f"there is evidence of another output or gold of {name} with {metric}; give the system another name (NAME=FILE), "
                    "or take another folder"
                )
    return made, wanted


def _count(evaluate: Evaluator, output: Output, start: int, stop: int) -> tuple[RowArrays, Any]:
    """Count sentences one by one."""
    import numpy as np

    pa = need_pyarrow()
    rows, labels = evaluate.count(output, start, stop)
    listed = [row for own in rows for row in own]
    try:
        counts = np.array(listed, dtype=np.int64)
    except OverflowError:
        raise RequestError(f"the counts of {evaluate.metric} must be whole numbers below 2^63") from None
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return RowArrays(counts, starts), pa.array([label for own in labels for label in own], pa.string()).dictionary_encode()


def _arrange(counts: Any, annotators: Sequence[str], sentences: int) -> tuple[RowArrays, Any]:
    """Arrange counts of sentences that all have the same annotators."""
    import numpy as np

    pa = need_pyarrow()
    indices = np.tile(np.arange(len(annotators), dtype=np.int32), sentences)
    labels = pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(list(annotators), pa.string()))
    return RowArrays(counts, np.arange(0, sentences * len(annotators) + 1, len(annotators), dtype=np.int64)), labels


def _split(texts: Any, path: str, first: int, max_tokens: int) -> list[Tokens]:
    """Split texts into tokens."""
    outputs = [tuple(text.split()) for text in texts.to_pylist()]
    for number, tokens in enumerate(outputs, first):
        if len(tokens) > max_tokens:
            raise FormatError(path, number, f"{len(tokens):,} tokens in a line, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
    return outputs


def _hash_texts(*columns: Any) -> bytes:
    """Hash Arrow arrays of texts: how many bytes each text has, and all bytes."""
    import numpy as np
    from pyarrow import compute

    digest = hashlib.sha256()
    for texts in columns:
        digest.update(compute.binary_length(texts).to_numpy(zero_copy_only=False).astype("<i4").tobytes())
        _, offsets, content = texts.buffers()
        ends = np.frombuffer(offsets, dtype=np.int64 if str(texts.type).startswith("large") else np.int32)
        if len(texts) and content is not None:
            digest.update(memoryview(content)[int(ends[texts.offset]) : int(ends[texts.offset + len(texts)])])
    return digest.digest()


def _hash_output(system: System, start: int, stop: int) -> list[bytes]:
    """Hash the texts of a system, or its own edits."""
    if system.source is None or system.edits is None:
        return hash_blocks(map(Sentence, system.sentences[start:stop]))
    sentences = zip(system.source[start:stop], system.edits[start:stop], strict=True)
    return hash_blocks(Sentence(tokens, (Annotation("", edits),)) for tokens, edits in sentences)


def _hash(*digests: bytes) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()
