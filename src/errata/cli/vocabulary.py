"""Every option of every command, declared once, and which go together: one name has one meaning.

A command takes options from here by their names.
It may add a note to the help text, narrow the values and say what the default is; what the option means stays the same.
"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.cli.parser import Once
from errata.corpus.alternatives import MOST_MIXTURES
from errata.corpus.annotators import MISSING
from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.corpus.tokenisation import TOKEN_RULES
from errata.corpus.unicode import UNICODE_FORMS
from errata.errors import UsageError
from errata.formats.lines import Limits
from errata.formats.registry import ESSAY_UNITS
from errata.settings import (
    AUTO,
    BLOCK_SIZE,
    COEFFICIENTS,
    CORRECTIONS,
    DEFAULT_MAX_FILES,
    DEFAULT_RUNS,
    DETAILS,
    FILLS,
    METHODS,
    MOST_REPLICATES,
    MOST_SENTENCES,
    PAIR_KINDS,
    PART_SIZE,
    PIVOT_MEASURES,
    RANKING_METHODS,
    TESTS,
    TIE_RULES,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errata.cli.parser import Parser


INPUT, _METRIC, TYPES, _STATISTICS, _OUTPUT = "input", "metric", "error types", "intervals and tests", "output"
_WORK = "work on many cores"
ESSAYS, _CASES, GRAPHS, PERFECT, _DETECTION = "essays (SGML)", "cases", "semantic graphs", "perfect corrector", "detection"
_EVENT, _SERVER = "event", "server"
"""Titles under which a help text lists options, in every command the same."""

SCORE_TABLE = "FILE[:NAME]"
"""A table of scores, of which a name chooses some."""
FILES = frozenset(
    {
        SCORE_TABLE,
        "GOLD",
        "SYSTEM",
        "FILE",
        "PATH",
        "CASES",
        "CORRECTIONS",
        "SOURCE",
        "CORRECTION",
        "TASK",
        "CONLL",
        "BASELINE",
        "NEW",
        "OUTPUT",
    }
)
"""Names of arguments that are files or folders."""
_EVENT_FOLDER = "event-data"
"""Where the data of an event are."""
TOP_EDITS = 10
"""Edits of each outcome that a digest for people has."""
OF_HOO_EDITS = ", of HOO edits; a file or a folder, and may be repeated"
"""What most commands say about --source."""
PICTURE_ENDINGS = ".svg, .png or .pdf"


class _Option(NamedTuple):
    """An option: where a help text lists it, what it means, and what argparse is told."""

    group: str
    meaning: str
    settings: dict[str, Any]
    short: str = ""


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A type of argument: a whole number in a range."""

    def convert(text: str) -> int:
        digits = text.replace("_", "").replace(",", "")
        if not digits.isdecimal() or len(digits) > len(str(most)) or not least <= int(digits) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least:,} to {most:,}, found {text[:40]!r}")
        return int(digits)

    return convert


_SIZE = re.compile(r"(\d{1,15})([KMG]?)B?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _size(text: str) -> int:
    """A type of argument: a number of bytes, as a whole number or with K, M or G."""
    match = _SIZE.fullmatch(text.replace("_", "").replace(",", ""))
    count = int(match[1]) * _UNITS[match[2].upper()] if match else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"expected a number of bytes such as 1000000, 500M or 2G, found {text[:40]!r}")
    return count


