"""Results as tables, one file for each kind of result."""
