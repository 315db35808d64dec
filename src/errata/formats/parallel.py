"""Parallel text: a file of source sentences and any number of files of corrected ones, line by line.

Reading finds the edits by alignment: of all alignments with the fewest inserted, deleted and substituted tokens, one with the
fewest edits, where an edit is a longest stretch of changed tokens (``errata.core.align``).
Edits get the type Missing, Unnecessary or Replacement; each file is an annotator: 0, 1, ....
A reference that equals its source is an annotator who found nothing wrong.

Writing applies each annotator's edits.
Parallel text has no types, statuses, comments or alternative corrections, cannot tell an annotator who found nothing wrong from
one who did not look, and has one reference file for each annotator; what that loses is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata import core
from errata.corpus import Annotation, Corpus, Edit, Sentence, to_tokens
from errata.errors import MismatchError, RequestError
from errata.formats.lines import DEFAULT_MAX_TOKENS, display_path
from errata.formats.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.formats.problems import Problems


MOST_REFERENCE_FILES = 1000


def read_parallel(
    source: str, references: Sequence[str], problems: Sequence[Problems], max_tokens: int = DEFAULT_MAX_TOKENS
) -> Iterator[Sentence]:
    """Yield sentences with one annotator for each reference file; ``problems`` is one for each file, the source first."""
    paths = [source, *references]
    columns = [list(read_text(path, problem, max_tokens)) for path, problem in zip(paths, problems, strict=True)]
    for path, column in zip(references, columns[1:], strict=True):
        if len(column) != len(columns[0]):
            few_or_many = "few" if len(column) < len(columns[0]) else "many"
            raise MismatchError(
                f"{display_path(path)} has too {few_or_many} lines: {len(column):,} for the {len(columns[0]):,} of {display_path(source)}"
            )
    for tokens, *corrected in zip(*columns, strict=True):
        yield Sentence(tokens, tuple(Annotation(str(k), extract_edits(tokens, target)) for k, target in enumerate(corrected)))


def extract_edits(source: str | Sequence[str], target: str | Sequence[str]) -> tuple[Edit, ...]:
    """The edits that turn one sentence, a string or tokens, into another.

    >>> extract_edits("He go home", ["He", "goes", "straight", "home"])
    (Edit(start=1, end=2, corrections=('goes straight',), type='Replacement', ...),)
    """
    source, target = to_tokens(source), to_tokens(target)
    edits = []
    for start, end, target_start, target_end in core.align(source, target):
        kind = "Missing" if start == end else "Unnecessary" if target_start == target_end else "Replacement"
        edits.append(Edit(start, end, (" ".join(target[target_start:target_end]),), kind))
    return tuple(edits)


def make_parallel_columns(corpus: Corpus) -> dict[str, list[str]]:
    """The lines of the source and of each annotator's reference, by the ending of their file."""
    if len(corpus.annotators) > MOST_REFERENCE_FILES:
        raise RequestError(
            f"parallel text of {len(corpus.annotators):,} annotators would be as many files; the limit is {MOST_REFERENCE_FILES:,}"
        )
    columns: dict[str, list[str]] = {"src": [sentence.text for sentence in corpus]}
    columns |= {f"ref{number}": [] for number in range(len(corpus.annotators))}
    for sentence in corpus:
        corrected = {annotation.annotator: " ".join(sentence.corrected(annotation)) for annotation in sentence.annotations}
        for number, annotator in enumerate(corpus.annotators):
            columns[f"ref{number}"].append(corrected.get(annotator, sentence.text))
    return columns


def list_parallel_losses(corpus: Corpus) -> list[str]:
    """What the parallel text of a corpus cannot express, in words."""
    annotations = [(sentence, annotation) for sentence in corpus for annotation in sentence.annotations]
    edits = [edit for _, annotation in annotations for edit in annotation.edits]
    counts = {
        "edits lose their type": len(edits),
        "alternative corrections are left out (the first is used)": sum(len(edit.corrections) - 1 for edit in edits),
        "edits are left out because they overlap another": sum(len(item.unapplied(annotation)) for item, annotation in annotations),
        "a missing annotator becomes one who changes nothing": len(corpus) * len(corpus.annotators) - len(annotations),
        "ignored lines are left out": sum(len(annotation.ignored) for _, annotation in annotations),
    }
    return [f"{what}: {count:,}" for what, count in counts.items() if count]
