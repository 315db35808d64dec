"""``errata doctor``: versions and a self-test, for reports of bugs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata import __version__
from errata.cli.printing import print_json, print_tables
from errata.cli.vocabulary import add_format, add_options
from errata.errors import pluralise

if TYPE_CHECKING:
    import argparse

    from errata.cli.diagnosis import Diagnosis
    from errata.cli.parser import Parser
    from errata.report import Table

_DOCTOR_EXAMPLES = """\
examples:
  errata doctor
  errata doctor --format markdown
  errata doctor --format json

Exit status: 0 if no check fails, 1 if one does.  What is merely not installed
is no failure.  Folders, the name of the user and values of environment
variables are left out, because reports of bugs are public; --paths keeps them.
All plug-ins of other packages are loaded.
"""
_FAILED = 1
"""The exit status if a check fails."""


def _register_doctor(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "doctor",
        help="list versions and test the installation",
        description="List versions, extras, plug-ins and models, and test the installation.",
        epilog=_DOCTOR_EXAMPLES,
    )
    add_options(parser, "--paths")
    add_format(parser, ("table", "json", "markdown"))
    parser.set_defaults(run=_run_doctor)


def _run_doctor(options: argparse.Namespace) -> int:
    """Look at the installation, and print what was found."""
    from errata.cli.diagnosis import diagnose

    diagnosis = diagnose(paths=options.paths)
    if options.format == "json":
        print_json(_record(diagnosis))
    else:
        print_tables(_tables(diagnosis), options.format)
        print(f"\n{_summarise(diagnosis)}")
    return _FAILED if diagnosis.failed else 0


def _tables(diagnosis: Diagnosis) -> list[Table]:
    from errata.report.table import Column, Table

    columns = (Column("What"), Column("State"), Column("Found"))
    return [
        Table(
            columns,
            tuple((one.name, "FAILED" if one.state == "failed" else one.state, one.found) for one in section.observations),
            section.title,
        )
        for section in diagnosis.sections
    ]


def _summarise(diagnosis: Diagnosis) -> str:
    passed = pluralise(len(diagnosis.passed), "check passes", "checks pass")
    if not diagnosis.failed:
        return f"{passed}, none fails"
    failed = pluralise(len(diagnosis.failed), "check fails", "checks fail")
    return f"{passed}, {failed}: {', '.join(observation.name for observation in diagnosis.failed)}"


def _record(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "errata": __version__,
        "sound": not diagnosis.failed,
        "passed": len(diagnosis.passed),
        "failed": [observation.name for observation in diagnosis.failed],
        "sections": {
            section.key: [{"name": one.name, "state": one.state, "found": one.found} for one in section.observations]
            for section in diagnosis.sections
        },
    }


COMMANDS = {"doctor": _register_doctor}
