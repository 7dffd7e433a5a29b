"""The HTTP API for programs. It follows lichess's API where both sites have the same feature."""
