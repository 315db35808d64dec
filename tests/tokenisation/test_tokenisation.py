"""Texts as models write them become the tokens of the gold."""

from __future__ import annotations

import pickle
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import errata
from errata import Corpus, Edit, Evaluator, FormatError, InputError, Sentence, System, UsageError
from errata.cli import main
from errata.corpus import TOKENISERS, find_tokeniser, tokenise_system
from errata.corpus.tokenisation import _write_text

NAMES = ["source:conll", "source:ptb", "source:whitespace", "ptb", "whitespace"]
PIECES = st.sampled_from(
    ["a", "word", "cannot", "n't", "'s", "'", '"', "``", ".", "..", "...", ",", "(", "-", "--", "é", "3,000", "U.S.", " ", "  "]
)
TEXTS = st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=12).map("".join))


@settings(max_examples=40)
@given(TEXTS, st.lists(TEXTS, max_size=8))
@example("a'''b", [])
@example("\x85.\u3000a\x1cb.", ["a.b"])
def test_nothing_is_dropped_and_nothing_is_invented(text: str, pieces: list[str]) -> None:
    source = tuple(token for piece in pieces for token in piece.split())
    for name in NAMES:
        tokens = TOKENISE[name](text, source)
        assert "".join(tokens) == "".join(text.split()), name
        assert all(tokens), name


TOKENISE = {name: find_tokeniser(name) for name in NAMES}
SOURCE = "I does n't knows the U.S. very well , e.g. it 's `` big '' ( 50 states ) and,so on etc ."


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('I don\'t know, "really".', 'I do n\'t know , " really " .'),
        ("I doesn't knows the U.S. very well, e.g. it's ``big'' (50 states) and,so on etc.", SOURCE),
        ("It's good. He left (yes). etc.", "It 's good . He left ( yes ) . etc ."),
        ("3,000 of 1.5%, at 10:30!", "3,000 of 1.5 % , at 10:30 !"),
        ("a well-known and/or e-mail...", "a well-known and/or e-mail ..."),
        ("Mr. Lee left. She stayed.", "Mr. Lee left . She stayed ."),
        ("the students' books", "the students ' books"),
    ],
)
def test_the_source_is_projected(text: str, tokens: str) -> None:
    assert " ".join(find_tokeniser("source:ptb")(text, tuple(SOURCE.split()))) == tokens


def test_words_that_a_system_joins_or_splits_stay_so() -> None:
    project = find_tokeniser("source:conll")
    source = Sentence.of("They did it them selves , a lot , well - known , and can not alot .").tokens
    text = "They did it themselves, alot, well-known, and cannot a lot."
    assert " ".join(project(text, source)) == "They did it themselves , alot , well-known , and can not a lot ."


def test_glued_words_of_the_source_stay_glued_where_they_are_not_changed() -> None:
    project, source = find_tokeniser("source:ptb"), ("this,they", "are", "'old", "dogs'", ".", "Yes.", "So", "it", "is", ".")
    assert project("this,they are 'old dogs'. Yes. So it is.", source) == source
    assert project("these,they are some'old dogs'. Yes. So it is.", source)[:5] == ("these", ",", "they", "are", "some")


def test_the_gold_says_what_it_does_not_split() -> None:
    gold = [Sentence.of("You can not go to Approxx. Street .", [Edit(1, 3, ("cannot",))]), Sentence.of("It cannot be so .")]
    assert find_tokeniser("source:ptb", gold)("We cannot see Approxx. No.", ("We", "see")) == ("We", "cannot", "see", "Approxx.", "No", ".")
    assert find_tokeniser("source:ptb")("We cannot see.", ("We", "see")) == ("We", "can", "not", "see", ".")


@pytest.mark.parametrize(
    ("sentences", "rule"),
    [
        (["I did n't go , and he did ."], "ptb"),
        (["A,b is n't c .", "It is."], "conll"),
        (["Untokenised, as it is.", "All of it, too."], "whitespace"),
        ([], "ptb"),
    ],
)
def test_the_rule_is_that_of_the_gold(sentences: list[str], rule: str) -> None:
    assert find_tokeniser("source", [Sentence.of(text) for text in sentences]).name == f"source:{rule}"


def test_empty_tokens_are_no_words() -> None:
    gold = [Sentence.of(["", "It", "", "is", "."]), Sentence.of([""]), Sentence.of("")]
    for name in NAMES:
        tokenise = find_tokeniser(name, gold)
        assert [tokenise("", sentence.tokens) for sentence in gold] == [()] * 3
        assert tokenise("It is", gold[0].tokens) == ("It", "is")
    assert find_tokeniser("source", gold)("It is.", gold[0].tokens) == ("It", "is", ".")


def test_a_subset_follows_the_rule_of_the_whole() -> None:
    whole = Corpus(tuple(Sentence.of(text) for text in ("A,b is c .", "D,e is f .", "It is .")))
    assert find_tokeniser("source", whole.subset([3])).name == find_tokeniser("source", whole).name == "source:conll"


@pytest.mark.skipif(not find_spec("spacy"), reason="needs spaCy")
def test_a_gold_with_split_hyphens_follows_spacy() -> None:
    gold = [Sentence.of("A well - known face - to - face talk .")]
    tokenise = find_tokeniser("source", [*gold, Sentence.of("It 's up - to - date .")])
    assert tokenise.name.startswith("source:spacy 3")
    assert tokenise("A well-known state-of-the-art talk.", gold[0].tokens)[5:9] == ("-", "of", "-", "the")
    for text in ("a'''b", "\x85.\u3000a\x1cb.", "don't/can't...", "\u200b 10km :) a\xa0b"):
        assert "".join(tokenise(text, ())) == "".join(find_tokeniser("spacy")(text, ())) == "".join(text.split())


