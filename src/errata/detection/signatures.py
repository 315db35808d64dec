"""Signatures of detection: everything that can change a number, data by its content."""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from errata.corpus.references import DIGITS
from errata.detection.case_settings import CONFUSION_SETS
from errata.errors import pluralise
from errata.scoring.scores import describe_gold, describe_metric
from errata.settings import write_value
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.annotators import Missing
    from errata.corpus.corpus import Corpus
    from errata.detection.case_settings import CaseSettings
    from errata.detection.cases import Cases, Labels
    from errata.detection.judgments import Judgments
    from errata.metrics import Metric

_MOST_NAMED = 20
"""The most columns that a signature names; the fingerprint says the rest."""


def make_detection_signature(cases: Cases, beta: float, threshold: float | None = None) -> str:
    """Name everything that can change a measure of cases."""
    chosen = f",threshold={write_value(threshold)}" if threshold is not None else ""
    data = f" | {cases.data}" if cases.data else ""
    return f"detection(beta={write_value(float(beta))}{chosen}){data} | errata {__version__}"


def describe_corpus_cases(
    settings: CaseSettings, judgments: Judgments, metric: Metric | None, corpus: Corpus, missing: Missing = "absent"
) -> str:
    """Describe what cases of a corpus depend on; ``metric`` is None if it does not use one.

    ``missing`` is what an annotator without a line is.
    """
    who = f"annotator {judgments.annotator}" if judgments.annotator is not None else f"judgments {judgments.name}"
    parts = [f"case {settings.case}, {who}"]
    parts += [f"missing {missing}"] if missing != "absent" else []
    parts += [f"types {','.join(sorted(set(settings.types)))}"] if settings.types else []
    parts += [f"confusion set {_name_confusion_set(frozenset(settings.confusion_set))}"] if settings.confusion_set else []
    parts += [f"sites {' or '.join(settings.sites)}"] if settings.sites else []
    parts += [describe_metric(metric, corpus)] if metric is not None else []
    tagger = settings.typer.tagger if settings.typer is not None else settings.tagger if settings.sites else None
    if tagger is not None:
        content = getattr(tagger, "fingerprint", "")
        order = f", types in the order {','.join(settings.typer.order)}" if settings.typer is not None else ""
        parts.append(f"tagger {tagger.name}{f', sha256 {content}' if content else ''}{order}")
    return " | ".join([*parts, describe_gold(corpus)])


def _name_confusion_set(words: frozenset[str]) -> str:
    return next((name for name, own in CONFUSION_SETS.items() if own == words), "") or ",".join(sorted(words))


def describe_table(path: str, columns: Sequence[str], rows: int, tables: Iterable[Cases]) -> str:
    """Name a table with the columns that are used, and the hash of what they say about cases and systems."""
    named = ",".join(columns[:_MOST_NAMED]) + (",..." if len(columns) > _MOST_NAMED else "")
    return f"table {PurePath(path).name}, {pluralise(rows, 'row')}, columns {named}, sha256 {fingerprint_cases(tables)}"


def describe_labels(path: str, sentences: int, cases: Cases) -> str:
    """Name labelled tokens with the hash of their labels; those of systems belong to the systems."""
    size = f"{pluralise(sentences, 'sentence')}, {pluralise(len(cases), 'token')}"
    return f"labels {PurePath(path).name}, {size}, sha256 {fingerprint_cases([cases])}"


def fingerprint_cases(tables: Iterable[Cases]) -> str:
    """Compute the first digits of the SHA-256 of everything that is counted: the format and names of a file do not count."""
    digest = hashlib.sha256()
    for cases in tables:
        for name, content in _list_contents(cases):
            digest.update(f"\x1d{name}\x1f{len(content)}\x1f".encode())
            digest.update(content)
        digest.update(b"\x1c")
    return digest.hexdigest()[:DIGITS]


def _list_contents(cases: Cases) -> Iterator[tuple[str, Any]]:
    """Yield what is known of cases, as bytes that are the same on every machine."""
    yield "known", cases.known.encode()
    yield from _list_arrays(error=(cases.error, "<f8"), weights=(cases.weights, "<f8"))
    for name, labels in (("type", cases.types), ("unit", cases.units), ("document", cases.documents)):
        if labels is not None:
            yield from _list_labels(name, labels)
    for answers in cases.systems:
        yield "system", b""
        yield from _list_arrays(flagged=(answers.flagged, "?"), fixed=(answers.fixed, "<f8"), confidence=(answers.confidence, "<f8"))


def _list_labels(name: str, labels: Labels) -> Iterator[tuple[str, Any]]:
    yield from _list_arrays(**{name: (labels.codes, "<i8")})
    yield f"{name} names", "\x1f".join(labels.names).encode("utf-8", "surrogatepass")


def _list_arrays(**arrays: tuple[Any, str]) -> Iterator[tuple[str, Any]]:
    import numpy as np

    for name, (values, kind) in arrays.items():
        if values is not None:
            yield name, np.ascontiguousarray(values, dtype=kind).data.cast("B") if len(values) else b""
