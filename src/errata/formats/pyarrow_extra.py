"""The optional package pyarrow, which reads Parquet, zstd and text columns."""

from __future__ import annotations

from errata.errors import RequestError


def require_pyarrow(what: str) -> None:
    """Raise :class:`RequestError` if pyarrow is not installed; ``what`` needs it."""
    try:
        import pyarrow as pa  # noqa: F401
    except ModuleNotFoundError:
        raise RequestError(f"{what} needs pyarrow, which is not installed: pip install 'errata[parquet]'") from None
