"""Conservatism: how much systems change, compared with annotators (Choshen and Abend, section 2)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.annotators import complete_annotations
from errata.corpus.unicode import SENTENCE_MARKS
from errata.errors import RequestError, UsageError, pluralise
from errata.language.word_alignment import align_words, name_sentence_of_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.annotators import Missing
    from errata.corpus.corpus import Corpus, System


# Where sentences end: between the words of a line, and at the ends of lines.  A text has one line for each sentence of the source.  A
# correction can still join the sentences of two lines, by replacing the full stop of the first by a comma, or split a sentence that went on
# in the next line.

_GAP = re.compile(r"(?<![^\W_])([^\W_]++)([\W_]++)(?=([^\W_]))")
"""A word, the characters up to the next word, and the first character of the next word."""
_FIRST = re.compile(r"[^\W_]")
_SENTENCE_ENDS = ".?!"
"""Marks that end a sentence."""
_OPEN = (",", ";")


def check_sentence_ends(marks: str) -> None:
    """Raise unless these are marks: characters that are neither letters, digits nor spaces."""
    if not marks or any(character.isalnum() or character.isspace() for character in marks):
        raise UsageError(f"sentence ends must be punctuation marks, such as '.?!;', found {marks[:40]!r}")


def _count_boundaries(text: str, marks: str = _SENTENCE_ENDS) -> int:
    """Count the sentence ends between two words, also without a space after them.

    A dot in an abbreviation, a number or an address is not counted: after a single lower-case letter, directly after a single letter
    unless a new sentence seems to follow, and before neither a space nor a capital.  Marks of other scripts need no space after them.

    >>> _count_boundaries("I know it . It is e.g. 1.5 km to the U.S. from here .")
    1
    """
    count, ends = 0, frozenset(marks)
    unspaced = ends.intersection(SENTENCE_MARKS)
    for gap in _GAP.finditer(text):
        before, between, after = gap.groups()
        if ends.isdisjoint(between):
            continue
        spaced = any(character.isspace() for character in between)
        initial = len(before) == 1 and (before.islower() or (between[0] == "." and not (spaced and after.isupper())))
        count += not initial and (spaced or after.isupper() or not unspaced.isdisjoint(between))
    return count


class _LineEnds(IntFlag):
    """What the first and the last characters of a line say about sentences."""

    WORDS = 1
    """It has words."""
    ENDED = 2
    """A sentence ends after its last word."""
    OPEN = 4
    """It ends with a comma or a semicolon."""
    SMALL = 8
    """Its first word starts with a small letter."""


def _describe_line_ends(text: str, marks: str = _SENTENCE_ENDS) -> _LineEnds:
    """Describe the ends of a line.

    >>> _describe_line_ends("and they left ,")
    <_LineEnds.WORDS|OPEN|SMALL: 13>
    """
    first = _FIRST.search(text)
    if first is None:
        return _LineEnds(0)
    found = _LineEnds.WORDS | (_LineEnds.SMALL if first.group().islower() else _LineEnds(0))
    end = len(text)
    while not text[end - 1].isalnum():
        end -= 1
    if not frozenset(marks).isdisjoint(text[end:]):
        return found | _LineEnds.ENDED
    return found | (_LineEnds.OPEN if text.rstrip().endswith(_OPEN) else _LineEnds(0))


def _find_joined_lines(one: Sequence[int], other: Sequence[int], neighbours: Sequence[bool]) -> Iterator[int]:
    """Find the lines of one text after which a sentence ends, but goes on in the next line of another text; ends as ``_LineEnds``.

    A sentence goes on in the next line if it does not end, and the next line starts with a small letter or the line ends with a
    comma or a semicolon.  Lines that only the other text leaves empty are skipped; an empty line of both ends a paragraph.
    ``neighbours`` says whether each line follows the one before it.
    Swapped texts give the sentences that were split.
    """
    for index, (before, after) in enumerate(zip(one, other, strict=True)):
        if before & _LineEnds.ENDED and after & _LineEnds.WORDS and not after & _LineEnds.ENDED:
            following = index + 1
            while _skips(one, other, neighbours, following):
                following += 1
            if (
                following < len(other)
                and neighbours[following]
                and one[following] & other[following] & _LineEnds.WORDS
                and (after & _LineEnds.OPEN or other[following] & _LineEnds.SMALL)
            ):
                yield index


def _skips(one: Sequence[int], other: Sequence[int], neighbours: Sequence[bool], index: int) -> bool:
    """Whether a line has words in one text only, and follows the line before it."""
    return index < len(other) and neighbours[index] and bool(one[index] & ~other[index] & _LineEnds.WORDS)


class SentenceChanges(NamedTuple):
    """How often sentences were split and joined."""

    split: int
    """Sentence ends that were added, inside lines."""
    joined: int
    """Sentence ends that were removed, inside lines."""
    split_lines: int
    """Sentences that went on in the next line, and now end."""
    joined_lines: int
    """Sentences that ended with their line, and now go on in the next line."""

    @classmethod
    def of_all(
        cls, corpus: Corpus, systems: Sequence[System], marks: str = _SENTENCE_ENDS, missing: Missing = "noop"
    ) -> list[SentenceChanges]:
        """Count how often annotators, then systems, split and join sentences, if these marks end a sentence."""
        check_sentence_ends(marks)
        sources, neighbours = [sentence.text for sentence in corpus], _find_neighbours(corpus)
        texts = {annotator: list(sources) for annotator in corpus.annotators}
        for index, (sentence, own) in enumerate(zip(corpus, complete_annotations(corpus, missing), strict=True)):
            for item in own:
                texts[item.annotator][index] = " ".join(sentence.corrected(item))
        outputs = ([" ".join(tokens) for tokens in corpus.fit(system).sentences] for system in systems)
        return [cls.between(sources, targets, neighbours, marks) for targets in (*texts.values(), *outputs)]

    @classmethod
    def between(
        cls, sources: Sequence[str], targets: Sequence[str], neighbours: Sequence[bool], marks: str = _SENTENCE_ENDS
    ) -> SentenceChanges:
        """Count how often sentences were split and joined, in lines and across their ends, if these marks end a sentence.

        >>> SentenceChanges.between(["I know it , it is late .", "So go ."], ["I know it . It is late ,", "so go ."], [False, True])
        SentenceChanges(split=1, joined=0, split_lines=0, joined_lines=1)
        """
        check_sentence_ends(marks)
        gained = [
            _count_boundaries(target, marks) - _count_boundaries(source, marks) for source, target in zip(sources, targets, strict=True)
        ]
        before, after = (bytes(_describe_line_ends(text, marks) for text in texts) for texts in (sources, targets))
        return cls(
            sum(number for number in gained if number > 0),
            -sum(number for number in gained if number < 0),
            len(list(_find_joined_lines(after, before, neighbours))),
            len(list(_find_joined_lines(before, after, neighbours))),
        )


# Conservatism: how much systems change, compared with annotators (Choshen and Abend, section 2).  Words are runs of letters and digits in
# lower case, so changes of punctuation and of spaces around it do not count.

_WORD = re.compile(r"[^\W_]+")
_MOST_COUNTED = 20_000_000
"""Annotators times sentences; each is counted in every sentence."""
_NEAR, _NEAR_SHORT, _SHORT = 2, 1, 4
"""Maximum edit distance of a small change; maximum if a word is short; maximum length of a short word."""


class Changes(NamedTuple):
    """The changes to one sentence."""

    words: int
    """Words that were changed, deleted or added."""
    words_apart: int
    """The same, without small changes such as an inflection."""
    order: float | None
    """Spearman's rho of the positions of aligned words; None with fewer than two."""
    split: bool
    """Whether a sentence was split inside its line."""
    joined: bool
    """Whether sentences of its line were joined, or no words are left."""

    @property
    def changed(self) -> bool:
        """Whether any word was changed, deleted or added."""
        return self.words > 0

    @classmethod
    def of(cls, source: str, target: str) -> Changes:
        """Count the changes to a sentence.

        >>> Changes.of("I likes cake it is good .", "I like cake . It is very good .")
        Changes(words=2, words_apart=1, order=1.0, split=True, joined=False)
        """
        before, after = _split_words(source), _split_words(target)
        ends, other_ends = _count_boundaries(source), _count_boundaries(target)
        split, joined = other_ends > ends, other_ends < ends or bool(before and not after)
        if before == after:
            return cls(0, 0, 1.0 if len(before) > 1 else None, split, joined)
        pairs = align_words(before, after)
        alone = len(before) + len(after) - 2 * len(pairs)
        differing = [(before[one], after[other]) for one, other in pairs if before[one] != after[other]]
        return cls(
            alone + len(differing),
            alone + sum(not _about_equal(*pair) for pair in differing),
            _rho([other for _, other in pairs]),
            split,
            joined,
        )


