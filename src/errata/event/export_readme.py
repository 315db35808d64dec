"""The text that says what is what in an exported event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.event.instants import show_everywhere
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.event.event import Moment
    from errata.event.export_phase import PhaseState

_CONTENT = """\
This folder has everything of the event: hidden gold, the files of all teams
under their names, and all judgments.  Only organisers should have it.  It has
no token, and nothing that a token could be found from.

event.toml            the definition of the event, as it was in force
accounts.csv          who takes part, and what the anonymous board of each
                      phase calls each team
audit.csv             what was done by whom, the newest first
"""
_PHASE = """\
  gold.m2             the gold
  gold-alternatives.m2, gold-proposed.m2, gold-pooled.m2
                      the gold with alternative answers, if there are any: those
                      that the organisers had, those that teams proposed and
                      annotators accepted, and those from the edits of all teams
  gold-versions.csv   all versions of the gold, with their files
  older/              versions of the gold that were replaced, with their tables
  submissions.csv     all submissions, with instants, hashes and marks
  submissions/        their files: TEAM/NUMBER.txt
  scores.csv          the scores of every submission
  systems/            what counts of each team: TEAM.txt
  task.toml           the task of this phase, if a team has an entry; also
                      task-proposed.toml and task-pooled.toml
  tables/             what "errata task run task.toml -o tables" writes: the
                      tables of the site, and a page to look at (report.html);
                      also tables-proposed/ and tables-pooled/; or problem.txt,
                      which says why there are none
"""
_ANSWERS = """\
  items.csv, items.json
                      every item that was proposed: its edits (start, end and
                      correction), the teams that proposed it, whether it is one
                      of the unmatched edits of teams (pooled), what annotators
                      decided, and the edits that became gold
  judgments.csv, judgments.json
                      every judgment, with comments
  agreement.json      how far annotators agree

To compare systems, in papers too, use the tables without alternative answers,
unless these come from people who know none of the systems: answers close to the
outputs of some teams favour these teams (Ng et al. 2013).
"""


def write_readme(moment: Moment, states: Sequence[PhaseState], answers: Sequence[str]) -> str:
    """Describe an export; ``answers`` are the phases of alternative answers."""
    title = moment.definition.title or "An event"
    parts = [
        f"{title}\n{'=' * min(len(title), 79)}\n",
        f"Exported by errata {__version__} at {show_everywhere(moment.now.replace(microsecond=0), moment.definition.zone)}.\n",
        _CONTENT,
    ]
    if states:
        parts.append(f"{', '.join(f'{state.phase.name}/' for state in states)}\n{_PHASE}")
    if answers:
        parts.append(f"{', '.join(f'{name}/' for name in answers)}\n{_ANSWERS}")
    return "\n".join(parts)
