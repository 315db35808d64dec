"""``--analyser`` and ``--parses``: which bank metrics get, what is parsed, and what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from errata import read, read_system
from errata.cli import main
from errata.corpus.corpus import Corpus, Sentence
from errata.corpus.parses import ANALYSERS, Parse
from errata.corpus.texts import Tokens
from errata.formats.parses import read_parses, write_parses
from errata.language import parse_bank as bank_module
from errata.language.parse_bank import ParseBank, default_bank
from errata.metrics.base import Metric, data_field
from errata.metrics.registry import METRICS
from errata.metrics.strategies import SingleRow

GOLD = "examples/learner.m2"
SYSTEM = "examples/systems/cautious.txt"
OTHER = "examples/systems/eager.txt"
ASKED: list[Tokens] = []


class Chain:
    """An analyser that remembers what it was asked for; each token depends on the one before."""

    def __init__(self, version: str) -> None:
        self.name = f"chain {version or '1.0'}"

    def analyse(self, sentences: Sequence[Tokens]) -> Iterator[Parse]:
        ASKED.extend(sentences)
        for tokens in sentences:
            size = len(tokens)
            heads = tuple(max(index - 1, 0) for index in range(size))
            yield Parse(tokens, tokens, ("NOUN",) * size, ("NN",) * size, heads, ("dep",) * size)


@dataclass(frozen=True)
class Roots(Metric):
    """The share of tokens that are roots, in sentences that a system changes."""

    name = "roots"
    summary = "share of roots"
    columns = ("roots", "tokens")
    strategy = SingleRow()
    parses: ParseBank | None = data_field()

    def count(self, sentence: Sentence, hypothesis: Tokens) -> list[tuple[int, int]]:
        if sentence.tokens == hypothesis:
            return [(0, 0)]
        (parse,) = (self.parses or default_bank()).find([hypothesis])
        return [(sum(head == index for index, head in enumerate(parse.heads)), len(hypothesis))]

    def value(self, counts: Sequence[int]) -> float:
        return counts[0] / max(counts[1], 1)

    def data(self, corpus: Corpus) -> str:
        del corpus
        return f"analyser:{(self.parses or default_bank()).name}"


@pytest.fixture(autouse=True)
def _plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS._loaded, "roots", Roots)
    monkeypatch.setattr(METRICS, "_others", {"roots": EntryPoint("roots", "tests:Roots", "errata.metrics")})
    monkeypatch.setitem(ANALYSERS._loaded, "chain", Chain)
    ASKED.clear()


def changed(*paths: str) -> set[Tokens]:
    """The sentences of systems that differ from their source."""
    source = [tuple(line.split()[1:]) for line in Path(GOLD).read_text().splitlines() if line.startswith("S ")]
    outputs = [[tuple(line.split()) for line in Path(path).read_text().splitlines()] for path in paths]
    return {own for output in outputs for old, own in zip(source, output, strict=True) if own != old}


def test_each_changed_sentence_is_parsed_once_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = str(tmp_path / "parses.conllu.gz")
    command = ["score", GOLD, SYSTEM, OTHER, "-m", "roots", "--analyser", "chain", "--parses", kept, "--format", "json"]
    assert main(command) == 0
    first = capsys.readouterr()
    assert sorted(ASKED) == sorted(changed(SYSTEM, OTHER))
    file = read_parses(kept)
    assert {parse.forms for parse in file} == changed(SYSTEM, OTHER)
    assert file.analyser == "chain 1.0"
    assert "analyser:chain 1.0" in first.out

    ASKED.clear()
    before = Path(kept).stat().st_mtime_ns
    assert main(command) == 0
    assert capsys.readouterr() == first
    assert ASKED == []
    assert Path(kept).stat().st_mtime_ns == before


def test_a_file_is_extended_by_the_next_command(tmp_path: Path) -> None:
    kept = str(tmp_path / "parses.conllu")
    options = ["-m", "roots", "--analyser", "chain", "--parses", kept]
    assert main(["score", GOLD, SYSTEM, *options, "-o", str(tmp_path / "scores.txt")]) == 0
    ASKED.clear()
    assert main(["compare", GOLD, SYSTEM, OTHER, *options, "--replicates", "100", "-o", str(tmp_path / "pairs.txt")]) == 0
    assert set(ASKED) == changed(OTHER) - changed(SYSTEM)
    assert {parse.forms for parse in read_parses(kept)} == changed(SYSTEM, OTHER)
    assert Path(tmp_path / "pairs.txt").read_text()


def test_the_analyser_of_the_file_is_used_if_none_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "parses.conllu"
    write_parses(kept, "chain 0.9", Chain("").analyse(sorted(changed(SYSTEM))))
    ASKED.clear()
    assert main(["score", GOLD, SYSTEM, "-m", "roots", "--parses", str(kept)]) == 0
    assert "analyser:chain 0.9" in capsys.readouterr().out
    assert ASKED == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--analyser", "chain"], "--analyser needs a metric that parses: -m errant"),
        (["--parses", "new.conllu"], "--parses needs a metric that parses: -m errant"),
        (["-m", "roots", "--analyser", "magic"], "unknown analyser 'magic'; choose from spacy"),
        (["-m", "roots", "--parses", ""], "--parses: expected a file, found ''"),
        (["-m", "roots", "--parses", GOLD], f"writing {GOLD} would replace the input {GOLD}"),
        (["-m", "roots", "--parses", "no/such/folder.conllu"], "no/such/folder.conllu: there is no folder no/such"),
        (["-m", "roots", "--parses", "examples"], "examples: this is a directory, expected a file"),
        (["-m", "roots", "--parses", "README.md"], "README.md:3: expected 10 columns of CoNLL-U separated by tabs, found 1"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, SYSTEM, *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not Path("new.conllu").exists()


def test_another_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "parses.conllu"
    write_parses(kept, "chain 0.9", Chain("").analyse(sorted(changed(SYSTEM))))
    before = kept.read_bytes()
    assert main(["score", GOLD, SYSTEM, "-m", "roots", "--analyser", "chain", "--parses", str(kept)]) == 2
    assert "has parses of chain 0.9, which cannot be combined with those of chain 1.0" in capsys.readouterr().err
    assert kept.read_bytes() == before


def test_a_command_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "parses.conllu"
    options = ["-m", "roots", "--analyser", "chain", "--parses", str(kept)]
    assert main(["score", GOLD, SYSTEM, *options, "--chart", str(tmp_path / "no.such")]) != 0
    assert not kept.exists()
    assert main(["score", GOLD, SYSTEM, *options]) == 0
    before = kept.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("errata.formats.writing.Transaction.create", fail)
    assert main(["score", GOLD, OTHER, *options]) == 1
    assert kept.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kept]


def test_inspect_takes_the_options_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", GOLD, SYSTEM, "--analyser", "chain", "--types", "Prep"]) == 2
    assert "--analyser needs a metric that parses: -m errant" in capsys.readouterr().err
    assert main(["inspect", GOLD, SYSTEM, "-m", "roots", "--analyser", "chain"]) == 1  # which has no edits to show
    assert set(ASKED) == changed(SYSTEM)


def test_without_options_metrics_share_the_default_bank(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shared = ParseBank(Chain(""))
    for module in ("errata.language.parse_bank", __name__):
        monkeypatch.setattr(f"{module}.default_bank", lambda: shared, raising=False)
    monkeypatch.setitem(globals(), "default_bank", lambda: shared)
    assert main(["score", GOLD, SYSTEM, "-m", "roots"]) == 0
    assert main(["score", GOLD, SYSTEM, "-m", "roots"]) == 0
    assert sorted(ASKED) == sorted(changed(SYSTEM))
    assert shared.progress is not None
    capsys.readouterr()


@pytest.mark.parametrize("quiet", [False, True])
def test_parsing_shows_how_far_it_is(quiet: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # noqa: FBT001
    seen: list[tuple[str, int | None]] = []
    from errata.report import progress

    original: Callable[..., None] = progress.ProgressBar.__init__

    def note(self: progress.ProgressBar, what: str, total: int | None, *, in_core: bool = False) -> None:
        seen.append((what, total))
        original(self, what, total, in_core=in_core)

    monkeypatch.setattr(progress.ProgressBar, "__init__", note)
    command = ["score", GOLD, SYSTEM, "-m", "roots", "--analyser", "chain", "-o", str(tmp_path / "scores.txt")]
    assert main([*command, *(["--quiet"] if quiet else [])]) == 0
    assert {what for what, _ in seen} == {"scoring", "parsing"}
    assert bank_module.ParseBank.progress is None  # of the bank of the command only


def test_a_task_uses_the_file_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (GOLD, SYSTEM, OTHER):
        (tmp_path / Path(name).name).write_bytes(Path(name).read_bytes())
    task, kept = tmp_path / "task.toml", tmp_path / "parses.conllu"
    task.write_text('gold = "learner.m2"\nsystems = ["cautious.txt", "eager.txt"]\nmetrics = ["roots"]\ntagger = "none"\n')
    command = ["task", "run", str(task), "-o", str(tmp_path / "results")]
    assert main([*command, "--analyser", "chain", "--parses", str(kept)]) == 0
    assert sorted(ASKED) == sorted(changed(SYSTEM, OTHER))
    assert {parse.forms for parse in read_parses(kept)} == changed(SYSTEM, OTHER)
    task.write_text('gold = "learner.m2"\nsystems = ["cautious.txt"]\nmetrics = ["maxmatch"]\ntagger = "none"\n')
    capsys.readouterr()
    assert main([*command, "--analyser", "chain"]) == 2
    assert "--analyser needs a metric that parses" in capsys.readouterr().err


def test_errant_parses_only_what_is_changed(tmp_path: Path) -> None:
    kept = tmp_path / "parses.conllu"
    command = ["score", GOLD, SYSTEM, OTHER, "-m", "errant", "-m", "errant(level=ds)", "--analyser", "chain", "--parses", str(kept)]
    assert main([*command, "-o", str(tmp_path / "scores.txt")]) == 0
    assert len(ASKED) == len(set(ASKED))  # each once, for all systems and metrics
    corpus = read(GOLD)
    pairs = {(sentence.tokens, sentence.corrected(annotation)) for sentence in corpus for annotation in sentence.annotations}
    for path in (SYSTEM, OTHER):
        pairs |= set(zip((sentence.tokens for sentence in corpus), read_system(path).sentences, strict=True))
    sources = {source for source, text in pairs if source != text}
    assert changed(SYSTEM, OTHER) | sources <= set(ASKED)
    unchanged = {sentence.tokens for sentence in corpus} - sources
    assert len(unchanged) > 1
    assert unchanged.isdisjoint(ASKED)

    ASKED.clear()
    assert main([*command, "-o", str(tmp_path / "scores.txt")]) == 0
    assert ASKED == []
