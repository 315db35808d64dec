"""Long texts, and columns of tables: they are counted part by part, and only counts are kept."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.cli.inputs import check_standard_input, name_files, split_name
from errata.cli.printing import print_warning
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.unicode import AS_GIVEN
from errata.errors import UsageError
from errata.formats.registry import MULTIGEC, find_input_format, find_system_format

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from errata.metrics import Metric
    from errata.report.progress import ProgressBar
    from errata.scoring import Engine
    from errata.scoring.evidence_files.making import Making
    from errata.scoring.evidence_files.storage import Manifest, Storage

_LONG = 1 << 22
"""Bytes of a source text that is counted part by part."""
_ABOUT_SENTENCES = ("by_type", "relative_to", "per_sentence", "per_document", "unit", "rechoose", "documents", "sentences")
_NEED_SENTENCES = (*_ABOUT_SENTENCES, "graphs", "analyser", "parses", "max_lines", "max_bytes")
"""Options that need all sentences in memory."""


def are_counted_in_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> bool:
    """Whether texts are counted part by part: columns of tables always, texts if they are long and nothing needs their sentences."""
    if options.source or options.input_format not in {None, "parallel"}:
        return False
    check_columns(options, metrics)
    if not options.reference or _find_column(options) is not None:
        return bool(options.reference)
    if find_input_format(options.gold) == MULTIGEC:
        return False
    edited = any(find_system_format(split_name(system)[1]) == "m2" for system in options.systems)
    return _is_long(options.gold) and not edited and not list(_list_needing(options, metrics))


def check_columns(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse columns of tables without references, and with what needs all sentences."""
    column = _find_column(options)
    if column is None:
        return
    if not options.reference:
        raise UsageError(f"{column}: columns of texts need the references of the source: -r COLUMN")
    if (needing := next(_list_needing(options, metrics), None)) is not None:
        raise UsageError(f"{column}: {needing} cannot be combined with columns of tables, which are read part by part; use texts")


def _list_needing(options: argparse.Namespace, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield the metrics and options that need all sentences in memory."""
    yield from (str(metric) for metric in metrics if not metric.in_parts)
    yield from (f"--{name.replace('_', '-')}" for name in _NEED_SENTENCES if getattr(options, name, None))
    if options.tokenise != WHITESPACE_TOKENS:
        yield "--tokenise"
    if getattr(options, "unicode", None) not in {None, AS_GIVEN}:
        yield "--unicode"
    if getattr(options, "resample", None) == "document":
        yield "--resample document"


def _find_column(options: argparse.Namespace) -> str | None:
    """Find the first argument that names a column of a table; JSON Lines without references is annotated gold."""
    given: list[str] = [options.gold, *options.reference, *(split_name(system)[1] for system in options.systems)]
    for path in given:
        ending = path.lower().endswith
        if not ending((".parquet", ".jsonl", ".ndjson")) and ":" not in path:
            continue
        from errata.formats.columns import find_kind, split_column

        file, column = split_column(path)
        if column is not None or (find_kind(file) != "text" and (options.reference or ending(".parquet"))):
            return path
    return None


def _is_long(path: str) -> bool:
    from importlib.util import find_spec

    return os.path.isfile(path) and os.path.getsize(path) > _LONG and find_spec("pyarrow") is not None  # noqa: PTH113, PTH202


def count_in_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Count texts, which are evidence in memory from now on."""
    from errata.scoring.evidence_files import MemoryStorage, StoredEvidence

    storage = MemoryStorage(options.gold)
    options.stored_evidence = StoredEvidence(storage, make_from_columns(options, storage, metrics))
    options.evidence_systems = list(name_files(options.systems))


def make_from_columns(
    options: argparse.Namespace, storage: Storage, metrics: Sequence[Metric], *, warn_of_outputs: bool = True
) -> Manifest:
    """Make evidence of texts; threads are fastest if the core counts them without objects."""
    from errata.formats.columns import open_text_column, split_column
    from errata.formats.lines import is_special
    from errata.scoring import make_engine
    from errata.scoring.evidence_files.making import make_from_texts

    check_standard_input(options, options.systems)
    in_core = all(metric.counts_texts for metric in metrics)
    engine = make_engine(getattr(options, "engine", None), options.jobs, "threads" if in_core else "processes")
    systems = name_files(options.systems)
    total = None
    if options.gold != "-" and not is_special(split_column(options.gold)[0]):  # opening a pipe takes its beginning
        with open_text_column(options.gold, max_tokens=options.max_tokens) as source:
            total = source.sentences and source.sentences * len(systems) * len(metrics)
    with watch_counting(total) as bar:
        making = replace(making_from(options, engine, bar), warn_of_outputs=warn_of_outputs)
        return make_from_texts(storage, options.gold, options.reference, systems, metrics, making)


def watch_counting(total: int | None) -> ProgressBar:
    """Make a progress bar with a rate."""
    from errata.report.progress import ProgressBar

    return ProgressBar("counting", total, in_core=True, counted="sentences")


def making_from(options: argparse.Namespace, engine: Engine, bar: ProgressBar) -> Making:
    """How evidence is made, by the arguments."""
    from errata.names import PART_SIZE
    from errata.scoring.evidence_files.making import Making
    from errata.scoring.evidence_files.storage import WHOLE, parse_share

    part = getattr(options, "part", None)
    share = WHOLE if part is None else parse_share(part)
    return Making(
        engine, getattr(options, "part_size", PART_SIZE), share, bar.advance, print_warning, options.max_tokens, strict=options.strict
    )
