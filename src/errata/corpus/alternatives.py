"""The errors of a sentence and their alternatives: sites, mixtures of annotators, and whether errors are clear."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Annotation, Corpus, ErrorGroup
from errata.corpus.texts import Tokens
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Edit, Sentence


# The errors of a sentence, their alternatives, and the resulting references.
# Edits of all annotators are grouped into errors: the longest span first, an edit joins the first error with an overlapping edit
# (Felice and Briscoe 2015, sections 2.1 and 3), unless the gold names the errors of its edits.
# Inside an error, the edits of one annotator are one alternative; if some annotator has none, leaving the error uncorrected is an
# alternative too.  A mixed reference takes one alternative of every error.  If an edit has several corrections, the first is used.

_Replacement = tuple[int, int, Tokens]
"""A span and the tokens that replace it."""


class Alternative(NamedTuple):
    """One annotator's edits of an error; ``annotator=None`` leaves the error uncorrected."""

    annotator: str | None
    edits: tuple[Edit, ...] = ()

    @property
    def replacements(self) -> tuple[_Replacement, ...]:
        """The replacements in order; those with the same span are joined."""
        spans: dict[tuple[int, int], list[str]] = {}
        for edit in sorted(self.edits, key=lambda edit: (edit.start, edit.end)):
            spans.setdefault((edit.start, edit.end), []).extend(edit.corrections[0].split())
        return tuple((start, end, tuple(tokens)) for (start, end), tokens in spans.items())


Alternatives = list[Alternative]
"""The alternatives of one error."""


def group_errors(sentence: Sentence) -> list[Alternatives]:
    """Group the edits of a sentence into errors, each with its alternatives in the order of the annotators.

    >>> from errata import Edit, Sentence
    >>> sentence = Sentence.of("This machines is", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))])
    >>> [len(alternatives) for alternatives in group_errors(sentence)]
    [2, 2, 2]
    """
    order = {annotation.annotator: index for index, annotation in enumerate(sentence.annotations)}
    everything = [(edit, annotation.annotator) for annotation in sentence.annotations for edit in annotation.edits]
    errors = []
    for group in _groups(everything):
        alternatives = [Alternative(annotator, tuple(group[annotator])) for annotator in sorted(group, key=order.__getitem__)]
        named = next((edit.error for edits in group.values() for edit in edits if edit.error is not None), None)
        required = named.required if named is not None else len(alternatives) == len(order)
        errors.append(alternatives if required else [*alternatives, Alternative(None)])
    return errors


def _groups(everything: Sequence[tuple[Edit, str]]) -> list[dict[str, list[Edit]]]:
    """List the edits of each error by annotator: first named errors, then those found by overlap."""
    named: dict[str, dict[str, list[Edit]]] = {}
    groups: list[dict[str, list[Edit]]] = []
    indices = _ErrorsByPosition(max((edit.end for edit, _ in everything), default=0))
    for edit, annotator in sorted(everything, key=lambda item: item[0].start - item[0].end):
        if edit.error is not None:
            named.setdefault(edit.error.id, {}).setdefault(annotator, []).append(edit)
            continue
        number = indices.first_error(edit)
        if number is None:
            number = len(groups)
            groups.append({})
        groups[number].setdefault(annotator, []).append(edit)
        indices.add(edit, number)
    return [*named.values(), *groups]


