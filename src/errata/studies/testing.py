"""The laws that hold for every metric and every system of error types, for tests of plug-ins."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus.corpus import Annotation, Corpus, Edit, Part, Sentence, System, extract_edits, to_tokens
from errata.corpus.parses import Span
from errata.errors import UsageError
from errata.language.types import TypeSystem, find_type_system
from errata.metrics import registry
from errata.metrics.base import Metric
from errata.metrics.draws import Draws, Expectation
from errata.metrics.registry import METRICS, check_contract
from errata.scoring.evaluator import Evaluator, gather
from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from errata.corpus.texts import Tokens
    from errata.metrics.base import Outcomes
    from errata.scoring.scores import Score


_WORDS = ("the", "The", "cat", "cats", "sit", "sits", "on", "in", "mat", "mats", "old", "very", "n't", ",", ".")
_OTHER_WORDS = ("a", "an", "dog", "dogs", "ran", "runs", "at", "new", "quite", ";")
_RANDOM_CORPORA = 8


def make_sample_corpora() -> list[Corpus]:
    """Make a corpus in which annotators disagree, change nothing or are missing, and some random corpora, always the same."""
    written = Corpus(
        (
            Sentence.of("This machines is old .", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))]),
            Sentence.of("She like cake .", [Edit(1, 2, ("likes", "liked"), "SVA")], []),
            Sentence.of("Nothing is wrong here .", []),
            Sentence.of("He go to school yesterday", [Edit(1, 2, ("went",), "Vt"), Edit(5, 5, (".",), "Mec")]),
            Sentence.of("Nobody looked at this one ."),
            Sentence.of("My friend like green apples .", [Edit(2, 3, ("likes",), "SVA")], [Edit(2, 3, ("liked",), "Vt")]),
            Sentence.of("We was walking park in silence .", [Edit(1, 2, ("were",), "SVA"), Edit(3, 3, ("through the",), "Prep")]),
            Sentence.of("They will must leave soon .", [Edit(1, 2, ("",), "Vm")], []),
            Sentence.of("I can can swim .", [Edit(1, 2, ("",), "Rloc-")], [Edit(1, 3, ("can",), "Rloc-")]),
        ),
        "sample",
    )
    draw = random.Random(2012)  # noqa: S311 - a sample
    return [written, *(_make_corpus(draw) for _ in range(_RANDOM_CORPORA))]


def _make_corpus(draw: random.Random) -> Corpus:
    return Corpus(tuple(_make_sentence(draw) for _ in range(draw.randint(1, 4))), "random")


def _make_sentence(draw: random.Random) -> Sentence:
    plain = draw.random() < 0.5  # noqa: PLR2004 - half of them have no word twice
    length = draw.randint(2, 9)
    tokens = tuple(draw.sample(_WORDS, length) if plain else draw.choices(_WORDS, k=length))
    annotations = tuple(Annotation(str(number), _draw_edits(draw, tokens)) for number in range(draw.randint(1, 3)))
    return Sentence(tokens, annotations)


def _draw_edits(draw: random.Random, tokens: tuple[str, ...]) -> tuple[Edit, ...]:
    """Draw edits that change something, with two or more tokens between them."""
    edits = []
    start = draw.randint(0, 3)
    while start < len(tokens) - 1:
        end = min(len(tokens), start + draw.randint(0, 2))
        words = draw.sample(draw.choice((_WORDS, _OTHER_WORDS, _OTHER_WORDS)), draw.randint(0, 2))
        if words != list(tokens[start:end]) and (words or end - start < len(tokens)):
            edits.append(Edit(start, end, (" ".join(words),), draw.choice(("Nn", "SVA", "Prep"))))
        start = end + draw.randint(3, 5)
    return tuple(edits)


def make_sample_systems(corpus: Corpus) -> list[System]:
    """Make three systems: one drops half of the words, one corrects every other sentence, one has empty output."""
    every_other = [
        sentence.corrected(sentence.annotations[0]) if number % 2 and sentence.annotations else sentence.tokens
        for number, sentence in enumerate(corpus)
    ]
    return [
        System("halved", tuple(sentence.tokens[::2] for sentence in corpus)),
        System("every other", tuple(every_other)),
        System("silent", ((),) * len(corpus)),
    ]


def list_variants(kind: type[Metric]) -> list[str]:
    """List a metric with its defaults, and with every other value of each choice and flag, as texts."""
    texts = [kind.name]
    for name, setting in list_settings(kind).items():
        values = (not setting.default,) if setting.kind == "flag" else setting.values
        texts += [f"{kind.name}({name}={write_value(value)})" for value in values if value != setting.default]
    return [text for text in texts if _is_possible(kind, text)]


def _is_possible(kind: type[Metric], text: str) -> bool:
    """Whether this value can be combined with the defaults of the other settings."""
    from errata.metrics import registry

    try:
        registry.metric(text)
    except UsageError:
        return kind.name == text
    return True


# --- Laws that hold for every metric.  Each is a function of a metric, a corpus and systems that raises a ``BrokenLawError``.

Law = Callable[[Metric, Corpus, Sequence[System]], None]
"""A function that raises a ``BrokenLawError`` if a metric breaks the law on a corpus with some systems."""
_FLAWLESS = Sentence.of("Nothing is wrong here .", [])
_ROUNDED = 1e-9
_THREADS = 4
_BEST = "a metric without references needs referenceless = True, one without a best value best = None"


class DoesNotApply(Exception):  # noqa: N818 - not an error
    """The reason why a law does not apply to a metric."""


class BrokenLawError(AssertionError):
    """A metric breaks a law."""


def a_perfect_system_has_the_best_value(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that an output that equals the only reference, or the source if there are no references, has the best value."""
    del systems
    if metric.best is None:
        raise DoesNotApply("it has no best value")
    if metric.referenceless:
        perfect = System("perfect", tuple(sentence.tokens for sentence in corpus))
        own = corpus
    else:
        annotated = [sentence for sentence in corpus if sentence.annotations and _is_plain(sentence, sentence.annotations[0])]
        perfect = System("perfect", tuple(sentence.corrected(sentence.annotations[0]) for sentence in annotated))
        own = Corpus(tuple(Sentence(sentence.tokens, sentence.annotations[:1]) for sentence in annotated))
        if not annotated:
            return  # this corpus has no such sentence
    value = Evaluator(own, metric, warn=None)(perfect).value
    _agree(abs(value - metric.best) <= _ROUNDED, f"a perfect system has {value}, but the best value is {metric.best} ({_BEST})")


