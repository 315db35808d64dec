"""What callers give: outputs, sources and references as lists, or the columns and completions of a trainer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from errata.errors import UsageError
from errata.texts import Text, check_sentences, list_items

_ROLES = {"completions": "assistant", "prompts": "user"}
"""Whose message is meant, for arguments that may be conversations."""


def list_texts(values: object, what: str) -> list[str]:
    """List sentences as texts; ``what`` names them in errors.

    >>> list_texts(["A cat .", ["A", "dog", "."]], "outputs")
    ['A cat .', 'A dog .']
    """
    return list(map(_join, check_sentences(values, what)))


def list_sample_references(values: object, what: str = "references") -> list[tuple[str, ...]]:
    """List the references of each sentence: a text, or a list of one or more texts or token lists.

    >>> list_sample_references(["A cat .", ["A cat .", "The cat ."], [["A", "cat"]]])
    [('A cat .',), ('A cat .', 'The cat .'), ('A cat',)]
    """
    items = list_items(values, f"{what} must be a list with the references of each output")
    if set(map(type, items)) <= {str}:
        return [(text,) for text in items]
    return [_list_own(item, f"{what}, item {number:,}") for number, item in enumerate(items, start=1)]


def _list_own(item: object, what: str) -> tuple[str, ...]:
    if isinstance(item, str):
        return (item,)
    own = list_items(item, f"{what}: expected a text or a list of texts")
    if not own:
        raise UsageError(f"{what}: expected a text or a list of texts, found an empty list")
    return tuple(list_texts(own, what))


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
