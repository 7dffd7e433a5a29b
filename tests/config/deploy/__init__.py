"""The files in `config/deploy`, run for real."""
