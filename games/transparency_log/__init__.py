"""Signed records, and an append-only log of them that not even the site's owner can rewrite."""
