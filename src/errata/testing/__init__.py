"""The laws that every metric keeps, for tests of other people's metrics.

>>> from errata.testing import check_metric
>>> check_metric("accuracy")["rows do not depend on how sentences are batched"]
''
"""

from errata.testing.laws import LAWS, BrokenLawError, DoesNotApply, Law, check_metric
from errata.testing.samples import sample_corpora, sample_systems, variants

__all__ = ["LAWS", "BrokenLawError", "DoesNotApply", "Law", "check_metric", "sample_corpora", "sample_systems", "variants"]
