"""Words and their parts of speech: taggers, spaCy, types of edits, and which words of two texts stand for each other."""
