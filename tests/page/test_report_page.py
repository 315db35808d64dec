"""The report page from Python, and charts."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest

from errata import Bootstrap, Corpus, Evaluator, RequestError, Scores, System, UsageError, draw_chart, report_page, score

FEW = Bootstrap(replicates=100)


@pytest.fixture(scope="module")
def scores(gold: Corpus, systems: dict[str, System]) -> Scores:
    return Scores(map(Evaluator(gold), systems.values()))


def test_the_page_is_written(scores: Scores, gold: Corpus, tmp_path: Path) -> None:
    with patch("errata.report.page.document.DrawingProcess", nullcontext):
        page = report_page(
            [*scores, *map(Evaluator(gold, "accuracy"), (one.system for one in scores))],
            tmp_path / "page.html",
            title="Mine & yours",
            bootstrap=FEW,
            max_sentences=20,
        )
    assert (tmp_path / "page.html").read_text() == page
    assert "<title>Mine &amp; yours – errata report</title>" in page
    assert all(score.signature.replace("&", "&amp;") in page for score in scores)
    assert "an even sample of 20 of 72" in page


def test_what_is_no_report_is_told(scores: Scores, gold: Corpus, systems: dict[str, System]) -> None:
    other = score(gold.subset("1-9"), systems["eager"])
    wrong: list[tuple[list[object], type[Exception], str]] = [
        ([], UsageError, "a report needs one score or more, found none"),
        ([scores[0], scores[0]], UsageError, "systems must have different names, found cautious twice"),
        ([*scores, score(gold, systems["eager"], "accuracy")], UsageError, "the same systems, in the same order, with every metric"),
        ([scores[0], other], RequestError, "scores on one corpus"),
        ([None], UsageError, "found item 1 of type NoneType"),
    ]
    for given, error, message in wrong:
        with pytest.raises(error, match=message):
            report_page(given)  # type: ignore[arg-type]
    for most in (0, 1.5, None):
        with pytest.raises(UsageError, match="max_sentences must be a whole number from 1"):
            report_page(scores, max_sentences=most)  # type: ignore[arg-type]


def test_charts_are_chosen_by_name(scores: Scores, gold: Corpus, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    chart = draw_chart(scores, "precision-recall")
    assert chart._repr_html_().startswith("<figure")
    assert chart.svg.startswith("<svg")
    assert "eager precision 62.91, recall 78.51" in chart.description
    chart.save(str(tmp_path / "chart.svg"))
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    assert draw_chart(scores, bootstrap=FEW).title.endswith("with 95% intervals")
    both = [*scores, *(score(gold, one.system, "accuracy") for one in scores)]
    assert draw_chart(both, "metrics").title.startswith("Accuracy against ")
    with pytest.raises(UsageError, match="unknown chart 'pie'; choose from intervals, precision-recall, length, metrics, improvement"):
        draw_chart(scores, "pie")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the chart intervals needs scores of one metric, found maxmatch, accuracy"):
        draw_chart(both)
    with pytest.raises(UsageError, match="the chart metrics needs scores of two metrics, found maxmatch"):
        draw_chart(scores, "metrics")
    with pytest.raises(UsageError, match="the chart improvement draws imeasure, found maxmatch"):
        draw_chart(scores, "improvement")
    with pytest.raises(UsageError, match="found no scores"):
        draw_chart([])
    assert chart.svg != draw_chart(scores[:2], "precision-recall").svg


def test_charts_of_one_notebook_have_different_ids(scores: Scores) -> None:
    pytest.importorskip("altair")
    one, other = (draw_chart(scores, kind, bootstrap=FEW).svg for kind in ("intervals", "precision-recall"))
    ids = [{part.split('"')[0] for part in svg.split(' id="')[1:]} for svg in (one, other)]
    assert not ids[0] & ids[1]


def test_markup_in_names_stays_text(gold: Corpus, systems: dict[str, System]) -> None:
    pytest.importorskip("altair")
    evil = System.of("<script>x</script>", systems["eager"].sentences)
    chart = draw_chart([score(gold, evil)], "precision-recall")
    assert "<script" not in chart._repr_html_()
