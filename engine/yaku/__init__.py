"""What yaku are and which a winning hand has. Imports rules, shapes and tiles."""
