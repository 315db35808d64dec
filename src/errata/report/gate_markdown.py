"""A gate as Markdown, for a pull request: the verdict first, then numbers, then edits.

Everything that comes from files is written as code, so that it is neither markup nor a mention nor a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import pluralise
from errata.report.edit_texts import write_change
from errata.report.markdown_texts import code_span
from errata.report.tables.edits import name_sentences, write_types
from errata.report.tables.gate import CHANGE_TITLES, gate_table, write_context
from errata.report.writers import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.scoring import ChangedEdit, ChangedEdits, EditChanges
    from errata.stats import Gate
    from errata.stats.gating import GatedMetric

_LONGEST = 120
"""Characters of an edit, and of its context; JSON has all."""


def write_gate(gate: Gate, about: str, changes: EditChanges | None, notes: Sequence[str], signatures: Sequence[str]) -> str:
    """Write a gate.

    ``about`` says what was compared, as Markdown; ``notes`` what else should be known, as plain sentences of our own.
    """
    verdict = "holds" if gate.holds else "does not hold"
    blocks = [
        f"### The gate {verdict}",
        about,
        "\n".join(f"- {_after_name(item, item.reason)}" for item in gate.metrics),
        render(gate_table(gate), "markdown").rstrip("\n"),
        "Power, estimated from this pair of outputs:",
        "\n".join(f"- {_after_name(item, item.power)}" for item in gate.metrics),
        *notes,
        *([] if changes is None else _list_changes(changes)),
        f"How: {gate.how}.",
        "\n".join(f"- {code_span(signature)}" for signature in signatures),
    ]
    return "\n\n".join(blocks) + "\n"


def _after_name(item: GatedMetric, sentence: str) -> str:
    """Write a sentence that begins with the name of a metric."""
    name = str(item.metric)
    return f"{code_span(name)}{sentence.removeprefix(name)}"


def _list_changes(changes: EditChanges) -> Iterator[str]:
    yield f"#### Edits that changed, by {code_span(str(changes.metric))}"
    for change, own in changes.changes.items():
        yield f"**{CHANGE_TITLES[change]}: {own.total:,}**"
        if own.edits:
            yield "\n".join(_list_edits(own))


def _list_edits(changed: ChangedEdits) -> Iterator[str]:
    for item in changed.edits:
        yield f"- {_write_edit(item)}"
    if changed.left_out:
        yield f"- and {pluralise(changed.left_out, 'other edit')}, none of them more frequent"


def _write_edit(item: ChangedEdit) -> str:
    edit = item.edit
    types = f" ({code_span(name)})" if (name := write_types(edit)) else ""
    times = f"{edit.count:,} × " if edit.count > 1 else ""
    noun = "sentence" if len(edit.sentences) == 1 else "sentences"
    place = f"{noun} {name_sentences(edit)}: {code_span(_shorten(write_context(item)))}"
    return f"{times}{code_span(_shorten(write_change(edit.original, edit.corrections)))}{types}, {place}"


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
