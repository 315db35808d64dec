"""Error types of the NUCLE corpus, and the map from release 2.0 to 2.1.

Release 2.0 had no type for prepositions: they were part of Wcip (collocation, idiom, preposition) and Rloc (local redundancy),
which also had redundant articles.  The map needs parts of speech and constituents (:mod:`errata.nucle.conll`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import MismatchError, pluralise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus, Edit
    from errata.nucle.conll import ParsedSentence

TYPES = {
    "Vt": "verb tense",
    "Vm": "modal verb",
    "V0": "missing verb",
    "Vform": "verb form",
    "SVA": "agreement of subject and verb",
    "ArtOrDet": "article or determiner",
    "Nn": "number of a noun",
    "Npos": "possessive of a noun",
    "Pform": "form of a pronoun",
    "Pref": "reference of a pronoun",
    "Prep": "preposition",
    "Wci": "collocation or idiom",
    "Wa": "acronym",
    "Wform": "word form",
    "Wtone": "tone",
    "Srun": "run-on sentence, comma splice",
    "Smod": "dangling modifier",
    "Spar": "parallelism",
    "Sfrag": "fragment",
    "Ssub": "subordinate clause",
    "WOinc": "word order",
    "WOadv": "position of an adverb or adjective",
    "Trans": "linking word",
    "Mec": "punctuation, capitals, spelling",
    "Rloc-": "local redundancy",
    "Cit": "citation",
    "Others": "other errors",
    "Um": "unclear meaning",
}
FIVE_TYPES = ("ArtOrDet", "Prep", "Nn", "Vform", "SVA")
"""The types of the 2013 task."""
OLD_TYPES = ("Wcip", "Rloc")
PREPOSITIONS = frozenset(
    "about along among around as at beside besides between by down during except for from in inside into of off on onto outside "  # noqa: SIM905
    "over through to toward towards under underneath until up upon with within without".split()
)


def update_type(edit: Edit, sentence: ParsedSentence) -> str:
    """Get the type of release 2.1 for an edit of release 2.0.

    >>> from errata.corpus.corpus import Edit
    >>> from errata.nucle.conll import ParsedSentence
    >>> went = ParsedSentence("1", 0, 0, ("went", "in", "there"), ("VBD", "IN", "RB"), ("(S(VP*", "(PP*)", "(ADVP*)))"))
    >>> update_type(Edit(1, 2, ("to",), "Wcip"), went), update_type(Edit(0, 1, ("go",), "Wcip"), went)
    ('Prep', 'Wci')
    """
    if edit.type not in OLD_TYPES:
        return edit.type
    new = edit.corrections[0].lower()
    if edit.end == edit.start + 1:
        tag, parent = sentence.tags[edit.start], sentence.parents[edit.start]
        if tag in {"IN", "TO"} and parent == "PP" and (new in PREPOSITIONS or not new):
            return "Prep"
        if edit.type == "Rloc" and tag == "DT" and not new:
            return "ArtOrDet"
    elif edit.type == "Wcip" and edit.start == edit.end < len(sentence.tokens) and new in PREPOSITIONS and _may_follow(sentence, edit.end):
        return "Prep"
    return "Wci" if edit.type == "Wcip" else "Rloc-"


def _may_follow(sentence: ParsedSentence, token: int) -> bool:
    """Tell whether a token may follow a preposition."""
    return sentence.tags[token] == "VBG" or "NP" in sentence.openings[token]


def update_types(corpus: Corpus, parsed: Sequence[ParsedSentence], path: str) -> Corpus:
    """Replace the types of a corpus by those of release 2.1; ``parsed`` has its sentences in order, read from ``path``."""
    if len(corpus) != len(parsed):
        raise MismatchError(f"{path} has {pluralise(len(parsed), 'sentence')}, but the essays have {len(corpus):,}")
    sentences = []
    for number, (sentence, analysis) in enumerate(zip(corpus, parsed, strict=True), start=1):
        if sentence.tokens != analysis.tokens:
            position = next((k for k, pair in enumerate(zip(sentence.tokens, analysis.tokens, strict=False)) if pair[0] != pair[1]), None)
            first = min(len(sentence.tokens), len(analysis.tokens)) if position is None else position
            words = [repr(tokens[first]) if first < len(tokens) else "nothing" for tokens in (analysis.tokens, sentence.tokens)]
            raise MismatchError(f"{path}: token {first + 1} of sentence {number} is {words[0]}, but the text has {words[1]}")
        annotations = tuple(
            replace(annotation, edits=tuple(replace(edit, type=update_type(edit, analysis)) for edit in annotation.edits))
            for annotation in sentence.annotations
        )
        sentences.append(replace(sentence, annotations=annotations))
    return replace(corpus, sentences=tuple(sentences))
