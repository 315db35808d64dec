"""Parts of speech behind a small protocol, so that no score depends on a model without saying which.

A tagger gives every token a tag of the Penn Treebank.  Its name and version are part of the signature of what is made with it.
Installed packages offer taggers in the entry point group ``errata.taggers``.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Protocol

from errata.errors import RequestError, UsageError
from errata.language.spacy_models import load_pipeline
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Tokens

Tags = tuple[str, ...]


class Tagger(Protocol):
    """Gives tokens their parts of speech."""

    @property
    def name(self) -> str:
        """Name and version, for signatures."""

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """The tags of the tokens of each sentence."""


class TextBlobTagger:
    """The lexicon and rules of TextBlob, which come inside its package."""

    def __init__(self) -> None:
        from importlib.metadata import version

        from textblob import en

        self._tag = en.tag
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # it forgets to close the files of its lexicon
            self._tag("The lexicon is read now .", tokenize=False)
        self.name = f"textblob {version('textblob')}"

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """The tags of the tokens of each sentence."""
        return [self._tags(tokens) for tokens in sentences]

    def _tags(self, tokens: Tokens) -> Tags:
        tagged = self._tag(" ".join(tokens), tokenize=False)
        if len(tagged) != len(tokens):  # a token that it cuts or drops: each on its own then
            return tuple((self._tag(token, tokenize=False) or [(token, "NN")])[0][1] for token in tokens)
        return tuple(tag for _, tag in tagged)


class SpacyTagger:
    """A spaCy pipeline that is installed as a package."""

    def __init__(self, model: str | None = None) -> None:
        self._pipeline, self.name = load_pipeline("tagger", model, ["parser", "ner", "lemmatizer"])

    def tag(self, sentences: Sequence[Tokens]) -> list[Tags]:
        """The tags of the tokens of each sentence."""
        from spacy.tokens import Doc

        documents = (Doc(self._pipeline.vocab, words=list(tokens)) for tokens in sentences)
        return [tuple(token.tag_ for token in document) for document in self._pipeline.pipe(documents)]


def make_textblob(what: str) -> Tagger:
    """TextBlob, which has one lexicon only."""
    if what:
        raise UsageError(f"textblob has nothing to choose, found textblob:{what}")
    return TextBlobTagger()


def make_spacy(what: str) -> Tagger:
    """The pipeline that is named behind ``spacy:``, or a small English one."""
    return SpacyTagger(what or None)


TAGGERS: Plugins[Callable[[str], Tagger]] = Plugins("tagger", check_function)
"""All taggers by name: functions that get what the user wrote behind the name and give a tagger."""


def find_tagger(text: str) -> Tagger:
    """The tagger that a text names: ``NAME`` or ``NAME:WHAT``, such as ``textblob`` or ``spacy:MODEL``.

    >>> find_tagger("textblob").tag([("She", "sings", ".")])
    [('PRP', 'VBZ', '.')]
    """
    name, _, what = text.partition(":")
    make = TAGGERS.find(name)
    made = TAGGERS.run(name, lambda: make(what))
    if not (hasattr(made, "tag") and isinstance(getattr(made, "name", None), str)):
        raise RequestError(f"the tagger {name!r} of {TAGGERS.package(name)} gives no tagger, which has a name and tags sentences")
    return made  # type: ignore[no-any-return]
