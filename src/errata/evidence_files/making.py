"""Make a folder of evidence, from texts of any length or a corpus in memory: each part is made by any engine, in any order."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from errata.corpus.unicode import AS_GIVEN
from errata.errors import UsageError
from errata.evidence_files.filling import Filling
from errata.evidence_files.whole_inputs import hash_corpus, hash_files
from errata.evidence_files.work import CorpusTask, CorpusWork, TextTask, TextWork, count_corpus, count_texts
from errata.formats.lines import get_file_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.evidence_files.filling import Making
    from errata.evidence_files.manifest import Manifest
    from errata.evidence_files.storage import Storage
    from errata.formats.columns import TextColumns
    from errata.metrics.base import Metric

_TOGETHER = 4
"""Systems whose texts are in one task; with more, a task would take much memory."""


def make_from_texts(
    storage: Storage, source: str, references: Sequence[str], systems: Mapping[str, str], metrics: Sequence[Metric], making: Making
) -> Manifest:
    """Make evidence of texts of any length, which are read part by part; ``systems`` are files by name."""
    from errata.formats.columns import TextColumns, open_text_column

    by_name = {str(metric): metric for metric in metrics}
    filled = Filling(storage, making, by_name, list(systems))
    filled.begin()
    if making.share.jobs > 1:
        filled.inputs = hash_files(source, references, systems)
    work = TextWork(tuple(metrics), (source, *references), dict(systems), making.max_tokens)
    with ExitStack() as stack:
        paths = (source, *references, *systems.values())
        columns = TextColumns([stack.enter_context(open_text_column(path, max_tokens=making.max_tokens)) for path in paths])
        tasks = _cut_texts(columns, filled, len(references))
        filled.fill(making.engine.run(count_texts, work, tasks, one_each=True))
    filled.report_findings(systems)
    manifest = filled.finish(get_file_name(source))
    if making.warn_of_outputs:
        filled.warn_of_empty(systems)
    return manifest


def _cut_texts(columns: TextColumns, filled: Filling, references: int) -> Iterator[TextTask]:
    """Yield the texts of each part of the share, for some systems at a time."""
    number = 0
    size = filled.making.part_size
    while True:
        if not filled.making.share.has(number):
            filled.sentences += (skipped := columns.skip(size))
            if skipped < size:
                return
            number += 1
            continue
        texts = columns.read(size)
        if not len(texts[0]):
            return
        filled.sentences += len(texts[0])
        source, own, outputs = texts[0], texts[1 : 1 + references], texts[1 + references :]
        for first in range(0, len(outputs), _TOGETHER):
            names = filled.systems[first : first + _TOGETHER]
            some = dict(zip(names, outputs[first : first + _TOGETHER], strict=True))
            yield TextTask(number, number * size + 1, source, own, some, filled.list_known(number, names))
        if len(texts[0]) < size:
            return
        number += 1


def make_from_corpus(storage: Storage, corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric], making: Making) -> Manifest:
    """Make evidence of a corpus and systems in memory."""
    if corpus.unicode != AS_GIVEN:
        raise UsageError(f"evidence has no Unicode normalisation, found a gold read with unicode={corpus.unicode}; normalise the files")
    by_name = {str(metric): metric for metric in metrics}
    filled = Filling(storage, making, by_name, [system.name for system in systems])
    filled.begin()
    filled.sentences = len(corpus)
    if making.share.jobs > 1:
        filled.inputs = hash_corpus(corpus, systems)
    size = making.part_size
    starts = range(0, len(corpus), size)
    tasks = (
        CorpusTask(number, start, min(start + size, len(corpus)), name, filled.list_known(number, [name]))
        for number, start in enumerate(starts)
        if making.share.has(number)
        for name in filled.systems
    )
    work = CorpusWork(tuple(metrics), corpus, systems)
    filled.fill(making.engine.run(count_corpus, work, tasks, one_each=True))
    return filled.finish(corpus.name)
