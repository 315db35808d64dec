"""From a corpus, systems and metrics to evidence and scores."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.checks import OutputChecks
from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus, Part, System
from errata.corpus.texts import check_sentences, list_items, same_length
from errata.corpus.tokenisation import find_tokeniser, tokenise_system
from errata.corpus.unicode import AS_GIVEN
from errata.errors import ErrataError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.problems import ignore_problem, warn_in_python
from errata.formats.reading import list_output_problems, report_output_problems
from errata.metrics import registry
from errata.metrics.base import Metric, TakesEdits
from errata.metrics.evidence import Evidence
from errata.metrics.registry import check_contract
from errata.metrics.registry import metric as find_metric
from errata.metrics.strategies import SingleRow
from errata.scoring.engines import count_cores
from errata.scoring.scores import Score, check_scores

if TYPE_CHECKING:
    from collections.abc import Generator

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import Tokeniser
    from errata.formats.problems import Problem
    from errata.metrics.base import Output, Scorer
    from errata.metrics.ratios import Row


Progress = Callable[[int], None]
"""Called with the number of sentences that were just done."""
_CHUNK = 128
"""Sentences that are counted at a time."""


class _SystemCounts:
    """The rows of a system as far as they are counted; those of the first sentences come first."""

    def __init__(self, metric: Metric, corpus: Corpus, system: System, scorer: Scorer) -> None:
        self.metric, self.corpus, self.system = metric, corpus, system
        self._scorer = scorer
        self._rows: list[tuple[Row, ...]] = []
        with self._naming_system():
            self.output: Output = registry.METRICS.run(metric.name, lambda: _prepare_output(scorer, system))

    @contextmanager
    def _naming_system(self) -> Iterator[None]:
        try:
            yield
        except MismatchError as error:
            raise MismatchError(f"{self.system.path or self.system.name}: {error}") from None

    @property
    def done(self) -> int:
        """The number of sentences that are counted."""
        return len(self._rows)

    @property
    def left(self) -> int:
        """The number of sentences that are not."""
        return len(self.system) - len(self._rows)

    def count(self) -> None:
        """Count the next sentences, up to a chunk."""
        last = min(self.done + _CHUNK, len(self.system))
        with self._naming_system():
            self._rows += _count_rows(self.metric, self.corpus, self.output, self.done, last)

    def add(self, rows: Sequence[tuple[Row, ...]]) -> None:
        """Add the rows of the next sentences, counted elsewhere."""
        self._rows += rows

    def count_all(self, progress: Progress | None) -> Evidence:
        """Count all that is left; return the evidence."""
        while self.left:
            before = self.done
            self.count()
            if progress is not None:
                progress(self.done - before)
        return self.make_evidence()

    def make_evidence(self) -> Evidence:
        """Make the evidence of all sentences."""
        rows, scorer = tuple(self._rows), self._scorer

        def label() -> tuple[tuple[str, ...], ...]:
            return tuple(scorer.labels(index, len(sentence)) for index, sentence in enumerate(rows))

        return Evidence(self.metric, self.corpus, self.system.name, rows, registry.METRICS.run(self.metric.name, label))


def _prepare_output(scorer: Scorer, system: System) -> Output:
    """Prepare the text of a system, or its own edits if it has some and the metric takes them."""
    if system.edits is not None and isinstance(scorer, TakesEdits):
        return scorer.prepare_edits(system)
    return scorer.prepare(system.sentences)


def _count_rows(metric: Metric, corpus: Corpus, output: Output, first: int, last: int) -> list[tuple[Row, ...]]:
    """Count the sentences of an output from an index to before another; raise unless their rows are as a metric must give them."""
    rows: list[tuple[Row, ...]] = registry.METRICS.run(metric.name, lambda: _list_rows(output, corpus, first, last))
    _check_rows(metric, corpus.numbers[first:last], rows)
    return rows


def _list_rows(output: Output, corpus: Corpus, first: int, last: int) -> list[tuple[Row, ...]]:
    """List the rows of sentences; an error names them, if it does not name one."""
    try:
        return list(output.rows(first, last))
    except Exception as error:
        if not isinstance(error, ErrataError) and not hasattr(error, "__notes__"):
            error.add_note(f"in sentences {corpus.numbers[first]:,} to {corpus.numbers[last - 1]:,}")
        raise


def _check_rows(metric: Metric, numbers: Sequence[int], rows: Sequence[Sequence[Row]]) -> None:
    """Raise unless each sentence has rows, exactly one with SingleRow, with one count for each column."""
    width, single = len(metric.columns), isinstance(metric.strategy, SingleRow)
    if len(rows) != len(numbers):
        raise RequestError(f"{metric} must give rows for {pluralise(len(numbers), 'sentence')}, found those of {len(rows):,}")
    # All sentences are checked at once; only if one is wrong, it is looked for.
    if all(rows) and set(map(len, chain.from_iterable(rows))) <= {width} and not (single and max(map(len, rows), default=1) > 1):
        return
    for number, own in zip(numbers, rows, strict=True):
        if not own or (single and len(own) > 1) or any(len(row) != width for row in own):
            wanted = "one row" if single else "one row or more"
            asked = f"{wanted} of {pluralise(width, 'count')} ({', '.join(metric.columns)})"
            found = f"{list(own)!r:.100} for sentence {number:,}"
            raise RequestError(f"{metric} must give each sentence {asked}, found {found}")


Hypotheses = System | Iterable[str] | Iterable[Sequence[str]]
"""A system, or its sentences as strings or token lists, in anything that has an order."""


def gather(metric: Metric, corpus: Corpus, system: System, scorer: Scorer | None = None, progress: Progress | None = None) -> Evidence:
    """Gather the evidence of a system; ``scorer`` avoids preparing the gold again."""
    return _SystemCounts(metric, corpus, corpus.fit(system), scorer or _make_scorer(metric, corpus)).count_all(progress)


def _make_scorer(metric: Metric, corpus: Corpus) -> Scorer:
    scorer: Scorer = registry.METRICS.run(metric.name, lambda: metric.scorer(corpus))
    return scorer


def score(
    corpus: Corpus, hypotheses: Hypotheses, metric: str | Metric = "maxmatch", *, tokenise: str = WHITESPACE_TOKENS, strict: bool = False
) -> Score:
    """Score a system, given as a System or as a list of sentences (strings or token lists).

    ``tokenise`` and ``strict`` are those of :class:`Evaluator`.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",))]),))
    >>> errata.score(gold, ["I like cake ."]).value
    1.0
    """
    return Evaluator(corpus, metric, tokenise=tokenise, strict=strict)(hypotheses)


def as_system(hypotheses: Hypotheses, what: str = "hypotheses") -> System:
    """Make a System from sentences; ``what`` names them in errors."""
    if isinstance(hypotheses, System):
        return hypotheses
    return System.of("system", check_sentences(hypotheses, what))


class Evaluator:
    """A metric prepared once for a corpus, for training loops.  Threads may share it.

    ``tokenise`` says how texts are tokenised (:data:`errata.corpus.TOKENISERS`).
    Hypotheses that do not look like corrections of their source, in its lines and tokens, are warned of, once for each name of a system;
    with ``strict`` they are an error.  ``warn`` takes the warnings; None checks nothing.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> evaluate = errata.Evaluator(gold)
    >>> evaluate([sentence.text for sentence in gold]).parts["proposed"]
    0
    """

    def __init__(
        self,
        corpus: Corpus,
        metric: str | Metric = "maxmatch",
        *,
        tokenise: str = WHITESPACE_TOKENS,
        strict: bool = False,
        warn: Callable[[Problem], None] | None = warn_in_python,
    ) -> None:
        if not isinstance(corpus, Corpus):
            raise UsageError(f"the gold must be a Corpus, as returned by errata.read, found {corpus!r:.60}")
        self.corpus = corpus
        self.metric = registry.metric(metric)
        check_contract(self.metric)
        self._tokenise, self._strict, self._warn = tokenise, strict, warn
        self._tokeniser: Tokeniser | None = find_tokeniser(tokenise, corpus)
        self._checks: OutputChecks | None = None
        self._warned: set[str] = set()
        self._scorer = _make_scorer(self.metric, corpus)

    def __call__(self, hypotheses: Hypotheses, progress: Progress | None = None) -> Score:
        """Score the hypotheses of one system."""
        counts = self.begin(hypotheses)
        return Score.of(counts.count_all(progress), counts.system, counts.output)

    def __getstate__(self) -> dict[str, object]:
        """Pickle without what every process prepares."""
        return {**vars(self), "_tokeniser": None, "_checks": None}

    def begin(self, hypotheses: Hypotheses) -> _SystemCounts:
        """Prepare the hypotheses of one system to be counted in steps."""
        system = self.fit(hypotheses)
        self._check(system)
        return _SystemCounts(self.metric, self.corpus, system, self._scorer)

    def fit(self, hypotheses: Hypotheses) -> System:
        """Make a system of hypotheses, with a sentence for every sentence of the gold, and tokenise it."""
        if self._tokeniser is None:
            self._tokeniser = find_tokeniser(self._tokenise, self.corpus)
        return tokenise_system(self.corpus.fit(as_system(hypotheses)), self.corpus, self._tokeniser)

    def _check(self, system: System) -> None:
        """Warn of a system that does not look like corrections, or raise."""
        if (self._warn is None or system.name in self._warned) and not self._strict:
            return
        if self._checks is None:
            self._checks = OutputChecks(self.corpus)
        if problems := list_output_problems(self._checks, system):
            self._warned.add(system.name)
            report_output_problems(problems, self._warn or ignore_problem, strict=self._strict)

    def prepare(self, hypotheses: Hypotheses) -> Output:
        """Prepare hypotheses without scoring them."""
        return _prepare_output(self._scorer, as_system(hypotheses) if self._takes_as_given else self.fit(hypotheses))

    @property
    def _takes_as_given(self) -> bool:
        return self._tokenise == WHITESPACE_TOKENS and self.corpus.unicode == AS_GIVEN

    def count(self, output: Output, start: int, stop: int) -> tuple[list[tuple[Row, ...]], list[tuple[str, ...]]]:
        """Count consecutive sentences, given by indices from 0, of a prepared output: their rows and the references behind them."""
        rows = _count_rows(self.metric, self.corpus, output, start, stop)

        def label() -> list[tuple[str, ...]]:
            return [tuple(self._scorer.labels(index, len(own))) for index, own in enumerate(rows, start)]

        return rows, registry.METRICS.run(self.metric.name, label)

    def prepare_from(self, hypotheses: Sequence[Tokens], first: int) -> Output:
        """Prepare the hypotheses of consecutive sentences, from an index."""
        return self._scorer.prepare(hypotheses, first)


# --- Scoring many systems, with processes on other cores if the work is long enough for them.
#
# The number of sentences does not say how long they take: 5 µs each with MaxMatch, 70 µs with I-measure, anything with a plug-in.  So work
# begins in this process.  Once it is known how long sentences take, processes are started if they save more time than it takes to start
# them and to send them the gold.  They count parts of systems; everything else is done here, system by system, so scores,
# warnings and errors come in the same order as without them.  What fails in a process is done again here, and fails with the same error.


@dataclass(frozen=True)
class _StartPolicy:
    """When processes are started, in seconds; measured with all metrics, on gold of 1,312 to 131,200 sentences."""

    before_start: float = 0.5
    """How long sentences are counted here first."""
    start: float = 0.2
    """How long it takes to start a process."""
    per_sentence: float = 0.0002
    """How long it takes to send a sentence of the gold to a process, and to prepare it there."""
    part: float = 0.1
    """How long a part should take that is counted at once: long beside the time to send it, short beside all the work."""
    least_share: float = 0.8
    """The share of a core that this process must have had; with less, the cores are busy with other work."""


_START = _StartPolicy()
_PARTS_PER_JOB = 4
"""Parts that each process gets at least, so that all end at about the same time."""


def evaluate_many(
    evaluate: Evaluator, systems: Sequence[Hypotheses], jobs: int | None = None, progress: Progress | None = None
) -> Generator[Score]:
    """Yield the score of each system, in order, with up to ``jobs`` processes (default: one for each core).

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> systems = [errata.read_system(f"examples/systems/{name}.txt") for name in ("cautious", "eager")]
    >>> [round(score.value, 4) for score in evaluate_many(errata.Evaluator(gold), systems)]
    [0.55, 0.6552]
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be a whole number from 1, found {jobs}")
    lasting = [list(system) if isinstance(system, Iterator) else system for system in systems]  # they are read twice
    with closing(_Helpers(evaluate, lasting, jobs or count_cores())) as helpers:
        for number, hypotheses in enumerate(lasting):
            counts = evaluate.begin(hypotheses)
            while counts.left:
                before = counts.done
                helpers.count(number, counts)
                if progress is not None:
                    progress(counts.done - before)
            yield Score.of(counts.make_evidence(), counts.system, counts.output)


