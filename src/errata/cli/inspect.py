"""``errata inspect``: sentences with their gold edits and the system's, marked right, wrong and missed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from errata.cli.arguments import Parser, add_corpus_arguments, corpus_from, print_json, systems_from
from errata.errors import RequestError, UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from errata.corpus import Corpus, Sentence, Tokens
    from errata.metrics import JudgedEdit
    from errata.report.markup import Marked

_EXAMPLES = """\
examples:
  errata inspect examples/learner.m2 examples/systems/eager.txt --sentences 3,10-12
  errata inspect examples/learner.m2 examples/systems/eager.txt --outcome wrong
  errata inspect examples/learner.m2 examples/systems/cautious.txt --outcome missed --type ArtOrDet,Prep --chosen
  errata inspect examples/learner.m2 examples/systems/rewriter.txt --search library --format json

Sentences are numbered from 1, as the lines of the system's file.
Filters are combined; --outcome and --type want one edit that satisfies both.
Only gold edits have a type, so --type finds right and missed edits.
"""
_MARKS = {"right": "+", "wrong": "x", "missed": "-"}
_STYLES = {"right": "green", "wrong": "red", "missed": "yellow"}
_MOST_DIGITS = 9


class _Reading(NamedTuple):
    """The edits of a sentence as one annotator would judge them."""

    annotator: str
    chosen: bool
    edits: list[JudgedEdit]


class _Filters(NamedTuple):
    outcomes: set[str]
    types: set[str]
    search: str

    def pass_edit(self, edit: JudgedEdit) -> bool:
        return (not self.outcomes or edit.outcome in self.outcomes) and (not self.types or edit.type in self.types)

    def pass_sentence(self, sentence: Sentence, hypothesis: Tokens, readings: list[_Reading]) -> bool:
        if not any(self.search in text.lower() for text in (sentence.text, " ".join(hypothesis))):
            return False
        if not self.outcomes and not self.types:
            return True
        return any(self.pass_edit(edit) for reading in readings for edit in reading.edits)


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "inspect",
        help="show which edits of a system are right, wrong and missed",
        description="Show sentences with the edits of gold and system.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser)
    parser.add_argument("system", metavar="SYSTEM", help="output of a system: one sentence a line, in the order of GOLD")
    parser.add_argument("-m", "--metric", default="maxmatch", metavar="METRIC", help="metric whose edits are shown (default maxmatch)")
    parser.add_argument("--sentences", metavar="LIST", help="numbers and ranges, such as 3,10-12")
    parser.add_argument("--outcome", action="append", choices=tuple(_MARKS), help="only sentences with such an edit; may be repeated")
    parser.add_argument("--type", metavar="TYPES", help="only sentences with an edit of one of these gold types, separated by commas")
    parser.add_argument("--search", metavar="TEXT", default="", help="only sentences whose source or output contains TEXT, in any case")
    parser.add_argument("--chosen", action="store_true", help="only the annotator chosen for each sentence, not all of them")
    parser.add_argument("--format", dest="output", choices=("text", "json"), default="text", help="how to print (default text)")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours (default: on a terminal)")
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Print every sentence that passes the filters."""
    corpus = corpus_from(options, also=[options.system])
    filters = _filters_from(options, corpus)
    numbers = parse_ranges(options.sentences, len(corpus)) if options.sentences is not None else list(range(1, len(corpus) + 1))
    (system,) = systems_from(options, [options.system])
    passing = (
        (number, corpus[number - 1], system.sentences[number - 1], readings)
        for number, readings in _readings(options, corpus, system.sentences, numbers)
        if filters.pass_sentence(corpus[number - 1], system.sentences[number - 1], readings)
    )
    if options.output == "json":
        records = [_record(*item) for item in passing]
        print_json({"errata": __version__, "gold": corpus.name, "system": system.name, "metric": options.metric, "sentences": records})
        return 0
    from errata.report.markup import printer

    show = printer(options.color)
    shown = 0
    totals = dict.fromkeys(_MARKS, 0)
    for number, sentence, hypothesis, readings in passing:
        show(*describe(number, sentence, hypothesis, readings))
        shown += 1
        for edit in next((reading.edits for reading in readings if reading.chosen), []):
            totals[edit.outcome] += 1
    found = ", ".join(f"{_MARKS[outcome]} {count:,} {outcome}" for outcome, count in totals.items())
    print(f"{shown:,} of {len(corpus):,} sentences shown; against the chosen annotators {found}")
    return 0


