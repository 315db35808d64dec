"""Edits, annotations, sentences, corpora and systems; all immutable.

>>> sentence = Sentence.of("I likes cake .", [Edit(1, 2, ("like",), "SVA")])
>>> " ".join(sentence.corrected(sentence.annotations[0]))
'I like cake .'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from errata.corpus.texts import (
    DEFAULT_MAX_TOKENS,
    check_max_tokens,
    check_sentence,
    check_sentences,
    iterate_ranges,
    list_items,
    list_references,
    same_length,
    write_ranges,
)
from errata.corpus.texts import Tokens as Tokens  # noqa: PLC0414 - other modules find it here, beside what is made of it
from errata.corpus.unicode import AS_GIVEN, UnicodeForm, check_unicode_form, normalise_text, normalise_tokens
from errata.errors import InputError, MismatchError, UsageError, pluralise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from errata.corpus.annotators import MissingAnnotators

WHITESPACE_TOKENS = "whitespace"
"""The tokenisation of a text that is split at white space."""

FIRST_ANNOTATOR = "0"
"""The annotator of a sentence without annotations."""


def to_tokens(text: object) -> Tokens:
    """Convert a string, split at white space, or a sequence of strings to tokens.

    >>> to_tokens("A  cat sat ."), to_tokens(["A", "cat"])
    (('A', 'cat', 'sat', '.'), ('A', 'cat'))
    """
    checked = check_sentence(text)
    return tuple(checked.split()) if isinstance(checked, str) else checked


def require_text(value: object, what: str) -> None:
    """Raise unless a value is a string."""
    if not isinstance(value, str):
        raise UsageError(f"{what} must be a string, found {type(value).__name__}: {value!r:.60}")


_Member = TypeVar("_Member")


def to_tuple(kind: type[_Member], values: object, rule: str) -> tuple[_Member, ...]:
    """Convert values of one type to a tuple; else raise an error with the rule.

    >>> to_tuple(int, [1, 2], "numbers must be a list of whole numbers")
    (1, 2)
    """
    # Lists and tuples come first, because asking for abstract types is slow.
    if not isinstance(values, (tuple, list)) and (
        isinstance(values, (str, AbstractSet, Mapping)) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0
    ):  # what has no order, or no items
        raise UsageError(f"{rule}, found {values!r:.60}")
    members = tuple(values)
    if set(map(type, members)) - {kind}:
        for value in members:
            if not isinstance(value, kind):
                raise UsageError(f"{rule}, found an item of type {type(value).__name__}: {value!r:.60}")
    return members


def share_tokens(one: Tokens, other: Tokens) -> float:
    """Compute the share of tokens of the longer text that occur in the other, in any order.

    >>> share_tokens(("a", "b", "c", "d"), ("b", "a", "x"))
    0.5
    """
    longest = max(len(one), len(other))
    return (Counter(one) & Counter(other)).total() / longest if longest else 1.0


class ErrorGroup(NamedTuple):
    """An error named by the gold: its corrections by different annotators are alternatives, whatever their spans."""

    id: str
    required: bool
    """Whether it must be corrected."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A source span and the corrections an annotator accepts for it.

    An empty span is an insertion, an empty correction a deletion.
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    """Alternatives, each with single spaces between tokens."""
    type: str = ""
    status: str = "REQUIRED"
    comment: str = "-NONE-"
    error: ErrorGroup | None = None
    """The error of the edit, if the gold names it; else errors are found by overlap (:mod:`errata.corpus.alternatives`)."""
    written: str = field(default="", repr=False, compare=False)
    """The corrections as their file has them, if that is not the alternatives with ``||`` between them."""

    def __post_init__(self) -> None:
        if not isinstance(self.start, int) or not isinstance(self.end, int):
            raise UsageError(f"offsets must be whole numbers, found {self.start!r:.40} and {self.end!r:.40}")
        if not 0 <= self.start <= self.end:
            raise InputError(f"an edit must start at 0 or later and not end before its start, found {self.start} to {self.end}")
        if not (type(self.type) is str and type(self.status) is str and type(self.comment) is str):
            for value, what in ((self.type, "type"), (self.status, "status"), (self.comment, "comment")):
                require_text(value, f"the {what} of an edit")
        if type(self.corrections) is tuple and len(self.corrections) == 1 and type(self.corrections[0]) is str:
            return  # as most edits
        object.__setattr__(self, "corrections", to_tuple(str, self.corrections, "corrections must be a tuple of strings"))
        if not self.corrections:
            raise InputError("an edit must have at least one correction; a deletion has an empty one")

    @property
    def required(self) -> bool:
        """Whether leaving the text uncorrected is an error."""
        return self.status == "REQUIRED"

    @property
    def literal(self) -> str:
        """The corrections as one text, as tools see them that do not know alternatives.

        >>> Edit(1, 2, ("sits", "sat")).literal, Edit(1, 2, ("",), written="-NONE-").literal
        ('sits||sat', '-NONE-')
        """
        return self.written or (self.corrections[0] if len(self.corrections) == 1 else "||".join(self.corrections))

    def normalised(self, form: UnicodeForm) -> Edit:
        """The edit with its corrections in a form of Unicode."""
        corrections = tuple(" ".join(normalise_tokens(tuple(text.split()), form)) for text in self.corrections)
        return (
            self if corrections == self.corrections else replace(self, corrections=corrections, written=normalise_text(self.written, form))
        )

    def overlaps(self, other: Edit) -> bool:
        """Tell whether both change the same token, or one inserts inside the other's span.

        >>> Edit(1, 3, ("a",)).overlaps(Edit(2, 4, ("b",))), Edit(1, 1, ("a",)).overlaps(Edit(1, 2, ("b",)))
        (True, False)
        """
        if self.start == self.end or other.start == other.end:
            return self.start < other.end and other.start < self.end and self.start != other.start
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's edits of a sentence, in file order; no edits means that nothing is wrong."""

    annotator: str
    edits: tuple[Edit, ...] = ()
    ignored: tuple[tuple[int, str], ...] = ()
    """Lines that a lenient reader skipped, each with the number of edits before it; metrics do not use them."""
    starts_with_noop: bool = field(default=False, repr=False, compare=False)
    """Whether its file says that nothing is wrong before it lists edits; only ERRANT's conversion takes that seriously."""

    def __post_init__(self) -> None:
        require_text(self.annotator, "the name of an annotator")
        object.__setattr__(self, "edits", to_tuple(Edit, self.edits, "an annotation must have a list of edits"))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tokenised source sentence and its annotations."""

    tokens: Tokens
    annotations: tuple[Annotation, ...] = ()
    document: str = field(default="", compare=False)
    """The name of its document, if known; it does not count for equality."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", to_tokens(self.tokens))
        object.__setattr__(self, "annotations", to_tuple(Annotation, self.annotations, "a sentence must have a list of annotations"))
        if len({annotation.annotator for annotation in self.annotations}) != len(self.annotations):
            raise InputError("an annotator has two annotations of the same sentence")
        for annotation in self.annotations:
            for edit in annotation.edits:
                if edit.end > len(self.tokens):
                    raise InputError(
                        f"an edit of {edit.start} to {edit.end} lies outside a sentence of {pluralise(len(self.tokens), 'token')}"
                    )

    @classmethod
    def of(cls, text: str | Sequence[str], *annotations: Sequence[Edit]) -> Sentence:
        """Make a sentence from a text and the edits of annotators 0, 1, ...."""
        edits = (to_tuple(Edit, own, "each annotator must have a list of edits") for own in annotations)
        return cls(to_tokens(text), tuple(Annotation(str(number), own) for number, own in enumerate(edits)))

    @classmethod
    def from_texts(cls, source: Tokens, references: Iterable[str | Tokens | None], document: str = "") -> Sentence:
        """Make a sentence from its tokens and the references of annotators 0, 1, ...; None if an annotator has none."""
        given = ((str(number), text) for number, text in enumerate(references) if text is not None)
        return cls(source, tuple(Annotation(annotator, extract_edits(source, text)) for annotator, text in given), document)

    @property
    def text(self) -> str:
        """The tokens, separated by single spaces."""
        return " ".join(self.tokens)

    def normalised(self, form: UnicodeForm) -> Sentence:
        """The sentence with its tokens and corrections in a form of Unicode."""
        annotations = tuple(
            replace(annotation, edits=tuple(edit.normalised(form) for edit in annotation.edits)) for annotation in self.annotations
        )
        return replace(self, tokens=normalise_tokens(self.tokens, form), annotations=annotations)

    def original(self, edit: Edit) -> str:
        """Get the source text that an edit replaces."""
        return " ".join(self.tokens[edit.start : edit.end])

    def corrected(self, annotation: Annotation) -> Tokens:
        """Apply an annotator's edits, with the first correction of each.

        Insertions at the same position are applied in file order, before a replacement that starts there.
        An edit that overlaps an earlier one is left out; see :meth:`unapplied`.
        """
        return _apply_in_order(self.tokens, annotation.edits)

    def unapplied(self, annotation: Annotation) -> list[Edit]:
        """List the edits that :meth:`corrected` leaves out because they overlap others."""
        applied = {id(edit) for edit in list_applied(annotation.edits)}
        return [edit for edit in annotation.edits if id(edit) not in applied]


