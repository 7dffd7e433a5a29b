"""What the API gives and takes."""
