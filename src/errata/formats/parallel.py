"""Parallel text: a file of source sentences and files of references, line by line.

Reading extracts edits by alignment: among the alignments with the fewest inserted, deleted and substituted tokens, one with the
fewest edits, where an edit is a maximal run of changed tokens (``errata.core.align``).
Edits get the type Missing, Unnecessary or Replacement; each file is an annotator: 0, 1, ....
If a reference equals its source, the annotator found nothing wrong.

Writing applies each annotator's edits to make one reference file per annotator.
Parallel text has no types, statuses, comments or alternative corrections, and a line for every annotator; one who has none repeats the
first one, or changes nothing if that is what the corpus follows (:mod:`errata.corpus.annotators`).  Losses are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.annotators import choose_missing, complete_annotations, explain_missing
from errata.corpus.corpus import Sentence, take_at_most
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import MismatchError, RequestError
from errata.formats.lines import display_path, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.formats.problems import Problems


_MOST_REFERENCE_FILES = 1000


def read_parallel(
    source: str, references: Sequence[str], problems: Sequence[Problems], max_tokens: int = DEFAULT_MAX_TOKENS
) -> Iterator[Sentence]:
    """Yield sentences with one annotator per reference file; ``problems`` has one item per file, the source first."""
    sources = list(read_text(source, problems[0], max_tokens))
    columns = []
    for path, own in zip(references, problems[1:], strict=True):
        whole = f"{len(sources):,} of {display_path(source)}"
        column = take_at_most(read_text(path, own, max_tokens), len(sources), display_path(path), whole)
        if len(column) < len(sources):
            raise MismatchError(f"{display_path(path)} has too few lines: {len(column):,} for the {whole}")
        columns.append(column)
    for tokens, *corrected in zip(sources, *columns, strict=True):
        yield Sentence.from_texts(tokens, corrected)


def make_parallel_columns(corpus: Corpus) -> dict[str, list[str]]:
    """Make the lines of the source and of each annotator's reference, by extension."""
    if len(corpus.annotators) > _MOST_REFERENCE_FILES:
        raise RequestError(
            f"parallel text has one file per annotator; found {len(corpus.annotators):,} annotators, the limit is {_MOST_REFERENCE_FILES:,}"
        )
    columns: dict[str, list[str]] = {"src": [sentence.text for sentence in corpus]}
    columns |= {f"ref{number}": [] for number in range(len(corpus.annotators))}
    for sentence, own in zip(corpus, complete_annotations(corpus, choose_missing(corpus)), strict=True):
        for number, annotation in enumerate(own):
            columns[f"ref{number}"].append(" ".join(sentence.corrected(annotation)))
    return columns


def list_parallel_losses(corpus: Corpus) -> list[str]:
    """List what parallel text cannot express of a corpus."""
    annotations = [(sentence, annotation) for sentence in corpus for annotation in sentence.annotations]
    edits = {id(edit): edit for _, annotation in annotations for edit in annotation.edits}.values()  # those of a repeated annotation once
    counts = {
        "edits lose their type": len(edits),
        "alternative corrections are left out (the first is used)": sum(len(edit.corrections) - 1 for edit in edits),
        "edits are left out because they overlap another": sum(len(item.unapplied(annotation)) for item, annotation in annotations),
        "skipped lines are left out": sum(len(annotation.ignored) for _, annotation in annotations),
    }
    return [*(f"{what}: {count:,}" for what, count in counts.items() if count), *explain_missing(corpus, choose_missing(corpus))]
