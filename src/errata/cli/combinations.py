"""Which options go with which: one table, checked before a command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from errata.cli.parser import Parser


class Combination(NamedTuple):
    """Options that need another one, or exclude it."""

    options: tuple[str, ...]
    other: str
    """An option, an option with a value, one of several options, or SYSTEM for files of systems."""
    needed: bool
    reason: str = ""
    unless_json: bool = False
    """Whether JSON holds both."""


def _needs(options: str, other: str, reason: str = "") -> Combination:
    return Combination(tuple(options.split()), other, needed=True, reason=reason)


def _excludes(options: str, other: str, reason: str = "", *, unless_json: bool = False) -> Combination:
    return Combination(tuple(options.split()), other, needed=False, reason=reason, unless_json=unless_json)


_INTERVALS = "which adds intervals"
COMBINATIONS: dict[str, tuple[Combination, ...]] = {
    "score": (
        _needs("--interval", "--confidence", _INTERVALS),
        _needs("--replicates --rechoose --resample", "--confidence or --letters", "which resample"),
        _needs("--documents", "--confidence or --letters or --per-document", "which are about documents"),
        _needs("--test --correction --alpha", "--letters", "which tests pairs of systems"),
        _excludes("--letters", "--by-type", "it is about single types"),
        _excludes("--letters", "--per-sentence or --per-document", "letters are of whole corpora", unless_json=True),
        _needs("--pivot", "--by-type"),
        _excludes("--pivot", "--confidence", "it has one number for each system"),
        _excludes("--pivot --columns", "--format json", "JSON has everything"),
        _needs("--simulations --scored-outputs --exclude-self --tokenise-corrections", "--relative-to", "which simulates test sets"),
        _excludes("--by-type", "--relative-to", "it is about single types"),
        _excludes("--per-sentence --per-document", "--relative-to", "relative scores are of whole corpora", unless_json=True),
        _needs("--types --tagger --pos-tags --type-order --type-detail", "--by-type"),
        _excludes("--tagger --pos-tags --type-order", "--types", "a type system needs no parts of speech from elsewhere"),
        _excludes("--tagger", "--pos-tags", "both give parts of speech"),
        _excludes("--per-sentence --per-document --parts", "--by-type"),
        _excludes("--per-document", "--per-sentence", "each is a table", unless_json=True),
        _excludes("--parts", "--format json", "JSON has all parts"),
        _excludes("--per-sentence --per-document", "--confidence", "intervals are of whole corpora", unless_json=True),
    ),
    "compare": (
        _excludes("--rechoose", "--against-source", "the references chosen for a system are kept"),
        _excludes("--columns", "--format json", "JSON has everything"),
    ),
    "convert": (
        _needs("--max-mixtures", "--mix"),
        _needs("--keep-spans", "--retype gold"),
        _needs("--alignment --merge", "--retype auto", "which aligns texts"),
        _needs("--analyser --parses", "--retype", "which needs parses"),
    ),
    "coverage": (
        _needs(
            "--test-size --error-free --simulations --scored-outputs --tokenise-corrections --exclude-self",
            "--metric",
            "which simulates test sets",
        ),
        _excludes("--match --normalise", "--metric", "the metric says which texts are equal"),
        _excludes("--matched-sentences --confidence --worth-chart --target-accuracy --per-sentence", "--metric", "it simulates test sets"),
        _needs("--replicates", "--confidence", _INTERVALS),
        _needs("--positions", "--match index"),
        _needs("--matched-references", "--matched-sentences"),
        _needs("--reward --penalty", "--worth-chart"),
        _excludes("--per-sentence", "--matched-sentences", "it prints estimates alone", unless_json=True),
        _excludes("--per-sentence", "--confidence", "it prints estimates alone", unless_json=True),
        _excludes("--from --reference --source", "--table", "a table is not a corpus"),
    ),
    "detect": (
        _needs(
            "--types --confusion-set --metric --case --judged-by --annotator --missing --sites --by-type --documents --reference --source "
            "--from --unit --unicode --lenient --max-tokens --sentences --tokenise --strict",
            "SYSTEM",
            "errata detect GOLD SYSTEM...",
        ),
        _excludes("--annotator", "--judged-by", "one annotator alone says what is an error"),
        _needs("--sites", "--case gap"),
        _needs("--tagger --pos-tags", "--by-type or --sites", "which need parts of speech"),
        _needs("--type-order", "--by-type"),
        _excludes("--tagger", "--pos-tags", "both give parts of speech"),
        _excludes("--column --table", "SYSTEM", "it is about a table of cases"),
        _needs("--interval --replicates --seed --resample --test --correction", "--confidence", "which adds intervals and tests"),
        _needs("--points", "--curves"),
        _needs("--panel", "--chart"),
    ),
    "faithfulness": (
        _excludes("--inspect --picture --metric --confidence", "--agreement", "it compares graphs of one text, not source and correction"),
        _needs("--interval --replicates --seed", "--confidence", _INTERVALS),
        _excludes("--text --from", "--parser", "a parser makes graphs of texts, one sentence per line"),
        _excludes("--per-pair --by-category --confidence", "--inspect", unless_json=True),
        _excludes("--confidence", "--per-pair", unless_json=True),
    ),
    "inspect": (
        _needs("--as-subset", "--sentences"),
        _needs("--top", "--digest"),
        _excludes("--lattice", "--digest", "it counts edits"),
        _excludes("--chosen", "--digest", "it always counts edits against the chosen annotators"),
        _excludes("--lattice", "--format csv", "a lattice is text, JSON or a picture"),
        _excludes("--lattice --digest --chosen", "--format html", "the page has the chosen annotator, all others and counted edits"),
    ),
    "judgments": (
        _needs("--first-sentence", "--outputs", "whose lines are the sentences"),
        _needs("--runs", "--ranking trueskill", "which is played in runs"),
        _excludes("--replicates --resample", "--ranking trueskill", "its intervals are those of runs"),
        _excludes("--confidence --replicates --resample --seed", "--ranking none"),
    ),
    "report": (
        _needs("--first-sentence", "--judgments", "whose sentences are numbered"),
        _needs("--as-subset", "--sentences"),
        _excludes("--max-sentences", "--sentences", "these sentences are in the page"),
        _excludes("--tagger --pos-tags --type-order", "--types", "a type system needs no parts of speech from elsewhere"),
        _excludes("--tagger", "--pos-tags", "both give parts of speech"),
    ),
    "rerank": (
        _excludes("--source", "--oracle", "the gold has the source"),
        _excludes("--temperature", "--oracle", "the gold is the truth, not the candidates"),
        _excludes("--jobs", "--oracle", "which needs little work"),
    ),
    "stats": (_excludes("--types", "--clusters", "it shows sentences"),),
    "hoo": (_needs("--offsets --edits", "--source", "the texts that edits are extracted from"),),
    "graphs": (_excludes("--text --from", "--parser", "a parser makes graphs of texts, one sentence per line"),),
}


def check_combinations(parser: Parser, options: argparse.Namespace) -> None:
    """Refuse an option that would be ignored."""
    given = {name: action for name, action in parser.options.items() if is_given(action, options)}
    for rule in COMBINATIONS.get(options.command, ()):
        present = _is_present(rule.other, given, options)
        for option in rule.options:
            if option not in given or present == rule.needed or (rule.unless_json and options.format == "json"):
                continue
            reason = f": {rule.reason}" if rule.reason and not rule.needed else f", {rule.reason}" if rule.reason else ""
            only = "; only JSON has both" if rule.unless_json else ""
            other = "a corpus and systems" if rule.other == "SYSTEM" else rule.other
            raise UsageError(f"{option} {'needs' if rule.needed else 'cannot be combined with'} {other}{reason}{only}")


def list_needing(command: str, other: str) -> list[str]:
    """List the options of a command that need another one."""
    return [option for rule in COMBINATIONS[command] if rule.needed and rule.other == other for option in rule.options]


def _is_present(other: str, given: Mapping[str, argparse.Action], options: argparse.Namespace) -> bool:
    if other == "SYSTEM":
        return bool(options.systems)
    if " or " in other:
        return any(_is_present(one, given, options) for one in other.split(" or "))
    name, _, value = other.partition(" ")
    return name in given and (not value or getattr(options, given[name].dest) == value)


def is_given(action: argparse.Action, options: argparse.Namespace) -> bool:
    """Whether an option has another value than its default."""
    return bool(getattr(options, action.dest, action.default) != action.default)
