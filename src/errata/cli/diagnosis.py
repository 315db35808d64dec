"""What a bug report needs to know, and a self-test with recorded numbers."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata import __version__
from errata.errors import ErrataError, RequestError, pluralise
from errata.scoring.engines import count_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.corpus.parses import Parse
    from errata.corpus.texts import Tokens
    from errata.language.graphs import GraphBank
    from errata.plugins import Plugins


_State = Literal["info", "ok", "missing", "failed"]
"""A fact, a check that passes, something that is merely not installed, and a check that fails."""


@dataclass(frozen=True)
class _Observation:
    """A fact, or the result of a check."""

    name: str
    found: str
    state: _State = "info"
    is_foreign: bool = False
    """Whether the text may have words of other programs or of the machine, which can be private."""


@dataclass(frozen=True)
class _Section:
    """Observations about one subject."""

    key: str
    title: str
    observations: tuple[_Observation, ...]


@dataclass(frozen=True)
class Diagnosis:
    """What was found; an installation is sound if no check fails."""

    sections: tuple[_Section, ...]

    def __iter__(self) -> Iterator[_Observation]:
        return (observation for section in self.sections for observation in section.observations)

    @property
    def failed(self) -> list[_Observation]:
        """List the checks that fail."""
        return [observation for observation in self if observation.state == "failed"]

    @property
    def passed(self) -> list[_Observation]:
        """List the checks that pass."""
        return [observation for observation in self if observation.state == "ok"]


def diagnose(*, paths: bool = False) -> Diagnosis:
    """Look at everything; ``paths`` keeps folders and names in the messages of errors."""
    crash = _disable_crashing_core()
    sections = (
        _list_versions(paths=paths),
        _list_extras(),
        _list_plugins(),
        _list_surroundings(),
        _check_cores(crash),
        _check_metrics(),
        _check_models(),
    )
    return Diagnosis(sections if paths else tuple(map(_hide, sections)))


def _hide(section: _Section) -> _Section:
    observations = (replace(one, found=_hide_private(one.found)) if one.is_foreign else one for one in section.observations)
    return replace(section, observations=tuple(observations))


class _CheckFailedError(Exception):
    """What was expected and what was found."""


def _run_check(name: str, check: Callable[[], str]) -> _Observation:
    """Run a check, which returns what it found or raises; whatever it raises is a failure with its reason."""
    try:
        with redirect_stdout(StringIO()):  # what code of others prints is not our output
            return _Observation(name, check(), "ok")
    except _CheckFailedError as error:
        return _Observation(name, str(error), "failed")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a broken installation may raise anything
        reason = str(error) if isinstance(error, ErrataError) else f"{type(error).__name__}: {error}"
        return _Observation(name, reason, "failed", is_foreign=True)


def _expect(what: str, expected: object, found: object) -> None:
    """Raise if something differs from what was recorded."""
    if expected != found:
        raise _CheckFailedError(f"{what}: expected {expected}, found {found}")


# Reports of bugs are public, so texts of errors are shown without what is private.
_FOLDERS = re.compile(r"(?<![\w./\\…])(?:…|[A-Za-z]:)?[\\/]+(?:[^\s'\":;,<>()\\/]+[\\/]+)+")
"""The folders of a path that begins at the root; the name of the file stays."""
_LEAST = 6
"""Shorter values of environment variables occur in any text."""


def _hide_private(text: str) -> str:
    """Remove folders, the name of the user and values of environment variables.

    >>> _hide_private("cannot open /srv/team/secret plans/en.txt"), _hide_private("no module 'x'")
    ('cannot open …/secret plans/en.txt', "no module 'x'")
    """
    for folder in sorted(_known_folders(), key=len, reverse=True):
        text = text.replace(folder, "…")
    text = _FOLDERS.sub("…/", text)
    for name, value in sorted(os.environ.items(), key=lambda item: len(item[1]), reverse=True):
        if len(value) >= _LEAST:
            text = text.replace(value, f"${name}")
    for user in _user_names():
        text = re.sub(rf"\b{re.escape(user)}\b", "<user>", text)
    return text


def _known_folders() -> set[str]:
    """Folders that contain others of the user; their names may have spaces, at which a pattern would stop."""
    folders = {_find_home(), sys.prefix, sys.base_prefix, tempfile.gettempdir(), *sys.path}
    with suppress(OSError):
        folders.add(str(Path.cwd()))
    return {folder.rstrip("\\/") for folder in folders if len(folder.rstrip("\\/")) > 1}


def _find_home() -> str:
    return os.path.expanduser("~")  # noqa: PTH111 - it stays as it is if the user has none, where pathlib raises


def _user_names() -> set[str]:
    names = {os.environ.get(name, "") for name in ("USER", "LOGNAME", "USERNAME")} | {Path(_find_home()).name}
    return {name for name in names if len(name) > 1}


_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([^\]]*)\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
_PLATFORM = re.compile(r"sys_platform\s*==\s*['\"]([^'\"]+)['\"]")
_OWN = "errata"
"""An extra may need another extra of errata, which has a line of its own."""


class _Requirement(NamedTuple):
    """A package that errata needs, always or for an extra."""

    package: str
    versions: str
    extra: str
    parts: frozenset[str] = frozenset()
    """Extras of that package."""


def _list_requirements() -> list[_Requirement]:
    """List what the installed package declares for this platform; a package that needs errata itself brings what it needs."""
    requirements = []
    for one in _read_requirements(_OWN):
        if one.package != _OWN:
            requirements.append(one)
            its = _read_requirements(one.package)
            if any(other.package == _OWN for other in its):
                wanted = one.parts or {""}  # what it always needs is listed where it is needed without extras
                requirements += [other._replace(extra=one.extra) for other in its if other.package != _OWN and other.extra in wanted]
    return requirements


def _read_requirements(package: str) -> list[_Requirement]:
    """Read what a package declares for this platform; nothing if it is not installed."""
    try:
        lines = distribution(package).requires or ()
    except PackageNotFoundError:
        return []
    requirements = []
    for match in filter(None, map(_REQUIREMENT.match, lines)):
        extra, only = _EXTRA.search(match[4] or ""), _PLATFORM.search(match[4] or "")
        if only is None or only[1] == sys.platform:
            parts = frozenset(part.strip() for part in (match[2] or "").split(",") if part.strip())
            requirements.append(_Requirement(match[1], match[3].replace(" ", ""), extra[1] if extra else "", parts))
    return requirements


def _check_version(requirement: _Requirement) -> str:
    """Return the installed version of a package, if it is one of those that errata needs."""
    found = version(requirement.package)
    if not _fits(found, requirement.versions):
        raise _CheckFailedError(f"{found}, but errata needs {requirement.versions}")
    return found


def _fits(found: str, versions: str) -> bool:
    """Tell whether a version is in a range such as ``>=3.0.2,<4``.

    >>> _fits("3.10.1", ">=3.9,<4"), _fits("4.0", ">=3.9,<4"), _fits("0.3.0", "==0.2.0")
    (True, False, False)
    """
    tests = {
        ">=": lambda difference: difference >= 0,
        "<": lambda difference: difference < 0,
        "==": lambda difference: difference == 0,
    }
    for part in filter(None, versions.split(",")):
        match = re.fullmatch(r"(>=|<|==)([\d.]+)", part)
        if match is not None and not tests[match[1]](_compare_versions(_numbers(found), _numbers(match[2]))):
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    release = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, release[0].split("."))) if release else ()


def _compare_versions(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    length = max(len(one), len(other))
    first, second = (numbers + (0,) * (length - len(numbers)) for numbers in (one, other))
    return (first > second) - (first < second)


def _list_versions(*, paths: bool) -> _Section:
    """List the versions of everything that errata always needs."""
    observations = [
        _run_check("errata", _check_errata),
        _Observation("installed", _describe_installation()),
        _Observation("Python", f"{platform.python_version()} ({platform.python_implementation()}, {platform.python_compiler()})"),
        _Observation("platform", platform.platform()),
        _run_check("core", _check_core),
    ]
    if paths:
        observations += [_Observation("package", str(Path(__file__).parent.parent)), _Observation("interpreter", sys.executable)]
    needed = [requirement for requirement in _list_requirements() if not requirement.extra]  # none without a package, as the first says
    observations += [_run_check(requirement.package, lambda one=requirement: _check_version(one)) for requirement in needed]  # type: ignore[misc]
    return _Section("versions", "Versions", tuple(observations))


def _check_errata() -> str:
    installed = version("errata")
    if installed != __version__:
        raise _CheckFailedError(f"the code is {__version__}, but the installed package is {installed}: install errata again")
    return __version__


def _is_editable(package: Distribution) -> bool:
    """Tell whether a package runs from its source folder."""
    return '"editable": true' in (package.read_text("direct_url.json") or "")


def _describe_installation() -> str:
    try:
        package = distribution("errata")
    except PackageNotFoundError:
        return "not as a package"
    tags = re.findall(r"^Tag: (.+)$", package.read_text("WHEEL") or "", re.MULTILINE)
    installer = (package.read_text("INSTALLER") or "an unknown program").strip()
    return f"{', '.join(tags) or 'without tags'}, by {installer}{', editable' if _is_editable(package) else ''}"


def _check_core() -> str:
    from errata import core

    chosen = ", chosen by ERRATA_CORE" if os.environ.get("ERRATA_CORE") else ""
    if core.NAME == "python":
        return f"python: slower, with the same numbers{chosen}"
    from errata import _core

    return f"{core.NAME}, compiled by {_core.__compiler__()}{chosen}"


_VARIABLES = ("ERRATA_", "NO_COLOR", "PYTHONUTF8", "PYTHONIOENCODING", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
_CGROUP = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how much memory a container gets."""
_GIGABYTE = 1 << 30


