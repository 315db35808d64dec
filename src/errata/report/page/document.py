"""The whole page: all sections, the data of the sentences, style and script, in one file that needs no other."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

from errata.display import Html, element
from errata.errors import RequestError, UsageError
from errata.formats.lines import check_path
from errata.formats.writing import write_bytes
from errata.language.tagging import AUTO_TAGGER, suit
from errata.language.types import ORDER
from errata.report.charts.drawing import DrawingProcess
from errata.report.page.data import describe_sample, make_data, sample_evenly, watch_nothing
from errata.report.page.evaluation import build_report, type_by_tagger
from errata.report.page.sections import make_content
from errata.scoring.scores import check_scores
from errata.settings import MOST_SENTENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.scoring.scores import Score
    from errata.settings import Detail
    from errata.stats.bootstrap import Bootstrap


def make_page(report: Report, watch: Watch = watch_nothing) -> str:
    """Write the page; the same report gives the same bytes.  ``watch`` is told of the progress."""
    style, script = (files("errata.report.page").joinpath("assets", name).read_text("utf-8") for name in ("page.css", "page.js"))
    with watch("writing sentences", len(report.shown)) as progress:
        data, note = make_data(report, progress)
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_make_policy(script, style)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{report.title or report.corpus.name} – errata report"),
        Html(f"<style>{style}</style>"),
    ]
    body = [*make_content(report, note), *data, Html(f"<script>{script}</script>")]
    page = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{page}\n"


def _make_policy(script: str, style: str) -> str:
    """Allow this script and this style, pictures inside the page, and nothing else."""
    hashes = [b64encode(hashlib.sha256(own.encode()).digest()).decode() for own in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


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
    groups = _group_scores(check_scores(scores))
    size = groups[0][0].evidence.size
    if type(max_sentences) is not int or not 1 <= max_sentences <= MOST_SENTENCES:
        raise UsageError(f"max_sentences must be a whole number from 1 to {MOST_SENTENCES:,}, found {max_sentences!r:.40}")
    shown = sample_evenly(size, max_sentences)
    type_edits = type_by_tagger(suit(tagger, groups[0][0].evidence.corpus), list(ORDER), type_detail)
    with DrawingProcess() as drawer:
        sampled = describe_sample(len(shown), size) if len(shown) < size else ""
        report = build_report(groups, type_edits, bootstrap, drawer=drawer)
        page = make_page(replace(report, shown=shown, sampled=sampled, title=title))
    if path is not None:
        write_bytes(check_path(path), page.encode("utf-8", "backslashreplace"))
    return page


def _group_scores(scores: Sequence[Score]) -> list[list[Score]]:
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
