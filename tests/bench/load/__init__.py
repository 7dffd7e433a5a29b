"""The load: many scripted games at once against a running site, and how fast they go."""
