"""Parses of spaCy, which is imported when the first sentence is parsed; the analyser is registered by an entry point."""

from __future__ import annotations

import warnings
from sys import intern
from typing import TYPE_CHECKING, Any

from errata.corpus.parses import INSTALL_ERRANT, Parse
from errata.errors import RequestError
from errata.language.spacy_models import SPACY_MODELS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.texts import Tokens

_UNUSED = ["ner", "senter"]
"""What parses do not depend on.  Lemmas depend on all the rest: on parts of speech, which depend on tags and dependencies."""
_BATCH = 256


class SpacyAnalyser:
    """A spaCy pipeline that is installed as a package; by default the small English one that ERRANT uses."""

    def __init__(self, model: str | None = None) -> None:
        from importlib.util import find_spec

        if find_spec("spacy") is None:
            raise RequestError(f"the analyser spacy needs spaCy: {INSTALL_ERRANT}")
        wanted = (model,) if model is not None else SPACY_MODELS
        found = next(((name, version) for name in wanted if (version := _find_version(name)) is not None), None)
        if found is None:
            advice = "install it as a package" if model is not None else INSTALL_ERRANT
            raise RequestError(f"spaCy has no model {' or '.join(wanted)}: {advice}, or choose another (spacy:MODEL)")
        self._model, version = found
        known_as = SPACY_MODELS[0] if self._model in SPACY_MODELS else self._model
        self.name = f"spacy {_find_version('spacy')} {known_as} {version}"
        """The versions of spaCy and of the model; a model has one name, whichever package it comes from."""
        self._pipeline: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the pipeline, which is loaded again where it is needed."""
        return {**vars(self), "_pipeline": None}

    def analyse(self, sentences: Sequence[Tokens]) -> Iterator[Parse]:
        """Parse sentences in batches; those of one length together are fastest."""
        pipeline = self._load()
        from spacy.tokens import Doc

        for tokens in sentences:
            _check(tokens, pipeline.max_length)
        documents = (Doc(pipeline.vocab, words=list(tokens)) for tokens in sentences)  # every token is followed by a space
        for tokens, document in zip(sentences, pipeline.pipe(documents, batch_size=_BATCH), strict=True):
            yield Parse(
                tokens,
                tuple(intern(token.lemma_) for token in document),
                tuple(token.pos_ for token in document),
                tuple(token.tag_ for token in document),
                tuple(token.head.i for token in document),
                tuple(token.dep_ for token in document),
            )

    def _load(self) -> Any:
        if self._pipeline is None:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a model of another version than spaCy: the name has both
                    import spacy

                    self._pipeline = spacy.load(self._model, exclude=_UNUSED)
            except MemoryError:
                raise
            except Exception as error:  # what a model of another version raises is not documented
                raise RequestError(f"{self.name} cannot be loaded: {type(error).__name__}: {error}") from error
        return self._pipeline


def _find_version(package: str) -> str | None:
    """Find the version of an installed package without importing it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except (PackageNotFoundError, ValueError):  # not installed, or no name of a package
        return None


def _check(tokens: Tokens, most: int) -> None:
    """Refuse what spaCy cannot parse, or not in reasonable memory."""
    length = sum(map(len, tokens)) + len(tokens)
    if length > most:
        raise RequestError(f"spaCy parses sentences of at most {most:,} characters, found {length:,}: {' '.join(tokens)[:60]!r}...")
    try:
        "".join(tokens).encode()
    except UnicodeEncodeError as error:
        raise RequestError(f"spaCy cannot parse a text that is not valid Unicode: {error.object[error.start : error.end]!r}") from None
    if "" in tokens:
        raise RequestError(f"spaCy cannot parse an empty token: {tokens!r:.100}")


def make_analyser(model: str) -> SpacyAnalyser:
    """Make the analyser of the entry point: ``spacy`` or ``spacy:MODEL``."""
    return SpacyAnalyser(model or None)
