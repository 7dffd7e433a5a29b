"""Thinking as work: which turns and analyses are due, who took them, and who thinks."""
