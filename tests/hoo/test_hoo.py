"""HOO: overlap of edits, extraction from texts, documents, and the metric."""

from __future__ import annotations

import csv
import itertools
import json
import random
import re
import shutil
import subprocess
from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata import (
    Corpus,
    Edit,
    Evaluator,
    FormatError,
    InputError,
    MismatchError,
    RequestError,
    Sentence,
    System,
    UsageError,
    read,
    read_system,
    score,
)
from errata.cli import main
from errata.formats.hoo import _check_positions, _read_parts, read_documents
from errata.formats.hoo_edits import HooEdit, _find_with_any_changes, _find_with_few_changes, diff_words, extract, format_edits, read_edits
from errata.formats.problems import Problem, Problems
from errata.metrics import hoo
from errata.metrics.hoo import HooCounts, HooScores, Rules, count_edits

from overlap_rule import count_every_pair, measure_overlap
from strategies import hypotheses

EXAMPLES = Path("examples/hoo")


def replaces(start: int, end: int, *new: str | None, old: str = "", part: str = "") -> HooEdit:
    return HooEdit(start, end, old or "x" * (end - start), new, part=part)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (replaces(0, 4, "a"), replaces(2, 2, "b"), Fraction(1, 4)),
        (replaces(0, 4, "a"), replaces(4, 4, "b"), Fraction(0)),
        (replaces(0, 4, "a"), replaces(2, 6, "b"), Fraction(1, 3)),
        (replaces(0, 4, "a"), replaces(4, 6, "b"), Fraction(0)),
        (replaces(0, 2, "", old="a "), replaces(0, 1, "the"), Fraction(1)),
        (replaces(0, 3, "", old=" ab"), replaces(1, 3, "the"), Fraction(1)),
        (replaces(0, 2, "", old="ab"), replaces(0, 1, "the"), Fraction(1, 2)),
        (replaces(3, 3, "a "), replaces(3, 3, "b "), Fraction(1)),
        (replaces(3, 3, "a "), replaces(2, 6, "b"), Fraction(1, 4)),
        (replaces(3, 3, "a "), replaces(3, 6, "a word"), Fraction(1, 3)),
        (replaces(3, 3, "a "), replaces(3, 6, "the word"), Fraction(0)),
        (replaces(3, 3, "a "), replaces(0, 3, "got a "), Fraction(1, 3)),
        (replaces(3, 3), replaces(0, 3, "anything"), Fraction(1, 3)),
        (replaces(3, 3, "a "), replaces(3, 6, None, "a word"), Fraction(0)),
        (replaces(0, 4, "a", part="1"), replaces(0, 4, "a", part="2"), Fraction(0)),
    ],
)
def test_overlap(gold: HooEdit, system: HooEdit, expected: Fraction) -> None:
    assert measure_overlap(gold, system) == expected


def test_a_space_of_a_deletion_is_allowed_for_in_2012_only() -> None:
    gold, system = replaces(0, 2, "", old="a "), replaces(0, 1, "the")
    assert (measure_overlap(gold, system, "2012"), measure_overlap(gold, system, "2011")) == (Fraction(1), Fraction(1, 2))


def test_counts() -> None:
    gold = [replaces(0, 3, "two", "three"), replaces(5, 8, None, "x"), replaces(10, 12), replaces(20, 24, "y")]
    system = [replaces(0, 3, "Three"), replaces(10, 12, "anything"), replaces(22, 26, "y"), replaces(40, 41, "")]
    assert count_edits(gold, system) == HooCounts(4, 4, detected=3, recognised=2, corrected=2, spurious=1, missed_optional=1)
    assert count_edits(gold, system, "2011").corrected == 1


_texts = st.none() | st.sampled_from(["", "a", "A", "ba", "bA", "a b", "b "])
_edits = st.lists(
    st.builds(
        lambda start, length, old, new, part: HooEdit(start, start + length, old, tuple(new), part=part),
        st.integers(0, 6),
        st.integers(0, 3),
        st.sampled_from(["", " ", "a", " a", "a ", " a "]),
        st.lists(_texts, max_size=3),
        st.sampled_from(["", "1"]),
    ),
    max_size=8,
)


