"""Other engines, one module each, for `compare_engines`; and the plain loop that `bench` measures."""
