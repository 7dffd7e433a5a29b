"""Backing up the database while the site runs, and restoring it."""
