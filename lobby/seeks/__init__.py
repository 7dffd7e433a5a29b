"""How two people find each other: seeks, invitations, the computer, and their limits."""
