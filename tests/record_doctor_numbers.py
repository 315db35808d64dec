"""Writes ``src/errata/cli/doctor_data/numbers.json``: what errata gives now for the example, with where each number comes from.

``.venv/bin/python tests/record_doctor_numbers.py`` runs it; it needs ``errata[errant]``.  The tests beside it compare what other
programs give with the same numbers, so a wrong number cannot be recorded unnoticed.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from typing import Any

from errata.cli.diagnosis import _DATA, _compute_numbers, _find_edits, _load_example, _parse_example, _tag_example
from errata.language.types import find_word_list
from errata.metrics import METRICS

BOTH = "errata, both cores"
ORIGINS = {
    "maxmatch": "the rule of the official scorer, written out in tests/official_rule.py",
    "errant": "errant_compare 3.0.2",
    "accuracy": "counted by hand",
    "indexmatch": BOTH,
    "uccasim": BOTH,
    "distsim": BOTH,
    "gleu": BOTH,
    "hoo": BOTH,
    "imeasure": BOTH,
}
PARSED = 4
"""Pairs of source and output that are parsed."""


def record() -> dict[str, Any]:
    """Compute everything that the self-test compares."""
    metrics = {name: {"origin": ORIGINS[name], **_compute_numbers(name)} for name in METRICS if METRICS.is_own(name)}
    tagger, tags = _tag_example()
    gold, system = _load_example()
    sides = [tokens for sentence, output in zip(gold, system.sentences, strict=True) for tokens in (sentence.tokens, output)]
    analyser, parses = _parse_example(sides[: 2 * PARSED])
    return {
        "metrics": metrics,
        "tags": {"origin": tagger, "tags": tags},
        "word_list": {"origin": f"errant {version('errant')}", "hash": find_word_list().fingerprint},
        "parses": {
            "analyser": analyser,
            "sentences": [
                {
                    "forms": list(parse.forms),
                    **{what: list(getattr(parse, what)) for what in ("lemmas", "pos", "tags", "heads", "deps")},
                }
                for parse in parses
            ],
        },
        "edits": {"origin": f"the rules of errant {version('errant')}, with {analyser}", "edits": _find_edits()},
    }


def write(numbers: dict[str, Any]) -> str:
    """Write JSON with one line for each list."""
    lines = json.dumps(numbers, indent=1, ensure_ascii=False)
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda match: f"[{' '.join(match[1].split())}]", lines) + "\n"


if __name__ == "__main__":
    (_DATA / "numbers.json").write_text(write(record()), encoding="utf-8")
