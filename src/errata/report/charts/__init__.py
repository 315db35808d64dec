"""Results as pictures, one file a kind of result."""
