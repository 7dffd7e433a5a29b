"""Ratings: a number for each player and game, computed from the player's rated games."""
