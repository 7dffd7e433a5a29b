"""Signed records, and a log of them. If the log is rewritten, saved checkpoints reveal it."""
