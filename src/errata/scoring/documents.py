"""The score of each document of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from errata.scoring.scores import Result
from errata.stats.resampling import group_documents

if TYPE_CHECKING:
    from errata.scoring.scores import Score


@dataclass(frozen=True)
class DocumentScore(Result):
    """The score of one document, against the references that were chosen for its sentences in the whole corpus."""

    document: str
    sentences: int
    """How many sentences it has."""


def score_documents(score: Score) -> list[DocumentScore]:
    """Compute the score of each document, in the order of the corpus; their counts add up to those of the corpus.

    >>> import errata
    >>> files = [f"examples/multigec/{name}.md" for name in ("source", "reference1", "careful")]
    >>> gold = errata.read(files[0], references=[files[1]])
    >>> score = errata.score(gold, errata.read_system(files[2], gold=gold), "maxmatch")
    >>> [(item.document, round(item.value, 3)) for item in score_documents(score)]
    [('1', 0.833), ('2', 0.714), ('3', 0.833)]
    """
    evidence = score.evidence
    strategy, result = evidence.strategy, []
    for numbers in group_documents(evidence.corpus):
        rows = tuple(evidence.rows[number] for number in numbers)
        chosen = None if evidence.chosen is None else tuple(evidence.chosen[number] for number in numbers)
        counts, value = strategy.counts(rows, chosen), strategy.value(score.metric, rows, chosen)
        document = evidence.corpus[numbers[0]].document
        result.append(DocumentScore(score.metric, score.system_name, counts, value, document, len(numbers)))
    return result
