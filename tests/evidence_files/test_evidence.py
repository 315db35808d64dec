"""Evidence as files: the same bytes however they are made, and the same numbers as from texts."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import parquet

from errata.cli import main
from errata.scoring.evidence_files import making, open_evidence, reading
from errata.scoring.evidence_files.storage import PartInfo
from errata.settings import BLOCK_SIZE
from errata.stats import resampling
from errata.stats import resampling as units

from evidence_folders import NAMES, LongCorpus, read_folder, read_parts

SIZE = ["--part-size", str(BLOCK_SIZE)]
Run = Callable[..., str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return LongCorpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return LongCorpus(tmp_path_factory.mktemp("short"), BLOCK_SIZE + 60)


@pytest.fixture(scope="module")
def whole(corpus: LongCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "counts"
    assert main(["evidence", *corpus.texts(), "-o", str(folder), *SIZE, "--jobs", "1", "-q"]) == 0
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, status: int = 0) -> str:
        found = main(list(arguments))
        printed = capsys.readouterr()
        assert found == status, printed.err
        return printed.err if status else printed.out

    return run


def test_a_part_is_a_file(whole: Path, corpus: LongCorpus) -> None:
    files = read_folder(whole)
    assert len(files) == 1 + 4 * len(NAMES)
    assert all(re.fullmatch(r"maxmatch/\w+/part-00000\d-[0-9a-f]{16}\.parquet|manifest\.json", name) for name in files)
    manifest = json.loads(files["manifest.json"])
    assert manifest["gold"]["sentences"] == corpus.sentences
    assert manifest["share"] == "1/1"


@pytest.mark.parametrize("how", [["--jobs", "2"], ["--jobs", "8"], ["--engine", "threads"], ["--engine", "processes", "--jobs", "2"]])
def test_the_bytes_do_not_depend_on_how_they_are_made(how: list[str], whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    run("evidence", *corpus.texts(), "-o", str(tmp_path / "counts"), *SIZE, *how)
    assert read_folder(tmp_path / "counts") == read_folder(whole)


@pytest.mark.slow
def test_the_bytes_are_the_same_on_a_cluster(whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    pytest.importorskip("distributed")
    run("evidence", *corpus.texts(), "-o", str(tmp_path / "counts"), *SIZE, "--engine", "dask", "--jobs", "2")
    assert read_folder(tmp_path / "counts") == read_folder(whole)


@pytest.mark.parametrize("jobs", [1, 2, 3, 5])
def test_shares_of_several_jobs_are_merged_to_the_same_bytes(jobs: int, whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    folders = []
    for job in range(1, jobs + 1):
        folders.append(str(tmp_path / f"job{job}"))
        run("evidence", *corpus.texts(), "-o", folders[-1], *SIZE, "--part", f"{job}/{jobs}")
    run("evidence", "merge", *reversed(folders), "-o", str(tmp_path / "merged"))
    assert read_folder(tmp_path / "merged") == read_folder(whole)


@pytest.mark.parametrize(
    "metric", ["imeasure", "gleu", "accuracy", "maxmatch(references=mix)", "hoo", "maxmatch(ignore_case_and_space=true)"]
)
def test_metrics_without_a_kernel_read_texts_in_parts_too(metric: str, short: LongCorpus, tmp_path: Path, run: Run) -> None:
    run("evidence", *short.texts("eager"), "-o", str(tmp_path / "counts"), *SIZE, "-m", metric, "--jobs", "1")
    assert run("score", str(tmp_path / "counts")) == run("score", *short.texts("eager"), "-m", metric)


def test_texts_and_columns_have_the_same_counts(whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    run("evidence", *corpus.columns(), "-o", str(tmp_path / "counts"), *SIZE)
    of_columns, of_texts = read_folder(tmp_path / "counts"), read_folder(whole)
    assert {name: content for name, content in of_columns.items() if name != "manifest.json"} == {
        name: content for name, content in of_texts.items() if name != "manifest.json"
    }


@pytest.mark.parametrize("inputs", [LongCorpus.texts, LongCorpus.annotated])
def test_scores_tests_and_correlations_are_those_of_texts(
    inputs: Callable[[LongCorpus], list[str]], short: LongCorpus, tmp_path: Path, run: Run
) -> None:
    folder, given = str(tmp_path / "counts"), inputs(short)
    metrics = ["-m", "maxmatch", "-m", "gleu"]
    run("evidence", *given, "-o", folder, *SIZE, *metrics, "--jobs", "2")
    for command in (
        ["score", *metrics, "--format", "json"],
        ["score", *metrics, "--confidence", "--replicates", "100"],
        ["score", "-m", "maxmatch", "--per-sentence", "--format", "csv"],
        ["score", "-m", "maxmatch", "--confidence", "--rechoose", "--replicates", "100"],
        ["compare", "-m", "maxmatch", "--replicates", "300"],
        ["correlate", *metrics],
    ):
        name, *options = command
        assert run(name, folder, *options, *(NAMES if name != "correlate" else ())) == run(name, *given, *options)


def test_a_long_corpus_has_the_statistics_of_texts(corpus: LongCorpus, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (units, resampling, reading):  # as if there were more than are kept in memory one by one
        monkeypatch.setattr(module, "MANY", 1_000)
    folder, given = str(tmp_path / "counts"), corpus.texts("eager", "cautious")
    for size in (BLOCK_SIZE, 64 * BLOCK_SIZE):
        run("evidence", *given, "-o", f"{folder}-{size}", "--part-size", str(size))
    for name, *options in (
        ["score", "--confidence", "--replicates", "200", "--format", "json"],
        ["compare", "--replicates", "200", "--format", "json"],
        ["compare", "--replicates", "200", "--test", "t"],
    ):
        expected = run(name, *given, *options)
        for size in (BLOCK_SIZE, 64 * BLOCK_SIZE):
            assert run(name, f"{folder}-{size}", *options, "eager", "cautious") == expected


def test_systems_and_metrics_are_added_later(
    whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "counts")
    run("evidence", *corpus.texts("rewriter"), "-o", folder, *SIZE)
    run("evidence", *corpus.texts("cautious", "eager"), "-o", folder, *SIZE)
    assert read_parts(Path(folder)) == read_parts(whole)
    assert [score.system_name for score in open_evidence(folder).score()] == ["rewriter", "cautious", "eager"]
    run("evidence", *corpus.texts("eager"), "-o", folder, *SIZE, "-m", "maxmatch(beta=1)")
    assert "maxmatch(beta=1.0)" in run("score", folder, "eager")
    message = run("score", folder, "-m", "maxmatch(beta=1)", status=2)
    assert "there is no evidence of the system 'rewriter' with maxmatch(beta=1.0); choose from eager" in message
    assert main(["score", folder]) == 0
    printed = capsys.readouterr()
    assert "rewriter" in printed.out
    assert "maxmatch(beta=1.0) is left out: it has no evidence of cautious, rewriter; -m shows it" in printed.err
    assert "there are 2 metrics; choose one with -m from maxmatch, maxmatch(beta=1.0)" in run("compare", folder, status=2)


def test_a_run_that_was_stopped_goes_on(whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from errata.formats.writing import write_at_once
    from errata.scoring.evidence_files import storage

    folder = tmp_path / "counts"
    write, written = write_at_once, 0

    def stop_after_three(path: Path, content: bytes) -> None:
        nonlocal written
        if written == 3:
            raise KeyboardInterrupt
        written += 1
        write(path, content)

    monkeypatch.setattr(storage, "write_at_once", stop_after_three)
    message = run("evidence", *corpus.texts(), "-o", str(folder), *SIZE, "--jobs", "1", status=130)
    assert "what was counted is kept; the same command goes on with it" in message
    assert len(read_folder(folder)) == 3
    assert "its evidence is not finished; the same errata evidence command goes on with it" in run("score", str(folder), status=1)
    again: list[str] = []

    def count(path: Path, content: bytes) -> None:
        again.append(path.name)
        write(path, content)

    monkeypatch.setattr(storage, "write_at_once", count)
    run("evidence", *corpus.texts(), "-o", str(folder), *SIZE, "--jobs", "1")
    assert len(again) == 4 * len(NAMES) - 3 + 1  # the parts that were missing, and the manifest
    assert read_folder(folder) == read_folder(whole)


def test_nothing_is_counted_twice(whole: Path, corpus: LongCorpus, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(PartInfo, "encode", lambda *_: pytest.fail("it is made again"))
    before = read_folder(whole)
    run("evidence", *corpus.texts(), "-o", str(whole), *SIZE, "--jobs", "1")
    assert read_folder(whole) == before


def test_a_full_disk_leaves_what_was_whole(
    whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno
    import os

    folder = tmp_path / "counts"
    sync, calls = os.fsync, 0

    def fail(file: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(file)

    monkeypatch.setattr(os, "fsync", fail)
    message = run("evidence", *corpus.texts(), "-o", str(folder), *SIZE, "--jobs", "1", status=1)
    assert re.search(r"part-\d{6}-[0-9a-f]{16}\.parquet: cannot be written: No space left on device", message)
    assert len(read_folder(folder)) == 5
    monkeypatch.undo()
    run("evidence", *corpus.texts(), "-o", str(folder), *SIZE)
    assert read_folder(folder) == read_folder(whole)


def test_a_damaged_part_is_made_again(
    whole: Path, corpus: LongCorpus, tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "counts"
    run("evidence", *corpus.texts(), "-o", str(folder), *SIZE)
    part = next((folder / "maxmatch" / "eager").glob("part-000001-*"))
    part.write_bytes(part.read_bytes()[:-1])
    assert main(["evidence", *corpus.texts(), "-o", str(folder), *SIZE]) == 0
    assert "it is not whole, or was changed" in capsys.readouterr().err
    assert read_folder(folder) == read_folder(whole)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda content: content[:-5], "it is not whole, or was changed: its hash would name it part-000001-"),
        (lambda _: b"", "it is empty"),
        (lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:], "it is not whole, or was changed"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_damaged_part_is_refused(
    damage: Callable[[bytes], bytes] | None, reason: str, corpus: LongCorpus, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "counts"
    run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE)
    part = next((folder / "maxmatch" / "eager").glob("part-000001-*"))
    if damage is None:
        part.unlink()
    else:
        part.write_bytes(damage(part.read_bytes()))
    for command in (["score", str(folder)], ["evidence", "merge", str(folder), "-o", str(tmp_path / "merged")]):
        message = run(*command, status=2)
        assert part.name in message
        assert reason in message
    assert not (tmp_path / "merged").exists()


def test_a_part_of_other_evidence_is_refused(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "counts"
    run("evidence", *corpus.texts("eager", "cautious"), "-o", str(folder), *SIZE)
    own = next((folder / "maxmatch" / "eager").glob("part-000001-*"))
    foreign = next((folder / "maxmatch" / "cautious").glob("part-000001-*"))
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    (own.parent / foreign.name).write_bytes(foreign.read_bytes())
    (folder / "manifest.json").write_text(manifest.replace(own.name, foreign.name), encoding="utf-8")
    message = run("score", str(folder), "eager", status=2)
    assert foreign.name in message
    assert "it belongs to other evidence: expected system 'eager', found 'cautious'" in message


def test_what_does_not_fit_is_refused(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    one, other, merged = (str(tmp_path / name) for name in ("one", "other", "merged"))
    run("evidence", *corpus.texts("eager"), "-o", one, *SIZE, "--part", "1/2")
    assert "it has the parts 1/2 only; errata evidence merge puts all of them together" in run("score", one, status=1)
    assert "no folder has the sentences 1,025 to 2,048 and 1 other part" in run("evidence", "merge", one, "-o", merged, status=1)
    run("evidence", *corpus.texts("eager"), "-o", other, "--part-size", "2048", "--part", "2/2")
    message = run("evidence", "merge", one, other, "-o", merged, status=1)
    assert "expected parts of 1,024 sentences" in message
    assert "found 2,048" in message
    message = run("evidence", *corpus.texts("eager"), "-o", one, *SIZE, status=1)
    assert "its evidence has --part 1/2, found 1/1; take the same, or another folder" in message
    shuffled = [corpus.path("ref0.txt") if path == corpus.path("ref1.txt") else path for path in corpus.texts("cautious")]
    message = run("evidence", *shuffled, "-o", one, *SIZE, "--part", "1/2", status=1)
    assert "it has evidence of another gold; take another folder" in message
    renamed = [f"eager={corpus.path('cautious.txt')}" if path.endswith("eager.txt") else path for path in corpus.texts("eager")]
    message = run("evidence", *renamed, "-o", one, *SIZE, "--part", "1/2", status=1)
    assert (
        "there is evidence of another output of eager, or of another gold, with maxmatch; give the system another name (NAME=FILE)"
        in message
    )
    third = str(tmp_path / "third")
    run("evidence", *renamed, "-o", third, *SIZE, "--part", "1/2")
    message = run("evidence", "merge", one, third, "-o", merged, status=1)
    assert f"{third}: its job was given another output of eager than that of {one}; give all jobs the same files" in message
    assert not Path(merged).exists()


@pytest.mark.parametrize("inputs", [LongCorpus.texts, LongCorpus.columns, LongCorpus.annotated])
def test_jobs_that_were_given_other_files_are_not_merged(
    inputs: Callable[[LongCorpus, str], list[str]], corpus: LongCorpus, tmp_path: Path, run: Run
) -> None:
    one, other, merged = (str(tmp_path / name) for name in ("one", "other", "merged"))
    given = inputs(corpus, "eager")
    run("evidence", *given, "-o", one, *SIZE, "--part", "1/2")
    output = next(argument for argument in inputs(corpus, "cautious") if argument not in given)
    run(
        "evidence",
        *(f"eager={output.removeprefix('cautious=')}" if argument == given[-1] else argument for argument in given),
        "-o",
        other,
        *SIZE,
        "--part",
        "2/2",
    )
    message = run("evidence", "merge", one, other, "-o", merged, status=1)
    assert f"{other}: its job was given another output of eager than that of {one}; give all jobs the same files" in message
    assert not Path(merged).exists()


def test_jobs_that_were_given_other_references_are_not_merged(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    folders = [str(tmp_path / str(number)) for number in range(3)]
    given = corpus.texts("eager")
    fewer, swapped = list(given), list(given)
    last = len(given) - 1 - given[::-1].index("-r")
    del fewer[last : last + 2]
    swapped[last + 1] = corpus.path("ref0.txt")
    for arguments, folder, job in zip((given, fewer, swapped), folders, (1, 2, 2), strict=True):
        run("evidence", *arguments, "-o", folder, *SIZE, "--part", f"{job}/2")
    merge = ("-o", str(tmp_path / "merged"))
    message = run("evidence", "merge", *folders[:2], *merge, status=1)
    assert "its job was given source, reference 0, output, that of" in message
    message = run("evidence", "merge", folders[0], folders[2], *merge, status=1)
    assert f"{folders[2]}: its job was given another reference 1 than that of {folders[0]}" in message


def test_a_job_needs_files_that_can_be_read_twice(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    _, *others = corpus.texts("eager")
    message = run("evidence", "-", *others, "-o", str(tmp_path / "counts"), *SIZE, "--part", "1/2", status=2)
    assert "standard input: --part needs files, which every job can read, and each twice" in message


def test_the_manifest_of_a_job_needs_inputs(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "counts"
    run("evidence", *corpus.texts("eager"), "-o", str(folder), *SIZE, "--part", "1/2")
    record = json.loads((folder / "manifest.json").read_text())
    for inputs, reason in (([], "inputs are missing"), ([["source"]], "a name and a hash, found 1 texts"), ([7], "inputs")):
        record["evidence"][0]["inputs"] = inputs
        (folder / "manifest.json").write_text(json.dumps(record))
        assert reason in run("evidence", "merge", str(folder), "-o", str(tmp_path / "merged"), status=2)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--part", "0/3"], "expected K/N, the K-th of N jobs, such as 2/8, found '0/3'"),
        (["--part", "4/3"], "expected K/N"),
        (["--part-size", "1500"], "a part must have a multiple of 1,024 sentences, found 1,500"),
        (["--engine", "spark"], "there is no engine 'spark'"),
        (["--max-lines", "100"], "--max-lines cannot be combined with --reference: texts are read part by part"),
        (["-o", "-"], "--output must be a folder"),
    ],
)
def test_bad_arguments(arguments: list[str], reason: str, corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    given = ["-o", str(tmp_path / "counts"), *arguments] if arguments[0] != "-o" else arguments
    assert reason in run("evidence", *corpus.texts("eager"), *given, status=2)


def test_options_about_texts_are_refused(whole: Path, run: Run) -> None:
    for options in (["--sentences", "1-5"], ["--by-type"], ["-r", "x"], ["--parses", "x"]):
        assert f"{options[0].replace('-r', '--reference')} cannot be combined with evidence" in run("score", str(whole), *options, status=2)
    assert "evidence has no sentences and no documents" in run("score", str(whole), "--confidence", "--resample", "document", status=1)
    assert "required: SYSTEM; only a folder that errata evidence wrote needs none" in run("score", "examples/learner.m2", status=2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text[:-30], "not JSON"),
        (lambda text: text.replace('"layout": 1', '"layout": 2'), "expected layout 1, found 2; it was made by another version of errata"),
        (lambda text: text.replace('"sentences": 3172', '"sentences": 9999'), "maxmatch of cautious: expected 10 parts, found 4"),
        (lambda text: text.replace('"file": "part', '"file": "../part'), "file must be the name of a part"),
        (lambda text: text.replace('"correct",', '"right",'), "expected the columns correct, proposed, gold of maxmatch, found right"),
    ],
)
def test_a_bad_manifest(change: Callable[[str], str], reason: str, whole: Path, tmp_path: Path, run: Run) -> None:
    manifest = (whole / "manifest.json").read_text(encoding="utf-8")
    (tmp_path / "manifest.json").write_text(change(manifest), encoding="utf-8")
    assert reason in run("score", str(tmp_path), status=2)


def test_two_commands_may_add_to_a_folder_at_the_same_time(corpus: LongCorpus, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    commands = [[sys.executable, "-m", "errata", "evidence", *corpus.texts(name), "-o", str(folder), *SIZE, "-q"] for name in NAMES]
    running = [subprocess.Popen(command) for command in commands]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert read_parts(folder) == read_parts(whole)
    assert {score.system_name for score in open_evidence(str(folder)).score()} == set(NAMES)


def test_two_shares_do_not_share_a_folder(corpus: LongCorpus, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if both begin before one of them ends."""
    folder = str(tmp_path / "counts")
    finish = making._Filling.finish

    def finish_after_other(own: making._Filling, gold_name: str) -> object:
        monkeypatch.setattr(making._Filling, "finish", finish)
        run("evidence", *corpus.texts("eager"), "-o", folder, *SIZE, "--part", "1/2")
        return finish(own, gold_name)

    monkeypatch.setattr(making._Filling, "finish", finish_after_other)
    message = run("evidence", *corpus.texts("eager"), "-o", folder, *SIZE, "--part", "2/2", status=1)
    assert "its evidence has --part 1/2, found 2/2; take the same, or another folder" in message
    assert "it has the parts 1/2 only" in run("score", folder, status=1)


