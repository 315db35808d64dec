"""ERRANT's scores: the rule read literally, its settings and its traps."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Annotation, Corpus, Edit, Errant, Evaluator, ParseBank, Sentence, System
from errata.cli import main
from errata.core import merge_by_rules
from errata.errors import MismatchError, RequestError, UsageError
from errata.language.types import ERRANT_TYPES, shorten_type
from errata.scoring.by_type import count_types

from thoroughness import often
from toy_analyser import ToyAnalyser, use_toy_words

LENGTH = 5
Plain = tuple[int, int, str, str]


def sentence_of(*annotators: Sequence[Plain]) -> Sentence:
    return Sentence.of(
        "a b c d e", *([Edit(start, end, tuple(text.split("||")), kind) for start, end, text, kind in own] for own in annotators)
    )


def score(gold: Sequence[Sequence[Plain]], own: Sequence[Plain], metric: str = "errant(gold=raw)") -> errata.Score:
    return errata.score(Corpus((sentence_of(*gold),)), System.of_edits("mine", [sentence_of(own)]), metric)


# The rule, read literally.


def keys_of(edits: Sequence[Plain], level: str, lengths: str, dropped: set[str]) -> list[tuple[tuple[object, ...], str]]:
    """Every key with its type, as often as it occurs."""
    found: list[tuple[tuple[object, ...], str]] = []
    for start, end, text, kind in edits:
        long = end - start >= 2 or len(text.split()) >= 2
        if kind in dropped or (lengths == "single" and long) or (lengths == "multi" and not long):
            continue
        if level == "ds":
            found.append(((start, end), kind))
        elif level == "dt" and start == end:
            found.append(((start, start + 1), kind))
        elif level == "dt":
            found += [((token, token + 1), kind) for token in range(start, end)]
        elif kind != "UNK":
            found.append(((start, end, text, *([kind] if level == "cse" else [])), kind))
    return found


def read_counts(gold: Sequence[Plain], own: Sequence[Plain], level: str, lengths: str, dropped: set[str]) -> dict[str, Counter[str]]:
    """True positives, false positives and false negatives by type."""
    reference, hypothesis = keys_of(gold, level, lengths, dropped), keys_of(own, level, lengths, dropped)
    in_gold, proposed = {key for key, _ in reference}, {key for key, _ in hypothesis}
    return {
        "tp": Counter(kind for key, kind in reference if key in proposed),
        "fp": Counter(kind for key, kind in hypothesis if key not in in_gold),
        "fn": Counter(kind for key, kind in reference if key not in proposed),
    }


@st.composite
def plain_edits(draw: st.DrawFn) -> list[Plain]:
    """Edits that often have the same span, text or type; they may repeat and overlap."""
    edits: list[Plain] = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, LENGTH))
        end = min(LENGTH, start + draw(st.integers(0, 3)))
        edits.append((start, end, draw(st.sampled_from(["", "x", "y", "x y", "x||y"])), draw(st.sampled_from(["R:NOUN", "M:DET", "UNK"]))))
    return edits


@given(
    annotators=st.lists(plain_edits(), min_size=1, max_size=3),
    own=plain_edits(),
    level=st.sampled_from(["cs", "ds", "dt", "cse"]),
    lengths=st.sampled_from(["all", "single", "multi"]),
    dropped=st.sampled_from([set(), {"M:DET"}, {"R:NOUN", "UNK"}]),
)
@settings(max_examples=often(300, 100))
def test_counts_are_those_of_the_rule(annotators: list[list[Plain]], own: list[Plain], level: str, lengths: str, dropped: set[str]) -> None:
    types = f"not:{'+'.join(sorted(dropped))}" if dropped else "all"
    found = score(annotators, own, f"errant(gold=raw,level={level},lengths={lengths},types={types})")
    wanted = [read_counts(gold, own, level, lengths, dropped) for gold in annotators]
    assert found.evidence.rows[0] == tuple(tuple(item[name].total() for name in ("tp", "fp", "fn")) for item in wanted)
    assert found.evidence.chosen is not None
    chosen = wanted[found.evidence.chosen[0]]
    by_type = {item.type: (item.matched, (item.proposed or 0) - item.matched, item.gold - item.matched) for item in count_types(found)}
    assert by_type.pop("all") == found.counts
    assert by_type == {kind: tuple(chosen[name][kind] for name in ("tp", "fp", "fn")) for kind in set().union(*chosen.values())}


@given(gold=plain_edits(), own=plain_edits(), level=st.sampled_from(["cs", "ds", "dt", "cse"]))
@settings(max_examples=often(100, 30))
def test_a_key_that_counts_once(gold: list[Plain], own: list[Plain], level: str) -> None:
    reference, hypothesis = ({key for key, _ in keys_of(edits, level, "all", set())} for edits in (gold, own))
    found = score([gold], own, f"errant(gold=raw,level={level},repeated=once)")
    assert found.counts == (len(reference & hypothesis), len(hypothesis - reference), len(reference - hypothesis))
    outcomes = Counter(edit.outcome for edit in found.edits(1))
    assert (outcomes["right"], outcomes["wrong"], outcomes["missed"]) == found.counts


def test_a_repeated_gold_edit_counts_twice_for_one_proposal() -> None:
    gold, own = [(1, 2, "x", "R:NOUN"), (1, 2, "x", "R:VERB")], [(1, 2, "x", "R:OTHER")]
    assert score([gold], own).counts == (2, 0, 0)
    assert score([own], gold).counts == (1, 0, 0)
    assert score([gold], own, "errant(repeated=once)").counts == (1, 0, 0)
    assert score([gold], [(1, 2, "x", "R:NOUN")], "errant(level=cse)").counts == (1, 0, 1)


def test_values_of_nothing() -> None:
    wrong, missed = [(1, 2, "x", "R:NOUN")], [(3, 4, "x", "R:NOUN")]
    found = {"nothing": score([[]], []), "wrong": score([[]], wrong), "missed": score([missed], []), "both": score([missed], wrong)}
    assert {name: (own.parts["precision"], own.parts["recall"], own.value) for name, own in found.items()} == {
        "nothing": (1.0, 1.0, 1.0),
        "wrong": (0.0, 1.0, 0.0),
        "missed": (1.0, 0.0, 0.0),
        "both": (0.0, 0.0, 0.0),
    }


# Traps: what is in the file is compared, literally.


@pytest.mark.parametrize("own", ["x||y", "x  y", " x", ""])
def test_corrections_match_literally(own: str) -> None:
    assert score([[(1, 2, own, "R:NOUN")]], [(1, 2, own, "R:NOUN")]).counts == (1, 0, 0)
    assert score([[(1, 2, own, "R:NOUN")]], [(1, 2, "x y", "R:NOUN")]).counts == (0, 1, 1)


def test_none_is_a_word_in_m2(tmp_path: object) -> None:
    lines = "S a b\nA 0 1|||U:NOUN|||{}|||REQUIRED|||-NONE-|||0\n\n"
    corpora = {}
    for name, text in {"none": "-NONE-", "empty": ""}.items():
        path = f"{tmp_path}/{name}.m2"
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - a short test
            file.write(lines.format(text))
        corpora[name] = (errata.read(path), errata.read_system(path))
    assert errata.score(corpora["none"][0], corpora["none"][1], "errant").counts == (1, 0, 0)
    assert errata.score(corpora["empty"][0], corpora["none"][1], "errant").counts == (0, 1, 1)
    assert errata.score(corpora["empty"][0], corpora["none"][1], "maxmatch").counts == (1, 1, 1)  # MaxMatch takes it for a deletion


def test_no_annotator_is_one_who_found_nothing() -> None:
    found = score([], [(1, 2, "x", "R:NOUN")])
    assert (found.counts, found.evidence.labels) == ((0, 1, 0), (("0",),))


def test_an_annotator_whose_edits_are_filtered_stays() -> None:
    gold = [[(1, 2, "x", "R:NOUN")], [(1, 2, "y", "R:SPELL")]]
    found = score(gold, [(1, 2, "z", "R:OTHER")], "errant(types=not:R:SPELL)")
    assert found.evidence.rows == (((0, 1, 1), (0, 1, 0)),)


def test_only_some_types_count() -> None:
    gold = [[(1, 2, "x", "R:NOUN"), (3, 4, "y", "R:SPELL"), (4, 4, "z", "M:DET")]]
    assert score(gold, gold[0], "errant(types=R:NOUN+M:DET)").counts == (2, 0, 0)
    assert score(gold, gold[0], "errant(types=not:R:NOUN+M:DET)").counts == (1, 0, 0)
    with pytest.raises(UsageError, match=r"errant setting types: neither ERRANT nor gold has the type 'R:SPEL'; did you mean R:SPELL\?"):
        score(gold, [], "errant(types=R:SPEL)")
    nucle = [[(1, 2, "x", "Nn"), (3, 4, "y", "Vt")]]
    assert score(nucle, [], "errant(gold=raw,types=Nn)").counts == (0, 0, 1)


def test_there_are_55_types() -> None:
    assert Counter(name[0] for name in ERRANT_TYPES) == {"M": 15, "R": 24, "U": 16}  # UNK begins with U
    assert [shorten_type(name, "operation") for name in ("M:NOUN:POSS", "UNK", "Um", "U:")] == ["M", "UNK", "Um", "U:"]


# Systems and gold.


TEXTS = Corpus((Sentence.of("a b c d e", [Edit(1, 2, ("x",), "Nn")], [Edit(1, 3, ("y z",), "Nn")]), Sentence.of("a b", [])))


def test_official_gold_is_raw_if_its_types_are_errants() -> None:
    typed = Corpus((sentence_of([(1, 2, "x", "R:NOUN"), (1, 2, "y", "UNK")]),))
    assert [Errant().find_policy(corpus) for corpus in (typed, Corpus(()), TEXTS)] == ["raw", "raw", "auto"]
    assert Errant(gold="gold").find_policy(typed) == "gold"


def test_texts_are_parsed_and_the_signature_says_so() -> None:
    bank = ParseBank(ToyAnalyser())
    found = errata.score(TEXTS, ["a x c d e", "a b"], Errant(parses=bank))
    assert found.counts == (1, 0, 0)
    assert "| gold auto by toy 1.0 | edits of the text by toy 1.0 |" in found.signature
    unchanged = errata.score(TEXTS, ["a b c d e", "a b"], Errant(gold="raw"))
    assert "| gold raw | no edits |" in unchanged.signature  # which needs no parser
    own = errata.score(TEXTS, System.of_edits("mine", [Sentence(own.tokens) for own in TEXTS]), Errant(gold="raw"))
    assert "| gold raw | edits of the system (M2) |" in own.signature
    flat = errata.score(TEXTS, ["a x c d e", "a b"], Errant(gold="raw", alignment="lev", merge="all-merge"))
    assert (flat.counts, "| gold raw | edits of the text |" in flat.signature) == ((1, 0, 0), True)


def test_own_edits_cannot_be_aligned_again() -> None:
    own = System.of_edits("mine", [sentence_of([(1, 2, "x", "R:NOUN")])])
    with pytest.raises(UsageError, match=r"errant\(alignment=lev\) cannot be combined with M2 of a system, whose edits are its own: mine"):
        errata.score(Corpus((sentence_of([]),)), own, "errant(alignment=lev)")


def test_own_edits_must_be_about_the_sentences_of_the_gold() -> None:
    own = System.of_edits("mine", [Sentence.of("a b", []), Sentence.of("a c", [])])
    with pytest.raises(MismatchError, match=r"mine: sentence 2: a system must edit the sentences of the gold: expected 'a b', found 'a c'"):
        errata.score(Corpus((Sentence.of("a b"), Sentence.of("a b"))), own, "maxmatch")
    whole = Corpus((Sentence.of("a b"), Sentence.of("a b")))
    assert errata.score(whole.subset([1]), own, "errant").counts == (0, 0, 0)


def test_a_system_has_one_annotator() -> None:
    with pytest.raises(
        errata.InputError, match="sentence 1: a system must have one annotator, found 2; the best of several edits would be"
    ):
        System.of_edits("mine", [sentence_of([], [])])
    first, second = (Sentence(("a",), (Annotation(name),)) for name in "01")
    with pytest.raises(errata.InputError, match="mine: sentence 3: a system must have one annotator in all sentences, found '1' after '0'"):
        System.of_edits("mine", [first, Sentence(("a",)), second])
    with pytest.raises(UsageError, match="a system with edits must have the source and the edits of every sentence"):
        System("mine", (("a",),), edits=((),))


def test_without_a_parser_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise RequestError("the analyser spacy needs spaCy: pip install 'errata[errant]'")

    monkeypatch.setattr("errata.language.parse_bank.find_analyser", refuse)
    advice = r"pip install 'errata\[errant\]'; no parser is needed if the system is M2 and the gold has ERRANT's types, or with gold=raw"
    for metric in (Errant(parses=ParseBank()), Errant(parses=ParseBank(), gold="raw")):
        with pytest.raises(RequestError, match=advice):
            errata.score(TEXTS, ["a x c d e", "a b"], metric)


def test_edits_are_shown_as_they_count() -> None:
    gold, own = [(1, 3, "x", "R:NOUN"), (4, 4, "y", "M:DET")], [(2, 3, "z", "R:VERB")]
    shown = [
        (edit.outcome, edit.start, edit.end, edit.original, edit.corrections, edit.type)
        for edit in score([gold], own, "errant(level=dt)").edits(1)
    ]
    assert shown == [
        ("missed", 1, 2, "b", ("x",), "R:NOUN"),
        ("right", 2, 3, "c", ("z",), "R:NOUN"),
        ("missed", 4, 4, "", ("y",), "M:DET"),
    ]


def test_a_scorer_can_be_sent() -> None:
    evaluate = Evaluator(TEXTS, Errant(parses=ParseBank(ToyAnalyser())))
    again = pickle.loads(pickle.dumps(evaluate))
    texts = ["a x c d e", "b"]
    assert again(texts).evidence == evaluate(texts).evidence


@pytest.mark.parametrize("text", ["errant(types=not:R:SPELL+M:DET)", "errant(level=dt,gold=text,choice=unrounded,repeated=once)"])
def test_notation(text: str) -> None:
    assert str(errata.metric(text)) == text
    assert errata.metric(errata.metric(text).signature) == errata.metric(text)
    for wrong in ("", "a b", "+", "not:", "M:DET+"):
        with pytest.raises(UsageError, match="setting types must be written such as"):
            Errant(types=wrong)


def test_annotations_of_nobody_else() -> None:
    """Names of annotators in a system do not matter."""
    own = Corpus((Sentence(("a", "b"), (Annotation("seven", (Edit(0, 1, ("c",), "R:NOUN"),)),)),))
    gold = Corpus((Sentence(("a", "b"), (Annotation("0", (Edit(0, 1, ("c",), "R:NOUN"),)),)),))
    assert errata.score(gold, System.of_edits("mine", own), "errant").counts == (1, 0, 0)


def test_warnings_about_gold() -> None:
    several = Corpus((Sentence.of("a b", [Edit(0, 1, ("c", "d"), "R:NOUN"), Edit(1, 2, ("",), "U:NOUN", written="-NONE-")]),))
    assert Errant().gold_warnings(several) == [
        "1 gold edit with alternatives, which ERRANT takes for one text; gold=text takes the first",
        "1 gold edit with -NONE-, which ERRANT takes for a word; gold=text takes it for a deletion",
    ]
    assert Errant(gold="text").gold_warnings(several) == []
    nucle = Corpus((Sentence.of("a b", [Edit(0, 1, ("c",), "Nn")]),))
    unchanged = "the types of gold are not ERRANT's, and gold=raw does not change them"
    advice = "gold=gold or gold=auto types the edits anew"
    assert Errant(gold="raw", level="cse").gold_warnings(nucle) == [
        f"{unchanged}, so no type can match ERRANT's: cse counts nothing as right; {advice}"
    ]
    mixed = Corpus((Sentence.of("a b", [Edit(0, 1, ("c",), "Nn"), Edit(1, 2, ("d",), "R:NOUN")]),))
    some = unchanged.replace("the types", "some types", 1)
    assert Errant(gold="raw", level="cse").gold_warnings(mixed) == [f"{some}, so these edits never match ERRANT's; {advice}"]
    assert Errant(gold="raw", types="Nn").gold_warnings(nucle) == [f"{unchanged}; {advice}"]
    assert Errant(gold="raw").gold_warnings(nucle) == []


def test_too_many_tokens_of_edits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.metrics.errant._MOST_TOKENS_OF_EDITS", 7)
    gold = [(0, 5, "x", "R:NOUN"), (0, 2, "y", "R:NOUN")]
    assert score([gold], gold, "errant(level=dt)").counts == (7, 0, 0)
    for sides in ([[*gold, (1, 2, "z", "R:NOUN")]], gold), ([gold], [*gold, (1, 2, "z", "R:NOUN")]):
        with pytest.raises(RequestError, match=r"errant\(level=dt\): the edits of gold or system have 8 tokens, more than 7; use level=ds"):
            score(*sides, "errant(level=dt)")


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Statistics, types and single sentences, as for other metrics."""
    files = ["examples/errant/gold.m2", "examples/errant/eager.m2", "examples/errant/cautious.m2"]

    def run(*arguments: str) -> str:
        assert main(list(arguments)) == 0
        return capsys.readouterr().out

    for choice in ("official", "unrounded", "optimal", "sentence"):
        metric = f"errant(choice={choice})"
        assert "[" in run("score", *files, "-m", metric, "--confidence", "--rechoose", "--replicates", "100")
    assert "cautious" in run("compare", *files, "-m", "errant", "--rechoose", "--replicates", "100")
    detailed = {
        detail: [
            row["type"]
            for row in json.loads(run("score", *files[:2], "-m", "errant", "--by-type", "--type-detail", detail, "--format", "json"))[
                "scores"
            ][0]["types"]
        ]
        for detail in ("operation", "category", "full")
    }
    assert detailed["operation"] == ["M", "R", "U", "all"]
    assert {"DET", "VERB:SVA", "SPELL"} < set(detailed["category"])
    assert {"M:DET", "R:VERB:SVA", "R:SPELL"} < set(detailed["full"])
    other = json.loads(run("score", *files[:2], "--by-type", "--type-detail", "operation", "--tagger", "none", "--format", "json"))
    assert {row["type"] for row in other["scores"][0]["types"]} == {"M", "R", "U", "all"}
    assert run("score", *files[:2], "-m", "errant", "--per-sentence", "--format", "csv").startswith(
        "system,metric,sentence,annotator,tp,fp,fn,"
    )
    assert main(["score", *files[:2], "--type-detail", "full"]) == 2
    assert "--type-detail needs --by-type" in capsys.readouterr().err


