"""Options of earlier versions, so that an old command line is answered with its new form."""

from __future__ import annotations

RENAMED: dict[str, dict[str, str]] = {
    "score": {"--tags": "it is called --pos-tags now", "--by": "it is called --resample now"},
    "compare": {"--by": "it is called --resample now"},
    "inspect": {"--type": "it is called --types now"},
    "detect": {
        "--places": "it is called --confusion-set now",
        "--by": "it is called --resample now, and unit is called sentence",
        "--judgments": "it is called --judged-by now",
    },
    "rerank": {"--gold": "it is called --oracle, because it says what is best"},
    "coverage": {
        "--places": "it is called --positions now",
        "--references": "it is called --reference-counts now",
        "--wanted": "it is called --target-accuracy now",
        "--matched": "it is called --matched-sentences now",
        "--with": "it is called --matched-references now",
        "--score": "it is called --metric now",
        "--without-errors": "it is called --error-free now",
        "--others": "it is called --exclude-self now",
        "--tokenise": "it is called --tokenise-corrections now",
        "--worth": "it is called --worth-chart now",
    },
    "convert": {
        "--split": "it is called --sentence-splitter now",
        "--tokenise": "it is called --tokeniser now",
        "--list-trimmed": "it is called --list now",
    },
    "conservatism": {"--apart": "it is called --without-small-changes now"},
    "faithfulness": {
        "--words": "it is a setting of the metric now: -m 'uccasim(word_alignment=...)'",
        "--partner": "it is a setting of the metric now: -m 'uccasim(partner=...)'",
        "--tags": "it is a setting of the metric now: -m 'uccasim(labels=...)', or a value of --agreement",
        "--implicit": "it is a setting of the metric now: -m 'uccasim(implicit=...)'",
        "--least": "it is a setting of the metrics now: -m 'uccasim(min_words=N)' -m 'distsim(min_words=N)'",
        "--distsim": "it is a metric now: -m distsim",
        "--pair": "it is called --pairs now",
    },
}
"""What became of each, by command."""


OLD_NAMES: dict[str, dict[str, str]] = {}
"""Options that still work, with a warning, by command: the old name and the new one.

A published option that is renamed stays here until the next minor version, and moves to ``RENAMED`` then (docs/stability.md).
"""


FORMER_FLAGS = {"--tokenise": "the flag is called --tokenise-corrections now"}
"""Options without a value of earlier versions, whose names are those of others now."""


def renamed_option(command: str, option: str) -> str:
    """What became of an option of a command, or nothing if it never was one.

    >>> renamed_option("inspect", "--type")
    'it is called --types now'
    """
    return RENAMED.get(command, {}).get(option, "")
