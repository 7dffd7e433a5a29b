"""Classes and clubs: groups of players, who makes them, and what is theirs alone."""
