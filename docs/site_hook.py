"""What the build of the site does beside MkDocs: generated pages, files outside docs that pages link to, and links to names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

from errata import _list_names

from site_links import ROOT, find_linked, rewrite_links
from site_pages import entry_of, make_pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_GENERATED = "reference/"
_NAMES = re.compile(r"(?<=<!-- names of )([\w.]+)((?:: [\w ]+)? -->\n)(.*?)(?=<!-- end of names -->)", re.DOTALL)
_ROW = re.compile(r"^[|] `(\w+)` [|]", re.MULTILINE)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add generated pages and files outside docs, and complete the navigation."""
    pages = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in Path(config.docs_dir).rglob("*.md")}
    for path in sorted({*find_linked(pages), *_list_entries(config.nav)} - set(files.src_uris)):
        if (ROOT / path).is_file():
            files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    generated = make_pages()
    for address, text in generated.items():
        files.append(File.generated(config, address, content=text))
    config.nav = complete_navigation(config.nav, generated)
    return files


def _list_entries(nav: Any) -> list[str]:
    """List the addresses in a navigation."""
    if isinstance(nav, str):
        return [nav]
    return [entry for item in (nav.values() if isinstance(nav, dict) else nav) for entry in _list_entries(item)]


def complete_navigation(nav: list[Any], generated: dict[str, str]) -> list[Any]:
    """Put the generated pages where ``/*`` stands for them."""
    entries: list[Any] = []
    for item in nav:
        if isinstance(item, str) and item.endswith("/*"):
            pages = [address for address in generated if address.startswith(item[:-1])]
            entries += [address if address.endswith("/index.md") else {Path(address).stem: address} for address in pages]
            continue
        inner = next(iter(item.values())) if isinstance(item, dict) else item
        if isinstance(inner, list):
            entries.append({next(iter(item)): complete_navigation(inner, generated)})
        else:
            entries.append(item)
    return entries


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Rewrite links to files of the project; names of packages become links to their entries."""
    address = page.file.src_uri
    if address.startswith(_GENERATED):
        return markdown
    source = Path(page.file.abs_src_path).relative_to(ROOT).as_posix()
    return _NAMES.sub(_link_names, rewrite_links(source, markdown))


def _link_names(match: re.Match[str]) -> str:
    package = match[1]
    names = _list_names(package)

    def link(row: re.Match[str]) -> str:
        return f"| [`{row[1]}`][{entry_of(package, row[1])}] |" if row[1] in names else row[0]

    return f"{package}{match[2]}{_ROW.sub(link, match[3])}"
