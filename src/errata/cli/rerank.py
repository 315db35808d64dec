"""``errata rerank``: picks from lists of candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata import __version__
from errata.cli.inputs import with_parses
from errata.cli.parser import Once
from errata.cli.printing import TEXT, flush_warnings, print_json, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import MismatchError, UsageError, pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.formats.nbest import Candidates
    from errata.metrics import Metric
    from errata.studies.rewards import Picks

_RERANK_EXAMPLES = """\
examples:
  errata convert examples/learner.m2 --to parallel -o learner
  errata rerank examples/systems/*.txt --source learner.src -o picks.txt
  errata rerank examples/systems/*.txt --source learner.src --format json
  errata rerank examples/systems/*.txt --oracle examples/learner.m2 \\
      -o best.txt

FILE is an n-best list, with lines ID ||| TEXT ||| SCORES, or JSON Lines with
{"source": "...", "candidates": ["...", ...], "scores": [...]}; or FILEs are
texts with one candidate of each sentence.
Picks have minimum Bayes risk: the candidates stand for the truth, all alike or
by --temperature, and what is best on average is picked, the first of equals.
--per corpus, the default if the metric is a ratio, maximises the value of the
corpus, --per sentence that of each sentence, which prefers unchanged texts.
Of a few sentences, --per corpus prefers edits: without any, F is 0.
--oracle GOLD picks what is best for a gold: no choice is better.
"""


def _register_rerank(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "rerank",
        help="pick from n-best lists by minimum Bayes risk, or the best for a gold",
        description="Pick a candidate of each sentence, by minimum Bayes risk or with a gold.",
        epilog=_RERANK_EXAMPLES,
    )
    parser.add_argument(
        "candidates",
        metavar="FILE",
        nargs="+",
        help="n-best list or JSON Lines; or two or more texts, one sentence per line; - is standard input",
    )
    add_option(parser, "--source", ", one sentence per line", action=Once)
    add_options(parser, "--oracle", "--max-tokens", "--tokenise")
    add_option(parser, "--metric", " (default maxmatch)", default="maxmatch")
    add_options(parser, "--per", "--smoothing", "--temperature", "--analyser", "--parses", "--jobs")
    add_format(parser, TEXT)
    parser.set_defaults(run=_run_rerank, prints=_prints_json)


def _prints_json(options: argparse.Namespace) -> bool:
    """Whether JSON is printed; picks are data, which is written unchanged."""
    named = str(options.output or "").lower().removesuffix(".gz").endswith(".json")
    return bool(options.format == "json" or (options.format is None and named))


def _run_rerank(options: argparse.Namespace) -> int:
    from errata.formats.writing import write_files
    from errata.metrics import registry
    from errata.report.progress import print_to_stderr
    from errata.studies.rewards import check_unit, pick_best, rerank

    if [*options.candidates, options.source, options.oracle].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    if options.temperature is not None and not 0 < options.temperature < float("inf"):
        raise UsageError(f"--temperature must be above 0, found {options.temperature:g}")
    metric = with_parses(options, [registry.metric(options.metric)])[0]
    check_unit(metric, options.per, options.smoothing)
    listed = _read(options)
    lists = [own.texts for own in listed]
    gold = None
    if options.oracle is not None:
        gold = _read_gold(options, listed)
        picks = pick_best(lists, gold, metric, per=options.per, smoothing=options.smoothing, tokenise=options.tokenise, warn=print_warning)
    else:
        sources, weights = _find_sources(options, listed), _weigh(options, listed)
        settings = {"per": options.per, "smoothing": options.smoothing, "tokenise": options.tokenise, "jobs": options.jobs}
        picks = rerank(lists, sources, metric, weights=weights, warn=print_warning, **settings)
    texts = [own[index] for own, index in zip(lists, picks.indices, strict=True)]
    scored = None if gold is None else _score(gold, metric, options.tokenise, lists, texts)
    if options.format == "json":
        print_json(_make_record(options, metric, listed, picks, scored))
        return 0
    flush_warnings()
    write_files({options.output or "-": texts})
    print_to_stderr(_summarise(metric, lists, picks, scored))
    return 0


def _read(options: argparse.Namespace) -> list[Candidates]:
    from errata.formats import Problems, display_path
    from errata.formats.nbest import read_candidates

    problems = [Problems(display_path(path), warn=print_warning) for path in options.candidates]
    return read_candidates(options.candidates, problems, options.max_tokens)


def _find_sources(options: argparse.Namespace, listed: Sequence[Candidates]) -> list[str]:
    """Find the source of each list of candidates: in --source, or in JSON Lines."""
    from errata.corpus.corpus import take_at_most
    from errata.formats import Problems, display_path
    from errata.formats.lines import read_text_lines

    path = display_path(options.candidates[0])
    own = [candidates.source for candidates in listed]
    if options.source is None:
        if None in own:
            line = listed[own.index(None)].line
            what = "found none" if not any(own) else f"found none in line {line:,}"
            raise UsageError(f"{path}: candidates need their source: --source FILE, or the key source of JSON Lines; {what}")
        return [source for source in own if source is not None]
    problems = Problems(display_path(options.source), warn=print_warning)
    lines = read_text_lines(options.source, problems, options.max_tokens)
    whole = f"{len(listed):,} of {path}"
    sources = [" ".join(line.tokens) for line in take_at_most(lines, len(listed), problems.path, whole)]
    if len(sources) < len(listed):
        raise MismatchError(f"{problems.path} has too few lines: {len(sources):,} for the {whole}")
    _compare_sources(options, listed, sources, display_path(options.source))
    return sources


def _read_gold(options: argparse.Namespace, listed: Sequence[Candidates]) -> Corpus:
    """Read the gold, which has a sentence for each list of candidates."""
    from errata.formats import display_path, read

    gold = read(options.oracle, max_tokens=options.max_tokens, warn=print_warning)
    if len(gold) != len(listed):
        found = f"{len(listed):,} and {len(gold):,}"
        raise MismatchError(f"{display_path(options.candidates[0])} and {gold.path} must have the same number of sentences, found {found}")
    _compare_sources(options, listed, [sentence.text for sentence in gold], gold.path)
    return gold


def _compare_sources(options: argparse.Namespace, listed: Sequence[Candidates], sources: Sequence[str], path: str) -> None:
    """Raise if a list names another source."""
    from errata.errors import FormatError
    from errata.formats import display_path

    for number, (own, source) in enumerate(zip(listed, sources, strict=True), start=1):
        if own.source not in {None, source}:
            found = f"expected the source of sentence {number:,} of {path}, {source!r:.60}, found {own.source!r:.60}"
            raise FormatError(display_path(options.candidates[0]), own.line, found)


def _weigh(options: argparse.Namespace, listed: Sequence[Candidates]) -> list[list[float]] | None:
    """Weigh candidates by their scores, if there is a temperature."""
    from errata.errors import FormatError
    from errata.formats import display_path
    from errata.studies.rewards import weigh_scores

    if options.temperature is None:
        return None
    weights = []
    for own in listed:
        if own.scores is None:
            raise FormatError(display_path(options.candidates[0]), own.line, "--temperature needs a score for each candidate, found none")
        weights.append(weigh_scores(own.scores, options.temperature))
    return weights


def _score(gold: Corpus, metric: Metric, tokenise: str, lists: Sequence[Sequence[str]], texts: Sequence[str]) -> dict[str, float]:
    from errata.scoring import Evaluator

    evaluate = Evaluator(gold, metric, tokenise=tokenise, warn=None)
    return {"first": evaluate([own[0] for own in lists]).value, "picks": evaluate(texts).value}


def _summarise(metric: Metric, lists: Sequence[Sequence[str]], picks: Picks, scored: dict[str, float] | None) -> str:
    others = _count_others(lists, picks)
    text = f"{pluralise(len(lists), 'sentence')}: {others:,} {'pick differs' if others == 1 else 'picks differ'} from the first candidate"
    if scored is None:
        return f"{text}; expected {metric.label} {100 * picks.value:.2f}"
    text += f"; {metric.label} {100 * scored['picks']:.2f}, of the first candidates {100 * scored['first']:.2f}"
    return f"{text}; at most {100 * picks.value:.2f} with any choice" if picks.per == "corpus" else text


def _count_others(lists: Sequence[Sequence[str]], picks: Picks) -> int:
    """Count the picks whose text is not that of the first candidate."""
    return sum(own[index] != own[0] for own, index in zip(lists, picks.indices, strict=True))


def _make_record(
    options: argparse.Namespace, metric: Metric, listed: Sequence[Candidates], picks: Picks, scored: dict[str, float] | None
) -> dict[str, Any]:
    lists = [own.texts for own in listed]
    record: dict[str, Any] = {
        "errata": __version__,
        "metric": metric.signature,
        "per": picks.per,
        "temperature": options.temperature,
        "tokenise": options.tokenise,
    }
    record |= {"gold": options.oracle} if scored is not None else {}
    record |= {"sentences": len(lists), "differ_from_first": _count_others(lists, picks), "value": picks.value}
    record |= {} if scored is None else {"score_of_first": scored["first"], "score_of_picks": scored["picks"]}
    record["picks"] = [
        {"sentence": number, "candidate": index + 1, "text": own[index], "candidates": list(own), "values": values}
        for number, (own, index, values) in enumerate(zip(lists, picks.indices, picks.values, strict=True), start=1)
    ]
    return record


COMMANDS = {"rerank": _register_rerank}
