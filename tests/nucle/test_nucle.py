"""Essays with stand-off annotations on their way to M2."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, FormatError, InputError, MismatchError, Sentence, UsageError, read, write
from errata.cli import main
from errata.corpus.tokenisation import tokenise_as_conll
from errata.formats import OFFICIAL, PROFILES, Language, nucle, read_nucle
from errata.formats.checking import check_file
from errata.formats.conll import ParsedSentence, read_conll, read_conll_annotations
from errata.formats.essays import _FIVE_TYPES, Essay, Mistake, _EssayAnnotation, _format_essays, _make_essays, _update_type, read_essays
from errata.formats.nucle import _find_first_places, _Note, _SourceFile, _split, _to_corpus
from errata.formats.problems import Problem, Problems

from strategies import separate_edits
from thoroughness import mixed

ESSAYS, ALTERNATIVES = "examples/essays.sgml", "examples/alternatives.sgml"


def convert(text: str, *mistakes: tuple[int, int, str, str], **settings: object) -> tuple[Sentence, list[_Note]]:
    """The only sentence of an essay, with mistakes of one annotator."""
    found = tuple(Mistake(0, start, 0, end, type_, correction) for start, end, type_, correction in mistakes)
    notes: list[_Note] = []
    file = _SourceFile("essay", (Essay("1", (text,), (_EssayAnnotation("0", found),)),))
    corpus = _to_corpus([file], report=notes.append, **settings)  # type: ignore[arg-type]
    return corpus[0], notes


def edits(text: str, *mistakes: tuple[int, int, str, str], **settings: object) -> list[tuple[int, int, str]]:
    sentence, _ = convert(text, *mistakes, **settings)
    return [(edit.start, edit.end, edit.corrections[0]) for annotation in sentence.annotations for edit in annotation.edits]


def test_characters_become_tokens() -> None:
    assert edits("He go home.", (3, 5, "SVA", "goes")) == [(1, 2, "goes")]
    assert edits("He goes home.", (7, 7, "ArtOrDet", " to")) == [(2, 2, "to")]


def test_a_part_of_a_token_takes_it_whole() -> None:
    assert edits("He worked hard.", (7, 9, "Vform", "s")) == [(1, 2, "works")]
    assert edits("He can unlock it.", (7, 9, "Wform", "")) == [(2, 3, "lock")]
    assert edits("He works hard.", (8, 8, "Vt", "")) == []


def test_what_text_and_correction_share_is_trimmed_and_told() -> None:
    sentence, notes = convert("In modern world.", (3, 9, "ArtOrDet", "the modern"))
    assert [(edit.start, edit.end, edit.corrections) for edit in sentence.annotations[0].edits] == [(1, 1, ("the",))]
    assert [(note.what, note.reason) for note in notes] == [("trimmed", "'modern' is in the text and in the correction")]


def test_a_correction_is_tokenised_where_it_stands() -> None:
    assert edits("He cannot come.", (3, 9, "Vm", "can't")) == [(1, 3, "ca n't")]
    assert edits("He left.", (3, 7, "Mec", "left early, alone")) == [(2, 2, "early , alone")]


def test_a_correction_may_change_how_its_neighbour_is_tokenised() -> None:
    """The neighbour is not part of the edit, whatever becomes of it: here a new sentence splits off its full stop."""
    text = "We talk to them, who their friends are, etc. From the surface point of view it is no doubt that these sites help us."
    for profile in PROFILES:
        sentence, _ = convert(text, (45, 75, "Wci", "On the face of it,"), profile=profile)
        assert [(edit.start, edit.end, edit.corrections) for edit in sentence.annotations[0].edits] == [(11, 17, ("On the face of it ,",))]
        assert sentence.tokens[10] == "etc."
        assert edits("We eat, etc. And rice.", (8, 8, "Mec", "and "), profile=profile) == [(3, 3, "and")]


@pytest.mark.parametrize(
    ("text", "mistake", "glued", "apart"),
    [
        ("We saw it in few years.", (10, 22, "Trans", "over the years."), (3, 6, "over the years."), (3, 6, "over the years .")),
        ("He cares of others.", (12, 18, "Npos", "others'"), (3, 4, "others'"), (4, 4, "'")),
        ("The answer is yes.", (14, 17, "Mec", "'yes'"), (3, 4, "'yes'"), (3, 4, "'yes '")),
        ("The answer is yes.", (14, 17, "Mec", "no"), (3, 4, "no"), (3, 4, "no")),
        ("The informations age", (4, 16, "Nn", "information"), (1, 2, "information"), (1, 2, "information")),
    ],
)
def test_a_correction_before_the_last_full_stop(
    text: str, mistake: tuple[int, int, str, str], glued: tuple[int, int, str], apart: tuple[int, int, str]
) -> None:
    assert edits(text, mistake, profile="conll13") == edits(text, mistake, profile="conll14") == [glued]
    assert edits(text, mistake, profile="bryant15") == [apart]


def test_a_mistake_starts_before_the_end_of_its_sentence() -> None:
    """So an insertion after the last word is dropped, as in the shared tasks, unless the word is marked with it."""
    sentence, notes = convert("He left", (7, 7, "Mec", "."))
    assert (sentence.annotations, [note.kind for note in notes]) == ((), ["outside"])
    assert edits("He left", (3, 7, "Mec", "left.")) == [(2, 2, ".")]
    file = _SourceFile("essay", (Essay("1", ('"Go." He left.',), (_EssayAnnotation("0", (Mistake(0, 4, 0, 4, "Mec", "!"),)),)),))
    first, second = _to_corpus([file], report=notes.append)
    assert (first.annotations, second.annotations[0].edits) == ((), (Edit(0, 0, ("!",), "Mec"),))
    assert [note.kind for note in notes] == ["outside"]


def test_an_insertion_at_the_end_comes_back_from_sgml(tmp_path: Path) -> None:
    corpus = Corpus((Sentence.of("a b b", [Edit(3, 3, ("b c",), "T"), Edit(0, 1, ("",), "T")]),))
    write(corpus, tmp_path / "x.sgml")
    assert [sentence.annotations for sentence in read_nucle([tmp_path / "x.sgml"], warn=lambda _: None)] == [corpus[0].annotations]


def test_mistakes_beyond_a_sentence_are_dropped_and_told() -> None:
    file = _SourceFile("essay", (Essay("7", ("One. Two.",), (_EssayAnnotation("0", (Mistake(0, 0, 0, 9, "Srun", "x", line=12),)),)),))
    notes: list[_Note] = []
    corpus = _to_corpus([file], report=notes.append)
    assert [sentence.annotations for sentence in corpus] == [(), ()]
    reason = "a mistake of type 'Srun' does not lie inside a single sentence of document 7"
    assert notes == [_Note("essay", 12, "dropped", reason, "outside", "Srun")]


def test_an_edit_that_changes_nothing_is_kept_by_one_profile() -> None:
    nothing = (3, 3, "Mec", "")
    assert edits("He left.", nothing, profile="conll13") == [(1, 1, "")]
    sentence, notes = convert("He left.", nothing, profile="conll14")
    assert sentence.annotations == ()
    assert [note.reason for note in notes] == ["a mistake of type 'Mec' changes nothing"]


def annotated(
    *lists: list[tuple[int, int, str]], alternatives: list[list[tuple[int, int, str]]] | None = None, profile: str = "conll14"
) -> Sentence:
    def file(name: str, found: list[tuple[int, int, str]], text: tuple[str, ...] | None) -> _SourceFile:
        mistakes = tuple(Mistake(0, start, 0, end, "noop" if new == "noop" else "T", new) for start, end, new in found)
        return _SourceFile(name, (Essay("1", text, (_EssayAnnotation("9", mistakes),)),))

    mains = [file(f"main{number}", found, ("He go home.",)) for number, found in enumerate(lists)]
    others = [file(f"alternative{number}", found, None) for number, found in enumerate(alternatives or [])]
    return _to_corpus(mains, others, profile=profile, report=lambda _: None)[0]  # type: ignore[arg-type]


def test_annotators_are_numbered_by_their_different_lists() -> None:
    sentence = annotated([(3, 5, "goes")], [(3, 5, "went")], [(3, 5, "goes")])
    assert [(item.annotator, item.edits[0].corrections[0]) for item in sentence.annotations] == [("0", "goes"), ("1", "went")]


def test_lists_are_different_by_their_characters() -> None:
    """Marked differently, both lists stay, though they are the same edits of tokens."""
    sentence = annotated([(3, 5, "goes")], [(0, 5, "He goes")])
    assert sentence.annotations[0].edits == sentence.annotations[1].edits


def test_an_annotator_who_corrects_nothing_counts_beside_others() -> None:
    assert annotated([]).annotations == ()
    assert [len(item.edits) for item in annotated([], [(3, 5, "goes")]).annotations] == [0, 1]
    assert [len(item.edits) for item in annotated([(3, 5, "goes")], []).annotations] == [1, 0]
    assert [len(item.edits) for item in annotated([(3, 5, "goes")], [], profile="conll13").annotations] == [1]


def test_an_alternative_that_says_nothing_agrees() -> None:
    assert len(annotated([(3, 5, "goes")], alternatives=[[]]).annotations) == 1
    assert [len(item.edits) for item in annotated([(3, 5, "goes")], alternatives=[[(0, 11, "noop")]]).annotations] == [1, 0]


def test_the_example_essays() -> None:
    told: list[Problem] = []
    corpus = read_nucle([ESSAYS], alternatives=[ALTERNATIVES], types=_FIVE_TYPES, warn=told.append)
    assert len(corpus) == 12
    assert [len(sentence.annotations) for sentence in corpus] == [0, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 0]
    assert [problem.message.split(" (")[0] for problem in told] == ["4 corrections were trimmed: they repeat words of the text"]
    assert len(read(ESSAYS, warn=told.append)) == 12


def test_sgml_is_written_as_it_is_read(tmp_path: Path) -> None:
    for path in (ESSAYS, ALTERNATIVES):
        essays = list(read_essays(path, Problems(path)))
        assert "\n".join(_format_essays(essays)) + "\n" == Path(path).read_text(encoding="utf-8")
    nasty = Essay("1", ("a <P> & <b> &lt; </DOC>",), (_EssayAnnotation("x", (Mistake(0, 0, 0, 1, "T", "<TYPE>\nz", "<COMMENT>"),)),))
    target = tmp_path / "x.sgml"
    target.write_text("\n".join(_format_essays([nasty])) + "\n", encoding="utf-8")
    (found,) = read_essays(str(target), Problems("x"))
    assert found.annotations == nasty.annotations
    assert found.paragraphs == nasty.paragraphs


@given(st.lists(separate_edits(), min_size=1, max_size=3))
def test_a_corpus_comes_back_from_sgml_with_its_tokens(tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence]) -> None:
    """Every sentence is a paragraph; given its tokens, the same words are corrected in the same way."""
    kept = [sentence for sentence in sentences if sentence.tokens]
    if not kept:
        return
    folder = tmp_path_factory.mktemp("sgml")
    write(Corpus(tuple(kept)), folder / "x.sgml")
    (folder / "x.txt").write_text("".join(f"{sentence.text}\n" for sentence in kept), encoding="utf-8")
    language = Language(lambda text: [text.strip()], str.split)
    back = read_nucle([folder / "x.sgml"], tokens=folder / "x.txt", profile="conll13", language=language, warn=lambda _: None)
    for one, other in zip(back, kept, strict=True):
        assert one.tokens == other.tokens
        corrected = {other.corrected(annotation) for annotation in other.annotations if annotation.edits}
        assert {one.corrected(annotation) for annotation in one.annotations if annotation.edits} == corrected


def test_tokens_may_be_given(tmp_path: Path) -> None:
    lines = [" ".join(sentence.tokens) for sentence in read_nucle([ESSAYS], warn=lambda _: None)]
    (tmp_path / "tokens.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    given_tokens = read_nucle([ESSAYS], tokens=tmp_path / "tokens.txt", warn=lambda _: None)
    assert given_tokens.sentences == read_nucle([ESSAYS], warn=lambda _: None).sentences
    for changed, message in (
        (
            [*lines[:2], lines[2].replace("many", "few"), *lines[3:]],
            "token 3 of sentence 3 is 'few', but paragraph 1 of document 1 has 'many book and the ch'",
        ),
        (lines[:-1], "ends before paragraph 1 of document 2: 'He did his homework later.'"),
        ([*lines, "One more ."], "has 13 sentences, but the essays end after 12; the next is 'One more .'"),
    ):
        (tmp_path / "tokens.txt").write_text("\n".join(changed) + "\n", encoding="utf-8")
        with pytest.raises(MismatchError) as caught:
            read_nucle([ESSAYS], tokens=tmp_path / "tokens.txt", warn=lambda _: None)
        assert message in str(caught.value)


def test_splitter_and_tokeniser_may_be_replaced() -> None:
    language = Language(lambda text: [text], str.split)
    corpus = read_nucle([ESSAYS], language=language, warn=lambda _: None)
    assert len(corpus) == 5
    assert "town." in corpus[1].tokens
    assert OFFICIAL.tokenise("town.") == ("town", ".")


def test_sentences_end_where_the_rule_says() -> None:
    assert _split("Dr. Who came. He left! Why? ") == ["Dr. Who came.", "He left!", "Why?"]
    assert _split("We eat rice, etc. The end.") == ["We eat rice, etc.", "The end."]
    assert _split("Plan B. He agreed. Plan B. works") == ["Plan B.", "He agreed.", "Plan B. works"]
    assert _split("Well... yes.") == ["Well... yes."]
    assert _split("  ") == []


def test_words_of_the_old_tokeniser() -> None:
    assert tokenise_as_conll("I'll gimme one, don't (you)?") == ("I", "'ll", "gim", "me", "one", ",", "do", "n't", "(", "you", ")", "?")
    assert tokenise_as_conll("3.5 and/or U.S. R&D, e.g. a,b.") == ("3.5", "and/or", "U.S.", "R&D", ",", "e.g.", "a,b", ".")
    assert tokenise_as_conll("students' rights") == ("students", "'", "rights")


CONLL = """\
1\t0\t0\t0\twent\tVBD\t-1\troot\t(S(VP*
1\t0\t0\t1\tin\tIN\t0\tprep\t(PP*
1\t0\t0\t2\tthe\tDT\t3\tdet\t(NP*
1\t0\t0\t3\thouse\tNN\t1\tpobj\t*))))

