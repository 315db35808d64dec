"""What is extracted from a corpus: the settings of cases, and which of them go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from errata.corpus.annotators import DETECT
from errata.errors import UsageError
from errata.metrics import registry

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from errata.detection.judgments import JudgmentRule
    from errata.language.tagging import Tagger
    from errata.language.types import ChangeTyper

Granularity = Literal["token", "character", "edit", "gap", "sentence"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)

_PREPOSITIONS = """
    about above across after against along among around as at before behind below beneath beside besides between beyond by despite
    down during except for from in inside into like near of off on onto out outside over past since through throughout till to
    toward towards under underneath until up upon via with within without
"""
CONFUSION_SETS: dict[str, frozenset[str]] = {
    "articles": frozenset(["a", "an", "the"]),
    "commas": frozenset(","),
    "prepositions": frozenset(_PREPOSITIONS.split()),
}
"""Confusion sets by name."""


def find_confusion_set(text: str) -> frozenset[str]:
    """Find a confusion set by its name, or split words separated by commas.

    >>> sorted(find_confusion_set("articles"))[:2], find_confusion_set("THAT,which") == {"that", "which"}
    (['a', 'an'], True)
    """
    if text in CONFUSION_SETS:
        return CONFUSION_SETS[text]
    words = frozenset(word.strip().lower() for word in text.split(",") if word.strip())
    if not words:
        raise UsageError(f"a confusion set must be {', '.join(CONFUSION_SETS)} or words separated by commas, found {text!r}")
    return words


class CaseOptions(TypedDict, total=False):
    """The settings of cases as arguments."""

    case: Granularity
    types: Collection[str]
    confusion_set: Collection[str]
    metric: str | None
    judgments: JudgmentRule
    annotator: str | None
    sites: Sequence[str]
    tagger: Tagger | None
    typer: ChangeTyper | None
    missing: str


@dataclass(frozen=True)
class CaseSettings:
    """The settings of cases."""

    case: Granularity = "token"
    types: Collection[str] = ()
    """Only errors of these types are cases."""
    confusion_set: Collection[str] = ()
    """Only positions where one of these words is written, wanted or proposed are cases; gaps are positions where one may stand."""
    metric: str | None = None
    """Provides the alignment or the edits, and the choice of references."""
    judgments: JudgmentRule = "chosen"
    annotator: str | None = None
    """The only one who says what is an error."""
    sites: Sequence[str] = ()
    """Patterns of tags that choose gaps."""
    tagger: Tagger | None = None
    """Gives the tags for sites."""
    typer: ChangeTyper | None = None
    """Gives types to false positives."""
    missing: str = DETECT
    """What an annotator without a line is (:mod:`errata.corpus.annotators`); by default single annotators have what the corpus leaves out."""

    def __post_init__(self) -> None:
        """Raise if settings do not go together."""
        case, is_fixed = self.case, self.judgments != "chosen" or self.annotator is not None
        if case not in GRANULARITIES:
            names = [repr(name) for name in GRANULARITIES]
            raise UsageError(f"case must be {', '.join(names[:-1])} or {names[-1]}, found {case!r}")
        if self.confusion_set and case not in {"token", "gap"}:
            raise UsageError(f"a confusion set needs tokens or gaps as cases, found {case}s")
        if self.confusion_set and case == "token" and is_fixed:
            why = "tokens are cases where a system proposes one of its words, so that systems have different cases"
            raise UsageError(f"a confusion set needs gaps as cases if the gold is the same for all systems: {why}")
        if self.sites and case != "gap":
            raise UsageError(f"sites need gaps as cases, found {case}s")
        if self.sites and self.tagger is None:
            raise UsageError("sites need a tagger")
        if (self.types or self.typer is not None) and case in {"character", "sentence"}:
            raise UsageError(f"{case}s have no types; with types use tokens, gaps or edits")
        if self.metric is not None and is_fixed and case != "edit":
            why = f"{case}s are then positions of the source, and no reference is chosen"
            raise UsageError(f"a metric cannot be combined with a gold that is the same for all systems: {why}")
        if self.metric is not None and is_fixed and registry.metric(self.metric).mixes_references:
            why = "mixtures of annotators are chosen for each system"
            raise UsageError(f"references=mix cannot be combined with a gold that is the same for all systems: {why}")
