"""Read judgments from files: XML of Appraise, or tables of items or pairs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import FormatError, InputError, UsageError
from errata.formats.lines import display_path, without_compression
from errata.formats.problems import WarnOnce, warn_in_python
from errata.formats.tables import find_repeated, find_table_format, list_columns, open_table, warn_of_misspelt
from errata.formats.xml import ElementLimits, ElementRule, check_elements, read_elements
from errata.studies.judgments.items import HumanJudgments, RankedOutput, RankingItem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from errata.formats.problems import Problem, Problems
    from errata.formats.tables import OpenTable
    from errata.formats.xml import Element


_MOST_DIGITS = 9
_SHOWN = 40
_DURATION = re.compile(r"(\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)", re.ASCII)
_SKIPPED = {"": False, "0": False, "false": False, "no": False, "1": True, "true": True, "yes": True}


class _ItemLocation(NamedTuple):
    """Where a value stands."""

    path: str
    line: int

    def expected(self, what: str, found: object) -> FormatError:
        """Make an error."""
        return FormatError(self.path, self.line, f"expected {what}, found {str(found)[:_SHOWN]!r}")

    def parse_sentence(self, text: str) -> int:
        """Parse the number of a sentence."""
        if not _is_number(text):
            raise self.expected("the number of a sentence", text)
        return int(text)

    def parse_rank(self, text: str) -> int:
        """Parse a rank."""
        if not _is_number(text) or int(text) < 1:
            raise self.expected("a rank, which is a whole number from 1", text)
        return int(text)

    def parse_skipped(self, text: str) -> bool:
        """Parse whether a judge skipped the item."""
        if text.lower() not in _SKIPPED:
            raise self.expected("0 or 1 for whether the item was skipped", text)
        return _SKIPPED[text.lower()]

    def parse_judge(self, text: str) -> str:
        """Check the name of a judge."""
        if not text.strip():
            raise self.expected("the name of a judge", text)
        return text

    def parse_seconds(self, text: str) -> float:
        """Parse a duration."""
        if (match := _DURATION.fullmatch(text)) is None:
            raise self.expected("a duration such as 00:02:01.5", text)
        return 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])

    def check_outputs(self, outputs: Sequence[RankedOutput]) -> tuple[RankedOutput, ...]:
        """Check that outputs have names, and that no system occurs twice."""
        seen: set[str] = set()
        for output in outputs:
            if not output.systems or not all(output.systems):
                raise self.expected("the names of systems", ",".join(output.systems))
            for name in output.systems:
                if name in seen:
                    raise FormatError(self.path, self.line, f"the system {name[:_SHOWN]!r} is ranked twice in one item")
                seen.add(name)
        return tuple(outputs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


# Rankings as the annotation tool Appraise exports them: XML with an element for each item.  ``<ranking-item src-id="12" user="judge"
# duration="00:02:01.5">`` contains ``<translation system="A B" rank="1"/>`` for each output; names of systems with the same output are
# separated by spaces or commas.

_AROUND = ("appraise-results", "error-correction-ranking-result", "ranking-result", "ranking-task", "set")
_MOST_TEXT = 1 << 20
_RULES = {
    "ranking-item": ElementRule(frozenset({"translation", "source", "reference"}), None),
    "translation": ElementRule(attributes=None, text=True),
    "source": ElementRule(attributes=None, text=True),
    "reference": ElementRule(attributes=None, text=True),
}
_BETWEEN_NAMES = re.compile(r"[\s,]+")


def _read_appraise(path: str, problems: Problems) -> HumanJudgments:
    """Read the items of a file."""
    items: list[RankingItem] = []
    skipped = empty = 0
    for element in read_elements(path, problems, "ranking-item", _AROUND, ElementLimits(_MOST_TEXT)):
        check_elements(element, _RULES, problems)
        place = _ItemLocation(problems.path, element.line)
        translations = element.named("translation")
        if place.parse_skipped(element.attributes.get("skipped", "")):
            skipped += 1
        elif not any("rank" in translation.attributes for translation in translations):
            empty += 1
        else:
            items.append(_make_item(element, translations, place))
    return HumanJudgments(tuple(items), skipped, empty, sum(len(item.outputs) == 1 for item in items))


def _make_item(element: Element, translations: list[Element], place: _ItemLocation) -> RankingItem:
    attributes = element.attributes
    outputs = []
    for translation in translations:
        where = _ItemLocation(place.path, translation.line)
        missing = next((name for name in ("system", "rank") if name not in translation.attributes), None)
        if missing is not None:
            raise where.expected(f"the attribute {missing} of <translation>", "none")
        names = tuple(_BETWEEN_NAMES.split(translation.attributes["system"].strip(", \t\r\n")))
        outputs.append(RankedOutput(names, where.parse_rank(translation.attributes["rank"])))
    sentence = attributes.get("src-id", attributes.get("id"))
    if sentence is None or "user" not in attributes:
        raise place.expected("the attributes src-id and user of <ranking-item>", " ".join(sorted(attributes)) or "none")
    seconds = place.parse_seconds(attributes["duration"]) if attributes.get("duration") else None
    judge = place.parse_judge(attributes["user"])
    return RankingItem(place.parse_sentence(sentence), judge, place.check_outputs(outputs), seconds, *place)


# Rankings in tables, CSV or TSV: an item in each row, or a pair of outputs in each row.  A table of items has the columns ``sentence``,
# ``judge``, ``ranking`` and perhaps ``skipped``; a ranking is ``A,B=1 C=2``, outputs separated by spaces, names of systems with the same
# output by commas.  A table of pairs has a system and its rank twice: ``system1``, ``rank1``, ``system2``, ``rank2``, ``sentence``,
# ``judge``, or the names of the campaigns of WMT: ``system1Id``, ``system1rank``, ....

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


def _read_judgment_table(path: str, problems: Problems) -> HumanJudgments:
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


def _read_rows(table: OpenTable, roles: dict[str, str], path: str) -> Iterator[tuple[_ItemLocation, dict[str, str]]]:
    for chunk in table.chunks(list(roles.values())):
        for row in range(chunk.rows):
            yield _ItemLocation(path, chunk.lines.of(row)), {role: chunk.columns[name][row] for role, name in roles.items()}


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


def _parse_output(text: str, place: _ItemLocation) -> RankedOutput:
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


def read_judgments(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]], *, warn: Callable[[Problem], None] = warn_in_python
) -> HumanJudgments:
    """Read one or several files of the same campaign: ``.xml`` as Appraise writes it, ``.csv`` or ``.tsv``, also compressed.

    Items that judges skipped, and items without a ranking, are counted.
    """
    given = [paths] if not isinstance(paths, (list, tuple)) else list(paths)
    if not given:
        raise UsageError("there is no file of judgments")
    if (twice := find_repeated([str(path) for path in given])) is not None:  # its items would count twice
        raise UsageError(f"{display_path(twice)} is given twice")
    read = [_read(str(path), warn) for path in given]
    items = tuple(item for judgments in read for item in judgments.items)
    if not items:
        raise InputError(f"{', '.join(display_path(str(path)) for path in given)}: there are no ranked items")
    return HumanJudgments(items, *(sum(getattr(judgments, name) for judgments in read) for name in ("skipped", "empty", "single")))


def _read(path: str, warn: Callable[[Problem], None]) -> HumanJudgments:
    problems = WarnOnce(display_path(path), warn)
    if without_compression(path.lower()).endswith(".xml"):
        return _read_appraise(path, problems)
    return _read_judgment_table(path, problems)