"""


def test_conll_columns_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text(CONLL, encoding="utf-8")
    (sentence,) = read_conll(str(tmp_path / "x.conll"), Problems("x"))
    assert sentence.tokens == ("went", "in", "the", "house")
    assert sentence.parents == ["VP", "PP", "NP", "NP"]
    assert sentence.openings[2] == ["NP"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t0\t0\n", "a line must have 9 columns separated by tabs, found 3"),
        (CONLL.replace("0\t0\t2", "0\t0\t5"), "expected token 2 of the sentence, found '1 0 0 5'"),
        (CONLL.replace("1\t0\t0\t0", "1\tx\t0\t0"), "columns 2 to 4 must be whole numbers"),
    ],
)
def test_bad_conll_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.conll").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        list(read_conll(str(tmp_path / "x.conll"), Problems("x")))


def test_old_types_become_new_ones() -> None:
    sentence = ParsedSentence("1", 0, 0, ("went", "in", "the", "house"), ("VBD", "IN", "DT", "NN"), ("(S(VP*", "(PP*", "(NP*", "*))))"))
    cases = [
        (Edit(1, 2, ("to",), "Wcip"), "Prep"),
        (Edit(1, 2, ("",), "Rloc"), "Prep"),
        (Edit(1, 2, ("inside of",), "Wcip"), "Wci"),
        (Edit(2, 2, ("to",), "Wcip"), "Prep"),
        (Edit(3, 3, ("to",), "Wcip"), "Wci"),
        (Edit(2, 3, ("",), "Rloc"), "ArtOrDet"),
        (Edit(2, 3, ("a",), "Rloc"), "Rloc-"),
        (Edit(4, 4, ("in",), "Wcip"), "Wci"),
        (Edit(0, 1, ("go",), "Vt"), "Vt"),
    ]
    assert [_update_type(edit, sentence) for edit, _ in cases] == [type_ for _, type_ in cases]


DOCUMENT = """<DOC nid="1">
<TEXT>
<P>
He go home.
</P>
</TEXT>
<ANNOTATION teacher_id="1">
<MISTAKE start_par="0" start_off="3" end_par="0" end_off="5">
<TYPE>SVA</TYPE>
<CORRECTION>goes</CORRECTION>
</MISTAKE>
</ANNOTATION>
</DOC>
"""


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (DOCUMENT.replace('end_off="5"', 'end_off="50"'), 8, "offset 50 lies outside paragraph 0 of document 1, which has 11 characters"),
        (DOCUMENT.replace('end_off="5"', 'end_off="1"'), 8, "a mistake ends before it starts: 0.3 to 0.1"),
        (DOCUMENT.replace('_par="0"', '_par="4"'), 8, "paragraph 4 does not exist; document 1 has 1 paragraph, counted from 0"),
        (DOCUMENT.replace('start_off="3"', 'start_off="x"'), 8, "start_off of a MISTAKE must be a whole number, found 'x'"),
        (DOCUMENT.replace('start_off="3"', ""), 8, "a MISTAKE without start_off"),
        (DOCUMENT.replace("<TYPE>SVA</TYPE>\n", ""), 8, "a MISTAKE without a TYPE"),
        (DOCUMENT.replace("</P>\n", ""), 5, "expected </P> for line 3, found </TEXT>"),
        (DOCUMENT.replace("</DOC>\n", ""), 12, "<DOC> of line 1 is not closed"),
        (DOCUMENT.replace("</CORRECTION>", ""), 11, "expected </CORRECTION> for line 10, found </MISTAKE>"),
        (DOCUMENT.replace("<TEXT>\n", ""), 2, "expected <P> inside <TEXT>, found it inside <DOC> of line 1"),
        (DOCUMENT.replace(' nid="1"', ""), 13, "<DOC> of line 1 has no nid"),
        (DOCUMENT + DOCUMENT, 14, "document 1 occurs twice"),
        ("hello\n" + DOCUMENT, 1, "expected a tag outside of <DOC>, found text: 'hello'"),
        ('<!DOCTYPE x [\n<!ENTITY a "aa">\n]>\n' + DOCUMENT, 1, "declares a document type or entities"),
        (DOCUMENT[DOCUMENT.index("<ANNOTATION") :], 1, "expected <ANNOTATION> inside <DOC>, found it outside of <DOC>"),
        ("", None, "the file is empty"),
        ("\n", None, "no <DOC> found"),
    ],
)
def test_bad_files_are_refused_at_their_line(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    path = tmp_path / "x.sgml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_nucle([path], warn=lambda _: None)
    assert message in str(caught.value)
    assert caught.value.line == line
    _, problems = check_file(str(path))
    assert any(message in problem.message for problem in problems)


def test_files_must_fit(tmp_path: Path) -> None:
    (tmp_path / "a.sgml").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "b.sgml").write_text(DOCUMENT.replace("home", "away"), encoding="utf-8")
    (tmp_path / "c.sgml").write_text(DOCUMENT.replace('nid="1"', 'nid="2"'), encoding="utf-8")
    with pytest.raises(MismatchError, match=r"the text of document 1 differs from .*, first in paragraph 0"):
        read_nucle([tmp_path / "a.sgml", tmp_path / "b.sgml"])
    with pytest.raises(FormatError, match="document 2 is not in"):
        read_nucle([tmp_path / "a.sgml"], alternatives=[tmp_path / "c.sgml"])
    with pytest.raises(FormatError, match="document 1 has no <TEXT>; a file of alternative answers needs --alternatives"):
        read_nucle([ALTERNATIVES])
    with pytest.raises(UsageError, match="no mistake has the type 'Nope'; there are SVA"):
        read_nucle([tmp_path / "a.sgml"], types=["Nope"])


def test_files_of_annotators_are_whole(tmp_path: Path) -> None:
    second = DOCUMENT.replace('nid="1"', 'nid="2"')
    (tmp_path / "a.sgml").write_text(DOCUMENT + second, encoding="utf-8")
    (tmp_path / "b.sgml").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "c.sgml").write_text(DOCUMENT + DOCUMENT, encoding="utf-8")
    with pytest.raises(MismatchError, match="lacks the document 2 of"):
        read_nucle([tmp_path / "a.sgml", tmp_path / "b.sgml"])
    with pytest.raises(FormatError, match="document 1 occurs twice"):
        read_nucle([tmp_path / "b.sgml"], alternatives=[tmp_path / "c.sgml"])


def test_a_correction_before_a_last_word_stays_a_word() -> None:
    assert edits("The informations age", (4, 16, "Nn", "information")) == [(1, 2, "information")]


def test_sentences_with_the_same_text_are_told_of() -> None:
    """They are found at their first occurrence, as the shared tasks found them."""
    sentence, notes = convert("He go. He go.", (3, 5, "SVA", "goes"))
    assert len(sentence.annotations) == 1
    assert [note.what for note in notes] == ["repeated"]
    _, notes = convert("He go. He go.", (10, 12, "SVA", "goes"))
    assert [(note.what, "does not lie inside a single sentence" in note.reason) for note in notes] == [("dropped", True)]


def test_nothing_wrong_is_said_once() -> None:
    sentence = annotated([], alternatives=[[(0, 11, "noop")], [(0, 11, "noop")], [(3, 5, "goes")]])
    assert [len(item.edits) for item in sentence.annotations] == [0, 1]


def test_a_tokeniser_that_changes_words_is_refused() -> None:
    with pytest.raises(MismatchError, match="the tokeniser returned 'my', but paragraph 0 of document 1 has 'My Favourite Place'"):
        read_nucle([ESSAYS], language=Language(_split, lambda text: text.lower().split()), warn=lambda _: None)
    with pytest.raises(MismatchError, match="the splitter returned a sentence that is not in paragraph 0 of document 1"):
        read_nucle([ESSAYS], language=Language(lambda text: [text.upper()], tokenise_as_conll), warn=lambda _: None)


def test_entities_in_a_corpus_come_back(tmp_path: Path) -> None:
    corpus = Corpus((Sentence.of("d &amp; e f", [Edit(3, 4, ("&lt; g",), "T")]),))
    write(corpus, tmp_path / "x.sgml")
    (tmp_path / "x.txt").write_text("d &amp; e f\n", encoding="utf-8")
    language = Language(lambda text: [text], str.split)
    back = read_nucle([tmp_path / "x.sgml"], tokens=tmp_path / "x.txt", language=language, warn=lambda _: None)
    assert back.sentences == corpus.sentences


def test_types_that_nucle_has_may_be_missing() -> None:
    assert all(not sentence.annotations for sentence in read_nucle([ESSAYS], types=["Cit"], warn=lambda _: None))


def test_sentences_have_a_limit(tmp_path: Path) -> None:
    (tmp_path / "x.sgml").write_text(DOCUMENT.replace("He go home.", "a " * 6000), encoding="utf-8")
    with pytest.raises(InputError, match="6,000 tokens in a sentence, more than the limit of 4,000"):
        read_nucle([tmp_path / "x.sgml"])


def test_paragraphs_have_a_limit(tmp_path: Path) -> None:
    (tmp_path / "x.sgml").write_text(DOCUMENT.replace("He go home.", "Yes. He goes.\n" * 100_000), encoding="utf-8")
    with pytest.raises(
        FormatError, match="more than 1,048,576 characters in the <P> of line 3, the limit for 4,000 tokens; raise it with --m"
    ):
        read_nucle([tmp_path / "x.sgml"])


def test_check_refuses_long_sentences(tmp_path: Path) -> None:
    (tmp_path / "x.sgml").write_text(DOCUMENT.replace("He go home.", "a " * 6000), encoding="utf-8")
    _, problems = check_file(str(tmp_path / "x.sgml"))
    assert [(problem.line, problem.severity) for problem in problems] == [(1, "error")]
    assert "6,000 tokens in a sentence, more than the limit of 4,000; raise it with --max-tokens" in problems[0].message
    assert check_file(str(tmp_path / "x.sgml"), max_tokens=6_000)[1] == []


pieces = st.lists(st.text("ab.", max_size=5), max_size=6)


@given(st.text("ab.", max_size=20), pieces)
def test_many_sentences_are_found_like_few(text: str, sentences: list[str]) -> None:
    expected = {sentence: text.find(sentence) for sentence in sentences}
    assert _find_first_places(text, sentences) == _find_first_places(text, sentences, many=0) == expected


def test_a_paragraph_of_many_sentences_is_read_once() -> None:
    """Searching each of them from the beginning would read 200 million characters; comparing each with all mistakes takes longer."""
    sentences = [f"Number {number} is." for number in range(5_000)]
    text = " ".join(sentences)
    mistakes = tuple(
        Mistake(0, start, 0, start + 6, "Nn", "Numbers") for start in range(0, 5_000 * 14, 14) if text.startswith("Number", start)
    )
    file = _SourceFile("essay", (Essay("1", (text,), (_EssayAnnotation("0", mistakes),)),))
    corpus = _to_corpus([file], report=lambda _: None)
    assert len(corpus) == 5_000
    assert sum(len(item.edits) for sentence in corpus for item in sentence.annotations) == len(mistakes)


def test_the_splitter_reads_a_word_with_many_stops_once() -> None:
    """Reading it again at every stop would take many minutes."""
    assert _split("..” " + "..”" * 60_000) == ["..” " + "..”" * 60_000]


def test_many_annotators_and_documents_are_joined_in_one_pass() -> None:
    """Asking every annotator about every document would be 16 million questions."""
    mistakes = tuple(_EssayAnnotation(str(number), (Mistake(0, 0, 0, 2, "T", f"x{number}"),)) for number in range(4_000))
    essays = [Essay("many", ("He go.",), mistakes), *(Essay(str(number), ("He go.",)) for number in range(4_000))]
    corpus = _to_corpus([_SourceFile("essay", tuple(essays))], report=lambda _: None)
    assert (len(corpus), len(corpus[0].annotations)) == (4_001, 4_000)


def test_many_annotators_are_written_in_one_pass() -> None:
    """Reading all sentences for every annotator would be 400 million sentences."""
    sentences = [Sentence(("a",), (Annotation(str(number), (Edit(0, 1, ("b",), "T"),)),)) for number in range(20_000)]
    (essay,) = _make_essays(Corpus(tuple(sentences)))
    assert [len(annotation.mistakes) for annotation in essay.annotations] == [1] * 20_000


def test_mistakes_of_a_long_sentence_are_looked_up() -> None:
    """Counting tokens from the beginning would count two billion."""
    text = "a " * 100_000
    mistakes = tuple(Mistake(0, 2 * number, 0, 2 * number + 1, "T", "b") for number in range(0, 100_000, 20))
    file = _SourceFile("essay", (Essay("1", (text,), (_EssayAnnotation("0", mistakes),)),))
    (sentence,) = _to_corpus([file], max_tokens=100_000, report=lambda _: None)
    assert [edit.start for edit in sentence.annotations[0].edits] == list(range(0, 100_000, 20))


def test_mistakes_of_sentences_with_the_same_text_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nucle, "_MOST_REPEATED", 5)
    assert len(convert("Yes. Yes. Yes.", (0, 3, "T", "No"), (0, 3, "T", "Oh"))[1]) == 2
    with pytest.raises(InputError, match="several sentences of document 1 with the same text, together more than 5 times"):
        convert("Yes. Yes. Yes. Yes.", (0, 3, "T", "No"), (0, 3, "T", "Oh"))


def test_mistakes_in_long_tokens_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them takes the token over into its correction."""
    monkeypatch.setattr(nucle, "_MOST_COPIED", 5_000)
    text = "a" * 2_000
    assert len(edits(text, *[(number, number, "T", "x") for number in range(2)])) == 2
    with pytest.raises(InputError, match="too many mistakes in sentences with very long tokens, such as one of 2,000 characters"):
        edits(text, *[(number, number, "T", "x") for number in range(3)])


