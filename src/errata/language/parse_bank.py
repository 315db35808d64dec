"""Parsed sentences by their tokens: each is parsed once, for all systems and metrics."""

from __future__ import annotations

import hashlib
import warnings
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from sys import intern
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from errata.corpus.corpus import to_tokens
from errata.corpus.parses import (
    DEFAULT_ANALYSER,
    HASH_DIGITS,
    INSTALL_ERRANT,
    Parse,
    analyse_sentences,
    find_analyser,
    quote,
)
from errata.errors import MismatchError, RequestError, UsageError, pluralise
from errata.formats.parses import EMPTY_PARSE, SentenceLines, read_parses, write_blocks
from errata.language.tagging import SPACY_MODELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from os import PathLike

    from errata.corpus.parses import Analyser
    from errata.corpus.texts import Tokens
    from errata.formats.parses import ParseFile


_MOST_REMEMBERED = 2_000_000
"""Tokens of the sentences that a bank remembers, about 0.4 GB; twelve systems of CoNLL-2014 have 190,000 that must be parsed."""


class _ParsingProgress(Protocol):
    """Shows how far long work is."""

    def advance(self, steps: int) -> None:
        """Count finished steps."""


class ParseBank:
    """Finds the parses of sentences: in files, else by an analyser, which is asked once for all that is missing.

    ``analyser`` is an analyser, or its name as for :func:`~errata.corpus.parses.find_analyser`; the default is spaCy, which is
    loaded when it is needed.  ``files`` have parses; ``keep`` is a file that has some too if it exists, and to which :meth:`save`
    adds the others.  Files that name another analyser are refused; if no analyser is given, the files say which it must be.
    Two banks are equal if they have the same analyser and files with the same content.

    >>> from errata.corpus.parses import Parse
    >>> class Nouns:
    ...     name = "nouns 1.0"
    ...
    ...     def analyse(self, sentences):
    ...         for tokens in sentences:
    ...             yield Parse(tokens, tokens, ("NOUN",) * len(tokens), ("NN",) * len(tokens), (0,) * len(tokens), ("dep",) * len(tokens))
    >>> bank = ParseBank(Nouns())
    >>> bank.find([("Cats", "sleep")]), bank.name
    ([Parse(forms=('Cats', 'sleep'), lemmas=('Cats', 'sleep'))], 'nouns 1.0')
    """

    progress: Callable[[int], AbstractContextManager[_ParsingProgress]] | None = None
    """Called with the number of sentences before they are parsed; what it returns counts them."""

    def __init__(
        self, analyser: Analyser | str | None = None, files: Iterable[str | PathLike[str]] = (), keep: str | PathLike[str] | None = None
    ) -> None:
        if isinstance(files, str):
            raise UsageError(f"files of parses must be a list, found a string: {files!r}")
        self._lock = RLock()
        self._known: dict[Tokens, Parse] = {}
        self._remembered = 0
        self._analyser = find_analyser(analyser) if isinstance(analyser, str) else analyser
        self._is_given = analyser is not None
        self._keep = None if keep is None else str(keep)
        self._new: dict[str, SentenceLines] = {}
        """What has been parsed and will be kept, by the tokens separated by spaces."""
        self._saved = 0
        self._files: list[ParseFile] = [read_parses(path) for path in files]
        if self._keep == "-":
            raise UsageError("parses cannot be kept in standard input; expected a file")
        self._kept = read_parses(self._keep) if self._keep is not None and _has_content(self._keep) else None
        if self._kept is not None:
            self._files.append(self._kept)
        self._named_by_files = self._check_files()

    def _check_files(self) -> str | None:
        """Refuse parses of different analysers; return the name that the files have."""
        if not self._files:
            return None
        first = self._files[0]
        for file in self._files[1:]:
            if file.analyser != first.analyser:
                raise MismatchError(
                    f"{first.path} has parses of {_describe(first)}, {file.path} of {_describe(file)}; expected one analyser"
                )
        if self._analyser is not None and self._analyser.name != first.analyser:
            raise MismatchError(
                f"{first.path} has parses of {_describe(first)}, which cannot be combined with those of {self._analyser.name}"
            )
        for file in self._files:
            self._check_parses(file)
        if first.analyser is not None:
            return first.analyser
        return f"parses {_combine(file.digest for file in self._files)}"

    def _check_parses(self, file: ParseFile) -> None:
        """Refuse a file with another parse of a sentence than an earlier one."""
        for earlier in self._files[: self._files.index(file)]:
            for text in earlier.blocks.keys() & file.blocks.keys():
                tokens = tuple(text.split())
                if earlier.blocks[text].text != file.blocks[text].text and earlier.find(tokens) != file.find(tokens):
                    raise MismatchError(f"{file.path}:{file.blocks[text].line}: another parse of {quote(tokens)} than in {earlier.path}")

    @property
    def name(self) -> str:
        """Name and version of the analyser, for signatures; a hash of the parses if no analyser is named."""
        return self._named_by_files or self._find_analyser().name

    def _find_analyser(self) -> Analyser:
        if self._analyser is None:
            self._analyser = find_analyser(DEFAULT_ANALYSER)
        return self._analyser

    def find(self, sentences: Sequence[Tokens]) -> list[Parse]:
        """Find the parses of some sentences; unknown ones are parsed, each once."""
        wanted = [tokens if type(tokens) is tuple else to_tokens(tokens) for tokens in sentences]
        with self._lock:  # threads must not parse a sentence twice
            found = {tokens: self._look_up(tokens) for tokens in dict.fromkeys(wanted)}
            missing = [tokens for tokens, parse in found.items() if parse is None]
            if missing:
                found.update(self._parse(missing))
            self._remember(found)  # type: ignore[arg-type]  # none is missing now
            return [found[tokens] for tokens in wanted]  # type: ignore[misc]

    def _look_up(self, tokens: Tokens) -> Parse | None:
        if not tokens:
            return EMPTY_PARSE
        if (known := self._known.get(tokens)) is not None:
            return known
        text = " ".join(tokens)
        if (block := self._new.get(text)) is not None:
            return block.parse_own(self._keep or "", tokens)
        for file in self._files:
            if (parse := file.find(tokens, text)) is not None:
                return parse
        return None

    def _parse(self, sentences: list[Tokens]) -> dict[Tokens, Parse]:
        analyser = self._find_analyser_for(sentences)
        sentences = sorted(sentences, key=len)  # sentences of one length are parsed fastest together
        parsed: dict[Tokens, Parse] = {}
        with nullcontext() if self.progress is None else self.progress(len(sentences)) as bar:
            for parse in analyse_sentences(analyser, sentences):
                if self._keep is not None:
                    self._new[" ".join(parse.forms)] = SentenceLines(0, SentenceLines.format(parse))
                parsed[parse.forms] = parse
                if bar is not None:
                    bar.advance(1)
        return parsed

    def _find_analyser_for(self, sentences: list[Tokens]) -> Analyser:
        """Find the analyser of sentences that no file has: it must be the one of the files."""
        if not self._files:
            return self._find_analyser()
        names = " and ".join(file.path for file in self._files)
        lacking = f"{names}: no parse of {pluralise(len(sentences), 'sentence')}, such as {quote(sentences[0])}"
        if self._files[0].analyser is None:
            raise MismatchError(f"{lacking}; files that do not name their analyser must have all sentences")
        try:
            analyser = self._find_analyser()
        except RequestError as error:
            raise RequestError(f"{lacking}; {error}") from None
        if analyser.name != self._files[0].analyser:
            raise MismatchError(
                f"{lacking}, and {analyser.name} cannot add parses to those of {self._files[0].analyser}; "
                "choose the same analyser and version (--analyser), or another file"
            )
        return analyser

    def _remember(self, parses: dict[Tokens, Parse]) -> None:
        """Remember parses as those used last; those used first are dropped if there are too many."""
        for tokens, parse in parses.items():
            if self._known.pop(tokens, None) is None:
                self._remembered += len(tokens)
            self._known[tokens] = parse
        while self._remembered > _MOST_REMEMBERED:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._remembered -= len(oldest)

    def save(self) -> int:
        """Add what has been parsed to the file of ``keep``, in full or not at all; return the number of new sentences."""
        with self._lock:
            added = len(self._new) - self._saved
            if self._keep is not None and added:
                old = self._kept.blocks.values() if self._kept is not None else ()
                write_blocks(self._keep, self.name, (block.text for block in (*old, *self._new.values())))
                self._saved = len(self._new)
            return added

    @property
    def _content(self) -> tuple[str, ...]:
        """What equal banks have in common."""
        return (self._analyser.name if self._analyser is not None and self._is_given else "", *(file.digest for file in self._files))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ParseBank) and self._content == other._content)

    def __hash__(self) -> int:
        return hash(self._content)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what cannot be pickled: the lock, and how progress is shown."""
        return {name: value for name, value in vars(self).items() if name not in {"_lock", "progress"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=RLock())


@cache
def default_bank() -> ParseBank:
    """Return the bank that is used if none is given, so that all metrics share what is parsed."""
    return ParseBank()


def _has_content(path: str) -> bool:
    """Tell whether there is a file; an empty one has nothing to be read."""
    return Path(path).exists() and not (Path(path).is_file() and Path(path).stat().st_size == 0)


def _describe(file: ParseFile) -> str:
    return file.analyser or "an analyser that it does not name"


def _combine(digests: Iterable[str]) -> str:
    """Combine the hashes of files to a short one."""
    given = list(digests)
    return (given[0] if len(given) == 1 else hashlib.sha256("".join(sorted(given)).encode()).hexdigest())[:HASH_DIGITS]


_UNUSED = ["ner", "senter"]
"""What parses do not depend on.  Lemmas depend on all the rest: on parts of speech, which depend on tags and dependencies."""
_BATCH = 256


class _SpacyAnalyser:
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


def make_analyser(model: str) -> _SpacyAnalyser:
    """Make the analyser of the entry point: ``spacy`` or ``spacy:MODEL``."""
    return _SpacyAnalyser(model or None)
