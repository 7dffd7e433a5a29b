"""The computer player: its turns, its analyses, and its worker processes."""
