"""The arguments that name files: how a corpus, systems, parses and graphs are read, and what is checked before anything is written."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, cast

from errata.cli.printing import print_warning
from errata.cli.vocabulary import FILES, INPUT, OF_HOO_EDITS, OPTIONS, SCORE_TABLE, add_option, add_options
from errata.corpus.texts import RANGES_EXPECTED, looks_like_ranges, write_ranges
from errata.corpus.unicode import AS_GIVEN
from errata.errors import InputError, UsageError, pluralise
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System
    from errata.corpus.texts import Tokens
    from errata.language.graphs import GraphBank
    from errata.language.parse_bank import ParseBank
    from errata.metrics.base import Metric
    from errata.report.progress import ProgressBar

_FORMATS = (
    ": m2, jsonl, xml, sgml, hoo, multigec, ua-gec, parallel, or that of a plug-in (default: by its extension, "
    "or M2 if that is what it contains)"
)
_GOLD = (
    "gold: M2, JSON Lines, XML or SGML; a source text or essays in Markdown, with --reference; or HOO edits, with --source; "
    "files may be compressed with gzip or zstd, - is standard input"
)
SYSTEM = (
    "output of a system: a text with one sentence per line in the order of GOLD, or M2 with its own edits; NAME=FILE names it; "
    "with --source, a folder of its texts"
)
EVIDENCE = "a folder that errata evidence wrote; or "
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
    add_corpus_arguments(parser, optional=optional, also=EVIDENCE if or_evidence else "")
    add_systems(parser, _OF_EVIDENCE if or_evidence else "", "*" if or_evidence else "+")
    parser.set_defaults(takes_evidence=or_evidence)


def add_systems(parser: Parser, note: str = "", count: str = "+") -> None:
    """Add the systems; ``note`` ends the help text."""
    parser.add_argument("systems", metavar="SYSTEM", nargs=count, help=f"{SYSTEM}{note}")
    add_options(parser, "--tokenise", "--strict")


def corpus_from(options: argparse.Namespace) -> Corpus:
    """Read the corpus that the arguments name, or the sentences of it that --sentences names."""
    return subset_from(options, whole_corpus_from(options))


def whole_corpus_from(options: argparse.Namespace) -> Corpus:
    """Read the corpus that the arguments name, with all its sentences."""
    from errata.formats import read

    check_standard_input(options)
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


def check_standard_input(options: argparse.Namespace) -> None:
    """Raise if more than one of the files is standard input."""
    systems = [split_name(path)[1] for path in getattr(options, "systems", ())]
    if [options.gold, *options.reference, *systems, getattr(options, "documents", None), options.sentences].count("-") > 1:
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


_PARSES, _GRAPHS = "parses", "graphs"
"""The data of metrics whose rules need parses, which use the default bank without them, and of metrics of graphs."""


def check_data(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse graphs and parses that no metric needs."""
    _check_graphs(options, metrics)
    _check_parses(options, metrics)


