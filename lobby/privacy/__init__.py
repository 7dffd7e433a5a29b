"""Protection of minors, and the visibility of people."""
