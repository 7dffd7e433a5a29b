"""Builders for tests: one module for each topic. See tests/README.md."""
