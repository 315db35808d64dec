"""Parsed sentences: records of tokens, analysers that make them, spans, and how signatures name them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from errata.errors import ErrataError, InputError, MismatchError, RequestError, pluralise
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.texts import Tokens


class Span(NamedTuple):
    """Tokens of the source, and the tokens of the target that replace them; an operation of an alignment is one, too.

    >>> span = Span(1, 2, 1, 3)
    >>> "I likes cake".split()[slice(*span[:2])], "I do like cake".split()[slice(*span[2:])]
    (['likes'], ['do', 'like'])
    """

    start: int
    end: int
    target_start: int
    target_end: int

    def through(self, last: Span) -> Span:
        """Join it with a later span and all between them.

        >>> Span(1, 2, 1, 1).through(Span(2, 2, 1, 3))
        Span(start=1, end=2, target_start=1, target_end=3)
        """
        return Span(self.start, last.end, self.target_start, last.target_end)


@dataclass(frozen=True)
class Parse:
    """A parsed sentence; each field has one value for each token.

    >>> parse = Parse(("He", "sings"), ("he", "sing"), ("PRON", "VERB"), ("PRP", "VBZ"), (1, 1), ("nsubj", "ROOT"))
    >>> parse.lower, parse.children[1]
    (('he', 'sings'), (0,))
    """

    forms: Tokens
    lemmas: Tokens
    pos: Tokens = field(repr=False)
    """Universal parts of speech."""
    tags: Tokens = field(repr=False)
    """Tags of the Penn Treebank."""
    heads: tuple[int, ...] = field(repr=False)
    """The index of the head of each token, from 0; a root is its own head."""
    deps: Tokens = field(repr=False)
    """Dependency labels, as in spaCy's English models."""

    def __post_init__(self) -> None:
        size = len(self.forms)
        if not size == len(self.lemmas) == len(self.pos) == len(self.tags) == len(self.heads) == len(self.deps):
            name = next(name for name in ("lemmas", "pos", "tags", "heads", "deps") if len(getattr(self, name)) != size)
            found = len(getattr(self, name))
            raise InputError(f"a parse must have a value for each token: expected {size} {name}, found {found}")
        if size and not 0 <= min(self.heads) <= max(self.heads) < size:
            raise InputError(f"the head of a token must be one of its {pluralise(size, 'token')}")

    @cached_property
    def lower(self) -> Tokens:
        """The forms in lower case."""
        return tuple(map(str.lower, self.forms))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the dependents of each token, in order."""
        found: list[list[int]] = [[] for _ in self.forms]
        for index, head in enumerate(self.heads):
            if head != index:
                found[head].append(index)
        return tuple(map(tuple, found))


# Analysers: what gives tokens their lemmas, parts of speech and heads.
# The name and version of an analyser are part of signatures, so that a score names the model it depends on.
# Installed packages add analysers in the entry point group ``errata.analysers``: a function that takes the text after ``NAME:`` and
# returns an analyser.

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


INSTALL_ERRANT = "pip install 'errata[errant]'"
HASH_DIGITS = 8
"""Digits of a hash that are shown."""
