"""Outputs with other lines than their source are brought to its lines, and all that was done is reported."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import InputError, UsageError, align_lines, read
from errata.corpus import line_alignment
from errata.corpus.line_alignment import _StretchFinder

from damaged_lines import damage, list_wrong
from thoroughness import often

SOURCES = ["My cat like fish .", "It sleep all day long .", "Yesterday I seen a dog .", "He was bark very loud .", "Then we goed home ."]
OUTPUTS = [
    "My cat likes fish .",
    "It sleeps all day long .",
    "Yesterday I saw a dog .",
    "He was barking very loudly .",
    "Then we went home .",
]


@pytest.mark.parametrize(
    ("outputs", "report"),
    [
        (OUTPUTS, []),
        (["Here is the corrected text:", *OUTPUTS], ["added: output line 1 was left out: 'Here is the corrected text:'"]),
        (["```", *OUTPUTS, "```"], ["added: output line 1 was left out: '```'", "repeated: output line 7 was left out (as output line 1)"]),
        ([*OUTPUTS[:2], "", *OUTPUTS[2:]], ["added: output line 3 was left out: ''"]),
        ([" ".join(OUTPUTS[:2]), *OUTPUTS[2:]], ["joined: source lines 1-2 are output line 1, which was cut"]),
        ([" ".join(OUTPUTS)], ["joined: source lines 1-5 are output line 1, which was cut"]),
        ([*OUTPUTS[:4], "Then we", "went home ."], ["split: source line 5 is output lines 5-6, which were joined"]),
        (
            [*OUTPUTS[:2], "Yesterday I saw", "a dog . He was barking very loudly .", OUTPUTS[4]],
            ["recut: source lines 3-4 are output lines 3-4, which were joined and cut"],
        ),
        ([OUTPUTS[0], OUTPUTS[0], *OUTPUTS[1:]], ["repeated: output line 2 was left out (as output line 1): 'My cat likes fish .'"]),
        (
            ["My cat likes fish.", "It sleeps all day long. Yesterday I saw a dog.", *OUTPUTS[3:]],
            ["joined: source lines 2-3 are output line 2"],
        ),
    ],
)
def test_lines_are_recovered_and_reported(outputs: list[str], report: list[str]) -> None:
    found = align_lines(SOURCES, outputs)
    assert [line.replace(" ", "") for line in found.lines] == [line.replace(" ", "") for line in OUTPUTS]
    lines = [str(item) for item in found.operations if item.kind != "moved"]
    assert len(lines) == len(report)
    assert all(line.startswith(start) for line, start in zip(lines, report, strict=True))
    assert found.report().splitlines()[1:] == [str(item) for item in found.operations]


def test_a_missing_line_is_empty_or_that_of_the_source() -> None:
    outputs = [*OUTPUTS[:2], *OUTPUTS[3:]]
    found = align_lines(SOURCES, outputs)
    assert found.lines == (*OUTPUTS[:2], "", *OUTPUTS[3:])
    assert found.summary() == "4 lines for 5 of the source: 2 moved, 1 missing"
    assert [str(item) for item in found.operations] == [
        "missing: source line 3 is not in the output: 'Yesterday I seen a dog .'",
        "moved: source lines 4-5 are output lines 3-4",
    ]
    assert align_lines(SOURCES, outputs, fill="source").lines[2] == SOURCES[2]
    with pytest.raises(UsageError, match="fill must be 'empty' or 'source', found 'x'"):
        align_lines(SOURCES, outputs, fill="x")  # type: ignore[arg-type]


def test_lines_may_be_tokens_and_nothing_else() -> None:
    assert align_lines([line.split() for line in SOURCES], OUTPUTS).lines == tuple(OUTPUTS)
    with pytest.raises(UsageError, match="outputs must be a list of sentences, found a single string: 'I like'"):
        align_lines(SOURCES, "I like")


def test_an_empty_output_of_a_line_stays_in_its_place() -> None:
    outputs = [*OUTPUTS[:2], "", *OUTPUTS[3:]]
    found = align_lines(SOURCES, outputs)
    assert (list(found.lines), found.operations) == (outputs, ())
    assert align_lines(["", *SOURCES], ["", *OUTPUTS]).operations == ()


def test_lines_in_another_order_are_missing_and_left_out() -> None:
    found = align_lines(SOURCES, [*OUTPUTS[1:], OUTPUTS[0]])
    assert found.lines == ("", *OUTPUTS[1:])
    assert [str(item) for item in found.operations if item.kind != "moved"] == [
        "missing: source line 1 is not in the output (output line 5 is similar): 'My cat like fish .'",
        "added: output line 5 was left out (source line 1 is similar): 'My cat likes fish .'",
    ]


def test_a_line_may_be_rewritten() -> None:
    outputs = [*OUTPUTS[:3], "The animal was making a lot of noise .", *OUTPUTS[4:]]
    assert align_lines(SOURCES, outputs).operations == ()


def test_scripts_without_spaces() -> None:
    sources = ["今日わ天気がいいです。", "私は学生だです。", "猫が好きです。"]
    outputs = ["今日は天気がいいです。私は学生です。", "猫が好き", "です。"]
    assert align_lines(sources, outputs).lines == ("今日は天気がいいです。", "私は学生です。", "猫が好き です。")


def test_an_output_of_another_text_is_refused_with_its_line(gold_lines: list[str]) -> None:
    other = [f"{number} bottles of juice on the wall , take {number} down" for number in range(200)]
    with pytest.raises(InputError, match=r"out.txt cannot be aligned from line 1 on: it has too little in common with in.txt from line 1"):
        align_lines(gold_lines, other, source_name="in.txt", output_name="out.txt")
    with pytest.raises(InputError, match=r"the output cannot be aligned from line 31 on: .* the source from line 31 on"):
        align_lines(gold_lines, gold_lines[:30] + other)
    with pytest.raises(InputError, match="the output cannot be aligned from line 1 on"):
        align_lines(["I like cats ."], ["Unable to comply"])


def test_an_output_that_ends_early_lacks_lines(gold_lines: list[str]) -> None:
    found = align_lines(gold_lines, gold_lines[:30])
    assert [(item.kind, item.source) for item in found.operations] == [("missing", range(31, 73))]
    assert align_lines(gold_lines, []).count("missing") == 72
    assert align_lines([], gold_lines).count("added") == 72
    assert align_lines([], []).lines == ()


def test_equal_lines_and_repetitive_texts_stay_bounded(monkeypatch: pytest.MonkeyPatch, gold_lines: list[str]) -> None:
    found = align_lines(["a b c d"] * 3000, ["a b c d"] * 2990)
    assert [item.kind for item in found.operations] == ["missing", "moved"] or found.count("missing") == 10
    copies = gold_lines * 8
    damaged, wanted = damage(copies, 0.02, random.Random(1))
    monkeypatch.setattr(line_alignment, "_NARROW", 10_000)
    monkeypatch.setattr(line_alignment, "_MOST_POSITIONS", 100_000)
    monkeypatch.setattr(line_alignment, "_PART", 40)
    assert len(list_wrong(align_lines(copies, damaged), wanted)) <= 6
    with pytest.raises(InputError, match="cannot be aligned from line"):
        align_lines(copies, copies[::-1])


def test_windows_give_the_same_lines_as_all_positions(monkeypatch: pytest.MonkeyPatch, gold_lines: list[str]) -> None:
    damaged = [" ".join(gold_lines[:40]), *gold_lines[40:]]
    found = align_lines(gold_lines, damaged)
    monkeypatch.setattr(line_alignment, "_NARROW", 1)
    assert align_lines(gold_lines, damaged) == found
    assert list(found.lines) == gold_lines


WORDS = st.lists(st.sampled_from(["a", "b", "the", "cat", "cats", ".", "Here", "``", "can't", "日本"]), max_size=6).map(" ".join)


@settings(max_examples=often(60, 30), deadline=None)
@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_nothing_is_lost_in_silence(sources: list[str], outputs: list[str]) -> None:
    """Every word of the output is in a line or reported, in order; every line of the source is there."""
    try:
        found = align_lines(sources, outputs)
    except InputError:
        return
    assert len(found.lines) == len(sources)
    left_out = {number for item in found.operations if item.kind in {"added", "repeated"} for number in item.output}
    kept = [word for number, line in enumerate(outputs, start=1) if number not in left_out for word in line.split()]
    assert "".join("".join(line.split()) for line in found.lines) == "".join(kept)
    missing = {number for item in found.operations if item.kind == "missing" for number in item.source}
    assert all(not line for number, line in enumerate(found.lines, start=1) if number in missing)
    reported = {number for item in found.operations for number in item.source}
    assert all(found.lines[number] == outputs[number] for number in range(len(sources)) if number + 1 not in reported)


@settings(max_examples=often(60, 30), deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=5))
def test_the_words_of_lines_are_in_order_and_once(sources: list[str], outputs: list[str]) -> None:
    finder = _StretchFinder(sources, outputs)
    stretches = [stretch for own in finder.find() for stretch in own]
    assert stretches == sorted(stretches)
    for one, other in pairwise(stretches):
        assert one.line < other.line or one.end <= other.start


@pytest.fixture(scope="module")
def gold_lines() -> list[str]:
    return [sentence.text for sentence in read("examples/learner.m2")]


@pytest.mark.parametrize("system", ["cautious", "eager", "rewriter"])
def test_damaged_examples_are_recovered(gold_lines: list[str], system: str) -> None:
    lines = Path(f"examples/systems/{system}.txt").read_text(encoding="utf-8").splitlines()
    for seed in range(3):
        damaged, wanted = damage(lines, 0.1, random.Random(seed))
        assert len(list_wrong(align_lines(gold_lines, damaged), wanted)) <= (3 if system == "rewriter" else 1)


@pytest.mark.realdata
@pytest.mark.parametrize("system", ["systems/AMU", "systems/RAC", "modern/BART", "modern/REF-F"])
def test_damaged_outputs_are_recovered_in_99_percent_of_lines(data: Path, system: str) -> None:
    """The full measurement, of all systems, is benchmarks/line_alignment.py."""
    sources = [sentence.text for sentence in read(data / "conll14/gold/official-2014.combined.m2")]
    lines = (data / f"conll14/{system}.txt").read_text(encoding="utf-8").split("\n")[: len(sources)]
    damaged, wanted = damage(lines, 0.05, random.Random(5))
    wrong = list_wrong(align_lines(sources, damaged), wanted)
    assert len(wrong) <= 0.01 * len(sources)


def test_the_gap_limits_are_those_that_are_documented() -> None:
    assert (line_alignment._MOST_POSITIONS, line_alignment._MOST_WORD_PAIRS) == (1 << 24, 1 << 31)
