"""The rules of ERRANT's merging read literally, as slow as that is: every part of a run is looked at again after each cut."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from errata.corpus.parses import Parse

from linguistic_alignment_rule import Operation, character_cost

Edit = tuple[int, int, int, int]

CONTENT = {"ADJ", "ADV", "AUX", "NOUN", "VERB"}
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def join(operations: list[Operation]) -> Edit:
    return operations[0][1], operations[-1][2], operations[0][3], operations[-1][4]


def list_edits(operations: list[Operation], source: Parse, target: Parse) -> list[Edit]:
    edits: list[Edit] = []
    run: list[Operation] = []
    for operation in [*operations, ("M", 0, 0, 0, 0)]:
        if operation[0] in "MT":
            edits += merge_run(run, source, target)
            run = []
            edits += [operation[1:]] if operation[0] == "T" else []
        else:
            run.append(operation)
    return edits


def merge_run(run: list[Operation], source: Parse, target: Parse) -> list[Edit]:
    letters = "".join(operation[0] for operation in run)
    if len(run) <= 1 or set(letters) in ({"D"}, {"I"}):
        return [join(run)] if run else []
    content = False
    for start, end in sorted(combinations(range(len(run) + 1), 2), key=lambda pair: (pair[0] - pair[1], pair[0])):
        if end - start < 2 or "S" not in letters[start:end]:
            continue
        parts = next(divide(run, start, end, source, target), None)
        if parts is not None:
            return [edit for part, is_edit in parts for edit in ([join(part)] if is_edit else merge_run(part, source, target)) if part]
        first, last, target_first, target_last = join(run[start:end])
        content = content or not CONTENT.isdisjoint(source.pos[first:last] + target.pos[target_first:target_last])
    return [join(run)] if content else [operation[1:] for operation in run]


def divide(run: list[Operation], start: int, end: int, source: Parse, target: Parse) -> Iterator[list[tuple[list[Operation], bool]]]:
    """The parts of a run by each rule that applies, and whether each part is an edit."""
    first, last, target_first, target_last = join(run[start:end])
    words, other_words = range(first, last), range(target_first, target_last)
    merged = [(run[:start], False), (run[start:end], True), (run[end:], False)]
    last_two = [(run[: end - 2], False), (run[end - 2 : end], True), (run[end:], False)]
    if start == 0 and "POS" in (source.tags[first], target.tags[target_first]):
        yield [(run[:1], True), (run[1:], False)]
    if "POS" in (source.tags[last - 1], target.tags[target_last - 1]):
        yield last_two
    if source.forms[last - 1].lower() == target.forms[target_last - 1].lower():
        added = len(words) == 1 and target.forms[target_first][0].isupper()
        if start == 0 and (added or (len(other_words) == 1 and source.forms[first][0].isupper())):
            yield merged
        for parse, side in ((source, words), (target, other_words)):
            if len(side) > 1 and (parse.pos[side[-2]] == "PUNCT" or parse.forms[side[-2]] in PUNCTUATION):
                yield last_two
    text, other_text = "".join(source.forms[first:last]).lower(), "".join(target.forms[target_first:target_last]).lower()
    if text.replace("'", "").replace("-", "") == other_text.replace("'", "").replace("-", ""):
        yield merged
    classes = {*source.pos[first:last], *target.pos[target_first:target_last]}
    if len(words) != len(other_words) and (len(classes) == 1 or classes <= {"AUX", "PART", "VERB"}):
        yield merged
    if end - start == 2:
        yield from divide_two(run, start, source, target)


def divide_two(run: list[Operation], start: int, source: Parse, target: Parse) -> Iterator[list[tuple[list[Operation], bool]]]:
    one, other = run[start : start + 2]
    first, last, target_first, target_last = join([one, other])
    alike = 1 - character_cost(source.forms[first], target.forms[target_first]) > 0.75
    alike_at_the_end = 1 - character_cost(source.forms[last - 1], target.forms[target_last - 1]) > 0.75
    if last - first == target_last - target_first == 2 or (one[0] == "S" and alike) or (other[0] == "S" and alike_at_the_end):
        yield [(run[: start + 1], False), (run[start + 1 :], False)]
    determiner, other_determiner = source.pos[last - 1] == "DET", target.pos[target_last - 1] == "DET"
    if start + 2 == len(run) and ((other[0] in "DS" and determiner) or (other[0] in "IS" and other_determiner)):
        yield [(run[:-1], False), (run[-1:], True)]
