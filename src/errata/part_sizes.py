"""How many sentences of a long corpus belong together."""

BLOCK_SIZE = 1024
"""Sentences that are hashed together."""
PART_SIZE = 16 * BLOCK_SIZE
"""Sentences of a part, unless the user says otherwise; always whole blocks."""
