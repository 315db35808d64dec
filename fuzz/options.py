"""Random options for a command, drawn from its own parser, so that a new option is tried without a word here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from random import Random

    from errata.cli.parser import Parser

_NUMBERS = ("0", "1", "2", "3", "10", "100", "-1", "1e3", "0.5", "99999999999999999999", "½", "")
_LEVELS = ("0.95", "95%", "0", "1", "nan", "1e-300", "0.999999999999")
_LISTS = ("1", "1-3", "3-1", "2,1", "1,,2", "-", "0", "1-999999999999", "5-", "a")
_FUNCTIONS = ("os:getcwd", "builtins:len", "builtins:exit", "str:split", "nowhere:f", "os", ":", "json:loads", "builtins:list")
_WORDS = ("ArtOrDet", "Prep,Nn", "articles", "prepositions", "the,a", "", ",", "\x1b[31m", "é", "1", "noop")
_METRIC_SETTINGS = {
    "beta": ("0.5", "1", "0", "nan", "1e308"),
    "choice": ("optimal", "order"),
    "missing": ("noop",),
    "max_unchanged": ("0", "2", "5", "99"),
    "ignore_case_and_space": ("true", "maybe"),
    "references": ("single", "mixed"),
}
_BY_NAME = {
    "--replicates": ("1", "2", "20", "100"),
    "--simulations": ("1", "5"),
    "--confidence": _LEVELS,
    "--max-tokens": ("1", "3", "1000", "1000000"),
    "--max-bytes": ("1", "100", "1G"),
    "--max-lines": ("1", "3", "1000000"),
    "--digits": ("0", "1", "6"),
    "--from": ("m2", "jsonl", "xml", "sgml", "parallel", "mrp", "ucca", "conllu", "nothing"),
    "--to": ("m2", "jsonl", "xml", "sgml", "parallel", "mrp", "ucca", "conllu", "nothing"),
    "--parser": ("command:false", "command:cat", "nothing"),
    "--tagger": ("textblob", "none", "nothing"),
}
_SLOW = {"--chart", "--worth-chart", "--picture", "--parser", "--by-type"}
"""Options that take a second or more, tried rarely."""


@cache
def _commands() -> dict[str, Parser]:
    from errata.cli import _build_parser

    return _build_parser().commands


@cache
def _metrics() -> tuple[str, ...]:
    from errata.metrics import METRICS

    return tuple(METRICS)


def draw_options(random: Random, command: str, files: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Up to four options of a command with values, and the files that they make it write."""
    given: list[str] = []
    outputs: list[str] = []
    options = sorted({action.option_strings[-1]: action for action in _commands()[command].options.values()}.items())
    for name, action in random.sample(options, min(len(options), random.choice((0, 1, 1, 2, 3, 4)))):
        if name in {"--help", "-h"} or (name in _SLOW and random.random() < 0.95):
            continue
        if action.nargs == 0:
            given.append(name)
        elif name in {"--output", "--chart", "--worth-chart", "--picture", "--curves", "--write-edits"}:
            target = random.choice(("out.csv", "out.json", "out.md", "out.tex", "out.txt", "out.svg", "out.csv.gz", "out", *files[:1]))
            given += [name, target]
            outputs += [] if target in files else [target]
        else:
            given += [name, _draw_value(random, name, action, files)]
    return given, tuple(outputs)


def _draw_value(random: Random, name: str, action: argparse.Action, files: Sequence[str]) -> str:
    if name in _BY_NAME and random.random() < 0.9:
        return random.choice(_BY_NAME[name])
    if action.choices is not None:
        return str(random.choice([*action.choices, "nothing"]))
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    pools: dict[str, Sequence[str]] = {
        "METRIC": (_draw_metric(random),),
        "MODULE:FUNCTION": _FUNCTIONS,
        "LIST": _LISTS,
        "NUMBERS": _LISTS,
        "IDS": _LISTS,
        "TYPES": _WORDS,
        "WORDS": _WORDS,
        "TEXT": _WORDS,
        "ROLE=NAME": ("written=correction", "written=", "=x", "confidence=written", "nothing=written"),
    }
    if metavar in pools:
        return str(random.choice(pools[metavar]))
    if action.type is not None:
        return random.choice(_NUMBERS)
    return random.choice((*files, *_LISTS, *_WORDS, "nowhere", "."))


def _draw_metric(random: Random) -> str:
    name = random.choice((*_metrics(), "nothing"))
    settings = random.sample(sorted(_METRIC_SETTINGS), random.choice((0, 0, 1, 2)))
    inside = ",".join(f"{setting}={random.choice(_METRIC_SETTINGS[setting])}" for setting in settings)
    return f"{name}({inside})" if inside else name
