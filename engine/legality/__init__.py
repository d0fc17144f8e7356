"""What a seat may do, as reasons against it. Imports shapes and tiles."""
