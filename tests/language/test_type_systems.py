"""Systems of error types: those of errata, the laws, and one of another package for another language."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest

from errata import __version__
from errata.cli import main
from errata.corpus.corpus import Corpus, Edit, Sentence
from errata.errors import RequestError, UsageError
from errata.language.errant import type_gold
from errata.language.types import _CheckedTypes, find_type_system
from errata.studies import BrokenLawError, check_types

from plugin_packages import offer

EXAMPLE = Path("examples/ukrainian-types/errata_ukrainian.py")


class Kinds:
    """A system of one type, which tests break."""

    name = "kinds 1.0"
    language = ""
    meanings: ClassVar[Mapping[str, str]] = {"any": "any edit"}

    def types(self, pairs: Sequence[Any], spans: Sequence[Sequence[Any]]) -> Sequence[Sequence[str]]:
        del pairs
        return [["any" for _ in own] for own in spans]


class TooFew(Kinds):
    def types(self, pairs: Sequence[Any], spans: Sequence[Sequence[Any]]) -> Sequence[Sequence[str]]:
        return super().types(pairs, [own[:1] for own in spans])


class Unexplained(Kinds):
    meanings: ClassVar[Mapping[str, str]] = {"other": "another edit"}


class Nameless(Kinds):
    name = ""


class WithoutMeaning(Kinds):
    meanings: ClassVar[Mapping[str, str]] = {"any": ""}


class Counting(Kinds):
    """Its types depend on how many pairs are asked for."""

    meanings: ClassVar[Mapping[str, str]] = {"any": "any edit", "alone": "an edit of the only pair"}

    def types(self, pairs: Sequence[Any], spans: Sequence[Sequence[Any]]) -> Sequence[Sequence[str]]:
        return [["any" if len(pairs) > 1 else "alone" for _ in own] for own in spans]


class Eager(Kinds):
    """It gives types to edits that nobody asked for."""

    def types(self, pairs: Sequence[Any], spans: Sequence[Sequence[Any]]) -> Sequence[Sequence[str]]:
        return super().types(pairs, spans) if any(spans) else [["any"] for _ in pairs]


def test_laws_hold_for_errata_and_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE.parent))
    from importlib import import_module

    assert check_types("nucle") == check_types(Kinds()) == check_types(import_module("errata_ukrainian").make(""))


@pytest.mark.skipif(find_spec("spacy") is None or find_spec("errant") is None, reason="needs errant: pip install 'errata[errant]'")
@pytest.mark.filterwarnings("ignore:.*do not look English")
def test_laws_hold_for_errant() -> None:
    assert check_types("errant")


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (TooFew, "every edit has one type"),
        (Unexplained, "every type has a meaning"),
        (Nameless, "it has a name"),
        (WithoutMeaning, "it has a name"),
        (Counting, "types do not depend"),
        (Eager, "no edits have no types"),
    ],
)
def test_every_law_can_be_broken(broken: type[Kinds], law: str) -> None:
    with pytest.raises(BrokenLawError, match=law):
        check_types(broken())


def test_unknown_systems_are_named() -> None:
    with pytest.raises(UsageError, match="unknown type 'nucl'; choose from errant, nucle; did you mean nucle"):
        find_type_system("nucl")


def test_nucle_types_edits_as_its_rules_do() -> None:
    gold = Corpus((Sentence.of("He go in school .", [Edit(1, 2, ("goes",)), Edit(2, 3, ("to",)), Edit(3, 3, ("the",))]),))
    typed = type_gold(gold, find_type_system("nucle"))
    assert [edit.type for edit in typed[0].annotations[0].edits] == ["Vform/SVA", "Prep", "ArtOrDet"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, and two packages that break the laws, as they lie on disk."""
    folder = tmp_path_factory.mktemp("packages")
    offer(folder, "errata_ukrainian", {"types": {"ukrainian": "errata_ukrainian:make"}}, EXAMPLE.read_text(encoding="utf-8"))
    few = "class Few:\n    name, language, meanings = 'few', '', {'a': 'b'}\n    def types(self, pairs, spans):\n        return []\n"
    offer(folder, "few_types", {"types": {"few": "few_types:make"}}, f"{few}\ndef make(_):\n    return Few()\n")
    offer(folder, "no_types", {"types": {"none": "no_types:make"}}, "def make(_):\n    return object()\n")
    return folder


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.insert(0, {str(installed)!r}); from errata.cli import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, encoding="utf-8", check=False)


