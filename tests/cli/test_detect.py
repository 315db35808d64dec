"""``errata detect`` and ``errata chance`` as their users call them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import errata
from errata import __version__
from errata.cli import main
from errata.language.tagging import find_tagger

TABLE, COUNTS, GOLD = "examples/prepositions.csv", "examples/counts.csv", "examples/learner.m2"
SYSTEMS = ["examples/systems/cautious.txt", "examples/systems/eager.txt", "examples/systems/rewriter.txt"]


def test_the_report_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", TABLE]) == 0
    out = capsys.readouterr().out
    assert "160 cases: rows of examples/prepositions.csv (annotations: annotated_1, annotated_2, annotated_3)." in out
    assert "Judgments are graded" in out
    assert "Cohen's kappa            0.5591      0.4223  0" in out
    assert "0.8358             0.6546  0.2596" in out
    assert "P precision  R recall  F F1  K kappa" in out


def test_json_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", TABLE, "--confidence", "--replicates", "300", "--format", "json", "--beta", "0.5", "--measure", "f"]) == 0
    record = json.loads(capsys.readouterr().out)
    (system,) = record["systems"]
    detection, correction = system["aspects"]
    assert (detection["aspect"], correction["aspect"]) == ("detection", "correction")
    assert detection["counts"]["tp"] == pytest.approx(24.3333, abs=1e-4)
    assert correction["counts"]["both"] == pytest.approx(4)
    low, high = detection["intervals"]["kappa"]
    assert low < detection["measures"]["kappa"] < high
    assert system["areas"]["auc"] == pytest.approx(0.8358, abs=1e-4)
    assert system["best_threshold"]["measure"] == "f"
    assert record["bootstrap"]["by"] == "sentence"
    assert record["beta"] == 0.5


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", GOLD, SYSTEMS[1], "--case", "edit", "--format", "csv"]) == 0
    rows = {(row["aspect"], row["measure"]): row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert float(rows["correction", "precision"]["value"]) == pytest.approx(95 / 151)
    assert rows["detection", "kappa"]["value"] == ""
    assert rows["detection", "kappa"]["undefined"] == "there are no true negatives among these cases"


def find_signature(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The signature of a run, which table, JSON and CSV have in common."""
    assert main(["detect", *arguments, "--format", "json"]) == 0
    signature: str = json.loads(capsys.readouterr().out)["signature"]
    assert main(["detect", *arguments, "--format", "csv"]) == 0
    assert {row["signature"] for row in csv.DictReader(capsys.readouterr().out.splitlines())} == {signature}
    assert main(["detect", *arguments]) == 0
    assert capsys.readouterr().out.splitlines().count(signature) == 1
    return signature


def test_the_signature_of_a_corpus_names_all_settings(capsys: pytest.CaptureFixture[str]) -> None:
    gold = f"gold learner.m2, 72 sentences, annotators 0,1, sha256 86eeb69393ce | errata {__version__}"
    metric = errata.metric("imeasure").signature
    assert find_signature(capsys, GOLD, *SYSTEMS[:2]) == f"detection(beta=1.0) | case token, judgments chosen | {metric} | {gold}"
    edits = find_signature(capsys, GOLD, SYSTEMS[1], "--case", "edit", "-m", "maxmatch(beta=1)", "--types", "Prep,Nn", "--beta", "0.5")
    metric = errata.metric("maxmatch(beta=1)").signature
    assert edits == f"detection(beta=0.5) | case edit, judgments chosen | types Nn,Prep | {metric} | {gold}"
    tagger = find_tagger("textblob").name
    gaps = find_signature(capsys, GOLD, SYSTEMS[1], "--case", "gap", "--sites", "_ NN*", "--confusion-set", "articles", "--annotator", "1")
    assert gaps == f"detection(beta=1.0) | case gap, annotator 1 | confusion set articles | sites _ NN* | tagger {tagger} | {gold}"
    typed = find_signature(capsys, GOLD, *SYSTEMS[:2], "--judged-by", "vote", "--by-type", "--type-order", "Prep,ArtOrDet")
    assert typed == f"detection(beta=1.0) | case token, judgments vote | tagger {tagger}, types in the order Prep,ArtOrDet | {gold}"
    part = find_signature(capsys, GOLD, SYSTEMS[1], "--judged-by", "vote", "--sentences", "1-20")
    assert "| gold learner.m2, 20 of 72 sentences (1-20), annotators 0,1, sha256 " in part
    assert "86eeb69393ce" not in part


