"""Files of proposals: a text with one line for each sentence of the source, or M2 with the same sentences.

In a text, a line that equals the source, or is empty, proposes nothing.  In M2, every annotation with edits is a proposal for its sentence;
of an edit with several corrections, each further one makes a proposal of its own.  An annotation without edits proposes nothing, because
tools write it for every sentence that was not changed; an edit whose correction is the source text proposes to leave the text as it is.
Types are not read: gold has its own.
All problems are listed with their lines, as ``errata check`` does.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.corpus import Annotation, describe_other_source
from errata.corpus.unicode import normalise_tokens
from errata.errors import FormatError, InputError, pluralise
from errata.event.answers.corrected_sentences import list_annotations
from errata.event.scoring import NamedBytes
from errata.event.uploading import FILE_NAME
from errata.formats import Problem
from errata.formats.lines import GivenFile, find_compression
from errata.formats.m2 import read_m2_blocks
from errata.formats.problems import CHANGES_NOTHING, AllProblems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.corpus.corpus import Sentence
    from errata.corpus.texts import Tokens
    from errata.event.answers.answer_phases import AnswersPhase

ProposalFormat = Literal["text", "m2"]
_M2_EDIT = re.compile(rb"^A -?\d+ -?\d+\|\|\|", re.MULTILINE)
MOST_CORRECTIONS = 50
"""Corrections of one sentence, of all its annotations together; each may be a proposal, which somebody has to judge."""
_BEGINNING = 4
"""Bytes that say whether a file is compressed."""


class CorrectedLine(NamedTuple):
    """A corrected sentence of a file."""

    number: int
    """The number of its sentence."""
    line: int
    tokens: Tokens


def read_corrected_lines(
    answers: AnswersPhase,
    content: bytes,
    format: ProposalFormat | None = None,  # noqa: A002 - the word users know
) -> tuple[list[CorrectedLine], list[Problem]]:
    """Read the sentences that a file corrects, as far as it can be read, and all its problems.

    There are at most as many as the phase accepts proposals of a team, which may have been made already, and one more for each sentence,
    because the gold may accept many.
    """
    if find_compression(content[:_BEGINNING]) is not None:
        return [], [Problem(FILE_NAME, None, "error", "it is compressed; send the text itself")]
    if (format or _guess_format(content)) == "m2":
        return _read_m2(answers, content)
    return _read_text(answers, content)


def _guess_format(content: bytes) -> ProposalFormat:
    return "m2" if content.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"S ") and _M2_EDIT.search(content) else "text"


def _read_text(answers: AnswersPhase, content: bytes) -> tuple[list[CorrectedLine], list[Problem]]:
    """Read a text; lines that propose nothing are given the source, so that they are not taken for empty sentences."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    empty = {index for index, line in enumerate(lines[: len(answers.gold)]) if not line.strip()}
    filled = [answers.gold[index].text.encode() if index in empty else line for index, line in enumerate(lines)]
    checked = answers.scorer.check(b"".join(line + b"\n" for line in filled), FILE_NAME, source_only=False)
    if checked.errors:
        return [], checked.problems
    found = [
        CorrectedLine(number, number, tokens)
        for number, (sentence, tokens) in enumerate(zip(answers.gold, checked.system.sentences, strict=True), start=1)
        if tokens != sentence.tokens
    ]
    return found, checked.problems


def _read_m2(answers: AnswersPhase, content: bytes) -> tuple[list[CorrectedLine], list[Problem]]:
    problems = AllProblems(FILE_NAME)
    found: list[CorrectedLine] = []
    most = (answers.phase.per_phase or MOST_CORRECTIONS * len(answers.gold)) + len(answers.gold)
    read = 0
    unchanged: list[int] = []
    try:
        for line, sentence in read_m2_blocks(GivenFile.of(NamedBytes(content, FILE_NAME)), problems):
            read += 1
            if read > len(answers.gold):
                problems.error(line, f"more sentences than the {len(answers.gold):,} of the gold; the rest is not read")
                break
            if any(not annotation.edits for annotation in sentence.annotations) and _is_changed(answers.gold[read - 1]):
                unchanged.append(line)
            found += (
                CorrectedLine(read, line, tokens) for tokens in _read_block(sentence, line, answers.gold[read - 1], answers, problems)
            )
            if len(found) > most:
                accepted = pluralise(answers.phase.per_phase, "proposal")
                problems.error(line, f"more than {most:,} corrections, and this phase accepts {accepted} of a team; the rest is not read")
                break
    except FormatError as error:
        problems.error(error.line, error.message)
    except InputError as error:
        problems.error(None, str(error).removeprefix(f"{FILE_NAME}: "))
    else:
        if read < len(answers.gold):
            problems.error(None, f"{pluralise(read, 'sentence')}, but the gold has {len(answers.gold):,}")
    if unchanged:
        where = pluralise(len(unchanged), "sentence")
        problems.warning(
            unchanged[0],
            f"in {where}, of which this is the first, an annotation has no edits where the gold has some, which proposes nothing; an edit "
            "whose correction is the source text proposes that nothing is wrong",
        )
    return found, [problem for problem in problems.found if problem.message != CHANGES_NOTHING]  # here it says something


def _read_block(sentence: Sentence, line: int, gold: Sentence, answers: AnswersPhase, problems: AllProblems) -> Iterator[Tokens]:
    """Yield the corrected sentences of a block of M2, or report what is wrong with it."""
    if normalise_tokens(sentence.tokens, answers.gold.unicode) != gold.tokens:
        problems.error(line, describe_other_source(gold.tokens, sentence.tokens))
        return
    if (count := sum(len(edit.corrections) for own in sentence.annotations for edit in own.edits)) > MOST_CORRECTIONS:
        problems.error(line, f"a sentence has at most {MOST_CORRECTIONS:,} corrections in a file of proposals, found {count:,}")
        return
    for annotation in sentence.annotations:
        if sentence.unapplied(annotation):
            problems.error(line, f"annotator {annotation.annotator} has edits that overlap; what is proposed must be one sentence")
        else:
            yield from _list_texts(sentence, annotation, answers)


def _is_changed(sentence: Sentence) -> bool:
    """Whether all gold annotators find something wrong."""
    return all(annotation.edits for annotation in list_annotations(sentence))


def _list_texts(sentence: Sentence, annotation: Annotation, answers: AnswersPhase) -> Iterator[Tokens]:
    """Yield the corrected sentence of an annotation, and one for each further correction of an edit; none without edits."""
    if not annotation.edits:
        return
    yield normalise_tokens(sentence.corrected(annotation), answers.gold.unicode)
    for index, edit in enumerate(annotation.edits):
        for correction in edit.corrections[1:]:
            edits = (*annotation.edits[:index], replace(edit, corrections=(correction,)), *annotation.edits[index + 1 :])
            yield normalise_tokens(sentence.corrected(replace(annotation, edits=edits)), answers.gold.unicode)
