"""Edits between two texts and their types, by the rules of ERRANT (Felice et al. 2016, Bryant et al. 2017)."""
