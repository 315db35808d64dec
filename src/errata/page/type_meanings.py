"""What error types mean, in a few words: those of NUCLE and of ERRANT."""

from __future__ import annotations

from errata.formats.essays import TYPES
from errata.names import explain_errant_type


def explain_type(name: str) -> str:
    """Explain a type; empty if it is not known.

    >>> explain_type("SVA"), explain_type("M:DET"), explain_type("DET"), explain_type("Vform/SVA"), explain_type("typo")
    ('agreement of subject and verb', 'determiner (missing)', 'determiner', 'verb form; agreement of subject and verb', '')
    """
    if name in TYPES:
        return TYPES[name]
    if meaning := explain_errant_type(name):
        return meaning
    parts = [TYPES.get(part, "") for part in name.split("/")]
    return "; ".join(parts) if all(parts) else ""
