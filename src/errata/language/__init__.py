"""Words and parts of speech: taggers, spaCy, types of edits, and word alignment."""
