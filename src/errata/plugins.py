"""What installed packages offer by entry points: metrics, formats, taggers and parsers.

A plug-in is loaded when it is used.  One that cannot be loaded is named with its reason and costs nobody else anything; errata's
own names cannot be taken by others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_OWN = "errata"
Offer = TypeVar("Offer")


class Plugins(Mapping[str, Offer], Generic[Offer]):
    """The offers of one group of entry points by name: errata's own first, then those of other packages."""

    def __init__(self, kind: str, check: Callable[[str, object], Offer]) -> None:
        self.group, self.kind = f"{_OWN}.{kind}s", kind
        self._check = check
        self._loaded: dict[str, Offer] = {}
        self._own: dict[str, EntryPoint] | None = None
        self._others: dict[str, EntryPoint] | None = None
        self._refused: dict[str, str] = {}

    def __getitem__(self, name: str) -> Offer:
        if name not in self._loaded:
            point = self._own_points().get(name) or self._other_points().get(name)
            if point is None:
                raise KeyError(name)
            self._loaded[name] = self._load(point)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._own_points()
        yield from self._other_points()

    def __len__(self) -> int:
        return len(self._own_points()) + len(self._other_points())

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in self._own_points() or name in self._other_points()

    def find(self, name: str) -> Offer:
        """The offer of a name; an unknown one is a usage error that lists those that are known."""
        if name not in self:
            raise UsageError(f"unknown {self.kind} {name!r}; known are {', '.join(sorted(self))}")
        return self[name]

    def is_own(self, name: str) -> bool:
        """Whether it comes with errata."""
        return name in self._own_points()

    def package(self, name: str) -> str:
        """The package that offers it, with its version."""
        point = self._own_points().get(name) or self._other_points()[name]
        return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "an unknown package"

    def load_all(self) -> tuple[dict[str, Offer], dict[str, str]]:
        """All offers that can be loaded, and for the others the reason why not."""
        offers, reasons = {}, {}
        for name in self:
            try:
                offers[name] = self[name]
            except RequestError as error:
                reasons[name] = str(error)
        return offers, reasons | self._refused

    def _load(self, point: EntryPoint) -> Offer:
        try:
            return self._check(point.name, point.load())
        except Exception as error:  # whatever goes wrong in somebody else's code
            reason = f"{type(error).__name__}: {error}" if not isinstance(error, (UsageError, RequestError)) else str(error)
            package = f" of {point.dist.name} {point.dist.version}" if point.dist is not None else ""
            raise RequestError(f"the {self.kind} {point.name!r}{package} cannot be loaded: {reason}") from error

    def _own_points(self) -> dict[str, EntryPoint]:
        """Errata's own, found without looking at every installed package, which takes longer the more there are."""
        if self._own is None:
            from importlib.metadata import PackageNotFoundError, distribution

            try:
                found = distribution(_OWN).entry_points.select(group=self.group)
            except PackageNotFoundError:
                raise RequestError(
                    "errata is not installed as a package, so it cannot find its own parts; see Install in README.md"
                ) from None
            self._own = {point.name: point for point in found}
        return self._own

    def _other_points(self) -> dict[str, EntryPoint]:
        if self._others is None:
            from importlib.metadata import entry_points

            others: dict[str, EntryPoint] = {}
            for point in sorted(entry_points(group=self.group), key=lambda point: (point.name, point.dist.name if point.dist else "")):
                package = f"{point.dist.name} {point.dist.version}" if point.dist is not None else "a package"
                if point.dist is not None and point.dist.name == _OWN:
                    continue
                if point.name in self._own_points() or point.name in others:
                    self._refused[f"{point.name} ({package})"] = (
                        f"the {self.kind} {point.name!r} of {package} is not used, for the name is taken"
                    )
                    continue
                others[point.name] = point
            self._others = others
        return self._others
