"""Data sets by name on the command line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from errata.cli import _build_parser, main
from errata.cli.inputs import _takes_gold

from served_files import Served, serving
from served_sets import ONE, checksum, make_release, make_sets
from shared_fixtures import EXAMPLES


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ERRATA_DATA_FOLDER", str(tmp_path / "home"))
    return tmp_path / "home"


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path, status: int = 0) -> tuple[str, str]:
    assert main([str(argument) for argument in arguments]) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_every_command_that_takes_gold_takes_a_folder_of_data_sets() -> None:
    having = {name for name, parser in _build_parser().commands.items() if any(map(_takes_gold, parser.arguments))}
    assert {
        "score",
        "compare",
        "gate",
        "inspect",
        "report",
        "correlate",
        "evidence",
        "chart",
        "check",
        "rerank",
        "stats",
        "convert",
    } <= having
    assert {"meta", "coverage", "conservatism", "align", "detect"} <= having
    for name, parser in _build_parser().commands.items():
        assert ("--data-folder" in parser.options) == (name in having | {"data"})


@pytest.mark.usefixtures("home")
def test_list_and_show(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "data", "list")
    assert "jfleg-test" in out
    record = json.loads(call(capsys, "data", "show", "conll14", "--format", "json")[0])
    assert (record["sets"][0]["sentences"], record["sets"][0]["here"]) == (1312, "no")
    assert len(json.loads(call(capsys, "data", "list", "--format", "json")[0])["sets"]) >= 30
    shown, _ = call(capsys, "data", "show", "fce-test")
    assert "errata data add fce-test PATH --unverified" in shown
    assert "@inproceedings{yannakoudakis-2011-fce," in shown
    assert call(capsys, "data", "list", "--format", "csv")[0].startswith("name,data,language,sentences,annotators,by,here,about,licence,")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("data", "the following arguments are required: ACTION"),
        ("data fetch", "expected list, show, get, add, path, remove, found 'fetch'"),
        ("data show", "errata data show needs the name of a data set; errata data list lists them"),
        ("data get conll15", "there is no data set 'conll15'; did you mean conll14?"),
        ("data list conll14", "errata data list takes no name, found 'conll14'; errata data show NAME shows one"),
        ("data get conll14 --unverified", "--unverified needs errata data add"),
        ("data get conll14 --format json", "--format needs errata data list or errata data show"),
        ("data add conll14", "no file of conll14 is given: official-2014.combined.m2"),
        ("data add conll14 nothing", "nothing: there is no such file or folder"),
        ("score conll15 x.txt", "conll15: there is no such file, and no data set of this name; did you mean conll14?"),
        ("check x.txt --against jfleg-Dev", "jfleg-Dev: there is no such file, and no data set of this name; did you mean jfleg-dev?"),
        ("score nothing x.txt", "nothing: there is no such file"),
    ],
)
def test_mistakes_are_answered(capsys: pytest.CaptureFixture[str], arguments: str, message: str) -> None:
    _, err = call(capsys, *arguments.split(), status=2)
    assert message in err


def test_a_set_that_is_not_here_is_never_downloaded_by_other_commands(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    for words in (["score", "conll14", "x.txt"], ["data", "path", "conll14"], ["data", "remove", "conll14"]):
        _, err = call(capsys, *words, status=1)
        assert str(home) in err
    _, err = call(capsys, "inspect", "fce-test", "x.txt", status=1)
    assert "to get it: read the licence there, and download fce_v2.1.bea19.tar.gz (https://" in err
    assert not home.exists()


@pytest.fixture
def learner(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two data sets of the example corpus: M2, and a source with its references."""
    from errata import read, write
    from errata.formats import DataSet, Member

    gold = (EXAMPLES / "learner.m2").read_bytes()
    folder = home.parent / "copy"
    folder.mkdir()
    write(read(EXAMPLES / "learner.m2"), folder / "learner", "parallel")
    release = make_release("examples", how="look into the examples")
    texts = [f"learner.{name}" for name in ("src", "ref0", "ref1")]
    made = {
        "learner": DataSet("learner", release, "M2", (Member("learner.m2", checksum(gold)),)),
        "texts": DataSet(
            "texts", release, "texts", tuple(Member(name, checksum((folder / name).read_bytes())) for name in texts), "parallel"
        ),
    }
    for module in ("datasets", "installing"):
        monkeypatch.setattr(f"errata.formats.{module}.list_data_sets", lambda: made)
    return folder


