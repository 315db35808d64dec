"""``errata inspect``: sentences with what a metric sees in them, right, wrong and missed."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.cli.inputs import (
    add_corpus_arguments,
    add_systems,
    gold_record,
    numbers_from,
    subset_record,
    systems_from,
    whole_corpus_from,
    with_parses,
)
from errata.cli.printing import flush_warnings, print_json, print_tables
from errata.cli.report import choose_sentences, describe_run, watch
from errata.cli.vocabulary import TOP_EDITS, add_format, add_option, add_options
from errata.display import printable
from errata.errors import RequestError, UsageError, pluralise, suggest
from errata.report.tables.edits import (
    EMPTY_SIGN,
    MARKS,
    EditDigests,
    write_change,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Literal

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric
    from errata.metrics.evidence import Evidence
    from errata.metrics.maxmatch import EditLattice
    from errata.metrics.ratios import Row
    from errata.metrics.views import (
        Alignment,
        AlignmentColumn,
        Class,
        JudgedEdit,
        JudgedNgrams,
        NgramView,
        ShowsAlignment,
        ShowsEdits,
        ShowsLattice,
        ShowsNgrams,
    )
    from errata.report.table import Cell, Table
    from errata.report.writers import Marked
    from errata.scoring.scores import Score, SentenceScore


_INSPECT_EXAMPLES = """\
examples:
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --sentences 3,10-12
  errata inspect examples/learner.m2 examples/systems/eager.txt --outcome wrong
  errata inspect examples/learner.m2 examples/systems/cautious.txt \\
      --outcome missed --types ArtOrDet,Prep --chosen
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      -m imeasure --sentences 3
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      -m gleu --sentences 3
  errata inspect examples/errant/gold.m2 examples/errant/eager.m2 -m errant \\
      --outcome wrong --types R:PREP
  errata inspect examples/learner.m2 examples/systems/rewriter.txt \\
      --search lonely --format json
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --outcome wrong -o wrong.html
  errata inspect examples/learner.m2 examples/systems/*.txt --digest
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --digest --outcome wrong --top 30
  errata inspect examples/learner.m2 examples/systems/*.txt --chosen \\
      -o edits.csv
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --sentences 3 --lattice
  errata inspect examples/learner.m2 examples/systems/eager.txt \\
      --sentences 3 --lattice --chosen -o lattice.svg

MaxMatch shows edits.  GLEU shows the n-grams that count for and against the
system, for every reference.
I-measure shows source, system and reference aligned token by token, with the
class of every column: TP, TN, FP, FN, or FPN where source, system and reference
all differ; and which annotators made the corrections of the reference.
Sentences are numbered from 1, as the lines of the system's file.
All sentences are scored, and --sentences only says which are shown; with
--as-subset only these are scored, which may change the chosen references.
Filters are combined: with --outcome and --types, one edit must pass both.
Only gold edits have a type, so --types shows right and missed edits; with
errant, wrong edits have one too.
--digest counts equal edits, against the chosen references: of each system, and
of all together if there are several.  Filters then select edits, and --search
the sentences that they are in.  Case matters; types do not, and are listed.
--format csv prints every edit that passes the filters, one in each line.
--format html is the page of errata report, opened at these sentences; their
edits are judged against the chosen references, as with --chosen.
--lattice shows the edit lattice of MaxMatch: the Levenshtein matrix, every arc
with its cost, and the path that is scored; as a picture, of one sentence.
"""


def _register_inspect(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "inspect",
        help="show sentences with right, wrong and missed edits",
        description="Show sentences with the edits of gold and system, or aligned token by token.",
        epilog=_INSPECT_EXAMPLES,
    )
    add_corpus_arguments(parser, subset="; all are scored, and these are shown")
    add_systems(parser, "; several need --digest, --format csv or --format html")
    add_options(parser, "--as-subset")
    add_option(parser, "--outcome", "; with --digest and as CSV, only such edits")
    add_options(parser, "--search", "--chosen", "--types")
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)' (default maxmatch)", default="maxmatch")
    add_options(parser, "--analyser", "--parses", "--jobs", "--digest", "--top", "--lattice")
    add_format(parser, ("text", "json", "csv", "html", "markdown", "latex", "svg"), "; markdown and latex need --digest, svg --lattice")
    add_options(parser, "--spaces", "--color")
    parser.set_defaults(run=_run_inspect)


def _run_inspect(options: argparse.Namespace) -> int:
    """Print every sentence that passes the filters, or its edits."""
    from errata.metrics import registry

    metric = registry.metric(options.metric)
    _check_format(options)
    corpus = whole_corpus_from(options)
    filters = _filters_from(options, corpus, metric)
    numbers = list(dict.fromkeys(numbers_from(options, len(corpus))))
    if options.as_subset:
        corpus = corpus.subset(numbers)
    systems = systems_from(options, options.systems, corpus)
    scores = _score(options, metric, corpus, systems)
    if options.digest:
        return _print_digest(options, scores, numbers, filters)
    if options.format == "html":
        from errata.metrics import ShowsEdits

        if filters.of_edits and not isinstance(scores[0].output, ShowsEdits):
            raise UsageError(
                f"{metric.name} does not show edits; --outcome and --types with --format html need a metric of edits, such as maxmatch"
            )
        return _print_page(options, scores, filters)
    if options.format == "csv":
        return _print_edits(scores, numbers, filters, only_chosen=options.chosen)
    return _print_sentences(options, scores[0], numbers, filters)


def _check_format(options: argparse.Namespace) -> None:
    """Raise if what is asked for cannot be printed so."""
    for name, needed in (("svg", "--lattice"), ("markdown", "--digest"), ("latex", "--digest")):
        if options.format == name and not getattr(options, needed.removeprefix("--")):
            raise UsageError(f"--format {name} needs {needed}")
    if len(options.systems) > 1 and not options.digest and options.format not in {"csv", "html"}:
        raise UsageError(
            f"the sentences of one system can be shown, found {len(options.systems)}; several need --digest, --format csv or --format html"
        )


_EDIT_COLUMNS = ("system", "sentence", "annotator", "chosen", "outcome", "start", "end", "original", "correction", "type")
"""The columns of all edits in CSV."""


def _print_edits(scores: Sequence[Score], numbers: list[int], filters: _Filters, *, only_chosen: bool) -> int:
    """Print every edit that passes the filters, as CSV."""
    from errata.metrics import ShowsEdits
    from errata.report.writers import make_csv_lines

    flush_warnings()
    shown = [(score, score.output) for score in scores if isinstance(score.output, ShowsEdits)]
    if not shown:
        raise UsageError(f"{scores[0].metric.name} does not show edits; --format csv needs a metric of edits, such as maxmatch")
    rows = (row for score, output in shown for row in _list_edit_rows(score, output, numbers, filters, only_chosen=only_chosen))
    for line in make_csv_lines(chain([_EDIT_COLUMNS], rows)):
        print(line)
    return 0


def _print_sentences(options: argparse.Namespace, score: Score, numbers: list[int], filters: _Filters) -> int:
    """Print the sentences of one system, or their lattices."""
    corpus, system = score.evidence.corpus, score.system
    passing = _inspected(options, score, system, numbers, filters)
    if options.lattice:
        found = [item.record["sentence"] for item in passing]
        return _print_lattices(score, found, options.format, options.color, only_chosen=options.chosen)
    if options.format == "json":
        records = [item.record for item in passing]
        head = {"errata": __version__, "gold": corpus.name, "system": system.name, "metric": options.metric}
        print_json({**head, **subset_record(corpus), "signature": score.signature, "sentences": records})
        return 0
    from errata.report.writers import printer

    flush_warnings()
    show = printer(options.color)
    shown = elsewhere = 0
    totals, matching = Counter[str](), Counter[str]()
    for item in passing:
        show(*item.lines)
        shown += 1
        totals.update(item.outcomes)
        matching.update(item.matching)
        elsewhere += item.elsewhere
    show([(f"{shown:,} of {pluralise(len(corpus), 'sentence')} shown; {_summary(score, filters, totals, matching, elsewhere)}", "")])
    if corpus.part is not None:
        show([(f"scored as a subset: {corpus.extent}", "")])
    return 0


def _summary(score: Score, filters: _Filters, totals: Counter[str], matching: Counter[str], elsewhere: int) -> str:
    """What is counted in the sentences that are shown: everything, or what passes the filters and of how much."""
    against = "against the chosen references" if score.evidence.chosen is not None else "against all references"
    outcomes = [outcome for outcome in MARKS if not filters.outcomes or outcome in filters.outcomes]
    counted = ", ".join(f"{MARKS[outcome]} {matching[outcome]:,} {outcome}" for outcome in outcomes)
    if not filters.of_edits:
        return f"{against} {counted}"
    others = f", and {elsewhere:,} against other annotators" if elsewhere else ""
    return f"the filters match {counted} (of {totals.total():,}) {against}{others}"


def _score(options: argparse.Namespace, metric: Metric, corpus: Corpus, systems: Sequence[System]) -> list[Score]:
    from errata.report.progress import ProgressBar
    from errata.scoring import Evaluator, evaluate_many

    if metric.inspected_with:
        raise UsageError(f"to inspect {metric.name}, use {metric.inspected_with}")
    (metric,) = with_parses(options, [metric])
    with ProgressBar("scoring", len(systems) * len(corpus), in_core=True) as bar:
        return list(evaluate_many(Evaluator(corpus, metric, warn=None), systems, options.jobs, bar.advance))


def _inspected(options: argparse.Namespace, score: Score, system: System, numbers: list[int], filters: _Filters) -> Iterator[_Inspected]:
    from errata.metrics import ShowsAlignment, ShowsEdits, ShowsNgrams

    metric = score.metric
    if isinstance(score.output, ShowsEdits):
        from errata.corpus.unicode import has_characters, join_characters

        texts = [sentence.tokens for sentence in score.evidence.corpus]
        join = join_characters if options.spaces == "auto" and has_characters(texts) else " ".join
        return _inspected_edits(score.evidence, score.output, system, numbers, filters, only_chosen=options.chosen, join=join)
    if isinstance(score.output, ShowsAlignment):
        if filters.types:
            raise UsageError(f"{metric.name} judges tokens, which have no type; --types needs a metric of edits, such as maxmatch")
        return _inspected_columns(score, score.output, system, numbers, filters)
    if isinstance(score.output, ShowsNgrams):
        if filters.types:
            raise UsageError(f"{metric.name} judges n-grams, which have no type; --types needs a metric of edits, such as maxmatch")
        return _inspected_ngrams(score, score.output, system, numbers, filters, only_chosen=options.chosen)
    raise RequestError(f"{metric.name} has neither edits nor an alignment nor n-grams to show; maxmatch, imeasure and gleu do")


def _filters_from(options: argparse.Namespace, corpus: Corpus, metric: Metric) -> _Filters:
    types = {name.strip() for name in options.types.split(",")} if options.types is not None else set()
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits} | metric.own_types
    if unknown := sorted(types - known):
        listed = ", ".join(sorted(known)) or "no edits"
        raise UsageError(f"no edit of {corpus.path} has the type {unknown[0]!r}; it has {listed}{suggest(unknown[0], known)}")
    outcomes = set(options.outcome or ())
    if types and outcomes == {"wrong"} and not metric.types_wrong_edits:
        raise UsageError("a wrong edit has no type, because only gold edits have one; combine --types with --outcome right or missed")
    return _Filters(outcomes, types, options.search.lower())


_STYLES = {"right": "green", "wrong": "red", "missed": "yellow"}


class _Filters(NamedTuple):
    """The filters that select sentences."""

    outcomes: set[str]
    types: set[str]
    search: str

    @property
    def of_edits(self) -> bool:
        """Whether they select edits or tokens, not only sentences."""
        return bool(self.outcomes or self.types)

    def pass_text(self, sentence: Sentence, hypothesis: Tokens) -> bool:
        """Whether source or hypothesis contains the searched text."""
        return any(self.search in text.lower() for text in (sentence.text, " ".join(hypothesis)))

    def pass_edit(self, edit: JudgedEdit) -> bool:
        """Whether an edit has one of the outcomes and one of the types."""
        return (not self.outcomes or edit.outcome in self.outcomes) and (not self.types or edit.type in self.types)


class _Inspected(NamedTuple):
    """A sentence as a record for programs and as lines for people."""

    record: dict[str, Any]
    lines: list[Marked]
    outcomes: Mapping[str, int]
    """The number of edits or tokens with each outcome, for the chosen reference."""
    matching: Mapping[str, int]
    """The same for edits or tokens that pass the filters."""
    elsewhere: int = 0
    """The number of edits that pass the filters for other shown references."""


# --- The view of ``errata inspect`` for edits: those of gold and of the system, judged by each annotator's reference.

_TYPE_WIDTH = 9
"""Characters of the column of types, if no type is longer."""


_JoinTokens = Callable[[Iterable[str]], str]
"""Writes tokens as text."""


class _EditReading(NamedTuple):
    """The edits of a sentence, judged by one annotator's reference."""

    annotator: str
    chosen: bool
    edits: list[JudgedEdit]


def _inspected_edits(
    evidence: Evidence,
    prepared: ShowsEdits,
    system: System,
    numbers: list[int],
    filters: _Filters,
    *,
    only_chosen: bool,
    join: _JoinTokens = " ".join,
) -> Iterator[_Inspected]:
    """Yield the sentences that pass the filters; ``join`` writes tokens for people."""
    for number in numbers:
        place = evidence.index(number)
        sentence, hypothesis = evidence.corpus[place], system.sentences[place]
        if not filters.pass_text(sentence, hypothesis):
            continue
        readings = _list_readings(evidence, prepared, place, only_chosen=only_chosen)
        passing = [(reading.chosen, edit.outcome) for reading in readings for edit in reading.edits if filters.pass_edit(edit)]
        if filters.of_edits and not passing:
            continue
        outcomes = Counter[str](edit.outcome for reading in readings if reading.chosen for edit in reading.edits)
        matching = Counter[str](outcome for is_chosen, outcome in passing if is_chosen)
        yield _Inspected(
            _record_edits(number, sentence, hypothesis, readings),
            _describe_edits(number, sentence, hypothesis, readings, join),
            outcomes,
            matching,
            len(passing) - matching.total(),
        )


def _list_edit_rows(
    score: Score, prepared: ShowsEdits, numbers: list[int], filters: _Filters, *, only_chosen: bool
) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of CSV: each edit that passes the filters, of each annotator."""
    evidence, system = score.evidence, score.system
    for number in numbers:
        place = evidence.index(number)
        if filters.pass_text(evidence.corpus[place], system.sentences[place]):
            for annotator, chosen, edits in _list_readings(evidence, prepared, place, only_chosen=only_chosen):
                passing = filter(filters.pass_edit, edits)
                yield from (_list_edit_cells(system.name, number, annotator, edit, chosen=chosen) for edit in passing)


def _list_edit_cells(system: str, sentence: int, annotator: str, edit: JudgedEdit, *, chosen: bool) -> tuple[Cell, ...]:
    """List the cells of an edit in CSV."""
    place = (system, sentence, annotator, "yes" if chosen else "no", edit.outcome, edit.start, edit.end)
    return (*place, edit.original, "||".join(edit.corrections), edit.type)


def _list_readings(evidence: Evidence, prepared: ShowsEdits, place: int, *, only_chosen: bool) -> list[_EditReading]:
    """List the edits of the sentence at an index, judged by each annotator, or only by the chosen one; a mixture is always chosen."""
    judged = prepared.edits(place)
    chosen = evidence.chosen[place] if evidence.chosen is not None else None
    readings = [_EditReading(name, index == chosen, judged[index]) for index, name in enumerate(evidence.labels[place])]
    return [reading for reading in readings if reading.chosen or not (only_chosen or evidence.metric.mixes_references)]


def _name_reference(label: str) -> str:
    """Name a reference: that of an annotator, or a mixture."""
    from errata.metrics.views import MIXED

    return "mixture" if label == MIXED else f"annotator {label}"


def _record_edits(number: int, sentence: Sentence, hypothesis: Tokens, readings: list[_EditReading]) -> dict[str, object]:
    annotators = [
        {"annotator": reading.annotator, "chosen": reading.chosen, "edits": [asdict(edit) for edit in reading.edits]}
        for reading in readings
    ]
    return {"sentence": number, "source": sentence.text, "system": " ".join(hypothesis), "annotators": annotators}


def _describe_edits(number: int, sentence: Sentence, hypothesis: Tokens, readings: list[_EditReading], join: _JoinTokens) -> list[Marked]:
    """Write the lines of one sentence."""
    from errata.report.writers import width

    lines: list[Marked] = [
        [(f"sentence {number}", "bold")],
        [("  source  ", "dim"), (join(sentence.tokens), "")],
        [("  system  ", "dim"), (join(hypothesis) or "(empty)", "")],
    ]
    space = max([_TYPE_WIDTH, *(width(printable(edit.type or "")) for reading in readings for edit in reading.edits)])
    for reading in readings:
        counts = ", ".join(f"{sum(edit.outcome == outcome for edit in reading.edits)} {outcome}" for outcome in MARKS)
        chosen = " (chosen)" if reading.chosen and len(readings) > 1 else ""
        lines.append([(f"  {_name_reference(reading.annotator)}{chosen}: {counts}", "")])
        if reading.edits:
            lines.append([("    ", ""), *_in_context(sentence, reading.edits, join)])
        for edit in reading.edits:
            arrow = write_change(join(edit.original.split()), [join(text.split()) for text in edit.corrections])
            name = edit.type or ""
            place = f"{edit.start:>3}-{edit.end:<3} {name}{' ' * (space - width(printable(name)))}"
            lines.append([(f"    {MARKS[edit.outcome]} {place} {arrow}", _STYLES[edit.outcome])])
    lines.append([])
    return lines


def _in_context(sentence: Sentence, edits: list[JudgedEdit], join: _JoinTokens) -> Marked:
    """Write the source with its edits: [old → new], with the mark of each.

    A missed edit that overlaps one of the system's is only in the list below.
    """
    own = [edit for edit in edits if edit.outcome != "missed"]
    apart = [
        edit for edit in edits if edit.outcome == "missed" and not any(edit.start < other.end and other.start < edit.end for other in own)
    ]
    pieces: Marked = []
    position = 0
    for edit in sorted([*own, *apart], key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            continue  # two missed edits that overlap
        pieces.append((join(sentence.tokens[position : edit.start]) + (" " if edit.start > position else ""), ""))
        change = f"{join(edit.original.split())}→{'|'.join(join(text.split()) for text in edit.corrections)}"
        pieces.append((f"[{MARKS[edit.outcome]} {change}] ", _STYLES[edit.outcome]))
        position = edit.end
    pieces.append((join(sentence.tokens[position:]), ""))
    return pieces


# --- The view of ``errata inspect`` for aligned tokens: source, system, reference and the class of every column.

_CLASS_STYLES: dict[Class, str] = {"TP": "green", "FP": "red", "FN": "yellow", "FPN": "magenta", "TN": "dim"}
_COLUMN_OUTCOMES: dict[Class, tuple[str, ...]] = {
    "TP": ("right",),
    "FP": ("wrong",),
    "FN": ("missed",),
    "FPN": ("wrong", "missed"),
    "TN": (),
}
_MARGIN = "  reference  "


def _inspected_columns(
    whole: Score, prepared: ShowsAlignment, system: System, numbers: list[int], filters: _Filters
) -> Iterator[_Inspected]:
    evidence, scores = whole.evidence, whole.sentences
    for number in numbers:
        place = evidence.index(number)
        sentence, hypothesis = evidence.corpus[place], system.sentences[place]
        if not filters.pass_text(sentence, hypothesis):
            continue
        alignment = prepared.alignment(place, evidence.chosen[place] if evidence.chosen is not None else None)
        outcomes = Counter(outcome for column in alignment.columns for outcome in _COLUMN_OUTCOMES[column.correction])
        if filters.outcomes and not filters.outcomes & set(outcomes):
            continue
        score = scores[place]
        matching = {name: count for name, count in outcomes.items() if not filters.outcomes or name in filters.outcomes}
        yield _Inspected(
            _record_columns(number, sentence, alignment, score), _describe_columns(number, sentence, alignment, score), outcomes, matching
        )


def _record_columns(number: int, sentence: Sentence, alignment: Alignment, score: SentenceScore) -> dict[str, object]:
    columns = [
        {
            "source": column.source,
            "system": column.hypothesis,
            "reference": column.reference,
            "detection": column.detection,
            "correction": column.correction,
        }
        for column in alignment.columns
    ]
    corrections = [
        {**correction._asdict(), "original": " ".join(sentence.tokens[correction.start : correction.end])}
        for correction in alignment.corrections
    ]
    return {
        "sentence": number,
        "source": sentence.text,
        "system": _joined(column.hypothesis for column in alignment.columns),
        "reference": _joined(column.reference for column in alignment.columns),
        "value": score.value,
        "parts": score.parts,
        "certified": alignment.certified,
        "columns": columns,
        "corrections": corrections,
        "left_alone": alignment.left_alone,
    }


def _joined(tokens: Iterator[str | None]) -> str:
    return " ".join(token for token in tokens if token is not None)


def _describe_columns(number: int, sentence: Sentence, alignment: Alignment, score: SentenceScore) -> list[Marked]:
    lines: list[Marked] = [[(f"sentence {number}", "bold"), (f"  {score.metric.in_words(score.counts)}", "")]]
    for index, columns in enumerate(_wrapped(alignment.columns)):
        lines += [*([[]] if index else []), *_rows(columns)]
    certified = "" if alignment.certified else " (the best found; a better one may exist)"
    if alignment.corrections or not alignment.certified:
        lines.append([(f"  corrections in the reference{certified}:", "dim")])
    for correction in alignment.corrections:
        original = " ".join(sentence.tokens[correction.start : correction.end]) or EMPTY_SIGN
        who = f"annotator {', '.join(correction.annotators)}"
        lines.append([(f"    {correction.start:>3}-{correction.end:<3} {original} → {correction.text or EMPTY_SIGN}  ", ""), (who, "dim")])
    if alignment.left_alone:
        lines.append([(f"    {pluralise(alignment.left_alone, 'error')} left uncorrected, as the gold allows", "dim")])
    lines.append([])
    return lines


def _cells(column: AlignmentColumn) -> tuple[str, str, str, str]:
    texts = (EMPTY_SIGN if token is None else printable(token) for token in (column.source, column.hypothesis, column.reference))
    return (*texts, column.correction)  # type: ignore[return-value]  # three and one


def _wrapped(columns: list[AlignmentColumn]) -> Iterator[list[AlignmentColumn]]:
    """Yield groups of columns that fit into one line."""
    from errata.report.writers import width

    space = shutil.get_terminal_size((100, 24)).columns - len(_MARGIN)
    line: list[AlignmentColumn] = []
    used = 0
    for column in columns:
        needed = 2 + max(map(width, _cells(column)))
        if line and used + needed > space:
            yield line
            line, used = [], 0
        line.append(column)
        used += needed
    yield line


def _rows(columns: list[AlignmentColumn]) -> list[Marked]:
    """Write columns as four lines."""
    from errata.report.writers import width

    rows: list[Marked] = [[(f"  {name:<11}", "dim")] for name in ("source", "system", "reference", "")]
    for column in columns:
        cells = _cells(column)
        space = max(map(width, cells))
        style = _CLASS_STYLES[column.correction]
        for row, cell in zip(rows, cells, strict=True):
            row.append((cell, style if style != "dim" or cell == "TN" else ""))
            row.append((" " * (space - width(cell) + 2), ""))
    return rows


# --- The view of ``errata inspect`` for n-grams: those that count for a system and against it, by each reference.

_NGRAM_OUTCOMES = {"right": "right", "punished": "wrong", "wrong": "wrong", "missed": "missed"}
"""What becomes of the n-grams of each kind."""


def _inspected_ngrams(
    score: Score, prepared: ShowsNgrams, system: System, numbers: list[int], filters: _Filters, *, only_chosen: bool
) -> Iterator[_Inspected]:
    evidence = score.evidence
    for number in numbers:
        place = evidence.index(number)
        if not filters.pass_text(evidence.corpus[place], system.sentences[place]):
            continue
        chosen = evidence.chosen[place] if evidence.chosen is not None else None
        views = {
            index: view for index, view in enumerate(prepared.ngrams(place)) if index == chosen or not (only_chosen and chosen is not None)
        }
        outcomes = _count_outcomes(view for index, view in views.items() if chosen in {None, index})
        matching = Counter({name: count for name, count in outcomes.items() if not filters.outcomes or name in filters.outcomes})
        if filters.outcomes and not matching:
            continue
        readings = [_NgramReading(evidence, place, index, view, chosen=index == chosen) for index, view in views.items()]
        text = " ".join(system.sentences[place])
        value = score.sentence(number).value
        record = {"sentence": number, "source": evidence.corpus[place].text, "system": text, "value": value}
        lines = _describe(number, evidence.corpus[place].text, text, f"{score.metric.label} {100 * value:.2f}", readings)
        yield _Inspected({**record, "references": [reading.record for reading in readings]}, lines, outcomes, matching)


def _count_outcomes(views: Iterator[NgramView]) -> Counter[str]:
    found = Counter[str]()
    for view in views:
        for ngrams in view.orders:
            found.update(dict.fromkeys(MARKS, 0))
            for kind, listed in ngrams._asdict().items():
                found[_NGRAM_OUTCOMES[kind]] += len(listed)
    return +found


class _NgramReading:
    """The n-grams of a sentence by one reference, with its counts."""

    def __init__(self, evidence: Evidence, place: int, index: int, view: NgramView, *, chosen: bool) -> None:
        self.label, self.chosen, self.view = evidence.labels[place][index], chosen, view
        self.row: Row = evidence.rows[place][index]
        self.value = evidence.metric.sentence_value(self.row)
        self.measures: Mapping[str, object] = evidence.metric.parts(self.row)

    @property
    def record(self) -> dict[str, object]:
        """The record for programs."""
        orders = [{kind: [" ".join(ngram) for ngram in listed] for kind, listed in ngrams._asdict().items()} for ngrams in self.view.orders]
        text = None if self.view.reference is None else " ".join(self.view.reference)
        return {
            "annotator": self.label,
            "chosen": self.chosen,
            "reference": text,
            "value": self.value,
            "parts": self.measures,
            "ngrams": orders,
        }

    @property
    def lines(self) -> Iterator[Marked]:
        """The lines for people."""
        counts = "  ".join(
            f"{self.measures[f'numerator_{k}']:g}/{self.measures[f'denominator_{k}']}" for k in range(1, len(self.view.orders) + 1)
        )
        chosen = " (chosen)" if self.chosen else ""
        yield [(f"  annotator {self.label}{chosen}: {100 * self.value:.2f}, n-grams {counts}", "")]
        if self.view.reference is not None:
            yield [("    reference  ", "dim"), (" ".join(self.view.reference) or "(empty)", "")]
        for length, ngrams in enumerate(self.view.orders, start=1):
            yield from _list_lines(length, ngrams)


def _list_lines(length: int, ngrams: JudgedNgrams) -> Iterator[Marked]:
    for kind, listed in ngrams._asdict().items():
        if listed:
            outcome = _NGRAM_OUTCOMES[kind]
            yield [(f"    {MARKS[outcome]} {length} {kind:<9} {_join(listed)}", _STYLES[outcome])]


def _join(ngrams: Sequence[Tokens]) -> str:
    return " | ".join(" ".join(ngram) for ngram in ngrams)


def _describe(number: int, source: str, system: str, value: str, readings: list[_NgramReading]) -> list[Marked]:
    return [
        [(f"sentence {number}", "bold"), (f"  {value}", "")],
        [("  source  ", "dim"), (source, "")],
        [("  system  ", "dim"), (system or "(empty)", "")],
        *(line for reading in readings for line in reading.lines),
        [],
    ]


# --- The view of ``errata inspect --lattice``: the edit lattice of sentences, with the path that matches gold best.

_MATRIX = "[n]: vertex of the path, (n): other vertices of the lattice, n: Levenshtein distance of the first tokens."
_ARCS = (
    "*: on the path that is scored.  Cost: kept, inserted, deleted and replaced tokens; of an arc that matches gold, minus the number of "
    "arcs times one more than the unchanged tokens that an edit may contain."
)


class _Shown(NamedTuple):
    """A lattice, and whose gold it is matched with."""

    annotator: str
    chosen: bool
    correct: int
    gold: int
    """The numbers of correct and of gold edits."""
    lattice: EditLattice

    @property
    def heading(self) -> str:
        """The annotator and what is matched."""
        sizes = f"{pluralise(len(self.lattice.vertices), 'vertex', 'vertices')}, {pluralise(len(self.lattice.arcs), 'arc')}"
        matched = f"{self.correct:,} of {pluralise(self.gold, 'gold edit')} matched"
        return f"{_name_reference(self.annotator)}{' (chosen)' if self.chosen else ''}: {matched}; {sizes}"


def _print_lattices(
    score: Score, numbers: Sequence[int], output_format: str, color: Literal["auto", "always", "never"], *, only_chosen: bool
) -> int:
    """Print the lattices of sentences as text or JSON, or draw that of one sentence as SVG."""
    from errata.metrics.views import ShowsLattice

    if not isinstance(score.output, ShowsLattice):
        raise RequestError(f"{score.metric.name} has no lattice to show; maxmatch does")
    if output_format == "svg" and len(numbers) != 1:
        raise UsageError(f"a picture shows one sentence, found {len(numbers):,}; choose it with --sentences")
    if output_format == "json":
        head = {"errata": __version__, "gold": score.evidence.corpus.name, "system": score.system_name, "metric": str(score.metric)}
        records = [_record_lattice(score, number, _lattices(score, score.output, number, only_chosen=only_chosen)) for number in numbers]
        print_json({**head, **subset_record(score.evidence.corpus), "signature": score.signature, "sentences": records})
    elif output_format == "svg":
        from errata.report.charts.pictures import LatticePanel, lattice_lines

        shown = _lattices(score, score.output, numbers[0], only_chosen=only_chosen)
        flush_warnings()
        title = f"Edit lattice of sentence {numbers[0]:,}, {score.system_name}"
        for line in lattice_lines([LatticePanel(item.heading, item.lattice) for item in shown], title):
            print(line)
    else:
        from errata.report.writers import printer

        flush_warnings()
        for number in numbers:
            _print_text(score, number, _lattices(score, score.output, number, only_chosen=only_chosen), color)
        printer(color)([(f"{len(numbers):,} of {pluralise(len(score.evidence.corpus), 'sentence')} shown", "")])
    return 0


def _lattices(score: Score, output: ShowsLattice, number: int, *, only_chosen: bool) -> list[_Shown]:
    index, chosen = score.evidence.index(number), score.evidence.chosen
    names, rows = score.evidence.labels[index], score.evidence.rows[index]
    correct, gold = (score.metric.columns.index(name) for name in ("correct", "gold"))
    shown = [
        _Shown(name, chosen is not None and chosen[index] == row, rows[row][correct], rows[row][gold], lattice)
        for row, (name, lattice) in enumerate(zip(names, output.lattice(index), strict=True))
    ]
    return [item for item in shown if item.chosen or not (only_chosen or score.metric.mixes_references)]


def _print_text(score: Score, number: int, shown: Sequence[_Shown], color: Literal["auto", "always", "never"]) -> None:
    from errata.report.writers import print_table, printer

    show = printer(color)
    lattice = shown[0].lattice
    show([(f"sentence {number:,}", "bold")])
    show([("  source  ", "dim"), (score.evidence.corpus[score.evidence.index(number)].text, "")])
    show([("  system  ", "dim"), (" ".join(lattice.hypothesis) or "(empty)", "")])
    for item in shown:
        show([], [(item.heading, "bold")], [])
        print_table(_matrix(item.lattice), color)
        show([])
        print_table(_arcs(item.lattice), color)
    show([])


def _matrix(lattice: EditLattice) -> Table:
    """Make the Levenshtein matrix (Figure 1): rows are the source, columns the hypothesis."""
    from errata.report.table import Column, Table

    on_path, vertices = set(lattice.path), set(lattice.vertices)
    columns = (Column(""), Column(EMPTY_SIGN, "count"), *(Column(token, "count") for token in lattice.hypothesis))

    def cell(i: int, j: int) -> str:
        distance = lattice.distances[i][j]
        return f"[{distance}]" if (i, j) in on_path else f"({distance})" if (i, j) in vertices else f"{distance} "

    rows = tuple(
        (EMPTY_SIGN if i == 0 else lattice.source[i - 1], *(cell(i, j) for j in range(len(lattice.hypothesis) + 1)))
        for i in range(len(lattice.source) + 1)
    )
    return Table(columns, rows, notes=(_MATRIX,))


def _arcs(lattice: EditLattice) -> Table:
    """Make the list of arcs (Figure 2)."""
    from errata.report.table import Column, Table

    columns = (Column(""), Column("From"), Column("To"), Column("Source"), Column("System"), Column("Cost", "count"), Column("Gold"))
    rows = tuple(
        (
            "*" if arc.on_path else "",
            _vertex(arc.start),
            _vertex(arc.end),
            lattice.original(arc) or EMPTY_SIGN,
            lattice.correction(arc) or EMPTY_SIGN,
            lattice.cost(arc),
            "matches" if arc.gold else "",
        )
        for arc in lattice.arcs
    )
    return Table(columns, rows, notes=(_ARCS,))


def _vertex(vertex: tuple[int, int]) -> str:
    return f"({vertex[0]},{vertex[1]})"


def _record_lattice(score: Score, number: int, shown: Sequence[_Shown]) -> dict[str, Any]:
    return {
        "sentence": number,
        "source": score.evidence.corpus[score.evidence.index(number)].text,
        "system": " ".join(shown[0].lattice.hypothesis),
        "annotators": list(_annotators(shown)),
    }


def _annotators(shown: Sequence[_Shown]) -> Iterator[dict[str, Any]]:
    for item in shown:
        lattice = item.lattice
        arcs = [
            {
                "from": arc.start,
                "to": arc.end,
                "source": lattice.original(arc),
                "system": lattice.correction(arc),
                "changes": arc.changes,
                "gold": arc.gold,
                "on_path": arc.on_path,
                "cost": lattice.cost(arc),
            }
            for arc in lattice.arcs
        ]
        yield {
            "annotator": item.annotator,
            "chosen": item.chosen,
            "gold": item.gold,
            "vertices": lattice.vertices,
            "arcs": arcs,
            "path": lattice.path,
            "distances": lattice.distances,
        }


def _print_digest(options: argparse.Namespace, scores: Sequence[Score], numbers: Sequence[int], filters: _Filters) -> int:
    """Print the most frequent edits that pass the filters, of each system and of all together."""
    from errata.metrics.views import ShowsEdits
    from errata.scoring.edits import digest_edits
    from errata.scoring.scores import join_signatures

    if not isinstance(scores[0].output, ShowsEdits):
        raise UsageError(f"{scores[0].metric.name} does not show edits; --digest needs a metric of edits, such as maxmatch")
    for_programs = options.format in {"json", "csv"}
    top = options.top if options.top is not None or for_programs else TOP_EDITS
    edits = [_list_passing(score, numbers, filters) for score in scores]
    digests = [digest_edits([own], numbers, top) for own in edits]
    together = digest_edits(edits, numbers, top) if len(scores) > 1 else None
    names = [score.system_name for score in scores]
    if options.format == "json":
        head = {"errata": __version__, **gold_record(scores[0].evidence.corpus), "metric": options.metric}
        systems = [
            {"system": score.system_name, "signature": score.signature, **digest.to_record()}
            for score, digest in zip(scores, digests, strict=True)
        ]
        print_json({**head, "systems": systems, **({"all": together.to_record(names)} if together is not None else {})})
    elif options.format == "csv":
        print_tables([EditDigests(names, digests, together).flat_table()], "csv")
    else:
        listed = [*digests, *([together] if together is not None else [])]
        more = "  --top N shows more, --format csv all." if any(any(digest.left_out.values()) for digest in listed) else ""
        notes = [f"Edits against the chosen references.{more}", join_signatures(scores)]
        _print_for_people(options, EditDigests(names, digests, together).tables(notes))
    return 0


def _list_passing(score: Score, numbers: Sequence[int], filters: _Filters) -> list[list[JudgedEdit]]:
    """List the edits of sentences that pass the filters."""
    from errata.scoring.edits import list_chosen_edits

    corpus, outputs = score.evidence.corpus, score.system.sentences
    indices = {number: score.evidence.index(number) for number in numbers}
    passing = [number for number, index in indices.items() if filters.pass_text(corpus[index], outputs[index])]
    edits = dict(zip(passing, list_chosen_edits(score, passing), strict=True))
    return [list(filter(filters.pass_edit, edits.get(number, ()))) for number in numbers]


def _print_for_people(options: argparse.Namespace, tables: Sequence[Table]) -> None:
    from errata.report.writers import print_table

    if options.format != "text":
        print_tables(tables, options.format)
        return
    flush_warnings()
    for number, table in enumerate(tables):
        if number:
            print()
        print_table(table, options.color)


def _print_page(options: argparse.Namespace, scores: Sequence[Score], filters: _Filters) -> int:
    """Print the page of some systems; filters are its first view, and can be changed there."""
    from errata.language.types import ORDER
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.document import make_page
    from errata.report.page.evaluation import build_report, type_by_tagger

    with DrawingProcess() as drawer:
        shown, sampled = choose_sentences(options, len(scores[0].evidence.corpus))
        command, warnings = describe_run(options)
        report = replace(
            build_report([scores], type_by_tagger(None, ORDER, "full"), drawer=drawer, watch=watch),
            shown=shown,
            sampled=sampled,
            command=command,
            warnings=warnings,
            start=_write_view(filters, scores),
        )
        flush_warnings()
        print(make_page(report, watch), end="")
    return 0


def _write_view(filters: _Filters, scores: Sequence[Score]) -> str:
    """Write the view that the filters ask for, as in the address of the page."""
    from errata.report.page.sections import write_view

    system = scores[0].system_name if len(scores) == 1 and filters.of_edits else ""
    view = {"system": system, "outcome": sorted(filters.outcomes), "type": sorted(filters.types), "q": filters.search}
    return write_view(view) or "sort=number"


COMMANDS = {"inspect": _register_inspect}
