"""Edits that two outputs do not share."""

from __future__ import annotations

import errata
from errata import Annotation, Corpus, Edit, Sentence, System
from errata.scoring import EditChanges, list_edit_changes


def find(changes: EditChanges) -> dict[str, list[tuple[str, str, int, tuple[int, ...]]]]:
    return {
        name: [(item.edit.original, item.edit.corrections[0], item.edit.count, item.edit.sentences) for item in own.edits]
        for name, own in changes.changes.items()
    }


def test_every_kind_of_change() -> None:
    text = "She go to school and likes informations ."
    gold = Corpus(tuple(Sentence.of(text, [Edit(1, 2, ("goes",)), Edit(6, 7, ("information",))]) for _ in range(3)))
    before = ["She goes to a school and likes informations .", "She goes to school and likes informations .", text]
    after = ["She go to the school and likes information .", "She go to school and likes informations .", text]
    changes = list_edit_changes(errata.score(gold, before), errata.score(gold, after))
    assert find(changes) == {
        "lost": [("go", "goes", 2, (1, 2))],
        "won": [("informations", "information", 1, (1,))],
        "added": [("", "the", 1, (1,))],
        "removed": [("", "a", 1, (1,))],
    }
    assert (changes.sentences, changes.rejudged) == (2, ())
    (lost,) = changes.changes["lost"].edits
    assert (lost.before, lost.after) == ("She", "to school and")


def test_what_is_not_listed_is_counted() -> None:
    gold = Corpus(tuple(Sentence.of(f"a{number} b", [Edit(0, 1, ("x",))]) for number in range(5)))
    changes = list_edit_changes(errata.score(gold, ["x b"] * 5), errata.score(gold, [f"a{number} b" for number in range(5)]), 2)
    lost = changes.changes["lost"]
    assert (lost.total, len(lost.edits), lost.left_out) == (5, 2, 3)
    assert [changes.changes[name].total for name in ("won", "added", "removed")] == [0, 0, 0]


def test_the_example_systems_have_all_changes(gold: Corpus, systems: dict[str, System]) -> None:
    """Right edits of the new output are those of the baseline, without those that were lost, with those that were won."""
    before, after = (errata.score(gold, systems[name]) for name in ("cautious", "eager"))
    changes = list_edit_changes(before, after).changes
    assert after.parts["correct"] - before.parts["correct"] == changes["won"].total - changes["lost"].total
    wrong = [score.parts["proposed"] - score.parts["correct"] for score in (before, after)]
    assert wrong[1] - wrong[0] == changes["added"].total - changes["removed"].total
    turned = list_edit_changes(after, before).changes
    assert [turned[name].total for name in ("won", "lost", "removed", "added")] == [own.total for own in changes.values()]


def test_another_reference_for_the_same_output_is_told() -> None:
    """The official rule chooses by the sentences before: ten right edits make an annotator with one right of ten edits the worse one."""
    words = [f"w{number}" for number in range(10)]
    all_wrong = tuple(Edit(number, number + 1, ("x",)) for number in range(10))
    second = (Annotation("0", (Edit(0, 1, ("y",)), *all_wrong[1:])), Annotation("1", (Edit(5, 6, ("v",)),)))
    gold = Corpus((Sentence(tuple(words), (Annotation("0", all_wrong),)), Sentence(tuple(words), second)))
    same = ["y", *words[1:]]
    before, after = (errata.score(gold, [first, same]) for first in (["x"] * 10, words))
    assert [score.evidence.chosen for score in (before, after)] == [(0, 1), (0, 0)]
    changes = list_edit_changes(before, after)
    assert (changes.sentences, changes.rejudged) == (1, (2,))
    assert find(changes)["won"] == find(changes)["removed"] == [("w0", "y", 1, (2,))]


def test_systems_with_their_own_edits_are_compared_in_all_sentences() -> None:
    gold = Corpus((Sentence.of("a b c", [Edit(0, 1, ("x",)), Edit(1, 2, ("y",))]),))
    split = System.of_edits("split", [Sentence.of("a b c", [Edit(0, 1, ("x",)), Edit(1, 2, ("y",))])])
    joined = System.of_edits("joined", [Sentence.of("a b c", [Edit(0, 2, ("x y",))])])
    before, after = (errata.score(gold, system, "errant(gold=raw)") for system in (split, joined))
    changes = list_edit_changes(before, after)
    assert changes.sentences == 0
    assert [changes.changes[name].total for name in ("lost", "added")] == [2, 1]
