"""Compare two semantic graphs: their agreement, and the units with a counterpart in the other graph."""
