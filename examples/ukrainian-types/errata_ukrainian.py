"""A system of error types for Ukrainian: a few rules for the words that an edit changes."""

PREPOSITIONS = frozenset("без біля в від для до з за зі із крізь між на над о об по під після при про ради та у через".split())  # noqa: SIM905
STEM = 3  # words with as many equal letters at the beginning are forms of one word


class UkrainianTypes:
    """Types by a few rules."""

    name = "ukrainian 1.0"
    language = "uk"
    meanings = {  # noqa: RUF012 - it does not change
        "Punctuation": "punctuation",
        "Capitals": "small and capital letters",
        "Prep": "preposition",
        "Form": "form of a word",
        "Missing": "a missing word",
        "Unnecessary": "an unnecessary word",
        "Other": "other errors",
    }

    def types(self, pairs, spans):
        return [
            [classify(source[span.start : span.end], target[span.target_start : span.target_end]) for span in own]
            for (source, target), own in zip(pairs, spans, strict=True)
        ]


def classify(old, new):
    """Give an edit that replaces words by others its type."""
    before, after = " ".join(old), " ".join(new)
    if not any(map(str.isalnum, before + after)):
        return "Punctuation"
    if before.lower() == after.lower():
        return "Capitals"
    if {word.lower() for word in (*old, *new)} <= PREPOSITIONS:
        return "Prep"
    if not old or not new:
        return "Unnecessary" if old else "Missing"
    if len(old) == len(new) and all(one[:STEM].lower() == other[:STEM].lower() for one, other in zip(old, new, strict=True)):
        return "Form"
    return "Other"


def make(_):
    """Make the system; the text after ``ukrainian:`` has no meaning."""
    return UkrainianTypes()
