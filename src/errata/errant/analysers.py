"""Analysers: what gives tokens their lemmas, parts of speech and heads.

The name and version of an analyser are part of signatures, so that a score names the model it depends on.
Installed packages add analysers in the entry point group ``errata.analysers``: a function that takes the text after ``NAME:`` and
returns an analyser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from errata.errant.records import Parse
from errata.errors import ErrataError, MismatchError, RequestError, pluralise
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.texts import Tokens

DEFAULT_ANALYSER = "spacy"
_VALUES = ("lemmas", "pos", "tags", "deps")
_MOST_SHOWN = 60


class Analyser(Protocol):
    """Analyses tokenised sentences."""

    @property
    def name(self) -> str:
        """Name and version, for signatures; analysers with the same name give the same result."""

    def analyse(self, sentences: Sequence[Tokens]) -> Iterable[Parse]:
        """Parse sentences, in order; a generator lets others see how far it is."""


ANALYSERS: Plugins[Callable[[str], Analyser]] = Plugins("analyser", check_function)
"""All analysers by name: functions that take the text after ``NAME:`` and return an analyser."""


def find_analyser(text: str = DEFAULT_ANALYSER) -> Analyser:
    """Find an analyser: ``NAME`` or ``NAME:ARGUMENT``, such as ``spacy`` or ``spacy:MODEL``.

    >>> find_analyser("magic")
    Traceback (most recent call last):
    ...
    errata.errors.UsageError: unknown analyser 'magic'; choose from spacy
    """
    name, _, what = text.partition(":")
    make = ANALYSERS.find(name)
    made = ANALYSERS.run(name, lambda: make(what))
    own = getattr(made, "name", None)
    if not (hasattr(made, "analyse") and isinstance(own, str) and own.isprintable() and own.strip()):
        raise RequestError(f"the analyser {name!r} of {ANALYSERS.package(name)} is not an analyser: it needs a name and analyse()")
    return made  # type: ignore[no-any-return]


def analyse_sentences(analyser: Analyser, sentences: Sequence[Tokens]) -> Iterator[Parse]:
    """Parse sentences one by one, and check that each parse has the tokens of its sentence and a value for each."""
    number = 0
    for parse in _run(analyser, sentences):
        if not isinstance(parse, Parse):
            raise RequestError(f"the analyser {analyser.name} must give parses, found {type(parse).__name__}")
        if number == len(sentences):
            raise MismatchError(f"the analyser {analyser.name} gave more parses than the {pluralise(number, 'sentence')} it was given")
        tokens = sentences[number]
        if parse.forms != tokens:
            raise MismatchError(f"the analyser {analyser.name} must keep the tokens: expected {quote(tokens)}, found {quote(parse.forms)}")
        for what in _VALUES:
            if not all(getattr(parse, what)):
                lacking = tokens[getattr(parse, what).index("")]
                raise RequestError(f"the analyser {analyser.name} gave no {what} to the token {lacking!r} of {quote(tokens)}")
        number += 1
        yield parse
    if number < len(sentences):
        raise MismatchError(f"the analyser {analyser.name} gave {pluralise(number, 'parse')} for {pluralise(len(sentences), 'sentence')}")


def _run(analyser: Analyser, sentences: Sequence[Tokens]) -> Iterator[Parse]:
    try:
        yield from analyser.analyse(sentences)
    except (ErrataError, MemoryError):
        raise
    except Exception as error:  # any error in code of others
        raise RequestError(f"the analyser {analyser.name} failed: {type(error).__name__}: {error}") from error


def quote(tokens: Tokens) -> str:
    """Quote the beginning of a sentence, for messages.

    >>> quote(("He", "sings", "."))
    "'He sings .'"
    """
    text = " ".join(tokens)
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...")
