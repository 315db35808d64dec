"""``errata doctor``: what a bug report needs to know, and a self-test with recorded numbers."""