def _apply_in_order(tokens: Tokens, edits: Sequence[Edit]) -> Tokens:
    """Apply edits with the first correction of each; an edit that overlaps an earlier one is left out.

    >>> _apply_in_order(("a", "b"), [Edit(1, 2, ("c d",)), Edit(0, 2, ("x",))])
    ('x',)
    """
    result: list[str] = []
    position = 0
    for edit in list_applied(edits):
        result += tokens[position : edit.start]
        result += edit.corrections[0].split()
        position = edit.end
    return (*result, *tokens[position:])


def list_applied(edits: Sequence[Edit]) -> list[Edit]:
    """List the edits that can be applied together, in order: all but those that overlap an earlier one."""
    applied: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)) if len(edits) > 1 else edits:
        if not applied or edit.start >= applied[-1].end:
            applied.append(edit)
    return applied


def extract_edits(source: str | Sequence[str], target: str | Sequence[str]) -> tuple[Edit, ...]:
    """Extract the edits that turn one sentence, a string or tokens, into another.

    >>> extract_edits("He go home", ["He", "goes", "straight", "home"])
    (Edit(start=1, end=2, corrections=('goes straight',), type='Replacement', ...),)
    """
    from errata import core  # loaded when it is needed

    source, target = to_tokens(source), to_tokens(target)
    edits = []
    for start, end, target_start, target_end in core.align(source, target):
        kind = "Missing" if start == end else "Unnecessary" if target_start == target_end else "Replacement"
        edits.append(Edit(start, end, (" ".join(target[target_start:target_end]),), kind))
    return tuple(edits)


