"""What a task needs before it has submissions, prepared once: a server keeps it, and scores each submission when it comes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus.corpus import Sentence
from errata.corpus.tokenisation import check_tokeniser
from errata.corpus.unicode import normalise_corpus
from errata.errors import InputError, MismatchError, RequestError, UsageError, pluralise, suggest
from errata.formats.essays import TYPES
from errata.language.tagging import AUTO_TAGGER, suit
from errata.language.types import MEMBERS
from errata.metrics import metric
from errata.report.page.data import watch_nothing
from errata.scoring import Evaluator
from errata.task.gold import check_profile, take_subset
from errata.task.gold_tables import GoldTables
from errata.task.statistics import Statistics
from errata.task.submissions import OutputCheck, SetAside, add_set_aside, describe_set_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.formats import Problem
    from errata.language.tagging import Tagger
    from errata.metrics import Metric
    from errata.report.page.data import Watch
    from errata.scoring import Score
    from errata.task.definition import Task
    from errata.task.gold import TaskGold
    from errata.task.tables import TaskTable

THE_SOURCE = "the source"
"""How messages name a corpus of which nothing but the source may be known."""


class RefusalError(RequestError):
    """A metric refuses the output of a system."""

    def __init__(self, system: System, reason: str) -> None:
        super().__init__(system, reason)
        self.system, self.reason = system, reason

    def __str__(self) -> str:
        return self.reason


class PreparedTask:
    """All of a task that does not depend on submissions.  Threads may share it.

    >>> from errata.formats import read
    >>> from errata.task.definition import Task
    >>> from errata.task.gold import TaskGold
    >>> task = Task("task.toml", ["gold.m2"], [])
    >>> prepared = PreparedTask.of(task, [TaskGold(read("examples/learner.m2"), alternatives=False, files=("gold.m2",))])
    >>> system, problems = prepared.check("examples/systems/eager.txt", "Team 7")
    >>> scores = prepared.score(system)
    >>> [str(problem) for problem in problems], round(scores[0][0].value, 4)
    ([], 0.7015)
    >>> tables = prepared.make_tables([[[scores[0][0]]]])
    >>> list(tables), tables["ranking"].shown.rows[0][:2]
    (['ranking', 'types'], (1, 'Team 7'))
    """

    def __init__(self, task: Task, golds: Sequence[TaskGold], metrics: Sequence[Metric], tagger: Tagger | None = None) -> None:
        """Take what is checked already, by :func:`find_metrics`, :func:`check_golds` and :func:`check_handles`; :meth:`of` checks it."""
        self.task = task
        self.metrics = list(metrics)
        with task.naming("unicode"):
            golds = [gold._replace(corpus=normalise_corpus(gold.corpus, task.unicode)) for gold in golds]
        self.whole: Corpus = golds[0].corpus
        """All sentences of the first gold, which submissions have."""
        self.tagger = suit(tagger, self.whole, asked=task.tagger != AUTO_TAGGER)
        self.golds = [gold._replace(corpus=take_subset(task, gold.corpus)) for gold in golds]
        """The golds with the sentences that the task names."""
        with task.naming("metrics"):
            self.evaluators = [[Evaluator(gold.corpus, own, warn=None) for own in self.metrics] for gold in self.golds]
        """What scores, by gold and metric."""
        self._check = OutputCheck(task, self.whole)

    @classmethod
    def of(
        cls,
        task: Task,
        golds: Sequence[TaskGold],
        tagger: Tagger | None = None,
        equip: Callable[[Sequence[Metric]], Sequence[Metric]] = list,
    ) -> PreparedTask:
        """Check and prepare a task with these golds, which have only the types that it names, each with a suffix of its own.

        ``tagger`` gives wrong edits their types; ``equip`` gives metrics the data that they need.
        """
        metrics = find_metrics(task, equip)
        check_golds(golds)
        check_handles(task, golds)
        Statistics.of(task, 0)
        return cls(task, golds, metrics, tagger)

    def check(self, path: str, name: str) -> tuple[System, list[Problem]]:
        """Read an output as the system of this name, as far as it can be read; list all its problems.

        One of its errors means that it cannot be scored.  A :class:`errata.formats.lines.GivenFile` is read like a path, once.
        """
        return self._check(path, name)

    def source_only(self) -> OutputCheck:
        """Make a check of outputs that knows nothing of the gold but its source, so nothing else can be learned from its answers.

        It tokenises by the source alone, so its systems are not to be scored.
        """
        return OutputCheck(self.task, keep_source(self.whole))

    def score(self, system: System) -> list[list[Score]]:
        """Score a system on every gold with every metric; raise :class:`RefusalError` if a metric refuses it."""
        scores: list[list[Score]] = []
        for own in self.evaluators:
            scores.append([])
            for evaluate in own:
                with refusing(system, evaluate.metric):
                    scores[-1].append(evaluate(system))
        return scores

    def make_tables(
        self,
        scored: Sequence[Sequence[Sequence[Score]]],
        set_aside: Sequence[SetAside] = (),
        watch: Watch = watch_nothing,
        statistics: Statistics | None = None,
    ) -> dict[str, TaskTable]:
        """Make all tables from the scores of systems with different names, by gold, metric and system; none without systems.

        ``statistics`` are those of the task, unless others are given.
        """
        systems = {len(scores) for own in scored for scores in own}
        if len(scored) != len(self.golds) or any(len(own) != len(self.metrics) for own in scored) or len(systems) != 1:
            expected = f"{pluralise(len(self.golds), 'gold')} and {pluralise(len(self.metrics), 'metric')}"
            raise UsageError(f"scores must be those of the same systems for {expected} of the task")
        statistics = statistics or Statistics.of(self.task, max(systems))
        if not max(systems):
            return {}
        tables: dict[str, TaskTable] = {}
        for gold, scores in zip(self.golds, scored, strict=True):
            tables |= self.make_gold_tables(gold, scores, statistics, set_aside, watch)
        return add_set_aside(tables, set_aside, self.task.title)

    def make_gold_tables(
        self, gold: TaskGold, scores: Sequence[Sequence[Score]], statistics: Statistics, set_aside: Sequence[SetAside], watch: Watch
    ) -> dict[str, TaskTable]:
        """Make the tables of one of the golds, from scores by metric and system."""
        made = GoldTables(self.task, gold, statistics, self.tagger, watch).make(scores)
        return {name: table.with_notes(describe_set_aside(set_aside)) for name, table in made.items()}


@contextmanager
def refusing(system: System, metric: Metric) -> Iterator[None]:
    """Raise :class:`RefusalError` for what a metric raises about the output of a system."""
    try:
        yield
    except (InputError, RequestError) as error:
        raise RefusalError(system, f"{metric} cannot score it: {error}") from None


def keep_source(corpus: Corpus) -> Corpus:
    """Make a corpus of nothing but the tokens of another, which says of itself that it is the source."""
    whole = keep_source(corpus.whole) if corpus.whole is not None else None
    sentences = tuple(Sentence(sentence.tokens) for sentence in corpus)
    return replace(corpus, sentences=sentences, name=THE_SOURCE, path=THE_SOURCE, whole=whole)


def find_metrics(task: Task, equip: Callable[[Sequence[Metric]], Sequence[Metric]] = list) -> list[Metric]:
    """Find the metrics of a task; raise if one is unknown or repeated, or another name in its settings is unknown."""
    with task.naming("metrics"):
        metrics = list(equip(_parse_metrics(task.metrics)))
    with task.naming("profile"):
        check_profile(task.profile)
    with task.naming("tokenise"):
        check_tokeniser(task.tokenise)
    return metrics


def _parse_metrics(texts: Sequence[str]) -> list[Metric]:
    metrics = [metric(text) for text in texts]
    if repeated := next((item for index, item in enumerate(metrics) if item in metrics[:index]), None):
        raise UsageError(f"{repeated} is given twice")
    return metrics


def check_golds(golds: Sequence[TaskGold]) -> None:
    """Raise unless there is gold, all of it has equally many sentences, and tables have different names."""
    if not golds:
        raise UsageError("a task must have gold, found none")
    first = golds[0].corpus
    if other := next((gold.corpus for gold in golds if len(gold.corpus) != len(first)), None):
        raise MismatchError(f"{other.path} has {pluralise(len(other), 'sentence')}, but {first.path} has {len(first):,}")
    suffixes = [gold.suffix for gold in golds]
    if len(set(suffixes)) < len(suffixes):
        raise UsageError(f"the tables of two golds would have the same names; their suffixes are {', '.join(map(repr, suffixes))}")


def check_handles(task: Task, golds: Sequence[TaskGold], teams: Sequence[str] | None = None) -> None:
    """Raise unless the types that teams say they handle are types, and the teams are systems of the task, if these are known."""
    annotated = {
        edit.type for gold in golds for sentence in gold.corpus for annotation in sentence.annotations for edit in annotation.edits
    }
    known = sorted({*TYPES, *MEMBERS, *annotated}) if task.handles else []
    with task.naming("handles"):
        for team, types in task.handles.items():
            if teams is not None and team not in teams:
                raise UsageError(f"there is no system {team[:40]!r}; choose from {', '.join(teams)}{suggest(team, teams)}")
            if unknown := next((name for name in types if name not in known), None):
                raise UsageError(f"{team}: unknown type {unknown[:40]!r}; choose from {', '.join(known)}{suggest(unknown, known)}")
