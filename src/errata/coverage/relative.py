"""Scores relative to those of a perfect corrector with as many references (Choshen and Abend, sections 3.4 and 3.6).

A score divided by that of a perfect corrector says how far a system is from a person, instead of from 1, which nobody reaches with
few references.  It scales a measure, so it changes no ranking.  A system can be above 1, because it may have learned when not to
correct.

For accuracy and index match the expected score of a perfect corrector is the coverage of the references, from the estimated
distribution of corrections.  Divided by it, an accuracy is corrected for coverage: by equations 3 to 6 the expected accuracy is the
true accuracy minus the bias b = (true accuracy) · p · (1 - coverage), if the share p of sentences needs a correction.  For other
metrics the expected score is simulated.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.annotators import complete_as_found
from errata.coverage.corrections import find_sameness
from errata.coverage.estimation import compute_coverage, estimate_sentences
from errata.coverage.perfect import SCORED_OUTPUTS, PerfectCorrector
from errata.coverage.signatures import describe_corrections, make_sampling_signature
from errata.errors import RequestError, pluralise
from errata.scoring.scores import name_package
from errata.settings import write_value
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.coverage.corrections import CorrectedSentence, Sameness
    from errata.metrics import Metric

    Tokenise = Callable[[str], Sequence[str]]
    Progress = Callable[[int], None]


class GoldShape(NamedTuple):
    """What the expected score of a perfect corrector on a corpus depends on."""

    sentences: int
    without_errors: int
    """Sentences in which no annotator found an error."""
    references: int
    """The number of references that most sentences have."""
    as_usual: int
    """The number of sentences with so many references."""


def find_shape(corpus: Corpus) -> GoldShape:
    """Find the shape of a corpus; of two numbers of references that are equally frequent, the smaller."""
    if not len(corpus):
        raise RequestError("a score relative to a perfect corrector needs a gold with sentences, found none")
    without = sum(all(not annotation.edits for annotation in sentence.annotations) for sentence in corpus)
    if without == len(corpus):
        raise RequestError("a score relative to a perfect corrector needs a gold with errors, found none")
    numbers = Counter(len(sentence.annotations) or 1 for sentence in complete_as_found(corpus))
    references, times = min(numbers.items(), key=lambda item: (-item[1], item[0]))
    return GoldShape(len(corpus), without, references, times)


@dataclass(frozen=True)
class PerfectScore:
    """The expected score of a perfect corrector."""

    metric: Metric
    shape: GoldShape
    value: float
    simulations: int
    """The number of simulated test sets; 0 if the score is computed from the distribution of corrections."""
    signature: str

    def relate(self, value: float) -> float | None:
        """Divide a score by that of the perfect corrector; None if that is not above 0."""
        return value / self.value if self.value > 0 else None

    def __str__(self) -> str:
        references = pluralise(self.shape.references, "reference")
        if self.value <= 0:
            return f"undefined, because a perfect corrector is expected to score {100 * self.value:.2f} with {references}, not above 0"
        size = f"{pluralise(self.shape.sentences, 'sentence')}, {self.shape.without_errors:,} without errors"
        score = f"{100 * self.value:.2f}, which a perfect corrector is expected to score with {references}"
        if not self.simulations:
            return f"accuracy corrected for coverage: divided by {score} ({size}); it can be above 100"
        return f"divided by {score} (mean of {pluralise(self.simulations, 'test set')} of {size}); it can be above 100"


@dataclass(frozen=True)
class RelativeSettings:
    """How the score of a perfect corrector is found."""

    simulations: int = 1000
    seed: int = 0
    others: bool = False
    """Whether an answer is never its own reference."""
    tokenise: Tokenise | None = None
    scored: int = SCORED_OUTPUTS


def compute_perfect_score(
    metric: Metric,
    shape: GoldShape,
    sentences: Sequence[CorrectedSentence],
    path: str,
    settings: RelativeSettings | None = None,
    progress: Progress | None = None,
) -> PerfectScore:
    """Compute the expected score of a perfect corrector on a test set of this shape.

    ``path`` names the corrections in the signature; ``progress`` is called with a share of 1,000 steps.
    """
    if not sentences:
        raise RequestError(f"{path} has no sentences")
    settings = settings or RelativeSettings()
    if (same := find_sameness(metric)) is not None:
        return _estimate(metric, shape, sentences, path, same, settings.tokenise)
    most = max(sentence.answers for sentence in sentences) - 1
    if settings.others and shape.references > most:
        found = pluralise(shape.references, "reference")
        raise RequestError(f"{path}: an output has at most {pluralise(most, 'reference')} by others, but the gold has {found}")
    corrector = PerfectCorrector(sentences, metric, settings.tokenise, scored=settings.scored)
    steps = corrector.count_steps(settings.simulations)
    simulation = corrector.simulate(
        shape.references,
        sentences=shape.sentences,
        without_errors=shape.without_errors,
        simulations=settings.simulations,
        seed=settings.seed,
        others=settings.others,
        progress=_Scaled(progress, steps) if progress is not None else None,
    )
    written = {
        "references": shape.references,
        "test_size": shape.sentences,
        "error_free": shape.without_errors,
        "simulations": settings.simulations,
        "seed": settings.seed,
        "exclude_self": settings.others,
        "tokenise": settings.tokenise is not None,
    }
    signature = make_sampling_signature(corrector, path, sentences, written)
    return PerfectScore(metric, shape, simulation.mean, settings.simulations, signature)


def _estimate(
    metric: Metric, shape: GoldShape, sentences: Sequence[CorrectedSentence], path: str, same: Sameness, tokenise: Tokenise | None
) -> PerfectScore:
    """Compute the expected accuracy from the estimated distribution of corrections."""
    tokenised = sentences if tokenise is None else [sentence.tokenised(tokenise) for sentence in sentences]
    coverage = compute_coverage(estimate_sentences(tokenised, same)).accuracy(shape.references)
    value = (shape.without_errors + (shape.sentences - shape.without_errors) * coverage) / shape.sentences
    given = {"references": shape.references, "test_size": shape.sentences, "error_free": shape.without_errors}
    written = ",".join(f"{name}={number}" for name, number in given.items())
    how = f"{written},tokenise={write_value(tokenise is not None)},estimate=unseenest"
    corrections = describe_corrections(path, sentences)
    signature = f"{metric.signature}{name_package(metric)} | {how} | {corrections} | errata {__version__}"
    return PerfectScore(metric, shape, value, 0, signature)


STEPS = 1_000
"""Steps that a perfect score reports."""


class _Scaled:
    """Reports steps as a share of 1,000."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, steps: int) -> None:
        before, self._done = self._done, self._done + steps
        self._progress(STEPS * self._done // self._total - STEPS * before // self._total)