def test_elements_that_are_not_closed_are_searched_once(tmp_path: Path) -> None:
    """Searching the end of each of them would read ten billion characters."""
    start = '<ANNOTATION>\n<MISTAKE nid="1" pid="0" sid="0" start_token="0" end_token="1">\n'
    (tmp_path / "x.ann").write_text(start + "<TYPE>\n" * 50_000 + "</MISTAKE>\n</ANNOTATION>\n")
    with pytest.raises(FormatError, match=":50003: a MISTAKE without a TYPE"):
        list(read_conll_annotations(str(tmp_path / "x.ann"), Problems("x.ann")))


def test_constituents_of_deep_trees_are_listed_in_one_pass() -> None:
    """The constituents around each token would be two billion names."""
    parsed = ParsedSentence("1", 0, 0, ("a",) * 4_000, ("NN",) * 4_000, ("(S" * 500_000 + "*", *["*"] * 3_999))
    assert [_update_type(Edit(number, number + 1, ("b",), "Wcip"), parsed) for number in range(4_000)] == ["Wci"] * 4_000


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('<DOC nid="1">', '<DOC nid="1" lang="en">', 1, "unknown attribute 'lang' of <DOC> (skipped)"),
        ('teacher_id="1"', 'teacher="1"', 7, "unknown attribute 'teacher' of <ANNOTATION> (skipped)"),
        ("<CORRECTION>goes</CORRECTION>\n", "", 8, "a MISTAKE without a CORRECTION (read as a deletion)"),
    ],
)
def test_check_lists_what_is_not_read(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in DOCUMENT
    (tmp_path / "x.sgml").write_text(DOCUMENT.replace(old, new), encoding="utf-8")
    _, problems = check_file(str(tmp_path / "x.sgml"))
    assert [(problem.line, problem.severity, problem.message) for problem in problems] == [(line, "warning", message)]


@pytest.mark.parametrize("name", ["CORECTION", "corrections"])
def test_unknown_elements_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.sgml").write_text(DOCUMENT.replace("CORRECTION>", f"{name}>"), encoding="utf-8")
    with pytest.raises(FormatError, match=f"expected a tag inside <MISTAKE>, found text: '<{name}>"):
        read_nucle([tmp_path / "x.sgml"])


def test_unknown_types_are_kept_and_listed(tmp_path: Path) -> None:
    (tmp_path / "a.sgml").write_text(DOCUMENT.replace("SVA", "Zeugma"), encoding="utf-8")
    told: list[Problem] = []
    corpus = read_nucle([tmp_path / "a.sgml"], warn=told.append)
    assert corpus[0].annotations[0].edits[0].type == "Zeugma"
    assert "1 mistake of type 'Zeugma', which is not in NUCLE (kept)" in [problem.message for problem in told]


def test_check_lists_what_is_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ESSAYS, ALTERNATIVES, "--format", "json"]) == 0
    messages = [problem["message"] for problem in json.loads(capsys.readouterr().out)["problems"]]
    assert "trimmed: 'town' is in the text and in the correction" in messages
    assert any(message.startswith("no document has a <TEXT>") for message in messages)


