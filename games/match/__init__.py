"""Pure functions for a match as an immutable value: its state, commands, clock and outcome."""
