"""Files of parses: what is written is read again, and what cannot be read is refused with file and line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.corpus.parses import Parse
from errata.errors import FormatError, InputError, MismatchError, RequestError
from errata.formats.lines import limit_input
from errata.formats.parses import SentenceLines, _parse_conllu, read_parses, write_parses
from errata.language.parse_bank import ParseBank

HE = Parse(("He", "sings", "."), ("he", "sing", "."), ("PRON", "VERB", "PUNCT"), ("PRP", "VBZ", "."), (1, 1, 1), ("nsubj", "ROOT", "punct"))
UNDERSCORE = Parse(("_", "#"), ("_", "#"), ("PUNCT", "SYM"), ("NFP", "$"), (0, 0), ("ROOT", "dep"))
TWO_ROOTS = Parse(("Yes", "no"), ("yes", "no matter"), ("INTJ", "INTJ"), ("UH", "UH"), (0, 1), ("ROOT", "ROOT"))
SIX = "He\the\tPRON\tPRP\t1\tnsubj\nsings\tsing\tVERB\tVBZ\t1\tROOT\n.\t.\tPUNCT\t.\t1\tpunct\n"
CONLLU = """\
# sent_id = 1
# text = He sings.
1\tHe\the\tPRON\tPRP\tCase=Nom\t2\tnsubj\t_\t_
2\tsings\tsing\tVERB\tVBZ\t_\t0\tROOT\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""


def write(folder: Path, text: str, name: str = "parses.tsv") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


# Any text that Python's split leaves whole is a token; lemmas may have spaces.
TOKENS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6).filter(
    lambda text: text.split() == [text]
)
VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"), min_size=1, max_size=6)


@st.composite
def sentences(draw: st.DrawFn) -> Parse:
    forms = draw(st.lists(TOKENS, max_size=5))
    size = len(forms)
    columns = [tuple(draw(VALUES) for _ in range(size)) for _ in range(4)]
    heads = tuple(draw(st.integers(0, size - 1)) for _ in range(size))
    return Parse(tuple(forms), columns[0], columns[1], columns[2], heads, columns[3])


@given(st.lists(sentences(), max_size=4, unique_by=lambda parse: parse.forms), st.sampled_from(["own.conllu", "own.conllu.gz"]))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, parses: list[Parse], name: str) -> None:
    path = tmp_path_factory.mktemp("parses") / name
    write_parses(path, "odd 1.0", parses)
    file = read_parses(path)
    assert list(file) == [parse for parse in parses if parse.forms]
    assert [file.find(parse.forms) for parse in parses if parse.forms] == list(file)
    assert file.analyser == "odd 1.0"
    assert ParseBank(files=[path]).find([parse.forms for parse in parses if parse.forms]) == list(file)


@given(sentences().filter(lambda parse: parse.forms))
def test_both_readers_of_conllu_agree(parse: Parse) -> None:
    lines = SentenceLines(1, SentenceLines.format(parse))
    assert lines.parse_own("own") == _parse_conllu(lines, "own") == parse


@given(st.lists(sentences(), min_size=1, max_size=4, unique_by=lambda parse: parse.forms))
def test_six_columns_are_read(tmp_path_factory: pytest.TempPathFactory, parses: list[Parse]) -> None:
    def block(parse: Parse) -> str:
        rows = zip(parse.forms, parse.lemmas, parse.pos, parse.tags, map(str, parse.heads), parse.deps, strict=True)
        return "\n".join("\t".join(row) for row in rows) or "# empty"

    path = write(tmp_path_factory.mktemp("parses"), "\n\n".join(map(block, parses)) + "\n")
    file = read_parses(path)
    assert list(file) == parses
    assert [file.find(parse.forms) for parse in parses] == parses
    assert file.analyser is None


