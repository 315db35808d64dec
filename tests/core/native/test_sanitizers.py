"""The address and undefined-behaviour sanitizers on the core, with the random cases of the other tests and some long ones."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from errata.core import python as python_core

from arrow_by_hand import column_of
from strategies import CoreEdit, cases
from test_core import long_case
from test_text_gold import Columns, columns
from thoroughness import THOROUGH, often

pytestmark = pytest.mark.slow

Case = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[CoreEdit, ...], ...], int]


def compiled(name: str, folder: Path) -> Path:
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    program = folder / name
    checks = [
        "-D_GLIBCXX_ASSERTIONS",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
    ]
    source = f"tests/core/native/{name}.cpp"
    subprocess.run([compiler, "-std=c++17", "-O1", "-g1", *checks, "-Inative", source, "-o", str(program)], check=True)
    return program


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("replay", tmp_path_factory.mktemp("native"))


def numbers(case: Case) -> list[int]:
    source, hypothesis, annotators, max_unchanged = case
    known = {
        word: number for number, word in enumerate(dict.fromkeys((*source, *(w for g in annotators for e in g for t in e[2] for w in t))))
    }

    def tokens(words: tuple[str, ...]) -> list[int]:
        return [len(words), *(known.get(word, -1) for word in words)]

    result = [max_unchanged, *tokens(source), *tokens(hypothesis), len(annotators)]
    for gold in annotators:
        result.append(len(gold))
        for start, end, corrections in gold:
            result += [start, end, len(corrections), *(number for text in corrections for number in tokens(text))]
    return result


def mixed(source: tuple[str, ...], hypothesis: tuple[str, ...]) -> str:
    """Every other token of the source may also be missing, or doubled by the next."""
    words = range(0, len(source), 2)
    sites = tuple((k, k + 1, ((source[k],), (), (source[k], source[(k + 1) % len(source)]))) for k in words)
    (blocks,) = python_core.MixedReferences([(source, sites)], 2, 3, True, 100).blocks(0, [hypothesis])
    parts = [[first, last, *(number for choice, counts in rows for number in (*choice, *counts))] for first, last, rows in blocks]
    return "".join(f"{number} " for part in parts for number in part)


def rechoose(rows: list[tuple[int, int]]) -> str:
    """The rows of a sentence, and the same backwards as those of another, in a replicate of both."""
    pairs, starts = np.array(rows + rows[::-1]), np.array([0, len(rows), 2 * len(rows)])
    times = [python_core.rechoose(pairs, starts, np.array([[0, 1, -1, 0, 1, 1]]), optimal)[0] for optimal in (False, True)]
    return "".join(f"{count} " for chosen in times for count in chosen)


def matches(source: tuple[str, ...], hypothesis: tuple[str, ...]) -> str:
    """Beginnings of texts, and every second, third or fourth word from some position on; every other word is aligned."""

    def sets(count: int) -> list[tuple[int, ...]]:
        return [chosen for k in range(count) for chosen in (tuple(range(k)), tuple(range(k, count, k % 3 + 2)))]

    aligned = [(k, k) for k in range(0, min(len(source), len(hypothesis)), 2)]
    found = [python_core.find_best_matches(sets(len(source)), sets(len(hypothesis)), aligned, by_share) for by_share in (False, True)]
    return "".join(f"{match} " for rows in found for row in rows for match in row)


def parsed(tokens: list[int]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Words in pairs that differ in case only, some longer than 64 characters; those that are not known are one word."""
    forms = []
    for word in (token + 1 for token in tokens):
        pair = word // 2
        form = "".join("abcd"[(pair >> 2 * digit) % 4] for digit in range(6)) + "e" * (pair * 37 % 100)
        forms.append(form.upper() if word % 2 else form)
    pos = ("ADJ", "ADV", "NOUN", "VERB", "DET", "SYM")
    return tuple(forms), tuple(str((token + 1) // 3) for token in tokens), tuple(pos[(token + 1) % 6] for token in tokens)


def operations(case: Case) -> list[str]:
    """With lemmas, parts of speech and transpositions, and without; each with the edits that they are merged to."""
    _, length, *rest = numbers(case)
    sides = [rest[:length], rest[length + 1 : length + 1 + rest[length]]]
    sentences = [parsed(side) for side in sides]
    tagged = [
        (forms, pos, tuple("X" if (token + 1) % 7 else "POS" for token in side))
        for (forms, _, pos), side in zip(sentences, sides, strict=True)
    ]
    found = []
    for linguistic in (True, False):
        aligned = python_core.align_parses(sentences, [(1, 0, 1)], linguistic)[0]
        found += [aligned, python_core.merge_by_rules(aligned, *tagged)]
    return ["".join(f"{number} " for operation in one for number in operation) for one in found]


def ngrams(case: Case) -> str:
    """N-grams of the hypothesis; references are the source backwards, and the hypothesis without words that the core does not know."""
    source, hypothesis, annotators, _ = case
    known = {*source, *(word for gold in annotators for edit in gold for text in edit[2] for word in text)}
    counter = python_core.NgramCounter([(source, (source[::-1], tuple(word for word in hypothesis if word in known)))], 3)
    found = [count(0, [hypothesis], excess) for excess in (False, True) for count in (counter.counts, counter.pooled_counts)]
    return "".join(f"{number} " for (rows,) in found for row in rows for number in row)


def check(program: Path, batch: list[Case]) -> None:
    text = " ".join(str(number) for number in [len(batch), *(number for case in batch for number in numbers(case))])
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    expected = []
    for source, hypothesis, annotators, max_unchanged in batch:
        counts = python_core.MaxMatchJudge([(source, annotators)], max_unchanged).counts(0, [hypothesis])[0]
        expected += [f"{correct} {proposed} {gold} {proposed}" for correct, proposed, gold in counts]
        expected += [rechoose([(5 * correct, 4 * proposed + gold) for correct, proposed, gold in counts])] * 2
        letters = {word: chr(0x4E00 + number) for number, word in enumerate(dict.fromkeys((*source, *hypothesis)))}
        words = ["".join(letters[word] for word in tokens) for tokens in (source, hypothesis)]
        expected.append(str(python_core.compute_edit_distances(words[:1], words[1:])[0, 0]))
        expected.append(str(len(python_core.align(source, hypothesis))))
        expected += operations((source, hypothesis, annotators, max_unchanged))
        expected.append(matches(source, hypothesis))
        expected.append(ngrams((source, hypothesis, annotators, max_unchanged)))
        rows, _ = python_core.count_three_way(source, hypothesis, (source, source[::-1]), 2, 3)
        expected += ["".join(f"{count} " for count in row) for row in rows]
        expected.append(mixed(source, hypothesis))
        limited, _ = python_core.count_three_way(source, hypothesis, (source,), 2, 3, most_work=3 * len(source) * len(hypothesis))
        expected.append(str(len(limited)))
    expected.append("4")  # kinds of work that an interrupt stops
    assert done.stdout.splitlines() == expected


def test_random_cases(replay: Path) -> None:
    batch: list[Case] = []

    @given(cases())
    @settings(max_examples=often(700, 250), phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    def collect(case: Case) -> None:
        batch.append(case)

    collect()
    assert len(batch) > often(250, 100)
    check(replay, batch)


def test_long_cases(replay: Path) -> None:
    longest = [long_case(40, 1, 40), long_case(50, 2, 25)] if THOROUGH else [long_case(26, 2, 40)]  # which plain Python mixes in seconds
    check(replay, [*longest, ((), (), ((),), 2), (("a",) * 20, ("a",) * 28, (((5, 5, (("a",),)),),), 2)])


def test_products_are_compared_as_python_does(tmp_path: Path) -> None:
    """The extremes of 64 bits and of 32, their neighbours, and numbers of every size."""
    program = compiled("products", tmp_path)
    draw = random.Random(1)
    extremes = [-(2**63), 1 - 2**63, -(2**32), -(2**31) - 1, -1, 0, 1, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 2, 2**63 - 1]
    fours = [tuple(four) for four in product(extremes, repeat=4)]
    fours += [tuple(draw.choice([-1, 1]) * draw.getrandbits(draw.randint(1, 63)) for _ in range(4)) for _ in range(20_000)]
    fours += [(a * k, b, a, b * k) for a, b, k in (tuple(draw.randint(-(2**31), 2**31) for _ in range(3)) for _ in range(2_000))]
    text = "\n".join(" ".join(map(str, four)) for four in fours)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    for (a, b, c, d), orders in zip(fours, found, strict=True):
        order = (a * b > c * d) - (a * b < c * d)
        narrow = max(abs(a), abs(b), abs(c), abs(d)) <= 2**31
        assert orders == ((order, order) if narrow else (order,)), (a, b, c, d)


def describe_texts(texts: list[list[bytes]], max_unchanged: int, max_tokens: int) -> str:
    """What the twin finds, or the words with which it refuses."""
    source, *references, outputs = (column_of(*column) for column in texts)
    try:
        gold = python_core.TextGold(source, references, max_unchanged, max_tokens=max_tokens)
        found = [str(number) for row in gold.counts(outputs) for number in row]
    except (ValueError, OverflowError) as error:
        return str(error)
    return " ".join([*found, *(f"{byte:x}" for byte in gold.content(0, len(texts[0])))])


def test_texts(tmp_path: Path) -> None:
    """Texts of random tokens and white space, as they are and with a byte that is missing or another."""
    program = compiled("texts", tmp_path)
    batch: list[tuple[list[list[bytes]], int, int]] = []
    draw = random.Random(1)

    def damage(text: str) -> bytes:
        raw = bytearray(text.encode())
        place = draw.randrange(len(raw)) if raw else 0
        raw[place : place + 1] = draw.choice([b"", b"\xff", b"\xe2", b"\x80", b"\xf0\x9f"])
        return bytes(raw)

    @given(columns())
    @settings(max_examples=often(400, 200), phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    def collect(case: Columns) -> None:
        source, references, outputs = case
        damaged = draw.random() < 0.3
        texts = [
            [damage(text) if damaged and draw.random() < 0.3 else text.encode() for text in one] for one in (source, *references, outputs)
        ]
        batch.append((texts, draw.choice([0, 2, 2, 5]), draw.choice([3, 4000, 4000])))

    collect()
    text = str(len(batch)).encode()
    for texts, max_unchanged, max_tokens in batch:
        text += f"\n{max_unchanged} {max_tokens} {len(texts) - 2} {len(texts[0])}".encode()
        text += b"".join(f"\n{len(one)} ".encode() + one for column in texts for one in column)
    done = subprocess.run([program], input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    expected = [describe_texts(*case) for case in batch]
    assert [line.strip() for line in done.stdout.decode().splitlines()] == expected
    assert sum("not UTF-8" in line for line in expected) > 20
    assert sum("limit of 3" in line for line in expected) > 20