def test_a_name_gives_what_the_file_gives(capsys: pytest.CaptureFixture[str], learner: Path) -> None:
    call(capsys, "data", "add", "learner", EXAMPLES / "learner.m2")
    call(capsys, "data", "add", "texts", learner)
    eager, cautious = (str(EXAMPLES / "systems" / f"{name}.txt") for name in ("eager", "cautious"))
    texts = [f"{learner}/learner.src", "-r", f"{learner}/learner.ref0", "-r", f"{learner}/learner.ref1"]
    for words in (
        ["score", "GOLD", eager],
        ["score", "GOLD", eager, "--format", "json"],
        ["compare", "GOLD", eager, cautious, "--replicates", "100"],
        ["inspect", "GOLD", eager, "--sentences", "3"],
        ["stats", "GOLD"],
        ["conservatism", "GOLD", eager],
        ["convert", "GOLD", "--to", "jsonl"],
        ["detect", "GOLD", eager, "--case", "sentence"],
    ):
        for name, gold in (("learner", [EXAMPLES / "learner.m2"]), ("texts", texts)):
            named = call(capsys, *[name if word == "GOLD" else word for word in words])
            given = call(capsys, *[part for word in words for part in (gold if word == "GOLD" else [word])])
            assert named == given
    assert call(capsys, "check", eager, "--against", "learner") == call(capsys, "check", eager, "--against", EXAMPLES / "learner.m2")
    assert call(capsys, "align", "texts", eager) == call(capsys, "align", learner / "learner.src", eager)
    assert call(capsys, "data", "path", "texts")[0].splitlines()[0].endswith("home/texts/learner.src")


def test_what_does_not_fit_a_source_with_references(capsys: pytest.CaptureFixture[str], learner: Path) -> None:
    call(capsys, "data", "add", "texts", learner)
    eager = EXAMPLES / "systems" / "eager.txt"
    _, err = call(capsys, "score", "texts", eager, "-r", learner / "learner.ref0", status=2)
    assert "--reference cannot be combined with texts, which has its own references" in err
    _, err = call(capsys, "check", eager, "--against", "texts", status=2)
    assert "texts is a source with 2 references, and --against takes one file of gold" in err


@pytest.mark.usefixtures("learner")
def test_a_file_or_folder_of_the_same_name_is_read_with_a_warning(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(capsys, "data", "add", "learner", EXAMPLES / "learner.m2")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.txt").write_text("A dog sat .\n")
    (tmp_path / "learner").write_bytes(ONE)
    out, err = call(capsys, "score", "learner", "out.txt")
    assert "gold learner, 1 sentence" in out
    assert err == (
        "errata: warning: learner is a file or folder here, and is read; "
        "errata data path learner prints the paths of the data set of this name\n"
    )
    out, err = call(capsys, "score", "./learner", "out.txt")
    assert ("gold learner, 1 sentence" in out, err) == (True, "")
    assert call(capsys, "score", "-q", "learner", "out.txt")[1] == ""


@pytest.mark.usefixtures("learner")
def test_an_unverified_copy_is_told_wherever_it_is_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "my.m2").write_bytes(ONE)
    (tmp_path / "out.txt").write_text("A dog sat .\n")
    _, err = call(capsys, "data", "add", "learner", tmp_path / "my.m2", status=2)
    assert f"my.m2: not recognised as learner: expected the SHA-256 {checksum((EXAMPLES / 'learner.m2').read_bytes())} of learner.m2" in err
    out, err = call(capsys, "data", "add", "learner", tmp_path / "my.m2", "--unverified")
    assert "learner: not verified, in " in out
    told = "errata: warning: the data set learner is not verified: expected the SHA-256"
    assert told in err
    assert told in call(capsys, "score", "learner", tmp_path / "out.txt")[1]
    assert told in call(capsys, "data", "path", "learner")[1]
    assert "unverified" in call(capsys, "data", "list")[0]
    call(capsys, "data", "remove", "learner")
    call(capsys, "score", "learner", tmp_path / "out.txt", status=1)


