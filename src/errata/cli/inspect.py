"""``errata inspect``: sentences with their gold edits and the system's, marked right, wrong and missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.arguments import Parser, add_corpus_arguments, corpus_from, systems_from
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    import argparse

    from errata.corpus import Sentence, Tokens
    from errata.metrics import JudgedEdit
    from errata.report.markup import Marked

_EXAMPLES = """\
examples:
  errata inspect examples/learner.m2 examples/systems/eager.txt --sentences 3,10-12
  errata inspect examples/learner.m2 examples/systems/eager.txt --outcome wrong
  errata inspect examples/learner.m2 examples/systems/cautious.txt --outcome missed --type ArtOrDet,Prep
  errata inspect examples/learner.m2 examples/systems/rewriter.txt --search library

Sentences are numbered from 1, as the lines of the system's file.
Filters are combined; --outcome and --type want one edit that satisfies both, against any annotator.
"""
_MARKS = {"right": "+", "wrong": "x", "missed": "-"}
_STYLES = {"right": "green", "wrong": "red", "missed": "yellow"}


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
    parser.add_argument(
        "--outcome", action="append", choices=("right", "wrong", "missed"), help="only sentences with such an edit; may be repeated"
    )
    parser.add_argument(
        "--type", metavar="TYPES", help="only sentences with a right or missed edit of one of these gold types, separated by commas"
    )
    parser.add_argument("--search", metavar="TEXT", help="only sentences whose source or output contains TEXT, in any case")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours (default: on a terminal)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every sentence that passes the filters."""
    from errata.metrics import EditScorer
    from errata.report.markup import printer
    from errata.scoring import Evaluator

    corpus = corpus_from(options)
    (system,) = systems_from(options, [options.system])
    evaluate = Evaluator(corpus, options.metric)
    if not isinstance(evaluate.scorer, EditScorer):
        raise RequestError(f"{evaluate.metric.name} has no edits to inspect")
    wanted = parse_ranges(options.sentences, len(corpus)) if options.sentences else range(1, len(corpus) + 1)
    types = {name.strip() for name in options.type.split(",")} if options.type else set()
    if types and not types & (known := {edit.type for sentence in corpus for item in sentence.annotations for edit in item.edits}):
        raise UsageError(f"no edit of GOLD has the type {', '.join(sorted(types))}; it has {', '.join(sorted(known))}")
    evidence = evaluate(system).evidence
    chosen = evidence.chosen if evidence else ()
    show = printer(options.color)
    shown = 0
    for number in wanted:
        hypothesis = system.sentences[number - 1]
        judged = evaluate.scorer.judged_edits(number - 1, hypothesis)
        if passes(corpus[number - 1], hypothesis, judged, set(options.outcome or ()), types, options.search):
            show(*describe(number, corpus[number - 1], hypothesis, evaluate.scorer.labels[number - 1], judged, chosen[number - 1]))
            shown += 1
    print(f"{shown:,} of {len(corpus):,} sentences shown; {_MARKS['right']} right, {_MARKS['wrong']} wrong, {_MARKS['missed']} missed")
    return 0


def parse_ranges(text: str, last: int) -> list[int]:
    """Numbers and ranges, such as ``3,10-12``, in the order given.

    >>> parse_ranges("3,10-12", 20)
    [3, 10, 11, 12]
    """
    numbers: list[int] = []
    for part in text.split(","):
        first, dash, end = part.strip().partition("-")
        if not first.isdecimal() or (dash and not end.isdecimal()):
            raise UsageError(f"sentences are numbers and ranges such as 3,10-12, found {part.strip()!r}")
        low, high = int(first), int(end or first)
        if not 1 <= low <= high <= last:
            raise UsageError(f"sentences are numbered from 1 to {last:,}, found {part.strip()!r}")
        numbers += range(low, high + 1)
    return numbers


def passes(
    sentence: Sentence, hypothesis: Tokens, judged: list[list[JudgedEdit]], outcomes: set[str], types: set[str], search: str | None
) -> bool:
    """Whether a sentence passes the filters."""
    if search and not any(search.lower() in text.lower() for text in (sentence.text, " ".join(hypothesis))):
        return False
    if not outcomes and not types:
        return True
    return any((not outcomes or edit.outcome in outcomes) and (not types or edit.type in types) for edits in judged for edit in edits)


def describe(
    number: int,
    sentence: Sentence,
    hypothesis: Tokens,
    annotators: tuple[str, ...],
    judged: list[list[JudgedEdit]],
    chosen: int,
) -> list[Marked]:
    """The lines for one sentence, in pieces of text and style."""
    lines: list[Marked] = [
        [(f"sentence {number}", "bold")],
        [("  source  ", "dim"), (sentence.text, "")],
        [("  system  ", "dim"), (" ".join(hypothesis) or "(empty)", "")],
    ]
    for place, (annotator, edits) in enumerate(zip(annotators, judged, strict=True)):
        counts = ", ".join(f"{sum(edit.outcome == outcome for edit in edits)} {outcome}" for outcome in _MARKS)
        heading = f"  annotator {annotator}{' (chosen)' if place == chosen and len(judged) > 1 else ''}: {counts}"
        lines.append([(heading, "")])
        if edits:
            lines.append([("    ", ""), *_in_context(sentence, edits)])
        for edit in edits:
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
