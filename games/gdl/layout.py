"""The layout of a sheet: what its board looks like, and how each action is chosen on it.

The layout follows from the sheet and its network. An overlay corrects it; the format of overlays is
in `games/gdl/overlay.py`.
"""