def _list_surroundings() -> _Section:
    """List what the machine and the shell say."""
    observations = (
        _Observation("terminal", _describe_terminal()),
        _Observation("files and names", f"{sys.getfilesystemencoding()}, {'UTF-8 mode' if sys.flags.utf8_mode else 'no UTF-8 mode'}"),
        _Observation("memory", _describe_memory()),
        _Observation("cores", f"{pluralise(count_cores(), 'core')} of {os.cpu_count() or 'an unknown number'}"),
        _Observation(
            "variables", ", ".join(sorted(name for name in os.environ if name.startswith(_VARIABLES))) or "none that errata reads"
        ),
    )
    return _Section("surroundings", "Surroundings", observations)


def _describe_terminal() -> str:
    stream = sys.__stdout__
    if stream is None:
        return "none"
    size = shutil.get_terminal_size()
    what = f"{size.columns} columns" if stream.isatty() else "output is no terminal"
    colours = "no colours (NO_COLOR)" if os.environ.get("NO_COLOR") else f"TERM={os.environ.get('TERM', 'not set')}"
    return f"{what}, {stream.encoding}, {colours}"


def _describe_memory() -> str:
    parts = []
    with suppress(ValueError, OSError, AttributeError):  # not on every system
        parts.append(f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / _GIGABYTE:.1f} GB")
    with suppress(OSError, ValueError):
        parts.append(f"container limited to {int(_CGROUP.read_text(encoding='ascii')) / _GIGABYTE:.1f} GB")
    with suppress(ImportError):  # not on Windows
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        parts.append(
            "no limit for a process" if limit == resource.RLIM_INFINITY else f"a process has {limit / _GIGABYTE:.1f} GB (ulimit -v)"
        )
    return ", ".join(parts) or "unknown"