def test_types_of_a_prepared_gold_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    use_toy_words(monkeypatch)
    monkeypatch.setattr("errata.language.parse_bank.find_analyser", lambda _: ToyAnalyser())
    files = ["examples/errant/gold.m2", "examples/errant/eager.m2"]
    for metric, types in (
        ("errant", "types of the system\n"),
        ("errant(gold=raw)", "types of the system\n"),
        ("errant(gold=gold)", "types of the system, gold by toy 1.0, word list toy\n"),
    ):
        analyser = [] if types.endswith("system\n") else ["--analyser", "toy"]
        assert main(["score", *files, "-m", metric, "--by-type", *analyser]) == 0
        assert f" | {types}" in capsys.readouterr().out


def test_the_column_of_types_is_as_wide_as_the_longest(capsys: pytest.CaptureFixture[str]) -> None:
    def show(number: str) -> list[str]:
        files = ["examples/errant/gold.m2", "examples/errant/eager.m2"]
        assert main(["inspect", *files, "-m", "errant", "--sentences", number, "--chosen"]) == 0
        return capsys.readouterr().out.splitlines()

    assert "    x   4-5   R:DET     a → the" in show("1")
    assert {"    +   1-2   R:NOUN:NUM mornings → morning", "    -   5-6   U:NOUN     bus → ∅"} <= set(show("5"))


def test_a_sentence_that_is_too_long_is_named_by_its_number_in_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by that of an annotation, nor of a sentence of a subset."""
    monkeypatch.setattr("errata.language.errant.merge_by_rules", partial(merge_by_rules, most_operations=5))
    new = " ".join(f"b{number}" * 2 for number in range(12))
    twice, once = Sentence.of("x y", [Edit(0, 1, ("z",))], [Edit(0, 1, ("q",))]), Sentence.of("a " * 10, [Edit(0, 10, (new,))])
    gold = Corpus((twice, twice, twice, once), path="gold.m2")
    message = r"^gold\.m2: sentence 4 cannot be aligned: 12 operations in a row"
    parses = ParseBank(ToyAnalyser())
    for corpus in (gold, gold.subset("1,4")):
        with pytest.raises(RequestError, match=message):
            Evaluator(corpus, Errant(gold="auto", parses=parses))
        outputs = [new if sentence is once else "x y" for sentence in corpus]
        with pytest.raises(RequestError, match=message):
            Evaluator(corpus, Errant(gold="raw", parses=parses))(outputs)
