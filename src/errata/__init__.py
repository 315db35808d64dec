"""errata evaluates grammatical error correction and detection.

>>> import errata
>>> gold = errata.read("examples/learner.m2")
>>> errata.score(gold, errata.read_system("examples/systems/eager.txt")).value
0.655...
"""

from typing import TYPE_CHECKING

from errata.lazy import offered
from errata.version import __version__

if TYPE_CHECKING:
    from errata.corpus import Annotation, Corpus, Edit, Sentence, System
    from errata.errors import ErrataError, FormatError, InputError, InputWarning, MismatchError, RequestError, UsageError
    from errata.formats import extract_edits, read, read_system, write
    from errata.graphs import GraphBank, read_graphs, write_graphs
    from errata.metrics import METRICS, Metric, metric
    from errata.metrics.distsim import DistSim
    from errata.metrics.exact import Accuracy, IndexMatch
    from errata.metrics.hoo import Hoo
    from errata.metrics.imeasure.metric import IMeasure
    from errata.metrics.maxmatch import MaxMatch
    from errata.metrics.uccasim import UccaSim
    from errata.scoring import Evaluator, Evidence, Score, SentenceScore, score
    from errata.stats.accuracy import Matches
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.comparison import Comparison, compare
    from errata.stats.correlation import Correlation, correlation
    from errata.stats.intervals import Interval, intervals

__all__ = [
    "METRICS",
    "Accuracy",
    "Annotation",
    "Bootstrap",
    "Comparison",
    "Corpus",
    "Correlation",
    "DistSim",
    "Edit",
    "ErrataError",
    "Evaluator",
    "Evidence",
    "FormatError",
    "GraphBank",
    "Hoo",
    "IMeasure",
    "IndexMatch",
    "InputError",
    "InputWarning",
    "Interval",
    "Matches",
    "MaxMatch",
    "Metric",
    "MismatchError",
    "RequestError",
    "Score",
    "Sentence",
    "SentenceScore",
    "System",
    "UccaSim",
    "UsageError",
    "__version__",
    "compare",
    "correlation",
    "extract_edits",
    "intervals",
    "metric",
    "read",
    "read_graphs",
    "read_system",
    "score",
    "write",
    "write_graphs",
]

if not TYPE_CHECKING:  # who checks types sees the imports above
    __getattr__, __dir__ = offered(
        __name__,
        {
            "corpus": "Annotation Corpus Edit Sentence System",
            "errors": "ErrataError FormatError InputError InputWarning MismatchError RequestError UsageError",
            "formats": "extract_edits read read_system write",
            "graphs": "GraphBank read_graphs write_graphs",
            "metrics": "METRICS Metric metric",
            "metrics.distsim": "DistSim",
            "metrics.exact": "Accuracy IndexMatch",
            "metrics.hoo": "Hoo",
            "metrics.imeasure.metric": "IMeasure",
            "metrics.maxmatch": "MaxMatch",
            "metrics.uccasim": "UccaSim",
            "scoring": "Evaluator Evidence Score SentenceScore score",
            "stats": "Bootstrap Comparison Correlation Interval Matches compare correlation intervals",
        },
    )
