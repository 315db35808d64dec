"""Tables of a task: a ranking and scores by type, without and with alternative answers (Ng et al. 2013, Tables 7 to 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus import check_same_length
from errata.errors import UsageError
from errata.formats import name_systems, read, read_system
from errata.formats.names import guess_format
from errata.formats.sentence_lists import read_sentence_list
from errata.gold.filtering import keep_types
from errata.language.edit_types import MEMBERS, ORDER
from errata.metrics import metric
from errata.nucle import read_nucle
from errata.nucle.conversion import PROFILES
from errata.nucle.types import TYPES
from errata.ranges import looks_like_ranges
from errata.report import HEADINGS, Cell, Column, Table
from errata.scoring import Evaluator
from errata.scoring.by_type import count_types, has_types, takes_tagger
from errata.scoring.scores import best_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from errata.corpus import Corpus, System
    from errata.formats import Problem
    from errata.language.tagging import Tagger
    from errata.scoring import Score
    from errata.task.definition import Task


def make_task_tables(
    task: Task, tagger: Tagger | None, warn: Callable[[Problem], None], progress: Callable[[int], None]
) -> dict[str, Table]:
    """Make all tables of a task, by file name."""
    with task.naming("metrics"):
        metrics = [metric(text) for text in task.metrics]
    with task.naming("profile"):
        _check_profile(task.profile)
    names = name_systems(task.systems)
    systems: list[System] = []
    tables: dict[str, Table] = {}
    for setting, whole in _read_corpora(task, warn):
        corpus = _subset(task, whole)
        systems = systems or [read_system(path, name=name, gold=whole) for path, name in zip(task.systems, names, strict=True)]
        for system in systems:
            check_same_length(whole, system)
        for index, own in enumerate(metrics):
            suffix = f"{setting}{f'-{index + 1}' if len(task.metrics) > 1 else ''}"
            with task.naming("metrics"):
                evaluate = Evaluator(corpus, own)
            scores = []
            for system in systems:
                scores.append(evaluate(system))
                progress(1)
            answers = "with alternative answers" if setting else "without alternative answers"
            title = f"{task.title}: scores {answers}" if task.title else f"Scores {answers}"
            tables[f"ranking{suffix}"] = make_ranking(scores, title)
            if all(has_types(score) for score in scores):
                typed = make_typed_table(scores, tagger, f"{title}, by error type", task.types)
                tables[f"types{suffix}"] = typed
    return tables


def count_scorings(task: Task) -> int:
    """Count the scorings of a task, for a progress bar."""
    return len(task.systems) * len(task.metrics) * (2 if task.alternatives else 1)


def _read_corpora(task: Task, warn: Callable[[Problem], None]) -> Iterator[tuple[str, Corpus]]:
    """Read the gold without alternative answers, and with them."""
    if guess_format(task.gold[0]) != "sgml":
        for key in ("profile", "tokens"):
            if getattr(task, key):
                raise UsageError(f"{task.path}: {key} needs essays (SGML), but {task.gold[0]} is not SGML")
        if len(task.gold) > 1 or len(task.alternatives) > 1:
            raise UsageError(
                f"{task.path}: several files can be combined only if they are SGML; else name one gold file, and one file with all "
                "alternatives"
            )
        for setting, paths in (("", task.gold), ("-alternatives", task.alternatives)):
            for path in paths:
                corpus = read(path, warn=warn)
                with task.naming("types"):
                    corpus = keep_types(corpus, task.types, TYPES) if task.types else corpus
                yield setting, corpus
        return
    settings: dict[str, Any] = {"profile": task.profile or "conll14", "types": task.types or None, "tokens": task.tokens or None}
    with task.naming("types"):
        corpus = read_nucle(task.gold, warn=warn, **settings)
    yield "", corpus
    if task.alternatives:
        with task.naming("types"):
            corpus = read_nucle(task.gold, alternatives=task.alternatives, warn=warn, **settings)
        yield "-alternatives", corpus


def _subset(task: Task, corpus: Corpus) -> Corpus:
    """Keep the sentences that the task names, if it does."""
    if not task.sentences:
        return corpus
    with task.naming("sentences"):
        return corpus.subset(task.sentences if looks_like_ranges(task.sentences) else read_sentence_list(task.sentences, len(corpus)))


def _check_profile(name: str) -> None:
    if name and name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; choose from {', '.join(PROFILES)}")


def make_ranking(scores: list[Score], title: str) -> Table:
    """Make the ranking of systems; equal scores share a rank."""
    ordered = sorted(scores, key=best_first)
    shown = ordered[0].shown
    columns = (
        Column("Rank", "count", "rank"),
        Column("System", key="system"),
        *(
            Column(HEADINGS.get(name, name.capitalize()), "percent" if isinstance(part, float) else "count", name)
            for name, part in shown.items()
        ),
        Column(ordered[0].metric.label, "percent", "value"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (1 + sum(other.value > score.value for other in ordered), score.system_name, *score.shown.values(), score.value)
        for score in ordered
    )
    notes = (ordered[0].signature, ordered[0].metric.explanation)
    return Table(columns, rows, title, tuple(note for note in notes if note))


def make_typed_table(scores: list[Score], tagger: Tagger | None, title: str, types: list[str]) -> Table:
    """Make the table of recall, precision and F by type, with one row per system; with a tagger, Vform and SVA are one type."""
    use = tagger if all(takes_tagger(score) for score in scores) else None
    by_system = [{counts.type: counts for counts in count_types(score, use)} for score in scores]
    together = {member for name, members in MEMBERS.items() if use is not None for member in members}
    with_gold = {name for counts in by_system for name, item in counts.items() if item.gold and name not in together | {"all"}}
    names = [name for name in ORDER if name in with_gold] + sorted(with_gold - set(ORDER))
    wanted = [name for name in names if not types or name in types or set(MEMBERS.get(name, ())) & set(types)]
    beta = 1.0 if scores[0].metric.beta is None else scores[0].metric.beta
    columns: list[Column] = [Column("System", key="system")]
    for name in wanted:
        columns += [Column(f"{name} R", "percent", f"{name}_recall")]
        if use is not None and name in ORDER:
            columns += [Column(f"{name} P", "percent", f"{name}_precision"), Column(f"{name} F{beta:g}", "percent", f"{name}_f")]
    rows: list[tuple[Cell, ...]] = []
    for score, counts in sorted(zip(scores, by_system, strict=True), key=lambda pair: best_first(pair[0])):
        cells: list[Cell] = [score.system_name]
        for name in wanted:
            precision, recall, f = counts[name].measures(beta) if name in counts else (None, None, None)
            cells += [recall, precision, f] if use is not None and name in ORDER else [recall]
        rows.append(tuple(cells))
    signature = f"{scores[0].signature} | tagger {use.name if use is not None else 'none'}"
    return Table(tuple(columns), tuple(rows), title, (signature,))
