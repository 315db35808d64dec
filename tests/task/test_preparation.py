"""A task that is prepared once, and scores outputs when they come."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from errata import Corpus, Edit, InputError, MismatchError, RequestError, System, UsageError, read
from errata.corpus.corpus import Annotation, Sentence
from errata.formats import Problem
from errata.formats.problems import ignore_problem
from errata.language.tagging import suit
from errata.scoring import Evaluator
from errata.task import run_task
from errata.task.definition import Task, read_task
from errata.task.running import _THE_SOURCE, PreparedTask, RefusalError, Rejected, TaskGold, _check_handles, _keep_source, read_golds

GOLD = "examples/learner.m2"
SYSTEMS = [f"examples/systems/{name}.txt" for name in ("cautious", "eager", "rewriter")]


def _prepare(*golds: TaskGold, **settings: Any) -> PreparedTask:
    task = Task("task.toml", ["gold.m2"], [], **settings)
    return PreparedTask.of(task, list(golds) or [_gold()], suit(task.tagger, read(GOLD)))


def _gold(corpus: Corpus | None = None, *, alternatives: bool = False) -> TaskGold:
    return TaskGold(corpus or read(GOLD), alternatives, ("gold.m2",))


@pytest.mark.parametrize(
    "settings",
    [
        "",
        'metrics = ["maxmatch", "gleu", "imeasure"]\nconfidence = 0.9\nreplicates = 100\ntest = "randomisation"',
        'tokenise = "source"\nsentences = "3-40,55"\nconfidence = 0.95\nreplicates = 100',
        'types = ["ArtOrDet", "Prep"]\nunicode = "NFC"\nhandles = {eager = ["Prep"]}\nstrict = true',
    ],
)
def test_single_scores_make_the_tables_of_the_task(tmp_path: Path, settings: str) -> None:
    (tmp_path / "gold.m2").write_bytes(Path(GOLD).read_bytes())
    for path in SYSTEMS:
        (tmp_path / Path(path).name).write_bytes(Path(path).read_bytes())
    (tmp_path / "task.toml").write_text(f'gold = "gold.m2"\nsystems = ["*.txt"]\n{settings}\n')
    task = read_task(str(tmp_path / "task.toml"))
    tagger = suit(task.tagger, read(GOLD))
    expected = run_task(task, tagger, ignore_problem, jobs=1)
    prepared = PreparedTask.of(task, list(read_golds(task, ignore_problem)), tagger)
    systems = [prepared.check(path, Path(path).stem)[0] for path in task.systems]
    scored = [prepared.score(system) for system in reversed(systems)][::-1]  # in any order
    by_metric = [[own[0][number] for own in scored] for number in range(len(prepared.metrics))]
    tables = prepared.make_tables([by_metric])
    assert str(sorted(tables.items())) == str(sorted(expected.tables.items()))
    assert [[score.value for score in own] for own in by_metric] == [[score.value for score in own] for own in expected.scores[0].scores]


def test_golds_must_fit_together() -> None:
    gold = read(GOLD)
    with pytest.raises(UsageError, match="a task must have gold, found none"):
        PreparedTask.of(Task("task.toml", ["gold.m2"], []), [])
    short = replace(gold, sentences=gold.sentences[:-1], path="short.m2")
    with pytest.raises(MismatchError, match=r"short\.m2 has 71 sentences, but examples/learner\.m2 has 72"):
        _prepare(_gold(gold), _gold(short, alternatives=True))
    with pytest.raises(UsageError, match="the tables of two golds would have the same names; their suffixes are '', ''"):
        _prepare(_gold(gold), _gold(gold))
    tables = _prepare(_gold(gold), _gold(gold, alternatives=True)).make_tables(_score_all(2))
    assert set(tables) == {"ranking", "types", "ranking-alternatives", "types-alternatives"}


def _score_all(golds: int) -> list[list[list[Any]]]:
    prepared = _prepare()
    scores = [prepared.score(prepared.check(path, path)[0])[0][0] for path in SYSTEMS]
    return [[scores]] * golds


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"metrics": ["maxmatch", "nonsense"]}, r"task\.toml: metrics: unknown metric 'nonsense'"),
        ({"metrics": ["gleu", "gleu"]}, r"task\.toml: metrics: gleu is given twice"),
        ({"tokenise": "sauce"}, r"task\.toml: tokenise: there is no tokeniser 'sauce'"),
        ({"profile": "conll99"}, r"task\.toml: profile: .*conll99"),
        ({"confidence": 7.0}, r"task\.toml: confidence: "),
        ({"test": "luck"}, r"task\.toml: test: "),
        ({"handles": {"Alpha": ["Nonsense"]}}, r"task\.toml: handles: Alpha: unknown type 'Nonsense'"),
        ({"sentences": "1-100"}, r"task\.toml: sentences: "),
    ],
)
def test_settings_are_checked_before_there_is_an_output(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        _prepare(**settings)


def test_handles_name_systems_where_these_are_known() -> None:
    task = Task("task.toml", ["gold.m2"], [], handles={"eagre": ["Prep"]})
    _check_handles(task, [_gold()])
    with pytest.raises(InputError, match=r"handles: there is no system 'eagre'; choose from eager, bold; did you mean eager\?"):
        _check_handles(task, [_gold()], ["eager", "bold"])


def test_scores_must_be_those_of_the_same_systems() -> None:
    prepared = _prepare()
    scores = _score_all(1)
    assert prepared.make_tables([[[]]]) == {}
    shapes: list[list[list[list[Any]]]] = [[], scores * 2, [[]], [scores[0] * 2]]
    for wrong in shapes:
        with pytest.raises(UsageError, match="scores must be those of the same systems for 1 gold and 1 metric of the task"):
            prepared.make_tables(wrong)


def test_what_was_set_aside_is_told() -> None:
    aside = Rejected("Alpha", "alpha.txt", (Problem("alpha.txt", 3, "error", "is wrong"),))
    tables = _prepare().make_tables(_score_all(1), [aside])
    assert tables["set-aside"].shown.rows == (("Alpha", "alpha.txt", 3, "is wrong"),)
    assert "Set aside, because they cannot be scored: Alpha (1 problem)." in tables["ranking"].shown.notes


def test_a_metric_that_refuses_an_output_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = _prepare(metrics=["gleu"])
    system, _ = prepared.check(SYSTEMS[0], "Alpha")

    def refuse(evaluator: Evaluator, system: System) -> None:
        raise RequestError(f"{evaluator.metric.label} has had enough of {system.name}")

    monkeypatch.setattr(Evaluator, "__call__", refuse)
    with pytest.raises(RefusalError, match=r"gleu cannot score it: .* has had enough of Alpha") as caught:
        prepared.score(system)
    assert caught.value.system is system
    assert str(caught.value) == caught.value.reason


def test_a_subset_is_scored_and_the_whole_checked(tmp_path: Path) -> None:
    prepared = _prepare(sentences="1-10")
    system, problems = prepared.check(SYSTEMS[1], "Alpha")
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert (len(prepared.whole), len(prepared.golds[0].corpus)) == (72, 10)
    whole, part = _prepare().score(system)[0][0], prepared.score(system)[0][0]
    assert part.parts["proposed"] < whole.parts["proposed"]
    short = tmp_path / "short.txt"
    short.write_text("".join(Path(SYSTEMS[1]).read_text().splitlines(keepends=True)[:10]))
    assert "10 sentences" in str(prepared.check(str(short), "Beta")[1][-1])
    assert [str(problem) for problem in prepared.source_only()(str(short), "Beta")[1]] == [f"{short}: 10 sentences, but the source has 72"]


def test_threads_may_share_it() -> None:
    prepared = _prepare(metrics=["maxmatch", "gleu"])
    expected = [prepared.score(prepared.check(path, "x")[0])[0] for path in SYSTEMS]
    got: dict[int, list[Any]] = {}

    def score(number: int) -> None:
        got[number] = prepared.score(prepared.check(SYSTEMS[number % 3], "x")[0])[0]

    threads = [threading.Thread(target=score, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [[score.value for score in got[number]] for number in range(12)] == [
        [score.value for score in expected[number % 3]] for number in range(12)
    ]


def test_nothing_but_the_tokens_is_left_of_a_source() -> None:
    secret = Edit(0, 1, ("Zebra",), "Secret", comment="whispered")
    sentences = (Sentence(("A", "cat", "."), (Annotation("Snape", (secret,)),)), Sentence(("B", ".")))
    corpus = Corpus(sentences, name="hidden", path="/hidden/gold.m2", unicode="NFC")
    corpus = replace(corpus, whole=corpus)
    kept = _keep_source(corpus)
    assert (kept.name, kept.path, kept.unicode) == (_THE_SOURCE, _THE_SOURCE, "NFC")
    assert [sentence.tokens for sentence in kept] == [("A", "cat", "."), ("B", ".")]
    for made in (kept, kept.whole):
        assert made is not None
        shown = f"{made!r} {made.annotators} {made.path} {made.name}"
        assert not any(word in shown for word in ("Zebra", "Secret", "Snape", "whispered", "hidden"))
