"""Rewards: one number for each of many outputs of many sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import check_sentences, same_length
from errata.errors import UsageError, suggest
from errata.formats.problems import warn_in_python
from errata.formats.reading import warn_of_unsplit
from errata.metrics.registry import check_contract
from errata.metrics.registry import metric as find_metric
from errata.rewards.arguments import list_gold_texts, list_messages, list_texts
from errata.rewards.corpus_change import compute_changes, compute_means
from errata.rewards.counting import check_jobs, count_samples
from errata.rewards.prepared_gold import GoldCache
from errata.rewards.sample_tokens import SampleTokens
from errata.rewards.values import SentenceValue, find_best_rows
from errata.scoring.scores import name_package
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.corpus.texts import Text
    from errata.metrics.base import Metric
    from errata.rewards.prepared_gold import PreparedGold

RewardKind = Literal["sentence", "corpus"]
_KINDS: tuple[RewardKind, ...] = get_args(RewardKind)
_PROMPTS = "prompts"
"""The argument with which trainers give prompts, which may be conversations."""
_NOT_COLUMNS = ("completion_ids", "trainer_state", "log_extra", "log_metric", "environments")
"""What else trainers give."""


class Rewards:
    """A reward for each output; call it with lists, or give it to TRL as a reward function.

    ``kind="sentence"``: the metric's value of the output alone, F with smoothing if it has one (:mod:`errata.rewards.values`).
    ``kind="corpus"``: the change in the corpus value that the output makes (:mod:`errata.rewards.corpus_change`), beside the mean of all
    outputs of its source, or beside its ``baseline`` output.  With several references, the best of each output counts.

    ``tokenise`` is for raw text (:class:`~errata.rewards.sample_tokens.SampleTokens`).
    ``source``, ``references`` and ``baseline`` name columns of a dataset.  ``jobs`` is how many threads or processes count
    (None: one for each core).  Threads may share it, and it can be pickled.

    >>> import errata
    >>> reward = errata.Rewards("maxmatch")
    >>> outputs = ["I like cake .", "I likes cake .", "I likes a cake ."]
    >>> [round(value, 3) for value in reward(outputs, ["I likes cake ."] * 3, ["I like cake ."] * 3)]
    [1.0, 0.714, 0.333]
    """

    def __init__(  # noqa: PLR0913 - settings, all but the metric by name
        self,
        metric: str | Metric = "maxmatch",
        *,
        kind: RewardKind = "sentence",
        smoothing: float | None = None,
        tokenise: str = WHITESPACE_TOKENS,
        jobs: int | None = 1,
        source: str = "source",
        references: str = "references",
        baseline: str = "baseline",
    ) -> None:
        self.metric = find_metric(metric)
        check_contract(self.metric)
        if kind not in _KINDS:
            raise UsageError(f"unknown kind of reward {kind!r:.60}; choose from {', '.join(_KINDS)}{suggest(str(kind), _KINDS)}")
        self.kind = kind
        self.value = SentenceValue.of(self.metric, smoothing)
        self.jobs = check_jobs(jobs)
        self.source, self.references, self.baseline = source, references, baseline
        self.__name__ = f"{self.metric}_{kind}"  # as trainers log it
        self._tokens = SampleTokens(tokenise)
        self._golds = GoldCache(self._tokens.prepare)
        self._checked = False

    @property
    def signature(self) -> str:
        """Everything that can change a reward, for logs of training."""
        smoothing = "" if self.value.smoothing is None else f" | smoothing {self.value.smoothing:g}"
        tokens = "" if self._tokens.name == WHITESPACE_TOKENS else f" | tokenised by {self._tokens.tokeniser.name}"
        return f"{self.metric.signature}{name_package(self.metric)} | reward of the {self.kind}{smoothing}{tokens} | errata {__version__}"

    def __repr__(self) -> str:
        return f"Rewards({str(self.metric)!r}, kind={self.kind!r}, smoothing={self.value.smoothing!r})"

    def __call__(
        self,
        outputs: object = None,
        sources: object = None,
        references: object = None,
        *,
        baseline: object = None,
        completions: object = None,
        **columns: object,
    ) -> list[float]:
        """Compute the reward of each output.

        ``sources`` and ``references`` have an item for each output: a text, and a text or a list of texts.  Trainers give
        ``completions``, texts or conversations, instead of outputs, and the columns of their dataset by name.
        """
        what = "outputs" if completions is None else "completions"
        if outputs is not None and completions is not None and _PROMPTS not in columns:  # else it is a column of a dataset
            raise UsageError("outputs cannot be combined with completions")
        texts = list_texts(outputs, what) if completions is None else list_messages(completions, what)
        given = self._find("sources", self.source, sources, columns)
        golds = self._find_golds(
            what,
            texts,
            list_messages(given, _PROMPTS) if self.source == _PROMPTS else check_sentences(given, "sources"),
            None if self.metric.referenceless else self._find("references", self.references, references, columns),
        )
        if not self._checked and self._tokens.name == WHITESPACE_TOKENS:
            self._checked = True
            warn_of_unsplit(what, texts, (gold.source for gold in golds), warn_in_python)
        texts = self._tokens.tokenise(golds, texts)
        before = columns.get(self.baseline, baseline)
        if self.kind == "corpus":
            return self._compare(what, texts, golds, before)
        if before is not None and completions is None:
            raise UsageError("baseline needs kind='corpus'")
        rows = count_samples(self.metric, golds, texts, self.jobs)
        values = self.value.compute(rows.counts)
        found: list[float] = values[find_best_rows(rows, values)].tolist()
        return found

    def _find(self, name: str, column: str, given: object, columns: Mapping[str, object]) -> object:
        """Find an argument: the column of a dataset, or what was given by its own name."""
        if column in columns:
            return columns[column]
        if given is None:
            found = ", ".join(name for name in columns if name not in _NOT_COLUMNS) or "none"
            raise UsageError(
                f"expected {name}, or the column {column!r} of a dataset; found the columns: {found}{suggest(column, columns)}"
            )
        return given

    def _find_golds(self, what: str, texts: Sequence[str], sources: Sequence[Text], references: object) -> list[PreparedGold]:
        same_length(**{what: texts, "sources": sources})
        return self._golds.find_all(list_gold_texts(list(sources), references))

    def _compare(self, what: str, texts: list[str], golds: list[PreparedGold], baseline: object) -> list[float]:
        """Compute the change in the corpus value that each output makes."""
        import numpy as np

        if not golds:
            return []
        places: dict[int, int] = {}
        groups = np.array([places.setdefault(id(gold), len(places)) for gold in golds])
        counts = self._count_best(golds, texts)
        if baseline is None:
            if len(places) == len(texts):
                found = f"one of each of {len(texts):,}" if len(texts) > 1 else "one of one"
                raise UsageError(f"kind='corpus' needs several {what} of a source, or a baseline; found {found}")
            before = compute_means(counts, groups)
        else:
            listed = list_texts(baseline, "baseline")
            same_length(**{what: texts, "baseline": listed})
            before = self._count_best(*_list_distinct(golds, self._tokens.tokenise(golds, listed)))
        changes: list[float] = compute_changes(self.metric, counts, groups, before).tolist()
        return changes

    def _count_best(self, golds: list[PreparedGold], texts: list[str]) -> Any:
        """Count each text against its best reference."""
        rows = count_samples(self.metric, golds, texts, self.jobs)
        return rows.counts[find_best_rows(rows, self.value.compute(rows.counts))]


def _list_distinct(golds: list[PreparedGold], baseline: list[str]) -> tuple[list[PreparedGold], list[str]]:
    """List each gold once, in order, with its baseline; raise if it has two."""
    found: dict[int, tuple[PreparedGold, str]] = {}
    for number, (gold, text) in enumerate(zip(golds, baseline, strict=True), start=1):
        _, earlier = found.setdefault(id(gold), (gold, text))
        if earlier != text:
            both = f"{earlier!r:.60} and, as item {number:,}, {text!r:.60}"
            raise UsageError(f"baseline must be the same for all outputs of a source, found {both}")
    return [gold for gold, _ in found.values()], [text for _, text in found.values()]
