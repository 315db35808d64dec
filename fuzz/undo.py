"""Fixes that can be taken back, to see that the fuzzer finds what they fixed.

Each entry undoes one fix in a running server: it removes a limit, or does again what was done before.
"""

from __future__ import annotations

import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ENTRY = ["-m", "errata"]
"""How Python starts a command in a process of its own."""
_NO_LIMIT = 1 << 40


class Undo(NamedTuple):
    """How to take a fix back, and how that is found."""

    take_back: Callable[[], None]
    recipe: str
    finds: tuple[str, ...]
    """How the problem that is found begins; one of these."""


UNDO: dict[str, Undo] = {}


def take_back(name: str) -> None:
    """Take a fix back in this process."""
    UNDO[name].take_back()


def fix(recipe: str, *finds: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Add a fix that can be taken back."""

    def add(undo: Callable[[], None]) -> Callable[[], None]:
        UNDO[undo.__name__.removeprefix("_")] = Undo(undo, recipe, finds)
        return undo

    return add


def _set(module: str, **values: Any) -> None:
    """Replace names of a module, there and in modules that imported them."""
    home = sys.modules[module]
    for name, value in values.items():
        old = getattr(home, name)
        for other in [loaded for key, loaded in sys.modules.items() if key.startswith("errata")]:
            if vars(other).get(name) is old:
                setattr(other, name, value)


def _set_method(owner: str, name: str, method: Any) -> None:
    """Replace a method of a class, given as ``module:Class``."""
    module, _, class_name = owner.partition(":")
    old = getattr(getattr(sys.modules[module], class_name), name)
    setattr(getattr(sys.modules[module], class_name), name, partial(method, old) if isinstance(old, type) else _with_old(method, old))


def _with_old(method: Any, old: Any) -> Any:
    def call(*given: Any, **named: Any) -> Any:
        return method(old, *given, **named)

    return call


# Time and memory.


def _unlimited_core() -> None:
    from errata import core

    unlimited = dict.fromkeys(("most_pairs", "most_aligned"), _NO_LIMIT)
    native: Any = core
    mixed, counting = native.MixedReferences, native.count_three_way
    native.MixedReferences = partial(mixed, most_cells=_NO_LIMIT, most_bounds=_NO_LIMIT, most_beginnings=_NO_LIMIT, **unlimited)
    native.count_three_way = lambda *given, **named: counting(*given, **{**named, **unlimited, "most_work": _NO_LIMIT})


fix("grown:ambiguous_tokens_imeasure", "memory", "time")(_unlimited_core)


@fix("grown:ambiguous_references", "memory", "time")
def _limit_of_work() -> None:
    _unlimited_core()


def _unlimited_input() -> None:
    from errata.formats.lines import Limits

    _set("errata.formats.lines", get_limits=lambda: Limits(_NO_LIMIT, _NO_LIMIT, _NO_LIMIT, 1 << 34))
    _set("errata.formats.tables", _CHUNK_BYTES=_NO_LIMIT)


fix("grown:compressed_gold", "time", "memory")(_unlimited_input)


@fix("grown:commas", "time", "memory")
def _limit_of_rows() -> None:
    _unlimited_input()


@fix("grown:compressed_system", "time", "memory")
def _no_further_than_gold() -> None:
    _unlimited_input()
    _set("errata.corpus.corpus", take_at_most=lambda items, *_: list(items))


@fix("grown:parquet_rows", "time", "memory")
def _limit_of_parquet() -> None:
    _unlimited_input()
    _set("errata.formats.tables", _check_sizes=lambda *_: (1 << 40, set()))
    _set_method("errata.formats.tables:_Decoder", "_check_lengths", lambda *_: None)


@fix("grown:columns", "time")
def _names_compared_once() -> None:
    _unlimited_input()
    _set("errata.formats.tables", find_repeated=_compare_every_pair)


def _compare_every_pair(names: Any) -> str | None:
    listed = list(names)
    return next((name for index, name in enumerate(listed) if name in listed[:index]), None)


@fix("grown:dotted_key", "memory", "time")
def _dots_of_toml() -> None:
    _set("errata.task.definition", _MOST_DOTS=10**9)


@fix("grown:hoo_edits", "time")
def _overlap_by_position() -> None:
    def judge_after_all(judge: Any, index: Any, edit: Any) -> Any:
        for place in vars(index)["_places"].values():
            for other in vars(place)["_edits"]:
                min(other.end, edit.end) - max(other.start, edit.start)
        return judge(index, edit)

    _set_method("errata.metrics.hoo:_EditIndex", "judge", judge_after_all)


@fix("grown:line_ends_in_cells", "time")
def _lines_counted_once() -> None:
    def count_again(find: Any, lines: Any, row: int) -> Any:
        sum(str(line).count("\n") + str(line).count("\r") for line in lines.known[:row] for _ in "ab")
        return find(lines, row)

    _set_method("errata.formats.tables:Lines", "of", count_again)


@fix("grown:essay_sentences", "time")
def _mistakes_by_position() -> None:
    def look_at_all(make: Any, converter: Any, placed: Any, *others: Any) -> Any:
        for item in vars(converter)["_lists"]:
            for mistake in item.by_document.get(placed.document, {}).get(placed.paragraph, ()):
                placed.start <= mistake.start <= mistake.end <= placed.end  # noqa: B015 - only the work counts
        return make(converter, placed, *others)

    _set_method("errata.formats.nucle:_Converter", "_sentence", look_at_all)


@fix("grown:annotators_to_sgml", "time")
def _essays_in_one_pass() -> None:
    def make_after_all(make: Any, corpus: Any) -> Any:
        for annotator in corpus.annotators:
            for sentence in corpus:
                sum(annotation.annotator == annotator for annotation in sentence.annotations)
        return make(corpus)

    _set("errata.formats.essays", _make_essays=_with_old(make_after_all, vars(sys.modules["errata.formats.essays"])["_make_essays"]))


@fix("grown:annotators_imeasure", "time")
def _annotators_by_name() -> None:
    def look_up_again(errors: Any, annotators: Any) -> Any:
        starts = []
        for annotator in annotators:
            named = [{own.annotator: own for own in reversed(alternatives)} for alternatives in errors]
            starts.append([own.get(annotator) or own.get(None) or every[0] for own, every in zip(named, errors, strict=True)])
        return starts

    _set("errata.metrics.imeasure", _list_starts=look_up_again)


@fix("grown:repeated_characters", "time")
def _words_from_their_starts() -> None:
    _set("errata.studies.conservatism", _GAP=re.compile(r"([^\W_]+)([\W_]+)(?=([^\W_]))"))


@fix("grown:long_words", "time")
def _limit_of_characters() -> None:
    import errata.core

    vars(errata.core)["compute_edit_distances"] = partial(errata.core.compute_edit_distances, most_steps=1 << 60)


# Tracebacks.


@fix("degenerate", "status: 70", "traceback")
def _intervals_without_values() -> None:
    import numpy as np

    def correct(old: Any, values: Any, observed: float, without_one: Any, times: Any, outside: float) -> Any:
        np.average(without_one, weights=times)
        return old(values, observed, without_one, times, outside)

    _set(
        "errata.stats.intervals",
        _compute_bca_percentiles=_with_old(correct, vars(sys.modules["errata.stats.intervals"])["_compute_bca_percentiles"]),
    )


@fix("user_functions", "status: 70", "traceback")
def _functions_of_users() -> None:
    def find(text: str, _: str) -> Any:
        from importlib import import_module

        module, _, name = text.partition(":")
        return getattr(import_module(module), name)

    _set("errata.cli.convert", _find_function=find)


@fix("little_memory", "status", "traceback", "message", "crash")
def _memory_errors() -> None:
    _set("errata.cli.process", _is_lack_of_memory=lambda _: False)


# Silence.


@fix("spoiled", "silence: a key given twice")
def _repeated_keys() -> None:
    _set("errata.formats.jsonl", _DECODER=json.JSONDecoder())


@fix("misspelt_elements", "silence: the unknown element")
def _unknown_elements() -> None:
    _set("errata.formats.xml", check_elements=lambda *_: True)


@fix("spoiled", "silence: line ends that are carriage returns")
def _carriage_returns() -> None:
    def error(report: Any, problems: Any, line: int | None, message: str) -> None:
        if "carriage return" not in message:
            report(problems, line, message)

    _set_method("errata.formats.problems:Problems", "error", error)


@fix("spoiled", "silence: a NUL byte")
def _nul_in_tables() -> None:
    _set("errata.formats.lines", decode_text=lambda raw, *_: raw.decode("utf-8").removeprefix("\ufeff"))


@fix("spoiled", "status: 70", "traceback", "message: expected")
def _lines_of_bad_bytes() -> None:
    _set("errata.formats.lines", decode_text=lambda raw, *_: raw.decode("utf-8").removeprefix("\ufeff"))


@fix("graph_ids", "silence")
def _every_graph_written() -> None:
    from dataclasses import replace

    def number_again(graphs: Any) -> Any:
        seen: set[str] = set()
        renamed = []
        for number, graph in enumerate(graphs, start=1):
            renamed.append(replace(graph, id=f"{graph.id}-{number}") if graph.id in seen else graph)
            seen.add(graph.id)
        return tuple(renamed)

    _set("errata.formats.writing", find_same_file=lambda _: None)
    _set("errata.cli.faithfulness", _with_own_ids=number_again)


@fix("odd_paths", "message: expected")
def _paths_named() -> None:
    _set("errata.formats.lines", is_folder=lambda path: Path(path).is_dir())
    _set("errata.cli.process", _describe_system_error=lambda error: (f"cannot write the output: {error.strerror}", 1))


@fix("task_file", "message: expected")
def _task_file_named() -> None:
    from contextlib import nullcontext

    _set_method("errata.task.definition:Task", "naming", lambda *_: nullcontext())


@fix("failing_output", "status", "traceback", "message")
def _full_standard_error() -> None:
    _set("errata.report.progress", print_to_stderr=lambda line: print(line, file=sys.stderr, flush=True))


# Trust.


@fix("formulas", "formula")
def _formulas_in_csv() -> None:
    _set("errata.report.writers", _FORMULA=re.compile("(?!)"))


@fix("in_a_terminal", "control character")
def _printable_output() -> None:
    _set("errata.report.writers", printable=lambda text, **_: text)


@fix("task_outside", "silence")
def _task_confined() -> None:
    _set_method("errata.task.definition:TaskFiles", "_confine", lambda *_: None)


@fix("terminated", "files: .errata-")
def _temporary_files_removed() -> None:
    _set("errata.formats.writing", ENDING=())


@fix("failing_output", "files")
def _all_or_none() -> None:
    _set_method("errata.formats.writing:Transaction", "create", lambda _, __, path: Path(path).open("wb"))  # noqa: SIM115


def _old_entry() -> None:
    ENTRY[:] = ["-c", "import sys; sys.path.insert(0, ''); from errata.cli import main; sys.exit(main())"]


fix("planted_module", "traceback", "message")(_old_entry)


@fix("interrupted", "traceback", "crash", "message", "status")
def _interrupts_while_starting() -> None:
    _old_entry()
