"""``errata gate``: statuses, Markdown that no text of a file can break, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from errata.cli import main

GOLD, EAGER, CAUTIOUS, REWRITER = "examples/learner.m2", *(f"examples/systems/{name}.txt" for name in ("eager", "cautious", "rewriter"))
QUICK = ("--replicates", "300")
RunGate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def gate(capsys: pytest.CaptureFixture[str]) -> RunGate:
    def call(*arguments: str | Path) -> tuple[int, str, str]:
        status = main(["gate", *map(str, arguments), *(() if "--replicates" in arguments else QUICK)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def test_the_status_says_whether_it_holds(gate: RunGate) -> None:
    for arguments, expected in (
        ((EAGER, CAUTIOUS), 0),  # not significantly worse
        ((EAGER, CAUTIOUS, "--drop", "0.5"), 3),  # not shown
        ((EAGER, CAUTIOUS, "--drop", "60"), 0),
        ((EAGER, REWRITER), 3),
        ((REWRITER, EAGER, "--drop", "0.5"), 0),
        ((EAGER, CAUTIOUS, "-m", "maxmatch", "-m", "gleu"), 3),
    ):
        status, out, err = gate(GOLD, *arguments)
        assert (status, err) == (expected, "")
        assert out.startswith(f"### The gate {'holds' if expected == 0 else 'does not hold'}\n")


def test_every_format_and_file_has_the_verdict(gate: RunGate, tmp_path: Path) -> None:
    record = json.loads(gate(GOLD, EAGER, REWRITER, "-m", "maxmatch", "-m", "imeasure", "--format", "json")[1])
    assert (record["holds"], record["margin"], record["baseline"], record["new"]) == (False, None, "eager", "rewriter")
    assert [item["metric"] for item in record["metrics"]] == ["maxmatch", "imeasure"]
    assert all(item["signature"].startswith(f"{item['metric']}(") for item in record["metrics"])
    assert record["edits"]["lost"]["total"] == sum(edit["count"] for edit in record["edits"]["lost"]["edits"])
    assert json.loads(gate(GOLD, EAGER, REWRITER, "--drop", "0.5", "--format", "json")[1])["margin"] == 0.005
    _, table, _ = gate(GOLD, EAGER, REWRITER, "--format", "table", "--top", "1")
    assert table.startswith("The gate does not hold: rewriter (new) against eager (baseline)\n")
    assert len(re.findall(r"^- right, lost", table, re.MULTILINE)) == 1
    status, out, _ = gate(GOLD, EAGER, REWRITER, "-o", tmp_path / "summary")  # as $GITHUB_STEP_SUMMARY is named
    assert (status, out) == (3, "")
    assert (tmp_path / "summary").read_text() == gate(GOLD, EAGER, REWRITER)[1]


def test_identical_outputs_hold(gate: RunGate, tmp_path: Path) -> None:
    copy = tmp_path / "eager.txt"
    copy.write_bytes(Path(EAGER).read_bytes())
    for other in (EAGER, copy):
        status, out, _ = gate(GOLD, EAGER, other, "--drop", "0.1")
        assert status == 0
        assert "Both outputs are identical, so no edit has changed." in out


def test_a_metric_without_edits_shows_those_of_maxmatch(gate: RunGate) -> None:
    _, out, _ = gate(GOLD, EAGER, REWRITER, "-m", "imeasure")
    assert "Edits are those of maxmatch, because the metric does not show edits." in out
    assert "#### Edits that changed, by `maxmatch`" in out
    _, out, _ = gate(GOLD, EAGER, REWRITER, "-m", "imeasure", "-m", "maxmatch(beta=1)")
    assert "#### Edits that changed, by `maxmatch(beta=1.0)`" in out


def test_evidence_has_no_edits(gate: RunGate, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "counts"
    assert main(["evidence", GOLD, EAGER, REWRITER, "-o", str(folder), "-q"]) == 0
    status, out, _ = gate(folder, "eager", "rewriter")
    assert status == 3
    assert "Edits are not listed, because evidence has no texts." in out
    assert gate(GOLD, EAGER, REWRITER)[1].splitlines()[4:9] == out.splitlines()[4:9]
    assert gate(folder, "eager", "eager")[0] == 0
    assert "there is no evidence of the system 'nobody'" in gate(folder, "eager", "nobody", "-m", "maxmatch")[2]


NASTY = (
    "@everyone",
    "#12",
    "https://example.org",
    "www.example.org",
    "me@example.org",
    "<img/src=x>",
    "<!--",
    "[a](b)",
    "**bold**",
    "`code`",
    "``",
    "a|b",
    "\\|",
    "&lt;",
    "$x$",
    ":smile:",
    "deadbeef1",
)


def parse(markdown: str) -> tuple[set[str], str, list[str]]:
    """The kinds of markup in a Markdown text, its plain text, and its code."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inline)}
    plain = " ".join(token.content for token in inline if token.type == "text")
    return kinds, plain, [token.content for token in inline if token.type == "code_inline"]


