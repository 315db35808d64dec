"""Published outputs, detokenised and tokenised again, get their official scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import errata
from errata import Corpus, Evaluator

from thoroughness import THOROUGH

pytestmark = [pytest.mark.realdata, pytest.mark.slow]
OUTPUTS = {
    "systems": ["AMU", "CUUI", "IITB", "INPUT", "IPN", "PKU", "RAC", "UFC"],
    "modern": ["BART", "GECToR-BERT", "REF-F", "Riken-Tohoku"],
}
ALL = [(folder, name) for folder, names in OUTPUTS.items() for name in names]
SOME = [("systems", "AMU"), ("systems", "RAC"), ("modern", "GECToR-BERT"), ("modern", "REF-F")]
CHOSEN = ALL if THOROUGH else SOME


@cache
def prepare(data: Path) -> tuple[Corpus, Evaluator, Evaluator]:
    gold = errata.read(data / "conll14" / "gold" / "official-2014.combined.m2")
    return gold, Evaluator(gold, warn=None), Evaluator(gold, tokenise="source", strict=True)


def detokenise(sentences: Sequence[Sequence[str]]) -> list[str]:
    moses = pytest.importorskip("sacremoses").MosesDetokenizer("en")
    return [moses.detokenize(list(tokens)) for tokens in sentences]


@pytest.mark.parametrize(("folder", "name"), CHOSEN)
def test_conll14_gets_the_official_scores(folder: str, name: str, data: Path) -> None:
    _, official, project = prepare(data)
    system = errata.read_system(data / "conll14" / folder / f"{name}.txt")
    score = project(detokenise(system.sentences))
    assert "| tokenised by source:conll |" in score.signature
    given, value = system.sentences, official(system).value
    if name == "RAC":
        # Its file has tokens that gold and source do not have, where its text is the same: "cannot" in 27 sentences, quotation marks and
        # others in 17.  The official score counts each as a wrong edit.
        differing = [own for own, other in zip(given, score.system.sentences, strict=True) if own != other]
        assert [len(differing), sum("cannot" in own for own in differing)] == [44, 27]
        assert value == pytest.approx(0.2668, abs=0.00005)
        value = official([" ".join(own).replace("cannot", "can not") for own in given]).value
    assert score.value == pytest.approx(value, abs=0.002 if name == "RAC" else 0.001)


def test_untokenised_amu_loses_half_of_its_score_and_is_warned_of(data: Path) -> None:
    gold, official, _ = prepare(data)
    system = errata.read_system(data / "conll14" / "systems" / "AMU.txt")
    raw = detokenise(system.sentences)
    assert round(100 * official(system).value, 2) == 35.01
    assert round(100 * official(raw).value, 2) == 16.14
    with pytest.warns(errata.InputWarning, match="punctuation at the end of 2,445 of 27,702 tokens"):
        errata.score(gold, raw)


def test_jfleg_gets_the_same_gleu(data: Path) -> None:
    folder = data / "jfleg"
    gold = errata.read(folder / "dev.src", references=[folder / f"dev.ref{number}" for number in range(4)])
    official, project = Evaluator(gold, "gleu", warn=None), Evaluator(gold, "gleu", tokenise="source", strict=True)
    system = errata.read_system(folder / "systems" / "dense-cclm.txt")
    assert project(detokenise(system.sentences)).value == pytest.approx(official(system).value, abs=0.001)
    source = tuple(sentence.tokens for sentence in gold)
    assert project.fit(detokenise(source)).sentences == source
