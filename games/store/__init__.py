"""What is stored of matches and of the site; the journal alone writes matches."""