def _check_parses(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse parses that no metric needs; types of ERRANT need them, whatever the metric."""
    needed = any(_PARSES in metric.needs for metric in metrics) or getattr(options, "types", None) == "errant"
    if _is_asked(options) and not needed:
        raise UsageError(f"{'--analyser' if options.analyser is not None else '--parses'} needs a metric that parses: -m errant")


def _check_graphs(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    files, parser = options.graphs, options.graph_parser
    if (files or parser) and not any(_GRAPHS in metric.needs for metric in metrics):
        raise UsageError(f"{'--graphs' if files else '--parser'} needs a metric of semantic graphs: -m uccasim or -m distsim")


def with_parses(options: argparse.Namespace, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics, with the bank of the arguments for those that parse."""
    _check_parses(options, metrics)
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


def with_graphs(options: argparse.Namespace, metrics: Sequence[Metric], corpus: Corpus, systems: Sequence[System]) -> list[Metric]:
    """The metrics, with graphs for those that need some."""
    files, parser = options.graphs, options.graph_parser
    _check_graphs(options, metrics)
    if not files and not parser:
        return list(metrics)  # which say what they need
    from errata.formats.graphs import read_graphs
    from errata.language import GraphBank
    from errata.language.graphs import find_parser

    graphs = [graph for path in files for graph in read_graphs(path, unique=False, max_tokens=options.max_tokens, warn=print_warning)]
    texts = [[sentence.tokens for sentence in corpus], *(system.sentences for system in systems)]
    bank = GraphBank(graphs, texts if graphs else (), find_parser(parser) if parser else None)
    if parser:
        parse_graphs(bank, texts)
    if bank.conflicts:
        print_warning(f"{pluralise(bank.conflicts, 'graph')} skipped: an earlier graph has the same words")
    return [metric.with_data(graphs=bank) if _GRAPHS in metric.needs else metric for metric in metrics]


def parse_graphs(bank: GraphBank, texts: Sequence[Sequence[Tokens]]) -> None:
    """Parse all texts, and tell whoever waits at a terminal that this is what takes long."""
    if sys.stderr.isatty():
        print_to_stderr(f"parsing the sentences of {pluralise(len(texts), 'text')}")
    bank.prepare(texts)


# --- Files that a command reads and writes: checked before any work; those it writes are written in full or not at all.

_EXTENSIONS = {"json": "json", "csv": "csv", "md": "markdown", "tex": "latex", "html": "html", "svg": "svg", "list": "list"}
_TEXTS = ("txt", "text", "out", "log")
_ESCAPED = "control characters are shown as escapes, because standard output is a terminal; a pipe or -o FILE gets them unchanged"
_OUTPUTS = ("output", "chart", "window_chart", "heatmap", "curves", "picture", "worth_chart", "write_edits", "parses")
"""Options that name a file or a folder to write."""
_FOLDERS = {("task", "output"), ("serve", "output"), ("evidence", "output"), ("hoo", "write_edits")}
"""Those that name a folder, which is made if there is none."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.IGNORECASE)
"""What the names of data sets look like: words and hyphens, no dot and no slash."""
_SOURCE_ONLY = "source_text"
"""An argument for which the source of a data set is enough."""


def add_common_options(parser: Parser) -> None:
    """Add, after its own, the options that every command has, and the limits and the folder of data sets if it reads files."""
    if "--output" not in parser.options:
        add_option(parser, "--output", f" (default: standard output){_describe_extensions(parser.get_default('formats') or ())}")
        parser.set_defaults(prints=parser.get_default("prints") or (lambda _: True))
    if "--data-folder" not in parser.options and any(map(_takes_gold, parser.arguments)):
        add_option(parser, "--data-folder")
    if any(action.metavar in FILES and _is_input(action) for action in parser.arguments):
        add_options(parser, "--max-bytes", "--max-lines")
    if "--column" in parser.options:
        add_options(parser, "--max-columns", "--max-field")
    add_options(parser, "--quiet", "--verbose")


def _is_input(action: argparse.Action) -> bool:
    names = action.option_strings
    return not names or (names[-1] in OPTIONS and OPTIONS[names[-1]].group == INPUT)


def _takes_gold(action: argparse.Action) -> bool:
    """Whether an argument may be the name of a data set."""
    return action.metavar == "GOLD" or (not action.option_strings and action.dest in {"gold", _SOURCE_ONLY})


def check_files(options: argparse.Namespace) -> list[str]:
    """Put files for the names of data sets, and check before any work that no output replaces an input; return warnings."""
    for action, given in _input_arguments(options):
        if given == "":  # as it is if a variable of the shell is not set
            raise UsageError(f"{action.option_strings[-1] if action.option_strings else action.metavar}: expected a file, found ''")
    warnings = [warning for action in options.parser.arguments if _takes_gold(action) for warning in _resolve(options, action)]
    outputs = _given_outputs(options)
    if outputs:
        from errata.formats.writing import check_outputs, protecting

        with protecting(_inputs(options)):
            check_outputs([*outputs.values(), *_list_parallel_inputs(options)])
    for name, output in outputs.items():
        folder = os.path.dirname(output)  # noqa: PTH120
        if (options.command, name) not in _FOLDERS and not os.path.isdir(folder or "."):  # noqa: PTH112
            raise UsageError(f"{output}: there is no folder {folder}")
    if getattr(options, "formats", None) and options.format is None:
        options.format = _format_of(options.output if options.prints(options) else None, options.formats)
    return warnings


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


def _format_of(path: str | None, formats: Sequence[str]) -> str:
    """The format that the extension of a file names; without an extension, or for a text, the first one.

    >>> _format_of("results.csv", ["table", "csv"]), _format_of("results.txt", ["table", "csv"]), _format_of(None, ["text"])
    ('csv', 'table', 'text')
    """
    name = Path(path or "").name.removesuffix(".gz")
    extension = name.rpartition(".")[2].lower() if "." in name else "txt"
    named = formats[0] if extension in _TEXTS else _EXTENSIONS.get(extension)
    if named is None or named not in formats:
        raise UsageError(f"the extension .{extension} names no format of this command; say --format {', '.join(formats)}")
    return named


def _describe_extensions(formats: Sequence[str]) -> str:
    """What the help text of --output says about formats.

    >>> _describe_extensions(("text", "json")), _describe_extensions(())
    ('; .json chooses the format', '')
    """
    extensions = [f".{extension}" for extension, named in _EXTENSIONS.items() if named in formats]
    listed = " and ".join([", ".join(extensions[:-1]), extensions[-1]] if len(extensions) > 1 else extensions)
    return f"; {listed} choose{'' if len(extensions) > 1 else 's'} the format" if extensions else ""


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
def _printing_safely() -> Iterator[None]:
    """Show control characters as escapes in everything that is printed, and in data that is written to a terminal."""
    from errata.report.writers import PrintableStream

    out, errors = PrintableStream(sys.stdout), PrintableStream(sys.stderr)
    with redirect_stdout(cast("TextIO", out)), redirect_stderr(cast("TextIO", errors)):
        yield
        if out.buffer_was_escaped:
            print_to_stderr(f"errata: warning: {_ESCAPED}")


@contextmanager
def writing_outputs(options: argparse.Namespace) -> Iterator[None]:
    """Write what a command prints to --output, once it is done, together with its other files; if it fails, none is changed."""
    from errata.formats.writing import all_or_none, protecting, write_files
    from errata.report.writers import PrintableStream

    with _printing_safely(), protecting(_inputs(options)), all_or_none() if _given_outputs(options) else nullcontext():
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
