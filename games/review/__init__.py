"""The moderators' review of matches and players, and their decisions.

Nothing in this package acts automatically, and nothing is edited in place: each decision is stored
as a new row.
"""
