"""All mixtures of the corrections of a sentence, in independent blocks; twin of ``native/blocks.hpp``."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.beginnings import Step
from errata.core.python.columns import COUNTS_PER_SYSTEM, ColumnCounts, add
from errata.core.python.limits import MOST_ALIGNED, MOST_BEGINNINGS, MOST_BOUNDS, MOST_CELLS, MOST_PAIRS, name_sentence
from errata.core.python.mixtures import BlocksLimits, CoreSite, Mixtures, MixtureSolver
from errata.core.python.pairwise import Costs

if TYPE_CHECKING:
    from errata.texts import Tokens

_Row = tuple[tuple[int, ...], ColumnCounts]
"""The variant of each site of a block, and the counts."""
Block = tuple[int, int, list[_Row]]
"""The first site, the site after the last, and the rows."""
_CELLS_FOR_ADDITION, _CELLS_FOR_ROW, _CELLS_FOR_CHOICE = 16, 64, 8
"""How many visited cells they count like."""


class MixedReferences:
    """All references that mix variants of text, scored without listing them."""

    def __init__(  # noqa: PLR0913 - as in the core
        self,
        sentences: list[tuple[Tokens, tuple[CoreSite, ...]]],
        gap: int,
        mismatch: int,
        realigned: bool,  # noqa: FBT001 - as in the core
        most_choices: int,
        *,
        most_cells: int = MOST_CELLS,
        most_bounds: int = MOST_BOUNDS,
        most_beginnings: int = MOST_BEGINNINGS,
        most_pairs: int = MOST_PAIRS,
        most_aligned: int = MOST_ALIGNED,
    ) -> None:
        self._costs = Costs.checked(gap, mismatch)
        self._limits = BlocksLimits(most_choices, most_cells, most_bounds, most_beginnings, most_pairs, most_aligned)
        self._sentences = [(source, sites) for source, sites in sentences]
        for source, sites in self._sentences:
            _check(sites, len(source))
        self._realigned = realigned
        self._baselines = [self._solve(number, source) for number, (source, _) in enumerate(self._sentences)] if realigned else []

    def blocks(self, first: int, hypotheses: list[Tokens]) -> list[list[Block]]:
        """List the independent blocks of consecutive sentences from `first`: first site, site after the last, and the distinct counts \
