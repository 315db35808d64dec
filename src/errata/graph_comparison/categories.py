"""When two categories count as the same."""

from __future__ import annotations

from typing import Literal

LabelMatching = Literal["weak", "strict"]
AgreementMatching = Literal["weak", "strict", "none"]
"""Spans may also be compared without their categories."""

_WEAK = {"P": "S", "H": "C", "N": "L", "F": "R"}
"""Process and State, parallel Scene and Center, Connector and Linker, Function and Relator: annotators hardly tell them apart."""


def normalise_category(label: str, matching: AgreementMatching) -> str:
    """A name that categories that count as the same share.

    >>> (
    ...     normalise_category("P", "weak") == normalise_category("S", "weak"),
    ...     normalise_category("P", "strict") == normalise_category("S", "strict"),
    ... )
    (True, False)
    """
    return _WEAK.get(label, label) if matching == "weak" else label if matching == "strict" else ""
