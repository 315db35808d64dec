"""Random sentences, edits and settings: few words, so that they repeat and alignments are ambiguous."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from errata import Annotation, Corpus, Edit, Sentence
from errata.corpus.alternatives import apply, group_errors

words = st.sampled_from(["a", "b", "c", "d", "e"])
tokens = st.lists(words, max_size=8).map(tuple)

CoreEdit = tuple[int, int, tuple[tuple[str, ...], ...]]


@st.composite
def hypotheses(draw: st.DrawFn, source: tuple[str, ...], longest: int = 8) -> tuple[str, ...]:
    """Something else entirely, or the source with some tokens dropped, replaced, doubled or preceded."""
    if draw(st.booleans()):
        return tuple(draw(st.lists(words, max_size=longest)))
    result: list[str] = []
    for token in source:
        action = draw(st.integers(0, 9))
        new = draw(words)
        result += {0: [], 1: [new], 2: [token, token], 3: [new, token], 4: [new, draw(words)]}.get(action, [token])
    return tuple(result)


@st.composite
def core_edits(draw: st.DrawFn, source: tuple[str, ...], hypothesis: tuple[str, ...]) -> tuple[CoreEdit, ...]:
    """Gold edits, many of them with a piece of the hypothesis as correction; they may overlap and repeat."""
    edits: list[CoreEdit] = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(source)))
        end = min(len(source), start + draw(st.sampled_from([0, 0, 1, 1, 2, 3])))
        corrections = []
        for _ in range(draw(st.sampled_from([1, 1, 2]))):
            place = draw(st.integers(0, len(hypothesis)))
            piece = hypothesis[place : place + draw(st.integers(0, 3))]
            corrections.append(draw(st.one_of(st.just(piece), st.lists(words, max_size=2).map(tuple))))
        edits.append((start, end, tuple(corrections)))
    return tuple(edits)


@st.composite
def cases(draw: st.DrawFn, longest: int = 8) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[CoreEdit, ...], ...], int]:
    """A source, a hypothesis, the edits of two annotators and max_unchanged."""
    source = tuple(draw(st.lists(words, max_size=longest)))
    hypothesis = draw(hypotheses(source, longest))
    annotators = (draw(core_edits(source, hypothesis)), draw(core_edits(source, hypothesis)))
    return source, hypothesis, annotators, draw(st.sampled_from([2, 2, 2, 0, 1, 3, 50]))


nasty = st.one_of(
    st.sampled_from(
        ["", " ", "0", " 0", "noop", "-NONE-", "|", "a|", "| y", "||", "a|||b", "x\ny", "x\ry", "x\r", "\0", "\ud800", "A 0 0", "S b", "  "]
    ),
    st.text(max_size=3),
)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="|"), min_size=1, max_size=6)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Any sentence that M2 can express."""
    source = tuple(draw(st.lists(texts, max_size=6)))
    annotations = []
    for annotator in draw(st.lists(st.sampled_from("0123"), unique=True, max_size=3)):
        edits = []
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(0, len(source)))
            end = draw(st.integers(start, len(source)))
            corrections = draw(st.lists(st.lists(texts, max_size=3).map(" ".join), min_size=1, max_size=3))
            corrections = ["" if text == "-NONE-" else text for text in corrections]
            edits.append(
                Edit(
                    start,
                    end,
                    tuple(corrections),
                    draw(st.sampled_from(["Nn", "SVA", "X y"])),
                    draw(st.sampled_from(["REQUIRED", "OPTIONAL"])),
                )
            )
        annotations.append(Annotation(annotator, tuple(edits)))
    return Sentence(source, tuple(annotations))


@st.composite
def crowds(draw: st.DrawFn) -> Sentence:
    """A sentence of few words, often repeated, with short edits of up to ten annotators that overlap or repeat each other."""
    source = tuple(draw(st.lists(words, min_size=1, max_size=9)))
    edits = st.builds(
        lambda start, length, text: Edit(min(start, len(source)), min(start + length, len(source)), (" ".join(text),)),
        st.integers(0, len(source)),
        st.sampled_from([0, 1, 1, 1, 2]),
        st.lists(words, max_size=2),
    )
    some = draw(st.lists(edits, min_size=1, max_size=6))
    annotators = draw(st.lists(st.lists(st.sampled_from(some), max_size=3), min_size=2, max_size=10))
    return Sentence.of(source, *annotators)


@st.composite
def nasty_corpora(draw: st.DrawFn) -> Corpus:
    """Corpora made in Python with whatever fits the types."""
    items = []
    for _ in range(draw(st.integers(1, 2))):
        source = tuple(draw(st.lists(nasty, max_size=3)))
        annotations = []
        for annotator in draw(st.lists(nasty, unique=True, max_size=2)):
            edits = []
            for _ in range(draw(st.integers(0, 2))):
                start = draw(st.integers(0, len(source)))
                end = draw(st.integers(start, len(source)))
                edits.append(Edit(start, end, tuple(draw(st.lists(nasty, min_size=1, max_size=2))), draw(nasty), draw(nasty), draw(nasty)))
            ignored = tuple((place, draw(nasty)) for place in range(draw(st.integers(0, 1))))
            annotations.append(Annotation(annotator, tuple(edits), ignored))
        items.append(Sentence(source, tuple(annotations)))
    return Corpus(tuple(items))


corpora = st.lists(sentences(), min_size=1, max_size=5).map(lambda items: Corpus(tuple(items)))


@st.composite
def separate_edits(draw: st.DrawFn) -> Sentence:
    """A sentence of distinct words with edits that are minimal and more than two kept words apart."""
    source: list[str] = []
    edits = []
    for number in range(draw(st.integers(1, 4))):
        source += [f"kept{number}.{k}" for k in range(4)]
        start = len(source)
        old = draw(st.integers(0, 2))
        new = draw(st.integers(0 if old else 1, 2))
        source += [f"old{number}.{k}" for k in range(old)]
        edits.append(Edit(start, start + old, (" ".join(f"new{number}.{k}" for k in range(new)),), "X"))
    source += [f"end.{k}" for k in range(4)]
    return Sentence(tuple(source), (Annotation("0", tuple(edits)),))


def mixed_references(sentence: Sentence) -> list[tuple[str, ...]]:
    """Every reference that mixes alternatives, equal ones once, listed: one alternative of every error, no span twice."""
    errors = group_errors(sentence)
    found = (apply(sentence.tokens, choice) for choice in product(*errors))
    return list(dict.fromkeys(tokens for tokens in found if tokens is not None)) or [sentence.tokens]
