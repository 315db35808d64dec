"""A gold of ten annotators for the test set of CoNLL-2014: people whose edits are public, and others made from them.

Bryant and Ng (2015) collected ten corrections of these sentences.
Four files are public, but two of them are the same person's, so there are three people; seven annotators are made:

- each takes some of the edits of the three that do not overlap, and a few of those that turn a sentence into the output of a system;
- some corrections are replaced by another correction of the same words elsewhere, some spans are widened by an unchanged word, and
  some edits are joined with the next one;
- now and then the sentence is corrected as by a system, or as in a fluent rewrite, instead.

Like people, two of them share a fifth to a half of their edits, and they make two to three edits a sentence.
The result depends on the seed only.  To write a file: ``python -m tests.ten_annotators OUT.m2``.
"""

from __future__ import annotations

import os
import random
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from errata import Annotation, Corpus, Edit, Sentence, extract_edits, read, read_system, write

PEOPLE = ("gold/official-2014.0.m2", "gold/official-2014.1.m2", "annotators/A10.m2")
REWRITERS = ("modern/REF-F.txt", "modern/BART.txt", "modern/GECToR-BERT.txt", "modern/Riken-Tohoku.txt")
ANNOTATORS = 10

REWRITTEN = 0.04
"""The share of sentences that are corrected as by a system or in a fluent rewrite."""
FROM_REWRITE = 0.3
"""The share of the edits of a system's output that an annotator adds."""
OWN_EDIT = 0.03
"""The share of words that nobody else corrects, of those corrected elsewhere."""
OTHER_CORRECTION = 0.25
"""The share of edits with another correction of the same words."""
WIDER_SPAN = 0.06
"""The share of edits with one more word, which stays as it is."""
JOINED = 0.02
"""The share of edits that are joined with the next one, as if a longer phrase were rewritten."""


class _Pool(NamedTuple):
    """What edits are made from: of each sentence the edits of people and of systems, and all corrections of the same words."""

    people: list[list[Edit]]
    rewrites: list[list[tuple[Edit, ...]]]
    corrections: dict[str, list[str]]


def make_ten_annotators(data: Path, seed: int = 1, annotators: int = ANNOTATORS, *, perturbed: bool = True) -> Corpus:
    """Make the gold from the folder of public data; without perturbation, made annotators only combine the edits of people."""
    people = [read(data / "conll14" / path) for path in PEOPLE]
    systems = [read_system(data / "conll14" / path) for path in REWRITERS]
    pool = _make_pool(people, [[extract_edits(s.tokens, h) for s, h in zip(people[0], one.sentences, strict=True)] for one in systems])
    columns = [[_edits(sentence) for sentence in corpus] for corpus in people]
    for number in range(len(people), annotators):
        draw = random.Random(f"{seed} {number}")
        diligence = draw.uniform(0.2, 0.45)
        columns.append(
            [
                _perturb(sentence, index, pool, diligence, draw) if perturbed else _combine(pool.people[index], diligence, draw)
                for index, sentence in enumerate(people[0])
            ]
        )
    by_sentence = zip(*columns[:annotators], strict=True)
    annotations = [tuple(Annotation(str(number), edits) for number, edits in enumerate(own)) for own in by_sentence]
    sentences = (replace(sentence, annotations=own) for sentence, own in zip(people[0], annotations, strict=True))
    return Corpus(tuple(sentences), "ten annotators")


def _edits(sentence: Sentence) -> tuple[Edit, ...]:
    """Return the edits of the only annotator; a person who found nothing wrong has no line in some files."""
    return sentence.annotations[0].edits if sentence.annotations else ()


def _make_pool(people: list[Corpus], rewrites: list[list[tuple[Edit, ...]]]) -> _Pool:
    corrections: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for corpus in people:
        for sentence in corpus:
            for edit in _edits(sentence):
                if edit.start < edit.end:
                    corrections[sentence.original(edit)].setdefault(edit.corrections[0])
    same_place = zip(*people, strict=True)
    edits = [[edit for sentence in sentences for edit in _edits(sentence)] for sentences in same_place]
    return _Pool(edits, [list(column) for column in zip(*rewrites, strict=True)], {words: list(own) for words, own in corrections.items()})


def _combine(edits: list[Edit], share: float, draw: random.Random) -> tuple[Edit, ...]:
    """Take a share of the edits, in random order, that do not overlap those before."""
    taken: list[Edit] = []
    for edit in draw.sample(edits, len(edits)):
        if draw.random() < share:
            _add(edit, taken)
    return tuple(sorted(taken, key=lambda edit: (edit.start, edit.end)))


def _add(edit: Edit, taken: list[Edit]) -> None:
    if not any(edit.overlaps(other) or (edit.start, edit.end) == (other.start, other.end) for other in taken):
        taken.append(edit)


def _perturb(sentence: Sentence, index: int, pool: _Pool, diligence: float, draw: random.Random) -> tuple[Edit, ...]:
    if draw.random() < REWRITTEN:
        return _join(sentence, list(draw.choice(pool.rewrites[index])), draw)
    taken: list[Edit] = []
    for edit in _combine(pool.people[index], diligence, draw):
        _add(_vary(sentence, edit, pool, draw), taken)
    for edit in _combine(list(draw.choice(pool.rewrites[index])), FROM_REWRITE, draw):
        _add(edit, taken)
    for position, word in enumerate(sentence.tokens):
        if draw.random() < OWN_EDIT and word in pool.corrections:
            _add(Edit(position, position + 1, (draw.choice(pool.corrections[word]),), "Own"), taken)
    return _join(sentence, sorted(taken, key=lambda edit: (edit.start, edit.end)), draw)


def _join(sentence: Sentence, edits: list[Edit], draw: random.Random) -> tuple[Edit, ...]:
    """Join some edits with the next one."""
    joined: list[Edit] = []
    for edit in edits:
        if joined and draw.random() < JOINED:
            last = joined.pop()
            words = (last.corrections[0], *sentence.tokens[last.end : edit.start], edit.corrections[0])
            joined.append(replace(last, end=edit.end, corrections=(" ".join(filter(None, words)),)))
        else:
            joined.append(edit)
    return tuple(joined)


def _vary(sentence: Sentence, edit: Edit, pool: _Pool, draw: random.Random) -> Edit:
    if draw.random() < OTHER_CORRECTION and (others := pool.corrections.get(sentence.original(edit))):
        edit = replace(edit, corrections=(draw.choice(others),))
    if draw.random() < WIDER_SPAN:
        start, end = edit.start, edit.end
        if start and draw.random() < 0.5:
            return replace(edit, start=start - 1, corrections=(f"{sentence.tokens[start - 1]} {edit.corrections[0]}".strip(),))
        if end < len(sentence.tokens):
            return replace(edit, end=end + 1, corrections=(f"{edit.corrections[0]} {sentence.tokens[end]}".strip(),))
    return edit


if __name__ == "__main__":
    folder = Path(os.environ.get("ERRATA_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    write(make_ten_annotators(folder), sys.argv[1])
