"""Scores by error type: what they add up to, and where types of wrong edits come from."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from errata import (
    Corpus,
    Edit,
    Evaluator,
    MaxMatch,
    MismatchError,
    RequestError,
    Score,
    Sentence,
    System,
    UsageError,
    read,
    read_system,
    write,
)
from errata.cli import main
from errata.language.tagging import FileTagger, Tagger, find_tagger
from errata.language.types import _classify_edit
from errata.scoring.by_type import TypeCounts, count_types, takes_tagger

from toy_analyser import ToyAnalyser, use_toy_words

GOLD, EAGER = "examples/learner.m2", "examples/systems/eager.txt"


def counts_of(score: Score, by: Tagger | None) -> dict[str, TypeCounts]:
    return {counts.type: counts for counts in count_types(score, by)}


def check_sums(score: Score, by: Tagger) -> None:
    found = counts_of(score, by)
    correct, proposed, gold = score.counts
    everything = found.pop("all")
    untyped = found.pop("(no type)")
    assert (everything.matched, everything.proposed, everything.gold) == (correct, proposed, gold)
    together = {name: counts for name, counts in found.items() if name in {"Vform", "SVA"}}
    apart = [counts for name, counts in found.items() if name != "Vform/SVA"]
    assert sum(counts.matched for counts in apart) == correct
    assert sum(counts.gold for counts in apart) == gold
    typed = sum(counts.proposed or 0 for name, counts in found.items() if name not in together)
    unknown = sum(counts.matched for name, counts in found.items() if counts.proposed is None and name not in together)
    assert typed + unknown + (untyped.proposed or 0) == proposed


def test_parts_add_up(gold: Corpus, systems: dict[str, System]) -> None:
    evaluate, by = Evaluator(gold), find_tagger("textblob")
    for system in systems.values():
        check_sums(evaluate(system), by)


@pytest.mark.realdata
def test_parts_add_up_on_a_test_set(data: Path) -> None:
    evaluate, by = Evaluator(read(data / "conll14" / "gold" / "official-2014.combined.m2")), find_tagger("textblob")
    for name in ("AMU", "CUUI", "IITB"):
        check_sums(evaluate(read_system(data / "conll14" / "systems" / f"{name}.txt")), by)


def test_recall_needs_no_tagger(gold: Corpus, systems: dict[str, System]) -> None:
    for metric in ("maxmatch", "hoo", "hoo(edits=maxmatch)", "hoo(score=detection)"):
        found = counts_of(Evaluator(gold, metric)(systems["eager"]), None)
        assert all(counts.proposed is None for counts in found.values())
        assert found["all"].gold == sum(counts.gold for name, counts in found.items() if name != "all")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a/DT", "", "ArtOrDet"),
        ("all/PDT", "both/PDT", "ArtOrDet"),
        ("in/IN the/DT", "on/IN the/DT", "Prep"),
        ("in/IN the/DT", "on/IN a/DT", "ArtOrDet"),
        ("dog/NN", "dogs/NNS", "Nn"),
        ("China/NNP", "Chinas/NNPS", "Nn"),
        ("economic/JJ", "economy/NN", "Nn"),
        ("goes/VBZ", "go/VB", "Vform/SVA"),
        ("", "to/TO", "Prep"),
        ("quick/JJ", "quickly/RB", None),
        ("dog/NN", "cat/NN", None),
        ("", "", None),
    ],
)
def test_rules_of_the_2013_task(old: str, new: str, expected: str | None) -> None:
    sides = [[(word, tag) for word, tag in (item.rsplit("/", 1) for item in text.split())] for text in (old, new)]
    assert _classify_edit(sides[0], sides[1]) == expected


def test_the_order_of_rules_is_a_setting() -> None:
    old, new = [("in", "IN"), ("the", "DT")], [("on", "IN"), ("a", "DT")]
    assert _classify_edit(old, new, ("Prep", "ArtOrDet")) == "Prep"
    assert _classify_edit(old, new, ("Nn",)) is None


def test_a_matched_edit_takes_the_type_of_gold() -> None:
    """The edit changes a preposition, but gold calls it Wci."""
    gold = Corpus((Sentence.of("in time", [Edit(0, 1, ("on",), "Wci")]),))
    found = counts_of(Evaluator(gold)(["on time"]), find_tagger("textblob"))
    assert (found["Wci"].matched, found["all"].proposed, found["(no type)"].proposed) == (1, 1, 0)
    assert "Prep" not in found


def test_types_of_a_metric_that_types_wrong_edits_itself(gold: Corpus, systems: dict[str, System]) -> None:
    """No tagger is asked, and every type has a precision."""

    class Typed(MaxMatch):
        types_wrong_edits = True

    score = Evaluator(gold, Typed())(systems["eager"])
    own = {item.type: item for item in count_types(score, find_tagger("textblob"))}
    assert all(item.proposed is not None for item in own.values())
    assert own["(no type)"].proposed == score.counts[1] - score.counts[0]  # MaxMatch gives them none


def test_types_that_only_wrong_edits_have_are_shown() -> None:
    gold = Corpus((Sentence.of("I was in school", [Edit(3, 4, ("schools",), "Nn")]),))
    found = counts_of(Evaluator(gold)(["I was at school"]), find_tagger("textblob"))
    assert found["Prep"][:4] == ("Prep", 0, 1, 0)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", GOLD, EAGER, "--by-type"]) == 0
    out = capsys.readouterr().out
    assert "eager   Prep            11        28    16  39.29   68.75  42.97" in out
    assert "| tagger textblob" in out
    assert main(["score", GOLD, EAGER, "--by-type", "--tagger", "none", "--format", "json", "-m", "maxmatch", "-m", "hoo"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [entry["metric"] for entry in record["scores"]] == ["maxmatch", "hoo"]
    assert record["scores"][0]["types"][0]["precision"] is None
    for arguments, message in (
        (["--tagger", "magic"], "unknown tagger 'magic'; choose from spacy, textblob"),
        (["--type-order", "Prep,Nope"], "unknown type 'Nope' in an order of rules"),
        (["--type-order", "Prep,Prep"], "a type occurs twice"),
        (["--per-sentence"], "--per-sentence cannot be combined with --by-type"),
    ):
        assert main(["score", GOLD, EAGER, "--by-type", *arguments]) == 2
        assert message in capsys.readouterr().err
    assert main(["score", GOLD, EAGER, "--by-type", "-m", "imeasure"]) == 1
    assert "imeasure does not show edits" in capsys.readouterr().err


def test_tags_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], gold: Corpus, systems: dict[str, System]) -> None:
    by = find_tagger("textblob")
    lines = []
    for tokens in {*(sentence.tokens for sentence in gold), *systems["eager"].sentences}:
        (tags,) = by.tag([tokens])
        lines += [*(f"{token}\t{tag}" for token, tag in zip(tokens, tags, strict=True)), ""]
    (tmp_path / "tags.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["score", GOLD, EAGER, "--by-type", "--pos-tags", str(tmp_path / "tags.tsv"), "--format", "csv"]) == 0
    from_file = capsys.readouterr().out.replace("tagger file tags.tsv", "tagger textblob")
    main(["score", GOLD, EAGER, "--by-type", "--format", "csv"])
    assert from_file == re.sub(r"tagger textblob [\d.]+", "tagger textblob", capsys.readouterr().out)
    with pytest.raises(MismatchError, match="no file has tags for the sentence 'What is this'"):
        FileTagger([str(tmp_path / "tags.tsv")]).tag([("What", "is", "this")])


def test_a_tagger_keeps_the_number_of_tokens() -> None:
    odd = ("and/or", "(", "x_y", "``", "can't", "...", "U.S.", "\u00e9t\u00e9", "//", "1/2", "{", "}")
    assert len(find_tagger("textblob").tag([odd, (), ("a",)])[0]) == len(odd)


def test_unknown_taggers_are_refused() -> None:
    with pytest.raises(UsageError, match="textblob takes no argument, found textblob:large"):
        find_tagger("textblob:large")


@pytest.mark.realdata
def test_agreement_of_the_tagger_with_the_parser_of_the_task(data: Path) -> None:
    """On learners' text, against the tags that the 2013 task was analysed with."""
    from errata.formats.conll import read_conll
    from errata.formats.problems import Problems

    path = str(data / "conll13" / "original" / "data" / "official-preprocessed.conll")
    sentences = list(read_conll(path, Problems(path)))
    found = find_tagger("textblob").tag([sentence.tokens for sentence in sentences])
    pairs = [pair for sentence, tags in zip(sentences, found, strict=True) for pair in zip(sentence.tags, tags, strict=True)]
    assert sum(one == other for one, other in pairs) / len(pairs) > 0.85


