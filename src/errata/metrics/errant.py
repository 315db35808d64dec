"""ERRANT: precision, recall and F of edits that are extracted by linguistic rules (Felice et al. 2016, Bryant et al. 2017).

With tp edits that match gold, fp that do not and fn of gold that are missed, P = tp / (tp + fp), R = tp / (tp + fn) and
F = (1+b²)PR / (b²P + R).  By default the counts equal those of ``errant_compare``, release 3.0.2.
A system is a text, whose edits are extracted, or M2 with its own edits, which needs no parser.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from errata.corpus.annotators import choose_missing, explain_missing
from errata.errors import UsageError, pluralise
from errata.formats.m2 import NONE
from errata.language.errant import MATCH_LEVELS, POLICIES, Level, Policy
from errata.metrics.base import Outcomes, RatioMetric, data_field
from errata.metrics.choice import RULES
from errata.metrics.rounded_choice import ChooseRounded, compute_f, compute_many_f
from errata.metrics.strategy import Choose
from errata.names import ERRANT_TYPES, has_errant_types, is_errant_type
from errata.ratios import PrecisionRecallF, Ratio, Row
from errata.settings import number, one_of, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus.corpus import Corpus, System
    from errata.language.errant import AlignmentName, MergeName
    from errata.language.parse_bank import ParseBank
    from errata.metrics.errant_scorer import ErrantScorer
    from errata.metrics.strategy import Strategy

Gold = Literal["official", "auto", "gold", "raw", "text"]
_GOLD: dict[Gold, str] = {
    "official": "raw if its types are ERRANT's, else auto",
    **{name: POLICIES[name] for name in ("auto", "gold", "raw", "text")},
}
_ALIGNMENTS: dict[AlignmentName, str] = {"linguistic": "by lemmas, parts of speech and letters", "lev": "by Levenshtein distance"}
_MERGES: dict[MergeName, str] = {
    "rules": "by linguistic rules",
    "all-split": "every operation is an edit",
    "all-merge": "all adjacent operations are one edit",
    "all-equal": "adjacent operations of the same kind are one edit",
}
Lengths = Literal["all", "single", "multi"]
_LENGTHS: dict[Lengths, str] = {
    "all": "all edits",
    "single": "edits with at most one token on each side",
    "multi": "edits with two or more tokens on a side",
}
ErrantRule = Literal["official", "unrounded", "optimal", "sentence"]
_RULES: dict[ErrantRule, str] = {
    "official": "greedy, in file order, by F rounded to four digits, like ERRANT",
    "unrounded": "the same with F that is not rounded",
    "optimal": RULES["optimal"],
    "sentence": RULES["sentence"],
}
Repeated = Literal["official", "once"]
_REPEATED: dict[Repeated, str] = {
    "official": "as often as in gold if it matches, like ERRANT",
    "once": "once",
}
ALL_TYPES = "all"
NOT = "not:"
"""The beginning of a list of types that are left out."""
_TYPES = r"(not:)?(?!not:)[^+,()\s]+(\+[^+,()\s]+)*"


@dataclass(frozen=True)
class Errant(RatioMetric):
    """ERRANT with its settings.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",), "R:VERB:SVA")]),))
    >>> errata.score(gold, errata.System.of_edits("mine", gold), "errant").parts["tp"]
    1
    """

    level: Level = one_of("cs", MATCH_LEVELS, "what of two edits must be equal")
    gold: Gold = one_of("official", _GOLD, "how gold is prepared")
    beta: float = number(0.5, "weight of recall against precision in F", most=1000)
    alignment: AlignmentName = one_of("linguistic", _ALIGNMENTS, "how the words of a system's text are aligned; gold is always linguistic")
    merge: MergeName = one_of("rules", _MERGES, "how the operations of a system's text are merged to edits; gold always by rules")
    types: str = text(
        ALL_TYPES, "types that count, on both sides; not: begins a list of those that do not", pattern=_TYPES, example="M:DET+R:DET"
    )
    lengths: Lengths = one_of("all", _LENGTHS, "edits that count, on both sides")
    choice: ErrantRule = one_of("official", _RULES, "how one annotator is chosen for each sentence")
    repeated: Repeated = one_of("official", _REPEATED, "how often edits of one side that are equal count")
    parses: ParseBank | None = data_field()
    """Parsed sentences; None for those of the default analyser."""

    name: ClassVar[str] = "errant"
    title: ClassVar[str] = "ERRANT"
    summary: ClassVar[str] = (
        "precision, recall and F of edits that are extracted by linguistic rules; M2 with its own edits needs no parser"
    )
    paper: ClassVar[str] = "Felice et al. 2016; Bryant et al. 2017"
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn")
    types_wrong_edits: ClassVar[bool] = True
    own_types: ClassVar[frozenset[str]] = ERRANT_TYPES
    spelling_matters: ClassVar[str] = "words are aligned by their letters, lemmas and parts of speech"

    @property
    def best(self) -> float | None:  # type: ignore[override]
        """1 if gold is a text whose edits are extracted as those of a system; else it may have other spans, or alternatives."""
        same = self.gold == "text" and self.alignment == "linguistic" and self.merge == "rules"
        return 1.0 if same else None

    @property
    def strategy(self) -> Strategy:
        """One annotator is chosen for each sentence, by F."""
        if self.choice == "official":
            return ChooseRounded(self.beta)
        return Choose("official" if self.choice == "unrounded" else self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> ErrantScorer:
        """Prepare the gold."""
        from errata.metrics.errant_scorer import ErrantScorer

        return ErrantScorer(self, corpus)

    def find_policy(self, corpus: Corpus) -> Policy:
        """Find how a gold is prepared."""
        if self.gold != "official":
            return self.gold
        return "raw" if has_errant_types(corpus) else "auto"

    @property
    def bank(self) -> ParseBank:
        """The parsed sentences."""
        from errata.language.parse_bank import default_bank

        return default_bank() if self.parses is None else self.parses

    def check(self) -> None:
        """Raise if parses are not a bank."""
        if self.parses is not None:
            from errata.language.parse_bank import ParseBank

            if not isinstance(self.parses, ParseBank):
                raise UsageError(f"parses must be a ParseBank, found {type(self.parses).__name__}")

    def data(self, corpus: Corpus) -> str:
        """Say how the gold was prepared, and by what."""
        policy = self.find_policy(corpus)
        if policy == "raw":
            return "gold raw"
        missing = f", missing={choose_missing(corpus)}" if policy == "text" else ""
        return f"gold {policy}{missing} by {self._describe_analysis(typed=self.uses_types)}"

    def system_data(self, system: System, corpus: Corpus) -> str:
        """Say whether the edits of a system are its own, or by what they were extracted."""
        if system.edits is not None:
            return "edits of the system (M2)"
        unchanged = all(tokens == sentence.tokens for tokens, sentence in zip(system.sentences, corpus, strict=True))
        if unchanged and self.find_policy(corpus) == "raw":  # then nothing was parsed
            return "no edits"
        parsed = self.alignment == "linguistic" or self.merge == "rules" or self.uses_types
        return f"edits of the text{f' by {self._describe_analysis(typed=self.uses_types)}' if parsed else ''}"

    def types_data(self, system: System, corpus: Corpus) -> str:
        """Say by what edits are typed; those of gold are not if it is used as it is."""
        if system.edits is not None and self.find_policy(corpus) == "raw":
            return "of the system"
        own = "of the system, gold " if system.edits is not None else ""
        return f"{own}by {self._describe_analysis(typed=True)}"

    def _describe_analysis(self, *, typed: bool) -> str:
        """Name the analyser, and the word list if types are used."""
        from errata.corpus.parses import describe_analysis
        from errata.language.types import find_word_list

        return describe_analysis(self.bank.name, find_word_list() if typed else None)

    def gold_warnings(self, corpus: Corpus) -> list[str]:
        """Warn of gold that no system can match, and of references that nobody wrote."""
        policy = self.find_policy(corpus)
        if policy == "text":
            return explain_missing(corpus, choose_missing(corpus))
        edits = [edit for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits]
        found = []
        if several := sum(len(edit.corrections) > 1 for edit in edits):
            found.append(f"{pluralise(several, 'gold edit')} with alternatives, which ERRANT takes for one text; gold=text takes the first")
        if deletions := sum(edit.written == NONE for edit in edits):
            found.append(
                f"{pluralise(deletions, 'gold edit')} with {NONE}, which ERRANT takes for a word; gold=text takes it for a deletion"
            )
        if self.uses_types and policy == "raw" and not has_errant_types(corpus):
            found.append(_describe_other_types([edit.type for edit in edits], matters=self.level == "cse"))
        return found

    @property
    def uses_types(self) -> bool:
        """Whether counts depend on types."""
        return self.level == "cse" or self.types != ALL_TYPES

    @property
    def listed_types(self) -> tuple[list[str], list[str]]:
        """The types that alone count, and those that do not.

        >>> Errant(types="not:R:SPELL+R:ORTH").listed_types
        ([], ['R:SPELL', 'R:ORTH'])
        """
        if self.types == ALL_TYPES:
            return [], []
        listed = self.types.removeprefix(NOT).split("+")
        return ([], listed) if self.types.startswith(NOT) else (listed, [])

    @property
    def ratio(self) -> Ratio:
        """F(beta)."""
        return self._ratios.f

    def value(self, counts: Row) -> float:
        """Compute F as ERRANT does, without rounding it."""
        return compute_f(counts, self.beta)

    def values(self, counts: Any) -> Any:
        """Compute F of many sums."""
        return compute_many_f(counts, self.beta)

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return counts, precision and recall."""
        precision, recall, _ = self._ratios
        return {**super().parts(counts), "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        """Return the counts."""
        return Outcomes(*counts)

    @property
    def label(self) -> str:
        """F with its beta."""
        return f"F{self.beta:g}"

    @cached_property
    def _ratios(self) -> PrecisionRecallF:
        return PrecisionRecallF.over((1, 0, 0), (1, 1, 0), (1, 0, 1), self.beta)


def _describe_other_types(types: Iterable[str], *, matters: bool) -> str:
    """Say what types that are not ERRANT's do to counts; they matter where types must be equal."""
    some = any(map(is_errant_type, types))
    unchanged = f"{'some' if some else 'the'} types of gold are not ERRANT's, and gold=raw does not change them"
    consequence = "these edits never match ERRANT's" if some else "no type can match ERRANT's: cse counts nothing as right"
    return f"{unchanged}{f', so {consequence}' if matters else ''}; gold=gold or gold=auto types the edits anew"