def the_source_has_no_false_positives(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that the unchanged source has neither true nor false positives."""
    del systems
    source = System("source", tuple(sentence.tokens for sentence in corpus))
    outcomes = _get_outcomes(Evaluator(corpus, metric, warn=None)(source))
    _agree(outcomes[:2] == (0, 0), f"the unchanged source has {outcomes}")


def an_unchanged_correct_sentence_changes_nothing(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that an unchanged correct sentence adds no outcome."""
    annotators = tuple(Annotation(name) for name in corpus.annotators)
    longer = Corpus((*corpus.sentences, Sentence(_FLAWLESS.tokens, annotators)))
    for system in systems:
        extended = System(system.name, (*system.sentences, _FLAWLESS.tokens))
        with_it, without = (
            _get_outcomes(Evaluator(longer, metric, warn=None)(extended)),
            _get_outcomes(Evaluator(corpus, metric, warn=None)(system)),
        )
        _agree(with_it == without, f"{system.name} has {with_it} with a correct sentence and {without} without it")


def the_order_of_systems_does_not_matter(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that systems scored before have no effect."""
    evaluate, again = Evaluator(corpus, metric, warn=None), Evaluator(corpus, metric, warn=None)
    forwards = {system.name: evaluate(system).evidence.rows for system in systems}
    backwards = {system.name: again(system).evidence.rows for system in reversed(systems)}
    _agree(forwards == backwards, "systems have different counts in another order")


def outputs_prepared_together_are_scored_separately(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that outputs of one scorer do not affect each other."""
    scorer = metric.scorer(corpus)
    prepared = [scorer.prepare(system.sentences) for system in systems]
    for system, output in zip(systems, prepared, strict=True):
        alone = tuple(gather(metric, corpus, system).rows)
        _agree(tuple(output.rows(0, len(corpus))) == alone, f"{system.name} has different counts if other systems are prepared")


def rows_do_not_depend_on_how_sentences_are_batched(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that single sentences have the same counts as all together."""
    scorer = metric.scorer(corpus)
    for system in systems:
        single = tuple(
            row for number, tokens in enumerate(system.sentences) for row in scorer.prepare([tokens], number).rows(number, number + 1)
        )
        _agree(tuple(gather(metric, corpus, system).rows) == single, f"{system.name} has different counts sentence by sentence")


def parts_of_a_gold_are_counted_alone(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that a part of a gold in which every annotator has a text for all sentences has the counts that it has in the whole."""
    if not metric.in_parts:
        raise DoesNotApply("it needs the whole gold")
    whole = Corpus(tuple(_complete(sentence, corpus.annotators) for sentence in corpus), corpus.name)
    evaluate, cuts = Evaluator(whole, metric, warn=None), ((0, 1), (1, len(whole)))
    for start, stop in (cut for cut in cuts if cut[0] < cut[1]):
        numbers = Part(tuple(range(start + 1, stop + 1)), stop)
        part = Evaluator(Corpus(whole.sentences[start:stop], corpus.name, part=numbers), metric, warn=None)
        _agree(metric.data(part.corpus) == metric.data(whole), "its signature says something else about a part of the gold")
        for system in systems:
            expected = evaluate.count(evaluate.prepare(system), start, stop)
            found = part.count(part.prepare_from(system.sentences[start:stop], 0), 0, stop - start)
            _agree(found == expected, f"{system.name} has different counts if sentences {start + 1} to {stop} are scored alone")


def _complete(sentence: Sentence, annotators: Sequence[str]) -> Sentence:
    own = {annotation.annotator: annotation for annotation in sentence.annotations}
    return Sentence(sentence.tokens, tuple(own.get(name, Annotation(name)) for name in annotators))


def rows_are_whole_numbers_with_a_name_for_each(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that every sentence has one or more rows with a whole number for each column."""
    for system in systems:
        evidence = gather(metric, corpus, system)
        for rows, labels in zip(evidence.rows, evidence.labels, strict=True):
            _agree(len(rows) == len(labels) > 0, f"a sentence has {len(rows)} rows and {len(labels)} labels")
            for row in rows:
                whole = all(isinstance(count, int) for count in row)
                _agree(whole and len(row) == len(metric.columns), f"a row is {row}, but the columns are {metric.columns}")


def renaming_words_changes_nothing(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that counts depend only on which words are equal; letters stay letters, and capitals stay capitals."""
    if metric.spelling_matters:
        raise DoesNotApply(metric.spelling_matters)
    other = Corpus(tuple(_rename_sentence(sentence) for sentence in corpus))
    for system in systems:
        renamed = System(system.name, tuple(tuple(map(_rename_words, tokens)) for tokens in system.sentences))
        there, here = Evaluator(other, metric, warn=None)(renamed).counts, Evaluator(corpus, metric, warn=None)(system).counts
        _agree(there == here, f"{system.name} has {there} with renamed words and {here} without")


def values_follow_value(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that ``values`` of many sums equals ``value`` of each, also for zero counts."""
    import numpy as np

    draw = random.Random(len(corpus))  # noqa: S311 - a sample
    rows = [row for system in systems for sentence in gather(metric, corpus, system).rows for row in sentence]
    sums = [tuple(map(sum, zip(*draw.choices(rows, k=draw.randint(1, 5)), strict=True))) for _ in range(20)]
    everything = [*rows, *sums, (0,) * len(metric.columns)]
    many = metric.values(np.array(everything, dtype=np.float64))
    for counts, value in zip(everything, many, strict=True):
        alone = metric.value(counts)
        _agree(
            bool(np.isclose(alone, value, rtol=_ROUNDED, atol=_ROUNDED, equal_nan=True)),
            f"value of {counts} is {alone}, but values gives {value}",
        )


def sentences_add_up_to_the_corpus(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that the summed rows of the matrix have the value of the corpus."""
    import numpy as np

    for system in systems:
        evidence = gather(metric, corpus, system)
        (value,) = evidence.values(evidence.matrix.sum(axis=0)[None, :])
        same = bool(np.isclose(value, evidence.value, rtol=_ROUNDED, atol=_ROUNDED, equal_nan=True))
        how = evidence.strategy
        approximate = isinstance(how, Expectation) or (isinstance(how, Draws) and how.smooth)  # normal distributions in large corpora
        _agree(same or approximate, f"{system.name} has {evidence.value}, but its sentences add up to {value}")


def a_metric_is_what_it_prints(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that its text and its signature are read as the same metric, without data."""
    del corpus, systems
    if metric.name not in METRICS:
        raise DoesNotApply("it is not installed, so its text cannot be read")
    bare = metric.with_data(**dict.fromkeys(metric.needs)) if metric.needs else metric
    for text in (str(metric), metric.signature):
        _agree(registry.metric(text) == bare, f"{text} is read as {registry.metric(text)!r}, not as {bare!r}")


def data_make_a_difference(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that metrics with other data are not equal, and that the signature names the data."""
    del systems
    if not metric.needs:
        raise DoesNotApply("it needs no data")
    for name in metric.needs:
        _agree(metric.with_data(**{name: None}) != metric, f"metrics with different {name} are equal")
    _agree(bool(metric.data(corpus)), "its signature does not name its data")


def scores_can_be_copied_and_sent(metric: Metric, corpus: Corpus, systems: Sequence[System]) -> None:
    """Check that metrics, evaluators, outputs and scores can be pickled and copied, and threads can share an evaluator."""
    evaluate = Evaluator(corpus, metric, warn=None)
    expected = [evaluate(system) for system in systems]
    try:
        elsewhere: list[Evaluator] = [pickle.loads(pickle.dumps(evaluate)), copy.deepcopy(evaluate)]  # noqa: S301 - its own
        sent: list[Score] = [pickle.loads(pickle.dumps(score)) for score in expected]  # noqa: S301
    except Exception as error:
        raise BrokenLawError(f"it cannot be pickled: {type(error).__name__}: {error}") from error
    rows = [score.evidence for score in expected]
    for other in elsewhere:
        _agree([other(system).evidence for system in systems] == rows, "a copy gives different counts")
    _agree([score.evidence for score in sent] == rows, "scores change when they are pickled")
    again = [score.output.rows(0, len(corpus)) for score in sent]
    _agree([tuple(rows) for rows in again] == [score.evidence.rows for score in expected], "outputs change when they are pickled")
    with ThreadPoolExecutor(_THREADS) as pool:
        _agree([score.evidence for score in pool.map(evaluate, [*systems] * 3)] == rows * 3, "threads get different counts")


LAWS: tuple[Law, ...] = (
    rows_are_whole_numbers_with_a_name_for_each,
    values_follow_value,
    a_perfect_system_has_the_best_value,
    the_source_has_no_false_positives,
    an_unchanged_correct_sentence_changes_nothing,
    the_order_of_systems_does_not_matter,
    outputs_prepared_together_are_scored_separately,
    rows_do_not_depend_on_how_sentences_are_batched,
    parts_of_a_gold_are_counted_alone,
    renaming_words_changes_nothing,
    sentences_add_up_to_the_corpus,
    a_metric_is_what_it_prints,
    data_make_a_difference,
    scores_can_be_copied_and_sent,
)
"""All laws that hold for every metric."""


def check_metric(metric: str | Metric, corpora: Corpus | Sequence[Corpus] | None = None) -> dict[str, str]:
    """Check every law of a metric, on your corpora or on samples; the first broken law raises a ``BrokenLawError``.

    The result maps every law, in words, to the reason why it does not apply to this metric, or to an empty text.
    """
    metric = registry.metric(metric)
    check_contract(metric)
    if missing := [name for name in metric.needs if getattr(metric, name) is None]:
        raise UsageError(f"{metric.name} needs {', '.join(missing)} to be checked: check_metric(metric.with_data({missing[0]}=...))")
    own = [corpora] if isinstance(corpora, Corpus) else corpora
    report = {}
    for law in LAWS:
        name = law.__name__.replace("_", " ")
        report[name] = ""
        for corpus in own or make_sample_corpora():
            try:
                law(metric, corpus, make_sample_systems(corpus))
            except DoesNotApply as reason:
                report[name] = str(reason)
                break
            except AssertionError as error:
                raise BrokenLawError(f"{metric} breaks a law: {name}: {error}") from error
    return report


def _agree(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - what it is about
    if not holds:
        raise BrokenLawError(otherwise)


def _get_outcomes(score: Score) -> Outcomes:
    outcomes = score.metric.outcomes(score.counts)
    if outcomes is None:
        raise DoesNotApply("it does not count true and false positives")
    return outcomes


def _is_plain(sentence: Sentence, annotation: Annotation) -> bool:
    """Whether a sentence has edits that every metric must find.

    No word occurs twice, no punctuation mark changes, and there are words before, between and after edits.
    """
    new = [word for edit in annotation.edits for word in edit.corrections[0].split()]
    old = [word for edit in annotation.edits for word in sentence.tokens[edit.start : edit.end]]
    once = len({*sentence.tokens, *new}) == len(sentence.tokens) + len(new)
    ends = [0, *(end for edit in annotation.edits for end in (edit.start, edit.end)), len(sentence.tokens)]
    inside = all(end < start for end, start in zip(ends[::2], ends[1::2], strict=True))
    return bool(annotation.edits) and once and inside and all(word.isalpha() for word in (*old, *new))


def _rename_words(word: str) -> str:
    """Replace every letter by another one."""
    return "".join(_next_letter(letter) if letter.isascii() and letter.isalpha() else letter for letter in word)


def _next_letter(letter: str) -> str:
    first = ord("a") if letter.islower() else ord("A")
    return chr(first + (ord(letter) - first + 13) % 26)


def _rename_sentence(sentence: Sentence) -> Sentence:
    def renamed(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(_rename_words, texts))

    annotations = tuple(
        replace(annotation, edits=tuple(replace(edit, corrections=renamed(edit.corrections)) for edit in annotation.edits))
        for annotation in sentence.annotations
    )
    tokens: Tokens = renamed(sentence.tokens)
    return Sentence(tokens, annotations)


# --- Laws that hold for every system of error types, for tests of systems in other packages.

_Pair = tuple["Tokens", "Tokens"]
_SAMPLES = (
    ("She like cake .", "She likes cake ."),
    ("We walk in park", "We walked in the park ."),
    ("Nothing is wrong here .", "Nothing is wrong here ."),
    ("I can can swim .", "I can swim ."),
    ("Він пішов до школа .", "Він ходив до школи ."),
    ("我 喜 欢 吃 平 果 。", "我 喜 欢 吃 苹 果 。"),
    ("", "Everything was missing ."),
    ("Everything is unnecessary .", ""),
)
"""Sentences with their corrections; a system gives every edit a type, or none, whatever the language."""


def check_types(system: str | TypeSystem, pairs: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Check that a system keeps the laws, on samples and on your own sentences with corrections; return the laws.

    The first broken law raises a ``BrokenLawError``.

    >>> check_types("nucle")[0]
    'it has a name, a language and types with meanings'
    """
    found = find_type_system(system) if isinstance(system, str) else system
    texts = [(to_tokens(source), to_tokens(target)) for source, target in (*_SAMPLES, *pairs)]
    spans = [_find_spans(*pair) for pair in texts]
    laws: dict[str, Callable[[], str]] = {
        "it has a name, a language and types with meanings": lambda: _describe(found),
        "every edit has one type, in order": lambda: _count(found, texts, spans),
        "every type has a meaning": lambda: _explain(found, texts, spans),
        "no edits have no types": lambda: "" if list(map(list, found.types(texts, [[] for _ in texts]))) == [[] for _ in texts] else "some",
        "types do not depend on what else is asked for": lambda: _ask_alone(found, texts, spans),
    }
    for law, check in laws.items():
        if broken := check():
            raise BrokenLawError(f"{law}: {broken}")
    return list(laws)


def _find_spans(source: Tokens, target: Tokens) -> list[Span]:
    shift = 0
    spans = []
    for edit in extract_edits(source, target):
        size = len(edit.corrections[0].split())
        spans.append(Span(edit.start, edit.end, edit.start + shift, edit.start + shift + size))
        shift += size - (edit.end - edit.start)
    return spans


def _describe(system: TypeSystem) -> str:
    if not (isinstance(system.name, str) and system.name):
        return f"found the name {system.name!r:.40}"
    if not isinstance(system.language, str):
        return f"found the language {system.language!r:.40}"
    if not system.meanings:
        return "found no types"
    without = [
        name for name, meaning in system.meanings.items() if not (isinstance(name, str) and name and isinstance(meaning, str) and meaning)
    ]
    return f"found {without[0]!r:.40} without a meaning" if without else ""


def _count(system: TypeSystem, texts: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> str:
    found = [len(own) for own in system.types(texts, spans)]
    expected = [len(own) for own in spans]
    return "" if found == expected else f"found {found} types for {expected} edits"


def _explain(system: TypeSystem, texts: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> str:
    unknown = [name for own in system.types(texts, spans) for name in own if name != "" and name not in system.meanings]
    return f"found {unknown[0]!r:.40}, which has none" if unknown else ""


def _ask_alone(system: TypeSystem, texts: Sequence[_Pair], spans: Sequence[Sequence[Span]]) -> str:
    together = [list(own) for own in system.types(texts, spans)]
    alone = [list(next(iter(system.types([pair], [own])))) for pair, own in zip(texts, spans, strict=True)]
    backwards = [list(own) for own in system.types(texts[::-1], spans[::-1])][::-1]
    different = next((index for index, own in enumerate(together) if own != alone[index] or own != backwards[index]), None)
    return "" if different is None else f"found {together[different]} together, {alone[different]} alone, {backwards[different]} in reverse"
