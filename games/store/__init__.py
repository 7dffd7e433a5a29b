"""Queries for stored matches and for the state of the site.

The journal stores the actions and results of matches. This package changes only the clocks of
matches, after an outage (`games.store.heartbeat`).
"""
