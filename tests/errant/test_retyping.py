"""Gold typed anew: the files of errant_m2, without its defects."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from errata import Annotation, Corpus, Edit, RequestError, Sentence, read, read_system, score
from errata.cli import main
from errata.corpus.parses import Parse
from errata.corpus.texts import Tokens
from errata.formats.m2 import format_m2
from errata.language.errant import Extractor, PairError, list_retyping_losses, retype_corpus, type_gold
from errata.language.parse_bank import ParseBank
from errata.metrics.errant import Errant
from errata.scoring.by_type import count_types

from errant_recordings import known_words, recorded_parses, run_errant
from toy_analyser import ToyAnalyser, use_toy_words

GOLD = """\
S This cat sit here .
A 2 3|||SVA|||sits|||REQUIRED|||-NONE-|||2
A 3 4|||Um||||||REQUIRED|||unclear|||3
A 0 2|||X|||That cat|||REQUIRED|||-NONE-|||10
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||4

S Nothing here .

S Only noop here .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||X|||Just|||REQUIRED|||-NONE-|||0
A 0 1|||X|||Only|||REQUIRED|||-NONE-|||1
A 1 2|||X|||cat|||REQUIRED|||-NONE-|||2

S The last block
A 0 1|||D|||A|||REQUIRED|||-NONE-|||0
"""


class ToyParses:
    """Every word is a noun."""

    def find(self, sentences: list[Tokens]) -> list[Parse]:
        return list(ToyAnalyser().analyse(sentences))


def make_extractor() -> Extractor:
    return Extractor(ToyParses(), words=frozenset(["This", "That", "sit", "sits", "noop", "cat", "The", "A"]))  # type: ignore[arg-type]


def gold_of(tmp_path: Path, text: str = GOLD) -> Corpus:
    (tmp_path / "gold.m2").write_text(text)
    return read(tmp_path / "gold.m2")


def lines_of(corpus: Corpus) -> list[str]:
    return [line for line in format_m2(corpus) if line.startswith("A ")]


def test_edits_are_extracted_anew(tmp_path: Path) -> None:
    """Annotators are sorted as texts; one whose edits change nothing has no line, and Um stays as UNK."""
    converted = retype_corpus(gold_of(tmp_path), "auto", make_extractor())
    assert [len(sentence.annotations) for sentence in converted] == [4, 0, 2, 1]
    assert lines_of(converted) == [
        "A 0 1|||R:NOUN|||That|||REQUIRED|||-NONE-|||10",
        "A 2 3|||R:MORPH|||sits|||REQUIRED|||-NONE-|||2",
        "A 3 4|||UNK||||||REQUIRED|||-NONE-|||3",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||4",
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0",
        "A 1 2|||R:NOUN|||cat|||REQUIRED|||-NONE-|||2",
        "A 0 1|||R:NOUN|||A|||REQUIRED|||-NONE-|||0",
    ]


def test_an_annotator_who_changes_nothing_is_no_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with the files of errant_m2 and errant_compare, which give 0 true positives, 0 false positives and 2 false negatives."""
    use_toy_words(monkeypatch)
    real = [Edit(1, 2, ("goes",), "SVA")]
    gold = Corpus((Sentence.of("He go home .", [Edit(0, 1, ("He",), "X")], real), Sentence.of("She go home .", real)))
    metric = Errant(parses=ParseBank(ToyAnalyser()))
    assert score(gold, [sentence.text for sentence in gold], metric).counts == (0, 0, 2)


@pytest.mark.parametrize(("keep", "line"), [(False, "A 0 1|||R:NOUN|||That|||"), (True, "A 0 2|||R:NOUN|||That cat|||")])
def test_edits_are_typed_anew(tmp_path: Path, keep: bool, line: str) -> None:  # noqa: FBT001
    converted = retype_corpus(gold_of(tmp_path), "gold", make_extractor(), keep_spans=keep)
    assert lines_of(converted)[0].startswith(line)
    assert [item.annotator for item in converted[2].annotations] == ["0", "1", "2"]
    assert converted[2].annotations[1].edits[0].type == "UNK", "an edit that changes nothing stays"


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    gold = gold_of(tmp_path, GOLD.replace("|||sits|||REQUIRED", "|||sits||sat|||OPTIONAL"))
    assert list_retyping_losses(gold) == [
        "alternative corrections are left out (the first is used): 1",
        "edits lose their status or comment: 2",
        "edits after a noop of their annotator are left out: 1",
    ]
    assert list_retyping_losses(Corpus((Sentence.of("a", [Edit(0, 1, ("b",))]),))) == []
    deletion = gold_of(tmp_path, "S a b c\nA 0 1|||X|||-NONE-|||REQUIRED|||-NONE-|||0\n")
    assert lines_of(retype_corpus(deletion, "auto", make_extractor())) == ["A 0 1|||U:NOUN||||||REQUIRED|||-NONE-|||0"]


