"""Equality of categories."""

from __future__ import annotations

from typing import Literal

LabelMatching = Literal["weak", "strict"]
AgreementMatching = Literal["weak", "strict", "unlabelled"]
"""Agreement may also compare spans without their categories."""

_WEAK = {"P": "S", "H": "C", "N": "L", "F": "R"}
"""Process and State, parallel Scene and Center, Connector and Linker, Function and Relator are hard to distinguish."""


def normalise_category(label: str, matching: AgreementMatching) -> str:
    """Map a category to a name that is shared by all categories equal to it.

    >>> (
    ...     normalise_category("P", "weak") == normalise_category("S", "weak"),
    ...     normalise_category("P", "strict") == normalise_category("S", "strict"),
    ... )
    (True, False)
    """
    return _WEAK.get(label, label) if matching == "weak" else label if matching == "strict" else ""
