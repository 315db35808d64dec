"""Plug-ins of installed packages, by entry points: metrics, formats, taggers and parsers.

A plug-in is loaded on use.  If one cannot be loaded, the reason is reported and the others still work.  Plug-ins of other packages
cannot replace those of errata.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from errata.errors import ErrataError, RequestError, UsageError, suggest

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

_OWN = "errata"
_GROUPS: list[Plugins[Any]] = []
"""All groups, in which the plug-in that raised an error is found."""
_Offer = TypeVar("_Offer")


class Plugins(Mapping[str, _Offer], Generic[_Offer]):
    """The plug-ins of one group of entry points by name: first those of errata, then those of other packages."""

    def __init__(self, kind: str, check: Callable[[str, object], _Offer]) -> None:
        self.group, self.kind = f"{_OWN}.{kind}s", kind
        self._check = check
        self._loaded: dict[str, _Offer] = {}
        self._own: dict[str, EntryPoint] | None = None
        self._others: dict[str, EntryPoint] | None = None
        self._refused: dict[str, str] = {}
        _GROUPS.append(self)

    def __getitem__(self, name: str) -> _Offer:
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

    def find(self, name: str, also: Iterable[str] = (), more: str = "") -> _Offer:
        """Find a plug-in by name; an unknown name is an error that lists all names, with those of ``also`` and the text ``more``."""
        if name not in self:
            known = sorted([*self, *also])
            raise UsageError(f"unknown {self.kind} {name!r}; choose from {', '.join(known)}{more}{suggest(name, known)}")
        return self[name]

    def run(self, name: str, action: Callable[[], Any]) -> Any:
        """Run code of a plug-in, or of a class that is none; errors in plug-ins of others are reported as such."""
        if name not in self or self.is_own(name):
            return action()
        try:
            return action()
        except (ErrataError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise RequestError(self.describe_failure(name, error)) from error

    def describe_failure(self, name: str, error: BaseException) -> str:
        """Say which plug-in failed, how, and while it did what."""
        notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
        return f"the {self.kind} {name!r} of {self.package(name)} failed: {type(error).__name__}: {error}{notes}"

    def find_in(self, module: str) -> str | None:
        """Find the loaded plug-in of another package that is defined in the same top-level module."""
        package = module.partition(".")[0]
        own = (name for name, offer in self._loaded.items() if getattr(offer, "__module__", "").partition(".")[0] == package)
        return next((name for name in own if not self.is_own(name)), None)

    def is_own(self, name: str) -> bool:
        """Tell whether a plug-in is a part of errata."""
        return name in self._own_points()

    def package(self, name: str) -> str:
        """Get the package of a plug-in, with its version."""
        return _name_package(self._own_points().get(name) or self._other_points()[name])

    def load_all(self) -> tuple[dict[str, _Offer], dict[str, str]]:
        """Load all plug-ins; return them, and the reasons for those that cannot be loaded."""
        offers, reasons = {}, {}
        for name in self:
            try:
                offers[name] = self[name]
            except RequestError as error:
                reasons[name] = str(error)
        return offers, reasons | self._refused

    def _load(self, point: EntryPoint) -> _Offer:
        try:
            return self._check(point.name, _load(point))
        except (Exception, SystemExit) as error:  # any error in code of others
            reason = str(error) if isinstance(error, ErrataError) else f"{type(error).__name__}: {error}"
            raise RequestError(f"the {self.kind} {point.name!r} of {_name_package(point)} cannot be loaded: {reason}") from error

    def _own_points(self) -> dict[str, EntryPoint]:
        """Find errata's own entry points, without a slow search of all installed packages."""
        if self._own is None:
            from importlib.metadata import PackageNotFoundError, distribution

            try:
                points = distribution(_OWN).entry_points.select(group=self.group)
            except PackageNotFoundError:
                raise RequestError("errata is not installed as a package, so it cannot find its metrics and formats; install it") from None
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
                    continue  # Python imports the first package of a name on the path
                if name:
                    seen.add(name)
                points += self._points_of(package)
            others: dict[str, EntryPoint] = {}
            for point in sorted(points, key=lambda point: (point.name, _name_package(point))):
                if point.name in self._own_points() or point.name in others:
                    reason = f"the {self.kind} {point.name!r} of {_name_package(point)} is not used, because the name is taken"
                    self._refused[f"{point.name} ({_name_package(point)})"] = reason
                else:
                    others[point.name] = point
            self._others = others
        return self._others

    def _points_of(self, package: Distribution) -> list[EntryPoint]:
        """List the entry points of a package; report a list that cannot be read, if it contains the group."""
        try:
            return [point for point in package.entry_points if point.group == self.group]
        except Exception as error:  # noqa: BLE001 - an untrusted file
            if self.group in (package.read_text("entry_points.txt") or ""):
                name = package.metadata["Name"] or "a package without a name"
                self._refused[name] = f"the {self.kind}s of {name} cannot be found: its entry points cannot be read ({error})"
            return []


def read_entry_points(group: str) -> dict[str, str]:
    """Read the entry points of a group from the folders of installed packages, in a tenth of the time of importing importlib.metadata."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            packages = sorted(entry.path for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info")))
        except OSError:
            continue
        for package in packages:
            try:
                with open(f"{package}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes as long as the rest
                    _, _, own = file.read().partition(f"[{group}]\n")
            except (OSError, UnicodeDecodeError):
                continue
            for line in own.partition("\n[")[0].splitlines():
                name, equals, value = line.partition("=")
                if equals:
                    found.setdefault(name.strip(), value.partition("[")[0].strip())
    return found


def name_failed_plugin(error: BaseException) -> str | None:
    """Say which plug-in raised an error, if its code, or code that it called, did."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    for module in reversed(modules):
        for group in _GROUPS:
            if (name := group.find_in(module)) is not None:
                return group.describe_failure(name, error)
    return None


def check_function(name: str, offered: object) -> Callable[..., Any]:
    """Return a plug-in if it is a function."""
    del name
    if not callable(offered):
        raise UsageError(f"it is not a function, but {type(offered).__name__}")
    return offered


def _load(point: EntryPoint) -> object:
    if point.pattern.match(point.value) is None:
        raise UsageError(f"an entry point must have the form module:name, found {point.value!r}")
    return point.load()


def _name_package(point: EntryPoint) -> str:
    metadata = point.dist.metadata if point.dist is not None else None
    name = metadata["Name"] if metadata is not None else None
    return f"{name} {metadata['Version']}" if metadata is not None and name else "a package without a name"
