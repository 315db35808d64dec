"""The data inside a page: what its script finds, shows and compares.

Sentences are packed in blocks of a few hundred, which the page unpacks when it shows them; an index of all finds and sorts them.
Both are compressed and written in ASCII, so that they take little space and no text of them is markup.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.unicode import has_characters
from errata.display import Html
from errata.errors import RequestError
from errata.metrics.views import ShowsAlignment, ShowsGraphs
from errata.report.charts.pictures import picture_lines
from errata.settings import MOST_SENTENCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Sentence
    from errata.metrics.views import EditOutcome, JudgedEdit
    from errata.report.page.evaluation import JudgedSystems, Report
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Progress

Watch = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Makes what is told of the progress of some work, from its name and its number of steps."""


@contextmanager
def watch_nothing(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Tell nobody."""
    del what, total
    yield lambda _: None


def sample_evenly(size: int, most: int = MOST_SENTENCES) -> Sequence[int]:
    """Choose indices at equal distances; all if there are not too many.

    >>> list(sample_evenly(3, 5)), list(sample_evenly(10, 4))
    ([0, 1, 2], [0, 2, 5, 7])
    """
    return range(size) if size <= most else [number * size // most for number in range(most)]


def describe_sample(shown: int, size: int, written: str = "") -> str:
    """Say that not all sentences are in a page, and which are: those asked for, as they were ``written``, or an even sample."""
    which = f"only those asked for are listed, {shown:,} of {size:,} ({written})" if written else f"an even sample of {shown:,} of {size:,}"
    return f"Sentences: {which}. All numbers are of all sentences."


_BLOCK = 256
"""Sentences of a block."""
SEPARATOR = "\n"
"""Between the alternatives of a missed edit; no token contains it."""
_OUTCOMES = {"right": 0, "wrong": 1, "missed": 2}
_MOST_COUNTED, _LONGEST = 255, 65535
"""The largest numbers of edits and tokens that the index has; it only finds and sorts sentences."""
_MOST_PICTURES = 1_000
"""Pictures of graphs in a page; one takes some kilobytes."""
_TOKENS = (1, 2, 4)
"""The digits of source, system and reference in the columns of an alignment."""
_GZIP = 31
"""The window of zlib that writes the header of gzip, without a time."""
_LEVEL = 6


class _PageData(NamedTuple):
    """The elements that hold the data, and a sentence about what was left out, or an empty one."""

    elements: list[Html]
    note: str


def make_data(report: Report, progress: Progress) -> _PageData:
    """Make all data of a page; ``progress`` is called with the number of sentences that were just done."""
    pictured, note = _find_pictured(report)
    blocks = [
        _hold("text/plain", block, class_="block", id=f"block-{number}")
        for number, block in enumerate(_pack_blocks(report, pictured, progress))
    ]
    return _PageData([_hold_json(_summarise(report), id="summary"), _hold("text/plain", _pack_index(report), id="index"), *blocks], note)


def _pack(content: bytes) -> str:
    """Compress bytes, and write them in Base64."""
    compressor = zlib.compressobj(_LEVEL, wbits=_GZIP)
    return b64encode(compressor.compress(content) + compressor.flush()).decode("ascii")


def _pack_json(value: object) -> str:
    """Compress a value as JSON without spaces; half of a surrogate pair becomes an escape."""
    return _pack(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "backslashreplace"))


def _hold(kind: str, content: str, **names: str) -> Html:
    """Make an element that holds data for the script; the data have no ``<``."""
    attributes = "".join(f' {key.rstrip("_")}="{value}"' for key, value in names.items())
    return Html(f'<script type="{kind}"{attributes}>{content}</script>')


def _hold_json(value: object, **names: str) -> Html:
    r"""Make an element that holds JSON.

    >>> _hold_json(["</script>"], id="summary")
    '<script type="application/json" id="summary">["\\u003c/script>"]</script>'
    """
    return _hold("application/json", json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"), **names)


def _summarise(report: Report) -> dict[str, Any]:
    """What the script needs to know before it unpacks sentences."""
    judged = report.judged
    several = judged is not None and len(report.systems) > 1
    exclusive = {outcome: _count_exclusive(judged, outcome) for outcome in ("right", "wrong")} if judged is not None and several else {}
    types = sorted({edit.type for own in judged.edits for edits in own for edit in edits if edit.type}) if judged is not None else []
    shown = len(report.shown)
    return {
        "systems": report.names,
        "metrics": [{"name": str(item.metric), "label": item.metric.label, "digits": 2} for item in report.rankings],
        "view": {
            "metric": str(judged.metric) if judged is not None else "",
            "columns": list(judged.metric.columns) if judged is not None else [],
            "mixed": judged is not None and judged.metric.mixes_references,
            "guessed": report.types_are_inferred,
        },
        "types": types,
        "sentences": shown,
        "total": len(report.corpus),
        "blocks": [min(_BLOCK, shown - first) for first in range(0, shown, _BLOCK)],
        "start": report.start,
        "exclusive": exclusive,
        **({"characters": True} if has_characters([sentence.tokens for sentence in report.corpus]) else {}),
    }


def _count_exclusive(judged: JudgedSystems, outcome: EditOutcome) -> dict[str, list[list[int]]]:
    """Count the edits with an outcome that one system has and another has not: for each type, system and other system."""
    owners: dict[tuple[int, int, int, str], dict[int, str]] = {}
    for system, sentences in enumerate(judged.edits):
        for index, edits in enumerate(sentences):
            for edit in edits:
                if edit.outcome == outcome:
                    owners.setdefault((index, edit.start, edit.end, edit.corrections[0]), {})[system] = edit.type or ""
    systems = range(len(judged.edits))
    tables: dict[str, list[list[int]]] = {}
    for owned, count in Counter(tuple(own.items()) for own in owners.values()).items():
        having = dict(owned)
        for system, name in owned:
            table = tables.setdefault(name, [[0] * len(systems) for _ in systems])
            for other in systems:
                if other not in having:
                    table[system][other] += count
    return dict(sorted(tables.items()))


def _pack_blocks(report: Report, pictured: Sequence[Score] | None, progress: Progress) -> Iterator[str]:
    aligned = _find_aligned(report)
    for first in range(0, len(report.shown), _BLOCK):
        block = [_describe_sentence(report, index, aligned, pictured) for index in report.shown[first : first + _BLOCK]]
        yield _pack_json(block)
        progress(len(block))


def _find_aligned(report: Report) -> Sequence[Score] | None:
    """Find the scores of a metric that aligns texts token by token."""
    return next((ranking.scores for ranking in report.rankings if isinstance(ranking.scores[0].output, ShowsAlignment)), None)


def _find_pictured(report: Report) -> tuple[Sequence[Score] | None, str]:
    """Find the scores of a metric that compares graphs, or say why their pictures are not in the page."""
    own = next((ranking.scores for ranking in report.rankings if isinstance(ranking.scores[0].output, ShowsGraphs)), None)
    if own is not None and len(report.shown) * len(own) > _MOST_PICTURES:
        return None, f"Pictures of graphs are left out, because there are more than {_MOST_PICTURES:,}; --sentences chooses some sentences."
    return own, ""


def _draw_graphs(score: Score, index: int) -> str:
    """Draw the graphs of a sentence and its output; nothing if they are too large for a picture."""
    output = score.output
    try:
        return "\n".join(picture_lines(output.aligned_graphs(index))) if isinstance(output, ShowsGraphs) else ""
    except RequestError:
        return ""


def _describe_sentence(report: Report, index: int, aligned: Sequence[Score] | None, pictured: Sequence[Score] | None) -> dict[str, Any]:
    sentence = report.corpus[index]
    record: dict[str, Any] = {"n": report.corpus.numbers[index], "s": sentence.text}
    if sentence.document:
        record["d"] = sentence.document
    record["a"] = [
        [annotation.annotator, [[edit.start, edit.end, edit.type, list(edit.corrections)] for edit in annotation.edits]]
        for annotation in sentence.annotations
    ]
    record["y"] = [_describe_output(report, number, index, sentence, aligned, pictured) for number in range(len(report.systems))]
    return record


def _describe_output(
    report: Report, number: int, index: int, sentence: Sentence, aligned: Sequence[Score] | None, pictured: Sequence[Score] | None
) -> dict[str, Any]:
    """The output of a system: its judged edits, the chosen reference and its counts, and the text if edits do not give it."""
    record: dict[str, Any] = {}
    edits: Sequence[JudgedEdit] = ()
    if report.judged is not None:
        evidence, edits = report.judged.scores[number].evidence, report.judged.edits[number][index]
        record["e"] = [[_OUTCOMES[edit.outcome], edit.start, edit.end, SEPARATOR.join(edit.corrections), edit.type or ""] for edit in edits]
        if evidence.chosen is not None:
            row = evidence.chosen[index]
            record["c"], record["k"] = evidence.labels[index][row], evidence.rows[index][row]
    output = " ".join(report.systems[number].sentences[index])
    if output != _apply(sentence, edits):
        record["h"] = output
    if pictured is not None and (picture := _draw_graphs(pictured[number], index)):
        record["g"] = picture
    if aligned is not None:
        record["x"] = _describe_alignment(aligned[number], report.corpus.numbers[index])
    return record


def _apply(sentence: Sentence, edits: Sequence[JudgedEdit]) -> str:
    """The source with the edits of a system, as the page shows it."""
    parts: list[str] = []
    done = 0
    for edit in edits:
        if edit.outcome == "missed":
            continue
        parts += sentence.tokens[done : edit.start]
        parts += [edit.corrections[0]] if edit.corrections[0] else []
        done = max(done, edit.end)
    return " ".join([*parts, *sentence.tokens[done:]])


def _describe_alignment(score: Score, number: int) -> list[str]:
    """The reference that a sentence is aligned with, and a digit for each column: which of the three texts have a token there."""
    columns = score.alignment(number).columns
    reference = " ".join(column.reference for column in columns if column.reference is not None)
    digits = "".join(str(sum(digit for digit, token in zip(_TOKENS, column, strict=True) if token is not None)) for column in columns)
    return [reference, digits]


def _pack_index(report: Report) -> str:
    """Pack what finds and sorts sentences: arrays of values, numbers, lengths, counted edits and numbers of different outputs."""
    import numpy as np

    shown = np.array(report.shown, dtype=np.int64)
    values = [score.evidence.sentence_values[shown] for ranking in report.rankings for score in ranking.scores]
    numbers = np.array(report.corpus.numbers, dtype="<u4")[shown]
    lengths = np.array([min(len(report.corpus[index].tokens), _LONGEST) for index in report.shown], dtype="<u2")
    arrays = [*(np.asarray(own, dtype="<f4") for own in values), numbers, lengths, *_count_outcomes(report)]
    different = [len({system.sentences[index] for system in report.systems}) for index in report.shown]
    arrays.append(np.minimum(np.array(different), _MOST_COUNTED).astype(np.uint8))
    return _pack(b"".join(array.tobytes() for array in arrays))


def _count_outcomes(report: Report) -> Iterator[Any]:
    """Yield right, wrong and missed edits of each system, for all sentences."""
    import numpy as np

    for number in range(len(report.systems)):
        counts = np.zeros((len(_OUTCOMES), len(report.shown)), dtype=np.int64)
        if report.judged is not None:
            for position, index in enumerate(report.shown):
                for edit in report.judged.edits[number][index]:
                    counts[_OUTCOMES[edit.outcome], position] += 1
        yield np.minimum(counts, _MOST_COUNTED).astype(np.uint8)
