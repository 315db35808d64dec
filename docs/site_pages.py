"""The pages of the site that are generated: one for each command, each metric and each package with public names.

The site has them under ``reference/``; nothing of them is stored.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from errata import _list_names
from errata.cli import _build_parser
from errata.metrics import METRICS
from errata.settings import Setting, list_settings, write_value

from fill_tables import PAGES, docstring, summarise
from griffe_docstrings import as_markdown

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.metrics import Metric

COMMANDS, METRIC_PAGES, PYTHON = "reference/commands", "reference/metrics", "reference/python"
_MARKUP = re.compile(r"([\\`*_<>|\[\]])")


def make_pages() -> dict[str, str]:
    """Write all pages; keys are their addresses."""
    commands = _build_parser().commands
    metrics = {name: METRICS[name] for name in METRICS if METRICS.is_own(name)}
    return {
        f"{COMMANDS}/index.md": write_command_list(commands),
        **{f"{COMMANDS}/{name}.md": write_command(name, parser) for name, parser in commands.items()},
        f"{METRIC_PAGES}/index.md": write_metric_list(metrics),
        **{f"{METRIC_PAGES}/{name}.md": write_metric(metric) for name, metric in metrics.items()},
        **{f"{PYTHON}/{package}.md": write_package(package) for package in list_packages()},
    }


def list_packages() -> list[str]:
    """List the packages with public names: errata first, then by name."""
    source = Path(sys.modules["errata"].__file__ or "").parent
    return sorted(".".join(("errata", *path.parent.relative_to(source).parts)) for path in source.rglob("__init__.pyi"))


def write_command_list(commands: dict[str, Parser]) -> str:
    """Write the page that lists all commands."""
    rows = [f"| [`errata {name}`]({name}.md) | {escape(parser.description or '')} |" for name, parser in commands.items()]
    about = "[Command line](../../command-line.md) explains files and output; [options](../../options.md) lists all options."
    return "\n".join(["# Commands", "", about, "", "| Command | What it does |", "| --- | --- |", *rows])


def write_command(name: str, parser: Parser) -> str:
    """Write the page of a command from its parser."""
    usage = re.sub(r"\s+", " ", parser.format_usage()).removeprefix("usage: ").strip()
    parts = [f"# errata {name}", escape(parser.description or ""), f"```text\n{_fold(usage)}\n```"]
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no public name for it
        rows = [_argument_row(parser, action) for action in group._group_actions]  # noqa: SLF001
        if rows:
            title = (group.title or "").capitalize()
            parts += [
                f"## {title}",
                "\n".join([f"| {'Argument' if title == 'Arguments' else 'Option'} | Meaning |", "| --- | --- |", *rows]),
            ]
    parser.format_help()  # makes the end of the help text
    return "\n\n".join([*parts, *_write_epilog(parser.epilog or ""), _list_mentions(f"errata {name}")])


def _argument_row(parser: Parser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()  # noqa: SLF001
    value = formatter._format_args(action, formatter._get_default_metavar_for_optional(action)) if action.nargs != 0 else ""  # noqa: SLF001
    names = action.option_strings or [value]
    written = ", ".join(f"`{f'{text} {value}' if action.option_strings and value else text}`" for text in names)
    written = written.replace("|", "\\|")  # also in code, a bar ends a cell
    return f"| {written} | {escape(formatter._expand_help(action) if action.help else '')} |"  # noqa: SLF001


def _write_epilog(text: str) -> list[str]:
    """Indented lines are commands, others are prose."""
    parts: list[str] = []
    for block in re.findall(r"(?:^  .*\n?)+|(?:^(?!  ).*\n?)+", text.replace("examples:\n", ""), re.MULTILINE):
        if block.startswith("  "):
            heading = "" if parts else "## Examples\n\n"
            parts.append(heading + "```sh\n" + re.sub(r"^  ", "", block, flags=re.MULTILINE).rstrip() + "\n```")
        elif block.strip():
            parts.append(escape(block.strip()))
    return parts


def _list_mentions(command: str) -> str:
    """List the pages whose examples use a command."""
    used = re.compile(rf"^(?:\$ )?{command}\b", re.MULTILINE)
    pages = [path for path in sorted(PAGES.rglob("*.md")) if used.search(path.read_text(encoding="utf-8"))]
    links = [f"[{find_title(path)}](../../{path.relative_to(PAGES).as_posix()})" for path in pages]
    return f"Used in: {', '.join(links)}." if links else ""


def find_title(path: Path) -> str:
    """Find the title of a page."""
    match = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else path.stem


def write_metric_list(metrics: dict[str, type[Metric]]) -> str:
    """Write the page that lists all metrics."""
    rows = [
        f"| [{metric.title}]({name}.md) | `{name}` | {escape(metric.paper)} | {escape(metric.summary)} |"
        for name, metric in metrics.items()
    ]
    about = "[Concepts](../../concepts.md#metric) says what a metric is; [plug-ins](../../plugins.md) add others."
    return "\n".join(["# Metrics", "", about, "", "| Metric | Name | Paper | What it measures |", "| --- | --- | --- | --- |", *rows])


def write_metric(metric: type[Metric]) -> str:
    """Write the page of a metric from its class: its settings, its counts, and what its docstrings say."""
    own = metric()
    counts = ", ".join(f"`{column}`" for column in own.columns)
    facts = [
        f"- Paper: {escape(metric.paper)}",
        f"- Default: `{own.signature}`",
        f"- Python: [`errata.{metric.__name__}`][errata.{metric.__name__}]",
        f"- Counts of a sentence: {counts}",
        f"- Value of a perfect output: {'not defined' if own.best is None else f'{own.best:g}'}",
        *([f"- Suggested for: {', '.join(f'`{alias}`' for alias in metric.aliases)}"] if metric.aliases else []),
        *([f"- Needs: {', '.join(f'`{name}`' for name in own.needs)}"] if own.needs else []),
        *(["- Compares with the source; needs no references"] if metric.referenceless else []),
        *[f"- Explained on the page: [{find_title(page)}](../../{page.name})" for page in _pages_with_settings(metric.name)],
    ]
    about = as_markdown(sys.modules[metric.__module__].__doc__ or "")
    settings = [write_setting(name, setting) for name, setting in list_settings(metric).items()]
    return "\n\n".join(
        [
            f"# {metric.title}",
            f"`{metric.name}`: {escape(metric.summary)}.",
            "\n".join(facts),
            "## Definition",
            about,
            "## Settings",
            *(settings or ["It has no settings."]),
        ]
    )


def _pages_with_settings(name: str) -> list[Path]:
    return [path for path in sorted(PAGES.glob("*.md")) if f"<!-- settings of {name} -->" in path.read_text(encoding="utf-8")]


def write_setting(name: str, setting: Setting) -> str:
    """Write a setting with its default and, of a choice, all values."""
    lines = [
        f"### `{name}`",
        "",
        f"{escape(setting.help[:1].upper() + setting.help[1:])}.",
        "",
        f"Default: `{write_value(setting.default)}`",
    ]
    if setting.kind != "choice":
        return "\n".join([*lines[:-1], f"{lines[-1]}, {escape(setting.expected)}."])
    meanings = setting.meanings or ("",) * len(setting.values)
    rows = [f"| `{value}` | {escape(meaning)} |" for value, meaning in zip(setting.values, meanings, strict=True)]
    return "\n".join([*lines, "", "| Value | Meaning |", "| --- | --- |", *rows])


def write_package(package: str) -> str:
    """Write the page of a package: a list of its names, and an entry for each; names of errata itself have theirs there."""
    names, top = _list_names(package), _list_names("errata")
    shared = {name for name, module in names.items() if package != "errata" and top.get(name) == module}
    rows = [f"| [`{name}`][{entry_of(package, name)}] | {summarise(docstring(module, name))} |" for name, module in names.items()]
    entries = [f"::: {package}.{name}" for name in names if name not in shared]
    about = as_markdown(import_module(package).__doc__ or "")
    return "\n\n".join([f"# {package}", about, "\n".join(["| Name | What it is |", "| --- | --- |", *rows]), *entries])


def entry_of(package: str, name: str) -> str:
    """The identifier of the entry of a name: names that errata itself offers have it there."""
    return f"errata.{name}" if _list_names("errata").get(name) == _list_names(package)[name] else f"{package}.{name}"


def escape(text: str) -> str:
    r"""Write a text in one line, without what Markdown would read as markup.

    >>> print(escape("max_unchanged, a|b"))
    max\_unchanged, a\|b
    """
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _fold(usage: str, width: int = 74) -> str:
    """Break a usage line between its arguments."""
    lines = [""]
    for part in re.findall(r"\[(?:[^\[\]]|\[[^\]]*\])*\]|\S+", usage):
        if lines[-1] and len(lines[-1]) + len(part) >= width:
            lines.append("   ")
        lines[-1] += f"{' ' if lines[-1] else ''}{part}"
    return "\n".join(lines)
