"""The package as its users meet it: names, help texts, and the documents beside it."""

from __future__ import annotations

import glob
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import errata
from errata.cli import _build_parser, main
from errata.studies import make_sample_corpora, make_sample_systems, testing

from fill_tables import filled

DOCUMENTS = ["README.md", *sorted(str(path) for path in Path("docs").rglob("*.md"))]


@pytest.mark.slow
def test_help_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every example of every help text, one after the other in one folder, as a reader would type them."""
    (tmp_path / "examples").symlink_to(Path("examples").resolve())
    monkeypatch.chdir(tmp_path)
    helps = [parser.format_help().replace("\\\n", " ") for name, parser in _build_parser().commands.items() if name != "help"]
    examples = [line.strip() for text in helps for line in text.split("examples:\n")[1].split("\n\n")[0].splitlines()]
    assert len(examples) > 15
    for example in examples:
        command, *words = shlex.split(example)
        assert command == "errata"
        if words[0] == "submit":  # it needs a server (tests/cli/test_submit_command.py)
            continue
        status = main([name for word in words for name in (sorted(glob.glob(word)) or [word])])  # noqa: PTH207 - as a shell does
        errors = capsys.readouterr().err
        assert status == 0 or "pip install 'errata[errant]'" in errors, (example, errors)


def blocks(path: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", Path(path).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTS)
def test_commands_in_documents_print_what_they_show(path: str, tmp_path: Path) -> None:
    """In a console block, what follows a command is its output, with … for lines left out."""
    (tmp_path / "examples").symlink_to(Path("examples").resolve())
    for block in blocks(path, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            words = shlex.split(command, comments=True)
            if words[0] != "errata":
                continue
            done = subprocess.run(
                ["bash", "-c", f"{sys.executable} -m {command} 2>&1"], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            pattern = ".*".join(re.escape(part.strip("\n")) for part in shown.split("…"))
            assert re.fullmatch(pattern + r"\s*", done.stdout, re.DOTALL), (command, done.stdout)


def test_python_in_documents_runs() -> None:
    import doctest

    for path in DOCUMENTS:
        text = "\n".join(blocks(path, "pycon"))
        test = doctest.DocTestParser().get_doctest(text, {}, path, path, 0)
        results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
        assert results.failed == 0, path


def test_the_metrics_that_a_page_writes_out_keep_the_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    written = [block for block in blocks("docs/plugins.md", "python") if "@dataclass" in block]
    example = Path("examples/plugin/errata_wordchoice.py").read_text()
    assert written[0] in example
    for block in written:
        module = ModuleType("written")
        monkeypatch.setitem(sys.modules, "written", module)
        exec(compile(block, "docs/plugins.md", "exec"), vars(module))
        (kind,) = (value for value in vars(module).values() if isinstance(value, type) and value.__module__ == "written")
        found = kind()
        testing.values_follow_value(found, make_sample_corpora()[0], make_sample_systems(make_sample_corpora()[0]))
        testing.rows_do_not_depend_on_how_sentences_are_batched(
            found, make_sample_corpora()[0], make_sample_systems(make_sample_corpora()[0])
        )
        testing.a_perfect_system_has_the_best_value(found, make_sample_corpora()[0], [])


def test_tables_of_settings_and_names_are_those_of_the_declarations() -> None:
    """``make tables`` writes them."""
    pages = {path: Path(path).read_text() for path in DOCUMENTS}
    assert [path for path, text in pages.items() if filled(text) != text] == []
    documented = {name for text in pages.values() for name in re.findall(r"<!-- settings of (\w+) -->", text)}
    assert {"maxmatch", "imeasure", "hoo", "accuracy", "indexmatch", "uccasim", "distsim"} <= documented <= set(errata.METRICS)


def test_the_readme_has_metrics_with_their_papers_and_defaults() -> None:
    rows = re.findall(r"^\| \[.*?\]\(docs/.*?\) \| (.*?) \| `((\w+).*?)` \|", Path("README.md").read_text(), re.MULTILINE)
    assert len(rows) >= 7
    for paper, signature, name in rows:
        assert (paper, signature) == (errata.METRICS[name].paper, errata.METRICS[name]().signature)


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*Path().glob("*.md"), *Path("docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
            assert (path.parent / link).exists(), (path, link)
