"""Attacks by hostile clients."""
