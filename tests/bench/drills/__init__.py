"""Fault drills: parts of the site fail under load, and every move is checked."""
