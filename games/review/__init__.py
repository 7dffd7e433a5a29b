"""The moderators' review of matches and players, and their decisions.

Nothing in this package acts automatically, and no row is edited in place: each decision is a new
row.
"""
