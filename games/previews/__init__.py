"""Previews of matches and invitations for other sites: titles and pictures."""
