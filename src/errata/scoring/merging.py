"""Scores of shards: the score of a whole corpus from those of its parts, as if it had been scored at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus.corpus import Corpus, Part
from errata.corpus.references import compute_fingerprint
from errata.errors import MismatchError, UsageError
from errata.scoring.evaluator import Evaluator
from errata.scoring.score_lists import check_scores
from errata.scoring.scores import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus.corpus import System


def merge(scores: Iterable[Score]) -> Score:
    """Merge the scores of one system on shards of a gold: on subsets of one corpus, in any order, or on consecutive corpora.

    The result is the score of the whole: references are chosen as in the whole, so value, counts, intervals and edits are the same.
    The sentences are not counted again, unless how one is counted depends on others.

    >>> import errata
    >>> gold, system = errata.read("examples/learner.m2"), errata.read_system("examples/systems/eager.txt")
    >>> shards = [errata.score(gold.subset(numbers), system) for numbers in ("37-72", "1-36")]
    >>> merge(shards) == errata.score(gold, system)
    True
    """
    shards = _check_shards(scores)
    order = _list_order([score.evidence.corpus for score in shards])
    corpus = _join_corpora([score.evidence.corpus for score in shards], order)
    evaluate = Evaluator(corpus, shards[0].metric, warn=None)  # shards were checked
    system = _join_systems([score.system for score in shards], order)
    if shards[0].metric.in_parts and _have_same_references(corpus, shards):
        counts = evaluate.begin(system)
        counts.add([shards[shard].evidence.rows[index] for shard, index in order])
        evidence = counts.make_evidence()
        if evidence.labels == tuple(shards[shard].evidence.labels[index] for shard, index in order):
            return Score.of(evidence, counts.system, counts.output)
    return evaluate(system)


def _check_shards(scores: object) -> Sequence[Score]:
    shards = check_scores(scores)
    if not shards:
        raise UsageError("shards must be a list of scores, found none")
    if any(not isinstance(score.evidence.corpus, Corpus) for score in shards):
        raise UsageError("shards must have their sentences, found a score of stored evidence; errata evidence merge merges that")
    _require_one(shards, "metric", lambda score: score.metric.signature)
    _require_one(shards, "system", lambda score: score.system_name)
    _require_one(shards, "tokenisation", lambda score: score.system.tokenisation)
    _require_one(shards, "kind of output", lambda score: "edits" if score.system.edits is not None else "texts")
    return shards


def _require_one(shards: Sequence[Score], what: str, find: Callable[[Score], str]) -> None:
    found = list(dict.fromkeys(map(find, shards)))
    if len(found) > 1:
        raise MismatchError(f"shards must have one {what}, found {found[0]} and {found[1]}")


def _list_order(corpora: Sequence[Corpus]) -> list[tuple[int, int]]:
    """List the sentences of all shards in the order of the whole: the index of the shard, and that of the sentence in it."""
    if len({corpus.part is None for corpus in corpora}) > 1:
        raise MismatchError("shards must be subsets of one corpus, or consecutive corpora, found both")
    if corpora[0].part is None:
        _refuse_equal(corpora)
        return [(shard, index) for shard, corpus in enumerate(corpora) for index in range(len(corpus))]
    _refuse_other_wholes(corpora)
    places: dict[int, tuple[int, int]] = {}
    for shard, corpus in enumerate(corpora):
        for index, number in enumerate(corpus.numbers):
            if number in places:
                raise MismatchError(f"shards must not overlap, found sentence {number:,} in shards {places[number][0] + 1} and {shard + 1}")
            places[number] = (shard, index)
    return [places[number] for number in sorted(places)]


def _refuse_equal(corpora: Sequence[Corpus]) -> None:
    """Raise if a corpus is given twice; single sentences may be equal."""
    seen: dict[str | int, int] = {}
    for shard, corpus in enumerate(corpora, start=1):
        key = compute_fingerprint(corpus) if len(corpus) > 1 else id(corpus)
        if key in seen:
            raise MismatchError(f"shards must not overlap, found the same corpus in shards {seen[key]} and {shard}")
        seen[key] = shard


def _refuse_other_wholes(corpora: Sequence[Corpus]) -> None:
    sizes = list(dict.fromkeys(corpus.part.whole for corpus in corpora if corpus.part is not None))
    if len(sizes) > 1:
        raise MismatchError(f"shards must be subsets of one corpus, found subsets of {sizes[0]:,} and {sizes[1]:,} sentences")
    if len({compute_fingerprint(corpus.whole) for corpus in corpora if corpus.whole is not None}) > 1:
        raise MismatchError("shards must be subsets of one corpus, found subsets of different ones")


def _join_corpora(corpora: Sequence[Corpus], order: Sequence[tuple[int, int]]) -> Corpus:
    sentences = tuple(corpora[shard][index] for shard, index in order)
    first = corpora[0]
    if first.part is None:
        names, paths = (list(dict.fromkeys(own)) for own in zip(*((corpus.name, corpus.path) for corpus in corpora), strict=True))
        return first if len(corpora) == 1 else Corpus(sentences, " + ".join(names), " + ".join(paths))
    whole = next((corpus.whole for corpus in corpora if corpus.whole is not None), None)
    if len(sentences) == first.part.whole:
        return whole or replace(first, sentences=sentences, part=None, whole=None)
    numbers = tuple(corpora[shard].numbers[index] for shard, index in order)
    return replace(first, sentences=sentences, part=Part(numbers, first.part.whole), whole=whole)


def _join_systems(systems: Sequence[System], order: Sequence[tuple[int, int]]) -> System:
    sentences = tuple(systems[shard].sentences[index] for shard, index in order)
    if systems[0].edits is None:
        return replace(systems[0], sentences=sentences)
    source = tuple((systems[shard].source or ())[index] for shard, index in order)
    edits = tuple((systems[shard].edits or ())[index] for shard, index in order)
    return replace(systems[0], sentences=sentences, source=source, edits=edits)


def _have_same_references(corpus: Corpus, shards: Sequence[Score]) -> bool:
    """Whether a sentence has the same references in its shard as in the whole, also those of annotators who are absent there."""
    if all(score.evidence.corpus.whole is not None for score in shards) or len(shards) == 1:
        return True
    return all(len(sentence.annotations) == len(corpus.annotators) for sentence in corpus)
