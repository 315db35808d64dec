"""Looking at I-measure: aligned words, charts, and rankings that are compared."""

from __future__ import annotations

import csv
import io
import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from errata import Annotation, Corpus, Edit, Evaluator, Sentence, UsageError, read, read_system, score, write
from errata.cli import main
from errata.metrics import ShowsAlignment
from errata.report.charts.parts import save_chart
from errata.report.charts.scores import _Improvement, _improvement_chart, _weight_chart, _WeightLine

GOLD = "examples/learner.m2"
SYSTEMS = ["examples/systems/cautious.txt", "examples/systems/eager.txt", "examples/systems/rewriter.txt"]

Run = Callable[..., str]


def test_aligned_words(run: Run) -> None:
    lines = run("inspect", GOLD, SYSTEMS[1], "-m", "imeasure", "--sentences", "6").splitlines()
    assert lines[0] == "sentence 6  WAcc 87.50 (source 84.62), I 18.75"
    assert [line.split()[1:4] for line in lines[1:4]] == [["The", "people", "is"], ["The", "people", "are"], ["The", "people", "are"]]
    assert lines[4].split() == ["TN", "TN", "TP", "TN", "TN", "TN", "TN", "TP", "TN", "FP", "TN", "TN", "TN"]
    assert all(lines[4][place : place + 2] == "TP" for place in (lines[2].index("are"), lines[2].index("speak")))
    assert lines[5].strip() == "corrections in the reference:"
    assert lines[6].split() == ["2-3", "is", "→", "are", "annotator", "0,", "1"]
    assert lines[-1] == "1 of 72 sentences shown; against the chosen references + 2 right, x 1 wrong, - 0 missed"


def test_aligned_words_in_colour(run: Run) -> None:
    out = run("inspect", GOLD, SYSTEMS[1], "-m", "imeasure", "--sentences", "4,6", "--color", "always")
    for colour in ("32", "31", "35", "2"):
        assert f"\x1b[{colour}m" in out


def test_aligned_words_as_json_add_up_to_the_score(run: Run) -> None:
    for metric in ("imeasure", "imeasure(references=single)", "imeasure(maximise=f,per=corpus)", "imeasure(maximise=i)"):
        record = json.loads(run("inspect", GOLD, SYSTEMS[2], "-m", metric, "--format", "json"))
        whole = json.loads(run("score", GOLD, SYSTEMS[2], "-m", metric, "--format", "json"))["scores"][0]["parts"]
        columns = [column for sentence in record["sentences"] for column in sentence["columns"]]
        for aspect in ("detection", "correction"):
            counts = whole[aspect]
            classes = [column[aspect] for column in columns]
            both = classes.count("FPN")
            assert (classes.count("TP"), classes.count("TN")) == (counts["tp"], counts["tn"])
            assert (classes.count("FP") + both, classes.count("FN") + both, both) == (counts["fp"], counts["fn"], counts.get("fpn", 0))


def test_the_mixture_is_the_reference(run: Run) -> None:
    """The corrections that are listed, applied to the source, give the reference of the alignment."""
    record = json.loads(run("inspect", GOLD, SYSTEMS[1], "-m", "imeasure", "--format", "json"))
    for sentence in record["sentences"]:
        tokens = sentence["source"].split()
        for correction in sorted(sentence["corrections"], key=lambda item: (item["start"], item["end"]), reverse=True):
            assert correction["original"] == " ".join(sentence["source"].split()[correction["start"] : correction["end"]])
            assert correction["annotators"]
            tokens[correction["start"] : correction["end"]] = correction["text"].split()
        assert " ".join(tokens) == sentence["reference"]
        assert sentence["certified"]


def test_filters_of_aligned_words(run: Run) -> None:
    shown = json.loads(run("inspect", GOLD, SYSTEMS[0], "-m", "imeasure", "--outcome", "wrong", "--format", "json"))["sentences"]
    assert len(shown) == 1
    assert any(column["correction"] in {"FP", "FPN"} for column in shown[0]["columns"])
    assert json.loads(run("inspect", GOLD, SYSTEMS[0], "-m", "imeasure", "--search", "qqq", "--format", "json"))["sentences"] == []
    assert "judges tokens, which have no type" in run("inspect", GOLD, SYSTEMS[0], "-m", "imeasure", "--types", "SVA", status=2)


