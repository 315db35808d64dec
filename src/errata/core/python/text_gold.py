"""MaxMatch from texts; twin of ``native/text_gold.hpp`` and of the class in ``native/bindings/text_gold.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.core.python.alignment import align
from errata.core.python.limits import MOST_ARCS, MOST_SEARCHED, MOST_STEPS, MOST_TEXT_TOKENS, MOST_WORK, name_sentence
from errata.core.python.maxmatch import GoldSentence, MaxMatchSettings, count_matches
from errata.core.python.texts import TextArgument, read_text_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.core.python.gold_arcs import GoldEdit


class TextGold:
    """MaxMatch counts of texts against references, whose edits are found once."""

    def __init__(  # noqa: PLR0913 - as in the core
        self,
        source: Any,
        references: Sequence[Any],
        max_unchanged: int,
        first: int = 1,
        *,
        max_tokens: int = MOST_TEXT_TOKENS,
        most_work: int = MOST_WORK,
        most_searched: int = MOST_SEARCHED,
        most_steps: int = MOST_STEPS,
        most_arcs: int = MOST_ARCS,
    ) -> None:
        if not isinstance(references, (list, tuple)):
            raise TypeError("references must be a list with the texts of each")
        column = read_text_argument(source, "source", first)
        columns = [read_text_argument(reference, f"reference {number}", first) for number, reference in enumerate(references, start=1)]
        if max_unchanged < 0:
            raise ValueError("max_unchanged must not be negative")
        if not columns:
            raise ValueError("references must have at least one list of texts")
        self._first = first
        self._max_tokens = max_tokens
        self._settings = MaxMatchSettings(max_unchanged, most_work, most_searched, most_steps, most_arcs)
        self._count = len(column.texts)
        for one in columns:
            self._check_count(one, "references")
        self._sentences = [self._make_sentence(column, columns, index) for index in range(self._count)]

    def counts(self, hypotheses: Any) -> Any:
        """Count correct, proposed and gold edits: one row for each sentence and reference."""
        import numpy as np

        column = read_text_argument(hypotheses, "hypothesis", self._first)
        self._check_count(column, "hypotheses")
        rows: list[tuple[int, int, int]] = []
        for index, sentence in enumerate(self._sentences):
            hypothesis = column.split(index, self._max_tokens)
            with name_sentence(self._first + index):
                rows += count_matches(sentence, hypothesis, self._settings)
        return np.array(rows, dtype=np.int32).reshape(-1, 3)

    def content(self, start: int, stop: int) -> bytes:
        """Write what a fingerprint is computed from, for the sentences from one index up to another."""
        if not 0 <= start <= stop <= self._count:
            raise IndexError("start and stop must be a range of sentences")
        return "".join(map(_write_content, self._sentences[start:stop])).encode("utf-8")

    def _make_sentence(self, source: TextArgument, references: list[TextArgument], index: int) -> GoldSentence:
        tokens = source.split(index, self._max_tokens)
        return tokens, tuple(_find_edits(tokens, reference.split(index, self._max_tokens)) for reference in references)

    def _check_count(self, column: TextArgument, name: str) -> None:
        if len(column.texts) != self._count:
            raise ValueError(f"{name} must have a text for each of the {self._count} sentences, found {len(column.texts)}")


def _find_edits(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[GoldEdit, ...]:
    return tuple((start, end, (target[target_start:target_end],)) for start, end, target_start, target_end in align(source, target))


def _write_content(sentence: GoldSentence) -> str:
    tokens, annotators = sentence
    content = "\x1f".join(tokens)
    for annotator, edits in enumerate(annotators):
        content += f"\x1d{annotator}"
        for start, end, (correction,) in edits:
            kind = "Missing" if start == end else "Replacement" if correction else "Unnecessary"
            content += "\x1e" + "\x1f".join((str(start), str(end), kind, "REQUIRED", " ".join(correction)))
    return content + "\x1c"
