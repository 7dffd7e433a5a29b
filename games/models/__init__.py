"""What is stored. Only `games.journal` writes matches and moves; everything else reads them."""

from games.models.analysis import Analysis
from games.models.event import Event
from games.models.match import Match, Move
from games.models.presence import Attendance, Connection, Pulse
from games.models.review import Case, Decision, Notice, Report, Sign

__all__ = [
    "Analysis",
    "Attendance",
    "Case",
    "Connection",
    "Decision",
    "Event",
    "Match",
    "Move",
    "Notice",
    "Pulse",
    "Report",
    "Sign",
]
