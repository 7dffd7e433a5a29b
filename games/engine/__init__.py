"""The computer's turns, analyses and worker processes, and the replay of matches."""
