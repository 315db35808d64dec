"""What a perfect corrector scores on test sets that are drawn."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from errata import Corpus, Metric, RequestError, Sentence, UsageError, compute_intervals, read, read_system, score
from errata.cli import main
from errata.corpus.corpus import Annotation
from errata.corpus.tokenisation import tokenise_as_conll
from errata.formats import extract_edits
from errata.metrics import Choose, Draws, ExpectedCounts, SingleRow, Strategy
from errata.metrics.ratios import Ratio
from errata.report.charts.scores import _interval_chart, _ScoredSystem
from errata.settings import one_of
from errata.studies.coverage import CorrectedSentence, count_coverage, read_corrections
from errata.studies.coverage.perfect import PerfectCorrector

from thoroughness import often

TABLE = "examples/corrections.tsv"


@pytest.mark.parametrize("metric", ["maxmatch", "maxmatch(choice=optimal)", "maxmatch(choice=sentence)", "accuracy", "hoo"])
def test_a_test_set_scores_as_a_corpus_does(metric: str) -> None:
    """The drawn sentences, outputs and references as a real corpus, scored by the metric itself."""
    sentences = read_corrections(TABLE)
    corrector = PerfectCorrector(sentences, metric)
    found = corrector.simulate(3, sentences=30, without_errors=4, simulations=2, seed=6)
    draw = np.random.default_rng([6, 3])
    for value in found.values:
        own = draw.integers(0, len(sentences), size=26)
        outputs, wanted = draw.random(26), draw.random((26, 3))
        gold = [Sentence(("fine",), (Annotation("0"),))] * 4
        system = ["fine"] * 4
        for index, chance, chances in zip(own, outputs, wanted, strict=True):
            answers = [text for text, times in sentences[index].corrections.items() for _ in range(times)]
            source = tuple(sentences[index].source.split())
            references = [tuple(answers[int(own_chance * len(answers))].split()) for own_chance in chances]
            annotations = tuple(Annotation(str(number), extract_edits(source, text)) for number, text in enumerate(references))
            gold.append(Sentence(source, annotations))
            system.append(answers[int(chance * len(answers))])
        assert value == pytest.approx(score(Corpus(tuple(gold)), system, metric).value)


@dataclass(frozen=True)
class Words(Metric):
    """The share of words of the output that a reference has; how references are used varies."""

    how: str = one_of("draws", ("draws", "mean", "optimal", "own"), "how references are used")

    name: ClassVar[str] = "words"
    summary: ClassVar[str] = "shared words"
    columns: ClassVar[tuple[str, ...]] = ("shared", "words")

    @property
    def strategy(self) -> Strategy:
        strategies = {"draws": Draws(20), "mean": ExpectedCounts(), "optimal": Choose("optimal", Ratio((1, 0), (0, 1)))}
        return strategies.get(self.how, SingleRow())

    def count(self, sentence: Sentence, hypothesis: Sequence[str]) -> list[tuple[int, int]]:
        rows = [(len(set(sentence.corrected(item)) & set(hypothesis)), len(hypothesis)) for item in sentence.annotations]
        return [(sum(row[0] for row in rows), len(rows) * rows[0][1])] if self.how == "own" else rows

    def value(self, counts: Sequence[int]) -> float:
        return counts[0] / counts[1] if counts[1] else 1.0


def sample_corpora(seed: int, references: int, size: int, simulations: int, *, together: bool) -> Iterator[tuple[Corpus, list[str]]]:
    """The sampled test sets as real corpora, with as many sentences without errors as there are sentences."""
    sentences = read_corrections(TABLE)
    draw = np.random.default_rng([seed, references])
    sizes = [size * simulations] if together else [size] * simulations
    units = []
    for number in sizes:
        own, outputs, wanted = draw.integers(0, len(sentences), size=number), draw.random(number), draw.random((number, references))
        for index, chance, chances in zip(own, outputs, wanted, strict=True):
            answers = [text for text, times in sentences[index].corrections.items() for _ in range(times)]
            source = tuple(sentences[index].source.split())
            texts = [tuple(answers[int(share * len(answers))].split()) for share in chances]
            annotations = tuple(Annotation(str(place), extract_edits(source, text)) for place, text in enumerate(texts))
            units.append((Sentence(source, annotations), answers[int(chance * len(answers))]))
    none = tuple(Annotation(str(place)) for place in range(references))
    flawless = [(Sentence(tuple(item.source.split()), none), item.source) for item in sentences]
    for first in range(0, len(units), size):
        pairs = [*units[first : first + size], *flawless]
        yield Corpus(tuple(sentence for sentence, _ in pairs)), [text for _, text in pairs]


@pytest.mark.parametrize("metric", ["imeasure", "imeasure(references=single)", "imeasure(per=corpus)", Words("own")], ids=str)
def test_all_references_together(metric: str | Metric) -> None:
    """A metric that needs all references of an output is scored as on a real corpus, sentences without errors included."""
    corrector = PerfectCorrector(read_corrections(TABLE), metric)
    assert not corrector.counts_references_alone
    found = corrector.simulate(3, sentences=31, without_errors=6, simulations=3, seed=4)
    expected = [score(gold, system, metric).value for gold, system in sample_corpora(4, 3, 25, 3, together=True)]
    assert found.values.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("how", ["draws", "mean", "optimal"])
def test_every_use_of_references(how: str) -> None:
    """Also if sentences without errors take part in the choice."""
    corrector = PerfectCorrector(read_corrections(TABLE), Words(how))
    assert corrector.counts_references_alone
    found = corrector.simulate(3, sentences=31, without_errors=6, simulations=3, seed=4)
    expected = [score(gold, system, Words(how)).value for gold, system in sample_corpora(4, 3, 25, 3, together=False)]
    assert found.values.tolist() == pytest.approx(expected)


def test_resampled_outputs() -> None:
    """With fewer scored outputs than the test sets have, the mean is about the same; the seed decides."""
    steps: list[int] = []
    exact = PerfectCorrector(read_corrections(TABLE), "imeasure(references=single)", scored=10_000)
    few = PerfectCorrector(read_corrections(TABLE), "imeasure(references=single)", scored=1_000)
    one = exact.simulate(2, sentences=100, without_errors=10, simulations=100)
    other = few.simulate(2, sentences=100, without_errors=10, simulations=100, progress=steps.append)
    assert other.mean == pytest.approx(one.mean, abs=0.04)
    assert sum(steps) == few.count_steps(100) == 1_100
    again = few.simulate(2, sentences=100, without_errors=10, simulations=100)
    assert again.values.tolist() == other.values.tolist()
    with pytest.raises(UsageError, match="scored outputs must be a whole number from 1 to 10,000,000, found 0"):
        PerfectCorrector(read_corrections(TABLE), scored=0)


@pytest.mark.realdata
def test_i_of_a_perfect_corrector(data: Path) -> None:
    """With one or two references, I-measure calls a perfect corrector worse than the source."""
    corrector = PerfectCorrector(read_corrections(data / "crowd" / "crowd_corrections.tsv"), "imeasure", tokenise_as_conll, scored=2_000)
    means = [corrector.simulate(number, simulations=often(50, 15)).mean for number in (1, 2, 5, 10)]
    assert means == sorted(means)
    assert means[1] < 0 < means[3] < 0.5


def test_references_by_others() -> None:
    """An output that nobody else wrote is never matched, though it is among the answers; by all answers it is now and then."""
    sentences = [CorrectedSentence("1", "a", {f"w{number}": 1 for number in range(10)})]
    corrector = PerfectCorrector(sentences, "accuracy")
    settings = {"sentences": 200, "without_errors": 0, "simulations": 20}
    assert corrector.simulate(3, others=True, **settings).mean == 0  # type: ignore[arg-type]
    assert corrector.simulate(3, **settings).mean == pytest.approx(1 - 0.9**3, abs=0.03)  # type: ignore[arg-type]
    table = read_corrections(TABLE)
    by_others = PerfectCorrector(table, "accuracy").simulate(1, others=True, sentences=3000, without_errors=0, simulations=20).mean
    counted = [count_coverage(tuple(item.corrections.values()), 1) for item in table]
    assert by_others == pytest.approx(np.mean([value for value in counted if value is not None]), abs=0.01)


def test_flawless_sentences_are_matched() -> None:
    corrector = PerfectCorrector(read_corrections(TABLE), "accuracy")
    means = [corrector.simulate(1, sentences=100, without_errors=number, simulations=20).mean for number in (0, 50, 99)]
    assert means[1] == pytest.approx((means[0] + 1) / 2, abs=0.05)
    assert means[2] > 0.98


@pytest.mark.realdata
def test_f_of_a_perfect_corrector(data: Path) -> None:
    """Recorded with tokenised outputs and edits of a clean alignment: .337, .455, .611, .706, within .02."""
    corrector = PerfectCorrector(read_corrections(data / "crowd" / "crowd_corrections.tsv"), "maxmatch", tokenise_as_conll)
    expected = {1: 0.337, 2: 0.455, 5: 0.611, 10: 0.706}
    found = {number: corrector.simulate(number, simulations=100) for number in expected}
    assert {number: item.mean for number, item in found.items()} == pytest.approx(expected, abs=0.02)
    for item in found.values():
        low, high = item.central()
        assert low < item.mean < high
        assert item.interval.high - item.interval.low == pytest.approx(high - low, rel=0.3)


@pytest.mark.realdata
def test_the_sample_that_the_authors_released(data: Path) -> None:
    gold = read(data / "bootstrap" / "perfect_M2_gold.m2", lenient=True, warn=lambda _: None)
    result = score(gold, read_system(data / "bootstrap" / "perfect_M2_output.txt"), "maxmatch(ignore_case_and_space=true)")
    rows: dict[int, list[tuple[int, ...]]] = {}
    with (data / "bootstrap" / "perfect-2.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            rows.setdefault(int(row["sentence"]), []).append(tuple(int(row[key]) for key in ("correct", "proposed", "gold")))
    assert [list(own) for own in result.evidence.rows] == [rows[number] for number in range(len(gold))]
    assert result.value == pytest.approx(0.41645, abs=1e-5)
    (found,) = compute_intervals([result.evidence])
    assert (found.low, found.high) == pytest.approx((0.398, 0.434), abs=0.004)


def test_more_references_score_more() -> None:
    corrector = PerfectCorrector(read_corrections(TABLE))
    means = [corrector.simulate(number, sentences=100, without_errors=10, simulations=30).mean for number in (1, 2, 5, 20)]
    assert means == sorted(means)
    assert means[0] < 0.8 < means[-1]
    again = [corrector.simulate(2, sentences=50, without_errors=0, simulations=3, seed=seed).values.tolist() for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


def test_people_who_all_agree_are_perfect() -> None:
    sentences = [CorrectedSentence("1", "a b c", {"x b c": 9}), CorrectedSentence("2", "d e", {"d": 3})]
    assert PerfectCorrector(sentences).simulate(1, sentences=20, without_errors=5, simulations=5).mean == 1


def test_bad_requests() -> None:
    sentences = read_corrections(TABLE)
    corrector = PerfectCorrector(sentences)
    with pytest.raises(UsageError, match="references must be a whole number from 1 to 1,000, found 0"):
        corrector.simulate(0)
    with pytest.raises(UsageError, match="sentences without errors must be from 0 to 9, found 10"):
        corrector.simulate(1, sentences=10, without_errors=10)
    with pytest.raises(UsageError, match="simulations must be a whole number from 1 to 100,000, found 0"):
        corrector.simulate(1, simulations=0)
    with pytest.raises(RequestError, match="uccasim uses no references, so it cannot be scored with a number of them"):
        PerfectCorrector(sentences, "uccasim")
    with pytest.raises(RequestError, match="references by others need two answers or more for every sentence"):
        PerfectCorrector([CorrectedSentence("1", "a", {"b": 1})]).simulate(1, others=True)
    with pytest.raises(RequestError, match="1: a score needs the source of the sentence"):
        PerfectCorrector([CorrectedSentence("1", "", {"a": 2})])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["coverage", TABLE, "--metric", "maxmatch", "--simulations", "20", "--test-size", "100", "--error-free", "10"]
    assert main([*arguments, "--reference-counts", "1,4", "--chart", str(tmp_path / "f.svg")]) == 0
    out = capsys.readouterr().out
    assert "In words: a corrector that is always right would score" in out
    assert "F0.5 of a perfect corrector" in (tmp_path / "f.svg").read_text()
    assert main([*arguments, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [item["references"] for item in record["scores"]] == [1, 2, 5, 10, 20]
    assert record["simulations"] == 20
    assert "test_size=100,error_free=10,simulations=20,seed=0,exclude_self=false,tokenise=false | corrections" in record["signature"]
    assert main([*arguments[:2], "-m", "imeasure", *arguments[4:], "--scored-outputs", "50", "--reference-counts", "1,2"]) == 0
    out = capsys.readouterr().out
    assert "Test sets are resampled from 50 outputs scored with all references" in out
    assert "tokenise=false,scored_outputs=50 | corrections" in out
    assert main([*arguments, "--per-sentence"]) == 2
    assert main(["coverage", TABLE, "--simulations", "5"]) == 2
    assert "--simulations needs --metric" in capsys.readouterr().err


@pytest.mark.slow
def test_charts_use_the_scale_of_tables() -> None:
    interval = _interval_chart([_ScoredSystem("a", 0.5, 0.25, 0.75)], "F0.5").to_dict()
    (value,) = interval["data"]["values"]
    assert (value["value"], value["low"], value["high"]) == (50, 25, 75)


def test_charts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", TABLE, "--chart", str(tmp_path / "c.svg"), "--worth-chart", str(tmp_path / "w.svg")]) == 0
    assert "expected accuracy of a perfect corrector" in (tmp_path / "c.svg").read_text()
    assert "(M = 20)" in (tmp_path / "w.svg").read_text()
    assert main(["coverage", TABLE, "--worth-chart", str(tmp_path / "p.svg"), "--penalty", "0.2"]) == 0
    assert "reward 1, penalty 0.2" in (tmp_path / "p.svg").read_text()
    assert main(["coverage", TABLE, "--worth-chart", str(tmp_path / "q.svg"), "--penalty", "9"]) == 1
    systems = ["examples/systems/cautious.txt", "examples/systems/eager.txt"]
    assert main(["conservatism", "examples/learner.m2", *systems, "--chart", str(tmp_path / "h.svg")]) == 0
    assert "changed words in a sentence" in (tmp_path / "h.svg").read_text()
    assert main(["chart", "intervals", "examples/learner.m2", *systems, "-m", "accuracy", "-o", str(tmp_path / "i.svg")]) == 0
    assert "Accuracy times 100, with its 95% interval" in (tmp_path / "i.svg").read_text()
    assert main(["coverage", TABLE, "--chart", str(tmp_path / "c.txt")]) == 2
    capsys.readouterr()


def test_an_output_has_no_more_references_than_other_answers(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["coverage", "examples/learner.m2", "-m", "maxmatch", "--simulations", "3", "--format", "json"]
    assert main([*arguments, "--reference-counts", "1,2,20"]) == 0
    captured = capsys.readouterr()
    assert [item["references"] for item in json.loads(captured.out)["scores"]] == [1]
    assert "no sentence has more than 2 answers; larger numbers of references are left out" in captured.err
    assert main([*arguments, "--reference-counts", "2"]) == 1
    assert "so an output has at most 1 reference" in capsys.readouterr().err
