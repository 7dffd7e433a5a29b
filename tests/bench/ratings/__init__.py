"""A simulation that checks whether ratings find the true strength of players."""