def test_a_command_that_cannot_begin_leaves_nothing(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    for given in ([*corpus.texts("eager"), "nosuch.txt"], [*corpus.columns("eager"), f"x={corpus.path('all.parquet')}:nosuch"]):
        run("evidence", *given, "-o", str(tmp_path / "counts"), status=2)
    assert list(tmp_path.iterdir()) == []


def test_files_of_a_folder_are_in_the_order_of_their_numbers(short: LongCorpus, tmp_path: Path, run: Run) -> None:
    table = parquet.read_table(short.path("all.parquet"))
    (tmp_path / "parts").mkdir()
    for number in range(12):
        parquet.write_table(table.slice(number * 100, 100 if number < 11 else len(table)), tmp_path / "parts" / f"part-{number}.parquet")
    given = [argument.replace(short.path("all.parquet"), str(tmp_path / "parts")) for argument in short.columns("eager")]
    assert run("score", *given).splitlines()[:3] == run("score", *short.columns("eager")).splitlines()[:3]


def test_evidence_of_another_version_is_refused(corpus: LongCorpus, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("evidence", *corpus.texts("eager"), "-o", str(tmp_path / "counts"), *SIZE, "--part", "1/2")
    monkeypatch.setattr(making, "__version__", "9.9")
    message = run("evidence", *corpus.texts("eager"), "-o", str(tmp_path / "counts"), *SIZE, "--part", "1/2", status=1)
    assert re.search(r"part-000000-\w+\.parquet: it was made by errata 0\.\S+, and this is 9\.9; take another folder", message)


def test_a_name_that_is_not_text_is_refused(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    given = [f"n\udcff={argument}" if argument.endswith("eager.txt") else argument for argument in corpus.texts("eager")]
    assert "names of systems must be valid Unicode, found 'n\\udcff'" in run("evidence", *given, "-o", str(tmp_path / "x"), status=2)


def test_names_of_systems_may_be_anything(corpus: LongCorpus, tmp_path: Path, run: Run) -> None:
    name = "../a b\\ü" + "x" * 300
    path = corpus.path("eager.txt")
    given = [f"{name.replace('/', '|')}={path}" if argument == path else argument for argument in corpus.texts("eager")]
    run("evidence", *given, "-o", str(tmp_path / "counts"), *SIZE)
    assert [path.name for path in tmp_path.iterdir()] == ["counts"]
    assert "a b" in run("score", str(tmp_path / "counts"))


@pytest.mark.parametrize("long", ["src", "ref", "out"])
def test_a_sentence_that_is_too_long_is_an_error_with_its_file(long: str, tmp_path: Path, run: Run) -> None:
    paths = {name: tmp_path / f"{name}.txt" for name in ("src", "ref", "out")}
    for name, path in paths.items():
        path.write_text("a b\n" + ("a " * 5_000 if name == long else "a") + "\n", encoding="utf-8")
    message = run("evidence", str(paths["src"]), "-r", str(paths["ref"]), str(paths["out"]), "-o", str(tmp_path / "counts"), status=2)
    assert f"{paths[long]}:2: 5,000 tokens in a line, more than the limit of 4,000; raise it with --max-tokens" in message
