"""Players: their histories, blocks, preferences and bots, and the search for players."""
