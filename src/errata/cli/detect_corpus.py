"""``errata detect GOLD SYSTEM...``: cases from a corpus, and what its annotators say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.cli.inputs import corpus_from, systems_from
from errata.cli.printing import print_warning
from errata.cli.tagger_arguments import suit_tagger, tagger_from, type_order_from
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from errata.corpus.corpus import Corpus
    from errata.studies.detection.measures import AnnotatorEvaluations, JudgedSystem


class CorpusResult(NamedTuple):
    """The systems with their cases, the annotators if they judge together, and the gold."""

    judged: list[JudgedSystem]
    annotators: AnnotatorEvaluations | None
    corpus: Corpus


def judge_corpus(options: argparse.Namespace) -> CorpusResult:
    """Read a corpus and systems, and extract their cases."""
    from errata.corpus.annotators import DETECT, explain_missing
    from errata.language.types import ChangeTyper
    from errata.report.progress import ProgressBar
    from errata.scoring.by_type import lacks_rules
    from errata.studies.detection.cases import find_confusion_set
    from errata.studies.detection.from_corpora import CorpusCases
    from errata.studies.detection.measures import MOST_ANNOTATORS, JudgedSystem, evaluate_annotators

    order = type_order_from(options)
    tagger = tagger_from(options) if options.by_type or options.sites else None
    if options.sites and tagger is None:
        raise UsageError("--sites needs parts of speech, found --tagger none")
    corpus = corpus_from(options, also=[*options.systems, *([options.documents] if options.documents else [])])
    systems = systems_from(options, options.systems, corpus)
    if not options.sites:
        tagger = suit_tagger(tagger, options, corpus)
    by_rules = options.by_type and tagger is not None
    if by_rules and lacks_rules(corpus):
        why = "gold has types of ERRANT, which the rules for parts of speech do not know"
        print_warning(f"{corpus.path}: false positives have no type: {why}")
        by_rules = False
    judged = []
    with ProgressBar("aligning", len(systems) * len(corpus), in_core=True) as bar:
        corpus_cases = CorpusCases(
            corpus,
            case=options.case or "token",
            types=[name.strip() for name in options.types.split(",")] if options.types is not None else [],
            confusion_set=find_confusion_set(options.confusion_set) if options.confusion_set is not None else frozenset(),
            metric=options.metric,
            judgments=options.judged_by or "chosen",
            annotator=options.annotator,
            missing=options.missing or DETECT,
            sites=options.sites,
            tagger=tagger,
            typer=ChangeTyper(tagger, order) if by_rules and tagger is not None else None,
        )
        for system in systems:
            cases = corpus_cases.of(system, bar.advance)
            judged.append(JudgedSystem(cases, cases.systems[0]))
    count = len(corpus.annotators)
    if options.annotator is not None or options.judged_by not in {None, "chosen"} or options.missing is not None:
        for warning in explain_missing(corpus, options.missing or DETECT):
            print_warning(f"{corpus.path}: {warning}")
    if options.judged_by in {None, "chosen"} or count == 1:
        return CorpusResult(judged, None, corpus)
    if count > MOST_ANNOTATORS:
        print_warning(f"annotators are not compared with each other: there are {count:,}, more than {MOST_ANNOTATORS}")
    pairs = count * (count - 1) // 2 if count <= MOST_ANNOTATORS else 0
    with ProgressBar("comparing annotators", len(systems) * count + pairs) as bar:
        return CorpusResult(judged, evaluate_annotators(corpus_cases, systems, count, options.beta, bar.advance), corpus)
