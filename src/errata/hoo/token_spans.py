"""Convert edits of characters to edits of tokens.

The corrected text is what the edit says, character by character: a token that is partly inside the span is replaced as a whole, and
so is a token that becomes one word with the correction.  Words that the annotator marked are kept in the edit, even if the correction
repeats them: ``word`` may become ``a word`` or ``words``, and both corrections have the same span.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import InputError
from errata.nucle.token_edits import tokenise_in_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.texts import Tokens
    from errata.nucle.token_edits import Language, PlacedSentence


MOST_BESIDE = 100_000_000
"""Characters of the tokens beside edits: corrections are tokenised with them."""


class TokenSpan(NamedTuple):
    """A span of tokens and the corrections that replace it."""

    start: int
    end: int
    corrections: tuple[Tokens, ...]


class SpanConverter:
    """Converts edits of a text with its splitter and tokeniser."""

    def __init__(self, text: str, sentences: Sequence[PlacedSentence], language: Language) -> None:
        self._text, self._language = text, language
        self._following = {
            sentence.start: following.tokens[0] for sentence, following in pairwise(sentences) if sentence.paragraph == following.paragraph
        }
        """The first token of the next sentence of a paragraph, by the start of a sentence."""
        self._ends: dict[int, list[int]] = {}
        """Where the tokens of each sentence end, by the start of the sentence."""
        self._copied = 0

    def convert(self, sentence: PlacedSentence, start: int, end: int, corrections: Iterable[str]) -> TokenSpan:
        """Convert the span ``start`` to ``end`` of the text, of which a sentence has characters, with its corrections."""
        touched = self._touched(sentence, start, end)
        single = [
            self._convert_one(sentence, touched, start, end, variant)
            for correction in corrections
            for variant in self._variants(touched, start, end, correction)
        ]
        first, last = min(span.start for span in single), max(span.end for span in single)
        tokens = sentence.tokens
        whole = (tokens[first : span.start] + span.corrections[0] + tokens[span.end : last] for span in single)
        return TokenSpan(first, last, tuple(dict.fromkeys(whole)))

    def _touched(self, sentence: PlacedSentence, start: int, end: int) -> _Touched:
        ends = self._ends.get(sentence.start)
        if ends is None:
            ends = self._ends[sentence.start] = [own + len(token) for own, token in zip(sentence.starts, sentence.tokens, strict=True)]
        first, last = bisect_left(ends, start), bisect_right(sentence.starts, end)
        if first == last:  # an insertion between two spaces
            return _Touched(first, last, ends_at_start=False, starts_at_end=False)
        return _Touched(first, last, ends_at_start=ends[first] == start, starts_at_end=sentence.starts[last - 1] == end)

    def _variants(self, touched: _Touched, start: int, end: int, correction: str) -> list[str]:
        """List a correction as it is written, and as a word of its own if the annotator may have forgotten the space before or after it."""
        before = touched.ends_at_start and correction[:1].isalnum() and self._text[start - 1].isalnum()
        after = touched.starts_at_end and correction[-1:].isalnum() and self._text[end].isalnum()
        return [correction, f"{' ' * before}{correction}{' ' * after}"] if before or after else [correction]

    def _convert_one(self, sentence: PlacedSentence, touched: _Touched, start: int, end: int, correction: str) -> TokenSpan:
        tokens = sentence.tokens
        first, last = touched.first, touched.last
        before = self._text[min(start, sentence.starts[first]) : start] if first < last else ""
        after = self._text[end : max(end, sentence.starts[last - 1] + len(tokens[last - 1]))] if first < last else ""
        left = tokens[first - 1] if first else ""
        right = tokens[last] if last < len(tokens) else self._following.get(sentence.start, "")
        self._copied += len(left) + len(before) + len(after) + len(right)
        if self._copied > MOST_BESIDE:
            longest = max(len(left), len(before), len(after), len(right))
            raise InputError(
                f"document {sentence.document} has too many edits beside very long tokens, such as one of {longest:,} characters"
            )
        new = tokenise_in_context(f"{left} {before}{correction}{after} {right}", left, right, self._language)
        # Tokens that only touch the span are left out again, if they are still there.
        if touched.ends_at_start and new[:1] == tokens[first : first + 1]:
            first, new = first + 1, new[1:]
        if touched.starts_at_end and first < last and new[-1:] == tokens[last - 1 : last]:
            last, new = last - 1, new[:-1]
        return TokenSpan(first, last, (new,))


class _Touched(NamedTuple):
    """The tokens of which a span has characters, or which it touches."""

    first: int
    last: int
    ends_at_start: bool
    """Whether the first of them only touches the span."""
    starts_at_end: bool
    """Whether the last of them only touches the span."""
