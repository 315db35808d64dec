"""The alternative answers of the 2013 task: five teams propose theirs as M2, all are accepted, and the gold is nearly the official one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from errata import Annotation, Corpus, Edit, Sentence, read, score
from errata.corpus.corpus import _apply_in_order
from errata.formats import read_nucle
from errata_event import contents
from errata_event.answers.items import list_annotations
from errata_event.answers.judging import Queue
from errata_event.answers.proposals import propose_file
from errata_event.golds import write_m2
from errata_event.scoring import _read_m2_bytes

from answering import ANSWERS, UNPOOLED, AnswersEvent, list_golds
from example_events import DURING_ANSWERS, WHEN_PUBLISHED, ExampleEvent

TEAMS = ("NTHU", "STEL", "TOR", "UIUC", "UMC")
WRONG = ("the", "of", "is", "are", "in")
DEFINITION = UNPOOLED.replace('"maxmatch", "gleu"', '"maxmatch(beta=1)"')


def read_alternatives(folder: Path, team: str) -> Corpus:
    """The gold of a team: its own annotation of the sentences for which it has an alternative answer, and of no others."""
    alternatives = [folder / f"alternatives.{team}.sgml"]
    corpus = read_nucle([folder / "official.5types.sgml"], alternatives=alternatives, profile="conll13", warn=lambda _: None)
    return Corpus(
        tuple(
            Sentence(sentence.tokens, tuple(_say_so(sentence, annotation) for annotation in sentence.annotations[1:]))
            for sentence in corpus
        )
    )


def _say_so(sentence: Sentence, annotation: Annotation) -> Annotation:
    """Say by an edit that nothing is wrong."""
    return annotation if annotation.edits else replace(annotation, edits=(Edit(0, 1, (sentence.tokens[0],)),))


def make_output(official: Corpus, seed: int) -> list[str]:
    """Texts that have some edits of the gold and of the alternatives, and some that are wrong."""
    chance = random.Random(seed)
    texts = []
    for sentence in official:
        annotation: Annotation = chance.choice(list_annotations(sentence))
        kept: list[Edit] = [edit for edit in annotation.edits if chance.random() < 0.5]
        tokens = list(_apply_in_order(sentence.tokens, kept))
        if tokens and chance.random() < 0.3:
            tokens[chance.randrange(len(tokens))] = chance.choice(WRONG)
        texts.append(" ".join(tokens))
    return texts


@pytest.mark.realdata
@pytest.mark.slow
def test_the_alternatives_of_2013_proposed_and_accepted(data: Path, tmp_path: Path, make_sqlite_event: Callable[..., ExampleEvent]) -> None:
    folder = data / "conll13" / "revised" / "data_5types"
    official = read(folder / "combined.5types.m2")
    example = make_sqlite_event(DEFINITION)
    (tmp_path / "gold.m2").write_bytes((folder / "official-preprocessed.5types.m2").read_bytes())
    example.event.update(str(tmp_path / "event.toml"))
    own = AnswersEvent(example, [example.add(team) for team in TEAMS], [example.add("The annotator", "annotator")])
    example.clock.set(DURING_ANSWERS)
    proposed = 0
    for team in own.teams:
        receipt = propose_file(own.event, team, ANSWERS, write_m2(read_alternatives(folder, team.name)))
        assert receipt.is_accepted, receipt.problems[:3]
        assert {problem.message for problem in receipt.problems} <= {"the gold accepts this already, so it is no proposal"}
        proposed += len(receipt.proposals)
    assert proposed == 370
    while True:
        with own.event.database.read() as transaction:
            item = Queue.find(transaction, example.phase(ANSWERS), own.annotators[0]).next
        if item is None:
            break
        own.judge(item, "accept")
    example.clock.set(WHEN_PUBLISHED)
    _, version = list_golds(own.event, example.phase("test"), None)
    assert version.variant == "proposed"
    with own.event.database.read() as transaction:
        made = _read_m2_bytes(contents.get(transaction, version.sha256), version.file_name)
    for sentence, other in zip(official, made, strict=True):
        texts = {other.corrected(annotation) for annotation in list_annotations(other)}
        assert texts >= {sentence.corrected(annotation) for annotation in list_annotations(sentence)}
    for seed in range(3):
        output = make_output(official, seed)
        without, theirs, ours = (score(gold, output, "maxmatch(beta=1)").value for gold in (own.gold, official, made))
        assert without is not None
        assert theirs is not None
        assert without + 0.03 < theirs
        # edits of the same texts are cut differently here and there
        assert ours == pytest.approx(theirs, abs=0.002)
