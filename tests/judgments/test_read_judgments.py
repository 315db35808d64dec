"""Judgments are read from XML, tables of items and tables of pairs, and what is wrong is named with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from errata import ErrataError, UsageError
from errata.studies.judgments import RankedOutput, count_judged_pairs, read_judgments

ITEMS = "sentence\tjudge\tskipped\tranking\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_of_items(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", f"{ITEMS}7\tanna\t0\tA,B=1 C=2\n8\tben\t1\t\n9\tben\t0\t\n9\tben\t0\tC=1\n")
    judgments = read_judgments(path)
    first, second = judgments.items
    assert (first.sentence, first.judge, first.outputs) == (7, "anna", (RankedOutput(("A", "B"), 1), RankedOutput(("C",), 2)))
    assert (first.line, second.line) == (2, 5)
    assert (judgments.skipped, judgments.empty, judgments.single) == (1, 1, 1)
    assert judgments.systems == ("A", "B", "C")
    assert judgments.judges == ("anna", "ben")
    assert judgments.sentences == (7, 9)
    assert repr(judgments) == "<HumanJudgments: 2 items, 3 systems, 2 judges>"


def test_tables_of_pairs(tmp_path: Path) -> None:
    ours = write(tmp_path, "ours.tsv", "sentence\tjudge\tsystem1\tsystem2\trank1\trank2\n3\tanna\tA\tB\t4\t2\n")
    header = "system2rank,segmentId,system1Id,system1rank,srcIndex,judgeID,system2Id"
    theirs = write(tmp_path, "wmt.csv", f"{header}\n2,3,A,4,3,anna,B\n")
    assert read_judgments(ours).items[0][:4] == read_judgments(theirs).items[0][:4]
    assert count_judged_pairs(read_judgments([ours, theirs]).items, "collapsed") == (2, 0)


def test_xml_and_table_of_the_example_are_the_same_items() -> None:
    table, xml = (read_judgments(f"examples/judgments/rankings.{ending}") for ending in ("tsv", "xml"))
    assert [(item.sentence + 1, item.judge, item.outputs) for item in table.items] == [item[:3] for item in xml.items]
    assert all(item.seconds for item in xml.items)


def test_names_of_xml_are_separated_by_spaces_or_commas(tmp_path: Path) -> None:
    items = "".join(
        f'<ranking-item id="3" user="a"><translation system="{names}" rank="1"/></ranking-item>' for names in ("A B", "A,B", "A, B")
    )
    path = write(tmp_path, "a.xml", f"<appraise-results><ranking-result>{items}</ranking-result></appraise-results>")
    assert {item.outputs for item in read_judgments(path).items} == {(RankedOutput(("A", "B"), 1),)}


def test_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv.gz"
    path.write_bytes(gzip.compress(f"{ITEMS}7\tanna\t0\tA=1 B=2\n".encode()))
    assert len(read_judgments(path).items) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("x\tanna\t0\tA=1", "a.tsv:2: expected the number of a sentence, found 'x'"),
        ("-1\tanna\t0\tA=1", "a.tsv:2: expected the number of a sentence, found '-1'"),
        ("1\tanna\t0\tA=1.5", "a.tsv:2: expected a rank, which is a whole number from 1, found '1.5'"),
        ("1\tanna\t0\tA=0", "a.tsv:2: expected a rank, which is a whole number from 1, found '0'"),
        ("1\tanna\t0\tA", "a.tsv:2: expected an output with its rank, such as A,B=1, found 'A'"),
        ("1\tanna\t0\tA=1,B=2", "a.tsv:2: expected outputs that are separated by spaces, such as A,B=1 C=2, found 'A=1,B=2'"),
        ("1\tanna\t0\tA=1 A,B=2", "a.tsv:2: the system 'A' is ranked twice in one item"),
        ("1\tanna\t0\tA,=1", "a.tsv:2: expected the names of systems, found 'A,'"),
        ("1\t\t0\tA=1", "a.tsv:2: expected the name of a judge, found ''"),
        ("1\tanna\tmaybe\tA=1", "a.tsv:2: expected 0 or 1 for whether the item was skipped, found 'maybe'"),
        ("1\tanna\t1\t", "a.tsv: there are no ranked items"),
        ("1\tanna", "a.tsv:2: expected 4 columns, found 2"),
    ],
)
def test_bad_items(rows: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", f"{ITEMS}{rows}\n")
    with pytest.raises(ErrataError) as caught:
        read_judgments(path)
    assert str(caught.value).removeprefix(f"{tmp_path}/") == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><appraise-results/>', "declares the entity 'b'"),
        ("<ranking-item src-id='1' user='a'><translation system='A' rank='1.5'/></ranking-item>", "found '1.5'"),
        ("<ranking-item src-id='1' user='a'><translation rank='1'/></ranking-item>", "the attribute system of <translation>"),
        ("<ranking-item user='a'><translation system='A' rank='1'/></ranking-item>", "the attributes src-id and user"),
        (
            "<ranking-item src-id='1' user='a' duration='2 h'><translation system='A' rank='1'/></ranking-item>",
            "such as 00:02:01.5, found '2 h'",
        ),
        ("<ranking-item src-id='1' user='a'><output/></ranking-item>", "found <output>"),
        ("<html/>", "expected <appraise-results>"),
    ],
)
def test_bad_xml(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ErrataError) as caught:
        read_judgments(write(tmp_path, "a.xml", text))
    assert message in str(caught.value)
    assert "a.xml:1: " in str(caught.value)


def test_other_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ErrataError, match=r"expected the columns .*, found a, b; there is no sentence"):
        read_judgments(write(tmp_path, "a.csv", "a,b\n1,2\n"))
    with pytest.raises(ErrataError, match="two columns are named 'judge'"):
        read_judgments(write(tmp_path, "b.csv", "judge,judge\n1,2\n"))
    for name in ("c.jsonl", "c.parquet", "c"):
        with pytest.raises(UsageError, match=rf"judgments must have the extension \.xml, \.csv or \.tsv, found '.*{name}'"):
            read_judgments(write(tmp_path, name, "{}\n"))


def test_a_file_counts_once(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "sentence\tjudge\tranking\n1\tanna\tA=1 B=2\n")
    with pytest.raises(UsageError, match=r"a\.tsv is given twice"):
        read_judgments([path, Path(path)])
