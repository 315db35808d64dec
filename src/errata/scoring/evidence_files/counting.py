"""The counts of one part, from its texts alone, so that any process of any machine makes the same bytes."""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.checks import OutputChecks
from errata.corpus.corpus import Annotation, Corpus, Part, Sentence, System, extract_edits
from errata.corpus.references import combine_blocks, hash_blocks
from errata.corpus.texts import RAISE_LIMIT
from errata.errors import FormatError, RequestError, UsageError
from errata.formats.columns import split_column
from errata.formats.lines import display_path, explain_unreadable, is_folder, is_special, list_files
from errata.formats.reading import count_empty
from errata.metrics.evidence import RowArrays
from errata.scoring.evaluator import Evaluator
from errata.scoring.evidence_files.storage import OUTPUT, PartInfo, PartRows, name_place, need_pyarrow
from errata.scoring.scores import describe_metric, describe_system, name_package
from errata.settings import BLOCK_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from errata.corpus.checks import Finding
    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric, Output, TextScorer
    from errata.scoring.evidence_files.storage import InputHash


class _About(NamedTuple):
    """What signatures and warnings say about a metric, a gold and a system."""

    metric: str
    system: str
    warnings: tuple[str, ...]


def _describe_evidence(metric: Metric, corpus: Corpus, system: System) -> _About:
    """Describe what evidence is of."""
    return _About(describe_metric(metric, corpus), describe_system(metric, corpus, system), tuple(metric.gold_warnings(corpus)))