def test_spacy_says_what_to_install() -> None:
    """Where spaCy is installed it tags; where it is not it says how to get it."""
    from importlib.util import find_spec

    if find_spec("spacy") is None:
        with pytest.raises(RequestError, match=r"pip install 'errata\[spacy\]'"):
            find_tagger("spacy")
    else:
        with pytest.raises(RequestError, match="spaCy has no model nowhere"):
            find_tagger("spacy:nowhere")


def retyped(gold: Corpus) -> Corpus:
    """Gold with a type of ERRANT for every edit."""
    annotated = (
        tuple(replace(item, edits=tuple(replace(edit, type="R:OTHER") for edit in item.edits)) for item in sentence.annotations)
        for sentence in gold
    )
    return replace(gold, sentences=tuple(replace(sentence, annotations=own) for sentence, own in zip(gold, annotated, strict=True)))


def test_rules_for_other_types_are_not_used(gold: Corpus, systems: dict[str, System]) -> None:
    """With types of ERRANT in gold, wrong edits have no type: those of NUCLE would be rows without gold."""
    scored = Evaluator(retyped(gold))(systems["eager"])
    assert not takes_tagger(scored)
    found = counts_of(scored, find_tagger("textblob"))
    assert list(found) == ["R:OTHER", "(no type)", "all"]
    correct, proposed, _ = scored.counts
    assert (found["(no type)"].proposed, found["all"].proposed) == (proposed - correct, proposed)
    assert found["R:OTHER"].proposed is None
    assert takes_tagger(Evaluator(gold)(systems["eager"]))
    assert takes_tagger(Evaluator(Corpus((Sentence.of("a"),)))(["b"])), "gold without edits"


