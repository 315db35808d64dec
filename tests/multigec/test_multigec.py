"""Essays in Markdown: documents whose sentences are aligned inside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Corpus, FormatError, MismatchError, UsageError, read, read_system, score
from errata.cli import main
from errata.corpus.line_alignment import cut_document
from errata.formats import find_input_format
from errata.formats.multigec import _split_units, _tokenise_sentences
from errata.scoring import score_documents

from thoroughness import often

FOLDER = "examples/multigec"
SOURCE, REFERENCE, SECOND, CAREFUL, FREE = (f"{FOLDER}/{name}.md" for name in ("source", "reference1", "reference2", "careful", "free"))


def silently(_: object) -> None:
    pass


@pytest.fixture(scope="module")
def essays() -> Corpus:
    return read(SOURCE, references=[REFERENCE, SECOND], warn=silently)


def write_essays(path: Path, **texts: str) -> str:
    path.write_text("\n\n".join(f"### essay_id = {name}\n{text}" for name, text in texts.items()) + "\n", encoding="utf-8")
    return str(path)


def test_each_sentence_of_the_source_is_a_unit_and_each_essay_a_document(essays: Corpus) -> None:
    assert [sentence.document for sentence in essays] == ["1"] * 5 + ["2"] * 4 + ["3"] * 3
    assert essays[1].text == "I goed to the sea with my family , and we swimmed every day ."
    assert [len(sentence.annotations) for sentence in essays] == [2] * 9 + [1] * 3
    joined = [" ".join(essays[number].corrected(essays[number].annotations[0])) for number in (6, 7)]
    assert joined == ["There are many parks ,", "and because of this I like it ."]


def test_other_units() -> None:
    sizes = {unit: len(read(SOURCE, references=[REFERENCE], unit=unit)) for unit in ("sentence", "paragraph", "document")}
    assert sizes == {"sentence": 12, "paragraph": 6, "document": 3}
    with pytest.raises(UsageError, match="there is no unit 'word'; choose from sentence, paragraph, document"):
        read(SOURCE, references=[REFERENCE], unit="word")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"a unit \(--unit\) needs essays in Markdown, but examples/learner.m2 is read as m2"):
        read("examples/learner.m2", unit="document")


@pytest.mark.parametrize("metric", ["maxmatch", "gleu", "accuracy"])
def test_a_reference_scores_as_perfect(essays: Corpus, metric: str) -> None:
    for unit in ("sentence", "paragraph", "document"):
        gold = read(SOURCE, references=[REFERENCE], unit=unit)
        assert score(gold, read_system(REFERENCE, gold=gold), metric).value == 1
    assert score(essays, read_system(REFERENCE, gold=essays, warn=silently), "maxmatch").value == 1


def test_what_has_no_counterpart_is_told_and_kept(essays: Corpus) -> None:
    told: list[str] = []
    system = read_system(FREE, gold=essays, warn=lambda problem: told.append(str(problem)))
    assert told == [
        f"{FREE}:1: essay '1': 1 unit of the source has no counterpart: 4",
        f"{FREE}:7: essay '3': 1 sentence has no counterpart in the source, kept in the unit before",
    ]
    assert system.sentences[3] == ()
    assert " ".join(system.sentences[11]) == "Could you send me the homework ? Thank you very much !"


def test_scores_of_documents_add_up(essays: Corpus) -> None:
    whole = score(essays, read_system(CAREFUL, gold=essays))
    items = score_documents(whole)
    assert [(item.document, item.sentences) for item in items] == [("1", 5), ("2", 4), ("3", 3)]
    assert tuple(map(sum, zip(*(item.counts for item in items), strict=True))) == whole.counts


def test_a_subset_has_the_same_sentences(essays: Corpus) -> None:
    some = essays.subset("2,12")
    assert read_system(FREE, gold=some, warn=silently).sentences == tuple(
        read_system(FREE, gold=essays, warn=silently).sentences[number] for number in (1, 11)
    )


def test_bad_files_are_refused_with_their_lines(tmp_path: Path, essays: Corpus) -> None:
    for text, message in (
        ("### essay_id = 1\na\n\n### essay_id = 1\nb\n", "x.md:4: essay '1' occurs twice, first in line 1"),
        ("### essay_id: 1\na\n", "x.md:1: expected a heading such as '### essay_id = 1', found '### essay_id: 1'"),
        ("### essay_id = 1\na\n## essay_id = 2\nb\n", "x.md:3: expected a heading such as '### essay_id = 1', found '## essay_id = 2'"),
        ("### essay_id = 1\na\n\n### essay_id = 9\nb\n", "x.md:4: essay '9' is not in examples/multigec/source.md"),
    ):
        path = tmp_path / "x.md"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FormatError) as error:
            read_system(path, gold=essays)
        assert str(error.value).endswith(message)
    path.write_text("preface\n### essay_id = 1\na\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"x.md:1: expected a heading such as '### essay_id = 1', found 'preface'"):
        read(path, references=[REFERENCE], format="multigec")
    with pytest.raises(MismatchError, match=r"x.md lacks 2 of the 3 essays of examples/multigec/source.md: 2, 3"):
        read_system(write_essays(path, **{"1": "Hello."}), gold=essays)
    with pytest.raises(FormatError, match=r"source.md:10: no reference has the essay '3'"):
        read(SOURCE, references=[SECOND], warn=silently)
    with pytest.raises(UsageError, match="has essays, which need references: --reference FILE"):
        read(SOURCE)
    with pytest.raises(UsageError, match="has essays, which need the gold that they are cut by"):
        read_system(FREE)
    with pytest.raises(UsageError, match="the tokeniser ptb cannot be combined with essays in Markdown, which have their own"):
        read_system(FREE, gold=essays, tokenise="ptb")
    with pytest.raises(FormatError, match="has a unit of 8 tokens, more than the limit of 5"):
        read(write_essays(path, a="Do you like long words? No."), references=[path], unit="document", max_tokens=5)


def test_markdown_without_essays_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "system.md"
    path.write_text("A cat .\n", encoding="utf-8")
    assert find_input_format(str(path)) == "parallel"
    assert read_system(path).sentences == (("A", "cat", "."),)
    assert find_input_format(SOURCE) == "multigec"


def test_an_open_file_may_have_essays(essays: Corpus) -> None:
    with Path(CAREFUL).open("rb") as file:
        assert read_system(file, gold=essays).sentences == read_system(CAREFUL, gold=essays).sentences


def test_empty_essays_keep_their_unit(tmp_path: Path) -> None:
    source = write_essays(tmp_path / "s.md", a="", b="I goes.")
    gold = read(source, references=[write_essays(tmp_path / "r.md", a="", b="I go.")])
    assert [(sentence.document, sentence.text) for sentence in gold] == [("a", ""), ("b", "I goes .")]
    assert read_system(write_essays(tmp_path / "o.md", a="", b=""), gold=gold, warn=silently).sentences == ((), ())


def test_the_command_line_scores_documents(capsys: pytest.CaptureFixture[str]) -> None:
    files = [SOURCE, "-r", REFERENCE, "-r", SECOND, CAREFUL]
    assert main(["score", *files, "--per-document", "--format", "csv", "-q"]) == 0
    rows = [line.split(",")[:4] for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == [["careful", "maxmatch", document, size] for document, size in (("1", "5"), ("2", "4"), ("3", "3"), ("(all)", "12"))]
    assert main(["score", *files, "--per-document", "--confidence", "--replicates", "100", "--format", "json", "-q"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["scores"]
    assert [item["document"] for item in entry["per_document"]] == ["1", "2", "3"]
    assert entry["interval"]["by"] == "document"
    assert main(["score", *files, "--unit", "document", "-q"]) == 0
    assert "3 sentences" in capsys.readouterr().out
    assert main(["score", "examples/learner.m2", "examples/systems/eager.txt", "--per-document"]) == 1
    assert "72 of 72 sentences have no document" in capsys.readouterr().err
    assert main(["check", SOURCE, FREE]) == 0


SENTENCES = st.lists(
    st.lists(st.sampled_from(["I", "like", "cats", "dogs", "the", "cat", ",", "don't", '"no"']), min_size=1, max_size=6).map(
        lambda words: " ".join(words) + "."
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=often(60, 30), deadline=None)
@given(SENTENCES, SENTENCES, st.sampled_from(["sentence", "paragraph", "document"]))
def test_every_token_is_in_some_unit(source: list[str], output: list[str], unit: str) -> None:
    units = _split_units([" ".join(source[:2]), *source[2:]], unit)  # type: ignore[arg-type]
    cut = cut_document(units, output)
    assert len(cut.texts) == len(units)
    assert " ".join(" ".join(cut.texts).split()) == " ".join(" ".join(output).split())
    tokens = [token for text in cut.texts for token in _tokenise_sentences(text)]
    assert "".join(tokens).replace("``", '"').replace("''", '"') == "".join("".join(output).split())
    assert all(cut.texts[number] == "" for number in cut.missing)


ESSAYS = {
    "Swedish": ("Jag gick i skolan igår. Det var roligt! Vi åt klockan tolv.", 3),
    "Greek": ("Πού είναι το σχολείο; Δεν ξέρω. Ρώτησα τη μαμά μου· αυτή ξέρει!", 3),
    "Latvian": ("Es vakar biju skolā. Kāpēc tu nenāci? Man bija jāiet mājās.", 3),
    "Ukrainian": ("Я пішов до школи. Чому ти не прийшов? Мені було сумно…", 3),
    "Chinese": ("我喜欢吃苹果。你呢？他说：“好！”我们走吧。", 4),
    "Japanese": ("昨日、学校に行きました。楽しかったです！", 2),
    "Arabic": ("ذهبت إلى المدرسة. هل تعرف أين هي؟ نعم، أعرف.", 3),
    "Hindi": ("मैं स्कूल गया। वह अच्छा था। क्या तुम आए?", 3),
    "Armenian": ("Ես գնացի դպրոց։ Դու եկար։", 2),
    "Spanish": ("¿Dónde está? No lo sé. ¡Qué pena!", 3),
}


@pytest.mark.parametrize("language", ESSAYS)
def test_essays_in_other_languages(tmp_path: Path, language: str) -> None:
    """The essays are made up; every sentence is a unit, its mark a token of its own, and a reference scores as perfect."""
    text, sentences = ESSAYS[language]
    source = write_essays(tmp_path / "source.md", one=text)
    words = text.split(" ")
    changed = " ".join([words[0], *words[2:]]) if len(words) > 1 else text.replace("吃", "").replace("、", "")
    reference = write_essays(tmp_path / "reference.md", one=changed)
    gold = read(source, references=[reference])
    assert len(gold) == sentences, [sentence.text for sentence in gold]
    assert sum(len(item.edits) for sentence in gold for item in sentence.annotations) == 1
    assert all(not sentence.tokens[-1].isalnum() and len(sentence.tokens[-1]) == 1 for sentence in gold)
    assert score(gold, read_system(reference, gold=gold)).value == 1
    assert score(gold, read_system(source, gold=gold)).counts[:2] == (0, 0)
    for unit in ("paragraph", "document"):
        assert len(read(source, references=[reference], unit=unit)) == 1
