"""How far annotators agree on proposals.

Cohen's kappa is (observed - chance) / (1 - chance), where chance is the agreement of two annotators who give their verdicts in the same
shares, but at random (Cohen 1960).  Only the two who judged an item first are compared, by their newest judgments: a third one sees nothing
but what they disagree on.  Two amendments agree if their edits do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from errata.event.answers.verdicts import list_counted
from errata.studies.judgments.items import compute_alpha

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from errata.event.answers.verdicts import ItemJudgment

_COMPARED = 2


class AnnotatorAgreement(NamedTuple):
    """How far two annotators agree."""

    annotators: tuple[int, int] | None
    """Their accounts; None for all items that two have judged, whoever they were."""
    items: int
    observed: float | None
    """The share of items on which they agree; None without items."""
    kappa: float | None
    """None if it is undefined: without items, or if both say the same of all."""


class AnswerAgreement(NamedTuple):
    """How far all annotators agree."""

    overall: AnnotatorAgreement
    """Of all items that two have judged; the kappa is that of the one whose account is older and the other."""
    alpha: float | None
    """Krippendorff's alpha of the same judgments, which does not depend on who is which."""
    pairs: list[AnnotatorAgreement]


def measure_annotator_agreement(judgments: Iterable[Sequence[ItemJudgment]]) -> AnswerAgreement:
    """Measure the agreement of annotators; ``judgments`` has all those of each item."""
    by_pair: dict[tuple[int, int], list[tuple[Hashable, Hashable]]] = defaultdict(list)
    for own in judgments:
        counted = sorted(list_counted(own)[:_COMPARED], key=lambda judgment: judgment.annotator)
        if len(counted) == _COMPARED:
            one, other = counted
            by_pair[one.annotator, other.annotator].append((one.says, other.says))
    together = [said for pair in by_pair.values() for said in pair]
    numbers: dict[Hashable, int] = {}
    units = [[numbers.setdefault(says, len(numbers)) for says in said] for said in together]
    return AnswerAgreement(
        _measure(None, together),
        compute_alpha(units, lambda one, other: float(one != other)),
        [_measure(pair, said) for pair, said in sorted(by_pair.items())],
    )


def _measure(pair: tuple[int, int] | None, said: Sequence[tuple[Hashable, Hashable]]) -> AnnotatorAgreement:
    observed = sum(one == other for one, other in said) / len(said) if said else None
    return AnnotatorAgreement(pair, len(said), observed, compute_kappa(said))


def compute_kappa(said: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Compute Cohen's kappa of what two annotators said of the same items; None if it is undefined.

    >>> compute_kappa([("accept", "accept")] * 20 + [("accept", "reject")] * 5 + [("reject", "accept")] * 10 + [("reject", "reject")] * 15)
    0.4
    """
    first, second = Counter(one for one, _ in said), Counter(other for _, other in said)
    total = len(said) ** 2
    # Whole numbers until the end: nearly all agreement may be expected by chance.
    chance = sum(count * second[says] for says, count in first.items())
    agreeing = sum(one == other for one, other in said) * len(said)
    return (agreeing - chance) / (total - chance) if total > chance else None
