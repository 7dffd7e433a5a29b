"""Programs that measure or try the site for longer than a test: see README.md."""
