"""Warnings about annotated sentences, for all formats."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from errata.corpus.alternatives import group_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.corpus.corpus import Edit, Sentence
    from errata.formats.problems import Problems

CHANGES_NOTHING = "an edit that changes nothing"


def list_warnings(sentence: Sentence, line: int, problems: Problems, lines: Mapping[str, Sequence[int]] | None = None) -> None:
    """Report what is unusual in a sentence at ``line``; ``lines`` has the line of every edit by annotator, if edits have lines."""
    if not sentence.tokens:
        problems.warning(line, "a sentence without tokens")
    starts = [0, *accumulate(len(token) + 1 for token in sentence.tokens)]
    for annotation in sentence.annotations:
        own = lines[annotation.annotator] if lines else [line] * len(annotation.edits)
        numbered = list(zip(annotation.edits, own, strict=True))
        for edit, here in numbered:
            # Texts of the same length are compared, so that many edits of long spans take no longer than the file is long.
            length = max(0, starts[edit.end] - starts[edit.start] - 1)
            if length in map(len, edit.corrections) and sentence.original(edit) in edit.corrections:
                problems.warning(here, CHANGES_NOTHING)
            if edit.status not in {"REQUIRED", "OPTIONAL"}:
                problems.warning(here, f"unusual status {edit.status!r}, expected REQUIRED or OPTIONAL")
            if any(text != " ".join(text.split()) for text in edit.corrections):
                problems.warning(here, "a correction whose tokens are not separated by single spaces, so no output can match it")
        _list_overlaps(numbered, problems)
    _list_overlapping_errors(sentence, line, problems)


def _list_overlaps(numbered: list[tuple[Edit, int]], problems: Problems) -> None:
    """Report each edit that overlaps or repeats another, in one sweep."""
    lines: dict[tuple[int, int, tuple[str, ...]], int] = {}
    reaching: tuple[Edit, int] | None = None  # the edit with the last end so far
    for edit, line in sorted(numbered, key=lambda item: (item[0].start, item[0].end, item[1])):
        content = (edit.start, edit.end, edit.corrections)
        if content in lines:
            problems.warning(line, f"repeats {_describe(edit, lines[content], line)}")
        elif reaching is not None and edit.overlaps(reaching[0]):
            later, earlier = sorted([(line, edit), (reaching[1], reaching[0])], key=lambda item: -item[0])
            problems.warning(later[0], f"overlaps {_describe(earlier[1], earlier[0], later[0])}")
        lines.setdefault(content, line)
        if reaching is None or edit.end > reaching[0].end:
            reaching = (edit, line)


def _list_overlapping_errors(sentence: Sentence, line: int, problems: Problems) -> None:
    """Report errors that overlap; each of them is corrected independently."""
    edits = [(edit, number) for number, error in enumerate(group_errors(sentence)) for item in error for edit in item.edits]
    reaching: dict[int, Edit] = {}  # the two errors with the last ends so far, each with its last edit
    reported: set[tuple[int, int]] = set()
    for edit, number in sorted(edits, key=lambda item: (item[0].start, item[0].end)):
        for other, earlier in reaching.items():
            pair = (min(number, other), max(number, other))
            same_position = edit.start == edit.end == earlier.start == earlier.end
            if number != other and pair not in reported and (same_position or edit.overlaps(earlier)):
                reported.add(pair)
                spans = f"{earlier.start} to {earlier.end} and {edit.start} to {edit.end}"
                problems.warning(line, f"two errors overlap, at {spans}: mixed references correct both")
        if number not in reaching or edit.end > reaching[number].end:
            reaching[number] = edit
        reaching = dict(sorted(reaching.items(), key=lambda item: -item[1].end)[:2])


def _describe(edit: Edit, line: int, here: int) -> str:
    return f"the edit of line {line}" if line != here else f"the edit of {edit.start} to {edit.end}"
