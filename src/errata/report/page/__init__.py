"""The report: one HTML file with scores, differences, types, edits and every sentence of every system."""
