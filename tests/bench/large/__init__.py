"""Programs that fill a database with very many rows and measure how it is read."""
