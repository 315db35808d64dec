"""What is done once: reading gold, solving a sentence, searching for edits, drawing replicates, the parts of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from errata import MaxMatch, read
from errata.cli import main
from errata.language.tagging import TextBlobTagger, find_tagger
from errata.metrics.imeasure import _IMeasureScorer
from errata.metrics.maxmatch import MaxMatchScorer
from errata.scoring import Evaluator
from errata.scoring.by_type import count_types

GOLD = "examples/learner.m2"
SYSTEMS = [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]


class Counted:
    """Something whose calls are counted by name."""

    def __init__(self, inner: Any, calls: Counter[str]) -> None:
        self._inner, self._calls = inner, calls

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self._calls[name] += len(arguments[1]) if name in {"blocks", "counts"} else 1
            return getattr(self._inner, name)(*arguments)

        return call


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often scorers are made, and how many sentences the core gets."""
    found: Counter[str] = Counter()
    for kind, attribute in ((MaxMatchScorer, "judge"), (_IMeasureScorer, "mixed")):
        init = kind.__init__

        def counted(self: Any, *arguments: Any, init: Any = init, attribute: str = attribute) -> None:
            init(self, *arguments)
            found["scorers"] += 1
            vars(self)[attribute] = Counted(vars(self)[attribute], found)

        monkeypatch.setattr(kind, "__init__", counted)
    return found


def test_detect_reads_gold_once_and_solves_each_sentence_once(calls: Counter[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", GOLD, *SYSTEMS]) == 0
    assert calls == {"scorers": 1, "blocks": 3 * 72}
    calls.clear()
    assert main(["detect", GOLD, *SYSTEMS, "--case", "edit"]) == 0
    assert calls == {"scorers": 1, "counts": 3 * 72, "edits": 3 * 72}
    assert capsys.readouterr().out


def test_scores_by_type_search_for_edits_once(calls: Counter[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, *SYSTEMS, "--by-type"]) == 0
    assert calls == {"scorers": 1, "counts": 3 * 72, "edits": 3 * 72}
    assert capsys.readouterr().out


def test_types_of_a_metric_that_types_wrong_edits_itself(gold: Any, systems: Any) -> None:
    """No tagger is asked, and every type has a precision."""

    class Typed(MaxMatch):
        types_wrong_edits = True

    score = Evaluator(gold, Typed())(systems["eager"])
    own = {item.type: item for item in count_types(score, find_tagger("textblob"))}
    assert all(item.proposed is not None for item in own.values())
    assert own["(no type)"].proposed == score.counts[1] - score.counts[0]  # MaxMatch gives them none


@pytest.mark.parametrize("output", ["csv", "json", "table"])
def test_the_parts_of_every_sentence_are_made_once(
    output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: Counter[str] = Counter()
    parts = MaxMatch.parts

    def counted(self: MaxMatch, counts: Any) -> dict[str, Any]:
        made["parts"] += 1
        return parts(self, counts)

    monkeypatch.setattr(MaxMatch, "parts", counted)
    assert main(["score", GOLD, *SYSTEMS, "--per-sentence", "--format", output]) == 0
    assert 216 <= made["parts"] <= 216 + 3 * len(SYSTEMS)
    assert capsys.readouterr().out


def test_compare_draws_its_replicates_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made: Counter[str] = Counter()
    default_rng = np.random.default_rng

    def counted(*arguments: Any) -> Any:
        made["generators"] += 1
        return default_rng(*arguments)

    monkeypatch.setattr(np.random, "default_rng", counted)
    assert main(["compare", GOLD, *SYSTEMS, "--test", "bootstrap", "--replicates", "500"]) == 0
    assert made["generators"] == 1
    assert capsys.readouterr().out


def test_sources_are_tagged_once_for_all_systems(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = Counter[tuple[str, ...]]()
    tag = TextBlobTagger.tag

    def count(self: TextBlobTagger, sentences: Any) -> Any:
        asked.update(sentences)
        return tag(self, sentences)

    monkeypatch.setattr(TextBlobTagger, "tag", count)
    assert main(["score", GOLD, *SYSTEMS, "--by-type"]) == 0
    assert capsys.readouterr().out
    sources = {sentence.tokens for sentence in read(GOLD)}
    assert sources & set(asked)
    assert {asked[tokens] for tokens in sources & set(asked)} == {1}