class _Place(NamedTuple):
    """Sentences of a system that are counted together, from an index to before another."""

    system: int
    first: int
    last: int


class _Part(NamedTuple):
    place: _Place
    hypotheses: Sequence[Tokens]


class _Helpers:
    """Counts sentences here, or takes what processes have counted."""

    def __init__(self, evaluate: Evaluator, systems: Sequence[Hypotheses], jobs: int) -> None:
        metric = evaluate.metric
        self._evaluate, self._systems, self._jobs = evaluate, systems, jobs
        self._may_start = jobs > 1 and metric.in_parts and not metric.needs
        self._results: Generator[tuple[_Place, list[tuple[Row, ...]]]] | None = None
        self._counted: dict[tuple[int, int], list[tuple[Row, ...]]] = {}
        self._seconds, self._busy, self._sentences = 0.0, 0.0, 0
        self._left = len(evaluate.corpus) * len(systems)

    def close(self) -> None:
        """End the processes."""
        self._may_start = False
        if self._results is not None:
            self._results.close()
            self._results = None

    def count(self, number: int, counts: _SystemCounts) -> None:
        """Count the next sentences of a system, or take them from the processes."""
        if self._may_start and self._is_worth_it(len(counts.corpus)):
            self._start(number, counts.done)
        rows = self._take(number, counts.done)
        if rows:
            counts.add(rows)
            return
        before, start, busy = counts.done, time.perf_counter(), time.process_time()
        counts.count()
        self._seconds += time.perf_counter() - start
        self._busy += time.process_time() - busy
        self._sentences += counts.done - before
        self._left -= counts.done - before

    def _is_worth_it(self, gold: int) -> bool:
        if self._seconds < _START.before_start or self._busy < _START.least_share * self._seconds:
            return False
        saved = self._left * self._rate * (1 - 1 / self._jobs)
        return saved > _START.start + _START.per_sentence * gold

    @property
    def _rate(self) -> float:
        """Seconds for a sentence."""
        return self._seconds / self._sentences if self._sentences else 0.0

    def _start(self, number: int, first: int) -> None:
        """Start processes that count everything from a sentence of a system on."""
        from errata.scoring.workers import ProcessEngine

        self._may_start = False
        chunks = min(self._left // (_CHUNK * self._jobs * _PARTS_PER_JOB), int(_START.part / self._rate) // _CHUNK if self._rate else 0)
        parts = self._cut(number, first, _CHUNK * max(1, chunks))
        self._results = ProcessEngine(self._jobs).run(_count_part, self._evaluate, parts)

    def _cut(self, number: int, first: int, size: int) -> Iterator[_Part]:
        """Cut what is left into parts, up to a system that does not fit the gold: its error is raised when its turn comes."""
        for system in range(number, len(self._systems)):
            try:
                sentences = self._evaluate.fit(self._systems[system]).sentences
            except ErrataError:
                return
            for start in range(first if system == number else 0, len(sentences), size):
                place = _Place(system, start, min(start + size, len(sentences)))
                yield _Part(place, sentences[place.first : place.last])

    def _take(self, number: int, first: int) -> list[tuple[Row, ...]]:
        """Take the rows of a part that begins here, and wait for it; none if it is to be counted here."""
        while self._results is not None and (number, first) not in self._counted:
            try:
                place, rows = next(self._results)
            except StopIteration:
                self._results = None
            except Exception:  # noqa: BLE001 - processes cannot be started, or are killed again and again: it is done without them
                self._results = None
            else:
                self._counted[place.system, place.first] = rows
        return self._counted.pop((number, first), [])


def _count_part(evaluate: Evaluator, part: _Part) -> tuple[_Place, list[tuple[Row, ...]]]:
    """Count a part in another process; after a sentence that cannot be counted, nothing is."""
    rows: list[tuple[Row, ...]] = []
    _, first, last = part.place
    try:
        output = evaluate.prepare_from(part.hypotheses, first)
        for start in range(first, last, _CHUNK):
            rows += _count_rows(evaluate.metric, evaluate.corpus, output, start, min(start + _CHUNK, last))
    except Exception:  # noqa: BLE001, S110 - it is raised where the sentence is counted again
        pass
    return part.place, rows


def compute(
    predictions: Hypotheses,
    references: Corpus | Iterable[Any],
    sources: Iterable[str] | Iterable[Sequence[str]] | None = None,
    metric: str | Metric | Iterable[str | Metric] = "maxmatch",
    *,
    prefix: str = "",
    tokenise: str = WHITESPACE_TOKENS,
    strict: bool = False,
) -> dict[str, float]:
    """Score predictions by one or several metrics; return the numbers of ``Score.to_dict``.

    ``references`` and ``sources`` are those of ``Corpus.from_texts``, or ``references`` is a Corpus.
    ``tokenise`` and ``strict`` are those of :class:`Evaluator`.

    >>> compute(predictions=["He went home ."], references=[["He goes home .", "He went home ."]], sources=["He go home ."])
    {'maxmatch/value': 1.0, 'maxmatch/correct': 1.0, ..., 'maxmatch/recall': 1.0}
    """
    metrics = [find_metric(one) for one in ([metric] if isinstance(metric, (str, Metric)) else list_items(metric, _RULE))]
    if not metrics:
        raise UsageError(f"{_RULE}, found none")
    if isinstance(references, Corpus):
        if sources is not None:
            raise UsageError("sources cannot be combined with references that are a Corpus, which has its own")
        system, corpus = as_system(predictions), references
    else:
        if sources is None:
            raise UsageError("references need their sources (sources=), unless they are a Corpus")
        texts = check_sentences(sources, "sources")
        corpus = Corpus.from_texts(texts, references)
        system = as_system(predictions, "predictions")
        same_length(sources=texts, predictions=system.sentences)
    numbers: dict[str, float] = {}
    for number, one in enumerate(metrics):
        warn = None if number else warn_in_python  # once for all metrics
        own = Evaluator(corpus, one, tokenise=tokenise, strict=strict, warn=warn)(system).to_dict(prefix)
        if taken := next((key for key in own if key in numbers), None):
            raise UsageError(f"metrics must have different keys, found {taken} twice")
        numbers |= own
    return numbers


_RULE = "metric must be a metric or a list of metrics"


def merge(scores: Iterable[Score]) -> Score:
    """Merge the scores of one system on shards of a gold: on subsets of one corpus, in any order, or on consecutive corpora.

    The result is the score of the whole: references are chosen as in the whole, so value, counts, intervals and edits are the same.
    The sentences are not counted again, unless how one is counted depends on others.

    >>> import errata
    >>> gold, system = errata.read("examples/learner.m2"), errata.read_system("examples/systems/eager.txt")
    >>> shards = [errata.score(gold.subset(numbers), system) for numbers in ("37-72", "1-36")]
    >>> merge(shards) == errata.score(gold, system)
    True
    """
    shards = _check_shards(scores)
    order = _list_order([score.evidence.corpus for score in shards])
    corpus = _join_corpora([score.evidence.corpus for score in shards], order)
    evaluate = Evaluator(corpus, shards[0].metric, warn=None)  # shards were checked
    system = _join_systems([score.system for score in shards], order)
    if shards[0].metric.in_parts and _have_same_references(corpus, shards):
        counts = evaluate.begin(system)
        counts.add([shards[shard].evidence.rows[index] for shard, index in order])
        evidence = counts.make_evidence()
        if evidence.labels == tuple(shards[shard].evidence.labels[index] for shard, index in order):
            return Score.of(evidence, counts.system, counts.output)
    return evaluate(system)


def _check_shards(scores: object) -> Sequence[Score]:
    shards = check_scores(scores)
    if not shards:
        raise UsageError("shards must be a list of scores, found none")
    if any(not isinstance(score.evidence.corpus, Corpus) for score in shards):
        raise UsageError("shards must have their sentences, found a score of stored evidence; errata evidence merge merges that")
    _require_one(shards, "metric", lambda score: score.metric.signature)
    _require_one(shards, "system", lambda score: score.system_name)
    _require_one(shards, "tokenisation", lambda score: score.system.tokenisation)
    _require_one(shards, "kind of output", lambda score: "edits" if score.system.edits is not None else "texts")
    return shards


def _require_one(shards: Sequence[Score], what: str, find: Callable[[Score], str]) -> None:
    found = list(dict.fromkeys(map(find, shards)))
    if len(found) > 1:
        raise MismatchError(f"shards must have one {what}, found {found[0]} and {found[1]}")


def _list_order(corpora: Sequence[Corpus]) -> list[tuple[int, int]]:
    """List the sentences of all shards in the order of the whole: the index of the shard, and that of the sentence in it."""
    if len({corpus.part is None for corpus in corpora}) > 1:
        raise MismatchError("shards must be subsets of one corpus, or consecutive corpora, found both")
    if corpora[0].part is None:
        _refuse_equal(corpora)
        return [(shard, index) for shard, corpus in enumerate(corpora) for index in range(len(corpus))]
    _refuse_other_wholes(corpora)
    places: dict[int, tuple[int, int]] = {}
    for shard, corpus in enumerate(corpora):
        for index, number in enumerate(corpus.numbers):
            if number in places:
                raise MismatchError(f"shards must not overlap, found sentence {number:,} in shards {places[number][0] + 1} and {shard + 1}")
            places[number] = (shard, index)
    return [places[number] for number in sorted(places)]


def _refuse_equal(corpora: Sequence[Corpus]) -> None:
    """Raise if a corpus is given twice; single sentences may be equal."""
    seen: dict[str | int, int] = {}
    for shard, corpus in enumerate(corpora, start=1):
        key = corpus.fingerprint if len(corpus) > 1 else id(corpus)
        if key in seen:
            raise MismatchError(f"shards must not overlap, found the same corpus in shards {seen[key]} and {shard}")
        seen[key] = shard


def _refuse_other_wholes(corpora: Sequence[Corpus]) -> None:
    sizes = list(dict.fromkeys(corpus.part.whole for corpus in corpora if corpus.part is not None))
    if len(sizes) > 1:
        raise MismatchError(f"shards must be subsets of one corpus, found subsets of {sizes[0]:,} and {sizes[1]:,} sentences")
    if len({corpus.whole.fingerprint for corpus in corpora if corpus.whole is not None}) > 1:
        raise MismatchError("shards must be subsets of one corpus, found subsets of different ones")


def _join_corpora(corpora: Sequence[Corpus], order: Sequence[tuple[int, int]]) -> Corpus:
    sentences = tuple(corpora[shard][index] for shard, index in order)
    first = corpora[0]
    if first.part is None:
        names, paths = (list(dict.fromkeys(own)) for own in zip(*((corpus.name, corpus.path) for corpus in corpora), strict=True))
        return first if len(corpora) == 1 else Corpus(sentences, " + ".join(names), " + ".join(paths))
    whole = next((corpus.whole for corpus in corpora if corpus.whole is not None), None)
    if len(sentences) == first.part.whole:
        return whole or replace(first, sentences=sentences, part=None, whole=None)
    numbers = tuple(corpora[shard].numbers[index] for shard, index in order)
    return replace(first, sentences=sentences, part=Part(numbers, first.part.whole), whole=whole)


def _join_systems(systems: Sequence[System], order: Sequence[tuple[int, int]]) -> System:
    sentences = tuple(systems[shard].sentences[index] for shard, index in order)
    if systems[0].edits is None:
        return replace(systems[0], sentences=sentences)
    source = tuple((systems[shard].source or ())[index] for shard, index in order)
    edits = tuple((systems[shard].edits or ())[index] for shard, index in order)
    return replace(systems[0], sentences=sentences, source=source, edits=edits)


def _have_same_references(corpus: Corpus, shards: Sequence[Score]) -> bool:
    """Whether a sentence has the same references in its shard as in the whole, also those of annotators who are absent there."""
    if all(score.evidence.corpus.whole is not None for score in shards) or len(shards) == 1:
        return True
    return all(len(sentence.annotations) == len(corpus.annotators) for sentence in corpus)
