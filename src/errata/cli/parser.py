"""The parser of the command line: mistakes are explained, options may stand before and after files."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_NUMBER = re.compile(r"(\d++(\.\d+)?|\.\d+)%?")
_METRIC = re.compile(r"^(?:-m\n?|--metric[\n=])(.*)$", re.MULTILINE)
"""A metric on a command line with one word in each line."""
_CLOSE = 0.68
"""How similar an option must be to be suggested: dashes and short words make all of them a little similar."""


class HelpPrinted(Exception):  # noqa: N818 - nothing is wrong
    """The help text was printed, and there is nothing else to do."""


class Parser(argparse.ArgumentParser):
    """Keeps the lines of examples, suggests what may have been meant, and reports bad usage as every other error."""

    make_epilog: Callable[[], str] | None = None
    """Makes the end of the help text, where that takes time."""
    _reads_positionals = False

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)
        self._positionals.title = "arguments"
        self.titled_groups: dict[str, argparse._ArgumentGroup] = {}

    @property
    def commands(self) -> dict[str, Parser]:
        """The parsers of the commands, by name."""
        own = next((action for action in self._actions if isinstance(action, argparse._SubParsersAction)), None)  # noqa: SLF001
        return dict(own.choices) if own is not None else {}

    @property
    def arguments(self) -> list[argparse.Action]:
        """All arguments: positional ones and options."""
        return self._actions

    @property
    def options(self) -> dict[str, argparse.Action]:
        """The options by each of their names."""
        return self._option_string_actions

    def group(self, title: str) -> argparse._ArgumentGroup:
        """The options under a title."""
        if title not in self.titled_groups:
            self.titled_groups[title] = self.add_argument_group(title)
        return self.titled_groups[title]

    def format_help(self) -> str:
        """The help text."""
        if self.make_epilog is not None:
            self.epilog = self.make_epilog()
        return super().format_help()

    def print_help(self, file: object = None) -> None:
        """Print the help text; that it cannot be written is an error like every other."""
        del file
        sys.stdout.write(self.format_help())

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """End after the help text was printed."""
        del status, message
        raise HelpPrinted

    def error(self, message: str) -> NoReturn:
        """Bad usage is an error like every other, with a word on where help is."""
        raise UsageError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; files may stand before, between and behind options."""
        given = self._with_levels(sys.argv[1:] if args is None else list(args))
        self._refuse_unknown_options(given)
        if self._reads_positionals or self._subparsers is not None:
            return super().parse_known_args(given, namespace)
        self._reads_positionals = True  # argparse parses options first, then positionals, each through this method
        try:
            return self.parse_known_intermixed_args(given, namespace)
        finally:
            self._reads_positionals = False

    def _with_levels(self, given: list[str]) -> list[str]:
        """An option whose value may be left out takes the next word only if that is one of its choices or a number, never a file."""
        optional = {name: action for action in self._actions if action.nargs == argparse.OPTIONAL for name in action.option_strings}
        result: list[str] = []
        for index, word in enumerate(given):
            if word == "--":
                return [*result, *given[index:]]
            alone = word in optional and not (index + 1 < len(given) and _is_value(optional[word], given[index + 1]))
            result.append(f"{word}={optional[word].const}" if alone else word)
        return result

    def _refuse_unknown_options(self, given: Sequence[str]) -> None:
        """An unknown option is reported before a missing file, which may be its consequence."""
        if self._subparsers is None:
            words = given[: given.index("--")] if "--" in given else given
            unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in self._option_string_actions]
            if unknown:
                self.refuse_unknown(unknown, words)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - argparse has no public name for it
            raise argparse.ArgumentError(None, f"there is no command {value!r}{suggest(str(value), known) or '; errata help lists them'}")
        raise argparse.ArgumentError(action, f"expected {', '.join(known)}, found {value!r}{suggest(str(value), known)}")

    def refuse_unknown(self, words: Sequence[str], given: Sequence[str] = ()) -> NoReturn:
        """Say which arguments are unknown among those that were given, and what may have been meant."""
        word = next((word for word in words if word.startswith("-")), words[0])
        name = word.partition("=")[0]
        if not word.startswith("-"):
            self.error(f"one argument too many: {word!r}")
        if name in self.options:
            self.error(f"{name} belongs behind the command: {self.prog} {name}")
        advice = self._advise_setting(name.lstrip("-"), given)
        self.error(f"there is no option {name}{f'; {advice}' if advice else self._suggest_option(name)}")

    def _suggest_option(self, name: str) -> str:
        """Ask whether an option was meant that begins like this one, or is much like it."""
        longer = [option for option in self.options if option.startswith(name)]
        return f"; did you mean {longer[0]}?" if len(longer) == 1 else suggest(name, self.options, least=_CLOSE)

    def _advise_setting(self, name: str, given: Sequence[str]) -> str:
        """How a setting of a metric is written, for those who look for an option: of a metric that was given, if it has the setting."""
        from errata.metrics import METRICS
        from errata.settings import list_settings

        if "--metric" not in self.options:
            return ""
        named = [metric for metric, own in METRICS.load_all()[0].items() if name.replace("-", "_") in list_settings(own)]
        chosen = [metric for metric in _list_metrics(given) if metric in named] or named
        return f"it is a setting of a metric: -m '{chosen[0]}({name.replace('-', '_')}=...)'" if chosen else ""


def _is_value(action: argparse.Action, word: str) -> bool:
    """Whether a word is the value of an option that may have none; one that is nearly a choice is, unless it is a file."""
    if action.choices is None:
        return _NUMBER.fullmatch(word) is not None
    return word in action.choices or (bool(suggest(word, list(action.choices))) and not os.path.exists(word))  # noqa: PTH110


def _list_metrics(given: Sequence[str]) -> list[str]:
    """List the names of the metrics that a command line has.

    >>> _list_metrics(["gold.m2", "-m", "gleu(n=2)", "--metric=errant", "-mhoo"])
    ['gleu', 'errant', 'hoo']
    """
    values = _METRIC.findall("\n".join(given))
    return [value.partition("(")[0].strip() for value in values]


class Once(argparse.Action):
    """An option that would silently replace an earlier one is refused when it is given twice."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option_string: str | None = None
    ) -> None:
        """Store the value, once."""
        given: set[str] = getattr(namespace, "given_once", set())
        if self.dest in given:
            parser.error(f"{option_string} is given twice, but only one is used here")
        namespace.given_once = {*given, self.dest}
        setattr(namespace, self.dest, values)
