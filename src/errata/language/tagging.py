"""Part-of-speech taggers.

A tagger gives every token a tag of the Penn Treebank.  Its name and version are part of signatures, so that a score names the model
it depends on.  Installed packages add taggers in the entry point group ``errata.taggers``.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Protocol

from errata.errors import RequestError, UsageError
from errata.language.spacy_models import load_pipeline
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens

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

        from errata.language.textblob_english import import_english

        self._tag = import_english().tag
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # TextBlob does not close the files of its lexicon
            self._tag("The lexicon is read now .", tokenize=False)
        self.name = f"textblob {version('textblob')}"

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """Tag the tokens of each sentence."""
        return [self._tags(tokens) for tokens in sentences]

    def _tags(self, tokens: Tokens) -> Tags:
        tagged = self._tag(" ".join(tokens), tokenize=False)
        if len(tagged) != len(tokens):  # TextBlob split or dropped a token, so each is tagged alone
            return tuple((self._tag(token, tokenize=False) or [(token, "NN")])[0][1] for token in tokens)
        return tuple(tag for _, tag in tagged)


class SpacyTagger:
    """A spaCy pipeline that is installed as a package."""

    def __init__(self, model: str | None = None) -> None:
        self._pipeline, self.name = load_pipeline("tagger", model, ["parser", "ner", "lemmatizer"])

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """Tag the tokens of each sentence."""
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
    return SpacyTagger(what or None)


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
