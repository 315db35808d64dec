"""Test the errata that is installed in this Python, from a checkout that has the example corpus: ``smoke_test.py CHECKOUT [event|alone]``.

With ``event`` errata-event is installed too; with ``alone`` it is not, and ``errata serve`` says what to install.

It runs where nothing but errata is installed, on every system, so it needs only the standard library.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

CHECKOUT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
ERRATA = Path(sysconfig.get_path("scripts")) / ("errata.exe" if os.name == "nt" else "errata")
GOLD, SYSTEMS = "examples/learner.m2", sorted(f"examples/systems/{path.name}" for path in (CHECKOUT / "examples" / "systems").glob("*.txt"))


EVENT = sys.argv[2] if len(sys.argv) > 2 else ""  # noqa: PLR2004 - the second argument


def run(*words: str, **variables: str) -> str:
    """Run errata as users do, and return what it prints."""
    environment = {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "200", **variables}
    done = subprocess.run(  # noqa: S603 - what is tested
        [str(ERRATA), *words], capture_output=True, encoding="utf-8", cwd=CHECKOUT, env=environment, check=False
    )
    slow = variables.get("ERRATA_CORE") == "python"  # and may say so
    if done.returncode or (done.stderr and not slow):
        raise SystemExit(f"errata {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def expect(what: str, found: object, expected: object) -> None:
    """Stop unless what is found is what is expected."""
    if found != expected:
        raise SystemExit(f"{what}: expected\n{expected}\nfound\n{found}")
    print("ok", what)


def check_version() -> None:
    """The version is that of the checkout, and the core is the one that this distribution should have."""
    version = re.search(r'__version__ = "(.*)"', (CHECKOUT / "src" / "errata" / "__init__.py").read_text(encoding="utf-8"))
    core = os.environ.get("ERRATA_EXPECTED_CORE", "native")
    expect("version and core", run("--version").splitlines()[0], f"errata {version and version[1]} ({core} core)")


def check_scores() -> None:
    """The table is that of the README, and both cores give the same numbers."""
    shown = r"^\$ errata score examples/learner\.m2 .*?\n(.*?)^```"
    block = re.search(shown, (CHECKOUT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    expect("scores of the README", run("score", GOLD, *SYSTEMS).strip(), block and block[1].strip())
    words = ("score", GOLD, *SYSTEMS, "-m", "maxmatch", "-m", "imeasure", "-m", "gleu", "--format", "json")
    expect("scores of both cores", json.loads(run(*words)), json.loads(run(*words, ERRATA_CORE="python")))


def check_report(folder: Path) -> None:
    """The page has its style, its script and every system."""
    page = folder / "report.html"
    run("report", GOLD, *SYSTEMS, "-o", str(page))
    text = page.read_text(encoding="utf-8")
    parts = ["</style>", "</script>", *(Path(name).stem for name in SYSTEMS)]
    expect("report", [part for part in parts if part not in text], [])


def check_plugin(folder: Path) -> None:
    """A metric of another package is listed beside those of errata."""
    code = 'from errata.metrics.exact import Accuracy\n\n\nclass Guest(Accuracy):\n    """counts guests"""\n\n    name = "guest"\n'
    (folder / "guest_metric.py").write_text(code, encoding="utf-8")
    info = folder / "guest_metric-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest-metric\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[errata.metrics]\nguest = guest_metric:Guest\n", encoding="utf-8")
    own, all_metrics = (
        [line.split()[0] for line in run("metrics", PYTHONPATH=path).splitlines()[2:] if line and not line.startswith("errata ")]
        for path in ("", str(folder))
    )
    expect("metrics with a plug-in", sorted(all_metrics), sorted([*own, "guest"]))
    expect("metrics of errata", {"maxmatch", "gleu", "imeasure", "errant", "hoo"} - set(own), set())


def check_typing() -> None:
    """Type checkers find types, and errata is what is installed, not the checkout."""
    package = Path(sysconfig.get_path("platlib")) / "errata"
    missing = [name for name in ("py.typed", "_core.pyi", "__init__.pyi", "report/page/assets/page.js") if not (package / name).is_file()]
    expect("files of the package", missing, [])


def check_event(folder: Path) -> None:
    """Both distributions work with each other, and errata alone names the one that is missing."""
    if EVENT == "event":
        run("serve", "init", "examples/event.toml", "--data", str(folder / "event"), "--quiet")
        expect("serve", "dev" in run("serve", "status", "--data", str(folder / "event")), True)
        expect("serve in the help", " serve " in run("--help"), True)
    if EVENT != "alone":
        return
    done = subprocess.run([str(ERRATA), "serve"], capture_output=True, encoding="utf-8", check=False)  # noqa: S603 - what is tested
    message = "errata: error: errata serve is not installed: pip install 'errata[server]'\n"
    expect("serve without errata-event", (done.returncode, done.stderr), (1, message))


if __name__ == "__main__":
    check_typing()
    check_version()
    check_scores()
    with tempfile.TemporaryDirectory() as name:
        check_report(Path(name))
        check_plugin(Path(name))
        check_event(Path(name))
