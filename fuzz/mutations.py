"""Changes of file contents: of bytes, of lines and words, and of the structure of each format.

A change that a user must be told about comes with what must be noticed.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_BYTES = (
    b"\0",
    b"\xff",
    b"\r",
    b"\n",
    b"\n\n",
    b"\x1b[2J",
    b"\x1b]0;x\x07",
    b"\xc2\x9b31m",
    b"\xe2\x80\xae",
    b"\xe2\x80\xa8",
    b"\t",
    b'"',
    b"'",
)
_TOKENS = (
    "",
    "a",
    "=cmd()",
    "+1",
    "-NONE-",
    "|||",
    "<b>",
    "&amp;",
    "\\input{x}",
    "`x`",
    "\u202ex",
    "é",
    "𝔘",
    "x" * 300,
    "noop",
    "\x1b[31m",
)
_INTEGERS = ("-1", "0", "1", "2", "7", "99", "4294967296", "9" * 30, "1e9", "0x1", "٣", "1.5", "nan", "")
_VALUES: tuple[Any, ...] = (None, True, 0, -1, 10**30, 1.5, "", "x", "\x1b[31m", "\ud800", [], {}, [[]], {"id": 0})


class Change(NamedTuple):
    """A changed content, and what a user must be told about it."""

    content: bytes
    noticed: str = ""
    line: int = 0
    """The line that an error must name."""


def mutate(random: Random, name: str, content: bytes) -> Change:
    """Change a file once or a few times, as its format suggests."""
    of_format = _FORMATS.get(name.removesuffix(".gz").rpartition(".")[2], ())
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if not content:
            break
        content = random.choice((*_ANY, *of_format, *of_format))(random, content)
    return Change(content)


def spoil(random: Random, name: str, content: bytes) -> Change | None:
    """Change a file so that a user must be told; None if there is no such change of its format."""
    ways = _SPOILING.get(name.removesuffix(".gz").rpartition(".")[2], ())
    return random.choice(ways)(random, content) if ways else None


# Any format.


def _insert_bytes(random: Random, content: bytes) -> bytes:
    position = random.randrange(len(content) + 1)
    return content[:position] + random.choice(_BYTES) + content[position:]


def _delete_bytes(random: Random, content: bytes) -> bytes:
    position = random.randrange(len(content))
    return content[:position] + content[position + random.choice((1, 1, 5, 50)) :]


def _truncate(random: Random, content: bytes) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def _change_bit(random: Random, content: bytes) -> bytes:
    position = random.randrange(len(content))
    return content[:position] + bytes([content[position] ^ (1 << random.randrange(8))]) + content[position + 1 :]


def _change_lines(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    way = random.randrange(4)
    if way == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif way == 1:
        lines.insert(first, lines[second])
    elif way == 2:
        del lines[first]
    else:
        lines[first] = b""
    return b"\n".join(lines)


def _change_word(random: Random, content: bytes) -> bytes:
    words = re.split(rb"([ \t\n,|]+)", content)
    words[random.randrange(len(words))] = random.choice(_TOKENS).encode("utf-8", "surrogatepass")
    return b"".join(words)


def _change_number(random: Random, content: bytes) -> bytes:
    numbers = list(re.finditer(rb"-?\d+", content))
    if not numbers:
        return content
    number = random.choice(numbers)
    return content[: number.start()] + random.choice(_INTEGERS).encode() + content[number.end() :]


_ANY: tuple[Callable[[Random, bytes], bytes], ...] = (
    _insert_bytes,
    _delete_bytes,
    _truncate,
    _change_bit,
    _change_lines,
    _change_word,
    _change_number,
)


# M2, tables, JSON and XML.


def _change_annotation(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    places = [index for index, line in enumerate(lines) if line.startswith(b"A ")]
    if not places:
        return content
    index = random.choice(places)
    fields = lines[index][2:].split(b"|||")
    field = random.randrange(len(fields))
    fields[field] = (f"{random.choice(_INTEGERS)} {random.choice(_INTEGERS)}" if field == 0 else random.choice(_TOKENS)).encode()
    if random.random() < 0.2:
        fields.insert(field, b"x")
    lines[index] = b"A " + b"|||".join(fields)
    return b"\n".join(lines)


def _change_cell(random: Random, content: bytes) -> bytes:
    separator = b"\t" if b"\t" in content else b","
    lines = content.split(b"\n")
    index = random.randrange(len(lines))
    cells = lines[index].split(separator)
    cells[random.randrange(len(cells))] = random.choice((*_TOKENS, *_INTEGERS, '"a\nb"', '"', '"a""b"', "a,b")).encode()
    lines[index] = separator.join(cells)
    return b"\n".join(lines)


def _change_json(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    index = random.randrange(len(lines))
    try:
        data = json.loads(lines[index])
    except (ValueError, RecursionError):
        return _change_word(random, content)
    lines[index] = json.dumps(_change_value(random, data)).encode()
    return b"\n".join(lines)


def _change_value(random: Random, data: Any) -> Any:
    if not isinstance(data, dict | list) or not data or random.random() < 0.2:
        return random.choice(_VALUES)
    changed = dict(data) if isinstance(data, dict) else list(data)
    key: Any = random.choice(list(changed)) if isinstance(changed, dict) else random.randrange(len(changed))
    way = random.random()
    if way < 0.15:
        del changed[key]
    elif way < 0.3 and isinstance(changed, list):
        changed.insert(key, changed[random.randrange(len(changed))])
    elif way < 0.3 and isinstance(changed, dict):
        changed[random.choice(_TOKENS[:8])] = random.choice(_VALUES)
    else:
        changed[key] = _change_value(random, changed[key])
    return changed


def _change_tag(random: Random, content: bytes) -> bytes:
    parts = re.split(rb"(<[^>]*>)", content)
    tags = [index for index, part in enumerate(parts) if part.startswith(b"<")]
    if not tags:
        return content
    index, other = random.choice(tags), random.choice(tags)
    way = random.randrange(5)
    if way == 0:
        parts[index] = b""
    elif way == 1:
        parts[index], parts[other] = parts[other], parts[index]
    elif way == 2:
        parts.insert(index, parts[other])
    elif way == 3:
        parts[index] = re.sub(rb'"[^"]*"', b'"' + random.choice(_INTEGERS).encode() + b'"', parts[index], count=1)
    else:
        parts[index] = random.choice((b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"<!-- -->", b"<![CDATA[x]]>", b"<?x y?>", b"<x y='z'/>"))
    return b"".join(parts)


_FORMATS: dict[str, tuple[Callable[[Random, bytes], bytes], ...]] = {
    "m2": (_change_annotation, _change_annotation),
    "csv": (_change_cell,),
    "tsv": (_change_cell,),
    "conllu": (_change_cell,),
    "jsonl": (_change_json,),
    "mrp": (_change_json,),
    "xml": (_change_tag,),
    "sgml": (_change_tag,),
}


# What must be noticed.


def _put_into_line(random: Random, content: bytes, put: bytes, noticed: str) -> Change:
    lines = content.split(b"\n")
    index = random.choice([index for index, line in enumerate(lines) if len(line) > 2])
    # Behind the first characters, which may be what tells lines from each other, and not inside a number.
    position = random.choice([match.end() for match in re.finditer(rb"[A-Za-z]", lines[index])] or [len(lines[index])])
    lines[index] = lines[index][:position] + put + lines[index][position:]
    return Change(b"\n".join(lines), noticed, index + 1)


def _put_bad_utf8(random: Random, content: bytes) -> Change:
    return _put_into_line(random, content, random.choice((b"\xff", b"\xc3", b"\xed\xa0\x80")), "bytes that are not UTF-8")


def _put_nul(random: Random, content: bytes) -> Change:
    return _put_into_line(random, content, b"\0", "a NUL byte")


def _end_lines_with_cr(_: Random, content: bytes) -> Change:
    return Change(content.replace(b"\n", b"\r"), "line ends that are carriage returns only")


def _repeat_key(random: Random, content: bytes) -> Change:
    keys = list(re.finditer(rb'"(\w+)": ("[^"]*"|\d+)', content))
    key = random.choice(keys)
    again = b'"' + key[1] + b'": ' + (b'"other"' if key[2].startswith(b'"') else b"1" + key[2])
    return Change(content[: key.end()] + b", " + again + content[key.end() :], "a key given twice", content[: key.end()].count(b"\n") + 1)


def rename_element(random: Random, content: bytes) -> Change | None:
    """Misspell the name of an element."""
    names = sorted(set(re.findall(rb"<([A-Za-z]\w*)[ >/]", content)))
    name = random.choice(names)
    new = name + b"s" if not name.endswith(b"s") else name[:-1]
    if new in names:
        return None
    return Change(re.sub(rb"(</?)" + name + rb"(?=[ >/])", rb"\1" + new, content), f"the unknown element {new.decode()}")


_SPOILING: dict[str, tuple[Callable[[Random, bytes], Change | None], ...]] = {
    "m2": (_put_bad_utf8, _put_nul, _end_lines_with_cr),
    "txt": (_put_bad_utf8, _put_nul, _end_lines_with_cr),
    "src": (_put_bad_utf8, _put_nul, _end_lines_with_cr),
    "csv": (_put_bad_utf8, _put_nul),
    "tsv": (_put_bad_utf8, _put_nul),
    "conllu": (_put_bad_utf8, _put_nul),
    "jsonl": (_put_bad_utf8, _put_nul, _repeat_key),
    "mrp": (_put_bad_utf8, _put_nul, _repeat_key),
    "xml": (_put_bad_utf8, _put_nul, rename_element),
    "sgml": (_put_bad_utf8, _put_nul),
    "toml": (_put_bad_utf8, _put_nul),
}
