"""Where work is done: in this thread, in threads, in processes or on a Dask cluster.  Results do not depend on it."""

from errata.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
