"""Signed records, and the log of all of them that nobody can change unseen, its owner included."""
