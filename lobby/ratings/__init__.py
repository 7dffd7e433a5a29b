"""Ratings: one number per player and game, computed from their rated games."""
