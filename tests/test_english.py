"""What is made for English is not used on other languages in silence."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import errata
from errata.cli import main
from errata.corpus.unicode import _find_other_language, warn_of_english
from errata.errors import InputWarning

from thoroughness import often

OTHERS = {
    "German": "Ich war gestern in der Schule und habe mit meinem Freund gesprochen . "
    "Er hat mir gesagt , dass er nicht mehr in die Stadt will .",
    "Dutch": "Ik was gisteren op school en heb met mijn vriend gesproken . "
    "Hij is van plan om over een week te gaan , maar we weten niet of het kan .",
    "Swedish": "Jag var i skolan i går och pratade med min vän . "
    "Han sade att han inte vill gå till staden längre , för det är så högljutt .",
    "Danish": "Jeg har været i skole i går , og der var mange . Vi har talt om det , for det er ikke så let at se , hvad der er sket .",
    "French": "Je suis allé à l' école hier et j' ai parlé avec mon ami . "
    "Il m' a dit qu' il ne veut plus aller en ville , car on y fait du bruit .",
    "Polish": "Wczoraj byłem w szkole i rozmawiałem z moim przyjacielem . "
    "Powiedział mi , że nie chce już chodzić do miasta , bo jest tam za głośno .",
    "Latvian": "Es vakar biju skolā un runāju ar savu draugu . Viņš man teica , ka vairs negrib iet uz pilsētu , jo tur ir pārāk skaļi .",
    "Ukrainian": "Вчора я ходив до школи .",
    "Greek": "Χθες πήγα στο σχολείο .",
    "Arabic": "ذهبت أمس إلى المدرسة .",
    "Chinese": "我 昨 天 去 了 学 校 。",
}


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_recognised(language: str) -> None:
    assert _find_other_language([tuple(OTHERS[language].split())])


SIMPLE = {
    "a beginner": "My name is Anna . I am 12 years old . I live in Paris . I like music . My father is a doctor . My mother is a teacher . "
    "I go to school every day . My school is big . I have a cat . It is black . I play football . We go swimming on Sunday .",
    "capitals": "I LIKE PLAYING FOOTBALL . MY BEST FRIEND LIKES TENNIS . WE GO SWIMMING EVERY SUNDAY . LAST SUMMER I WENT TO SPAIN .",
    "a story": "Yesterday I went to zoo . I saw a lion . It was very big . I was happy . My friend was happy too . We ate ice cream .",
    "wide letters": "Ｍｙ ｎａｍｅ ｉｓ Ａｎｎａ",
    "bold letters": "𝐌𝐲 𝐧𝐚𝐦𝐞 𝐢𝐬 𝐀𝐧𝐧𝐚",
    "a number": "1º 2ª",
}


@pytest.mark.parametrize("text", SIMPLE)
def test_simple_english_is_english(text: str) -> None:
    assert _find_other_language([tuple(SIMPLE[text].split())]) == ""


@pytest.mark.realdata
@pytest.mark.parametrize("path", ["conll14/systems/INPUT.txt", "jfleg/dev.src"])
def test_single_sentences_of_learners_are_english(data: Path, path: str) -> None:
    sentences = [tuple(line.split()) for line in (data / path).read_text(encoding="utf-8").splitlines()]
    assert sum(bool(_find_other_language([tokens])) for tokens in sentences) <= len(sentences) // 500


def test_few_words_show_nothing_but_letters_do() -> None:
    assert _find_other_language([("ein", "Haus")]) == _find_other_language([()]) == _find_other_language([("12", ".")]) == ""
    assert _find_other_language([("дім",)]) == "100% of their letters are Cyrillic"
    assert _find_other_language([("家",)]) == "100% of their letters are Chinese characters"


def test_the_example_corpus_is_english_in_any_five_sentences() -> None:
    sentences = [sentence.tokens for sentence in errata.read("examples/learner.m2")]
    assert not _find_other_language(sentences)
    assert not [start for start in range(len(sentences) - 4) if _find_other_language(sentences[start : start + 5])]


@pytest.mark.realdata
@pytest.mark.parametrize("path", ["conll14/systems/INPUT.txt", "jfleg/dev.src"])
def test_texts_of_learners_are_english(data: Path, path: str) -> None:
    sentences = [tuple(line.split()) for line in (data / path).read_text(encoding="utf-8").splitlines()]
    parts = [sentences[start : start + 5] for start in range(0, len(sentences) - 4, often(1, 5))]
    assert not _find_other_language(sentences)
    assert sum(map(bool, map(_find_other_language, parts))) <= len(parts) // 500


def test_a_warning_says_why() -> None:
    with pytest.warns(InputWarning, match=r"the sentences do not look English \(100% of their letters are Greek\): so be it"):
        assert warn_of_english([("Χθες",)], "so be it")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not warn_of_english([("and", "the")], "so be it")


UKRAINIAN = ["examples/ukrainian", "examples/ukrainian/system.txt", "--from", "ua-gec"]


def test_wrong_edits_have_no_english_types(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *UKRAINIAN, "--by-type"]) == 0
    out, err = capsys.readouterr()
    assert "| tagger none" in out
    assert "(no type)" not in out
    assert err.count("the sentences do not look English") == 1
    assert "wrong edits have no type, because rules for parts of speech are for English" in err


@pytest.mark.parametrize("asked", [["--tagger", "textblob"], ["--types", "nucle"]])
def test_english_types_can_be_asked_for(capsys: pytest.CaptureFixture[str], asked: list[str]) -> None:
    assert main(["score", *UKRAINIAN, "--by-type", *asked]) == 0
    out, err = capsys.readouterr()
    assert "| tagger textblob" in out
    assert "types by textblob" in err
    assert "are for English" in err


def test_a_page_has_no_english_types(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["report", *UKRAINIAN, "--replicates", "100", "-o", str(tmp_path / "page.html")]) == 0
    assert "wrong edits have no type" in capsys.readouterr().err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "tagger none" in page
    assert "textblob" not in page.replace("--tagger textblob", "")


def test_python_warns_too() -> None:
    gold = errata.read("examples/ukrainian", format="ua-gec")
    score = errata.score(gold, errata.read_system("examples/ukrainian/system.txt"))
    with pytest.warns(InputWarning, match="wrong edits have no type"):
        assert "tagger none" in errata.report_page([score], bootstrap=errata.Bootstrap(replicates=100))


@pytest.mark.parametrize("only", [[], ["--types", "G/Case,Spelling"]])
def test_cases_have_no_english_types(capsys: pytest.CaptureFixture[str], only: list[str]) -> None:
    assert main(["detect", *UKRAINIAN, "--by-type", *only]) == 0
    assert "wrong edits have no type" in capsys.readouterr().err


def test_a_task_has_no_english_types(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["convert", "examples/ukrainian", "--from", "ua-gec", "-o", str(tmp_path / "gold.m2")]) == 0
    (tmp_path / "a.txt").write_bytes(Path("examples/ukrainian/system.txt").read_bytes())
    (tmp_path / "task.toml").write_text('title = "t"\ngold = ["gold.m2"]\nsystems = ["a.txt"]\nmetrics = ["maxmatch"]\n')
    capsys.readouterr()
    assert main(["task", "run", str(tmp_path / "task.toml"), "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err.count("wrong edits have no type") == 1
    assert "tagger" not in (tmp_path / "out" / "types.csv").read_text(encoding="utf-8").replace("tagger none", "")


def test_texts_are_not_annotated_with_english_types_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["examples/ukrainian/source-sentences-tokenized/lyst.src.txt", "examples/ukrainian/system.txt"]
    assert main(["annotate", *texts, "--types", "nucle"]) == 0
    assert "the types of nucle by textblob" in capsys.readouterr().err
