"""Tests that run the files in `config/deploy` as they are."""