@given(_edits, _edits, st.sampled_from(["2011", "2012"]))
def test_counts_equal_those_of_comparing_every_pair(gold: list[HooEdit], system: list[HooEdit], rules: Rules) -> None:
    assert count_edits(gold, system, rules) == count_every_pair(gold, system, rules)


@pytest.mark.parametrize("rules", ["2011", "2012"])
@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (
            lambda number: replaces(number, 400_000 - number, f"{number}", old="x"),
            lambda number: replaces(number, 400_000 - number, "x", old="x"),
        ),
        (lambda number: replaces(5, 9, f"{number}"), lambda number: replaces(5, 9, f"{number}x")),
        (lambda number: replaces(5, 5, f"{number}"), lambda number: replaces(4, 5, f"{number}x")),
        (lambda number: replaces(5, 5, f"{number}"), lambda number: replaces(5, 90, f"x{number}")),
        (lambda number: replaces(number, number + 2, "", old="a "), lambda number: replaces(number, number + 1, "x")),
    ],
    ids=["nested", "equal", "adjacent", "long", "spaces"],
)
def test_edits_that_overlap_are_not_compared_pair_by_pair(
    monkeypatch: pytest.MonkeyPatch, gold: Callable[[int], HooEdit], system: Callable[[int], HooEdit], rules: Rules
) -> None:
    """Each edit is looked up a few times: 5,000 edits of each side would be 25 million pairs."""
    seen = 0

    def counting(edit: HooEdit) -> str | None:
        nonlocal seen
        seen += 1
        return edit.corrections[0]

    monkeypatch.setattr(hoo, "_new_text", counting)
    count_edits([gold(number) for number in range(5_000)], [system(number) for number in range(5_000)], rules)
    assert seen <= 6 * 10_000