@pytest.mark.parametrize("parse", [HE, UNDERSCORE, TWO_ROOTS])
def test_odd_tokens_and_several_roots(parse: Parse, tmp_path: Path) -> None:
    write_parses(tmp_path / "own", "odd 1.0", [parse])
    assert list(read_parses(tmp_path / "own")) == [parse]


def test_long_sentences(tmp_path: Path) -> None:
    size = 3_000
    parse = Parse(("a",) * size, ("a",) * size, ("DET",) * size, ("DT",) * size, tuple(range(size - 1, -1, -1)), ("det",) * size)
    write_parses(tmp_path / "own", "odd 1.0", [parse])
    assert list(read_parses(tmp_path / "own")) == [parse]


@pytest.mark.parametrize(
    "change", [str, lambda text: text.replace("\n", "\r\n"), lambda text: f"\ufeff{text}", lambda text: f"\n\n{text}\n\n\n"]
)
@pytest.mark.parametrize("text", [SIX, CONLLU])
@pytest.mark.parametrize("name", ["parses", "parses.gz"])
def test_other_line_ends_and_blank_lines_do_not_matter(name: str, text: str, change: type[str], tmp_path: Path) -> None:
    assert list(read_parses(write(tmp_path, change(text), name))) == [HE]


def test_line_ends_may_change_in_files_with_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "own.conllu"
    write_parses(path, "odd 1.0", [HE])
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert list(read_parses(path)) == [HE]


def test_equal_content_has_the_same_name(tmp_path: Path) -> None:
    one, packed, more = write(tmp_path, SIX, "one"), write(tmp_path, SIX, "packed.gz"), write(tmp_path, SIX.replace("He", "She"), "more")
    assert ParseBank(files=[one]).name == ParseBank(files=[packed]).name
    assert ParseBank(files=[one]).name.startswith("parses ")
    assert len(ParseBank(files=[one]).name) == len("parses 12345678")
    assert ParseBank(files=[one]) == ParseBank(files=[packed])
    assert len({ParseBank(files=files).name for files in ([one], [more], [one, more])}) == 3
    assert ParseBank(files=[one, more]).name == ParseBank(files=[more, one]).name


def test_files_without_a_name_must_have_all_sentences(tmp_path: Path) -> None:
    path = write(tmp_path, SIX)
    with pytest.raises(
        MismatchError, match=r"parses.tsv: no parse of 1 sentence, such as 'She sings'; files that do not name their analyser must"
    ):
        ParseBank(keep=path).find([("She", "sings")])
    with pytest.raises(
        MismatchError, match=r"parses.tsv has parses of an analyser that it does not name, which cannot be combined with those of"
    ):
        ParseBank(Named(), keep=path)


