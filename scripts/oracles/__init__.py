"""Other engines, one module each: what `compare_engines` asks, and the plain loop that `bench` measures against."""
