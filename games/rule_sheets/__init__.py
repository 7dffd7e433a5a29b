"""Rule sheets as games of the site: checking, storing, and adding them to every process."""
