"""What callers give: outputs, sources and references as lists, or the columns and completions of a trainer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from errata.corpus.texts import Text, check_sentences, list_items, list_references
from errata.errors import UsageError

if TYPE_CHECKING:
    from errata.rewards.prepared_gold import GoldTexts

_ROLES = {"completions": "assistant", "prompts": "user"}
"""Whose message is meant, for arguments that may be conversations."""


def list_texts(values: object, what: str) -> list[str]:
    """List sentences as texts; ``what`` names them in errors.

    >>> list_texts(["A cat .", ["A", "dog", "."]], "outputs")
    ['A cat .', 'A dog .']
    """
    return list(map(_join, check_sentences(values, what)))


def list_gold_texts(sources: list[Text], references: object) -> list[GoldTexts]:
    """Pair each source with its references (:func:`~errata.corpus.texts.list_references`); without references, if there are none.

    >>> list_gold_texts(["He go .", "A cat ."], [["He goes .", "He went ."], "The cat ."])
    [('He go .', ('He goes .', 'He went .')), ('A cat .', ('The cat .',))]
    """
    if references is None:
        return [(_join(source), ()) for source in sources]
    items = list_items(references, "references must be a list with the references of each output")
    if set(map(type, (*items, *sources))) <= {str} and len(items) == len(sources):  # as most lists
        return [(source, (text,)) for source, text in zip(sources, items, strict=True)]  # type: ignore[misc]
    listed = list_references(sources, items)
    return [(_join(source), tuple(_join(text) for text in own if text is not None)) for source, own in zip(sources, listed, strict=True)]


def _join(text: Text) -> str:
    return text if isinstance(text, str) else " ".join(text)


def list_messages(values: object, what: str) -> list[str]:
    """List texts of a trainer, which are strings or conversations; of these, the last message of the model, or of the user in prompts.

    >>> list_messages([[{"role": "assistant", "content": "A cat ."}], "A dog ."], "completions")
    ['A cat .', 'A dog .']
    """
    items = list_items(values, f"{what} must be a list of texts or conversations")
    if set(map(type, items)) <= {str}:
        return items
    role = _ROLES.get(what, "assistant")
    return [_get_message(item, role, f"{what}, item {number:,}") for number, item in enumerate(items, start=1)]


def _get_message(item: Any, role: str, what: str) -> str:
    if isinstance(item, str):
        return item
    rule = f"{what}: expected a text or a list of messages"
    messages = [item] if isinstance(item, Mapping) else list_items(item, rule)
    for message in messages:
        if not isinstance(message, Mapping):
            raise UsageError(f"{rule}, found an item of type {type(message).__name__}")
    own = [message for message in messages if message.get("role", role) == role]
    if not own:
        raise UsageError(f"{what}: expected a message of the role {role}, found {_list_roles(messages)}")
    return _get_content(own[-1].get("content"), what)


def _get_content(content: object, what: str) -> str:
    """Get the text of a message: a string, or parts with texts; without content it says nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = list_items(content, f"{what}: the content of a message must be a text or a list of parts")
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in parts]
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{what}: the content of a message must be a text or parts with a text, found {content!r:.60}")
    return "".join(map(str, texts))


def _list_roles(messages: list[Mapping[str, Any]]) -> str:
    return ", ".join(dict.fromkeys(str(message.get("role")) for message in messages)) or "no message"
