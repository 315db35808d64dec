"""Models and word lists: which they are, and whether they give what was recorded."""

from __future__ import annotations

import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from errata.doctor.observations import CheckFailedError, Observation, Section, expect, run_check
from errata.doctor.recorded import load_example, load_numbers, load_parses
from errata.errors import pluralise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.parses import Parse
    from errata.corpus.texts import Tokens

_VALUES = ("lemmas", "pos", "tags", "heads", "deps")
_ERRANT = "errant"


def check_models() -> Section:
    """Ask every model that is installed for what was recorded."""
    observations = [run_check("tags of TextBlob", _check_textblob)]
    words = _find_words()
    observations.append(words)
    if not _is_installed("spacy"):
        observations.append(Observation("parses of spaCy", "not installed: pip install 'errata[errant]'", "missing"))
        return Section("models", "Models", tuple(observations))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of spaCy and its parts
        parses = _find_parses()
        observations.append(parses)
        if words.state == parses.state == "ok":
            observations.append(run_check("edits of ERRANT", _check_edits))
    return Section("models", "Models", tuple(observations))


def tag_example() -> tuple[str, list[list[str]]]:
    """Tag the sources of the example with TextBlob; return the name of the tagger too."""
    from errata.language.tagging import TextBlobTagger

    tagger = TextBlobTagger()
    return tagger.name, [list(tags) for tags in tagger.tag([sentence.tokens for sentence in load_example().gold])]


def parse_example(sentences: Sequence[Tokens]) -> tuple[str, list[Parse]]:
    """Parse sentences with the analyser that ERRANT's numbers are made with; return its name too."""
    from errata.corpus.parses import analyse_sentences, find_analyser

    analyser = find_analyser()
    return analyser.name, list(analyse_sentences(analyser, sentences))


def find_edits() -> list[list[list[Any]]]:
    """Find the edits of the example with parses of spaCy: start, end, type and correction."""
    from errata.language.errant import Extractor
    from errata.language.parse_bank import ParseBank

    example = load_example()
    pairs = [(sentence.tokens, output) for sentence, output in zip(example.gold, example.system.sentences, strict=True)]
    return [[[edit.start, edit.end, edit.type, *edit.corrections] for edit in edits] for edits in Extractor(ParseBank()).edits(pairs)]


def _check_textblob() -> str:
    name, tags = tag_example()
    for number, (sentence, expected, found) in enumerate(zip(load_example().gold, load_numbers()["tags"]["tags"], tags, strict=True), 1):
        _expect_values(f"sentence {number}", sentence.tokens, expected, found, name)
    return f"{name}: {pluralise(sum(map(len, tags)), 'tag')} as recorded"


def _find_words() -> Observation:
    from errata.language.types import find_word_list

    if not _is_installed(_ERRANT):
        return Observation("word list of ERRANT", "not installed: pip install 'errata[errant]'", "missing")

    def check() -> str:
        words = find_word_list()
        expect(f"hash of the word list of errant {version(_ERRANT)}", load_numbers()["word_list"]["hash"], words.fingerprint)
        return f"errant {version(_ERRANT)}, {pluralise(len(words), 'word')}, {words.fingerprint} as recorded"

    return run_check("word list of ERRANT", check)


def _find_parses() -> Observation:
    from errata.language.tagging import SPACY_MODELS

    if not any(map(_is_installed, SPACY_MODELS)):
        return Observation("parses of spaCy", "spaCy has no English model: pip install 'errata[errant]'", "missing")
    return run_check("parses of spaCy", _check_parses)


def _check_parses() -> str:
    expected = load_parses()
    name, found = parse_example([parse.forms for parse in expected])
    recorded = load_numbers()["parses"]["analyser"]
    hint = name if name == recorded else f"{name} instead of {recorded}, so types of ERRANT differ"
    for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
        for what in _VALUES:
            _expect_values(f"sentence {number}, {what}", one.forms, getattr(one, what), getattr(other, what), hint)
    return f"{name}: {pluralise(len(found), 'parse')} as recorded"


def _check_edits() -> str:
    found, expected = find_edits(), load_numbers()["edits"]["edits"]
    for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
        expect(f"sentence {number}", one, other)
    return f"{pluralise(sum(map(len, found)), 'edit')} as recorded"


def _expect_values(where: str, tokens: Tokens, expected: Sequence[object], found: Sequence[object], by: str) -> None:
    for token, one, other in zip(tokens, expected, found, strict=True):
        if one != other:
            raise CheckFailedError(f"{where}, {token!r}: expected {one}, found {other} ({by})")


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
