"""Results as rows, frames and HTML."""

from __future__ import annotations

import pickle
import sys
from html.parser import HTMLParser

import pytest

from errata import (
    Bootstrap,
    Corpus,
    Edit,
    Evaluator,
    RequestError,
    Score,
    Scores,
    Sentence,
    System,
    UsageError,
    compare,
    compare_with_source,
    compute_intervals,
    score,
)
from errata.display import Listing, make_html_table
from errata.scoring.edits import SentenceEdits
from errata.stats.comparison import _Comparisons

FEW = Bootstrap(replicates=100)


@pytest.fixture(scope="module")
def scores(gold: Corpus, systems: dict[str, System]) -> Scores:
    return Scores(map(Evaluator(gold), systems.values()))


def test_rows_have_all_values(gold: Corpus, scores: Scores) -> None:
    first = scores.rows()[0]
    assert list(first) == ["system", "metric", "value", "correct", "proposed", "gold", "precision", "recall", "signature"]
    assert first["signature"] == scores[0].signature
    sentence = scores[1].rows()[2]
    assert len(scores[1].rows()) == len(gold)
    assert (sentence["system"], sentence["sentence"], sentence["annotator"], sentence["correct"]) == ("eager", 3, "0", 2)
    assert (sentence["source"], sentence["output"]) == (gold[2].text, " ".join(scores[1].system.sentences[2]))
    edit = scores[1].edits(3).rows()[1]
    assert {**edit} == {
        "sentence": 3,
        "outcome": "right",
        "start": 3,
        "end": 4,
        "original": "feeled",
        "corrections": ["felt"],
        "type": "Vform",
        "target_start": 4,
    }
    interval = compute_intervals(scores, FEW).rows()[1]
    assert (interval["system"], interval["level"], interval["low"] < interval["value"] < interval["high"]) == ("eager", 0.95, True)
    assert compare(scores, bootstrap=FEW).rows()[0]["other"] == "eager"


def test_comparisons_with_the_source_are_rows(gold: Corpus, systems: dict[str, System]) -> None:
    (row,) = compare_with_source([score(gold, systems["eager"], "imeasure")], bootstrap=FEW).rows()
    assert (row["measure"], row["system"], row["other"], row["value"] > row["source_value"]) == ("WAcc", "eager", "source", True)


def test_scores_of_several_metrics_have_the_same_columns(gold: Corpus, systems: dict[str, System]) -> None:
    rows = Scores([score(gold, systems["eager"]), score(gold, systems["eager"], "accuracy")]).rows()
    assert list(rows[0]) == list(rows[1])
    assert (rows[0]["matched"], rows[1]["correct"]) == (None, None)


def test_frames_of_all_libraries(scores: Scores) -> None:
    duckdb, pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("duckdb", "pandas", "polars", "pyarrow"))
    comparisons, intervals = compare(scores, bootstrap=FEW), compute_intervals(scores, FEW)
    for result in (scores, scores[1], scores[1].edits(3), comparisons, intervals):
        rows = result.rows()
        assert pyarrow.table(result).to_pylist() == rows
        assert polars.DataFrame(result).to_dicts() == rows
        assert list(pandas.DataFrame.from_arrow(result).columns) == list(rows[0])
        found = duckdb.sql("select * from result").fetchall()
        assert found == [tuple(row.values()) for row in rows]


def test_without_pyarrow_rows_are_left(scores: Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RequestError, match=r"a frame needs pyarrow.* rows\(\) does not"):
        scores.__arrow_c_stream__()
    assert len(scores.rows()) == len(scores)


def test_texts_that_arrow_does_not_take() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found = score(Corpus((Sentence.of("a \ud800"),)), ["b \ud800"])
    assert pyarrow.table(found).column("source").to_pylist() == ["a ?"]


