"""Edits of characters become edits of the tokens of given sentences.

An edit of a part of a token becomes one of the whole token.  An edit that touches a token is joined with it if the text that results is
one token there: *слов* and the insertion of *о* make *слово*, and a comma stays a token of its own.  Edits of the same token become one,
with their types joined by ``+``.  Equal tokens at the ends of an edit are left out.  An edit of the tokens of two sentences is split
where tokens stay; what still crosses the border is corrected in the first sentence, and deleted in the second.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate, groupby, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Edit, extract_edits
from errata.corpus.tokenisation import load_rule
from errata.ua_gec.markup import Annotated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import TokenRule


class PlacedToken(NamedTuple):
    """A token and its characters in the source text."""

    text: str
    start: int
    end: int
    sentence: int


class _Window(NamedTuple):
    """An edit, and the tokens that it changes; an insertion has none, and a place."""

    edit: Annotated
    first: int
    last: int


MOST_JOINED = 100
"""Annotations that make one edit: each is tokenised with all before it."""


class TooManyJoinedError(Exception):
    """More annotations than that make one edit."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class MisplacedTokenError(Exception):
    """A token that the source text does not have where it should."""

    def __init__(self, sentence: int, token: str, found: str) -> None:
        super().__init__(token)
        self.sentence, self.token, self.found = sentence, token, found


@cache
def _rule() -> TokenRule:
    """Find the rule that splits what corrections have: abbreviations are those with stops inside, as the known ones are English."""
    return load_rule("ptb", lambda word: "." in word[:-1])


def place_tokens(sentences: Sequence[Tokens], source: str) -> list[PlacedToken]:
    """Find the tokens of sentences in their text, whose white space is skipped."""
    positions = [position for position, character in enumerate(source) if not character.isspace()]
    letters = "".join(source[position] for position in positions)
    placed: list[PlacedToken] = []
    at = 0
    for number, tokens in enumerate(sentences):
        for token in tokens:
            if not letters.startswith(token, at):
                raise MisplacedTokenError(number, token, letters[at : at + len(token)])
            placed.append(PlacedToken(token, positions[at], positions[at + len(token) - 1] + 1, number))
            at += len(token)
    if at < len(letters):
        raise MisplacedTokenError(len(sentences) - 1, "", letters[at : at + 40])
    return placed


