"""``errata convert``: from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.inputs import add_corpus_arguments, refuse_lenient, subset_from, whole_corpus_from
from errata.cli.printing import flush_warnings, print_warning
from errata.cli.vocabulary import add_option, add_options
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.formats import Language

_SHOWN = 20
_EXAMPLES = """\
examples:
  errata convert examples/learner.m2 --to jsonl -o learner.jsonl
  errata convert learner.jsonl --to m2
  errata convert examples/learner.m2 --to xml -o learner.xml
  errata convert examples/learner.m2 --to parallel -o learner
  errata convert examples/learner.m2 --missing same -o complete.m2
  errata convert learner.src -r learner.ref0 -r learner.ref1 -o aligned.m2.gz
  errata convert examples/learner.m2 --types ArtOrDet,Prep -o two-types.m2
  errata convert examples/learner.m2 --mix -o mixed.m2
  errata convert examples/learner.m2 --retype auto -o errant.m2
  errata convert examples/learner.m2 --retype gold --parses parses.conllu \\
      -o types.m2
  errata convert examples/essays.sgml -o essays.m2 \\
      --alternatives examples/alternatives.sgml
  errata convert examples/hoo/gold --source examples/hoo/source --to m2

XML has the error lists of I-measure: corrections that overlap are alternatives
of one error.
Parallel text is PREFIX.src and PREFIX.ref0, PREFIX.ref1, ..., one for each
annotator.  Its edits are found by alignment: the fewest changed tokens, then
the fewest edits.  An annotator without a line for a sentence repeats the first
one; --missing noop leaves the sentence unchanged instead.
SGML has essays with errors marked by character offsets (NUCLE), one file for
each annotator.  Sentences and tokens are found by the rules of the CoNLL
shared tasks, by --sentence-splitter and --tokeniser, or taken from --tokens.
The ten annotators of Bryant and Ng (2015) need --profile bryant15.
HOO edits (XML) are about texts, which --source names: files or folders, whose
names begin with the same numbers.
With --retype, edits get the types of ERRANT, as errant_m2 gives them.
With --mix, a sentence has an annotator for every combination of its
annotators' corrections: one alternative of each error.
What the new format cannot express, and what is dropped, is reported.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "convert",
        help="convert between M2, JSON Lines, XML, NUCLE SGML and parallel text; read HOO edits",
        description="Convert a corpus to another format.",
        epilog=_EXAMPLES,
    )
    add_corpus_arguments(parser, several=True)
    add_options(parser, "--types", "--alternatives", "--tokens", "--profile", "--map-types", "--list")
    add_options(parser, "--sentence-splitter", "--tokeniser", "--mix", "--max-mixtures")
    add_options(parser, "--retype", "--keep-spans", "--alignment", "--merge", "--analyser", "--parses")
    add_option(parser, "--missing", "; default: absent; for parallel text, which needs a line of each, same, or noop if GOLD follows that")
    add_option(parser, "--to", ": m2, jsonl, xml, sgml, parallel, or that of a plug-in (default: by the extension of --output)")
    add_option(parser, "--output", "; a prefix for parallel text (default: standard output)", default="-")
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Read, report what is lost, write."""
    from errata.corpus.annotators import DETECT
    from errata.formats import PARALLEL, find_format, find_input_format, guess_format, list_losses, write
    from errata.formats.registry import find_format_with_source

    target = options.to or guess_format(options.output)
    if options.to is None and (options.output == "-" or target == "parallel"):
        raise UsageError(
            "which format? give --to m2, jsonl, xml, sgml or parallel, or -o with an extension that says it (.m2, .jsonl, ...)"
        )
    if target == "parallel" and options.output == "-":
        raise UsageError("parallel text is several files, so it needs -o PREFIX")
    if target == "parallel" and options.missing == "absent":
        raise UsageError("parallel text has a line for every annotator, so --missing must be same or noop, found absent")
    options.missing = options.missing or (DETECT if target == "parallel" else "absent")
    types = {name.strip() for name in options.types.split(",")} if options.types is not None else None
    given = options.input_format or (PARALLEL if options.reference else find_input_format(options.gold[0]))
    if options.source and options.input_format is None:
        given = find_format_with_source(options.gold[0])
    source = given if given == PARALLEL else find_format(given).name
    corpus = subset_from(options, _read(options, source, types))
    if options.retype:
        corpus = _retype(corpus, options)
    if options.mix:
        corpus = _mix(corpus, options.max_mixtures)
    for loss in list_losses(corpus, target):
        print_warning(f"{corpus.path}: {loss}")
    flush_warnings()
    write(corpus, options.output, target)
    return 0


def _read(options: argparse.Namespace, source: str, types: set[str] | None) -> Corpus:
    if source == "sgml" and not options.reference and not options.source:
        return _essays(options, types)
    for name in ("alternatives", "tokens", "map_types", "profile"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} needs essays (SGML), but {options.gold[0]} is not SGML")
    if source == "hoo" and options.source and not options.reference:
        return _hoo(options, types)
    for name in ("sentence_splitter", "tokeniser", "list"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} needs essays (SGML) or HOO edits, but {options.gold[0]} is neither")
    return _other(options, types)


def _hoo(options: argparse.Namespace, types: set[str] | None) -> Corpus:
    from errata.corpus.references import keep_types
    from errata.formats.hoo import read_hoo

    corpus = read_hoo(
        options.gold,
        options.source,
        language=_language(options),
        list_all=options.list or options.verbose,
        lenient=options.lenient,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )
    corpus = _complete(corpus, options.missing)
    return corpus if types is None else keep_types(corpus, types)


def _complete(corpus: Corpus, missing: str) -> Corpus:
    """Add the annotations that are lacking, before types are left out: a filtered corpus does not show what lines mean."""
    from errata.corpus.annotators import choose_missing, complete_corpus, explain_missing

    if missing == "absent":
        return corpus
    policy = choose_missing(corpus, missing)
    for warning in explain_missing(corpus, policy):
        print_warning(f"{corpus.path}: {warning}")
    return complete_corpus(corpus, policy)


def _retype(corpus: Corpus, options: argparse.Namespace) -> Corpus:
    from errata.cli.parse_inputs import bank_from
    from errata.language.errant import Extractor, list_retyping_losses, retype_corpus
    from errata.language.types import find_word_list
    from errata.report.progress import ProgressBar

    for loss in list_retyping_losses(corpus):
        print_warning(f"{corpus.path}: {loss}")
    extractor = Extractor(bank_from(options), options.alignment, options.merge, find_word_list())
    with ProgressBar("typing edits", len(corpus)) as bar:
        return retype_corpus(corpus, options.retype, extractor, keep_spans=options.keep_spans, progress=bar.advance)


def _mix(corpus: Corpus, most: int) -> Corpus:
    from errata.corpus.alternatives import mix_corpus
    from errata.errors import pluralise

    mixed, unmixed = mix_corpus(corpus, most)
    if unmixed:
        listed = ", ".join(map(str, unmixed[:_SHOWN])) + (", ..." if len(unmixed) > _SHOWN else "")
        print_warning(
            f"{corpus.path}: {pluralise(len(unmixed), 'sentence has', 'sentences have')} more than {most:,} mixtures, so the annotators "
            f"are written instead (--max-mixtures raises the limit): {listed}"
        )
    return mixed


def _other(options: argparse.Namespace, types: set[str] | None) -> Corpus:
    """A corpus of any format but SGML and HOO."""
    from errata.corpus.references import keep_types
    from errata.formats.essays import TYPES

    if len(options.gold) > 1:
        raise UsageError(
            f"several files are read together only if they are SGML or HOO edits, found {options.gold[1]!r} after {options.gold[0]!r}"
        )
    options.gold = options.gold[0]
    corpus = _complete(whole_corpus_from(options), options.missing)
    return corpus if types is None else keep_types(corpus, types, TYPES)


def _essays(options: argparse.Namespace, types: set[str] | None) -> Corpus:
    from errata.formats import read_nucle

    refuse_lenient(options, options.gold[0])
    corpus = read_nucle(
        options.gold,
        alternatives=options.alternatives,
        profile=options.profile or "conll14",
        types=types if options.map_types is None else None,
        tokens=options.tokens,
        language=_language(options),
        list_all=options.list or options.verbose,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )
    corpus = _complete(corpus, options.missing)
    if options.map_types is None:
        return corpus
    from errata.corpus.references import keep_types
    from errata.formats import Problems, display_path
    from errata.formats.conll import read_conll
    from errata.formats.essays import TYPES, update_types

    path = display_path(options.map_types)
    mapped = update_types(corpus, list(read_conll(options.map_types, Problems(path), options.max_tokens)), path)
    return mapped if types is None else keep_types(mapped, types, TYPES)


def _language(options: argparse.Namespace) -> Language:
    from errata.cli.user_functions import find_function
    from errata.formats import OFFICIAL

    language = OFFICIAL
    if options.sentence_splitter is not None:
        language = language._replace(split=find_function(options.sentence_splitter, "--sentence-splitter"))
    if options.tokeniser is not None:
        language = language._replace(tokenise=find_function(options.tokeniser, "--tokeniser"))
    return language
