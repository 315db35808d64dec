"""Whatever is given to a public function, only errors of errata come out, and they are short."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errata
from errata import Corpus, ErrataError, Evaluator, Sentence, System

GOLD = Corpus.from_texts(["He go home .", "Fine ."], ["He goes home .", "Fine ."])
EVALUATE = Evaluator(GOLD)
SCORE = EVALUATE(["He goes home .", "Fine ."])
TWO = ["a", "b"]


class LongRepr:
    def __repr__(self) -> str:
        return "x" * 100_000


def make_junk() -> list[Any]:
    plain = [
        None,
        0,
        -1,
        2**70,
        1.5,
        math.nan,
        True,
        "",
        "abc",
        "a\nb",
        "\ud800",
        "a\0",
        b"ab",
        3 + 4j,
        object(),
        LongRepr(),
        type,
        len,
        ...,
    ]
    lists: list[Any] = [[], [None] * 2, [1] * 2, [math.nan] * 2, ["a"], TWO, ["a", "b", "c"], [["a"], ["b"]], [[["a"]]] * 2, [b"a"] * 2]
    odd: list[Any] = [["\ud800", "b"], ["a\0", "b"], [LongRepr()] * 2, [["a"] * 300, ["b"]], [[], []], [[""], [""]], ["", ""], [[], None]]
    others: list[Any] = [{"a": 1}, {"a", "b"}, frozenset("ab"), (text for text in "ab"), iter([]), range(2), memoryview(b"ab")]
    arrays: list[Any] = [np.array(TWO), np.zeros((2, 2)), np.array("a"), np.array([TWO, TWO]), np.float64(1), np.int64(1), np.str_("ab")]
    own: list[Any] = [GOLD, SCORE, [SCORE], EVALUATE, System.of("x", TWO), io.StringIO("a\nb\n"), io.BytesIO(b"\xff")]
    return [*plain, *lists, *odd, *others, *arrays, *own]


def make_calls(folder: Path) -> dict[str, Callable[[Any], object]]:
    m2 = "S a\n"
    return {
        **{f"score by {name}": Evaluator(GOLD, name) for name in ("maxmatch", "imeasure", "gleu", "hoo")},
        "gold of score": lambda junk: errata.score(junk, TWO),
        "metric of score": lambda junk: errata.score(GOLD, TWO, junk),
        "tokenise of score": lambda junk: errata.score(GOLD, TWO, tokenise=junk),
        "score by source": lambda junk: errata.score(GOLD, junk, tokenise="source"),
        "score, strict": lambda junk: errata.score(GOLD, junk, strict=True),
        "prepare": EVALUATE.prepare,
        "from_texts": lambda junk: Corpus.from_texts(junk, junk),
        "references": lambda junk: Corpus.from_texts(TWO, junk),
        "references of tokens": lambda junk: Corpus.from_texts([["a"], ["b"]], junk),
        "documents": lambda junk: Corpus.from_texts(TWO, TWO, documents=junk),
        "name of a corpus": lambda junk: Corpus.from_texts(TWO, TWO, name=junk),
        "predictions": lambda junk: errata.compute(junk, TWO, TWO),
        "references of compute": lambda junk: errata.compute(TWO, junk, TWO),
        "sources of compute": lambda junk: errata.compute(TWO, TWO, junk),
        "metric of compute": lambda junk: errata.compute(TWO, TWO, TWO, junk),
        "prefix": lambda junk: errata.compute(TWO, GOLD, prefix=junk),
        "merge": errata.merge,
        "Scores": errata.Scores,
        "compare": errata.compare,
        "compute_intervals": errata.compute_intervals,
        "bootstrap": lambda junk: errata.compute_intervals([], junk),
        "test": lambda junk: errata.compare([SCORE], junk),
        "report_page": lambda junk: errata.report_page([junk]),
        "draw_chart": lambda junk: errata.draw_chart([SCORE], junk),
        "read": errata.read,
        "read_system": errata.read_system,
        "gold of read_system": lambda junk: errata.read_system("a\nb\n", gold=junk),
        "name of read_system": lambda junk: errata.read_system("a\nb\n", name=junk),
        "format": lambda junk: errata.read(m2, format=junk),
        "references of read": lambda junk: errata.read(m2, references=[junk]),
        "documents of read": lambda junk: errata.read(m2, documents=junk),
        "source of read": lambda junk: errata.read(m2, source=junk),
        "max_tokens": lambda junk: errata.read(m2, max_tokens=junk),
        "corpus of write": lambda junk: errata.write(junk, folder / "x.m2"),
        "format of write": lambda junk: errata.write(GOLD, folder / "x.m2", junk),
        "extract_edits": lambda junk: errata.extract_edits("a", junk),
        "Sentence.of": Sentence.of,
        "edits of a sentence": lambda junk: Sentence.of("a", junk),
        "System.of": lambda junk: System.of("x", junk),
        "name of a system": lambda junk: System.of(junk, TWO),
        "System.of_edits": lambda junk: System.of_edits("x", junk),
        "Corpus": Corpus,
        "start of an edit": lambda junk: errata.Edit(junk, 1, ("a",)),
        "corrections": lambda junk: errata.Edit(0, 1, junk),
        "type of an edit": lambda junk: errata.Edit(0, 1, ("a",), junk),
        "annotator": errata.Annotation,
        "sentence": SCORE.sentence,
        "edits": SCORE.edits,
        "annotator of edits": lambda junk: SCORE.edits(1, junk),
        "to_dict": SCORE.to_dict,
        "subset": GOLD.subset,
        "list_unclear": errata.list_unclear,
        "correlate": lambda junk: errata.correlate(junk, [1, 2]),
    }


@pytest.mark.filterwarnings("ignore")
def test_only_errors_of_errata_come_out(tmp_path: Path) -> None:
    wrong = []
    for name, call in make_calls(tmp_path).items():
        for junk in make_junk():
            try:
                found = call(junk)
                if isinstance(found, errata.Score):
                    _ = found.signature, repr(found), found.rows(), found._repr_html_(), found.to_dict()
                elif isinstance(found, Corpus) and len(found):
                    _ = repr(found), errata.score(found, [sentence.tokens for sentence in found]).signature
            except ErrataError as error:
                if len(str(error)) > 400:
                    wrong.append((name, repr(junk)[:40], "long", str(error)[:100]))
            except Exception as error:  # noqa: BLE001 - that is what is tested
                wrong.append((name, repr(junk)[:40], type(error).__name__, str(error)[:100]))
    assert wrong == []
