"""``--sentences`` in every command that reads a gold, and ``errata stats --clusters``, which can make its list."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from errata import read
from errata.cli import _build_parser
from errata.corpus.alternatives import mix_corpus

GOLD, EAGER, CAUTIOUS, REWRITER = "examples/learner.m2", *(f"examples/systems/{name}.txt" for name in ("eager", "cautious", "rewriter"))
HOO_TEXTS = "examples/hoo/source"
SUBSET = "5-30,44"
NUMBERS = [*range(5, 31), 44]

Run = Callable[..., str]


COMMANDS = [
    "score",
    "compare",
    "gate",
    "inspect",
    "report",
    "correlate",
    "chart",
    "detect",
    "meta",
    "coverage",
    "conservatism",
    "stats",
    "convert",
]


def test_the_commands_that_take_a_subset() -> None:
    having = [name for name, parser in _build_parser().commands.items() if "--sentences" in parser.options]
    assert sorted(having) == sorted(COMMANDS)
    listed = f"{', '.join(f'`{name}`' for name in COMMANDS[:-1])} and `{COMMANDS[-1]}` have it"
    assert listed in Path("docs/command-line.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", EAGER],
        ["score", EAGER, "--by-type", "--tagger", "none"],
        ["compare", EAGER, CAUTIOUS, "--replicates", "500"],
        ["compare", EAGER, "-m", "imeasure", "--against-source", "--replicates", "500"],
        ["gate", EAGER, CAUTIOUS, "--replicates", "500"],
        ["inspect", EAGER, "--as-subset"],
        ["inspect", EAGER, "--as-subset", "--lattice"],
        ["correlate", EAGER, CAUTIOUS, REWRITER, "-m", "maxmatch", "-m", "imeasure"],
        ["detect", EAGER],
        ["detect", EAGER, "--judged-by", "vote"],
        ["meta", EAGER, CAUTIOUS, REWRITER, "--judgments", "examples/judgments/rankings.tsv", "--replicates", "100"],
        ["coverage"],
        ["coverage", "-m", "maxmatch", "--simulations", "2", "--reference-counts", "1"],
        ["conservatism", EAGER],
        ["stats"],
        ["stats", "--clusters"],
    ],
    ids=lambda arguments: " ".join(word for word in arguments if not word.startswith("examples/")),
)
def test_json_names_the_gold_and_the_subset(run: Run, arguments: list[str]) -> None:
    command, *rest = arguments
    given = [command, GOLD, *rest, "--format", "json", "-q"]
    part = json.loads(run(*given, "--sentences", SUBSET))
    assert part["subset"] == {"sentences": SUBSET, "of": 72}
    whole = json.loads(run(*(word for word in given if word != "--as-subset")))
    assert "subset" not in whole
    name = {"stats": "corpus", "coverage": None}.get(command, "gold")
    if name is not None:
        assert (whole[name], part[name]) == ("learner.m2", "learner.m2")


def test_json_has_all_numbers_of_a_subset(run: Run) -> None:
    """However many there are, also where tables shorten them."""
    odd = ",".join(map(str, range(1, 72, 2)))
    assert json.loads(run("detect", GOLD, EAGER, "--sentences", odd, "--format", "json"))["subset"]["sentences"] == odd


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", EAGER, CAUTIOUS],
        ["score", EAGER, "-m", "imeasure", "--per-sentence", "--format", "csv"],
        ["score", EAGER, "--by-type"],
        ["score", EAGER, CAUTIOUS, "-m", "maxmatch", "-m", "imeasure", "--confidence", "--replicates", "200"],
        ["compare", EAGER, CAUTIOUS, "--replicates", "500", "--format", "json"],
        ["correlate", EAGER, CAUTIOUS, REWRITER, "-m", "maxmatch", "-m", "imeasure", "--format", "json"],
        ["detect", EAGER, "--format", "json"],
        ["coverage"],
        ["conservatism", EAGER, "--format", "json"],
        ["stats"],
    ],
)
def test_a_subset_is_scored_as_a_file_of_its_sentences(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    """The numbers are those of a gold and of systems that have only these sentences; what names sentences and gold differs."""
    command, *rest = arguments
    small = tmp_path / "learner.m2"
    run("convert", GOLD, "--sentences", SUBSET, "-o", small)
    cut = []
    for argument in rest:
        if argument.endswith(".txt"):
            lines = Path(argument).read_text().splitlines()
            (tmp_path / Path(argument).name).write_text("".join(f"{lines[number - 1]}\n" for number in NUMBERS))
        cut.append(str(tmp_path / Path(argument).name) if argument.endswith(".txt") else argument)

    def shown(text: str) -> list[str]:
        text = text.replace(f"27 of 72 sentences ({SUBSET})", "27 sentences")
        lines = [line.partition(", in 27")[0].rstrip('",') for line in text.splitlines() if "Subset:" not in line]
        return [line for line in lines if line]

    whole, part = run(command, GOLD, *rest, "--sentences", SUBSET), run(command, small, *cut)
    if "--per-sentence" in rest:
        numbers = [int(row["sentence"]) for row in csv.DictReader(whole.splitlines())]
        assert numbers == NUMBERS
        assert [row["value"] for row in csv.DictReader(whole.splitlines())] == [row["value"] for row in csv.DictReader(part.splitlines())]
    elif "json" in rest:
        mine, theirs = json.loads(whole), json.loads(part)
        assert mine.pop("subset") == {"sentences": SUBSET, "of": 72}
        if command == "conservatism":
            for own, other in zip(mine["conservatism"], theirs["conservatism"], strict=True):
                for key in ("more_than_every_reference", "fewer_than_every_reference"):
                    assert own.pop(key, []) == [NUMBERS[number - 1] for number in other.pop(key, [])]
        assert shown(json.dumps(mine, indent=1)) == shown(json.dumps(theirs, indent=1))
    else:
        assert shown(whole) == shown(part)
        assert f"27 of 72 sentences ({SUBSET})" in whole


def test_a_list_may_be_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "some.list"
    path.write_text("44\n5-20\n\n21-30\n")
    assert run("score", GOLD, EAGER, "--sentences", path) == run("score", GOLD, EAGER, "--sentences", SUBSET)
    path.write_text("44,5-20\r\n21-30")
    assert run("score", GOLD, EAGER, "--sentences", path, "-q") == run("score", GOLD, EAGER, "--sentences", SUBSET)
    shown = json.loads(run("inspect", GOLD, EAGER, "--sentences", path, "--format", "json", "-q"))["sentences"]
    assert [item["sentence"] for item in shown] == [44, *range(5, 31)]
    assert "would replace the input" in run("score", GOLD, EAGER, "--sentences", path, "-o", path, status=2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n2-4\n80\n", ":3: sentences are numbered from 1 to 72, found '80'"),
        ("1\n70-1000000000000\n", ":2: sentences are numbered from 1 to 72, found '70-1000000000000'"),
        ("1\n9-7\n", ":2: the range '9-7' runs backwards"),
        ("1-9\n\n5\n", ":3: sentence 5 is given twice, first in line 1"),
        ("3\nthree\n", ":2: sentences are numbers and ranges such as 3,10-12, found 'three'"),
        ("", ": the file is empty"),
        ("\n\n", ": expected numbers of sentences, found none"),
    ],
)
def test_bad_lists(run: Run, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "some.list"
    path.write_text(content)
    for arguments in (["score", GOLD, EAGER], ["stats", GOLD], ["inspect", GOLD, EAGER], ["convert", GOLD, "--to", "jsonl"]):
        assert run(*arguments, "--sentences", path, status=2) == f"errata: error: {path}{message}\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("73", "sentences are numbered from 1 to 72, found '73'"),
        ("3-1", "the range '3-1' runs backwards"),
        ("1-1000000000000", "sentences are numbered from 1 to 72, found '1-1000000000000'"),
        ("2,1-3", "sentence 2 is given twice"),
        ("", "sentences are numbers and ranges such as 3,10-12, found an empty text"),
        ("1.5", "sentences are numbers and ranges such as 3,10-12, found '1.5', and there is no such file"),
        ("three", "sentences are numbers and ranges such as 3,10-12, found 'three', and there is no such file"),
        ("no/such.list", "no/such.list: there is no such file"),
    ],
)
def test_bad_numbers_of_sentences(run: Run, given: str, message: str) -> None:
    assert message in run("score", GOLD, EAGER, "--sentences", given, status=2)


def test_a_table_has_no_sentences_to_choose(run: Run) -> None:
    assert "--sentences needs a corpus" in run("coverage", "examples/corrections.tsv", "--sentences", "1", status=2)
    assert "--sentences needs a corpus and systems" in run("detect", "examples/prepositions.csv", "--sentences", "1", status=2)


def test_the_file_of_a_system_has_all_lines(run: Run, tmp_path: Path) -> None:
    system = tmp_path / "s.txt"
    for count, found in ((27, f"has too few lines: 27 for the 72 sentences of {GOLD}"), (73, "too many lines: more than the 72 sentences")):
        system.write_text("a\n" * count)
        assert found in run("score", GOLD, system, "--sentences", SUBSET, status=2)


def test_inspect_shows_sentences_of_the_whole_or_scores_them_alone(run: Run) -> None:
    """MaxMatch chooses annotators by the sentences before, so a subset may choose another one."""

    def chosen(*more: str) -> dict[int, list[bool]]:
        items = json.loads(run("inspect", GOLD, REWRITER, "--format", "json", *more))["sentences"]
        return {item["sentence"]: [reading["chosen"] for reading in item["annotators"]] for item in items}

    everything = chosen()
    numbers = ",".join(str(number) for number in everything if number > 40)
    shown, alone = chosen("--sentences", numbers), chosen("--sentences", numbers, "--as-subset")
    assert shown == {number: everything[number] for number in shown}
    assert list(alone) == list(shown)
    rows = json.loads(run("score", GOLD, REWRITER, "--sentences", numbers, "--per-sentence", "--format", "json"))
    assert rows["subset"] == {"sentences": "41-72", "of": 72}
    for row in rows["scores"][0]["per_sentence"]:
        annotators = read(GOLD)[row["sentence"] - 1].annotations
        assert [annotation.annotator == row["annotator"] for annotation in annotators] == alone[row["sentence"]]
    assert "scored as a subset: 2 of 72 sentences (3,9)" in run("inspect", GOLD, EAGER, "--sentences", "9,3", "--as-subset")
    assert "--as-subset needs --sentences" in run("inspect", GOLD, EAGER, "--as-subset", status=2)


def test_lattices_and_mixtures_of_a_subset(run: Run) -> None:
    alone = json.loads(run("inspect", GOLD, EAGER, "--sentences", "6", "--as-subset", "--lattice", "--format", "json"))
    whole = json.loads(run("inspect", GOLD, EAGER, "--sentences", "6", "--lattice", "--format", "json"))
    assert [item["sentence"] for item in alone["sentences"]] == [6]
    assert alone["sentences"][0]["source"] == whole["sentences"][0]["source"]
    assert "sentence 6\n" in run("inspect", GOLD, EAGER, "--sentences", "6", "--as-subset", "--lattice")
    assert mix_corpus(read(GOLD).subset("40-72"), most=1).unmixed == [
        number for number in mix_corpus(read(GOLD), most=1).unmixed if number > 39
    ]
    part = json.loads(run("score", GOLD, EAGER, "-m", "maxmatch(references=mix)", "--sentences", "6", "--format", "json"))["scores"][0]
    assert part["signature"].count("1 of 72 sentences (6)") == 1


def test_a_subset_of_essays_is_counted(run: Run) -> None:
    essays = "examples/essays.sgml"
    record = json.loads(run("stats", essays, "--sentences", "2-4", "--format", "json"))
    assert (record["sentences"], record["subset"]) == (3, {"sentences": "2-4", "of": 12})
    assert json.loads(run("stats", essays, "--clusters", "--sentences", "2-4", "--format", "json"))["sentences"] == 3
    assert "sentences are numbered from 1 to 12" in run("stats", essays, "--sentences", "13", status=2).splitlines()[-1]
    for arguments in (["stats", essays], ["stats", essays, "--clusters"], ["convert", essays, "--to", "m2"], ["score", essays, EAGER]):
        assert "source texts (--source) cannot be combined with the format sgml" in run(*arguments, "--source", HOO_TEXTS, status=2)
        assert f"{essays}: --lenient (lenient=True in Python) cannot be combined with essays" in run(*arguments, "--lenient", status=2)
    assert "--types cannot be combined with --clusters" in run("stats", GOLD, "--clusters", "--types", "Prep", status=2)


def test_convert_writes_a_subset(run: Run, tmp_path: Path) -> None:
    run("convert", GOLD, "--sentences", "70,3", "-o", tmp_path / "two.xml")
    text = (tmp_path / "two.xml").read_text()
    assert '<sentence id="3"' in text
    assert '<sentence id="70"' in text
    assert [sentence.text for sentence in read(tmp_path / "two.xml")] == [read(GOLD)[number].text for number in (2, 69)]
    essays = run("convert", "examples/essays.sgml", "--to", "jsonl")
    assert run("convert", "examples/essays.sgml", "--to", "jsonl", "--sentences", "2-3").splitlines() == essays.splitlines()[1:3]


def test_a_task_may_be_about_a_subset(run: Run, tmp_path: Path) -> None:
    for name in ("gold.m2", "s.txt"):
        (tmp_path / name).write_bytes(Path(GOLD if name == "gold.m2" else EAGER).read_bytes())
    (tmp_path / "some.list").write_text("5-30\n44\n")
    task = tmp_path / "task.toml"
    for value in (SUBSET, "some.list"):
        task.write_text(f'gold = ["gold.m2"]\nsystems = ["s.txt"]\nsentences = "{value}"\ntagger = "none"\nmetrics = ["imeasure"]\n')
        run("task", "run", task, "-o", tmp_path / "results")
        assert f"27 of 72 sentences ({SUBSET})" in (tmp_path / "results" / "ranking.json").read_text()
    for value, message in (
        ("100", "sentences are numbered from 1 to 72, found '100'"),
        ("", "sentences are numbers and ranges such as 3,10-12, found an empty text"),
        (" ", "sentences are numbers and ranges such as 3,10-12, found an empty text"),
    ):
        task.write_text(f'gold = ["gold.m2"]\nsystems = ["s.txt"]\nsentences = "{value}"\ntagger = "none"\n')
        assert run("task", "run", task, "-o", tmp_path / "r", status=2) == f"errata: error: {task}:3: sentences: {message}\n"


def test_the_list_of_clear_sentences(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "clear.list"
    assert run("stats", GOLD, "--clusters", "-o", path) == ""
    assert run("stats", GOLD, "--clusters", "--format", "list") == path.read_text()
    assert len(read(GOLD).subset(path.read_text())) == 61
    assert "61 of 72 sentences" in run("score", GOLD, EAGER, "-m", "imeasure", "--sentences", path)
    assert run("stats", GOLD, "--clusters", "--sentences", path, "--format", "list") == path.read_text()
    assert "--format list needs --clusters" in run("stats", GOLD, "--format", "list", status=2)


def test_reasons_of_unclear_sentences(run: Run) -> None:
    reason = "the edits 4-5 (annotator 1) and 5-8 (annotator 0) may correct one error"
    text = run("stats", GOLD, "--clusters")
    assert f"       5  {reason}\n" in text
    assert "unclear: errors are corrected by different annotators                              1\n" in text
    record = json.loads(run("stats", GOLD, "--clusters", "--format", "json"))
    assert (record["sentences"], record["clear_sentences"], len(record["unclear"])) == (72, 61, 11)
    assert {"sentence": 5, "kind": "errors are corrected by different annotators", "reason": reason} in record["unclear"]
    rows = list(csv.DictReader(run("stats", GOLD, "--clusters", "--format", "csv").splitlines()))
    assert len(rows) == 72
    assert [row["reason"] != "" for row in rows] == [row["clear"] == "0" for row in rows]


def test_a_gold_without_a_clear_sentence_has_no_list(run: Run, tmp_path: Path) -> None:
    gold = tmp_path / "g.m2"
    gold.write_text("S a b\nA 0 1|||X|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||X|||y|||REQUIRED|||-NONE-|||1\n\n")
    assert "no sentence has edits that can be clustered clearly" in run("stats", gold, "--clusters", "--format", "list", status=1)
