"""GLEU: n-grams that output and reference share, less those that the output should have changed.

Napoles et al. 2015, *Ground Truth for Grammatical Error Correction Metrics*, and 2016, *GLEU Without Tuning*.
The precision of n-grams of a length is p = max(0, shared - kept) / n, for n of the output, of which some are shared with the reference;
those that output and source share and the reference lacks were kept.  GLEU is the geometric mean of the precisions, times
exp(1 - R / C) if the reference has more tokens (R) than the output (C).

GLEU has many versions, which give different numbers; each is a named variant.  The default is the number that papers report: the script
of 2017, with 500 random choices of references and Python 2's random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from errata.corpus.annotators import DETECT, MISSING, detect_missing, explain_missing
from errata.errors import UsageError, pluralise
from errata.metrics.base import Metric
from errata.metrics.gleu_values import GleuValue, Smoothing
from errata.metrics.random_references import Draws, Expectation
from errata.metrics.strategy import ChooseBest, ExpectedCounts, SingleRow, Strategy
from errata.settings import number, one_of, whole

if TYPE_CHECKING:
    from errata.corpus.corpus import Corpus
    from errata.metrics.gleu_scorer import GleuScorer
    from errata.ratios import Row

Variant = Literal[
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
_VARIANTS: dict[Variant, str] = {
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
DrawsSetting = Literal["auto", "py2", "py3", "expectation", "expected"]
_DRAWS: dict[DrawsSetting, str] = {
    "auto": "as the variant",
    "py2": "random, as Python 2 draws",
    "py3": "random, as Python 3 draws",
    "expectation": "the mean over all choices",
    "expected": "mean counts",
}
_SMOOTHING: dict[Smoothing, str] = {
    "official": "every 0 becomes 1, as in the script",
    "none": "a sentence with a 0 has the value 0",
    "pypi": "0 if a numerator is 0; orders without n-grams have the precision 1",
}
Empty = Literal["auto", "none", "one"]
_EMPTY: dict[Empty, str] = {"auto": "as the variant", "none": "no token", "one": "one token, as if split at spaces"}
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


_RULES: dict[Variant, _Rule] = {
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

    variant: Variant = one_of("official_py2", _VARIANTS, "the version of GLEU")
    order: int = whole(4, "the longest n-grams", least=1, most=100)
    draws: DrawsSetting = one_of("auto", _DRAWS, "how references are drawn")
    iterations: int = whole(500, "random choices of references", least=1, most=100_000)
    weight: float = number(0.0, "λ of the originals: the weight of n-grams of the source that no reference has", most=1000)
    smoothing: Smoothing = one_of("official", _SMOOTHING, "how single sentences are scored")
    empty: Empty = one_of("auto", _EMPTY, "the length of an empty sentence")
    missing: str = one_of(DETECT, _MISSING, "what an annotator without a line for a sentence counts as")

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "gleu"
    title: ClassVar[str] = "GLEU"
    summary: ClassVar[str] = "n-grams that output and reference share, less those that the output should have changed"
    paper: ClassVar[str] = "Napoles et al. 2015; Napoles et al. 2016"
    best: ClassVar[float | None] = None  # a text of sentences that are shorter than the order has 0

    def check(self) -> None:
        """Raise if settings contradict each other."""
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
        """How references are used."""
        varying = tuple(range(1, 2 + self.order))  # the length of the reference, and numerators
        return {
            "py2": Draws(self.iterations, generator="py2", smooth=True, varying=varying),
            "py3": Draws(self.iterations, generator="py3", smooth=True, varying=varying),
            "expectation": Expectation(varying),
            "expected": _MeanCounts(),
            "best": ChooseBest(self),
            "pooled": SingleRow(),
        }[self.how]

    def scorer(self, corpus: Corpus) -> GleuScorer:
        """Count the n-grams of sources and references."""
        from errata.metrics.gleu_scorer import GleuScorer

        return GleuScorer(self, corpus)

    @cached_property
    def exact_weight(self) -> Fraction:
        """The weight, as the decimal that it is written as."""
        return Fraction(repr(self.weight))

    @cached_property
    def _value(self) -> GleuValue:
        return GleuValue(self.order, self.exact_weight.denominator, self.rule.exchanged)

    def value(self, counts: Row) -> float:
        """Compute the brevity penalty times the geometric mean of precisions; 0 if a count is not above 0."""
        return self._value.value(counts)

    def values(self, counts: Any) -> Any:
        """Compute the values of many sums."""
        return self._value.values(counts)

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """Compute the expected values of random sums."""
        return self._value.expected_values(means, covariances)

    def sentence_value(self, counts: Row) -> float:
        """Compute the value of one sentence, smoothed."""
        return self._value.smoothed(counts, self.smoothing)

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return the counts, the precision of each order and the brevity penalty."""
        named = super().parts(counts)
        scale = self.exact_weight.denominator
        if scale > 1:
            named |= {name: count / scale for name, count in named.items() if name.startswith("numerator")}
        return {**named, **self._measures(counts)}

    def shown(self, counts: Row) -> dict[str, float]:
        """Return lengths, brevity penalty and precisions."""
        return {name: count for name, count in super().parts(counts).items() if name.endswith("tokens")} | self._measures(counts)

    def _measures(self, counts: Row) -> dict[str, float]:
        precisions = self._value.precisions(counts)
        return {
            "brevity_penalty": self._value.brevity(counts),
            **{f"precision_{length}": precision for length, precision in enumerate(precisions, start=1)},
        }

    @property
    def label(self) -> str:
        """The name in tables."""
        return "GLEU"

    def data(self, corpus: Corpus) -> str:
        """Say how references were drawn, and what annotators without a line were taken for."""
        how = {"best": "best reference", "pooled": "all references as one"}.get(self.how, f"draws {self.how}")
        if self.missing != DETECT or not (found := detect_missing(corpus)):
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
