"""Rewards, utilities and picks: what many outputs of many sources are worth, for training and for re-ranking.

:class:`Rewards` gives one number for each output.  :func:`utilities` compares each sample of a source as output with each other one as
reference, for minimum-Bayes-risk decoding.  :func:`rerank` and :func:`pick_best` pick from lists of candidates, without and with gold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata import __version__
from errata.corpus.checks import TOKENISE_SAMPLES, describe_unsplit
from errata.corpus.corpus import WHITESPACE_TOKENS, Annotation, Corpus, Part, Sentence, extract_edits
from errata.corpus.texts import DEFAULT_MAX_TOKENS, Text, check_sentences, list_items, list_references, same_length
from errata.corpus.tokenisation import SOURCE, check_tokeniser, find_tokeniser
from errata.errors import ErrataError, InputError, MismatchError, RequestError, UsageError, suggest
from errata.formats.problems import Problem, warn_in_python
from errata.metrics.base import Metric, RatioMetric
from errata.metrics.evidence import RowArrays
from errata.metrics.registry import check_contract
from errata.metrics.registry import metric as find_metric
from errata.scoring.engines import make_engine
from errata.scoring.evaluator import Evaluator
from errata.scoring.scores import name_package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import Tokeniser
    from errata.metrics.base import TextScorer
    from errata.metrics.ratios import Row
    from errata.scoring.engines import Engine


_ROLES = {"completions": "assistant", "prompts": "user"}
"""Whose message is meant, for arguments that may be conversations."""


def _list_texts(values: object, what: str) -> list[str]:
    """List sentences as texts; ``what`` names them in errors.

    >>> _list_texts(["A cat .", ["A", "dog", "."]], "outputs")
    ['A cat .', 'A dog .']
    """
    return list(map(_join, check_sentences(values, what)))


def _list_gold_texts(sources: list[Text], references: object) -> list[_GoldTexts]:
    """Pair each source with its references (:func:`~errata.corpus.texts.list_references`); without references, if there are none.

    >>> _list_gold_texts(["He go .", "A cat ."], [["He goes .", "He went ."], "The cat ."])
    [('He go .', ('He goes .', 'He went .')), ('A cat .', ('The cat .',))]
    """
    if references is None:
        return [(_join(source), ()) for source in sources]
    items = list_items(references, "references must be a list with the references of each output")
    if set(map(type, (*items, *sources))) <= {str} and len(items) == len(sources):  # as most lists
        return [(source, (text,)) for source, text in zip(sources, items, strict=True)]  # type: ignore[misc]
    listed = list_references(sources, items)
    return [(_join(source), tuple(_join(text) for text in own if text is not None)) for source, own in zip(sources, listed, strict=True)]


def _join(text: Text) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _list_messages(values: object, what: str) -> list[str]:
    """List texts of a trainer, which are strings or conversations; of these, the last message of the model, or of the user in prompts.

    >>> _list_messages([[{"role": "assistant", "content": "A cat ."}], "A dog ."], "completions")
    ['A cat .', 'A dog .']
    """
    items = list_items(values, f"{what} must be a list of texts or conversations")
    if set(map(type, items)) <= {str}:
        return items
    role = _ROLES.get(what, "assistant")
    return [_get_message(item, role, f"{what}, item {number:,}") for number, item in enumerate(items, start=1)]


def _get_message(item: Any, role: str, what: str) -> str:
    if isinstance(item, str):
        return item
    rule = f"{what}: expected a text or a list of messages"
    messages = [item] if isinstance(item, Mapping) else list_items(item, rule)
    for message in messages:
        if not isinstance(message, Mapping):
            raise UsageError(f"{rule}, found an item of type {type(message).__name__}")
    own = [message for message in messages if message.get("role", role) == role]
    if not own:
        raise UsageError(f"{what}: expected a message of the role {role}, found {_list_roles(messages)}")
    return _get_content(own[-1].get("content"), what)


def _get_content(content: object, what: str) -> str:
    """Get the text of a message: a string, or parts with texts; without content it says nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = list_items(content, f"{what}: the content of a message must be a text or a list of parts")
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in parts]
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{what}: the content of a message must be a text or parts with a text, found {content!r:.60}")
    return "".join(map(str, texts))


def _list_roles(messages: list[Mapping[str, Any]]) -> str:
    return ", ".join(dict.fromkeys(str(message.get("role")) for message in messages)) or "no message"


