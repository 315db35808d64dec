"""Cases: positions where a writer, annotators and a system each have a value (Chodorow et al. 2012), and who judges them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, TypeVar, get_args

from errata.corpus.annotators import DETECT
from errata.errors import UsageError, suggest
from errata.metrics import registry
from errata.metrics.views import Aspect

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from errata.corpus.annotators import Missing
    from errata.corpus.corpus import Annotation, Corpus, Sentence
    from errata.language.tagging import Tagger
    from errata.language.types import ChangeTyper
    from errata.metrics.base import Metric


# Judgments: who says what is an error, if a sentence has several annotators.
# *chosen*: the reference that a metric chooses for each system, so that every system has its own gold.  Otherwise gold is the same for
# all systems (Chodorow et al. 2012, sections 3.4 and 3.5.2): one annotator; *vote*, in which more than half of the annotators of a
# sentence must mark an error; or *graded*, in which a case is an error by the share of annotators who mark it.
#
# An annotator without an annotation of a sentence did not annotate it and has no vote.  A sentence without any annotation has no error.

_JudgmentRule = Literal["chosen", "vote", "graded"]
_JUDGMENT_RULES: tuple[_JudgmentRule, ...] = get_args(_JudgmentRule)

_Correction = TypeVar("_Correction", bound="Hashable")


class Verdict(NamedTuple):
    """What the annotators together say about a case."""

    error: float
    """The share of annotators who mark an error; 0 or 1 if they vote."""
    corrections: dict[Hashable, float]
    """The share of annotators who accept each correction."""
    tied: bool = False
    """Whether as many annotators say error as no error, which is then no error."""


@dataclass(frozen=True)
class Judgments:
    """Who says what is an error: all annotators, or one."""

    name: _JudgmentRule = "chosen"
    annotator: str | None = None
    beside: str | None = None
    """Another annotator, who must have annotated a sentence too."""

    @classmethod
    def of(cls, corpus: Corpus, name: _JudgmentRule = "chosen", annotator: str | None = None) -> Judgments:
        """Check that a rule and an annotator exist."""
        if name not in _JUDGMENT_RULES:
            raise UsageError(f"judgments must be {', '.join(_JUDGMENT_RULES[:-1])} or {_JUDGMENT_RULES[-1]}, found {name!r}")
        if annotator is None:
            return cls(name)
        if name != "chosen":
            raise UsageError(f"one annotator cannot be combined with {name}")
        if annotator not in corpus.annotators:
            names = ", ".join(corpus.annotators[:_LISTED]) + (", ..." if len(corpus.annotators) > _LISTED else "")
            where = corpus.path or corpus.name
            raise UsageError(f"{where} has no annotator {annotator!r}; choose from {names}{suggest(annotator, corpus.annotators)}")
        return cls("vote", annotator)

    @property
    def is_fixed(self) -> bool:
        """Whether gold is the same for all systems."""
        return self.name != "chosen"

    def find_annotations(self, sentence: Sentence) -> Sequence[Annotation] | None:
        """List the annotations of a sentence that count; None if there is none."""
        if self.annotator is None or not sentence.annotations:
            return sentence.annotations
        if self.beside is not None and all(annotation.annotator != self.beside for annotation in sentence.annotations):
            return None
        return [annotation for annotation in sentence.annotations if annotation.annotator == self.annotator] or None

    def weigh(self, corrections: Sequence[Collection[_Correction]], annotators: int) -> Verdict:
        """Weigh the corrections that each annotator who marks an error accepts; ``annotators`` is the number of all.

        In a vote, the correction that most of them accept is right; if several have as many votes, each of them is.

        >>> Judgments("graded").weigh([["of"], ["of"], ["in"], ["of"]], 5)
        Verdict(error=0.8, corrections={'of': 0.6, 'in': 0.2}, tied=False)
        """
        votes = Counter(text for own in corrections for text in dict.fromkeys(own))
        if self.name == "graded":
            return Verdict(len(corrections) / annotators, {text: count / annotators for text, count in votes.items()})
        if 2 * len(corrections) <= annotators:
            return Verdict(0.0, {}, tied=2 * len(corrections) == annotators > 0)
        most = max(votes.values(), default=0)
        return Verdict(1.0, {text: 1.0 for text, count in votes.items() if count == most})

    def describe(self, corpus: Corpus, tied: int) -> str:
        """Describe who says what is an error, for reports."""
        if self.annotator is not None:
            return f"Errors are those of annotator {self.annotator}"
        if self.name == "graded":
            return f"Errors are judged by {_count(corpus)}"
        ties = f"; {tied:,} of these cases had a tie, which is no error" if tied else ""
        return f"Errors are those that more than half of {_count(corpus)} mark{ties}"


_LISTED = 20
"""Names in messages."""


def _count(corpus: Corpus) -> str:
    return f"the {len(corpus.annotators):,} annotators" if len(corpus.annotators) > 1 else "the only annotator"


# What is left out of cases: how many positions, errors and changes, and why.  A reason is a text in the plural, such as "errors of other
# types".

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


# Cases: positions where a writer, annotators and a system each have a value (Chodorow et al. 2012).  A case counts as an error by the share
# of its annotators who say so; with one annotator that is 0 or 1.  Everything is in arrays, because tables may have many millions of cases.

ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
"""What counts: that an error is flagged, or that it is corrected."""

DEFAULT_THRESHOLD = 0.5
"""The confidence from which a system flags a case, if nothing else is known."""

_Known = Literal["cases", "counts", "proportions"]
"""What is known of cases: each of them, only how many have each outcome, or only what share of them."""


class Labels(NamedTuple):
    """A name for every case."""

    codes: Any
    """The index of the name of each case."""
    names: tuple[str, ...]


def _describe_threshold(threshold: float) -> str:
    """Describe what a system flags at a threshold."""
    return f"The system flags cases with a confidence of at least {threshold:g}; its corrections at this threshold are unknown"


DEFAULT_RULE = _describe_threshold(DEFAULT_THRESHOLD)
"""What a system flags, if nothing else is known."""


@dataclass(frozen=True)
class Answers:
    """What a system says about every case."""

    name: str
    flagged: Any
    """Whether the system flags the case."""
    fixed: Any = None
    """The share of annotators who say error and want the system's correction; None if corrections are unknown."""
    confidence: Any = None
    """The system's confidence that there is an error, from 0 to 1; None if unknown."""
    rule: str = ""
    """What the system flags, if it is decided by a threshold."""

    def at(self, threshold: float) -> Answers:
        """Flag the cases with at least this confidence instead; the corrections are then unknown."""
        if self.confidence is None:
            raise UsageError(f"a threshold needs confidences, but {self.name} has none")
        return Answers(self.name, self.confidence >= threshold, None, self.confidence, _describe_threshold(threshold))


