"""``errata gate``: whether a new output may replace a baseline, for continuous integration."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from errata.cli.inputs import add_pair_arguments, gold_record
from errata.cli.printing import flush_warnings, print_json, print_tables
from errata.cli.scores import group_by_metric, metrics_from, score_systems
from errata.cli.statistics_arguments import add_bootstrap_arguments, alpha_from, bootstrap_from
from errata.cli.vocabulary import TOP_EDITS, add_format, add_option, add_options
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.scoring import EditChanges, Score
    from errata.stats import Gate

    _Pairs = Sequence[tuple[Score, Score]]
    """Baseline and new output, by each metric."""

DOES_NOT_HOLD = 3
"""The exit status of a gate that does not hold."""
_EXAMPLES = """\
examples:
  errata gate examples/learner.m2 examples/systems/cautious.txt \\
      examples/systems/eager.txt
  errata gate examples/learner.m2 examples/systems/rewriter.txt \\
      examples/systems/eager.txt -m maxmatch -m gleu --drop 0.5 -o gate.md

Without --drop, the gate holds unless NEW is significantly worse: p of the
randomisation test is at most --alpha, and the difference is below 0.
Of pairs without a difference, at most half of --alpha are false alarms.
With --drop D, the gate holds if the interval of the difference, of the level
1 - alpha, lies above -D: a drop of D or more must be excluded.
Every metric must hold; p is corrected for their number (Holm).
The exit status is 0 if the gate holds, 3 if it does not.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "gate",
        help="fail if a new output is worse than a baseline",
        description="Fail if a new output is worse than a baseline, or may be, by a margin.",
        epilog=_EXAMPLES,
    )
    add_pair_arguments(parser)
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)'; every one must hold (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs", "--drop", "--alpha")
    add_bootstrap_arguments(parser, of_differences=True)
    add_option(parser, "--top")
    add_format(parser, ("markdown", "table", "json"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score both, test, print."""
    from errata.report.progress import ProgressBar
    from errata.stats import gate
    from errata.stats.comparison import check_replicates_of

    settings = bootstrap_from(options, 1 - alpha_from(options))
    both = [options.baseline, options.new]
    options.systems = both[:1] if both[0] == both[1] != "-" else both  # a file that is both is scored once
    metrics = metrics_from(options)
    check_replicates_of(len(metrics), "metric", "randomisation", "holm", settings, options.alpha)
    corpus, scores = score_systems(options, metrics)
    pairs = [(own[0], own[-1]) for own in group_by_metric(scores, len(metrics))]
    with ProgressBar("testing metrics", settings.replicates * len(pairs)) as bar:
        found = gate([pair[0] for pair in pairs], [pair[1] for pair in pairs], drop=options.drop, bootstrap=settings, progress=bar.advance)
    changes, notes = _list_changes(options, corpus, pairs)
    if options.format == "json":
        _print_record(found, corpus, pairs, changes, notes)
    elif options.format == "table":
        _print_for_people(found, pairs, changes, notes)
    else:
        _print_markdown(found, corpus, pairs, changes, notes)
    return 0 if found.holds else DOES_NOT_HOLD


def _list_changes(options: argparse.Namespace, corpus: Corpus, pairs: _Pairs) -> tuple[EditChanges | None, list[str]]:
    """The edits that changed, by the first metric that shows edits, and what should be known about them."""
    from errata.corpus.corpus import Corpus as WithSentences
    from errata.metrics import ShowsEdits
    from errata.scoring import Evaluator, list_edit_changes

    if not isinstance(corpus, WithSentences):
        return None, ["Edits are not listed, because evidence has no texts."]
    baseline, new = (score.system for score in pairs[0])
    if (baseline.sentences, baseline.edits) == (new.sentences, new.edits):
        return None, ["Both outputs are identical, so no edit has changed."]
    showing = next((pair for pair in pairs if isinstance(pair[0].output, ShowsEdits) and pair[0].evidence.chosen is not None), None)
    notes = []
    if showing is None:
        evaluate = Evaluator(corpus, warn=None)
        showing = (evaluate(baseline), evaluate(new))
        notes.append("Edits are those of maxmatch, because the metric does not show edits.")
    top = options.top if options.top is not None or options.format == "json" else TOP_EDITS
    changes = list_edit_changes(*showing, top)
    notes.insert(0, f"The outputs differ in {changes.sentences:,} of {len(corpus):,} sentences.")
    if changes.rejudged:
        why = "another reference was chosen" if baseline.edits is None and new.edits is None else "the outputs have their own edits"
        notes.append(f"In {len(changes.rejudged):,} of the others, edits changed because {why}.")
    return changes, notes


def _print_record(found: Gate, corpus: Corpus, pairs: _Pairs, changes: EditChanges | None, notes: list[str]) -> None:
    from errata.report.tables.comparisons import edit_changes_record, gate_record
    from errata.scoring import join_signatures

    record = {"errata": __version__, **gold_record(corpus), "baseline": pairs[0][0].system_name, "new": pairs[0][1].system_name}
    record |= gate_record(found)
    for item, pair in zip(record["metrics"], pairs, strict=True):  # type: ignore[call-overload]
        item["signature"] = join_signatures(pair)
    print_json({**record, "notes": notes, "edits": None if changes is None else edit_changes_record(changes)})


def _print_for_people(found: Gate, pairs: _Pairs, changes: EditChanges | None, notes: list[str]) -> None:
    from errata.report.tables.comparisons import edit_changes_table, gate_table
    from errata.scoring import join_signatures

    baseline, new = (score.system_name for score in pairs[0])
    title = f"The gate {'holds' if found.holds else 'does not hold'}: {new} (new) against {baseline} (baseline)"
    said = [item.reason for item in found.metrics] + [item.power for item in found.metrics]
    table = gate_table(found, title, (*said, *(join_signatures(pair) for pair in pairs), found.how))
    if changes is None:
        print_tables([gate_table(found, title, (*table.notes, *notes))], "table")
    else:
        print_tables([table, edit_changes_table(changes, notes)], "table")


def _print_markdown(found: Gate, corpus: Corpus, pairs: _Pairs, changes: EditChanges | None, notes: list[str]) -> None:
    from errata.report.tables.comparisons import write_gate
    from errata.report.writers import code_span
    from errata.scoring import join_signatures

    baseline, new = (code_span(score.system_name) for score in pairs[0])
    about = f"{new} (new) against {baseline} (baseline) on {code_span(corpus.name)}, {corpus.extent}."
    flush_warnings()
    sys.stdout.write(write_gate(found, about, changes, notes, [join_signatures(pair) for pair in pairs]))
