"""The edits between two texts by the rules of ERRANT (Felice et al. 2016), and gold for ERRANT."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import groupby, islice
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, cast

from errata.core import align_parses, merge_by_rules
from errata.corpus.annotators import choose_missing, complete_annotations
from errata.corpus.corpus import Annotation, Corpus, Edit, Part, Sentence
from errata.corpus.parses import Span
from errata.corpus.unicode import warn_of_english
from errata.errors import RequestError, UsageError
from errata.language.errant_types import classify_span
from errata.language.types import ERRANT_TYPES, UNKNOWN_TYPE, explain_errant_type, find_word_list

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from errata.corpus.parses import Parse
    from errata.corpus.texts import Tokens
    from errata.formats.lines import TextLine
    from errata.language.parse_bank import ParseBank
    from errata.language.types import GivesTypes


AlignmentName = Literal["linguistic", "lev"]


def align_pair(source: Parse, target: Parse, alignment: AlignmentName = "linguistic") -> list[Span]:
    """Find the operations between two parsed sentences; tokens that match are none.

    A deletion has an empty target, an insertion an empty source, a substitution one token on each side, and a transposition the same
    tokens in another order, two or more on each side.
    """
    sentences = [(parse.forms, parse.lemmas, parse.pos) for parse in (source, target)]
    return _align_sentences(sentences, [(1, 0, 1)], alignment)[0]


def align_texts(source: Tokens, target: Tokens) -> list[Span]:
    """Find the operations of Levenshtein's alignment, which needs no parse.

    >>> align_texts(("a", "a", "b"), ("a", "b"))
    [Span(start=0, end=1, target_start=0, target_end=0)]
    """
    return _align_sentences([(source, (), ()), (target, (), ())], [(1, 0, 1)], "lev")[0]


def _align_sentences(
    sentences: Sequence[tuple[Tokens, Tokens, Tokens]], pairs: Iterable[tuple[int, int, int]], alignment: AlignmentName
) -> list[list[Span]]:
    """Find the operations of many pairs of sentences: forms, lemmas and parts of speech, of which ``lev`` needs the forms only.

    A pair has a number, for messages, and the indices of its source and target.
    """
    found = align_parses(sentences, list(pairs), alignment == "linguistic")
    return [list(map(Span._make, operations)) for operations in found]


# Which operations of an alignment are one edit: the rules of ERRANT (Felice et al. 2016), and three simple strategies.
# A run is operations without a match between them.

MergeName = Literal["rules", "all-split", "all-merge", "all-equal"]


def merge_operations(operations: Sequence[Span], source: Parse | None, target: Parse | None, strategy: MergeName = "rules") -> list[Span]:
    """Merge the operations of an alignment to edits; only the rules need the parses.

    >>> operations = [Span(0, 1, 0, 1), Span(1, 1, 1, 2), Span(4, 5, 5, 5)]
    >>> merge_operations(operations, None, None, "all-merge")
    [Span(start=0, end=1, target_start=0, target_end=2), Span(start=4, end=5, target_start=5, target_end=5)]
    """
    if strategy == "all-split":
        return list(operations)
    if strategy == "all-merge":
        return [run[0].through(run[-1]) for run in _list_runs(operations)]
    if strategy == "all-equal":
        equal = (list(same) for run in _list_runs(operations) for _, same in groupby(run, key=_kind))
        return [same[0].through(same[-1]) for same in equal]
    if source is None or target is None:
        raise UsageError("merge=rules needs the parses of both texts")
    sides = ((side.forms, side.pos, side.tags) for side in (source, target))
    try:
        return list(map(Span._make, merge_by_rules(operations, *sides)))
    except OverflowError as error:
        raise RequestError(str(error)) from None


def _kind(operation: Span) -> tuple[int, int]:
    """The tokens on both sides: (1, 0) for a deletion, (0, 1) for an insertion, (1, 1) for a substitution, else a transposition."""
    return operation.end - operation.start, operation.target_end - operation.target_start


def _list_runs(operations: Sequence[Span]) -> list[list[Span]]:
    runs: list[list[Span]] = []
    end = target_end = -1
    for operation in operations:
        if operation[0] == end and operation[2] == target_end:
            runs[-1].append(operation)
        else:
            runs.append([operation])
        _, end, _, target_end = operation
    return runs


if TYPE_CHECKING:
    _Pair = tuple[Tokens, Tokens]
    _Key = tuple[int, int]


_SENTENCES_AT_A_TIME = 2_000
"""How many sentences of a long text are in memory with their parses."""


class PairError(RequestError):
    """A pair of texts whose edits cannot be found; whoever knows the file and the number of its sentence says them."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"sentence {index + 1:,} {reason}")
        self.index = index
        """The index of the pair, from 0."""
        self.reason = reason

    def in_corpus(self, corpus: Corpus, first: int = 0) -> RequestError:
        """Name the corpus and the number of the sentence; pairs begin with the sentence at the index ``first``."""
        return RequestError(f"{corpus.path or corpus.name}: sentence {corpus.numbers[first + self.index]:,} {self.reason}")


