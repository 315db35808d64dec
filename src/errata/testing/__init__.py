"""The laws that hold for every metric, for tests of metrics in other packages.

>>> from errata.testing import check_metric
>>> check_metric("accuracy")["rows do not depend on how sentences are batched"]
''
"""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
