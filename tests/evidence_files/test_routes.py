"""Long texts are counted part by part, unless something needs their sentences; evidence is of one gold and of the same data."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import errata
from errata import Corpus, MaxMatch, ParseBank, RequestError, System, compare, compute_intervals
from errata.cli import main
from errata.cli import score as scoring_command
from errata.metrics.base import Scorer
from errata.scoring import make_engine
from errata.scoring.evidence_files import (
    FolderStorage,
    Making,
    MemoryStorage,
    StoredEvidence,
    make_from_corpus,
    make_from_texts,
    open_evidence,
)
from errata.settings import BLOCK_SIZE

from evidence_folders import LongCorpus, read_folder
from toy_analyser import ToyAnalyser, use_toy_words

SIZE = ["--part-size", str(BLOCK_SIZE)]
Run = Callable[..., str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return LongCorpus(tmp_path_factory.mktemp("corpus"), BLOCK_SIZE + 10)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, status: int = 0) -> str:
        found = main(list(arguments))
        printed = capsys.readouterr()
        assert found == status, printed.err
        return printed.out + printed.err

    return run


@pytest.fixture
def both(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a command with texts that count as long, and as short: the result is the same."""

    def both(*arguments: str, status: int = 0) -> None:
        monkeypatch.setattr(scoring_command, "_LONG", 1 << 40)
        expected = run(*arguments, status=status)
        monkeypatch.setattr(scoring_command, "_LONG", 0)
        assert run(*arguments, status=status) == expected

    return both


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--confidence", "--replicates", "100", "--format", "json"],
        ["-m", "accuracy", "-m", "maxmatch(choice=optimal)"],
        ["--per-sentence", "--format", "csv"],
        ["--by-type", "--tagger", "none"],
        ["--sentences", "5-20"],
        ["-m", "gleu(variant=expectation)", "--digits", "4"],
    ],
)
def test_long_texts_have_the_scores_of_short_ones(options: list[str], corpus: LongCorpus, both: Callable[..., None]) -> None:
    both("score", *corpus.texts("eager", "cautious"), *options)


def test_what_long_texts_cannot_do_is_done_in_memory(corpus: LongCorpus, both: Callable[..., None], tmp_path: Path) -> None:
    edits = tmp_path / "edits.m2"
    gold = errata.read(corpus.path("gold.m2"))
    source = Path(corpus.path("src.txt")).read_text(encoding="utf-8").splitlines()
    own = [errata.Sentence(tuple(text.split()), sentence.annotations[:1]) for text, sentence in zip(source, gold, strict=True)]
    errata.write(Corpus(tuple(own)), edits)
    texts = corpus.texts("eager")
    both("score", *texts[:-1], str(edits))
    both("compare", *corpus.texts("eager", "cautious"), "--replicates", "100")
    both("correlate", *corpus.texts(), "-m", "maxmatch", "-m", "accuracy")
    both("chart", "length", *texts, "-o", str(tmp_path / "length.svg"))
    both("score", *texts, "--max-lines", "100", status=2)
    both("score", *texts, "--from", "m2", status=2)
    both("score", *texts, "--parses", str(tmp_path / "parses"), status=2)
    both("score", *texts, corpus.path("ref2.txt"), status=2)


def test_a_command_without_evidence_refuses_columns(corpus: LongCorpus, run: Run) -> None:
    assert "there is no such file" in run("inspect", *corpus.columns("eager"), status=2)


