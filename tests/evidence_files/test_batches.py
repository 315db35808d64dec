"""Batches of a table have the counts of texts, however they are cut and wherever they are counted."""

import pickle
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import errata
from errata.cli import main
from errata.errors import ErrataError
from errata.scoring.evidence_files import BatchCounter, reading, score_rows
from errata.scoring.evidence_files import reading as batches
from errata.scoring.evidence_files import reading as row_scores
from errata.stats import resampling
from errata.stats import resampling as units

from evidence_folders import LongCorpus

METRICS = [
    "maxmatch",
    "maxmatch(beta=1.0)",
    "maxmatch(references=mix)",
    "maxmatch(ignore_case_and_space=true)",
    "gleu",
    "accuracy",
    "hoo",
    "imeasure",
    "imeasure(per=corpus)",
]
SENTENCES = 150


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return LongCorpus(tmp_path_factory.mktemp("corpus"), SENTENCES)


@pytest.fixture(scope="module")
def table(corpus: LongCorpus) -> pa.Table:
    return parquet.read_table(corpus.path("all.parquet")).append_column("id", pa.array(range(1, SENTENCES + 1)))


def make_counter(metric: str = "maxmatch", **changes: Any) -> BatchCounter:
    return BatchCounter(metric, **{"source": "src", "references": ["ref0", "ref1"], "output": "eager", "keep": ["id"], **changes})


def count(counter: BatchCounter, given: Iterable[Any]) -> pa.Table:
    return pa.Table.from_batches(counter(given))


def score_texts(corpus: LongCorpus, metric: str) -> errata.Score:
    references = [corpus.path("ref0.txt"), corpus.path("ref1.txt")]
    return errata.score(errata.read(corpus.path("src.txt"), references=references), errata.read_system(corpus.path("eager.txt")), metric)


@pytest.mark.parametrize("metric", METRICS)
def test_counts_and_scores_are_those_of_texts(metric: str, corpus: LongCorpus, table: pa.Table) -> None:
    counter, expected = make_counter(metric), score_texts(corpus, metric)
    rows = count(counter, table.to_batches(max_chunksize=40))
    evidence = expected.evidence
    assert rows.to_pylist() == [
        {"id": number, "row": index, "reference": label, **dict(zip(counter.metric.columns, own, strict=True))}
        for number, (listed, labels) in enumerate(zip(evidence.rows, evidence.labels, strict=True), 1)
        for index, (own, label) in enumerate(zip(listed, labels, strict=True))
    ]
    assert rows.schema == counter.make_schema(table.schema)
    shuffled = rows.take(random.Random(1).sample(range(rows.num_rows), rows.num_rows))
    score = score_rows(shuffled, metric, system_name="eager")
    assert (score.value, score.counts, score.parts) == (expected.value, expected.counts, expected.parts)
    assert (score.evidence.rows, score.evidence.labels) == (evidence.rows, evidence.labels)
    bootstrap = errata.Bootstrap(replicates=100)
    assert score.interval(bootstrap) == expected.interval(bootstrap)


@pytest.mark.parametrize("metric", ["maxmatch", "gleu"])
@given(cuts=st.lists(st.integers(0, SENTENCES), max_size=6))
def test_any_cut_has_the_same_rows(metric: str, cuts: list[int], table: pa.Table) -> None:
    whole = table.slice(0, 30).combine_chunks().to_batches()[0]
    ends = [*sorted(min(cut, 30) for cut in cuts), 30]
    pieces = [whole.slice(start, stop - start) for start, stop in zip([0, *ends], ends, strict=False)]
    counter = pickle.loads(pickle.dumps(make_counter(metric)))
    assert count(counter, pieces) == count(counter, [whole])


def test_a_large_batch_is_counted_in_pieces(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = count(make_counter(), table.combine_chunks().to_batches())
    monkeypatch.setattr(batches, "_TOGETHER", 7)
    counted = list(make_counter()(table.combine_chunks().to_batches()))
    assert len(counted) == SENTENCES // 7 + 1
    assert pa.Table.from_batches(counted) == whole


def test_empty_batches_have_no_rows(table: pa.Table) -> None:
    counter, empty = make_counter(), [pa.record_batch([pa.array([], field.type) for field in table.schema], schema=table.schema)]
    assert list(counter([])) == []
    assert count(counter, empty) == counter.make_schema(table.schema).empty_table()
    one = table.slice(0, 1).combine_chunks().to_batches()
    assert count(counter, [*empty, *one, *empty]) == count(counter, one)


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.large_string())], ids=str)
def test_columns_of_texts_of_any_type(kind: pa.DataType, table: pa.Table) -> None:
    some = table.slice(0, 100)
    texts = ("src", "ref0", "ref1", "eager")
    columns = {
        name: some[name].combine_chunks().dictionary_encode().cast(kind) if name in texts and pa.types.is_dictionary(kind) else some[name]
        for name in some.column_names
    }
    cast = pa.table({name: column if name not in texts or column.type == kind else column.cast(kind) for name, column in columns.items()})
    assert cast.schema.field("src").type == kind
    assert count(make_counter(), cast.to_batches()) == count(make_counter(), some.to_batches())


