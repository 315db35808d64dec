"""Positions where nothing stands (Chodorow et al. 2012, section 3.6), and types of false positives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Corpus, Edit, RequestError, Sentence, System, UsageError, read, read_system, score
from errata.language.tagging import FileTagger, find_tagger
from errata.language.types import ChangeTyper
from errata.scoring.by_type import count_types
from errata.studies.detection import (
    Cases,
    Counts,
    JudgedSystem,
    count_cases,
    evaluate_types,
    extract_cases,
    find_confusion_set,
)
from errata.studies.detection.from_corpora import _find_noun_phrases, _GapPattern, _GapSites, _SentencePositions

from strategies import hypotheses, sentences

BOOK = """\
S Book of my class inpired to me .
A 0 1|||ArtOrDet|||A book|||REQUIRED|||-NONE-|||0
A 1 2|||Prep|||in|||REQUIRED|||-NONE-|||0
A 4 5|||Spelling|||inspired|||REQUIRED|||-NONE-|||0
A 5 6|||Prep||||||REQUIRED|||-NONE-|||0
"""
"""Example (1a), corrected as (1b)."""
BOOK_TAGS = "Book\tNN\nof\tIN\nmy\tPRP$\nclass\tNN\ninpired\tVBD\nto\tTO\nme\tPRP\n.\t.\n"
BEER = """\
S He is fond beer .
A 3 3|||Prep|||of|||REQUIRED|||-NONE-|||0
"""
"""Example (4)."""
BEER_TAGS = "He\tPRP\nis\tVBZ\nfond\tJJ\nbeer\tNN\n.\t.\n"


def counts_of(cases: Cases, aspect: str = "detection") -> Counts:
    return Counts(*(float(number) for number in count_cases(cases, cases.systems[0], aspect)[0]))  # type: ignore[arg-type]


def read_example(folder: Path, text: str, tags: str) -> tuple[Corpus, FileTagger]:
    (folder / "gold.m2").write_text(text)
    (folder / "tags.txt").write_text(tags)
    return read(folder / "gold.m2"), FileTagger([str(folder / "tags.txt")])


def test_article_positions_of_the_paper(tmp_path: Path) -> None:
    """(1a): no article belongs before of, my, class, inpired, to, me and the full stop: 7 negatives; one is missing before Book."""
    corpus, tagger = read_example(tmp_path, BOOK, BOOK_TAGS)
    articles, same = find_confusion_set("articles"), System.of("same", ["Book of my class inpired to me ."])
    everywhere = extract_cases(corpus, same, case="gap", confusion_set=articles)
    assert counts_of(everywhere) == (0, 0, 1, 8, 0)  # also the position at the end
    before_tokens = extract_cases(corpus, same, case="gap", confusion_set=articles, sites=["_ *"], tagger=tagger)
    assert counts_of(before_tokens) == (0, 0, 1, 7, 0)
    assert dict(before_tokens.left_out) == {"positions without an error that are no sites (_ *)": 1}
    phrases = extract_cases(corpus, same, case="gap", confusion_set=articles, sites=["noun-phrases"], tagger=tagger)
    assert counts_of(phrases) == (0, 0, 1, 2, 0)  # Book, my class, me
    possible = extract_cases(corpus, same, case="gap", confusion_set=articles, sites=["!PRP$ _ NN*"], tagger=tagger)
    assert counts_of(possible) == (0, 0, 1, 0, 0)  # *a my and *a me are ruled out
    right = extract_cases(corpus, System.of("right", ["A book in my class inspired me ."]), case="gap", confusion_set=articles)
    assert counts_of(right, "correction") == (1, 0, 0, 8, 0)


def test_preposition_positions_of_the_paper(tmp_path: Path) -> None:
    """(4): of is missing after fond; four other positions before a token, or zero if only those before an object are counted."""
    corpus, tagger = read_example(tmp_path, BEER, BEER_TAGS)
    prepositions = find_confusion_set("prepositions")
    for sites, expected in (((), 5), (["_ *"], 4), (["JJ _ NN*"], 0)):
        cases = extract_cases(
            corpus, System.of("s", ["He is fond of beer ."]), case="gap", confusion_set=prepositions, sites=sites, tagger=tagger
        )
        assert counts_of(cases) == (1, 0, 0, expected, 0)
    wrong = extract_cases(corpus, System.of("s", ["He is fond for beer at ."]), case="gap", confusion_set=prepositions)
    assert counts_of(wrong) == (1, 1, 0, 4, 0)
    assert counts_of(wrong, "correction") == (0, 2, 1, 4, 1)


@pytest.mark.parametrize(
    ("written", "annotated", "system", "expected"),
    [
        (True, True, True, "tn"),
        (True, True, False, "fp"),
        (False, True, True, "tp"),
        (False, True, False, "fn"),
        (True, False, True, "fn"),
        (True, False, False, "tp"),
        (False, False, True, "fp"),
        (False, False, False, "tn"),
    ],
)
def test_figure_3(written: bool, annotated: bool, system: bool, expected: str, tmp_path: Path) -> None:  # noqa: FBT001 - the figure's
    """A comma or none, by writer, annotator and system; a comma that is rightly missing is a true negative."""

    def text(*, comma: bool) -> str:
        return "We came , he left" if comma else "We came he left"

    edit = "A 2 2|||Punct|||,|||REQUIRED|||-NONE-|||0" if annotated else "A 2 3|||Punct||||||REQUIRED|||-NONE-|||0"
    none = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"
    (tmp_path / "gold.m2").write_text(f"S {text(comma=written)}\n{edit if written != annotated else none}\n\n")
    cases = extract_cases(read(tmp_path / "gold.m2"), System.of("s", [text(comma=system)]), case="gap", confusion_set={","})
    counts = counts_of(cases)._asdict()
    assert len(cases) == 5
    assert counts.pop("tn") == (5 if expected == "tn" else 4)
    assert {name: count for name, count in counts.items() if count} == ({expected: 1} if expected != "tn" else {})


def test_every_gap_is_a_case() -> None:
    """Only missing words are errors; a replaced word is not."""
    corpus = Corpus((Sentence.of("He go school", [Edit(1, 2, ("goes",), "SVA"), Edit(2, 2, ("to",), "Prep")]),))
    cases = extract_cases(corpus, System.of("s", ["He goes to the school ."]), case="gap", types=["Prep"])
    assert counts_of(cases) == (1, 1, 0, 2, 0)
    assert counts_of(cases, "correction") == (0, 2, 1, 2, 1)
    assert cases.types is not None
    assert cases.types.names == ("", "Prep")


@given(st.data(), st.sampled_from([frozenset(), frozenset("abc"), frozenset([","])]))
def test_positions_depend_on_the_source_alone(data: st.DataObject, words: frozenset[str]) -> None:
    source = data.draw(sentences()).tokens
    other = data.draw(hypotheses(source))
    gaps = 1 + sum(token.lower() not in words for token in source)
    for kind, count in (("token", len(source)), ("character", len(" ".join(source))), ("gap", gaps), ("sentence", 1)):
        positions = _SentencePositions(source, kind, words if kind == "gap" else frozenset())  # type: ignore[arg-type]
        assert len(positions) == count
        assert not positions.changes(source)
        changes = positions.changes(other)
        assert all(0 <= position < count for position in changes)
        if kind in {"token", "character"} and count:
            texts = [changes[own].text if own in changes else positions.written(own) for own in range(count)]
            joined = [token for text in texts for token in text]
            assert joined == (list(other) if kind == "token" else list(" ".join(other)))


def test_patterns() -> None:
    tags = ["DT", "NN", "VBZ", "RB", "JJ", "NN", "DT", "NN", "."]
    assert _GapPattern.parse("_ NN*").gaps(tags) == {1, 5, 7}
    assert _GapPattern.parse("!DT|JJ _ NN|RB").gaps(tags) == {3}
    assert _GapPattern.parse("!* _ DT").gaps(tags) == {0}
    assert _GapPattern.parse(". _").gaps(tags) == {9}
    assert _GapPattern.parse("_ JJ NN").gaps(tags) == {4}
    assert _GapSites(["noun-phrases", ". _"]).find(tags) == {0, 3, 6, 9}
    assert list(_find_noun_phrases(["PRP", "VBZ", "PDT", "DT", "NNS", "PRP$", "CD", "NN", "DT"])) == [0, 2, 5]
    for text, message in (("NN", "a site must be noun-phrases, or tags around a gap"), ("_", "found '_'"), ("_ NN|", "a tag on each side")):
        with pytest.raises(UsageError, match=message):
            _GapPattern.parse(text)


@pytest.mark.parametrize(("site", "found"), [("QQ _", "QQ"), ("_ DT|nn", None), ("dt _ NN", "dt"), ("!QQ _ NN", None), ("Z* _", "Z*")])
def test_a_tag_that_no_token_has_is_refused(site: str, found: str | None) -> None:
    sites, tags = _GapSites([site]), [("DT", "NN"), (".",)]
    if found is None:
        sites.check_tags(tags)
        return
    with pytest.raises(UsageError, match=re.escape(f"no token has the tag '{found}' of a site; choose from ., DT, NN")):
        sites.check_tags(tags)


def test_a_tag_of_a_site_that_no_token_has_is_refused(gold: Corpus, systems: dict[str, System]) -> None:
    with pytest.raises(UsageError, match=r"no token has the tag 'nn' of a site.*; did you mean NN\?"):
        extract_cases(gold, systems["eager"], case="gap", sites=["nn _"], tagger=find_tagger("textblob"))


def test_words_that_stand_nowhere() -> None:
    empty = extract_cases(Corpus((Sentence.of("", [Edit(0, 0, ("a",))]),)), System.of("s", ["b"]), annotator="0")
    assert (len(empty), dict(empty.left_out)) == (0, {"texts written where the source has no token": 2})
    overlapping = Corpus((Sentence.of("a b", [Edit(0, 2, ("x",)), Edit(1, 2, ("y",))]),))
    assert dict(extract_cases(overlapping, System.of("s", ["x"]), annotator="0").left_out) == {"edits of annotators that overlap others": 1}


def test_sentences() -> None:
    wrong, right = Sentence.of("a b", [Edit(0, 1, ("x",))]), Sentence.of("a b", [])
    corpus = Corpus((wrong, right, Sentence.of("a b"), Sentence.of("a", [Edit(0, 1, ("b",))])))
    for options in ({}, {"judgments": "vote"}, {"annotator": "0"}):
        cases = extract_cases(corpus, System.of("s", ["y b", "a", "a b", "a"]), case="sentence", **options)  # type: ignore[arg-type]
        assert counts_of(cases) == (1, 1, 1, 1, 0)
        assert counts_of(cases, "correction") == (0, 2, 2, 1, 1)


def types_of(cases: Cases) -> dict[str, Counts]:
    return {name: item.counts for name, item in evaluate_types(JudgedSystem(cases, cases.systems[0])).items()}


def test_false_positives_have_types_with_a_tagger(gold: Corpus, systems: dict[str, System]) -> None:
    typer = ChangeTyper(find_tagger("textblob"))
    for case in ("token", "edit", "gap"):
        for judge in ("chosen", "vote"):
            for system in systems.values():
                cases = extract_cases(gold, system, case=case, judgments=judge, typer=typer)
                untyped = extract_cases(gold, system, case=case, judgments=judge)
                types, every = types_of(cases), counts_of(untyped)
                distinct = [counts for name, counts in types.items() if name in {"", *typer.order}]
                assert sum(counts.fp for counts in distinct) == every.fp
                assert all(counts.fp != counts.fp for name, counts in types.items() if name not in {"", *typer.order})
                assert all(counts.fp != counts.fp for name, counts in types_of(untyped).items() if name)
                assert counts_of(cases)[:3] == every[:3]


def test_wrong_edits_have_the_types_of_scores_by_type(gold: Corpus, systems: dict[str, System]) -> None:
    """A wrong edit at the position of a missed one is an error that is found, so it has the type of the error."""
    typer = ChangeTyper(find_tagger("textblob"))
    for system in systems.values():
        scores = {item.type: item for item in count_types(score(gold, system), typer.tagger)}
        for name, counts in types_of(extract_cases(gold, system, case="edit", typer=typer)).items():
            if name in typer.order:
                item = scores[name]
                assert counts.fp <= (item.proposed or 0) - item.matched
                assert counts.tp + counts.fn == item.gold


def test_no_position_has_a_word() -> None:
    with pytest.raises(RequestError, match="no position has one of the words zzz"):
        extract_cases(Corpus((Sentence.of("a", []),)), System.of("s", ["a"]), confusion_set={"zzz"})


@pytest.mark.realdata
def test_sites_of_a_test_set(data: Path) -> None:
    """Trivial positions raise accuracy and kappa, but neither precision nor recall at the sites."""
    gold, system = read(data / "conll14" / "gold" / "official-2014.0.m2"), read_system(data / "conll14" / "systems" / "AMU.txt")
    articles = find_confusion_set("articles")
    everywhere = extract_cases(gold, system, case="gap", annotator="0", confusion_set=articles)
    phrases = extract_cases(
        gold, system, case="gap", annotator="0", confusion_set=articles, sites=["noun-phrases"], tagger=find_tagger("textblob")
    )
    assert len(everywhere) == len(phrases) + sum(count for reason, count in phrases.left_out if "changes of the system" not in reason)
    assert counts_of(everywhere).tn > 3 * counts_of(phrases).tn
