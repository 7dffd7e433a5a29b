"""A match as an immutable value: its state, commands, clock and outcome. Pure functions."""
