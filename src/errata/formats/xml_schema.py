"""Which elements, attributes and texts an element of XML may contain; what is misspelt must not be skipped in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.formats.problems import Problems
    from errata.formats.xml_elements import Element

_MOST_SHOWN = 40


class ElementRule(NamedTuple):
    """What an element may contain."""

    children: frozenset[str] = frozenset()
    attributes: frozenset[str] | None = frozenset()
    """None: any."""
    text: bool = False


def check_elements(element: Element, rules: Mapping[str, ElementRule], problems: Problems) -> bool:
    """Check an element and all elements inside it: an unknown element or text is an error, an unknown attribute is skipped.

    Return whether there is no error.
    """
    fine = True
    for item in element.walk():
        rule = rules.get(item.name)
        if rule is None:
            continue  # it has been reported with the element around it
        where = f"column {item.column}: "
        for name in sorted(item.attributes.keys() - rule.attributes) if rule.attributes is not None else ():
            problems.skipped(item.line, f"{where}the unknown attribute {name[:_MOST_SHOWN]!r} of <{item.name}>")
        for child in item.children:
            if child.name not in rule.children:
                fine = False
                expected = " or ".join(f"<{name}>" for name in sorted(rule.children)) or ("text only" if rule.text else "nothing")
                found = f"expected {expected} inside <{item.name}>, found <{child.name[:_MOST_SHOWN]}>"
                problems.error(child.line, f"column {child.column}: {found}")
        if not rule.text and item.text.strip():
            fine = False
            problems.error(item.line, f"{where}<{item.name}> contains text outside its elements: {item.text.strip()[:_MOST_SHOWN]!r}")
    return fine