def test_the_signature_of_a_table_names_its_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("error", "flagged", "other"), ("1", "1", "a"), ("0", "1", "b"), ("1", "0", "c")]

    def sign(rows: Sequence[Sequence[str]], *options: str, ending: str = "csv") -> str:
        path = tmp_path / f"x.{ending}"
        separator = "," if ending == "csv" else "\t"
        path.write_text("".join(f"{separator.join(row)}\n" for row in rows), encoding="utf-8")
        return find_signature(capsys, str(path), *options)

    first = sign(rows)
    assert re.fullmatch(
        rf"detection\(beta=1\.0\) \| table x\.csv, 3 rows, columns error,flagged, sha256 \w{{12}} \| errata {__version__}", first
    )
    assert sign([*rows[:3], ("1", "0", "d")]) == first  # that column is not read
    assert sign(rows, ending="tsv") == first.replace("x.csv", "x.tsv")
    assert sign([*rows[:3], ("1", "1", "c")]) != first
    assert sign([("error", "flagged", "type"), *rows[1:]]) != first
    assert "columns other,flagged" in sign([rows[0], ("1", "1", "0")], "--column", "error=other")
    counts = [("system", "tp", "fp", "fn", "tn"), ("a", "1", "2", "3", "4"), ("b", "1", "2", "3", "5")]
    assert "table x.csv, 2 rows, columns tp,fp,fn,tn,system, sha256 " in sign(counts)
    assert sign(counts) != sign([*counts[:2], ("b", "1", "2", "3", "6")])
    assert find_signature(capsys, TABLE, "--threshold", "0.8").startswith(
        "detection(beta=1.0,threshold=0.8) | table prepositions.csv, 160 rows"
    )


