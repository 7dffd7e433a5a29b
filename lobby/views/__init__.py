"""The pages of players: profiles, one's own games, challenges, preferences."""