class _ErrorsByPosition:
    """Finds the first error with an edit that overlaps another, in a tree over tokens and the gaps between them.

    Two spans overlap if they share a token; an insertion overlaps a span if it is strictly inside it, and an insertion at the same
    position.
    """

    def __init__(self, tokens: int) -> None:
        self._size = 2 * tokens + 1
        self._first = [_NO_ERROR] * (2 * self._size)
        """The first error inside each node of the tree; leaves are in the second half."""
        self._everywhere = [_NO_ERROR] * (2 * self._size)
        """The first error that covers each node."""

    def _range(self, edit: Edit) -> tuple[int, int]:
        """Find the leaves of an edit: gaps are even, tokens odd."""
        if edit.start == edit.end:
            return self._size + 2 * edit.start, self._size + 2 * edit.start + 1
        return self._size + 2 * edit.start + 1, self._size + 2 * edit.end

    def first_error(self, edit: Edit) -> int | None:
        """Find the first error with an edit that overlaps this one."""
        left, right = self._range(edit)
        found = min(self._first[node] for node in _spans_cover(left, right))
        found = min(found, *(self._everywhere[node] for leaf in (left, right - 1) for node in _above(leaf)))
        return None if found == _NO_ERROR else found

    def add(self, edit: Edit, number: int) -> None:
        left, right = self._range(edit)
        for node in _spans_cover(left, right):
            self._everywhere[node] = min(self._everywhere[node], number)
            self._first[node] = min(self._first[node], number)
        for leaf in (left, right - 1):
            for node in _above(leaf):
                self._first[node] = min(self._first[node], number)


_NO_ERROR = 1 << 62


def _spans_cover(left: int, right: int) -> Iterator[int]:
    """Yield the largest nodes that together have the leaves from one to another."""
    while left < right:
        if left % 2:
            yield left
            left += 1
        if right % 2:
            right -= 1
            yield right
        left //= 2
        right //= 2


def _above(leaf: int) -> Iterator[int]:
    """Yield a leaf and the nodes above it."""
    while leaf:
        yield leaf
        leaf //= 2


def has_each_span_once(choice: Iterable[Alternative]) -> bool:
    """Tell whether alternatives of different errors have no span in common, so that all of them can be applied."""
    spans = [(start, end) for alternative in choice for start, end, _ in alternative.replacements]
    return len(set(spans)) == len(spans)


def apply(tokens: Tokens, choice: Sequence[Alternative], shift: int = 0, *, keep: bool = True) -> Tokens | None:
    """Apply one alternative of every error, from right to left; None if two of them have the same span.

    With ``keep``, a correction that would leave no token is skipped.  ``shift`` is the start of the text in the sentence.
    """
    edits = [edit for alternative in choice for edit in alternative.replacements]
    if len({(start, end) for start, end, _ in edits}) != len(edits):
        return None
    unchanged = len(tokens)
    after: list[str] = []
    """The tokens after the unchanged ones, from the last to the first."""
    for start, end, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        first = start - shift
        after += reversed(tokens[first:unchanged])
        unchanged = min(first, unchanged)
        left = max(len(after) - (end - start), 0)
        if left or new or first or not keep:
            del after[left:]
            after += reversed(new)
    return (*tokens[:unchanged], *reversed(after))


# --- The sites of a sentence: spans where its references differ, each with its possible texts.
#
# Sites are independent: every choice of one text per site is a mixed reference.
# Errors whose spans overlap share a site; this can happen although errors are found by overlap.


class Site(NamedTuple):
    """A span with several possible texts."""

    start: int
    end: int
    variants: tuple[Tokens, ...]
    """The distinct texts."""
    choices: tuple[tuple[Alternative, ...], ...] = ()
    """For each text, the first choice of one alternative per error that produces it."""
    possible: bool = True
    """Whether a valid choice exists; if every choice has a span twice, the text is unchanged."""

    @property
    def in_core(self) -> tuple[int, int, tuple[Tokens, ...]]:
        """The site as an argument of the core."""
        return self.start, self.end, self.variants


def _count_combinations(errors: Sequence[Alternatives]) -> int:
    return prod(len(alternatives) for alternatives in errors)


def find_sites(tokens: Tokens, errors: Sequence[Alternatives], most: int) -> list[Site] | None:
    """Find the sites of a sentence from left to right; None if a site has more than ``most`` choices.

    A correction that would leave no token is skipped.  So if the sites together may leave none, all errors share a site.

    >>> from errata import Edit, Sentence
    >>> from errata.corpus.alternatives import group_errors
    >>> sentence = Sentence.of("This machines is .", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))])
    >>> find_sites(sentence.tokens, group_errors(sentence), 1024)[1].variants
    (('machine',), ('machines',))
    """
    extents = _find_extents(tokens, errors)
    if any(_count_combinations(group) > most for _, group in extents):
        return None
    sites = [_make_site(tokens, start, end, group) for (start, end), group in extents]
    if not _sites_cover(tokens, extents) or any(site.start and all(site.variants) for site in sites):
        return sites
    return None if _count_combinations(errors) > most else [_make_site(tokens, 0, len(tokens), errors, keep=True)]


