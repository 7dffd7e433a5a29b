"""Programs that fill a database with very many rows and look at how it is read."""
