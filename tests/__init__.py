"""The tests; ``kit`` is what they share."""
