"""ERRANT: precision, recall and F of edits that are extracted by linguistic rules (Felice et al. 2016, Bryant et al. 2017).

With tp edits that match gold, fp that do not and fn of gold that are missed, P = tp / (tp + fp), R = tp / (tp + fn) and
F = (1+b²)PR / (b²P + R).  By default the counts equal those of ``errant_compare``, release 3.0.2.
A system is a text, whose edits are extracted, or M2 with its own edits, which needs no parser.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from errata.corpus.annotators import choose_missing, explain_missing
from errata.corpus.corpus import FIRST_ANNOTATOR
from errata.errors import RequestError, UsageError, pluralise, suggest
from errata.formats.m2 import NONE
from errata.language.errant import (
    POLICIES,
    Extractor,
    PairError,
    Policy,
    prepare_gold,
)
from errata.language.types import ERRANT_TYPES, UNKNOWN_TYPE, has_errant_types, is_errant_type
from errata.metrics.base import Outcomes, Output, RatioMetric, data_field
from errata.metrics.ratios import PrecisionRecallF, Ratio, Row
from errata.metrics.strategies import RULES, Choose, Chosen
from errata.metrics.views import JudgedEdit
from errata.settings import number, one_of, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, Edit, System
    from errata.corpus.texts import Tokens
    from errata.language.errant import AlignmentName, MergeName
    from errata.language.parse_bank import ParseBank
    from errata.metrics.strategies import Strategy
    from errata.metrics.views import EditOutcome


_Gold = Literal["official", "auto", "gold", "raw", "text"]
_GOLD: dict[_Gold, str] = {
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
_Lengths = Literal["all", "single", "multi"]
_LENGTHS: dict[_Lengths, str] = {
    "all": "all edits",
    "single": "edits with at most one token on each side",
    "multi": "edits with two or more tokens on a side",
}
_ErrantRule = Literal["official", "unrounded", "optimal", "sentence"]
_RULES: dict[_ErrantRule, str] = {
    "official": "greedy, in file order, by F rounded to four digits, like ERRANT",
    "unrounded": "the same with F that is not rounded",
    "optimal": RULES["optimal"],
    "sentence": RULES["sentence"],
}
_Repeated = Literal["official", "once"]
_REPEATED: dict[_Repeated, str] = {
    "official": "as often as in gold if it matches, like ERRANT",
    "once": "once",
}
_DIGITS = 4
_STEPS = 10**_DIGITS
_CLEAR_BETA = 0.01
"""With a smaller beta, the error of floating-point numbers may be larger than what another false negative changes."""
_CELLS = 4_000_000
"""Sentences of replicates that are processed together."""
_NEARLY_HALF = 1e-6
"""How near to the middle of two roundings the error of a multiplication could matter."""
_MOST_TOKENS_OF_EDITS = 20_000_000
"""Tokens of the edits of gold, or of a system, if each of them counts; about 0.5 GB."""
_ALL_TYPES = "all"
_NOT = "not:"
"""The beginning of a list of types that are left out."""
_TYPES = r"(not:)?(?!not:)[^+,()\s]+(\+[^+,()\s]+)*"


_Level = Literal["cs", "ds", "dt", "cse"]
_LEVELS: dict[_Level, str] = {
    "cs": "span and correction",
    "ds": "span",
    "dt": "every token of the span; an insertion counts for the token to its right",
    "cse": "span, correction and type",
}
"""All levels, with their descriptions."""
_Key = tuple[int | str, ...]
"""What must be equal for two edits to match."""


class _ScoredEdit(NamedTuple):
    """An edit as ERRANT sees it: its correction is one text, whatever it contains."""

    start: int
    end: int
    correction: str
    type: str
    """Empty if it was not needed."""

    @classmethod
    def of(cls, edit: Edit) -> _ScoredEdit:
        """Make the change of an edit."""
        return cls(edit.start, edit.end, edit.literal, edit.type)

    @property
    def is_long(self) -> bool:
        """Whether one of its sides has two tokens or more."""
        return self.end - self.start > 1 or len(self.correction.split()) > 1


_Keyed = dict[_Key, list[_ScoredEdit]]
"""The changes behind each key; several may have the same."""


@dataclass(frozen=True)
class Errant(RatioMetric):
    """ERRANT with its settings.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("I likes cake .", [errata.Edit(1, 2, ("like",), "R:VERB:SVA")]),))
    >>> errata.score(gold, errata.System.of_edits("mine", gold), "errant").parts["tp"]
    1
    """

    level: _Level = one_of("cs", _LEVELS, "what of two edits must be equal")
    gold: _Gold = one_of("official", _GOLD, "how gold is prepared")
    beta: float = number(0.5, "weight of recall against precision in F", most=1000)
    alignment: AlignmentName = one_of("linguistic", _ALIGNMENTS, "how the words of a system's text are aligned; gold is always linguistic")
    merge: MergeName = one_of("rules", _MERGES, "how the operations of a system's text are merged to edits; gold always by rules")
    types: str = text(
        _ALL_TYPES, "types that count, on both sides; not: begins a list of those that do not", pattern=_TYPES, example="M:DET+R:DET"
    )
    lengths: _Lengths = one_of("all", _LENGTHS, "edits that count, on both sides")
    choice: _ErrantRule = one_of("official", _RULES, "how one annotator is chosen for each sentence")
    repeated: _Repeated = one_of("official", _REPEATED, "how often edits of one side that are equal count")
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
        if self.choice == "official":
            return _ChooseRounded(self.beta)
        return Choose("official" if self.choice == "unrounded" else self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> _ErrantScorer:
        return _ErrantScorer(self, corpus)

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
        from errata.language.types import find_word_list

        return f"{self.bank.name}, word list {find_word_list().fingerprint}" if typed else self.bank.name

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
        return self.level == "cse" or self.types != _ALL_TYPES

    @property
    def listed_types(self) -> tuple[list[str], list[str]]:
        """The types that alone count, and those that do not.

        >>> Errant(types="not:R:SPELL+R:ORTH").listed_types
        ([], ['R:SPELL', 'R:ORTH'])
        """
        if self.types == _ALL_TYPES:
            return [], []
        listed = self.types.removeprefix(_NOT).split("+")
        return ([], listed) if self.types.startswith(_NOT) else (listed, [])

    @property
    def ratio(self) -> Ratio:
        return self._ratios.f

    def value(self, counts: Row) -> float:
        """Compute F as ERRANT does, without rounding it."""
        return _compute_f(counts, self.beta)

    def values(self, counts: Any) -> Any:
        return _compute_many_f(counts, self.beta)

    def parts(self, counts: Row) -> dict[str, Any]:
        precision, recall, _ = self._ratios
        return {**super().parts(counts), "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        return Outcomes(*counts)

    @property
    def label(self) -> str:
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


@dataclass(frozen=True)
class _ChooseRounded(Chosen):
    """One annotator is chosen for each sentence, as in ERRANT; rows are true positives, false positives and false negatives.

    Sentence by sentence in file order, the row with the largest F of the counts so far and this sentence is chosen, with F rounded to
    four digits.  Ties, which rounding makes frequent, go to the row with more true positives, then with fewer false positives, then with
    fewer false negatives, then to the first.  F is computed with the same operations on floating-point numbers as in ERRANT, because
    some values lie exactly between two roundings, where the error of the last digit decides.
    """

    beta: float

    @property
    def in_order(self) -> bool:
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        correct = wrong = missed = 0
        chosen = []
        for own in rows:
            best = self._find_clearly_best(own) if len(own) > 1 else 0
            if best is None:
                keys = [self._key(row, (correct + row[0], wrong + row[1], missed + row[2])) for row in own]
                best = keys.index(max(keys))
            row = own[best]
            correct, wrong, missed = correct + row[0], wrong + row[1], missed + row[2]
            chosen.append(best)
        return tuple(chosen)

    def _find_clearly_best(self, rows: Sequence[Row]) -> int | None:
        """Find a row that is best whatever the sums are: no other has more true positives, or fewer of the false ones."""
        if self.beta < _CLEAR_BETA:
            return None
        best = 0
        for index in range(1, len(rows)):
            (correct, wrong, missed), other = rows[best], rows[index]
            if other[0] <= correct and other[1] >= wrong and other[2] >= missed:
                continue
            if other[0] < correct or other[1] > wrong or other[2] > missed:
                return None
            best = index
        return best

    def _key(self, row: Row, total: Row) -> tuple[float, int, int, int]:
        return round(_compute_f(total, self.beta), _DIGITS), row[0], -row[1], -row[2]

    def rechoose(self, counts: Any, starts: Any, picked: Any) -> Any:
        """Sum the rows chosen in each replicate, an ordered list of sentences in which -1 is none.

        ``counts`` has the rows of all sentences, those of a sentence from its start to the next.
        """
        import numpy as np

        sizes = np.diff(starts)
        most = int(sizes.max(initial=1))
        # Rows are padded with the first row of their sentence, which changes no choice; a sentence without counts is added at the end.
        places = starts[:-1, None] + np.where(np.arange(most) < sizes[:, None], np.arange(most), 0)
        rows = np.concatenate([counts[places], np.zeros((1, most, 3))])
        drawn = np.where(picked < 0, len(sizes), picked)
        step = max(1, _CELLS // max(1, drawn.shape[1]))
        parts = [self._rechoose(rows, drawn[first : first + step]) for first in range(0, len(drawn), step)]
        return np.concatenate(parts) if parts else np.zeros((0, 3))

    def _rechoose(self, rows: Any, drawn: Any) -> Any:
        """Sum the chosen rows of some replicates; in order, but only sentences without a clearly best row are looked at."""
        import numpy as np

        listed = rows.tolist()
        best = np.array([-1 if (index := self._find_clearly_best(own)) is None else index for own in listed])
        clear = np.where(best[:, None] < 0, 0, rows[np.arange(len(rows)), best])
        sums = np.cumsum(clear[drawn], axis=1)
        is_open = best[drawn] < 0
        left = is_open.sum(axis=1)
        places = np.argsort(~is_open, axis=1, kind="stable")  # those of open sentences come first, in order
        # All ties of the rows of a sentence are decided by their ranks, so that one number is compared in each replicate.
        ranks = np.array([_rank_rows(own) for own in listed])
        total = np.zeros((len(drawn), 3))
        for turn in range(int(left.max(initial=0))):
            active = np.flatnonzero(left > turn)
            place = places[active, turn]
            sentences = drawn[active, place]
            candidates = (total[active] + sums[active, place])[:, None, :] + rows[sentences]
            keys = _round_many(_compute_many_f(candidates, self.beta)) * rows.shape[1] + ranks[sentences]
            total[active] += rows[sentences, keys.argmax(axis=1)]
        return total + (sums[:, -1] if sums.shape[1] else 0)


def _rank_rows(rows: Sequence[Sequence[float]]) -> list[int]:
    """Rank rows by the rules for ties, the best with the largest rank; equal rows have the rank of the first."""
    order = sorted(range(len(rows)), key=lambda index: (rows[index][0], -rows[index][1], -rows[index][2], -index))
    ranks = [0] * len(rows)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks


def _compute_f(counts: Sequence[int], beta: float) -> float:
    """Compute F of true positives, false positives and false negatives, as ERRANT does before it rounds.

    >>> round(_compute_f((482, 797, 1908), 0.5), 4), _compute_f((0, 0, 0), 0.5), _compute_f((0, 1, 1), 0.5)
    (0.3211, 1.0, 0.0)
    """
    correct, wrong, missed = counts
    precision = correct / (correct + wrong) if wrong else 1.0
    recall = correct / (correct + missed) if missed else 1.0
    below = beta**2 * precision + recall
    if below:
        return (1 + beta**2) * precision * recall / below
    return 1.0 if beta == 0 and not wrong else 0.0


def _compute_many_f(counts: Any, beta: float) -> Any:
    """Compute F of many sums of counts, the last axis of an array; equal to :func:`_compute_f` in every bit."""
    import numpy as np

    correct, wrong, missed = (counts[..., index] for index in range(3))
    precision = np.divide(correct, correct + wrong, out=np.ones(correct.shape), where=wrong != 0)
    recall = np.divide(correct, correct + missed, out=np.ones(correct.shape), where=missed != 0)
    below = beta**2 * precision + recall
    of_nothing = np.where((beta == 0) & (wrong == 0), 1.0, 0.0)
    return np.divide((1 + beta**2) * precision * recall, below, out=of_nothing, where=below != 0)


def _round_many(values: Any) -> Any:
    """Round values to ten-thousandths, and count these; exactly as Python rounds."""
    import numpy as np

    scaled = values * _STEPS
    rounded = np.rint(scaled)
    unclear = np.abs(np.abs(scaled - rounded) - 0.5) < _NEARLY_HALF
    if unclear.any():
        rounded[unclear] = [round(round(value, _DIGITS) * _STEPS) for value in values[unclear].tolist()]
    return rounded


def _make_keys(changes: Iterable[_ScoredEdit], level: _Level) -> _Keyed:
    """Make the keys of the edits of a sentence, in order.

    >>> _make_keys([_ScoredEdit(1, 3, "likes", "R:OTHER"), _ScoredEdit(3, 3, "the", "M:DET")], "dt").keys()
    dict_keys([(1, 2), (2, 3), (3, 4)])
    """
    keyed: _Keyed = {}
    for change in changes:
        start, end, correction, type_ = change
        if level == "dt":
            for token in range(start, max(end, start + 1)):
                keyed.setdefault((token, token + 1), []).append(change)
        elif level == "ds":
            keyed.setdefault((start, end), []).append(change)
        elif type_ != UNKNOWN_TYPE:
            keyed.setdefault((start, end, correction) if level == "cs" else (start, end, correction, type_), []).append(change)
    return keyed


class _ErrantScorer:
    """The gold of a corpus, prepared by a policy."""

    def __init__(self, metric: Errant, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.policy = metric.find_policy(corpus)
        wanted, unwanted = metric.listed_types
        self._wanted, self._unwanted = frozenset(wanted), frozenset(unwanted)
        self._repeats = metric.repeated == "official"
        self._gold = self._prepare(typed=metric.uses_types)
        self._check_types()
        self.check_tokens(edits for own in self._gold for edits in own)
        self.keys = [tuple(map(self.make_keys, own)) for own in self._gold]
        """For each sentence, the keys of each annotator."""
        self._unchanged: list[tuple[Row, ...]] = [tuple((0, 0, self.count(keyed.values())) for keyed in own) for own in self.keys]
        """The rows of each sentence if nothing is proposed."""

    @cached_property
    def typed_keys(self) -> list[tuple[_Keyed, ...]]:
        """The same, with the types of all edits."""
        if self.policy == "raw" or self.metric.uses_types:
            return self.keys
        return [tuple(map(self.make_keys, own)) for own in self._prepare(typed=True)]

    def _prepare(self, *, typed: bool) -> list[list[list[_ScoredEdit]]]:
        """List the edits of each annotator of each sentence; a sentence without annotators is correct."""
        gold = self.corpus
        if self.policy != "raw":
            with self.explain_parser():
                gold = prepare_gold(self.corpus, self.policy, self.make_extractor("linguistic", "rules"), typed=typed)
        self._labels = [tuple(annotation.annotator for annotation in sentence.annotations) or (FIRST_ANNOTATOR,) for sentence in gold]
        return [[[_ScoredEdit.of(edit) for edit in annotation.edits] for annotation in sentence.annotations] or [[]] for sentence in gold]

    def make_extractor(self, alignment: AlignmentName, merge: MergeName) -> Extractor:
        """Make an extractor of edits."""
        return Extractor(self.metric.bank, alignment, merge)

    @contextmanager
    def explain_parser(self) -> Iterator[None]:
        """Say what needs no parser, if there is none."""
        try:
            yield
        except RequestError as error:
            try:
                _ = self.metric.bank.name
            except RequestError:
                how = "no parser is needed if the system is M2 and the gold has ERRANT's types, or with gold=raw"
                raise RequestError(f"{error}; {how}") from None
            raise

    def _check_types(self) -> None:
        """Raise if the settings name a type that neither ERRANT nor the gold has."""
        listed = self._wanted | self._unwanted
        if not listed <= ERRANT_TYPES:
            known = ERRANT_TYPES | {change.type for own in self._gold for changes in own for change in changes}
            if unknown := sorted(listed - known):
                raise UsageError(
                    f"{self.metric.name} setting types: neither ERRANT nor {self.corpus.path or self.corpus.name} has the type "
                    f"{unknown[0]!r}{suggest(unknown[0], known)}"
                )

    def check_tokens(self, edits: Iterable[Sequence[_ScoredEdit]]) -> None:
        """Raise if every token of edits counts, and they have too many."""
        if self.metric.level == "dt":
            tokens = sum(edit.end - edit.start for own in edits for edit in own)
            if tokens > _MOST_TOKENS_OF_EDITS:
                raise RequestError(
                    f"{self.metric}: the edits of gold or system have {tokens:,} tokens, more than {_MOST_TOKENS_OF_EDITS:,}; use level=ds"
                )

    def make_keys(self, changes: Iterable[_ScoredEdit]) -> _Keyed:
        """Make the keys of the edits that count."""
        if self._wanted:
            changes = [change for change in changes if change.type in self._wanted]
        elif self._unwanted:
            changes = [change for change in changes if change.type not in self._unwanted]
        if self.metric.lengths != "all":
            wanted = self.metric.lengths == "multi"
            changes = [change for change in changes if change.is_long == wanted]
        return _make_keys(changes, self.metric.level)

    def count(self, repeated: Collection[Sequence[_ScoredEdit]]) -> int:
        """Count the edits behind some keys."""
        return sum(map(len, repeated)) if self._repeats else len(repeated)

    def count_rows(self, index: int, proposed: _Keyed) -> tuple[Row, ...]:
        """Count true positives, false positives and false negatives of a sentence, one row for each annotator."""
        if not proposed:
            return self._unchanged[index]
        rows: list[Row] = []
        wrong = self.count(proposed.values())
        for keyed, (_, _, total) in zip(self.keys[index], self._unchanged[index], strict=True):
            if keyed.keys().isdisjoint(proposed):
                rows.append((0, wrong, total))
                continue
            common = [key for key in keyed if key in proposed]
            found = self.count([keyed[key] for key in common])
            rows.append((found, wrong - self.count([proposed[key] for key in common]), total - found))
        return tuple(rows)

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _ErrantOutput:
        return _ExtractedOutput(self, hypotheses, first)

    def prepare_edits(self, system: System) -> _ErrantOutput:
        return _OwnOutput(self, system)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del rows
        return self._labels[index]


class _ErrantOutput(Output):
    """The edits of a system."""

    def __init__(self, scorer: _ErrantScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._keys = self._make_keys(typed=scorer.metric.uses_types)

    @abstractmethod
    def _list_changes(self, *, typed: bool) -> Iterable[Sequence[_ScoredEdit]]:
        """List the edits of every sentence."""

    def _make_keys(self, *, typed: bool) -> list[_Keyed]:
        make_keys, edits = self._scorer.make_keys, list(self._list_changes(typed=typed))
        self._scorer.check_tokens(edits)
        return [make_keys(own) if own else {} for own in edits]

    @cached_property
    def _typed_keys(self) -> list[_Keyed]:
        return self._keys if self._scorer.metric.uses_types else self._make_keys(typed=True)

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        count_rows, first = self._scorer.count_rows, self.first
        return [count_rows(index, self._keys[index - first]) for index in range(start, stop)]

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """List right, wrong and missed edits of the sentence at an index, in order, for each annotator.

        They are those that are counted, so an edit occurs for each of its tokens if these are counted, and an edit that matches
        one that gold repeats occurs as often.
        """
        self.hypothesis(index)
        return [self._judge(index, keyed) for keyed in self._scorer.typed_keys[index]]

    def _judge(self, index: int, gold: _Keyed) -> list[JudgedEdit]:
        proposed = self._typed_keys[index - self.first]
        judged: list[JudgedEdit] = []

        def add(outcome: EditOutcome, key: tuple[int | str, ...], edits: Sequence[_ScoredEdit], correction: str | None = None) -> None:
            once = self._scorer.metric.repeated == "once"
            for change in edits[:1] if once else edits:
                start, end = change.start, change.end
                if self._scorer.metric.level == "dt" and start < end:
                    start, end = int(key[0]), int(key[1])
                original = " ".join(self._scorer.corpus[index].tokens[start:end])
                judged.append(
                    JudgedEdit(outcome, start, end, original, (change.correction if correction is None else correction,), change.type)
                )

        for key, own in proposed.items():
            if key in gold:
                add("right", key, gold[key], own[0].correction)
            else:
                add("wrong", key, own)
        for key, own in gold.items():
            if key not in proposed:
                add("missed", key, own)
        return sorted(judged, key=lambda edit: (edit.start, edit.end))


class _ExtractedOutput(_ErrantOutput):
    """A text whose edits are extracted; their types only if they are needed."""

    def __init__(self, scorer: _ErrantScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        corpus, metric = scorer.corpus, scorer.metric
        self._pairs = [(corpus[index].tokens, tokens) for index, tokens in enumerate(hypotheses, first)]
        self._extractor = scorer.make_extractor(metric.alignment, metric.merge)
        with scorer.explain_parser():
            try:
                self._spans = self._extractor.spans(self._pairs)
            except PairError as error:
                raise error.in_corpus(corpus, first) from None
        super().__init__(scorer, hypotheses, first)

    def _list_changes(self, *, typed: bool) -> Iterable[Sequence[_ScoredEdit]]:
        with self._scorer.explain_parser():
            types = self._extractor.types(self._pairs, self._spans) if typed else [("",) * len(own) for own in self._spans]
        for (_, target), spans, own in zip(self._pairs, self._spans, types, strict=True):
            yield [
                _ScoredEdit(span.start, span.end, " ".join(target[span.target_start : span.target_end]), name)
                for span, name in zip(spans, own, strict=True)
            ]


class _OwnOutput(_ErrantOutput):
    """A system with its own edits."""

    def __init__(self, scorer: _ErrantScorer, system: System) -> None:
        self._own = system.edits or ()
        metric = scorer.metric
        for name, default in (("alignment", "linguistic"), ("merge", "rules")):
            if getattr(metric, name) != default:
                raise UsageError(
                    f"{metric} cannot be combined with M2 of a system, whose edits are its own: {system.path or system.name}; "
                    "give its text, or leave the setting out"
                )
        super().__init__(scorer, system.sentences)

    def _list_changes(self, *, typed: bool) -> Iterable[Sequence[_ScoredEdit]]:
        del typed
        return ([_ScoredEdit.of(edit) for edit in edits] for edits in self._own)
