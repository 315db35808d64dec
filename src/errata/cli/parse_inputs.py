"""Parses for commands: the analyser and the file that the arguments name, with a progress bar, and what is kept in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.language import ParseBank
    from errata.metrics import Metric
    from errata.report.progress import ProgressBar

_PARSES = "parses"
"""The data of metrics whose rules need parses; without it, they use the default bank."""


def check_parses(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse parses that no metric needs; types of ERRANT need them, whatever the metric."""
    needed = any(_PARSES in metric.needs for metric in metrics) or getattr(options, "types", None) == "errant"
    if _is_asked(options) and not needed:
        raise UsageError(f"{'--analyser' if options.analyser is not None else '--parses'} needs a metric that parses: -m errant")


def with_parses(options: argparse.Namespace, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics, with the bank of the arguments for those that parse."""
    check_parses(options, metrics)
    if not any(_PARSES in metric.needs for metric in metrics):
        return list(metrics)
    bank = bank_from(options)
    if not _is_asked(options):
        return list(metrics)
    return [metric.with_data(parses=bank) if _PARSES in metric.needs else metric for metric in metrics]


def bank_from(options: argparse.Namespace) -> ParseBank:
    """The bank of --analyser and --parses, else the default one; it shows how far it is, and :func:`keep_parses` writes its file."""
    from errata.language.parse_bank import ParseBank, default_bank

    if not _is_asked(options):
        bank = default_bank()
    elif (known := getattr(options, "bank", None)) is not None:
        bank = known
    else:
        if options.parses == "":
            raise UsageError("--parses: expected a file, found ''")
        bank = options.bank = ParseBank(options.analyser, keep=options.parses)
    bank.progress = _show_progress
    return bank


def keep_parses(options: argparse.Namespace) -> None:
    """Add what was parsed to the file of --parses."""
    bank: ParseBank | None = getattr(options, "bank", None)
    if bank is not None:
        bank.save()


def _is_asked(options: argparse.Namespace) -> bool:
    return options.analyser is not None or options.parses is not None


def _show_progress(sentences: int) -> ProgressBar:
    from errata.report.progress import ProgressBar

    return ProgressBar("parsing", sentences)
