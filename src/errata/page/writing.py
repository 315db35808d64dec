"""The report page from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import RequestError, UsageError
from errata.formats.lines import check_path
from errata.formats.writing import write_bytes
from errata.language.tagging import AUTO_TAGGER, find_suited
from errata.language.types import ORDER
from errata.names import MOST_SENTENCES, describe_sample, sample_evenly
from errata.page.document import make_page
from errata.page.edit_typing import type_by_tagger
from errata.page.evaluation import build_report
from errata.report.charts.drawing_process import DrawingProcess
from errata.scoring.scores import check_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from errata.names import Detail
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap


def report_page(
    scores: Iterable[Score],
    path: str | PathLike[str] | None = None,
    *,
    title: str = "",
    bootstrap: Bootstrap | None = None,
    tagger: str | None = AUTO_TAGGER,
    type_detail: Detail = "full",
    max_sentences: int = MOST_SENTENCES,
) -> str:
    """Make the page of ``errata report`` of the scores of some systems on one corpus, with one or more metrics; write it to a path.

    The page is one HTML file, which needs no network.
    ``tagger`` gives wrong edits their types: ``auto`` is TextBlob for English, and none for other languages; None is none.
    A page has at most ``max_sentences`` sentences, of a larger corpus an even sample; all numbers are of all sentences.

    >>> import errata
    >>> score = errata.score(errata.read("examples/learner.m2").subset("1-9"), errata.read_system("examples/systems/eager.txt"))
    >>> report_page([score], title="Nine sentences", bootstrap=errata.Bootstrap(replicates=100)).startswith("<!doctype html>")
    True
    """
    groups = group_scores(check_scores(scores))
    size = groups[0][0].evidence.size
    if type(max_sentences) is not int or not 1 <= max_sentences <= MOST_SENTENCES:
        raise UsageError(f"max_sentences must be a whole number from 1 to {MOST_SENTENCES:,}, found {max_sentences!r:.40}")
    shown = sample_evenly(size, max_sentences)
    type_edits = type_by_tagger(find_suited(tagger, groups[0][0].evidence.corpus), list(ORDER), type_detail)
    with DrawingProcess() as drawer:
        sampled = describe_sample(len(shown), size) if len(shown) < size else ""
        report = build_report(groups, type_edits, bootstrap, drawer=drawer, shown=shown, sampled=sampled, title=title)
        page = make_page(report)
    if path is not None:
        write_bytes(check_path(path), page.encode("utf-8", "backslashreplace"))
    return page


def group_scores(scores: Sequence[Score]) -> list[list[Score]]:
    """Group scores by metric; raise unless the same systems were scored on the same corpus with each."""
    if not scores:
        raise UsageError("a report needs one score or more, found none")
    groups: dict[str, list[Score]] = {}
    for score in scores:
        groups.setdefault(str(score.metric), []).append(score)
    first = next(iter(groups.values()))
    names = [score.system_name for score in first]
    if len(set(names)) < len(names):
        raise UsageError(f"systems must have different names, found {next(name for name in names if names.count(name) > 1)} twice")
    for metric, own in groups.items():
        if [score.system_name for score in own] != names:
            raise UsageError(f"a report needs the same systems, in the same order, with every metric; those of {metric} are others")
    corpus = first[0].evidence.corpus
    if any(score.evidence.corpus is not corpus and score.evidence.corpus != corpus for score in scores):
        raise RequestError("a report needs scores on one corpus, found several")
    return list(groups.values())
