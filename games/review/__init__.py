"""The moderators' review of matches and players, and their decisions.

The site finds signs automatically, but only moderators decide. They cannot edit a decision, but can
reverse it with another one.
"""
