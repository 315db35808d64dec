"""What error types mean, in a few words: those of NUCLE and of ERRANT."""

from __future__ import annotations

from errata.errant.type_names import OPERATIONS, TYPE_CATEGORIES, UNKNOWN_TYPE
from errata.nucle.types import TYPES


def explain_type(name: str) -> str:
    """Explain a type; empty if it is not known.

    >>> explain_type("SVA"), explain_type("M:DET"), explain_type("DET"), explain_type("Vform/SVA"), explain_type("typo")
    ('agreement of subject and verb', 'determiner (missing)', 'determiner', 'verb form; agreement of subject and verb', '')
    """
    if name in TYPES:
        return TYPES[name]
    if name in OPERATIONS:
        return OPERATIONS[name]
    operation, _, category = name.partition(":")
    if operation in OPERATIONS and category in TYPE_CATEGORIES:
        return f"{TYPE_CATEGORIES[category]} ({OPERATIONS[operation]})"
    if name in TYPE_CATEGORIES:
        return TYPE_CATEGORIES[name]
    if name == UNKNOWN_TYPE:
        return "marked as an error, but not corrected"
    parts = [TYPES.get(part, "") for part in name.split("/")]
    return "; ".join(parts) if all(parts) else ""
