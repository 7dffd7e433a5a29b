"""Pages of the lobby: profiles, games, challenges, groups, tournaments and preferences."""
