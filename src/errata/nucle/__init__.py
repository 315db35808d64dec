"""Learners' essays with stand-off annotations, as the NUCLE corpus and the CoNLL shared tasks have them, and their way to M2."""

from errata.nucle.conversion import OFFICIAL, PROFILES, ProfileName
from errata.nucle.reading import essays_in, read_nucle
from errata.nucle.token_edits import Language

__all__ = ["OFFICIAL", "PROFILES", "Language", "ProfileName", "essays_in", "read_nucle"]
