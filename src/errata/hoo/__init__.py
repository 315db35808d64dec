"""Helping Our Own (HOO): edits with character offsets, found as GNU wdiff finds them, and the scores of the 2011 and 2012 tasks."""

from errata.hoo.edits import HooEdit
from errata.hoo.measures import HooCounts, HooScores
from errata.hoo.scorer import count_edits

__all__ = ["HooCounts", "HooEdit", "HooScores", "count_edits"]
