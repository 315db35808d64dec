"""The edits of one sentence, as a list, a table, and a sentence with marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.unicode import find_direction
from errata.html import Html, element, join_html
from errata.listings import Listing, TableRow
from errata.metrics.views import JudgedEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.corpus.texts import Tokens

_SIGNS = {"right": "+", "wrong": "×", "missed": "−"}
_STYLES = {
    "right": "background: rgba(46, 160, 67, 0.3)",
    "wrong": "background: rgba(248, 81, 73, 0.3)",
    "missed": "background: rgba(210, 153, 34, 0.3); border-bottom: 1px dashed",
}
"""Transparent, so that the text keeps the colour of a light or a dark page."""
_EMPTY = "∅"


class SentenceEdits(Listing[JudgedEdit]):
    """The right, wrong and missed edits of a sentence."""

    def __init__(self, edits: Iterable[JudgedEdit], sentence: int, tokens: Tokens, title: str) -> None:
        super().__init__(edits)
        self.sentence = sentence
        """The number of the sentence, from 1."""
        self.tokens = tokens
        """The source."""
        self._title = title

    def rows(self) -> list[TableRow]:
        """List the edits with their values by name."""
        return [
            {
                "sentence": self.sentence,
                "outcome": edit.outcome,
                "start": edit.start,
                "end": edit.end,
                "original": edit.original,
                "corrections": list(edit.corrections),
                "type": edit.type,
                "target_start": edit.target_start,
            }
            for edit in self
        ]

    def _repr_html_(self) -> str:
        """Mark the edits in the sentence: those of the system are done, and missed ones are in brackets."""
        legend = [join_html(_mark(outcome, f"{_SIGNS[outcome]} {outcome}"), " ") for outcome in _SIGNS]
        heading = element("div", join_html(self._title, ": ", *legend), style="font-size: smaller; opacity: 0.8")
        return element(
            "div", heading, element("div", *self._list_parts(), dir=find_direction(" ".join(self.tokens)), style="line-height: 1.9")
        )

    def _list_parts(self) -> Iterator[Html]:
        """Yield the words of the source, with edits where they are."""
        done = 0
        for edit in sorted(self, key=lambda edit: (edit.start, edit.end)):
            if edit.start > done:
                yield join_html(" ".join(self.tokens[done : edit.start]), " ")
            done = max(done, edit.end)
            yield join_html(_show_edit(edit), " ")
        yield join_html(" ".join(self.tokens[done:]))


def _show_edit(edit: JudgedEdit) -> Html:
    """Show an edit with its sign, and its type if it has one."""
    missed = edit.outcome == "missed"  # the output still has the original
    original = element("span" if missed or not edit.original else "del", edit.original or _EMPTY, dir=find_direction(edit.original))
    after = [
        part
        for text in edit.corrections
        for part in (" | ", element("ins", text, dir=find_direction(text)) if text else element("span", _EMPTY))
    ][1:]
    kind = element("small", f" {edit.type}", style="opacity: 0.7") if edit.type else None
    parts = (f"{_SIGNS[edit.outcome]} ", original, " → ", *after, kind)
    return _mark(edit.outcome, *(("[", *parts, "]") if missed else parts))


def _mark(outcome: str, *parts: str | Html | None) -> Html:
    return element("span", *parts, style=f"{_STYLES[outcome]}; border-radius: 3px; padding: 1px 3px", title=f"{outcome} edit")
