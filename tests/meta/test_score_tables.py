from __future__ import annotations

from pathlib import Path

import pytest

from errata.errors import ErrataError
from errata.studies.meta import read_scores
from errata.studies.meta.scores import MetricScores


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_wide_tables_have_a_column_for_each_metric(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "system,neural,other\nA,0.5,-2\nB,0.25,1e3\n")
    found = {scores.name: dict(scores.systems) for scores in read_scores([path])}
    assert found == {"neural": {"A": 0.5, "B": 0.25}, "other": {"A": -2.0, "B": 1000.0}}


def test_long_tables_name_metrics_in_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "s.tsv", "set\tmetric\tsystem\tscore\nx\tm\tA\t1\nx\tm\tB\t2\nx\tn\tA\t3\n")
    assert {scores.name: dict(scores.systems) for scores in read_scores([path])} == {"x m": {"A": 1, "B": 2}, "x n": {"A": 3}}
    assert [scores.name for scores in read_scores([f"{path}:x n"])] == ["x n"]


def test_sentences_are_averaged_and_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "s.tsv", "system\tsentence\tneural\nA\t1\t0.5\nA\t2\t0.25\nB\t1\t1\nB\t2\t0\nB\t\t0.75\n")
    (scores,) = read_scores([path])
    assert dict(scores.systems) == {"A": 0.375, "B": 0.75}
    metric = MetricScores.from_elsewhere(scores)
    assert metric.rank_sentences(["A", "B"], [1, 2]).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ErrataError, match="neural of A has no score of sentence 3, which was judged"):
        metric.rank_sentences(["A", "B"], [1, 3])


def test_empty_cells_are_absent(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "system,a,b\nA,1,\nB,2,3\n")
    assert [dict(scores.systems) for scores in read_scores([path])] == [{"A": 1, "B": 2}, {"B": 3}]


def test_signature_follows_the_scores(tmp_path: Path) -> None:
    one, other = (write(tmp_path / f"{name}.csv", text) for name, text in (("a", "system,m\nA,1\n"), ("b", "system,m\nA,2\n")))
    signatures = [read_scores([path])[0].signature for path in (one, other)]
    assert signatures[0].startswith("m | scores of 1 systems from a.csv, sha256 ")
    assert signatures[0][-12:] != signatures[1][-12:]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,m\nA,1\n", "s.csv:1: expected the column system, found name, m"),
        ("system,m\nA,x\n", "s.csv:1: expected a column of numbers beside system, found system, m"),
        ("system,m\nA,nan\n", "expected a column of numbers"),
        ("system,m\n", "there are no scores"),
        ("system,m\nA,1\nA,2\n", "s.csv:3: m of 'A' has a score in line 2 already"),
        ("system,m,m\nA,1,2\n", "two columns are named 'm'"),
        ("system,m\n,1\n", "s.csv:2: expected the name of a system, found nothing"),
        ("system,sentence,m\nA,0,1\n", "s.csv:2: expected the number of a sentence, counted from 1, found '0'"),
        ("system,sentence,m\nA,1.5,1\n", "found '1.5'"),
        ("system,m\nA,1\nB,NA\nC,2\n", "s.csv:3: m: expected a number, found 'NA'; an empty cell is no score"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ErrataError) as error:
        read_scores([write(tmp_path / "s.csv", text)])
    assert message in str(error.value)


def test_unknown_names_are_answered(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "system,neural\nA,1\n")
    with pytest.raises(ErrataError, match="no scores are named 'neurl'; there are neural; did you mean neural"):
        read_scores([f"{path}:neurl"])
    with pytest.raises(ErrataError, match="two scores are named 'neural'"):
        read_scores([path, path])


def test_files_and_names_with_colons(tmp_path: Path) -> None:
    path = write(tmp_path / "run:1.csv", "system,gec:recall,P/R\nA,1,2\n")
    assert [scores.name for scores in read_scores([path])] == ["gec:recall", "P/R"]
    assert [scores.name for name in ("gec:recall", "P/R") for scores in read_scores([f"{path}:{name}"])] == ["gec:recall", "P/R"]
    with pytest.raises(ErrataError, match="a table of scores must have the extension"):
        read_scores([str(tmp_path / "scores.txt")])


def test_numbers_of_sentences_as_frames_write_them(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "system,sentence,m\nA,1.0,1\nA,,3\n")
    (scores,) = read_scores([path])
    assert (scores.sentences, dict(scores.systems)) == ({"A": {1: 1.0}}, {"A": 3.0})
