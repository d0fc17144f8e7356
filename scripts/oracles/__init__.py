"""Other engines, one module each, for `compare_engines`; games of one of them; and the plain loop of `bench`."""