def test_a_mixture_that_is_only_the_best_found_says_so(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errata.metrics.imeasure._MOST_SITE_CHOICES", 1)
    tokens = tuple(word for number in range(14) for word in (f"e{number}", f"k{number}"))
    annotators = tuple(
        Annotation(name, tuple(Edit(2 * number, 2 * number + 1, (f"{name}{number}",)) for number in range(14))) for name in "xy"
    )
    write(Corpus((Sentence(tokens, annotators),)), tmp_path / "many.m2")
    (tmp_path / "system.txt").write_text("nothing in common\n", encoding="utf-8")
    out = run("inspect", tmp_path / "many.m2", tmp_path / "system.txt", "-m", "imeasure")
    assert "the best found; a better one may exist" in out
    assert main(["chart", "wacc", str(tmp_path / "many.m2"), str(tmp_path / "system.txt"), "-o", str(tmp_path / "x.svg")]) == 0
    assert "system: not certified: the reference may not be the best for 1 of 1 sentence" in capsys.readouterr().err


def test_what_is_listed_is_in_the_reference(run: Run, tmp_path: Path) -> None:
    """A correction that would leave nothing is skipped, and with single references no error is left alone."""
    (tmp_path / "gold.m2").write_text(
        "S a\nA 0 1|||T||||||REQUIRED|||-NONE-|||0\n\nS a b\nA 0 1|||T|||x|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n",
        encoding="utf-8",
    )
    (tmp_path / "system.txt").write_text("a\na b\n", encoding="utf-8")
    out = run("inspect", tmp_path / "gold.m2", tmp_path / "system.txt", "-m", "imeasure(references=single)")
    assert "→" not in out
    assert "left uncorrected" not in out
    assert "1 error left uncorrected, as the gold allows" in run("inspect", tmp_path / "gold.m2", tmp_path / "system.txt", "-m", "imeasure")


def test_rankings_are_correlated(run: Run) -> None:
    out = run("correlate", GOLD, *SYSTEMS, "-m", "maxmatch", "-m", "imeasure").splitlines()
    assert out[0].split() == ["System", "maxmatch", "Rank", "imeasure", "Rank"]
    assert out[2].split() == ["eager", "65.52", "1", "17.29", "2"]
    assert out[6].split() == ["Metric", "Other", "metric", "Systems", "Spearman", "p", "Pearson", "p"]
    assert out[8].split()[:4] == ["maxmatch", "imeasure", "3", "0.5000"]


def test_counts_are_no_percents(run: Run) -> None:
    out = run("correlate", GOLD, *SYSTEMS, "-m", "maxmatch:proposed", "-m", "imeasure:correction.fn").splitlines()
    assert out[2].split() == ["rewriter", "193", "1", "81", "2"]


def test_a_metric_given_twice_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["inspect", GOLD, SYSTEMS[0]], ["chart", "wacc", GOLD, SYSTEMS[0], "-o", "x.svg"]):
        assert main([*arguments, "-m", "imeasure", "-m", "imeasure"]) == 2
        assert "-m is given twice, but only one is used here" in capsys.readouterr().err


def test_alignments_in_python() -> None:
    gold, system = read(GOLD), read_system(SYSTEMS[2])
    evaluate = Evaluator(gold, "imeasure(per=corpus,maximise=recall,references=single)")
    score = evaluate(system)
    evidence, output, chosen = score.evidence, score.output, score.evidence.chosen
    several = next(number for number, rows in enumerate(evidence.rows) if len(rows) > 1)
    assert isinstance(output, ShowsAlignment)
    assert chosen is not None
    with pytest.raises(UsageError, match="choose one with row="):
        output.alignment(several)
    for index in range(len(gold)):
        true_positives = sum(column.correction == "TP" for column in score.alignment(index + 1).columns)
        assert true_positives == evidence.rows[index][chosen[index]][4]
    with pytest.raises(UsageError, match="the index of a sentence must be from 0 to 71, found 72"):
        output.alignment(72)