def _readings(
    options: argparse.Namespace, corpus: Corpus, hypotheses: tuple[Tokens, ...], numbers: list[int]
) -> Iterator[tuple[int, list[_Reading]]]:
    from errata.corpus import System
    from errata.metrics import EditScorer
    from errata.scoring import Evaluator

    evaluate = Evaluator(corpus, options.metric)
    if not isinstance(evaluate.scorer, EditScorer):
        raise RequestError(f"{evaluate.metric.name} has no edits to inspect")
    evidence = evaluate(System(options.system, hypotheses, options.system)).evidence
    for number in numbers:
        judged = evaluate.scorer.judged_edits(number - 1, hypotheses[number - 1])
        chosen = evidence.chosen[number - 1]
        everything = [_Reading(name, place == chosen, judged[place]) for place, name in enumerate(evidence.labels[number - 1])]
        yield number, [reading for reading in everything if reading.chosen or not options.chosen]


def _filters_from(options: argparse.Namespace, corpus: Corpus) -> _Filters:
    types = {name.strip() for name in options.type.split(",")} if options.type is not None else set()
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(types - known):
        raise UsageError(f"no edit of {corpus.path} has the type {unknown[0]!r}; it has {', '.join(sorted(known)) or 'no edits'}")
    outcomes = set(options.outcome or ())
    if types and outcomes == {"wrong"}:
        raise UsageError("a wrong edit has no type, for only gold edits have one; --type goes with --outcome right or missed")
    return _Filters(outcomes, types, options.search.lower())


def parse_ranges(text: str, last: int) -> list[int]:
    """Numbers and ranges, such as ``3,10-12``, in the order given, each once.

    >>> parse_ranges("3,10-12,11", 20)
    [3, 10, 11, 12]
    """
    numbers: list[int] = []
    for part in text.split(","):
        first, dash, end = part.strip().partition("-")
        if not first.isdecimal() or (dash and not end.isdecimal()):
            raise UsageError(f"sentences are numbers and ranges such as 3,10-12, found {part.strip()[:40]!r}")
        low, high = (int(digits) if len(digits) <= _MOST_DIGITS else last + 1 for digits in (first, end or first))
        if not 1 <= low <= high <= last:
            raise UsageError(f"sentences are numbered from 1 to {last:,}, found {part.strip()[:40]!r}")
        numbers += range(low, high + 1)
    return list(dict.fromkeys(numbers))


def _record(number: int, sentence: Sentence, hypothesis: Tokens, readings: list[_Reading]) -> dict[str, object]:
    annotators = [
        {"annotator": reading.annotator, "chosen": reading.chosen, "edits": [asdict(edit) for edit in reading.edits]}
        for reading in readings
    ]
    return {"sentence": number, "source": sentence.text, "system": " ".join(hypothesis), "annotators": annotators}


def describe(number: int, sentence: Sentence, hypothesis: Tokens, readings: list[_Reading]) -> list[Marked]:
    """The lines for one sentence, in pieces of text and style."""
    lines: list[Marked] = [
        [(f"sentence {number}", "bold")],
        [("  source  ", "dim"), (sentence.text, "")],
        [("  system  ", "dim"), (" ".join(hypothesis) or "(empty)", "")],
    ]
    for reading in readings:
        counts = ", ".join(f"{sum(edit.outcome == outcome for edit in reading.edits)} {outcome}" for outcome in _MARKS)
        chosen = " (chosen)" if reading.chosen and len(readings) > 1 else ""
        lines.append([(f"  annotator {reading.annotator}{chosen}: {counts}", "")])
        if reading.edits:
            lines.append([("    ", ""), *_in_context(sentence, reading.edits)])
        for edit in reading.edits:
            arrow = f"{edit.original or '∅'} → {' | '.join(text or '∅' for text in edit.corrections)}"
            lines.append(
                [(f"    {_MARKS[edit.outcome]} {edit.start:>3}-{edit.end:<3} {edit.type or '':<9} {arrow}", _STYLES[edit.outcome])]
            )
    lines.append([])
    return lines


def _in_context(sentence: Sentence, edits: list[JudgedEdit]) -> Marked:
    """The source with the edits in their places: [old → new] with the mark of each.

    A missed edit that overlaps one of the system's is left to the list below.
    """
    own = [edit for edit in edits if edit.outcome != "missed"]
    apart = [
        edit for edit in edits if edit.outcome == "missed" and not any(edit.start < other.end and other.start < edit.end for other in own)
    ]
    pieces: Marked = []
    position = 0
    for edit in sorted([*own, *apart], key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            continue  # two missed edits that overlap
        pieces.append((" ".join(sentence.tokens[position : edit.start]) + (" " if edit.start > position else ""), ""))
        change = f"{edit.original}→{'|'.join(edit.corrections)}"
        pieces.append((f"[{_MARKS[edit.outcome]} {change}] ", _STYLES[edit.outcome]))
        position = edit.end
    pieces.append((" ".join(sentence.tokens[position:]), ""))
    return pieces
