"""``errata evidence``: counts as files, which other commands read instead of texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errata.cli.inputs import (
    check_columns,
    check_graphs,
    check_parses,
    make_from_columns,
    making_from,
    split_name,
    systems_from,
    watch_counting,
    whole_corpus_from,
    with_graphs,
    with_parses,
)
from errata.cli.score import metrics_from, warn_of_references
from errata.cli.vocabulary import OF_HOO_EDITS, add_option, add_options, is_given
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.errors import UsageError, pluralise
from errata.formats.registry import MULTIGEC, find_input_format, find_system_format
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.metrics import Metric
    from errata.scoring.evidence_files.storage import Manifest

_EVIDENCE_EXAMPLES = """\
examples:
  errata evidence examples/learner.m2 examples/systems/*.txt -o counts
  errata score counts
  errata compare counts

Source, references and outputs may be texts with one sentence per line, also
compressed with gzip or zstd, keys of JSON Lines (FILE.jsonl:KEY), columns of
Parquet (FILE.parquet:COLUMN) or of a folder of such files (FOLDER:COLUMN):
  errata evidence corpus.src.zst -r corpus.ref.zst run7.txt.gz -o counts
  errata evidence corpus.parquet:source -r corpus.parquet:target \\
      mine=outputs.parquet:prediction -o counts
With --reference they are read part by part, so that memory does not grow
with the corpus.  Other gold, and metrics that need all sentences, are held in
memory.

Several jobs can share the work:
  errata evidence corpus.src -r corpus.ref run7.txt -o job1 --part 1/2
  errata evidence corpus.src -r corpus.ref run7.txt -o job2 --part 2/2
  errata evidence merge job1 job2 -o counts

A command that was stopped goes on where it was if it is given again.
Parts that are whole are not counted again, and other systems and metrics can be
added later.
"""
_MERGE = "merge"
_OF_MERGE = frozenset({"output", "quiet", "verbose"})
_FEW = 20_000
"""Sentences of all systems for which other processes would take longer to start than the work."""


def _register_evidence(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "evidence",
        help="write counts to files, for corpora of any length",
        description="Write counts to Parquet files, which score, compare and correlate read.",
        epilog=_EVIDENCE_EXAMPLES,
    )
    parser.add_argument("gold", metavar="GOLD", help="gold; with --reference, the source; or merge, to put folders of evidence together")
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="output of a system, NAME=FILE names it; after merge, folders")
    add_option(parser, "--reference")
    add_option(parser, "--from", " (default: by its extension)")
    add_option(parser, "--source", OF_HOO_EDITS)
    add_options(parser, "--unit", "--lenient", "--max-tokens", "--tokenise", "--strict")
    add_option(parser, "--metric", "; may be repeated (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--engine", "--jobs", "--part", "--part-size")
    add_option(parser, "--output", ": a folder, created if it does not exist", required=True)
    parser.set_defaults(run=_run_evidence, prints=lambda _: False, sentences=None)


def _run_evidence(options: argparse.Namespace) -> int:
    """Count and write, or merge."""
    if options.output == "-":
        raise UsageError("evidence is several files, so --output must be a folder")
    folder = Path(options.output)
    try:
        manifest = _merge(options, folder) if options.gold == _MERGE else _make(options, folder)
    except KeyboardInterrupt:
        if folder.is_dir():  # else nothing was written yet
            print_to_stderr(f"{options.output}: what was counted is kept; the same command goes on with it")
        raise
    systems = len({entry.system for entry in manifest.entries})
    metrics = len({entry.metric for entry in manifest.entries})
    content = f"{pluralise(systems, 'system')}, {pluralise(metrics, 'metric')}, {pluralise(manifest.gold.sentences, 'sentence')}"
    share = "" if manifest.whole else f", job {manifest.share}"
    print_to_stderr(f"{options.output}: {content}{share}")
    return 0


def _merge(options: argparse.Namespace, folder: Path) -> Manifest:
    for name, action in options.parser.options.items():
        if action.dest not in _OF_MERGE and is_given(action, options):
            raise UsageError(f"{name} cannot be combined with merge")
    from errata.report.progress import ProgressBar
    from errata.scoring.evidence_files import merge_evidence

    with ProgressBar("merging", None) as bar:
        return merge_evidence([Path(path) for path in options.systems], folder, bar.advance)


def _make(options: argparse.Namespace, folder: Path) -> Manifest:
    """Count metrics that can read texts part by part, then those that need the whole gold."""
    from errata.scoring.evidence_files import FolderStorage

    warn_of_references(options.reference, options.systems)
    metrics, manifest = metrics_from(options), None
    of_texts = options.reference and options.input_format in {None, "parallel"} and options.tokenise == WHITESPACE_TOKENS
    of_texts = of_texts and find_input_format(options.gold) != MULTIGEC
    of_texts = of_texts and not options.source and options.unit is None  # which readers of whole files refuse or use
    in_parts = [metric for metric in metrics if metric.in_parts and of_texts]
    whole = [metric for metric in metrics if metric not in in_parts]
    if in_parts and any(find_system_format(split_name(path)[1]) == "m2" for path in options.systems):
        in_parts, whole = [], metrics
    check_columns(options, whole)
    check_graphs(options, metrics)
    check_parses(options, metrics)
    if in_parts and (limit := next((name for name in ("max_lines", "max_bytes") if getattr(options, name) is not None), None)):
        option = f"--{limit.replace('_', '-')}"
        raise UsageError(f"{option} cannot be combined with --reference: texts are read part by part, so they may have any length")
    if in_parts:
        manifest = make_from_columns(options, FolderStorage(folder), in_parts, warn_of_outputs=not whole)
    return _make_from_corpus(options, folder, whole) if whole or manifest is None else manifest


def _make_from_corpus(options: argparse.Namespace, folder: Path, metrics: list[Metric]) -> Manifest:
    """Read all into memory."""
    from errata.scoring import make_engine
    from errata.scoring.evidence_files import FolderStorage, make_from_corpus

    if options.engine is not None and (parsing := next((metric for metric in metrics if metric.needs), None)):
        raise UsageError(f"--engine cannot be combined with {parsing}, whose parses or graphs are made by the command itself")
    corpus = whole_corpus_from(options, also=options.systems)
    systems = systems_from(options, options.systems, corpus)
    total = len(corpus) * len(systems) * len(metrics)
    few = any(metric.needs for metric in metrics) or (total <= _FEW and options.engine is None and options.jobs is None)
    engine = make_engine(options.engine, 1 if few else options.jobs, "processes")
    metrics = with_parses(options, with_graphs(options, metrics, corpus, systems))
    with watch_counting(total) as bar:
        return make_from_corpus(FolderStorage(folder), corpus, systems, metrics, making_from(options, engine, bar))


COMMANDS = {"evidence": _register_evidence}
