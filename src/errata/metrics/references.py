"""The references of a sentence, for metrics that let users choose."""

from __future__ import annotations

from typing import Literal

References = Literal["mix", "single"]
REFERENCES: dict[References, str] = {
    "mix": "all mixtures of the annotators' corrections",
    "single": "the corrections of each annotator",
}
"""All choices, with their descriptions."""
MIXED: References = "mix"
"""The label of the rows of mixtures."""
CERTIFIED_EXPLAINED = "Certified: sentences whose reference is proved to be the best."
"""A note on the column that counts them."""
