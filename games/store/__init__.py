"""Reads what is stored of matches and of the site. Only the journal writes matches."""
