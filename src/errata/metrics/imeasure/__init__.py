"""I-measure: its settings and values, its scorer, and how references are mixed."""
