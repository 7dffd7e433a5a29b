"""The computer player: its turns, its analyses, and the worker processes that search."""
