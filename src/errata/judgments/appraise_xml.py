"""Rankings as the annotation tool Appraise exports them: XML with an element for each item.

``<ranking-item src-id="12" user="judge" duration="00:02:01.5">`` contains ``<translation system="A B" rank="1"/>`` for each output;
names of systems with the same output are separated by spaces or commas.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errata.formats.xml import ElementLimits, ElementRule, check_elements, read_elements
from errata.judgments.item_values import ItemLocation
from errata.judgments.items import HumanJudgments, RankedOutput, RankingItem

if TYPE_CHECKING:
    from errata.formats.problems import Problems
    from errata.formats.xml import Element

_AROUND = ("appraise-results", "error-correction-ranking-result", "ranking-result", "ranking-task", "set")
_MOST_TEXT = 1 << 20
_RULES = {
    "ranking-item": ElementRule(frozenset({"translation", "source", "reference"}), None),
    "translation": ElementRule(attributes=None, text=True),
    "source": ElementRule(attributes=None, text=True),
    "reference": ElementRule(attributes=None, text=True),
}
_BETWEEN_NAMES = re.compile(r"[\s,]+")


def read_appraise(path: str, problems: Problems) -> HumanJudgments:
    """Read the items of a file."""
    items: list[RankingItem] = []
    skipped = empty = 0
    for element in read_elements(path, problems, "ranking-item", _AROUND, ElementLimits(_MOST_TEXT)):
        check_elements(element, _RULES, problems)
        place = ItemLocation(problems.path, element.line)
        translations = element.named("translation")
        if place.parse_skipped(element.attributes.get("skipped", "")):
            skipped += 1
        elif not any("rank" in translation.attributes for translation in translations):
            empty += 1
        else:
            items.append(_make_item(element, translations, place))
    return HumanJudgments(tuple(items), skipped, empty, sum(len(item.outputs) == 1 for item in items))


def _make_item(element: Element, translations: list[Element], place: ItemLocation) -> RankingItem:
    attributes = element.attributes
    outputs = []
    for translation in translations:
        where = ItemLocation(place.path, translation.line)
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
