"""GLEU: n-grams that output and reference share, less those that the output should have changed.

Napoles et al. 2015, *Ground Truth for Grammatical Error Correction Metrics*, and 2016, *GLEU Without Tuning*.
The precision of n-grams of a length is p = max(0, shared - kept) / n, for n of the output, of which some are shared with the reference;
those that output and source share and the reference lacks were kept.  GLEU is the geometric mean of the precisions, times
exp(1 - R / C) if the reference has more tokens (R) than the output (C).

GLEU has many versions, which give different numbers; each is a named variant.  The default is the number that papers report: the script
of 2017, with 500 random choices of references and Python 2's random numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from errata import core
from errata.corpus.annotators import DETECT, MISSING, complete_annotations, complete_corpus, explain_missing
from errata.errors import UsageError, pluralise
from errata.metrics.base import Metric, Output, refuse
from errata.metrics.draws import Draws, Expectation
from errata.metrics.strategies import ChooseBest, ExpectedCounts, SingleRow, Strategy
from errata.metrics.views import JudgedNgrams, NgramView
from errata.settings import number, one_of, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.metrics.ratios import Row


_Variant = Literal[
    "official_py2",
    "official_py3",
    "expectation",
    "expected_counts",
    "best_reference",
    "corrected",
    "gleuofficial",
    "official_2016may",
    "original_2016mar",
    "original_2015jun",
]
_VARIANTS: dict[_Variant, str] = {
    "official_py2": "the script of 2017 with Python 2",
    "official_py3": "the same with Python 3",
    "expectation": "the mean over all choices of references, without random numbers",
    "expected_counts": "the value of the mean counts over references",
    "best_reference": "in each sentence the reference with the highest value",
    "corrected": "gleu of gec-metrics: n-grams are punished as often as the reference lacks them",
    "gleuofficial": "gleuofficial of gec-metrics: official_py3, but an empty sentence has the length 1",
    "official_2016may": "the script of May 2016, which punishes long outputs instead of short ones",
    "original_2016mar": "the original of March 2016, with a weight",
    "original_2015jun": "the original of the paper of 2015, with a weight",
}
_DrawsSetting = Literal["auto", "py2", "py3", "expectation", "expected"]
_DRAWS: dict[_DrawsSetting, str] = {
    "auto": "as the variant",
    "py2": "random, as Python 2 draws",
    "py3": "random, as Python 3 draws",
    "expectation": "the mean over all choices",
    "expected": "mean counts",
}
_Smoothing = Literal["official", "none", "pypi"]
_SMOOTHING: dict[_Smoothing, str] = {
    "official": "every 0 becomes 1, as in the script",
    "none": "a sentence with a 0 has the value 0",
    "pypi": "0 if a numerator is 0; orders without n-grams have the precision 1",
}
_Empty = Literal["auto", "none", "one"]
_EMPTY: dict[_Empty, str] = {"auto": "as the variant", "none": "no token", "one": "one token, as if split at spaces"}
_LEFT_OUT = "were left out of references, because they overlap earlier ones"
_MOST_NAMED = 8
"""Annotators that a signature names."""
_MISSING: dict[str, str] = {DETECT: "as the gold shows, else no reference", **MISSING}  # type: ignore[dict-item]


class _Rule(NamedTuple):
    """What a variant counts, and how it uses references."""

    draws: Literal["py2", "py3", "expectation", "expected", "best", "pooled"]
    other_draws: bool = False
    """Whether the setting may choose other draws."""
    excess: bool = False
    """Whether n-grams count as often as one text has them more often than the other, not only those that the other lacks."""
    exchanged: bool = False
    empty: Literal["none", "one"] = "none"


_RULES: dict[_Variant, _Rule] = {
    "official_py2": _Rule("py2"),
    "official_py3": _Rule("py3"),
    "expectation": _Rule("expectation"),
    "expected_counts": _Rule("expected"),
    "best_reference": _Rule("best"),
    "corrected": _Rule("py3", other_draws=True, excess=True, empty="one"),
    "gleuofficial": _Rule("py3", other_draws=True, empty="one"),
    "official_2016may": _Rule("py2", other_draws=True, exchanged=True),
    "original_2016mar": _Rule("pooled", exchanged=True),
    "original_2015jun": _Rule("pooled", excess=True),
}


class _MeanCounts(ExpectedCounts):
    """Mean counts; a sentence alone is scored as with other strategies, because it is smoothed."""

    sentence_value = Strategy.sentence_value


@dataclass(frozen=True)
class Gleu(Metric):
    """GLEU with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> eager = errata.read_system("examples/systems/eager.txt")
    >>> [round(errata.score(gold, eager, f"gleu(variant={name})").value, 4) for name in ("official_py2", "expectation")]
    [0.7114, 0.7115]
    """

    variant: _Variant = one_of("official_py2", _VARIANTS, "the version of GLEU")
    order: int = whole(4, "the longest n-grams", least=1, most=100)
    draws: _DrawsSetting = one_of("auto", _DRAWS, "how references are drawn")
    iterations: int = whole(500, "random choices of references", least=1, most=100_000)
    weight: float = number(0.0, "λ of the originals: the weight of n-grams of the source that no reference has", most=1000)
    smoothing: _Smoothing = one_of("official", _SMOOTHING, "how single sentences are scored")
    empty: _Empty = one_of("auto", _EMPTY, "the length of an empty sentence")
    missing: str = one_of(DETECT, _MISSING, "what an annotator without a line for a sentence counts as")

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "gleu"
    title: ClassVar[str] = "GLEU"
    summary: ClassVar[str] = "n-grams that output and reference share, less those that the output should have changed"
    paper: ClassVar[str] = "Napoles et al. 2015; Napoles et al. 2016"
    best: ClassVar[float | None] = None  # a text of sentences that are shorter than the order has 0

    def check(self) -> None:
        if self.draws != "auto" and not self.rule.other_draws:
            free = " or ".join(name for name, rule in _RULES.items() if rule.other_draws)
            raise UsageError(f"gleu setting draws={self.draws} cannot be combined with variant={self.variant}; it needs {free}")
        if self.iterations != type(self).iterations and self.how not in {"py2", "py3"}:
            raise UsageError(f"gleu setting iterations needs random draws, found variant={self.variant}{self._found_draws}")
        if self.weight and not self.pooled:
            raise UsageError(f"gleu setting weight needs variant=original_2016mar or original_2015jun, found {self.variant}")
        if self.empty == "none" and self.variant == "gleuofficial":
            raise UsageError("gleu setting empty=none cannot be combined with variant=gleuofficial; use official_py3")

    @property
    def _found_draws(self) -> str:
        return f" and draws={self.draws}" if self.draws != "auto" else ""

    @property
    def rule(self) -> _Rule:
        """What the variant does."""
        return _RULES[self.variant]

    @property
    def how(self) -> str:
        """How references are used."""
        return self.rule.draws if self.draws == "auto" else self.draws

    @property
    def pooled(self) -> bool:
        """Whether all references of a sentence are one."""
        return self.rule.draws == "pooled"

    @property
    def empty_length(self) -> int:
        """The length of an empty sentence."""
        return 1 if (self.rule.empty if self.empty == "auto" else self.empty) == "one" else 0

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the counts: both lengths, and a numerator and a denominator for each order."""
        orders = range(1, self.order + 1)
        return (
            "output_tokens",
            "reference_tokens",
            *(f"numerator_{length}" for length in orders),
            *(f"denominator_{length}" for length in orders),
        )

    @property
    def strategy(self) -> Strategy:
        varying = tuple(range(1, 2 + self.order))  # the length of the reference, and numerators
        return {
            "py2": Draws(self.iterations, generator="py2", smooth=True, varying=varying),
            "py3": Draws(self.iterations, generator="py3", smooth=True, varying=varying),
            "expectation": Expectation(varying),
            "expected": _MeanCounts(),
            "best": ChooseBest(self),
            "pooled": SingleRow(),
        }[self.how]

    def scorer(self, corpus: Corpus) -> _GleuScorer:
        return _GleuScorer(self, corpus)

    @cached_property
    def exact_weight(self) -> Fraction:
        """The weight, as the decimal that it is written as."""
        return Fraction(repr(self.weight))

    @cached_property
    def _value(self) -> _GleuValue:
        return _GleuValue(self.order, self.exact_weight.denominator, self.rule.exchanged)

    def value(self, counts: Row) -> float:
        """Compute the brevity penalty times the geometric mean of precisions; 0 if a count is not above 0."""
        return self._value.value(counts)

    def values(self, counts: Any) -> Any:
        return self._value.values(counts)

    def expected_values(self, means: Any, covariances: Any) -> Any:
        return self._value.expected_values(means, covariances)

    def sentence_value(self, counts: Row) -> float:
        return self._value.smoothed(counts, self.smoothing)

    def parts(self, counts: Row) -> dict[str, Any]:
        named = super().parts(counts)
        scale = self.exact_weight.denominator
        if scale > 1:
            named |= {name: count / scale for name, count in named.items() if name.startswith("numerator")}
        return {**named, **self._measures(counts)}

    def shown(self, counts: Row) -> dict[str, float]:
        return {name: count for name, count in super().parts(counts).items() if name.endswith("tokens")} | self._measures(counts)

    def _measures(self, counts: Row) -> dict[str, float]:
        precisions = self._value.precisions(counts)
        return {
            "brevity_penalty": self._value.brevity(counts),
            **{f"precision_{length}": precision for length, precision in enumerate(precisions, start=1)},
        }

    @property
    def label(self) -> str:
        return "GLEU"

    def data(self, corpus: Corpus) -> str:
        """Say how references were drawn, and what annotators without a line were taken for."""
        how = {"best": "best reference", "pooled": "all references as one"}.get(self.how, f"draws {self.how}")
        if self.missing != DETECT or not (found := corpus.missing):
            return how
        groups: dict[str, list[str]] = {}
        for name, policy in found.policies.items():
            groups.setdefault(policy or "absent", []).append(name)
        listed = [
            f"{'+'.join(names) if len(names) <= _MOST_NAMED else f'{len(names)} annotators'} {policy}" for policy, names in groups.items()
        ]
        return f"{how}, missing {', '.join(listed)}"

    def gold_warnings(self, corpus: Corpus) -> list[str]:
        """Warn of references that nobody made, and of edits that references lack because they overlap others."""
        warnings = explain_missing(corpus, self.missing) if self.missing in {"noop", "same"} else []
        annotations = ((sentence, own) for sentence in corpus for own in sentence.annotations if len(own.edits) > 1)
        overlapping = sum(len(sentence.unapplied(own)) for sentence, own in annotations)
        if overlapping:
            why = "was left out of references, because it overlaps an earlier one" if overlapping == 1 else _LEFT_OUT
            warnings.append(f"{pluralise(overlapping, 'edit')} of gold {why}")
        return warnings


