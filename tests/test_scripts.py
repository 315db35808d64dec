"""Texts from right to left on the report page and in notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

import errata
from errata.cli import main
from errata.corpus.unicode import find_direction, separate_characters
from errata.studies.conservatism import _count_boundaries

GOLD = "S ذهبت امس الى المدرسه .\nA 1 2|||Edit|||أمس|||REQUIRED|||-NONE-|||0\n\nS He go .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n"


@pytest.mark.parametrize(
    ("text", "direction"),
    [("السلام", "rtl"), ("(3) שלום", "rtl"), ("hello", None), ("Ahmad ذهب", None), ("…", None), ("", None), ("𞤀𞤁", "rtl")],
)
def test_the_first_letter_decides(text: str, direction: str | None) -> None:
    assert find_direction(text) == direction


def test_edits_on_the_page_are_isolated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, output, page = (tmp_path / name for name in ("gold.m2", "out.txt", "page.html"))
    gold.write_text(GOLD, encoding="utf-8")
    output.write_text("ذهبت أمس الى المدرسه .\nHe goes .\n", encoding="utf-8")
    assert main(["report", str(gold), str(output), "--replicates", "100", "--tagger", "none", "-o", str(page)]) == 0
    capsys.readouterr()
    text = page.read_text(encoding="utf-8")
    assert '<del dir="rtl">امس</del> → <ins dir="rtl">أمس</ins>' in text
    assert "<del>go</del> → <ins>goes</ins>" in text


def test_a_notebook_shows_a_sentence_in_its_direction() -> None:
    gold = errata.read(GOLD)
    score = errata.score(gold, ["ذهبت أمس الى المدرسه .", "He goes ."])
    arabic, english = (score.edits(number)._repr_html_() for number in (1, 2))
    assert arabic.count('dir="rtl"') == 3
    assert "dir=" not in english


def test_marks_of_other_scripts_are_tokens() -> None:
    assert separate_characters("نعم، أعرف؟").split() == ["نعم", "،", "أعرف", "؟"]
    assert separate_characters("plain (text).") == "plain (text)."


def test_sentences_end_at_marks_of_other_scripts_without_a_space() -> None:
    assert _count_boundaries("我走了。你呢？好。", "。？") == _count_boundaries("我 走 了 。 你 呢 ？ 好 。", "。？") == 2
    assert _count_boundaries("1.5 km e.g. here", ".。") == 0


def test_the_page_knows_that_tokens_are_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = []
    for gold, output in (("chinese/gold.m2", "chinese/raw.txt"), ("learner.m2", "systems/eager.txt")):
        page = tmp_path / "page.html"
        options = ["--tokenise", "source", "--replicates", "100", "--tagger", "none", "-o", str(page)]
        assert main(["report", f"examples/{gold}", f"examples/{output}", *options]) == 0
        pages.append('"characters":true' in page.read_text(encoding="utf-8"))
    capsys.readouterr()
    assert pages == [True, False]
