"""Texts cut into characters as their gold is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import errata
from errata.cli import main
from errata.corpus import find_tokeniser
from errata.corpus.corpus import Corpus, Sentence
from errata.corpus.unicode import has_characters, is_unspaced, join_characters
from errata.errors import InputWarning, UsageError

GOLD = """\
S 我 喜 欢 吃 平 果 。
A 4 5|||S|||苹|||REQUIRED|||-NONE-|||0

S 他 有 3 个 GPS ， 很 好 。
A 3 4|||S|||台|||REQUIRED|||-NONE-|||0

S 昨 天 我 去 学 校 了 。
A 3 3|||M|||们|||REQUIRED|||-NONE-|||0
"""
RAW = "我喜欢吃苹果。\n他有3台GPS，很好。\n昨天我去学校了。\n"


def of(*lines: str) -> Corpus:
    return Corpus(tuple(Sentence.of(line) for line in lines))


@pytest.mark.parametrize("name", ["characters", "source"])
def test_raw_texts_are_cut_as_the_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    gold, raw = tmp_path / "gold.m2", tmp_path / "raw.txt"
    gold.write_text(GOLD, encoding="utf-8")
    raw.write_text(RAW, encoding="utf-8")
    assert main(["score", str(gold), str(raw), "--tokenise", name, "--format", "json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)["scores"]
    assert (score["parts"]["correct"], score["parts"]["proposed"], score["parts"]["gold"]) == (2, 2, 3)
    assert "| tokenised by characters+words |" in score["signature"]
    spaced = tmp_path / "spaced.txt"
    spaced.write_text("我 喜 欢 吃 苹 果 。\n他 有 3 台 GPS ， 很 好 。\n昨 天 我 去 学 校 了 。\n", encoding="utf-8")
    corpus = errata.read(gold)
    assert errata.read_system(raw, gold=corpus, tokenise=name).sentences == errata.read_system(spaced).sentences


@pytest.mark.parametrize(
    ("source", "text", "tokens"),
    [
        ("我 有 G P S 2 0 个", "他有GPS20个", "他 有 G P S 2 0 个"),
        ("我 有 GPS 20 个", "他有CD和15个", "他 有 CD 和 15 个"),
        ("我 有 GPS 2 0 个", "他有CD和15个", "他 有 CD 和 1 5 个"),
        ("他 [UNK] 。", "我[UNK]，", "我 [UNK] ，"),
        ("他 去 。", "他 去 了", "他 去 了"),
        ("か ゙ 。", "か\u3099", "か \u3099"),
        ("我 。", "𠮷野家", "𠮷 野 家"),
        ("我 爱 🇺 🇦 。", "我爱🇺🇦", "我 爱 🇺 🇦"),
    ],
)
def test_the_gold_decides_about_words_and_numbers(source: str, text: str, tokens: str) -> None:
    gold = of(source)
    assert find_tokeniser("characters", gold)(text, gold[0].tokens) == tuple(tokens.split())


def test_gold_with_words_of_such_a_script_is_refused() -> None:
    with pytest.raises(UsageError, match="the gold has words of a script without spaces"):
        find_tokeniser("source", of("我 喜欢 吃 平果 。"))
    assert find_tokeniser("source:whitespace", of("我 喜欢 吃 平果 。")).name == "source:whitespace"


def test_english_rules_are_not_used_in_silence() -> None:
    gold = of("Він прийшов додому .")
    with pytest.warns(InputWarning, match="words that outputs change are split by ptb, a rule for English"):
        assert find_tokeniser("source", gold).name == "source:ptb"
    with pytest.warns(InputWarning, match="outputs are tokenised by ptb"):
        find_tokeniser("ptb", gold)


@pytest.mark.parametrize(
    ("line", "unspaced", "characters"),
    [
        ("我 喜 欢 。", True, True),
        ("我 喜欢 。", True, False),
        ("カ タ カ ナ と ひ ら が な", True, True),
        ("I like cake .", False, False),
        ("나 는 학 교", False, False),
        (". . .", False, False),
        ("ส ว ั ส ด ี", True, True),
    ],
)
def test_scripts(line: str, *, unspaced: bool, characters: bool) -> None:
    assert (is_unspaced([tuple(line.split())]), has_characters([tuple(line.split())])) == (unspaced, characters)


def test_characters_are_shown_without_spaces() -> None:
    assert join_characters(["他", "有", "3", "个", "GPS", "，", "很", "好", "。"]) == "他有3个GPS，很好。"
    assert join_characters(["I", "like", "苹", "果", "a", "lot"]) == "I like苹果a lot"
