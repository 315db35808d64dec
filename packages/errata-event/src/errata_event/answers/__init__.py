"""Alternative answers: what teams propose and annotators judge, and the gold with what was accepted."""
