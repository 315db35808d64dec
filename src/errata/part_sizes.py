"""How many sentences of a long corpus belong together."""

BLOCK = 1024
"""Sentences that are hashed together."""
PART_SIZE = 16 * BLOCK
"""Sentences of a part, unless the user says otherwise; always whole blocks."""
