"""The arguments that name a corpus, systems, evidence and judgments, and how they are read."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from errata.cli.printing import print_warning
from errata.cli.vocabulary import (
    ESSAYS,
    FILES,
    GRAPHS,
    INPUT,
    OF_HOO_EDITS,
    OPTIONS,
    PERFECT,
    SCORE_TABLE,
    TYPES,
    add_option,
    add_options,
    is_given,
)
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import RANGES_EXPECTED, looks_like_ranges, write_ranges
from errata.corpus.unicode import AS_GIVEN
from errata.errors import InputError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.registry import MULTIGEC, find_input_format, find_system_format
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.corpus.graphs import Graph
    from errata.corpus.texts import Tokens
    from errata.language.graphs import GraphBank
    from errata.language.parse_bank import ParseBank
    from errata.metrics.base import Metric
    from errata.report.progress import ProgressBar
    from errata.scoring.engines import Engine
    from errata.scoring.evidence_files.making import Making
    from errata.scoring.evidence_files.reading import StoredEvidence
    from errata.scoring.evidence_files.storage import Manifest, Storage
    from errata.scoring.scores import Score
    from errata.studies.coverage.estimation import CorrectedSentence
    from errata.studies.judgments.items import HumanJudgments
    from errata.studies.meta.scores import JudgedSentences


# --- Names of data sets where a command takes gold: ``errata score conll14 out.txt``.

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.IGNORECASE)
"""What the names of data sets look like: words and hyphens, no dot and no slash."""
_SOURCE_ONLY = "source_text"
"""An argument for which the source of a data set is enough."""


def takes_gold(action: argparse.Action) -> bool:
    """Whether an argument may be the name of a data set."""
    return action.metavar == "GOLD" or (not action.option_strings and action.dest in {"gold", _SOURCE_ONLY})


def _resolve(options: argparse.Namespace, action: argparse.Action) -> Iterator[str]:
    """Put files for the name of a data set; a file or folder of the same name is read instead, and that is said."""
    given = getattr(options, action.dest)
    word = given[0] if isinstance(given, list) and len(given) == 1 else given
    if not isinstance(word, str) or not _NAME.fullmatch(word):
        return
    from errata.formats.datasets import list_data_sets

    known = list_data_sets()
    if os.path.lexists(word):
        if word in known:
            yield f"{word} is a file or folder here, and is read; errata data path {word} prints the paths of the data set of this name"
        return
    if word not in known:
        _suggest(word, known)
        return
    from errata.formats.datasets import describe_doubts, locate_data_set

    installed = locate_data_set(word, folder=options.data_folder)
    gold, *references = installed.paths
    setattr(options, action.dest, [gold] if isinstance(given, list) else gold)
    if action.dest != _SOURCE_ONLY:
        _set_references(options, action, word, references)
    if not installed.is_verified:
        yield describe_doubts(installed)


def _suggest(word: str, known: Iterable[str]) -> None:
    """Raise if a word looks like a misspelt name."""
    from errata.errors import suggest

    if close := suggest(word, known, least=0.75):
        raise InputError(f"{word}: there is no such file, and no data set of this name{close}")


def _set_references(options: argparse.Namespace, action: argparse.Action, word: str, references: list[str]) -> None:
    if not references:
        return
    if action.option_strings or not hasattr(options, "reference"):
        raise UsageError(f"{word} is a source with {len(references)} references, and {action.option_strings[-1]} takes one file of gold")
    if options.reference:
        raise UsageError(f"--reference cannot be combined with {word}, which has its own references")
    options.reference = references


# --- Corrections of many people, as arguments name them.


def is_table(path: str) -> bool:
    """Whether a file is a table of corrections, by its extension; else it is a corpus."""
    from errata.formats.lines import without_compression
    from errata.formats.tables import TABULAR_FORMATS

    return without_compression(path.lower()).rpartition(".")[2] in TABULAR_FORMATS


def read_crowd(path: str) -> list[CorrectedSentence]:
    """Read a table of corrections, or the references of a corpus."""
    from errata.formats import read
    from errata.studies.coverage.estimation import collect_corrections, read_corrections

    return read_corrections(path, warn=print_warning) if is_table(path) else collect_corrections(read(path, warn=print_warning))


def skip_single_answers(sentences: list[CorrectedSentence]) -> list[CorrectedSentence]:
    """Skip sentences with only one answer."""
    enough = [sentence for sentence in sentences if sentence.answers > 1]
    if len(enough) < len(sentences):
        print_warning(f"{len(sentences) - len(enough):,} of {pluralise(len(sentences), 'sentence')} skipped: only one answer")
    if not enough:
        raise RequestError("every sentence has only one answer, which says nothing about other corrections")
    return enough


# --- Parses for commands: the analyser and the file that the arguments name, with a progress bar, and what is kept in the end.

_PARSES = "parses"
"""The data of metrics whose rules need parses; without it, they use the default bank."""


def check_parses(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse parses that no metric needs; types of ERRANT need them, whatever the metric."""
    needed = any(_PARSES in metric.needs for metric in metrics) or getattr(options, "types", None) == "errant"
    if _is_asked(options) and not needed:
        raise UsageError(f"{'--analyser' if options.analyser is not None else '--parses'} needs a metric that parses: -m errant")