class Named:
    name = "named 1.0"

    def analyse(self, _: object) -> list[Parse]:
        return []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "parses.tsv: the file is empty; expected parses"),
        ("\n\n", "parses.tsv: the file is empty; expected parses"),
        ("A line of text .\n", "parses.tsv:1: expected 10 columns of CoNLL-U or 6 columns (form, lemma,"),
        (
            SIX.replace("\tVBZ", ""),
            "parses.tsv:2: expected 6 columns separated by tabs (form, lemma, part of speech, tag, head and dependency), found 5",
        ),
        (SIX.replace("\tVBZ", "").replace("\tPRP", "\tPRP\tmore"), "parses.tsv:1: expected 10 columns of CoNLL-U or 6"),
        (f"{SIX}\n{SIX.replace('sings', 'hums')}A cat\n", "parses.tsv:8: expected 6 columns separated by tabs"),
        (SIX.replace("VBZ\t1", "VBZ\t3"), "parses.tsv:2: the head of token 2 must be one of the 3 tokens"),
        (SIX.replace("VBZ\t1", "VBZ\t-1"), "parses.tsv:2: the head of token 2 must be one of the 3 tokens"),
        (SIX.replace("VBZ\t1", "VBZ\t01"), "parses.tsv:2: the head of token 2 must be one of the 3 tokens"),
        (SIX.replace("VBZ\t1", "VBZ\t"), "parses.tsv:2: the head of token 2 must be one of the 3 tokens"),
        (SIX.replace("VBZ\t1", f"VBZ\t{'9' * 5000}"), "parses.tsv:2: the head of token 2 must be one of the 3 tokens"),
        (SIX.replace("VERB", ""), "parses.tsv:2: expected a part of speech, found nothing"),
        (SIX.replace("\tsing\t", "\t\t"), "parses.tsv:2: expected a lemma, found nothing"),
        (SIX.replace("sings", "sings on"), "parses.tsv:2: a token must have text without white space, found 'sings on'"),
        (SIX.replace("sings", ""), "parses.tsv:2: a token must have text without white space, found ''"),
        (f"{SIX}\n{SIX.replace('VBZ', 'NNS')}", "parses.tsv:5: another parse of 'He sings .' than in line 1"),
        (CONLLU.replace("\tVBZ", ""), "parses.tsv:4: expected 10 columns of CoNLL-U separated by tabs, found 9"),
        (
            CONLLU.replace("2\tsings", "1-2\tsings"),
            "parses.tsv:4: expected the token 2, found '1-2'; the rules of ERRANT need whole tokens",
        ),
        (CONLLU.replace("2\tsings", "7\tsings"), "parses.tsv:4: expected the token 2, found '7'"),
        (CONLLU.replace("\t2\tpunct", "\t3\tpunct"), "parses.tsv:5: the head of token 3 is the token itself; expected 0 for a root"),
        (CONLLU.replace("\t2\tpunct", "\t4\tpunct"), "parses.tsv:5: the head of token 3 must be one of the 3 tokens"),
        (CONLLU.replace("\t2\tpunct", "\t_\tpunct"), "parses.tsv:5: the head of token 3 must be one of the 3 tokens"),
        ("# analyser = odd 1.0\n1\tHe\n", "parses.tsv:2: expected # sha256 = and a hash of all other lines, found '1\\tHe'"),
        ("# analyser = odd 1.0\n", "parses.tsv:2: expected # sha256 = and a hash of all other lines, found ''"),
        ("He\0\n", "parses.tsv:1: a NUL byte at byte 3 of the line; expected text"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text)
    with pytest.raises(FormatError) as raised:
        list(read_parses("parses.tsv"))
    assert str(raised.value).startswith(message)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "parses").write_bytes(SIX.encode() + b"\xff\n")
    with pytest.raises(FormatError, match=r"parses:4: not UTF-8: byte 0xff at byte 1 of the line"):
        read_parses(tmp_path / "parses")
    (tmp_path / "parses.gz").write_bytes(gzip.compress(SIX.encode())[:-9])
    with pytest.raises(InputError, match="cannot be read"):
        read_parses(tmp_path / "parses.gz")
    with pytest.raises(InputError, match="there is no such file"):
        read_parses(tmp_path / "nowhere")


def test_a_sentence_may_be_repeated_but_not_contradicted(tmp_path: Path) -> None:
    assert list(read_parses(write(tmp_path, f"{SIX}\n{SIX}"))) == [HE]
    other = CONLLU.replace("Case=Nom", "_").replace("# sent_id = 1\n", "")
    assert list(read_parses(write(tmp_path, f"{CONLLU}\n{other}"))) == [HE]  # what is not used may differ
    with pytest.raises(FormatError, match=r"parses.tsv:7: another parse of 'He sings .' than in line 1"):
        read_parses(write(tmp_path, f"{CONLLU}\n{CONLLU.replace('VBZ', 'NNS')}"))
    write_parses(tmp_path / "own", "odd 1.0", [HE, HE])
    assert len(read_parses(tmp_path / "own")) == 1