class _FindsParses(Protocol):
    """Where the parses of sentences come from."""

    def find(self, sentences: Sequence[Tokens]) -> list[Parse]:
        """Return the parse of every sentence."""


class Extractor:
    """Edits between pairs of texts.

    Equal texts have no edits, and nothing of them is parsed; each distinct pair is aligned once.
    ``words`` are no misspellings; the default is the list of the package ``errant``, which is read when types are asked for.
    A pair that is too long is refused with its number, from 1.

    >>> Extractor(None, alignment="lev", merge="all-merge").spans([(("He", "go", "home"), ("He", "goes", "to", "home"))])
    [[Span(start=1, end=2, target_start=1, target_end=3)]]
    """

    def __init__(
        self,
        bank: _FindsParses | None,
        alignment: AlignmentName = "linguistic",
        merge: MergeName = "rules",
        words: Container[str] | None = None,
    ) -> None:
        self._bank, self._alignment, self._merge, self._words = bank, alignment, merge, words
        if bank is None and self._needs_parses:
            raise UsageError("alignment=linguistic and merge=rules need parses")
        self._checked = False

    def spans(self, pairs: Sequence[_Pair]) -> list[list[Span]]:
        """Find the edits of every pair, without types."""
        texts = _Texts(pair if pair[0] != pair[1] else None for pair in pairs)
        found = self._find_spans(texts, self._parse(texts) if self._needs_parses else None)
        return [found[key] if key else [] for key in texts.keys]

    def types(self, pairs: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> list[tuple[str, ...]]:
        """Find the types of given edits of every pair; only pairs with edits are parsed."""
        texts = _Texts(pair if own else None for pair, own in zip(pairs, spans, strict=True))
        parses = self._parse(texts)
        found: dict[tuple[_Key, tuple[Span, ...]], tuple[str, ...]] = {}
        result: list[tuple[str, ...]] = []
        for key, own in zip(texts.keys, map(tuple, spans), strict=True):
            if key and (key, own) not in found:
                found[key, own] = self._classify(own, parses[key[0]], parses[key[1]])
            result.append(found[key, own] if key else ())
        return result

    def edits(self, pairs: Sequence[_Pair]) -> list[tuple[Edit, ...]]:
        """Find the edits of every pair, with types."""
        texts = _Texts(pair if pair[0] != pair[1] else None for pair in pairs)
        parses = self._parse(texts)
        found: dict[_Key, tuple[Edit, ...]] = {}
        for key, spans in self._find_spans(texts, parses).items():
            source, target = (parses[place] for place in key)
            found[key] = tuple(
                Edit(start, end, (" ".join(target.forms[target_start:target_end]),), name)
                for (start, end, target_start, target_end), name in zip(spans, self._classify(spans, source, target), strict=True)
            )
        return [found[key] if key else () for key in texts.keys]

    @property
    def _needs_parses(self) -> bool:
        return self._alignment == "linguistic" or self._merge == "rules"

    def _parse(self, texts: _Texts) -> list[Parse]:
        if self._bank is None:
            raise UsageError("types of edits need parses")
        if not self._checked and texts.places:  # once: the first texts are those of a corpus, later ones may be few
            self._checked = True
            warn_of_english(list(texts.places), "ERRANT's rules and types are for English")
        return self._bank.find(list(texts.places)) if texts.places else []

    def _find_spans(self, texts: _Texts, parses: Sequence[Parse] | None) -> dict[_Key, list[Span]]:
        if parses is not None and self._alignment == "linguistic":
            sentences = [(tokens, parse.lemmas, parse.pos) for tokens, parse in zip(texts.places, parses, strict=True)]
        else:
            sentences = [(tokens, (), ()) for tokens in texts.places]
        try:
            aligned = _align_sentences(sentences, [(number, *key) for key, number in texts.numbers.items()], self._alignment)
        except OverflowError as error:
            which, _, reason = str(error).removeprefix("sentence ").partition(" ")
            raise PairError(int(which) - 1, reason) from None
        found: dict[_Key, list[Span]] = {}
        for (key, number), operations in zip(texts.numbers.items(), aligned, strict=True):
            source, target = (parses[place] for place in key) if parses is not None else (None, None)
            try:
                found[key] = merge_operations(operations, source, target, self._merge)
            except RequestError as error:
                raise PairError(number - 1, f"cannot be aligned: {error}") from None
        return found

    def _classify(self, spans: Sequence[Span], source: Parse, target: Parse) -> tuple[str, ...]:
        if self._words is None:
            self._words = find_word_list()
        return tuple(classify_span(source, target, span, self._words) for span in spans)


class TypedExtractor:
    """Finds edits by an extractor, and gives them the types of another system."""

    def __init__(self, extractor: Extractor, system: GivesTypes) -> None:
        self._extractor, self._system = extractor, system

    def edits(self, pairs: Sequence[_Pair]) -> list[tuple[Edit, ...]]:
        """Find the edits of every pair, with types."""
        spans = self._extractor.spans(pairs)
        found = []
        for (_, target), own, names in zip(pairs, spans, self._system.types(pairs, spans), strict=True):
            items = zip(own, names, strict=True)
            found.append(
                tuple(Edit(span.start, span.end, (" ".join(target[span.target_start : span.target_end]),), name) for span, name in items)
            )
        return found


class _Texts:
    """The distinct texts of pairs, each with a number from 0; None is a pair that has no edits."""

    def __init__(self, pairs: Iterable[_Pair | None]) -> None:
        self.places: dict[Tokens, int] = {}
        self.keys: list[_Key | None] = []
        """The numbers of both texts of each pair."""
        self.numbers: dict[_Key, int] = {}
        """The distinct pairs, each with the number of its first sentence, from 1."""
        for number, pair in enumerate(pairs, start=1):
            key = None
            if pair is not None:
                source, target = (self.places.setdefault(tokens, len(self.places)) for tokens in pair)
                key = source, target
                self.numbers.setdefault(key, number)
            self.keys.append(key)


# --- Gold for ERRANT, prepared by one of four policies.
#
# - ``raw``: as it is;
# - ``auto``: the edits of each annotator are applied, and extracted and typed anew;
# - ``gold``: the spans stay, without equal tokens at their ends, and are typed anew;
# - ``text``: as ``auto``, from reference texts in which every edit is applied.
#
# ``auto`` and ``gold`` do what ``errant_m2`` does: edits of the types ``Um`` and ``UNK`` are not applied, and stay with their old
# correction and the type UNK, or the type of the change that other edits make at their place; annotators are sorted by their names; noop
# as the first line of an annotator drops the rest; one whose edits change nothing has no annotation in ``auto``.

Policy = Literal["raw", "auto", "gold", "text"]
POLICIES: dict[Policy, str] = {
    "raw": "as it is",
    "auto": "edits are applied, extracted and typed anew; Um and UNK stay as UNK",
    "gold": "spans stay, without equal tokens at their ends, and are typed anew",
    "text": "edits are extracted from reference texts, in which every edit is applied",
}
"""All policies, with their descriptions."""
_UNAPPLIED = frozenset({"Um", UNKNOWN_TYPE})
"""Types of edits whose correction is unknown."""


class _Placed(NamedTuple):
    """An edit and where its correction is in the corrected text."""

    edit: Edit
    target_start: int
    target_end: int


def _apply_edits(tokens: Tokens, edits: Iterable[Edit], unapplied: frozenset[str] = _UNAPPLIED) -> tuple[Tokens, list[_Placed]]:
    """Apply the edits of an annotator in the order of their spans, as ERRANT does; those of some types leave the source as it is.

    An edit that overlaps an earlier one changes what is then at its place.

    >>> _apply_edits(("I", "has", "cake"), [Edit(2, 2, ("a",)), Edit(1, 2, ("have",)), Edit(0, 1, ("He",), "Um")])[0]
    ('I', 'have', 'a', 'cake')
    """
    corrected = list(tokens)
    placed = []
    shift = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        words = tokens[edit.start : edit.end] if edit.type in unapplied else tuple(edit.literal.split())
        start = edit.start + shift
        corrected[start : edit.end + shift] = words
        placed.append(_Placed(edit, start, start + len(words)))
        shift += len(words) - (edit.end - edit.start)
    return tuple(corrected), placed


def prepare_gold(corpus: Corpus, policy: Policy, extractor: GivesTypes, *, typed: bool = True, strip: bool = True) -> Corpus:
    """Prepare gold by a policy; ``gold`` needs only the types of edits, the others their spans too.

    If not ``typed``, edits have no type, but UNK where that is known without one; if not ``strip``, the spans of ``gold`` stay whole.
    """
    if policy == "raw":
        return corpus
    if policy == "text":
        missing = choose_missing(corpus)
        annotated = [list(own) for own in complete_annotations(corpus, missing)]
        drafts = [
            _Draft(annotation, sentence.tokens, sentence.corrected(annotation))
            for sentence, own in zip(corpus, annotated, strict=True)
            for annotation in own
        ]
    else:
        annotated = [_order_annotators(sentence) for sentence in corpus]
        drafts = [
            _apply(annotation, sentence.tokens, strip=strip) for sentence, own in zip(corpus, annotated, strict=True) for annotation in own
        ]
    pairs = [(draft.source, draft.target) for draft in drafts]
    try:
        spans = [draft.spans for draft in drafts] if policy == "gold" else cast("Extractor", extractor).spans(pairs)
        known = [(*own, *(unknown.span for unknown in draft.unknown)) for draft, own in zip(drafts, spans, strict=True)]
        types = extractor.types(pairs, known) if typed else [[""] * len(own) for own in known]
    except PairError as error:
        owners = [index for index, own in enumerate(annotated) for _ in own]
        raise PairError(owners[error.index], error.reason).in_corpus(corpus) from None
    keep_order = policy == "gold"
    made = iter(draft.make(own, names, keep_order=keep_order) for draft, own, names in zip(drafts, spans, types, strict=True))
    sentences = []
    for sentence, before in zip(corpus, annotated, strict=True):
        after = [next(made) for _ in before]
        # An annotator whose edits change nothing gets no line from the converter, and so is none of the candidates of the sentence.
        kept = [new for old, new in zip(before, after, strict=True) if new.edits or not old.edits or policy == "text"]
        sentences.append(replace(sentence, annotations=tuple(kept)))
    return replace(corpus, sentences=tuple(sentences))


class _Unknown(NamedTuple):
    """An edit whose correction is unknown."""

    place: int
    """The number of other edits before it."""
    span: Span
    correction: str


class _Draft(NamedTuple):
    """An annotation whose edits are replaced."""

    annotation: Annotation
    source: Tokens
    target: Tokens
    spans: tuple[Span, ...] = ()
    """The spans of its edits, if they stay, in the order in which they are applied."""
    unknown: tuple[_Unknown, ...] = ()
    """Edits that stay."""

    def make(self, spans: Sequence[Span], types: Sequence[str], *, keep_order: bool) -> Annotation:
        """Make the annotation from its edits and the types of spans, then of unknown edits.

        They are sorted, or keep the order in which they were applied.
        """
        edits = [self._make_edit(span, name) for span, name in zip(spans, types[: len(spans)], strict=True)]
        stay = [self._make_edit(item.span, name, item.correction) for item, name in zip(self.unknown, types[len(spans) :], strict=True)]
        if keep_order:
            for item, edit in reversed(list(zip(self.unknown, stay, strict=True))):
                edits.insert(item.place, edit)
        elif self.unknown:
            edits = sorted([*stay, *edits], key=_get_span)
        return Annotation(self.annotation.annotator, tuple(edits))

    def _make_edit(self, span: Span, name: str, correction: str | None = None) -> Edit:
        words = self.target[span.target_start : span.target_end]
        changes = self.source[span.start : span.end] != words
        return Edit(span.start, span.end, (" ".join(words) if correction is None else correction,), name if changes else UNKNOWN_TYPE)


def _get_span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _order_annotators(sentence: Sentence) -> list[Annotation]:
    """Sort annotators by their names, and drop the edits of those whose first line is noop."""
    ordered = sorted(sentence.annotations, key=lambda annotation: annotation.annotator)
    return [Annotation(annotation.annotator) if annotation.starts_with_noop else annotation for annotation in ordered]


def _apply(annotation: Annotation, source: Tokens, *, strip: bool) -> _Draft:
    """Apply the edits of an annotator, and find where their corrections are."""
    target, placed = _apply_edits(source, annotation.edits)
    spans: list[Span] = []
    unknown: list[_Unknown] = []
    for edit, first, last in placed:
        start, end, _ = slice(first, last).indices(len(target))  # places before the text count from its end, as in ERRANT
        span = Span(edit.start, edit.end, start, max(start, end))
        if edit.type in _UNAPPLIED:
            unknown.append(_Unknown(len(spans), span, " ".join(edit.literal.split())))
        else:
            spans.append(_strip(span, source, target) if strip else span)
    return _Draft(annotation, source, target, tuple(spans), tuple(unknown))


def _strip(span: Span, source: Tokens, target: Tokens) -> Span:
    """Leave out equal tokens at the front, then at the back."""
    start, end, first, last = span
    while start < end and first < last and source[start] == target[first]:
        start, first = start + 1, first + 1
    while start < end and first < last and source[end - 1] == target[last - 1]:
        end, last = end - 1, last - 1
    return Span(start, end, first, last)


# --- Gold whose edits are typed anew by the rules of ERRANT: converted as ``errant_m2`` does, or with its own edits.

_Retyping = Literal["auto", "gold"]


def retype_corpus(
    corpus: Corpus, policy: _Retyping, extractor: Extractor, *, keep_spans: bool = False, progress: Callable[[int], None] | None = None
) -> Corpus:
    """Convert a corpus as ``errant_m2`` does: ``auto`` extracts edits from the corrected sentences, ``gold`` types those that it has.

    Of alternative corrections the first is used.  In ``auto``, an annotator whose edits change nothing has no annotation.
    With ``keep_spans``, spans of ``gold`` keep equal tokens at their ends.
    """

    def retype(whole: Corpus) -> Iterator[Sentence]:
        plain = replace(whole, sentences=tuple(_simplify(sentence) for sentence in whole))
        for sentence in prepare_gold(plain, policy, extractor, strip=not keep_spans):
            yield replace(sentence, annotations=tuple(_reset(item) for item in sentence.annotations))

    return _convert(corpus, retype, progress)


def type_gold(corpus: Corpus, extractor: GivesTypes, progress: Callable[[int], None] | None = None) -> Corpus:
    """Give the edits of a corpus the types of ERRANT, or of another system; nothing else is changed.

    The type of an edit is that of its first correction, in the sentence with all corrections of its annotator.
    """

    def retype(whole: Corpus) -> Iterator[Sentence]:
        plain = replace(whole, sentences=tuple(_simplify(sentence, keep_all=True) for sentence in whole))
        for before, after in zip(whole, prepare_gold(plain, "gold", extractor), strict=True):
            typed = {item.annotator: [edit.type for edit in item.edits] for item in after.annotations}
            yield replace(before, annotations=tuple(_with_types(item, typed[item.annotator]) for item in before.annotations))

    return _convert(corpus, retype, progress)


def _convert(corpus: Corpus, retype: Callable[[Corpus], Iterator[Sentence]], progress: Callable[[int], None] | None) -> Corpus:
    """Convert a corpus piece by piece."""
    sentences: list[Sentence] = []
    for first in range(0, len(corpus), _SENTENCES_AT_A_TIME):
        numbers = tuple(corpus.numbers[first : first + _SENTENCES_AT_A_TIME])
        piece = replace(corpus, sentences=corpus.sentences[first : first + len(numbers)], part=Part(numbers, numbers[-1]))
        sentences += retype(piece)
        if progress is not None:
            progress(len(numbers))
    return replace(corpus, sentences=tuple(sentences))


def _simplify(sentence: Sentence, *, keep_all: bool = False) -> Sentence:
    """Keep the first of alternative corrections; with ``keep_all``, edits after a noop too."""
    annotations = (
        Annotation(
            item.annotator,
            tuple(Edit(edit.start, edit.end, edit.corrections[:1], edit.type) for edit in item.edits),
            starts_with_noop=item.starts_with_noop and not keep_all,
        )
        for item in sentence.annotations
    )
    return replace(sentence, annotations=tuple(annotations))


def _reset(annotation: Annotation) -> Annotation:
    """Leave out the status and the comment of edits that were kept, as of all others."""
    return Annotation(annotation.annotator, tuple(Edit(edit.start, edit.end, edit.corrections, edit.type) for edit in annotation.edits))


def _with_types(annotation: Annotation, types: list[str]) -> Annotation:
    """Give edits their types, which are in the order of their spans."""
    order = sorted(range(len(annotation.edits)), key=lambda index: (annotation.edits[index].start, annotation.edits[index].end))
    by_index = dict(zip(order, types, strict=True))
    return replace(annotation, edits=tuple(replace(edit, type=by_index[index]) for index, edit in enumerate(annotation.edits)))


def list_retyping_losses(corpus: Corpus) -> list[str]:
    """List what is left out if a corpus is converted as ``errant_m2`` does."""
    counts = Counter[str]()
    for sentence in corpus:
        for item in sentence.annotations:
            counts["skipped lines are left out"] += len(item.ignored)
            if item.starts_with_noop:
                counts["edits after a noop of their annotator are left out"] += len(item.edits)
                continue
            for edit in item.edits:
                counts["alternative corrections are left out (the first is used)"] += len(edit.corrections) - 1
                counts["edits lose their status or comment"] += (edit.status, edit.comment) != ("REQUIRED", "-NONE-")
                counts["edits lose their error and whether it must be corrected"] += edit.error is not None
    return [f"{what}: {count:,}" for what, count in counts.items() if count]


class FindsEdits(Protocol):
    """What finds the edits of pairs, with their types."""

    def edits(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> Sequence[tuple[Edit, ...]]:
        """Find the edits of every pair."""


def annotate_sentences(
    sources: Iterable[Tokens], corrected: Sequence[Iterable[TextLine]], extractor: FindsEdits, paths: Sequence[str] = ()
) -> Iterator[Sentence]:
    """Yield the sources with the edits of each corrected text, whose annotators are 0, 1, ....

    A text that is written as its source, with single spaces, has an annotation without edits; one that differs in white space only has
    none, as in ERRANT.  ``paths`` name the corrected texts in messages.
    """
    rows = zip(sources, *corrected, strict=True)
    first = 0
    while chunk := list(islice(rows, _SENTENCES_AT_A_TIME)):
        columns = []
        for number in range(len(corrected)):
            pairs = [(row[0], row[1 + number].tokens) for row in chunk]
            columns.append(_find_edits(extractor, pairs, first, paths[number] if paths else f"text {number}"))
        for index, (source, *lines) in enumerate(chunk):
            own = (_annotate(str(number), source, line, columns[number][index]) for number, line in enumerate(lines))
            yield Sentence(source, tuple(annotation for annotation in own if annotation is not None))
        first += len(chunk)


def _find_edits(extractor: FindsEdits, pairs: list[tuple[Tokens, Tokens]], first: int, path: str) -> Sequence[tuple[Edit, ...]]:
    """Find the edits of some lines of a text; an error names the line."""
    try:
        return extractor.edits(pairs)
    except PairError as error:
        raise RequestError(f"{path}:{first + error.index + 1}: it {error.reason}") from None


def _annotate(annotator: str, source: Tokens, line: TextLine, edits: tuple[Edit, ...]) -> Annotation | None:
    if not edits and line.text.strip() != " ".join(source):
        return None
    return Annotation(annotator, edits)


class ErrantTypes:
    """Gives edits types by the rules of ERRANT, which are about English."""

    language = "en"

    def __init__(self, bank: ParseBank) -> None:
        words = find_word_list()
        self._extractor = Extractor(bank, words=words)
        self.name = f"errant by {bank.name}, word list {words.fingerprint}"

    @property
    def meanings(self) -> dict[str, str]:
        return {name: explain_errant_type(name) for name in sorted(ERRANT_TYPES)}

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> list[tuple[str, ...]]:
        """Give edits their types; only pairs with edits are parsed."""
        return self._extractor.types(pairs, spans)


def make_errant(what: str) -> ErrantTypes:
    """Make the types with an analyser, by default spaCy."""
    from errata.language.parse_bank import ParseBank, default_bank

    return ErrantTypes(ParseBank(what) if what else default_bank())
