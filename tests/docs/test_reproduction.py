"""The page of reproduced figures: how figures are compared and written, and that the page is what the command writes now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reproducing.blocks import Block, Grid, Listing, Missing, Recordings, Section, Supplement
from reproducing.figures import KINDS, Absent, Cause, Claim, Figure, Recording, count_verdicts, list_causes, require, write_number
from reproducing.printed_scores import PrintedScore
from reproducing.public_data import PublicData
from thoroughness import THOROUGH
from write_reproduction import SECTIONS, find_data, make_anchor, make_section, write_page, write_summary

PAGE = Path("docs/reproduction.md")
QUICK = ("Dahlmeier and Ng", "Ng et al.", "Chodorow et al.", "Felice and Briscoe", "official scorer", "HOO")
SAMPLES = Cause("random numbers", "Other samples.")
OPEN = Cause("unknown", "Nobody knows.")


@pytest.mark.parametrize(
    ("published", "found", "verdict"),
    [
        ("0.38", 0.375, "equal"),
        ("0.38", 0.3751, "equal"),
        ("0.38", 0.3849, "equal"),
        ("0.38", 0.386, "close"),
        ("0.38", 0.39, "close"),
        ("0.38", 0.3901, "unexplained"),
        (".38", 0.37, "close"),
        ("-0.5330", -0.53304, "equal"),
        ("-0.25", 0.25, "unexplained"),
        ("1,381", 1381, "equal"),
        ("1,381", 1382, "unexplained"),  # one more is not rounding
        ("100.0", 100, "equal"),
        ("0.00", -0.0001, "equal"),
    ],
)
def test_figures_are_compared_to_their_last_digit(published: str, found: float, verdict: str) -> None:
    assert Figure(published, found).verdict == verdict


def test_a_reason_explains_a_difference_unless_it_is_unknown() -> None:
    assert Figure("0.4", 0.9, SAMPLES).verdict == Claim("yes", "no", False, SAMPLES).verdict == "explained"
    assert Figure("0.4", 0.9, OPEN).verdict == Claim("yes", "no", False, OPEN).verdict == "unexplained"
    assert Figure("0.4", 0.4, OPEN).verdict == Claim("yes", "yes", True, OPEN).verdict == "equal"
    figures = [Figure("1", 2, SAMPLES), Figure("1", 3, SAMPLES), Figure("1", 4), Figure("1", 1, OPEN), Figure("1.0", 1.07, OPEN)]
    assert [(cause.kind, count) for cause, count in list_causes(figures)] == [("random numbers", 2), ("unknown", 1)]
    assert count_verdicts(figures) == {"equal": 1, "close": 1, "explained": 2, "unexplained": 1}


def test_numbers_are_written_with_the_digits_of_the_paper() -> None:
    assert (Figure("1,644", 1643).written, Figure("1,644", 1643).written_difference) == ("1,643", "−1")
    assert (Figure("1351.24", 1351.249).written, Figure("1351.24", 1351.249).written_difference) == ("1351.249", "+0.009")
    assert (Figure("0.85", 0.783).written, Figure("0.85", 0.783).written_difference) == ("0.78", "−0.07")
    assert Figure("0.85", 0.852).written_difference == "="
    assert [write_number(value, 2, signed=True) for value in (-0.001, 0.0, 1234.5)] == ["0.00", "0.00", "+1234.50"]
    with pytest.raises(ValueError, match="undefined"):
        require(None)


def test_a_grid_shows_what_differs_and_why() -> None:
    rows: list[tuple[str, list[Figure | None]]] = [
        ("a", [Figure("44.07", 44.47, SAMPLES), Figure("-0.25", -0.257), None]),
        ("b", [Figure("1", 1), Figure("0.10", 0.1), Figure("2", 3)]),
    ]
    grid = Grid("A table", ("System", "F", "I", "n"), rows, "Of made-up systems.")
    assert grid.write().splitlines() == [
        "### A table",
        "",
        "Of made-up systems.",
        "",
        "| System | F | I | n |",
        "| --- | ---: | ---: | ---: |",
        "| a | 44.07 → **44.47** (+0.40) | −0.25 ≈ −0.257 |  |",
        "| b | 1 | 0.10 | 2 → **3** (+1) |",
        "",
        "- *Random numbers*, 1 figure: Other samples.",
        "- *Unknown*, 1 figure: No reason is known.",
    ]
    assert len(grid.figures) == 5


def test_a_listing_shows_claims_beside_numbers() -> None:
    claims = [("Section 1", "all", Claim("more", "less", False, SAMPLES)), ("Section 2", "n", Claim("more", "more", True))]
    listing = Listing("Claims", [*claims, ("Table 1", "r", Figure("-0.5", -0.49)), ("Table 1", "q", Figure("1.2", 1.3))])
    assert listing.write().splitlines()[4:] == [
        "| Section 1 | all | more | less | **does not hold** |",
        "| Section 2 | n | more | more | = |",
        "| Table 1 | r | −0.5 | −0.5 | = |",
        "| Table 1 | q | 1.2 | 1.30 | ≈ +0.10 |",
        "",
        "- *Random numbers*, 1 figure: Other samples.",
    ]


def test_recordings_are_counted() -> None:
    one = Recording.of("counts", [((1, 2), (1, 2)), ((1, 3), (1, 4)), ("a", "a")], OPEN)
    assert (one.compared, one.equal) == (3, 2)
    text = Recordings("Recorded", [one, Recording.of("others", [(1, 1)], OPEN)]).write()
    assert "| counts | 3 | **2** |\n| others | 1 | 1 |\n\n- counts: Nobody knows." in text
    assert text.count("Nobody knows.") == 1


def make_sections() -> list[Section]:
    blocks: list[Block] = [
        Grid("T", ("", "x"), [("a", [Figure("1", 1)]), ("b", [Figure("1", 2, SAMPLES)]), ("c", [Figure("1.0", 1.1)])]),
        Recordings("R", [Recording("counts", 7, 6)]),
        Missing("Not recomputed of P", [Absent("Table 2", "all", 4, "the data"), Absent("Figure 1", "a curve", None, "numbers")]),
        Supplement("More", ("", "x"), [("a", "3")]),
    ]
    return [Section("P: first (2015)", "Text.", blocks), Section("Second", "", [Listing("L", [("Section 1", "y", Figure("1", 5, OPEN))])])]


def test_the_summary_counts_figures_by_section_and_reason() -> None:
    text = write_summary(make_sections())
    assert text.startswith("Of 4 published figures, 1 are equal and 1 differ by one unit of the last digit at most; 1 differ for a reason")
    assert "| [P: first (2015)](#p-first-2015) | 3 | 1 | 1 | 1 | 0 | 4 |\n| [Second](#second) | 1 | 0 | 0 | 0 | 1 | 0 |\n" in text
    assert "| all | 4 | 1 | 1 | 1 | 1 | 4 |" in text
    assert "| random numbers | 1 | " in text
    assert "- [Second](#second), L, 1 figure: Nobody knows." in text
    assert "| P: first (2015) | 7 | 6 |" in text
    assert "\nDifferent are:\n\n- [P: first (2015)](#p-first-2015), counts: 1 of 7.\n" in text
    page = write_page(make_sections())
    assert "\n\n## P: first (2015)\n\nText.\n\n### T\n" in page
    assert page.endswith("\n")
    assert "\n\n\n" not in write_page(make_sections()[:1])


def test_a_printed_recall_must_be_a_whole_number_of_edits() -> None:
    """The first line of Table 7 of Ng et al. 2013: 386 of 831 proposed and 1,643 gold edits; a misprint does not fit."""
    right = PrintedScore(23.49, 46.45, 31.20, 1643)
    assert right.count_correct() == 386
    assert right.follows_from_counts()
    assert right.is_consistent()
    assert not right._replace(f=31.25).follows_from_counts()
    assert not right._replace(gold=7).follows_from_counts()
    assert PrintedScore(0, 0, 0, 690).follows_from_counts()
    misprint, meant = PrintedScore(9.50, 60.69, 16.70), PrintedScore(9.50, 69.09, 16.70)  # CAMB, Nn, Table 10
    assert (misprint.is_consistent(), meant.is_consistent()) == (False, True)


def list_sections() -> dict[str, str]:
    """The sections of the page, by title."""
    return {part.partition("\n")[0]: part for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]}


def test_the_summary_is_that_of_the_tables() -> None:
    """Marks in the tables of each section are as many as its row of the summary says."""
    sections = list_sections()
    rows = re.findall(r"^\| \[(.*?)\]\(#(.*?)\) \|(.*)\|$", sections.pop("Summary"), re.MULTILINE)
    assert [title for title, _, _ in rows] == list(sections)
    assert len(rows) == len(SECTIONS)
    for title, anchor, cells in rows:
        figures, equal, close, explained, unexplained, _ = (int(cell.replace(",", "")) for cell in cells.split("|"))
        text = sections[title]
        listed = [line.split(" | ")[-1] for line in text.splitlines() if line.startswith("| ") and line.count(" | ") == 4]
        different = text.count(" → **") + sum(cell.startswith("**") for cell in listed)
        assert anchor == make_anchor(title)
        assert different == explained + unexplained, title
        assert text.count(" ≈ ") == close, title
        assert equal == figures - close - explained - unexplained
        causes = re.findall(r"^- \*(.*?)\*, (\d+) figures?: ", text, re.MULTILINE)
        assert {kind.lower() for kind, _ in causes} <= {kind.lower() for kind in KINDS}
        assert sum(int(count) for kind, count in causes if kind != "Unknown") == explained, title


def test_links_lead_to_headings_of_the_page() -> None:
    anchors = {make_anchor(title) for title in re.findall(r"^#+ (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)}
    for path in [*Path().glob("*.md"), *Path("docs").glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        for anchor in re.findall(r"\]\(" + ("#" if path == PAGE else r"(?:docs/)?reproduction\.md#") + r"([^)]*)\)", text):
            assert anchor in anchors, (path, anchor)


def test_the_page_says_of_everything_missing_what_is_missing() -> None:
    rows = re.findall(r"^\| [^|]* \| [^|]* \| (?:–|[\d,]+) \| ([^|]*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 20
    assert all(len(needs) > 3 for needs in rows)


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize("name", SECTIONS if THOROUGH else QUICK)
def test_the_page_is_what_the_command_writes(data: Path, name: str) -> None:
    """Six sections of eleven in ``make test``, the others take minutes."""
    section = make_section(name, PublicData(data))
    assert list_sections()[section.title].strip() == section.write().removeprefix("## ").strip()


def test_without_data_the_command_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path / "none"))
    assert find_data() == tmp_path / "none"
    from write_reproduction import main

    with pytest.raises(SystemExit, match=r"no data at .*none; set ERRATA_DATA"):
        main()