@dataclass(frozen=True)
class Cases:
    """A table of cases with the answers of one or more systems."""

    error: Any
    """The share of annotators who say error."""
    systems: tuple[Answers, ...]
    what: str = "cases"
    """What a case is, for reports."""
    negatives: bool = True
    """Whether positions without an error are cases too; otherwise there are no true negatives."""
    left_out: tuple[tuple[str, int], ...] = ()
    """How many positions are not cases, by the reason."""
    notes: tuple[str, ...] = ()
    """Other notes for reports."""
    graded: bool = False
    """Whether there are several annotators."""
    types: Labels | None = field(default=None, repr=False)
    wrong_types: tuple[str, ...] | None = None
    """The types whose false positives are known, if only some cases have a type."""
    units: Labels | None = field(default=None, repr=False)
    """The sentence, or other unit, that each case is in; None if unknown."""
    documents: Labels | None = field(default=None, repr=False)
    weights: Any = field(default=None, repr=False)
    """How many cases each row stands for, or what share of all cases; None if each is one case."""
    known: _Known = "cases"
    data: str = field(default="", repr=False)
    """The data and the settings that the cases depend on, for signatures."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.error)

    @property
    def total(self) -> int | None:
        """The number of cases; None if only their proportions are known."""
        if self.known == "proportions":
            return None
        return len(self) if self.weights is None else round(float(self.weights.sum()))

    def describe_left_out(self) -> list[str]:
        """Say how many positions are not cases, for each reason."""
        return [_describe_left_out(reason, count) for reason, count in self.left_out]

    def classify(self, answers: Answers, aspect: Aspect) -> Any:
        """Yield the shares of all cases: true positives, false positives, false negatives, true negatives and both.

        An error that is flagged but corrected wrongly is a true positive of detection; for correction it is a false positive and a
        false negative, and *both* counts such cases, because each is still one case.
        """
        if aspect == "correction" and answers.fixed is None:
            raise UsageError(f"correction needs the corrections of {answers.name} and of annotators")
        import numpy as np

        error, flagged = np.asarray(self.error, dtype=float), np.asarray(answers.flagged, dtype=bool)
        hit = error if aspect == "detection" else np.asarray(answers.fixed, dtype=float)
        yield hit * flagged
        yield (1 - hit) * flagged
        yield error - hit * flagged
        yield (1 - error) * ~flagged
        yield (error - hit) * flagged


def _describe_left_out(reason: str, count: int) -> str:
    """Say how many are left out for a reason, which may have the name of sites after it.

    >>> _describe_left_out(f"{OTHER_POSITIONS} (_ NN)", 1), _describe_left_out(UNKNOWN_TYPES, 1), _describe_left_out(OTHER_TYPES, 1200)
    ('1 position without an error that is no site (_ NN)', '1 error whose type is unknown', '1,200 errors of other types')
    """
    if count != 1:
        return f"{count:,} {reason}"
    for plural, singular in _SINGULAR.items():
        if reason == plural or reason.startswith(f"{plural} ("):
            return f"1 {singular}{reason.removeprefix(plural)}"
    noun, _, rest = reason.partition(" ")
    return f"1 {noun.removesuffix('s')} {rest}"


def count_cases(cases: Cases, answers: Answers, aspect: Aspect, groups: Labels | None = None) -> Any:
    """Count all cases, or those of each group: a row of five counts for each."""
    import numpy as np

    parts = cases.classify(answers, aspect)
    if cases.weights is not None:
        parts = (part * cases.weights for part in parts)
    if groups is None:
        counts = np.array([[part.sum() for part in parts]])
    else:
        size = len(groups.names)
        counts = np.stack(
            [np.bincount(groups.codes, weights=part, minlength=size) for part in parts],
            axis=1,
            dtype=float,  # without cases, bincount makes whole numbers
            casting="unsafe",
        )
    if not cases.negatives:
        counts[:, 3] = np.nan
    return counts


Granularity = Literal["token", "character", "edit", "gap", "sentence"]
_GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)

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
    judgments: _JudgmentRule
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
    judgments: _JudgmentRule = "chosen"
    annotator: str | None = None
    """The only one who says what is an error."""
    sites: Sequence[str] = ()
    """Patterns of tags that choose gaps."""
    tagger: Tagger | None = None
    """Gives the tags for sites."""
    typer: ChangeTyper | None = None
    """Gives types to false positives."""
    missing: str = DETECT
    """What an annotator without a line is (:mod:`errata.corpus.annotators`); by default single annotators have what it leaves out."""

    def __post_init__(self) -> None:
        """Raise if settings do not go together."""
        case, is_fixed = self.case, self.judgments != "chosen" or self.annotator is not None
        if case not in _GRANULARITIES:
            names = [repr(name) for name in _GRANULARITIES]
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

    def describe(self, judgments: Judgments, metric: Metric | None, corpus: Corpus, missing: Missing = "absent") -> str:
        """Describe what the cases of a corpus depend on, for signatures; ``metric`` is None if it does not use one.

        ``missing`` is what an annotator without a line is.
        """
        from errata.scoring.scores import describe_gold, describe_metric

        who = f"annotator {judgments.annotator}" if judgments.annotator is not None else f"judgments {judgments.name}"
        parts = [f"case {self.case}, {who}"]
        parts += [f"missing {missing}"] if missing != "absent" else []
        parts += [f"types {','.join(sorted(set(self.types)))}"] if self.types else []
        parts += [f"confusion set {_name_confusion_set(frozenset(self.confusion_set))}"] if self.confusion_set else []
        parts += [f"sites {' or '.join(self.sites)}"] if self.sites else []
        parts += [describe_metric(metric, corpus)] if metric is not None else []
        tagger = self.typer.tagger if self.typer is not None else self.tagger if self.sites else None
        if tagger is not None:
            content = getattr(tagger, "fingerprint", "")
            order = f", types in the order {','.join(self.typer.order)}" if self.typer is not None else ""
            parts.append(f"tagger {tagger.name}{f', sha256 {content}' if content else ''}{order}")
        return " | ".join([*parts, describe_gold(corpus)])


def _name_confusion_set(words: frozenset[str]) -> str:
    return next((name for name, own in CONFUSION_SETS.items() if own == words), "") or ",".join(sorted(words))
