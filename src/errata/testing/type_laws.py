"""Laws that hold for every system of error types, for tests of systems in other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.corpus import extract_edits, to_tokens
from errata.corpus.parses import Span
from errata.language.types import TypeSystem, find_type_system
from errata.testing.laws import BrokenLawError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.texts import Tokens

_Pair = tuple["Tokens", "Tokens"]
_SAMPLES = (
    ("She like cake .", "She likes cake ."),
    ("We walk in park", "We walked in the park ."),
    ("Nothing is wrong here .", "Nothing is wrong here ."),
    ("I can can swim .", "I can swim ."),
    ("Він пішов до школа .", "Він ходив до школи ."),
    ("我 喜 欢 吃 平 果 。", "我 喜 欢 吃 苹 果 。"),
    ("", "Everything was missing ."),
    ("Everything is unnecessary .", ""),
)
"""Sentences with their corrections; a system gives every edit a type, or none, whatever the language."""


def check_types(system: str | TypeSystem, pairs: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Check that a system keeps the laws, on samples and on your own sentences with corrections; return the laws.

    The first broken law raises a ``BrokenLawError``.

    >>> check_types("nucle")[0]
    'it has a name, a language and types with meanings'
    """
    found = find_type_system(system) if isinstance(system, str) else system
    texts = [(to_tokens(source), to_tokens(target)) for source, target in (*_SAMPLES, *pairs)]
    spans = [_find_spans(*pair) for pair in texts]
    laws: dict[str, Callable[[], str]] = {
        "it has a name, a language and types with meanings": lambda: _describe(found),
        "every edit has one type, in order": lambda: _count(found, texts, spans),
        "every type has a meaning": lambda: _explain(found, texts, spans),
        "no edits have no types": lambda: "" if list(map(list, found.types(texts, [[] for _ in texts]))) == [[] for _ in texts] else "some",
        "types do not depend on what else is asked for": lambda: _ask_alone(found, texts, spans),
    }
    for law, check in laws.items():
        if broken := check():
            raise BrokenLawError(f"{law}: {broken}")
    return list(laws)


def _find_spans(source: Tokens, target: Tokens) -> list[Span]:
    shift = 0
    spans = []
    for edit in extract_edits(source, target):
        size = len(edit.corrections[0].split())
        spans.append(Span(edit.start, edit.end, edit.start + shift, edit.start + shift + size))
        shift += size - (edit.end - edit.start)
    return spans


def _describe(system: TypeSystem) -> str:
    if not (isinstance(system.name, str) and system.name):
        return f"found the name {system.name!r:.40}"
    if not isinstance(system.language, str):
        return f"found the language {system.language!r:.40}"
    if not system.meanings:
        return "found no types"
    without = [
        name for name, meaning in system.meanings.items() if not (isinstance(name, str) and name and isinstance(meaning, str) and meaning)
    ]
    return f"found {without[0]!r:.40} without a meaning" if without else ""


def _count(system: TypeSystem, texts: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> str:
    found = [len(own) for own in system.types(texts, spans)]
    expected = [len(own) for own in spans]
    return "" if found == expected else f"found {found} types for {expected} edits"


def _explain(system: TypeSystem, texts: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> str:
    unknown = [name for own in system.types(texts, spans) for name in own if name != "" and name not in system.meanings]
    return f"found {unknown[0]!r:.40}, which has none" if unknown else ""


def _ask_alone(system: TypeSystem, texts: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> str:
    together = [list(own) for own in system.types(texts, spans)]
    alone = [list(next(iter(system.types([pair], [own])))) for pair, own in zip(texts, spans, strict=True)]
    backwards = [list(own) for own in system.types(texts[::-1], spans[::-1])][::-1]
    different = next((index for index, own in enumerate(together) if own != alone[index] or own != backwards[index]), None)
    return "" if different is None else f"found {together[different]} together, {alone[different]} alone, {backwards[different]} in reverse"