_EXTRAS = {
    "errant": "edits and types of texts by the rules of ERRANT",
    "spacy": "tags, tokens and parses by spaCy",
    "charts": "charts as SVG, PNG and PDF",
    "parquet": "Parquet, files compressed with zstd, evidence as files",
    "dask": "work on a Dask cluster",
    "server": "shared tasks that run themselves (errata serve)",
    "postgresql": "events in PostgreSQL, for several processes",
}
"""What each extra gives; that of developers is not listed."""


def _list_extras() -> _Section:
    requirements = _list_requirements()
    observations = [_describe(extra, gives, [one for one in requirements if one.extra == extra]) for extra, gives in _EXTRAS.items()]
    return _Section("extras", "Extras", tuple(observations))


def _describe(extra: str, gives: str, requirements: list[_Requirement]) -> _Observation:
    missing = [requirement.package for requirement in requirements if not _is_installed(requirement.package)]
    if missing:
        return _Observation(extra, f"without {', '.join(missing)}; pip install 'errata[{extra}]' gives {gives}", "missing")
    return _run_check(extra, lambda: ", ".join(f"{one.package} {_check_version(one)}" for one in requirements))


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _list_plugins() -> _Section:
    """Load all plug-ins, and list those of other packages."""
    return _Section("plugins", "Plug-ins", tuple(observation for group in _list_groups() for observation in _check_group(group)))


