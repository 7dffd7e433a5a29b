"""The moderators' review of matches and players, and their decisions.

The site finds signs automatically, but only moderators decide. A decision is never edited: each one
is stored as a new row.
"""
