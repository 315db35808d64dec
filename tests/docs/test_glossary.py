"""The glossary leads to the pages that explain its terms, and the pages keep to the project's words."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

GLOSSARY = Path("docs/glossary.md")
CHECKED = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/**/*.md", "examples/*.md")
"""Files without banned phrases; of Markdown the prose, of Python everything."""
BANNED = (
    r"(told|tells?|telling) (\w+ )*apart",
    r"pass(ed|es) over",
    r"(drawn|draws?|made|chosen) (again|anew)",
    r"four times (out )?of five",
    r"real differences?|differences? (is|are) real",
    r"rooms?",
    r"oddit(y|ies)",
    r"places?",
    r"(leave|leaves|leaving|left) (\w+ )?alone",
    r"(completely|whole) or not at all",
    r"(sentence|name|tag|one)s? a line|(reference|answer)s? a sentence|tokens? a second",
    r"beside it|by itself|one and the same",
    r"to the last count",
    r"less that of",
    r"corrector would get",
    r"(flags?|flagged) from",
    r"known are|goes with|does not go with",
    r"no smaller",
)
NAMES = ("places?",)
"""Words that the source has as names."""
_UNWRITTEN = re.compile(r"^```.*?^```|^<!-- settings of .*?^<!-- end of settings -->|`[^`\n]*`|\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)
"""Code, outputs, generated tables and addresses: their words come from elsewhere."""


def terms() -> dict[str, str]:
    """Every term with what is said about it."""
    return dict(re.findall(r"^- \*\*(.+?)\*\*: ((?:.|\n  )+)", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE))


def prose(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return _UNWRITTEN.sub("", text) if path.suffix == ".md" else text


def anchors(path: Path) -> set[str]:
    """The names by which headings can be linked, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def pages() -> list[Path]:
    return [path for pattern in CHECKED for path in sorted(Path().glob(pattern))]


def test_terms_are_in_alphabetical_order() -> None:
    assert len(terms()) >= 30
    assert list(terms()) == sorted(terms(), key=str.lower)


def test_every_term_has_a_link() -> None:
    assert [term for term, text in terms().items() if not re.search(r"\]\([^)]+\)", text)] == []


def test_links_lead_to_headings() -> None:
    for path in pages():
        for page, anchor in re.findall(r"\]\(((?:[^)#:]*\.md)?)#([^)]+)\)", path.read_text(encoding="utf-8")):
            target = path.parent / page if page else path
            assert anchor in anchors(target), (path, page, anchor)


def test_every_term_is_used_on_another_page() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages() if path != GLOSSARY)
    assert [term for term in terms() if not re.search(rf"\b{term}", text, re.IGNORECASE)] == []


@pytest.mark.parametrize("phrase", BANNED)
def test_no_page_has_a_banned_phrase(phrase: str) -> None:
    found = [(str(path), match[0]) for path in pages() for match in re.finditer(rf"\b(?:{phrase})\b", prose(path), re.IGNORECASE)]
    assert found == []


@pytest.mark.parametrize("phrase", [phrase for phrase in BANNED if phrase not in NAMES])
def test_no_source_has_a_banned_phrase(phrase: str) -> None:
    sources = sorted(Path("src/errata").glob("**/*.py"))
    found = [(str(path), match[0]) for path in sources for match in re.finditer(rf"\b(?:{phrase})\b", prose(path), re.IGNORECASE)]
    assert sources
    assert found == []


def test_banned_phrases_are_found_in_prose_only() -> None:
    assert re.search(BANNED[1], "is passed over")
    assert "room" not in _UNWRITTEN.sub("", "`room` [a](room.md)\n```\nroom\n```\n")


def find_unread_lists(text: str) -> list[str]:
    """List the lines of lists that Markdown of sites reads otherwise than that of repositories: nested ones need four spaces."""
    outside = re.sub(r"^ *```.*?^ *```$|\A---\n.*?^---$", lambda match: "\n" * match[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    lines = ["", *outside.splitlines()]
    begins = re.compile(r"(- |\d+\. |\|)")
    nested = [line for line in lines if re.match(r" {1,3}(- |\d+\. )", line)]
    glued = [line for before, line in pairwise(lines) if begins.match(line) and before.strip() and not re.match(r"  |- |\d+\. |\|", before)]
    return nested + glued


def test_lists_are_read_alike_everywhere() -> None:
    assert find_unread_lists("a\n- b\n\n- c\n  - d\n    - e\n\n```\n- f\n  - g\n```\nh\n| i |\n") == ["  - d", "- b", "| i |"]
    assert {str(path): found for path in pages() if (found := find_unread_lists(path.read_text(encoding="utf-8")))} == {}