def test_anything_is_kept(table: pa.Table) -> None:
    ids = pa.array([f"s{number:03}" for number in range(SENTENCES)])
    other = table.append_column("name", ids).append_column("list", pa.array([[number] * 2 for number in range(SENTENCES)]))
    rows = count(make_counter(keep=["name", "list", "src"]), other.to_batches())
    assert rows.column_names == ["name", "list", "src", "row", "reference", "correct", "proposed", "gold"]
    assert rows["list"].to_pylist() == [[number] * 2 for number in range(SENTENCES) for _ in range(2)]
    assert rows["src"].to_pylist() == [text for text in table["src"].to_pylist() for _ in range(2)]
    assert score_rows(rows, id_column="name").counts == score_rows(count(make_counter(), table.to_batches())).counts
    assert count(make_counter(keep=[]), table.to_batches()).column_names == ["row", "reference", "correct", "proposed", "gold"]


def test_the_schema_for_spark() -> None:
    counter = make_counter(keep=["id", "a`b"])
    types = [("src", "string"), ("a`b", "struct<x:int>"), ("id", "bigint")]
    counts = "`correct` bigint, `proposed` bigint, `gold` bigint"
    assert counter.write_spark_schema(types) == f"`id` bigint, `a``b` struct<x:int>, `row` bigint, `reference` string, {counts}"


def replace(table: pa.Table, name: str, values: Any) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, values)


@pytest.mark.parametrize(
    ("column", "bad", "reason"),
    [
        ("ref1", None, "column 'ref1', row 43 (id 43): expected a text, found null"),
        ("eager", "a\0b", "column 'eager', row 43 (id 43): a NUL in a text, or bytes that are not UTF-8"),
        ("src", "x" * (1 << 21), "column 'src', row 43 (id 43): a text of more than 1,048,576 bytes, the limit for 4,000 tokens"),
        ("src", "x " * 5_000, "src:43: 5,000 tokens in a line, more than the limit of 4,000"),
        ("eager", "x " * 5_000, "eager:43: 5,000 tokens in a line, more than the limit of 4,000"),
    ],
)
def test_what_is_no_text_is_refused(column: str, bad: str | None, reason: str, table: pa.Table) -> None:
    values = table[column].to_pylist()
    values[42] = bad
    for texts in (pa.array(values), pa.array(values).dictionary_encode()):
        with pytest.raises(ErrataError) as raised:
            count(make_counter(), replace(table, column, texts).to_batches(max_chunksize=20))
        assert str(raised.value).startswith(reason)
        if "cannot be scored" in reason:
            assert raised.value.__notes__ == [
                "sentences are numbered as rows in what was counted by one call, and here begin with row 41 (id 41)"
            ]


def test_nulls_elsewhere_are_nothing(table: pa.Table) -> None:
    values = pa.array([None, *table["src"].to_pylist()[:10], None])
    some = replace(table.slice(0, 10), "src", values[1:11])
    assert count(make_counter(), some.to_batches()) == count(make_counter(), table.slice(0, 10).to_batches())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"references": []}, "expected one reference or more, found none"),
        ({"references": "ref0"}, "references must be a list of columns, found the single name 'ref0'"),
        ({"keep": "id"}, "keep must be a list of columns, found the single name 'id'"),
        ({"keep": ["id", "reference"]}, "two columns of the result would be named 'reference'"),
        ({"keep": ["id", "id"]}, "two columns of the result would be named 'id'"),
        ({"metric": "errant"}, "errant needs all sentences of a corpus together, so batches cannot be counted"),
        ({"metric": "maxmach"}, "did you mean maxmatch"),
        ({"source": "sorce"}, "expected the column 'sorce', there is no column; did you mean src? in src, ref0"),
        ({"keep": ["ID"]}, "expected the column 'ID', there is no column; did you mean id?"),
        ({"output": "id"}, "column 'id': expected texts, found the type int64"),
    ],
)
def test_bad_arguments(changes: dict[str, Any], reason: str, table: pa.Table) -> None:
    with pytest.raises(ErrataError) as raised:
        count(make_counter(**changes), table.to_batches())
    assert reason in str(raised.value)


def test_two_columns_of_one_name(table: pa.Table) -> None:
    with pytest.raises(ErrataError, match=r"expected the column 'id', there are 2 columns in src"):
        count(make_counter(), table.append_column("id", table["id"]).to_batches())


@pytest.fixture(scope="module")
def rows(table: pa.Table) -> pa.Table:
    return count(make_counter(), table.to_batches())


