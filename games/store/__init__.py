"""Queries for stored matches and for the state of the site.

The journal stores the actions and results of matches. Here, only clocks are written, after an
outage (`games.store.heartbeat`).
"""
