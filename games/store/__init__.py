"""Queries for stored matches and for the state of the site. Only the journal writes matches."""
