"""What ``write_reproduction.py`` compares: published figures, those that errata computes, and why they differ."""
