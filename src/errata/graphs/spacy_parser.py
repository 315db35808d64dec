"""Dependency trees of spaCy as graphs; the parser is registered by an entry point, like those of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus.graphs import Edge, Graph, Unit
from errata.language.spacy_models import load_pipeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens

_PUNCTUATION = "punct"


class SpacyParser:
    """Parses sentences; every word becomes a unit that spans its subtree."""

    def __init__(self, model: str | None = None) -> None:
        self._pipeline, self.name = load_pipeline("parser", model, ["ner", "lemmatizer"])

    def __call__(self, sentences: Sequence[Tokens]) -> list[Graph]:
        """Parse sentences; the pipeline must not split them."""
        from spacy.tokens import Doc

        documents = (
            Doc(self._pipeline.vocab, words=list(tokens), sent_starts=[True, *[False] * (len(tokens) - 1)])
            for tokens in sentences
            if tokens
        )
        parsed = iter(self._pipeline.pipe(documents))
        return [
            _graph(next(parsed), str(number)) if tokens else Graph("", (), (), (), "ud") for number, tokens in enumerate(sentences, start=1)
        ]


def _graph(document: Any, name: str) -> Graph:
    units = [Unit("0", kind="root")]
    edges = []
    for position, token in enumerate(document, start=1):
        units.append(Unit(str(position), (token.i,), "punctuation" if token.dep_ == _PUNCTUATION else "unit", label=token.text))
        edges.append(Edge(0 if token.head.i == token.i else token.head.i + 1, position, (token.dep_,)))
    marks = frozenset(position for unit in units if unit.kind == "punctuation" for position in unit.anchors)
    return Graph(name, tuple(token.text for token in document), tuple(units), tuple(edges), "ud", marks)


def make_parser(model: str) -> SpacyParser:
    """Make the parser of the entry point: ``spacy`` or ``spacy:MODEL``."""
    return SpacyParser(model or None)
