"""Players from the view of other players: histories, blocks, preferences, bots and search."""
