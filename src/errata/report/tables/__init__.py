"""Results as tables, one file a kind of result."""
