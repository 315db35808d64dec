"""The evidence of one part, from its texts alone, so that any process of any machine makes the same bytes."""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.checks import OutputChecks
from errata.corpus.corpus import Annotation, Corpus, Part, Sentence, System
from errata.corpus.references import hash_blocks
from errata.errors import RequestError
from errata.evidence_files.counting import GoldPart, count_sentences, describe_evidence
from errata.evidence_files.layout import name_place
from errata.evidence_files.part_files import PartInfo, encode_part
from errata.formats.lines import display_path
from errata.formats.reading import count_empty
from errata.names import BLOCK_SIZE
from errata.scoring.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from errata.corpus.checks import Finding
    from errata.evidence_files.counting import About
    from errata.metrics.base import Metric, Output

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


def count_texts(work: TextWork, task: TextTask) -> list[MadePart]:
    """Make the evidence of a part of texts, for every metric and system."""
    gold = _hash_texts(task.source, *task.references)
    inputs = {name: _hash(gold, _hash_texts(texts)) for name, texts in task.outputs.items()}
    empty = {name: count_empty(texts, task.source) for name, texts in task.outputs.items()}
    findings = _check_sample(task, work.gold[0])
    beginning = GoldPart(work.gold, task.first, task.source[:1], [texts[:1] for texts in task.references], work.max_tokens)
    # texts have all references of every sentence, so one sentence is described as all are
    made, wanted = _sort_out(work.metrics, inputs, task.known, beginning.describe, task.number, len(task.source))
    annotators = tuple(str(number) for number in range(len(task.references)))
    part = GoldPart(work.gold, task.first, task.source, task.references, work.max_tokens)
    for metric, name in wanted:
        counted = part.count(metric, task.outputs[name], work.paths[name])
        about = part.describe(metric, name)
        place = (name, task.first, len(task.source), inputs[name], annotators, part.blocks)
        info = PartInfo(about.metric, *place, about.system, about.warnings)
        content = encode_part(info, metric.columns, *counted)
        made.append(MadePart((str(metric), name), task.number, info, content, info.sentences))
    return [part._replace(empty=empty[part.key[1]], findings=findings[part.key[1]]) for part in made]


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

    def describe(self, metric: Metric, name: str) -> About:
        """Describe the evidence of a system."""
        return describe_evidence(metric, self.corpus, self.systems[name])


def count_corpus(work: CorpusWork, task: CorpusTask) -> list[MadePart]:
    """Make the evidence of a part of a corpus and a system, for every metric."""
    start, stop = task.start, task.stop
    blocks = tuple(work.blocks[start // BLOCK_SIZE : -(-stop // BLOCK_SIZE)])
    gold = list(map(bytes.fromhex, blocks))
    inputs = {task.system: _hash(*gold, *hash_output(work.systems[task.system], start, stop))}
    made, wanted = _sort_out(work.metrics, inputs, task.known, work.describe, task.number, stop - start)
    annotators = Corpus(work.corpus.sentences[start:stop]).annotators if wanted else ()
    for metric, name in wanted:
        evaluate, output = work.prepare(metric, name)
        counted = count_sentences(evaluate, output, start, stop)
        about = work.describe(metric, name)
        place = (name, start + 1, stop - start, inputs[name], annotators, blocks)
        info = PartInfo(about.metric, *place, about.system, about.warnings)
        content = encode_part(info, metric.columns, *counted)
        made.append(MadePart((str(metric), name), task.number, info, content, info.sentences))
    return made


def _sort_out(
    metrics: Sequence[Metric],
    inputs: Mapping[str, str],
    known: Mapping[EvidenceKey, KnownPart],
    describe: Callable[[Metric, str], About],
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


def _check_known(known: KnownPart, key: EvidenceKey, digest: str, about: About) -> None:
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


def hash_output(system: System, start: int, stop: int) -> list[bytes]:
    """Hash the texts of a system, or its own edits."""
    if system.source is None or system.edits is None:
        return hash_blocks(map(Sentence, system.sentences[start:stop]))
    sentences = zip(system.source[start:stop], system.edits[start:stop], strict=True)
    return hash_blocks(Sentence(tokens, (Annotation("", edits),)) for tokens, edits in sentences)


def _hash(*digests: bytes) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()