def test_sorted_files_are_read_batch_by_batch(
    rows: pa.Table, corpus: LongCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, start in enumerate([0, 1, 101, 250]):  # also inside sentences
        stop = [1, 101, 250, rows.num_rows][number]
        parquet.write_table(rows.slice(start, stop - start), tmp_path / f"part-{number:05}-x.parquet")
    (tmp_path / "_SUCCESS").touch()
    expected = score_rows(rows, system_name="table")
    for size in (1, 3, 1_000):
        monkeypatch.setattr(row_scores, "PART_SIZE", size)
        score = score_rows(tmp_path, gold_name="src.txt")
        assert (score.value, score.evidence.rows) == (expected.value, expected.evidence.rows)
        assert errata.compare([score, expected])[0].difference == 0
    for module in (units, resampling, reading):  # as if there were more than are kept in memory one by one
        monkeypatch.setattr(module, "MANY", 100)
    score = pickle.loads(pickle.dumps(score_rows(str(tmp_path), gold_name="src.txt")))
    assert score.evidence.rows == ()
    assert score.signature.endswith(f"gold src.txt, {SENTENCES} sentences, annotators 0,1 | errata {errata.__version__}")
    interval = score.interval(errata.Bootstrap(replicates=200))
    arguments = ["score", *corpus.texts("eager"), "--confidence", "--replicates", "200"]
    assert main(arguments) == 0
    assert f"{100 * score.value:.2f}  [{100 * interval.low:.2f}, {100 * interval.high:.2f}]" in capsys.readouterr().out


def test_systems_are_compared(table: pa.Table, corpus: LongCorpus) -> None:
    names = ["eager", "cautious"]
    scores = [score_rows(count(make_counter(output=name), table.to_batches()), system_name=name, gold_name="src.txt") for name in names]
    gold = errata.read(corpus.path("src.txt"), references=[corpus.path("ref0.txt"), corpus.path("ref1.txt")])
    expected = errata.compare([errata.score(gold, errata.read_system(corpus.path(f"{name}.txt"))) for name in names])
    assert [(one.p, one.difference) for one in errata.compare(scores)] == [(one.p, one.difference) for one in expected]
    others = count(make_counter(), replace(table, "id", pa.array(range(SENTENCES))).to_batches())
    with pytest.raises(ErrataError, match="systems must be scored on the same sentences, found two corpora"):
        errata.compare([scores[0], score_rows(others, system_name="other")])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: pa.concat_tables([rows, rows.slice(6, 1)]), "rows: id 4 has two rows 0; each sentence must have its own id"),
        (lambda rows: rows.filter(pa.array([index != 6 for index in range(rows.num_rows)])), "rows: id 4: expected row 0, found row 1"),
        (lambda rows: rows.slice(0, rows.num_rows - 1), "rows: reference 1 has 149 rows for 150 sentences"),
        (lambda rows: rows.slice(0, 0), "rows: there are no rows"),
        (lambda rows: rows.drop_columns(["id"]), "expected the column 'id', there is no column in row, reference"),
        (lambda rows: rows.drop_columns(["gold"]), "expected the column 'gold', there is no column in id, row"),
        (lambda rows: replace(rows, "id", pa.nulls(rows.num_rows, pa.int64())), "rows: id: expected a value in every row, found null"),
        (lambda rows: replace(rows, "gold", rows["gold"].cast(pa.float64())), "rows: gold: expected whole numbers, found double"),
        (lambda rows: replace(rows, "row", pa.nulls(rows.num_rows, pa.int64())), "rows: row: expected whole numbers, found null in 300"),
    ],
)
def test_rows_that_do_not_fit_are_refused(change: Any, reason: str, rows: pa.Table) -> None:
    with pytest.raises(ErrataError) as raised:
        score_rows(change(rows))
    assert reason in str(raised.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda rows: rows.sort_by([("id", "descending"), ("row", "ascending")]),
            "rows must be sorted by id and row, found id 149 after 150",
        ),
        (lambda rows: rows.sort_by([("id", "ascending"), ("row", "descending")]), "id 1: expected row 0, found row 1"),
        (lambda rows: rows.drop_columns(["row"]), "expected the column 'row', there is no column"),
    ],
)
def test_files_must_be_sorted(change: Any, reason: str, rows: pa.Table, tmp_path: Path) -> None:
    parquet.write_table(change(rows), tmp_path / "rows.parquet")
    for path in (tmp_path, tmp_path / "rows.parquet"):
        with pytest.raises(ErrataError) as raised:
            score_rows(path)
        assert reason in str(raised.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ErrataError, match=r"expected a folder of \.parquet files, found none"):
        score_rows(tmp_path)
    with pytest.raises(ErrataError, match=r"there is no such file"):
        score_rows(tmp_path / "x.parquet")
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(ErrataError, match=r"cannot be read as Parquet"):
        score_rows(tmp_path)
