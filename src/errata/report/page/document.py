"""The whole page: all sections, the data of the sentences, style and script, in one file that needs no other."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from errata.corpus.unicode import has_characters
from errata.errors import RequestError, UsageError, pluralise
from errata.formats.lines import check_path
from errata.formats.writing import write_bytes
from errata.html import Html, element, join_html
from errata.language.tagging import AUTO_TAGGER, find_suited
from errata.language.types import ORDER
from errata.names import MOST_SENTENCES, describe_sample, sample_evenly
from errata.report.charts.drawing import DrawingProcess
from errata.report.page.data import (
    BLOCK,
    find_pictured,
    hold,
    hold_json,
    hold_packed,
    pack_blocks,
    pack_index,
    watch_nothing,
)
from errata.report.page.evaluation import build_report, type_by_tagger
from errata.report.page.sections import (
    SIGNS,
    collect_figures,
    count_exclusive,
    guesses_types,
    make_charts,
    make_differences,
    make_edits,
    make_leaderboard,
    make_making,
    make_people,
    make_types,
    name_of,
)
from errata.scoring.scores import check_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from errata.names import Detail
    from errata.report.page.data import Watch
    from errata.report.page.evaluation import Report
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap


# --- The whole page: all sections, the data of the sentences, style and script, in one file that needs no other.

_SECTIONS = {
    "leaderboard": "Scores",
    "differences": "Differences",
    "types": "Types",
    "edits": "Edits",
    "sentences": "Sentences",
    "charts": "Charts",
    "people": "People",
    "making": "How this was made",
}
_INTRODUCTION = (
    "How well systems correct sentences, compared with the corrections of annotators (gold). In sentences, ",
    element("span", SIGNS["right"], class_="sign right"),
    " marks right edits, ",
    element("span", SIGNS["wrong"], class_="sign wrong"),
    " wrong ones and ",
    element("span", SIGNS["missed"], class_="sign missed"),
    " missed ones.",
)
_NEEDS_SCRIPT = "The sentences need JavaScript, and so does the comparison of two systems by type; everything else on this page does not."


def make_page(report: Report, watch: Watch = watch_nothing) -> str:
    """Write the page; the same report gives the same bytes.  ``watch`` is told of the progress."""
    style, script = (files("errata.report.page").joinpath("assets", name).read_text("utf-8") for name in ("page.css", "page.js"))
    with watch("writing sentences", len(report.shown)) as progress:
        blocks = hold_packed(pack_blocks(report, progress), "block")
    of_scores, about_people = collect_figures(report)
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_make_policy(script, style)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{report.title or report.corpus.name} – errata report"),
        Html(f"<style>{style}</style>"),
    ]
    body = [
        element("a", "Skip to the scores", href="#leaderboard", class_="skip"),
        _make_header(report),
        element(
            "main",
            make_leaderboard(report),
            make_differences(report),
            make_types(report),
            make_edits(report),
            _make_explorer(),
            make_charts(report, of_scores),
            make_people(report.people, about_people) if report.people is not None else None,
            make_making(report),
        ),
        hold_json(_summarise(report), id="summary"),
        hold("text/plain", pack_index(report), id="index"),
        *blocks,
        Html(f"<script>{script}</script>"),
    ]
    page = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{page}\n"


def _make_policy(script: str, style: str) -> str:
    """Allow this script and this style, pictures inside the page, and nothing else."""
    hashes = [b64encode(hashlib.sha256(own.encode()).digest()).decode() for own in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _make_header(report: Report) -> Html:
    corpus = report.corpus
    shown = [name for name in _SECTIONS if name != "people" or report.people is not None]
    links = [element("a", _SECTIONS[name], href=f"#{name}") for name in shown]
    lead = join_html(
        pluralise(len(report.systems), "system"),
        " on ",
        name_of(corpus.name),
        f", {corpus.extent}, {pluralise(len(corpus.annotators), 'annotator')}",
    )
    about = element("p", *_INTRODUCTION, class_="about")
    notes = [element("p", note, class_="sampled") for note in (report.sampled, find_pictured(report)[1]) if note]
    warnings = [element("ul", *(element("li", line) for line in report.warnings), class_="warnings")] if report.warnings else []
    navigation = element("nav", *(join_html(link, " ") for link in links), aria_label="Sections")
    return element(
        "header",
        element("h1", name_of(report.title or corpus.name)),
        element("p", lead, class_="lead"),
        about,
        *notes,
        *warnings,
        navigation,
    )


def _make_explorer() -> Html:
    return element(
        "section",
        element("h2", "Sentences"),
        element("p", _NEEDS_SCRIPT, class_="needs-script"),
        element("div", id="explorer"),
        id="sentences",
    )


def _summarise(report: Report) -> dict[str, Any]:
    """What the script needs to know before it unpacks sentences."""
    judged = report.judged
    several = judged is not None and len(report.systems) > 1
    exclusive = {outcome: count_exclusive(judged, outcome) for outcome in ("right", "wrong")} if judged is not None and several else {}
    types = sorted({edit.type for own in judged.edits for edits in own for edit in edits if edit.type}) if judged is not None else []
    shown = len(report.shown)
    return {
        "systems": report.names,
        "metrics": [{"name": str(item.metric), "label": item.metric.label, "digits": 2} for item in report.rankings],
        "view": {
            "metric": str(judged.metric) if judged is not None else "",
            "columns": list(judged.metric.columns) if judged is not None else [],
            "mixed": judged is not None and judged.metric.mixes_references,
            "guessed": guesses_types(report),
        },
        "types": types,
        "sentences": shown,
        "total": len(report.corpus),
        "blocks": [min(BLOCK, shown - first) for first in range(0, shown, BLOCK)],
        "start": report.start,
        "exclusive": exclusive,
        **({"characters": True} if has_characters([sentence.tokens for sentence in report.corpus]) else {}),
    }


# --- The report page from Python.


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
    type_edits = type_by_tagger(find_suited(tagger, groups[0][0].evidence.corpus), list(ORDER), type_detail)
    with DrawingProcess() as drawer:
        sampled = describe_sample(len(shown), size) if len(shown) < size else ""
        report = build_report(groups, type_edits, bootstrap, drawer=drawer, shown=shown, sampled=sampled, title=title)
        page = make_page(report)
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