class SampleTokens:
    """A tokeniser of samples, by its name.  References and outputs are tokenised with their source.

    ``source`` takes the source as it is, with white space between tokens; other tokenisers tokenise it too.

    >>> gold = SampleTokens("ptb").prepare(("I likes cake.", ("I like cake.",)))
    >>> gold.source, gold.references
    ('I likes cake .', ('I like cake .',))
    """

    def __init__(self, name: str) -> None:
        self.name = check_tokeniser(name)

    @cached_property
    def tokeniser(self) -> Tokeniser:
        """The tokeniser, which is loaded when it is needed."""
        return find_tokeniser(self.name)

    def prepare(self, gold: _GoldTexts) -> PreparedGold:
        """Tokenise a source and its references."""
        source, references = gold
        if self.name == WHITESPACE_TOKENS:
            return PreparedGold(source, references)
        if not self.name.startswith(SOURCE):
            source = " ".join(self.tokeniser(source, ()))
        prepared = PreparedGold(source, ())
        return PreparedGold(source, tuple(self.tokenise([prepared] * len(references), references)))

    def tokenise(self, golds: Sequence[PreparedGold], texts: Sequence[str]) -> list[str]:
        """Tokenise outputs, each with its source."""
        if self.name == WHITESPACE_TOKENS:
            return list(texts)
        tokenise = self.tokeniser
        return [" ".join(tokenise(text, gold.tokens)) for gold, text in zip(golds, texts, strict=True)]

    def __reduce__(self) -> tuple[type[SampleTokens], tuple[str]]:
        return type(self), (self.name,)


_GoldTexts = tuple[str, tuple[str, ...]]
"""A source and its references, as they were given."""
_MOST_KEPT = 20_000
"""Sources with their references that are kept; about 100 MB with all that is prepared."""


class PreparedGold:
    """A source and its references: texts whose tokens are separated by white space."""

    def __init__(self, source: str, references: tuple[str, ...]) -> None:
        self.source, self.references = source, references

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of the source."""
        return tuple(self.source.split())

    @cached_property
    def sentence(self) -> Sentence:
        """The source with the edits of each reference."""
        edits = (extract_edits(self.tokens, text) for text in self.references)
        return Sentence(self.tokens, tuple(Annotation(str(number), own) for number, own in enumerate(edits)))


class _GoldCache:
    """Prepared gold by its texts, as training loops repeat their prompts; what was not used for longest is dropped.

    Threads may share it; a pickle of it is empty.
    """

    def __init__(self, prepare: Callable[[_GoldTexts], PreparedGold], size: int = _MOST_KEPT) -> None:
        self._prepare, self._size = prepare, size
        self._kept: dict[_GoldTexts, PreparedGold] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find_all(self, keys: list[_GoldTexts]) -> list[PreparedGold]:
        """Find what belongs to each key; equal keys get the same object."""
        found: dict[_GoldTexts, PreparedGold] = {}
        with self._lock:
            for key in keys:
                if key not in found:
                    found[key] = self._kept.pop(key) if key in self._kept else self._prepare(key)
            self._kept |= found
            for key in list(self._kept)[: max(0, len(self._kept) - self._size)]:
                del self._kept[key]
        return [found[key] for key in keys]

    def __reduce__(self) -> tuple[type[_GoldCache], tuple[Callable[[_GoldTexts], PreparedGold], int]]:
        return type(self), (self._prepare, self._size)


_LEAST_TEXTS, _LEAST_SENTENCES = 500, 50
"""Samples of a task: counted from texts by a thread, or from objects by a process."""
_TASKS_PER_JOB = 4
"""Tasks that each job gets, so that all end at about the same time."""
_SENTENCE = re.compile(r"^sentence (\d+)")


def _count_samples(metric: Metric, golds: Sequence[PreparedGold], outputs: Sequence[str], jobs: int | None = 1) -> RowArrays:
    """Count outputs, each against its own gold: one row for each reference, or as many as the metric gives.

    They are counted from texts in the core if the metric can, else by an ``Evaluator``.
    """
    return _count_texts(metric, golds, outputs, jobs) if metric.counts_texts else _count_sentences(metric, golds, outputs, jobs)


def _check_jobs(jobs: int | None) -> int | None:
    """Raise unless jobs is a whole number from 1, or None."""
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise UsageError(f"jobs must be a whole number from 1, or None for all cores, found {jobs!r:.60}")
    return jobs


def _choose_engine(metric: Metric, jobs: int | None) -> Engine:
    """Choose threads if the core counts texts without the interpreter's lock, else processes."""
    from errata import core

    return make_engine(None, jobs, "threads" if metric.counts_texts and core.NAME == "native" else "processes")


class _TextTask(NamedTuple):
    """Samples with the same number of references."""

    samples: list[int]
    sources: list[str]
    references: list[list[str]]
    outputs: list[str]


