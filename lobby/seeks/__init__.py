"""Finding an opponent: seeks, invitations, challenges, the computer, and their limits."""