def test_the_example_corpus_comes_back_from_its_text(gold: Corpus) -> None:
    texts = [_write_text(sentence.tokens) for sentence in gold]
    assert sum(text != sentence.text for text, sentence in zip(texts, gold, strict=True)) == 70
    score = errata.score(gold, texts, tokenise="source")
    assert score.system.sentences == tuple(sentence.tokens for sentence in gold)
    assert " | tokenised by source:ptb | gold learner.m2" in score.signature


def test_a_tokenised_output_stays_as_it_is(gold: Corpus, systems: dict[str, System]) -> None:
    tokenise = find_tokeniser("source", gold)
    for system in systems.values():
        assert tokenise_system(system, gold, tokenise).sentences == system.sentences


def test_signatures_of_today_do_not_change(gold: Corpus, systems: dict[str, System]) -> None:
    assert "tokenised" not in errata.score(gold, systems["eager"]).signature


def test_an_evaluator_with_a_tokeniser_can_be_pickled(gold: Corpus) -> None:
    evaluate = Evaluator(gold, tokenise="source")
    texts = [_write_text(sentence.tokens) for sentence in gold]
    assert pickle.loads(pickle.dumps(evaluate))(texts).signature == evaluate(texts).signature


def test_edits_of_a_system_are_in_the_tokens_of_the_gold(gold: Corpus) -> None:
    system = System.of_edits("own", [Sentence(sentence.tokens, sentence.annotations[:1]) for sentence in gold])
    assert tokenise_system(system, gold, find_tokeniser("ptb")) is system


def test_bad_requests_are_explained(gold: Corpus, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError,
        match="there is no tokeniser 'sorce'; choose from source, ptb, spacy, characters, whitespace, source:RULE; did you mean source",
    ):
        find_tokeniser("sorce")
    with pytest.raises(UsageError, match="there is no tokeniser 3; choose from"):
        Evaluator(gold, tokenise=3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the tokeniser ptb needs the gold"):
        errata.read_system("examples/systems/eager.txt", tokenise="ptb")
    with pytest.raises(UsageError, match=r"cannot be combined with source texts \(--source\)"):
        errata.read_system("examples/hoo/texts", gold=gold, source="examples/hoo/source", tokenise="ptb")
    tokenised = tokenise_system(System.of("mine", [sentence.text for sentence in gold]), gold, find_tokeniser("ptb"))
    with pytest.raises(UsageError, match="mine is tokenised by ptb already, so not by source:ptb"):
        errata.score(gold, tokenised, tokenise="source:ptb")
    lines = ["x"] * len(gold)
    lines[4] = "(" * 50
    (tmp_path / "long.txt").write_text("\n".join(lines) + "\n")
    with pytest.raises(FormatError, match=r"long.txt:5: 50 tokens in a line by ptb, more than the limit of 40"):
        errata.read_system(tmp_path / "long.txt", gold=gold, tokenise="ptb", max_tokens=40)
    with pytest.raises(InputError, match="mine: sentence 5: 50 tokens"):
        tokenise_system(System.of("mine", lines), gold, find_tokeniser("ptb"), 40)
    assert TOKENISERS == ("source", "ptb", "spacy", "characters", "whitespace")


def test_without_spacy_its_tokeniser_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from errata.corpus import tokenisation

    tokenisation._load_spacy_rules.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    with pytest.raises(errata.RequestError, match=r"needs spaCy: pip install 'errata\[spacy\]'"):
        find_tokeniser("spacy")
    tokenisation._load_spacy_rules.cache_clear()


@pytest.fixture
def raw(systems: dict[str, System], tmp_path: Path) -> Path:
    path = tmp_path / "raw.txt"
    path.write_text("".join(f"{_write_text(tokens)}\n" for tokens in systems["eager"].sentences))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["score"],
        ["compare", "--test", "t", "examples/systems/cautious.txt"],
        ["inspect", "--sentences", "3", "--format", "json"],
        ["correlate", "-m", "maxmatch", "-m", "gleu", "examples/systems/cautious.txt", "examples/systems/rewriter.txt"],
        ["detect"],
        ["conservatism"],
    ],
)
def test_commands_tokenise_and_say_so(command: list[str], raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, *options = command
    assert main([name, "examples/learner.m2", f"eager={raw}", *options, "--tokenise", "source:ptb"]) == 0
    out, err = capsys.readouterr()
    assert "tokenised by source:ptb" in out.replace("\n", " ")
    assert not err


def test_a_raw_output_scores_as_the_tokenised_one(raw: Path, gold: Corpus, systems: dict[str, System]) -> None:
    tokenised = errata.read_system(raw, gold=gold, tokenise="source")
    assert errata.score(gold, tokenised).value == pytest.approx(errata.score(gold, systems["eager"]).value, abs=0.001)


def test_evidence_remembers_how_outputs_were_tokenised(raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "counts")
    assert main(["evidence", "examples/learner.m2", f"eager={raw}", "--tokenise", "source", "-o", folder]) == 0
    assert main(["score", folder]) == 0
    assert "| tokenised by source:ptb |" in capsys.readouterr().out.replace("\n", " ")
    assert main(["score", folder, "--tokenise", "source"]) == 2
    assert "--tokenise cannot be combined with evidence, which has no texts" in capsys.readouterr().err
