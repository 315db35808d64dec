"""Two semantic graphs: how far they agree, and which units of each have a counterpart in the other."""
