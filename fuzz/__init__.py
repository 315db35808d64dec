"""A fuzzer for whole commands: ``python -m fuzz --seconds 60 --seed 1``.

Recipes make inputs (files and a command line), a server runs each in a process of its own, and checks look at what came out.
Every input has a number; the same seed and number give the same input again.
"""