class Part(NamedTuple):
    """Which sentences of a whole corpus are in a subset."""

    numbers: tuple[int, ...]
    """Their numbers in the whole corpus, counted from 1, in ascending order."""
    whole: int
    """The number of sentences of the whole corpus."""


_MOST_SHOWN = 40
"""Characters of the numbers of a subset that are shown; the fingerprint says the rest."""


@dataclass(frozen=True)
class Corpus:
    """Sentences with their annotations."""

    sentences: tuple[Sentence, ...]
    name: str = "gold"
    path: str = ""
    """The path it was read from, for messages."""
    part: Part | None = None
    """Which sentences of a whole corpus these are; None if it is whole."""
    whole: Corpus | None = field(default=None, repr=False, compare=False)
    """The corpus that a subset was taken from."""
    unicode: UnicodeForm = field(default=AS_GIVEN, repr=False, compare=False)
    """How its texts are normalised, and those of systems that are compared with it."""

    def __post_init__(self) -> None:
        require_text(self.name, "the name of a corpus")
        object.__setattr__(self, "sentences", to_tuple(Sentence, self.sentences, "a corpus must have a list of sentences"))
        if self.part is not None and len(self.part.numbers) != len(self.sentences):
            raise UsageError(f"a subset must have a number for each sentence, found {len(self.part.numbers)} for {len(self.sentences)}")

    @classmethod
    def from_texts(
        cls,
        sources: Iterable[str] | Iterable[Sequence[str]],
        references: Iterable[Any],
        *,
        name: str = "gold",
        documents: Iterable[str] | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
    ) -> Corpus:
        """Make a corpus of sources and references, as strings or token lists; edits are found as in files of parallel text.

        ``references`` has one item for each source: a reference, or a list of references, which are those of the annotators 0, 1, ....
        None in such a list is an annotator without a reference.  ``documents`` names the document of every sentence.
        A text has at most ``max_tokens`` tokens, as a line of a file.

        >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home .", "He went home ."], "Fine ."])
        >>> [annotation.edits[0].corrections for annotation in corpus[0].annotations], corpus[1].annotations
        ([('goes',), ('went',)], (Annotation(annotator='0', edits=(), ignored=()),))
        """
        check_max_tokens(max_tokens)
        texts = check_sentences(sources, "sources")
        if not texts:
            raise UsageError("sources must have at least one sentence, found none")
        found = list_references(texts, references)
        named = [""] * len(texts) if documents is None else list_items(documents, "documents must be a list of names")
        to_tuple(str, named, "documents must be a list of names")
        same_length(sources=texts, documents=named)
        sentences = []
        for number, (source, own, document) in enumerate(zip(texts, found, named, strict=True), start=1):
            tokens = [None if text is None else to_tokens(text) for text in (source, *own)]
            longest = max(len(text) for text in tokens if text is not None)
            if longest > max_tokens:
                raise InputError(f"sentence {number:,}: a text of {longest:,} tokens, more than the limit of {max_tokens:,} (max_tokens=)")
            sentences.append(Sentence.from_texts(tokens[0] or (), tokens[1:], document))
        return cls(tuple(sentences), name)

    def __repr__(self) -> str:
        return f"<Corpus {self.name!r}, {self.extent}, {pluralise(len(self.annotators), 'annotator')}>"

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __getitem__(self, index: int) -> Sentence:
        return self.sentences[index]

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each sentence, counted from 1; in a subset its number in the whole corpus."""
        return range(1, len(self.sentences) + 1) if self.part is None else self.part.numbers

    @property
    def extent(self) -> str:
        """The number of sentences in words; of a subset also which they are."""
        if self.part is None:
            return pluralise(len(self), "sentence")
        listed = ""
        for text in write_ranges(self.part.numbers):
            if len(listed) + len(text) >= _MOST_SHOWN:
                listed += ",..."
                break
            listed += f",{text}" if listed else text
        return f"{len(self):,} of {pluralise(self.part.whole, 'sentence')} ({listed})"

    def subset(self, sentences: str | Iterable[int]) -> Corpus:
        """Keep some sentences, given by their numbers, counted from 1, or as text such as ``"1-100,205"``.

        They keep their order and their numbers.

        >>> corpus = Corpus(tuple(Sentence.of(text) for text in ("A cat", "A dog", "A cow")))
        >>> corpus.subset("2-3").numbers, corpus.subset([3, 1]).extent
        ((2, 3), '2 of 3 sentences (1,3)')
        """
        whole = len(self) if self.part is None else self.part.whole
        given = iterate_ranges(sentences, whole) if isinstance(sentences, str) else _check_numbers(sentences, whole)
        wanted = _list_once(given)
        if not wanted:
            raise UsageError("a subset must have at least one sentence, found none")
        indices = {number: index for index, number in enumerate(self.numbers)}
        if missing := next((number for number in wanted if number not in indices), None):
            raise UsageError(f"sentence {missing:,} is not in the subset: {self.extent}")
        if len(wanted) == len(self):
            return self
        kept = tuple(self.sentences[indices[number]] for number in wanted)
        return replace(self, sentences=kept, part=Part(tuple(wanted), whole), whole=self.whole or self)

    def keep_types(self, types: Collection[str], defined: Collection[str] = ()) -> Corpus:
        """Keep only edits of some types; raise if a type is neither in the corpus nor ``defined``.

        An annotator without remaining edits found nothing wrong.  If this is the only annotator of a sentence, the sentence has no
        annotation, as in the files of the shared tasks.
        """
        if unknown := sorted(set(types) - self.edit_types - set(defined)):
            known = ", ".join(sorted(self.edit_types)) or "none"
            raise UsageError(f"no edit of {self.path or self.name} has the type {unknown[0]!r}; its types are {known}")
        return replace(self, sentences=tuple(_keep_types(sentence, types) for sentence in self))

    def normalised(self, form: UnicodeForm) -> Corpus:
        r"""The corpus with its texts in a form of Unicode; types, comments and names stay.

        All that is compared with it is normalised in the same way.

        >>> corpus = Corpus((Sentence.of("a cafe\u0301 ?", [Edit(1, 2, ("cafe\u0301s",))]),))
        >>> corpus.normalised("NFC")[0].annotations[0].edits[0].corrections
        ('cafés',)
        """
        if check_unicode_form(form) == AS_GIVEN:
            return self
        whole = self.whole.normalised(form) if self.whole is not None else None
        return replace(self, sentences=tuple(sentence.normalised(form) for sentence in self), whole=whole, unicode=form)

    def fit(self, system: System) -> System:
        """The system with one sentence for every sentence of the corpus; all sentences of a whole corpus are cut to its subset.

        Its own edits must be about the sentences of the corpus.  Its texts are normalised as those of the corpus.
        """
        system = system.normalised(self.unicode)
        if self.part is not None and len(system) == self.part.whole:
            system = system.select(number - 1 for number in self.part.numbers)
        elif len(self) != len(system):
            few_or_many = "few" if len(system) < len(self) else "many"
            raise MismatchError(
                f"{system.path or system.name} has too {few_or_many} {'lines' if system.path else 'sentences'}: "
                f"{len(system):,} for the {pluralise(len(self), 'sentence')} of {self.path or self.name}"
            )
        for number, sentence, tokens in zip(self.numbers, self, system.source or (), strict=False):
            if sentence.tokens != tokens:
                raise MismatchError(f"{system.path or system.name}: sentence {number:,}: {describe_other_source(sentence.tokens, tokens)}")
        return system

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """All annotators, in order of first occurrence."""
        names = dict.fromkeys(annotation.annotator for sentence in self.sentences for annotation in sentence.annotations)
        return tuple(names) or (FIRST_ANNOTATOR,)

    @cached_property
    def edit_types(self) -> frozenset[str]:
        """The types of all edits."""
        return frozenset(edit.type for sentence in self.sentences for annotation in sentence.annotations for edit in annotation.edits)

    @cached_property
    def fingerprint(self) -> str:
        """The first digits of a hash of all tokens and edits, so that a score identifies its gold; file names do not count.

        >>> Corpus((Sentence.of("A cat"),)).fingerprint
        '446de031690c'
        """
        from errata.corpus.references import combine_blocks, hash_blocks

        return combine_blocks(hash_blocks(self.sentences))

    @cached_property
    def missing(self) -> MissingAnnotators:
        """The annotators without a line for some sentences, and what that means; a subset follows the policy of the whole corpus."""
        from errata.corpus.annotators import MissingAnnotators

        return MissingAnnotators.find(self)


def _keep_types(sentence: Sentence, types: Collection[str]) -> Sentence:
    annotations = tuple(
        replace(annotation, edits=tuple(edit for edit in annotation.edits if edit.type in types), ignored=())
        for annotation in sentence.annotations
    )
    if len(annotations) == 1 and not annotations[0].edits and sentence.annotations[0].edits:
        annotations = ()
    return replace(sentence, annotations=annotations)


@dataclass(frozen=True)
class System:
    """A system: its name and its output, with its own edits if it has some."""

    name: str
    sentences: tuple[Tokens, ...] = field(repr=False)
    path: str = ""
    """The path it was read from, for messages."""
    source: tuple[Tokens, ...] | None = field(default=None, repr=False)
    """The sentences that its own edits change; None if it is a text."""
    edits: tuple[tuple[Edit, ...], ...] | None = field(default=None, repr=False)
    """Its own edits of each sentence, as in its M2 file; None if it is a text."""
    tokenisation: str = field(default=WHITESPACE_TOKENS, repr=False)
    """What made the tokens of its text (:mod:`errata.corpus`)."""

    def __post_init__(self) -> None:
        require_text(self.name, "the name of a system")
        sentences = check_sentences(self.sentences, "the sentences of a system")
        object.__setattr__(self, "sentences", tuple(tuple(text.split()) if isinstance(text, str) else text for text in sentences))
        if self.edits is not None or self.source is not None:
            lengths = [len(self.sentences), *(len(part) for part in (self.source, self.edits) if part is not None)]
            if len(lengths) != 3 or len(set(lengths)) > 1:  # noqa: PLR2004 - sentences, sources and edits
                raise UsageError("a system with edits must have the source and the edits of every sentence")

    @classmethod
    def of(cls, name: str, sentences: Sequence[str | Sequence[str]]) -> System:
        """Make a system from strings or token lists.

        >>> System.of("mine", ["I like cake .", ["It", "is", "good"]]).sentences[1]
        ('It', 'is', 'good')
        """
        return cls(name, sentences)  # type: ignore[arg-type]  # converted to tokens above

    @classmethod
    def of_edits(cls, name: str, sentences: Iterable[Sentence], path: str = "") -> System:
        """Make a system from sentences with its own edits, for example those of a corpus; each has one annotator or none.

        >>> system = System.of_edits("mine", [Sentence.of("I likes cake .", [Edit(1, 2, ("like",), "R:VERB:SVA")])])
        >>> " ".join(system.sentences[0]), system.edits[0][0].type
        ('I like cake .', 'R:VERB:SVA')
        """
        own = to_tuple(Sentence, sentences, "a system must have a list of sentences")
        one = OneAnnotator()
        for number, sentence in enumerate(own, start=1):
            if refusal := one.find_refusal(sentence):
                raise InputError(f"{path or name}: sentence {number:,}: {refusal}")
        edits = tuple(sentence.annotations[0].edits if sentence.annotations else () for sentence in own)
        return cls.of_source(name, tuple(sentence.tokens for sentence in own), edits, path)

    @classmethod
    def of_source(cls, name: str, source: tuple[Tokens, ...], edits: tuple[tuple[Edit, ...], ...], path: str = "") -> System:
        """Make a system from the sentences of a source and its own edits of each."""
        texts = (_apply_in_order(tokens, own) if own else tokens for tokens, own in zip(source, edits, strict=True))
        return cls(name, tuple(texts), path, source, edits)

    def __len__(self) -> int:
        return len(self.sentences)

    def normalised(self, form: UnicodeForm) -> System:
        """The system with its texts in a form of Unicode."""
        if form == AS_GIVEN:
            return self
        sentences = tuple(normalise_tokens(tokens, form) for tokens in self.sentences)
        source = tuple(normalise_tokens(tokens, form) for tokens in self.source) if self.source is not None else None
        edits = tuple(tuple(edit.normalised(form) for edit in own) for own in self.edits) if self.edits is not None else None
        return replace(self, sentences=sentences, source=source, edits=edits)

    def select(self, indices: Iterable[int]) -> System:
        """Keep the sentences at some indices."""
        kept = list(indices)
        columns = ((tuple(column[index] for index in kept) if column is not None else None) for column in (self.source, self.edits))
        source, edits = columns
        return replace(self, sentences=tuple(self.sentences[index] for index in kept), source=source, edits=edits)  # type: ignore[arg-type]


class OneAnnotator:
    """The one annotator of a system, in all its sentences."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def find_refusal(self, sentence: Sentence) -> str:
        """Say why a system cannot have a sentence: several annotators, or here for the first time another than before; else nothing."""
        here, before = {annotation.annotator for annotation in sentence.annotations}, self._names
        self._names = before | here
        if len(here) > 1:
            return f"a system must have one annotator, found {len(here)}; the best of several edits would be an oracle, not a system"
        if len(before) == 1 and here - before:
            return f"a system must have one annotator in all sentences, found {min(here)!r} after {min(before)!r}"
        return ""