UKRAINIAN = ["examples/ukrainian", "examples/ukrainian/system.txt", "--from", "ua-gec"]


def test_scores_by_types_of_another_language(installed: Path) -> None:
    done = run(installed, "score", *UKRAINIAN, "--by-type", "--types", "ukrainian", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    (score,) = json.loads(done.stdout)["scores"]
    assert score["signature"].endswith(f"| errata {__version__} | types ukrainian 1.0")
    counts = {item["type"]: (item["matched"], item["proposed"], item["gold"]) for item in score["types"]}
    expected = {"Form": (3, 3, 4), "Other": (0, 1, 1), "Punctuation": (1, 1, 1), "all": (4, 5, 6)}
    assert counts == expected  # by hand: of annotator 1, all but дивився and Я are found, and "ще" becomes "в інший"


def test_texts_are_annotated_with_types_of_another_language(installed: Path, tmp_path: Path) -> None:
    source, corrected = tmp_path / "a.src", tmp_path / "a.ref"
    source.write_text("Він пішов до школа а потім додому\n", encoding="utf-8")
    corrected.write_text("Він пішов до школи а потім , додому\n", encoding="utf-8")
    done = run(installed, "annotate", str(source), str(corrected), "--types", "ukrainian")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1:3] == [
        "A 3 4|||Form|||школи|||REQUIRED|||-NONE-|||0",
        "A 6 6|||Punctuation|||,|||REQUIRED|||-NONE-|||0",
    ]


def test_a_page_explains_types_of_another_language(installed: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(installed, "report", *UKRAINIAN, "--types", "ukrainian", "--replicates", "100", "-o", str(page))
    assert (done.returncode, done.stderr) == (0, "")
    assert "form of a word" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("few", "the type system 'few' of few_types 2.0 must give one type for each edit, found 0 for 6"),
        ("none", "the type system 'none' of no_types 2.0 is not a type system: it has no name"),
    ],
)
def test_systems_that_are_none_are_refused(installed: Path, system: str, message: str) -> None:
    done = run(installed, "score", *UKRAINIAN, "--by-type", "--types", system)
    assert done.returncode == 1
    assert message.partition(", found")[0] in done.stderr


def test_types_without_meaning_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown type"):
        find_type_system("kinds")
    checked = _CheckedTypes(Kinds(), "nucle")
    assert checked.types([(("a",), ("b",))], [[]]) == [[]]
    with pytest.raises(RequestError, match="must give types that it explains, found 'any'"):
        _CheckedTypes(Unexplained(), "nucle").types([(("a",), ("b",))], [[object()]])  # type: ignore[list-item]


def test_a_wrong_name_says_how_some_types_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "examples/learner.m2", "examples/systems/eager.txt", "--by-type", "--types", "R:DET"]) == 2
    assert "expected errant or nucle, found 'R:DET'; -m 'errant(types=R:DET)' counts only some types" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["score", "--by-type"], ["report", "--replicates", "100", "-o", "-"]])
def test_the_rules_with_a_named_tagger_leave_gold_its_types(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    shown = []
    for types in ("nucle", "nucle:textblob"):
        assert main([*command, "examples/learner.m2", "examples/systems/eager.txt", "--types", types]) == 0
        page = re.sub(r"base64,[^\"]+", "", capsys.readouterr().out)  # downloads have the command too
        shown.append(page.replace("nucle:textblob", "nucle"))
    assert shown[0] == shown[1]
    assert "Srun" in shown[0]
