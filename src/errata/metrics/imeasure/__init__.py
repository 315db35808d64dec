"""I-measure: settings and values, the scorer, and how references are mixed."""
