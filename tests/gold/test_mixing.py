"""Mixed references: a corpus of mixtures, and the texts of all mixtures without listing them."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, RequestError, Sentence, System, UsageError, metric, read, read_system, score, write
from errata.cli import main
from errata.corpus.alternatives import MixedTexts, group_errors, mix_corpus
from errata.corpus.corpus import ErrorGroup
from errata.corpus.references import list_accepted_texts

from strategies import core_edits, hypotheses, mixed_references, words
from thoroughness import often

MIX = "accuracy(references=mix)"


@st.composite
def annotated(draw: st.DrawFn) -> tuple[Sentence, tuple[str, ...]]:
    """A short sentence, often covered by its errors, and a hypothesis."""
    source = tuple(draw(st.lists(words, max_size=5)))
    hypothesis = draw(hypotheses(source, 5))
    annotations = []
    for annotator in range(draw(st.integers(0, 3))):
        edits = [Edit(start, end, (" ".join(texts[0]),)) for start, end, texts in draw(core_edits(source, hypothesis))]
        annotations.append(Annotation(str(annotator), tuple(edits)))
    return Sentence(source, tuple(annotations)), hypothesis


@pytest.mark.slow
@given(annotated())
@settings(max_examples=often(250, 80))
def test_mixed_texts_are_those_of_enumeration(case: tuple[Sentence, tuple[str, ...]]) -> None:
    sentence, hypothesis = case
    assume(prod(map(len, group_errors(sentence))) <= 2000)
    expected = set(mixed_references(sentence)) | {text for texts in list_accepted_texts(sentence, 1).values() for text in texts}
    texts = MixedTexts(sentence, 1)
    assert (hypothesis in texts) == (hypothesis in expected)
    assert all(text in texts for text in expected)


def test_an_error_with_several_corrections_accepts_each() -> None:
    sentence = Sentence.of("a b c", [Edit(0, 1, ("x", "y"))], [Edit(2, 3, ("z",), status="OPTIONAL")])
    texts = MixedTexts(sentence, 1)
    accepted = ["x b z", "y b z", "x b c", "y b c", "a b z", "a b c"]
    assert all(tuple(text.split()) in texts for text in accepted)
    assert ("x", "y", "z") not in texts


def test_accuracy_with_mixtures() -> None:
    gold = Corpus((Sentence.of("a b c", [Edit(0, 1, ("x",))], [Edit(2, 3, ("y",))]),))
    assert score(gold, System.of("s", ["x b y"]), "accuracy").value == 0
    assert score(gold, System.of("s", ["x b y"]), MIX).value == 1
    assert score(gold, System.of("s", ["X by"]), "accuracy(references=mix,normalise=case)").value == 1
    with pytest.raises(UsageError, match="needs normalise=tokens or case, found words"):
        metric("accuracy(references=mix,normalise=words)")


def test_too_many_overlapping_corrections_are_refused() -> None:
    """Errors that the gold names may overlap, and then they cannot be mixed separately."""
    sentence = Sentence.of(
        "a b", *([Edit(0, 2, (f"{person}{error}",), error=ErrorGroup(str(error), False)) for error in range(6)] for person in range(10))
    )
    with pytest.raises(RequestError, match="sentence 1: corrections that overlap can be mixed in more than 100,000 ways"):
        score(Corpus((sentence,)), System.of("s", ["a b"]), MIX)


def test_a_mixed_corpus_scores_like_mixtures(tmp_path: Path, gold: Corpus) -> None:
    mixed, unmixed = mix_corpus(gold)
    assert not unmixed
    write(mixed, tmp_path / "mixed.m2")
    again = read(tmp_path / "mixed.m2")
    for path in sorted(Path("examples/systems").glob("*.txt")):
        system = read_system(path)
        assert score(again, system, "maxmatch").counts == score(gold, system, "maxmatch(references=mix)").counts[:3]
        assert score(again, system, "accuracy").counts == score(gold, system, MIX).counts


def test_a_sentence_without_alternatives_stays() -> None:
    sentence = Sentence.of("a b", [Edit(0, 1, ("x",))])
    assert mix_corpus(Corpus((sentence, Sentence(("c",))))).corpus.sentences == (sentence, Sentence(("c",)))


def test_mixtures_of_named_errors_are_not_mixed_again(tmp_path: Path) -> None:
    """Listing 1 of Felice and Briscoe 2015: four references, before and after; the source is not one of them."""
    first, second = ErrorGroup("1", True), ErrorGroup("2", True)
    sentence = Sentence.of(
        "This machines is designed for help people .",
        [Edit(0, 1, ("These",), error=first), Edit(2, 3, ("are",), error=first), Edit(5, 6, ("helping",), error=second)],
        [Edit(1, 2, ("machine",), error=first), Edit(4, 5, ("to",), error=second)],
    )
    mixed, _ = mix_corpus(Corpus((sentence,)))
    for name in ("x.xml", "x.jsonl"):
        write(mixed, tmp_path / name)
        again = read(tmp_path / name)
        assert set(mixed_references(again[0])) == set(mixed_references(sentence))
        assert len(again[0].annotations) == 4
        assert score(again, System("source", (sentence.tokens,)), "imeasure").value == 0
    optional = Sentence.of("a b", [Edit(0, 1, ("x",), error=ErrorGroup("1", False))])
    assert set(mixed_references(mix_corpus(Corpus((optional,))).corpus[0])) == {("x", "b"), ("a", "b")}


def test_convert_writes_mixtures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_text(
        "S This machines is\nA 0 1|||SVA|||These|||REQUIRED|||-NONE-|||0\nA 2 3|||SVA|||are|||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||Nn|||machine|||REQUIRED|||-NONE-|||1\n\nS a\nA 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert main(["convert", "gold.m2", "--mix", "-o", "mixed.m2"]) == 0
    assert not capsys.readouterr().err
    mixed = read("mixed.m2")
    assert [len(sentence.annotations) for sentence in mixed] == [8, 1]
    assert [edit.type for edit in mixed[0].annotations[0].edits] == ["SVA", "Nn", "SVA"]
    assert main(["convert", "gold.m2", "--mix", "--max-mixtures", "7", "-o", "mixed.m2"]) == 0
    said = capsys.readouterr().err
    assert "gold.m2: 1 sentence has more than 7 mixtures, so the annotators are written instead" in said
    assert len(read("mixed.m2")[0].annotations) == 2
    assert main(["convert", "gold.m2", "--max-mixtures", "7", "-o", "mixed.m2"]) == 2
    assert "--max-mixtures needs --mix" in capsys.readouterr().err


@pytest.mark.realdata
def test_conll_2014_is_mixed_up_to_the_limit(data: Path) -> None:
    gold = read(data / "conll14" / "gold" / "official-2014.combined-withalt.m2")
    mixed, unmixed = mix_corpus(gold)
    assert len(unmixed) == 83
    system = read_system(data / "conll14" / "systems" / "UFC.txt")
    few = [number for number in range(len(gold)) if number + 1 not in unmixed]
    part = System("UFC", tuple(system.sentences[number] for number in few))
    one, other = (Corpus(tuple(corpus[number] for number in few)) for corpus in (mixed, gold))
    assert score(one, part, "maxmatch").counts == score(other, part, "maxmatch(references=mix)").counts[:3]
