"""Every count that ERRANT 3.0.2 printed for CoNLL-2014, from M2 and from texts with the parses that it had."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import errata
from errata import Corpus, Errant, Evaluator, ParseBank, Score, Sentence, System
from errata.language.types import ERRANT_TYPES, shorten_type
from errata.scoring.by_type import count_types
from errata.settings import DETAILS

from errant_recordings import known_words
from thoroughness import mixed, some

pytestmark = pytest.mark.realdata

SYSTEMS = ["AMU", "BART", "CUUI", "GECToR-BERT", "IITB", "INPUT", "IPN", "PKU", "RAC", "REF-F", "Riken-Tohoku", "UFC"]
POLICIES = ["raw", "auto", "gold", "text"]
LEVELS = ["cs", "ds", "dt", "cse"]
CHOSEN = frozenset(mixed(4, SYSTEMS, POLICIES, LEVELS))
"""Every system with every policy and every level, and every policy with every level."""
Row = dict[str, str]


@cache
def folder(data: Path) -> Path:
    return data / "expected" / "errant"


@cache
def official_gold(data: Path) -> Corpus:
    return errata.read(data / "conll14" / "gold" / "official-2014.combined.m2")


@cache
def recorded_gold(data: Path, policy: str) -> Corpus:
    return official_gold(data) if policy == "raw" else errata.read(folder(data) / "m2" / f"gold.{policy}.m2.gz")


@cache
def m2_system(data: Path, name: str) -> System:
    if name == "INPUT":
        return System.of_edits(name, [Sentence(sentence.tokens) for sentence in official_gold(data)])
    return errata.read_system(folder(data) / "m2" / f"{name}.m2.gz", gold=official_gold(data))


@cache
def text_system(data: Path, name: str) -> System:
    (path,) = (data / "conll14").glob(f"*/{name}.txt")
    return errata.read_system(path, gold=official_gold(data))


@cache
def evaluator(data: Path, policy: str, settings: str) -> Evaluator:
    return Evaluator(recorded_gold(data, policy), f"errant(gold=raw,{settings})")


@cache
def score_m2(data: Path, name: str, policy: str, settings: str) -> Score:
    return evaluator(data, policy, settings)(m2_system(data, name))


@cache
def parses(data: Path) -> ParseBank:
    return ParseBank(files=[folder(data) / "parses.tsv.gz"])


def read_rows(path: Path) -> list[Row]:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return list(csv.DictReader(content.decode("utf-8").splitlines(), delimiter="\t"))


def counts_of(row: Row, before: str = "") -> tuple[int, ...]:
    return tuple(int(row[f"{before}{name}"]) for name in ("tp", "fp", "fn"))


def test_every_total(data: Path) -> None:
    rows = read_rows(folder(data) / "totals.tsv")
    assert len(rows) == len(SYSTEMS) * len(POLICIES) * len(LEVELS)
    for row in (row for row in rows if (row["system"], row["gold"], row["mode"]) in CHOSEN):
        score = score_m2(data, row["system"], row["gold"], f"level={row['mode']}")
        assert score.counts == counts_of(row), row
        printed = {"p": score.parts["precision"], "r": score.parts["recall"], "f0.5": score.value}
        assert {name: round(value, 4) for name, value in printed.items()} == {name: float(row[name]) for name in printed}, row
    assert score_m2(data, "AMU", "auto", "level=cs").counts == (482, 797, 1908)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_sentence_annotator_and_choice(data: Path, name: str) -> None:
    recorded: dict[str, list[Row]] = {}
    for row in read_rows(folder(data) / "counts" / f"{name}.tsv.gz"):
        recorded.setdefault(row["gold"], []).append(row)
    assert sorted(recorded) == sorted(POLICIES)
    for policy, rows in recorded.items():
        for level in (level for level in LEVELS if (name, policy, level) in CHOSEN):
            evidence = score_m2(data, name, policy, f"level={level}").evidence
            assert evidence.chosen is not None
            found = [
                (str(index), label, counts, str(int(number == evidence.chosen[index])))
                for index, (own, labels) in enumerate(zip(evidence.rows, evidence.labels, strict=True))
                for number, (counts, label) in enumerate(zip(own, labels, strict=True))
            ]
            wanted = [(row["sentence"], row["annotator"], counts_of(row, f"{level}_"), row[f"{level}_chosen"]) for row in rows]
            assert found == wanted, (policy, level)


def test_every_category(data: Path) -> None:
    recorded: dict[tuple[str, str, str], dict[str, tuple[int, ...]]] = {}
    for row in read_rows(folder(data) / "categories.tsv"):
        recorded.setdefault((row["system"], row["gold"], row["mode"]), {})[row["category"]] = counts_of(row)
    assert len(recorded) == 2 * 3 * len(SYSTEMS)
    for (name, policy, level), wanted in some(recorded.items(), 24):
        counts = count_types(score_m2(data, name, policy, f"level={level}"))
        found = {item.type: (item.matched, (item.proposed or 0) - item.matched, item.gold - item.matched) for item in counts}
        assert found.pop("all") == tuple(map(sum, zip(*wanted.values(), strict=True)))
        assert found == wanted, (name, policy, level)
        assert set(found) <= ERRANT_TYPES


@pytest.mark.parametrize("detail", DETAILS)
def test_categories_are_sums_of_full_types(data: Path, detail: str) -> None:
    score = score_m2(data, "AMU", "auto", "level=dt")
    summed: dict[str, list[int]] = {}
    for item in count_types(score):
        own = summed.setdefault(shorten_type(item.type, detail), [0, 0, 0])  # type: ignore[arg-type]
        for index, number in enumerate((item.matched, item.proposed or 0, item.gold)):
            own[index] += number
    found = {item.type: [item.matched, item.proposed, item.gold] for item in count_types(score, detail=detail)}  # type: ignore[arg-type]
    assert found == summed


OPTIONS = {
    "beta=1": "beta=1",
    "beta=0.25": "beta=0.25",
    "single": "lengths=single",
    "multi": "lengths=multi",
    "filt R:OTHER R:SPELL M:PUNCT": "types=not:R:OTHER+R:SPELL+M:PUNCT",
    "ds single": "level=ds,lengths=single",
    "dt multi": "level=dt,lengths=multi",
    "hypothesis -lev": "alignment=lev",
    "hypothesis -merge all-split": "merge=all-split",
    "hypothesis -merge all-merge": "merge=all-merge",
    "hypothesis -merge all-equal": "merge=all-equal",
}


def test_every_option(data: Path) -> None:
    rows = read_rows(folder(data) / "options.tsv")
    assert {row["option"] for row in rows} == set(OPTIONS)
    evaluators = {
        option: Evaluator(recorded_gold(data, "auto"), errata.metric(f"errant({settings})").with_data(parses=parses(data)))
        for option, settings in OPTIONS.items()
    }
    for row in rows:
        extracted = row["option"].startswith("hypothesis")
        score = evaluators[row["option"]]((text_system if extracted else m2_system)(data, row["system"]))
        assert score.counts == counts_of(row), row
        assert round(score.value, 4) == float(row["f"]), row


def test_older_recordings(data: Path) -> None:
    older = data / "errant"
    rows = read_rows(older / "expected.tsv")
    for policy in ("auto", "gold"):
        gold = errata.read(older / f"gold.{policy}.m2")
        for level in LEVELS:
            evaluate = Evaluator(gold, Errant(level=level))  # type: ignore[arg-type]
            wanted = {row["system"]: counts_of(row) for row in rows if (row["gold"], row["mode"]) == (policy, level)}
            assert {name: evaluate(errata.read_system(older / f"{name}.m2", gold=gold)).counts for name in wanted} == wanted


def test_texts_with_recorded_parses(data: Path) -> None:
    evaluate = Evaluator(official_gold(data), Errant(parses=parses(data)))
    totals = {
        row["system"]: counts_of(row) for row in read_rows(folder(data) / "totals.tsv") if (row["gold"], row["mode"]) == ("auto", "cs")
    }
    scores = {name: evaluate(text_system(data, name)) for name in SYSTEMS}
    assert {name: score.counts for name, score in scores.items()} == totals
    signature = scores["AMU"].signature
    assert "| gold auto by parses fb7e5ff1 | edits of the text by parses fb7e5ff1 | gold official-2014.combined.m2" in signature
    assert "word list" not in signature
    assert scores["INPUT"].signature == scores["AMU"].signature  # one line in a table


def recorded_totals(data: Path) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    for row in read_rows(folder(data) / "totals.tsv"):
        if row["system"] == "REF-F" and (row["mode"] == "cse" or (row["gold"], row["mode"]) in {("gold", "ds"), ("text", "dt")}):
            yield row["gold"], row["mode"], counts_of(row)


@pytest.mark.slow
def test_every_policy_from_texts(data: Path) -> None:
    known_words()
    for policy, level, wanted in recorded_totals(data):
        metric = Errant(gold=policy, level=level, parses=parses(data))  # type: ignore[arg-type]
        score = Evaluator(official_gold(data), metric)(text_system(data, "REF-F"))
        assert score.counts == wanted, (policy, level)
        assert ("word list 75e18510" in score.signature) == (level == "cse")
        if policy == "text":
            assert "gold text, missing=same by parses fb7e5ff1" in score.signature


def test_types_of_texts_are_those_of_m2(data: Path) -> None:
    known_words()
    own = count_types(score_m2(data, "AMU", "auto", "level=ds"))
    extracted = Evaluator(official_gold(data), Errant(level="ds", parses=parses(data)))(text_system(data, "AMU"))
    assert count_types(extracted) == own


def test_what_choice_and_repeated_keys_change(data: Path) -> None:
    """The numbers of docs/errant.md."""

    def counts(settings: str, name: str = "CUUI", policy: str = "gold") -> tuple[int, ...]:
        return score_m2(data, name, policy, settings).counts

    assert counts("level=dt") == (863, 747, 2351)
    assert counts("level=dt,choice=unrounded") == (862, 748, 2340)
    assert [sum(counts(f"level=ds,repeated={how}", "RAC", "auto")[:2]) for how in ("official", "once")] == [1113, 1112]
    assert sum(map(len, m2_system(data, "RAC").edits or ())) == 1114  # a span repeats twice: in a false and in a true positive
