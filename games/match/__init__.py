"""A match as an immutable value, and pure functions for its commands, clock and outcome."""
