"""The review: what staff see, and what they decide.

Nothing here acts by itself, and nothing is edited in place: a decision is a new row.
"""