def _tokeniser_name(text: str) -> str:
    """A type of argument: the name of a tokeniser."""
    from errata.corpus.tokenisation import check_tokeniser

    try:
        return check_tokeniser(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _level(text: str) -> float:
    """A type of argument: the level of an interval, as a share or with a percent sign."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"expected a level between 0 and 1, such as 0.95, found {text[:40]!r}")
    return share


def _points(text: str) -> float:
    """A type of argument: a number of points of a score."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 100:  # noqa: PLR2004 - all of a score
        raise argparse.ArgumentTypeError(f"expected a number of points above 0 and up to 100, such as 0.5, found {text[:40]!r}")
    return number


def _flag() -> dict[str, Any]:
    return {"action": "store_true"}


def _several(metavar: str) -> dict[str, Any]:
    return {"action": "append", "metavar": metavar}


def _number(metavar: str, least: int, most: int) -> dict[str, Any]:
    return {"type": whole_number(least, most), "metavar": metavar}


OPTIONS: dict[str, _Option] = {
    # What is read.
    "--reference": _Option(INPUT, "reference text; the first file is then the source text; may be repeated", _several("FILE"), "-r"),
    "--from": _Option(INPUT, "format of the input", {"dest": "input_format", "metavar": "FORMAT"}),
    "--table": _Option(INPUT, "format of the input table (default: by its extension)", {"choices": ("csv", "tsv", "jsonl", "parquet")}),
    "--lenient": _Option(INPUT, "skip edits with impossible offsets, with a warning, as the official scorer does", _flag()),
    "--max-tokens": _Option(
        INPUT,
        f"longest line or graph that is read, in tokens (default {DEFAULT_MAX_TOKENS:,}); time and memory grow with its square",
        {**_number("N", 1, 1_000_000), "default": DEFAULT_MAX_TOKENS},
    ),
    "--max-bytes": _Option(
        INPUT,
        f"most bytes of an input file after decompression, such as 500M or 2G (default {Limits.max_bytes >> 30}G)",
        {"type": _size, "metavar": "SIZE"},
    ),
    "--max-lines": _Option(INPUT, f"most lines of an input file (default {Limits.max_lines:,})", _number("N", 1, 10**12)),
    "--max-columns": _Option(INPUT, f"most columns of a table (default {Limits.max_columns:,})", _number("N", 1, 10**6)),
    "--max-field": _Option(
        INPUT,
        f"longest value of a table, in characters, such as 10M (default {Limits.max_field >> 20}M)",
        {"type": _size, "metavar": "SIZE"},
    ),
    "--tokenise": _Option(
        INPUT,
        "how outputs are tokenised: source (as the source, and changed words by the rule of the gold; source:RULE names the rule: "
        + ", ".join(TOKEN_RULES)
        + "), ptb (Penn Treebank), spacy, characters (of Chinese and Japanese, as the gold has them), or whitespace (the default: they are "
        "tokenised already)",
        {"type": _tokeniser_name, "metavar": "NAME", "default": WHITESPACE_TOKENS},
    ),
    "--strict": _Option(
        INPUT, "an output that does not look like corrections of the source, line by line and in its tokens, is an error", _flag()
    ),
    "--documents": _Option(
        INPUT, "file with the document name of each sentence, one per line, if GOLD does not name documents", {"metavar": "FILE"}
    ),
    "--against": _Option(INPUT, "gold; every FILE is checked as the output of a system for it", {"metavar": "GOLD"}),
    "--column": _Option(INPUT, "name of a column, such as written=original; may be repeated", _several("ROLE=NAME")),
    "--gold": _Option(INPUT, "gold edits: XML files, or a folder of them", {"nargs": "+", "metavar": "PATH"}),
    "--oracle": _Option(INPUT, "gold; the candidates that are best for it are picked", {"metavar": "GOLD"}),
    "--system": _Option(INPUT, "output of a system: edits (XML) or texts, files or a folder", {"nargs": "+", "metavar": "PATH"}),
    "--allow-outside": _Option(INPUT, "let a task name files outside its folder, also through links", _flag()),
    "--max-files": _Option(
        INPUT,
        f"most files that a task names, those that match its patterns included (default {DEFAULT_MAX_FILES:,})",
        {**_number("N", 1, 100_000), "default": DEFAULT_MAX_FILES},
    ),
    "--unit": _Option(
        INPUT,
        "what is scored of essays in Markdown (MultiGEC): each sentence (the default), paragraph or document of the source",
        {"choices": ESSAY_UNITS},
    ),
    "--unicode": _Option(
        INPUT,
        "how gold and outputs are normalised: none (the default, as in official tools), NFC (canonical equivalence) or NFKC (compatibility "
        "too, such as full-width letters)",
        {"choices": UNICODE_FORMS},
    ),
    "--spaces": _Option(
        _OUTPUT,
        "spaces between the tokens that are shown: auto (the default: none between characters of Chinese and other scripts without spaces, "
        "if the tokens of the gold are characters) or all; data always have them",
        {"choices": ("auto", "all"), "default": "auto"},
    ),
    "--fill": _Option(
        INPUT,
        "what stands for a line that the output does not have: empty (an empty line, the default) or source (the line of the source)",
        {"choices": FILLS, "default": "empty"},
    ),
    "--outputs": _Option(
        INPUT,
        "outputs of systems that were judged, to find out how sentences are numbered and to join identical ones; NAME=FILE names one",
        {"nargs": "+", "metavar": "SYSTEM", "default": []},
    ),
    "--first-sentence": _Option(
        INPUT, "number of the first sentence in judgments: 0 or 1 (default: found from outputs)", _number("N", 0, 1)
    ),
    "--judgments": _Option(
        INPUT, "judgments of people: XML, CSV or TSV, as errata judgments reads them; may be repeated", _several("FILE")
    ),
    "--human-scores": _Option(
        INPUT, "scores of systems by people, as a table, instead of judgments; FILE:NAME chooses one of several", {"metavar": SCORE_TABLE}
    ),
    "--scores": _Option(
        INPUT,
        "scores of systems by other metrics: a table with the column system, numbers, and perhaps names and sentences; FILE:NAME chooses "
        "some by a pattern; may be repeated",
        _several(SCORE_TABLE),
    ),
    "--judged-only": _Option(INPUT, "score only the sentences that were judged", _flag()),
    "--data-folder": _Option(
        INPUT, "where data sets are kept (default: $ERRATA_DATA_FOLDER, or the folder of the user)", {"metavar": "FOLDER"}
    ),
    "--unverified": _Option(INPUT, "take a copy of a data set that is not recognised; whoever uses it is warned", _flag()),
    "--judges": _Option(INPUT, "only the judgments of these judges, separated by commas; may be repeated", _several("NAMES")),
    "--leave-out": _Option(
        INPUT,
        "leave out these judges, or systems with all their pairs, separated by commas; may be repeated",
        _several("NAMES"),
    ),
    "--unmatched": _Option(
        INPUT,
        "systems without scores by people or by a metric: skip (leave them out with a warning, the default) or refuse",
        {"choices": ("skip", "refuse"), "default": "skip"},
    ),
    "--source": _Option(INPUT, "text before correction", _several("PATH")),
    "--missing": _Option(
        INPUT,
        "what an annotator without a line for a sentence is, if others have one: "
        + ", ".join(f"{policy} ({meaning})" for policy, meaning in MISSING.items()),
        {"choices": tuple(MISSING)},
    ),
    # A shared task that runs.
    "--data": _Option(
        _EVENT, f"folder with the data of the event (default {_EVENT_FOLDER})", {"metavar": "FOLDER", "default": _EVENT_FOLDER}
    ),
    "--database": _Option(
        _EVENT,
        "database of the event, postgresql://... (default: $ERRATA_DATABASE, where no other user can read the password, or else SQLite in "
        "the data folder)",
        {"metavar": "URL"},
    ),
    "--names": _Option(_EVENT, "file of names to add, one in each line", {"metavar": "FILE"}),
    "--phase": _Option(_EVENT, "phase of the event", {"metavar": "NAME"}),
    "--description": _Option(
        _EVENT, "description of the submission, which its team and organisers see", {"metavar": "TEXT", "default": ""}
    ),
    "--proposals": _Option(_EVENT, "the file proposes alternative answers to the gold, in a phase that asks for them; text or M2", _flag()),
    "--host": _Option(_SERVER, "address on which the server listens (default 127.0.0.1: only for this machine)", {"metavar": "HOST"}),
    "--port": _Option(_SERVER, "port on which it listens (default 8000; 0 for any that is free)", _number("PORT", 0, 65_535)),
    "--public-url": _Option(
        _SERVER, "address under which a reverse proxy serves the event, such as https://task.example.org", {"metavar": "URL"}
    ),
    "--max-upload": _Option(
        _SERVER, "most bytes of an upload after decompression, such as 20M (default 10,000,000)", {"type": _size, "metavar": "SIZE"}
    ),
    "--server": _Option(_SERVER, "address of the event, such as https://task.example.org", {"metavar": "URL"}),
    "--token-file": _Option(_SERVER, "file that has nothing but the token (default: the token is $ERRATA_TOKEN)", {"metavar": "FILE"}),
    "--plain-http": _Option(_SERVER, "send the token over plain HTTP to another machine, though everybody on the way can read it", _flag()),
    # What is computed.
    "--metric": _Option(_METRIC, "metric, with settings in parentheses", {"metavar": "METRIC"}, "-m"),
    "--beta": _Option(_METRIC, "weight of recall against precision in F (default 1)", {"type": float, "default": 1.0, "metavar": "B"}),
    "--rules": _Option(_METRIC, "year of the task whose rules are used", {"choices": ("2011", "2012")}),
    "--edits": _Option(
        _METRIC,
        "how edits are extracted from texts: wdiff (as in the original tools, the default), or maxmatch (sentence by sentence, as MaxMatch "
        "does; the scores of wdiff are printed too)",
        {"choices": ("wdiff", "maxmatch")},
    ),
    "--offsets": _Option(
        _METRIC,
        "offsets of extracted edits: wdiff (as in the original tools, the default) or text (the true offsets)",
        {"choices": ("wdiff", "text")},
    ),
    "--per": _Option(
        _METRIC, "whether picks maximise the expected value of the corpus or of each sentence", {"choices": ("corpus", "sentence")}
    ),
    "--smoothing": _Option(
        _METRIC, "correct edits that are added to each sentence, so that F is above 0 (default 0.5)", {"type": float, "metavar": "K"}
    ),
    "--temperature": _Option(
        _METRIC, "weigh candidates by the softmax of their scores at this temperature (default: all alike)", {"type": float, "metavar": "T"}
    ),
    "--graphs": _Option(
        GRAPHS, "graphs of source and outputs, for uccasim and distsim: a file or a folder; may be repeated", _several("PATH")
    ),
    "--parser": _Option(
        GRAPHS,
        "make graphs with a parser: spacy, that of a plug-in, or a program: command:PROGRAM (writes MRP), command-conllu:PROGRAM or "
        "command-ucca:PROGRAM",
        {"dest": "graph_parser", "metavar": "PARSER"},
    ),
    "--text": _Option(GRAPHS, "text of the passages, one sentence per line; each sentence becomes a graph", {"metavar": "FILE"}),
    "--agreement": _Option(
        GRAPHS,
        "measure the agreement (DAG F) of graphs of the same text instead; the value says how labels are compared",
        {"choices": ("weak", "strict", "unlabelled")},
    ),
    "--pairs": _Option(GRAPHS, "only these pairs, by the ids of their sources, separated by commas", {"metavar": "IDS"}),
    "--ranking": _Option(
        _METRIC,
        "how judgments rank systems: expected-wins (the default), trueskill or bradley-terry",
        {"choices": (*RANKING_METHODS, "none"), "default": RANKING_METHODS[0]},
    ),
    "--runs": _Option(_METRIC, f"runs of TrueSkill (default {DEFAULT_RUNS}; 1,000 in papers)", _number("N", 2, 100_000)),
    "--opponents": _Option(
        _METRIC,
        "opponents over which expected wins by a single judge are averaged: decided (all with a pair that was not tied, the default) or "
        "won (those that the system beat at least once, as Grundkiewicz et al. 2015)",
        {"choices": ("decided", "won"), "default": "decided"},
    ),
    "--judged-pairs": _Option(
        _METRIC,
        "pairs on which sentences are compared: collapsed (of outputs, the default) or expanded (of systems)",
        {"choices": PAIR_KINDS, "default": "collapsed"},
    ),
    "--ties": _Option(
        _METRIC,
        "what a tie of the metric is: " + ", ".join(f"{rule} ({meaning})" for rule, meaning in TIE_RULES.items()) + "; default neither",
        {"choices": tuple(TIE_RULES), "default": "neither"},
    ),
    "--coefficient": _Option(
        _METRIC,
        "correlation by which metrics and settings are compared: pearson (default), spearman or kendall",
        {"choices": COEFFICIENTS, "default": "pearson"},
    ),
    "--without": _Option(
        _METRIC,
        "also compare without these systems, separated by commas; outliers stands for systems far from the others; may be repeated",
        _several("NAMES"),
    ),
    "--window": _Option(
        _METRIC,
        "also correlate every N neighbours in the ranking by people; may be repeated",
        {**_number("N", 3, 10**6), "action": "append"},
    ),
    "--sweep": _Option(
        _METRIC,
        "try values of a setting of the metric, such as beta=0.1:2, order=1:6:1 or choice=official,optimal, with cross-validation over "
        "systems",
        {"metavar": "NAME=VALUES"},
    ),
    "--analyser": _Option(
        _METRIC, "what parses sentences for errant: spacy (default), spacy:MODEL, or that of a plug-in", {"metavar": "NAME"}
    ),
    "--parses": _Option(
        _METRIC,
        "file of parses for errant: those that it has are used, others are added to it; it is made if there is none",
        {"metavar": "FILE"},
    ),
    "--alignment": _Option(
        _METRIC,
        "how the words of two texts are aligned: linguistic (by lemmas, parts of speech and letters, the default) or lev (by Levenshtein "
        "distance)",
        {"choices": ("linguistic", "lev"), "default": "linguistic"},
    ),
    "--merge": _Option(
        _METRIC,
        "how changed words are merged to edits: rules (the default), all-split (each is an edit), all-merge (adjacent ones are one) or "
        "all-equal (adjacent ones of the same kind are)",
        {"choices": ("rules", "all-split", "all-merge", "all-equal"), "default": "rules"},
    ),
    # Where it is computed.
    "--jobs": _Option(_WORK, "how many cores are used; results are the same (default: all)", _number("N", 1, 10_000)),
    "--engine": _Option(
        _WORK,
        "where the work is done: threads, processes, dask (a cluster of processes on this machine) or dask:tcp://HOST:PORT (a cluster that "
        "runs); results are the same (default: what is fastest here)",
        {"metavar": "ENGINE"},
    ),
    "--part": _Option(
        _WORK,
        "do only the K-th of N equal shares of the work, as one of several jobs; errata evidence merge joins them",
        {"metavar": "K/N"},
    ),
    "--part-size": _Option(
        _WORK,
        f"sentences of a part, a multiple of {BLOCK_SIZE:,} (default {PART_SIZE:,})",
        {**_number("N", BLOCK_SIZE, 1 << 24), "default": PART_SIZE},
    ),
    # Error types and words.
    "--types": _Option(
        TYPES,
        "only these error types, separated by commas; in errata score, report and annotate, a system of types: errant (gold and system get "
        "the types of ERRANT), nucle (wrong edits get types by parts of speech) or that of a plug-in; score needs --by-type",
        {"metavar": "TYPES"},
    ),
    "--by-type": _Option(TYPES, "print scores for each error type", _flag()),
    "--pivot": _Option(
        TYPES,
        "with --by-type, print types as rows and systems as columns, with one measure: auto (the default: f, or recall "
        "if some types have no f), f, precision or recall",
        {"nargs": "?", "choices": (AUTO, *PIVOT_MEASURES), "const": AUTO},
    ),
    "--type-detail": _Option(
        TYPES,
        "what is shown of ERRANT's types: operation (such as M), category (DET) or full (M:DET, the default)",
        {"choices": DETAILS},
    ),
    "--retype": _Option(
        TYPES,
        "give edits the types of ERRANT, as errant_m2 does: auto (those of each annotator are applied and extracted anew) or gold (they "
        "stay, without equal tokens at their ends)",
        {"choices": ("auto", "gold")},
    ),
    "--keep-spans": _Option(TYPES, "with --retype gold, keep equal tokens at the ends of edits too", _flag()),
    "--tagger": _Option(
        TYPES,
        "part-of-speech tagger that gives wrong edits a type: textblob (the default for English), spacy, spacy:MODEL, that of a plug-in, "
        "or none",
        {"metavar": "NAME"},
    ),
    "--pos-tags": _Option(
        TYPES, "file of part-of-speech tags instead of a tagger: .conll, or lines of token, tab and tag; may be repeated", _several("FILE")
    ),
    "--type-order": _Option(
        TYPES, "order in which types are tried for wrong edits (default ArtOrDet,Prep,Nn,Vform/SVA)", {"metavar": "TYPES"}
    ),
    "--confusion-set": _Option(
        TYPES,
        "only positions where one of these words is written, annotated or proposed, or with gaps may stand: articles, commas, "
        "prepositions, or words separated by commas",
        {"metavar": "WORDS"},
    ),
    "--map-types": _Option(ESSAYS, "map NUCLE 2.0 error types to 2.1, using the parses in this .conll file", {"metavar": "CONLL"}),
    # Essays.
    "--alternatives": _Option(ESSAYS, "essays with alternative answers; may be repeated", _several("FILE")),
    "--tokens": _Option(ESSAYS, "sentences and tokens of the essays: .conll, .m2 or text", {"metavar": "FILE"}),
    "--profile": _Option(
        ESSAYS,
        "rules of a release of M2 files (default conll14; bryant15 for the ten annotators of Bryant and Ng)",
        {"choices": ("conll13", "conll14", "bryant15")},
    ),
    "--sentence-splitter": _Option(ESSAYS, "your function that splits a paragraph into sentences", {"metavar": "MODULE:FUNCTION"}),
    "--tokeniser": _Option(ESSAYS, "your function that splits a sentence into tokens", {"metavar": "MODULE:FUNCTION"}),
    # Mixed references.
    "--mix": _Option(_OUTPUT, "write all mixtures of the annotators' corrections, each as an annotator", _flag()),
    "--max-mixtures": _Option(
        _OUTPUT,
        f"most mixtures of a sentence that --mix writes (default {MOST_MIXTURES:,}); sentences with more keep their annotators",
        {**_number("N", 1, 1_000_000), "default": MOST_MIXTURES},
    ),
    # Which sentences.
    "--sentences": _Option(
        INPUT, "only these sentences: numbers and ranges, such as 3,10-12, or a file with one in each line", {"metavar": "LIST"}
    ),
    "--as-subset": _Option(INPUT, "score only the sentences that --sentences names, as errata score does", _flag()),
    "--max-sentences": _Option(
        INPUT, f"most sentences in the page (default {MOST_SENTENCES:,}); if there are more, an even sample", _number("N", 1, 10**9)
    ),
    "--outcome": _Option(
        INPUT, "only sentences with such an edit or token; may be repeated", {"action": "append", "choices": ("right", "wrong", "missed")}
    ),
    "--search": _Option(INPUT, "only sentences whose source or output contains TEXT, ignoring case", {"metavar": "TEXT", "default": ""}),
    "--chosen": _Option(INPUT, "only the annotator chosen for each sentence, not all", _flag()),
    # Detection.
    "--case": _Option(_CASES, "what a case is (default token)", {"choices": ("token", "character", "edit", "gap", "sentence")}),
    "--judged-by": _Option(
        _CASES,
        "who says what is an error: chosen (the reference chosen for each system, the default), vote (more than half of the annotators) "
        "or graded (the share of annotators)",
        {"choices": ("chosen", "vote", "graded")},
    ),
    "--annotator": _Option(_CASES, "only this annotator says what is an error", {"metavar": "NAME"}),
    "--sites": _Option(
        _CASES,
        "only gaps at these tags: noun-phrases, or tags around a gap, which is written _, such as '_ NN*'; may be repeated",
        _several("TAGS"),
    ),
    "--threshold": _Option(_DETECTION, "flag the cases whose confidence is at least T", {"type": float, "metavar": "T"}),
    "--measure": _Option(
        _DETECTION, "measure to rank and compare by (default kappa; f for edits, where kappa is undefined)", {"metavar": "NAME"}
    ),
    "--curves": _Option(_DETECTION, "write the points of the curves over the threshold: .csv or .json", {"metavar": "FILE"}),
    "--points": _Option(_DETECTION, "write about N points of each curve (default all)", _number("N", 2, 10**9)),
    "--panel": _Option(
        _DETECTION, "draw only this panel of the chart; may be repeated", {"action": "append", "choices": ("pr", "roc", "kappa", "bias")}
    ),
    "--prevalence": _Option(_DETECTION, "shares of cases that are errors, separated by commas", {"metavar": "SHARES"}),
    "--bias": _Option(_DETECTION, "shares of cases that are flagged, separated by commas", {"metavar": "SHARES"}),
    # Coverage of references.
    "--match": _Option(_METRIC, "when two corrections are the same (default exact)", {"choices": ("exact", "index")}),
    "--normalise": _Option(
        _METRIC, "how texts are normalised before they are compared (default words)", {"choices": ("tokens", "case", "words", "words2016")}
    ),
    "--positions": _Option(_METRIC, "positions that index match compares (default published)", {"choices": ("published", "formal")}),
    "--reference-counts": _Option(
        PERFECT, "numbers of references to report, such as 1,2,5 or 1-20 (default 1,2,5,10,20)", {"metavar": "NUMBERS"}
    ),
    "--target-accuracy": _Option(
        PERFECT, "accuracies for which to report the number of references needed (default 0.5,0.8,0.9)", {"metavar": "SHARES"}
    ),
    "--matched-sentences": _Option(PERFECT, "report p-values for K matched sentences", _number("K", 0, 10**9)),
    "--matched-references": _Option(PERFECT, "number of references for --matched-sentences (default 2)", _number("M", 0, 10**6)),
    "--test-size": _Option(PERFECT, "number of sentences in a simulated test set (default 1,312)", _number("N", 1, 10**6)),
    "--error-free": _Option(PERFECT, "error-free sentences in a simulated test set (default 136; 0 for a corpus)", _number("N", 0, 10**6)),
    "--simulations": _Option(PERFECT, "number of simulated test sets (default 1,000)", _number("N", 1, 100_000)),
    "--scored-outputs": _Option(
        PERFECT,
        "number of outputs to score, if a metric scores an output against all its references together, as imeasure does; "
        "test sets are resampled from them (default 5,000)",
        _number("N", 1, 10**7),
    ),
    "--relative-to": _Option(
        PERFECT,
        "divide scores by that of a perfect corrector with as many references as GOLD, estimated from CORRECTIONS: "
        "a table of many people's corrections, or a corpus with several references",
        {"metavar": "CORRECTIONS"},
    ),
    "--exclude-self": _Option(
        PERFECT, "never score an answer against itself as a reference (default for a corpus)", {**_flag(), "default": None}
    ),
    "--tokenise-corrections": _Option(PERFECT, "tokenise corrections as in the CoNLL shared tasks", {**_flag(), "default": None}),
    "--worth-chart": _Option(PERFECT, f"draw when correcting pays off, by number of references: {PICTURE_ENDINGS}", {"metavar": "FILE"}),
    "--reward": _Option(
        PERFECT, "reward for a correction that is among the references, for --worth-chart (default 1)", {"type": float, "metavar": "R"}
    ),
    "--penalty": _Option(
        PERFECT, "penalty for a correction that is not among the references, for --worth-chart (default 0)", {"type": float, "metavar": "P"}
    ),
    # Intervals and tests.
    "--confidence": _Option(
        _STATISTICS,
        "add confidence intervals, of 95%% or of another level such as 0.99",
        {"nargs": "?", "type": _level, "const": 0.95, "metavar": "LEVEL"},
    ),
    "--interval": _Option(_STATISTICS, "kind of interval (default bca)", {"choices": (*METHODS, "hierarchical")}),
    "--replicates": _Option(_STATISTICS, "number of replicates", _number("N", 0, MOST_REPLICATES)),
    "--seed": _Option(_STATISTICS, "seed of the random numbers (default 0)", _number("N", 0, 10**18)),
    "--rechoose": _Option(_STATISTICS, "choose among references again in every replicate", {**_flag(), "default": None}),
    "--resample": _Option(_STATISTICS, "what is resampled", {"choices": ("sentence", "document", "case", "item", "judge")}),
    "--test": _Option(_STATISTICS, "significance test of two systems", {"choices": TESTS}),
    "--against-source": _Option(
        _STATISTICS, "compare each system with the unchanged source, on the references chosen for the system; for imeasure", _flag()
    ),
    "--correction": _Option(_STATISTICS, "p-value correction for the number of pairs (default holm)", {"choices": CORRECTIONS}),
    "--alpha": _Option(_STATISTICS, "significance level (default 0.05)", {"type": float, "metavar": "P", "default": 0.05}),
    "--drop": _Option(
        _STATISTICS,
        "accept a drop of less than D points, such as 0.5; the new output must be shown not to be worse by D or more (default: it must not "
        "be significantly worse)",
        {"type": _points, "metavar": "D"},
    ),
    # What is printed and written.
    "--clusters": _Option(_OUTPUT, "list the sentences whose edits cannot be clustered into errors clearly, and why", _flag()),
    "--per-sentence": _Option(_OUTPUT, "print every sentence", _flag()),
    "--per-document": _Option(_OUTPUT, "print every document", _flag()),
    "--parts": _Option(
        _OUTPUT,
        "parts of the score to print, separated by commas, named as in JSON: all, a group or a part, such as correction.tp",
        {"metavar": "NAMES"},
    ),
    "--columns": _Option(
        _OUTPUT,
        "columns of the table to print, in this order, separated by commas: names as in CSV, or headings",
        {"metavar": "NAMES"},
    ),
    "--letters": _Option(
        _OUTPUT,
        "add letters of significance: systems that share one are not significantly different; superscripts in LaTeX",
        _flag(),
    ),
    "--bold": _Option(
        _OUTPUT,
        "whether the best values are bold: auto (in LaTeX, the default), always (in Markdown too) or never",
        {"choices": ("auto", "always", "never"), "default": "auto"},
    ),
    "--head-to-head": _Option(_OUTPUT, "add the share of wins of each system against each other", _flag()),
    "--by-judge": _Option(_OUTPUT, "add the agreement of each metric with each judge", _flag()),
    "--by-judge-pair": _Option(_OUTPUT, "add the agreement of each pair of judges", _flag()),
    "--window-chart": _Option(_OUTPUT, f"draw the correlations of windows: {PICTURE_ENDINGS}", {"metavar": "FILE"}),
    "--heatmap": _Option(_OUTPUT, f"draw the correlations of all metrics as a heat map: {PICTURE_ENDINGS}", {"metavar": "FILE"}),
    "--per-pair": _Option(_OUTPUT, "print every pair of graphs", _flag()),
    "--by-category": _Option(_OUTPUT, "add a table of units kept, by category", _flag()),
    "--digest": _Option(_OUTPUT, "count equal edits, and print those that are most often right, wrong and missed", _flag()),
    "--top": _Option(
        _OUTPUT, f"most edits of each kind that are listed (default {TOP_EDITS}; all as JSON and CSV)", _number("N", 1, 10**9)
    ),
    "--lattice": _Option(_OUTPUT, "show the edit lattice with the path that matches gold best, as text, JSON or a picture", _flag()),
    "--inspect": _Option(_OUTPUT, "print every pair unit by unit: kept, lost and added", _flag()),
    "--histogram": _Option(_OUTPUT, "add a histogram of the number of changed words per sentence", _flag()),
    "--sentence-ends": _Option(
        _OUTPUT,
        "add a table of all splits and joins of sentences, which end with one of these marks, such as '.?!;'",
        {"metavar": "MARKS"},
    ),
    "--without-small-changes": _Option(_OUTPUT, "leave words that differ by one or two letters out of the histogram", _flag()),
    "--errors-only": _Option(_OUTPUT, "print errors only, no warnings", _flag()),
    "--picture": _Option(_OUTPUT, "draw one pair of graphs and its alignment: .svg", {"metavar": "FILE"}),
    "--chart": _Option(_OUTPUT, f"draw the result as a chart: {PICTURE_ENDINGS}", {"metavar": "FILE"}),
    "--write-edits": _Option(_OUTPUT, "write the edits of the system as XML, a file for each document", {"metavar": "FOLDER"}),
    "--title": _Option(_OUTPUT, "title of the page (default: the name of the gold)", {"metavar": "TEXT", "default": ""}),
    "--digits": _Option(_OUTPUT, "digits after the point in tables (default 2)", {**_number("N", 0, 15), "default": 2}),
    "--paths": _Option(_OUTPUT, "print folders, the name of the user and values of environment variables in messages", _flag()),
    "--format": _Option(_OUTPUT, "how to print", {"choices": ("table", "text", "json", "csv", "html", "markdown", "latex", "svg", "list")}),
    "--color": _Option(
        _OUTPUT, "when to use colours (default auto: on a terminal)", {"choices": ("auto", "always", "never"), "default": "auto"}
    ),
    "--list": _Option(_OUTPUT, "list all that is dropped, repeated or trimmed, not one line for each kind", _flag()),
    "--to": _Option(_OUTPUT, "format to write", {"metavar": "FORMAT"}),
    "--output": _Option(_OUTPUT, "write to PATH, in full or not at all", {"metavar": "PATH"}, "-o"),
    "--quiet": _Option(_OUTPUT, "print no warnings and no progress", _flag(), "-q"),
    "--verbose": _Option(_OUTPUT, "print every warning, not one line for each kind", _flag(), "-v"),
}


def add_option(parser: Parser, name: str, note: str = "", **changes: Any) -> None:
    """Add an option of the vocabulary; ``note`` ends its help text, ``changes`` narrow what argparse is told."""
    option = OPTIONS[name]
    settings = {**option.settings, **changes}
    if settings.setdefault("action", Once) == "append":
        settings.setdefault("default", [])
    names = (option.short, name) if option.short else (name,)
    parser.group(option.group).add_argument(*names, help=option.meaning + note, **settings)


def add_options(parser: Parser, *names: str) -> None:
    """Add options as they are."""
    for name in names:
        add_option(parser, name)


def add_format(parser: Parser, formats: tuple[str, ...], note: str = "") -> None:
    """Add the format of what is printed; the first is the default, unless the ending of --output says another."""
    add_option(parser, "--format", f" (default {formats[0]}){note}", choices=formats)
    parser.set_defaults(formats=formats)


class _Combination(NamedTuple):
    """Options that need another one, or exclude it."""

    options: tuple[str, ...]
    other: str
    """An option, an option with a value, one of several options, or SYSTEM for files of systems."""
    needed: bool
    reason: str = ""
    unless_json: bool = False
    """Whether JSON holds both."""


def _needs(options: str, other: str, reason: str = "") -> _Combination:
    return _Combination(tuple(options.split()), other, needed=True, reason=reason)


def _excludes(options: str, other: str, reason: str = "", *, unless_json: bool = False) -> _Combination:
    return _Combination(tuple(options.split()), other, needed=False, reason=reason, unless_json=unless_json)


_INTERVALS = "which adds intervals"
_COMBINATIONS: dict[str, tuple[_Combination, ...]] = {
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
    for rule in _COMBINATIONS.get(options.command, ()):
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
    return [option for rule in _COMBINATIONS[command] if rule.needed and rule.other == other for option in rule.options]


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
