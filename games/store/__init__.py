"""Queries for stored matches and for the state of the site.

The journal stores the actions and results of matches. The only change that this package makes to
matches is to add the time lost in an outage to their clocks (`games.store.heartbeat`).
"""