@pytest.mark.parametrize(("old", "new"), [("VBZ", "NNS"), ("# text = He", "# text = She"), ("punct", "dep"), ("odd 1.0", "odd 1.1")])
def test_parses_that_were_changed_are_noticed(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "own.conllu"
    write_parses(path, "odd 1.0", [HE])
    text = path.read_text()
    path.write_text(text.replace(old, new))
    with pytest.raises(
        FormatError, match=r"own.conllu:2: the parses are not those that odd 1.. made: expected the hash .{8}, found .{8}; delete"
    ):
        read_parses(path)
    path.write_text("".join(text.replace(old, new).splitlines(keepends=True)[2:]))
    assert ParseBank(files=[path]).name.startswith("parses ")


def test_a_file_that_was_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "own.conllu"
    write_parses(path, "odd 1.0", [HE, UNDERSCORE])
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:7]))
    with pytest.raises(FormatError, match=r"own.conllu:2: the parses are not those"):
        read_parses(path)


def test_limits_hold(tmp_path: Path) -> None:
    path = write(tmp_path, SIX, "parses.gz")
    with limit_input(max_bytes=20), pytest.raises(FormatError, match="more than 20 bytes after decompression"):
        read_parses(path)
    with limit_input(max_lines=2), pytest.raises(FormatError, match=r"parses.gz:3: more than 2 lines"):
        read_parses(path)
    with limit_input(max_lines=3):
        assert len(read_parses(path)) == 1


@pytest.mark.parametrize(
    ("parse", "message"),
    [
        (Parse(("a b",), ("a",), ("X",), ("X",), (0,), ("x",)), "cannot have tokens that are empty or have white space"),
        (Parse(("",), ("a",), ("X",), ("X",), (0,), ("x",)), "cannot have tokens that are empty or have white space"),
        (Parse(("a\0",), ("a",), ("X",), ("X",), (0,), ("x",)), "cannot have tokens that are empty or have white space"),
        (Parse(("a",), ("a\tb",), ("X",), ("X",), (0,), ("x",)), r"cannot have the value 'a\\tb', of a token of 'a'"),
        (Parse(("a",), ("a",), ("",), ("X",), (0,), ("x",)), "cannot have the value '', of a token of 'a'"),
        (Parse(("a\ud800",), ("a",), ("X",), ("X",), (0,), ("x",)), r"own: cannot write a text that is not valid Unicode: '\\ud800'"),
    ],
)
def test_what_cannot_be_written_leaves_the_file_as_it_was(parse: Parse, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own"
    write_parses(path, "odd 1.0", [HE])
    with pytest.raises(RequestError, match=message):
        write_parses(path, "odd 1.0", [HE, parse])
    assert list(read_parses(path)) == [HE]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["", "  ", "two\nlines"])
def test_an_analyser_needs_a_name_of_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="the name of an analyser must be one line of text"):
        write_parses(tmp_path / "own", name, [HE])


def test_an_analyser_that_found_nothing_can_be_written(tmp_path: Path) -> None:
    write_parses(tmp_path / "own", "odd 1.0", [])
    file = read_parses(tmp_path / "own")
    assert (len(file), file.analyser) == (0, "odd 1.0")


@pytest.mark.realdata
def test_recorded_parses_are_read_and_written(data: Path, tmp_path: Path) -> None:
    recorded = read_parses(data / "expected" / "errant" / "parses.tsv.gz")
    parses = list(recorded)
    assert len(parses) == 8_780
    assert sum(len(parse.forms) for parse in parses) == 223_822
    assert parses[0].forms == ("Keeping", "the", "Secret", "of", "Genetic", "Testing")
    assert parses[0].heads == (0, 2, 0, 2, 5, 3)
    write_parses(tmp_path / "own.conllu", "spacy 3.8 en_core_web_sm 3.8.0", parses)
    bank = ParseBank(files=[tmp_path / "own.conllu"])
    assert bank.find([parse.forms for parse in parses]) == parses
    assert bank.name == "spacy 3.8 en_core_web_sm 3.8.0"
