"""One HTML page with the scores, the differences, the types and every sentence of every system."""
