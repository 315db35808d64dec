"""Docstrings and declarations of settings as the pages about Python show them (an extension of Griffe)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from griffe import Docstring, ExprCall, Extension

if TYPE_CHECKING:
    from griffe import Attribute, Object

_DECLARATIONS = ("number", "whole", "text", "flag", "one_of")
"""The functions of ``errata.settings`` that declare a field."""
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_EXAMPLE = re.compile(r"^>>> .*\n(?:.+\n?)*", re.MULTILINE)


class MarkdownDocstrings(Extension):  # type: ignore[misc]  # Griffe is not installed where types are checked
    """Roles become code and examples become code blocks; a field that declares a setting gets its default and its meaning."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        """Show the default of a setting instead of its declaration."""
        call = attr.value
        if not isinstance(call, ExprCall) or str(call.function) not in _DECLARATIONS:
            return
        arguments = [str(argument) for argument in call.arguments]
        flag = str(call.function) == "flag"
        meaning = arguments[0 if flag else -1 if str(call.function) == "one_of" else 1]
        attr.value = "False" if flag else arguments[0]
        if attr.docstring is None and meaning.startswith(('"', "'")):
            attr.docstring = Docstring(meaning[1:-1], parent=attr)


def as_markdown(text: str) -> str:
    """Write a docstring in Markdown.

    >>> as_markdown("Like :func:`~errata.score`.")
    'Like `errata.score`.'
    """
    return _EXAMPLE.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", _ROLE.sub(r"`\1`", text))