class GoldPart:
    """The texts of consecutive sentences of a gold, Arrow arrays, which are prepared for metrics when they need it."""

    def __init__(self, paths: Sequence[str], first: int, source: Any, references: Sequence[Any], max_tokens: int) -> None:
        """Keep texts; ``paths`` are the files of source and references, for messages."""
        self.paths, self.first, self.source, self.references, self.max_tokens = paths, first, source, list(references), max_tokens
        self._scorers: dict[str, TextScorer | None] = {}
        self._evaluators: dict[str, Evaluator] = {}

    def count(self, metric: Metric, output: Any, path: str) -> PartRows:
        """Count the texts of an output, an Arrow array; ``path`` is its file, for messages."""
        scorer = self._find_text_scorer(metric)
        if scorer is not None:
            with self._name_file(path, output):
                counts = scorer.counts(output)
            return _arrange(counts, len(self.references), len(self.source))
        hypotheses = _split(output, path, self.first, self.max_tokens)
        evaluate = self._find_evaluator(metric)
        return _count_sentences(evaluate, evaluate.prepare_from(hypotheses, 0), 0, len(hypotheses))

    def describe(self, metric: Metric, name: str) -> _About:
        """Describe the evidence of a system."""
        if self._find_text_scorer(metric) is not None:
            return _About(f"{metric.signature}{name_package(metric)}", "", ())
        return _describe_evidence(metric, self._corpus, System(name, ()))

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The hashes of the blocks of the gold."""
        scorer = next((scorer for scorer in self._scorers.values() if scorer is not None), None)
        if scorer is None:
            return tuple(digest.hex() for digest in hash_blocks(self._corpus.sentences))
        size = len(self.source)
        contents = (scorer.content(first, min(first + BLOCK_SIZE, size)) for first in range(0, size, BLOCK_SIZE))
        return tuple(hashlib.sha256(content).hexdigest() for content in contents)

    def _find_text_scorer(self, metric: Metric) -> TextScorer | None:
        """Find the metric prepared for texts; None if it cannot."""
        if (key := str(metric)) not in self._scorers:
            with self._name_file(self.paths[0]):
                self._scorers[key] = metric.text_scorer(self.source, self.references, self.first, self.max_tokens)
        return self._scorers[key]

    @contextmanager
    def _name_file(self, path: str, output: Any = None) -> Iterator[None]:
        """Turn what the core says about a sentence that is too large into an error with its file; that of a text that is too long first."""
        try:
            yield
        except OverflowError as error:
            texts = (self.source, *self.references) if output is None else (output,)
            for own, column in zip(self.paths if output is None else (path,), texts, strict=True):
                _split(column, own, self.first, self.max_tokens)
            raise RequestError(f"{path}: {error}") from None

    def _find_evaluator(self, metric: Metric) -> Evaluator:
        """Find the metric prepared for a corpus."""
        if (key := str(metric)) not in self._evaluators:
            self._evaluators[key] = Evaluator(self._corpus, metric, warn=None)
        return self._evaluators[key]

    @cached_property
    def _corpus(self) -> Corpus:
        columns = [
            _split(texts, path, self.first, self.max_tokens)
            for texts, path in zip((self.source, *self.references), self.paths, strict=True)
        ]
        sentences = tuple(
            Sentence(tokens, tuple(Annotation(str(number), extract_edits(tokens, target)) for number, target in enumerate(corrected)))
            for tokens, *corrected in zip(*columns, strict=True)
        )
        last = self.first + len(sentences) - 1
        return Corpus(sentences, path=self.paths[0], part=Part(tuple(range(self.first, last + 1)), last))


def _count_sentences(evaluate: Evaluator, output: Output, start: int, stop: int) -> PartRows:
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
    names = pa.array([label for own in labels for label in own], pa.string()).dictionary_encode()
    return PartRows(RowArrays(counts, starts), names)


def _arrange(counts: Any, references: int, sentences: int) -> PartRows:
    """Arrange counts of sentences that all have the same references."""
    import numpy as np

    pa = need_pyarrow()
    indices = np.tile(np.arange(references, dtype=np.int32), sentences)
    names = [str(number) for number in range(references)]
    labels = pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(names, pa.string()))
    return PartRows(RowArrays(counts, np.arange(0, sentences * references + 1, references, dtype=np.int64)), labels)


def _split(texts: Any, path: str, first: int, max_tokens: int) -> list[Tokens]:
    """Split texts into tokens."""
    outputs = [tuple(text.split()) for text in texts.to_pylist()]
    for number, tokens in enumerate(outputs, first):
        if len(tokens) > max_tokens:
            raise FormatError(path, number, f"{len(tokens):,} tokens in a line, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
    return outputs


SAMPLED_SENTENCES = 1000
"""Sentences of a part of texts that are checked to be corrections of their source."""
EvidenceKey = tuple[str, str]
"""A metric, as on the command line, and the name of a system."""


class MadePart(NamedTuple):
    """The evidence of a part with one metric and system; without content if the one that is there already fits."""

    key: EvidenceKey
    number: int
    info: PartInfo | None
    content: bytes | None
    sentences: int
    empty: int = 0
    """How many outputs are empty although their sources are not."""
    findings: tuple[Finding, ...] = ()
    """What a sample of the outputs shows."""


class KnownPart(NamedTuple):
    """What a part that is there already was made of."""

    file: str
    """Its path, for messages."""
    input: str
    metric: str
    system_data: str


class TextTask(NamedTuple):
    """The texts of a part: those of the gold, and those of some systems."""

    number: int
    first: int
    """The number of the first sentence, from 1."""
    source: Any
    references: list[Any]
    outputs: dict[str, Any]
    known: dict[EvidenceKey, KnownPart]
    """Parts that are there already."""


class TextWork(NamedTuple):
    """What all parts of texts share."""

    metrics: tuple[Metric, ...]
    gold: tuple[str, ...]
    """The files of source and references."""
    paths: dict[str, str]
    """The files of systems."""
    max_tokens: int

    def hash_inputs(self) -> dict[str, tuple[InputHash, ...]]:
        """Hash the files of the gold and of each system, as they are stored."""
        source, *references = self.gold
        gold = [("source", source), *((f"reference {number}", path) for number, path in enumerate(references))]
        hashed = tuple((name, _hash_files(argument)) for name, argument in gold)
        return {name: (*hashed, (OUTPUT, _hash_files(argument))) for name, argument in self.paths.items()}

    def make_part(self, task: TextTask) -> list[MadePart]:
        """Make the evidence of a part of texts, for every metric and system."""
        gold = _hash_texts(task.source, *task.references)
        inputs = {name: _hash(gold, _hash_texts(texts)) for name, texts in task.outputs.items()}
        empty = {name: count_empty(texts, task.source) for name, texts in task.outputs.items()}
        findings = _check_sample(task, self.gold[0])
        beginning = GoldPart(self.gold, task.first, task.source[:1], [texts[:1] for texts in task.references], self.max_tokens)
        # texts have all references of every sentence, so one sentence is described as all are
        made, wanted = _sort_out(self.metrics, inputs, task.known, beginning.describe, task.number, len(task.source))
        annotators = tuple(str(number) for number in range(len(task.references)))
        part = GoldPart(self.gold, task.first, task.source, task.references, self.max_tokens)
        for metric, name in wanted:
            counted = part.count(metric, task.outputs[name], self.paths[name])
            about = part.describe(metric, name)
            place = (name, task.first, len(task.source), inputs[name], annotators, part.blocks)
            info = PartInfo(about.metric, *place, about.system, about.warnings)
            content = info.encode(metric.columns, counted)
            made.append(MadePart((str(metric), name), task.number, info, content, info.sentences))
        return [part._replace(empty=empty[part.key[1]], findings=findings[part.key[1]]) for part in made]


def _hash_files(argument: str) -> str:
    path, column = split_column(argument)
    if path == "-" or is_special(path):
        raise UsageError(f"{display_path(path)}: --part needs files, which every job can read, and each twice")
    digest = hashlib.sha256(f"{column or ''}\n".encode("utf-8", "surrogateescape"))
    for file in list_files(path) if is_folder(path) else [path]:
        with explain_unreadable(file), Path(file).open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()


def _check_sample(task: TextTask, path: str) -> dict[str, tuple[Finding, ...]]:
    """Check the last outputs of a part: where a line is missing, all later ones are shifted."""
    size = len(task.source)
    first = max(0, size - SAMPLED_SENTENCES)
    sources = (Sentence(tuple(text.split())) for text in task.source[first:].to_pylist())
    numbers = tuple(range(task.first + first, task.first + size))
    checks = OutputChecks(Corpus(tuple(sources), path=display_path(path), part=Part(numbers, task.first + size - 1)))
    return {
        name: tuple(checks.find(System(name, tuple(tuple(text.split()) for text in texts[first:].to_pylist()))))
        for name, texts in task.outputs.items()
    }


class CorpusTask(NamedTuple):
    """A part of a corpus that all workers have: the sentences from index ``start`` to before ``stop``, and one system."""

    number: int
    start: int
    stop: int
    system: str
    known: dict[EvidenceKey, KnownPart]


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
                self._evaluators[str(metric)] = Evaluator(self.corpus, metric, warn=None)
            evaluate = self._evaluators[str(metric)]
            if key not in self._outputs:
                self._outputs[key] = evaluate.prepare(self.systems[name])
            return evaluate, self._outputs[key]

    def describe(self, metric: Metric, name: str) -> _About:
        """Describe the evidence of a system."""
        return _describe_evidence(metric, self.corpus, self.systems[name])

    def hash_inputs(self) -> dict[str, tuple[InputHash, ...]]:
        """Hash the gold and the output of each system."""
        gold = ("gold", self.corpus.fingerprint)
        outputs = {name: combine_blocks(_hash_output(system, 0, len(system))) for name, system in self.systems.items()}
        return {name: (gold, (OUTPUT, digest)) for name, digest in outputs.items()}

    def make_part(self, task: CorpusTask) -> list[MadePart]:
        """Make the evidence of a part of a corpus and a system, for every metric."""
        start, stop = task.start, task.stop
        blocks = tuple(self.blocks[start // BLOCK_SIZE : -(-stop // BLOCK_SIZE)])
        gold = list(map(bytes.fromhex, blocks))
        inputs = {task.system: _hash(*gold, *_hash_output(self.systems[task.system], start, stop))}
        made, wanted = _sort_out(self.metrics, inputs, task.known, self.describe, task.number, stop - start)
        annotators = Corpus(self.corpus.sentences[start:stop]).annotators if wanted else ()
        for metric, name in wanted:
            evaluate, output = self.prepare(metric, name)
            counted = _count_sentences(evaluate, output, start, stop)
            about = self.describe(metric, name)
            place = (name, start + 1, stop - start, inputs[name], annotators, blocks)
            info = PartInfo(about.metric, *place, about.system, about.warnings)
            content = info.encode(metric.columns, counted)
            made.append(MadePart((str(metric), name), task.number, info, content, info.sentences))
        return made


def _sort_out(
    metrics: Sequence[Metric],
    inputs: Mapping[str, str],
    known: Mapping[EvidenceKey, KnownPart],
    describe: Callable[[Metric, str], _About],
    number: int,
    sentences: int,
) -> tuple[list[MadePart], list[tuple[Metric, str]]]:
    """List the parts that are there already, and those to be made; raise if one that is there is not what would be made."""
    made, wanted = [], []
    for metric in metrics:
        for name, digest in inputs.items():
            key = (str(metric), name)
            if key not in known:
                wanted.append((metric, name))
            else:
                _check_known(known[key], key, digest, describe(metric, name))
                made.append(MadePart(key, number, None, None, sentences))
    return made, wanted


def _check_known(known: KnownPart, key: EvidenceKey, digest: str, about: _About) -> None:
    """Raise unless a part that is there already was made of the same texts and data."""
    metric, name = key
    if known.input != digest:
        raise RequestError(
            f"{known.file}: there is evidence of another output of {name}, or of another gold, with {metric}; give the system another name "
            f"(NAME=FILE), remove {name_place(*key)} from the folder, or take another folder"
        )
    if (found := (known.metric, known.system_data)) != (about.metric, about.system):
        raise RequestError(
            f"{known.file}: there is evidence of {name} with other data: {' | '.join(filter(None, found))}; "
            f"found {' | '.join(filter(None, (about.metric, about.system)))}; take another folder"
        )


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
