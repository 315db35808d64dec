"""What needs language: taggers, error types, the edits of ERRANT, and semantic graphs."""
