"""Outputs whose lines were joined, split, dropped and repeated at random, with lines added, and what an alignment must find."""

from __future__ import annotations

import random
from collections.abc import Sequence

from errata.corpus import LineAlignment

CHATTER = (
    "Here is the corrected text:",
    "Sure! Here are the corrected sentences:",
    "```",
    "",
    "Corrected:",
    "I hope this helps!",
    "---",
    "Let me know if you need anything else.",
)
DAMAGES = ("join", "split", "drop", "repeat", "add")


def damage(lines: Sequence[str], rate: float, draw: random.Random) -> tuple[list[str], list[str | None]]:
    """Damage a share of the lines; the second list has what must be recovered, None for dropped lines."""
    damaged: list[str] = []
    wanted: list[str | None] = list(lines)
    joins = False
    for number, line in enumerate(lines):
        kind = draw.choice(DAMAGES) if draw.random() < rate else ""
        words = line.split()
        if kind == "drop" and words:
            wanted[number] = None
            continue
        if kind == "add":
            damaged.append(draw.choice(CHATTER))
            joins = False
        pieces = [line, line] if kind == "repeat" else [line]
        if kind == "split" and len(words) > 1:
            place = draw.randrange(1, len(words))
            pieces = [" ".join(words[:place]), " ".join(words[place:])]
        if joins and damaged:
            damaged[-1] += f" {pieces.pop(0)}"
        damaged += pieces
        joins = kind == "join"
    return damaged, wanted


def list_wrong(found: LineAlignment, wanted: Sequence[str | None]) -> list[int]:
    """The lines, counted from 1, that were not recovered exactly; a dropped line must be reported as missing."""
    missing = {number for item in found.operations if item.kind == "missing" for number in item.source}
    return [
        number
        for number, (line, text) in enumerate(zip(found.lines, wanted, strict=True), start=1)
        if (number in missing) != (text is None) or (text is not None and line.split() != text.split())
    ]
