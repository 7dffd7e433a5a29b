"""Players as others meet them: histories, blocks, preferences, bots, lookup by name."""
