"""Judgments and the outputs they are about, for commands: which systems have both, and how sentences are numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.printing import print_warning
from errata.errors import MismatchError, UsageError, pluralise

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.studies.judgments import HumanJudgments, Numbering
    from errata.studies.meta import JudgedSentences


def check_names(judged: Sequence[str], given: Sequence[str], *, refuse: bool = False) -> None:
    """List systems that have only judgments, or only an output, in warnings; raise if there is no other, or with ``refuse``."""
    from errata.studies.judgments.items import compare_names

    without, unjudged = compare_names(judged, given)
    if len(without) == len(judged):
        raise MismatchError(f"no system has an output and judgments; judged: {', '.join(without)}; outputs: {', '.join(unjudged)}")
    messages = []
    if without:
        messages.append(f"{pluralise(len(without), 'system')} with judgments but without an output: {', '.join(without)}")
    if unjudged:
        messages.append(f"{pluralise(len(unjudged), 'output')} without judgments: {', '.join(unjudged)}")
    if messages and refuse:
        raise MismatchError("; ".join(messages))
    for message in messages:
        print_warning(message)


def number_sentences(options: argparse.Namespace, judgments: HumanJudgments, outputs: Mapping[str, Sequence[str]]) -> Numbering:
    """Find out how judgments number sentences, from outputs or from --first-sentence."""
    from errata.studies.judgments import find_numbering

    numbering = find_numbering(judgments, outputs)
    first = numbering.first if options.first_sentence is None else options.first_sentence
    if first is None:
        equal = f"{numbering.equal[0]:,} are equal if sentences are counted from 0, {numbering.equal[1]:,} from 1"
        compared = f"of {numbering.compared:,} joined outputs, {equal}"
        raise UsageError(f"outputs do not show how sentences are numbered: {compared}; --first-sentence says it")
    different = numbering.compared - numbering.equal[first]
    if different and not getattr(options, "sentences", None):  # else most sentences have no output
        about = f"{different:,} of {numbering.compared:,} outputs that judgments join differ"
        print_warning(f"{about}, if sentences are counted from {first}: they may not be the outputs that were judged")
    return numbering._replace(first=first)


def choose_from(options: argparse.Namespace, judgments: HumanJudgments) -> HumanJudgments:
    """Keep the judgments that --judges and --leave-out say."""
    from errata.studies.judgments import choose_judgments

    judges, left_out = ([name.strip() for given in names for name in given.split(",")] for names in (options.judges, options.leave_out))
    return choose_judgments(judgments, judges, left_out) if judges or left_out else judgments


def fit_judgments(options: argparse.Namespace, outputs: Mapping[str, Sequence[str]], judgments: HumanJudgments) -> int:
    """Warn of systems without a counterpart, and find the number of the first sentence."""
    check_names(judgments.systems, list(outputs), refuse=getattr(options, "unmatched", None) == "refuse")
    return number_sentences(options, judgments, outputs).first or 0


def list_output_texts(corpus: Corpus, systems: Sequence[System]) -> Mapping[str, list[str]]:
    """List the outputs of each system at the places of the whole corpus; sentences that are not in a subset are unlike all others."""
    whole = corpus.part.whole if corpus.part is not None else len(corpus)
    texts = {system.name: [f"\0{system.name}"] * whole for system in systems}
    for system in systems:
        for number, tokens in zip(corpus.numbers, system.sentences, strict=True):
            texts[system.name][number - 1] = " ".join(tokens)
    return texts


def read_judged_sentences(options: argparse.Namespace, corpus: Corpus, systems: Sequence[System]) -> JudgedSentences:
    """Read the judgments of --judgments, and find the sentence of each item."""
    from errata.studies.judgments import read_judgments
    from errata.studies.meta import JudgedSentences

    judgments = read_judgments(options.judgments, warn=print_warning)
    first = fit_judgments(options, list_output_texts(corpus, systems), judgments)
    whole = corpus.part.whole if corpus.part is not None else len(corpus)
    judged = JudgedSentences.of(judgments, corpus.numbers, first, whole)
    if left := len(judgments.items) - len(judged.items):
        print_warning(f"{pluralise(left, 'item')} left out: their sentences are not among those of --sentences")
    return judged
