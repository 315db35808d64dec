"""How long the leaderboard of many teams takes, and how large a database and the page of a phase become.

Every team has one entry of 1,312 lines.  A leaderboard is made once after a change, and then read.
``serving_many_teams.py 50 200 1000`` says how many teams.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from serving import ROOT, mix, read_test_set

from measuring import Row, show

if TYPE_CHECKING:
    from errata_event.event import Event

_TEAMS = (50, 200, 1_000)
_READS = 20
_DEFINITION = """\
title = "Many teams"
metrics = ["maxmatch"]
{settings}

[[phases]]
name = "test"
gold = "gold.m2"
opens = "2020-01-01 00:00 UTC"
closes = "2999-01-01 00:00 UTC"
scores = "published"
board = "published"
"""
_SETTINGS = {"scores": "confidence = false", "and intervals": ""}
"""What boards have: no intervals, or those that an event has by default."""
_PUBLIC = _DEFINITION.replace('"published"', '"open"')


def main() -> None:
    """Measure, and print the tables."""
    sys.path.insert(0, str(ROOT / "tests"))
    from errata_event import accounts, uploading
    from errata_event.event import create_event

    from served_event import serve_event

    gold, outputs = read_test_set()
    counts = tuple(int(word) for word in sys.argv[1:]) or _TEAMS
    made = mix(outputs, max(counts), 1)
    rows: list[Row] = []
    sizes: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.m2").write_bytes(gold)
        task, data = folder / "event.toml", folder / "data"
        task.write_text(_DEFINITION.format(settings=""), "utf-8")
        event, _ = create_event(str(data), str(task))
        for count in counts:
            task.write_text(_DEFINITION.format(settings=""), "utf-8")
            event.update(str(task))
            with event.database.write("accounts") as transaction:
                known = len(accounts.list_accounts(transaction, "team"))
                teams = [accounts.add_account(transaction, "team", f"System {number}", event.clock())[0] for number in range(known, count)]
            before, started = measure_size(data), time.perf_counter()
            for team, content in zip(teams, made[known:count], strict=True):
                uploading.upload(event, team, "test", content)
            seconds, grown = time.perf_counter() - started, measure_size(data) - before
            sizes.append((len(teams), f"{len(teams) / seconds:.0f}", f"{len(made[0]) / 1e3:.0f} kB", f"{grown / len(teams) / 1e3:.0f} kB"))
            for what, settings in _SETTINGS.items():
                task.write_text(_PUBLIC.format(settings=settings), "utf-8")
                event.update(str(task))
                made_in = make_board(event)
                with serve_event(data) as server:
                    client = server.client(timeout=3_600)
                    first = client.get("/phases/test")
                    reads = [client.get("/phases/test").seconds for _ in range(_READS)]
                    tag = first.headers["ETag"]
                    again = [client.get("/phases/test", **{"If-None-Match": tag}).seconds for _ in range(_READS)]
                    size, packed = len(first.body), len(gzip.compress(first.body))
                    memory = server.resident() / 2**20
                rows.append(
                    (
                        f"{count:,}",
                        what,
                        f"{made_in:.1f} s",
                        f"{1e3 * statistics.median(reads):.0f} ms",
                        f"{1e3 * statistics.median(again):.0f} ms",
                        f"{size / 1e3:,.0f} kB",
                        f"{packed / 1e3:,.0f} kB",
                        f"{memory:.0f} MB",
                    )
                )
                print(" | ".join(map(str, rows[-1])), file=sys.stderr, flush=True)  # the next may take minutes
        event.close()
    headings = ["Teams", "Board", "Made in", "Read in", "Unchanged", "Page", "Compressed", "Memory"]
    show("Leaderboards of entries of 1,312 lines", headings, rows)
    show("Uploads without HTTP, one after the other", ["Uploads", "A second", "File", "Database for each"], sizes)


def make_board(event: Event) -> float:
    """Seconds until the leaderboard is made, and in the database, as the first request after a change makes it."""
    from errata_event import boards

    moment = event.moment()
    phase = moment.definition.phase("test")
    with event.database.read() as transaction:
        version = event.newest_gold(transaction, phase)
    event.scorer(version, moment.definition)
    started = time.perf_counter()
    boards._make(event, version, named=True)
    return time.perf_counter() - started


def measure_size(folder: Path) -> int:
    """Bytes of the database, its log included."""
    return sum(path.stat().st_size for path in folder.iterdir())


if __name__ == "__main__":
    main()
