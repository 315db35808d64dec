"""What must be true of every command, whatever its input."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.inputs import Input, Result

MOST_SECONDS = 12.0
"""Of the processor, for inputs of a few megabytes."""
MOST_MEGABYTES = 2_500
FINDING_PROBLEMS = "check"
"""The command that lists problems on standard output."""
_WRITES_DATA = {"convert", "graphs"}
"""Commands whose standard output is data, which a pipe gets as it is."""
_PROGRESS = re.compile(rb"\x1b\[(\?25[lh]|2K|\d*A)|\r")
"""What a progress bar writes to a terminal."""
_STYLES = re.compile(r"\x1b\[[0-9;]*m")
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)([eE][+-]?\d+)?%?|-|-inf|–")
_TOLD_SLOW = re.compile(rb"errata: the core in plain Python is in use[^\n]*\n")


def check(given: Input, result: Result) -> Iterator[str]:
    """List what is wrong with a result."""
    yield from _check_cost(given, result)
    if result.late:
        return
    yield from _check_status(given, result)
    yield from _check_messages(given, result)
    yield from _check_text(given, result)
    yield from _check_files(given, result)
    if result.status == 0:
        yield from _check_data(given, result)


def _check_cost(given: Input, result: Result) -> Iterator[str]:
    if result.late or result.seconds > given.settings.get("most_seconds", MOST_SECONDS):
        yield f"time: {result.seconds:.1f} s"
    if result.megabytes > given.settings.get("most_megabytes", MOST_MEGABYTES):
        yield f"memory: {result.megabytes:,.0f} MB"


def _check_status(given: Input, result: Result) -> Iterator[str]:
    allowed = {0, 1, 2, *([3] if _is_gate(given) else [])}
    if "signal" in given.settings:
        number = given.settings["signal"]
        allowed |= {128 + number} if number == signal.SIGINT else {-number}
    if _while_python_starts(given, result):
        return
    if result.status < 0 and result.status not in allowed:
        yield f"crash: ended by {signal.Signals(-result.status).name}"
    elif result.status not in allowed or result.status != given.settings.get("status", result.status):
        yield f"status: {result.status}"
    if b"Traceback (most recent call last)" in result.stdout + result.stderr:
        yield "traceback: " + (result.stderr or result.stdout).decode("utf-8", "replace").strip().rpartition("\n")[2][:200]


def _is_gate(given: Input) -> bool:
    """Whether the command is one that ends with status 3 if a new output is worse, and writes its output nevertheless."""
    return given.arguments[:1] == ["gate"]


def _while_python_starts(given: Input, result: Result) -> bool:
    """Whether a command was interrupted before any line of errata ran, which Python answers with a traceback."""
    cold = "signal" in given.settings and given.settings.get("cold")
    return bool(cold) and b"errata/" not in result.stderr and b"errata:" not in result.stderr


def _check_messages(given: Input, result: Result) -> Iterator[str]:
    if given.terminal or "stderr" in given.settings or _while_python_starts(given, result):
        return
    text = result.stderr.decode("utf-8", "replace")
    errors = [line for line in text.splitlines() if line.startswith("errata: error: ")]
    lists = given.arguments[:1] == [FINDING_PROBLEMS]
    if result.status in {1, 2} and len(errors) != 1 and not (lists and not errors and result.stdout):
        yield f"message: {len(errors)} errors with status {result.status}: {text[:200]!r}"
    if result.status == 0 and errors:
        yield f"message: an error with status 0: {text[:200]!r}"
    stray = [line for line in text.splitlines() if not line.startswith("errata: ")]
    if stray and "Traceback" not in text and "--help" not in given.arguments:
        yield f"message: not of errata: {stray[0][:200]!r}"
    told = text + (result.stdout.decode("utf-8", "replace") if lists else "")
    if given.noticed and result.status == 0 and "warning" not in told:
        yield f"silence: {given.noticed}"
    if given.mentions and result.status != 0 and given.mentions not in told:
        yield f"message: expected {given.mentions!r} in {told[:300]!r}"


def _check_text(given: Input, result: Result) -> Iterator[str]:
    shown = {"standard error": result.stderr}
    if given.terminal or not (given.arguments and given.arguments[0] in _WRITES_DATA):
        shown["standard output"] = result.stdout
    for place, raw in shown.items():
        text = (_PROGRESS.sub(b"", raw) if given.terminal else raw).decode("utf-8", "replace")
        text = _STYLES.sub("", text) if "--color" in given.arguments else text
        if found := _STEERING.search(text):
            around = text[max(0, found.start() - 40) : found.end() + 20]
            yield f"control character: {found[0]!r} on {place}: {around!r}"


def _sets_aside(result: Result) -> bool:
    """Whether a task wrote the tables of its good submissions, and has status 1 because of the bad ones."""
    return result.status == 1 and b" set aside, the others are scored: " in result.stderr


def _may_write(given: Input, result: Result) -> bool:
    """Whether a command with this status may have written files."""
    return result.status == 0 or "signal" in given.settings or _sets_aside(result) or (_is_gate(given) and result.status == 3)


def _check_files(given: Input, result: Result) -> Iterator[str]:
    for name, content in result.before.items():
        if name not in given.outputs and result.after.get(name) != content:
            yield f"files: {name} was changed or removed"
    for name, content in result.after.items():
        if ".errata-" in name:
            yield f"files: {name} was left over"
        elif name not in result.before and not any(
            name == output or name.startswith((f"{output}.", f"{output}/")) for output in given.outputs
        ):
            yield f"files: {name} was written"
        elif not _may_write(given, result) and result.before.get(name) != content:
            yield f"files: {name} was written, but the command failed with status {result.status}"
    if result.status == 0 and given.files_written >= 0:
        written = sum(name not in result.before for name in result.after)
        if written != given.files_written:
            yield f"silence: {written} files were written, expected {given.files_written}"


def _check_data(given: Input, result: Result) -> Iterator[str]:
    """Whatever is JSON or CSV must be whole and safe."""
    texts = {name: content for name, content in result.after.items() if name not in result.before or name in given.outputs}
    named = given.arguments[given.arguments.index("--format") + 1 :][:1] if "--format" in given.arguments else []
    if named and not given.terminal and "stdout" not in given.settings:
        texts = {f"standard output.{named[0]}": result.stdout}  # the format wins over the extension of a file
    for name, content in texts.items():
        if not content:
            continue
        try:
            if name.endswith(".json"):
                json.loads(content, parse_constant=_refuse, object_pairs_hook=_without_repeats)
            elif name.endswith(".csv"):
                for row in csv.reader(io.StringIO(content.decode("utf-8"), newline="")):
                    for cell in row:
                        if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
                            yield f"formula: {cell[:60]!r} in {name}"
        except (ValueError, csv.Error) as error:
            yield f"data: {name}: {error}"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a key is repeated: {[key for key, _ in pairs][:20]}")
    return dict(pairs)


def compare(native: Result, twin: Result) -> Iterator[str]:
    """List how the two cores differ; the slow one may be ended for its time."""
    if twin.late:
        return
    told = _TOLD_SLOW.sub(b"", twin.stderr)
    if (native.status, native.stdout, native.stderr) != (twin.status, twin.stdout, told):
        yield f"twin: status {native.status} and {twin.status}; {_difference(native.stdout + native.stderr, twin.stdout + told)}"
    elif native.after != twin.after:
        yield "twin: other files"


def _difference(first: bytes, second: bytes) -> str:
    position = next(
        (index for index, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), min(len(first), len(second))
    )
    start = max(0, position - 30)
    return f"{first[start : position + 60]!r} and {second[start : position + 60]!r}"
