"""``errata check``, ``errata convert``, ``errata align`` and ``errata annotate``: files checked, and brought to other forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata import __version__
from errata.cli.inputs import add_corpus_arguments, bank_from, refuse_lenient, subset_from, whole_corpus_from
from errata.cli.methods import ERRANT, type_system_name
from errata.cli.printing import TEXT, flush_warnings, print_json, print_warning
from errata.cli.vocabulary import OF_HOO_EDITS, add_format, add_option, add_options
from errata.errors import MismatchError, RequestError, UsageError, pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.line_alignment import LineAlignment
    from errata.formats.lines import TextLine
    from errata.formats.nucle import Language
    from errata.formats.problems import Problem
    from errata.language.errant import AlignmentName, FindsEdits, MergeName


_CHECK_EXAMPLES = """\
examples:
  errata check examples/learner.m2 examples/systems/*.txt
  errata check examples/systems/eager.txt --against examples/learner.m2
  errata check examples/graphs/essay.xml examples/graphs/*.mrp
  errata check examples/hoo/gold --source examples/hoo/source
  errata check examples/hoo/texts --against examples/hoo/gold \\
      --source examples/hoo/source

A file with an error cannot be read.  A warning is about something unusual that
is read in a defined way, and may be what you meant.
The exit status is 2 if there is any error.
"""


def _register_check(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "check",
        help="list errors and warnings of input files",
        description="List all errors and warnings of input files, with line numbers.",
        epilog=_CHECK_EXAMPLES,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="M2, JSON Lines, XML, SGML, HOO, or graphs (XML, .mrp, .conllu) by its extension; else text with one sentence per line",
    )
    add_option(
        parser, "--from", ": m2, jsonl, xml, sgml, text, ucca, mrp, conllu, hoo, hoo-text, or that of a plug-in (default: by extension)"
    )
    add_option(parser, "--source", f"{OF_HOO_EDITS}; every FILE is then a file or a folder of HOO edits (XML), or of texts with --against")
    add_options(parser, "--against", "--unicode", "--max-tokens", "--errors-only")
    add_format(parser, TEXT)
    parser.set_defaults(run=_run_check)


def _run_check(options: argparse.Namespace) -> int:
    from errata.corpus.unicode import AS_GIVEN
    from errata.formats import display_path, read
    from errata.formats.checking import check_file, check_output, guess_kind
    from errata.formats.graphs import GRAPH_FORMATS
    from errata.report.writers import printer

    if [*options.files, options.against].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    gold = None
    if options.against:
        settings = {"source": options.source, "unicode": options.unicode or AS_GIVEN, "max_tokens": options.max_tokens}
        gold = read(options.against, lenient=True, warn=_not_here, **settings)
    problems_found: list[Problem] = []
    sizes: list[tuple[str, int, str]] = []
    for path in _list_files(options):
        is_output = _is_output(options, path)
        kind = options.input_format or ("text" if is_output else guess_kind(path))
        most = len(gold) + 1 if gold is not None else None
        if gold is not None and is_output and (options.source or options.input_format in {None, "m2", "text"}):
            system, problems = check_output(path, gold, options.max_tokens, options.input_format, source=options.source)
            sentences = list(system.sentences)
        else:
            compared = gold if is_output or not options.source else None
            sentences, problems = check_file(path, kind, options.max_tokens, most, options.source, compared)
        sizes.append(
            (
                display_path(path),
                len(sentences),
                "graph" if kind in GRAPH_FORMATS else "sentence" if options.source else _COUNTED.get(kind, "sentence"),
            )
        )
        problems_found += problems
    hidden = options.errors_only or options.quiet
    shown = [problem for problem in problems_found if problem.severity == "error" or not hidden]
    errors = sum(problem.severity == "error" for problem in problems_found)
    if options.format == "json":
        files = [{"path": path, "sentences": count} for path, count, _ in sizes]
        print_json({"files": files, "problems": [asdict(problem) for problem in shown]})
    else:
        lines = [f"{problem.severity}: {problem}" for problem in shown]
        lines += [f"{path}: {pluralise(count, noun)}" for path, count, noun in sizes]
        warnings = pluralise(len(problems_found) - errors, "warning")
        lines.append(f"{pluralise(errors, 'error')}, {warnings}{' not shown' if len(shown) < len(problems_found) else ''}")
        printer("never")(*([(line, "")] for line in lines))
    return 2 if errors else 0


_COUNTED = {"hoo": "edit", "hoo-text": "part"}
"""What a file of each format has, if not sentences or graphs."""


def _list_files(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files to check; with --source, those of folders of edits too."""
    from errata.formats.lines import is_folder, list_files

    for path in options.files:
        yield from list_files(path) if options.source and not _is_output(options, path) and is_folder(path) else [path]


def _is_output(options: argparse.Namespace, path: str) -> bool:
    """Whether a file is the output of a system; the gold itself, or a file of its folder, may be checked too."""
    if options.against is None:
        return False
    return path != options.against and not (options.source and Path(path).parent == Path(options.against))


def _not_here(problem: Problem) -> None:
    """Skip problems of the gold: they are listed only if the gold is checked."""


_SHOWN = 20
_CONVERT_EXAMPLES = """\
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


def _register_convert(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "convert",
        help="convert between M2, JSON Lines, XML, NUCLE SGML and parallel text; read HOO edits",
        description="Convert a corpus to another format.",
        epilog=_CONVERT_EXAMPLES,
    )
    add_corpus_arguments(parser, several=True)
    add_options(parser, "--types", "--alternatives", "--tokens", "--profile", "--map-types", "--list")
    add_options(parser, "--sentence-splitter", "--tokeniser", "--mix", "--max-mixtures")
    add_options(parser, "--retype", "--keep-spans", "--alignment", "--merge", "--analyser", "--parses")
    add_option(parser, "--missing", "; default: absent; for parallel text, which needs a line of each, same, or noop if GOLD follows that")
    add_option(parser, "--to", ": m2, jsonl, xml, sgml, parallel, or that of a plug-in (default: by the extension of --output)")
    add_option(parser, "--output", "; a prefix for parallel text (default: standard output)", default="-")
    parser.set_defaults(run=_run_convert, prints=lambda _: False)


def _run_convert(options: argparse.Namespace) -> int:
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
    corpus = subset_from(options, _read_corpus_to_convert(options, source, types))
    if options.retype:
        corpus = _retype(corpus, options)
    if options.mix:
        corpus = _mix(corpus, options.max_mixtures)
    for loss in list_losses(corpus, target):
        print_warning(f"{corpus.path}: {loss}")
    flush_warnings()
    write(corpus, options.output, target)
    return 0


def _read_corpus_to_convert(options: argparse.Namespace, source: str, types: set[str] | None) -> Corpus:
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
    return corpus if types is None else corpus.keep_types(types)


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
    from errata.formats.essays import TYPES

    if len(options.gold) > 1:
        raise UsageError(
            f"several files are read together only if they are SGML or HOO edits, found {options.gold[1]!r} after {options.gold[0]!r}"
        )
    options.gold = options.gold[0]
    corpus = _complete(whole_corpus_from(options), options.missing)
    return corpus if types is None else corpus.keep_types(types, TYPES)


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
    from errata.formats import Problems, display_path
    from errata.formats.conll import read_conll
    from errata.formats.essays import TYPES, update_types

    path = display_path(options.map_types)
    mapped = update_types(corpus, list(read_conll(options.map_types, Problems(path), options.max_tokens)), path)
    return mapped if types is None else mapped.keep_types(types, TYPES)


def _language(options: argparse.Namespace) -> Language:
    from errata.formats import OFFICIAL

    language = OFFICIAL
    if options.sentence_splitter is not None:
        language = language._replace(split=_find_function(options.sentence_splitter, "--sentence-splitter"))
    if options.tokeniser is not None:
        language = language._replace(tokenise=_find_function(options.tokeniser, "--tokeniser"))
    return language


def _find_function(text: str, option: str) -> Callable[[str], Sequence[str]]:
    """Find a function from a text to a list of texts; it is the user's own code that runs, also from the current folder."""
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise UsageError(f"{option} is written MODULE:FUNCTION, found {text!r}")
    try:
        function = getattr(_import_also_from_here(module), name)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{option} {text} cannot be loaded: {_describe(error)}") from error
    if not callable(function):
        raise UsageError(f"{option} {text} is not a function")

    def call(given: str) -> Sequence[str]:
        most = len(given) + 1
        try:
            result: Any = function(given)
            is_list = isinstance(result, Iterable) and not isinstance(result, str | bytes)
            pieces = list(islice(result, most + 1)) if is_list else []
        except (Exception, SystemExit) as error:
            raise RequestError(f"{option} {text} failed: {_describe(error)}") from error
        if not is_list:
            raise RequestError(f"{option} {text} must return a list of strings, found {type(result).__name__}")
        for piece in pieces:
            if not isinstance(piece, str):
                raise RequestError(f"{option} {text} must return a list of strings, found {type(piece).__name__} in it")
        if len(pieces) > most:
            raise RequestError(f"{option} {text} must return parts of the text, found more than {most:,} for {len(given):,} characters")
        return pieces

    return call


def _import_also_from_here(module: str) -> ModuleType:
    """Import a module that is installed, else from the current folder, which is searched for nothing else."""
    import sys
    from contextlib import suppress
    from importlib import import_module

    sys.path.append("")
    try:
        return import_module(module)
    finally:
        with suppress(ValueError):  # the module itself may have removed it
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index("")]


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


_ALIGN_EXAMPLES = """\
examples:
  errata align examples/learner.m2 examples/alignment/chatty.txt -o chatty.txt
  errata align examples/learner.m2 examples/alignment/chatty.txt \\
      --fill source -o chatty.txt
  errata align examples/learner.m2 examples/alignment/chatty.txt --format json

What is written has one line for each line of SOURCE.  Lines that the output
joined are cut again, lines that it split are joined again with a space, and
lines that are not in SOURCE, such as "Here is the corrected text:", or that
repeat another are left out.  A missing line is an empty line.
All of this is reported on standard error: every line that was moved, joined,
split, left out or is missing, with its number.
Words are compared, so the output may be tokenised or not.
Lines in another order are missing, and left out where they stand.
"""


def _register_align(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "align",
        help="bring an output with other lines to the lines of its source",
        description="Bring an output with other lines to the lines of its source.",
        epilog=_ALIGN_EXAMPLES,
    )
    parser.add_argument("source_text", metavar="SOURCE", help="source: a text with one sentence per line, or gold; - is standard input")
    parser.add_argument("corrected", metavar="OUTPUT", help="output of a system, with any number of lines; - is standard input")
    add_options(parser, "--fill", "--max-tokens")
    add_format(parser, TEXT, ": the lines as text, or lines and operations as JSON")
    add_option(parser, "--output", "; compressed if its name ends in .gz (default: standard output)", default="-")
    parser.set_defaults(run=_run_align, prints=lambda _: False)


def _run_align(options: argparse.Namespace) -> int:
    """Read both, align, write the lines and report what was done."""
    from errata.corpus import align_lines
    from errata.formats.lines import display_path
    from errata.formats.writing import write_files
    from errata.report.progress import print_to_stderr

    if [options.source_text, options.corrected].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    names = {"source_name": display_path(options.source_text), "output_name": display_path(options.corrected)}
    result = align_lines(_read_source(options), _read_lines(options.corrected, options), fill=options.fill, **names)
    flush_warnings()
    write_files({options.output: [_write_json(result, options)] if options.format == "json" else result.lines})
    print_to_stderr(f"errata: {names['output_name']}: {result.summary()}")
    for item in result.operations:
        print_to_stderr(f"errata: {item}")
    return 0


def _read_source(options: argparse.Namespace) -> list[str]:
    """Read the lines of a text, or the sentences of gold."""
    from errata.formats import PARALLEL, find_input_format, read

    path = options.source_text
    if path == "-" or find_input_format(path) == PARALLEL:
        return _read_lines(path, options)
    return [sentence.text for sentence in read(path, max_tokens=options.max_tokens, warn=print_warning)]


def _read_lines(path: str, options: argparse.Namespace) -> list[str]:
    from errata.formats import Problems, display_path
    from errata.formats.lines import read_text_lines

    return [line.text for line in read_text_lines(path, Problems(display_path(path), warn=print_warning), options.max_tokens)]


def _write_json(result: LineAlignment, options: argparse.Namespace) -> str:
    from errata.formats import display_path
    from errata.report.writers import render_json

    operations: list[dict[str, Any]] = [
        {
            "kind": item.kind,
            "source": [item.source[0], item.source[-1]] if item.source else None,
            "output": [item.output[0], item.output[-1]] if item.output else None,
            "texts": list(item.texts),
            **({"note": item.note} if item.note else {}),
        }
        for item in result.operations
    ]
    names = {"source": display_path(options.source_text), "output": display_path(options.corrected), "fill": options.fill}
    return render_json({"errata": __version__, **names, "lines": list(result.lines), "operations": operations})


_ANNOTATE_EXAMPLES = """\
examples:
  errata convert examples/learner.m2 --to parallel -o learner
  errata annotate learner.src learner.ref0 learner.ref1 -o edits.m2
  errata annotate learner.src examples/systems/eager.txt -o eager.m2 \\
      --parses parses.conllu
  errata annotate learner.src learner.ref0 --alignment lev --merge all-split
  errata annotate learner.src learner.ref0 --types nucle

Texts have one tokenised sentence per line.  Each corrected text is an
annotator: 0, 1, ....  What is written is M2, as errant_parallel writes it; an
empty source line has a block too, so that lines do not shift.
Only sentences that are changed are parsed, each once; --parses keeps them.
The rules and types of ERRANT are for English; --types names those of a plug-in
for another language, and edits are then found without a parser.
"""


def _register_annotate(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "annotate",
        help="find the edits between a text and its corrections, with the types of ERRANT",
        description="Find the edits between a text and its corrections by the rules of ERRANT.",
        epilog=_ANNOTATE_EXAMPLES,
    )
    parser.add_argument("source_text", metavar="SOURCE", help="source text, one sentence per line; - is standard input")
    parser.add_argument("corrected", metavar="CORRECTION", nargs="+", help="corrected text, with as many lines; each is an annotator")
    add_option(parser, "--types", " (default errant)", type=type_system_name)
    add_option(parser, "--alignment", "; with other types than ERRANT's, lev is the default", default=None)
    add_option(parser, "--merge", "; with other types than ERRANT's, all-merge is the default", default=None)
    add_options(parser, "--analyser", "--parses", "--max-tokens")
    add_option(parser, "--output", "; compressed if its name ends in .gz (default: standard output)", default="-")
    parser.set_defaults(run=_run_annotate, prints=lambda _: False)


def _run_annotate(options: argparse.Namespace) -> int:
    from errata.formats.lines import display_path
    from errata.formats.writing import write_files
    from errata.language.errant import annotate_sentences
    from errata.report.progress import ProgressBar

    if [options.source_text, *options.corrected].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    sources = [line.tokens for line in _read_texts_to_annotate(options.source_text, options)]
    columns = [_read_corrections(path, len(sources), options) for path in options.corrected]
    paths = [display_path(path) for path in options.corrected]
    extractor = _make_extractor(options)
    with ProgressBar("annotating", len(sources)) as bar:
        sentences = annotate_sentences(sources, columns, extractor, paths)
        write_files({options.output: _write_lines(sentences, paths, bar.advance)})
    return 0


def _make_extractor(options: argparse.Namespace) -> FindsEdits:
    """ERRANT's rules, or those of another system of types for edits that need no parses unless --alignment or --merge say so."""
    from errata.language.errant import Extractor, TypedExtractor
    from errata.language.types import find_type_system

    if options.types in {None, ERRANT}:
        from errata.language.types import find_word_list

        alignment: AlignmentName = options.alignment or "linguistic"
        merge: MergeName = options.merge or "rules"
        return Extractor(bank_from(options), alignment, merge, find_word_list())
    system = find_type_system(options.types)
    return TypedExtractor(Extractor(bank_from(options), options.alignment or "lev", options.merge or "all-merge"), system)


def _read_texts_to_annotate(path: str, options: argparse.Namespace) -> Iterator[TextLine]:
    from errata.formats import Problems, display_path
    from errata.formats.lines import read_text_lines

    return read_text_lines(path, Problems(display_path(path), warn=print_warning), options.max_tokens)


def _read_corrections(path: str, sources: int, options: argparse.Namespace) -> list[TextLine]:
    """Read a corrected text, which must have as many lines as the source."""
    from errata.corpus.corpus import take_at_most
    from errata.formats.lines import display_path

    whole = f"{sources:,} of {display_path(options.source_text)}"
    lines = take_at_most(_read_texts_to_annotate(path, options), sources, display_path(path), whole)
    if len(lines) < sources:
        raise MismatchError(f"{display_path(path)} has too few lines: {len(lines):,} for the {whole}")
    return lines


def _write_lines(sentences: Iterable[Sentence], paths: Sequence[str], progress: Callable[[int], None]) -> Iterator[str]:
    """Yield the lines of M2; what M2 cannot express is an error that names the line."""
    from errata.formats.m2 import format_m2

    for number, sentence in enumerate(sentences, start=1):
        try:
            yield from format_m2([sentence])
        except RequestError as error:
            raise RequestError(f"{' or '.join(paths)}:{number}: {error}") from None
        progress(1)


COMMANDS = {"check": _register_check, "convert": _register_convert, "align": _register_align, "annotate": _register_annotate}
