"""``errata data``: data sets by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_options
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from errata.cli.parser import Parser
    from errata.formats import InstalledSet

_EXAMPLES = """\
examples:
  errata data list
  errata data show conll14
  errata data list --format csv

To have a data set, and to score on it:
  errata data get conll14 jfleg-dev
  errata data add fce-test fce_v2.1.bea19.tar.gz --unverified
  errata data path jfleg-dev
  errata score conll14 out.txt

list shows all data sets, show what is known of one, path where its files are.
get downloads: what comes must have the checksums of the published files.  What
was begun is continued.  Only get uses the network; other commands tell you to
use it.
add takes your own copy: files, a folder or an archive, known by its checksums.
With --unverified it takes any copy, and whoever uses it is warned.
remove removes data sets from this machine.
A file or folder that has the name of a data set is read instead of it, with a
warning.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "data", help="get test sets by name", description="List, get, add and remove data sets that have a name.", epilog=_EXAMPLES
    )
    parser.add_argument("action", metavar="ACTION", choices=tuple(_ACTIONS), help=f"one of {', '.join(_ACTIONS)}")
    parser.add_argument("names", metavar="NAME", nargs="*", help="data sets; with add, one data set and the files of your copy")
    add_options(parser, "--unverified", "--data-folder", "--max-bytes")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Do what is asked for."""
    if options.unverified and options.action != "add":
        raise UsageError("--unverified needs errata data add")
    if options.format != TABLE[0] and options.action not in {"list", "show"}:
        raise UsageError("--format needs errata data list or errata data show")
    if options.action == "list":
        if options.names:
            raise UsageError(f"errata data list takes no name, found {options.names[0]!r}; errata data show NAME shows one")
    elif not options.names:
        raise UsageError(f"errata data {options.action} needs the name of a data set; errata data list lists them")
    _ACTIONS[options.action](options)
    return 0


def _list(options: argparse.Namespace) -> None:
    from errata.formats.datasets import list_data_sets, list_installed
    from errata.report.tables.catalogue import data_set_record, data_sets_table

    sets, installed = list_data_sets(), list_installed(options.data_folder, print_warning)
    if options.format == "json":
        print_json({"errata": __version__, "sets": [data_set_record(item, installed.get(name)) for name, item in sets.items()]})
    else:
        print_tables([data_sets_table(sets, installed, flat=options.format == "csv")], options.format)


def _show(options: argparse.Namespace) -> None:
    from errata.formats.datasets import find_data_set, list_installed
    from errata.report.tables.catalogue import data_set_lines, data_set_record, data_sets_table

    sets = {name: find_data_set(name) for name in options.names}
    installed = list_installed(options.data_folder, print_warning)
    if options.format == "json":
        print_json({"errata": __version__, "sets": [data_set_record(item, installed.get(name)) for name, item in sets.items()]})
    elif options.format == "table":
        print("\n\n".join("\n".join(data_set_lines(item, installed.get(name))) for name, item in sets.items()))
    else:
        print_tables([data_sets_table(sets, installed, flat=True)], options.format)


def _get(options: argparse.Namespace) -> None:
    from errata.formats import get_data_sets
    from errata.report.progress import ProgressBar

    with ProgressBar("downloading", None, counted="bytes") as bar:
        found = get_data_sets(options.names, folder=options.data_folder, tell=_tell, advance=bar.advance)
    for installed in found:
        _print_installed(installed)


def _add(options: argparse.Namespace) -> None:
    from errata.formats import add_data_set
    from errata.formats.datasets import describe_doubts

    name, *paths = options.names
    installed = add_data_set(name, paths, unverified=options.unverified, folder=options.data_folder, tell=_tell)
    if not installed.is_verified:
        print_warning(describe_doubts(installed))
        flush_warnings()
    _print_installed(installed)


def _path(options: argparse.Namespace) -> None:
    from errata.formats import locate_data_set
    from errata.formats.datasets import describe_doubts

    for name in options.names:
        installed = locate_data_set(name, folder=options.data_folder)
        if not installed.is_verified:
            print_warning(describe_doubts(installed))
        print("\n".join(installed.paths))


def _remove(options: argparse.Namespace) -> None:
    from errata.formats import remove_data_set

    for name in options.names:
        remove_data_set(name, options.data_folder)
        print(f"{name}: removed")


def _print_installed(installed: InstalledSet) -> None:
    print(f"{installed.name}: {'verified' if installed.is_verified else 'not verified'}, in {installed.folder}")


def _tell(line: str) -> None:
    from errata.report.progress import print_to_stderr

    print_to_stderr(f"errata: {line}")


_ACTIONS: dict[str, Callable[[argparse.Namespace], None]] = {
    "list": _list,
    "show": _show,
    "get": _get,
    "add": _add,
    "path": _path,
    "remove": _remove,
}
