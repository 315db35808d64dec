"""Rankings in tables, CSV or TSV: an item in each row, or a pair of outputs in each row.

A table of items has the columns ``sentence``, ``judge``, ``ranking`` and perhaps ``skipped``; a ranking is ``A,B=1 C=2``, outputs
separated by spaces, names of systems with the same output by commas.  A table of pairs has a system and its rank twice: ``system1``,
``rank1``, ``system2``, ``rank2``, ``sentence``, ``judge``, or the names of the campaigns of WMT: ``system1Id``, ``system1rank``, ....
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.errors import FormatError, UsageError
from errata.formats.lines import display_path
from errata.formats.tables import find_repeated, find_table_format, list_columns, open_table, warn_of_misspelt
from errata.judgments.item_values import ItemLocation
from errata.judgments.items import HumanJudgments, RankedOutput, RankingItem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.formats.problems import Problems
    from errata.formats.tables import OpenTable

_RANK_BEFORE_COMMA = re.compile(r"=\d+,", re.ASCII)
_ITEM: dict[str, tuple[str, ...]] = {"sentence": ("sentence",), "judge": ("judge",), "ranking": ("ranking",), "skipped": ("skipped",)}
_PAIR: dict[str, tuple[str, ...]] = {
    "sentence": ("sentence", "srcIndex"),
    "judge": ("judge", "judgeID", "judgeId"),
    "system1": ("system1", "system1Id"),
    "rank1": ("rank1", "system1rank"),
    "system2": ("system2", "system2Id"),
    "rank2": ("rank2", "system2rank"),
}


def read_judgment_table(path: str, problems: Problems) -> HumanJudgments:
    """Read a table of items or of pairs; its header says which it is."""
    format_ = find_table_format(path)
    if format_ not in {"csv", "tsv"}:
        raise UsageError(f"judgments must have the extension .xml, .csv or .tsv, found {display_path(path)!r}")
    with open_table(path, format_, quoted=format_ == "csv") as table:
        if (twice := find_repeated(table.header)) is not None:
            raise FormatError(problems.path, 1, f"two columns are named {twice[:40]!r}")
        of_items = "ranking" in table.header
        roles = _find_columns(table.header, _ITEM if of_items else _PAIR, problems.path)
        warn_of_misspelt(table.header, list(roles.values()), _ITEM if of_items else _PAIR, problems.path, problems.warn)
        return _read_items(table, roles, problems.path) if of_items else _read_pairs(table, roles, problems.path)


def _find_columns(header: Sequence[str], names: dict[str, tuple[str, ...]], path: str) -> dict[str, str]:
    found = {role: next((name for name in known if name in header), None) for role, known in names.items()}
    missing = [role for role, name in found.items() if name is None and role != "skipped"]
    if missing:
        expected = "sentence, judge and ranking, or sentence, judge, system1, rank1, system2 and rank2"
        raise FormatError(path, 1, f"expected the columns {expected}, found {list_columns(header)}; there is no {missing[0]}")
    return {role: name for role, name in found.items() if name is not None}


def _read_rows(table: OpenTable, roles: dict[str, str], path: str) -> Iterator[tuple[ItemLocation, dict[str, str]]]:
    for chunk in table.chunks(list(roles.values())):
        for row in range(chunk.rows):
            yield ItemLocation(path, chunk.lines.of(row)), {role: chunk.columns[name][row] for role, name in roles.items()}


def _read_items(table: OpenTable, roles: dict[str, str], path: str) -> HumanJudgments:
    items: list[RankingItem] = []
    skipped = empty = 0
    for place, values in _read_rows(table, roles, path):
        if place.parse_skipped(values.get("skipped", "")):
            skipped += 1
        elif not values["ranking"].strip():
            empty += 1
        else:
            outputs = [_parse_output(text, place) for text in values["ranking"].split()]
            sentence, judge = place.parse_sentence(values["sentence"]), place.parse_judge(values["judge"])
            items.append(RankingItem(sentence, judge, place.check_outputs(outputs), None, *place))
    return HumanJudgments(tuple(items), skipped, empty, sum(len(item.outputs) == 1 for item in items))


def _parse_output(text: str, place: ItemLocation) -> RankedOutput:
    names, equals, rank = text.rpartition("=")
    if not equals:
        raise place.expected("an output with its rank, such as A,B=1", text)
    if _RANK_BEFORE_COMMA.search(names):  # else A=1,B=2 would be one output of the systems "A=1" and "B"
        raise place.expected("outputs that are separated by spaces, such as A,B=1 C=2", text)
    return RankedOutput(tuple(names.split(",")), place.parse_rank(rank))


def _read_pairs(table: OpenTable, roles: dict[str, str], path: str) -> HumanJudgments:
    items = []
    for place, values in _read_rows(table, roles, path):
        outputs = [RankedOutput((values[f"system{side}"].strip(),), place.parse_rank(values[f"rank{side}"])) for side in (1, 2)]
        sentence, judge = place.parse_sentence(values["sentence"]), place.parse_judge(values["judge"])
        items.append(RankingItem(sentence, judge, place.check_outputs(outputs), None, *place))
    return HumanJudgments(tuple(items))
