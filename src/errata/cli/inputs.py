"""The arguments that name a corpus and systems, and how they are read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from errata.cli.printing import print_warning
from errata.cli.vocabulary import OF_HOO_EDITS, add_option, add_options
from errata.corpus.texts import RANGES_EXPECTED, looks_like_ranges, write_ranges
from errata.corpus.unicode import AS_GIVEN
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, System

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
    from errata.corpus.corpus import WHITESPACE_TOKENS

    names = dict.fromkeys(system.tokenisation for system in systems if system.tokenisation != WHITESPACE_TOKENS)
    return (f"Outputs tokenised by {', '.join(names)}.",) if names else ()


def systems_from(options: argparse.Namespace, arguments: Sequence[str], gold: Corpus) -> list[System]:
    """Read systems, named as the user says or after their files; each must have as many sentences as the gold."""
    from errata.corpus import find_tokeniser
    from errata.corpus.checks import OutputChecks
    from errata.corpus.corpus import fit_system
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
        systems = [fit_system(gold, system) for system in systems]
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