with the first choice of variants that has them.  A sentence with too many of them or too many cells has no blocks.
        """
        if first + len(hypotheses) > len(self._sentences):
            message = "more hypotheses than sentences"
            raise IndexError(message)
        return [self._blocks(number, hypothesis) for number, hypothesis in enumerate(hypotheses, start=first)]

    def _blocks(self, number: int, hypothesis: Tokens) -> list[Block]:
        baseline = self._baselines[number] if self._realigned else None
        if self._realigned and baseline is None:
            return []
        mixtures = self._solve(number, hypothesis)
        return [] if mixtures is None else _BlockList(mixtures, baseline, self._limits).make()

    def _solve(self, number: int, hypothesis: Tokens) -> Mixtures | None:
        source, sites = self._sentences[number]
        counted = COUNTS_PER_SYSTEM if self._realigned else 2 * COUNTS_PER_SYSTEM
        with name_sentence(number + 1):
            return MixtureSolver(source, hypothesis, sites, self._costs, self._limits, counted).solve()


def list_blocks(  # noqa: PLR0913 - as in the core
    source: Tokens,
    hypothesis: Tokens,
    sites: tuple[CoreSite, ...],
    gap: int,
    mismatch: int,
    realigned: bool,  # noqa: FBT001 - as in the core
    most_choices: int,
    *,
    most_cells: int = MOST_CELLS,
    most_bounds: int = MOST_BOUNDS,
    most_beginnings: int = MOST_BEGINNINGS,
    most_pairs: int = MOST_PAIRS,
    most_aligned: int = MOST_ALIGNED,
) -> tuple[list[Block], int]:
    """List the independent blocks of one sentence, as `MixedReferences` does; also the work."""
    costs = Costs.checked(gap, mismatch)
    limits = BlocksLimits(most_choices, most_cells, most_bounds, most_beginnings, most_pairs, most_aligned)
    _check(sites, len(source))
    found, work = [], 0
    for tokens in (source, hypothesis) if realigned else (hypothesis,):
        solver = MixtureSolver(source, tokens, sites, costs, limits, COUNTS_PER_SYSTEM if realigned else 2 * COUNTS_PER_SYSTEM)
        mixtures = solver.solve()
        work += solver.work
        if mixtures is None:
            return [], work
        found.append(mixtures)
    blocks = _BlockList(found[-1], found[0] if realigned else None, limits)
    return blocks.make(), work + blocks.work


def _check(sites: tuple[CoreSite, ...], length: int) -> None:
    before = 0
    for start, end, variants in sites:
        if not before <= start <= end <= length:
            message = "sites must be inside the sentence, in order, without overlap"
            raise ValueError(message)
        if not variants:
            message = "a site must have a variant"
            raise ValueError(message)
        before = end


class _Entry(NamedTuple):
    """The first beginning of a block with some classes and counts: that with one site less, and the variant of the last site."""

    before: int
    variant: int


class _State(NamedTuple):
    """The classes of system and baseline, and the counts of both."""

    system: int
    baseline: int
    counts: ColumnCounts


class _BlockList:
    """The blocks of a sentence, with the counts of its baseline if it was realigned."""

    def __init__(self, system: Mixtures, baseline: Mixtures | None, limits: BlocksLimits) -> None:
        self._baseline = baseline
        self._system = system
        self._limits = limits
        self.work = 0
        """The work so far, in cells."""

    def make(self) -> list[Block]:
        """List the blocks; none if a block has too many rows, or if they take too many additions."""
        mixtures = [self._system] if self._baseline is None else [self._system, self._baseline]
        sites = len(self._system.steps)
        ends = [site for site in range(1, sites) if all(len(one.steps[site]) == 1 for one in mixtures)]
        blocks = []
        for first, last in pairwise([0, *ends, sites]):
            rows = self._rows(first, last)
            if rows is None:
                return []
            blocks.append((first, last, rows))
        return blocks

    def _rows(self, first: int, last: int) -> list[_Row] | None:
        """List distinct counts, each with the first choice of variants.

        Beginnings are listed in the order of their choices, so the first is found first.
        """
        none = (0,) * (2 * COUNTS_PER_SYSTEM)
        baseline = self._baseline
        start = self._join(self._system.counts, none if baseline is None else baseline.counts) if first == 0 else none
        states = [_State(0, 0, start)]
        entries: list[list[_Entry]] = []
        for site in range(first, last):
            found: dict[_State, _Entry] = {}
            for before, state in enumerate(states):
                steps = self._system.steps[site][state.system]
                others = [Step(0, none)] * len(steps) if baseline is None else baseline.steps[site][state.baseline]
                if not self._use(_CELLS_FOR_ADDITION * len(steps)):
                    return None
                for variant, (step, other) in enumerate(zip(steps, others, strict=True)):
                    counts = add(state.counts, self._join(step.counts, other.counts))
                    found.setdefault(_State(step.to, other.to, counts), _Entry(before, variant))
                if len(found) > self._limits.choices:
                    return None
            if not self._use(_CELLS_FOR_ROW * len(found)):
                return None
            states = list(found)
            entries.append(list(found.values()))
        if not self._use(_CELLS_FOR_CHOICE * len(states) * len(entries)):
            return None
        return [(_list_choice(entries, number), state.counts) for number, state in enumerate(states)]

    def _use(self, cells: int) -> bool:
        """Count work, and tell whether it is not too much."""
        self.work += cells
        return self.work <= self._limits.beginnings

    def _join(self, system: ColumnCounts, baseline: ColumnCounts) -> ColumnCounts:
        """Put the counts of the baseline in the place of those of the unchanged source."""
        return system if self._baseline is None else (*system[:COUNTS_PER_SYSTEM], *baseline[:COUNTS_PER_SYSTEM])


def _list_choice(entries: list[list[_Entry]], number: int) -> tuple[int, ...]:
    """List the variant of each site of a block."""
    result = []
    for column in reversed(entries):
        number, variant = column[number]
        result.append(variant)
    return tuple(reversed(result))