class TokenEdits:
    """The tokens of a text, which edits of characters are converted to."""

    def __init__(self, sentences: Sequence[Tokens], source: str) -> None:
        self._sentences, self._source = sentences, source
        self._tokens = place_tokens(sentences, source)
        self._starts = [token.start for token in self._tokens]
        self._ends = [token.end for token in self._tokens]
        self._firsts = [0, *accumulate(map(len, sentences))]

    def convert(self, annotations: Sequence[Annotated], report: Callable[[int, str], None]) -> list[list[Edit]]:
        """Convert the edits of one annotator to those of each sentence; ``report`` takes the line and kind of what is unusual."""
        given = [item for item in annotations if self._is_edit(item, report)]
        edits: list[list[Edit]] = [[] for _ in self._sentences]
        for window in self._find_windows(given, report):
            old = tuple(token.text for token in self._tokens[window.first : window.last])
            new = [_rule()(text) for text in self._texts(window)]
            if all(text == old for text in new):
                report(window.edit.line, "empty")
                continue
            for sentence, edit in self._split(window, old, new, report):
                edits[sentence].append(edit)
        return edits

    def _is_edit(self, item: Annotated, report: Callable[[int, str], None]) -> bool:
        if not item.corrections:
            report(item.line, "unmarked")
        return bool(item.corrections)

    def _find_windows(self, given: Sequence[Annotated], report: Callable[[int, str], None]) -> list[_Window]:
        """Find the tokens that each edit changes; edits of the same token are joined."""
        windows: list[_Window] = []
        joined = 0
        for item, following in zip_longest(given, given[1:]):
            last = windows[-1] if windows else None
            after = last is not None and last.edit.end == item.start
            window = self._find_window(item, joins_before=not after, joins_after=following is None or following.start > item.end)
            if last is None or not (_share_token(last, window) or (after and _make_one_token(last.edit, item))):
                windows.append(window)
                joined = 1
            else:
                joined += 1
                if joined > MOST_JOINED:
                    raise TooManyJoinedError(item.line)
                windows[-1] = self._join(last, window, report)
        return windows

    def _find_window(self, item: Annotated, *, joins_before: bool, joins_after: bool) -> _Window:
        """Find the tokens that an edit changes: those that it overlaps, and those that it is joined with."""
        first, last = bisect_right(self._ends, item.start), bisect_left(self._starts, item.end)
        last = max(first, last)  # white space before the next token has none
        before = self._tokens[first - 1].text if joins_before and first and self._ends[first - 1] == item.start else ""
        after = self._tokens[last].text if joins_after and last < len(self._tokens) and self._starts[last] == item.end else ""
        for correction in item.corrections:
            joined = _rule()(f"{before}{correction}{after}")
            borders = {0, *accumulate(map(len, joined))}
            size = sum(map(len, joined))
            if before and len(before) not in borders:
                first, before = first - 1, ""
            if after and size - len(after) not in borders:
                last, after = last + 1, ""
        return _Window(item, first, last)

    def _join(self, one: _Window, other: _Window, report: Callable[[int, str], None]) -> _Window:
        between = self._source[one.edit.end : other.edit.start]
        corrections = (one.edit.corrections[0] + between + other.edit.corrections[0],)
        report(other.edit.line, "joined")
        for _ in (*one.edit.corrections[1:], *other.edit.corrections[1:]):
            report(other.edit.line, "alternative")
        types = dict.fromkeys([*one.edit.type.split("+"), *other.edit.type.split("+")])
        edit = Annotated(one.edit.start, other.edit.end, corrections, "+".join(filter(None, types)), (), one.edit.line)
        return _Window(edit, one.first, max(one.last, other.last))

    def _texts(self, window: _Window) -> list[str]:
        """Write what the tokens of an edit become."""
        edit, first, last = window
        before = self._source[self._starts[first] : edit.start] if first < last else ""
        after = self._source[edit.end : self._ends[last - 1]] if first < last else ""
        return [f"{before}{correction}{after}" for correction in edit.corrections]

    def _split(self, window: _Window, old: Tokens, new: Sequence[Tokens], report: Callable[[int, str], None]) -> list[tuple[int, Edit]]:
        """Make edits of sentences of an edit of tokens."""
        item, first, last = window
        sentences = [(number, list(own)) for number, own in groupby(range(first, last), lambda index: self._tokens[index].sentence)]
        if len(sentences) > 1:
            report(item.line, "crossing")
            for _ in new[1:]:
                report(item.line, "alternative")
            return [piece for edit in extract_edits(old, new[0]) for piece in self._cut(edit, first, item.type)]
        number = sentences[0][0] if sentences else self._sentence_of_insertion(item, first)
        start, end, kept = _trim(old, new)
        offset = first - self._firsts[number]
        return [(number, Edit(offset + start, offset + end, tuple(map(" ".join, kept)), item.type))]

    def _sentence_of_insertion(self, item: Annotated, place: int) -> int:
        """Find the sentence of an insertion: that of the token that it follows without a space, else that of the next token."""
        if place and (self._ends[place - 1] == item.start or place == len(self._tokens)):
            return self._tokens[place - 1].sentence
        return self._tokens[place].sentence if self._tokens else 0

    def _cut(self, edit: Edit, first: int, type_: str) -> list[tuple[int, Edit]]:
        """Cut an edit of tokens where sentences end; ``first`` is the token that its offsets count from."""
        if edit.start == edit.end:
            number = self._tokens[min(first + edit.start, len(self._tokens) - 1)].sentence
            place = first + edit.start - self._firsts[number]
            return [(number, Edit(place, place, edit.corrections, type_))]
        pieces: list[tuple[int, Edit]] = []
        for number, own in groupby(range(first + edit.start, first + edit.end), lambda index: self._tokens[index].sentence):
            places = [index - self._firsts[number] for index in own]
            pieces.append((number, Edit(places[0], places[-1] + 1, ("",) if pieces else edit.corrections, type_)))
        return pieces


def _share_token(one: _Window, other: _Window) -> bool:
    return one.first < one.last and other.first < one.last and one.first < max(other.last, other.first + 1)


def _make_one_token(one: Annotated, other: Annotated) -> bool:
    """Whether the corrections of two edits without anything between them make a token together."""
    before, after = one.corrections[0], other.corrections[0]
    border = sum(not character.isspace() for character in before)
    return bool(before and after) and border not in {0, *accumulate(map(len, _rule()(before + after)))}


def _trim(old: Tokens, new: Sequence[Tokens]) -> tuple[int, int, list[Tokens]]:
    """Leave out tokens at the ends that no correction changes."""
    least = min(len(old), *map(len, new))
    start = next((place for place in range(least) if any(text[place] != old[place] for text in new)), least)
    left = least - start
    end = next((place for place in range(left) if any(text[-1 - place] != old[-1 - place] for text in new)), left)
    return start, len(old) - end, [text[start : len(text) - end] for text in new]
