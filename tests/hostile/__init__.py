"""What a hostile client may try."""
