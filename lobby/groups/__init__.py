"""Classes and clubs: groups of players with their own lobby, games and tournaments."""
