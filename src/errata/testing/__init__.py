"""The laws that every metric keeps, for tests of other people's metrics.

>>> from errata.testing import check_metric
>>> check_metric("accuracy")["rows do not depend on how sentences are batched"]
''
"""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