def test_a_beta_with_many_digits(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.scoring.evidence_files.reading.MANY", 100)
    plain = tmp_path / "plain.txt"
    plain.write_text("a b\n" * (2 * BLOCK_SIZE) + "a c\n", encoding="utf-8")
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("a b\n" * (2 * BLOCK_SIZE) + "a b\n", encoding="utf-8")
    system = tmp_path / "system.out"
    system.write_bytes(plain.read_bytes())
    given = [str(wrong), "-r", str(plain), "-r", str(wrong), str(system)]
    metric = "maxmatch(beta=0.12345678901)"
    run("evidence", *given, "-o", str(tmp_path / "counts"), *SIZE, "-m", metric)
    assert run("score", str(tmp_path / "counts")) == run("score", *given, "-m", metric)


@dataclass(frozen=True)
class OwnScorer(MaxMatch):
    """MaxMatch with a scorer of its own, for example that of a plug-in."""

    def scorer(self, corpus: Corpus) -> Scorer:  # type: ignore[override]
        return super().scorer(corpus)


def test_another_scorer_is_not_taken_for_that_of_the_core() -> None:
    assert (OwnScorer().in_parts, OwnScorer().counts_texts, MaxMatch().in_parts, MaxMatch().counts_texts) == (False, False, True, True)


class OtherAnalyser(ToyAnalyser):
    name = "other 1.0"


def test_evidence_of_other_data_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_toy_words(monkeypatch)
    gold = errata.read("examples/learner.m2")
    systems = [errata.read_system(f"examples/systems/{name}.txt") for name in ("eager", "cautious")]
    making, storage = Making(make_engine(None, 1, "threads")), FolderStorage(tmp_path)
    toy, other = (errata.metric("errant").with_data(parses=ParseBank(analyser)) for analyser in (ToyAnalyser(), OtherAnalyser()))
    make_from_corpus(storage, gold, systems[:1], [toy], making)
    before = read_folder(tmp_path)
    with pytest.raises(RequestError, match=r"there is evidence of eager with other data: .*toy 1.0.*; found .*other 1.0"):
        make_from_corpus(storage, gold, systems[:1], [other], making)
    with pytest.raises(RequestError, match=r"systems must be counted with the same data, found .*toy 1.0.* and .*other 1.0"):
        make_from_corpus(storage, gold, systems[1:], [other], making)
    assert read_folder(tmp_path)["manifest.json"] == before["manifest.json"]


def test_scores_of_two_folders_are_compared(corpus: LongCorpus) -> None:
    making = Making(make_engine(None, 1, "threads"))
    texts = corpus.texts()
    scores = []
    for name in ("eager", "cautious"):
        storage = MemoryStorage(name)
        manifest = make_from_texts(storage, texts[0], [texts[2], texts[4]], {name: corpus.path(f"{name}.txt")}, [MaxMatch()], making)
        scores += StoredEvidence(storage, manifest).score()
    read = errata.read(texts[0], references=[texts[2], texts[4]])
    together = [errata.score(read, errata.read_system(corpus.path(f"{name}.txt"))) for name in ("eager", "cautious")]
    assert compute_intervals(scores) == compute_intervals(together)
    assert compare([scores[0], together[1]]) == compare(together)
    other = errata.score(errata.read("examples/learner.m2"), System.of("x", ["a"] * 72))
    with pytest.raises(RequestError, match="systems must be scored on the same sentences"):
        compare([scores[0], other])


def test_a_gold_under_another_name_is_the_same(corpus: LongCorpus, run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.src"
    copy.write_bytes(Path(corpus.path("src.txt")).read_bytes())
    run("evidence", *corpus.texts("eager"), "-o", str(tmp_path / "counts"), *SIZE)
    run("evidence", str(copy), *corpus.texts("cautious")[1:], "-o", str(tmp_path / "counts"), *SIZE)
    assert "gold src.txt, 1,034 sentences" in run("score", str(tmp_path / "counts"))


def test_a_longer_gold_leaves_nothing_that_is_in_the_way(corpus: LongCorpus, run: Run, tmp_path: Path) -> None:
    (tmp_path / "longer").mkdir()
    longer, folder = LongCorpus(tmp_path / "longer", 3 * BLOCK_SIZE), str(tmp_path / "counts")
    run("evidence", *corpus.texts("eager"), "-o", folder, *SIZE, "--jobs", "1")
    message = run("evidence", *longer.texts("cautious"), "-o", folder, *SIZE, "--jobs", "1", status=1)
    assert "it has evidence of another gold; take another folder" in message
    run("evidence", *corpus.texts("cautious"), "-o", folder, *SIZE, "--jobs", "1")
    assert "cautious" in run("score", folder)


def test_metrics_of_two_routes_are_in_one_folder(corpus: LongCorpus, run: Run, tmp_path: Path) -> None:
    folder, whole = str(tmp_path / "counts"), "errant(gold=raw,alignment=lev,merge=all-split)"
    run("evidence", *corpus.texts("eager"), "-o", folder, *SIZE)
    run("evidence", *corpus.texts("eager"), "-o", folder, *SIZE, "-m", "maxmatch", "-m", whole)
    assert len(open_evidence(folder).metrics) == 2
    assert f"{whole} cannot be combined with columns of tables" in run(
        "evidence", *corpus.columns("eager"), "-o", folder, *SIZE, "-m", "maxmatch", "-m", whole, status=2
    )


def test_merge_takes_no_other_options(run: Run, tmp_path: Path) -> None:
    for options in (["-m", "gleu"], ["--part", "1/7"], ["--jobs", "3"], ["-r", "nosuch"]):
        message = run("evidence", "merge", "a", "b", "-o", str(tmp_path / "c"), *options, status=2)
        assert "cannot be combined with merge" in message


def test_single_sentences_of_long_evidence_are_refused(
    corpus: LongCorpus, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errata.scoring.evidence_files.reading.MANY", 100)
    run("evidence", *corpus.texts("eager"), "-o", str(tmp_path / "counts"), *SIZE)
    (score,) = open_evidence(str(tmp_path / "counts")).score()
    for action in (lambda: score.sentences, lambda: score.sentence(1), lambda: score.evidence.chosen):
        with pytest.raises(errata.UsageError, match="single sentences of long evidence are not kept; its Parquet files have them"):
            action()
    with pytest.raises(errata.UsageError, match="evidence has no texts"):
        score.edits(1)
    assert "single sentences of long evidence" in run("score", str(tmp_path / "counts"), "--per-sentence", status=2)