class _SeparateSites(NamedTuple):
    """Sites that are independent, whatever else they leave of the sentence."""

    sites: list[Site]
    alone: tuple[Tokens, ...] = ()
    """The texts of the sentence if all sites but the first have no token left; empty if some token is in no site."""


def _find_separate_sites(tokens: Tokens, errors: Sequence[Alternatives], most: int) -> _SeparateSites | None:
    """Find the sites of a sentence even if they cover it; None if a site has more than ``most`` choices."""
    extents = _find_extents(tokens, errors)
    covered = _sites_cover(tokens, extents)
    if covered and len(extents) > 1 and extents[0][0] == (0, 0):  # an insertion before the first word, which is kept if no other is left
        (_, inserted), (span, group) = extents[:2]
        extents[:2] = [(span, [*inserted, *group])]
    if any(_count_combinations(group) > most for _, group in extents):
        return None
    sites = [_make_site(tokens, start, end, group, keep=False) for (start, end), group in extents]
    if not covered:
        return _SeparateSites(sites)
    (_, end), group = extents[0]
    return _SeparateSites(sites, _make_site(tokens, 0, end, group, keep=True).variants)


_Extent = tuple[tuple[int, int], list[Alternatives]]


def _find_extents(tokens: Tokens, errors: Sequence[Alternatives]) -> list[_Extent]:
    """Find the spans in which errors may change a sentence, each with its errors."""
    groups = _join_spans(sorted((_Group(error) for error in errors), key=lambda group: (group.start, group.end)))
    return [((group.start, min(group.end, len(tokens))), group.errors) for group in groups]


def _sites_cover(tokens: Tokens, extents: list[_Extent]) -> bool:
    """Tell whether every token is inside a span."""
    return bool(extents) and len(tokens) == sum(end - start for (start, end), _ in extents)


class _Group:
    """Errors that depend on each other, and the span in which they may change a sentence; it may end after the sentence.

    Overlapping edits, applied one after the other, reach to the right of their spans: each token in two spans may take one more.
    """

    def __init__(self, error: Alternatives) -> None:
        alternatives = [alternative.replacements for alternative in error]
        spans = [(start, end) for replacements in alternatives for start, end, _ in replacements]
        self.errors = [error]
        self.start = min(start for start, _ in spans)
        self.insertions = {start for start, end in spans if start == end}
        self._last = max(end for _, end in spans)
        self._twice = max(_count_twice(replacements) for replacements in alternatives)

    @property
    def end(self) -> int:
        return self._last + self._twice

    def meets(self, following: _Group) -> bool:
        """Tell whether it reaches into the following group, or inserts at the same position."""
        return following.start < self.end or not self.insertions.isdisjoint(following.insertions)

    def join(self, other: _Group) -> None:
        self.errors += other.errors
        self.insertions |= other.insertions
        self._twice += other._twice + max(min(self._last, other._last) - max(self.start, other.start), 0)
        self._last = max(self._last, other._last)


def _count_twice(replacements: Sequence[_Replacement]) -> int:
    """Count the tokens in several spans, once for each span but the first."""
    twice = done = 0
    for start, end, _ in replacements:
        twice += max(min(end, done) - start, 0)
        done = max(end, done)
    return twice


def _join_spans(groups: Iterable[_Group]) -> list[_Group]:
    """Join groups, sorted by their spans, that reach into each other or insert at the same position."""
    joined: list[_Group] = []
    for group in groups:
        joined.append(group)
        while len(joined) > 1 and joined[-2].meets(joined[-1]):
            last = joined.pop()
            joined[-1].join(last)
    return joined


