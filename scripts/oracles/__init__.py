"""Other engines to compare with, one module each."""
