"""``python -m fuzz``: try inputs for some seconds and list what went wrong."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from fuzz.checks import check, compare
from fuzz.inputs import Input
from fuzz.recipes import RECIPES, make_input
from fuzz.running import Runner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fuzz.inputs import Result

_QUICK = 0.25
"""Seconds of the processor up to which the twin is asked too."""


class Finding(NamedTuple):
    """Something wrong, and the input that shows it."""

    number: int
    problem: str
    given: Input


class Campaign(NamedTuple):
    """What is tried: inputs by number, of a seed."""

    seed: int
    only: str = ""
    undone: tuple[str, ...] = ()
    twin: bool = True


class Tried(NamedTuple):
    """What was tried and found."""

    findings: list[Finding]
    recipes: Counter[str]
    statuses: Counter[int]
    compared: int


class Fuzzer:
    """Tries inputs, with a server for each core."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._native = Runner("native", campaign.undone)
        self._twin = Runner("python", campaign.undone) if campaign.twin else None
        self.tried = Tried([], Counter(), Counter(), 0)

    def make(self, number: int) -> Input:
        """Make the input with a number."""
        return make_input(Random(f"{self._campaign.seed}:{number}"), self._campaign.only)

    def try_input(self, number: int, given: Input) -> Result:
        """Run and check an input."""
        result = self._native.run(given)
        problems = list(check(given, result))
        compared = self.tried.compared
        if self._twin is not None and given.compare_cores and not problems and result.seconds < _QUICK:
            problems += compare(result, self._twin.run(given))
            compared += 1
        self.tried = self.tried._replace(compared=compared)
        self.tried.recipes[given.recipe.partition(":")[0]] += 1
        self.tried.statuses[result.status] += 1
        self.tried.findings.extend(Finding(number, problem, given) for problem in problems)
        return result

    def close(self) -> None:
        """End the servers."""
        for runner in (self._native, self._twin):
            if runner is not None:
                runner.close()


def try_for(campaign: Campaign, seconds: float, first: int, step: int, most: int | None = None, finds: tuple[str, ...] = ()) -> Tried:
    """Try every step-th input until the time is over, there were enough, or a problem was found that begins with ``finds``."""
    end = time.monotonic() + seconds
    fuzzer = Fuzzer(campaign)
    try:
        number = first
        while time.monotonic() < end and (most is None or number < most):
            fuzzer.try_input(number, fuzzer.make(number))
            number += step
            if finds and any(finding.problem.startswith(finds) for finding in fuzzer.tried.findings):
                break
    finally:
        fuzzer.close()
    return fuzzer.tried


def main(arguments: Sequence[str] | None = None) -> int:
    """Try inputs; 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Try errata with inputs that it does not expect.")
    parser.add_argument("--seconds", type=float, default=60, help="time for trying (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other inputs (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)")
    parser.add_argument("--only", default="", help=f"one recipe: {', '.join(RECIPES)}, or grown:NAME")
    parser.add_argument("--input", type=int, help="only the input with this number, in detail")
    parser.add_argument("--inputs", type=int, help="only so many inputs")
    parser.add_argument("--replay", help="a file that an earlier run saved")
    parser.add_argument("--save", default="fuzz-findings", help="folder for what was found (default fuzz-findings)")
    parser.add_argument("--undo", action="append", default=[], help="take back a fix, to see that it is found; may be repeated")
    options = parser.parse_args(arguments)
    campaign = Campaign(options.seed, options.only, tuple(options.undo))
    if options.input is not None or options.replay:
        return _show(campaign, options.input or 0, options.replay)
    begin = time.monotonic()
    jobs = max(1, options.jobs)
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(try_for, [campaign] * jobs, [options.seconds] * jobs, range(jobs), [jobs] * jobs, [options.inputs] * jobs))
    return _report(parts, time.monotonic() - begin, Path(options.save), options.seed)


def _report(parts: Sequence[Tried], seconds: float, folder: Path, seed: int) -> int:
    findings = sorted((finding for part in parts for finding in part.findings), key=lambda finding: finding.number)
    recipes = sum((part.recipes for part in parts), Counter[str]())
    statuses = sum((part.statuses for part in parts), Counter[int]())
    compared = sum(part.compared for part in parts)
    print(f"seed {seed}: {sum(recipes.values()):,} inputs in {seconds:.0f} s, {compared:,} of them with both cores")
    print("recipes: " + ", ".join(f"{name} {count:,}" for name, count in recipes.most_common()))
    print("statuses: " + ", ".join(f"{status}: {count:,}" for status, count in sorted(statuses.items())))
    kinds: dict[str, list[Finding]] = {}
    for finding in findings:
        kinds.setdefault(_kind(finding), []).append(finding)
    for kind, own in kinds.items():
        folder.mkdir(exist_ok=True)
        saved = folder / f"{seed}-{own[0].number}.json"
        saved.write_text(own[0].given.to_json(), encoding="utf-8")
        print(f"\n{len(own):,} x {own[0].problem[:400]}  ({kind})")
        print(f"  {shlex.join(own[0].given.arguments)!r}\n  python -m fuzz --replay {saved}")
    print(f"\n{len(kinds)} kinds of findings" if kinds else "nothing was found")
    return int(bool(kinds))


def _kind(finding: Finding) -> str:
    """Findings of one kind are shown once."""
    problem = re.sub(r"'[^']*'|\"[^\"]*\"|\d[\d.,]*", "…", finding.problem)
    return f"{finding.given.recipe}, {finding.given.arguments[0] if finding.given.arguments else ''}, {problem[:60]}"


def _show(campaign: Campaign, number: int, saved: str | None) -> int:
    """Run one input and show everything about it."""
    fuzzer = Fuzzer(campaign)
    try:
        given = Input.from_json(Path(saved).read_text(encoding="utf-8")) if saved else fuzzer.make(number)
        result = fuzzer.try_input(number, given)
    finally:
        fuzzer.close()
    for name, content in given.files.items():
        print(f"--- {name} ({len(content):,} bytes)\n{content[:1500].decode('utf-8', 'backslashreplace')!r}")
    print(f"--- errata {shlex.join(given.arguments)!r}\nsettings {given.settings}, links {given.links}, terminal {given.terminal}")
    print(f"--- status {result.status}, {result.seconds:.2f} s, {result.megabytes:.0f} MB")
    print(f"--- standard output\n{result.stdout[:3000]!r}\n--- standard error\n{result.stderr.decode('utf-8', 'backslashreplace')[:6000]}")
    print(f"--- files now: {sorted(result.after)}")
    for finding in fuzzer.tried.findings:
        print(f"FOUND {finding.problem}")
    return int(bool(fuzzer.tried.findings))


if __name__ == "__main__":
    sys.exit(main())