def _make_site(tokens: Tokens, start: int, end: int, errors: Sequence[Alternatives], *, keep: bool = False) -> Site:
    """Make a site of all choices of alternatives; with ``keep`` a correction that would leave no token is skipped."""
    texts: dict[Tokens, tuple[Alternative, ...]] = {}
    for choice in product(*errors):
        text = apply(tokens[start:end], choice, start, keep=keep)
        if text is not None:
            texts.setdefault(text, choice)
    if not texts:
        return Site(start, end, (tokens[start:end],), ((),), possible=False)
    return Site(start, end, tuple(texts), tuple(texts.values()))


_Symbols = tuple[str, ...]
"""A text as a sequence of what is compared: tokens or characters."""


class MixedTexts:
    """All texts with one alternative of every error, and all that single annotators accept.

    Of several corrections of an edit any may be used, and an edit that is not required may be left out.

    >>> from errata import Edit, Sentence
    >>> texts = MixedTexts(Sentence.of("a b c", [Edit(0, 1, ("x",))], [Edit(2, 3, ("y", "z"))]), 1)
    >>> ("x", "b", "z") in texts, ("x", "z") in texts
    (True, False)
    """

    def __init__(self, sentence: Sentence, number: int, split: Callable[[Tokens], _Symbols] = tuple) -> None:
        """``number`` is for messages; ``split`` says what of a text is compared."""
        from errata.corpus.references import MOST_TEXTS, list_accepted_texts

        self._split = split
        self._single = {split(text) for texts in list_accepted_texts(sentence, number).values() for text in texts}
        errors = [_expand(sentence, alternatives) for alternatives in group_errors(sentence)]
        found = _find_separate_sites(sentence.tokens, errors, MOST_TEXTS)
        if found is None:
            raise RequestError(f"sentence {number:,}: corrections that overlap can be mixed in more than {MOST_TEXTS:,} ways")
        self._covered = bool(found.alone)
        self._pieces: list[set[_Symbols]] = []
        """What may follow each other: tokens between sites, and the texts of sites."""
        done = 0
        for site in found.sites:
            self._pieces += [{split(sentence.tokens[done : site.start])}, {split(text) for text in site.variants}]
            done = site.end
        self._pieces.append({split(sentence.tokens[done:])})
        self._alone = {split(text) for text in found.alone}

    def __contains__(self, text: Tokens) -> bool:
        symbols = self._split(text)
        if symbols in self._single:
            return True
        if not self._covered:
            return _is_sequence(symbols, 0, self._pieces)
        first, rest = self._pieces[1], self._pieces[2:]
        if all(() in piece for piece in rest) and symbols in self._alone:
            return True
        starts = [len(piece) for piece in first if len(piece) < len(symbols) and symbols[: len(piece)] == piece]
        return any(_is_sequence(symbols, start, rest) for start in starts)


def _is_sequence(symbols: _Symbols, start: int, pieces: Iterable[set[_Symbols]]) -> bool:
    """Tell whether a text, from a position on, is a sequence of one text of each piece."""
    positions = {start}
    for piece in pieces:
        lengths = {len(text) for text in piece}
        positions = {at + length for at in positions for length in lengths if symbols[at : at + length] in piece}
    return len(symbols) in positions


def _expand(sentence: Sentence, alternatives: Alternatives) -> Alternatives:
    """Make an alternative of every choice of a correction for each edit."""
    expanded: Alternatives = []
    for alternative in alternatives:
        options = [edit.corrections if edit.required else (*edit.corrections, sentence.original(edit)) for edit in alternative.edits]
        for choice in product(*options):
            edits = tuple(replace(edit, corrections=(text,)) for edit, text in zip(alternative.edits, choice, strict=True))
            expanded.append(Alternative(alternative.annotator, edits))
    return expanded


MOST_MIXTURES = 1024
"""The most mixtures of a sentence that are listed."""


class _MixedCorpus(NamedTuple):
    """A corpus with mixtures as annotators, and the sentences that have too many, which keep their own annotators."""

    corpus: Corpus
    unmixed: list[int]
    """Their numbers, from 1."""


