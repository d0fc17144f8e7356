"""What a hand's tiles form: shanten, waits, useful tiles, readings. Imports tiles."""
