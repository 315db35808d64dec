"""What is inside a written report: its elements, the data for its script, and its downloads."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

VOID = frozenset({"meta"})
OUTCOMES = ("right", "wrong", "missed")


@dataclass
class Element:
    """An element of the document, with everything inside."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def find(self, tag: str, **wanted: str) -> list[Element]:
        """All elements inside with a tag and attributes."""
        inside = [child for child in self.children if isinstance(child, Element)]
        own = [
            child
            for child in inside
            if child.tag == tag and all(child.attributes.get(name.rstrip("_")) == text for name, text in wanted.items())
        ]
        return [*own, *(found for child in inside for found in child.find(tag, **wanted))]


class DocumentParser(HTMLParser):
    """Reads a document in which every element is closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attributes]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        made = Element(tag, dict(attributes))
        self._open[-1].children.append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> at {self.getpos()} closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def close(self) -> None:
        super().close()
        assert self._open == [self.root]


class ReportContents:
    """A written report."""

    def __init__(self, path: Path) -> None:
        self.html = path.read_bytes().decode("utf-8")

    @cached_property
    def document(self) -> Element:
        """All elements; they are closed in order."""
        parser = DocumentParser()
        parser.feed(self.html)
        parser.close()
        return parser.root

    def section(self, name: str) -> Element:
        (found,) = self.document.find("section", id=name)
        return found

    @cached_property
    def summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = json.loads(self._find_script("summary"))
        return summary

    @cached_property
    def sentences(self) -> list[dict[str, Any]]:
        """The sentences of all blocks."""
        sentences = []
        for number, size in enumerate(self.summary["blocks"]):
            block = json.loads(gzip.decompress(b64decode(self._find_script(f"block-{number}"), validate=True)))
            assert len(block) == size
            sentences += block
        return sentences

    @cached_property
    def index(self) -> dict[str, Any]:
        """The arrays of the index, by name; values by metric and system, edits by system and outcome."""
        import numpy as np

        content = gzip.decompress(b64decode(self._find_script("index"), validate=True))
        size, systems, metrics = self.summary["sentences"], len(self.summary["systems"]), len(self.summary["metrics"])
        position = 0

        def take(kind: str) -> npt.NDArray[np.generic]:
            nonlocal position
            taken = np.frombuffer(content, kind, size, position)
            position += taken.nbytes
            return taken

        index = {
            "values": [[take("<f4").tolist() for _ in range(systems)] for _ in range(metrics)],
            "numbers": take("<u4").tolist(),
            "lengths": take("<u2").tolist(),
            "edits": [[take("u1").tolist() for _ in OUTCOMES] for _ in range(systems)],
            "outputs": take("u1").tolist(),
        }
        assert position == len(content)
        return index

    def download(self, name: str) -> str:
        """The content of a download."""
        (link,) = self.section("making").find("a", download=name)
        found = re.fullmatch(r"data:[a-z/]+;charset=utf-8;base64,([\w+/=]+)", link.attributes["href"] or "")
        assert found is not None
        return b64decode(found[1], validate=True).decode("utf-8")

    def _find_script(self, name: str) -> str:
        (found,) = re.findall(rf'<script type="[a-z/]+"(?: class="block")? id="{name}">([^<]*)</script>', self.html)
        script: str = found
        return script


def apply_edits(source: str, edits: list[list[Any]]) -> str:
    """The source with the right and wrong edits of a system."""
    tokens, parts, done = source.split(), [], 0
    for outcome, start, end, text, _ in edits:
        if outcome != OUTCOMES.index("missed"):
            parts += [*tokens[done:start], *([text] if text else [])]
            done = max(done, end)
    return " ".join([*parts, *tokens[done:]])
