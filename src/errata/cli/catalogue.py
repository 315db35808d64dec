"""``errata metrics``, ``errata data`` and ``errata completion``: what there is."""

from __future__ import annotations

import argparse
import shutil
from typing import TYPE_CHECKING

from errata import __version__
from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.vocabulary import FILES, add_format, add_options
from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.cli.parser import Parser
    from errata.formats.datasets import InstalledSet
    from errata.metrics.base import Metric
    from errata.settings import Setting


_METRICS_EXAMPLES = """\
examples:
  errata metrics
  errata metrics maxmatch
  errata metrics imeasure --format markdown

Other packages can add metrics: a subclass of errata.Metric in the entry point
group errata.metrics.  If a plug-in cannot be loaded, a warning names it.
"""


def _register_metrics(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "metrics",
        help="list metrics and their settings",
        description="List all installed metrics, or the settings of one.",
        epilog=_METRICS_EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="a metric, whose settings are listed")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_metrics)


def _run_metrics(options: argparse.Namespace) -> int:
    from errata.metrics import METRICS
    from errata.report.tables.catalogue import metrics_table, settings_lines, settings_table

    if options.name is not None:
        metric = METRICS.find(options.name.lower())
        if options.format == "json":
            print_json({"errata": __version__, **_record(metric)})
        elif options.format == "table":
            print("\n".join(settings_lines(metric, shutil.get_terminal_size((80, 24)).columns)))
        else:
            print_tables([settings_table(metric)], options.format)
        return 0
    metrics, reasons = METRICS.load_all()
    packages = {name: METRICS.package(name) for name in metrics}
    if options.format == "json":
        records = [{**_record(metric), "package": packages[name]} for name, metric in metrics.items()]
        print_json({"errata": __version__, "metrics": records, "not_loaded": list(reasons.values())})
    else:
        print_tables([metrics_table(metrics, packages, flat=options.format != "table")], options.format)
    for reason in reasons.values():
        print_warning(reason)
    return 0


def _record(metric: type[Metric]) -> dict[str, object]:
    from errata.settings import list_settings

    return {
        "name": metric.name,
        "title": metric.title,
        "summary": metric.summary,
        "paper": metric.paper,
        "default": metric().signature,
        "columns": list(metric().columns),
        "settings": [_setting(name, setting) for name, setting in list_settings(metric).items()],
    }


def _setting(name: str, setting: Setting) -> dict[str, object]:
    record: dict[str, object] = {"name": name, "default": setting.default, "expected": setting.expected, "help": setting.explained}
    return record | ({"values": list(setting.values)} if setting.values else {})


_DATA_EXAMPLES = """\
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


def _register_data(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "data", help="get test sets by name", description="List, get, add and remove data sets that have a name.", epilog=_DATA_EXAMPLES
    )
    parser.add_argument("action", metavar="ACTION", choices=tuple(_ACTIONS), help=f"one of {', '.join(_ACTIONS)}")
    parser.add_argument("names", metavar="NAME", nargs="*", help="data sets; with add, one data set and the files of your copy")
    add_options(parser, "--unverified", "--data-folder", "--max-bytes")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_data)


def _run_data(options: argparse.Namespace) -> int:
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
    from errata.report.tables.catalogue import ListedSet, data_sets_table

    sets, installed = list_data_sets(), list_installed(options.data_folder, print_warning)
    if options.format == "json":
        print_json({"errata": __version__, "sets": [ListedSet(item, installed.get(name)).record() for name, item in sets.items()]})
    else:
        print_tables([data_sets_table(sets, installed, flat=options.format == "csv")], options.format)


def _show(options: argparse.Namespace) -> None:
    from errata.formats.datasets import find_data_set, list_installed
    from errata.report.tables.catalogue import ListedSet, data_sets_table

    sets = {name: find_data_set(name) for name in options.names}
    installed = list_installed(options.data_folder, print_warning)
    if options.format == "json":
        print_json({"errata": __version__, "sets": [ListedSet(item, installed.get(name)).record() for name, item in sets.items()]})
    elif options.format == "table":
        print("\n\n".join("\n".join(ListedSet(item, installed.get(name)).lines()) for name, item in sets.items()))
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


_COMPLETION_EXAMPLES = """\
examples:
  errata completion bash
  errata completion zsh -o _errata
  errata completion fish -o errata.fish

Where shells look for it:
  bash  ~/.local/share/bash-completion/completions/errata
  zsh   _errata in a folder of fpath, before compinit is called
  fish  ~/.config/fish/completions/errata.fish
"""


def _register_completion(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "completion",
        help="print a script that completes commands in a shell",
        description="Print a script that completes commands, options, metrics and files.",
        epilog=_COMPLETION_EXAMPLES,
    )
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")
    parser.set_defaults(run=_run_completion)


def _run_completion(options: argparse.Namespace) -> int:
    import shtab

    _prepare(options.main_parser)
    print(shtab.complete(options.main_parser, shell=options.shell))
    return 0


def _prepare(parser: argparse.ArgumentParser) -> None:
    """Say which arguments are files, folders and metrics."""
    import shtab

    from errata.formats import FORMATS, PARALLEL, list_data_sets
    from errata.metrics import METRICS

    for action in parser._actions:  # noqa: SLF001 - argparse offers no other way to see them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for command in action.choices.values():
                _prepare(command)
        elif action.metavar == "FOLDER":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in {"METRIC", "NAME"} and action.dest in {"metric", "name"}:
            action.choices = tuple(METRICS)
        elif action.metavar == "NAME" and action.dest == "names":
            action.choices = tuple(list_data_sets())
        elif hasattr(action, "completed"):
            action.choices = action.completed
        elif action.dest == "words":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "FORMAT":
            action.choices = (*FORMATS, PARALLEL)


COMMANDS = {"metrics": _register_metrics, "data": _register_data, "completion": _register_completion}
