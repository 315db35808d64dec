"""Metrics of harnesses give the numbers of ``errata.score``; what needs a harness is skipped where it is not installed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import errata
from errata import Corpus, ErrataError, System, score
from errata.metrics import registry
from errata.studies import CollectedSentence, collect, make_aggregation, make_metric, score_items
from errata.studies.harnesses import _CorpusScore, _SentenceCollector


@pytest.fixture(scope="module")
def rows(gold: Corpus) -> list[dict[str, Any]]:
    """Documents of a task, as those of JFLEG."""
    return [
        {"sentence": sentence.text, "corrections": [" ".join(sentence.corrected(own)) for own in sentence.annotations] or [sentence.text]}
        for sentence in gold
    ]


@pytest.fixture(scope="module")
def predictions(systems: dict[str, System]) -> list[str]:
    return [" ".join(tokens) for tokens in systems["eager"].sentences]


@pytest.fixture(scope="module")
def texts(rows: list[dict[str, Any]]) -> Corpus:
    return Corpus.from_texts([row["sentence"] for row in rows], [row["corrections"] for row in rows])


@pytest.mark.parametrize("metric", ["maxmatch(beta=1)", "gleu", "accuracy"])
def test_the_numbers_are_those_of_score(metric: str, rows: list[dict[str, Any]], predictions: list[str], texts: Corpus) -> None:
    expected = score(texts, predictions, metric)
    process = collect("mine", "other")
    items = [process(row, [text])["mine"] for row, text in zip(rows, predictions, strict=True)]
    assert score_items(items, metric).counts == expected.counts
    stored = json.loads(json.dumps(items))  # as a harness writes and sends them
    assert score_items(stored, metric).counts == expected.counts
    name, number = list(expected.to_dict().items())[1]
    assert make_aggregation(metric)(stored) == expected.value
    assert make_aggregation(metric, name.partition("/")[2])(items) == number


def test_lighteval_without_lighteval(rows: list[dict[str, Any]], predictions: list[str], texts: Corpus) -> None:
    expected = score(texts, predictions)
    items = [_SentenceCollector().compute(*make_lighteval(row, text)) for row, text in zip(rows, predictions, strict=True)]
    numbers = _CorpusScore(registry.metric("maxmatch")).compute_corpus(items)
    assert numbers == {"maxmatch": expected.value, **expected.to_dict()}


def make_lighteval(row: dict[str, Any], text: str) -> tuple[Any, Any]:
    doc = SimpleNamespace(specific={"source": row["sentence"]}, get_golds=lambda: row["corrections"])
    return doc, SimpleNamespace(final_text=[text])


def test_raw_text_follows_the_source() -> None:
    items = [("He do n't go .", ["He does n't go ."], "He doesn't go.")]
    assert score_items(items, tokenise="source").value == 1.0
    assert make_aggregation("maxmatch", tokenise="source")(items) == 1.0


def test_edits_are_applied() -> None:
    doc = {"text": "He go .", "edits": {"start": [3], "end": [5], "text": ["goes"]}}
    assert collect("m")(doc, ["x"]) == {"m": ("He go .", ["He goes ."], "x")}
    tokens = {"tokens": ["He", "go"], "edits": [{"start": 1, "end": 2, "text": "goes"}]}
    assert score_items([collect("m")(tokens, ["He goes"])["m"]]).parts["correct"] == 1


def test_the_edits_of_each_annotator_are_a_reference() -> None:
    edits = [
        {"start": 3, "end": 5, "text": "goes", "annotator": "0"},
        {"start": 3, "end": 5, "text": "went", "annotator": "1"},
        {"start": 11, "end": 16, "text": "quickly", "annotator": "1"},
    ]
    doc = {"text": "He go home quick .", "edits": edits}
    collected = collect("m")(doc, ["He goes home quick ."])["m"]
    assert collected[1] == ["He goes home quick .", "He went home quickly ."]
    assert make_aggregation()([collected]) == errata.score(errata.from_rows([doc]), ["He goes home quick ."]).value == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (collect, "collect needs the name of one metric of the task or more, found none"),
        (lambda: collect("m")({"a": 1}, ["x"]), "the columns of source and references are not known, found a"),
        (lambda: collect("m")({"src": "a", "tgt": "b"}, ["x", "y"]), "a document must have one prediction, found 2"),
        (lambda: collect("m")({"src": "a", "tgt": "b"}, [["x"]]), "a document: the prediction must be a text, found list: ['x']"),
        (lambda: make_aggregation("maxmach"), "maxmach"),
        (lambda: make_aggregation("maxmatch", "precison")([("a", ["b"], "c")]), "maxmatch has no number 'precison'; choose from value, "),
        (lambda: score_items([]), "a score needs one sentence or more, found none"),
        (lambda: score_items(["abc"]), "item 1 must be a source, its references and a prediction, found 'abc'"),
        (lambda: score_items([("a", "b", "c")]), "item 1: references must be a list, found 'b'"),
        (lambda: score_items([("a", ["b"], None)]), "item 1: the prediction must be a text, found NoneType"),
        (
            lambda: _SentenceCollector().compute(SimpleNamespace(specific=None), None),
            'a document must have its source in specific["source"], found nothing',
        ),
    ],
)
def test_bad_items(call: Any, message: str) -> None:
    with pytest.raises(ErrataError, match=re.escape(message)):
        call()


def test_lighteval_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lighteval", None)
    monkeypatch.delitem(sys.modules, "lighteval.metrics.metrics_corpus", raising=False)
    with pytest.raises(ErrataError, match="needs the package lighteval: pip install lighteval"):
        make_metric()


def block(language: str, name: str) -> str:
    """A file that the documentation shows."""
    found = re.search(rf"^```{language}\n(# {name}.*?)^```", Path("docs/harnesses.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_task_of_the_lm_evaluation_harness(
    tmp_path: Path, rows: list[dict[str, Any]], predictions: list[str], texts: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lm_eval", reason="the package lm_eval is not installed")
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Corrector(LM):  # type: ignore[misc]
        """Answers with the sentences of a system."""

        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            return [predictions[request.doc_id] for request in requests]

        def loglikelihood(self, requests: Any, **_: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any, **_: Any) -> Any:
            raise NotImplementedError

    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    (tmp_path / "rows.json").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "utils.py").write_text(block("python", "utils.py"))
    local = f"dataset_path: json\ndataset_kwargs:\n  data_files: {{test: {tmp_path / 'rows.json'}}}"
    (tmp_path / "jfleg.yaml").write_text(block("yaml", "jfleg.yaml").replace("dataset_path: jhu-clsp/jfleg", local))
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    found = simple_evaluate(model=Corrector(), tasks=["jfleg"], task_manager=manager)["results"]["jfleg"]
    expected = score(texts, predictions, tokenise="source")
    assert found["maxmatch,none"] == expected.value
    assert found["precision,none"] == expected.parts["precision"]
    assert found["gleu,none"] == score(texts, predictions, "gleu", tokenise="source").value


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_metric_of_lighteval(rows: list[dict[str, Any]], predictions: list[str], texts: Corpus) -> None:
    pytest.importorskip("lighteval", reason="the package lighteval is not installed")
    from lighteval.logging.info_loggers import MetricsLogger
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse

    names: dict[str, Any] = {}
    exec(block("python", "jfleg_task.py"), names)
    (task,) = names["TASKS_TABLE"]
    metric = task.metrics[1]
    docs = [task.prompt_function(row, "jfleg") for row in rows]
    outputs = apply_metric([ModelResponse(text=[text]) for text in predictions], docs, [metric])
    assert isinstance(outputs[0]["maxmatch"], CollectedSentence)
    logger = MetricsLogger()
    for output in outputs:
        logger.log("learner|0", output)
    logger.aggregate({"learner|0": SimpleNamespace(aggregation=metric.get_corpus_aggregations)})
    expected = score(texts, predictions, tokenise="source")
    numbers = logger.metric_aggregated["learner|0"]
    assert numbers["maxmatch"] == expected.value
    assert {key: numbers[key] for key in expected.to_dict()} == expected.to_dict()
