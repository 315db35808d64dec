"""Writes tables into pages from what the code declares: settings of metrics, names of packages, options of commands, data sets.

A page says where: between ``<!-- settings of NAME -->`` and ``<!-- end of settings -->``, and likewise ``names of PACKAGE``,
``options of errata``, and ``sets of errata`` and ``checksums of errata`` for data sets.  ``make tables`` runs it.
``<!-- names of PACKAGE: FILE FILE -->`` has the names of these files; a table without files has those that no other table of the page has.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from errata import _list_names
from errata.formats import list_data_sets
from errata.metrics import METRICS
from errata.report import render
from errata.report.tables.catalogue import settings_table

_TABLE = re.compile(r"(<!-- (settings|names|options|sets|checksums) of ([\w.]+)(?:: ([\w ]+))? -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
PAGES = Path(__file__).parent


def filled(text: str) -> str:
    """A page with its tables as they should be."""

    def write(match: re.Match[str]) -> str:
        if match[2] == "names":
            table = _names(match[3], (match[4] or "").split(), elsewhere.get(match[3], set()))
        else:
            table = {"settings": _settings, "options": _options, "sets": _sets, "checksums": _checksums}[match[2]](match[3])
        return f"{match[1]}\n{table}\n\n{match[5]}"

    elsewhere: dict[str, set[str]] = {}
    for match in _TABLE.finditer(text):
        elsewhere.setdefault(match[3], set()).update((match[4] or "").split())

    return _TABLE.sub(write, text)


def _settings(metric: str) -> str:
    _, _, table = render(settings_table(METRICS.find(metric)), "markdown").partition("\n\n")
    return table.strip()


def _names(package: str, files: list[str], elsewhere: set[str]) -> str:
    names = [(name, module, module.rpartition(".")[2]) for name, module in _list_names(package).items()]
    if unknown := set(files) - {file for _, _, file in names}:
        raise LookupError(f"{package} has no names of these files: {' '.join(sorted(unknown))}")
    rows = [
        f"| `{name}` | {summarise(docstring(module, name))} |"
        for name, module, file in names
        if (file in files if files else file not in elsewhere)
    ]
    return "\n".join(["| Name | What it is |", "| --- | --- |", *rows])


def _options(_: str) -> str:
    """All options in the order of the alphabet, with the commands that have them."""
    from errata.cli import _build_parser
    from errata.cli.vocabulary import OPTIONS

    commands = _build_parser().commands
    rows = []
    for name, option in sorted(OPTIONS.items()):
        having = [command for command, parser in commands.items() if name in parser.options]
        written = ", ".join(f"`{text}`" for text in (option.short, name) if text)
        who = "all" if len(having) == len(commands) else ", ".join(having)
        rows.append(f"| {written} | {option.meaning.replace('%%', '%')} | {who} |")
    return "\n".join(["| Option | Meaning | Commands |", "| --- | --- | --- |", *rows])


def _sets(_: str) -> str:
    """All data sets, with their origin."""
    rows = [
        "| Name | Data | Language | Sentences | Annotators | Licence | To get it | Paper |",
        "| --- | --- | --- | ---: | ---: | --- | --- | --- |",
    ]
    for name, item in list_data_sets().items():
        release = item.release
        data = f"[{release.title}]({release.home}): {item.about}"
        sentences = "–" if item.sentences is None else f"{item.sentences:,}"
        how = f"`errata data get {name}`" if item.is_downloadable else f"{release.how}; `errata data add {name} PATH --unverified`"
        cells = [
            f"`{name}`",
            data,
            item.language,
            sentences,
            str(item.annotators),
            release.licence,
            how,
            f"[{release.year}]({release.url})",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _checksums(_: str) -> str:
    """The checksums of all files of data sets that are known."""
    rows = ["| Data set | File | SHA-256 |", "| --- | --- | --- |"]
    for name, item in list_data_sets().items():
        if item.release.archive_sha256:
            rows.append(f"| `{name}` | `{item.release.archive.rpartition('/')[2]}` | `{item.release.archive_sha256}` |")
        rows += [f"| `{name}` | `{member.path}` | `{member.sha256}` |" for member in item.members if member.sha256]
    return "\n".join(rows)


def docstring(module: str, name: str) -> str:
    """What a module says of a name: the docstring of a class or function, or the string below a value."""
    body = _parsed(module)
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            described = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            return str(following.value.value) if described else ""  # type: ignore[union-attr]  # as the line above says
    raise LookupError(f"{module} defines no {name}")


def summarise(text: str) -> str:
    """The first sentence, in Markdown."""
    paragraph = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    sentence = re.split(r"(?<=[^.]\.)\s", paragraph)[0].removesuffix(".")
    return re.sub(r":\w+:(?=`)", "", sentence).replace("``", "`").replace("|", "\\|")


@cache
def _parsed(module: str) -> list[ast.stmt]:
    return ast.parse(_source(module).read_text(encoding="utf-8")).body


def _source(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no {module}")
    return Path(spec.origin)


def main() -> None:
    """Fill all pages."""
    for path in sorted(PAGES.rglob("*.md")):
        before = path.read_text(encoding="utf-8")
        after = filled(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{path.name}: tables written anew")


if __name__ == "__main__":
    main()
