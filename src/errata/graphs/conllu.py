"""CoNLL-U: dependency trees as graphs, so that any dependency parser can be used.

Every word is a unit that spans its subtree; its relation is the category.  The words of the text are surface words, so the parts of
a contraction share one.  Empty nodes and enhanced dependencies are skipped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.corpus.graphs import Edge, Graph, Unit
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import FormatError, InputError, pluralise
from errata.formats.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats.lines import Line
    from errata.formats.problems import Problems

_COLUMNS = 10
_PUNCTUATION = "punct"
_MOST_DIGITS = 9
_EMPTY_NODE = re.compile(r"\d+\.\d+")


def read_conllu(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Graph]:
    """Yield the sentences of a file."""
    rows: list[Line] = []
    name, count = "", 0
    too_long = False
    for line in read_lines(path, problems, advice="such a line is not a word"):
        if too_long:  # only if problems are listed
            too_long = bool(line.text.strip())
            continue
        if line.text.startswith("#"):
            key, _, value = line.text[1:].partition("=")
            name = value.strip() if key.strip() == "sent_id" else name
        elif line.text.strip():
            rows.append(line)
            if len(rows) > max_tokens:
                problems.error(line.number, f"more than {max_tokens:,} tokens in a sentence; {RAISE_LIMIT}")
                too_long, rows, name, count = True, [], "", count + 1
        elif rows:
            count += 1
            yield from _sentence(rows, name or str(count), problems)
            rows, name = [], ""
    if rows:
        yield from _sentence(rows, name or str(count + 1), problems)


def _sentence(rows: list[Line], name: str, problems: Problems) -> Iterator[Graph]:
    try:
        yield _graph(rows, name, f"{problems.path}:{rows[0].number}", problems)
    except FormatError:
        raise
    except InputError as error:
        problems.error(rows[0].number, str(error))


def _graph(rows: list[Line], name: str, location: str, problems: Problems) -> Graph:
    tokens: list[str] = []
    units = [Unit("0", kind="root")]
    heads: list[tuple[Line, str, str]] = []
    within = 0
    """The last word of the current contraction."""
    for line in rows:
        fields = line.text.split("\t")
        if len(fields) != _COLUMNS:
            problems.error(line.number, f"expected {_COLUMNS} columns separated by tabs, found {len(fields)}")
            continue
        number, form, head, relation = fields[0], fields[1], fields[6], fields[7]
        if _EMPTY_NODE.fullmatch(number):
            continue
        first, dash, last = number.partition("-")
        if not form.strip():
            problems.error(line.number, f"the word {number} has no text")
        if _parse_number(first) != len(units) or (dash and (_parse_number(last) < len(units) or len(units) <= within)):
            problems.error(line.number, f"expected the word {len(units)}, found {number[:40]!r}")
            continue
        if dash:
            tokens.append(form)
            within = _parse_number(last)
            continue
        if len(units) > within:
            tokens.append(form)
        units.append(Unit(number, (len(tokens) - 1,), "punctuation" if relation == _PUNCTUATION else "unit", label=form))
        heads.append((line, head, relation))
    if within >= len(units):
        problems.error(rows[-1].number, f"a contraction ends at word {within}, but the sentence has {pluralise(len(units) - 1, 'word')}")
    edges = []
    for child, (line, head, relation) in enumerate(heads, start=1):
        if not 0 <= _parse_number(head) < len(units):
            problems.error(line.number, f"the head of word {child} is {head[:40]!r}, but there is no such word")
            continue
        edges.append(Edge(_parse_number(head), child, (relation,)))
    marks = {unit.anchors[0] for unit in units if unit.kind == "punctuation"} - {
        unit.anchors[0] for unit in units[1:] if unit.kind == "unit"
    }
    return Graph(name, tuple(tokens), tuple(units), tuple(edges), "ud", frozenset(marks), location=location)


def _parse_number(text: str) -> int:
    """Parse the number of a word; -1 if it is not a number."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else -1
