"""Packages with entry points, for tests."""

from __future__ import annotations

from pathlib import Path


def offer(folder: Path, package: str, points: dict[str, dict[str, str]], code: str = "") -> None:
    """A package as it lies on disk once it is installed."""
    (folder / f"{package}.py").write_text(code, encoding="utf-8")
    info = folder / f"{package}-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.0\n", encoding="utf-8")
    lines = [f"[errata.{group}]\n" + "".join(f"{name} = {value}\n" for name, value in own.items()) for group, own in points.items()]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