def test_parts_of_scores_are_correlated(run: Run) -> None:
    arguments = ("correlate", GOLD, *SYSTEMS, "-m", "imeasure:correction.f", "-m", "maxmatch:recall", "-m", "imeasure")
    record = json.loads(run(*arguments, "--format", "json"))
    assert [pair["metrics"] for pair in record["correlations"]] == [
        ["imeasure:correction.f", "maxmatch:recall"],
        ["imeasure:correction.f", "imeasure"],
        ["maxmatch:recall", "imeasure"],
    ]
    assert record["systems"][0]["values"]["maxmatch:recall"] == 22 / 108
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert float(rows[1]["pearson"]) == record["correlations"][1]["pearson"]
    assert r"\begin{tabular}" in run(*arguments, "--format", "latex")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["correlate", GOLD, *SYSTEMS, "-m", "maxmatch"], 2, "a correlation needs two metrics"),
        (["correlate", GOLD, *SYSTEMS[:2], "-m", "maxmatch", "-m", "imeasure"], 1, "a correlation needs 3 systems or more, found 2"),
        (
            ["correlate", GOLD, *SYSTEMS, "-m", "maxmatch:colour", "-m", "imeasure"],
            2,
            "choose from correct, proposed, gold",
        ),
        (["correlate", GOLD, *SYSTEMS, "-m", "imeasure:baseline", "-m", "imeasure"], 2, "is not a number; it has detection, correction"),
        (["correlate", GOLD, *SYSTEMS, "-m", "imeasure:correction.f.x", "-m", "imeasure"], 2, "choose from none"),
        (["correlate", GOLD, *SYSTEMS, "-m", "imeasure", "-m", "imeasure"], 2, "imeasure is given twice"),
        (["correlate", GOLD, *SYSTEMS, "-m", "imeasure:", "-m", "imeasure"], 2, "which part? METRIC:PART names one"),
        (["chart", "improvement", GOLD, *SYSTEMS, "-o", "x.gif"], 2, "extension .svg, .png or .pdf, found 'x.gif'"),
        (["chart", "improvement", GOLD, *SYSTEMS, "-m", "maxmatch", "-o", "x.svg"], 2, "draws imeasure, found maxmatch"),
        (["chart", "metrics", GOLD, *SYSTEMS, "-o", "x.svg"], 2, "needs two metrics, such as -m maxmatch -m imeasure, found 0"),
        (["chart", "metrics", GOLD, *SYSTEMS, "-m", "gleu", "-m", "gleu", "-o", "x.svg"], 2, "gleu is given twice"),
        (["chart", "length", GOLD, *SYSTEMS, "-m", "gleu", "-m", "maxmatch", "-o", "x.svg"], 2, "-m is given twice, but only one is used"),
        (
            ["chart", "precision-recall", GOLD, *SYSTEMS, "-m", "gleu", "-o", "x.svg"],
            2,
            "need a metric with F, such as maxmatch, found gleu",
        ),
        (["chart", "improvement", GOLD, *SYSTEMS, "-o", "/nowhere/x.svg"], 2, "/nowhere/x.svg: there is no folder /nowhere"),
    ],
)
def test_bad_requests_are_explained(run: Run, arguments: list[str], status: int, message: str) -> None:
    assert message in run(*arguments, status=status)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("improvement", []),
        ("wacc", []),
        ("precision-recall", []),
        ("length", ["-m", "gleu"]),
        ("metrics", ["-m", "maxmatch", "-m", "gleu"]),
    ],
)
def test_charts_are_pictures(run: Run, tmp_path: Path, kind: str, options: list[str]) -> None:
    assert run("chart", kind, GOLD, *SYSTEMS, *options, "-o", tmp_path / "chart.svg") == ""
    texts = [element.text for element in ET.parse(tmp_path / "chart.svg").getroot().iter() if element.tag.endswith("text")]
    assert {"cautious", "eager", "rewriter"} <= set(texts)
    run("chart", kind, GOLD, *SYSTEMS, *options, "-o", tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    run("chart", kind, GOLD, *SYSTEMS, *options, "-o", tmp_path / "chart.pdf")
    assert (tmp_path / "chart.pdf").read_bytes().startswith(b"%PDF")
    assert {path.name for path in tmp_path.iterdir()} == {"chart.svg", "chart.png", "chart.pdf"}


def test_markup_in_names_stays_text(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>\x1b[31m"
    save_chart(_improvement_chart([_Improvement(name, 0.1, 0.9, 0.8)]), str(tmp_path / "x.svg"))
    save_chart(_weight_chart([_WeightLine(name, [(1.0, 0.9), (2.0, 0.8)], 0.7)], 2.0), str(tmp_path / "y.svg"))
    for path in tmp_path.iterdir():
        root = ET.parse(path).getroot()
        assert not [element for element in root.iter() if element.tag.endswith("script")]
        assert "\x1b" not in path.read_text(encoding="utf-8")


def values_of(chart: dict[str, object]) -> list[dict[str, object]]:
    """All inline data of a chart."""
    found: list[dict[str, object]] = []
    if isinstance(chart, dict):
        for key, value in chart.items():
            found += value["values"] if key == "data" and "values" in value else values_of(value)  # type: ignore[operator,index,arg-type]
    elif isinstance(chart, list):
        for item in chart:
            found += values_of(item)
    return found


def test_a_chart_shows_the_scores(run: Run) -> None:
    record = json.loads(run("score", GOLD, *SYSTEMS, "-m", "imeasure", "--format", "json"))
    items = [
        _Improvement(e["system"], e["value"], e["parts"]["correction"]["wacc"], e["parts"]["baseline"]["correction"]["wacc"])
        for e in record["scores"]
    ]
    chart = _improvement_chart(items).to_dict()
    shown = {value["system"]: value["i"] for value in values_of(chart) if "system" in value}
    assert shown == {item.system: 100 * item.i for item in items}  # as in tables
    assert "+17.29   (WAcc" in json.dumps(chart)
    assert "hconcat" not in chart
    near = _improvement_chart([item._replace(i=item.i / 10) for item in items], "— with settings").to_dict()
    assert "— with settings" in json.dumps(near, ensure_ascii=False)
    assert len(near["hconcat"]) == 2  # the whole scale, and enlarged


@pytest.mark.parametrize("count", [3, 12])
def test_a_chart_of_weights_has_the_source(count: int) -> None:
    """A line for each of few systems, a band for many; the heading says which."""
    lines = [_WeightLine(f"s{number}", [(1.0, 0.9), (2.0, 0.8)], 0.7 + number / 100) for number in range(count)]
    chart = _weight_chart(lines, 2.0).to_dict()
    values = values_of(chart)
    thin = {value["system"] for value in values if value.get("what") == "source"}
    bands = [(value["wacc"], value["highest"]) for value in values if "highest" in value]
    assert (len(thin), len(bands)) == ((3, 0) if count == 3 else (0, 1))
    assert bands in ([], [pytest.approx((70, 81))])
    assert ("thin: the source" if thin else "grey: the source") in json.dumps(chart)
    assert {value["wacc"] for value in values if value.get("what") == "system"} == {90, 80}


def test_weights_change_accuracy_but_not_counts() -> None:
    """Figure 2: with w = 1 WAcc is accuracy."""
    from fractions import Fraction

    from errata import IMeasure

    result = score(read(GOLD), read_system(SYSTEMS[1]), "imeasure")
    metric = result.metric
    assert isinstance(metric, IMeasure)
    assert metric.wacc_at(result.counts, Fraction(2)) == result.parts["correction"]["wacc"]
    assert metric.wacc_at(result.counts, Fraction(1)) == result.parts["correction"]["accuracy"]


def test_charts_without_their_libraries_say_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert "pip install 'errata[charts]'" in run("chart", "wacc", GOLD, *SYSTEMS, "-o", tmp_path / "x.svg", status=1)
