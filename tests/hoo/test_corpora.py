"""HOO documents as a corpus, and texts of systems cut into its sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata import Corpus, FormatError, InputError, MismatchError, Sentence, UsageError, read, read_system, score
from errata.cli import main
from errata.formats import Language, read_hoo, read_hoo_system
from errata.formats import hoo as spans
from errata.formats.checking import check_file
from errata.formats.hoo import _cut_output, _Words
from errata.formats.hoo_edits import HooEdit, format_edits
from errata.formats.problems import Problem

EXAMPLES = Path("examples/hoo")
Change = tuple[int, int, tuple[str | None, ...]]


def write_gold(folder: Path, text: str, *changes: Change, name: str = "1") -> tuple[str, str]:
    """Write gold edits and their text; return the paths of the two."""
    content = text.encode()
    edits = [HooEdit(start, end, content[start:end].decode("utf-8", "replace"), new, "T") for start, end, new in changes]
    gold, source = folder / f"{name}GE.xml", folder / f"{name}.txt"
    gold.write_text("\n".join(format_edits(edits)), encoding="utf-8")
    source.write_bytes(content)
    return str(gold), str(source)


def convert(folder: Path, text: str, *changes: Change) -> tuple[Corpus, list[str]]:
    gold, source = write_gold(folder, text, *changes)
    told: list[Problem] = []
    return read_hoo([gold], [source], warn=told.append), [problem.message.split(" (")[0] for problem in told]


def list_edits(corpus: Corpus) -> list[tuple[int, int, tuple[str, ...]]]:
    return [
        (edit.start, edit.end, edit.corrections) for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits
    ]


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        ("It feeds word in.", (9, 13, ("a word", "words")), (2, 3, ("a word", "words"))),
        ("It feeds word in.", (9, 9, ("a ",)), (2, 2, ("a",))),
        ("It feeds a word in.", (9, 11, ("",)), (2, 3, ("",))),
        ("It feeds a word in.", (8, 10, ("",)), (2, 3, ("",))),
        ("It feeds word in.", (8, 8, (",",)), (2, 2, (",",))),
        ("It feeds word in.", (8, 8, (" a",)), (2, 2, ("a",))),
        ("It feeds word in.", (13, 13, ("s",)), (2, 3, ("words", "word s"))),
        ("It worked in.", (7, 9, ("s",)), (1, 2, ("works",))),
        ("A data base.", (6, 7, ("",)), (1, 3, ("database",))),
        ("A data base.", (2, 11, ("database",)), (1, 3, ("database",))),
        ("Infact no.", (2, 2, (" ",)), (0, 1, ("In fact",))),
        ("We left.", (7, 7, (" now",)), (2, 2, ("now",))),
        ("We left.", (8, 8, (" Now.",)), (3, 3, ("Now .",))),
        ("We left.", (7, 8, ("!",)), (2, 3, ("!",))),
        ("We (all) left.", (4, 7, ("both",)), (2, 3, ("both",))),
        ("We like it, too.", (10, 11, ("",)), (3, 4, ("",))),
        ("We can not go.", (3, 10, ("cannot", "can't")), (1, 3, ("can not", "ca n't"))),
        ("The users password.", (8, 9, ("'s",)), (1, 2, ("user 's",))),
        ("Go.", (0, 0, ("Now ",)), (0, 0, ("Now",))),
    ],
)
def test_characters_become_tokens(tmp_path: Path, text: str, change: Change, expected: tuple[int, int, tuple[str, ...]]) -> None:
    corpus, told = convert(tmp_path, text, change)
    assert list_edits(corpus) == [expected]
    assert told == []


def test_lenient_skips_edits_outside_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good: Change = (3, 5, ("goes",))
    outside, reversed_ = (60, 90, ("x",)), (9, 6, ("x",))
    gold, source = write_gold(tmp_path, "He go home.", good, outside, reversed_)
    with pytest.raises(FormatError, match=r"ends before it starts: 9 to 6 \(--lenient skips such edits\)"):
        read(gold, source=source)
    told: list[Problem] = []
    corpus = read(gold, source=source, lenient=True, warn=told.append)
    assert list_edits(corpus) == [(1, 2, ("goes",))]
    assert [problem.message.partition(" lies")[0] for problem in told] == [
        "skipped: column 3: an edit ends before it starts: 9 to 6",
        "skipped: an edit of 60 to 90",
    ]
    alone, _ = write_gold(tmp_path, "He go home.", good, outside)
    with pytest.raises(FormatError, match=r"or inside one of its characters \(--lenient skips such edits\)"):
        read(alone, source=source)
    output = tmp_path / "out" / "1.txt"
    output.parent.mkdir()
    output.write_text("He goes home.")
    for arguments in (["stats", alone], ["convert", alone, "--to", "m2"], ["score", alone, str(output)]):
        assert main([*arguments, "--source", source]) == 2
        assert "(--lenient skips such edits)" in capsys.readouterr().err
        assert main([*arguments, "--source", source, "--lenient"]) == 0
        assert "skipped: an edit of 60 to 90" in capsys.readouterr().err
    assert main(["hoo", "--gold", gold, "--system", str(output), "--source", source]) == 2
    assert "--lenient" not in capsys.readouterr().err  # errata hoo has no such option


def test_mixed_references_may_leave_out_an_optional_edit(tmp_path: Path) -> None:
    corpus, _ = convert(tmp_path, "He go in home.", (3, 5, ("goes",)), (6, 9, ("", None)))
    kept = errata.System("s", (("He", "goes", "in", "home", "."),))
    assert [score(corpus, kept, f"maxmatch(references={how})").parts["gold"] for how in ("single", "mix")] == [2, 1]


def test_optional_edits_and_alternatives_are_kept(tmp_path: Path) -> None:
    corpus, _ = convert(tmp_path, "He go in home.", (3, 5, ("goes", "went")), (6, 9, ("", None)))
    go, in_ = corpus[0].annotations[0].edits
    assert (go.corrections, go.required, go.error) == (("goes", "went"), True, None)
    assert (in_.corrections, in_.status, in_.required) == (("",), "OPTIONAL", False)
    # Without bonus an optional edit is gold; the bonus and I-measure accept that it is left.
    parts = score(corpus, ["He goes in home ."], "maxmatch(beta=1)").parts
    assert (parts["correct"], parts["proposed"], parts["gold"]) == (1, 1, 2)
    assert score(corpus, ["He goes in home ."], "hoo(edits=maxmatch,bonus=true)").value == 1
    assert score(corpus, ["He goes in home ."], "imeasure").value == score(corpus, ["He goes home ."], "imeasure").value == 1


def test_edits_without_corrections_are_dropped_and_told(tmp_path: Path) -> None:
    text = "He go  home. He left."
    corpus, told = convert(tmp_path, text, (3, 5, ()), (0, 2, (None,)), (5, 7, (" ",)), (13, 15, ("They",)))
    assert list_edits(corpus) == [(0, 1, ("They",))]
    assert told == ["2 edits were dropped: they have no correction", "1 edit was dropped: it changes no token"]


def test_sentences_that_an_edit_crosses_are_joined_and_told(tmp_path: Path) -> None:
    text = "One is here. Two is there. Three.\nFour.\nFive."
    corpus, told = convert(tmp_path, text, (11, 16, ("; two",)), (17, 19, ("are",)), (38, 44, (", five",)))
    assert [sentence.text for sentence in corpus] == ["One is here . Two is there .", "Three .", "Four . Five ."]
    assert list_edits(corpus) == [(3, 5, ("; two",)), (5, 6, ("are",)), (1, 3, (", five",))]
    assert told == ["2 edits cross a sentence boundary: their sentences were joined"]
    gold, source = write_gold(tmp_path, text, (11, 16, ("; two",)))
    listed: list[Problem] = []
    read_hoo([gold], [source], list_all=True, warn=listed.append)
    assert [str(problem).removeprefix(gold) for problem in listed] == [
        ":3: the edit crosses a sentence boundary: its sentences were joined: 11 to 16, '. Two'"
    ]


def test_a_correction_is_tokenised_before_the_next_sentence(tmp_path: Path) -> None:
    """A comma stays with its word only at the end of a text."""
    assert list_edits(convert(tmp_path, "Is it so? We ask.", (6, 9, ("so,",)))[0]) == [(2, 4, ("so ,",))]


def test_offsets_of_2011_count_bytes(tmp_path: Path) -> None:
    text = "é are – good."
    content = text.encode()
    start = content.index(b"are")
    corpus, _ = convert(tmp_path, text, (start, start + 3, ("is",)), (0, 2, ("ü",)))
    assert list_edits(corpus) == [(0, 1, ("ü",)), (1, 2, ("is",))]
    with pytest.raises(FormatError, match=r"1GE.xml:3: an edit of 0 to 1 lies outside .*1.txt, a text of 16 bytes, or inside one of its"):
        convert(tmp_path, text, (0, 1, ("x",)))
    with pytest.raises(FormatError, match="an edit of 0 to 20 lies outside"):
        convert(tmp_path, text, (0, 20, ("x",)))
    (tmp_path / "1.txt").write_bytes(b"\xef\xbb\xbf" + content)
    (tmp_path / "1GE.xml").write_text("\n".join(format_edits([HooEdit(start + 3, start + 6, "are", ("is",))])), encoding="utf-8")
    assert list_edits(read_hoo([str(tmp_path / "1GE.xml")], [str(tmp_path / "1.txt")])) == [(1, 2, ("is",))]


PARTS = """<HOO><HEAD/><BODY>
<PART id="1"><P>He go home. – is good.</P><P>It rain.</P></PART>
<PART id="2"><P>They is here.</P></PART></BODY></HOO>"""


def write_parts(folder: Path) -> tuple[str, str]:
    edits = [
        HooEdit(3, 5, "go", ("goes",), part="1"),
        HooEdit(25, 29, "rain", ("rains",), part="1"),
        HooEdit(5, 7, "is", ("are", None), part="2"),
    ]
    (folder / "5GE.xml").write_text("\n".join(format_edits(edits)), encoding="utf-8")
    (folder / "5.xml").write_text(PARTS, encoding="utf-8")
    return str(folder / "5GE.xml"), str(folder / "5.xml")


def test_offsets_of_2012_count_characters_of_parts(tmp_path: Path) -> None:
    gold, source = write_parts(tmp_path)
    corpus = read(gold, source=source)
    assert [sentence.text for sentence in corpus] == ["He go home .", "– is good .", "It rain .", "They is here ."]
    assert list_edits(corpus) == [(1, 2, ("goes",)), (1, 2, ("rains",)), (1, 2, ("are",))]
    assert {sentence.document for sentence in corpus} == {"5"}
    output = tmp_path / "5XX.xml"
    output.write_text(PARTS.replace("He go home. –", "He goes home, –").replace("They is", "We are"), encoding="utf-8")
    system = read_system(output, gold=corpus, source=source)
    assert [" ".join(tokens) for tokens in system.sentences] == ["He goes home ,", "– is good .", "It rain .", "We are here ."]
    output.write_text(PARTS.replace('id="2"', 'id="3"'), encoding="utf-8")
    with pytest.raises(MismatchError, match=r"5XX.xml has the parts 1, 3, but .*5.xml has 1, 2"):
        read_system(output, gold=corpus, source=source)
    (tmp_path / "5GE.xml").write_text("\n".join(format_edits([HooEdit(0, 1, "H", ("x",), part="9")])), encoding="utf-8")
    with pytest.raises(FormatError, match=r"5GE.xml:3: an edit of the part '9'; its text has the parts 1, 2"):
        read(gold, source=source)


def test_an_original_that_differs_from_the_text_is_told(tmp_path: Path) -> None:
    gold, source = write_gold(tmp_path, "He go home.", (3, 5, ("goes",)))
    Path(gold).write_text(Path(gold).read_text(encoding="utf-8").replace(">go<", ">went<"), encoding="utf-8")
    told: list[Problem] = []
    assert list_edits(read_hoo([gold], [source], warn=told.append)) == [(1, 2, ("goes",))]
    assert "1 edit has an original that differs from the text: its offsets were used" in told[0].message


def test_gold_and_source_belong_together(tmp_path: Path) -> None:
    gold, source = write_gold(tmp_path, "He go home.", (3, 5, ("goes",)))
    other = tmp_path / "2.txt"
    other.write_text("Yes.\n", encoding="utf-8")
    with pytest.raises(MismatchError, match=r"1GE.xml needs the text that it is about: no source has the number 1"):
        read_hoo([gold], [str(other)])
    (tmp_path / "gold").mkdir()
    Path(gold).rename(tmp_path / "gold" / "1GE.xml")
    told: list[Problem] = []
    read_hoo([str(tmp_path / "gold")], [source, str(other)], warn=told.append)
    assert [problem.message for problem in told] == [f"1 text without a gold file (skipped), such as {other}"]
    with pytest.raises(UsageError, match=r"has HOO edits, which need the texts that they are about: --source PATH"):
        read(tmp_path / "gold" / "1GE.xml")
    with pytest.raises(UsageError, match="cannot be combined with the format m2"):
        read("examples/learner.m2", format="m2", source=source)
    with pytest.raises(UsageError, match="cannot be combined with reference files"):
        read(tmp_path / "gold", references=[source], source=source)
    with pytest.raises(UsageError, match="need the gold that they are cut by"):
        read_system(source, source=source)


def test_long_sentences_are_refused(tmp_path: Path) -> None:
    gold, source = write_gold(tmp_path, "a " * 50, (0, 1, ("b",)))
    with pytest.raises(FormatError, match=r"1.txt: 50 tokens in a sentence, more than the limit of 40"):
        read_hoo([gold], [source], max_tokens=40)
    corpus = read_hoo([gold], [source])
    (tmp_path / "1XX.txt").write_text("a " * 70, encoding="utf-8")
    with pytest.raises(InputError, match=r"1XX.txt: 70 tokens for one sentence, more than the limit of 60"):
        read_hoo_system([str(tmp_path / "1XX.txt")], [source], corpus, max_tokens=60)


def test_edits_beside_long_tokens_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_MOST_BESIDE", 5_000)
    text = f"{'a' * 2_000} b c"
    assert len(list_edits(convert(tmp_path, text, (2001, 2002, ("x",)), (2001, 2002, ("y",)))[0])) == 2
    with pytest.raises(InputError, match="too many edits beside very long tokens, such as one of 2,000 characters"):
        convert(tmp_path, text, *[(2001, 2002, (f"x{number}",)) for number in range(3)])


SOURCE = "One is here. Two is there. Three is up.\n\nFour is down. Five is out."


def cut(folder: Path, output: str) -> list[str]:
    gold, source = write_gold(folder, SOURCE)
    corpus = read_hoo([gold], [source], warn=lambda _: None)
    (folder / "1XX.txt").write_text(output, encoding="utf-8")
    return [" ".join(tokens) for tokens in read_hoo_system([str(folder / "1XX.txt")], [source], corpus).sentences]


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (SOURCE, {}),
        ("", {0: "", 1: "", 2: "", 3: "", 4: ""}),
        (SOURCE.replace("here. Two", "here, and two"), {0: "One is here ,", 1: "and two is there ."}),
        (SOURCE.replace("is there.", "is. There."), {1: "Two is . There ."}),
        (SOURCE.replace("Two is there. ", ""), {1: ""}),
        (SOURCE.replace("Three", "New is this. Three"), {2: "New is this . Three is up ."}),
        (SOURCE.replace("\n\n", " "), {}),
        (SOURCE.replace(" Two", "\nTwo").replace("\n\n", "\n"), {}),
        (SOURCE.replace("Two is there.", "Quite another thing was said."), {1: "Quite another thing was said ."}),
        (SOURCE.replace("up.\n\nFour", "up; four"), {2: "Three is up ;", 3: "four is down ."}),
        (SOURCE.replace("out.", "out. The end."), {4: "Five is out . The end ."}),
    ],
)
def test_texts_are_cut_into_the_sentences_of_the_source(tmp_path: Path, output: str, expected: dict[int, str]) -> None:
    """What happens to one sentence leaves the others as they are."""
    same = ["One is here .", "Two is there .", "Three is up .", "Four is down .", "Five is out ."]
    assert cut(tmp_path, output) == [expected.get(number, sentence) for number, sentence in enumerate(same)]


tokens = st.lists(st.sampled_from("abc."), max_size=6)


@given(st.lists(tokens.filter(bool), min_size=1, max_size=5), st.lists(tokens, max_size=5))
def test_all_words_of_an_output_are_in_one_sentence(source: list[list[str]], output: list[list[str]]) -> None:
    def words(sentences: list[list[str]]) -> _Words:
        joined = [word for sentence in sentences for word in sentence]
        return _Words(joined, [sum(map(len, sentences[:number])) for number in range(len(sentences))])

    sentences = [tuple(sentence) for sentence in source]
    found = _cut_output(sentences, words(source), words(output))
    assert len(found) == len(sentences)
    assert [word for sentence in found for word in sentence] == words(output).words
    assert _cut_output(sentences, words(source), words(source)) == sentences


def test_texts_of_a_system_must_fit(tmp_path: Path) -> None:
    gold, source = write_gold(tmp_path, "He go home.", (3, 5, ("goes",)))
    corpus = read_hoo([gold], [source])
    (tmp_path / "2XX.txt").write_text("Yes.", encoding="utf-8")
    with pytest.raises(MismatchError, match="the system has no file for document '1'"):
        read_hoo_system([str(tmp_path / "2XX.txt")], [source], corpus)
    (tmp_path / "1XX.txt").write_text("Yes.", encoding="utf-8")
    with pytest.raises(MismatchError, match=r"has no document for .*2XX.txt"):
        read_hoo_system([str(tmp_path / "1XX.txt"), str(tmp_path / "2XX.txt")], [source], corpus)
    with pytest.raises(InputError, match="expected the text of a system, found edits"):
        read_hoo_system([gold], [source], corpus)
    with pytest.raises(MismatchError, match="its source is missing"):
        read_hoo_system([str(tmp_path / "1XX.txt")], [str(tmp_path / "2XX.txt")], corpus)
    for changed, message in (("He goes home.", "differs from the text of document 1"), (" ", "differs|ends before|has words where")):
        Path(source).write_text(changed, encoding="utf-8")
        with pytest.raises(MismatchError, match=message):
            read_hoo_system([str(tmp_path / "1XX.txt")], [source], corpus)


def test_commands_read_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = [str(EXAMPLES / "gold"), "--source", str(EXAMPLES / "source")]
    assert main(["convert", *given, "--to", "jsonl", "-o", str(tmp_path / "x.jsonl")]) == 0
    corpus = read(EXAMPLES / "gold", source=EXAMPLES / "source")
    assert read(tmp_path / "x.jsonl").sentences == corpus.sentences
    assert [sentence.document for sentence in corpus] == ["1", "1", "1", "2", "2"]
    assert main(["convert", *given, "--types", "RT,MD", "--to", "m2"]) == 0
    assert capsys.readouterr().out.count("\nA ") == 3
    assert main(["stats", *given, "--format", "json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["sentences"], counts["edits"], counts["optional_edits"]) == (5, 9, 2)
    assert main(["check", *given]) == 0
    assert capsys.readouterr().out.endswith("examples/hoo/gold/2GE.xml: 2 sentences\n0 errors, 0 warnings\n")
    assert main(["score", *given, str(EXAMPLES / "texts"), "-m", "maxmatch(beta=1)", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["scores"]
    assert (found["system"], found["parts"]["correct"], found["parts"]["proposed"], found["parts"]["gold"]) == ("texts", 5, 6, 9)
    assert main(["score", *given, str(EXAMPLES / "texts"), "--sentences", "1,4-5", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["scores"]
    assert (found["parts"]["correct"], found["parts"]["proposed"], found["parts"]["gold"]) == (2, 3, 4)
    with pytest.raises(UsageError, match=r"cut by the whole gold, found a subset: 1 of 5 sentences \(2\)"):
        read_system(EXAMPLES / "texts", gold=corpus.subset("2"), source=EXAMPLES / "source")
    assert main(["convert", *given, "--sentence-splitter", "builtins:list", "--to", "m2"]) == 0
    assert main(["convert", *given, "--tokens", "x.m2", "--to", "m2"]) == 2
    assert "--tokens needs essays (SGML)" in capsys.readouterr().err
    assert main(["check", "examples/learner.m2", "--source", str(EXAMPLES / "source")]) == 2
    assert "source texts (--source) need HOO edits, but examples/learner.m2 is read as m2" in capsys.readouterr().err


def test_check_lists_what_is_unusual(tmp_path: Path) -> None:
    gold, source = write_gold(tmp_path, "He go. Home.", (3, 5, ()), (5, 11, (" home",)))
    sentences, problems = check_file(gold, source=[source])
    assert sentences == [("He", "go", ".", "Home", ".")]
    assert [(problem.line, problem.severity, problem.message.split(":")[0]) for problem in problems] == [
        (3, "warning", "the edit was dropped"),
        (8, "warning", "the edit crosses a sentence boundary"),
    ]
    assert [problem.message for problem in check_file(gold, source=["examples/hoo/source/2.txt"])[1]] == ["no source has the number 1"]
    gold, source = write_gold(tmp_path, "He go.", (3, 50, ("x",)))
    assert [problem.severity for problem in check_file(gold, source=[source])[1]] == ["error"]


def test_texts_are_checked_against_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = ["--against", "examples/hoo/gold", "--source", "examples/hoo/source"]
    assert main(["check", "examples/hoo/texts", *folders]) == 0
    count = len(read("examples/hoo/gold", source="examples/hoo/source"))
    assert capsys.readouterr().out.splitlines()[0] == f"examples/hoo/texts: {count} sentences"
    files = ["--against", "examples/hoo/gold/1GE.xml", "--source", "examples/hoo/source/1.txt"]
    assert main(["check", "examples/hoo/texts/1XX1.txt", "examples/hoo/gold/1GE.xml", *files]) == 0
    assert "examples/hoo/gold/1GE.xml: " in capsys.readouterr().out
    assert main(["check", "examples/hoo/gold", *folders]) == 0
    assert "examples/hoo/gold/2GE.xml: " in capsys.readouterr().out
    assert main(["check", "examples/hoo/edits", "examples/hoo/texts/1XX1.txt", *folders]) == 2
    said = capsys.readouterr().out
    assert "error: examples/hoo/edits: examples/hoo/edits/1XX1.xml: expected the text of a system, found edits" in said
    assert "error: examples/hoo/texts/1XX1.txt: the system has no file for document '2' of examples/hoo/gold" in said
    (tmp_path / "1.txt").write_bytes(b"\xff\n")
    assert main(["check", str(tmp_path / "1.txt"), *files]) == 2
    assert f"error: {tmp_path}/1.txt:1: not UTF-8" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["score", "examples/hoo/gold", "examples/hoo/texts"], ["check", "examples/hoo/gold"]])
def test_a_folder_needs_source(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command) == 2
    expected = "examples/hoo/gold: this is a directory, expected a file; a folder of HOO edits needs the texts"
    assert expected in "".join(capsys.readouterr())


def test_maxmatch_beside_wdiff(capsys: pytest.CaptureFixture[str]) -> None:
    """The example of section 1 of Dahlmeier and Ng (2012): wdiff inserts "a", gold replaces "word"."""
    arguments = ["hoo", "--gold", "examples/hoo/gold", "--system", "examples/hoo/texts", "--source", "examples/hoo/source"]
    assert main([*arguments, "--edits", "maxmatch", "--rules", "2011", "--format", "json"]) == 0
    best, wdiff = json.loads(capsys.readouterr().out)["results"]
    assert (best["edits"], wdiff["edits"]) == ("maxmatch", "wdiff")
    assert (best["counts"]["corrected"], wdiff["counts"]["corrected"]) == (5, 2)
    gold = read(EXAMPLES / "gold", source=EXAMPLES / "source")
    parts = score(gold, read_system(EXAMPLES / "texts", gold=gold, source=EXAMPLES / "source"), "maxmatch(beta=1)").parts
    assert (parts["correct"], parts["proposed"], parts["gold"]) == (5, best["counts"]["system"], best["counts"]["gold"])
    assert main([*arguments, "--edits", "maxmatch", "--by-type"]) == 0
    assert main(["hoo", "--gold", "examples/hoo/gold", "--system", "examples/hoo/edits", "--edits", "maxmatch"]) == 2
    assert "--edits needs --source" in capsys.readouterr().err


def test_splitter_and_tokeniser_may_be_replaced(tmp_path: Path) -> None:
    gold, source = write_gold(tmp_path, "He go. Home.", (3, 5, ("goes",)))
    language = Language(lambda text: [text], str.split)
    corpus = read_hoo([gold], [source], language=language)
    assert corpus.sentences == (Sentence.of("He go. Home.", [errata.Edit(1, 2, ("goes.",), "T")]),)
    (tmp_path / "1XX.txt").write_text("He goes. Home.", encoding="utf-8")
    system = read_hoo_system([str(tmp_path / "1XX.txt")], [source], corpus, language=language)
    assert score(corpus, system).value == 1


@pytest.mark.realdata
def test_documents_of_2011_by_both_scorers(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An oracle, which applies the first correction of every gold edit, is nearly perfect by MaxMatch only (paper, section 3)."""
    folder = data / "hoo2011"
    corpus = read(folder / "gold", source=folder / "raw", warn=lambda _: None)
    edits = [edit for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits]
    assert (len(edits), sum(not edit.required for edit in edits), len(corpus)) == (1017, 73, 757)
    system = read_system(folder / "oracle", gold=corpus, source=folder / "raw")
    parts = score(corpus, system, "maxmatch(beta=1)").parts
    assert (parts["correct"], parts["proposed"], parts["gold"]) == (991, 1024, 1017)
    named = ["--gold", str(folder / "gold"), "--system", str(folder / "oracle"), "--source", str(folder / "raw")]
    assert main(["hoo", *named, "--edits", "maxmatch", "--format", "json"]) == 0
    best, wdiff = json.loads(capsys.readouterr().out)["results"]
    assert best["without_bonus"]["correction"]["f"] == pytest.approx(0.9711, abs=5e-5)
    assert wdiff["without_bonus"]["correction"]["f"] == pytest.approx(0.5519, abs=5e-5)


@pytest.mark.realdata
def test_an_output_without_paragraphs_is_cut_at_the_same_places(data: Path, tmp_path: Path) -> None:
    folder = data / "hoo2011"
    corpus = read(folder / "gold", source=folder / "raw", warn=lambda _: None)
    expected = read_system(folder / "oracle", gold=corpus, source=folder / "raw").sentences
    for path in (folder / "oracle").iterdir():
        (tmp_path / path.name).write_text(" ".join(path.read_text(encoding="utf-8").split()), encoding="utf-8")
    found = read_system(tmp_path, gold=corpus, source=folder / "raw").sentences
    # Sentences that end without a stop, such as the items of a list, become one with the next.
    assert sum(one != other for one, other in zip(found, expected, strict=True)) <= 10