def mix_corpus(corpus: Corpus, most: int = MOST_MIXTURES) -> _MixedCorpus:
    """List the mixtures of each sentence as annotators 0, 1, ...; those with the same edits once.

    >>> from errata import Corpus, Edit, Sentence
    >>> gold = Corpus((Sentence.of("This machines is", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))]),))
    >>> len(mix_corpus(gold).corpus[0].annotations), mix_corpus(gold, most=7).unmixed
    (8, [1])
    """
    sentences, unmixed = [], []
    for number, sentence in zip(corpus.numbers, corpus, strict=True):
        if _count_combinations(group_errors(sentence)) > most:
            unmixed.append(number)
            sentences.append(sentence)
        else:
            sentences.append(_mix(sentence))
    return _MixedCorpus(replace(corpus, sentences=tuple(sentences)), unmixed)


def _mix(sentence: Sentence) -> Sentence:
    found: dict[tuple[Edit, ...], None] = {}
    for choice in product(*group_errors(sentence)):
        if has_each_span_once(choice):
            edits = (replace(edit, error=None) for alternative in choice for edit in alternative.edits)
            found[tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))] = None
    mixtures = list(found)
    if any(edit.error is not None for annotation in sentence.annotations for edit in annotation.edits):
        # Errors are not found by overlap.  So that mixtures are not mixed again, each is an alternative of one error.
        whole = ErrorGroup("1", required=all(mixtures))
        mixtures = [tuple(replace(edit, error=whole) for edit in edits) for edits in mixtures]
    if not sentence.annotations or not mixtures:  # if every mixture has a span twice, annotators stay as they are
        return sentence
    return replace(sentence, annotations=tuple(Annotation(str(number), edits) for number, edits in enumerate(mixtures)))


# --- Whether the edits of a sentence can be grouped into errors clearly (Felice and Briscoe 2015, section 3).
#
# Overlap groups the edits of annotators into errors.  It cannot see that edits far from each other correct one error, such as
# *This → These* of one annotator and *machines → machine* of another; that takes a person, so the paper leaves such sentences out.
# The paper does not say how it found them.  This rule comes closest to its counts:
#
# - an error, or errors that touch, separate a sentence if all annotators correct them to the same text (an annotator with two
#   edits of one span has no text, because their order is not known);
# - between two separators, the same annotators must correct every error.
#
# Errors that the gold names are clear.

_MOST_JOINED = 8
"""The most errors that touch and are read as one."""
_MOST_NAMED = 8
"""The most annotators that a reason names."""

_SOME_BY_ALL = "some errors are corrected by all annotators, others only by some"
_BY_DIFFERENT = "errors are corrected by different annotators"


class Unclear(NamedTuple):
    """Why the edits of a sentence cannot be grouped into errors clearly."""

    kind: str
    """One of two reasons: ``_SOME_BY_ALL`` or ``_BY_DIFFERENT``."""
    reason: str
    """The reason, with the edits."""


def list_unclear(corpus: Corpus) -> dict[int, Unclear]:
    """List the sentences whose edits cannot be grouped into errors clearly, by their numbers, counted from 1.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> unclear = list_unclear(gold)
    >>> len(gold.subset(number for number in gold.numbers if number not in unclear))
    61
    """
    if not isinstance(corpus, Corpus):
        raise UsageError(f"expected a Corpus, found {type(corpus).__name__}")
    found = ((number, _find_unclear(sentence)) for number, sentence in zip(corpus.numbers, corpus, strict=True))
    return {number: unclear for number, unclear in found if unclear is not None}


