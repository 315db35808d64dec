"""Published figures beside those that errata computes: whether they are equal, and if not, why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Kind = Literal["other data", "other release", "another method", "not specified", "random numbers", "error in the paper", "unknown"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Verdict = Literal["equal", "close", "explained", "unexplained"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_SLACK = 1e-9
"""What binary fractions may add to half a unit of the last digit."""


class Cause(NamedTuple):
    """Why a figure differs: a kind, and a sentence about these figures."""

    kind: Kind
    text: str


class Figure(NamedTuple):
    """A published number as it is printed, errata's number, and why they differ, if they do."""

    published: str
    found: float
    cause: Cause | None = None

    @property
    def digits(self) -> int:
        """How many digits the published number has after the point."""
        return len(self.published.partition(".")[2])

    @property
    def difference(self) -> float:
        """The number of errata less the published one."""
        return self.found - _read_number(self.published)

    @property
    def verdict(self) -> Verdict:
        """Equal to the printed digits; else within one unit of the last one, as when it was computed from rounded numbers; else different.

        >>> Figure("0.38", 0.375).verdict, Figure("1351.24", 1351.249).verdict, Figure("12", 13).verdict
        ('equal', 'close', 'unexplained')
        >>> Figure("12", 13, Cause("random numbers", "Samples of its own.")).verdict
        'explained'
        """
        unit = 10.0**-self.digits
        distance = abs(self.difference)
        if distance <= (0.5 + _SLACK) * unit:
            return "equal"
        if self.digits and distance <= (1 + _SLACK) * unit:
            return "close"
        return _judge_difference(self.cause)

    @property
    def written(self) -> str:
        """The number of errata; one that is close to the published one has a digit more."""
        return write_number(self.found, self.digits + (self.verdict == "close"), thousands="," in self.published)

    @property
    def written_difference(self) -> str:
        """The difference, with its sign; none if the figures are equal."""
        if self.verdict == "equal":
            return "="
        return write_number(self.difference, self.digits + (self.verdict == "close"), signed=True, thousands=True)


class Claim(NamedTuple):
    """What a paper says in words, what errata finds, and whether the words hold."""

    published: str
    written: str
    holds: bool
    cause: Cause | None = None

    @property
    def verdict(self) -> Verdict:
        """Equal if the words hold."""
        return "equal" if self.holds else _judge_difference(self.cause)

    @property
    def written_difference(self) -> str:
        """Whether the words hold."""
        return "=" if self.holds else "does not hold"


class Recording(NamedTuple):
    """Many recorded values of a tool: how many errata computes, and how many of them are equal."""

    what: str
    compared: int
    equal: int
    cause: Cause | None = None

    @classmethod
    def of(cls, what: str, pairs: Iterable[tuple[object, object]], cause: Cause | None = None) -> Recording:
        """Compare recorded and computed values."""
        outcomes = [recorded == found for recorded, found in pairs]
        return cls(what, len(outcomes), sum(outcomes), cause)


class Absent(NamedTuple):
    """Figures that cannot be recomputed: where they stand, what they are, how many (if known), and what is missing."""

    where: str
    what: str
    number: int | None
    needs: str


def _read_number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _judge_difference(cause: Cause | None) -> Verdict:
    return "unexplained" if cause is None or cause.kind == "unknown" else "explained"


def write_number(value: float, digits: int, *, signed: bool = False, thousands: bool = False) -> str:
    """Write a number with a true minus sign.

    >>> write_number(-1.164, 2), write_number(0.4, 2, signed=True), write_number(1381, 0, thousands=True)
    ('−1.16', '+0.40', '1,381')
    """
    sign, comma = ("+" if signed else ""), ("," if thousands else "")
    text = f"{value:{sign}{comma}.{digits}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def require(value: float | None) -> float:
    """Return a value that must not be undefined."""
    if value is None:
        raise ValueError("a figure that errata should compute is undefined")
    return value


def count_verdicts(figures: Iterable[Figure | Claim]) -> Counter[Verdict]:
    """Count equal figures, and others."""
    return Counter(figure.verdict for figure in figures)


def list_causes(figures: Sequence[Figure | Claim]) -> Iterator[tuple[Cause, int]]:
    """List why figures differ by more than rounding, and in how many cases; the most frequent causes first."""
    unknown = Cause("unknown", "No reason is known.")
    causes = Counter(figure.cause or unknown for figure in figures if figure.verdict in {"explained", "unexplained"})
    yield from causes.most_common()
