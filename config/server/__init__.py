"""Daphne, with our limits."""
