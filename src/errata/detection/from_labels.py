"""Cases from labelled tokens: every token is a case, its label in gold says whether it is an error, and that of a system what it flags."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from errata.detection.cases import DEFAULT_THRESHOLD, Answers, Cases, Labels, describe_threshold
from errata.detection.signatures import describe_labels
from errata.errors import FormatError, InputError, MismatchError, UsageError, pluralise
from errata.formats.labelled_tokens import LabelledSentence, read_labelled_tokens
from errata.formats.lines import display_path
from errata.formats.problems import Problem, warn_in_python

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike


def read_labelled_cases(
    gold: str | PathLike[str],
    systems: Mapping[str, str | PathLike[str]],
    *,
    progress: Callable[[int], None] | None = None,
    warn: Callable[[Problem], None] = warn_in_python,
) -> Cases:
    """Read the labels of gold and of systems, whose files are given by name; all must have the same tokens in the same sentences.

    A system with probabilities only flags tokens with a probability of at least 0.5.
    ``progress`` is called with the number of tokens just read, ``warn`` takes warnings about probabilities.
    """
    import numpy as np

    if not systems:
        raise UsageError("labelled tokens need a system, found none")
    wanted, error = _read_gold(str(gold))
    answers = []
    for name, path in systems.items():
        answers.append(_read_system(name, str(path), wanted, str(gold), warn))
        if progress is not None:
            progress(len(error))
    sizes = [len(sentence.tokens) for sentence in wanted]
    units = Labels(np.repeat(np.arange(len(wanted), dtype=np.int32), sizes), tuple(str(number) for number in range(1, len(wanted) + 1)))
    cases = Cases(error, (), f"labelled tokens of {display_path(str(gold))}", units=units)
    return replace(cases, systems=tuple(answers), data=describe_labels(display_path(str(gold)), len(wanted), cases))


def _read_gold(path: str) -> tuple[list[LabelledSentence], Any]:
    import numpy as np

    sentences: list[LabelledSentence] = []
    incorrect: list[Any] = []
    for sentence in read_labelled_tokens(path):
        if sentence.probabilities[0] is not None:
            raise FormatError(
                display_path(path), sentence.first_line, "gold must have the label c or i in its last column, found a probability"
            )
        sentences.append(sentence._replace(incorrect=[], probabilities=[]))
        incorrect.append(np.array(sentence.incorrect, dtype=float))
    if not sentences:
        raise InputError(f"{display_path(path)}: no sentences found")
    return sentences, np.concatenate(incorrect)


def _read_system(name: str, path: str, wanted: Sequence[LabelledSentence], gold: str, warn: Callable[[Problem], None]) -> Answers:
    import numpy as np

    flagged: list[Any] = []
    probabilities: list[Any] = []
    labelled = True
    for sentence in read_labelled_tokens(path):
        number = len(flagged)
        if number == len(wanted):
            found = f"found the token {sentence.tokens[0][:60]!r} in another sentence"
            raise FormatError(
                display_path(path), sentence.first_line, f"expected the {pluralise(number, 'sentence')} of {display_path(gold)}, {found}"
            )
        _check_tokens(sentence, wanted[number], display_path(path), display_path(gold))
        labelled = sentence.incorrect[0] is not None
        chances = np.array(sentence.probabilities, dtype=float)  # not a number if unknown
        probabilities.append(chances)
        flagged.append(np.array(sentence.incorrect, dtype=bool) if labelled else chances >= DEFAULT_THRESHOLD)
    if len(flagged) < len(wanted):
        raise MismatchError(
            f"{display_path(path)} has {pluralise(len(flagged), 'sentence')}, expected the {len(wanted):,} of {display_path(gold)}"
        )
    chosen, confidence = np.concatenate(flagged), np.concatenate(probabilities)
    if np.isnan(confidence[0]):
        return Answers(name, chosen)
    if labelled and not chosen.all() and (confidence[~chosen] >= DEFAULT_THRESHOLD).all():
        message = (
            "every token labelled c has a probability of 0.5 or more; expected the probability that it is incorrect, not that of its label"
        )
        warn(Problem(display_path(path), None, "warning", message))
    return Answers(name, chosen, None, confidence, "" if labelled else describe_threshold(DEFAULT_THRESHOLD))


def _check_tokens(found: LabelledSentence, wanted: LabelledSentence, path: str, gold: str) -> None:
    """Raise at the first token that is not that of gold."""
    if found.tokens == wanted.tokens:
        return
    pairs = enumerate(zip(found.tokens, wanted.tokens, strict=False))
    shorter = min(len(found.tokens), len(wanted.tokens))
    index = next((number for number, (one, other) in pairs if one != other), shorter)
    names = [
        f"the token {sentence.tokens[index][:60]!r}" if index < len(sentence.tokens) else "the end of the sentence"
        for sentence in (wanted, found)
    ]
    line, line_of_gold = (sentence.first_line + index for sentence in (found, wanted))
    raise FormatError(path, line, f"expected {names[0]} ({gold}:{line_of_gold}), found {names[1]}")
