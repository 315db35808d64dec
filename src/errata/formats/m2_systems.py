"""The output of a system as M2, with its own edits.

It has one annotator, and the source sentences of the gold.  Its edits are kept as they are; its text is made of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.corpus import FIRST_ANNOTATOR, Edit, OneAnnotator, System, describe_other_source, list_applied
from errata.corpus.unicode import AS_GIVEN, normalise_tokens
from errata.errors import MismatchError, pluralise
from errata.formats.lines import count_bytes, display_path, read_plain_file
from errata.formats.m2 import NONE, NOOP_LINE, read_m2_blocks
from errata.formats.problems import Problem, Problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, Sentence

_NOOP = "noop"
_USUAL_NOOP = f"{NOOP_LINE}{FIRST_ANNOTATOR}"
_FIELDS = 6


def read_m2_system(path: str, name: str, gold: Corpus | None, max_tokens: int, warn: Callable[[Problem], None]) -> System:
    """Read a system that is M2; with ``gold`` its sentences must be those of the whole gold."""
    shown = display_path(path)
    edits = _read_plain(path, gold, max_tokens) if gold is not None else None
    if gold is not None and edits is not None:
        system = System.of_source(name, tuple(sentence.tokens for sentence in gold), edits, shown)
    else:
        system = System.of_edits(name, list_m2_sentences(path, Problems(shown, warn=warn), gold, max_tokens), shown)
    whole = _count_sentences(gold)
    if gold is not None and len(system) != whole:
        few_or_many, found = ("few", f"{len(system):,} for") if len(system) < whole else ("many", "more than")
        of = f"the {pluralise(whole, 'sentence')} of {gold.path or gold.name}"
        raise MismatchError(f"{shown} has too {few_or_many} sentences: {found} {of}")
    for message in list_losses_of_text(system):
        warn(Problem(shown, None, "warning", message))
    return system


def list_m2_sentences(path: str, problems: Problems, gold: Corpus | None, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of a system that is M2, at most one more than the whole gold has; report those that no system can have."""
    expected = dict(zip(gold.numbers, gold, strict=True)) if gold is not None else {}
    whole = _count_sentences(gold)
    one = OneAnnotator()
    for number, (line, sentence) in enumerate(read_m2_blocks(path, problems, max_tokens), start=1):
        if refusal := one.find_refusal(sentence):
            problems.error(line, refusal)
        found = sentence.tokens if gold is None else normalise_tokens(sentence.tokens, gold.unicode)
        if number in expected and found != expected[number].tokens:
            problems.error(line, describe_other_source(expected[number].tokens, sentence.tokens))
        yield sentence
        if number > whole and gold is not None:
            return


def _count_sentences(gold: Corpus | None) -> int:
    return 0 if gold is None else len(gold) if gold.part is None else gold.part.whole


def list_losses_of_text(system: System) -> list[str]:
    """Say where the text of a system does not have all that its edits have."""
    edits = system.edits or ()
    overlapping = sum(len(own) - len(list_applied(own)) for own in edits if len(own) > 1)
    alternatives = sum(len(edit.corrections) > 1 for own in edits for edit in own)
    losses = {
        "left out of the text of the system, because earlier edits overlap": overlapping,
        "with alternatives; the text of the system has the first": alternatives,
    }
    return [f"{pluralise(count, 'edit')} {loss}" for loss, count in losses.items() if count]


def _read_plain(path: str, gold: Corpus, max_tokens: int) -> tuple[tuple[Edit, ...], ...] | None:
    """Read the edits of a file in which nothing is unusual; None if the careful reader is needed, which explains what is wrong.

    This is three times as fast, and comparing many systems takes no longer than reading them.
    """
    text = read_plain_file(path) if gold.part is None and gold.unicode == AS_GIVEN else None
    blocks = text.removesuffix("\n").removesuffix("\n").split("\n\n") if text is not None else []
    if len(blocks) != len(gold):
        return None
    longest = count_bytes(max_tokens) >> 2  # a character has at most four
    edits: list[tuple[Edit, ...]] = []
    annotators: set[str] = set()
    for block, sentence in zip(blocks, gold, strict=True):
        first, *lines = block.split("\n")
        usual = first == f"S {sentence.text}" and len(block) < longest
        own = _read_plain_edits(lines, len(sentence.tokens), annotators) if usual else None
        if own is None:
            return None
        edits.append(own)
    return tuple(edits)


def _read_plain_edits(lines: Sequence[str], length: int, annotators: set[str]) -> tuple[Edit, ...] | None:
    """Read the A lines of a sentence, and add their annotators, of which there may be one; None if a line is unusual."""
    edits = []
    for line in lines:
        if line == _USUAL_NOOP:
            annotators.add(FIRST_ANNOTATOR)
            continue
        fields = line.split("|||")
        if len(fields) != _FIELDS or not line.startswith("A "):
            return None
        offsets, type_, corrections, status, comment, annotator = fields
        annotators.add(annotator)
        if type_ != _NOOP:
            start, _, end = offsets[2:].partition(" ")
            if not (start.isdecimal() and end.isdecimal() and int(start) <= int(end) <= length) or NONE in corrections:
                return None
            edits.append(Edit(int(start), int(end), tuple(corrections.split("||")), type_, status, comment))
    usual = len(annotators) <= 1 and all(name and name == name.strip() for name in annotators)
    return tuple(edits) if usual else None