def test_convert_essays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.m2"
    assert main(["convert", ESSAYS, "--alternatives", ALTERNATIVES, "--types", "Prep,Nn", "-o", str(out)]) == 0
    assert "5 corrections trimmed" not in capsys.readouterr().out
    assert {edit.type for sentence in read(out) for annotation in sentence.annotations for edit in annotation.edits} == {"Prep", "Nn"}
    assert main(["convert", ESSAYS, "--tokeniser", "nowhere:split", "-o", str(out)]) == 2
    assert main(["convert", ESSAYS, "--sentence-splitter", "split", "-o", str(out)]) == 2
    assert main(["convert", str(out), str(out), "--to", "m2"]) == 2
    assert main(["convert", str(out), "--tokens", str(out), "--to", "jsonl"]) == 2
    errors = capsys.readouterr().err
    assert "--tokeniser nowhere:split cannot be loaded: ModuleNotFoundError: No module named 'nowhere'" in errors
    assert "--sentence-splitter is written MODULE:FUNCTION, found 'split'" in errors
    assert "several files are read together only if they are SGML" in errors
    assert "--tokens needs essays (SGML)" in errors


def test_what_a_conversion_drops_is_counted_or_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each kind, or one for each mistake."""

    def mistake(start: int, end: int, correction: str) -> str:
        offsets = f'<MISTAKE start_par="0" start_off="{start}" end_par="0" end_off="{end}">'
        return f"{offsets}\n<TYPE>SVA</TYPE>\n<CORRECTION>{correction}</CORRECTION>\n</MISTAKE>\n"

    more = "".join([mistake(3, 20, "x"), mistake(4, 20, "y"), mistake(3, 3, ""), mistake(0, 5, "He goes"), mistake(3, 11, "goes home.")])
    path = tmp_path / "x.sgml"
    path.write_text(
        DOCUMENT.replace("He go home.", "He go home. He go too.").replace("</ANNOTATION>", f"{more}</ANNOTATION>"), encoding="utf-8"
    )
    out = str(tmp_path / "x.m2")
    assert main(["convert", str(path), "-o", out]) == 0
    assert [line.removeprefix(f"errata: warning: {path}: ") for line in capsys.readouterr().err.splitlines()] == [
        "2 mistakes were dropped: they do not lie inside a single sentence (errata convert --list lists them)",
        "1 mistake was dropped: it changes nothing (errata convert --list lists it)",
        "2 corrections were trimmed: they repeat words of the text (errata convert --list lists them)",
    ]
    for option in ("--list", "--verbose"):
        assert main(["convert", str(path), "-o", out, option]) == 0
        assert [line.split(": ")[2:4] for line in capsys.readouterr().err.splitlines()][:3] == [
            [f"{path}:12", "dropped"],
            [f"{path}:16", "dropped"],
            [f"{path}:20", "dropped"],
        ]
    assert main(["convert", out, "--list", "--to", "jsonl"]) == 2
    assert "--list needs essays (SGML)" in capsys.readouterr().err


def test_types_of_any_corpus_can_be_filtered(tmp_path: Path) -> None:
    assert main(["convert", "examples/learner.m2", "--types", "Prep", "--to", "m2", "-o", str(tmp_path / "x.m2")]) == 0
    gold = read(tmp_path / "x.m2")
    assert {edit.type for sentence in gold for annotation in sentence.annotations for edit in annotation.edits} == {"Prep"}
    assert len(gold) == 72
    assert main(["convert", "examples/learner.m2", "--types", "Nope", "--to", "m2"]) == 2


OFFICIAL_FILES = [
    ("original/data/official.sgml", "original/data/official-preprocessed.m2", None),
    ("original/data_5types/official.5types.sgml", "original/data_5types/official-preprocessed.5types.m2", None),
    ("original/data/official.sgml", "original/data_5types/official-preprocessed.5types.m2", _FIVE_TYPES),
    ("revised/data/official.sgml", "revised/data/official-preprocessed.m2", None),
    ("revised/data_5types/official.5types.sgml", "revised/data_5types/official-preprocessed.5types.m2", None),
    ("revised/data/official.sgml", "revised/data_5types/official-preprocessed.5types.m2", _FIVE_TYPES),
]
TOKENS = (None, "original/data/official-preprocessed.conll", "original/data/official-preprocessed.m2")
TEAMS = ("UIUC", "UMC", "NTHU", "STEL", "TOR")


@pytest.mark.realdata
@pytest.mark.parametrize(("source", "target", "types", "tokens"), [(*files, tokens) for files, tokens in mixed(3, OFFICIAL_FILES, TOKENS)])
def test_official_files_byte_for_byte(
    data: Path, tmp_path: Path, source: str, target: str, types: tuple[str, ...] | None, tokens: str | None
) -> None:
    folder = data / "conll13"
    dropped: list[Problem] = []
    corpus = read_nucle(
        [folder / source],
        profile="conll13",
        types=types,
        tokens=folder / tokens if tokens else None,
        list_all=True,
        warn=lambda problem: dropped.append(problem) if problem.message.startswith("dropped") else None,
    )
    write(corpus, tmp_path / "x.m2")
    assert (tmp_path / "x.m2").read_bytes() == (folder / target).read_bytes()
    assert len(dropped) == (1 if types or "5types" in source else 9 if "revised" in source else 8)


@pytest.mark.realdata
@pytest.mark.parametrize("source", ["data_5types/official.5types.sgml", "data/official.sgml"])
def test_official_files_with_alternatives_byte_for_byte(data: Path, tmp_path: Path, source: str) -> None:
    folder = data / "conll13" / "revised"
    alternatives = [folder / "data_5types" / f"alternatives.{team}.sgml" for team in TEAMS]
    corpus = read_nucle([folder / source], alternatives=alternatives, profile="conll13", types=_FIVE_TYPES, warn=lambda _: None)
    write(corpus, tmp_path / "x.m2")
    assert (tmp_path / "x.m2").read_bytes() == (folder / "data_5types" / "combined.5types.m2").read_bytes()


@pytest.mark.realdata
def test_mistakes_of_the_2013_test_essays_as_published(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ng et al. 2013, Tables 2 and 3, count the mistakes as they are written; one Prep crosses a sentence boundary."""
    essays = str(data / "conll13" / "original" / "data" / "official.sgml")
    assert main(["stats", essays, "--profile", "conll13", "--types", ",".join(_FIVE_TYPES), "--quiet"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    for line in ("essays 50", "sentences 1,381", "tokens 29,207", "mistakes as written 3,470", "mistakes kept 3,462", "edits 3,462"):
        assert line.split() in lines
    published = {"ArtOrDet": (690, 19.9), "Prep": (312, 9.0), "Nn": (396, 11.4), "Vform": (122, 3.5), "SVA": (124, 3.6)}
    for name, (count, share) in published.items():
        (row,) = (line for line in lines if line[0] == name)
        assert (int(row[1]), round(float(row[2]), 1)) == (count, share)
        assert row[3] == row[4] == str(count - (name == "Prep"))
    assert ["these", "5", "types", "1,644", "47.38", "1,643", "1,643", "47.46"] in lines
    assert ["all", "3,470", "100.00", "3,462", "3,462", "100.00"] in lines
    five = str(data / "conll13" / "original" / "data_5types" / "official.5types.sgml")
    assert main(["stats", five, "--format", "json", "--quiet"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["essays"], record["mistakes_as_written"], record["mistakes_kept"], record["edits"]) == (50, 1644, 1643, 1643)
    assert record["mistakes"]["written"]["Prep"] == 312


@pytest.mark.realdata
def test_official_annotations_of_tokens(data: Path) -> None:
    folder = data / "conll13"
    path = str(folder / "original" / "data" / "official-preprocessed.conll")
    sentences = list(read_conll(path, Problems(path)))
    assert len(sentences) == 1381
    for name, m2 in (
        ("original/data/official-preprocessed.conll.ann", "original/data/official-preprocessed.m2"),
        ("original/data_5types/official-preprocessed.5types.conll.ann", "original/data_5types/official-preprocessed.5types.m2"),
        ("revised/data/official-preprocessed.conll.ann", "revised/data/official-preprocessed.m2"),
        ("revised/data_5types/official-preprocessed.5types.conll.ann", "revised/data_5types/official-preprocessed.5types.m2"),
    ):
        placed = {item[:3]: item.edits for item in read_conll_annotations(str(folder / name), Problems(name))}
        gold = read(folder / m2)
        for sentence, parsed in zip(gold, sentences, strict=True):
            assert sentence.tokens == parsed.tokens
            assert (sentence.annotations[0].edits if sentence.annotations else ()) == placed.get(
                (parsed.document, parsed.paragraph, parsed.number), ()
            )


def test_old_types_are_mapped_on_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = DOCUMENT.replace("He go home.", "went in the house").replace(
        'start_off="3" end_par="0" end_off="5"', 'start_off="5" end_par="0" end_off="7"'
    )
    (tmp_path / "x.sgml").write_text(text.replace("SVA", "Wcip").replace("goes", "to"), encoding="utf-8")
    (tmp_path / "x.conll").write_text(CONLL, encoding="utf-8")
    arguments = ["convert", str(tmp_path / "x.sgml"), "-o", str(tmp_path / "x.m2")]
    assert main([*arguments, "--map-types", str(tmp_path / "x.conll")]) == 0
    assert read(tmp_path / "x.m2")[0].annotations[0].edits == (Edit(1, 2, ("to",), "Prep"),)
    (tmp_path / "x.conll").write_text(CONLL.replace("house", "home"), encoding="utf-8")
    assert main([*arguments, "--map-types", str(tmp_path / "x.conll")]) == 2
    assert "token 4 of sentence 1 is 'home', but the text has 'house'" in capsys.readouterr().err


@pytest.mark.realdata
def test_sentences_of_2014_are_neither_cut_nor_joined(data: Path) -> None:
    """Their essays are not at hand, but their sentences are."""
    texts = [re.sub(r" ([?!.])( |$)", r"\1\2", sentence.text) for sentence in read(data / "conll14" / "gold" / "official-2014.combined.m2")]
    assert [text for text in texts if len(_split(text)) != 1] == []
    assert [pair for pair in pairwise(texts) if pair[0].endswith((".", "?", "!")) and len(_split(" ".join(pair))) != 2] == []


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("source", "target", "profile"),
    [
        ("annotators/A7.sgml", "annotators/A7.m2", "bryant15"),
        ("annotators/A10.sgml", "annotators/A10.m2", "bryant15"),
        ("annotators/A7.sgml", "gold/official-2014.0.m2", "conll14"),
    ],
)
def test_annotators_of_2014_byte_for_byte(data: Path, tmp_path: Path, source: str, target: str, profile: str) -> None:
    """A7 is the first annotator of the shared task; both releases are made from the same mistakes."""
    write(read_nucle([data / "conll14" / source], profile=profile, warn=lambda _: None), tmp_path / "x.m2")  # type: ignore[arg-type]
    assert (tmp_path / "x.m2").read_bytes() == (data / "conll14" / target).read_bytes()


def test_stats_count_essays_and_mistakes_as_written_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(ESSAYS).read_text(encoding="utf-8")
    first = re.search(r"<MISTAKE.*?</MISTAKE>\n", text, re.DOTALL)
    assert first is not None
    across = re.sub(r'end_par="\d+"', 'end_par="2"', first[0]).replace("ArtOrDet", "Wtone")
    path = tmp_path / "essays.sgml"
    path.write_text(text.replace(first[0], across, 1), encoding="utf-8")
    assert main(["stats", str(path), "--format", "json", "--quiet"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["essays"], record["mistakes_as_written"], record["mistakes_kept"], record["edits"]) == (2, 16, 15, 15)
    assert record["mistakes"]["written"]["Wtone"] == 1
    assert "Wtone" not in record["mistakes"]["kept"]
    assert main(["stats", str(path), "--types", "Wtone,Prep", "--quiet"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Wtone", "1", "6.25", "0", "0", "0.00"] in rows
    assert ["these", "2", "types", "5", "31.25", "4", "4", "26.67"] in rows
    assert main(["stats", str(path), "--format", "csv", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("type,mistakes,mistake_share,kept,edits,share\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [ESSAYS, "--types", "Prap"],
            "no edit of examples/essays.sgml has the type 'Prap'; it has ArtOrDet, Nn, Prep, SVA",
        ),
        (["examples/learner.m2", "--profile", "conll13"], "--profile needs essays (SGML), but examples/learner.m2 is not SGML"),
    ],
)
def test_stats_refuse_what_a_corpus_does_not_have(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", *arguments]) == 2
    assert message in capsys.readouterr().err