def _list_groups() -> list[Plugins[Any]]:
    from errata.corpus.parses import ANALYSERS
    from errata.formats.registry import FORMATS
    from errata.language.graphs import PARSERS
    from errata.language.tagging import TAGGERS
    from errata.language.types import TYPE_SYSTEMS
    from errata.metrics.registry import METRICS

    return [METRICS, FORMATS, TAGGERS, TYPE_SYSTEMS, PARSERS, ANALYSERS]


def _check_group(group: Plugins[Any]) -> list[_Observation]:
    try:
        with redirect_stdout(StringIO()):
            loaded, reasons = group.load_all()
    except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
        return [_Observation(f"{group.kind}s", f"{type(error).__name__}: {error}", "failed", is_foreign=True)]
    own = [name for name in loaded if group.is_own(name)]
    observations = [_Observation(f"{group.kind}s of errata", pluralise(len(own), group.kind), "ok" if own else "failed")]
    observations += [_Observation(f"{group.kind} {name}", group.package(name), "ok") for name in loaded if name not in own]
    return observations + [_Observation(f"{group.kind} {name}", reason, "failed", is_foreign=True) for name, reason in reasons.items()]


# ``numbers.json`` says for each number where it comes from.
_DATA = Path(__file__).parent / "doctor_data"


class _Example(NamedTuple):
    """A gold, and the output of a system with its own edits."""

    gold: Corpus
    system: System


