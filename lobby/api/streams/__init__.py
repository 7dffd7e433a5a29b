"""Answers in lines: each follows a match, a player, or what is on, as a socket does."""