def test_a_listing_is_read_like_a_list(scores: Scores) -> None:
    comparisons = compare(scores, bootstrap=FEW)
    assert isinstance(comparisons, _Comparisons)
    assert comparisons == list(comparisons)
    assert list(comparisons) == comparisons
    assert comparisons != []
    assert comparisons[-1] in comparisons
    assert next(reversed(comparisons)) == comparisons[-1]
    assert comparisons[1:] == list(comparisons)[1:]
    assert pickle.loads(pickle.dumps(comparisons)) == comparisons
    edits = pickle.loads(pickle.dumps(scores[1].edits(3)))
    assert (edits, edits.sentence, edits._repr_html_()) == (scores[1].edits(3), 3, scores[1].edits(3)._repr_html_())
    assert repr(Listing([1])) == "Listing([1])"
    assert compute_intervals([]) == []


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def _parse(html: str) -> _Tags:
    parser = _Tags()
    parser.feed(html)
    return parser


EVIL = '<script>alert("x")</script>&<img src=x onerror=y>'


def test_markup_in_data_stays_text() -> None:
    word = EVIL.replace(" ", "\u00a0")
    gold = Corpus((Sentence.of([word, "b"], [Edit(0, 1, (EVIL,), EVIL)], [Edit(1, 2, (EVIL,), EVIL)]), Sentence.of("a b")), name=EVIL)
    both = Scores(score(gold, System.of(f"{EVIL}{number}", [["c", word], "a c"])) for number in (1, 2))
    shown: list[object] = [both, both[0], both[0].edits(1), compare(both, bootstrap=FEW), compute_intervals(both, FEW)]
    for result in shown:
        found = _parse(result._repr_html_())  # type: ignore[attr-defined]
        assert found.tags <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "span", "del", "ins", "small"}
        assert found.attributes <= {"style", "scope", "title"}
        assert '<script>alert("x")</script>' in found.text


def test_a_leaderboard_has_the_best_first(scores: Scores) -> None:
    text = _parse(scores._repr_html_()).text
    assert text.index("eager") < text.index("cautious") < text.index("rewriter")
    assert "0.6552" in text
    assert scores[0].signature in text


def test_edits_are_marked_in_the_sentence(scores: Scores, gold: Corpus) -> None:
    edits = scores[1].edits(3)
    assert isinstance(edits, SentenceEdits)
    found = _parse(edits._repr_html_())
    assert "eager, sentence 3, annotator 0" in found.text
    assert "+ feeled → felt Vform" in found.text
    assert "× ∅ → ," in found.text
    missed = next(number for number in gold.numbers if any(edit.outcome == "missed" for edit in scores[0].edits(number)))
    assert "[− " in _parse(scores[0].edits(missed)._repr_html_()).text


def test_every_word_of_a_sentence_is_shown_once(scores: Scores, gold: Corpus) -> None:
    for number in gold.numbers:
        edits = scores[2].edits(number)
        words = {word for edit in edits for text in (edit.original, *edit.corrections) for word in text.split()}
        shown = _parse(edits._repr_html_()).text.split()
        assert all(word in words or word in shown for word in gold[number - 1].tokens)


def test_long_tables_are_cut() -> None:
    text = _parse(make_html_table([{"number": number} for number in range(150)])).text
    assert "50 more rows; rows() has all" in text
    assert make_html_table([]) == "<p>no rows</p>"


def test_scores_are_checked(scores: Scores) -> None:
    wrong: list[tuple[object, str]] = [(scores[0], "found one score"), (None, "found NoneType"), ([None], "found item 1 of type NoneType")]
    for value, message in wrong:
        with pytest.raises(UsageError, match=f"scores must be a list of scores, {message}"):
            Scores(value)  # type: ignore[arg-type]


def test_scores_are_small_when_shown(scores: Scores) -> None:
    assert isinstance(scores[0], Score)
    assert max(len(repr(one)) for one in (scores[0], scores[0].system, scores[0].evidence, scores[0].evidence.corpus)) < 300
