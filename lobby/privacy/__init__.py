"""Protection of minors, visibility of players, and export and deletion of personal data."""
