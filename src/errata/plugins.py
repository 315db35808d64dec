"""What installed packages offer by entry points: metrics, formats, taggers and parsers.

A plug-in is loaded when it is used.  One that cannot be loaded is named with its reason and costs nobody else anything; errata's
own names cannot be taken by others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from errata.errors import ErrataError, RequestError, UsageError
from errata.suggestions import suggest

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

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

    def find(self, name: str, also: Iterable[str] = (), more: str = "") -> Offer:
        """The offer of a name; an unknown one is a usage error that lists those that are known, and what ``also`` and ``more`` say."""
        if name not in self:
            known = sorted([*self, *also])
            raise UsageError(f"unknown {self.kind} {name!r}; known are {', '.join(known)}{more}{suggest(name, known)}")
        return self[name]

    def run(self, name: str, action: Callable[[], Any]) -> Any:
        """Do something with an offer; what goes wrong in somebody else's code is told as such."""
        if self.is_own(name):
            return action()
        try:
            return action()
        except ErrataError:
            raise
        except (Exception, SystemExit) as error:
            raise RequestError(f"the {self.kind} {name!r} of {self.package(name)} failed: {type(error).__name__}: {error}") from error

    def is_own(self, name: str) -> bool:
        """Whether it comes with errata."""
        return name in self._own_points()

    def package(self, name: str) -> str:
        """The package that offers it, with its version."""
        return _name_package(self._own_points().get(name) or self._other_points()[name])

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
            return self._check(point.name, _load(point))
        except (Exception, SystemExit) as error:  # whatever goes wrong in somebody else's code
            reason = str(error) if isinstance(error, ErrataError) else f"{type(error).__name__}: {error}"
            raise RequestError(f"the {self.kind} {point.name!r} of {_name_package(point)} cannot be loaded: {reason}") from error

    def _own_points(self) -> dict[str, EntryPoint]:
        """Errata's own, found without looking at every installed package, which takes longer the more there are."""
        if self._own is None:
            from importlib.metadata import PackageNotFoundError, distribution

            try:
                points = distribution(_OWN).entry_points.select(group=self.group)
            except PackageNotFoundError:
                raise RequestError("errata is not installed as a package, so that it cannot find its own parts; install it") from None
            self._own = {point.name: point for point in points}
        return self._own

    def _other_points(self) -> dict[str, EntryPoint]:
        if self._others is None:
            from importlib.metadata import distributions

            points: list[EntryPoint] = []
            seen = {_OWN}
            for package in distributions():
                name = (package.metadata["Name"] or "") if package.metadata is not None else ""
                if name in seen:
                    continue  # one that is found later on the path is not the one that is imported
                if name:
                    seen.add(name)
                points += self._points_of(package)
            others: dict[str, EntryPoint] = {}
            for point in sorted(points, key=lambda point: (point.name, _name_package(point))):
                if point.name in self._own_points() or point.name in others:
                    reason = f"the {self.kind} {point.name!r} of {_name_package(point)} is not used, for the name is taken"
                    self._refused[f"{point.name} ({_name_package(point)})"] = reason
                else:
                    others[point.name] = point
            self._others = others
        return self._others

    def _points_of(self, package: Distribution) -> list[EntryPoint]:
        """What a package offers; if its list cannot be read, and names the group, that is told."""
        try:
            return [point for point in package.entry_points if point.group == self.group]
        except Exception as error:  # noqa: BLE001 - a file of a stranger
            if self.group in (package.read_text("entry_points.txt") or ""):
                name = package.metadata["Name"] or "a package without a name"
                self._refused[name] = f"the {self.kind}s of {name} cannot be found: its entry points cannot be read ({error})"
            return []


def check_function(name: str, offered: object) -> Callable[..., Any]:
    """For groups that offer functions."""
    del name
    if not callable(offered):
        raise UsageError(f"it is no function, but {type(offered).__name__}")
    return offered


def _load(point: EntryPoint) -> object:
    if point.pattern.match(point.value) is None:
        raise UsageError(f"an entry point is written module:name, found {point.value!r}")
    return point.load()


def _name_package(point: EntryPoint) -> str:
    metadata = point.dist.metadata if point.dist is not None else None
    name = metadata["Name"] if metadata is not None else None
    return f"{name} {metadata['Version']}" if metadata is not None and name else "a package without a name"
