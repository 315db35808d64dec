"""Corrections from tables and corpora, their estimates, and the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from errata import Corpus, Edit, InputError, RequestError, Sentence, UsageError
from errata.cli import main
from errata.studies.coverage import (
    CorrectedSentence,
    Coverage,
    MatchRule,
    collect_corrections,
    compute_coverage,
    compute_estimate_intervals,
    estimate_sentences,
    read_corrections,
)

from thoroughness import often

TABLE = "examples/corrections.tsv"


@pytest.mark.realdata
@pytest.mark.parametrize(("normalise", "name"), [("words2016", "norm2016"), ("words", "norm_final")])
def test_frequency_counts_of_a_crowd(data: Path, normalise: str, name: str) -> None:
    sentences = read_corrections(data / "crowd" / "crowd_corrections.tsv")
    assert (len(sentences), sum(item.answers for item in sentences)) == (52, 2646)
    same = MatchRule(normalise=normalise)  # type: ignore[arg-type]
    with (data / "crowd" / "unseenest" / "fingerprints_from_corrections.tsv").open(encoding="utf-8", newline="") as file:
        expected = {row["sentence_id"]: row["fingerprint"] for row in csv.DictReader(file, delimiter="\t") if row["normalisation"] == name}
    assert {item.name: ",".join(map(str, item.count_frequencies(same))) for item in sentences} == expected
    with (data / "crowd" / "sentences.tsv").open(encoding="utf-8", newline="") as file:
        unchanged = {
            row["sentence_id"]: int(row[f"n_unchanged_{name}"]) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    equal = sum(same.unchanged(item) == unchanged[item.name] for item in sentences)
    assert equal >= 50


@pytest.mark.realdata
def test_other_sets_of_sentences(data: Path) -> None:
    """All 52 sentences with the final normalisation."""
    estimates = estimate_sentences(read_corrections(data / "crowd" / "crowd_corrections.tsv"), MatchRule(normalise="words"))
    coverage = Coverage(tuple(item.distribution for item in estimates))
    assert [coverage.variants(gamma) for gamma in (0, 0.001, 0.01, 0.1)] == pytest.approx([1343.94, 62.55, 9.42, 1.43], rel=5e-3)
    assert [coverage.mass(gamma) for gamma in (0, 0.001, 0.01, 0.1)] == pytest.approx([1, 0.7461, 0.5902, 0.3763], abs=5e-4)


@pytest.mark.realdata
def test_the_sentences_that_the_paper_describes(data: Path) -> None:
    """Without four sentences that nearly half of the people left unchanged; formal index matches, .577 with five references."""
    path = data / "crowd" / "crowd_corrections.tsv"
    same = MatchRule(normalise="words")
    sentences = sorted(read_corrections(path), key=lambda item: same.unchanged(item) / item.answers)[:48]
    coverage = compute_coverage(estimate_sentences(sentences, same))
    assert [coverage.variants(gamma) for gamma in (0, 0.001, 0.01, 0.1)] == pytest.approx([1430.41, 59.73, 10.01, 1.445], rel=5e-3)
    assert [coverage.mass(gamma) for gamma in (0, 0.001, 0.01, 0.1)] == pytest.approx([1, 0.7284, 0.5821, 0.3555], abs=5e-4)
    formal = compute_coverage(estimate_sentences(read_corrections(path), MatchRule("index", "words2016", "formal")))
    assert formal.accuracy(5) == pytest.approx(0.577, abs=1e-3)


def test_formats_agree(tmp_path: Path) -> None:
    sentences = read_corrections(TABLE)
    records = [
        {"sentence": item.name, "source": item.source, "correction": text, "count": times}
        for item in sentences
        for text, times in item.corrections.items()
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(json.dumps(record) for record in records) + "\n")
    assert read_corrections(tmp_path / "x.jsonl") == sentences
    with (tmp_path / "x.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["sentence", "correction"])
        writer.writeheader()
        for record in records:
            writer.writerows([{"sentence": record["sentence"], "correction": record["correction"]}] * int(str(record["count"])))
    assert [item.corrections for item in read_corrections(tmp_path / "x.csv")] == [item.corrections for item in sentences]


def test_escapes(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text('sentence\tcorrection\n1\t"a\\tb\\nc\\\\n\n', encoding="utf-8")
    (only,) = read_corrections(tmp_path / "x.tsv")
    assert list(only.corrections) == ['"a\tb\nc\\n']


def test_references_of_a_corpus() -> None:
    gold = Corpus((Sentence.of("a b", [Edit(0, 1, ("x",))], [Edit(0, 1, ("x",))], [Edit(1, 2, ("y",))]), Sentence(("c",))))
    first, second = collect_corrections(gold)
    assert first.corrections == {"x b": 2, "a y": 1}
    assert second.corrections == {"c": 1}
    assert MatchRule("index", "tokens").unchanged(first) == 0
    assert first.count_frequencies(MatchRule("index", "tokens")) == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sentence\tcount\n1\t2\n", "x.tsv:1: expected a column correction, found sentence, count"),
        ("correction\nx\n", "x.tsv:1: expected a column sentence, found correction"),
        ("sentence\tcorrection\tcount\n1\ta\t0\n", "x.tsv:2: count: expected a whole number from 1, found '0'"),
        ("sentence\tcorrection\tcount\n1\ta\t-3\n", "found '-3'"),
        ("sentence\tcorrection\tcount\n1\ta\t1.5\n", "found '1.5'"),
        ("sentence\tcorrection\tsource\n1\ta\tb\n1\tc\td\n", "x.tsv:3: the sentence '1' has two sources, 'b' and 'd'"),
        ("sentence\tcorrection\n", "x.tsv: the table has no corrections"),
        ("", "x.tsv: the table is empty"),
    ],
)
def test_bad_tables_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.tsv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_corrections(tmp_path / "x.tsv")
    assert message in str(caught.value)


def test_bad_requests(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("sentence\tcorrection\n1\ta\n")
    sentences = read_corrections(tmp_path / "x.tsv")
    with pytest.raises(RequestError, match="1: a distribution cannot be estimated from 1 answer"):
        estimate_sentences(sentences, MatchRule())
    with pytest.raises(RequestError, match="1: match=index needs the source of the sentence"):
        sentences[0].count_frequencies(MatchRule("index"))
    with pytest.raises(UsageError, match="match must be 'exact' or 'index', found 'fuzzy'"):
        MatchRule("fuzzy")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown normalisation 'letters'"):
        MatchRule(normalise="letters")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="there are no sentences to estimate"):
        estimate_sentences([], MatchRule())
    estimates = estimate_sentences(read_corrections(TABLE), MatchRule())
    with pytest.raises(UsageError, match="replicates must be a whole number from 20 to 10,000, found 3"):
        compute_estimate_intervals(estimates, lambda drawn: [compute_coverage(drawn).accuracy(1)], replicates=3)


def test_doubtful_estimates_say_so(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("sentence\tcorrection\n" + "few\ta\nfew\ta\n" + "".join(f"all\tw{number}\n" for number in range(12)))
    few, different = estimate_sentences(read_corrections(tmp_path / "x.tsv"), MatchRule())
    assert few.warning == "only 2 answers"
    assert different.warning == "no two answers are the same, so the number of other corrections cannot be estimated"


@pytest.mark.slow
def test_intervals_cover_a_known_truth() -> None:
    """Of intervals for the accuracy with twenty references, most cover it, from samples of a known distribution."""
    draw = np.random.default_rng(8)
    shares = np.array([0.3, 0.15, 0.1, 0.05, *[0.004] * 100])
    truth = float(shares @ (1 - (1 - shares) ** 20))
    covered = 0
    for seed in range(12):
        sentences = [
            CorrectedSentence(str(index), "", {f"c{kind}": int(times) for kind, times in enumerate(draw.multinomial(60, shares)) if times})
            for index in range(often(6, 3))
        ]
        estimates = estimate_sentences(sentences, MatchRule(normalise="tokens"))
        (found,) = compute_estimate_intervals(
            estimates, lambda drawn: [compute_coverage(drawn).accuracy(20)], level=0.9, replicates=often(30, 20), seed=seed
        )
        covered += found.low <= truth <= found.high
    assert covered >= often(8, 6)  # fewer than 6 of 12 have a chance of 1 in 20,000 if each has one of 0.9


@pytest.mark.slow
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", TABLE, "--matched-sentences", "2"]) == 0
    out = capsys.readouterr().out
    assert "In words: a corrector that is always right" in out
    assert "Probability that a perfect corrector matches 2 sentences with 2 references" in out
    assert (
        main(
            [
                "coverage",
                TABLE,
                "--confidence",
                "0.9",
                "--replicates",
                "20",
                "--format",
                "json",
                "--reference-counts",
                "1,3",
                "--per-sentence",
            ]
        )
        == 0
    )
    record = json.loads(capsys.readouterr().out)
    assert [item["references"] for item in record["accuracy"]] == [1, 3]
    low, high = record["accuracy"][1]["accuracy_interval"]
    assert low < high
    assert len(record["per_sentence"]) == record["sentences"] == 6
    first = record["per_sentence"][0]
    assert first["corrections_interval"][0] <= first["corrections_interval"][1]
    assert 0 <= record["classical_intervals"]["good_turing"][0] <= record["classical_intervals"]["good_turing"][1] <= 1
    assert record["intervals"] == {"level": 0.9, "replicates": 20, "seed": 0}
    assert main(["coverage", TABLE, "--match", "index", "--positions", "formal", "--per-sentence", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == 6
    assert main(["coverage", TABLE, "--target-accuracy", "0.6,0.95"]) == 0
    assert "References needed for an accuracy of 60%: 4, 95%:" in capsys.readouterr().out
    assert main(["coverage", TABLE, "--format", "csv", "--reference-counts", "1-3"]) == 0
    values = {(row["measure"], row["of"]): row["value"] for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert float(values["counted", "references 3"]) == pytest.approx(0.55, abs=0.03)
    assert float(values["corrections", "above 0"]) > 100
    assert main(["coverage", "examples/learner.m2"]) == 0
    captured = capsys.readouterr()
    assert "only 2 answers" in captured.err
    assert "(--per-sentence lists them)" in captured.err
    assert "Most sentences have too few answers to trust this." in captured.out
    assert main(["coverage", "examples/learner.m2", "--metric", "maxmatch", "--simulations", "3", "--reference-counts", "1"]) == 0
    assert "An output is never its own reference." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--reference-counts", "0"], "--reference-counts must be a list of numbers from 1 to 999,999, such as 1,2,5 or 1-20, found '0'"),
        (["--seed", "1"], "--seed needs --confidence"),
        (["--matched-references", "1"], "--matched-references needs --matched-sentences"),
        (["--reference-counts", "3-1"], "--reference-counts: the range '3-1' runs backwards"),
        (["--reference-counts", "1" * 5000], "--reference-counts must be a list of numbers from 1 to 999,999"),
        (["--positions", "formal"], "--positions needs --match index"),
        (["--per-sentence", "--confidence"], "--per-sentence cannot be combined with"),
        (["--metric", "maxmatch", "--normalise", "words"], "cannot be combined with --metric: the metric says which texts are equal"),
        (["--exclude-self"], "--exclude-self needs --metric"),
        (["--target-accuracy", "0.5,2"], "--target-accuracy must be shares between 0 and 1"),
        (["--penalty", "1"], "--penalty needs --worth"),
        (["--table", "tsv", "--from", "m2"], "cannot be combined with --table: a table is not a corpus"),
        (["--matched-sentences", "7"], "the number of matches must be from 0 to 6, found 7"),
        (["--confidence", "1"], "expected a level between 0 and 1"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", TABLE, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_sentences_with_one_correction_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.tsv").write_text("sentence\tcorrection\tcount\n1\ta\t1\n2\ta\t9\n2\tb\t3\n")
    assert main(["coverage", str(tmp_path / "x.tsv")]) == 0
    assert "1 of 2 sentences skipped: only one answer" in capsys.readouterr().err
    (tmp_path / "y.tsv").write_text("sentence\tcorrection\n1\ta\n")
    assert main(["coverage", str(tmp_path / "y.tsv")]) == 1
    assert "every sentence has only one answer" in capsys.readouterr().err
