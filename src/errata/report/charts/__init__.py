"""Results as charts, one file for each kind of result."""
