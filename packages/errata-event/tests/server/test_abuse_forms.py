"""Forms and texts that no browser and no team would send are refused, and nothing of them is believed."""

from __future__ import annotations

import pytest

from example_events import OUTPUTS
from served_event import ServedEvent

_EDGE = "edge"


def multipart(
    *parts: str, kind: str = f"multipart/form-data; boundary={_EDGE}", end: str = f"--{_EDGE}--\r\n"
) -> tuple[bytes, dict[str, str]]:
    body = "".join(f"--{_EDGE}\r\n{part}\r\n" for part in parts) + end
    return body.encode("utf-8", "surrogateescape"), {"Content-Type": kind}


def part(name: str, value: str = "a", more: str = "") -> str:
    return f'Content-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}'


_FORMS: dict[str, tuple[tuple[bytes, dict[str, str]], set[int]]] = {
    "thousands of parts": (multipart(*[part(f"a{index}") for index in range(1500)]), {400}),
    "a header that is huge": (multipart(f"A: {'b' * 50_000}\r\n{part('token')}"), {400}),
    "many headers": (multipart("A: b\r\n" * 2000 + part("token")), {400}),
    "no boundary": (multipart(part("token"), kind="multipart/form-data"), {400}),
    "an empty boundary": (multipart(part("token"), kind='multipart/form-data; boundary=""'), {400, 403}),
    "a boundary that is huge": (multipart(part("token"), kind=f"multipart/form-data; boundary={'a' * 5000}"), {400}),
    "another boundary": (multipart(part("token"), kind="multipart/form-data; boundary=other"), {400}),
    "no end": (multipart(part("token"), end=""), {400, 403}),
    "no name": (multipart("Content-Disposition: form-data\r\n\r\na"), {400}),
    "no disposition": (multipart("A: b\r\n\r\na"), {400}),
    "a file where none is taken": (multipart(part("token", more='; filename="../../x"')), {400}),
    "a large field": (multipart(part("token", "a" * 100_000)), {400}),
    "not UTF-8": (multipart(part("token", "\udcff\udcfe")), {403}),
    "another character set": (multipart(part("token"), kind=f"multipart/form-data; boundary={_EDGE}; charset=utf-16"), {415}),
    "a slow character set": (multipart(part("token"), kind=f"multipart/form-data; charset=punycode; boundary={_EDGE}"), {415}),
    "a character set that is encoded": (
        multipart(part("token"), kind=f"multipart/form-data; boundary={_EDGE}; charset*=utf-8''utf-7"),
        {415},
    ),
    "UTF-8": (multipart(part("token"), kind=f'multipart/form-data; charset="UTF-8"; boundary={_EDGE}'), {403}),
    "a character set that is none": (multipart(part("token"), kind=f'multipart/form-data; boundary={_EDGE}; charset="idna"'), {415}),
    "nested": (multipart("Content-Type: multipart/mixed; boundary=inner\r\n" + part("token", "--inner\r\n\r\na\r\n--inner--")), {403}),
}


@pytest.mark.parametrize("name", _FORMS)
def test_odd_forms(server: ServedEvent, name: str) -> None:
    (body, headers), expected = _FORMS[name]
    answer = server.client().ask("POST", "/login", body, headers)
    assert answer.status in expected, answer.text[:500]
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("name", ["../../x", "..\\..\\x", "/etc/passwd", "con", "a" * 5000, "%00", 'a"; name="csrf', "ä\u202etxt.exe"])
def test_names_of_files_are_not_looked_at(server: ServedEvent, token: str, name: str) -> None:
    browser = server.browser(token)
    csrf = browser.get("/team/phases/dev").csrf
    assert csrf
    answer = browser.post_file("/team/phases/dev", {"csrf": csrf}, b"too short\n", name)
    assert answer.status in {400, 403, 422}
    assert "passwd" not in answer.text


def test_forms_with_files_that_are_too_large(server: ServedEvent, token: str) -> None:
    browser = server.browser(token)
    csrf = browser.get("/team/phases/dev").csrf
    before = server.reset_peak()
    sent: list[tuple[tuple[bytes, dict[str, str]], set[int]]] = [
        (multipart(part("csrf", csrf), part("file", "a" * 9_000_000, '; filename="x"')), {413}),
        (multipart(part("csrf", csrf), part("file", "a" * 11_000_000, '; filename="x"')), {413}),
        (multipart(part("csrf", csrf), part("description", "a" * 11_000_000)), {400, 413}),
        (multipart(part("csrf", csrf), *[part(f"a{index}", "a" * 60_000) for index in range(150)]), {400}),
        (multipart(part("csrf", csrf), *[part("file", "a", '; filename="x"')] * 2000), {400}),
        (multipart(part("csrf", csrf), f"A: {'b' * 5_000_000}\r\n{part('file')}"), {400}),
        (multipart(part("csrf", csrf), part("file", "x")), {400, 422}),
        (multipart(part("csrf", csrf), *[part("csrf", "a")] * 10), {400, 422}),
    ]
    for (body, headers), expected in sent:
        answer = browser.ask("POST", "/team/phases/dev", body, headers)
        assert answer.status in expected, answer.text[:300]
    assert server.peak() - before < 32 << 20


_TEXTS: dict[str, bytes] = {
    "UTF-16": OUTPUTS["eager"].decode().encode("utf-16"),
    "UTF-16 without a mark": OUTPUTS["eager"].decode().encode("utf-16-le"),
    "Latin-1": OUTPUTS["eager"].replace(b"a", b"\xe9"),
    "NUL": OUTPUTS["eager"].replace(b"a", b"\0"),
    "a lone surrogate": OUTPUTS["eager"].replace(b"a", b"\xed\xa0\x80", 1),
    "an overlong encoding": OUTPUTS["eager"].replace(b"a", b"\xc1\xa1", 1),
    "one long line": b"a" * 60_000,
    "one line of many tokens": b"a " * 30_000,
    "empty lines": b"\n" * 60_000,
    "nothing": b"",
    "a PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    "a ZIP": b"PK\x03\x04" + bytes(range(256)) * 20,
    "zstd": bytes.fromhex("28b52ffd") + bytes(100),
    "HTML": b"<script>alert(1)</script>\n" * 3,
    "XML with entities": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "M2 of other sentences": b"S a b c\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n\n" * 20,
}


@pytest.mark.parametrize("phase", ["dev", "test"])
@pytest.mark.parametrize("name", _TEXTS)
def test_odd_texts_are_refused_line_by_line(server: ServedEvent, token: str, phase: str, name: str) -> None:
    answer = server.client(token).submit(phase, _TEXTS[name])
    assert answer.status == 422, answer.text[:300]
    assert answer.record["submission"] is None
    assert any(problem["severity"] == "error" for problem in answer.record["problems"])
    assert "root:" not in answer.text
    assert len(answer.body) < 1_000_000


@pytest.mark.parametrize(
    "description", [b"%00", b"%ed%a0%80", b"%ff", "ä".encode(), b"a%0d%0ab", b"a" * 3000, b"%F0%9F%98%80" * 3000, b"%1b[31m"]
)
def test_odd_descriptions(server: ServedEvent, token: str, description: bytes) -> None:
    lines = [b"POST /api/phases/dev/submissions HTTP/1.1", b"Host: localhost", b"Authorization: Bearer " + token.encode()]
    content = OUTPUTS["cautious"]
    lines += [b"Errata-Description: " + description, b"Content-Length: %d" % len(content), b"Connection: close", b"", content]
    assert int(server.send(b"\r\n".join(lines)).split(b" ", 2)[1]) in {200, 201, 400, 409, 422}
