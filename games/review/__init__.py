"""The review: what moderators see, and what they decide.

Nothing here acts by itself, and nothing is edited in place: a decision is a new row.
"""