def test_a_note_says_how_wrong_edits_get_a_type(
    gold: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(retyped(gold), tmp_path / "errant.m2")
    command = ["score", str(tmp_path / "errant.m2"), EAGER, "--by-type", "--format", "csv"]
    table = [*command[:-1], "table"]
    assert main(table) == 0
    printed = capsys.readouterr().out
    assert "--types errant gives them one" in " ".join(printed.split())
    assert "ArtOrDet" not in printed
    assert "tagger none" in printed
    use_toy_words(monkeypatch)
    monkeypatch.setattr("errata.language.parse_bank.find_analyser", lambda _: ToyAnalyser())
    assert main([*command, "--types", "errant", "--analyser", "toy"]) == 0
    printed = capsys.readouterr().out
    assert "| types errant by toy 1.0, word list toy" in printed
    assert "(no type)" not in printed
    fingerprint = Evaluator(retyped(gold))(["x"] * len(gold)).signature.split("sha256 ")[1][:12]
    assert f"sha256 {fingerprint}" in printed, "the gold as it was given"
    for options, message in (
        (
            ["--types", "errant", "--tagger", "none"],
            "--tagger cannot be combined with --types: a type system needs no parts of speech from elsewhere",
        ),
        (
            ["--types", "R:PREP,M:DET"],
            "expected errant or nucle, found 'R:PREP,M:DET'; -m 'errant(types=R:PREP+M:DET)' counts only some types",
        ),
        (["--types", "errnt"], "expected errant or nucle, found 'errnt'; did you mean errant?"),
        (["--types", "errant", "-m", "errant"], "--types cannot be combined with -m errant: it types edits itself"),
    ):
        assert main([*command, *options]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.realdata
def test_errant_gold_has_no_false_rows(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = str(data / "expected" / "errant" / "m2" / "gold.auto.m2.gz")
    system = str(data / "conll14" / "systems" / "AMU.txt")
    assert main(["score", gold, system, "--by-type", "--format", "json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["scores"]
    types = {item["type"]: item for item in entry["types"]}
    assert not {"ArtOrDet", "Prep", "Nn", "Vform/SVA"} & set(types)
    assert (types["(no type)"]["proposed"], types["all"]["proposed"]) == (715, 1227)
    assert main(["detect", gold, system, "--by-type", "--format", "csv"]) == 0
    assert "false positives have no type: gold has types of ERRANT" in capsys.readouterr().err
