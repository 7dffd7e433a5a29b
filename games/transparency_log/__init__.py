"""Signed records, and a log of them that not even the site's owner can rewrite unnoticed."""
