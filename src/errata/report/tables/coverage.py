"""Tables of coverage and of conservatism."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import pluralise
from errata.report.table import Cell, Column, Table
from errata.studies.coverage.estimation import GAMMAS, correct_accuracy, count_accuracy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.conservatism import Conservatism, Extremes, SentenceChanges
    from errata.studies.coverage.estimation import Counted, Coverage, CoverageIntervals, MatchRule, Range, SentenceEstimate


LEVELS = (0.5, 0.8, 0.9)
"""Accuracies for which the number of references needed is reported."""
_Z = 1.96
"""Half of a 95% interval, in standard errors."""
_BIAS = "An interval that does not contain its estimate shows that the estimate is biased; prefer the column Counted."


class CoverageTables(NamedTuple):
    """What tables of coverage show."""

    estimates: Sequence[SentenceEstimate]
    coverage: Coverage
    numbers: Sequence[int]
    """Of references."""
    levels: Sequence[float]
    """Accuracies for which the number of references needed is reported."""
    same: MatchRule
    intervals: CoverageIntervals | None = None
    matched: tuple[int, int] | None = None
    """A number of sentences that matched, and that of references, if their p-values are a third table."""

    def tables(self) -> list[Table]:
        """Make tables of the distribution of corrections, and of the accuracy of a perfect corrector."""
        known = self.intervals
        of_mass, of_accuracy = ((known.corrections, known.mass), (known.accuracy, known.distinct)) if known is not None else (None, None)
        return [
            _distribution_table(self.estimates, self.coverage, of_mass, self.same),
            _coverage_table(self.estimates, self.coverage, self.numbers, self.levels, of_accuracy),
            *([_matched_table(self.coverage, *self.matched)] if self.matched is not None else []),
        ]

    def sentence_table(self) -> Table:
        """Make a table of the estimates for every sentence."""
        return _sentence_table(self.estimates, self.numbers, self.same)


def _distribution_table(
    estimates: Sequence[SentenceEstimate], coverage: Coverage, intervals: tuple[Sequence[Range], Sequence[Range]] | None, same: MatchRule
) -> Table:
    """Make a table of the mean number of corrections above each probability, with classical estimates."""
    columns = [Column("More probable than", "number"), Column("Corrections", "count")]
    columns += [Column("Interval", "count")] if intervals else []
    columns.append(Column("Probability mass", "number"))
    columns += [Column("Interval", "count")] if intervals else []
    rows: list[tuple[Cell, ...]] = []
    for index, gamma in enumerate(GAMMAS):
        cells: list[Cell] = [f"{gamma:g}", f"{coverage.variants(gamma):,.2f}"]
        cells += [f"[{intervals[0][index].low:,.1f}, {intervals[0][index].high:,.1f}]"] if intervals else []
        cells.append(coverage.mass(gamma))
        cells += [_range(intervals[1][index])] if intervals else []
        rows.append(tuple(cells))
    count = len(estimates)
    seen, answers = sum(item.classical.seen for item in estimates) / count, sum(item.classical.answers for item in estimates) / count
    turing, chao = sum(item.classical.good_turing for item in estimates) / count, sum(item.classical.chao1 for item in estimates) / count
    knife = sum(item.classical.jackknife for item in estimates) / count
    notes = (
        f"Means over {pluralise(count, 'sentence')} with {answers:.1f} answers and {seen:.1f} different corrections each; {same}.",
        f"Classical estimates: Good-Turing coverage {turing:.4f}, Chao1 at least {chao:,.1f} corrections, jackknife {knife:,.1f}.",
        _frequent_in_words(coverage),
    )
    return Table(tuple(columns), tuple(rows), "How many corrections a sentence has", notes)


def _frequent_in_words(coverage: Coverage) -> str:
    frequent, mass = coverage.variants(0.01), coverage.mass(0.01)
    return f"In words: {frequent:.1f} corrections have a probability above 1%; together they make up {mass:.0%} of the answers."


def _perfect_in_words(estimates: Sequence[SentenceEstimate], coverage: Coverage, numbers: Sequence[int]) -> str:
    """Summarise the accuracy, counted if possible, else estimated; warn if most sentences have too few answers."""
    scores = []
    for number in dict.fromkeys((numbers[0], numbers[-1])):
        counted = count_accuracy(estimates, number)
        accuracy = f"{counted.accuracy:.2f}" if counted is not None else f"about {coverage.accuracy(number):.2f}"
        scores.append(f"{accuracy} with {pluralise(number, 'reference')}")
    warning = (
        "" if 2 * sum(bool(item.warning) for item in estimates) <= len(estimates) else " Most sentences have too few answers to trust this."
    )
    return f"In words: a corrector that is always right would score {' and '.join(scores)} per sentence.{warning}"


def _counted_cells(counted: Counted | None) -> tuple[Cell, Cell]:
    if counted is None:
        return None, None
    return counted.accuracy, _Z * counted.error if counted.error is not None else None


def _range(interval: Range) -> str:
    return f"[{interval.low:.4f}, {interval.high:.4f}]"


def _coverage_table(
    estimates: Sequence[SentenceEstimate],
    coverage: Coverage,
    numbers: Sequence[int],
    wanted_levels: Sequence[float],
    intervals: tuple[Sequence[Range], Sequence[Range]] | None,
) -> Table:
    """Make a table of the accuracy of a perfect corrector for each number of references."""
    columns = [Column("References", "count"), Column("Counted", "number"), Column("± 95%", "number"), Column("Accuracy", "number")]
    columns += [Column("Interval", "count")] if intervals else []
    columns += [Column("95% of tests", "count"), Column("All different", "number")]
    columns += [Column("Interval", "count")] if intervals else []
    rows: list[tuple[Cell, ...]] = []
    size = len(coverage.distributions)
    for index, number in enumerate(numbers):
        low, high = coverage.matches(number).central()
        counted = count_accuracy(estimates, number)
        cells: list[Cell] = [number, *_counted_cells(counted), coverage.accuracy(number)]
        cells += [_range(intervals[0][index])] if intervals else []
        cells += [f"{low / size:.2f} to {high / size:.2f}", coverage.accuracy(number, distinct=True)]
        cells += [_range(intervals[1][index])] if intervals else []
        rows.append(tuple(cells))
    bias = (_BIAS,) if intervals else ()
    needed = [(level, coverage.references_for(level)) for level in wanted_levels]
    wanted = ", ".join(
        f"{100 * level:g}%: {number:,}" if number is not None else f"{100 * level:g}%: not within a billion" for level, number in needed
    )
    notes = (
        (
            "Counted: one answer is the output, others are the references, averaged over all combinations; "
            "unbiased, but needs more answers than references."
        ),
        f"95% of tests: central 95% range of the accuracy of a perfect corrector on {pluralise(size, 'sentence')}.",
        "All different: accuracy if no two references of a sentence are equal.",
        f"References needed for an accuracy of {wanted}.",
        *bias,
        _perfect_in_words(estimates, coverage, numbers),
    )
    return Table(tuple(columns), tuple(rows), "Accuracy of a perfect corrector", notes)


def _matched_table(coverage: Coverage, matched: int, references: int) -> Table:
    matches = coverage.matches(references)
    size = len(matches.chances)
    rows: tuple[tuple[Cell, ...], ...] = tuple((side, matches.p_value(matched, side)) for side in ("less", "greater", "two-sided"))
    notes = (
        (
            f"Expected accuracy: {matches.accuracy:.4f} ({matches.accuracy * size:.1f} of {pluralise(size, 'sentence')}), "
            f"standard deviation {matches.deviation:.4f}."
        ),
        f"Accuracy {matched / size:.4f}, corrected for coverage {_shown(correct_accuracy(matched / size, matches.accuracy))}.",
        f"less: {matched:,} or fewer; greater: {matched:,} or more.",
    )
    title = f"Probability that a perfect corrector matches {pluralise(matched, 'sentence')} with {pluralise(references, 'reference')}"
    return Table((Column("Side"), Column("p", "p")), rows, title, notes)


def _shown(value: float | None) -> str:
    return Column("", "number").shown(value)


def flat_coverage_table(record: dict[str, Any]) -> Table:
    """Make a table for programs, with one row for each number of the record."""
    rows: list[tuple[Cell, ...]] = []
    for item in record["distribution"]:
        where = f"above {item['above']:g}"
        rows += [(name, where, item[name], *(item[f"{name}_interval"] or (None, None))) for name in ("corrections", "mass")]
    for item in record["accuracy"]:
        where = f"references {item['references']}"
        rows += [(name, where, item[name], *(item[f"{name}_interval"] or (None, None))) for name in ("accuracy", "distinct")]
        counted = item["counted"] or {"accuracy": None, "error": None}
        rows += [("counted", where, counted["accuracy"], None, None), ("counted_error", where, counted["error"], None, None)]
    rows += [("references_needed", f"accuracy {level}", number, None, None) for level, number in record["references_needed"].items()]
    rows += [
        ("p", f"{side} {record['matched']['matched']}", value, None, None) for side, value in record.get("matched", {"p": {}})["p"].items()
    ]
    columns = (Column("measure"), Column("of"), *(Column(name, "percent") for name in ("value", "low", "high")))
    return Table(columns, tuple(rows))


def _sentence_table(estimates: Sequence[SentenceEstimate], numbers: Sequence[int], same: MatchRule) -> Table:
    columns = [Column("Sentence", key="sentence")]
    columns += [
        Column(name, "count", key) for name, key in (("Answers", "answers"), ("Different", "different"), ("Unchanged", "unchanged"))
    ]
    columns += [Column("Corrections", "number", "corrections"), Column("Mass above 0.01", "number", "mass_above_0.01")]
    columns += [
        Column("Good-Turing", "number", "good_turing"),
        Column("Chao1", "number", "chao1"),
        Column("Jackknife", "number", "jackknife"),
    ]
    columns += [Column(f"Coverage {number}", "number", f"coverage_{number}") for number in numbers]
    columns.append(Column("Warning", key="warning"))
    rows: list[tuple[Cell, ...]] = []
    for item in estimates:
        simple, accuracy = item.classical, item.distribution
        counts: list[Cell] = [simple.answers, simple.seen, same.unchanged(item.sentence)]
        measures = [accuracy.number_above(), accuracy.mass_above(0.01), simple.good_turing, simple.chao1, simple.jackknife]
        rows.append((item.sentence.name, *counts, *measures, *(accuracy.coverage(number) for number in numbers), item.warning))
    counted = [item.distribution.number_above() for item in estimates]
    words = f"In words: a sentence has an estimated {min(counted):,.0f} to {max(counted):,.0f} corrections."
    return Table(tuple(columns), tuple(rows), notes=(str(same), words))


_MANY = 4
"""Changed words from which on a sentence counts as much changed."""
_MOST_COLUMNS = 6
"""Numbers of changed words that have their own column."""


def conservatism_tables(
    references: Sequence[Conservatism],
    systems: Sequence[tuple[Conservatism, Extremes]],
    size: int,
    notes: Sequence[str],
    *,
    apart: bool | None = None,
    changes: Sequence[tuple[str, SentenceChanges]] = (),
    marks: str = "",
) -> list[Table]:
    """Make a table of what annotators and systems change in so many sentences, and others if they are asked for.

    ``apart`` adds a histogram, of all changed words or only of words with larger changes.
    ``changes`` are the splits and joins of sentences of each text by name, with the ``marks`` that end sentences.
    """
    items = [item for item, _ in systems]
    tables = [_changes_table(references, systems, [*_changes_in_words(references, items, size), *notes])]
    tables += [_histogram_table([*references, *items], apart=apart)] if apart is not None else []
    return [*tables, *([_sentence_changes_table(changes, marks)] if changes else [])]


def _changes_table(references: Sequence[Conservatism], systems: Sequence[tuple[Conservatism, Extremes]], notes: Sequence[str]) -> Table:
    """Make a table of annotators, then of systems with the sentences in which they change more, or less, than all annotators."""
    headings = (
        ("Sentences changed", "changed"),
        ("Words", "words"),
        ("Larger changes", "words_apart"),
        ("Reordered", "reordered"),
        ("Split", "split"),
        ("Joined", "joined"),
    )
    columns = [Column("Text", key="name"), *(Column(name, "count", key) for name, key in headings), Column("Order", "number", "order")]
    columns += [Column("More than all", "count", "more"), Column("Fewer than all", "count", "fewer")]
    rows: list[tuple[Cell, ...]] = []
    for item, own in [*((item, None) for item in references), *systems]:
        counts: list[Cell] = [getattr(item, key) for _, key in headings]
        rows.append((item.name, *counts, item.order, *((len(own.more), len(own.fewer)) if own is not None else (None, None))))
    return Table(tuple(columns), tuple(rows), notes=tuple(notes))


def _changes_in_words(references: Sequence[Conservatism], systems: Sequence[Conservatism], sentences: int) -> list[str]:
    fewest = min(references, key=lambda item: item.words)
    notes = [f"More/Fewer than all: sentences (of {sentences:,}) in which a system changes more, or fewer, words than every annotator."]
    timid = [item for item in systems if item.words < fewest.words]
    if systems and len(timid) == len(systems):
        most = max(systems, key=lambda item: item.words)
        share = most.words / fewest.words
        notes.append(
            f"Every system changes fewer words than any annotator; "
            f"even {most.name}, which changes most, changes only {share:.0%} as many as {fewest.name}."
        )
    elif timid:
        notes.append(
            f"Systems that change fewer words than any annotator ({len(timid)} of {len(systems)}): "
            f"{', '.join(item.name for item in timid)}."
        )
    else:
        notes.append("No system changes fewer words than every annotator.")
    return notes


def _sentence_changes_table(changes: Sequence[tuple[str, SentenceChanges]], marks: str) -> Table:
    headings = (("Split", "split"), ("Joined", "joined"), ("Split at line end", "split_lines"), ("Joined with next line", "joined_lines"))
    columns = (Column("Text", key="name"), *(Column(name, "count", key) for name, key in headings))
    rows = tuple((name, *counts) for name, counts in changes)
    notes = (
        f"Sentence ends: {' '.join(marks)}",
        "Split, Joined: ends added and removed inside lines, each counted.",
    )
    return Table(columns, rows, "Sentences split and joined", notes)


def _histogram_table(items: Sequence[Conservatism], *, apart: bool) -> Table:
    """Make a table of the number of sentences for each number of changed words."""
    last = f"{_MOST_COLUMNS}+"
    columns = (
        Column("Text"),
        *(Column(str(words), "count") for words in range(_MOST_COLUMNS)),
        Column(last, "count"),
        Column("Most", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    for item in items:
        counts = item.histogram(apart=apart)
        more = sum(count for words, count in counts.items() if words >= _MOST_COLUMNS)
        rows.append((item.name, *(counts[words] for words in range(_MOST_COLUMNS)), more, max(counts, default=0)))
    what = "words with larger changes" if apart else "changed words"
    many = sorted((sum(count for words, count in item.histogram(apart=apart).items() if words >= _MANY), item.name) for item in items)
    ends = f"{many[0][0]:,} ({many[0][1]}) to {many[-1][0]:,} ({many[-1][1]})"
    words = f"In words: sentences with {_MANY} or more {what} range from {ends}."
    return Table(columns, tuple(rows), f"Sentences by their number of {what}", (words,))
