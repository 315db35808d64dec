"""Gold: errors and their alternatives, accepted texts, equality of texts, and fingerprints."""
