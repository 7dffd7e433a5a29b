"""A match as a value: its state, what may be done in it, its clock and its outcome. Pure."""
