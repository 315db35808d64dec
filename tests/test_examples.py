"""The example corpus has what the demo, the documents and other tests count on."""

from __future__ import annotations

from errata import Corpus, System

from shared_fixtures import EXAMPLES


def test_sentences_annotators_and_systems(gold: Corpus, systems: dict[str, System]) -> None:
    assert len(gold) >= 60
    assert gold.annotators == ("0", "1")
    assert sorted(systems) == ["cautious", "eager", "rewriter"]
    assert all(len(system) == len(gold) for system in systems.values())


def test_many_error_types(gold: Corpus) -> None:
    assert len({edit.type for sentence in gold for annotation in sentence.annotations for edit in annotation.edits}) >= 20


def test_annotators_agree_and_disagree(gold: Corpus) -> None:
    both = [sentence for sentence in gold if len(sentence.annotations) == 2]
    same = sum(sentence.annotations[0].edits == sentence.annotations[1].edits for sentence in both)
    assert same >= 15
    assert len(both) - same >= 20
    assert sum(len(sentence.annotations) == 1 for sentence in gold) >= 4  # an annotator who did not look
    assert sum(not sentence.annotations for sentence in gold) == 2
    assert any(not one.edits and other.edits for one, other in (sentence.annotations for sentence in both))


def test_noop_alternatives_and_insertions_in_sequence(gold: Corpus) -> None:
    annotations = [annotation for sentence in gold for annotation in sentence.annotations]
    assert sum(not annotation.edits for annotation in annotations) >= 10
    assert sum(len(edit.corrections) > 1 for annotation in annotations for edit in annotation.edits) >= 5
    sequences = 0
    for annotation in annotations:
        places = [edit.start for edit in annotation.edits if edit.start == edit.end]
        sequences += len(places) != len(set(places))
    assert sequences >= 4
    assert {edit.status for annotation in annotations for edit in annotation.edits} == {"REQUIRED", "OPTIONAL"}


def test_no_annotator_contradicts_itself(gold: Corpus) -> None:
    for sentence in gold:
        for annotation in sentence.annotations:
            assert not sentence.unapplied(annotation)
            assert all(sentence.original(edit) not in edit.corrections for edit in annotation.edits)


def test_systems_differ_as_their_names_say(gold: Corpus, systems: dict[str, System]) -> None:
    changed = {
        name: sum(tokens != sentence.tokens for tokens, sentence in zip(system.sentences, gold, strict=True))
        for name, system in systems.items()
    }
    assert changed["cautious"] < len(gold) / 3 < changed["eager"]
    assert () in systems["rewriter"].sentences


def test_every_example_is_described() -> None:
    described = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in EXAMPLES.iterdir() if not path.name.startswith((".", "__"))} - {"README.md"}
    assert [name for name in sorted(names) if f"`{name}" not in described] == []