def test_texts_that_differ_only_in_case_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are the one thing that is compared one by one."""
    cases = ["".join(letters) for letters in itertools.product("aA", "bB", "cC")]
    gold, system = [replaces(5, 5, "ABC", "x")], [replaces(4, 5, text) for text in cases if text != "ABC"]
    assert count_edits(gold, system).corrected == 0
    monkeypatch.setattr(hoo, "_MOST_COMPARED", 10)
    with pytest.raises(RequestError, match="differ only in case: more than 10 comparisons"):
        count_edits(gold, system)


def test_scores_of_nothing() -> None:
    assert HooScores.of(HooCounts(), bonus=False).correction.f == 1
    assert HooScores.of(HooCounts(), bonus=False, of_nothing=0.0).correction.f == 0


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("feeds word", "feeds a word", [(6, 6, "", "a ")]),
        ("no a doubt,", "no doubt,", [(3, 5, "a ", "")]),
        ("they plays the football", "they play football", [(5, 14, "plays the", "play")]),
        ("OASYS is", "OASYS, is", [(5, 5, "", ",")]),
        ("that, so", "that so", [(4, 5, ",", "")]),
        ("2008), so", "2008); so", [(5, 6, ",", ";")]),
        ("(WSD) so", "WSD) so", [(0, 1, "(", "")]),
        ("a , b", "a b", [(2, 3, ",", "")]),
        ("Maryland that is", "Maryland, which is", [(0, 13, "Maryland that", "Maryland, which")]),
        ("", "a b", [(0, 0, "", "a b ")]),
        ("a b", "", [(0, 4, "a b ", "")]),
        ("same", "same", []),
    ],
)
def test_edits_of_texts(source: str, target: str, expected: list[tuple[int, int, str, str]]) -> None:
    found = [(edit.start, edit.end, edit.original, edit.corrections[0]) for edit in extract(source, target)]
    assert found == expected


def test_offsets_shift_with_white_space_as_in_the_output_of_wdiff() -> None:
    """Of the deleted word both spaces are left in the corrected text, and what follows is one character late."""
    source, target = "one two three four", "one  three 4"
    assert [edit.start for edit in extract(source, target)] == [4, 15]
    assert [edit.start for edit in extract(source, target, "text")] == [4, 14]


def test_a_change_across_a_line_end_is_no_edit_of_the_original_tools() -> None:
    source, target = "end.\nSome more words", "end,\nsome more word"
    assert [edit.original for edit in extract(source, target)] == ["words"]
    assert [edit.original for edit in extract(source, target, "text")] == ["end.\nSome", "words"]


words = st.lists(st.sampled_from("abc"), max_size=9)


@given(words, words)
def test_a_diff_turns_one_text_into_the_other(old: list[str], new: list[str]) -> None:
    result, done = [], 0
    for hunk in diff_words(old, new):
        result += [*old[done : hunk.start], *new[hunk.new_start : hunk.new_end]]
        done = hunk.end
    assert [*result, *old[done:]] == new


@given(words, words)
def test_a_diff_keeps_as_many_words_as_can_be_kept(old: list[str], new: list[str]) -> None:
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, one in enumerate(old):
        for j, other in enumerate(new):
            longest[i + 1][j + 1] = longest[i][j] + 1 if one == other else max(longest[i][j + 1], longest[i + 1][j])
    assert len(old) - sum(hunk.end - hunk.start for hunk in diff_words(old, new)) == longest[-1][-1]


MARKS = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)


@pytest.mark.skipif(shutil.which("wdiff") is None, reason="GNU wdiff is not installed")
@pytest.mark.parametrize("system", ["cautious", "eager", "rewriter"])
def test_the_real_wdiff_finds_the_same_words(tmp_path: Path, gold: Corpus, systems: dict[str, System], system: str) -> None:
    differ = 0
    for sentence, tokens in zip(gold, systems[system].sentences, strict=True):
        if not tokens:
            continue
        for name, text in (("old", sentence.text), ("new", " ".join(tokens))):
            (tmp_path / name).write_text(text + "\n", encoding="utf-8")
        done = subprocess.run(["wdiff", tmp_path / "old", tmp_path / "new"], capture_output=True, text=True, check=False)
        marked = [(removed or None, added or None) for removed, added in MARKS.findall(done.stdout)]
        ours: list[tuple[str | None, str | None]] = []
        for hunk in diff_words(sentence.tokens, tokens):
            removed, added = " ".join(sentence.tokens[hunk.start : hunk.end]), " ".join(tokens[hunk.new_start : hunk.new_end])
            ours += [(removed, None)] if removed else []
            ours += [(None, added)] if added else []
        differ += ours != marked
    assert differ <= (2 if system == "rewriter" else 0)  # of several shortest scripts wdiff may take another


def test_edits_are_written_as_they_are_read(tmp_path: Path) -> None:
    edits = [
        HooEdit(0, 3, "a <", ("x & y", "", None), "T'\"", "1-1", "f", "2", "9"),
        HooEdit(4, 4, "", ("z ",)),
        HooEdit(5, 6, "q", ()),
    ]
    path = tmp_path / "x.xml"
    path.write_text("\n".join(format_edits(edits)) + "\n", encoding="utf-8")
    assert list(read_edits(str(path), Problems("x"))) == edits
    assert [edit.optional for edit in edits] == [True, False, False]


EDIT = '<edits>\n<edit start="1" end="2"><original>a</original><corrections/></edit>\n</edits>\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (EDIT.replace('start="1"', 'start="x"'), "column 1: start of an edit must be a whole number, found 'x'"),
        (EDIT.replace('start="1"', ""), "start of an edit must be a whole number, found ''"),
        (EDIT.replace('start="1"', 'start="5"'), "an edit ends before it starts: 5 to 2"),
        (EDIT.replace("<original>a</original>", ""), "an edit must have one <original>"),
        ("<edits><oops/></edits>", "expected <edits>, <edit>, found <oops>"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + EDIT, "declares the entity 'a'"),
    ],
)
def test_bad_edits_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.xml").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=re.escape(message)):
        list(read_edits(str(tmp_path / "x.xml"), Problems("x")))


def test_places_of_gold_are_checked_against_the_source(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("abc def", encoding="utf-8")
    told: list[Problem] = []

    def found(edit: HooEdit) -> None:
        (tmp_path / "1GE.xml").write_text("\n".join(format_edits([edit])), encoding="utf-8")
        read_documents([str(tmp_path / "1GE.xml")], [str(EXAMPLES / "edits" / "1XX1.xml")], [str(tmp_path / "1.txt")], warn=told.append)

    found(HooEdit(0, 3, "abc", ("x",)))
    assert told == []
    found(HooEdit(0, 3, "abd", ("x",)))
    assert "the original of this edit differs from the text: 'abd'" in told[0].message
    with pytest.raises(FormatError, match="an edit of 0 to 99 lies outside a text of 7 bytes"):
        found(HooEdit(0, 99, "abc", ("x",)))


def test_edits_beside_a_source_are_edits() -> None:
    folders = [[str(EXAMPLES / name)] for name in ("gold", "edits", "source")]
    assert [len(item.system) for item in read_documents(folders[0], folders[1], folders[2])] == [4, 2]


def test_a_null_correction_corrects_nothing() -> None:
    gold = [replaces(0, 2, "", old="a ")]
    assert count_edits(gold, [replaces(0, 2, None)]).corrected == 0
    assert count_edits(gold, [replaces(0, 2)]).corrected == 0


def test_texts_without_a_word_in_common_are_quick() -> None:
    old, new = [f"a{number}" for number in range(5000)], [f"b{number}" for number in range(5000)]
    assert diff_words(old, new) == [(0, 5000, 0, 5000)]


@given(words, words)
def test_few_and_many_changes_find_the_same_common_words(old: list[str], new: list[str]) -> None:
    assert _find_with_any_changes(old, new, 100) == _find_with_few_changes(old, new, 20)


def test_long_texts_with_few_and_many_changes_have_the_same_common_words() -> None:
    chance = random.Random(1)
    old, new = (chance.choices("abcdefgh", k=300) for _ in range(2))
    assert _find_with_any_changes(old, new, 90_000) == _find_with_few_changes(old, new, 600)


def test_texts_that_differ_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of any length are compared if they differ little; else the pairs of their words have a limit."""
    monkeypatch.setattr("errata.formats.hoo_edits._MOST_PAIRS_IN_DIFF", 10)
    old = ["a", "b", "c", "d", "e", "f"]
    assert diff_words(old, old[::-1])
    monkeypatch.setattr("errata.formats.hoo_edits._FEW_CHANGES", 3)
    assert diff_words(old, [*old[1:], "a"])
    with pytest.raises(
        RequestError, match="differ too much to be compared: they have 6 words and 6 that occur in both, and more than 3 cha"
    ):
        diff_words(old, old[::-1])


