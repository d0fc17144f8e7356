"""Rule sets: every parameter, the presets, and the rules of a batch as arrays. Imports tiles."""
