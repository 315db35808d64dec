"""Parses are found in files or made, each once; what a bank asks an analyser for."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from errata.corpus.parses import Parse
from errata.corpus.texts import Tokens
from errata.errors import MismatchError, RequestError, UsageError
from errata.formats.parses import read_parses, write_parses
from errata.language import parse_bank as bank_module
from errata.language.parse_bank import ParseBank, default_bank

CATS: Tokens = ("Cats", "sleep", ".")
HE: Tokens = ("He", "sings")
LONG: Tokens = ("A", "dog", "barks", "loudly", ".")


def chain(tokens: Tokens, tag: str = "NN") -> Parse:
    """A parse in which each token depends on the one before."""
    size = len(tokens)
    heads = tuple(max(index - 1, 0) for index in range(size))
    return Parse(tokens, tuple(map(str.lower, tokens)), ("NOUN",) * size, (tag,) * size, heads, ("dep",) * size)


class Counting:
    """An analyser that remembers what it was asked for."""

    def __init__(self, name: str = "counting 1.0", tag: str = "NN") -> None:
        self.name, self.tag = name, tag
        self.calls: list[list[Tokens]] = []

    def analyse(self, sentences: Sequence[Tokens]) -> Iterator[Parse]:
        self.calls.append(list(sentences))
        for tokens in sentences:
            yield chain(tokens, self.tag)


def test_each_distinct_sentence_is_parsed_once_in_one_call() -> None:
    analyser = Counting()
    bank = ParseBank(analyser)
    assert bank.find([LONG, CATS, LONG, HE, CATS]) == [chain(LONG), chain(CATS), chain(LONG), chain(HE), chain(CATS)]
    assert analyser.calls == [[HE, CATS, LONG]]  # shortest first, as parsers like it
    assert bank.find([CATS, HE]) == [chain(CATS), chain(HE)]
    bank.find([HE, ("More",)])
    assert analyser.calls[1:] == [[("More",)]]


def test_a_sentence_without_tokens_needs_no_analyser() -> None:
    analyser = Counting()
    assert ParseBank(analyser).find([()]) == [Parse((), (), (), (), (), ())]
    assert ParseBank().find([()]) == [Parse((), (), (), (), (), ())]
    assert analyser.calls == []


def test_strings_are_split() -> None:
    assert ParseBank(Counting()).find(["He  sings"])[0].forms == HE  # type: ignore[list-item]


def test_threads_share_what_is_parsed() -> None:
    analyser = Counting()
    bank = ParseBank(analyser)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: bank.find([CATS, HE]), range(32)))
    assert all(parses == [chain(CATS), chain(HE)] for parses in found)
    assert analyser.calls == [[HE, CATS]]


def test_files_are_asked_first(tmp_path: Path) -> None:
    write_parses(tmp_path / "own.conllu", "counting 1.0", [chain(CATS), chain(LONG)])
    analyser = Counting()
    bank = ParseBank(analyser, [tmp_path / "own.conllu"])
    assert bank.find([CATS, HE, LONG]) == [chain(CATS), chain(HE), chain(LONG)]
    assert analyser.calls == [[HE]]


def test_a_kept_file_is_made_and_extended(tmp_path: Path) -> None:
    path = tmp_path / "kept.conllu.gz"
    bank = ParseBank(Counting(), keep=path)
    bank.find([CATS])
    assert not path.exists()
    assert bank.save() == 1
    assert bank.save() == 0
    bank.find([HE, CATS])
    assert bank.save() == 1
    assert [parse.forms for parse in read_parses(path)] == [CATS, HE]

    analyser = Counting()
    again = ParseBank(analyser, keep=path)
    again.find([CATS, LONG, HE])
    assert analyser.calls == [[LONG]]
    assert again.save() == 1
    assert list(read_parses(path)) == [chain(CATS), chain(HE), chain(LONG)]


def test_a_file_whose_sentences_suffice_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kept.conllu"
    write_parses(path, "counting 1.0", [chain(CATS)])
    path.chmod(0o444)
    before = path.stat().st_mtime_ns
    bank = ParseBank(keep=path)
    assert bank.find([CATS]) == [chain(CATS)]
    assert bank.save() == 0
    assert path.stat().st_mtime_ns == before


def test_an_empty_file_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "made-by-mktemp"
    path.touch()
    bank = ParseBank(Counting(), keep=path)
    bank.find([HE])
    bank.save()
    assert list(read_parses(path)) == [chain(HE)]


def test_the_name_comes_from_the_file_and_nothing_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        pytest.fail(f"{text} was loaded")

    monkeypatch.setattr(bank_module, "find_analyser", refuse)
    write_parses(tmp_path / "own.conllu", "stanza 1.9 en", [chain(CATS)])
    bank = ParseBank(files=[tmp_path / "own.conllu"])
    assert bank.find([CATS, ()]) == [chain(CATS), chain(())]
    assert bank.name == "stanza 1.9 en"


def test_a_file_of_another_analyser_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.conllu"
    write_parses(path, "counting 0.9", [chain(CATS)])
    with pytest.raises(MismatchError, match=r"own.conllu has parses of counting 0.9, which cannot be combined with those of counting 1.0"):
        ParseBank(Counting(), keep=path)


def test_sentences_that_a_file_lacks_need_its_analyser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.conllu"
    write_parses(path, "counting 0.9", [chain(CATS)])
    monkeypatch.setattr(bank_module, "find_analyser", lambda _: Counting())
    bank = ParseBank(keep=path)
    assert bank.name == "counting 0.9"
    with pytest.raises(
        MismatchError, match=r"own.conllu: no parse of 1 sentence, such as 'He sings', and counting 1.0 cannot add parses to"
    ):
        bank.find([CATS, HE])

    def refuse(_: str) -> None:
        raise RequestError("the analyser spacy needs spaCy: pip install 'errata[errant]'")

    monkeypatch.setattr(bank_module, "find_analyser", refuse)
    with pytest.raises(RequestError, match=r"no parse of 2 sentences, such as 'He sings'; the analyser spacy needs spaCy: pip install"):
        ParseBank(keep=path).find([HE, LONG])
    monkeypatch.setattr(bank_module, "find_analyser", lambda _: Counting("counting 0.9"))
    assert ParseBank(keep=path).find([CATS, HE]) == [chain(CATS), chain(HE)]


def test_default_bank_is_one() -> None:
    assert default_bank() is default_bank()


def test_progress_counts_sentences() -> None:
    steps: list[int] = []

    class Bar:
        def advance(self, count: int) -> None:
            steps.append(count)

    @contextmanager
    def show(total: int) -> Iterator[Bar]:
        steps.append(-total)
        yield Bar()

    bank = ParseBank(Counting())
    bank.progress = show
    bank.find([CATS, HE, CATS])
    bank.find([CATS])
    assert steps == [-2, 1, 1]


def test_equal_banks_have_the_same_analyser_and_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one.conllu", tmp_path / "other.conllu"
    write_parses(one, "counting 1.0", [chain(CATS)])
    write_parses(other, "counting 1.0", [chain(CATS)])
    assert ParseBank(files=[one]) == ParseBank(files=[other])
    assert hash(ParseBank(files=[one])) == hash(ParseBank(files=[other]))
    assert ParseBank() == ParseBank()
    assert ParseBank() != ParseBank(files=[one])
    assert ParseBank(Counting()) == ParseBank(Counting())
    assert ParseBank(Counting()) != ParseBank(Counting("counting 1.1"))
    assert ParseBank() != "a bank"


def test_a_bank_can_be_pickled() -> None:
    bank = ParseBank(Counting())
    bank.find([CATS])
    bank.progress = lambda _: pytest.fail("not pickled")
    again = pickle.loads(pickle.dumps(bank))
    assert again == bank
    assert again.find([CATS]) == [chain(CATS)]
    assert again.find([HE]) == [chain(HE)]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank_module, "_MOST_REMEMBERED", 5)
    analyser = Counting()
    bank = ParseBank(analyser)
    bank.find([CATS, HE])
    bank.find([CATS])
    bank.find([("One",)])  # HE was used first
    bank.find([CATS, ("One",)])
    assert len(analyser.calls) == 2
    bank.find([HE])
    assert len(analyser.calls) == 3
    assert bank.find([LONG, CATS, HE]) == [chain(LONG), chain(CATS), chain(HE)]  # more than it remembers


def test_what_is_kept_is_parsed_once_although_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank_module, "_MOST_REMEMBERED", 2)
    analyser = Counting()
    bank = ParseBank(analyser, keep=tmp_path / "kept.conllu")
    for _ in range(2):
        assert bank.find([CATS, LONG]) == [chain(CATS), chain(LONG)]
    assert len(analyser.calls) == 1
    assert bank.save() == 2


def test_files_must_agree(tmp_path: Path) -> None:
    for name, analyser, tag in (("a", "counting 1.0", "NN"), ("b", "counting 1.0", "VB"), ("c", "other 1.0", "NN")):
        write_parses(tmp_path / f"{name}.conllu", analyser, [chain(HE), chain(CATS, tag)])
    a, b, c = (str(tmp_path / f"{name}.conllu") for name in "abc")
    with pytest.raises(MismatchError, match=r"b.conllu:7: another parse of 'Cats sleep .' than in .*a.conllu"):
        ParseBank(files=[a, b])
    with pytest.raises(MismatchError, match=r"a.conllu has parses of counting 1.0, .*c.conllu of other 1.0; expected one analyser"):
        ParseBank(files=[a, c])
    assert ParseBank(files=[a, a]).find([HE]) == [chain(HE)]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="files of parses must be a list, found a string"):
        ParseBank(files="parses.conllu")
    with pytest.raises(UsageError, match="parses cannot be kept in standard input"):
        ParseBank(keep="-")
    with pytest.raises(UsageError, match="unknown analyser 'magic'; choose from spacy"):
        ParseBank("magic")


def test_tokens_with_white_space_cannot_be_kept(tmp_path: Path) -> None:
    odd: Tokens = ("New York",)
    assert ParseBank(Counting()).find([odd, ("New", "York")]) == [chain(odd), chain(("New", "York"))]
    with pytest.raises(RequestError, match="a file of parses cannot have tokens that are empty or have white space"):
        ParseBank(Counting(), keep=tmp_path / "kept").find([odd])


class Broken:
    name = "broken 1.0"

    def __init__(self, *parses: object) -> None:
        self.parses = parses

    def analyse(self, _: Sequence[Tokens]) -> Iterator[Parse]:
        for parse in self.parses:
            if isinstance(parse, BaseException):
                raise parse
            yield parse  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ((chain(HE),), MismatchError, "the analyser broken 1.0 gave 1 parse for 2 sentences"),
        ((chain(HE), chain(CATS), chain(HE)), MismatchError, "the analyser broken 1.0 gave more parses than the 2 sentences it was given"),
        ((chain(CATS), chain(HE)), MismatchError, "must keep the tokens: expected 'He sings', found 'Cats sleep .'"),
        ((("He", "sings"),), RequestError, "the analyser broken 1.0 must give parses, found tuple"),
        ((chain(HE, ""),), RequestError, "the analyser broken 1.0 gave no tags to the token 'He' of 'He sings'"),
        ((ValueError("no"),), RequestError, "the analyser broken 1.0 failed: ValueError: no"),
    ],
)
def test_what_an_analyser_gives_is_checked(given: tuple[object, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ParseBank(Broken(*given)).find([CATS, HE])
