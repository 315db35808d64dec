"""Taggers: TextBlob without the packages that it does not need, and sources that are tagged once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from errata import Corpus
from errata.language import tagging
from errata.language.tagging import SourceTagger, Tags, _import_english

TAGS = "tuple(find_tagger('textblob').tag([('The', 'dogs', 'sleeps', 'in', 'an', 'houses', '.')])[0])"
EXPECTED = ("DT", "NNS", "VBZ", "IN", "DT", "NNS", ".")


def run_alone(*lines: str) -> None:
    """Run lines in a new process, in which nothing is loaded yet."""
    program = ["import sys", "from errata.language.tagging import find_tagger", *lines]
    subprocess.run([sys.executable, "-W", "error", "-c", "\n".join(program)], check=True)


def test_textblob_is_used_without_nltk() -> None:
    run_alone(
        f"assert {TAGS} == {EXPECTED}",
        "assert not {'nltk', 'scipy', 'textblob', 'textblob.en'} & set(sys.modules)",
        f"assert {TAGS} == {EXPECTED}",
    )


@pytest.mark.slow
def test_textblob_can_be_imported_afterwards() -> None:
    run_alone(
        f"assert {TAGS} == {EXPECTED}",
        "import textblob",
        "assert textblob.__file__ and 'nltk' in sys.modules and sys.modules['textblob.en'] is textblob.en",
        "assert textblob.Word('dogs').singularize() == 'dog'",
        f"assert {TAGS} == {EXPECTED}",
    )


@pytest.mark.slow
def test_textblob_may_be_loaded_before() -> None:
    run_alone("import textblob", f"assert {TAGS} == {EXPECTED}", "assert sys.modules['textblob'] is textblob")


@pytest.mark.slow
def test_a_package_that_is_not_as_expected_is_imported_in_the_ordinary_way() -> None:
    run_alone(
        "from errata.language import tagging as textblob_english",
        "textblob_english.find_spec = lambda name: None",
        f"assert {TAGS} == {EXPECTED}",
        "assert 'nltk' in sys.modules",
    )


def test_nothing_is_left_behind_if_the_import_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "textblob"}
    for name in before:
        monkeypatch.delitem(sys.modules, name)
    imported: list[str] = []

    def fail_first(name: str) -> object:
        imported.append(name)
        if len(imported) == 1:
            assert not hasattr(sys.modules["textblob"], "TextBlob")
            raise RuntimeError("the stand-in is not enough")
        assert "textblob" not in sys.modules
        return "imported in the ordinary way"

    monkeypatch.setattr(tagging, "import_module", fail_first)
    assert _import_english.__wrapped__() == "imported in the ordinary way"
    assert imported == ["textblob.en"] * 2


class CountingTagger:
    """A tagger that records what it is asked."""

    name = "counting 1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def tag(self, sentences: Sequence[tuple[str, ...]]) -> list[Tags]:
        self.asked += sentences
        return [tuple(f"T{len(token)}" for token in tokens) for tokens in sentences]


def test_sources_are_tagged_once(gold: Corpus) -> None:
    inner = CountingTagger()
    tagger = SourceTagger(inner, gold)
    sources = [sentence.tokens for sentence in gold]
    other = ("not", "a", "source")
    assert tagger.name == "counting 1"
    assert inner.asked == []
    for _ in range(2):
        assert tagger.tag([sources[3], other, sources[3], ()]) == CountingTagger().tag([sources[3], other, sources[3], ()])
    assert inner.asked == [sources[3], other, (), other, ()]
    assert tagger.tag([]) == []
