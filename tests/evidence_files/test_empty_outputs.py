"""Many empty outputs are told, in the words of other commands, wherever texts are counted in parts."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from errata import settings
from errata.cli import main
from errata.cli import score as scoring_command
from errata.formats.reading import count_empty
from errata.settings import BLOCK_SIZE

from evidence_folders import read_folder

SENTENCES = 2 * BLOCK_SIZE + 452
WARNING = "{}: 51 of 2,500 sentences are empty, although their sources are not"


@given(
    st.lists(st.tuples(st.text(" \t\x0b\x1c\x85\xa0\u1680\u2003\u3000ax\u00e9\u3042\u200b", max_size=3), st.sampled_from(["", " ", "a"])))
)
def test_a_text_is_empty_if_it_has_no_tokens(pairs: list[tuple[str, str]]) -> None:
    outputs, sources = ([pair[side] for pair in pairs] for side in (0, 1))
    expected = sum(not output.split() and bool(source.split()) for output, source in pairs)
    assert count_empty(pa.array(outputs, pa.string()), pa.array(sources, pa.string())) == expected
    more = pa.array(["x", *outputs, ""], pa.string())
    assert count_empty(more.slice(1, len(pairs)), pa.array(["", *sources], pa.string()).slice(1)) == expected


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Source, reference, and two outputs with the most empty sentences that are few, and with one more; 100 sources are empty too."""
    source = ["I likes it ."] * (SENTENCES - 100) + [""] * 100
    few = ["", " ", "\u3000"] * 16 + ["", "\t"] + ["I like it ."] * (SENTENCES - 150) + [""] * 100
    many = [*few[:1_500], "", *few[1_501:]]
    assert len(few) == SENTENCES == len(many)
    columns = {"source": source, "reference": few, "few": few, "many": many}
    for name, texts in columns.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    parquet.write_table(pa.table(columns), tmp_path / "all.parquet", row_group_size=1_000)
    return [
        str(tmp_path / "source.txt"),
        "-r",
        str(tmp_path / "reference.txt"),
        *(str(tmp_path / f"{name}.txt") for name in ("few", "many")),
    ]


@pytest.mark.parametrize("how", [["--jobs", "1"], ["--engine", "threads"], ["-m", "accuracy", "-m", "maxmatch", "--jobs", "1"]])
def test_many_empty_outputs_are_told_by_evidence(
    how: list[str], arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "counts"
    command = ["evidence", *arguments, "-o", str(folder), "--part-size", str(BLOCK_SIZE), *how]
    many = WARNING.format(tmp_path / "many.txt")
    files = []
    for _ in range(2):  # parts that are there already too
        assert main(command) == 0
        printed = capsys.readouterr().err
        assert [line for line in printed.splitlines() if "although" in line] == [f"errata: warning: {many}"]
        files.append(read_folder(folder))
    assert files[0] == files[1]


def test_a_share_has_its_own_sentences(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for job, expected in (("1/3", ["few", "many"]), ("2/3", []), ("3/3", [])):
        assert main(["evidence", *arguments, "-o", str(tmp_path / job[0]), "--part-size", str(BLOCK_SIZE), "--part", job]) == 0
        told = [line for line in capsys.readouterr().err.splitlines() if "although" in line]
        assert told == [
            f"errata: warning: {tmp_path / name}.txt: 50 of 1,024 sentences are empty, although their sources are not" for name in expected
        ]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_many_empty_outputs_are_told_by_commands_that_read_in_parts(
    command: str, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([command, *arguments]) == 0
    expected = capsys.readouterr()
    assert WARNING.format(tmp_path / "many.txt") in expected.err
    assert "few.txt" not in expected.err
    monkeypatch.setattr(scoring_command, "_LONG", 100)
    monkeypatch.setattr(settings, "PART_SIZE", BLOCK_SIZE)
    assert main([command, *arguments]) == 0
    assert capsys.readouterr() == expected
    table = tmp_path / "all.parquet"
    assert main([command, f"{table}:source", "-r", f"{table}:reference", f"{table}:few", f"{table}:many"]) == 0
    printed = capsys.readouterr().err
    assert WARNING.format(f"{table}:many") in printed
    assert f"{table}:few" not in printed