def _find_unclear(sentence: Sentence) -> Unclear | None:
    """Find out why the edits of a sentence cannot be grouped into errors clearly; None if they can.

    >>> from errata import Edit, Sentence
    >>> print(_find_unclear(Sentence.of("This machines is", [Edit(0, 1, ("These",))], [Edit(1, 2, ("machine",))])).reason)
    the edits 0-1 (annotator 0) and 1-2 (annotator 1) may correct one error
    """
    everybody = frozenset(annotation.annotator for annotation in sentence.annotations)
    for run in _list_runs(sentence, everybody):
        for one, other in pairwise(run):
            if one.annotators != other.annotators:
                kind = _SOME_BY_ALL if everybody in {one.annotators, other.annotators} else _BY_DIFFERENT
                both = " and ".join(f"{item.span} ({_name_annotators(sentence, item.annotators)})" for item in (one, other))
                unordered = next((f"; the order of the edits {item.span} is not known" for item in (one, other) if not item.ordered), "")
                return Unclear(kind, f"the edits {both} may correct one error{unordered}")
    return None


class _Error:
    """An error that was found by overlap."""

    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        self.by_annotator = {item.annotator: item for item in alternatives if item.annotator is not None}
        self.annotators = frozenset(self.by_annotator)
        edits = [edit for item in alternatives for edit in item.edits]
        self.start, self.end = min(edit.start for edit in edits), max(edit.end for edit in edits)
        self.ordered = all(map(_is_ordered, alternatives))
        """Whether no annotator has different edits of one span, which M2 gives in no order that means something."""

    @property
    def span(self) -> str:
        return f"{self.start}-{self.end}"


def _is_ordered(alternative: Alternative) -> bool:
    texts: dict[tuple[int, int], str] = {}
    return all(texts.setdefault((edit.start, edit.end), edit.corrections[0]) == edit.corrections[0] for edit in alternative.edits)


def _list_runs(sentence: Sentence, everybody: frozenset[str]) -> Iterator[list[_Error]]:
    """Yield the errors between separators."""
    groups = (group for group in group_errors(sentence) if all(edit.error is None for item in group for edit in item.edits))
    errors = sorted(map(_Error, groups), key=lambda error: (error.start, error.end))
    run: list[_Error] = []
    first = 0
    while first < len(errors):
        separator = next((joined for joined in _join_touching(errors, first) if _is_same(sentence.tokens, joined, everybody)), None)
        if separator is None:
            run.append(errors[first])
            first += 1
        else:
            yield run
            run = []
            first += len(separator)
    yield run


def _join_touching(errors: Sequence[_Error], first: int) -> Iterator[list[_Error]]:
    """Yield an error, then with the next if no token is between them, and so on."""
    end = errors[first].end
    for last in range(first, min(first + _MOST_JOINED, len(errors))):
        if errors[last].start > end:
            return
        end = max(end, errors[last].end)
        yield list(errors[first : last + 1])


def _is_same(tokens: Tokens, errors: Sequence[_Error], everybody: frozenset[str]) -> bool:
    """Whether all annotators correct these errors, to the same text."""
    if not all(error.ordered for error in errors) or frozenset().union(*(error.annotators for error in errors)) != everybody:
        return False
    texts = (_correct(tokens, errors, annotator) for annotator in everybody)
    first = next(texts)
    return first is not None and all(text == first for text in texts)


def _correct(tokens: Tokens, errors: Sequence[_Error], annotator: str) -> Tokens | None:
    """Correct the span of errors as an annotator does; None if edits overlap."""
    own = [error.by_annotator[annotator] for error in errors if annotator in error.by_annotator]
    position, end = min(error.start for error in errors), max(error.end for error in errors)
    result: list[str] = []
    for start, stop, text in sorted(replacement for alternative in own for replacement in alternative.replacements):
        if start < position:
            return None
        result += (*tokens[position:start], *text)
        position = stop
    return (*result, *tokens[position:end])


def _name_annotators(sentence: Sentence, annotators: frozenset[str]) -> str:
    names = [annotation.annotator for annotation in sentence.annotations if annotation.annotator in annotators]
    if len(names) == len(sentence.annotations):
        return "all annotators"
    more = ", ..." if len(names) > _MOST_NAMED else ""
    return f"annotator{'s' if len(names) > 1 else ''} {', '.join(names[:_MOST_NAMED])}{more}"