def test_many_changes_of_long_texts_take_one_pass() -> None:
    """Counting the words before each of 10,000 runs would look at a billion words."""
    old = [str(number) for number in range(200_000)]
    new = [word if number % 20 else f"x{word}" for number, word in enumerate(old)]
    assert len(diff_words(old, new)) == 10_000


def test_words_in_another_order_take_bits_not_pairs() -> None:
    """The greedy algorithm would take some seven thousand rounds of so many diagonals."""
    old = [str(number) for number in range(4_000)]
    new = random.Random(1).sample(old, len(old))
    rising: list[int] = []  # the least last number of a rising subsequence of each length
    for number in map(int, new):
        place = bisect_left(rising, number)
        rising[place : place + 1] = [number]
    assert sum(hunk.end - hunk.start for hunk in diff_words(old, new)) == len(old) - len(rising)


def write_documents(folder: Path, gold: Sequence[HooEdit], system: Sequence[HooEdit]) -> list[str]:
    """Write one document, and return the arguments that name it."""
    for name, edits in (("gold", gold), ("system", system)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "1.xml").write_text("\n".join(format_edits(edits)), encoding="utf-8")
    return ["hoo", "--gold", str(folder / "gold"), "--system", str(folder / "system")]


def test_by_type_every_gold_edit_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = [HooEdit(0, 1, "a", ("b",), "UT"), HooEdit(4, 5, "a", ("b",))]
    arguments = write_documents(tmp_path, gold, [HooEdit(0, 1, "a", ("b",))])
    assert main([*arguments, "--by-type", "--format", "json"]) == 0
    captured = capsys.readouterr()
    found = {entry["type"]: entry["counts"]["gold"] for entry in json.loads(captured.out)["results"]}
    assert found == {"all": 2, "UT": 1, "Prep": 1}
    assert "1 gold edit without a type, counted in 'all' only" in captured.err


