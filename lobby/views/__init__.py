"""Pages of the lobby, such as profiles, leaderboards, challenges, groups and tournaments."""
