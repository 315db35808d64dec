"""Writes a version wherever it stands: ``python .ci/set_version.py 0.3.0 [2027-01-31]``, as ``make version NEW=0.3.0`` does.

- ``src/errata/__init__.py``, from which the build reads it,
- ``packages/errata-event/pyproject.toml``, and the versions of each other that both distributions require,
- ``CITATION.cff``, with the date if there is one,
- the newest heading of ``CHANGELOG.md``: of 0.3.0, with the date or "unreleased",
- outputs that documentation, examples and tests show: ``errata 0.2.0`` and ``"errata": "0.2.0"``,
- tags that documentation tells users to take: ``@v0.2.0`` and ``rev: v0.2.0``.

All files are checked before the first is written.  Other mentions of the old version are printed, because they may be meant.
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

VERSION = "src/errata/__init__.py"
PROJECT, EVENT = "pyproject.toml", "packages/errata-event/pyproject.toml"
CITATION = "CITATION.cff"
CHANGELOG = "CHANGELOG.md"
_NEWEST = r"\A(# Changelog\n(?:(?!## ).*\n)*)## \S+ \(unreleased\)$"
OUTPUTS = (
    "README.md",
    "docs/**/*.md",
    "examples/**/*.md",
    "examples/**/*.ipynb",
    *(f"{folder}/**/*.{kind}" for folder in ("tests", "packages/*/tests") for kind in ("py", "json", "txt")),
)
"""Files that may show what errata printed."""
_NUMBER = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


class VersionError(Exception):
    """A version, a date or a file is not as expected."""


def set_version(root: Path, new: str, released: str = "") -> list[str]:
    """Write a version into the files of a checkout; return lines that say what was done."""
    if not _NUMBER.fullmatch(new):
        raise VersionError(f"a version has the form 1.2.3, or 1.2.3rc1 for a candidate, found {new!r}")
    if released:
        try:
            date.fromisoformat(released)
        except ValueError:
            raise VersionError(f"a date has the form 2027-01-31, found {released!r}") from None
    old = read_version(root)
    texts = {
        VERSION: _replace_once(root, VERSION, r'^__version__ = ".*"$', f'__version__ = "{new}"'),
        PROJECT: _require(_read(root, PROJECT), PROJECT, new),
        EVENT: _require(_replace_once(root, EVENT, r'^version = ".*"$', f'version = "{new}"'), EVENT, new),
        CITATION: _cite(root, new, released),
        CHANGELOG: _replace_once(root, CHANGELOG, _NEWEST, rf"\1## {new} ({released or 'unreleased'})"),
    }
    lines, mentions = [], []
    mention = re.compile(rf"(?<![\d.]){re.escape(old)}(?![.\w]*\d)")
    for path in sorted(path for pattern in OUTPUTS for path in root.glob(pattern)):
        name, before = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        after, changes = re.subn(rf'(\berrata |\berrata\\?": \\?"|@v|\brev: v){re.escape(old)}(?![.\w]*\d)', rf"\g<1>{new}", before)
        if changes:
            texts[name] = after
        mentions += [f"{name}:{number}" for number, line in enumerate(after.splitlines(), 1) if mention.search(line)]
    for name, text in texts.items():
        path = root / name
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            lines.append(f"{name}: {new}")
    if old != new:
        lines += [f"{mention}: mentions {old}, left as it is" for mention in mentions]
    return lines


def read_version(root: Path) -> str:
    """Read the version of a checkout."""
    match = re.search(r'^__version__ = "(.*)"$', (root / VERSION).read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise VersionError(f"{VERSION}: expected a line __version__ = ..., found none")
    return match[1]


def _cite(root: Path, new: str, released: str) -> str:
    text = _replace_once(root, CITATION, r"^version: .*$", f"version: {new}")
    text = re.sub(r"^date-released: .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^(version: .*\n)", rf"\g<1>date-released: '{released}'\n", text, flags=re.MULTILINE) if released else text


def _require(text: str, name: str, new: str) -> str:
    text, changes = re.subn(r'("errata(?:-event)?(?:\[\w+\])?==)[^"]+(?=")', rf"\g<1>{new}", text)
    if not changes:
        raise VersionError(f"{name}: expected a requirement of the other distribution, found none")
    return text


def _read(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def _replace_once(root: Path, name: str, pattern: str, replacement: str) -> str:
    text, changes = re.subn(pattern, replacement, _read(root, name), flags=re.MULTILINE)
    if changes != 1:
        raise VersionError(f"{name}: expected one place that matches {pattern}, found {changes}")
    return text


def main(arguments: list[str]) -> int:
    """Set the version of this checkout."""
    if len(arguments) not in (1, 2):
        print("usage: python .ci/set_version.py VERSION [DATE], or make version NEW=VERSION [DATE=DATE]", file=sys.stderr)
        return 2
    try:
        lines = set_version(Path(__file__).resolve().parent.parent, *arguments)
    except VersionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines) or "nothing to change")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