def _check_numbers(numbers: Iterable[int], last: int) -> Iterator[int]:
    if not isinstance(numbers, Iterable) or getattr(numbers, "ndim", 1) == 0:
        raise UsageError(f"a subset must be numbers of sentences, found {numbers!r:.60}")
    for number in numbers:
        if not isinstance(number, Integral) or isinstance(number, bool) or not 1 <= number <= last:
            raise UsageError(f"sentences are numbered from 1 to {last:,}, found {number!r:.60}")
        yield int(number)


def _list_once(numbers: Iterable[int]) -> list[int]:
    """List numbers in ascending order; raise if one is repeated."""
    found: set[int] = set()
    for number in numbers:
        if number in found:
            raise UsageError(f"sentence {number:,} is given twice")
        found.add(number)
    return sorted(found)


def take_at_most(items: Iterable[_Member], count: int, path: str, whole: str) -> list[_Member]:
    """List items of a file; raise as soon as there are more than ``count``, so that a file of any size is read no further."""
    taken = list(islice(items, count + 1))
    if len(taken) > count:
        raise MismatchError(f"{path} has too many lines: more than the {whole}")
    return taken


def describe_other_source(expected: Tokens, found: Tokens) -> str:
    """Say that a system edits another sentence than that of the gold."""
    return f"a system must edit the sentences of the gold: expected {' '.join(expected)!r}, found {' '.join(found)!r}"