def _count_texts(metric: Metric, golds: Sequence[PreparedGold], outputs: Sequence[str], jobs: int | None) -> RowArrays:
    import numpy as np

    sizes = np.array([len(gold.references) for gold in golds], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    counts = np.zeros((int(starts[-1]), len(metric.columns)), dtype=np.int64)
    engine = _choose_engine(metric, jobs)
    tasks = (
        _make_text_task(golds, outputs, samples)
        for size in np.unique(sizes)
        for samples in _split_work(np.flatnonzero(sizes == size).tolist(), engine, _LEAST_TEXTS)
    )
    with closing(engine.run(_do_text_task, metric, tasks)) as results:
        for samples, own in results:
            size = len(own) // len(samples)
            counts[(starts[samples][:, None] + np.arange(size)).ravel()] = own
    return RowArrays(counts, starts)


def _split_work(items: list[int], engine: Engine, least: int) -> Iterator[list[int]]:
    """Split work into parts of at least some items; into one if there is one job."""
    parts = 1 if engine.jobs == 1 else min(engine.jobs * _TASKS_PER_JOB, max(1, len(items) // least))
    size = max(1, -(-len(items) // parts))
    yield from (items[first : first + size] for first in range(0, len(items), size))


def _make_text_task(golds: Sequence[PreparedGold], outputs: Sequence[str], samples: list[int]) -> _TextTask:
    own = [golds[sample] for sample in samples]
    references = list(map(list, zip(*(gold.references for gold in own), strict=True)))
    return _TextTask(samples, [gold.source for gold in own], references, [outputs[sample] for sample in samples])


def _do_text_task(metric: Metric, task: _TextTask) -> tuple[list[int], Any]:
    try:
        return task.samples, _make_text_scorer(metric, task.sources, task.references).counts(task.outputs)
    except (OverflowError, ValueError) as error:
        message = _SENTENCE.sub(lambda found: f"output {task.samples[int(found[1]) - 1] + 1:,}", str(error))
        kind = RequestError if isinstance(error, OverflowError) else InputError
        raise kind(message.replace("its hypothesis", "its text")) from None


def _make_text_scorer(metric: Metric, sources: list[str], references: list[list[str]]) -> TextScorer:
    """Prepare a metric that counts texts."""
    scorer = metric.text_scorer(sources, references, 1, DEFAULT_MAX_TOKENS)
    if scorer is None:
        raise RequestError(f"{metric} has no text_scorer, though it counts texts")
    return scorer


class _SentenceTask(NamedTuple):
    """Distinct outputs of some sources."""

    numbers: tuple[int, ...]
    """The first sample of each source, counted from 1."""
    whole: int
    sentences: tuple[Sentence, ...]
    outputs: list[list[Tokens]]
    """Of each source."""


def _count_sentences(metric: Metric, golds: Sequence[PreparedGold], outputs: Sequence[str], jobs: int | None) -> RowArrays:
    """Count each distinct output of a source once."""
    import numpy as np

    places: dict[int, int] = {}
    distinct: list[tuple[int, PreparedGold, dict[Tokens, int]]] = []
    keys: list[tuple[int, Tokens]] = []
    for number, (gold, text) in enumerate(zip(golds, outputs, strict=True), start=1):
        place = places.setdefault(id(gold), len(distinct))
        if place == len(distinct):
            distinct.append((number, gold, {}))
        tokens = tuple(text.split())
        distinct[place][2].setdefault(tokens, len(distinct[place][2]))
        keys.append((place, tokens))
    engine = _choose_engine(metric, jobs)
    least = max(1, _LEAST_SENTENCES * len(distinct) // max(1, len(keys)))
    tasks = (_make_sentence_task(distinct, chosen, len(keys)) for chosen in _split_work(list(range(len(distinct))), engine, least))
    found: dict[tuple[int, int], tuple[Row, ...]] = {}
    with closing(engine.run(_do_sentence_task, metric, tasks)) as results:
        for own in results:
            found |= own
    rows = [found[distinct[place][0], distinct[place][2][tokens]] for place, tokens in keys]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in rows], dtype=np.int64)])
    try:
        counts = np.array([row for own in rows for row in own], dtype=np.int64).reshape(-1, len(metric.columns))
    except OverflowError:
        raise RequestError(f"the counts of {metric} must be whole numbers below 2^63") from None
    return RowArrays(counts, starts)


def _make_sentence_task(distinct: list[tuple[int, PreparedGold, dict[Tokens, int]]], chosen: list[int], whole: int) -> _SentenceTask:
    own = [distinct[place] for place in chosen]
    return _SentenceTask(
        tuple(number for number, _, _ in own), whole, tuple(gold.sentence for _, gold, _ in own), [list(texts) for _, _, texts in own]
    )


def _do_sentence_task(metric: Metric, task: _SentenceTask) -> dict[tuple[int, int], tuple[Row, ...]]:
    """Count in rounds: the first output of each source, then the second of each that has one, and so on, many sentences at a time."""
    evaluate = Evaluator(Corpus(task.sentences, "sources", part=Part(task.numbers, task.whole)), metric)
    found: dict[tuple[int, int], tuple[Row, ...]] = {}
    for turn in range(max(map(len, task.outputs), default=0)):
        having = [index for index, own in enumerate(task.outputs) if len(own) > turn]
        for first, count in _list_runs(having):
            hypotheses = [task.outputs[index][turn] for index in range(first, first + count)]
            rows, _ = evaluate.count(evaluate.prepare_from(hypotheses, first), first, first + count)
            found |= {(task.numbers[index], turn): own for index, own in enumerate(rows, first)}
    return found


def _list_runs(indices: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive numbers: the first of each, and how many.

    >>> list(_list_runs([1, 2, 5, 6, 7]))
    [(1, 2), (5, 3)]
    """
    for _, run in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        own = [index for _, index in run]
        yield own[0], len(own)


_NOTHING = 1e-9
"""What is smaller is 0, and remains only because means are rounded."""


def _compute_means(counts: Any, groups: Any) -> Any:
    """Compute the mean row of each group; ``groups`` has the group of each row, from 0."""
    import numpy as np

    sums = np.zeros((int(groups.max(initial=-1)) + 1, counts.shape[1]))
    np.add.at(sums, groups, counts)
    return sums / np.bincount(groups)[:, None]


def _compute_changes(metric: Metric, counts: Any, groups: Any, before: Any) -> Any:
    """Compute the change in the value of a corpus that each row makes, in the place of the row of its group in ``before``.

    The corpus has every source of a call once.  With T the sum of the counts of all sources, m those of one source and x those of one of
    its outputs, the change is value(T - m + x) - value(T).  Counts m are the mean of the outputs of the source, so that changes tell how
    much better or worse an output is than the others of its source, in points of the corpus; or they are those of a given output.

    >>> import numpy as np
    >>> from errata import MaxMatch
    >>> counts, groups = np.array([(1, 1, 1), (0, 1, 1), (1, 2, 3)]), np.array([0, 0, 1])
    >>> _compute_changes(MaxMatch(), counts, groups, _compute_means(counts, groups)).round(3).tolist()
    [0.156, -0.156, 0.0]
    """
    import numpy as np

    total = before.sum(axis=0)
    sums = np.vstack([total, total - before[groups] + counts])
    sums[np.abs(sums) < _NOTHING] = 0
    values = metric.values(sums)
    return values[1:] - values[0]


_DEFAULT_SMOOTHING = 0.5
"""An edit is worth its risk, with beta 0.5 and one error, if it is right with 57% or more, as for a corpus with F0.5 of 0.71."""


@dataclass(frozen=True)
class SentenceValue:
    """The value of one sentence for learning: F with smoothing, or the metric's own value of a sentence.

    With c correct, p proposed and g gold edits, smoothing k adds k edits that are proposed, in gold and correct::

        F = (1+b²)(c+k) / ((p+k) + b²(g+k))

    It is above 0 if k is, at most 1, and 1 exactly if all proposed and no other edits are correct.  More correct edits never lower it, and
    each wrong edit and each missed one does.  Without smoothing, an output with only wrong edits is worth as little as one without edits;
    with it, more wrong edits are worse.
    """

    metric: Metric
    smoothing: float | None
    """Edits that are added to F; None if the metric has no F."""

    @classmethod
    def of(cls, metric: Metric, smoothing: float | None) -> SentenceValue:
        """Check the smoothing; None is the default of the metric."""
        if not isinstance(metric, RatioMetric) or metric.beta is None:
            if smoothing is not None:
                raise UsageError(f"smoothing needs a metric whose value is F, such as maxmatch; found {metric}, whose own value is used")
            return cls(metric, None)
        if smoothing is None:
            return cls(metric, _DEFAULT_SMOOTHING)
        if isinstance(smoothing, bool) or not isinstance(smoothing, (int, float)) or not 0 <= smoothing < math.inf:
            raise UsageError(f"smoothing must be a number from 0, found {smoothing!r:.60}")
        return cls(metric, float(smoothing))

    def compute(self, counts: Any) -> Any:
        """Compute the value of each row of an array.

        >>> import numpy as np
        >>> from errata import MaxMatch
        >>> rows = np.array([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
        >>> SentenceValue(MaxMatch(), 1.0).compute(rows).round(3).tolist()
        [1.0, 0.833, 0.5, 1.0]
        """
        import numpy as np

        metric = self.metric
        if self.smoothing is not None and isinstance(metric, RatioMetric):
            numerator, denominator = np.array(metric.ratio.numerator, np.float64), np.array(metric.ratio.denominator, np.float64)
            added = self.smoothing * float(numerator.max())  # what a correct edit adds to both
            above, below = counts @ numerator + added, counts @ denominator + added
            return np.divide(above, below, out=np.ones(len(counts)), where=below != 0)
        if type(metric).sentence_value is Metric.sentence_value:
            return metric.values(counts)
        return np.array([metric.sentence_value(tuple(row)) for row in counts.tolist()], dtype=np.float64)


def _find_best_rows(rows: RowArrays, values: Any) -> Any:
    """Find the row with the highest value of each sample, the first of several.

    >>> import numpy as np
    >>> from errata.metrics.evidence import RowArrays
    >>> _find_best_rows(RowArrays(None, np.array([0, 2, 3])), np.array([0.5, 0.5, 1.0])).tolist()
    [0, 2]
    """
    import numpy as np

    starts, sizes = rows.starts[:-1], np.diff(rows.starts)
    if len(values) == len(starts):
        return starts
    values = np.where(np.isnan(values), -np.inf, values)  # a value that is not defined is the last to be chosen
    best = np.flatnonzero(values == np.repeat(np.maximum.reduceat(values, starts), sizes))
    owners = np.searchsorted(rows.starts, best, side="right") - 1
    return best[np.unique(owners, return_index=True)[1]]


_RewardKind = Literal["sentence", "corpus"]
_KINDS: tuple[_RewardKind, ...] = get_args(_RewardKind)
_PROMPTS = "prompts"
"""The argument with which trainers give prompts, which may be conversations."""
_NOT_COLUMNS = ("completion_ids", "trainer_state", "log_extra", "log_metric", "environments")
"""What else trainers give."""


class Rewards:
    """A reward for each output; call it with lists, or give it to TRL as a reward function.

    ``kind="sentence"``: the metric's value of the output alone, F with smoothing if it has one (:class:`SentenceValue`).
    ``kind="corpus"``: the change in the corpus value that the output makes, beside the mean of all
    outputs of its source, or beside its ``baseline`` output.  With several references, the best of each output counts.

    ``tokenise`` is for raw text (:class:`~errata.studies.rewards.SampleTokens`).
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
        kind: _RewardKind = "sentence",
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
        self.jobs = _check_jobs(jobs)
        self.source, self.references, self.baseline = source, references, baseline
        self.__name__ = f"{self.metric}_{kind}"  # as trainers log it
        self._tokens = SampleTokens(tokenise)
        self._golds = _GoldCache(self._tokens.prepare)
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
        texts = _list_texts(outputs, what) if completions is None else _list_messages(completions, what)
        given = self._find("sources", self.source, sources, columns)
        golds = self._find_golds(
            what,
            texts,
            _list_messages(given, _PROMPTS) if self.source == _PROMPTS else check_sentences(given, "sources"),
            None if self.metric.referenceless else self._find("references", self.references, references, columns),
        )
        if not self._checked and self._tokens.name == WHITESPACE_TOKENS:
            self._checked = True
            _warn_of_unsplit(what, texts, (gold.source for gold in golds), warn_in_python)
        texts = self._tokens.tokenise(golds, texts)
        before = columns.get(self.baseline, baseline)
        if self.kind == "corpus":
            return self._compare(what, texts, golds, before)
        if before is not None and completions is None:
            raise UsageError("baseline needs kind='corpus'")
        rows = _count_samples(self.metric, golds, texts, self.jobs)
        values = self.value.compute(rows.counts)
        found: list[float] = values[_find_best_rows(rows, values)].tolist()
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
        return self._golds.find_all(_list_gold_texts(list(sources), references))

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
            before = _compute_means(counts, groups)
        else:
            listed = _list_texts(baseline, "baseline")
            same_length(**{what: texts, "baseline": listed})
            before = self._count_best(*_list_distinct(golds, self._tokens.tokenise(golds, listed)))
        changes: list[float] = _compute_changes(self.metric, counts, groups, before).tolist()
        return changes

    def _count_best(self, golds: list[PreparedGold], texts: list[str]) -> Any:
        """Count each text against its best reference."""
        rows = _count_samples(self.metric, golds, texts, self.jobs)
        return rows.counts[_find_best_rows(rows, self.value.compute(rows.counts))]


def _list_distinct(golds: list[PreparedGold], baseline: list[str]) -> tuple[list[PreparedGold], list[str]]:
    """List each gold once, in order, with its baseline; raise if it has two."""
    found: dict[int, tuple[PreparedGold, str]] = {}
    for number, (gold, text) in enumerate(zip(golds, baseline, strict=True), start=1):
        _, earlier = found.setdefault(id(gold), (gold, text))
        if earlier != text:
            both = f"{earlier!r:.60} and, as item {number:,}, {text!r:.60}"
            raise UsageError(f"baseline must be the same for all outputs of a source, found {both}")
    return [gold for gold, _ in found.values()], [text for _, text in found.values()]


_LEAST_SOURCES = 8
"""Sources of a task of a thread."""
_REFERENCE = re.compile(r"its reference (\d+)")


class _Samples(NamedTuple):
    """The samples of one source: distinct texts, and which of them each sample is."""

    source: str
    texts: list[str]
    indices: list[int]

    @classmethod
    def of(cls, source: str, samples: Sequence[str]) -> _Samples:
        """Find the distinct texts."""
        numbers: dict[str, int] = {}
        indices = [numbers.setdefault(text, len(numbers)) for text in samples]
        return cls(source, list(numbers), indices)


def utilities(
    samples: object,
    source: object,
    metric: str | Metric = "maxmatch",
    *,
    smoothing: float | None = None,
    tokenise: str = WHITESPACE_TOKENS,
    jobs: int | None = 1,
) -> Any:
    """Compute the value of each sample of a source as output, with each sample as the only reference: an array [output, reference].

    ``source`` is a text and ``samples`` a list of texts; or both are lists, with a list of samples for each source, and the result is a
    list of arrays.  Values are those of :class:`~errata.studies.rewards.Rewards`.

    >>> import errata
    >>> errata.utilities(["He goes home .", "He went home .", "He go home ."], "He go home .").round(2).tolist()
    [[1.0, 0.33, 0.38], [0.33, 1.0, 0.38], [0.71, 0.71, 1.0]]
    """
    value = SentenceValue.of(find_metric(metric), smoothing)
    check_contract(value.metric)
    _check_jobs(jobs)
    if isinstance(source, str):
        return _compute_utilities(value, _tokenise_samples([_list_texts(samples, "samples")], [source], tokenise), jobs)[0]
    sources, lists = _list_lists(samples, source, "samples")
    return _compute_utilities(value, _tokenise_samples(lists, sources, tokenise), jobs)


def _list_lists(lists: object, sources: object, what: str) -> tuple[list[str], list[list[str]]]:
    """List sources, and the texts of each; ``what`` names these in errors."""
    texts = _list_texts(sources, "sources")
    items = list_items(lists, f"{what} must be a list with the {what} of each source")
    same_length(**{what: items, "sources": texts})
    return texts, [_list_texts(own, f"{what} of source {number:,}") for number, own in enumerate(items, start=1)]


def _tokenise_samples(
    lists: Sequence[Sequence[str]],
    sources: Sequence[str],
    tokenise: str,
    what: str = "samples",
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> list[_Samples]:
    """Tokenise the samples of each source; warn if they should be tokenised, and are not."""
    tokens = SampleTokens(tokenise)
    if tokens.name == WHITESPACE_TOKENS:
        _warn_of_unsplit(what, (text for own in lists for text in own), sources, warn)
    golds = [tokens.prepare((source, tuple(own))) for source, own in zip(sources, lists, strict=True)]
    return [_Samples.of(gold.source, gold.references) for gold in golds]


def _compute_utilities(value: SentenceValue, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Compute the array of each source: the value of each output with each reference."""
    import numpy as np

    found = []
    for own, counts in zip(samples, _count_pairs(value, samples, jobs), strict=True):
        size = len(own.texts)
        matrix = value.compute(counts.reshape(size * size, counts.shape[2])).reshape(size, size)
        found.append(matrix[np.ix_(own.indices, own.indices)])
    return found


def _count_pairs(value: SentenceValue, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Count each distinct text of a source with each as reference: an array [output, reference, column] for each source."""
    if value.metric.referenceless:
        raise UsageError(f"utilities need a metric with references, found {value.metric}, which compares outputs with their source only")
    return _count_sample_texts(value.metric, samples, jobs) if value.metric.counts_texts else _count_sample_sentences(value, samples, jobs)


class _SamplesTask(NamedTuple):
    numbers: list[int]
    samples: list[_Samples]


def _count_sample_texts(metric: Metric, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Count in the core, for each output all references at once."""
    engine = _choose_engine(metric, jobs)
    tasks = (_SamplesTask(own, [samples[index] for index in own]) for own in _split_work(list(range(len(samples))), engine, _LEAST_SOURCES))
    found: dict[int, Any] = {}
    with closing(engine.run(_do_samples, metric, tasks)) as results:
        for counts in results:
            found |= counts
    return [found[index] for index in range(len(samples))]


def _do_samples(metric: Metric, task: _SamplesTask) -> dict[int, Any]:
    import numpy as np

    found = {}
    for number, own in zip(task.numbers, task.samples, strict=True):
        counts = _count_outputs(metric, own, number + 1)
        found[number] = np.stack(counts) if counts else np.zeros((0, 0, len(metric.columns)), dtype=np.int64)
    return found


def _count_outputs(metric: Metric, own: _Samples, number: int) -> list[Any]:
    """Count each distinct sample against all; errors name source and sample."""
    counts: list[Any] = []
    if not own.texts:
        return counts
    try:
        scorer = _make_text_scorer(metric, [own.source], [[text] for text in own.texts])
        for text in own.texts:
            counts.append(scorer.counts([text]))  # noqa: PERF401 - an error is about the next one
    except (OverflowError, ValueError) as error:
        raise _refuse(error, own, number, len(counts)) from None
    return counts


def _refuse(error: OverflowError | ValueError, own: _Samples, number: int, current: int) -> ErrataError:
    """Make the error of a text that the core cannot count."""
    about = str(error).removeprefix("sentence 1 cannot be scored: ")
    if reference := _REFERENCE.match(about):
        current = int(reference[1]) - 1
    sample = "" if about.startswith("its source") else f", sample {own.indices.index(current) + 1:,}"
    about = _REFERENCE.sub("its text", about).replace("its hypothesis", "its text")
    kind = RequestError if isinstance(error, OverflowError) else InputError
    return kind(f"source {number:,}{sample} cannot be scored: {about}")


def _count_sample_sentences(value: SentenceValue, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Count each distinct sample with each as gold."""
    golds = [[PreparedGold(own.source, (text,)) for text in own.texts] for own in samples]
    pairs = [(gold, text) for own, refs in zip(samples, golds, strict=True) for text in own.texts for gold in refs]
    rows = _count_samples(value.metric, [gold for gold, _ in pairs], [text for _, text in pairs], jobs)
    best, first, found = rows.counts[_find_best_rows(rows, value.compute(rows.counts))], 0, []
    for own in samples:
        size = len(own.texts)
        found.append(best[first : first + size * size].reshape(size, size, best.shape[1]))
        first += size * size
    return found


# Minimum Bayes risk: the truth is taken to be one of the candidates, each with its weight.  With ``per="sentence"``, the candidate of
# each source with the highest expected value is picked.  With ``per="corpus"``, the picks together have the highest value of expected
# counts, which is the measure that is reported.  F of single sentences punishes an edit that may be wrong much more than F of a corpus
# does, so that candidates without edits win where others disagree.

_RerankUnit = Literal["corpus", "sentence"]
_RERANK_UNITS: tuple[_RerankUnit, ...] = get_args(_RerankUnit)


class Picks(NamedTuple):
    """The picked candidate of each source, as an index from 0, and what it is expected to be worth."""

    indices: list[int]
    values: list[list[float]]
    """For each candidate of each source: the value of the corpus with it and the other picks, or its value as a sentence."""
    value: float
    """Of all picks: the value of the corpus, or the mean over sentences."""
    per: _RerankUnit


def rerank(  # noqa: PLR0913 - settings, by name
    candidates: object,
    sources: object,
    metric: str | Metric = "maxmatch",
    *,
    per: _RerankUnit | None = None,
    weights: object = None,
    smoothing: float | None = None,
    tokenise: str = WHITESPACE_TOKENS,
    jobs: int | None = 1,
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> Picks:
    """Pick a candidate of each source by minimum Bayes risk; of equal ones the first.

    ``per`` is what is maximised: ``corpus`` (the default for metrics that are ratios, such as F) or ``sentence``.  ``weights`` are those of
    the candidates of each source, 0 or more; by default all are equal.  ``smoothing`` is that of F of sentences.

    >>> rerank([["He goes .", "He go .", "He goes .", "He go to ."]], ["He go ."]).indices
    [0]
    """
    value, unit = check_unit(metric, per, smoothing)
    _check_jobs(jobs)
    texts, lists = _list_lists(candidates, sources, "candidates")
    _check_not_empty(lists)
    shares = _check_weights(weights, lists)
    samples = _tokenise_samples(lists, texts, tokenise, "candidates", warn)
    if unit == "sentence":
        expected = [matrix @ share for matrix, share in zip(_compute_utilities(value, samples, jobs), shares, strict=True)]
        return _pick_sentences(expected)
    pairs = _count_pairs(value, samples, jobs)
    expected = [
        (counts[own.indices][:, own.indices] * share[None, :, None]).sum(axis=1)
        for own, counts, share in zip(samples, pairs, shares, strict=True)
    ]
    return _pick_corpus(value.metric, expected)


def pick_best(
    candidates: object,
    gold: Corpus,
    metric: str | Metric = "maxmatch",
    *,
    per: _RerankUnit | None = None,
    smoothing: float | None = None,
    tokenise: str = WHITESPACE_TOKENS,
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> Picks:
    """Pick the candidates that are best for a gold, what is called an oracle; of equal ones the first.

    With ``per="corpus"`` no other picks, and no other choice among annotators, have a higher value.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("He go .", [errata.Edit(1, 2, ("goes",))]),))
    >>> pick_best([["He go .", "He goes ."]], gold).indices
    [1]
    """
    value, unit = check_unit(metric, per, smoothing)
    evaluate = Evaluator(gold, value.metric, tokenise=tokenise, warn=None)
    sources, lists = _list_lists(candidates, [sentence.text for sentence in gold], "candidates")
    _check_not_empty(lists)
    if tokenise == WHITESPACE_TOKENS:
        _warn_of_unsplit("candidates", (text for own in lists for text in own), sources, warn)
    rows: list[list[tuple[Row, ...]]] = [[] for _ in lists]
    for turn in range(max(map(len, lists), default=0)):
        evidence = evaluate.begin([own[min(turn, len(own) - 1)] for own in lists]).count_all(None)
        for own, texts, found in zip(rows, lists, evidence.rows, strict=True):
            if turn < len(texts):
                own.append(found)
    return _pick_rows(value, unit, rows)


def _check_not_empty(lists: Sequence[Sequence[str]]) -> None:
    for number, own in enumerate(lists, start=1):
        if not own:
            raise UsageError(f"candidates of source {number:,} must have at least one text, found none")


def _pick_rows(value: SentenceValue, unit: _RerankUnit, rows: Sequence[Sequence[Sequence[Row]]]) -> Picks:
    """Pick candidates by their rows, one for each reference."""
    import numpy as np

    arrays = [[np.array(own, dtype=np.float64) for own in sentence] for sentence in rows]
    if unit == "sentence":
        return _pick_sentences([np.array([value.compute(own).max() for own in sentence]) for sentence in arrays])
    flat = _pick_corpus(value.metric, [np.concatenate(sentence) for sentence in arrays])
    indices, values = [], []
    for sentence, index, found in zip(arrays, flat.indices, flat.values, strict=True):
        ends = np.cumsum([len(own) for own in sentence])
        indices.append(int(np.searchsorted(ends, index, side="right")))
        values.append([float(part.max()) for part in np.split(np.array(found), ends[:-1])])
    return Picks(indices, values, flat.value, unit)


def check_unit(metric: str | Metric, per: _RerankUnit | None, smoothing: float | None) -> tuple[SentenceValue, _RerankUnit]:
    """Check what is maximised; return how sentences are valued, and the unit."""
    found = find_metric(metric)
    check_contract(found)
    is_ratio = isinstance(found, RatioMetric)
    if per is not None and per not in _RERANK_UNITS:
        raise UsageError(f"unknown unit {per!r:.60}; choose from {', '.join(_RERANK_UNITS)}{suggest(str(per), _RERANK_UNITS)}")
    if per == "corpus" and not is_ratio:
        raise UsageError(f"per corpus needs a metric that is a ratio of sums, such as maxmatch; found {found}")
    unit: _RerankUnit = per or ("corpus" if is_ratio else "sentence")
    if unit == "corpus" and smoothing is not None:
        raise UsageError("smoothing is that of single sentences; it needs per='sentence'")
    return SentenceValue.of(found, smoothing), unit


def _check_weights(weights: object, lists: Sequence[Sequence[str]]) -> list[Any]:
    """Make the weights of each source sum to 1."""
    import numpy as np

    if weights is None:
        return [np.full(len(own), 1 / len(own)) for own in lists]
    items = list_items(weights, "weights must be a list with the weights of each source")
    same_length(candidates=lists, weights=items)
    found = []
    for number, (own, texts) in enumerate(zip(items, lists, strict=True), start=1):
        what = f"weights of source {number:,}"
        listed = list_items(own, f"{what} must be a list of numbers")
        if len(listed) != len(texts):
            raise MismatchError(f"source {number:,} has {len(texts):,} candidates and {len(listed):,} weights, expected as many")
        wrong = [item for item in listed if isinstance(item, bool) or not isinstance(item, (int, float)) or not 0 <= item < math.inf]
        if wrong or not sum(listed):
            raise UsageError(f"{what} must be numbers from 0, one of them above 0; found {(wrong or listed)!r:.60}")
        found.append(np.array(listed, dtype=np.float64) / sum(listed))
    return found


def weigh_scores(scores: Sequence[float], temperature: float) -> list[float]:
    """Make weights of scores: their softmax at a temperature; a low one prefers high scores more.

    >>> [round(weight, 3) for weight in weigh_scores([-1.0, -2.0], 1.0)]
    [0.731, 0.269]
    """
    scores = list_items(scores, "scores must be a list of numbers")
    wrong = [score for score in scores if isinstance(score, bool) or not isinstance(score, (int, float)) or math.isnan(score)]
    if wrong or not scores:
        raise UsageError(f"scores must be numbers, at least one; found {(wrong or scores)!r:.60}")
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)) or not temperature > 0:
        raise UsageError(f"the temperature must be a number above 0, found {temperature!r:.40}")
    highest = max(scores)
    powers = [math.exp((score - highest) / temperature) for score in scores]
    return [power / sum(powers) for power in powers]


def _pick_sentences(values: Sequence[Any]) -> Picks:
    """Pick the highest value of each source, the first of several."""
    indices = [int(own.argmax()) for own in values]
    picked = [float(own[index]) for own, index in zip(values, indices, strict=True)]
    mean = math.fsum(picked) / len(picked) if picked else math.nan
    return Picks(indices, [own.tolist() for own in values], mean, "sentence")


def _pick_corpus(metric: Metric, counts: Sequence[Any]) -> Picks:
    """Pick the counts whose sum has the highest value."""
    import numpy as np

    if not isinstance(metric, RatioMetric):
        raise TypeError(f"{metric} is no ratio")
    weights = np.array([metric.ratio.numerator, metric.ratio.denominator], dtype=np.float64).T
    indices = _maximise_ratio([own @ weights for own in counts])
    total = sum((own[index] for own, index in zip(counts, indices, strict=True)), start=np.zeros(len(metric.columns)))
    values = [metric.values(total - own[index] + own).tolist() for own, index in zip(counts, indices, strict=True)]
    return Picks(indices, values, float(metric.values(total[None, :])[0]), "corpus")


def _maximise_ratio(pairs: Sequence[Any]) -> list[int]:
    """Choose a pair of numerator and denominator of each source, so that the ratio of their sums is as high as possible.

    Dinkelbach's method: choose by numerator - ratio * denominator, with the ratio of the last choice, until it grows no more.  Of equal
    pairs the first is chosen.  0/0 is 1, as in metrics.

    >>> import numpy as np
    >>> _maximise_ratio([np.array([(1.0, 2.0), (1.0, 1.0)]), np.array([(0.0, 0.0), (1.0, 4.0)])])
    [1, 0]
    """
    chosen = [0] * len(pairs)
    above, below = _sum_pairs(pairs, chosen)
    while below:
        better = [int((own[:, 0] * below - above * own[:, 1]).argmax()) for own in pairs]
        new_above, new_below = _sum_pairs(pairs, better)
        grown = not new_below or new_above * below > above * new_below
        chosen = better
        if not grown:
            break
        above, below = new_above, new_below
    nothing = [next((index for index, pair in enumerate(own.tolist()) if pair == [0, 0]), None) for own in pairs]
    if above < below and None not in nothing:
        return [index for index in nothing if index is not None]
    return chosen


def _sum_pairs(pairs: Sequence[Any], chosen: Sequence[int]) -> tuple[float, float]:
    picked = [own[index] for own, index in zip(pairs, chosen, strict=True)]
    return math.fsum(pair[0] for pair in picked), math.fsum(pair[1] for pair in picked)


def _warn_of_unsplit(name: str, texts: Iterable[str], sources: Iterable[str], warn: Callable[[Problem], None] | None) -> None:
    """Warn if texts of many samples are not tokenised, although their sources are."""
    if warn is not None and (found := describe_unsplit(texts, sources)) is not None:
        warn(Problem(name, None, "warning", f"{found}; are they tokenised like their sources? {TOKENISE_SAMPLES}"))
