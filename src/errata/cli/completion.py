"""``errata completion``: a script that completes commands, options, metrics and files in a shell."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from errata.cli.vocabulary import FILES

if TYPE_CHECKING:
    from errata.cli.parser import Parser

_EXAMPLES = """\
examples:
  errata completion bash
  errata completion zsh -o _errata
  errata completion fish -o errata.fish

Where shells look for it:
  bash  ~/.local/share/bash-completion/completions/errata
  zsh   _errata in a folder of fpath, before compinit is called
  fish  ~/.config/fish/completions/errata.fish
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "completion",
        help="print a script that completes commands in a shell",
        description="Print a script that completes commands, options, metrics and files.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    _prepare(options.main_parser)
    print(shtab.complete(options.main_parser, shell=options.shell))
    return 0


def _prepare(parser: argparse.ArgumentParser) -> None:
    """Say which arguments are files, folders and metrics."""
    import shtab

    from errata.cli.serve import ACTION_OR_TASK, ACTIONS
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
        elif action.metavar == ACTION_OR_TASK:
            action.choices = tuple(ACTIONS)
        elif action.dest == "words":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "FORMAT":
            action.choices = (*FORMATS, PARALLEL)