def _split_words(text: str) -> list[str]:
    """Split a text into words.

    >>> _split_words("It's decades,medical_care .")
    ['it', 's', 'decades', 'medical', 'care']
    """
    return _WORD.findall(text.lower())


def _about_equal(one: str, other: str) -> bool:
    from errata.core import compute_edit_distances

    near = _NEAR_SHORT if min(len(one), len(other)) <= _SHORT else _NEAR
    return int(compute_edit_distances([one], [other])[0, 0]) <= near


def _rho(positions: Sequence[int]) -> float | None:
    """Compute Spearman's rho of the order of words and their positions, which are distinct."""
    count = len(positions)
    if count < 2:  # noqa: PLR2004 - one word has no order
        return None
    ranks = {position: rank for rank, position in enumerate(sorted(positions))}
    squares = sum((number - ranks[position]) ** 2 for number, position in enumerate(positions))
    return 1 - 6 * squares / (count * (count * count - 1))


class Extremes(NamedTuple):
    """Sentences, counted from 1, in which a system changes more words than all annotators, or fewer."""

    more: list[int]
    fewer: list[int]


@dataclass(frozen=True)
class Conservatism:
    """The changes of a system or an annotator to a corpus."""

    name: str
    sentences: tuple[Changes, ...]
    split_lines: frozenset[int] = frozenset()
    """Indices of lines whose sentence went on in the next line, and now ends."""
    joined_lines: frozenset[int] = frozenset()
    """Indices of lines whose sentence ended, and now goes on in the next line."""

    @property
    def changed(self) -> int:
        """Number of sentences with changed words."""
        return sum(item.changed for item in self.sentences)

    @property
    def words(self) -> int:
        """Number of words that were changed, deleted or added."""
        return sum(item.words for item in self.sentences)

    @property
    def words_apart(self) -> int:
        """The same, without small changes."""
        return sum(item.words_apart for item in self.sentences)

    @property
    def order(self) -> float | None:
        """The mean of Spearman's rho over sentences where it is defined."""
        known = [item.order for item in self.sentences if item.order is not None]
        return sum(known) / len(known) if known else None

    @property
    def reordered(self) -> int:
        """Number of sentences with a changed word order."""
        return sum(item.order is not None and item.order < 1 for item in self.sentences)

    @property
    def split(self) -> int:
        """Number of lines with a sentence that was split, inside the line or at its end."""
        return sum(item.split or index in self.split_lines for index, item in enumerate(self.sentences))

    @property
    def joined(self) -> int:
        """Number of lines with sentences that were joined, inside the line or with the next line, or that lost all words."""
        return sum(item.joined or index in self.joined_lines for index, item in enumerate(self.sentences))

    def histogram(self, *, apart: bool = False) -> Counter[int]:
        """Count sentences by their number of changed words; with ``apart``, without small changes."""
        return Counter(item.words_apart if apart else item.words for item in self.sentences)

    def find_extremes(self, references: Sequence[Conservatism], numbers: Sequence[int] | None = None) -> Extremes:
        """Find sentences in which it changes more words than all references, or fewer; ``numbers`` are those of a subset."""
        if not references:
            raise RequestError("comparison needs at least one reference")
        more, fewer = [], []
        numbers = numbers or range(1, len(self.sentences) + 1)
        for number, own, *others in zip(numbers, self.sentences, *(item.sentences for item in references), strict=True):
            if own.words > max(item.words for item in others):
                more.append(number)
            elif own.words < min(item.words for item in others):
                fewer.append(number)
        return Extremes(more, fewer)

    @classmethod
    def of(cls, corpus: Corpus, system: System, progress: Callable[[int], None] | None = None) -> Conservatism:
        """Measure the changes of a system to a corpus."""
        changes, ends = [], bytearray()
        for number, sentence, tokens in zip(corpus.numbers, corpus, corpus.fit(system).sentences, strict=True):
            target = " ".join(tokens)
            with name_sentence_of_words(number):
                changes.append(Changes.of(sentence.text, target))
            ends.append(_describe_line_ends(target))
            if progress is not None:
                progress(1)
        return cls._make(system.name, changes, corpus, _describe_sources(corpus), ends)

    @classmethod
    def of_annotators(cls, corpus: Corpus, missing: Missing = "noop") -> list[Conservatism]:
        """Measure the changes of each annotator; by default one without an annotation leaves the sentence unchanged, as in the paper."""
        changes: dict[str, list[Changes]] = {annotator: [] for annotator in corpus.annotators}
        if len(changes) * len(corpus) > _MOST_COUNTED:
            found = f"{pluralise(len(changes), 'annotator')} of {pluralise(len(corpus), 'sentence')}"
            raise RequestError(f"{corpus.path or corpus.name}: {found} are too many to be compared, more than {_MOST_COUNTED:,} pairs")
        sources = _describe_sources(corpus)
        ends = {annotator: bytearray(sources) for annotator in changes}
        for index, (number, sentence) in enumerate(zip(corpus.numbers, corpus, strict=True)):
            unchanged = Changes.of(sentence.text, sentence.text)
            own = {}
            for item in sentence.annotations:
                target = " ".join(sentence.corrected(item))
                with name_sentence_of_words(number):
                    own[item.annotator] = Changes.of(sentence.text, target)
                ends[item.annotator][index] = _describe_line_ends(target)
            first = sentence.annotations[0].annotator if missing == "same" and sentence.annotations else None
            for annotator, counted in changes.items():
                counted.append(own.get(annotator, unchanged if first is None else own[first]))
                if first is not None and annotator not in own:
                    ends[annotator][index] = ends[first][index]
        return [cls._make(f"annotator {annotator}", counted, corpus, sources, ends[annotator]) for annotator, counted in changes.items()]

    @classmethod
    def _make(cls, name: str, changes: Sequence[Changes], corpus: Corpus, sources: bytearray, targets: bytearray) -> Conservatism:
        neighbours = _find_neighbours(corpus)
        split, joined = _find_joined_lines(targets, sources, neighbours), _find_joined_lines(sources, targets, neighbours)
        return cls(name, tuple(changes), frozenset(split), frozenset(joined))


def _describe_sources(corpus: Corpus) -> bytearray:
    return bytearray(_describe_line_ends(sentence.text) for sentence in corpus)


def _find_neighbours(corpus: Corpus) -> list[bool]:
    """List whether each sentence follows the one before it, in one document."""
    pairs = zip(corpus.numbers, corpus.numbers[1:], corpus, corpus.sentences[1:], strict=False)
    return [False, *(number + 1 == following and one.document == other.document for number, following, one, other in pairs)]