def test_an_output_never_replaces_a_data_set(capsys: pytest.CaptureFixture[str], learner: Path, home: Path) -> None:
    call(capsys, "data", "add", "texts", learner)
    stored = home / "texts" / "learner.ref1"
    _, err = call(capsys, "score", "texts", EXAMPLES / "systems" / "eager.txt", "-o", stored, status=2)
    assert "would replace the input" in err


@pytest.mark.parametrize("quiet", [False, True])
def test_get_says_what_it_downloads(
    capsys: pytest.CaptureFixture[str],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    quiet: bool,  # noqa: FBT001
) -> None:
    with serving() as server:
        made = make_sets(server.address)
        for module in ("datasets", "installing"):
            monkeypatch.setattr(f"errata.formats.{module}.list_data_sets", lambda: made)
        for name, line in (("src", b"A cat sat .\n"), ("ref0", b"A dog sat .\n"), ("ref1", b"The cat sat .\n")):
            server.files[f"/texts/dev/dev.{name}"] = Served(line)
        out, err = call(capsys, "data", "get", "texts", *(["-q"] if quiet else []))
    assert out == f"texts: verified, in {home / 'texts'}\n"
    assert err == ("" if quiet else f"errata: downloading 3 files from {server.address}/texts/ (licence: free)\n")
    (home.parent / "out.txt").write_text("A dog sat .\n")
    assert "gold dev.src, 1 sentence" in call(capsys, "score", "texts", home.parent / "out.txt", "-m", "gleu")[0]


def test_a_command_with_files_does_not_load_the_table(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "learner.m2", tmp_path)
    program = (
        "import sys; from errata.cli import main; main(['stats', 'learner.m2'])\n"
        "print('errata.formats.datasets' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "False\n"


@pytest.mark.realdata
def test_conll14_by_name(capsys: pytest.CaptureFixture[str], home: Path, data: Path) -> None:
    gold, system = data / "conll14" / "gold" / "official-2014.combined.m2", data / "conll14" / "systems" / "AMU.txt"
    assert call(capsys, "data", "add", "conll14", gold)[0] == f"conll14: verified, in {home / 'conll14'}\n"
    named = call(capsys, "score", "conll14", system)
    assert named == call(capsys, "score", gold, system)
    assert "35.01" in named[0]
    (home.parent / "windows.m2").write_bytes(gold.read_bytes().replace(b"\n", b"\r\n"))
    call(capsys, "data", "remove", "conll14")
    call(capsys, "data", "add", "conll14", home.parent / "windows.m2")
    assert call(capsys, "score", "conll14", system) == named


@pytest.mark.realdata
def test_jfleg_by_name(capsys: pytest.CaptureFixture[str], home: Path, data: Path) -> None:
    folder, system = data / "jfleg", data / "jfleg" / "systems" / "dense-cclm.txt"
    call(capsys, "data", "add", "jfleg-dev", folder)
    references = [word for number in range(4) for word in ("-r", folder / f"dev.ref{number}")]
    assert home.exists()
    assert call(capsys, "score", "jfleg-dev", system, "-m", "gleu") == call(
        capsys, "score", folder / "dev.src", *references, system, "-m", "gleu"
    )
