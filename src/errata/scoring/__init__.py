"""From a corpus, a system and a metric to evidence, and from evidence to scores, of all edits and of each type."""

from errata.evidence import Evidence
from errata.scoring.evaluator import Evaluator, Hypotheses, Progress, as_system, gather, score
from errata.scoring.scores import Score, SentenceScore, signature

__all__ = ["Evaluator", "Evidence", "Hypotheses", "Progress", "Score", "SentenceScore", "as_system", "gather", "score", "signature"]
