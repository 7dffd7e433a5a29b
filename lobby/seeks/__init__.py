"""Ways to find an opponent: seeks, invitations, challenges and the computer, and their limits."""