def with_parses(options: argparse.Namespace, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics, with the bank of the arguments for those that parse."""
    check_parses(options, metrics)
    if not any(_PARSES in metric.needs for metric in metrics):
        return list(metrics)
    bank = bank_from(options)
    if not _is_asked(options):
        return list(metrics)
    return [metric.with_data(parses=bank) if _PARSES in metric.needs else metric for metric in metrics]


def bank_from(options: argparse.Namespace) -> ParseBank:
    """The bank of --analyser and --parses, else the default one; it shows how far it is, and :func:`_keep_parses` writes its file."""
    from errata.language.parse_bank import ParseBank, default_bank

    if not _is_asked(options):
        bank = default_bank()
    elif (known := getattr(options, "bank", None)) is not None:
        bank = known
    else:
        if options.parses == "":
            raise UsageError("--parses: expected a file, found ''")
        bank = options.bank = ParseBank(options.analyser, keep=options.parses)
    bank.progress = _show_progress
    return bank


def _keep_parses(options: argparse.Namespace) -> None:
    """Add what was parsed to the file of --parses."""
    bank: ParseBank | None = getattr(options, "bank", None)
    if bank is not None:
        bank.save()


def _is_asked(options: argparse.Namespace) -> bool:
    return options.analyser is not None or options.parses is not None


def _show_progress(sentences: int) -> ProgressBar:
    from errata.report.progress import ProgressBar

    return ProgressBar("parsing", sentences)


# --- Graphs that the arguments name: files, or made by a parser.

_GRAPHS = "graphs"
"""The data that metrics of graphs need."""


def check_graphs(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse graphs that no metric needs."""
    files, parser = options.graphs, options.graph_parser
    if (files or parser) and not any(_GRAPHS in metric.needs for metric in metrics):
        raise UsageError(f"{'--graphs' if files else '--parser'} needs a metric of semantic graphs: -m uccasim or -m distsim")


def with_graphs(options: argparse.Namespace, metrics: Sequence[Metric], corpus: Corpus, systems: Sequence[System]) -> list[Metric]:
    """The metrics, with graphs for those that need some."""
    files, parser = options.graphs, options.graph_parser
    check_graphs(options, metrics)
    if not files and not parser:
        return list(metrics)  # which say what they need
    from errata.formats.graphs import read_graphs
    from errata.language import GraphBank
    from errata.language.graphs import find_parser

    graphs = [graph for path in files for graph in read_graphs(path, unique=False, max_tokens=options.max_tokens, warn=print_warning)]
    texts = [[sentence.tokens for sentence in corpus], *(system.sentences for system in systems)]
    bank = GraphBank(graphs, texts if graphs else (), find_parser(parser) if parser else None)
    if parser:
        _parse(bank, texts)
    if bank.conflicts:
        print_warning(f"{pluralise(bank.conflicts, 'graph')} skipped: an earlier graph has the same words")
    return [metric.with_data(graphs=bank) if _GRAPHS in metric.needs else metric for metric in metrics]


def _parse(bank: GraphBank, texts: Sequence[Sequence[Tokens]]) -> None:
    """Parse all texts, and tell whoever waits at a terminal that this is what takes long."""
    if sys.stderr.isatty():
        print_to_stderr(f"parsing the sentences of {pluralise(len(texts), 'text')}")
    bank.prepare(texts)


def _sentences_of(path: str, max_tokens: int, source: tuple[str, int] | None = None) -> list[Tokens]:
    """The sentences of a text, or the source of M2; not more than ``source``, a path and its number of sentences, has."""
    from errata.corpus.corpus import take_at_most
    from errata.formats import Problems, display_path, read
    from errata.formats.lines import read_text

    if find_input_format(path) == "m2":
        return [sentence.tokens for sentence in read(path, max_tokens=max_tokens, warn=print_warning)]
    sentences = read_text(path, Problems(display_path(path)), max_tokens)
    if source is None:
        return list(sentences)
    return take_at_most(sentences, source[1], display_path(path), f"{pluralise(source[1], 'sentence')} of {display_path(source[0])}")


def cut_by_text(graphs: Sequence[Graph], text: str, what: str, max_tokens: int) -> tuple[Graph, ...]:
    """The graphs of the sentences of a text; units that have words in several are told of, and no graph may be left over."""
    from errata.formats import display_path
    from errata.language.graphs import count_divided_units, match_graphs

    matched = match_graphs(graphs, _sentences_of(text, max_tokens), display_path(text))
    lengths: dict[str, list[int]] = {}
    for piece in matched:
        lengths.setdefault(piece.location, []).append(len(piece.tokens))
    unused = [graph for graph in graphs if graph.location not in lengths]
    if unused:
        raise MismatchError(
            f"{display_path(text)} is the text of {len(graphs) - len(unused):,} of the {pluralise(len(graphs), 'graph')} of {what}; "
            f"it has no sentence of {unused[0].name}"
        )
    cut = sum(count_divided_units(graph, own) for graph in graphs if sum(own := lengths[graph.location]) == len(graph.tokens))
    if cut:
        print_warning(f"{what}: {pluralise(cut, 'unit')} with words in several sentences, counted in each of them")
    return _with_own_ids(matched)


def _with_own_ids(graphs: Sequence[Graph]) -> tuple[Graph, ...]:
    """Graphs of sentences whose ids differ; one that stands for several sentences gets their numbers too."""
    given = {graph.id for graph in graphs}
    seen: set[str] = {""}
    renamed = []
    for number, graph in enumerate(graphs, start=1):
        name = graph.id
        if name in seen:
            name = f"{graph.id or 'empty'}-{number}"
            while name in given or name in seen:
                name += "-"
        seen.add(name)
        renamed.append(replace(graph, id=name))
    return tuple(renamed)


def parse_texts(parser: str, paths: Sequence[str], max_tokens: int, *, paired: bool = False) -> list[tuple[Graph, ...]]:
    """The graphs of texts, all parsed at once, with the numbers of sentences as their ids; if ``paired``, the first is the source."""
    from errata.formats import display_path
    from errata.language import GraphBank
    from errata.language.graphs import find_parser

    bank = GraphBank(parser=find_parser(parser))
    first = _sentences_of(paths[0], max_tokens)
    source = (paths[0], len(first)) if paired else None
    texts = [first, *(_sentences_of(path, max_tokens, source) for path in paths[1:])]
    _parse(bank, texts)
    parsed = (bank.find(text, display_path(path)) for text, path in zip(texts, paths, strict=True))
    return [tuple(replace(graph, id=str(number)) for number, graph in enumerate(graphs, start=1)) for graphs in parsed]


# --- The arguments that name a corpus and systems, and how they are read.

_FORMATS = (
    ": m2, jsonl, xml, sgml, hoo, multigec, ua-gec, parallel, or that of a plug-in (default: by its extension, "
    "or M2 if that is what it contains)"
)
_GOLD = (
    "gold: M2, JSON Lines, XML or SGML; a source text or essays in Markdown, with --reference; or HOO edits, with --source; "
    "files may be compressed with gzip or zstd, - is standard input"
)
_SYSTEM = (
    "output of a system: a text with one sentence per line in the order of GOLD, or M2 with its own edits; NAME=FILE names it; "
    "with --source, a folder of its texts"
)
_EVIDENCE = "a folder that errata evidence wrote; or "
_OF_EVIDENCE = "; of evidence, the names of systems (default: all); with --reference, all texts may be columns: FILE.parquet:COLUMN"
_SOURCE = "; GOLD is then a file or a folder of HOO edits (XML)"


def add_corpus_arguments(
    parser: Parser, *, several: bool = False, optional: bool = False, name: str = "GOLD", also: str = "", subset: str = ""
) -> None:
    """Add the arguments that say what the corpus is; ``also`` is what else the first may be, ``subset`` a note on --sentences."""
    settings = {"nargs": "+"} if several else {"nargs": "?"} if optional else {}
    parser.add_argument("gold", metavar=name, help=f"{also}{_GOLD}", **settings)  # type: ignore[arg-type]
    add_option(parser, "--reference")
    add_option(parser, "--from", _FORMATS)
    add_option(parser, "--source", f"{OF_HOO_EDITS}{_SOURCE}")
    add_options(parser, "--unit", "--unicode")
    add_options(parser, "--lenient", "--max-tokens")
    add_option(parser, "--sentences", subset)


def add_system_arguments(parser: Parser, *, or_evidence: bool = False, optional: bool = False) -> None:
    """Add the arguments that say what is scored; ``or_evidence`` says that the first may be a folder of evidence."""
    add_corpus_arguments(parser, optional=optional, also=_EVIDENCE if or_evidence else "")
    add_systems(parser, _OF_EVIDENCE if or_evidence else "", "*" if or_evidence else "+")
    parser.set_defaults(takes_evidence=or_evidence)


def add_pair_arguments(parser: Parser) -> None:
    """Add the arguments that say which two outputs are compared."""
    add_corpus_arguments(parser, also=_EVIDENCE)
    parser.add_argument("baseline", metavar="BASELINE", help=f"{_SYSTEM}; of evidence, the name of a system")
    parser.add_argument("new", metavar="NEW", help="output that may replace it, likewise")
    add_options(parser, "--tokenise", "--strict")
    parser.set_defaults(takes_evidence=True)


def add_systems(parser: Parser, note: str = "", count: str = "+") -> None:
    """Add the systems; ``note`` ends the help text."""
    parser.add_argument("systems", metavar="SYSTEM", nargs=count, help=f"{_SYSTEM}{note}")
    add_options(parser, "--tokenise", "--strict")


def corpus_from(options: argparse.Namespace, also: Sequence[str] = ()) -> Corpus:
    """Read the corpus that the arguments name, or the sentences of it that --sentences names; ``also`` are other files to be read."""
    return subset_from(options, whole_corpus_from(options, also))


def whole_corpus_from(options: argparse.Namespace, also: Sequence[str] = ()) -> Corpus:
    """Read the corpus that the arguments name, with all its sentences."""
    from errata.formats import read

    check_standard_input(options, also)
    return read(
        options.gold,
        references=options.reference,
        format=options.input_format,
        source=options.source,
        documents=getattr(options, "documents", None),
        unit=options.unit,
        unicode=getattr(options, "unicode", None) or AS_GIVEN,
        lenient=options.lenient,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )


def check_standard_input(options: argparse.Namespace, also: Sequence[str] = ()) -> None:
    """Raise if more than one of the files is standard input; ``also`` are other files to be read."""
    others = [split_name(path)[1] for path in also]
    if [options.gold, *options.reference, *others, options.sentences].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")


def refuse_lenient(options: argparse.Namespace, essays: str) -> None:
    """Raise if --lenient is given for essays."""
    if options.lenient:
        from errata.formats import display_path
        from errata.formats.nucle import NOT_LENIENT

        raise UsageError(f"{display_path(essays)}: {NOT_LENIENT}")


def subset_from(options: argparse.Namespace, corpus: Corpus) -> Corpus:
    """The sentences of a corpus that --sentences names, or all of them."""
    return corpus if options.sentences is None else corpus.subset(numbers_from(options, len(corpus)))


def numbers_from(options: argparse.Namespace, last: int) -> Iterator[int]:
    """The numbers of sentences that --sentences names, in the order given; ``last`` is the largest possible one."""
    from errata.formats.lines import find_numbers

    given = options.sentences
    if given is None:
        return iter(range(1, last + 1))
    is_file = not looks_like_ranges(given) and given != "-"
    has_file_name = bool(set("./") & set(given)) and any(map(str.isalpha, given))
    if is_file and not os.path.exists(given) and not has_file_name:  # noqa: PTH110 - never raises
        raise UsageError(f"{RANGES_EXPECTED}, found {given[:40]!r}, and there is no such file")
    return find_numbers(given, last)


def subset_record(corpus: Corpus) -> dict[str, object]:
    """What JSON says about a subset: nothing if the corpus is whole."""
    if corpus.part is None:
        return {}
    return {"subset": {"sentences": ",".join(write_ranges(corpus.part.numbers)), "of": corpus.part.whole}}


def gold_record(corpus: Corpus) -> dict[str, object]:
    """What JSON says about the gold: its name, and the subset."""
    return {"gold": corpus.name, **subset_record(corpus)}


def subset_note(corpus: Corpus) -> tuple[str, ...]:
    """What a table without a signature says about a subset: nothing if the corpus is whole."""
    return () if corpus.part is None else (f"Subset: {corpus.extent} of {corpus.name}.",)


def tokenisation_note(systems: Sequence[System]) -> tuple[str, ...]:
    """What a table without a signature says about tokenisation: nothing if texts were split at white space."""
    names = dict.fromkeys(system.tokenisation for system in systems if system.tokenisation != WHITESPACE_TOKENS)
    return (f"Outputs tokenised by {', '.join(names)}.",) if names else ()


def systems_from(options: argparse.Namespace, arguments: Sequence[str], gold: Corpus) -> list[System]:
    """Read systems, named as the user says or after their files; each must have as many sentences as the gold."""
    from errata.corpus import find_tokeniser
    from errata.corpus.checks import OutputChecks
    from errata.formats import read, read_system
    from errata.formats.reading import list_output_problems, report_output_problems

    whole = gold
    if options.source and gold.part is not None:  # texts are cut by all sentences
        settings = {"format": options.input_format, "source": options.source, "lenient": options.lenient}
        whole = read(options.gold, max_tokens=options.max_tokens, warn=lambda _: None, **settings)
    settings = {"gold": whole, "source": options.source, "max_tokens": options.max_tokens, "warn": print_warning}
    if arguments:
        settings["tokenise"] = find_tokeniser(options.tokenise, gold)
    systems = [read_system(path, name=name, **settings) for name, path in name_files(arguments).items()]
    if whole is not gold:
        systems = [gold.fit(system) for system in systems]
    for system in systems:
        _warn_of_empty_sentences(system, gold)
    checks = OutputChecks(gold)
    problems = [problem for system in systems for problem in list_output_problems(checks, system)]
    report_output_problems(problems, print_warning, strict=options.strict)
    return systems


def _warn_of_empty_sentences(system: System, gold: Corpus) -> None:
    from errata.formats.reading import describe_empty

    empty = sum(not output and bool(sentence.tokens) for output, sentence in zip(system.sentences, gold, strict=True))
    if (warning := describe_empty(system.path or system.name, empty, len(system))) is not None:
        print_warning(warning)


def name_files(arguments: Sequence[str]) -> dict[str, str]:
    """Files by their names: ``NAME=FILE``, or files that are named by their paths.

    >>> name_files(["best=out/run7.txt", "out/AMU.txt"])
    {'best': 'out/run7.txt', 'AMU': 'out/AMU.txt'}
    """
    from errata.formats import name_systems

    given = [split_name(argument) for argument in arguments]
    names = name_systems([path for _, path in given])
    result: dict[str, str] = {}
    for (name, path), from_path in zip(given, names, strict=True):
        if (name or from_path) in result:
            raise UsageError(f"two files are named {name or from_path!r}; NAME=FILE gives one of them another name")
        result[name or from_path] = path
    return result


def split_name(argument: str) -> tuple[str, str]:
    """The name and the file of ``NAME=FILE``; a file that has such a name itself is a file.

    >>> split_name("best=out/run7.txt"), split_name("out/a=b.txt")
    (('best', 'out/run7.txt'), ('', 'out/a=b.txt'))
    """
    name, equals, path = argument.partition("=")
    if not equals or not name.strip() or not path or "/" in name or os.path.exists(argument):  # noqa: PTH110 - never raises
        return "", argument
    return name.strip(), path


# --- Evidence instead of gold and texts: what errata evidence wrote.

_TEXTS = frozenset({INPUT, TYPES, GRAPHS, PERFECT, ESSAYS})
"""Groups of options that are about texts."""
_MORE_TEXTS = frozenset({"--analyser", "--parses", "--per-document"})


def has_evidence(options: argparse.Namespace) -> bool:
    """Whether the first argument is a folder of evidence; it need not be complete."""
    if hasattr(options, "stored_evidence"):
        return True
    if not getattr(options, "takes_evidence", False) or options.gold is None or not os.path.isdir(options.gold):  # noqa: PTH112 - never raises
        return False
    from errata.scoring.evidence_files import is_evidence

    return is_evidence(options.gold)


def open_stored(options: argparse.Namespace) -> StoredEvidence:
    """Open the folder of evidence that is the first argument; refuse options that need texts."""
    from errata.scoring.evidence_files import open_evidence

    known: StoredEvidence | None = getattr(options, "stored_evidence", None)
    if known is not None:
        return known
    for name, action in options.parser.options.items():
        about_texts = name in OPTIONS and (OPTIONS[name].group in _TEXTS or name in _MORE_TEXTS)
        if about_texts and is_given(action, options):
            raise UsageError(f"{name} cannot be combined with evidence, which has no texts")
    opened: StoredEvidence
    opened = options.stored_evidence = open_evidence(options.gold)
    return opened


def choose_metrics(options: argparse.Namespace) -> list[Metric]:
    """The metrics that all systems have, or those that are named; others are told."""
    stored = open_stored(options)
    names = set(options.systems or stored.systems)
    having = {text: {entry.system for entry in stored.manifest.entries if entry.metric == text} for text in stored.metrics}
    complete = [metric for text, metric in stored.metrics.items() if names <= having[text]]
    if not complete:
        raise UsageError(f"{options.gold}: no metric has all of these systems; choose one with -m from {', '.join(having)}")
    for text, own in having.items():
        if not names <= own:
            print_warning(f"{options.gold}: {text} is left out: it has no evidence of {', '.join(sorted(names - own))}; -m shows it")
    return complete


def score_evidence(options: argparse.Namespace, metrics: Sequence[Metric]) -> tuple[Corpus, list[Score]]:
    """The gold of a folder of evidence, and the scores of the systems that are named, or of all."""
    from errata.report.progress import ProgressBar

    folder = open_stored(options)
    for warning in folder.list_warnings(metrics):
        print_warning(warning)
    with ProgressBar("reading evidence", None) as bar:
        scores = folder.score(metrics, getattr(options, "evidence_systems", options.systems), bar.advance)
    for score in scores:
        for warning in score.metric.warnings(score.counts):
            print_warning(f"{score.metric} of {score.system_name}: {warning}")
    return cast("Corpus", folder.gold), list(scores)  # the gold has what tables use of a corpus


def require_systems(options: argparse.Namespace) -> None:
    """Refuse a gold without systems."""
    if options.systems:
        return
    if os.path.isdir(options.gold) and not options.source:  # noqa: PTH112 - never raises
        from errata.scoring.evidence_files.storage import read_manifest_of

        read_manifest_of(Path(options.gold))  # says why it is no evidence
    else:
        raise UsageError("the following arguments are required: SYSTEM; only a folder that errata evidence wrote needs none")


# --- Long texts, and columns of tables: they are counted part by part, and only counts are kept.

_LONG = 1 << 22
"""Bytes of a source text that is counted part by part."""
_ABOUT_SENTENCES = ("by_type", "relative_to", "per_sentence", "per_document", "unit", "rechoose", "documents", "sentences")
_NEED_SENTENCES = (*_ABOUT_SENTENCES, "graphs", "analyser", "parses", "max_lines", "max_bytes")
"""Options that need all sentences in memory."""


def are_counted_in_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> bool:
    """Whether texts are counted part by part: columns of tables always, texts if they are long and nothing needs their sentences."""
    if options.source or options.input_format not in {None, "parallel"}:
        return False
    check_columns(options, metrics)
    if not options.reference or _find_column(options) is not None:
        return bool(options.reference)
    if find_input_format(options.gold) == MULTIGEC:
        return False
    edited = any(find_system_format(split_name(system)[1]) == "m2" for system in options.systems)
    return _is_long(options.gold) and not edited and not list(_list_needing(options, metrics))


def check_columns(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse columns of tables without references, and with what needs all sentences."""
    column = _find_column(options)
    if column is None:
        return
    if not options.reference:
        raise UsageError(f"{column}: columns of texts need the references of the source: -r COLUMN")
    if (needing := next(_list_needing(options, metrics), None)) is not None:
        raise UsageError(f"{column}: {needing} cannot be combined with columns of tables, which are read part by part; use texts")


def _list_needing(options: argparse.Namespace, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield the metrics and options that need all sentences in memory."""
    yield from (str(metric) for metric in metrics if not metric.in_parts)
    yield from (f"--{name.replace('_', '-')}" for name in _NEED_SENTENCES if getattr(options, name, None))
    if options.tokenise != WHITESPACE_TOKENS:
        yield "--tokenise"
    if getattr(options, "unicode", None) not in {None, AS_GIVEN}:
        yield "--unicode"
    if getattr(options, "resample", None) == "document":
        yield "--resample document"


def _find_column(options: argparse.Namespace) -> str | None:
    """Find the first argument that names a column of a table; JSON Lines without references is annotated gold."""
    given: list[str] = [options.gold, *options.reference, *(split_name(system)[1] for system in options.systems)]
    for path in given:
        ending = path.lower().endswith
        if not ending((".parquet", ".jsonl", ".ndjson")) and ":" not in path:
            continue
        from errata.formats.columns import find_kind, split_column

        file, column = split_column(path)
        if column is not None or (find_kind(file) != "text" and (options.reference or ending(".parquet"))):
            return path
    return None


def _is_long(path: str) -> bool:
    from importlib.util import find_spec

    return os.path.isfile(path) and os.path.getsize(path) > _LONG and find_spec("pyarrow") is not None  # noqa: PTH113, PTH202


def count_in_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Count texts, which are evidence in memory from now on."""
    from errata.scoring.evidence_files import MemoryStorage, StoredEvidence

    storage = MemoryStorage(options.gold)
    options.stored_evidence = StoredEvidence(storage, make_from_columns(options, storage, metrics))
    options.evidence_systems = list(name_files(options.systems))


def make_from_columns(
    options: argparse.Namespace, storage: Storage, metrics: Sequence[Metric], *, warn_of_outputs: bool = True
) -> Manifest:
    """Make evidence of texts; threads are fastest if the core counts them without objects."""
    from errata.formats.columns import open_text_column, split_column
    from errata.formats.lines import is_special
    from errata.scoring import make_engine
    from errata.scoring.evidence_files.making import make_from_texts

    check_standard_input(options, options.systems)
    in_core = all(metric.counts_texts for metric in metrics)
    engine = make_engine(getattr(options, "engine", None), options.jobs, "threads" if in_core else "processes")
    systems = name_files(options.systems)
    total = None
    if options.gold != "-" and not is_special(split_column(options.gold)[0]):  # opening a pipe takes its beginning
        with open_text_column(options.gold, max_tokens=options.max_tokens) as source:
            total = source.sentences and source.sentences * len(systems) * len(metrics)
    with watch_counting(total) as bar:
        making = replace(making_from(options, engine, bar), warn_of_outputs=warn_of_outputs)
        return make_from_texts(storage, options.gold, options.reference, systems, metrics, making)


def watch_counting(total: int | None) -> ProgressBar:
    """Make a progress bar with a rate."""
    from errata.report.progress import ProgressBar

    return ProgressBar("counting", total, in_core=True, counted="sentences")


def making_from(options: argparse.Namespace, engine: Engine, bar: ProgressBar) -> Making:
    """How evidence is made, by the arguments."""
    from errata.scoring.evidence_files.making import Making
    from errata.scoring.evidence_files.storage import WHOLE, parse_share
    from errata.settings import PART_SIZE

    part = getattr(options, "part", None)
    share = WHOLE if part is None else parse_share(part)
    return Making(
        engine, getattr(options, "part_size", PART_SIZE), share, bar.advance, print_warning, options.max_tokens, strict=options.strict
    )


# --- Judgments and the outputs they are about, for commands: which systems have both, and how sentences are numbered.


def choose_from(options: argparse.Namespace, judgments: HumanJudgments) -> HumanJudgments:
    """Keep the judgments that --judges and --leave-out say."""
    from errata.studies.judgments import choose_judgments

    judges, left_out = ([name.strip() for given in names for name in given.split(",")] for names in (options.judges, options.leave_out))
    return choose_judgments(judgments, judges, left_out) if judges or left_out else judgments


def read_judged_sentences(options: argparse.Namespace, corpus: Corpus, systems: Sequence[System]) -> JudgedSentences:
    """Read the judgments of --judgments, and find the sentence of each item."""
    from errata.studies.judgments import read_judgments
    from errata.studies.meta import JudgedSentences

    return JudgedSentences.of_outputs(
        read_judgments(options.judgments, warn=print_warning),
        corpus,
        systems,
        first=options.first_sentence,
        all_outputs=not options.sentences,
        warn=print_warning,
    )


# --- Files that a command reads and writes: checked before any work; those it writes are written in full or not at all.

_OUTPUTS = ("output", "chart", "window_chart", "heatmap", "curves", "picture", "worth_chart", "write_edits", "parses")
"""Options that name a file or a folder to write."""
_FOLDERS = {("task", "output"), ("serve", "output"), ("evidence", "output"), ("hoo", "write_edits")}
"""Those that name a folder, which is made if there is none."""


def check_files(options: argparse.Namespace) -> list[str]:
    """Put files for the names of data sets, and check before any work that no output replaces an input; return warnings."""
    for action, given in _input_arguments(options):
        if given == "":  # as it is if a variable of the shell is not set
            raise UsageError(f"{action.option_strings[-1] if action.option_strings else action.metavar}: expected a file, found ''")
    warnings = [warning for action in options.parser.arguments if takes_gold(action) for warning in _resolve(options, action)]
    outputs = _given_outputs(options)
    if outputs:
        from errata.formats.writing import check_outputs, protecting

        with protecting(_inputs(options)):
            check_outputs([*outputs.values(), *_list_parallel_inputs(options)])
    for name, output in outputs.items():
        folder = os.path.dirname(output)  # noqa: PTH120
        if (options.command, name) not in _FOLDERS and not os.path.isdir(folder or "."):  # noqa: PTH112
            raise UsageError(f"{output}: there is no folder {folder}")
    return warnings


def _given_outputs(options: argparse.Namespace) -> dict[str, str]:
    """Files and folders that will be written, by the name of their option."""
    return {name: path for name in _OUTPUTS if (path := getattr(options, name, None)) and path != "-"}


def _inputs(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files and folders that the arguments name."""
    for action, given in _input_arguments(options):
        path = _find_table(given) if action.metavar == SCORE_TABLE else split_name(given)[1]
        if path and path != "-":
            yield path
    if (listed := getattr(options, "sentences", None)) and not looks_like_ranges(listed) and listed != "-":
        yield listed


def _find_table(given: str) -> str:
    from errata.studies.meta.scores import split_pattern

    return split_pattern(given)[0]


def _input_arguments(options: argparse.Namespace) -> Iterator[tuple[argparse.Action, str]]:
    """Yield the arguments for input files, with each of their values."""
    parser: Parser = options.parser
    for action in parser.arguments:
        given = getattr(options, action.dest, None) if action.metavar in FILES and action.dest not in _OUTPUTS else None
        for value in given if isinstance(given, list) else [given]:
            if isinstance(value, str):
                yield action, value


def _list_parallel_inputs(options: argparse.Namespace) -> list[str]:
    """List the parallel texts that are read and begin with the prefix to which errata convert writes such texts."""
    if options.command != "convert" or options.output == "-":
        return []
    prefix = os.path.realpath(options.output)
    real = {path: os.path.realpath(path) for path in _inputs(options)}  # which answers for every name, unlike pathlib
    return [path for path, own in real.items() if own != prefix and re.fullmatch(r"\.(src|ref\d+)", own.removeprefix(prefix))]


@contextmanager
def writing_outputs(options: argparse.Namespace) -> Iterator[None]:
    """Write what a command prints to --output, once it is done, together with its other files; if it fails, none is changed."""
    from errata.formats.writing import all_or_none, protecting, write_files
    from errata.report.writers import PrintableStream

    with protecting(_inputs(options)), all_or_none() if _given_outputs(options) else nullcontext():
        if options.output is None or not options.prints(options):
            yield
            _keep_parses(options)
            sys.stdout.flush()  # if that fails, the files stay as they were
            return
        printed = io.StringIO()
        with redirect_stdout(cast("TextIO", PrintableStream(printed))):
            yield
        _keep_parses(options)
        write_files({options.output: printed.getvalue().split("\n")[:-1]})