def test_the_signature_of_labels_and_tags_names_their_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = ["examples/labels/gold.tsv", "examples/labels/careful.tsv"]
    assert "| labels gold.tsv, 8 sentences, 64 tokens, sha256 " in find_signature(capsys, *labels)
    assert find_signature(capsys, *labels) == find_signature(capsys, labels[0], "examples/labels/bold.tsv")  # systems are not gold
    gold, system = tmp_path / "gold.m2", tmp_path / "system.txt"
    gold.write_text("S a b\nA 0 0|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    system.write_text("the a b\n", encoding="utf-8")
    found = []
    for tag in ("NN", "DT"):
        (tmp_path / "tags.tsv").write_text(f"a\tNN\nb\t{tag}\n", encoding="utf-8")
        tags = ["--pos-tags", str(tmp_path / "tags.tsv")]
        found.append(find_signature(capsys, str(gold), str(system), "--case", "gap", "--sites", "_ NN", *tags))
    assert all("| tagger file tags.tsv, sha256 " in text for text in found)
    assert found[0] != found[1]


@pytest.mark.slow
def test_several_systems(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", GOLD, *SYSTEMS, "--confidence"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["eager", "cautious", "rewriter"]
    assert "replicates of sentences" in out
    assert main(["detect", GOLD, *SYSTEMS, "--confidence", "--test", "bootstrap", "--correction", "bh", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert len(record["comparison"]["pairs"]) == 3
    assert record["comparison"]["test"] == "bootstrap"


def test_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", TABLE, "--threshold", "0.8", "--format", "json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert [item["aspect"] for item in system["aspects"]] == ["detection"]
    assert system["aspects"][0]["counts"]["fp"] < 5


def test_places_and_types(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", GOLD, SYSTEMS[1], "--types", "Prep", "--confusion-set", "prepositions"]) == 0
    out = capsys.readouterr().out
    assert "Left out: 14 errors of other types." in out
    assert "Left out: 879 positions without an error where none of the words is written or proposed." in out


@pytest.mark.slow
def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    curves, chart = tmp_path / "c.csv", tmp_path / "c.svg"
    assert main(["detect", TABLE, "--curves", str(curves), "--points", "20", "--chart", str(chart)]) == 0
    assert 10 < len(curves.read_text().splitlines()) <= 21
    svg = chart.read_text()
    assert all(text in svg for text in ("false-positive rate", "precision", "bias (share of cases that are flagged)", "chance", "kappa"))
    assert main(["detect", TABLE, "--chart", str(tmp_path / "p.png"), "--panel", "roc", "--panel", "roc"]) == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert main(["chance", "--chart", str(tmp_path / "chance.svg"), "--prevalence", "0.2", "--bias", "0.2"]) == 0
    assert "accuracy" in (tmp_path / "chance.svg").read_text()
    capsys.readouterr()


def test_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chance", "--prevalence", "0.2,0.4", "--bias", "0.2,0.3", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["chance"]
    assert [(item["prevalence"], item["bias"]) for item in found] == [(0.2, 0.2), (0.2, 0.3), (0.4, 0.2), (0.4, 0.3)]
    assert found[0]["measures"]["accuracy"] == pytest.approx(0.68)
    assert found[3]["measures"]["f"] == pytest.approx(12 / 35)
    assert main(["chance", "--format", "latex"]) == 0
    assert "\\begin{tabular}" in capsys.readouterr().out


def test_names_of_strangers_are_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("error,flagged_<b>\x1b[31m,type\n1,1,\x1b[2J\n0,0,=1+1\n", encoding="utf-8")
    assert main(["detect", str(path)]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["detect", str(path), "--format", "csv"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_curves_have_no_formulas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, curves = tmp_path / "x.csv", tmp_path / "curves.csv"
    path.write_text('error,"confidence_=cmd(),1"\n1,0.9\n0,0.1\n', encoding="utf-8")
    assert main(["detect", str(path), "--curves", str(curves), "--format", "csv"]) == 0
    with curves.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["system"] for row in rows} == {"'=cmd(),1"}
    assert [row["threshold"] for row in rows] == ["", "0.9", "0.1"]
    assert rows[1]["markedness"] == "1.0"
    assert "'=cmd()" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([TABLE, "--measure", "auc"], 2, "unknown measure 'auc'"),
        ([TABLE, "--beta", "0"], 2, "--beta must be a number above 0, found 0.0"),
        ([TABLE, "--threshold", "2"], 2, "--threshold must lie between 0 and 1, found 2.0"),
        ([TABLE, "--types", "Prep"], 2, "--types needs a corpus and systems"),
        ([GOLD, SYSTEMS[0], "--column", "a=b"], 2, "--column cannot be combined with a corpus and systems: it is about a table of cases"),
        ([TABLE, "--column", "written"], 2, "a column is given as ROLE=NAME, such as written=original, found 'written'"),
        ([TABLE, "--seed", "3"], 2, "--seed needs --confidence"),
        ([TABLE, "--points", "3"], 2, "--points needs --curves"),
        ([TABLE, "--panel", "roc"], 2, "--panel needs --chart"),
        ([TABLE, "--confidence", "0"], 2, "expected a level between 0 and 1"),
        ([GOLD, SYSTEMS[0], "--curves", "x.csv"], 1, "curves need a system with confidences"),
        ([GOLD, SYSTEMS[0], "--threshold", "0.5"], 2, "a threshold needs confidences, but cautious has none"),
        ([TABLE, "--curves", "x.txt"], 2, "extension .csv or .json"),
        ([GOLD], 2, "looks like a corpus, and cases of a corpus need systems"),
        (["x.txt"], 2, "a table must have the extension .csv, .tsv, .jsonl or .parquet"),
        ([TABLE, "--case", "edit"], 2, "--case needs a corpus and systems"),
        ([TABLE, "--from", "m2"], 2, "--from needs a corpus and systems"),
        ([GOLD, *SYSTEMS, "--confidence", "--resample", "case"], 1, "each system has its own cases here"),
        ([GOLD, SYSTEMS[0], "--annotator", "2"], 2, "examples/learner.m2 has no annotator '2'; choose from 0, 1"),
        (
            [GOLD, SYSTEMS[0], "--annotator", "0", "--judged-by", "vote"],
            2,
            "--annotator cannot be combined with --judged-by: one annotator",
        ),
        ([GOLD, SYSTEMS[0], "--judged-by", "most"], 2, "expected chosen, vote, graded, found 'most'"),
        ([TABLE, "--judged-by", "vote"], 2, "--judged-by needs a corpus and systems"),
        ([TABLE, "--by-type"], 2, "--by-type needs a corpus and systems"),
        ([GOLD, SYSTEMS[0], "--sites", "_ NN*"], 2, "--sites needs --case gap"),
        ([GOLD, SYSTEMS[0], "--case", "gap", "--sites", "NN"], 2, "a site must be noun-phrases, or tags around a gap"),
        ([GOLD, SYSTEMS[0], "--case", "gap", "--sites", "_ NN", "--tagger", "none"], 2, "--sites needs parts of speech"),
        ([GOLD, SYSTEMS[0], "--tagger", "textblob"], 2, "--tagger needs --by-type or --sites"),
        ([GOLD, SYSTEMS[0], "--by-type", "--tagger", "textblob", "--pos-tags", "x"], 2, "--tagger cannot be combined with --pos-tags"),
        ([GOLD, SYSTEMS[0], "--by-type", "--case", "sentence"], 2, "sentences have no types"),
        ([GOLD, SYSTEMS[0], "--judged-by", "vote", "-m", "imeasure"], 2, "a metric cannot be combined with a gold that is the same"),
        ([COUNTS, "--threshold", "0.5"], 2, "a threshold needs confidences, but Figure 5 has none"),
        ([COUNTS, "--curves", "x.csv"], 1, "curves need a system with confidences"),
        ([COUNTS, "--chart", "x.svg"], 1, "curves need a system with confidences"),
        ([COUNTS, "--confidence"], 1, "an interval needs the number of cases, but only proportions of Figure 5 are known; use counts"),
        ([COUNTS, "--column", "count=tn"], 2, "counts need the columns tp, fp, fn and tn; there is no tn"),
    ],
)
def test_bad_usage(arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", *arguments]) == status
    assert message in capsys.readouterr().err


def test_bad_shares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chance", "--bias", "0.1,x"]) == 2
    assert "--bias must be a list of shares from 0 to 1, such as 0.1,0.2, found 'x'" in capsys.readouterr().err


def test_one_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("error,confidence\n0,0.2\n0,0.9\n")
    assert main(["detect", str(path)]) == 0
    out = capsys.readouterr().out
    assert "areas are undefined: there are only cases without an error" in out
    assert "because there are no errors: Recall" in out
    assert main(["detect", str(path), "--chart", str(tmp_path / "x.svg")]) == 1
    assert not (tmp_path / "x.svg").exists()


def test_edits_are_compared_by_f(capsys: pytest.CaptureFixture[str]) -> None:
    """Kappa needs true negatives, which edits do not have."""
    assert main(["detect", GOLD, *SYSTEMS, "--case", "edit", "--confidence", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["comparison"]["measure"] == "f"
    assert len(record["comparison"]["pairs"]) == 3
    assert main(["detect", GOLD, *SYSTEMS, "--case", "edit", "--confidence", "--measure", "kappa"]) == 0
    out = capsys.readouterr().out
    assert "Undefined because there are no true negatives among these cases: Accuracy, Prevalence, Bias, Cohen's kappa, Matthews" in out


def test_a_system_that_flags_nothing_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("error,flagged_a,flagged_b,flagged_c\n" + "1,0,1,0\n0,0,0,1\n1,0,1,1\n0,0,1,0\n" * 5)
    assert main(["detect", str(path), "--confidence", "--measure", "precision"]) == 0
    out = capsys.readouterr().out
    assert "Undefined because the system flags nothing: Precision of a (detection)." in out
    assert [line.split()[:2] for line in out.splitlines() if line.startswith("b ")][-1] == ["b", "c"]


def test_the_best_threshold_can_be_used_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("error,confidence\n1,0.99999999\n1,0.9999999\n0,0.5\n")
    assert main(["detect", str(path)]) == 0
    out = capsys.readouterr().out
    assert "The system flags cases with a confidence of at least 0.5" in out
    assert "0.9999999 " in out
    assert main(["detect", str(path), "--threshold", "0.9999999", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["aspects"][0]["measures"]["kappa"] == 1


def test_nothing_is_written_before_names_are_checked(tmp_path: Path) -> None:
    assert main(["detect", TABLE, "--chart", str(tmp_path / "a.svg"), "--curves", str(tmp_path / "b.txt")]) == 2
    assert list(tmp_path.iterdir()) == []


def test_csv_has_types_areas_and_what_was_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", TABLE, "--format", "csv"]) == 0
    rows = {row["measure"]: row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert float(rows["auc"]["value"]) == pytest.approx(0.8358, abs=1e-4)
    assert float(rows["best_threshold_by_kappa"]["value"]) == 0.53
    assert main(["detect", GOLD, SYSTEMS[1], "--confusion-set", "prepositions", "--format", "csv"]) == 0
    lines = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["type"] for row in lines} > {"", "Prep"}
    assert "Left out: 879 positions" in lines[0]["cases"]


def test_intervals_of_two_cases_and_of_no_edits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, gold, system = tmp_path / "z.csv", tmp_path / "g.m2", tmp_path / "s.txt"
    table.write_text("error,flagged\n1,1\n0,0\n")
    gold.write_text("S a b\n\nS c d\n\n")
    system.write_text("a b\nc d\n")
    assert main(["detect", str(table), "--confidence", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["aspects"][0]["measures"]["kappa"] == 1
    assert main(["detect", str(gold), str(system), "--case", "edit", "--confidence"]) == 0
    assert "Undefined because there are no errors, and the system flags nothing: F1." in capsys.readouterr().out


def test_judgments_of_annotators(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", GOLD, *SYSTEMS, "--judged-by", "graded"]) == 0
    out = capsys.readouterr().out
    assert "Errors are judged by the 2 annotators." in out
    assert "By annotator" in out
    assert "Agreement of annotators" in out
    for options in (["--judged-by", "vote"], ["--annotator", "1"], ["--judged-by", "graded", "--case", "edit"]):
        assert main(["detect", GOLD, *SYSTEMS, *options, "--format", "json"]) == 0
        record = json.loads(capsys.readouterr().out)
        prevalence = {item["aspects"][0]["measures"]["prevalence"] for item in record["systems"]}
        assert len(prevalence) == 1
        assert "Errors are" in record["systems"][0]["notes"][0]
        if options[0] == "--judged-by":
            assert {(item["system"], item["annotator"]) for item in record["annotators"]["systems"]} == {
                (name, annotator) for name in ("cautious", "eager", "rewriter") for annotator in "01"
            }
            (detection, _) = record["annotators"]["agreement"]
            assert (detection["annotator"], detection["other"]) == ("0", "1")
            assert detection["measures"]["precision"] > 0
        else:
            assert "annotators" not in record
    assert main(["detect", GOLD, *SYSTEMS, "--judged-by", "vote", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    kappa = {(row["system"], row["aspect"], row["annotator"]) for row in rows if row["measure"] == "kappa" and not row["type"]}
    assert {("eager", "detection", ""), ("eager", "correction", "0"), ("1", "agreement in detection", "0")} <= kappa
    assert main(["detect", GOLD, *SYSTEMS, "--judged-by", "vote", "--format", "latex"]) == 0
    assert "Agreement of annotators" in capsys.readouterr().out


def test_systems_with_one_gold_can_be_compared_by_case(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--judged-by", "vote", "--confidence", "--replicates", "100", "--resample", "case", "--format", "json"]
    assert main(["detect", GOLD, *SYSTEMS, *options]) == 0
    assert len(json.loads(capsys.readouterr().out)["comparison"]["pairs"]) == 3


def test_false_positives_without_types_are_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", GOLD, SYSTEMS[1], "--format", "json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    counts = system["types"]["Prep"]["counts"]
    assert (counts["fp"], counts["tn"]) == (None, None)
    assert counts["tp"] > 0
    assert system["types"]["Prep"]["measures"]["precision"] is None
    assert system["types"]["Prep"]["undefined"]["precision"] == "false positives have no type here"
    assert main(["detect", GOLD, SYSTEMS[1], "--format", "csv"]) == 0
    rows = {(row["type"], row["measure"]): row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert (rows["Prep", "fp"]["value"], rows["Prep", "fp"]["undefined"]) == ("", "false positives have no type here")
    assert float(rows["", "fp"]["value"]) > 0
    assert main(["detect", GOLD, SYSTEMS[1], "--by-type", "--format", "json"]) == 0
    (typed,) = json.loads(capsys.readouterr().out)["systems"]
    assert typed["types"]["Prep"]["counts"]["fp"] > 0
    assert typed["types"]["Prep"]["measures"]["precision"] < 1
    assert typed["aspects"] == system["aspects"]
    assert main(["detect", GOLD, *SYSTEMS, "--by-type"]) == 0
    assert "By type: eager" in capsys.readouterr().out


def test_gaps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold.m2").write_text("S Book of my class inpired to me .\nA 0 1|||ArtOrDet|||A book|||REQUIRED|||-NONE-|||0\n\n")
    (tmp_path / "system.txt").write_text("Book of a my class inpired to me .\n")
    tags = zip(["Book", "of", "my", "class", "inpired", "to", "me", "."], ["NN", "IN", "PRP$", "NN", "VBD", "TO", "PRP", "."], strict=True)
    (tmp_path / "tags.txt").write_text("".join(f"{word}\t{tag}\n" for word, tag in tags))
    files = [str(tmp_path / "gold.m2"), str(tmp_path / "system.txt"), "--case", "gap", "--confusion-set", "articles"]
    for sites, counts in (("_ *", [0, 1, 1, 6]), ("noun-phrases", [0, 1, 1, 1]), ("_ NN", [0, 0, 1, 1])):
        assert main(["detect", *files, "--sites", sites, "--pos-tags", str(tmp_path / "tags.txt"), "--format", "json"]) == 0
        (system,) = json.loads(capsys.readouterr().out)["systems"]
        assert [system["aspects"][0]["counts"][name] for name in ("tp", "fp", "fn", "tn")] == counts
    assert system["left_out"]["changes of the system at such positions"] == 1
    assert main(["detect", *files]) == 0
    assert "where a, an, the may stand" in capsys.readouterr().out


@pytest.mark.parametrize("format_", ["table", "json", "csv", "latex", "markdown"])
def test_counts_in_every_format(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures 5 and 7 to 10 of the paper."""
    assert main(["detect", COUNTS, "--format", format_]) == 0
    out = capsys.readouterr().out
    if format_ == "json":
        systems = {item["system"]: item for item in json.loads(out)["systems"]}
        assert {name: item["cases"] for name, item in systems.items()} == {
            "Figure 5": None,
            "Figure 7": None,
            "Figure 8": None,
            "Figure 9": 100,
            "Figure 10": 200,
        }
        (detection,) = systems["Figure 7"]["aspects"]
        assert detection["measures"]["kappa"] == pytest.approx(0.375)
        assert detection["undefined"] == {"alpha": "the number of cases is unknown"}
    elif format_ == "csv":
        rows = {(row["system"], row["measure"]): row for row in csv.DictReader(out.splitlines())}
        assert float(rows["Figure 10", "kappa"]["value"]) == pytest.approx(6 / 29)
        assert (rows["Figure 5", "n"]["value"], rows["Figure 5", "n"]["undefined"]) == ("", "the number of cases is unknown")
        assert rows["Figure 10", "n"]["value"] == "200.0"
    else:
        assert "0.2069" in out
        assert "0.3750" in out
        assert "An unknown number of cases: proportions in examples/counts.csv." in out


def test_counts_have_intervals_but_no_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("system,tp,fp,fn,tn\na,12,18,28,42\nb,12,18,28,142\n")
    assert main(["detect", str(path), "--confidence"]) == 0
    out = capsys.readouterr().out
    assert "[0.0572, 0.3782]" in out
    assert "Systems cannot be tested in pairs: a test needs what each says about every case, and a table of counts has only sums." in out
    assert main(["detect", str(path), "--confidence", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["untested"].startswith("systems cannot be tested in pairs")
    assert "comparison" not in record
    assert main(["detect", str(path), "--confidence", "--test", "t"]) == 1
    assert "systems cannot be tested in pairs" in capsys.readouterr().err


def test_counts_by_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Type,TP,FP,FN,TN\nPrep,12,18,28,142\nArt,12,18,28,42\n")
    assert main(["detect", str(path)]) == 0
    out = capsys.readouterr().out
    assert "300 cases: counts in" in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("Prep ", "Art "))] == ["Art", "Prep"]


def test_a_column_of_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("error,flagged,freq\n1,1,12\n0,1,18\n1,0,28\n0,0,142\n")
    assert main(["detect", str(path)]) == 2
    assert "the column 'freq' is not read; if it is how many cases each row stands for, use --column count=freq" in capsys.readouterr().err
    assert main(["detect", str(path), "--column", "count=freq"]) == 0
    assert "200 cases: rows of" in capsys.readouterr().out


LABELS = "examples/labels"


def test_labelled_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    """Each token is a case, and sentences are resampled; the counts are those of the files, counted by hand."""
    files = [f"{LABELS}/gold.tsv", f"{LABELS}/careful.tsv", f"loud={LABELS}/bold.tsv"]
    assert main(["detect", *files, "--confidence", "--replicates", "200", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    counts = {system["system"]: list(system["aspects"][0]["counts"].values()) for system in record["systems"]}
    assert counts == {"careful": [5, 0, 4, 55, 0], "loud": [8, 5, 1, 50, 0]}
    assert record["bootstrap"]["by"] == "sentence"
    assert len(record["comparison"]["pairs"]) == 1
    assert [("areas" in system) for system in record["systems"]] == [False, True]
    assert main(["detect", *files, "--from", "labels", "--format", "csv"]) == 0
    assert "64 cases: labelled tokens of examples/labels/gold.tsv." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([f"{LABELS}/gold.tsv"], "looks like labelled tokens, which need those of a system: errata detect GOLD SYSTEM..."),
        ([f"{LABELS}/gold.tsv", f"{LABELS}/bold.tsv", "--case", "token"], "--case cannot be combined with labelled tokens"),
        ([f"{LABELS}/gold.tsv", f"{LABELS}/bold.tsv", "--types", "Prep"], "--types cannot be combined with labelled tokens"),
        ([f"{LABELS}/gold.tsv", f"{LABELS}/bold.tsv", "--documents", "x"], "--documents cannot be combined with labelled tokens"),
        (["-", "-", "--from", "labels"], "standard input (-) can be only one of the files"),
        ([GOLD, SYSTEMS[0], "--from", "labels"], "learner.m2:1: expected the label c or i, found 'City'"),
        ([f"{LABELS}/bold.tsv", f"{LABELS}/gold.tsv"], "bold.tsv:1: gold must have the label c or i in its last column"),
        ([f"{LABELS}/gold.tsv", SYSTEMS[1]], "eager.txt:1: expected the label c or i"),
    ],
)
def test_bad_use_of_labelled_tokens(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", *arguments]) == 2
    assert message in capsys.readouterr().err
