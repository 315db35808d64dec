"""Annotators without a line for a sentence that others annotated, and what that means.

Three policies are in use:

- ``absent``: the annotator did not look at the sentence, so there is no reference.  Alternative answers are such annotators.
- ``same``: the annotator made the same corrections as the first annotator of the sentence.  The files of the CoNLL-2014 shared task
  write equal annotations once: in 224 of 1,312 sentences annotator 1 has no line, because both corrected nothing (136) or the same (88).
- ``noop``: the annotator found nothing wrong.

In a sentence without any line, nobody found anything wrong, by every policy.

A file does not say which one it follows, but it can give itself away (:attr:`~errata.corpus.corpus.Corpus.missing`).  For each annotator:

- ``same`` needs four things.  The first annotator of the corpus has a line in every sentence that anybody annotated, because of equal
  annotations the first is kept.  Equal annotations are hardly ever written: at most half as often as the annotator has no line (some
  are, where edits became equal only when they were converted).  Both have sentences with a line that says that nothing is
  wrong, so no line does not mean that; but hardly ever the same sentence, less often than chance would have it (a Poisson
  probability of at most 1%; annotators who work independently agree more often than by chance).  And the annotator has lines in at
  least half of the sentences, because two people seldom agree more often; those who have fewer gave alternative answers.
- ``noop``: no line of the whole corpus says that nothing is wrong; every annotator, also the first, lacks a line somewhere, but has
  one in at least half of the sentences; some sentence has lines of all; and lines are lacking at least 20 times.
- ``absent``: the annotator has lines that say that nothing is wrong (against ``noop``); and a sentence has no line of the first
  annotator, or equal annotations are written more often than that, some of them without edits (against ``same``).

Otherwise nothing is concluded, as in most files of a few sentences.  What counts is which annotators have an annotation, so M2 and JSON
Lines are alike; texts of references have a line for everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, fsum, lgamma, log
from typing import TYPE_CHECKING, Literal, get_args

from errata.corpus.corpus import Annotation, Corpus
from errata.errors import RequestError, UsageError, pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Sentence

Missing = Literal["absent", "same", "noop"]
MISSING: dict[Missing, str] = {
    "absent": "no reference",
    "same": "the same corrections as the first annotator of the sentence",
    "noop": "a reference without changes",
}
"""All policies, with what an annotator without a line is."""
DETECT = "detect"
"""Asks for the policy that the corpus follows."""
_MISSING_CHOICES: tuple[str, ...] = (DETECT, *get_args(Missing))

_MOST_ADDED = 20_000_000
"""The most annotations that are added to a corpus."""
_UNLIKELY = 0.01
"""The largest probability of as few sentences in which both found nothing wrong, if annotators were independent."""
_LEAST = 20
"""The fewest lines that must be lacking to conclude that they mean no change."""
_LISTED = 5
"""Names in messages."""

_Policies = Missing | Mapping[str, Missing]
"""One policy for all annotators, or one for each."""


@dataclass(frozen=True)
class MissingAnnotators:
    """The annotators without a line in some sentences that others annotated, and what can be concluded."""

    sentences: dict[str, int]
    """In how many such sentences each has no line."""
    policies: dict[str, Missing | None]
    """What this means; None if it cannot be told."""

    @classmethod
    def find(cls, corpus: Corpus) -> MissingAnnotators:
        """Find what it means in a corpus if an annotator has no line for a sentence; :attr:`Corpus.missing` does it once.

        >>> import errata
        >>> errata.read("examples/learner.m2").missing
        MissingAnnotators(sentences={'1': 5}, policies={'1': 'absent'})
        """
        whole = corpus.whole or corpus
        names = whole.annotators
        annotated = [sentence for sentence in whole if sentence.annotations]
        lacking = _count_lacking(annotated, names)
        policies = _find_policies(annotated, names, lacking) if lacking else {}
        if whole is not corpus:
            lacking = _count_lacking([sentence for sentence in corpus if sentence.annotations], names)
        return cls(lacking, {name: policies[name] for name in lacking})

    def __bool__(self) -> bool:
        return bool(self.sentences)

    @property
    def policy(self) -> Missing | None:
        """The policy of the whole corpus; None if it cannot be told, or differs between annotators."""
        found = set(self.policies.values())
        return found.pop() if len(found) == 1 else None

    def select(self, policy: Missing | None) -> list[str]:
        """List the annotators with a policy."""
        return [name for name, own in self.policies.items() if own == policy]

    def describe(self, annotators: Sequence[str]) -> str:
        """Say which annotators have no line, and in how many sentences.

        >>> MissingAnnotators({"1": 88, "2": 1}, {"1": "same", "2": None}).describe(["1", "2"])
        'annotators 1, 2 have no line in 1 to 88 sentences'
        """
        listed = ", ".join(annotators[:_LISTED]) + (", ..." if len(annotators) > _LISTED else "")
        counts = [self.sentences[name] for name in annotators]
        least = f"{min(counts):,} to " if min(counts) < max(counts) else ""
        who = f"annotator {listed} has" if len(annotators) == 1 else f"annotators {listed} have"
        return f"{who} no line in {least}{pluralise(max(counts), 'sentence')}"


def _count_lacking(annotated: Sequence[Sentence], names: Sequence[str]) -> dict[str, int]:
    """Count the sentences without a line of each annotator who lacks one."""
    present = Counter(annotation.annotator for sentence in annotated for annotation in sentence.annotations)
    return {name: len(annotated) - present[name] for name in names if present[name] < len(annotated)}


def _find_policies(annotated: Sequence[Sentence], names: Sequence[str], lacking: Mapping[str, int]) -> dict[str, Missing | None]:
    empty = Counter(item.annotator for sentence in annotated for item in sentence.annotations if not item.edits)
    if _says_nothing_by_no_line(annotated, names, lacking, empty):
        return dict.fromkeys(lacking, "noop")
    if names[0] in lacking:
        return {name: "absent" if empty[name] else None for name in lacking}
    pairs = _compare_with_first(annotated, names[0])
    return {name: _conclude(pairs[name], lacking[name]) for name in lacking}


def _says_nothing_by_no_line(annotated: Sequence[Sentence], names: Sequence[str], lacking: Mapping[str, int], empty: Counter[str]) -> bool:
    """Tell whether annotators who found nothing wrong have no line."""
    return (
        not empty.total()
        and len(lacking) == len(names)
        and all(2 * own <= len(annotated) for own in lacking.values())
        and sum(lacking.values()) >= _LEAST
        and any(len(sentence.annotations) == len(names) for sentence in annotated)
    )


@dataclass
class _Pair:
    """An annotator and the first one, in the sentences that both have."""

    sentences: int = 0
    first_empty: int = 0
    own_empty: int = 0
    both_empty: int = 0
    equal: int = 0
    """Equal annotations, those without edits included."""


def _compare_with_first(annotated: Sequence[Sentence], first: str) -> dict[str, _Pair]:
    pairs: dict[str, _Pair] = {}
    for sentence in annotated:
        reference = next(item for item in sentence.annotations if item.annotator == first)
        for other in sentence.annotations:
            pair = pairs.setdefault(other.annotator, _Pair())
            pair.sentences += 1
            pair.first_empty += not reference.edits
            pair.own_empty += not other.edits
            pair.both_empty += not reference.edits and not other.edits
            pair.equal += _are_equal(reference, other)
    return pairs


def _are_equal(one: Annotation, other: Annotation) -> bool:
    """Tell whether two annotators make the same corrections; types do not count, as in the files of the shared tasks."""
    if len(one.edits) != len(other.edits):
        return False
    pairs = zip(one.edits, other.edits, strict=True)
    return all((a.start, a.end, a.corrections) == (b.start, b.end, b.corrections) for a, b in pairs)


def _conclude(pair: _Pair, lacking: int) -> Missing | None:
    if 2 * pair.equal > lacking:
        return "absent" if pair.both_empty else None
    expected = pair.first_empty * pair.own_empty / pair.sentences
    if lacking <= pair.sentences and _probability_of_at_most(pair.both_empty, expected) <= _UNLIKELY:
        return "same"
    return None


def _probability_of_at_most(count: int, expected: float) -> float:
    """Compute a Poisson probability; terms are computed from logarithms, because the first are too small if many are expected.

    >>> round(_probability_of_at_most(1, 2.0), 4), round(_probability_of_at_most(2000, 2000.0), 4)
    (0.406, 0.5059)
    """
    if expected == 0:
        return 1.0
    return fsum(exp(number * log(expected) - expected - lgamma(number + 1)) for number in range(count + 1))


def choose_missing(corpus: Corpus, missing: str = DETECT) -> Missing:
    """Choose the policy for texts: as given, or what the corpus follows.

    A text must have a line for every annotator.  Unless the corpus is found to follow ``noop``, an annotator who has none repeats the
    first one: if both made the same corrections that is right, and if he did not look at the sentence it adds no reference.

    >>> import errata
    >>> choose_missing(errata.read("examples/learner.m2"))
    'same'
    """
    if missing == DETECT:
        return "noop" if corpus.missing.policy == "noop" else "same"
    for policy in MISSING:
        if policy == missing:
            return policy
    raise UsageError(f"missing must be one of {', '.join(_MISSING_CHOICES)}, found {missing!r}")


def complete_annotations(corpus: Corpus, policies: _Policies) -> Iterator[tuple[Annotation, ...]]:
    """Yield the annotations of each sentence, with those that are lacking by a policy, in the order of ``corpus.annotators``.

    Those who have no line in a whole subset are lacking too.

    Annotators without a policy are absent, except that in a sentence without any line the first annotator found nothing wrong.

    >>> from errata import Edit, Sentence
    >>> both, one = Sentence.of("a", [], [Edit(0, 1, ("b",))]), Sentence.of("c", [Edit(0, 1, ("d",))])
    >>> [own] = list(complete_annotations(Corpus((both, one)), "same"))[1:]
    >>> [(annotation.annotator, annotation.edits == one.annotations[0].edits) for annotation in own]
    [('0', True), ('1', True)]
    """
    names = (corpus.whole or corpus).annotators
    by_name = dict.fromkeys(names, policies) if isinstance(policies, str) else policies
    for sentence in corpus:
        own = {annotation.annotator: annotation for annotation in sentence.annotations} or {names[0]: Annotation(names[0])}
        if len(own) < len(names):
            edits = {"same": sentence.annotations[0].edits if sentence.annotations else (), "noop": ()}
            lacking = (name for name in names if name not in own and by_name.get(name, "absent") != "absent")
            own |= {name: Annotation(name, edits[by_name[name]]) for name in lacking}
        yield tuple(own[name] for name in names if name in own)


def _complete(corpus: Corpus, policies: _Policies) -> Corpus:
    """Return the corpus with the annotations that are lacking by a policy; a sentence without any line keeps none if all are absent."""
    if policies == "absent":
        return corpus
    lacking = len(corpus) * len(corpus.annotators) - sum(len(sentence.annotations) for sentence in corpus)
    if lacking > _MOST_ADDED:
        names = pluralise(len(corpus.annotators), "annotator")
        raise RequestError(
            f"{corpus.path or corpus.name}: {names} of {pluralise(len(corpus), 'sentence')} have no line {lacking:,} times, which are too "
            f"many to be added, more than {_MOST_ADDED:,}"
        )
    completed = zip(corpus, complete_annotations(corpus, policies), strict=True)
    sentences = (
        sentence if len(own) <= max(1, len(sentence.annotations)) else replace(sentence, annotations=own) for sentence, own in completed
    )
    return replace(corpus, sentences=tuple(sentences))


def complete_corpus(corpus: Corpus, missing: str = DETECT) -> Corpus:
    """Return the corpus with the annotations that are lacking by a policy, or that it is found to leave out.

    An annotator about whom nothing can be concluded stays absent: for measures of annotators, who should not be given what they did
    not say.
    """
    if missing != DETECT:
        return _complete(corpus, choose_missing(corpus, missing))
    found = {name: policy for name, policy in corpus.missing.policies.items() if policy is not None}
    return _complete(corpus, found) if set(found.values()) - {"absent"} else corpus


def explain_missing(corpus: Corpus, missing: str) -> list[str]:
    """Say what is done about annotators without a line, for warnings: nothing if they stay absent, or have lines everywhere.

    ``detect`` stands for :func:`complete_corpus`.
    """
    found = corpus.missing if missing != "absent" else None
    if not found:
        return []
    equal = found.select("same")
    others = [name for name in found.sentences if name not in equal]
    why = "because annotations that equal the first are left out of this gold"
    if missing == "noop":
        return [f"{found.describe(equal)}, {why}; noop makes up references without changes there, same repeats the first"] if equal else []
    told = [f"{found.describe(equal)}, {why}; the first is repeated"] if equal else []
    return [*told, *([f"{found.describe(others)}; the first annotator is repeated there"] if others and missing == "same" else [])]
