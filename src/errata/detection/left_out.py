"""What is left out of cases: how many positions, errors and changes, and why.

A reason is a text in the plural, such as "errors of other types".
"""

from __future__ import annotations

OTHER_TYPES = "errors of other types"
UNKNOWN_TYPES = "errors whose type is unknown"
OTHER_ERRORS = "errors that are at no site"
OTHER_POSITIONS = "positions without an error that are no sites"
ERRORS_WITHOUT_WORDS = "errors at other positions"
POSITIONS_WITHOUT_WORDS = "positions without an error where none of the words is written or proposed"
OTHER_CHANGES = "changes of the system at such positions"
NO_TOKENS = "texts written where the source has no token"
OVERLAPPING = "edits of annotators that overlap others"
NOT_ANNOTATED = "sentences that the annotator did not annotate"
CASES_NOT_ANNOTATED = "cases in sentences that the annotator did not annotate"

_SINGULAR = {
    OTHER_TYPES: "error of another type",
    OTHER_ERRORS: "error that is at no site",
    OTHER_POSITIONS: "position without an error that is no site",
    ERRORS_WITHOUT_WORDS: "error at another position",
    OTHER_CHANGES: "change of the system at such a position",
    OVERLAPPING: "edit of an annotator that overlaps another",
    CASES_NOT_ANNOTATED: "case in a sentence that the annotator did not annotate",
}
"""Singulars that need more than the noun without its s."""


def describe_left_out(reason: str, count: int) -> str:
    """Say how many are left out for a reason, which may have the name of sites after it.

    >>> describe_left_out(f"{OTHER_POSITIONS} (_ NN)", 1), describe_left_out(UNKNOWN_TYPES, 1), describe_left_out(OTHER_TYPES, 1200)
    ('1 position without an error that is no site (_ NN)', '1 error whose type is unknown', '1,200 errors of other types')
    """
    if count != 1:
        return f"{count:,} {reason}"
    for plural, singular in _SINGULAR.items():
        if reason == plural or reason.startswith(f"{plural} ("):
            return f"1 {singular}{reason.removeprefix(plural)}"
    noun, _, rest = reason.partition(" ")
    return f"1 {noun.removesuffix('s')} {rest}"