@cache
def _load_numbers() -> dict[str, Any]:
    try:
        numbers: dict[str, Any] = json.loads((_DATA / "numbers.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RequestError(f"the recorded numbers cannot be read ({reason}): install errata again") from None
    return numbers


@cache
def _load_example() -> _Example:
    """Read the sentences with two annotators, and the output for them."""
    from errata.formats.reading import read, read_system

    return _Example(read(_DATA / "gold.m2"), read_system(_DATA / "system.m2", name="system"))


@cache
def _load_graph_example() -> tuple[_Example, GraphBank]:
    """Read three sentences with semantic graphs, and an output."""
    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.formats.graphs import read_graphs
    from errata.language import GraphBank

    sources, outputs = (tuple(read_graphs(_DATA / name)) for name in ("source.mrp", "output.mrp"))
    gold = Corpus(tuple(Sentence(graph.tokens) for graph in sources), "graphs")
    return _Example(gold, System("output", tuple(graph.tokens for graph in outputs))), GraphBank((*sources, *outputs))


def _load_parses() -> list[Parse]:
    from errata.corpus.parses import Parse

    return [
        Parse(tuple(one["forms"]), tuple(one["lemmas"]), tuple(one["pos"]), tuple(one["tags"]), tuple(one["heads"]), tuple(one["deps"]))
        for one in _load_numbers()["parses"]["sentences"]
    ]


_MOST_NAMED = 3
_NATIVE = "errata._core"


def _disable_crashing_core() -> str:
    """Load the compiled core in a process of its own; if that crashes, leave the core out of this one, and say so.

    A file that is cut off can end Python by a signal, of which no exception tells.
    """
    if _NATIVE in sys.modules:
        return ""
    done = subprocess.run([sys.executable, "-P", "-c", f"import {_NATIVE}"], capture_output=True, check=False)  # noqa: S603 - our own code
    if done.returncode in (0, 1):  # loaded, or an exception, which is caught where it is raised
        return ""
    sys.modules[_NATIVE] = None  # type: ignore[assignment]  # it is looked for no more
    return f"loading it ends Python with status {done.returncode}: install errata again"


def _check_cores(crash: str = "") -> _Section:
    """Compare the scores of the compiled core and of its twin, and look at the files of the package."""
    cores = _Observation("native core", crash, "failed") if crash else _compare_cores()
    return _Section("core", "Core and files", (cores, _check_files()))


def _compare_cores() -> _Observation:
    try:
        import_module(_NATIVE)
    except ModuleNotFoundError as error:
        if error.name == _NATIVE:
            return _Observation("native core", "not installed, so plain Python computes; a compiler gives it", "missing")
        return _Observation("native core", str(error), "failed", is_foreign=True)
    except ImportError as error:
        return _Observation("native core", f"cannot be loaded: {error}; install errata again", "failed", is_foreign=True)
    return _run_check("both cores", _compare_scores)


def _compare_scores() -> str:
    """Score the example with the core in use, and with the other one in a process of its own, because a process has one core."""
    from errata import core

    other = "native" if core.NAME == "python" else "python"
    code = f"import json; from {__name__} import _compute_all; print(json.dumps(_compute_all()))"
    environment = {**os.environ, "ERRATA_CORE": other}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    if done.returncode:
        raise RequestError(f"the {other} core fails: {(done.stderr.strip().splitlines() or [f'status {done.returncode}'])[-1]}")
    numbers = {core.NAME: _compute_all(), other: json.loads(done.stdout)}
    for name, found in numbers["native"].items():
        for key in ("counts", "value"):
            _expect(f"{name}, {key} of the native core", numbers["python"][name][key], found[key])
    return f"{pluralise(len(numbers[other]), 'metric')} with the same counts and values"


def _compute_all() -> dict[str, dict[str, Any]]:
    """Compute the numbers of every metric that has recorded ones."""
    return {name: _compute_numbers(name) for name in _load_numbers()["metrics"]}


def _check_files() -> _Observation:
    """Compare the installed files with the hashes that were made when they were packed."""
    name = "files of errata"
    try:
        package = distribution("errata")
    except PackageNotFoundError:
        return _Observation(name, "not compared: errata is not installed as a package")
    if _is_editable(package):
        return _Observation(name, "not compared: they are those of a source folder")
    return _run_check(name, lambda: _compare_files(package))


def _compare_files(package: Distribution) -> str:
    """Compare the files of an installed package with their hashes."""
    listed = [(file, file.hash.value) for file in package.files or () if file.hash is not None and file.hash.mode == "sha256"]
    wrong = [file.as_posix() for file, value in listed if _hash(file.locate()) != value]
    if wrong:
        named = ", ".join(wrong[:_MOST_NAMED]) + (", …" if len(wrong) > _MOST_NAMED else "")
        raise _CheckFailedError(f"{pluralise(len(wrong), 'file')} missing or changed since installation ({named}): install errata again")
    if not listed:
        raise _CheckFailedError("the installation lists no files: install errata again")
    return f"{pluralise(len(listed), 'file')} as packed"


def _hash(path: Any) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - what importlib.metadata gives is no Path for all types
            digest = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return ""
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


_DIGITS = 12
"""Significant digits of values that must be equal; platforms differ in the last ones."""


def _check_metrics() -> _Section:
    """Compute the recorded numbers anew."""
    try:
        metrics = list(_load_numbers()["metrics"])
    except Exception as error:  # noqa: BLE001 - the file may be damaged in any way
        return _Section("metrics", "Metrics", (_Observation("recorded numbers", str(error), "failed", is_foreign=True),))
    observations = [_run_check(name, lambda name=name: _check_metric(name)) for name in metrics]  # type: ignore[misc]
    return _Section("metrics", "Metrics", (*observations, _run_check("exact interval", _check_interval)))


def _check_interval() -> str:
    """Compute an interval with SciPy; if nothing matches, its upper bound has a formula (Clopper and Pearson 1934)."""
    from errata.stats.intervals import compute_exact_interval

    sentences, outside = len(_load_example().gold), 0.025
    _, high = compute_exact_interval(0, sentences)
    _expect("upper bound", f"{1 - outside ** (1 / sentences):.9f}", f"{high:.9f}")
    return f"{high:.6g}, as its formula gives"


def _check_metric(name: str) -> str:
    recorded = _load_numbers()["metrics"][name]
    found = _compute_numbers(name)
    for key in ("signature", "counts", "value"):
        _expect({"signature": "default settings"}.get(key, key), recorded[key], found[key])
    return f"{found['value']:.6g}, as recorded"


def _compute_numbers(name: str) -> dict[str, Any]:
    """Compute the default settings, the counts and the value of a metric for the example."""
    from errata.metrics.registry import METRICS
    from errata.scoring.evaluator import Evaluator

    metric = METRICS[name]()
    example = _load_example()
    if "graphs" in metric.needs:
        example, bank = _load_graph_example()
        metric = metric.with_data(graphs=bank)
    score = Evaluator(example.gold, metric, warn=None)(example.system)
    counts = [float(f"{count:.{_DIGITS}g}") if isinstance(count, float) else int(count) for count in score.counts]
    return {"signature": METRICS[name]().signature, "counts": counts, "value": float(f"{score.value:.{_DIGITS}g}")}


_VALUES = ("lemmas", "pos", "tags", "heads", "deps")
_ERRANT = "errant"


def _check_models() -> _Section:
    """Ask every model that is installed for what was recorded."""
    observations = [_run_check("tags of TextBlob", _check_textblob)]
    words = _find_words()
    observations.append(words)
    if not _is_installed("spacy"):
        observations.append(_Observation("parses of spaCy", "not installed: pip install 'errata[errant]'", "missing"))
        return _Section("models", "Models", tuple(observations))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of spaCy and its parts
        parses = _find_parses()
        observations.append(parses)
        if words.state == parses.state == "ok":
            observations.append(_run_check("edits of ERRANT", _check_edits))
    return _Section("models", "Models", tuple(observations))


def _tag_example() -> tuple[str, list[list[str]]]:
    """Tag the sources of the example with TextBlob; return the name of the tagger too."""
    from errata.language.tagging import TextBlobTagger

    tagger = TextBlobTagger()
    return tagger.name, [list(tags) for tags in tagger.tag([sentence.tokens for sentence in _load_example().gold])]


def _parse_example(sentences: Sequence[Tokens]) -> tuple[str, list[Parse]]:
    """Parse sentences with the analyser that ERRANT's numbers are made with; return its name too."""
    from errata.corpus.parses import analyse_sentences, find_analyser

    analyser = find_analyser()
    return analyser.name, list(analyse_sentences(analyser, sentences))


def _find_edits() -> list[list[list[Any]]]:
    """Find the edits of the example with parses of spaCy: start, end, type and correction."""
    from errata.language.errant import Extractor
    from errata.language.parse_bank import ParseBank

    example = _load_example()
    pairs = [(sentence.tokens, output) for sentence, output in zip(example.gold, example.system.sentences, strict=True)]
    return [[[edit.start, edit.end, edit.type, *edit.corrections] for edit in edits] for edits in Extractor(ParseBank()).edits(pairs)]


def _check_textblob() -> str:
    name, tags = _tag_example()
    for number, (sentence, expected, found) in enumerate(zip(_load_example().gold, _load_numbers()["tags"]["tags"], tags, strict=True), 1):
        _expect_values(f"sentence {number}", sentence.tokens, expected, found, name)
    return f"{name}: {pluralise(sum(map(len, tags)), 'tag')} as recorded"


def _find_words() -> _Observation:
    from errata.language.types import find_word_list

    if not _is_installed(_ERRANT):
        return _Observation("word list of ERRANT", "not installed: pip install 'errata[errant]'", "missing")

    def check() -> str:
        words = find_word_list()
        _expect(f"hash of the word list of errant {version(_ERRANT)}", _load_numbers()["word_list"]["hash"], words.fingerprint)
        return f"errant {version(_ERRANT)}, {pluralise(len(words), 'word')}, {words.fingerprint} as recorded"

    return _run_check("word list of ERRANT", check)


def _find_parses() -> _Observation:
    from errata.language.tagging import SPACY_MODELS

    if not any(map(_is_installed, SPACY_MODELS)):
        return _Observation("parses of spaCy", "spaCy has no English model: pip install 'errata[errant]'", "missing")
    return _run_check("parses of spaCy", _check_parses)


def _check_parses() -> str:
    expected = _load_parses()
    name, found = _parse_example([parse.forms for parse in expected])
    recorded = _load_numbers()["parses"]["analyser"]
    hint = name if name == recorded else f"{name} instead of {recorded}, so types of ERRANT differ"
    for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
        for what in _VALUES:
            _expect_values(f"sentence {number}, {what}", one.forms, getattr(one, what), getattr(other, what), hint)
    return f"{name}: {pluralise(len(found), 'parse')} as recorded"


def _check_edits() -> str:
    found, expected = _find_edits(), _load_numbers()["edits"]["edits"]
    for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
        _expect(f"sentence {number}", one, other)
    return f"{pluralise(sum(map(len, found)), 'edit')} as recorded"


def _expect_values(where: str, tokens: Tokens, expected: Sequence[object], found: Sequence[object], by: str) -> None:
    for token, one, other in zip(tokens, expected, found, strict=True):
        if one != other:
            raise _CheckFailedError(f"{where}, {token!r}: expected {one}, found {other} ({by})")
