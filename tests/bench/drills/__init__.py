"""Fault drills: what the site does when a part of it fails under load, checked move by move."""
