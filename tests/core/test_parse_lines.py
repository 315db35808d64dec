"""The lines of parsed sentences: core and twin."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import _core
from errata.core import python as python_core
from errata.corpus.parses import Parse
from errata.formats.parses import SentenceLines

from errant_strategies import parses
from thoroughness import often

CORES = pytest.mark.parametrize("core", [_core, python_core])
LINES = "# text = He sings\n1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tsings\tsing\tVERB\tVBZ\t_\t0\tROOT\t_\t_"


@CORES
def test_columns(core: ModuleType) -> None:
    reader = core.ParseReader()
    found = reader.read(LINES)
    assert found == (("He", "sings"), ("he", "sing"), ("PRON", "VERB"), ("PRP", "VBZ"), (1, 1), ("nsubj", "ROOT"))
    assert reader.read(LINES)[1][0] is found[1][0]
    other = reader.read("# text = été\n1\tété\tété\tX\t—\t_\t0\t\U0001f600\t_\t_")
    assert other == (("été",), ("été",), ("X",), ("—",), (0,), ("\U0001f600",))
    with pytest.raises(TypeError, match="lines must be a str"):
        reader.read(LINES.encode())
    with pytest.raises(UnicodeEncodeError):
        reader.read(f"{LINES}\udc80")


@CORES
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2\tnsubj", "3\tnsubj"),
        ("2\tnsubj", "1\tnsubj"),
        ("2\tnsubj", "02\tnsubj"),
        ("2\tnsubj", "-1\tnsubj"),
        ("2\tnsubj", "2000000000\tnsubj"),
        ("2\tnsubj", "٢\tnsubj"),
        ("2\tnsubj", "\tnsubj"),
        ("\n2\t", "\n3\t"),
        ("\n2\t", "\n02\t"),
        ("\the\t", "\t\t"),
        ("\the\t", "\the\tshe\t"),
        ("\the\t", "\t"),
        ("\t_\t2", "\tx\t2"),
        ("nsubj\t_", "nsubj\tx"),
        ("nsubj\t_\t_", "nsubj\t_\t__"),
        ("\n2\t", "\n\n2\t"),
        ("ROOT\t_\t_", "ROOT\t_\t_\n"),
        ("ROOT\t_\t_", "ROOT\t_\t"),
        ("ROOT\t_\t_", "ROOT\t_\t_\t"),
        (LINES, ""),
        (LINES, "# text = "),
    ],
)
def test_what_errata_does_not_write(core: ModuleType, old: str, new: str) -> None:
    assert old in LINES
    assert core.ParseReader().read(LINES.replace(old, new, 1)) is None


@given(parses().filter(lambda parse: len(parse.forms) > 0), st.data())
@settings(max_examples=often(100, 30))
def test_core_and_twin_agree(parse: Parse, data: st.DataObject) -> None:
    heads = tuple(index if head == 0 else head for index, head in enumerate(parse.heads))
    block = SentenceLines.format(Parse(parse.forms, parse.lemmas, parse.pos, parse.tags, heads, parse.deps))
    native, twin = _core.ParseReader(), python_core.ParseReader()
    assert native.read(block) == twin.read(block) == (parse.forms, parse.lemmas, parse.pos, parse.tags, heads, parse.deps)
    place = data.draw(st.integers(0, len(block)))
    changed = block[:place] + data.draw(st.text("\t\n_012é", max_size=2)) + block[place + data.draw(st.integers(0, 2)) :]
    assert native.read(changed) == twin.read(changed)
