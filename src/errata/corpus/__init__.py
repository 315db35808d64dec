"""What is compared: sentences, edits, gold and its annotators, tokens, lines, graphs and parses."""
