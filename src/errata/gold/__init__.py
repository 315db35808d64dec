"""Gold: errors and their alternatives, the texts annotators accept, when two texts are equal, and a short name for all of it."""
