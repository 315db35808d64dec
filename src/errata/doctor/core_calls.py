"""A call of every function of the core with the sentences of the example, to compare the compiled core with its twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.doctor.recorded import load_example, load_parses

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from errata.corpus.texts import Tokens


_COSTS = (2, 3)
"""What a gap and a mismatch cost in the alignments of I-measure."""
_MOST_CHOICES = 1 << 10
_MAX_UNCHANGED = 2
_ORDER = 4


def _sources() -> list[Tokens]:
    return [sentence.tokens for sentence in load_example().gold]


def _outputs() -> list[Tokens]:
    return list(load_example().system.sentences)


def _references() -> list[tuple[Tokens, ...]]:
    return [tuple(map(sentence.corrected, sentence.annotations)) for sentence in load_example().gold]


def _texts() -> list[tuple[Tokens, Tokens, tuple[Tokens, ...]]]:
    """List each source with its output and its references."""
    return list(zip(_sources(), _outputs(), _references(), strict=True))


def _sites(source: Tokens, references: tuple[Tokens, ...]) -> tuple[tuple[int, int, tuple[Tokens, ...]], ...]:
    """One site, which is the whole sentence."""
    return ((0, len(source), tuple(dict.fromkeys(references))),)


def _judge(core: ModuleType) -> Any:
    from errata.metrics.maxmatch import make_core_edit  # it imports the core, which may be broken

    edits = [tuple(tuple(map(make_core_edit, one.edits)) for one in sentence.annotations) for sentence in load_example().gold]
    judge = core.MaxMatchJudge(list(zip(_sources(), edits, strict=True)), _MAX_UNCHANGED)
    return judge.counts(0, _outputs()), [judge.edits(index, output) for index, output in enumerate(_outputs())]


def _count_texts(core: ModuleType) -> Any:
    columns = zip(*_references(), strict=True)
    source, outputs, *references = ([" ".join(tokens) for tokens in texts] for texts in (_sources(), _outputs(), *columns))
    gold = core.TextGold(source, references, _MAX_UNCHANGED)
    return memoryview(gold.counts(outputs)).tolist(), gold.content(0, len(source))


def _mix(core: ModuleType) -> Any:
    sentences = [(source, _sites(source, references)) for source, _, references in _texts()]
    return core.MixedReferences(sentences, *_COSTS, True, _MOST_CHOICES).blocks(0, _outputs())


def _list_blocks(core: ModuleType) -> Any:
    return [core.list_blocks(source, output, _sites(source, own), *_COSTS, True, _MOST_CHOICES) for source, output, own in _texts()]


def _count_ngrams(core: ModuleType) -> Any:
    counter = core.NgramCounter(list(zip(_sources(), _references(), strict=True)), _ORDER)
    return [count(0, _outputs(), excess) for count in (counter.counts, counter.pooled_counts) for excess in (False, True)]


def _rechoose(core: ModuleType) -> Any:
    import numpy as np

    rows = np.array([(3, 1), (2, 0), (1, 1), (0, 2), (4, 4)], dtype=np.int64)
    starts, picked = np.array([0, 2, 3, 5], dtype=np.int64), np.array([(0, 1, 2), (2, 2, 0), (1, -1, 1)], dtype=np.int64)
    return [core.rechoose(rows, starts, picked, optimal).tolist() for optimal in (False, True)]


def _align_parses(core: ModuleType) -> Any:
    sentences = [(parse.forms, parse.lemmas, parse.pos) for parse in load_parses()]
    pairs = [(number, 2 * number, 2 * number + 1) for number in range(len(sentences) // 2)]
    return [core.align_parses(sentences, pairs, linguistic) for linguistic in (False, True)]


def _merge(core: ModuleType) -> Any:
    parses = load_parses()
    sides = [(parse.forms, parse.pos, parse.tags) for parse in parses]
    aligned = [core.align(one.forms, other.forms) for one, other in zip(parses[::2], parses[1::2], strict=True)]
    return [core.merge_by_rules(own, *pair) for own, *pair in zip(aligned, sides[::2], sides[1::2], strict=True)]


def _read_parses(core: ModuleType) -> Any:
    lines = "# text = He sings\n1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tsings\tsing\tVERB\tVBZ\t_\t0\tROOT\t_\t_"
    return core.ParseReader().read(lines)


CORE_CALLS: dict[str, Callable[[ModuleType], Any]] = {
    "MaxMatchJudge": _judge,
    "TextGold": _count_texts,
    "MixedReferences": _mix,
    "list_blocks": _list_blocks,
    "count_three_way": lambda core: [core.count_three_way(source, output, own, *_COSTS) for source, output, own in _texts()],
    "align_three_way": lambda core: [core.align_three_way(source, output, own[0], *_COSTS) for source, output, own in _texts()],
    "find_best_matches": lambda core: [
        core.find_best_matches([(0, 1, 2), (2,), (), (9,)], [(0, 1), (1, 2), (2,), (0, 1, 2, 3)], [(0, 0), (1, 1), (2, 2)], by_share)
        for by_share in (False, True)
    ],
    "NgramCounter": _count_ngrams,
    "align": lambda core: [core.align(source, output) for source, output, _ in _texts()],
    "compute_edit_distances": lambda core: [list(map(list, core.compute_edit_distances(source, output))) for source, output, _ in _texts()],
    "align_parses": _align_parses,
    "count_common_characters": lambda core: [
        core.count_common_characters(one, other) for source, output, _ in _texts() for one, other in zip(source, output, strict=False)
    ],
    "merge_by_rules": _merge,
    "ParseReader": _read_parses,
    "rechoose": _rechoose,
}
"""A call for each name of the core; the results of both cores must be equal."""
