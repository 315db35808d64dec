"""How long uploads take over HTTP, of one client and of eight at once, with hidden and with visible scores.

The server is a process of its own on the loopback interface, with SQLite on the disk of temporary files.
Nothing hidden may show in how long an answer takes, so uploads to phases with different hidden golds are measured too.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from measuring import Row, show

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ERRATA_DATA", ROOT.parent / "shared" / "data"))
_LINES = 1312
_UPLOADS = 160
_CLIENTS = 8
_TARGET = 0.3
_DEFINITION = """\
title = "Uploads"
metrics = ["maxmatch"]
confidence = false
""" + "".join(
    f"""
[[phases]]
name = "{name}"
gold = "{gold}.m2"
opens = "2020-01-01 00:00 UTC"
closes = "2999-01-01 00:00 UTC"
scores = "{scores}"
board = "{scores}"
"""
    for name, gold, scores in (("visible", "gold", "open"), ("hidden", "gold", "published"), ("hidden-other", "other", "published"))
)


def read_test_set() -> tuple[bytes, list[list[bytes]]]:
    """The gold, and the lines of outputs; the example corpus, repeated, where the data are not here."""
    gold = DATA / "conll14" / "gold" / "official-2014.combined.m2"
    paths = sorted((DATA / "conll14").glob("[sm]*/*.txt"))
    if not gold.is_file() or not paths:
        gold, paths = ROOT / "examples" / "learner.m2", sorted((ROOT / "examples" / "systems").glob("*.txt"))
    blocks = [block for block in gold.read_bytes().split(b"\n\n") if block.strip()]
    times = -(-_LINES // len(blocks))
    outputs = [(path.read_bytes().splitlines() * times)[:_LINES] for path in paths]
    return b"".join(block.strip(b"\n") + b"\n\n" for block in (blocks * times)[:_LINES]), outputs


def mix(outputs: Sequence[Sequence[bytes]], count: int, seed: int) -> list[bytes]:
    """Different outputs, each with lines of two."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        one, other = draw.sample(outputs, 2)
        made.append(b"".join((a if draw.random() < 0.9 else b) + b"\n" for a, b in zip(one, other, strict=True)))
    return made


def without_corrections(gold: bytes) -> bytes:
    """A gold of the same sentences with one correction only."""
    lines = gold.splitlines()
    kept = next(index for index, line in enumerate(lines) if line.startswith(b"A ") and b"noop" not in line)
    return b"\n".join(line for index, line in enumerate(lines) if not line.startswith(b"A ") or index == kept) + b"\n"


def main() -> None:
    """Measure, and print the tables."""
    sys.path.insert(0, str(ROOT / "tests"))
    from errata_event import accounts
    from errata_event.event import create_event

    from served_event import ServedEvent, serve_event

    gold, outputs = read_test_set()

    def upload(server: ServedEvent, token: str, phase: str, contents: Sequence[bytes], seconds: list[float]) -> None:
        client = server.client(token, timeout=120)
        for content in contents:
            answer = client.submit(phase, content)
            if answer.status != 201:
                raise RuntimeError(f"{answer.status}: {answer.text[:300]}")
            seconds.append(answer.seconds)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.m2").write_bytes(gold)
        (folder / "other.m2").write_bytes(without_corrections(gold))
        (folder / "event.toml").write_text(_DEFINITION, "utf-8")
        event, _ = create_event(str(folder / "data"), str(folder / "event.toml"))
        with event.database.write("accounts") as transaction:
            tokens = [accounts.add_account(transaction, "team", f"System {number}", event.clock())[1] for number in range(_CLIENTS)]
        rows: list[Row] = []
        with serve_event(folder / "data") as server:
            for seed, phase in enumerate(("visible", "hidden", "hidden-other")):
                upload(server, tokens[0], phase, mix(outputs, 1, 100 + seed), [])  # the gold is read once
                for clients in (1, _CLIENTS):
                    made = mix(outputs, _UPLOADS, 10 * seed + clients)
                    seconds: list[float] = []
                    started = time.perf_counter()
                    threads = [
                        threading.Thread(target=upload, args=(server, tokens[index], phase, made[index::clients], seconds))
                        for index in range(clients)
                    ]
                    for thread in threads:
                        thread.start()
                    for thread in threads:
                        thread.join()
                    rows.append((phase, clients, *describe(seconds, time.perf_counter() - started)))
            memory = server.resident() / 2**20
        event.close()
    headings = ["Scores", "Clients", "Median", "95%", "99%", "Uploads a second"]
    show(f"Uploads of {_LINES:,} lines (target: 95% within {1e3 * _TARGET:.0f} ms; two golds of hidden phases alike)", headings, rows)
    print(f"Memory of the server afterwards: {memory:.0f} MB\n")


def describe(seconds: Sequence[float], whole: float) -> tuple[str, ...]:
    """The median and two quantiles, and how many a second."""
    ordered = sorted(seconds)
    quantiles = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99))
    return (*(f"{1e3 * value:.0f} ms" for value in quantiles), f"{len(ordered) / whole:.0f}")


if __name__ == "__main__":
    main()