def test_an_error_names_the_sentence() -> None:
    class Refusing(Extractor):
        def types(self, pairs, spans):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            if bad := [index for index, (source, _) in enumerate(pairs) if "bad" in source]:
                raise PairError(bad[0], "cannot be aligned: too long")
            return super().types(pairs, spans)

    edits = [Edit(0, 1, ("x",))]
    gold = Corpus(tuple(Sentence.of(text, edits) for text in ("a", "b", "bad", "c")), path="gold.m2")
    refusing = Refusing(ToyParses(), words=frozenset())  # type: ignore[arg-type]
    for own in (gold, gold.subset([1, 3])):
        for policy in ("auto", "gold"):
            with pytest.raises(RequestError, match=r"^gold\.m2: sentence 3 cannot be aligned: too long$"):
                retype_corpus(own, policy, refusing)


def test_types_of_gold_change_nothing_else(gold: Corpus) -> None:
    typed = type_gold(gold, make_extractor())
    for before, after in zip(gold, typed, strict=True):
        assert [item.annotator for item in before.annotations] == [item.annotator for item in after.annotations]
        for one, other in zip(before.annotations, after.annotations, strict=True):
            assert [replace(edit, type="") for edit in one.edits] == [replace(edit, type="") for edit in other.edits]
            assert all(edit.type == "UNK" or edit.type[:2] in {"M:", "R:", "U:"} for edit in other.edits)
    unordered = Corpus((Sentence(("a", "b", "c"), (Annotation("0", (Edit(2, 3, ("",), "X"), Edit(0, 0, ("z",), "Y"))),)),))
    assert [edit.type[0] for edit in type_gold(unordered, make_extractor())[0].annotations[0].edits] == ["U", "M"]


def test_convert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    use_toy_words(monkeypatch)
    monkeypatch.setattr("errata.language.parse_bank.find_analyser", lambda _: ToyAnalyser())
    monkeypatch.chdir(tmp_path)
    gold_of(tmp_path)
    assert main(["convert", "gold.m2", "--retype", "auto", "--analyser", "toy", "-o", "out.m2"]) == 0
    assert "edits lose their status or comment: 1" in capfd.readouterr().err
    assert read(tmp_path / "out.m2")[3].annotations, "the last block, although it has no empty line after it"
    for options, message in (
        (["--keep-spans"], "--keep-spans needs --retype gold"),
        (["--retype", "auto", "--keep-spans"], "--keep-spans needs --retype gold"),
        (["--retype", "gold", "--merge", "all-split"], "--merge needs --retype auto"),
        (["--parses", "x"], "--parses needs --retype"),
    ):
        assert main(["convert", "gold.m2", *options, "--to", "m2"]) == 2
        assert message in capfd.readouterr().err


@pytest.mark.realdata
@pytest.mark.parametrize("policy", ["auto", "gold"])
def test_the_files_of_errant(data: Path, tmp_path: Path, policy: str) -> None:
    known_words()
    folder, out = data / "expected" / "errant", tmp_path / "out.m2"
    gold = str(data / "conll14" / "gold" / "official-2014.combined.m2")
    assert main(["convert", gold, "--retype", policy, "--parses", str(folder / "parses.tsv.gz"), "-o", str(out)]) == 0
    assert out.read_bytes() == gzip.decompress((folder / "m2" / f"gold.{policy}.m2.gz").read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-auto"], ["-gold"], ["-gold", "-no_min"]])
def test_the_command_itself(tmp_path: Path, options: list[str]) -> None:
    """Where errant is installed, its file and ours differ by the last block, which it loses."""
    gold_of(tmp_path)
    gold, theirs, ours = (tmp_path / name for name in ("gold.m2", "theirs.m2", "ours.m2"))
    run_errant("m2_to_m2", *options, str(gold), "-out", str(theirs))
    own = ["--retype", options[0][1:], *(["--keep-spans"] if len(options) > 1 else [])]
    assert main(["convert", str(gold), *own, "-o", str(ours)]) == 0
    lost = "S The last block\nA 0 1|||R:DET|||A|||REQUIRED|||-NONE-|||0\n\n"
    assert ours.read_text() == theirs.read_text() + lost


@pytest.mark.realdata
def test_scores_by_type_of_errant(data: Path) -> None:
    """The counts of MaxMatch stay, and every edit has a type of ERRANT."""
    gold = read(data / "conll14" / "gold" / "official-2014.combined.m2")
    system = read_system(data / "conll14" / "systems" / "AMU.txt")
    extractor = Extractor(recorded_parses(data), words=known_words())
    typed = type_gold(gold, extractor)
    for metric in ("maxmatch", "maxmatch(references=mix)"):
        assert score(typed, system, metric).counts == score(gold, system, metric).counts
    counts = {item.type: item for item in count_types(score(typed, system), system=extractor)}
    assert (counts["all"].matched, counts["all"].proposed, counts["all"].gold) == (509, 1223, 2378)
    assert "(no type)" not in counts
    single = [item for name, item in counts.items() if name != "all"]
    assert [sum(getattr(item, name) for item in single) for name in ("matched", "proposed", "gold")] == [509, 1223, 2378]
    assert (counts["R:NOUN:NUM"].matched, counts["R:NOUN:NUM"].proposed, counts["R:NOUN:NUM"].gold) == (119, 208, 203)
