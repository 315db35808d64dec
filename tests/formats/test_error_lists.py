"""The XML of I-measure: Listing 1 of Felice and Briscoe 2015, round trips, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, FormatError, RequestError, Sentence, read, score, write
from errata.corpus.alternatives import group_errors
from errata.corpus.corpus import ErrorGroup
from errata.formats import Problem, list_losses
from errata.formats.checking import check_file

from strategies import mixed_references, sentences

LISTING_1 = """\
<sentence id="1" numann="2">
  <text>
    This machines is designed for help
    people .
  </text>
  <error-list>
    <error id="1" req="yes" type="SVA">
      <alt ann="0">
        <c start="0" end="1">These</c>
        <c start="2" end="3">are</c>
      </alt>
      <alt ann="1">
        <c start="1" end="2">machine</c>
      </alt>
    </error>
    <error id="2" req="yes" type="Vform">
      <alt ann="0">
        <c start="5" end="6">helping</c>
      </alt>
      <alt ann="1">
        <c start="4" end="5">to</c>
      </alt>
    </error>
  </error-list>
</sentence>
"""


def file_with(folder: Path, text: str) -> Path:
    path = folder / "gold.xml"
    path.write_text(text, encoding="utf-8")
    return path


def wrapped(sentence: str) -> str:
    return f"<scripts>\n<script id='1'>\n{sentence}\n</script>\n</scripts>\n"


def test_listing_1(tmp_path: Path) -> None:
    gold = read(file_with(tmp_path, wrapped(LISTING_1)))
    (sentence,) = gold
    assert sentence.text == "This machines is designed for help people ."
    assert gold.annotators == ("0", "1")
    assert [" ".join(tokens) for tokens in mixed_references(sentence)] == [
        "These machines are designed for helping people .",
        "These machines are designed to help people .",
        "This machine is designed for helping people .",
        "This machine is designed to help people .",
    ]
    assert score(gold, ["This machine is designed for helping people ."], "imeasure").value == 1
    assert score(gold, ["These machine are designed to help people ."], "imeasure").value < 1


def test_listing_1_without_its_frame(tmp_path: Path) -> None:
    assert read(file_with(tmp_path, LISTING_1)) == read(file_with(tmp_path, wrapped(LISTING_1)))


def test_an_error_that_need_not_be_corrected(tmp_path: Path) -> None:
    optional = LISTING_1.replace('id="2" req="yes"', 'id="2" req="no"')
    (sentence,) = read(file_with(tmp_path, optional))
    assert len(mixed_references(sentence)) == 6


def test_annotators_who_corrected_nothing_are_counted(tmp_path: Path) -> None:
    error = '<error req="no"><alt ann="1"><c start="0" end="1"/></alt></error>'
    text = f'<sentence numann="3"><text>a</text><error-list>{error}</error-list></sentence>'
    (sentence,) = read(file_with(tmp_path, text))
    assert [(annotation.annotator, len(annotation.edits)) for annotation in sentence.annotations] == [("0", 0), ("1", 1), ("2", 0)]


@given(st.lists(sentences(), min_size=1, max_size=3))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, corpus: list[Sentence]) -> None:
    """Texts, errors, their alternatives and so all references; annotators come back in order, and then nothing changes any more."""
    folder = tmp_path_factory.mktemp("xml")
    write(Corpus(tuple(corpus)), folder / "once.xml")
    once = read(folder / "once.xml")
    write(once, folder / "twice.xml")
    assert read(folder / "twice.xml").sentences == once.sentences
    for sentence, original in zip(once, corpus, strict=True):
        assert sentence.tokens == original.tokens
        assert len(sentence.annotations) == len(original.annotations)
        assert len(group_errors(sentence)) == len(group_errors(original))
        assert set(mixed_references(sentence)) == set(mixed_references(original))
    write(once, folder / "lossless.jsonl")
    assert read(folder / "lossless.jsonl").sentences == once.sentences


def test_markup_in_texts_is_escaped(tmp_path: Path) -> None:
    nasty = Sentence(("<b>", "&amp;", '"', "]]>"), (Annotation('a"<', (Edit(0, 1, ("<script>&",), "T'\"<>&"),)),))
    write(Corpus((nasty,)), tmp_path / "x.xml.gz")
    (found,) = read(tmp_path / "x.xml.gz")
    assert found.tokens == nasty.tokens
    assert found.annotations[0].annotator == 'a"<'
    assert found.annotations[0].edits[0] == Edit(0, 1, ("<script>&",), "T'\"<>&", error=ErrorGroup("1", True))


def test_what_xml_has_no_character_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"XML cannot express the character U\+0001"):
        write(Corpus((Sentence(("a\x01",)),)), tmp_path / "x.xml")
    assert not list(tmp_path.iterdir())


def test_losses_are_told(tmp_path: Path) -> None:
    edits = (
        Edit(0, 0, ("x", "y")),
        Edit(0, 0, ("z",), status="OPTIONAL"),
        Edit(1, 1, ("u",), error=ErrorGroup("9", False)),
    )
    corpus = Corpus((Sentence(("a",), (Annotation("ann", edits), Annotation("bob"))),))
    assert list_losses(corpus, "xml") == [
        "alternative corrections are left out (the first is used): 1",
        "edits are joined with another of the same annotator with the same span: 1",
        "edits lose their status or comment: 1",
        "annotators without corrections in a sentence lose their name: 1",
    ]
    assert list_losses(corpus, "m2") == ["edits lose their error and whether it must be corrected; errors are then found by overlap: 1"]
    optional = Corpus((Sentence.of("a", [Edit(0, 1, ("b",), status="OPTIONAL", error=ErrorGroup("9", False))]),))
    assert list_losses(optional, "m2") == [
        "edits keep the status OPTIONAL, but lose their error; I-measure then finds errors by overlap, and may require them: 1"
    ]
    assert list_losses(corpus, "jsonl") == []
    write(corpus, tmp_path / "x.xml")
    assert [annotation.annotator for annotation in read(tmp_path / "x.xml")[0].annotations] == ["0", "ann"]


def changed(old: str, new: str) -> str:
    assert old in LISTING_1
    return LISTING_1.replace(old, new, 1)


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE lolz [\n<!ENTITY a "aaaaaaaaaa">\n'
    '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">\n]>\n<scripts>&b;</scripts>\n'
)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (changed("</alt>", "</alternative>"), 11, "column 9: not well-formed XML: mismatched tag"),
        (LISTING_1[:-40], 23, "not well-formed XML: no element found"),
        ("", None, "the file is empty"),
        ("S no XML at all\n", 1, "column 1: not well-formed XML: syntax error"),
        (BOMB, 3, "declares the entity 'a'"),
        ('<!DOCTYPE x SYSTEM "http://example.org/x.dtd">\n<scripts>&x;</scripts>', 2, "refers to the entity 'x'"),
        ('<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n<scripts/>', 1, "declares the entity 'f'"),
        ('<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]>\n<scripts/>', 1, "declares the entity 'p'"),
        ("<scripts>\n<essay/></scripts>", 2, "expected <scripts>, <script>, <sentence>, found <essay>"),
        ("<scripts>\nhello</scripts>", 2, "expected <sentence>, found text: 'hello'"),
        (changed('end="3"', 'end="9"'), 10, "column 9: offsets 2 9 lie outside the sentence of 8 tokens"),
        (changed('start="0"', 'start="5"'), 9, "offsets 5 1 are reversed"),
        (changed('start="0"', 'start="-1"'), 9, "start must be a whole number from 0, found '-1'"),
        (changed('start="0"', 'start="one"'), 9, "start must be a whole number from 0, found 'one'"),
        (changed('start="0" ', ""), 9, "<c> lacks the attribute 'start'"),
        (changed(' numann="2"', ""), 1, "<sentence> lacks the attribute 'numann'"),
        (changed('numann="2"', 'numann="many"'), 1, "numann must be a whole number from 0, found 'many'"),
        (changed('numann="2"', 'numann="1"'), 1, "numann says 1, but 2 annotators made corrections"),
        (changed('numann="2"', 'numann="1000"'), 1, "numann says 1,000, but at most 100 annotators may have no corrections"),
        ('<!DOCTYPE x [<!ATTLIST c z CDATA "aaa">]>\n<scripts/>', 1, "declares attributes of <c>"),
        (changed('numann="2"', 'numann="2000000000"'), 1, "numann may have at most 9 digits, found 2000000000"),
        (changed(' ann="1"', ""), 12, "<alt> lacks the attribute 'ann'"),
        (changed('ann="1"', 'ann="0"'), 12, "annotator '0' has two alternatives of the error '1'"),
        (changed('ann="1"', 'ann=" "'), 12, "the attribute ann (annotator) is empty"),
        (changed(' req="yes"', ""), 7, "<error> lacks the attribute 'req'"),
        (changed('req="yes"', 'req="maybe"'), 7, "req must be yes or no, found 'maybe'"),
        (changed('id="2"', 'id="1"'), 16, "two errors of the sentence have the id '1'"),
        (changed('        <c start="1" end="2">machine</c>\n', ""), 12, "an alternative of the error '1' has no correction"),
        (
            '<sentence numann="1">\n<text>a</text><error-list><error req="yes"/></error-list></sentence>',
            2,
            "the error '1' has no alternative",
        ),
        ('<sentence numann="0"></sentence>', 1, "a sentence must have one <text> and at most one <error-list>, found 0 and 0"),
        ('<sentence numann="0"><text>a<b/></text></sentence>', 1, "expected text only inside <text>, found <b>"),
        (
            '<sentence numann="0"><text>a</text><error-list><x/></error-list></sentence>',
            1,
            "expected <error> inside <error-list>, found <x>",
        ),
        ('<sentence numann="0"><text>a</text>b</sentence>', 1, "<sentence> contains text outside its elements: 'b'"),
        ('<sentence numann="0"><text>' + "a " * 5000 + "</text></sentence>", 1, "5,000 tokens in a sentence, more than the limit of 4,000"),
        ('<sentence numann="0">' + "<text>" * 200, 1, "elements nested deeper than 100"),
        ('<?xml version="1.0" encoding="klingon"?><scripts/>', 1, "unknown encoding"),
    ],
)
def test_bad_files_are_refused_at_their_place(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    path = file_with(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read(path)
    assert message in str(caught.value)
    assert caught.value.line == line
    _, problems = check_file(str(path))
    assert any(problem.severity == "error" and message in problem.message for problem in problems)


def test_checking_lists_every_sentence_that_is_wrong(tmp_path: Path) -> None:
    wrong = changed('start="0"', 'start="x"')
    sentences, problems = check_file(str(file_with(tmp_path, wrapped(wrong + LISTING_1 + wrong))))
    assert len(sentences) == 1
    assert [problem.line for problem in problems if problem.severity == "error"] == [11, 61]


def test_attributes_without_a_meaning_are_odd(tmp_path: Path) -> None:
    odd = LISTING_1.replace('type="SVA"', 'tyep="SVA"') + LISTING_1
    _, problems = check_file(str(file_with(tmp_path, wrapped(odd))))
    assert [(problem.severity, problem.line, problem.message) for problem in problems] == [
        ("warning", 9, "column 5: unknown attribute 'tyep' of <error> (skipped)"),
        ("warning", 28, "column 1: the sentence id '1' occurs twice"),
    ]
    assert [problem.message for problem in check_file(str(file_with(tmp_path, "<scripts/>")))[1]] == ["no sentences found"]


def test_impossible_offsets_can_be_ignored(tmp_path: Path) -> None:
    told: list[Problem] = []
    gold = read(file_with(tmp_path, changed('end="3"', 'end="9"')), lenient=True, warn=told.append)
    assert len(told) == 1
    assert [edit.corrections for edit in gold[0].annotations[0].edits] == [("These",), ("helping",)]


def test_a_sentence_of_too_many_elements_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.formats.xml._MOST_PARTS", 10)
    with pytest.raises(FormatError, match="more than 10 elements in one sentence"):
        read(file_with(tmp_path, LISTING_1))


def test_markup_without_an_end_is_refused_in_time(tmp_path: Path) -> None:
    """A packed file of a few kilobytes with one comment of many megabytes, which a parser would read again and again."""
    with gzip.open(tmp_path / "x.xml.gz", "wb") as file:
        file.write(b"<scripts><!--" + b"a" * (1 << 24))
    with pytest.raises(FormatError, match="bytes without an end of markup"):
        read(tmp_path / "x.xml.gz")


def test_insertions_of_two_errors_at_one_place_are_listed(tmp_path: Path) -> None:
    error = '<error id="{0}" req="no"><alt ann="0"><c start="1" end="1">{0}</c></alt></error>'
    text = f'<sentence numann="1"><text>a b</text><error-list>{error.format("x")}{error.format("y")}</error-list></sentence>'
    path = file_with(tmp_path, text)
    assert [problem.message for problem in check_file(str(path))[1]] == [
        "two errors overlap, at 1 to 1 and 1 to 1: mixed references correct both"
    ]
    assert {" ".join(tokens) for tokens in mixed_references(read(path)[0])} == {"a x b", "a y b", "a b"}
    assert score(read(path), ["a x y b"], "imeasure").value < 1


def test_errors_that_overlap_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "overlapping.m2"
    lines = ["S a b c d e", *(f"A {span}|||X|||x|||REQUIRED|||-NONE-|||{name}" for span, name in (("0 2", 0), ("2 4", 0), ("1 3", 1)))]
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    _, problems = check_file(str(path))
    assert [(problem.line, problem.message) for problem in problems] == [
        (1, "two errors overlap, at 1 to 3 and 2 to 4: mixed references correct both")
    ]


def test_unknown_attributes_around_sentences_are_listed_once(tmp_path: Path) -> None:
    sentence = '<sentence id="{}" numann="0"><text>a</text></sentence>\n'
    path = tmp_path / "x.xml"
    path.write_text(f'<scripts lang="en">\n<script name="1">\n{sentence.format(1)}{sentence.format(2)}</script></scripts>\n')
    _, problems = check_file(str(path))
    assert [(problem.line, problem.message) for problem in problems] == [
        (3, "unknown attribute 'lang' of the <scripts> around this sentence (skipped)"),
        (3, "unknown attribute 'name' of the <script> around this sentence (skipped)"),
    ]


def test_elements_around_sentences_are_not_nested_deeply(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text("<scripts>" * 200_000)
    with pytest.raises(FormatError, match="elements nested deeper than 100"):
        read(tmp_path / "x.xml")
    (tmp_path / "y.xml").write_text('<scripts><script id="1"><sentence>' + "<text>" * 200_000)
    with pytest.raises(FormatError, match="elements nested deeper than 100"):
        read(tmp_path / "y.xml")