def test_no_text_of_a_file_is_markup(gate: RunGate, tmp_path: Path) -> None:
    gold, before, after = tmp_path / "@me `x`|g.m2", tmp_path / "<b>|old`.txt", tmp_path / "@you.txt"
    words = NASTY
    gold.write_text("".join(f"S a {word} c\nA 1 2|||<T>@t|||{word}x|||REQUIRED|||-NONE-|||0\n\n" for word in words))
    before.write_text("".join(f"a {word}x c\n" for word in words))
    after.write_text("".join(f"a {word} {word} c\n" for word in words))
    status, out, _ = gate(gold, before, after, "--top", "100")
    assert status == 3
    kinds, plain, code = parse(out)
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "em_open", "fence", "code_block", "hr"}
    for word in words:  # nothing is dropped, and everything is code
        assert f"{word} → {word}x" in code
        assert f"a [{word}] c" in code
    assert {gold.name, "@you", "<T>@t"} <= set(code)
    for sign in ("@", "http", "www", "<", "[a]", "bold", "#12", ":smile:", "deadbeef", "`", "&", "$"):
        assert sign not in plain, (sign, plain)
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in out.splitlines() if line.startswith("|")]
    assert cells == [8, 8, 8]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((EAGER,), 2, "the following arguments are required: NEW"),
        ((EAGER, CAUTIOUS, REWRITER), 2, "one argument too many"),
        ((EAGER, "nowhere.txt"), 2, "nowhere.txt: there is no such file"),
        ((EAGER, CAUTIOUS, "--drop", "0"), 2, "expected a number of points above 0 and up to 100, such as 0.5, found '0'"),
        ((EAGER, CAUTIOUS, "--drop", "half"), 2, "such as 0.5, found 'half'"),
        ((EAGER, CAUTIOUS, "--drop", "nan"), 2, "such as 0.5, found 'nan'"),
        ((EAGER, CAUTIOUS, "--drop"), 2, "expected one argument"),
        ((EAGER, CAUTIOUS, "--alpha", "0"), 2, "--alpha must lie between 0 and 1, found 0.0"),
        ((EAGER, CAUTIOUS, "--alpha", "0.001"), 2, "300 replicates are too few for a level of 0.999; use at least 2,000"),
        ((EAGER, CAUTIOUS, "-m", "gleu", "-m", "gleu"), 2, "-m gleu is given twice"),
        ((EAGER, CAUTIOUS, "-m", "gle"), 2, "unknown metric 'gle'"),
        ((EAGER, CAUTIOUS, "--sentences", "1"), 1, "a test needs two sentences or more, found 1"),
        ((EAGER, CAUTIOUS, "--format", "csv"), 2, "expected markdown, table, json, found 'csv'"),
        (("-", "-"), 2, "standard input (-) can be only one of the files"),
        (("", CAUTIOUS), 2, "BASELINE: expected a file, found ''"),
    ],
)
def test_bad_input_is_explained(gate: RunGate, arguments: tuple[str, ...], status: int, message: str) -> None:
    found, _, err = gate(GOLD, *arguments)
    assert (found, message in err) == (status, True)


EDIT = "A 0 1|||T|||c|||REQUIRED|||-NONE-|||0\n"


@pytest.mark.parametrize(
    ("gold", "before", "after"),
    [
        (f"S a b\n{EDIT}\n", "c b\n", "a b\n"),
        ("S a b\n\nS c d\n\n", "a b\nc d\n", "\n\n"),
        (f"S a b\n{EDIT}\nS a b\n{EDIT}\n", "a b\na b\n", "a b\na b \n"),
        (f"S a b\n{EDIT}\nS a b\n{EDIT}\n", "c b\nc b\n", "a b\na b\n"),
        ("S \n\nS \n\n", "\n\n", "\nx\n"),
    ],
)
def test_tiny_corpora_have_a_verdict_or_an_error(gate: RunGate, tmp_path: Path, gold: str, before: str, after: str) -> None:
    for name, text in (("g.m2", gold), ("b.txt", before), ("n.txt", after)):
        (tmp_path / name).write_text(text)
    files = (tmp_path / "g.m2", tmp_path / "b.txt", tmp_path / "n.txt")
    for more in (
        ["-m", "maxmatch", "--drop", "1"],
        ["-m", "imeasure", "--format", "table"],
        ["-m", "gleu", "--drop", "1", "--format", "json"],
    ):
        status, out, err = gate(*files, *more, "-q", "--replicates", "100")
        assert (status in {0, 3}, status == 1) == (bool(out), "errata: error: " in err)
        assert not re.search(r"\b(nan|inf)\b", out, re.IGNORECASE)


def test_documents_are_swapped_and_resampled_whole(gate: RunGate, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.write_text("".join(f"d{number // 18}\n" for number in range(72)))
    _, out, _ = gate(GOLD, EAGER, REWRITER, "--documents", documents)
    assert "there are only 4 documents with different counts, so no drop can be significant" in out
