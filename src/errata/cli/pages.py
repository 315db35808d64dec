"""Pages that commands write: how their edits get types, and the command that made them."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING

from errata.cli.inputs import numbers_from, split_name
from errata.cli.printing import flush_warnings, warnings_so_far

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from errata.cli.score_by_type import GivenTypes
    from errata.corpus.corpus import Corpus
    from errata.names import Detail
    from errata.report.page.evaluation import JudgedSystems, Report, TypeEdits
    from errata.report.tables.scores import TypedScore


def type_by_rules(rules: GivenTypes, given: Corpus, detail: Detail) -> TypeEdits:
    """Give wrong edits the types of a system; ``given`` is the gold as it was given."""

    def type_edits(judged: JudgedSystems) -> tuple[JudgedSystems, list[TypedScore]]:
        edits = list(zip(judged.scores, judged.edits, strict=True))
        wrong = [rules.find_wrong_types(score, own) for score, own in edits]
        typed = [rules.type_score(score, given, detail, own, types) for (score, own), types in zip(edits, wrong, strict=True)]
        return judged.with_types(wrong, detail), typed

    return type_edits


def choose_sentences(options: argparse.Namespace, size: int) -> tuple[Sequence[int], str]:
    """Choose the sentences of the page, and say why these if they are not all."""
    from errata.corpus.texts import write_ranges
    from errata.names import MOST_SENTENCES, describe_choice, describe_sample, sample_evenly

    if options.sentences is not None and not options.as_subset:
        numbers = sorted(set(numbers_from(options, size)))
        return [number - 1 for number in numbers], describe_choice(len(numbers), size, ",".join(write_ranges(numbers)))
    shown = sample_evenly(size, getattr(options, "max_sentences", None) or MOST_SENTENCES)
    return shown, describe_sample(len(shown), size) if len(shown) < size else ""


@contextmanager
def watch(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show progress."""
    from errata.report.progress import ProgressBar

    with ProgressBar(what, total, in_core=True) as bar:
        yield bar.advance


def describe_command(options: argparse.Namespace) -> str:
    """The command as it was given, with files without their folders, and without the file that it writes.

    A page is sent to others, who have other folders.
    """
    words = []
    given = iter(options.given)
    for word in given:
        if word in {"-o", "--output"}:
            next(given, None)
        elif not word.startswith(("-o", "--output=")):
            name, equals, path = word.rpartition("=")
            words.append(f"{name}{equals}{os.path.basename(path)}" if os.path.exists(path) and os.sep in path else word)  # noqa: PTH110, PTH119
    return shlex.join(["errata", *words])


def describe_warnings(options: argparse.Namespace) -> list[str]:
    """What was warned of, with files without their folders."""
    lines = warnings_so_far()
    for path in filter(lambda word: os.sep in word, (split_name(word)[1] for word in options.given)):
        lines = [line.replace(path, os.path.basename(path)) for line in lines]  # noqa: PTH119
    return lines


def write_page(report: Report, path: str) -> None:
    """Write a page, in full or not at all."""
    from errata.formats.writing import write_bytes
    from errata.report.page.document import make_page

    flush_warnings()
    write_bytes(path, make_page(report, watch).encode("utf-8", "backslashreplace"))