_ALL = "all"
"""The label of all references of a sentence together."""


class _GleuScorer:
    """GLEU prepared for one corpus."""

    def __init__(self, metric: Gleu, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        annotations = complete_annotations(complete_corpus(corpus, metric.missing), "absent")
        self.references = [
            {annotation.annotator: sentence.corrected(annotation) for annotation in own}
            for sentence, own in zip(corpus, annotations, strict=True)
        ]
        """The texts of each sentence by annotator, in the order in which they are drawn."""
        _ = self.counter

    @cached_property
    def counter(self) -> core.NgramCounter:
        """The n-grams in the core."""
        texts = zip(self.corpus, self.references, strict=True)
        try:
            return core.NgramCounter([(sentence.tokens, tuple(own.values())) for sentence, own in texts], self.metric.order)
        except OverflowError as error:
            raise refuse(self.corpus, error) from None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "counter"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _GleuOutput:
        return _GleuOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del rows
        return (_ALL,) if self.metric.pooled else tuple(self.references[index])


class _GleuOutput(Output):
    """The output of a system, scored by GLEU."""

    def __init__(self, scorer: _GleuScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        scorer, metric = self._scorer, self._scorer.metric
        count = scorer.counter.pooled_counts if metric.pooled else scorer.counter.counts
        try:
            found: Sequence[tuple[Row, ...]] = count(start, self.between(start, stop), metric.rule.excess)
        except OverflowError as error:
            raise refuse(scorer.corpus, error) from None
        if metric.pooled:
            found = [(self._weigh(row),) for (row,) in found]
        if metric.empty_length:
            found = [tuple((row[0] or 1, row[1] or 1, *row[2:]) for row in own) for own in found]
        return found

    def ngrams(self, index: int) -> list[NgramView]:
        scorer = self._scorer
        source, hypothesis = scorer.corpus[index].tokens, self.hypothesis(index)
        texts = list(scorer.references[index].values())
        lengths, excess = range(1, scorer.metric.order + 1), scorer.metric.rule.excess
        if scorer.metric.pooled:
            return [NgramView(None, [_judge_ngrams(source, texts, hypothesis, length, excess=excess) for length in lengths])]
        return [NgramView(text, [_judge_ngrams(source, [text], hypothesis, length, excess=excess) for length in lengths]) for text in texts]

    def _weigh(self, row: Row) -> Row:
        """Make the row of an original from n-grams gained, right, lost and to gain; numerators are multiplied to be whole numbers."""
        metric = self._scorer.metric
        lost_weight, weight = metric.exact_weight.as_integer_ratio()
        output, reference, orders = row[0], row[1], range(metric.order)
        gained, right, lost, to_gain = (row[2 + metric.order * kind : 2 + metric.order * (kind + 1)] for kind in range(4))
        kept = [weight * right[k] - lost_weight * lost[k] for k in orders]
        ngrams = [max(0, output - k) for k in orders]
        if metric.rule.excess:  # of 2015: without a brevity penalty, because the length of the reference stays that of the output
            return output, output, *(weight * gained[k] + kept[k] for k in orders), *(to_gain[k] + ngrams[k] for k in orders)
        return output, reference, *(weight * gained[k] + max(0, kept[k]) for k in orders), *(gained[k] + ngrams[k] for k in orders)


_LEAST_MEAN = 12
"""A numerator must be so many standard deviations above 0 for its logarithm to be expanded; the error is then below 0.0001."""
_POINTS = 512
"""Points of a normal distribution that replace the expansion."""
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class _GleuValue:
    """How rows become a value.

    A row has the lengths of output and reference, then for each order of n-grams a numerator, then for each a denominator.
    """

    order: int
    scale: int = 1
    """What numerators are multiplied by, to be whole numbers."""
    exchanged: bool = False
    """Whether the two lengths are exchanged, so that long outputs are punished instead of short ones."""

    def value(self, row: Sequence[int]) -> float:
        """Compute the value: the brevity penalty times the geometric mean of precisions; 0 if a count is not above 0."""
        return self._combine(row, self.precisions(row)) if min(row) > 0 else 0.0

    def smoothed(self, row: Sequence[int], smoothing: _Smoothing) -> float:
        """Compute the value of one sentence."""
        if smoothing == "none":
            return self.value(row)
        end = 2 + self.order
        if smoothing == "official":
            return self.value(
                [*(count or 1 for count in row[:2]), *(count or self.scale for count in row[2:end]), *(count or 1 for count in row[end:])]
            )
        precisions = [above / (self.scale * below) if below else 1.0 for above, below in self._pairs(row)]
        return self._combine(row, precisions) if min(*row[:2], *precisions) > 0 else 0.0

    def precisions(self, row: Sequence[int]) -> list[float]:
        """Divide numerators by denominators; 0/0 is 0."""
        return [above / (self.scale * below) if below else 0.0 for above, below in self._pairs(row)]

    def brevity(self, row: Sequence[int]) -> float:
        """Compute the brevity penalty, at most 1; 0 if the shorter text has no token."""
        short, long = (row[1], row[0]) if self.exchanged else (row[0], row[1])
        return math.exp(min(0.0, 1 - long / short)) if short else 0.0

    def _pairs(self, row: Sequence[int]) -> Iterator[tuple[int, int]]:
        end = 2 + self.order
        return zip(row[2:end], row[end:], strict=True)

    def _combine(self, row: Sequence[int], precisions: Sequence[float]) -> float:
        return self.brevity(row) * math.exp(math.fsum(map(math.log, precisions)) / self.order)

    def values(self, rows: Any) -> Any:
        """Compute the values of many rows."""
        import numpy as np

        good = (rows > 0).all(axis=-1)
        output, reference, numerators, denominators = self._split(np.where(good[..., None], rows, 1.0))
        excess = (output / reference if self.exchanged else reference / output) - 1
        logarithms = np.log(numerators / denominators).mean(axis=-1) - math.log(self.scale)
        return np.where(good, np.exp(logarithms - np.maximum(0, excess)), 0.0)

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """Compute the expected values of sums with these means and covariances, which are normally distributed.

        Logarithms of numerators are expanded to the second order.  The brevity penalty is exact, also where output and reference
        have about the same length.  Where a numerator may be near 0, the distribution is replaced by some of its points.
        """
        import numpy as np

        spread = np.sqrt(np.maximum(0, np.diagonal(covariances, axis1=1, axis2=2)))
        possible = (means > 0).all(axis=1)
        good = possible & (means > _LEAST_MEAN * spread).all(axis=1)
        result = np.zeros(len(means))
        if good.any():
            result[good] = self._expand(means[good], covariances[good])
        rest = np.flatnonzero(~good)
        for first in range(0, len(rest), _ROWS_AT_ONCE):
            some = rest[first : first + _ROWS_AT_ONCE]
            result[some] = self._sample(means[some], covariances[some])
        return result

    def _split(self, rows: Any) -> tuple[Any, Any, Any, Any]:
        """Split many rows into lengths of output and reference, numerators and denominators."""
        end = 2 + self.order
        return rows[..., 0], rows[..., 1], rows[..., 2:end], rows[..., end:]

    def _expand(self, means: Any, covariances: Any) -> Any:
        import numpy as np
        from scipy.special import ndtr

        output, reference, numerators, denominators = self._split(means)
        own = slice(2, 2 + self.order)
        weights = 1 / (self.order * numerators)
        variances = np.diagonal(covariances[:, own, own], axis1=1, axis2=2)
        level = (
            np.log(numerators / denominators).mean(axis=1)
            - math.log(self.scale)
            - (variances / numerators**2).sum(axis=1) / (2 * self.order)
        )
        inner = np.einsum("ki,kij,kj->k", weights, covariances[:, own, own], weights)
        # The excess of the longer over the shorter text, as a linear function of the length of the reference.
        if self.exchanged:
            slope = -output / reference**2
            excess = output / reference * (1 + covariances[:, 1, 1] / reference**2) - 1
        else:
            slope, excess = 1 / output, reference / output - 1
        excess = excess + slope * np.einsum("ki,ki->k", covariances[:, 1, own], weights)
        spread = np.abs(slope) * np.sqrt(np.maximum(0, covariances[:, 1, 1]))
        safe = np.where(spread > 0, spread, 1.0)
        penalty = ndtr(-excess / safe) + np.exp(-excess + spread**2 / 2) * ndtr((excess - spread**2) / safe)
        return np.exp(level + inner / 2) * np.where(spread > 0, penalty, np.exp(-np.maximum(0, excess)))

    def _sample(self, means: Any, covariances: Any) -> Any:
        """Take the mean of the values at points of the distributions."""
        import numpy as np

        varying = np.flatnonzero(np.diagonal(covariances, axis1=1, axis2=2).any(axis=0))
        if not len(varying):
            return self.values(means)
        squares, vectors = np.linalg.eigh(covariances[:, varying[:, None], varying])
        roots = vectors * np.sqrt(np.maximum(0, squares))[:, None, :]
        points = np.repeat(means[:, None, :], _POINTS, axis=1)
        points[:, :, varying] += np.einsum("kij,pj->kpi", roots, _list_points(len(varying)))
        return self.values(points).mean(axis=1)


@lru_cache(maxsize=8)
def _list_points(dimensions: int) -> Any:
    """List points that are spread evenly over the standard normal distribution: multiples of powers of a root, modulo 1."""
    import numpy as np
    from scipy.special import ndtri

    root = 2.0
    for _ in range(50):  # of x to the power of the dimensions plus one = x + 1
        root = (1 + root) ** (1 / (dimensions + 1))
    steps = root ** -np.arange(1, dimensions + 1)
    return ndtri((0.5 + np.arange(_POINTS)[:, None] * steps) % 1)


def _judge_ngrams(source: Tokens, references: Sequence[Tokens], hypothesis: Tokens, length: int, *, excess: bool) -> JudgedNgrams:
    """Judge the n-grams of a length; of several references, an n-gram has those of the reference that has it most often.

    With ``excess``, n-grams are punished as often as the reference has them less often, not only if it has none.

    >>> _judge_ngrams(("a", "x"), [("a", "b", "c")], ("a", "x", "b"), 1, excess=False)
    JudgedNgrams(right=(('b',),), punished=(('x',),), wrong=(), missed=(('c',),))
    """
    own, before, wanted = _count(hypothesis, length), _count(source, length), Counter[tuple[str, ...]]()
    for reference in references:
        wanted |= _count(reference, length)
    kept = own & before
    punished = kept - wanted if excess else Counter({ngram: times for ngram, times in kept.items() if ngram not in wanted})
    listed = ((own & wanted) - before, punished, own - wanted - punished, wanted - before - own)
    return JudgedNgrams(*(tuple(ngrams.elements()) for ngrams in listed))


def _count(tokens: Tokens, length: int) -> Counter[tuple[str, ...]]:
    return Counter(tokens[start : start + length] for start in range(len(tokens) - length + 1))