def test_a_type_cannot_have_the_name_of_a_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = write_documents(tmp_path, [HooEdit(0, 1, "a", ("b",), "all")], [])
    assert main([*arguments, "--by-type"]) == 1
    assert "an edit has the type 'all', which is the name of a group of types" in capsys.readouterr().err


def test_types_have_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = write_documents(tmp_path, [HooEdit(number, number, "", ("b",), f"T{number}") for number in range(1_001)], [])
    assert main([*arguments, "--by-type"]) == 1
    assert "--by-type: the edits have 1,001 types, more than the limit of 1,000" in capsys.readouterr().err


def test_long_spans_are_not_searched_for_their_originals() -> None:
    """A million bytes for each of 5,000 edits would be five billion."""
    text = b"\xff" * 1_000_000
    found: list[Problem] = []
    _check_positions("gold.xml", [HooEdit(0, len(text), "word", (), line=number) for number in range(1, 5_001)], text, found.append)
    assert [problem.message for problem in found] == ["the original of this edit differs from the text (5,000 edits do): 'word'"]


EDIT = """<edits>
<edit index="1" type="UT" start="0" end="2">
<original>a </original>
<corrections>
<correction><empty/></correction>
</corrections>
</edit>
</edits>
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("corrections>", "Corrections>", 4, "column 1: expected <corrections> or <original> inside <edit>, found <Corrections>"),
        ("correction>", "corection>", 5, "column 1: expected <correction> inside <corrections>, found <corection>"),
        ("<empty/>", "<Empty/>", 5, "column 13: expected <empty> inside <correction>, found <Empty>"),
        ("a </original>", "<b>a</b> </original>", 3, "column 11: expected <empty> inside <original>, found <b>"),
        ("<corrections>", "the <corrections>", 2, "column 1: <edit> contains text outside its elements: 'the'"),
        ("<empty/>", "the <empty/>", 5, "column 1: <correction> must have a text or <empty/>, found both: 'the'"),
        ("<empty/>", "<empty>the</empty>", 5, "column 13: <empty> contains text outside its elements: 'the'"),
    ],
)
def test_unknown_elements_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, line: int, message: str
) -> None:
    """A misspelt element would leave a correction out and change the score."""
    path = tmp_path / "1.xml"
    assert old in EDIT
    path.write_text(EDIT.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        list(read_edits(str(path), Problems("1.xml")))
    assert str(caught.value) == f"1.xml:{line}: {message}"
    assert main(["hoo", "--gold", str(path), "--system", str(path)]) == 2
    capsys.readouterr()
    assert main(["check", str(path)]) == 2
    assert f"error: {path}:{line}: {message}\n{path}: 0 edits\n" in capsys.readouterr().out


def test_unknown_attributes_are_skipped_with_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "1.xml"
    path.write_text(EDIT.replace('type="UT"', 'typ="UT"'), encoding="utf-8")
    assert main(["hoo", "--gold", str(path), "--system", str(path)]) == 0
    assert f"{path}:2: the unknown attribute 'typ' of <edit> is skipped" in capsys.readouterr().err
    assert main(["check", str(path)]) == 0
    assert f"warning: {path}:2: column 1: the unknown attribute 'typ' of <edit> is skipped" in capsys.readouterr().out


def test_check_reads_edits_and_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.xml").write_text("<edits></edits>\n")
    (tmp_path / "text.xml").write_text('<HOO><BODY><PART id="1"><P>He go.</P></PART></BODY></HOO>\n')
    (tmp_path / "bad.xml").write_text('<HOO><BODY><PART id="1"><P>He <i>go</i>.</P>\n<Q>It is.</Q></PART></BODY></HOO>\n')
    assert main(["check", str(tmp_path / "none.xml"), str(tmp_path / "text.xml"), "examples/hoo/gold/1GE.xml"]) == 0
    counted = [line.rpartition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    assert counted == ["0 edits", "1 part", "6 edits", "0 errors, 0 warnings"]
    assert main(["check", str(tmp_path / "bad.xml")]) == 2
    out = capsys.readouterr().out
    assert "bad.xml:1: column 31: expected text only inside <P>, found <i>" in out
    assert "bad.xml:2: column 1: expected <P> inside <PART>, found <Q>" in out


def test_edits_of_two_documents_are_not_written_to_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("gold", "system"):
        (tmp_path / folder).mkdir()
        for name in ("a1", "A1"):
            (tmp_path / folder / f"{name}.xml").write_text("<edits></edits>")
    arguments = ["--gold", str(tmp_path / "gold"), "--system", str(tmp_path / "system"), "--write-edits", str(tmp_path / "new")]
    assert main(["hoo", *arguments]) == 1
    assert "--write-edits: on some systems A1.xml and a1.xml are the same file" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_edits_can_be_written(tmp_path: Path) -> None:
    arguments = ["--gold", "examples/hoo/gold", "--system", "examples/hoo/texts", "--source", "examples/hoo/source"]
    assert main(["hoo", *arguments, "--write-edits", str(tmp_path / "found")]) == 0
    assert main(["hoo", *arguments[:2], "--system", str(tmp_path / "found")]) == 0
    assert {path.name for path in (tmp_path / "found").iterdir()} == {"1XX1.xml", "2XX1.xml"}


def test_documents_belong_together_by_their_numbers(tmp_path: Path) -> None:
    gold, system = [str(EXAMPLES / "gold")], [str(EXAMPLES / "edits")]
    assert [(item.name, len(item.gold), len(item.system)) for item in read_documents(gold, system)] == [("1XX1", 6, 4), ("2XX1", 3, 2)]
    from_texts = read_documents(gold, [str(EXAMPLES / "texts")], [str(EXAMPLES / "source")])
    assert [[(edit.start, edit.corrections) for edit in item.system] for item in from_texts] == [
        [(edit.start, edit.corrections) for edit in item.system] for item in read_documents(gold, system)
    ]
    with pytest.raises(MismatchError, match=r"the system has no file for .*2GE\.xml"):
        read_documents(gold, [str(EXAMPLES / "edits" / "1XX1.xml")])
    with pytest.raises(MismatchError, match="gold has no file for"):
        read_documents([str(EXAMPLES / "gold" / "1GE.xml")], system)
    with pytest.raises(MismatchError, match="is a text, and its source is missing"):
        read_documents(gold, [str(EXAMPLES / "texts")])
    with pytest.raises(InputError, match="two gold files have the number 1"):
        read_documents([str(EXAMPLES / "gold"), str(EXAMPLES / "gold" / "1GE.xml")], system)
    with pytest.raises(InputError, match="the folder is empty"):
        read_documents([str(tmp_path)], system)


def test_documents_of_2012_have_parts(tmp_path: Path) -> None:
    for folder, word in (("source", "have"), ("texts", "has")):
        (tmp_path / folder).mkdir()
        parts = f'<PART id="1"><P>It {word} two.</P><P>Yes.</P></PART><PART id="2"><P>He {word}.</P></PART>'
        (tmp_path / folder / "7.xml").write_text(f"<HOO><HEAD></HEAD><BODY>{parts}</BODY></HOO>", encoding="utf-8")
    (tmp_path / "gold").mkdir()
    edits = [HooEdit(3, 7, "have", ("has",), "AGV", file="7", part=part) for part in ("1", "2")]
    (tmp_path / "gold" / "7.xml").write_text("\n".join(format_edits(edits)), encoding="utf-8")
    assert _read_parts(str(tmp_path / "source" / "7.xml")) == {"1": "It have two.Yes.", "2": "He have."}
    (document,) = read_documents([str(tmp_path / "gold")], [str(tmp_path / "texts")], [str(tmp_path / "source")])
    assert count_edits(document.gold, document.system).corrected == 1  # "has." takes its full stop along
    assert [(edit.start, edit.part) for edit in document.system] == [(3, "1"), (3, "2")]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["hoo", "--gold", "examples/hoo/gold", "--system", "examples/hoo/texts", "--source", "examples/hoo/source"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[4].split() == ["all", "correction", "9", "6", "2", "0", "1", "33.33", "22.22", "26.67", "42.86", "33.33", "37.50"]
    assert main([*arguments, "--by-type", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    by_type = {entry["type"]: entry for entry in record["results"]}
    assert sum(entry["counts"]["gold"] for name, entry in by_type.items() if name not in {"all", "Prep", "Det"}) == 9
    assert by_type["AGV"]["counts"]["corrected"] == 2
    assert main(["hoo", "--gold", "nowhere", "--system", "examples/hoo/edits"]) == 2
    assert "nowhere: there is no such file" in capsys.readouterr().err


def test_section_4_of_the_maxmatch_papers() -> None:
    """MaxMatch gives R 1/3, P 1, F 1/2, whichever equivalent gold edits are given; the HOO scorer 0 for one of them."""
    text = "There is no a doubt , tracking system has brought many benefits in this information age ."
    output = [text.replace("no a doubt", "no doubt")]
    others = [Edit(7, 8, ("systems",)), Edit(8, 9, ("have",))]
    for first in (Edit(3, 5, ("doubt",)), Edit(3, 4, ("",))):
        gold = Corpus((Sentence.of(text, [first, *others]),))
        for metric in ("maxmatch(beta=1)", "hoo(edits=maxmatch)"):
            assert score(gold, output, metric).value == 0.5
    gold = Corpus((Sentence.of(text, [Edit(3, 5, ("doubt",)), *others]),))
    found = score(gold, output, "hoo").parts
    assert (found["correction"]["precision"], found["correction"]["recall"], found["correction"]["f"]) == (0, 0, 0)
    assert found["detection"]["recall"] == pytest.approx(1 / 3)


def test_optional_edits_left_alone_earn_a_bonus() -> None:
    gold = Corpus((Sentence.of("a b c", [Edit(0, 1, ("x",), status="OPTIONAL"), Edit(2, 3, ("y",))]),))
    assert score(gold, ["a b y"], "hoo").parts["correction"]["recall"] == 0.5
    for edits in ("wdiff", "maxmatch"):
        assert score(gold, ["a b y"], f"hoo(bonus=true,edits={edits})").value == 1


@pytest.mark.parametrize("text", ["hoo(edits=word)", "hoo(score=f)", "hoo(rules=2013)", "hoo(choice=best)"])
def test_bad_settings_are_named(text: str) -> None:
    with pytest.raises(UsageError, match=r"hoo setting .* must be one of"):
        errata.metric(text)


def test_correction_of_maxmatch_edits_is_maxmatch(gold: Corpus, systems: dict[str, System]) -> None:
    for system in systems.values():
        edits, tokens = score(gold, system, "hoo(edits=maxmatch,rules=2011)"), score(gold, system, "maxmatch(beta=1)")
        assert (edits.parts["corrected"], edits.parts["system"], edits.parts["gold"]) == tokens.counts


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(tuple), st.data())
def test_a_system_that_does_what_wdiff_sees_is_right(tokens: tuple[str, ...], data: st.DataObject) -> None:
    """Gold made from the edits of a text is met by that text."""
    hypothesis = data.draw(hypotheses(tokens))
    found = extract(" ".join(tokens), " ".join(hypothesis))
    counts = count_edits(found, found)
    assert counts.corrected == counts.recognised == counts.gold


H2011 = {"without_bonus": (0.8557, 0.8397, 0.8476, 0.5841, 0.5565, 0.5700, 0.5655, 0.5388, 0.5519)}


@pytest.mark.realdata
@pytest.mark.parametrize("given_as", ["edits", "texts"])
def test_numbers_of_the_original_tools(data: Path, capsys: pytest.CaptureFixture[str], given_as: str) -> None:
    folder = data / "hoo2011"
    arguments = ["hoo", "--gold", str(folder / "gold"), "--format", "json"]
    arguments += ["--system", str(folder / "oracle-edits")] if given_as == "edits" else []
    arguments += ["--system", str(folder / "oracle"), "--source", str(folder / "raw")] if given_as == "texts" else []
    assert main(arguments) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    counts = HooCounts(1017, 969, detected=854, recognised=566, corrected=548, spurious=144, missed_optional=10)
    assert result["counts"] == counts._asdict()
    found = [
        result["without_bonus"][name][part] for name in ("detection", "recognition", "correction") for part in ("precision", "recall", "f")
    ]
    assert found == pytest.approx(H2011["without_bonus"], abs=5e-5)
    bonus = result["with_bonus"]["correction"]
    assert (bonus["precision"], bonus["recall"], bonus["f"]) == pytest.approx((0.5700, 0.5487, 0.5591), abs=5e-5)
    assert main([*arguments, "--rules", "2011"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    macro = [
        result["with_bonus"][name][part] for name in ("detection", "recognition", "correction") for part in ("precision", "recall", "f")
    ]
    assert macro == pytest.approx((0.8840, 0.8851, 0.8842, 0.6323, 0.6095, 0.6201, 0.6181, 0.5964, 0.6065), abs=5e-5)


@pytest.mark.realdata
def test_every_file_of_2011(data: Path) -> None:
    folder = data / "hoo2011"
    for regime, bonus in (("bonus", True), ("nobonus", False)):
        with (folder / f"oracle.2011-macro.{regime}.csv").open(encoding="utf-8", newline="") as file:
            recorded = {row["File"]: row for row in csv.DictReader(file, skipinitialspace=True)}
        for document in read_documents([str(folder / "gold")], [str(folder / "oracle-edits")]):
            scores = HooScores.of(count_edits(document.gold, document.system, "2011"), bonus=bonus, of_nothing=0.0)
            for name in ("detection", "recognition", "correction"):
                found = getattr(scores, name)
                row = recorded[document.name]
                expected = tuple(float(row[f"{name}{part}"]) for part in ("precision", "recall", "score"))
                assert (found.precision, found.recall, found.f) == pytest.approx(expected)


@pytest.mark.realdata
def test_every_recorded_edit_is_found_in_the_texts(data: Path) -> None:
    folder = data / "hoo2011"
    recorded = read_documents([str(folder / "gold")], [str(folder / "oracle-edits")])
    told: list[Problem] = []
    found = read_documents([str(folder / "gold")], [str(folder / "oracle")], [str(folder / "raw")], warn=told.append)
    for one, other in zip(recorded, found, strict=True):
        assert [(e.start, e.end, e.original, e.corrections) for e in one.system] == [
            (e.start, e.end, e.original, e.corrections) for e in other.system
        ]


@pytest.mark.realdata
def test_doing_nothing(data: Path) -> None:
    total = HooCounts()
    for document in read_documents([str(data / "hoo2011" / "gold")], [str(data / "hoo2011" / "oracle-edits")]):
        total = total.plus(count_edits(document.gold, []))
    assert total.missed_optional == 73
    found = HooScores.of(total, bonus=True).correction
    assert (found.precision, found.recall, found.f) == pytest.approx((1, 0.07178, 0.13394), abs=5e-6)


@pytest.mark.realdata
def test_correction_of_maxmatch_edits_is_maxmatch_on_a_test_set(data: Path) -> None:
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    edits, tokens = Evaluator(gold, "hoo(edits=maxmatch,rules=2011)"), Evaluator(gold, "maxmatch(beta=1)")
    for path in sorted((data / "conll14").glob("[sm]*/*.txt")):
        system = read_system(path)
        parts = edits(system).parts
        assert (parts["corrected"], parts["system"], parts["gold"]) == tokens(system).counts, path.stem


def test_texts_that_are_not_utf8_are_compared_with_a_warning(tmp_path: Path) -> None:
    for name, content in (("gold", b"<edits></edits>"), ("source", b"A cat .\nSo it is .\n"), ("system", b"A cat .\nSo it i\xff .\n")):
        (tmp_path / f"1.{name}").write_bytes(content)
    warnings: list[Problem] = []
    gold, system, source = ([str(tmp_path / f"1.{name}")] for name in ("gold", "system", "source"))
    read_documents(gold, system, source, warn=warnings.append)
    assert [(problem.line, problem.message) for problem in warnings] == [
        (2, "not UTF-8: byte 0xff at byte 8 of the line (compared byte by byte)")
    ]
